"""Stationary points of a deep linear network: one set for each choice of modes that it has learned."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from festina.checks import check
from festina.checks.shapes import Map, Modes
from festina.core import AssumptionError, Layered
from festina.core.statistics import DEGENERATE, Statistics
from festina.core.task import Task, check_task
from festina.linear._bias import centred_data
from festina.linear._modes import commuting, loss_of
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
