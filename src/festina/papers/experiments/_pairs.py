"""Trials of two points and their fits, which several experiments share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina import Task, Train, Trajectory, evolve
from festina.representation import Pair, fit

if TYPE_CHECKING:
    from festina.papers._published import Published
    from festina.representation._fit import Fit


@dataclass(frozen=True, eq=False)
class Trials:
    """Networks of one kind on two points, and the theory fitted to each."""

    run: Trajectory
    fits: list[Fit]

    @property
    def learned(self) -> np.ndarray:
        """Which trials left the plateau: their loss fell below a fiftieth of where it started."""
        return np.array([f.pair.loss[-1] < f.pair.loss[0] / 50 for f in self.fits])

    @property
    def shown(self) -> list[Fit]:
        """The trials that learned; all of them where none did. A curve that never moves is no test of a theory."""
        return [f for f, kept in zip(self.fits, self.learned, strict=True) if kept] or self.fits

    @property
    def errors(self) -> np.ndarray:
        """Fit error of each trial that learned."""
        return np.array([found.error for found in self.shown])

    @property
    def loss_errors(self) -> np.ndarray:
        """Error of the predicted loss of each trial that learned."""
        return np.array([found.errors["loss"] for found in self.shown])

    @property
    def typical(self) -> Fit:
        """The trial whose error is the median (the lower of the middle two)."""
        return self.shown[int(np.argsort(self.errors)[(len(self.shown) - 1) // 2])]

    def rates(self) -> dict[str, float]:
        """Median effective rates over trials."""
        return {
            name: float(np.median([getattr(f.rates, name) or np.nan for f in self.shown]))
            for name in ("h", "y", "mean")
        }


def run(
    setting: Published, task: Task, seeds: int, seed: int = 0, *, optimiser: str = "gd", rate: float | None = None
) -> Trials:
    """Train a published setting on two points and fit each trial that lasts at least four observed times.

    ``rate`` is the step of another optimiser; the number of epochs stays that of the setting.
    """
    step = setting.rate if rate is None else rate
    found = evolve(
        setting.network, task, setting.times(401) * (step / setting.rate), seed=seed, seeds=seeds,
        method=Train(step, precision="single", optimiser=optimiser), observe=("loss", "distances", "outputs"),
    )  # fmt: skip
    whole = [k for k in range(seeds) if np.isfinite(found["distances"][k, :4]).all()]
    return Trials(found, [fit(Pair.from_trajectory(found, seed=seed + k)) for k in whole])


def median(values: np.ndarray) -> tuple[float, float]:
    """Median and its standard error, from the median deviation: a trial that failed does not count twice."""
    middle = np.median(values)
    # of a Gaussian sample the deviation is the median one times 1.48, and the median's error 1.25 times the mean's
    spread = 1.2533 * 1.4826 * np.median(np.abs(values - middle)) / np.sqrt(len(values))
    return float(middle), float(spread)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's, of the pairs above the diagonal where matrices are given."""
    if a.ndim == 2:
        above = np.triu_indices(len(a), 1)
        a, b = a[above], b[above]
    return float(np.corrcoef(a, b)[0, 1])
