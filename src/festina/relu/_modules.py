"""Units of a ReLU network that share a gating pattern: its modules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.optional import need
from festina.core.layered import rectify
from festina.core.task import Task
from festina.relu._realisable import is_realisable
from festina.relu._replay import Replay
from festina.runtime import few_threads

FINDERS = ("contribution", "kmeans")

MAX_SEED = 2**32 - 1
"""The largest seed that scikit-learn's k-means takes."""

THRESHOLD = 1e-2
"""Share of its largest activity up to which a unit counts as off: small random initial weights leave such a rest behind
where a unit has learned nothing."""

STARTS = 10
"""Random starts of k-means; the best is kept."""

WORD = 8
"""Bytes of a whole number that holds a packed pattern."""


@dataclass(frozen=True, eq=False)
class Module:
    """Units with one gating pattern.

    Attributes:
        pattern: True at the data points where the module is on.
        centroid: the mean gate of its units over time, between 0 and 1: how consistent they are.
        units: units whose pattern is nearest to this one at the last observation, on average over runs.
        share: their part of the summed contribution |w_out|·|activity| of all units, at the last observation.
        active_at: the first time at which the module contributes half of the most it ever does.
    """

    pattern: np.ndarray
    centroid: np.ndarray
    units: float
    share: float
    active_at: float

    def __str__(self) -> str:
        shown = "".join("#" if on else "·" for on in self.pattern)
        return (
            f"{shown}  {self.units:7.1f} units, {self.share:4.0%} of the output, active from t = {self.active_at:.4g}"
        )


@dataclass(frozen=True, eq=False)
class Modules(Sequence[Module]):
    """The modules of a hidden layer, those on at most data points first; ``len``, ``[i]`` and ``for`` work."""

    finder: str
    layer: int
    members: tuple[Module, ...]

    @property
    def gates(self) -> np.ndarray:
        """Gating patterns, one row of booleans per module."""
        return np.array([module.pattern for module in self.members])

    def require_some(self) -> None:
        """Refuse clusters whose centroids are all below ½."""
        if not self.members:
            raise ValueError(
                f"modules is too small for finder={self.finder!r}: no cluster is on at any data point for most of its "
                "units; ask for more modules."
            )

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, i: int) -> Module:
        return self.members[i]

    def __str__(self) -> str:
        return "\n".join([f"{len(self)} modules of hidden layer {self.layer + 1}, by {self.finder}", *map(str, self)])


def share_off(threshold: object) -> float:
    """Share of its largest activity up to which a unit is off."""
    found = check.number("threshold", threshold, "a share >= 0 and < 1")
    if not 0 <= found < 1:
        raise ValueError(f"threshold is {threshold!r}; a share >= 0 and < 1 is needed: at 1 no unit is ever on.")
    return found


@dataclass(frozen=True, eq=False)
class Layer:
    """Activity of a hidden layer over runs and times: gates (runs, times, units, items) and contributions of units."""

    finder: str
    times: np.ndarray
    gates: np.ndarray
    contribution: np.ndarray
    x: np.ndarray | None
    possible: dict[bytes, bool] = field(default_factory=dict)

    @classmethod
    def read(cls, replays: Sequence[Replay], layer: int, threshold: float, finder: str) -> "Layer":
        """Layer ``layer`` (from 0) of every run; ``x`` is what it sees, where that is fixed: the inputs.

        A unit is on where its activity is above ``threshold`` times its largest.
        """
        depth = len(replays[0].weights) - 1
        if check.whole("layer", layer, least=0) >= depth:
            raise ValueError(f"layer is {layer}; the network has {depth} hidden layer(s): 0 to {depth - 1}.")
        h = np.concatenate([rectify(r.layers[layer]) for r in replays]).swapaxes(-1, -2)
        out = np.concatenate([np.linalg.norm(r.weights[layer + 1], axis=-2) for r in replays])
        contribution = out.astype(float) * np.linalg.norm(h, axis=-1)
        if not contribution[:, -1].any():
            raise ValueError("runs end with no unit that is active and has an outgoing weight: nothing was learned.")
        gates = h > threshold * h.max(axis=-1, keepdims=True)
        return cls(finder, replays[0].run.times, gates, contribution, replays[0].task.x if layer == 0 else None)

    @cached_property
    def distinct(self) -> tuple[np.ndarray, np.ndarray]:
        """Every pattern that a unit has at some time, and its weight: how often, or with how much contribution."""
        count = self.gates.shape[-1]
        rows = self.gates.reshape(-1, count)
        weight = np.ones(len(rows)) if self.finder == "kmeans" else self.contribution.ravel()
        rows, weight = rows[weight > 0], weight[weight > 0]
        packed = np.packbits(rows, axis=1)
        if packed.shape[1] <= WORD:
            # as whole numbers rows are sorted a hundred times as fast, in the same order
            words = np.zeros((len(packed), WORD), np.uint8)
            words[:, : packed.shape[1]] = packed
            found, which = np.unique(words.view(">u8")[:, 0].astype(np.uint64), return_inverse=True)
            packed = found.astype(">u8")[:, None].view(np.uint8)
        else:
            packed, which = np.unique(packed, axis=0, return_inverse=True)
        patterns = np.unpackbits(packed, axis=1, count=count).astype(float)
        return patterns, np.bincount(which.ravel(), weight)

    def can_have(self, pattern: np.ndarray) -> bool:
        """Whether a unit of this layer can have the pattern; True where what the layer sees is not fixed."""
        if self.x is None or not pattern.any():
            return True
        key = pattern.tobytes()
        if key not in self.possible:  # clusterings of many sizes have the same centroids
            self.possible[key] = bool(is_realisable(self.x, pattern))
        return self.possible[key]


