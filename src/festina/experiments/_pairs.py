"""Trials of two points and their fits, which several experiments share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.representation import Fit, Followed, Published, fit, follow, two_points


@dataclass(frozen=True, eq=False)
class Trials:
    """Networks of one kind on two points, and the theory fitted to each."""

    run: Followed
    fits: list[Fit]

    @property
    def errors(self) -> np.ndarray:
        """Fit error of each trial."""
        return np.array([found.error for found in self.fits])

    @property
    def loss_errors(self) -> np.ndarray:
        """Error of the predicted loss of each trial."""
        return np.array([found.errors["loss"] for found in self.fits])

    @property
    def typical(self) -> Fit:
        """The trial whose error is the median (the lower of the middle two)."""
        return self.fits[int(np.argsort(self.errors)[(len(self.fits) - 1) // 2])]

    @property
    def learned(self) -> float:
        """Share of trials whose loss fell below a thousandth of where it started."""
        return float(np.mean(self.run.loss[:, -1] < 1e-3 * self.run.loss[:, 0]))

    def rates(self) -> dict[str, float]:
        """Median effective rates over trials."""
        return {
            name: float(np.median([getattr(f.rates, name) or np.nan for f in self.fits])) for name in ("h", "y", "mean")
        }


def run(
    setting: Published, span: tuple[float, float], epochs: int, seeds: int, *, optimiser: str = "descent"
) -> Trials:
    """Train on two points at the distances ``span`` and fit each trial."""
    found = follow(
        setting.architecture,
        two_points(*span),
        epochs=epochs,
        rate=setting.rate,
        seeds=seeds,
        samples=401,
        optimiser=optimiser,
    )
    return Trials(found, [fit(found.pair(k)) for k in range(seeds) if np.isfinite(found.distances[k, :4]).all()])


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
