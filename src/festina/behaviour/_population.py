"""A population of animals: means and spreads of the parameters, and every animal's own with partial pooling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.behaviour._fit import STARTS, Animals, Fits, describe, gather, invert, measure_information
from festina.behaviour._model import Model, Parameter, bounds, check_model
from festina.behaviour._network import DecisionNetwork
from festina.behaviour._scoring import Prior
from festina.behaviour._table import Table, check_choices, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

ROUNDS = 60
"""Rounds of expectation and maximisation; changes are below ``SETTLED`` after ten to thirty."""

SETTLED = 1e-3
"""Change of means and spreads in a round, in units of the spread."""

NARROW = 1e-3
"""Smallest spread of a population, in units of a coordinate: animals that differ by less than 0.1 % are alike."""


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """A population fit: coordinates of animals are normal around ``mean`` with standard deviation ``spread``.

    Attributes:
        parameters: of the model.
        mean, spread: of the coordinates over animals.
        mean_error, spread_error: their standard errors.
        animals: a ``Fit`` per animal, drawn towards the mean by as much as its own data leave open.
        log_likelihood: marginal over animals' parameters, by Laplace's approximation.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 150)
        >>> columns = {"subject": np.repeat(["a", "b", "c"], 100), "session": [1] * 300, "contrast": contrast}
        >>> right = rng.random(300) < np.where(contrast > 0, 0.8, 0.3)
        >>> table = fs.behaviour.read_table({**columns, "choice": right, "reward": right == (contrast > 0)})
        >>> fs.behaviour.fit_population(table, "q-learning").to_pandas()["parameter"].tolist()
        ['rate', 'beta', 'intercept']
    """

    parameters: tuple[Parameter, ...]
    mean: np.ndarray
    spread: np.ndarray
    mean_error: np.ndarray
    spread_error: np.ndarray
    animals: Fits
    log_likelihood: float

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per parameter: the typical value with its interval, and the spread in the coordinate's unit."""
        import pandas as pd

        reach = scipy.special.ndtri((1 + level) / 2)
        rows = [
            {
                "parameter": p.name, "typical": float(p.value(m)), "low": float(p.value(m - reach * e)),
                "high": float(p.value(m + reach * e)), "spread": s, "spread_error": se, "scale": p.scale,
                "meaning": p.meaning,
            }
            for p, m, e, s, se in zip(
                self.parameters, self.mean, self.mean_error, self.spread, self.spread_error, strict=True
            )
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def draw(self, count: int, seed: int = 0) -> list[dict[str, float]]:
        """Parameters of new animals from the population, within bounds."""
        low, high = bounds(self.parameters)
        normal = np.random.default_rng(seed).standard_normal((count, len(self.mean)))
        drawn = np.clip(self.mean + self.spread * normal, low, high)
        return [{p.name: float(p.value(c)) for p, c in zip(self.parameters, row, strict=True)} for row in drawn]

    def __repr__(self) -> str:
        told = ", ".join(f"{p.name} {float(p.value(m)):.3g}" for p, m in zip(self.parameters, self.mean, strict=True))
        return f"Population({len(self.animals)} animals: {told})"


def fit_population(
    table: Table,
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
    lapse: str | None = None,
    starts: int = STARTS,
) -> Population:
    """Fit a population with partial pooling: animals inform one another about what is typical.

    Coordinates θ_i of animal i are N(mean, spread²), independent between parameters. Means and spreads maximise the
    marginal likelihood ∏_i ∫ L_i(θ) N(θ) dθ by expectation-maximisation, where each integral is Laplace's around the
    animal's most probable parameters m_i with covariance C_i: mean = ⟨m_i⟩, spread² = ⟨(m_i − mean)² + diag C_i⟩.

    Args:
        table: of at least two subjects.
        model: as in ``fit``, without ``"logistic"``.
        lapse: as in ``fit``.
        starts: of the search for each animal before pooling.

    Raises:
        ValueError: as ``fit``; fewer than two subjects.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 200)
        >>> right = rng.random(400) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": np.repeat(["one", "two"], 200), "session": np.tile(np.repeat([1, 2], 100), 2)}
        >>> rows |= {"contrast": contrast, "choice": right, "reward": right == (contrast > 0)}
        >>> pooled = fs.behaviour.fit_population(fs.behaviour.read_table(rows), "q-learning", starts=1)
        >>> len(pooled.animals)
        2

    Source: liebana2025.
    """
    table = check_table(table)
    if len(table.subjects) < 2:
        raise ValueError(f"table has {len(table.subjects)} subject; a population needs two or more: use fit.")
    check_choices(table)
    animals = gather(table, check_model(model), lapse)
    coordinates, _, converged = animals.best(check.whole("starts", starts))
    mean, spread = np.median(coordinates, axis=0), np.maximum(np.std(coordinates, axis=0, ddof=1), NARROW)
    covariances = np.empty((*coordinates.shape, coordinates.shape[1]))
    lanes = np.arange(len(coordinates))
    marginal = float("nan")
    for _ in range(ROUNDS):
        prior = Prior(mean, spread)
        found = animals.search(coordinates, lanes, prior=prior)
        coordinates, converged = found.coordinates, found.converged
        covariances = np.stack([invert(i)[0] for i in found.found.information])
        before = mean, spread
        mean = coordinates.mean(axis=0)
        scatter = np.mean((coordinates - mean) ** 2 + np.einsum("nkk->nk", covariances), axis=0)
        spread = np.maximum(np.sqrt(scatter), NARROW)
        marginal = float(np.sum(found.found.value + 0.5 * np.linalg.slogdet(covariances)[1] - np.log(before[1]).sum()))
        if max(np.max(np.abs(mean - before[0]) / spread), np.max(np.abs(spread / before[1] - 1))) < SETTLED:
            break
    return _population(animals, table, coordinates, converged, mean, spread, marginal)


def _population(
    animals: Animals, table: Table, coordinates: np.ndarray, converged: np.ndarray, mean: np.ndarray,
    spread: np.ndarray, marginal: float,
) -> Population:  # fmt: skip
    value = animals.likelihood.evaluate(coordinates, animals.trials).value
    fits = describe(animals, table, coordinates, value, converged)
    information = measure_information(animals, coordinates)[1]
    pooled = [invert(i + np.diag(spread**-2.0))[0] for i in information]
    fits = Fits(replace(one, covariance=c, centre=one.coordinates) for one, c in zip(fits, pooled, strict=True))
    # an animal counts for the mean with the inverse of what it is uncertain by: its own error and the spread
    own = np.stack([np.diag(invert(i)[0]) for i in information])
    weight = 1 / (own + spread**2)
    mean_error = 1 / np.sqrt(weight.sum(axis=0))
    spread_error = 1 / np.sqrt(2 * spread**2 * np.sum(weight**2, axis=0))
    return Population(animals.likelihood.parameters, mean, spread, mean_error, spread_error, fits, marginal)
