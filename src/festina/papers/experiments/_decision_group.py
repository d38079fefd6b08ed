"""A group of agents over sessions, and what is correlated of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs

HALF = 0.5
"""A saddle passed at less than half of its distance to the next is passed near it."""

SIDES = ("left + constant", "right + constant")
"""Stationary points at which one side is known."""


@dataclass(frozen=True, eq=False)
class Group:
    """Agents of one network at one spread of initial bias, over sessions."""

    run: fs.Trajectory
    window: int

    @property
    def early(self) -> np.ndarray:
        """Bias in the first sessions, per agent."""
        return self.run["bias"][:, 1 : self.window + 1].mean(axis=1)

    def tilt(self, end: int | None = None) -> np.ndarray:
        """Right minus left slope in the last sessions up to ``end``, per agent."""
        return self._last(self.run["right_slope"] - self.run["left_slope"], end)

    def late(self, end: int | None = None) -> np.ndarray:
        """Bias in the last sessions up to ``end``, per agent."""
        return self._last(self.run["bias"], end)

    def _last(self, values: np.ndarray, end: int | None) -> np.ndarray:
        last = values.shape[1] if end is None else end
        return values[:, max(last - self.window, 0) : last].mean(axis=1)

    @property
    def slope_correlation(self) -> float:
        """Of early bias and late right − left slope."""
        return correlation(self.early, self.tilt())

    @property
    def bias_correlation(self) -> float:
        """Of early and late bias."""
        return correlation(self.early, self.late())

    def bias_by_session(self) -> np.ndarray:
        """Correlation of early bias with the bias of the sessions that end at each time."""
        ends = range(self.window + 1, len(self.run.times) + 1)
        return np.array([correlation(self.early, self.late(end)) for end in ends])

    def from_choices(self) -> tuple[float, float]:
        """Both correlations from the choices themselves, as one would measure an animal, with sampling noise."""
        shares = self.run["chosen_right"]
        middle = self.run.task.contrasts.index(0.0)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        first, last = _shares(shares[:, 1 : self.window + 1]), _shares(shares[:, -self.window :])
        tilt = last[:, 0] + last[:, -1] - 2 * last[:, middle]
        return correlation(first[:, middle], tilt), correlation(first[:, middle], last[:, middle])


def _shares(sessions: np.ndarray) -> np.ndarray:
    """Mean over sessions, without those in which a contrast was not shown."""
    return np.nansum(sessions, axis=1) / np.maximum(np.sum(np.isfinite(sessions), axis=1), 1)


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson's r."""
    return float(np.corrcoef(first, second)[0, 1])


def approach(points: Sequence[Any], apart: np.ndarray, *names: str) -> np.ndarray:
    """Closest distance per agent to any of these points, over the smallest gap to the neighbours of the first.

    Neighbours have one pathway more or less.

    Args:
        points: all stationary points.
        apart: distance of agents to each, over time (agents, times, points).
        names: of the points that are approached.
    """
    index = [i for i, point in enumerate(points) if point.name in names]
    own = points[index[0]]
    gaps = [float(np.linalg.norm(own.map - p.map)) for p in points if len(set(p.pathways) ^ set(own.pathways)) == 1]
    return apart[..., index].min(axis=(1, 2)) / min(gaps)


def median(values: np.ndarray) -> tuple[float, float]:
    """Median and its standard error, from the order statistics one standard deviation of a rank away."""
    away = HALF / np.sqrt(len(values))
    low, middle, high = np.quantile(values, [max(HALF - away, 0.0), HALF, min(HALF + away, 1.0)])
    return float(middle), float((high - low) / 2)
