"""Models of an animal that learns: parameters, and a recursion over trials that gives the logit of every choice.

A model is a frozen description. Its recursion is written with ``jax.numpy`` on scalars, so that the likelihood, its
derivatives and simulated animals all follow from the same few lines.
"""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.behaviour._network import DecisionNetwork, Shallow, TutorExecutor
from festina.behaviour._table import Trial
from festina.checks import check
from festina.checks.shapes import Array

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jax

    State = tuple[Any, ...]
    """Arrays, or tuples of them."""
    Values = Mapping[str, jax.Array]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its name, its bounds, and the coordinate in which it is fitted.

    Attributes:
        name: as it appears in tables.
        low, high: bounds of its value; an estimate at a bound is reported as such.
        typical: range from which starts of the search and simulated animals are drawn; None is the middle half of what
            the bounds allow.
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
    typical: tuple[float, float] | None = None
    scale: str = "linear"
    meaning: str = ""

    def __post_init__(self) -> None:
        check.known("scale", self.scale, ("linear", "log"))
        low, high = check.number("low", self.low), check.number("high", self.high)
        if low >= high or (self.scale == "log" and low <= 0):
            least = "0 < low < high" if self.scale == "log" else "low < high"
            raise ValueError(f"{self.name} has low {low:g} and high {high:g}; {least} is needed.")
        if self.typical is None:
            ends = np.quantile(self.coordinate(np.array([low, high])), [0.25, 0.75])
            object.__setattr__(self, "typical", tuple(self.value(ends).tolist()))

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

LAPSE = Parameter("lapse", RARE, 0.6, (0.01, 0.2), "linear", "share of trials answered at random")
LAPSE_LEFT = Parameter("lapse_left", RARE, 0.45, (0.01, 0.1), "linear", "share answered left whatever is shown")
LAPSE_RIGHT = Parameter("lapse_right", RARE, 0.45, (0.01, 0.1), "linear", "share answered right whatever is shown")

PARTS = {
    "history": (
        Parameter("repeat", -5.0, 5.0, (-0.3, 0.3), "linear", "change of logit towards the previous choice"),
        Parameter("win_stay", -5.0, 5.0, (-0.3, 0.3), "linear", "the same if it was rewarded, minus if it was not"),
    ),
    "blocks": (Parameter("block", -5.0, 5.0, (0.0, 1.0), "linear", "weight of the log odds of the block"),),
    "lapse": (LAPSE,),
    "lapses": (LAPSE_LEFT, LAPSE_RIGHT),
}
"""Parts that can be added to any model, by name: ``"shallow + history + lapse"``."""


class Model(ABC):
    """A model of an animal: its parameters with bounds, P(right) on a trial, and what it learns from the trial.

    Write a class with ``name``, ``parameters``, and ``logit`` or ``probability``; ``begin`` and ``learn`` where the
    animal changes. Methods use ``jax.numpy`` on the numbers of one trial, without ``if`` on values; all derivatives,
    fits, comparisons and simulations follow from them. The library's own models are written in the same way.

    Example:
        >>> import festina as fs
        >>> class Habit(fs.behaviour.Model):
        ...     name = "habit"
        ...     parameters = (
        ...         fs.behaviour.Parameter("rate", 1e-4, 1.0, scale="log"), fs.behaviour.Parameter("weight", -9.0, 9.0)
        ...     )
        ...     def begin(self, values, levels):
        ...         return (0.0 * values["rate"],)
        ...     def logit(self, values, state, trial):
        ...         return values["weight"] * state[0]
        ...     def learn(self, values, state, trial):
        ...         return (state[0] + values["rate"] * (2 * trial.chose_right - 1 - state[0]),)
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> sorted(fs.behaviour.fit(table, Habit())["a"].estimates)
        ['rate', 'weight']
    """

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    inherent: ClassVar[tuple[str, ...]] = ()
    """Parts (``"lapse"``, ``"lapses"``, ``"history"``) without which the model is never fitted."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.logit is Model.logit and cls.probability is Model.probability:
            raise TypeError(f"{cls.__name__} gives no P(right); write its method logit or its method probability.")

    def begin(self, values: Values, levels: int) -> State:
        """The state before the first trial, as a tuple of arrays; ``levels`` contrasts are shown."""
        return ()

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """Logit of P(right) on a trial."""
        import jax.numpy as jnp

        p = self.probability(values, state, trial)
        return jnp.log(p) - jnp.log1p(-p)

    def probability(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """P(right) on a trial."""
        import jax

        return jax.nn.sigmoid(self.logit(values, state, trial))

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The state after a trial, whose choice and reward are known; on trials that were not played it is kept."""
        return state

    def __add__(self, part: str) -> Model:
        """The model with choice history (``"history"``) or lapses (``"lapse"``, or ``"lapses"`` of either side)."""
        return extend(self, check.known("part of a model", part, ("history", "lapse", "lapses")))