def cluster_gates(
    runs: Trajectory | Sequence[Trajectory],
    task: Task,
    modules: int,
    *,
    finder: str = "contribution",
    threshold: float = THRESHOLD,
    layer: int = 0,
    seed: int = 0,
) -> Modules:
    """Group the units of trained ReLU networks into modules by when they are on, through training and over runs.

    The binary activity of every unit at every observation of every run is one row, and k-means groups the rows; a
    centroid above ½ is on. ``"kmeans"`` counts all rows alike (Algorithm 1). ``"contribution"`` weighs a row by
    |w_out|·|activity|, the contribution of the unit to the output, so that dead units and units that have not begun to
    learn do not count. A unit is off where its activity is below ``threshold`` of its largest. If a thresholded
    centroid is no pattern that a ReLU unit can have (``is_realisable``), the nearest pattern that a unit did have takes
    its place. Clusters whose patterns turn out equal are one module.

    Args:
        runs: trajectories of ReLU networks that observed ``weights``: one (with seeds or without), or several.
        task: what they learned.
        modules: number of clusters.
        finder: ``"contribution"`` or ``"kmeans"``.
        threshold: share of its largest activity up to which ``"contribution"`` takes a unit for off; ≥ 0.
        layer: which hidden layer, from 0.
        seed: the seed of the random starts of k-means.

    Returns:
        The modules, those on at most data points first.

    Raises:
        ValueError: an argument that is not allowed; networks in which no unit is active.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(0.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-5))
        >>> times = np.linspace(0, 60, 16)
        >>> run = fs.evolve(network, task, times, method=fs.Train(rate=0.4), seeds=3, observe=("weights",))
        >>> fs.relu.cluster_gates(run, task, 4, threshold=0.1).gates.astype(int).tolist()
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

    Source: jarvis2025 Algorithm 1, App. B.
    """
    modules = check.whole("modules", modules)
    check.known("finder", finder, FINDERS)
    least = 0.0 if finder == "kmeans" else share_off(threshold)
    check.whole("seed", seed, 0, MAX_SEED)
    found = group(Layer.read(read_runs(runs, task), layer, least, finder), modules, layer, seed)
    found.require_some()
    return found


def read_runs(runs: object, task: object) -> list[Replay]:
    """Every run, checked: of networks of one shape, observed at the same times."""
    given = [runs] if isinstance(runs, Trajectory) else list(check.listing("runs", runs, "trajectories"))
    if not given:
        raise ValueError("runs is empty; give at least one trajectory of an fs.ReLU network.")
    read = [Replay.read(run, task, "runs" if len(given) == 1 else f"runs[{i}]") for i, run in enumerate(given)]
    first = read[0]
    for i, other in enumerate(read):
        shapes = [[w.shape[2:] for w in r.weights] for r in (first, other)]
        if shapes[0] != shapes[1] or not np.array_equal(first.run.times, other.run.times):
            raise ValueError(
                f"runs[{i}] has layers {shapes[1]} and {len(other.run.times)} times, runs[0] layers {shapes[0]} and "
                f"{len(first.run.times)} times; all runs need the same network and the same times."
            )
    return read


def group(layer: Layer, modules: int, number: int, seed: int) -> Modules:
    """Cluster the patterns of a layer and measure each module."""
    need("sklearn", "explain")
    from sklearn.cluster import KMeans

    finder, (patterns, weight) = layer.finder, layer.distinct
    with few_threads():
        clusters = KMeans(min(modules, len(patterns)), n_init=cast(Any, STARTS), random_state=seed)
        found = clusters.fit(patterns, sample_weight=weight)
    centroids: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}
    for label, centroid in enumerate(found.cluster_centers_):
        pattern = centroid > 0.5
        if finder == "contribution" and not layer.can_have(pattern):
            members = patterns[found.labels_ == label]
            pattern = members[np.argmin(np.linalg.norm(members - centroid, axis=1))] > 0
        if pattern.any():
            centroids.setdefault(pattern.tobytes(), (pattern, centroid))
    gates = np.array([pattern for pattern, _ in centroids.values()], bool).reshape(-1, patterns.shape[1])
    means = np.array([mean for _, mean in centroids.values()]).reshape(gates.shape)
    order = np.lexsort((*(~gates).T[::-1], -gates.sum(axis=1)))
    return Modules(finder, number, _measure(layer, gates[order], means[order]))


def _measure(layer: Layer, gates: np.ndarray, means: np.ndarray) -> tuple[Module, ...]:
    """Units, contribution and time of each module, by the pattern nearest to a unit's at each observation."""
    if not len(gates):
        return ()
    signs = 2.0 * gates - 1.0
    nearest = np.argmax((2.0 * layer.gates - 1.0) @ signs.T, axis=-1)
    alive = layer.contribution > 0
    found = []
    for i, (pattern, mean) in enumerate(zip(gates, means, strict=True)):
        own = nearest == i
        course = np.where(own, layer.contribution, 0.0).sum(axis=2).mean(axis=0)
        units = float((own & alive)[:, -1].sum(axis=1).mean())
        share = float(course[-1] / layer.contribution[:, -1].sum(axis=1).mean())
        active = float(layer.times[np.argmax(course >= course.max() / 2)]) if course.any() else np.inf
        found.append(Module(pattern, mean, units, share, active))
    return tuple(found)
