"""ReLU networks whose gates never change: linear networks on the data points that each unit sees."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.core.network import Network, read_off
from festina.initial import Weights
from festina.linear import DeepLinear

if TYPE_CHECKING:
    from festina.relu._network import ReLU


ROUNDING = 1e-12
"""Activity that is 0 up to rounding, relative to ‖w‖‖x‖; a unit is off there."""

SETTLED = 1e-14
"""Share of the initial loss within which a loss has come to its end."""

INTERVALS = 64
"""Intervals of time with which the proof that gates stay begins; each is halved where it is too long to prove it."""

MOST_INTERVALS = 2048
"""Largest number of intervals considered at once; gates not proved constant with these count as changing."""


@dataclass(frozen=True, eq=False)
class Group:
    """Units with equal gates: a linear network of its own on the points where they are on.

    Attributes:
        units: numbers of the units.
        network, task, start: the linear network, what it learns, and where it starts.
        pace: points that it sees over all points; its own time is the time times this.
        theory: the closed form of the linear network; None if none applies.
        excluded: the assumption that excluded the first closed form; None if one applies.
        x: all data points, and ``seen`` those of them that the units are on at.
    """

    units: np.ndarray
    network: DeepLinear
    task: Task
    start: Start
    pace: float
    theory: Theory | None
    excluded: Assumption | None
    x: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, units: np.ndarray, seen: np.ndarray, weights: Sequence[np.ndarray], task: Task) -> Group:
        """Those units, on at the points ``seen``, with the first closed form that applies to them."""
        part = Task(task.x[seen], task.y[seen])
        network = DeepLinear((len(units),), initial=Weights([weights[0][units], weights[1][:, units]]))
        start = Start(network, part)
        theory, failing = closed_form(network, part, start)
        excluded = failing[0] if failing else None
        return cls(units, network, part, start, float(seen.mean()), theory, excluded, task.x, seen)

    def solve(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Loss (as a part of the whole network's) and both layers at each time."""
        assert self.theory is not None
        found = self.theory.solve(self.network, self.task, self.start, times * self.pace).observables
        return self.pace * found["loss"](), *found["weights"]()

    @cached_property
    def horizon(self) -> np.ndarray:
        """Times from 0 to where the loss has come to its end: 0, then in geometric steps."""
        last = 1.0
        first, end = (self.solve(np.array([time]))[0][0] for time in (0.0, np.inf))
        while self.solve(np.array([last]))[0][0] - end > SETTLED * first and last < 1 / np.finfo(float).eps:
            last *= 2
        return np.append(0.0, last * np.geomspace(1e-3, 1.0, INTERVALS))

    @cached_property
    def changes(self) -> int:
        """How many gates change at some time, or cannot be shown to stay.

        Along gradient flow dL/dt = −‖dW/dt‖², so that from t to t' no weights move farther than √((t' − t)(L − L')). A
        unit moves within the span of the points that it sees. Its gate at x stays within the interval if |h| at one of
        its ends exceeds that distance times the length of x in this span.
        """
        _, s, basis = np.linalg.svd(self.task.x, full_matrices=False)
        basis = basis[s > ROUNDING * s.max(initial=0.0)]
        reach = np.linalg.norm(self.x @ basis.T, axis=1)
        reach[reach <= ROUNDING * np.linalg.norm(self.x, axis=1)] = 0.0
        changed = np.zeros((len(self.units), len(self.x)), bool)
        intervals = np.stack([self.horizon[:-1], self.horizon[1:]], axis=1)
        changed |= self._signed(self.solve(np.array([np.inf]))[1])[0]
        while not changed.any():
            loss, first, _ = self.solve(intervals.ravel())
            changed |= self._signed(first).any(axis=0)
            loss, activity = loss.reshape(-1, 2), np.abs(first @ self.x.T).reshape(-1, 2, *changed.shape)
            fallen = np.maximum(loss[:, 0] - loss[:, 1], 0.0) + np.finfo(float).eps * loss[:, 0]
            moved = np.sqrt((intervals[:, 1] - intervals[:, 0]) * fallen)
            open_ = (activity.max(axis=1) <= moved[:, None, None] * reach) & (reach > 0) & ~changed
            undecided = open_.any(axis=(1, 2))
            if not undecided.any() or 2 * undecided.sum() > MOST_INTERVALS:
                return int((changed | open_.any(axis=0)).sum())
            intervals = intervals[undecided]
            middle = intervals.mean(axis=1)
            intervals = np.concatenate(
                [np.stack([intervals[:, 0], middle], axis=1), np.stack([middle, intervals[:, 1]], axis=1)]
            )
        return int(changed.sum())

    @cached_property
    def undecided(self) -> np.ndarray:
        """(units, points): where on and off differ by rounding alone.

        An activity that is a sum of zeros is 0 in any order of summation. It stays 0 if the unit moves within points
        that share no feature with this one. Any other activity of 0 may come out as 1e-17 at some step.
        """
        weights = self.start.weights[0]
        size = np.linalg.norm(weights, axis=1)[:, None] * np.linalg.norm(self.x, axis=1)
        used = (weights != 0) | (self.task.x != 0).any(axis=0)
        shared = (used.astype(float) @ (self.x != 0).T.astype(float)) > 0
        return (np.abs(weights @ self.x.T) <= ROUNDING * size) & shared

    def _signed(self, first: np.ndarray) -> np.ndarray:
        """(times, units, points): where a gate is not what it was at the start."""
        return gates(first, self.x) != self.seen


def closed_form(network: DeepLinear, task: Task, start: Start) -> tuple[Theory | None, list[Assumption]]:
    """The first closed form of a linear network that applies; if there is none, what excluded each of them."""
    failing = []
    for theory in (theory for theory in network.theories if theory.exact):
        failed = [a for a in theory.measured(network, task, start) if not a.holds]
        if not failed:
            return theory, []
        failing.append(failed[0])
    return None, failing