def extend(model: Model, part: str) -> Model:
    """The model with a part more, and with those without which it is never fitted."""
    base, parts = (model.base, model.parts) if isinstance(model, Extended) else (model, model.inherent)
    told = {*parts, part}
    if {"lapse", "lapses"} <= told:
        raise ValueError(f"model {base.name!r} has lapses already; leave out {part!r}.")
    return Extended(base, tuple(one for one in PARTS if one in told))


@dataclass(frozen=True)
class Extended(Model):
    """A model with parts: choice history, the prior of blocks, lapses.

    With s = ±1 the previous choice of the session (0 for none) and o = ±1 its outcome, history adds
    repeat·s + win_stay·s·o to the logit: positive ``win_stay`` is win-stay, lose-shift. The base model sees what is
    added as ``trial.offset``.
    """

    base: Model
    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        told = [part for part in self.parts if part not in ("blocks", *self.base.inherent)]
        object.__setattr__(self, "name", " + ".join((self.base.name, *told)))
        added = tuple(p for part in self.parts for p in PARTS[part])
        object.__setattr__(self, "parameters", (*self.base.parameters, *added))

    def begin(self, values: Values, levels: int) -> State:
        """The state of the base, the previous choice (±1) and the same times its outcome (±1)."""
        import jax.numpy as jnp

        zero = jnp.zeros(())
        return self.base.begin(values, levels), zero, zero

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """Logit of the base and of the parts, after lapses."""
        import jax
        import jax.numpy as jnp

        trial = self._offset(values, state, trial)
        z = self.base.logit(values, state[0], trial) + trial.offset
        if "lapse" in self.parts:
            left = right = values["lapse"] / 2
        elif "lapses" in self.parts:
            left, right = values["lapse_left"], values["lapse_right"]
        else:
            return z
        return jnp.log(lapsing(jax.nn.sigmoid(z), right, left)) - jnp.log(lapsing(jax.nn.sigmoid(-z), left, right))

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """Update of the base; the choice and its outcome are remembered."""
        import jax.numpy as jnp

        base = self.base.learn(values, state[0], self._offset(values, state, trial))
        stay = jnp.where(trial.played > 0, 2 * trial.chose_right - 1, state[1] * (1 - trial.first))
        won = jnp.where(trial.played > 0, stay * (2 * trial.reward - 1), state[2] * (1 - trial.first))
        return base, stay, won

    def _offset(self, values: Values, state: State, trial: Trial) -> Trial:
        added = trial.offset
        if "history" in self.parts:
            added += (1 - trial.first) * (values["repeat"] * state[1] + values["win_stay"] * state[2])
        if "blocks" in self.parts:
            added += values["block"] * trial.prior
        return trial._replace(offset=added)


def lapsing(p: jax.Array, to: jax.Array, away: jax.Array) -> jax.Array:
    """The probability of an answer that is given on a share ``to`` of trials and withheld on ``away``, whatever is
    shown.
    """
    return to + (1 - to - away) * p


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


