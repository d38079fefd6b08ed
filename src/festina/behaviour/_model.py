"""Models of an animal that learns: parameters, and a recursion over trials that gives the logit of every choice.

A model is a frozen description. Its recursion is written with ``jax.numpy`` on scalars, so that the likelihood, its
derivatives and simulated animals all follow from the same few lines.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.behaviour._network import DecisionNetwork, Shallow, TutorExecutor
from festina.behaviour._table import Trial
from festina.checks import check
from festina.checks.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import jax

    State = tuple[jax.Array, ...]
    Values = Mapping[str, jax.Array]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its name, its bounds, and the coordinate in which it is fitted.

    Attributes:
        name: as it appears in tables.
        low, high: bounds of its value; an estimate at a bound is reported as such.
        typical: range from which starts of the search are drawn.
        scale: ``"log"`` or ``"linear"``. Fits, standard errors and populations are made in this coordinate, where
            likelihoods are closest to normal.
        meaning: one line for reports, with the unit.

    Example:
        >>> import festina as fs
        >>> rate = fs.behaviour.Parameter("rate", 1e-5, 1.0, (5e-4, 2e-2), "log", "learning rate per trial")
        >>> round(float(rate.value(rate.coordinate(0.01))), 12)
        0.01
    """

    name: str
    low: float
    high: float
    typical: tuple[float, float]
    scale: str
    meaning: str

    def coordinate(self, value: float | np.ndarray) -> np.ndarray:
        """From a value to the coordinate in which it is fitted."""
        value = np.asarray(value, dtype=float)
        return np.asarray(np.log(value)) if self.scale == "log" else value

    def value(self, coordinate: float | np.ndarray) -> np.ndarray:
        """From the coordinate back to the value."""
        at = np.asarray(coordinate, dtype=float)
        return np.asarray(np.exp(at)) if self.scale == "log" else at


RARE = 1e-6
"""Smallest lapse rate: less than one in the trials of a life, and enough to keep probabilities away from zero."""

LAPSES = {
    None: (),
    "one": (Parameter("lapse", RARE, 0.6, (0.01, 0.2), "linear", "share of trials answered at random"),),
    "two": (
        Parameter("lapse_left", RARE, 0.45, (0.01, 0.1), "linear", "share of trials answered left whatever is shown"),
        Parameter("lapse_right", RARE, 0.45, (0.01, 0.1), "linear", "share of trials answered right whatever is shown"),
    ),
}
"""Lapses that can be added to any model, by the value of the argument ``lapse``."""


@dataclass(frozen=True)
class Model(ABC):
    """A model of choices that depend on the trials before: ``begin``, ``logit`` and ``learn`` define it.

    Example:
        >>> import festina as fs
        >>> class Stubborn(fs.behaviour.Model):
        ...     name = "stubborn"
        ...     parameters = (fs.behaviour.Parameter("bias", -8.0, 8.0, (-1.0, 1.0), "linear", "logit of P(right)"),)
        ...     def begin(self, values, levels):
        ...         return ()
        ...     def logit(self, values, state, trial):
        ...         return values["bias"]
        ...     def learn(self, values, state, trial):
        ...         return state
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> (found,) = fs.behaviour.fit(table, Stubborn())
        >>> round(found.estimates["bias"], 1)  # three of four choices are right: log 3
        1.1
    """

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]

    @abstractmethod
    def begin(self, values: Values, levels: int) -> State:
        """The state before the first trial, as a tuple of arrays."""

    @abstractmethod
    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """Logit of P(right) on a trial, before lapses."""

    @abstractmethod
    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The state after a trial on which the choice and the reward are known."""


def _rectify(weight: jax.Array) -> jax.Array:
    """Negative weights become zero; the derivative at zero is one, as for a weight that starts there."""
    import jax.numpy as jnp

    return jnp.where(weight >= 0, weight, 0.0)


PROBIT = 0.392699081698724
"""π/8: the logistic curve averaged over a normal logit of variance v is close to that of logit/√(1 + πv/8)."""

RATE = Parameter("rate", 1e-5, 1.0, (5e-4, 2e-2), "log", "learning rate per trial")
BETA = Parameter("beta", 0.1, 200.0, (3.0, 20.0), "log", "inverse temperature of choices, per unit of reward")
BIAS = Parameter("bias", -2.0, 2.0, (-0.2, 0.2), "linear", "initial difference of values, right − left, at contrast 0")
EXECUTOR = Parameter("executor", 0.0, 5.0, (0.0, 0.5), "linear", "initial executor weight of both stimulus pathways")
TUTOR = Parameter("tutor", 0.0, 5.0, (0.0, 0.3), "linear", "initial tutor weight of both stimulus pathways")


@dataclass(frozen=True)
class Deep(Model):
    """The tutor-executor network with the constant tutor weight at 1 (``TutorExecutor`` gives the equations)."""

    partial: bool = True
    name: ClassVar[str] = "tutor-executor"
    parameters: ClassVar[tuple[Parameter, ...]] = (RATE, BETA, BIAS, TUTOR, EXECUTOR)
    learns_tutor: ClassVar[bool] = True

    def begin(self, values: Values, levels: int) -> State:
        """Tutor (left, right, constant) where it learns, then the executor of left and of right."""
        import jax.numpy as jnp

        W, bias = values["executor"], values["bias"]
        tutor = (values["tutor"], values["tutor"], jnp.ones_like(W)) if self.learns_tutor else ()
        return *tutor, W, W, _rectify(-bias), W, W, _rectify(bias)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """β(Q_right − Q_left)."""
        w, left, right = self._split(state)
        x = (trial.left, trial.right, 1.0)
        difference = [(b - a) * v * s for b, a, v, s in zip(right, left, w, x, strict=True)]
        return values["beta"] * (difference[0] + difference[1] + difference[2])

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The chosen action learns; negative weights are set to zero."""
        import jax.numpy as jnp

        w, left, right = self._split(state)
        went_right, rate = trial.chose_right > 0, values["rate"] * trial.played
        x = (trial.left, trial.right, 1.0)
        hidden = [v * s for v, s in zip(w, x, strict=True)]
        chosen = [jnp.where(went_right, b, a) for b, a in zip(right, left, strict=True)]
        part = [c * h for c, h in zip(chosen, hidden, strict=True)]
        stimulus = trial.reward - part[0] - part[1]
        total = stimulus - part[2]
        errors = (stimulus, stimulus, trial.reward - part[2]) if self.partial else (total, total, total)
        taught = [_rectify(c + rate * e * h) for c, e, h in zip(chosen, errors, hidden, strict=True)]
        new_left = [jnp.where(went_right, old, new) for old, new in zip(left, taught, strict=True)]
        new_right = [jnp.where(went_right, new, old) for old, new in zip(right, taught, strict=True)]
        if not self.learns_tutor:
            return *new_left, *new_right
        tutor = [_rectify(v + rate * total * c * s) for v, c, s in zip(w, chosen, x, strict=True)]
        return *tutor, *new_left, *new_right

    @staticmethod
    def _split(state: State) -> tuple[State | tuple[float, ...], State, State]:
        """Tutor (1 where it does not learn), executor of left, executor of right."""
        return state[:-6] or (1.0, 1.0, 1.0), state[-6:-3], state[-3:]


