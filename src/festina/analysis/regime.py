"""Rich or lazy, read off a run: how far kernel and representations move, and how they turn to the task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.kernel import measured_kernels
from festina.analysis.observed import check_observed, learned_task
from festina.checks import check
from festina.checks.shapes import Array
from festina.core.display import aligned, render
from festina.core.look import COLOURS, axis, plain, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.core.observations import Observations

BOUND = 0.1
"""Distance from which a kernel counts as turned: a tenth of the way to an orthogonal one, as in ``network.regime``."""


@dataclass(frozen=True, eq=False)
class LayerRegime:
    """The representations of one layer over learning; arrays are ([seeds,] times).

    Attributes:
        name: the name of the layer.
        distance: 1 − ⟨G(0), G(t)⟩/(‖G(0)‖‖G(t)‖), G the inner products of the representations of all items.
        change: ‖G(t) − G(0)‖/‖G(0)‖, which also counts growth.
        participation_ratio: (Σλ)²/Σλ² of the eigenvalues λ of the covariance over items: how many directions they use.
        effective_rank: exp of the entropy of λ/Σλ.
        task_alignment: similarity of the centred G to the inner products of the targets (linear CKA): 1 if they are
            proportional.
        lazy, rich: of each of these by name, its value at the end in the two limits. Lazy: representations do not
            move. Rich: of a linear network with as many layers, learned from vanishing weights, where G = X V S^{2l/D}
            VᵀXᵀ for the map U S Vᵀ of least squares, in layer l of D.
    """

    name: str
    distance: np.ndarray
    change: np.ndarray
    participation_ratio: np.ndarray
    effective_rank: np.ndarray
    task_alignment: np.ndarray
    lazy: Mapping[str, float] = field(default_factory=dict)
    rich: Mapping[str, float] = field(default_factory=dict)


MEASURES = {
    "distance": "distance from the start",
    "participation_ratio": "participation ratio",
    "effective_rank": "effective rank",
    "task_alignment": "alignment with the task",
}
"""Printed summary of a layer."""


@dataclass(frozen=True, eq=False)
class LearningRegime:
    """Whether a run was rich or lazy, and the numbers that say so; arrays are ([seeds,] times).

    Attributes:
        name: ``"lazy"`` where the kernel (without weights: every layer's representations) stays within ``bound`` of its
            start, in the mean over seeds; ``"rich"`` otherwise.
        times: the times of the run.
        kernel_distance: 1 − ⟨K(0), K(t)⟩/(‖K(0)‖‖K(t)‖) of the neural tangent kernel; None without weights.
        kernel_change: ‖K(t) − K(0)‖/‖K(0)‖.
        kernel_alignment: yᵀKy/(‖K‖‖y‖²), y all targets in one vector.
        layers: the hidden layers, where they were observed.
        bound: the distance from which learning counts as rich.
        unit: the unit of the times.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.teacher(6, 3, seed=0)
        >>> for scale in (0.01, 3.0):
        ...     network = fs.ReLU((50,), initial=fs.initial.Gaussian(scale))
        ...     run = fs.evolve(network, task, [0.0, 40.0], method=fs.Flow(), observe=("weights", "hidden"))
        ...     print(run.regime().name)
        rich
        lazy
    """

    name: str
    times: np.ndarray
    kernel_distance: np.ndarray | None
    kernel_change: np.ndarray | None
    kernel_alignment: np.ndarray | None
    layers: tuple[LayerRegime, ...]
    bound: float
    unit: str = "flow time"

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        if self.kernel_distance is not None and self.kernel_alignment is not None:
            rows.append(("kernel", "distance from the start", *_ends(self.kernel_distance), "0", ""))
            aligned = _ends(self.kernel_alignment)
            rows.append(("kernel", "alignment with the task", *aligned, aligned[0], ""))
        for layer in self.layers:
            for measure, words in MEASURES.items():
                limits = (f"{limit[measure]:.3g}" for limit in (layer.lazy, layer.rich))
                rows.append((layer.name, words, *_ends(getattr(layer, measure)), *limits))
        return rows

    @property
    def _headline(self) -> str:
        if self.kernel_distance is not None:
            what, moved = "the tangent kernel", float(_farthest(self.kernel_distance))
        else:
            layer = max(self.layers, key=lambda one: _farthest(one.distance))
            what, moved = f"the representation in {layer.name}", float(_farthest(layer.distance))
        return f"{self.name}: {what} turns by {moved:.2g} of 1; below {self.bound:g} is lazy. Growth alone is no turn."

    def __str__(self) -> str:
        lines = aligned([HEADER, *self._rows()])
        return "\n".join([self._headline, *lines])

    def _repr_html_(self) -> str:
        return render(self._headline, self._rows(), header=HEADER)

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how far the kernel and the representations have turned, and how they are aligned with the task (dashed).

        Args:
            ax: axes to draw into; None is pyplot's current axes.
        """
        ax = axis(ax)
        curves = [(layer.name, layer.distance, layer.task_alignment) for layer in self.layers]
        if self.kernel_distance is not None and self.kernel_alignment is not None:
            curves.insert(0, ("tangent kernel", self.kernel_distance, self.kernel_alignment))
        for (name, distance, towards), colour in zip(curves, COLOURS * len(curves), strict=False):
            for curve, line, label in ((distance, "-", plain(name)), (towards, "--", None)):
                ax.plot(self.times, np.atleast_2d(curve).mean(axis=0), line, color=colour, label=label)
        ax.axhline(self.bound, color="0.6", linewidth=0.8, linestyle=":")
        ax.set(xlabel=f"time ({plain(self.unit)})", ylabel="distance; alignment (dashed)")
        ax.legend()
        return ax


HEADER = ("of", "measure", "start", "end", "lazy limit", "rich limit")


def regime(trajectory: Observations, *, bound: float = BOUND) -> LearningRegime:
    """Whether a run of any network was rich or lazy: how its kernel and representations moved, layer by layer.

    Args:
        trajectory: one that observed ``weights`` (from which the neural tangent kernel is computed by automatic
            differentiation), ``hidden``, or both, from time 0.
        bound: distance from which learning counts as rich; the change is gradual.

    Raises:
        ValueError: neither was observed, a run that does not start at time 0, or a task without data points.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-2))
        >>> run = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 60, 7), method=fs.Flow(),
        ...                 observe=("weights", "hidden"))
        >>> found = run.regime()
        >>> found.name, found.layers[0].participation_ratio.shape
        ('rich', (7,))

    Source: domine2025 (rich and lazy); for the limits saxe2014.
    """
    check_observed(trajectory)
    bound = check.positive("bound", bound)
    seen = [name for name in ("weights", "hidden") if name in trajectory.values]
    if not seen:
        raise ValueError(
            f"trajectory observed {', '.join(trajectory.values)}; a regime needs fs.evolve(..., observe=('weights', "
            "'hidden'))."
        )
    task = learned_task(trajectory, *seen)
    if trajectory.times[0] != 0:
        raise ValueError(f"trajectory starts at {trajectory.times[0]:g}; the distance is from time 0: add it to times.")
    kernels = measured_kernels(trajectory) if "weights" in seen else None
    hidden = trajectory["hidden"] if "hidden" in seen else ()
    layers = hidden if isinstance(hidden, tuple) else (hidden,)
    named = {f"layer {k + 1}": np.asarray(layer, float) for k, layer in enumerate(layers)}
    items = {activity.shape[-2] for activity in named.values()} - {len(task.x)}
    if items:
        raise ValueError(
            f"trajectory observed {items.pop()} items and the task has {len(task.x)}; observe all of them."
        )
    return describe(trajectory.times, named, task.x, task.y, kernels, bound, trajectory.unit)


def describe(
    times: np.ndarray,
    hidden: Mapping[str, np.ndarray],
    x: np.ndarray,
    y: np.ndarray,
    kernels: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
    bound: float = BOUND,
    unit: str = "flow time",
) -> LearningRegime:
    """The regime from representations by layer, ([seeds,] times, items, units), and from distance, change and alignment
    of the tangent kernel, where they are known."""
    layers = tuple(
        _layer(name, activity, x, y, (number + 1) / (len(hidden) + 1))
        for number, (name, activity) in enumerate(hidden.items())
    )
    moved = [layer.distance for layer in layers] if kernels is None else [kernels[0]]
    name = "rich" if max(_farthest(curve) for curve in moved) >= bound else "lazy"
    return LearningRegime(name, times, *(kernels or (None, None, None)), layers, bound, unit)


def _layer(name: str, activity: np.ndarray, x: np.ndarray, y: np.ndarray, depth: float) -> LayerRegime:
    grams = activity @ np.swapaxes(activity, -1, -2)
    first = grams[..., :1, :, :]
    norms = np.linalg.norm(grams, axis=(-1, -2))
    both = norms * norms[..., :1]
    distance = 1 - _over((grams * first).sum((-1, -2)), both)
    change = _over(np.linalg.norm(grams - first, axis=(-1, -2)), norms[..., :1])
    ratio, rank, aligned = _spread(grams, y)
    rich = _rich(x, y, depth)
    ends = [float(np.mean(part)) for part in _spread(rich, y)]
    turned_by = 1 - _over((rich * first[..., 0, :, :]).sum((-1, -2)), np.linalg.norm(rich) * norms[..., 0])
    start = [float(np.mean(part[..., 0])) for part in (ratio, rank, aligned)]
    names = ("participation_ratio", "effective_rank", "task_alignment")
    return LayerRegime(
        name, np.maximum(distance, 0.0), change, ratio, rank, aligned,
        {"distance": 0.0, **dict(zip(names, start, strict=True))},
        {"distance": float(np.mean(turned_by)), **dict(zip(names, ends, strict=True))},
    )  # fmt: skip


def _rich(x: np.ndarray, y: np.ndarray, depth: float) -> np.ndarray:
    """X V S^{2l/D} VᵀXᵀ: what layer l of D of a linear network learns from vanishing weights."""
    flat = np.asarray(x, float).reshape(len(x), -1)
    _, strengths, right = np.linalg.svd(np.linalg.lstsq(flat, np.asarray(y, float), rcond=None)[0].T)
    half = flat @ right[: len(strengths)].T * strengths**depth
    return half @ half.T


def _spread(grams: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """Participation ratio, effective rank and alignment with the targets, of centred inner products."""
    centred = _centred(grams)
    values = np.maximum(np.linalg.eigvalsh(centred), 0.0)
    total = values.sum(axis=-1)
    ratio = _over(total**2, (values**2).sum(axis=-1))
    shares = _over(values, total[..., None])
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(shares > 0, shares * np.log(shares), 0.0).sum(axis=-1)
    targets = _centred(np.asarray(y, float) @ np.asarray(y, float).T)
    norms = np.linalg.norm(centred, axis=(-1, -2)) * np.linalg.norm(targets)
    return ratio, np.asarray(np.where(total > 0, np.exp(entropy), 0.0)), _over((centred * targets).sum((-1, -2)), norms)


def _centred(grams: np.ndarray) -> np.ndarray:
    means = grams.mean(axis=-1, keepdims=True)
    return grams - means - np.swapaxes(means, -1, -2) + means.mean(axis=-2, keepdims=True)


def _over(part: Array, whole: Array) -> np.ndarray:
    """The ratio, 0 where the whole is."""
    return np.divide(part, whole, out=np.zeros(np.broadcast_shapes(np.shape(part), np.shape(whole))), where=whole > 0)


def _farthest(curve: np.ndarray) -> float:
    """The largest value over time, mean over seeds."""
    return float(np.mean(np.max(curve, axis=-1)))


def _ends(curve: np.ndarray) -> tuple[str, str]:
    first, last = (float(np.mean(part)) for part in (curve[..., 0], curve[..., -1]))
    return f"{first:.3g}", f"{last:.3g}"
