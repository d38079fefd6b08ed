"""Closed forms of deep linear networks whose modes are decoupled: of any depth, and of infinitely many layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Layered, Network, Solution, Start, Task, Theory
from festina.initial import Aligned
from festina.linear._modes import agreeing, centred, commuting, decoupled, extend, observe
from festina.linear._riccati import NOISE, warn_stuck
from festina.modes import mode
from festina.modes.chain import EXACT_BOUND, Chain, decouple


def find_chain(network: Layered, task: Task, start: Start) -> Chain:
    """The start as chains: as the aligned rule defines it, or measured on the weights."""
    if start.drawn and isinstance(network.initial, Aligned):
        return start.recall("chain", lambda: _ruled_chain(network, network.initial, task, start.seed))
    return measured_chain(network, task, start)


def _ruled_chain(network: Layered, rule: Aligned, task: Task, seed: int) -> Chain:
    """Straight from the rule: going through the weights would lose the digits of a mode far below the others."""
    directions, depth = rule.directions(network.shapes(task), task, np.random.default_rng(seed)), int(network.layers)
    return Chain(directions, np.broadcast_to(rule.strengths(task) ** (1 / depth), (depth, task.statistics.rank)))


def measured_chain(network: Layered, task: Task, start: Start) -> Chain:
    """The weights as chains along the task's modes, measured once."""
    weights, modes = network.without_bias(start.weights), task.statistics
    return start.recall("measured chain", lambda: decouple(weights, modes.left, modes.right))


