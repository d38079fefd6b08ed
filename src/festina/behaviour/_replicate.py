"""Animals simulated from a fit: what the model says would happen if the animal learned again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from festina.behaviour._animals import MODELS
from festina.behaviour._likelihood import Likelihood, repeat, stack
from festina.behaviour._model import bounds
from festina.behaviour._table import Table

if TYPE_CHECKING:
    from festina.behaviour._fitted import Fit


class Replicates(NamedTuple):
    """Choices and rewards of simulated animals, (draws, trials), in the order of ``table.select(subject)``."""

    right: np.ndarray
    reward: np.ndarray


def replicate(fit: Fit, table: Table, draws: int, seed: int) -> Replicates:
    """Simulate animals with parameters drawn from the uncertainty of the fit, on the animal's own stimuli.

    They make their own choices and learn from their own rewards: unlike ``Fit.probabilities``, nothing after the first
    trial is taken from the animal.
    """
    rng = np.random.default_rng(seed)
    own = table.select(fit.subject)
    if fit.model not in MODELS:
        right = rng.random((draws, len(own))) < np.nan_to_num(fit.probabilities)
        side = np.where(own.reward > 0, own.right, ~own.right)
        return Replicates(right, (right == side) & own.played)
    contrasts = table.contrasts
    likelihood = Likelihood(MODELS[fit.model], fit.lapse, len(contrasts))
    low, high = bounds(fit.parameters)
    root = np.linalg.cholesky(fit.covariance + 1e-12 * np.diag(np.diag(fit.covariance)))
    at = np.clip(fit.coordinates + rng.standard_normal((draws, len(low))) @ root.T, low, high)
    trials = repeat(stack([table.trials(fit.subject, contrasts)]), np.zeros(draws, dtype=int))
    made = likelihood.simulate(at, trials, rng.random(np.shape(trials.left)))
    count = len(own)
    return Replicates(
        np.asarray(made.chose_right)[:, :count] > 0, (np.asarray(made.reward)[:, :count] > 0) & own.played
    )
