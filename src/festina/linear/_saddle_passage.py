"""Which stationary points a trajectory passes, and how near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core import Layered, Statistics
from festina.linear._critical_point import StationaryPoint, decoupled, groups, stationary_points


@dataclass(frozen=True)
class SaddlePassage:
    """A stay in the neighbourhood of a stationary point: the times at which no other one was nearer.

    Attributes:
        point: the stationary point.
        enter, leave: when it became the nearest and when it ceased to be; first and last time of the trajectory at
            its ends.
        closest: the smallest distance during the stay.
        at: the observed time of it.
        loss: the trajectory's loss then; nan where it was not observed.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-6))
        >>> path = fs.evolve(network, task, np.linspace(0, 80, 801), observe=("strengths",))
        >>> for passage in path.saddle_passages()[:2]:
        ...     print(f"{passage.name} from {passage.enter:.1f} to {passage.leave:.1f}")
        ∅ from 0.0 to 11.2
        {1} from 11.2 to 16.6
    """

    point: StationaryPoint
    enter: float
    leave: float
    closest: float
    at: float
    loss: float = field(default=np.nan)

    @property
    def name(self) -> str:
        """The point's modes, as ``StationaryPoint.name``."""
        return self.point.name

    @property
    def dwell(self) -> float:
        """Duration of the stay."""
        return self.leave - self.enter

    @property
    def approach(self) -> float:
        """``closest`` as a share of the distance to the nearest other stationary set.

        0: it went through the point; ½: it passed half-way between two; there is no plateau to see from there.
        """
        return self.closest / self.point.gap


@dataclass(frozen=True, eq=False)
class _Spread:
    """A trajectory in the coordinates in which stationary points are corners of a box.

    Leading axes are those of the trajectory. ``overlaps[g]`` are, per group of equal modes, the eigenvalues (largest
    first) of the symmetric part of U_gᵀ W V_g √d_g. ``size`` is Tr W Σx Wᵀ, with biases on centred data + ‖ŷ(0)‖².
    """

    overlaps: list[np.ndarray]
    sigma: np.ndarray
    size: np.ndarray

    def squared(self, counts: Sequence[int] | np.ndarray) -> np.ndarray:
        """Squared distance to the set that holds ``counts[g]`` modes of each group (Ky Fan's maximum principle)."""
        pairs = zip(self.overlaps, self.sigma, counts, strict=True)
        gain = sum((2 * s * e[..., :k].sum(-1) - k * s**2 for e, s, k in pairs), np.zeros_like(self.size))
        return np.maximum(self.size - gain, 0.0)

    def nearest(self, width: int) -> np.ndarray:
        """``counts`` of the nearest set at each time: a mode belongs to it when it is more than half learned."""
        gains = [2 * s * e - s**2 for e, s in zip(self.overlaps, self.sigma, strict=True)]
        if not gains:
            return np.zeros((*self.size.shape, 0), int)
        flat = np.concatenate(gains, axis=-1)
        owner = np.repeat(np.arange(len(gains)), [g.shape[-1] for g in gains])
        rank = np.argsort(np.argsort(-flat, axis=-1, kind="stable"), axis=-1)
        taken = (flat > 0) & (rank < width)
        return np.stack([taken[..., owner == g].sum(-1) for g in range(len(gains))], axis=-1)


def _spread(trajectory: Trajectory, statistics: Statistics, bias: bool) -> _Spread:
    u, v, root = statistics.left, statistics.right, np.sqrt(statistics.curvatures)
    found = groups(statistics)
    sigma = np.array([statistics.strengths[g[0]] / root[g[0]] for g in found])
    for name in ("map", "strengths"):
        if not np.all(np.isfinite(trajectory.values.get(name, 0.0))):
            raise ValueError(
                f"trajectory holds values of {name!r} that are not finite: training has diverged; use a smaller rate."
            )
    if "map" in trajectory.values:
        maps = np.asarray(trajectory["map"], dtype=float)
        size = np.einsum("...oi,ij,...oj->...", maps, statistics.input_correlation, maps)
        blocks = [np.swapaxes(u[:, g], 0, 1) @ maps @ v[:, g] * root[g] for g in found]
        overlaps = [np.linalg.eigvalsh((b + np.swapaxes(b, -1, -2)) / 2)[..., ::-1] for b in blocks]
    elif "strengths" in trajectory.values:
        strengths = np.asarray(trajectory.strengths, dtype=float) * root
        size = np.sum(strengths**2, axis=-1)
        overlaps = [np.sort(strengths[..., g], axis=-1)[..., ::-1] for g in found]
    else:
        raise ValueError(
            f"trajectory has {', '.join(trajectory.values)}; observe 'map' (or 'strengths', which leaves out what lies "
            "between the modes) to measure distances to stationary points."
        )
    return _Spread(overlaps, sigma, size + np.sum(_offset(trajectory) ** 2, axis=-1) if bias else size)


