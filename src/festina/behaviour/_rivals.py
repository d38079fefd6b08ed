"""Rivals that the field uses: a drifting psychometric curve and plain Q-learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from festina.behaviour._model import Model, Parameter, Trial
from festina.checks.shapes import Array

if TYPE_CHECKING:
    import jax

    from festina.behaviour._model import State, Values

PROBIT = 0.392699081698724
"""π/8: the logistic curve averaged over a normal logit of variance v is close to that of logit/√(1 + πv/8)."""


@dataclass(frozen=True)
class Drifting(Model):
    """A psychometric curve whose logit b − s_L·left + s_R·right performs a random walk.

    Intercept and slopes change by independent normal steps from trial to trial and are tracked from the choices by a
    Gaussian filter (one Newton step per trial); the probability of a choice is that of the filter before it sees it.
    The model describes change and does not know about rewards: what a network explains beyond it is learning.
    """

    name: ClassVar[str] = "drifting"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("drift_bias", 1e-5, 1.0, (3e-3, 0.1), "log", "step of the intercept per trial, standard deviation"),
        Parameter("drift_slope", 1e-5, 5.0, (1e-2, 0.3), "log", "step of each slope per trial, standard deviation"),
        Parameter("intercept", -8.0, 8.0, (-0.5, 0.5), "linear", "initial logit of P(right) at contrast 0"),
        Parameter("slope", -20.0, 60.0, (0.0, 4.0), "linear", "initial change of logit per contrast, both sides"),
    )

    def begin(self, values: Values, levels: int) -> State:
        """Mean (intercept, left, right) and the six entries of the covariance, which begin at zero."""
        import jax.numpy as jnp

        zero = jnp.zeros_like(values["slope"])
        return values["intercept"], values["slope"], values["slope"], zero, zero, zero, zero, zero, zero

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """Logit of the probability averaged over what is not known about the curve."""
        import jax.numpy as jnp

        mean, _, variance = self._look(values, state, trial)
        return mean / jnp.sqrt(1 + PROBIT * variance)

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """One step of the random walk and one of the filter."""
        import jax

        mean, gain, variance = self._look(values, state, trial)
        p = jax.nn.sigmoid(mean)
        information = trial.played * p * (1 - p)
        shrink = 1 / (1 + information * variance)
        b, left, right = (
            m + trial.played * shrink * g * (trial.chose_right - p) for m, g in zip(state[:3], gain, strict=True)
        )
        P = self._spread(values, state, trial.played)
        k = information * shrink
        pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
        return b, left, right, *(P[n] - k * gain[i] * gain[j] for n, (i, j) in enumerate(pairs))

    @staticmethod
    def _spread(values: Values, state: State, played: Array | float) -> State:
        bias, slope = played * values["drift_bias"] ** 2, played * values["drift_slope"] ** 2
        bb, bl, br, ll, lr, rr = state[3:]
        return bb + bias, bl, br, ll + slope, lr, rr + slope

    def _look(self, values: Values, state: State, trial: Trial) -> tuple[jax.Array, State, jax.Array]:
        """Mean and variance of the logit on this trial, and the covariance of the curve with it."""
        b, left, right = state[:3]
        bb, bl, br, ll, lr, rr = self._spread(values, state, 1.0)
        gain = (
            bb - bl * trial.left + br * trial.right,
            bl - ll * trial.left + lr * trial.right,
            br - lr * trial.left + rr * trial.right,
        )
        mean = b - left * trial.left + right * trial.right
        return mean, gain, gain[0] - gain[1] * trial.left + gain[2] * trial.right


@dataclass(frozen=True)
class QLearning(Model):
    """Plain Q-learning: one value for every contrast and action, ΔQ = rate·(reward − Q) for the one chosen.

    logit P(right) = β(Q_right − Q_left) + bias. Contrasts share nothing, so that learning does not generalise.
    """

    name: ClassVar[str] = "q-learning"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate", 1e-5, 1.0, (3e-4, 3e-2), "log", "learning rate per trial"),
        Parameter("beta", 0.01, 200.0, (1.0, 10.0), "log", "inverse temperature of choices, per unit of reward"),
        Parameter("intercept", -8.0, 8.0, (-0.5, 0.5), "linear", "logit of P(right) where values are equal"),
    )

    def begin(self, values: Values, levels: int) -> State:
        """The values of left and of right, one per contrast, at zero."""
        import jax.numpy as jnp

        return jnp.zeros(levels), jnp.zeros(levels)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """β(Q_right − Q_left) + bias at the contrast shown."""
        left, right = state
        shown = self._shown(left, trial)
        return values["beta"] * ((right - left) * shown).sum() + values["intercept"]

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The value of the action chosen at the contrast shown moves towards the reward."""
        import jax.numpy as jnp

        left, right = state
        step = values["rate"] * trial.played * self._shown(left, trial)
        went_right = trial.chose_right > 0
        return (
            jnp.where(went_right, left, left + step * (trial.reward - left)),
            jnp.where(went_right, right + step * (trial.reward - right), right),
        )

    @staticmethod
    def _shown(like: jax.Array, trial: Trial) -> jax.Array:
        import jax.numpy as jnp

        return (jnp.arange(like.shape[0]) == trial.level).astype(like.dtype)