INTERCEPT = Parameter("intercept", -8.0, 8.0, (-0.5, 0.5), "linear", "logit of P(right) at contrast 0")
SLOPE = Parameter("slope", -20.0, 60.0, (0.0, 4.0), "linear", "initial change of logit per contrast, both sides")
LEFT_SLOPE = Parameter("left_slope", -20.0, 60.0, (0.0, 6.0), "linear", "change of logit per contrast on the left")
RIGHT_SLOPE = Parameter("right_slope", -20.0, 60.0, (0.0, 6.0), "linear", "change of logit per contrast on the right")


@dataclass(frozen=True)
class Psychometric(Model):
    """One psychometric curve for all of life, with lapses to either side: no learning."""

    name: ClassVar[str] = "psychometric"
    parameters: ClassVar[tuple[Parameter, ...]] = (INTERCEPT, LEFT_SLOPE, RIGHT_SLOPE)
    inherent: ClassVar[tuple[str, ...]] = ("lapses",)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """b − s_L·left + s_R·right."""
        return values["intercept"] - values["left_slope"] * trial.left + values["right_slope"] * trial.right


@dataclass(frozen=True)
class Engagement(Model):
    """Two hidden states, engaged and not: a psychometric curve in one and a fixed P(right) in the other.

    States change from trial to trial with fixed probabilities; the model filters the state from the choices before
    (the forward algorithm), as generalised linear models with hidden Markov states do.

    Source: ashwood2022.
    """

    name: ClassVar[str] = "engagement"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        INTERCEPT, LEFT_SLOPE, RIGHT_SLOPE,
        Parameter("idle", -8.0, 8.0, (-1.0, 1.0), "linear", "logit of P(right) when not engaged"),
        Parameter("leave", 1e-4, 0.9, (3e-3, 0.1), "log", "probability per trial that engagement ends"),
        Parameter("enter", 1e-4, 0.9, (3e-3, 0.1), "log", "probability per trial that it begins again"),
    )  # fmt: skip

    def begin(self, values: Values, levels: int) -> State:
        """The probability of being engaged, at first that of the chain at rest."""
        return (values["enter"] / (values["enter"] + values["leave"]),)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """Logit of the average over both states, in which history adds to either logit."""
        import jax.numpy as jnp

        right, left = (state[0] * a + (1 - state[0]) * b for a, b in (self._each(values, trial, s) for s in (1, -1)))
        return jnp.log(right) - jnp.log(left) - trial.offset

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """Bayes' rule with the choice, then one step of the chain."""
        import jax.numpy as jnp

        engaged, idle = self._each(values, trial, 2 * trial.chose_right - 1)
        seen = state[0] * engaged / (state[0] * engaged + (1 - state[0]) * idle)
        now = jnp.where(trial.played > 0, seen, state[0])
        return (now * (1 - values["leave"]) + (1 - now) * values["enter"],)

    def _each(self, values: Values, trial: Trial, sign: Array | int) -> tuple[jax.Array, jax.Array]:
        """P(right) for sign 1 and P(left) for −1, in either state."""
        import jax

        curve = values["intercept"] - values["left_slope"] * trial.left + values["right_slope"] * trial.right
        return jax.nn.sigmoid(sign * (curve + trial.offset)), jax.nn.sigmoid(sign * (values["idle"] + trial.offset))


@dataclass(frozen=True)
class Reinforce(Model):
    """A logistic policy that climbs the gradient of reward: Δw = rate·(reward − baseline)·∂log P(choice)/∂w.

    The logit is w·x with x = (−left, right, 1): no values of actions are learned, and nothing is deep.

    Source: williams1992.
    """

    name: ClassVar[str] = "reinforce"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate", 1e-5, 5.0, (3e-3, 0.3), "log", "learning rate per trial"),
        # above the share of rewarded trials, paths from nearby weights part exponentially: the likelihood is rugged
        Parameter("baseline", 0.0, 0.5, (0.0, 0.4), "linear", "reward from which nothing is learned"),
        INTERCEPT,
        SLOPE,
    )

    def begin(self, values: Values, levels: int) -> State:
        """Slopes of left and right, intercept."""
        return values["slope"], values["slope"], values["intercept"]

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """w·x."""
        return -state[0] * trial.left + state[1] * trial.right + state[2]

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """One step of the policy's gradient."""
        import jax

        p = jax.nn.sigmoid(self.logit(values, state, trial) + trial.offset)
        step = trial.played * values["rate"] * (trial.reward - values["baseline"]) * (trial.chose_right - p)
        return state[0] - step * trial.left, state[1] + step * trial.right, state[2] + step


