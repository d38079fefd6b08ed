"""Starts nearby: how far from the own start they lead, and whether a tie decides what is learned."""

from collections.abc import Sequence

import numpy as np

from festina.checks.shapes import Losses, Times
from festina.core.assumption import Assumption

APART = 0.05
"""Mean difference of outputs over time, relative to the targets, above which starts nearby learn something else."""


def both_sides(away: float, *weights: np.ndarray) -> list[list[np.ndarray]]:
    """Weights of two starts on opposite sides of the own ones, so that a tie lies between them."""
    draw = np.random.default_rng(0).standard_normal
    moved = [(w, away * w * draw(w.shape)) for w in weights]
    return [[w + side * by for w, by in moved] for side in (1, -1)]


def farthest(loss: Losses, others: Sequence[Losses]) -> np.ndarray:
    """Difference from that of the other losses which is farthest away, at each time."""
    errors = loss - np.array(others)
    return np.take_along_axis(errors, np.abs(errors).argmax(axis=0)[None], axis=0)[0]


def no_tie(
    outputs: np.ndarray, others: Sequence[np.ndarray], targets: np.ndarray, times: Times, away: float
) -> Assumption:
    """Whether starts nearby learn the same outputs (times, points, outputs), which they do not where a tie decides."""
    size = np.sqrt((targets**2).mean()) or 1.0
    apart = [np.sqrt(((other - outputs) ** 2).mean(axis=(1, 2))) for other in others]
    measured = float(max(np.trapezoid(a, times) for a in apart) / (np.ptp(times) or 1.0) / size)
    statement = f"no tie decides which unit comes first: starts that differ by {away:g} learn the same outputs"
    return Assumption("no tie", statement, measured, APART, quantity="mean difference relative to the targets")
