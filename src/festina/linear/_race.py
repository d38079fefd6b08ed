"""The race reduction of a deep linear network: each mode alone, from the actual initial weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina._assumption import Assumption
from festina._network import Solution
from festina._task import Task
from festina._types import Times
from festina.linear import _mode
from festina.linear._chain import EXACT_BOUND, Chain, decouple
from festina.linear._modes import commuting, observe

if TYPE_CHECKING:
    from festina.linear._network import DeepLinear

TOLERANCE = 1e-10
"""Relative tolerance of the reduced equations where they have no closed form."""


def solve(network: DeepLinear, task: Task, times: Times, seed: int) -> Solution:
    """Strengths of all modes, each as if it were alone; what that leaves out is measured and reported."""
    statistics = task.statistics
    weights = network.start(task, seed)
    chain = decouple(weights, statistics)
    s, d = statistics.strengths, statistics.curvatures
    if chain.depth == 1:
        strengths = _mode.strength(times[:, None], s, d, chain.strengths, 1)
    elif chain.depth == 2:
        strengths = np.subtract(*_mode.grow(times[:, None], s, d, *growing(weights, task)))
    else:
        strengths = _integrate(chain, s, d, times)
    width = min(network.hidden, default=statistics.rank)
    # a narrow layer cannot carry every mode: the strongest win the race (jarvis2025 App. A.1)
    strengths = np.where(np.arange(statistics.rank) < width, strengths, 0.0)
    assumptions = (
        commuting(statistics, EXACT_BOUND),
        *chain.assumptions(EXACT_BOUND, balanced=False),
        Assumption("width", "hidden layers are as wide as the task has modes (missing units)",
                   float(max(statistics.rank - width, 0)), 0.0),
    )  # fmt: skip
    return Solution(observe(strengths, task), assumptions, ("saxe2014", "saxe2019", "saxe2022"))


def growing(weights: tuple[np.ndarray, ...], task: Task) -> tuple[np.ndarray, np.ndarray]:
    """ρ(0) = ‖½(W1 v + W2ᵀu)‖² and κ(0) = ‖½(W1 v − W2ᵀu)‖² of every mode of a two-layer network.

    ρ(0) is the initial strength that matters: for entries of variance σ² its mean is Hσ²/2.

    Example:
        >>> import festina as fs
        >>> network, task = fs.DeepLinear((100,), initial=fs.initial.Gaussian(0.1)), fs.tasks.items(4)
        >>> grows, decays = fs.linear.growing(network.start(task, seed=0), task)
        >>> grows.round(2)
        array([0.56, 0.5 , 0.56, 0.35])

    Source: saxe2019 (initial strength from random weights).
    """
    first, second = weights
    p, q = first @ task.statistics.right, second.T @ task.statistics.left
    return np.sum(((p + q) / 2) ** 2, axis=0), np.sum(((p - q) / 2) ** 2, axis=0)


def _integrate(chain: Chain, s: np.ndarray, d: np.ndarray, times: Times) -> np.ndarray:
    """db_l/dt = Π_{m≠l} b_m (s − d Π b): chains of any depth and balance, by SciPy."""
    depth, modes = chain.layers.shape
    if modes == 0:
        return np.zeros((len(times), 0))
    if np.all(np.isinf(times)):
        # a mode that is not growing meets zero in its weakest layer: alone that layer goes through, two stay there
        weakest = np.sort(np.abs(chain.layers), axis=0)
        stuck = (chain.strengths <= 0) & np.isclose(weakest[0], weakest[1], rtol=EXACT_BOUND, atol=0.0)
        return np.where(stuck, 0.0, s / d)[None].repeat(len(times), 0)

    def field(_: float, state: np.ndarray) -> np.ndarray:
        b = state.reshape(depth, modes)
        before = np.cumprod(np.vstack([np.ones(modes), b[:-1]]), axis=0)
        after = np.cumprod(np.vstack([np.ones(modes), b[:0:-1]]), axis=0)[::-1]
        return (before * after * (s - d * before[-1] * b[-1])).ravel()

    size = np.abs(chain.layers).max()
    if size == 0 or times[-1] == 0:  # layers that are all zero stay so; no time, no change
        return np.repeat(chain.strengths[None], len(times), axis=0)
    span = (0.0, float(times[-1]))
    found = scipy.integrate.solve_ivp(
        field, span, chain.layers.ravel(), "LSODA", times, rtol=TOLERANCE, atol=TOLERANCE * size * 1e-3
    )
    if not found.success:
        raise RuntimeError(f"LSODA stopped before t={times[-1]:g}: {found.message} Use method=fs.Flow().")
    return np.prod(found.y.T.reshape(-1, depth, modes), axis=1)