@dataclass(frozen=True, repr=False)
class DecoupledModes(Theory):
    """Every mode alone, exactly: du/dt = D u^{2−2/D}(s − d u) for balanced layers, and two layers of any balance.

    Holds where Σyx and Σx share their input singular vectors and the initial weights are aligned with the modes.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> theory, task = DecoupledModes(), fs.tasks.hierarchy(levels=2)
        >>> all(a.holds for a in theory.assumptions(network, task, Start(network, task)))
        True

    Source: saxe2014 eqs. (4)-(9); saxe2019 eq. (S8).
    """

    name: ClassVar[str] = "decoupled modes"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "saxe2019")

    def suits(self, network: Network) -> bool:
        """Linear layers, finitely many."""
        return isinstance(network, Layered) and not network.forward.rectifies and network.layers < math.inf

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Commuting correlations, aligned weights and, from three layers on, balanced ones that grow."""
        chain = find_chain(network, task, start)
        found = [commuting(task.statistics, EXACT_BOUND), *decoupled(chain, EXACT_BOUND, balanced=chain.depth > 2)]
        if chain.depth > 2:
            worst = float(-chain.strengths.min(initial=0.0))
            found.append(
                Assumption("sign", "every mode starts with strength >= 0", worst, 0.0, quantity="largest negative one")
            )
        return (*found, agreeing(task), *centred(network, task, start))

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """Layers and strengths of every mode at the times."""
        return solve_chain(network, task, start, times, times[:, None])


def solve_chain(network: Layered, task: Task, start: Start, times: Times, clock: np.ndarray) -> Solution:
    """The decoupled solution with times per mode, (times, 1 or modes)."""
    statistics, chain = task.statistics, find_chain(network, task, start)
    s, d = statistics.strengths, statistics.curvatures
    if chain.depth == 2:
        first, second = chain.layers
        # a growing part that is rounding error of the layers is zero: a mode on its saddle stays there
        up = np.where(np.abs(first + second) > NOISE * (np.abs(first) + np.abs(second)), first + second, 0.0)
        warn_stuck(s[(up == 0) & (first != 0) & (s > 0)], times)
        growing, decaying = (up / 2) ** 2, ((first - second) / 2) ** 2
        rho, kappa = mode.grow(clock, s, d, growing, decaying)
        # p + q and p − q keep their signs, so the layers follow from the square roots
        half, rest = np.sign(up) * np.sqrt(rho), np.sign(first - second) * np.sqrt(kappa)
        layers = np.stack([half + rest, half - rest], axis=1)
        strengths = rho - kappa
    else:
        strengths = mode.strength(clock, s, d, chain.strengths, chain.depth)
        layer = strengths ** (1 / chain.depth)
        layers = np.sign(chain.layers) * layer[:, None, :]
    return extend(observe(strengths, task, chain, layers), network, task, start, len(times))


@dataclass(frozen=True, repr=False)
class OneLayer(Theory):
    """One layer, any correlations, any start: every direction of the inputs relaxes exponentially; nothing is assumed.

    Source: saxe2014 (shallow networks); saxe_lecture (D = 1, with e^{−dt}).

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(initial=fs.initial.Gaussian(0.1))
        >>> fs.evolve(network, fs.tasks.hierarchy(levels=2), None).notes["theory"]
        'one layer'
    """

    name: ClassVar[str] = "one layer"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("saxe2014",)

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """None."""
        return ()

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """The map at the times, from the singular vectors of the inputs: their squares would lose weak directions."""
        return solve_layer(network, task, start, times, lambda d: -np.expm1(-d * times[:, None]))


def solve_layer(
    network: Layered, task: Task, start: Start, times: Times, gone: Callable[[np.ndarray], np.ndarray]
) -> Solution:
    """One layer of which ``gone(d)``, (times, directions), of the distance to the end has been covered."""
    x, statistics = network.inputs(task), task.statistics
    a, sigma, bt = np.linalg.svd(x, full_matrices=False)
    moving = sigma > np.finfo(float).eps * max(x.shape) * sigma.max(initial=0.0)
    basis, d = bt[moving].T, sigma[moving] ** 2 / statistics.count
    begin, end = start.weights[0] @ basis, (task.y.T @ a[:, moving]) / sigma[moving]
    still = start.weights[0] - begin @ basis.T  # the part that acts on inputs that never occur
    share = gone(d)[:, None, :]
    layers = still + (begin * (1 - share) + end * share) @ basis.T
    maps = layers[..., :-1] if network.bias else layers
    left = (begin - end) * (1 - share)
    target = task.y - a[:, moving] @ (a[:, moving].T @ task.y)
    floor = 0.5 * float(np.sum(target**2)) / statistics.count
    found = {
        "loss": lambda: floor + 0.5 * np.sum(left**2 * d, axis=(1, 2)),
        "strengths": lambda: np.einsum("om,toi,im->tm", statistics.left, maps, statistics.right),
        "map": lambda: maps,
        "outputs": lambda: np.einsum("toi,ni->tno", layers, x),
        "weights": lambda: (layers,),
        "hidden": tuple,
    }
    return extend(found, network, task, start, len(times))


@dataclass(frozen=True, repr=False)
class InfiniteDepth(Theory):
    """Infinitely many layers from an aligned start, in the time T = depth × flow time.

    u = (s/d)/(1 + W0[z0 e^{z0 − (s²/d)T}]), z0 = s/(d u0) − 1.

    Source: saxe2014 eq. (9); saxe_lecture ("D ≥ 3", which is the limit D → ∞).

    Example:
        >>> import math, festina as fs
        >>> network = fs.DeepLinear(depth=math.inf, initial=fs.initial.Aligned(0.1))
        >>> fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.0]).unit
        'depth × flow time'
    """

    name: ClassVar[str] = "infinite depth"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "saxe_lecture")

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Commuting correlations."""
        return commuting(task.statistics, EXACT_BOUND), agreeing(task)

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """Strengths at the times."""
        if not isinstance(network.initial, Aligned):
            raise ValueError(
                f"initial is {network.initial!r} at infinite depth; only fs.initial.Aligned(strength) is defined there."
            )
        statistics = task.statistics
        first = network.initial.strengths(task)
        strengths = mode.strength(times[:, None], statistics.strengths, statistics.curvatures, first, math.inf)
        return Solution(observe(strengths, task), unit="depth × flow time")