def plain(layers: int, biased: bool) -> tuple[Assumption, Assumption]:
    """One hidden layer, and no biases."""
    one, none = "the network has one hidden layer", "the network has no biases"
    return (
        Assumption("one hidden layer", one, float(layers), 1.0, quantity="hidden layers", needed=True),
        Assumption("bias", none, float(biased), 0.0, otherwise="the network has biases", needed=True),
    )


def gates(first: np.ndarray, x: np.ndarray) -> np.ndarray:
    """(…, units, points): where units are on, by their input weights (…, units, inputs)."""
    size = np.linalg.norm(first, axis=-1)[..., None] * np.linalg.norm(x, axis=1)
    return first @ x.T > ROUNDING * size


def opened(groups: Sequence[Group], task: Task) -> int:
    """How many gates that only rounding holds shut would open.

    A unit w that is on at x is driven by dw/dt = (aᵀr) x/N, however small its activity. Where aᵀr > 0 the slightest
    activity grows and the point is learned; where aᵀr ≤ 0 the gate closes again.
    """
    if not any(group.undecided.any() for group in groups):
        return 0
    times = np.unique(np.concatenate([*(group.horizon for group in groups), [np.inf]]))
    outputs, seconds = np.zeros((len(times), *task.y.shape)), []
    for group in groups:
        _, first, second = group.solve(times)
        seconds.append(second)
        outputs[:, group.seen] += group.task.x @ np.swapaxes(second @ first, 1, 2)
    left = task.y - outputs
    found = 0
    for group, second in zip(groups, seconds, strict=True):
        drive = np.einsum("tou,tno->tun", second, left)
        size = np.linalg.norm(second, axis=1)[:, :, None] * np.linalg.norm(task.y, axis=1)
        found += int((group.undecided & (drive > ROUNDING * size).any(axis=0)).sum())
    return found


def divide(network: Network, task: Task, start: Start) -> list[Group]:
    """Units by their gates, those that are off everywhere left out: they never move."""
    weights = [np.asarray(w, float) for w in start.weights]
    patterns, which = np.unique(gates(weights[0], task.x), axis=0, return_inverse=True)
    return [
        Group.of(np.flatnonzero(which.ravel() == k), pattern, weights, task)
        for k, pattern in enumerate(patterns)
        if pattern.any()
    ]


@dataclass(frozen=True, repr=False)
class FixedGates(Theory):
    """A ReLU layer whose gates provably never change: a linear network for each gating pattern, in closed form.

    Units with equal gates g see the data points with g = 1 and no others. If the patterns of different groups share no
    data point, each group is a separate linear network. Its closed form gives the weights at all times, and these show
    that no gate ever changes. The check is a proof: see ``Group.changes``.

    Holds if there is one hidden layer without biases, patterns do not overlap, each group's linear network has a
    closed form (``fs.DeepLinear``), and no gate changes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.extended_xor(0.5)
        >>> each = fs.initial.Weights([1e-3 * task.x, 2e-3 * task.y.T])  # one unit for each data point
        >>> network, times = fs.ReLU((4,), initial=each), np.linspace(0, 30, 7)
        >>> exact = fs.evolve(network, task, times, method=fs.Exact())
        >>> flow = fs.evolve(network, task, times, method=fs.Flow())
        >>> bool(np.abs(exact.loss - flow.loss).max() < 1e-6), exact.notes["patterns"]
        (True, 4)

    Source: jarvis2025 section 3; saxe_lecture ("exact for ReLU networks if gates match").
    """

    name: ClassVar[str] = "fixed gates"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("jarvis2025", "saxe_lecture")

    def assumptions(self, network: ReLU, task: Task, start: Start) -> tuple[Assumption, ...]:
        """One hidden layer, no bias, patterns that do not overlap, a closed form for each, gates that stay."""
        found = list(plain(len(network.hidden), network.bias))
        if not all(a.holds for a in found):
            return tuple(found)
        groups = self._groups(network, task, start)
        shared = int(np.sum([group.seen for group in groups], axis=0).max(initial=0)) if groups else 0
        found.append(
            Assumption(
                "overlap", "each data point belongs to one gating pattern", float(shared), 1.0,
                otherwise=f"{shared} gating patterns share a data point (at most 1 is allowed)",
            )
        )  # fmt: skip
        excluded = sorted((group.excluded for group in groups if group.excluded), key=lambda a: a.measured)
        found += {a.name: replace(a, needed=True) for a in excluded}.values()  # the worst of each name
        if all(a.holds for a in found):
            with warnings.catch_warnings():  # warnings of a saddle beyond the times that are asked for
                warnings.filterwarnings("ignore", ".*modes cannot grow")
                changes = opened(groups, task) or sum(group.changes for group in groups)
            found.append(Assumption("gates", "no gate ever changes", float(changes), 0.0, quantity="changes"))
        return tuple(found)

    def _groups(self, network: Network, task: Task, start: Start) -> list[Group]:
        return start.recall("groups with equal gates", lambda: divide(network, task, start))

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """Both layers at the times; every observable of the network is read off them."""
        first, second = (np.tile(np.asarray(w, float), (len(times), 1, 1)) for w in start.weights)
        groups = self._groups(network, task, start)
        for group in groups:
            _, first[:, group.units], second[:, :, group.units] = group.solve(np.asarray(times, float))
        path = list(zip(first, second, strict=True))
        notes = {"patterns": len(groups), "theories": sorted({g.theory.name for g in groups if g.theory})}
        return Solution(read_off(network, task, lambda: path), notes=notes, path=lambda: path)
