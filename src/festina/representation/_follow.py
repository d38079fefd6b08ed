"""Train networks, many trials at once, and follow data points through them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina import _check
from festina._network import Data
from festina._task import Task
from festina.methods._checkpoint import current
from festina.representation._architecture import Architecture
from festina.representation._pair import Pair

PRECISIONS = ("double", "single")
OPTIMISERS = ("adam", "descent")
FEW = 10
"""Points up to which all are followed unless told otherwise: their pairs are then fewer than fifty."""


@dataclass(frozen=True, eq=False, repr=False)
class Followed:
    """Points followed through training, for each seed.

    Attributes:
        times: epochs at which was observed.
        distances: squared distances of representations, (seeds, times, layers, pairs), pairs in the order of ``pairs``.
        outputs: outputs of the followed points, (seeds, times, points, outputs).
        loss: mean loss 1/(2N) Σ ‖y − ŷ‖² of the whole task, (seeds, times).
        first, last: representations of the points ``ends`` at the start and at the end, one array
            (seeds, points, units) per layer.
        first_outputs, last_outputs: their outputs, (seeds, points, outputs).
        layers: indices of the observed layers.
        points: rows of the task that were followed.
        ends: rows of the task in ``first`` and ``last``.
        diverged: per seed, whether something became not finite; what came before is kept.
        notes: device, seconds compiling and running.

    Example:
        >>> import festina as fs
        >>> small = fs.representation.published("shallow").resized(width=10, epochs=4)
        >>> task = fs.representation.two_points(dx=0.5, dy=1.0)
        >>> run = fs.representation.follow(small.architecture, task, rate=small.rate, epochs=4, seeds=2)
        >>> run.distances.shape
        (2, 5, 1, 1)
    """

    task: Task
    architecture: Architecture
    times: np.ndarray
    distances: np.ndarray
    outputs: np.ndarray
    loss: np.ndarray
    first: tuple[np.ndarray, ...]
    last: tuple[np.ndarray, ...]
    first_outputs: np.ndarray
    last_outputs: np.ndarray
    layers: tuple[int, ...]
    points: tuple[int, ...]
    ends: tuple[int, ...]
    seeds: tuple[int, ...]
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def diverged(self) -> np.ndarray:
        """Whether a seed's loss or distances became not finite."""
        whole = np.isfinite(self.loss).all(axis=1) & np.isfinite(self.distances).all(axis=(1, 2, 3))
        return np.logical_not(np.asarray(whole))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of followed points, as rows of the task."""
        i, j = np.triu_indices(len(self.points), 1)
        return [(self.points[a], self.points[b]) for a, b in zip(i, j, strict=True)]

    def pair(self, trial: int = 0, *, layer: int | None = None, points: tuple[int, ...] | None = None) -> Pair:
        """Two points in one trial and layer, ready for ``fit``.

        Args:
            trial: index of the seed.
            layer: which layer; by default the middle one, or the only one.
            points: which rows of the task; by default the first two that were followed.

        Raises:
            ValueError: a layer or points that were not followed, or equal inputs.
        """
        wanted: Any = self.points[:2] if points is None else tuple(points)
        if wanted not in self.pairs:
            raise ValueError(f"points is {wanted}; followed were the pairs {self.pairs[:20]}.")
        if layer is None:
            layer = self.architecture.middle if self.architecture.middle in self.layers else self.layers[0]
        if layer not in self.layers:
            raise ValueError(f"layer is {layer}; followed were the layers {self.layers}.")
        rows = [self.points.index(p) for p in wanted]
        x, y = self.task.x[list(wanted)], self.task.y[list(wanted)]
        outputs = self.outputs[trial][:, rows].astype(float)
        with np.errstate(over="ignore", invalid="ignore"):
            moved, target = outputs[:, 1] - outputs[:, 0], y[1] - y[0]
            squared = np.sum(moved**2, axis=-1)
            return Pair(
                self.times,
                self.distances[trial][:, self.layers.index(layer), self.pairs.index(wanted)],
                squared,
                squared - moved @ target,
                float(np.sum((x[1] - x[0]) ** 2)),
                float(np.sum(target**2)),
                0.25 * np.sum((outputs - y) ** 2, axis=(1, 2)),
                float(np.sum((outputs[0].mean(axis=0) - y.mean(axis=0)) ** 2)),
            )

    def __repr__(self) -> str:
        lost = f", {int(self.diverged.sum())} diverged" if self.diverged.any() else ""
        return (
            f"Followed({len(self.points)} points in {len(self.layers)} layers, {len(self.times)} times to "
            f"{self.times[-1]:g} epochs, {len(self.seeds)} seeds{lost})"
        )


def follow(
    architecture: Architecture,
    task: Task,
    *,
    epochs: int,
    rate: float,
    seed: int = 0,
    seeds: int = 1,
    layers: int | Sequence[int] | str | None = None,
    points: Sequence[int] | None = None,
    ends: Sequence[int] | None = None,
    samples: int = 300,
    optimiser: str = "descent",
    batch: int | None = None,
    precision: str = "single",
) -> Followed:
    """Train a network on a task and follow data points through its layers; every seed is a trial of its own.

    One compilation serves all gains, rates and data of a shape. Trials run on all cores; on a GPU, side by side.

    Args:
        architecture: what to train.
        task: what it learns, by the mean loss 1/(2N) Σ ‖y − ŷ‖² (PyTorch's ``MSELoss`` of one output is twice
            that: its learning rate is half of ours).
        epochs: passes through the data.
        rate: step size.
        seed, seeds: trials ``seed, seed+1, …``, each with initial weights, batches and dropout of its own.
        layers: an index, several, or ``"all"``; by default the middle layer.
        points: rows of the task to follow; by default all where they are few, otherwise the first two.
        ends: rows of the task whose representations are kept at the start and at the end; by default ``points``.
        samples: times observed, evenly spaced over the epochs, first and last included.
        optimiser: ``"descent"`` or ``"adam"`` (optax).
        batch: points per step, in an order drawn anew each epoch (a rest that fills no batch is left out); None takes
            all points in each step.
        precision: ``"single"`` or ``"double"``.

    Returns:
        A ``Followed``; a trial that diverged keeps what came before.

    Raises:
        ValueError: an argument that is not allowed.

    Example:
        >>> import festina as fs
        >>> task = fs.Task(x=[[-1.0], [-0.5]], y=[[0.6], [1.6]])
        >>> network = fs.representation.Architecture(hidden=3, width=20)
        >>> run = fs.representation.follow(network, task, epochs=100, rate=0.1, seeds=2, samples=11)
        >>> run.distances.shape, bool(run.loss[0, -1] < run.loss[0, 0])
        ((2, 11, 1, 1), True)
    """
    from festina.methods import _engine
    from festina.representation._watch import Loss, Watch

    epochs, rate = _check.whole("epochs", epochs), _check.positive("rate", rate)
    seed, seeds = _check.whole("seed", seed, least=0), _check.whole("seeds", seeds)
    samples = min(_check.whole("samples", samples, least=2), epochs + 1)
    _check.known("optimiser", optimiser, OPTIMISERS)
    _check.known("precision", precision, PRECISIONS)
    if batch is not None and _check.whole("batch", batch) > len(task.x):
        raise ValueError(f"batch is {batch} with {len(task.x)} data points; give at most that many, or None for all.")
    chosen = _layers(architecture, layers)
    followed = _rows("points", points, task, range(len(task.x) if len(task.x) <= FEW else 2))
    kept = _rows("ends", ends, task, followed)
    times = np.unique(np.rint(np.linspace(0, epochs, samples)).astype(int))
    bare, numbers, data = architecture.bare, range(seed, seed + seeds), Data(task.x, task.y, float(len(task.x)))
    context = {"data": data, "points": data, "shown": task.x[list(followed)], "kept": task.x[list(kept)]}
    how = _engine.Way(
        Loss(bare), Watch(bare, chosen), ("distances", "outputs", "loss"), "auto", precision, optimiser, batch=batch,
        noisy=architecture.dropout > 0,
    )  # fmt: skip
    starts = [architecture.start(task.x.shape[1], task.y.shape[1], number) for number in numbers]
    found, notes = _engine.train(
        how, context, starts, numbers, times * how.per_epoch(context), rate, ends=("ends",), kept=current(),
        label="follow",
    )  # fmt: skip
    (first_outputs, *first), (last_outputs, *last) = ([part[:, end] for part in found["ends"]] for end in (0, 1))
    return Followed(
        task, architecture, times.astype(float), found["distances"], found["outputs"], found["loss"], tuple(first),
        tuple(last), first_outputs, last_outputs, chosen, followed, kept, tuple(numbers), notes,
    )  # fmt: skip


def _rows(name: str, rows: Sequence[int] | None, task: Task, otherwise: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(otherwise) if rows is None else tuple(int(i) for i in rows)
    if not chosen or min(chosen) < 0 or max(chosen) >= len(task.x) or len(set(chosen)) < len(chosen):
        raise ValueError(f"{name} is {rows!r}; different rows of the task, 0 to {len(task.x) - 1}, are needed.")
    return chosen


def _layers(architecture: Architecture, layers: int | Sequence[int] | str | None) -> tuple[int, ...]:
    if layers is None:
        return (architecture.middle,)
    if isinstance(layers, str):
        _check.known("layers", layers, ("all",))
        return tuple(range(architecture.layers))
    chosen = (int(layers),) if isinstance(layers, int | np.integer) else tuple(int(i) for i in layers)
    for i in chosen:
        if not 0 <= i < architecture.layers:
            raise ValueError(f"layers holds {i}; this architecture has the layers 0 to {architecture.layers - 1}.")
    return chosen
