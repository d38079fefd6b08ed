"""Psychometric curves: of a network's map, and fitted to choices with their uncertainty."""

from dataclasses import dataclass

import numpy as np
import scipy

from festina.behaviour._task import inputs
from festina.checks import check
from festina.checks.shapes import ArrayLike

STEP_LIMIT = 200
"""Newton steps of a fit; it takes about ten."""

CONVERGED = 1e-10
"""Largest step at the end of a fit, in logits."""

FREE = (np.eye(3), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([[1.0], [0.0], [0.0]]))
"""(b, s_L, s_R) from the parameters that contrasts determine. Two contrasts, or contrasts on one side, determine b and
one slope for both sides. One contrast determines b alone."""

FLAT = 1e-6
"""Steps below this change the posterior by less than it is known, 1e-16 of its value."""


def curve(q: np.ndarray, contrasts: ArrayLike, beta: float) -> np.ndarray:
    """P(right | contrast) = σ(β(Q_right − Q_left)) of maps (…, 2, 3); shape (…, contrasts).

    It is a logistic curve with a slope of its own on each side: the logit is b − s_L·left + s_R·right.
    """
    return scipy.special.expit(beta * ((q[..., 1, :] - q[..., 0, :]) @ inputs(np.asarray(contrasts, dtype=float)).T))


def logits(q: np.ndarray, beta: float) -> np.ndarray:
    """The curve's parameters (b, s_L, s_R) of maps (…, 2, 3): logit at 0 and change of logit per contrast."""
    lean = beta * (q[..., 1, :] - q[..., 0, :])
    return np.stack([lean[..., 2], -lean[..., 0], lean[..., 1]], axis=-1)


def shape(parameters: np.ndarray, span: tuple[float, float]) -> np.ndarray:
    """Bias, left slope and right slope (…, 3) of curves with parameters (b, s_L, s_R).

    bias = P(R|0) − ½; left slope = [P(R|0) − P(R|−l)]/l; right slope = [P(R|r) − P(R|0)]/r, with l and r the ``span``.
    """
    b, left, right = np.moveaxis(np.asarray(parameters, dtype=float), -1, 0)
    middle = scipy.special.expit(b)
    low, high = scipy.special.expit(b - left * span[0]), scipy.special.expit(b + right * span[1])
    return np.stack([middle - 0.5, (middle - low) / span[0], (high - middle) / span[1]], axis=-1)