def _offset(trajectory: Trajectory) -> np.ndarray:
    """Output from biases alone, ŷ(0): on centred data the mean output."""
    if "offset" in trajectory.values:
        return np.asarray(trajectory["offset"], dtype=float)
    if "outputs" in trajectory.values:
        return np.asarray(trajectory.outputs, dtype=float).mean(axis=-2)
    raise ValueError(
        f"trajectory has {', '.join(trajectory.values)}, and its network has bias=True; observe 'outputs' as well, in "
        "which the biases show, to measure distances to stationary points."
    )


def distances(network: Layered, trajectory: Trajectory, points: Sequence[StationaryPoint] | None = None) -> np.ndarray:
    """Distance of a trajectory to each stationary set over time: root mean squared difference of the outputs."""
    check.instance("trajectory", trajectory, Trajectory, "a trajectory, as fs.evolve(...) gives it,")
    points = stationary_points(network, learned_task(trajectory)) if points is None else points
    points = check.listing("points", points, "stationary points")
    for point in points:
        check.instance("points", point, StationaryPoint, "a list that network.stationary_points(task) gives")
    if not points:
        raise ValueError("points is empty; give those of network.stationary_points(task), or None for all.")
    if network.bias:
        decoupled(network, learned_task(trajectory))
    spread = _spread(trajectory, points[0].statistics, network.bias)
    found = groups(points[0].statistics)
    counts = [[len(set(group) & set(point.modes)) for group in found] for point in points]
    return np.sqrt(np.stack([spread.squared(c) for c in counts], axis=-1))


def saddle_passages(network: Layered, trajectory: Trajectory) -> list[Any]:
    """The stationary points that a trajectory passes, in order: at each time the nearest one."""
    task = learned_task(trajectory)
    network, statistics = decoupled(network, task)
    spread = _spread(trajectory, statistics, network.bias)
    losses = trajectory.values.get("loss", np.full(spread.size.shape, np.nan))
    if trajectory.seeds is None:
        return _passages(trajectory.times, spread, np.asarray(losses), network, statistics)
    return [
        _passages(
            trajectory.times,
            _Spread([e[k] for e in spread.overlaps], spread.sigma, spread.size[k]),
            losses[k], network, statistics,
        )
        for k in range(len(trajectory.seeds))
    ]  # fmt: skip


def _passages(
    times: np.ndarray, spread: _Spread, losses: np.ndarray, network: Layered, statistics: Statistics
) -> list[SaddlePassage]:
    found = groups(statistics)
    if network.layers == 1:
        # a shallow network has one stationary set, which is therefore always the nearest
        counts = np.tile([len(g) for g in found], (len(times), 1))
    else:
        counts = spread.nearest(min((*network.hidden, statistics.rank)))
    cuts = np.flatnonzero(np.any(np.diff(counts, axis=0) != 0, axis=1)) + 1
    starts, ends = [0, *cuts.tolist()], [*cuts.tolist(), len(times)]
    borders = [float(times[0])]
    for cut in cuts:
        # equal distance to both, between the two samples: their squares are interpolated linearly
        before, after = (spread.squared(counts[cut - 1]) - spread.squared(counts[cut]))[[cut - 1, cut]]
        share = -before / (after - before) if after > before else 0.5
        borders.append(float(times[cut - 1] + np.clip(share, 0, 1) * (times[cut] - times[cut - 1])))
    borders.append(float(times[-1]))
    visits = []
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        near = np.sqrt(spread.squared(counts[start])[start:end])
        best = start + int(np.argmin(near))
        modes = tuple(sorted(mode for k, group in zip(counts[start], found, strict=True) for mode in group[:k]))
        point = StationaryPoint(modes, network.hidden, statistics, network.bias)
        closest = (float(near.min()), float(times[best]), float(losses[best]))
        visits.append(SaddlePassage(point, borders[i], borders[i + 1], *closest))
    return visits
