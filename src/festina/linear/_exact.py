"""Exact solutions of deep linear networks, and which of them fits a start."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from festina._assumption import Assumption, AssumptionError, require
from festina._network import Solution
from festina._task import Task
from festina._types import Times
from festina.initial import Aligned, Balanced
from festina.linear import _balanced, _mode
from festina.linear._chain import EXACT_BOUND, Chain, decouple
from festina.linear._kernel import extend
from festina.linear._modes import commuting, observe
from festina.linear._riccati import NOISE

if TYPE_CHECKING:
    from festina.linear._network import DeepLinear

INSTEAD = "Use method=fs.Race() for the reduction to modes, or method=fs.Flow() for the gradient flow itself."


def solve(network: DeepLinear, task: Task, times: Times, seed: int, rate: float | None) -> Solution:
    """Shallow networks from anywhere, deeper ones from decoupled starts, two layers from λ-balanced starts too."""
    if network.layers == math.inf:
        return _endless(network, task, times, rate)
    start = network.start(task, seed)
    if network.layers == 1:
        found = _shallow(start[0], task, times, rate)
    elif network.layers == 2 and rate is None and isinstance(network.initial, Balanced):
        try:
            found = _balanced.prepare(start, task, network.context(task), times, network.initial.lambda_)
        except AssumptionError as error:
            try:
                found = _decoupled(_chain(network, task, seed), task, times, rate)
            except AssumptionError:
                raise error from None
    else:
        try:
            found = _decoupled(_chain(network, task, seed), task, times, rate)
        except AssumptionError as error:
            if network.layers != 2 or rate is not None:
                raise
            found = _balanced.otherwise(error, start, task, network.context(task), times)
    return extend(found, network.context(task), start)


def _chain(network: DeepLinear, task: Task, seed: int) -> Chain:
    """The start as chains: as the aligned rule defines it, or measured on the weights."""
    if isinstance(network.initial, Aligned):
        # straight from the rule: going through the weights would lose the digits of a mode far below the others
        directions = network.initial.directions(network.shapes(task), task, np.random.default_rng(seed))
        depth = int(network.layers)
        layers = np.broadcast_to(network.initial.strengths(task) ** (1 / depth), (depth, task.statistics.rank))
        return Chain(directions, layers)
    return decouple(network.start(task, seed), task.statistics)


def _times(times: Times, task: Task, depth: float, rate: float | None) -> np.ndarray:
    """Times per mode: one column, or one per mode where the finite step slows modes differently."""
    columns, statistics = times[:, None], task.statistics
    if rate is None:
        return columns
    return np.asarray(_mode.finite_step(columns, statistics.strengths, statistics.curvatures, depth, rate))


def _decoupled(chain: Chain, task: Task, times: Times, rate: float | None) -> Solution:
    statistics = task.statistics
    assumptions = (
        commuting(statistics, EXACT_BOUND),
        *chain.assumptions(EXACT_BOUND, balanced=chain.depth > 2),
    )
    require(assumptions, INSTEAD)
    s, d = statistics.strengths, statistics.curvatures
    clock = _times(times, task, chain.depth, rate)
    if chain.depth == 2:
        first, second = chain.layers
        # a growing part that is rounding error of the layers is zero: a mode on its saddle stays there
        up = np.where(np.abs(first + second) > NOISE * (np.abs(first) + np.abs(second)), first + second, 0.0)
        growing, decaying = (up / 2) ** 2, ((first - second) / 2) ** 2
        rho, kappa = _mode.grow(clock, s, d, growing, decaying)
        # p + q and p − q keep their signs, so the layers follow from the square roots
        half, rest = np.sign(up) * np.sqrt(rho), np.sign(first - second) * np.sqrt(kappa)
        layers = np.stack([half + rest, half - rest], axis=1)
        strengths = rho - kappa
    else:
        start = chain.strengths
        if np.any(start < 0):
            raise AssumptionError(
                Assumption("sign", "every mode starts with strength >= 0 (largest negative one)", -start.min(), 0.0),
                INSTEAD,
            )
        strengths = _mode.strength(clock, s, d, start, chain.depth)
        layer = strengths ** (1 / chain.depth)
        layers = np.sign(chain.layers) * layer[:, None, :]
    return Solution(observe(strengths, task, chain, layers), assumptions, ("saxe2014", "saxe2019"))


def _shallow(start: np.ndarray, task: Task, times: Times, rate: float | None) -> Solution:
    """One layer, any correlations, any start: each eigendirection of Σx relaxes exponentially, none is assumed."""
    statistics = task.statistics
    eigenvalues, basis = np.linalg.eigh(statistics.input_correlation)
    noise = np.finfo(float).eps * len(eigenvalues) * max(eigenvalues.max(), 0.0)
    moving = eigenvalues > noise
    d, basis = eigenvalues[moving], basis[:, moving]
    clock = times[:, None] if rate is None else _mode.finite_step(times[:, None], d, d, 1, rate)
    begin, end = start @ basis, statistics.cross_correlation @ basis / d
    still = start - begin @ basis.T  # what acts on inputs that never occur
    gone = -np.expm1(-d * clock)[:, None, :]
    maps = still + (begin * (1 - gone) + end * gone) @ basis.T
    x, y = statistics.compressed

    def loss() -> np.ndarray:
        miss = y - np.einsum("toi,ni->tno", maps, x)
        return statistics.floor + 0.5 * np.sum(miss**2, axis=(1, 2)) / statistics.count

    found = {
        "loss": loss,
        "strengths": lambda: np.einsum("om,toi,im->tm", statistics.left, maps, statistics.right),
        "map": lambda: maps,
        "outputs": lambda: np.einsum("toi,ni->tno", maps, task.x),
        "weights": lambda: (maps,),
        "hidden": tuple,
    }
    return Solution(found, (), ("saxe2014",))


def _endless(network: DeepLinear, task: Task, times: Times, rate: float | None) -> Solution:
    """Infinitely many layers, T = depth × flow time."""
    if not isinstance(network.initial, Aligned):
        raise ValueError(
            f"initial is {network.initial!r} at infinite depth; only fs.initial.Aligned(strength) is defined there."
        )
    statistics = task.statistics
    assumptions = (commuting(statistics, EXACT_BOUND),)
    require(assumptions, "At infinite depth there is no other method: choose a task whose correlations commute.")
    if rate is not None:
        _mode.finite_step(times, statistics.strengths, statistics.curvatures, math.inf, rate)
    start = network.initial.strengths(task)
    strengths = _mode.strength(times[:, None], statistics.strengths, statistics.curvatures, start, math.inf)
    return Solution(observe(strengths, task), assumptions, ("saxe2014",), unit="depth × flow time")