@dataclass(frozen=True, eq=False)
class Psychometric:
    """A psychometric curve fitted to choices.

    Attributes:
        parameters: b, s_L, s_R: logit of P(right) at contrast 0, and its change per contrast on each side.
        covariance: the covariance of the parameters.
        span: the contrasts (left, right) between which slopes are taken.
        trials: number of trials.

    Example:
        >>> import numpy as np, festina as fs
        >>> fit = fs.behaviour.fit_psychometric(np.repeat([-0.5, 0.0, 0.5], 40), np.tile([True, False], 60))
        >>> fit.trials, fit.shape.round(3)
        (120, array([0., 0., 0.]))
    """

    parameters: np.ndarray
    covariance: np.ndarray
    span: tuple[float, float]
    trials: int

    @property
    def shape(self) -> np.ndarray:
        """Bias P(R|0) − ½, left slope, right slope (see ``TutorExecutor`` runs: the same definitions)."""
        return shape(self.parameters, self.span)

    @property
    def scatter(self) -> np.ndarray:
        """Covariance of bias, left slope and right slope, to first order in the parameters' errors."""
        b, left, right = self.parameters
        at = scipy.special.expit([b, b - left * self.span[0], b + right * self.span[1]])
        middle, low, high = at * (1 - at)
        below, above = self.span
        by = np.array([[middle, 0, 0], [(middle - low) / below, low, 0], [(high - middle) / above, 0, high]])
        return by @ self.covariance @ by.T

    @property
    def error(self) -> np.ndarray:
        """Standard errors of bias, left slope and right slope."""
        return np.sqrt(np.diag(self.scatter))

    def curve(self, contrasts: ArrayLike) -> np.ndarray:
        """P(right) at these contrasts."""
        return scipy.special.expit(self._logit(contrasts))

    def band(self, contrasts: ArrayLike, width: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """P(right) ``width`` standard errors of the logit below and above the curve."""
        x = design(np.asarray(contrasts, dtype=float))
        error = width * np.sqrt(np.einsum("ji,ik,jk->j", x, self.covariance, x))
        middle = self._logit(contrasts)
        return scipy.special.expit(middle - error), scipy.special.expit(middle + error)

    def _logit(self, contrasts: ArrayLike) -> np.ndarray:
        return design(np.asarray(contrasts, dtype=float)) @ self.parameters


def design(contrasts: np.ndarray) -> np.ndarray:
    """Rows (1, −left, right) of contrasts: times (b, s_L, s_R) they give the logit."""
    left, right, one = np.moveaxis(inputs(contrasts), -1, 0)
    return np.stack([one, -left, right], axis=-1)


def fit_psychometric(
    contrasts: np.ndarray, right: np.ndarray, *, span: tuple[float, float] = (0.5, 0.5)
) -> Psychometric:
    """Fit logit P(right) = b − s_L·left + s_R·right to choices, and say how sure it is.

    This is the posterior mode under Jeffreys' prior, which has no free constant. It is finite even where choices
    separate perfectly, and without the first-order bias of maximum likelihood. The covariance is the inverse Fisher
    information there. It is the tutor-executor network's own curve, so that animals and agents lie on the same axes.

    Args:
        contrasts: signed contrast of each trial.
        right: whether right was chosen.
        span: contrasts (left, right) between which the slopes are taken; those of the task.

    Returns:
        The fit; its parameters are not a number where a side has no trial, all trials show one contrast, or there is
        no trial.

    Raises:
        ValueError: arrays of different length.

    Example:
        >>> import numpy as np, festina as fs
        >>> seen = np.repeat([-0.5, 0.0, 0.5], 100)
        >>> choice = np.concatenate([np.arange(100) < k for k in (10, 50, 80)])
        >>> fit = fs.behaviour.fit_psychometric(seen, choice)
        >>> fit.curve([-0.5, 0.0, 0.5]).round(2), fit.error.round(2)
        (array([0.1, 0.5, 0.8]), array([0.05, 0.12, 0.13]))

    Source: liebana2025.
    """
    c, chosen = check.numbers("contrasts", contrasts), check.numbers("right", right) != 0
    if c.ndim == 1 and not len(c) and chosen.shape == (0,):
        return Psychometric(np.full(3, np.nan), np.full((3, 3), np.nan), span, 0)
    if c.ndim != 1 or c.shape != chosen.shape:
        raise ValueError(f"contrasts have shape {c.shape} and right {chosen.shape}; one of each per trial is needed.")
    value, covariance, free = fit_determined(c, chosen)
    if len(value) < 3:
        return Psychometric(np.full(3, np.nan), np.full((3, 3), np.nan), span, len(c))
    return Psychometric(free @ value, covariance, span, len(c))


def fit_determined(contrasts: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parameters of the curve that these contrasts determine, their covariance, and the matrix of ``FREE``."""
    levels, group = np.unique(contrasts, return_inverse=True)
    count = np.bincount(group).astype(float)
    hits = np.bincount(group, weights=right.astype(float))
    whole = design(levels)
    free = next(free for free in FREE if np.linalg.matrix_rank(whole @ free) == free.shape[1])
    return *_posterior_mode(whole @ free, count, hits), free


def _posterior_mode(x: np.ndarray, count: np.ndarray, hits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mode under Jeffreys' prior by Newton's steps, and the inverse Fisher information there."""
    value, covariance = np.zeros(x.shape[1]), np.eye(x.shape[1])
    for _ in range(STEP_LIMIT):
        p = scipy.special.expit(x @ value)
        variance = count * p * (1 - p)
        covariance = np.linalg.inv((x.T * variance) @ x)
        lever = variance * np.einsum("ji,ik,jk->j", x, covariance, x)
        # Jeffreys' prior adds half the log-determinant of the information: its gradient is that of half a trial
        step = covariance @ (x.T @ (hits - count * p + lever * (0.5 - p)))
        if np.max(np.abs(step)) < CONVERGED:
            break
        best = _posterior(x, count, hits, value)
        # near the mode the posterior is flat to rounding, and the full step is the right one
        while np.max(np.abs(step)) > FLAT and _posterior(x, count, hits, value + step) < best:
            step /= 2
        value = value + step
    return value, covariance


def _posterior(x: np.ndarray, count: np.ndarray, hits: np.ndarray, value: np.ndarray) -> float:
    z = x @ value
    p = scipy.special.expit(z)
    likelihood = np.sum(hits * z - count * np.logaddexp(0, z))
    sign, logdet = np.linalg.slogdet((x.T * (count * p * (1 - p))) @ x)
    return float(likelihood + 0.5 * logdet) if sign > 0 else -np.inf