@dataclass(frozen=True)
class DeepGradient(Deep):
    """The tutor-executor network that follows the full gradient of ½δ_tot²."""

    partial: bool = False
    name: ClassVar[str] = "tutor-executor-gradient"


@dataclass(frozen=True)
class Flat(Deep):
    """The network without depth, Q = W x (``Shallow``)."""

    name: ClassVar[str] = "shallow"
    parameters: ClassVar[tuple[Parameter, ...]] = (RATE, BETA, BIAS, EXECUTOR)
    learns_tutor: ClassVar[bool] = False


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


MODELS: dict[str, Model] = {m.name: m for m in (Deep(), DeepGradient(), Flat(), Drifting(), QLearning())}
"""Models with a recursion over trials, by name."""

LOGISTIC = "logistic"
"""The name of the psychometric curve that is fitted to every session on its own."""

ALL = (*MODELS, LOGISTIC)


def check_model(model: object) -> Model:
    """The model that the argument ``model`` names: a name, or a network whose rule is meant."""
    if isinstance(model, Model):
        return model
    if isinstance(model, DecisionNetwork):
        partial = model.rule == "partial"
        if model.learns_tutor:
            return Deep() if partial else DeepGradient()
        return Flat(partial=partial)
    if not isinstance(model, str):
        raise ValueError(
            f"model is {model!r}; a name is needed ({', '.join((*MODELS, LOGISTIC))}), or a network such as "
            "fs.behaviour.TutorExecutor()."
        )
    return MODELS[check.known("model", model, MODELS)]


def check_names(argument: str, names: object, known: Iterable[str]) -> list[str]:
    """The names of models in an argument, each one that is known."""
    listed = check.listing(argument, names, "names of models")
    return [check.known(argument, name if isinstance(name, str) else repr(name), known) for name in listed]


def make_network(model: Deep, estimates: dict[str, float]) -> DecisionNetwork:
    """The network that a model describes, with these parameters."""
    strength = estimates["executor"]
    settings = {
        "beta": estimates["beta"], "offset": estimates["bias"], "rule": "partial" if model.partial else "gradient",
        "executor": (strength, strength, 0.0), "noise": 0.0,
    }  # fmt: skip
    if not model.learns_tutor:
        return Shallow(**settings)
    return TutorExecutor(tutor=(estimates["tutor"], estimates["tutor"], 1.0), **settings)


def bounds(parameters: tuple[Parameter, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of the coordinates."""
    low = np.array([float(p.coordinate(p.low)) for p in parameters])
    high = np.array([float(p.coordinate(p.high)) for p in parameters])
    return low, high


def draw_starts(parameters: tuple[Parameter, ...], count: int) -> np.ndarray:
    """Starts of the search (count, parameters): a scrambled Sobol sequence over the typical ranges, always the same."""
    import scipy.stats

    draw = scipy.stats.qmc.Sobol(len(parameters), rng=np.random.default_rng(0))
    return spread_coordinates(parameters, draw.random(2 ** math.ceil(math.log2(count)))[:count], {})


def spread_coordinates(
    parameters: tuple[Parameter, ...], unit: np.ndarray, ranges: Mapping[str, tuple[float, float]]
) -> np.ndarray:
    """Coordinates from numbers between 0 and 1 (…, parameters), over these ranges of values or the typical ones."""
    low, high = np.array([[float(p.coordinate(v)) for v in ranges.get(p.name, p.typical)] for p in parameters]).T
    return low + unit * (high - low)