@dataclass(frozen=True)
class RescorlaWagner(Model):
    """Rescorla and Wagner's rule for each action, Q = W x, with a rate for good news and one for bad.

    ΔW[chosen] = rate·(reward − Q)·x with ``rate_up`` where the error is positive and ``rate_down`` where it is
    negative; weights may be negative. With equal rates it is the gradient of a shallow network.

    Source: rescorla1972.
    """

    name: ClassVar[str] = "rescorla-wagner"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate_up", 1e-6, 1.0, (5e-4, 2e-2), "log", "learning rate per trial, errors above zero"),
        Parameter("rate_down", 1e-6, 1.0, (5e-4, 2e-2), "log", "learning rate per trial, errors below zero"),
        BETA,
        BIAS,
    )

    def begin(self, values: Values, levels: int) -> State:
        """Weights of (left, right, 1), of the action left and then of right."""
        import jax.numpy as jnp

        zero, lean = jnp.zeros_like(values["bias"]), values["bias"] / 2
        return zero, zero, -lean, zero, zero, lean

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """β(Q_right − Q_left)."""
        left, right = self._values(state, trial)
        return values["beta"] * (right - left)

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The chosen action learns."""
        import jax.numpy as jnp

        left, right = self._values(state, trial)
        error = trial.reward - jnp.where(trial.chose_right > 0, right, left)
        step = trial.played * error * jnp.where(error > 0, values["rate_up"], values["rate_down"])
        to_right, x = trial.chose_right, (trial.left, trial.right, 1.0)
        went = [w + (1 - to_right) * step * s for w, s in zip(state[:3], x, strict=True)]
        return *went, *(w + to_right * step * s for w, s in zip(state[3:], x, strict=True))

    @staticmethod
    def _values(state: State, trial: Trial) -> tuple[jax.Array, jax.Array]:
        x = (trial.left, trial.right, 1.0)
        left, right = ([w * s for w, s in zip(part, x, strict=True)] for part in (state[:3], state[3:]))
        return left[0] + left[1] + left[2], right[0] + right[1] + right[2]


@dataclass(frozen=True)
class Drifting(Model):
    """A psychometric curve whose logit b − s_L·left + s_R·right performs a random walk.

    Intercept and slopes change by independent normal steps from trial to trial. A Gaussian filter predicts each choice
    before it sees it: with mean m and variance v of the logit, P(right) = σ(κm) and κ = 1/√(1 + πv/8). It then takes
    the mean and covariance of the curve given the choice, from the derivatives of log P by m. The model describes
    change without rewards: anything that a network explains beyond it is learning.
    """

    name: ClassVar[str] = "drifting"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("drift_bias", 1e-5, 1.0, (3e-3, 0.1), "log", "step of the intercept per trial, standard deviation"),
        Parameter("drift_slope", 1e-5, 5.0, (1e-2, 0.3), "log", "step of each slope per trial, standard deviation"),
        Parameter("intercept", -8.0, 8.0, (-0.5, 0.5), "linear", "initial logit of P(right) at contrast 0"),
        SLOPE,
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
        import jax.numpy as jnp

        mean, gain, variance = self._look(values, state, trial)
        kappa = 1 / jnp.sqrt(1 + PROBIT * variance)
        p = jax.nn.sigmoid(kappa * mean + trial.offset)
        step = trial.played * kappa * (trial.chose_right - p)
        b, left, right = (m + step * g for m, g in zip(state[:3], gain, strict=True))
        P = self._spread(values, state, trial.played)
        k = trial.played * kappa**2 * p * (1 - p)
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


OURS = (
    Deep(), DeepGradient(), Flat(), RescorlaWagner(), Reinforce(), QLearning(), Drifting(), Engagement(),
    Psychometric(),
)  # fmt: skip
MODELS: dict[str, Model] = {model.name: model for model in OURS}
"""Models with a recursion over trials, by name."""

LOGISTIC = "logistic"
"""The name of the psychometric curve that is fitted to every session on its own."""

ALL = (*MODELS, LOGISTIC)

DEEP = (Deep.name, DeepGradient.name)
"""Models with depth."""


def find_model(model: object, *, blocks: bool = False) -> Model:
    """The model that a name means.

    Args:
        model: a name, with or without parts (``"shallow + history"``), a network, or a model.
        blocks: whether the log odds of blocks are weighted in the logit.

    Raises:
        ValueError: an unknown model or part.

    Example:
        >>> import festina as fs
        >>> [p.name for p in fs.behaviour.find_model("psychometric + history").parameters[3:]]
        ['repeat', 'win_stay', 'lapse_left', 'lapse_right']
    """
    return extend(resolve("model", model), "blocks") if check.flag("blocks", blocks) else resolve("model", model)


def resolve(argument: str, model: object) -> Model:
    """``find_model``, for an argument of this name."""
    parts = []
    if isinstance(model, Model):
        found = model
    elif isinstance(model, DecisionNetwork):
        deep = Deep if model.rule == "partial" else DeepGradient
        found = deep() if model.learns_tutor else Flat(partial=model.rule == "partial")
    elif isinstance(model, str):
        name, *parts = (word.strip() for word in model.split("+"))
        found = MODELS[check.known(argument, name, MODELS)]
    else:
        raise ValueError(
            f"{argument} is {check.shown(model)}; a name is needed ({', '.join((*MODELS, LOGISTIC))}), a network such "
            "as fs.behaviour.TutorExecutor(), or a model of your own (fs.behaviour.Model)."
        )
    for part in parts or found.inherent:
        found = found + part
    return found


def check_models(argument: str, models: object) -> dict[str, Model | str]:
    """Models by the names under which they are listed; the curve per session is its name."""
    listed = check.listing(argument, models, "names of models, or models")
    if not listed:
        raise ValueError(f"{argument} is empty; name at least one of {', '.join(ALL)}.")
    found = [one if isinstance(one, str) and one == LOGISTIC else resolve(argument, one) for one in listed]
    return {one if isinstance(one, str) else one.name: one for one in found}


def network_of(model: Model | None) -> Deep | None:
    """The network that a model is, apart from parts; None for other models."""
    base = model.base if isinstance(model, Extended) else model
    return base if isinstance(base, Deep) else None


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


def draw_unit(size: int, count: int) -> np.ndarray:
    """Points of the unit cube (count, size): a scrambled Sobol sequence, always the same."""
    import scipy.stats

    draw = scipy.stats.qmc.Sobol(size, rng=np.random.default_rng(0))
    return draw.random(2 ** math.ceil(math.log2(count)))[:count]


def draw_starts(parameters: tuple[Parameter, ...], count: int) -> np.ndarray:
    """Starts of the search (count, parameters) over the typical ranges."""
    return spread_coordinates(parameters, draw_unit(len(parameters), count), {})


def spread_coordinates(
    parameters: tuple[Parameter, ...], unit: np.ndarray, ranges: Mapping[str, tuple[float, float]]
) -> np.ndarray:
    """Coordinates from numbers between 0 and 1 (…, parameters), over these ranges of values or the typical ones."""
    ends = [ranges.get(p.name, p.typical or (p.low, p.high)) for p in parameters]
    low, high = np.array([[float(p.coordinate(v)) for v in end] for p, end in zip(parameters, ends, strict=True)]).T
    return low + unit * (high - low)
