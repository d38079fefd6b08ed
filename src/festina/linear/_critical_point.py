"""Stationary points of a deep linear network: one set for each choice of modes that it has learned."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.shapes import Map, Modes
from festina.core import AssumptionError, Layered
from festina.core.statistics import DEGENERATE, Statistics
from festina.core.task import Task, check_task
from festina.linear._modes import centred_data, commuting, loss_of
from festina.modes.chain import EXACT_BOUND

LIMIT = 4096
"""Stationary sets that are listed without being asked for: all subsets of twelve modes."""


@dataclass(frozen=True, eq=False, repr=False)
class StationaryPoint:
    """Where the gradient vanishes: the modes in ``modes`` are learned, all others are zero.

    The map is W_I = Σ_{α∈I} (s_α/d_α) u_α v_αᵀ and the loss L_I = L_min + ½ Σ_{γ∉I} s_γ²/d_γ. ``weights`` is one of the
    weights that have this map, with equally strong layers b_α = (s_α/d_α)^{1/D}. There the Hessian falls into blocks,
    and its negative eigenvalues are
    - two layers, H hidden units: −s_γ, (H − |I|) times for each γ∉I: a unit that is not in use takes up mode γ;
    - any depth ≥ 2, for each α∈I, γ∉I with s_γ²/d_γ > s_α²/d_α (a profitable swap): the lower eigenvalue of
      b_α^{D−2} [[b_α^D d_γ, −s_γ], [−s_γ, b_α^D d_α]], with Σx = 1 simply (s_α − s_γ) s_α^{1−2/D}.
    From three layers on an unused unit has only zero eigenvalues: such a point may have no negative one and
    yet be no minimum (``kind`` is then "non-strict saddle").

    Biases are zero here. On centred data they only add ½‖ŷ(0)‖² to the loss, which has no negative curvature.

    Attributes:
        modes: I, counted from 0 as the columns of ``task.statistics``; ``name`` counts from 1 as the papers do.
        hidden: widths of the hidden layers.
        bias: whether layers have biases; ``weights`` then has a last column of zeros in each.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(1e-3))
        >>> saddle = network.stationary_points(fs.tasks.living_things(4))[-1]
        >>> saddle.name, saddle.kind, saddle.index
        ('∅', 'saddle', 12)

    Source: saxe_lecture "Depth introduces a hierarchy of saddle points"; saxe2019.
    """

    modes: tuple[int, ...]
    hidden: tuple[int, ...]
    statistics: Statistics = field(repr=False)
    bias: bool = False

    @property
    def name(self) -> str:
        """I as the papers write it: ∅, {1}, {1,2}, …"""
        return "{" + ",".join(str(mode + 1) for mode in self.modes) + "}" if self.modes else "∅"

    @property
    def depth(self) -> int:
        """Number of weight layers D."""
        return len(self.hidden) + 1

    @property
    def width(self) -> int:
        """The largest number of modes this network can carry."""
        return min((*self.hidden, self.statistics.rank))

    @cached_property
    def absent(self) -> tuple[int, ...]:
        """The modes that are not learned."""
        return tuple(sorted(set(range(self.statistics.rank)) - set(self.modes)))

    @cached_property
    def strengths(self) -> Modes:
        """Strength of every mode here: s_α/d_α in I, 0 elsewhere."""
        found = np.zeros(self.statistics.rank)
        found[list(self.modes)] = self.statistics.targets[list(self.modes)]
        return found

    @property
    def map(self) -> Map:
        """The end-to-end map W_I."""
        return self.statistics.left * self.strengths @ self.statistics.right.T

    @property
    def loss(self) -> float:
        """L_I, the height of the plateau around this point."""
        return float(loss_of(self.strengths[None], self.statistics)[0])

    @property
    def weights(self) -> tuple[np.ndarray, ...]:
        """Balanced weights at this point: unit k of every hidden layer carries the k-th mode of I."""
        chosen = list(self.modes)
        frames = [np.eye(width, len(chosen)) for width in self.hidden]
        frames = [self.statistics.right[:, chosen], *frames, self.statistics.left[:, chosen]]
        layer = self.statistics.targets[chosen] ** (1 / self.depth)
        layers = (after * layer @ before.T for before, after in pairwise(frames))
        return tuple(np.pad(w, ((0, 0), (0, int(self.bias)))) for w in layers)

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """The negative eigenvalues of the Hessian at ``weights``, lowest first, each as often as it occurs."""
        s, d = self.statistics.strengths, self.statistics.curvatures
        if self.depth == 1:
            return np.zeros(0)
        found = [-s[b] for b in self.absent for _ in range(self.hidden[0] - len(self.modes))] if self.depth == 2 else []
        for a in self.modes:
            for b in self.absent:
                if s[b] ** 2 / d[b] > s[a] ** 2 / d[a] * (1 + DEGENERATE):
                    found.append(_swap(s[a], d[a], s[b], d[b], self.depth))
        return np.sort(np.array(found, dtype=float))

    @property
    def index(self) -> int:
        """Number of directions in which the loss curves downward."""
        return len(self.eigenvalues)

    @property
    def rate(self) -> float:
        """Fastest escape: a small departure grows at most like e^{rate·t}; 0 where no direction curves downward."""
        return float(-self.eigenvalues[0]) if self.index else 0.0

    @property
    def kind(self) -> str:
        """``"minimum"``, ``"saddle"``, or ``"non-strict saddle"`` (lower points nearby, but no negative curvature)."""
        if self.index:
            return "saddle"
        return "non-strict saddle" if len(self.modes) < self.width else "minimum"

    @property
    def gap(self) -> float:
        """Distance to the nearest other stationary set (see ``distances``); ``inf`` if there is none."""
        sigma = self.statistics.strengths / np.sqrt(self.statistics.curvatures)
        steps = [*self.modes, *(self.absent if len(self.modes) < self.width else ())] if self.depth > 1 else []
        return float(min(sigma[steps], default=math.inf))

    def __repr__(self) -> str:
        return f"StationaryPoint({self.name}: {self.kind}, loss {self.loss:.4g}, index {self.index})"


def _swap(s_in: float, d_in: float, s_out: float, d_out: float, depth: int) -> float:
    """Lower eigenvalue of the block in which a carried mode is exchanged for an absent one.

    Written as determinant over the upper eigenvalue, so that nothing cancels where the two modes are nearly equal.
    """
    end = s_in / d_in
    determinant = end**2 * d_in * d_out - s_out**2
    trace, difference = end * (d_in + d_out), end * (d_in - d_out)
    return end ** (1 - 2 / depth) * determinant / (0.5 * (trace + math.hypot(difference, 2 * s_out)))


def groups(statistics: Statistics) -> list[list[int]]:
    """Modes that are equal in strength and curvature: any basis of their subspace is as good."""
    found: list[list[int]] = []
    for mode, (s, d) in enumerate(zip(statistics.strengths, statistics.curvatures, strict=True)):
        for group in found:
            first = group[0]
            near = abs(s - statistics.strengths[first]) <= DEGENERATE * statistics.strengths[0]
            if near and abs(d - statistics.curvatures[first]) <= DEGENERATE * statistics.curvatures.max():
                group.append(mode)
                break
        else:
            found.append([mode])
    return found


def stationary_points(
    network: Layered, task: Task, *, top: int | None = None, limit: int = LIMIT
) -> list[StationaryPoint]:
    """The stationary sets of a network on a task, lowest loss first."""
    network, statistics = decoupled(network, task)
    limit = check.whole("limit", limit)
    sizes = groups(statistics)
    if network.layers == 1:
        return [StationaryPoint(tuple(range(statistics.rank)), (), statistics, network.bias)]
    width = min((*network.hidden, statistics.rank))
    count = _count([len(g) for g in sizes], width)
    if top is None and count > limit:
        raise ValueError(
            f"the task's {statistics.rank} modes give {count} stationary sets, more than limit={limit}; give top=100 "
            "for those of lowest loss, or a higher limit. trajectory.saddle_passages() needs no list."
        )
    wanted = count if top is None else min(check.whole("top", top), count)
    walk = _lowest_first(statistics, sizes, width)
    return [StationaryPoint(next(walk), network.hidden, statistics, network.bias) for _ in range(wanted)]


def decoupled(network: Layered, task: Task) -> tuple[Layered, Statistics]:
    """Network and statistics, once they are known to have stationary points by modes."""
    check_task(task)
    task.require_squared("finding stationary points")
    if network.layers == math.inf:
        raise ValueError("network has infinite depth: there are no weights to be stationary in; give hidden widths.")
    if network.bias:
        network.require_data(task)  # correlations do not tell the mean, which a bias sees
        centre = centred_data(task)
        if not centre.holds:
            raise AssumptionError(
                [("stationary points by modes", centre)],
                "The network has bias=True, and biases learn the means of the data: give fs.Task(x - x.mean(axis=0), "
                "y - y.mean(axis=0)), or a network with bias=False.",
            )
    found = commuting(task.statistics, EXACT_BOUND)
    if not found.holds:
        raise AssumptionError(
            [("stationary points by modes", found)],
            "Where Σx and Σyx do not commute, modes are not stationary one by one: whiten the inputs of the task.",
        )
    return network, task.statistics


def _count(sizes: list[int], width: int) -> int:
    """Number of ways to take at most ``width`` modes, counting equal ones once."""
    ways = [1]
    for size in sizes:
        longer = [0] * (len(ways) + size)
        for taken in range(size + 1):
            for i, w in enumerate(ways):
                longer[i + taken] += w
        ways = longer[: width + 1]
    return sum(ways)


def _lowest_first(statistics: Statistics, sizes: list[list[int]], width: int) -> Iterator[tuple[int, ...]]:
    """Sets of modes by increasing loss, without listing those that are not asked for.

    Every set is reached from the best one by steps that give up the least of its modes or exchange one for the next
    lower. Neither step lowers the loss, so a best-first search sees the sets in order.
    """
    gain = statistics.strengths**2 / statistics.curvatures
    ranked = sorted(sizes, key=lambda group: -gain[group[0]])
    best, left = [], width
    for group in ranked:
        best.append(min(left, len(group)))
        left -= best[-1]

    def height(taken: tuple[int, ...]) -> float:
        return -math.fsum(k * gain[group[0]] for k, group in zip(taken, ranked, strict=True))

    queue = [(height(tuple(best)), tuple(best))]
    seen = {tuple(best)}
    while queue:
        _, taken = heapq.heappop(queue)
        yield tuple(sorted(mode for k, group in zip(taken, ranked, strict=True) for mode in group[:k]))
        held = [i for i, k in enumerate(taken) if k]
        moves = [(held[-1], None)] if held else []
        moves += [(i, i + 1) for i in held if i + 1 < len(ranked) and taken[i + 1] < len(ranked[i + 1])]
        for source, sink in moves:
            after = list(taken)
            after[source] -= 1
            if sink is not None:
                after[sink] += 1
            if tuple(after) not in seen:
                seen.add(tuple(after))
                heapq.heappush(queue, (height(tuple(after)), tuple(after)))


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
