"""Models of an animal that learns: parameters, and a recursion over trials that gives the logit of every choice.

A model is a frozen description. Its recursion is written with ``jax.numpy`` on scalars, so that the likelihood, its
derivatives and simulated animals all follow from the same few lines.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from festina.checks import check

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jax

    State = tuple[jax.Array, ...]
    Values = Mapping[str, jax.Array]


class Trial(NamedTuple):
    """One trial as a model sees it, or arrays of trials."""

    left: jax.Array | np.ndarray
    """Contrast on the left, >= 0."""
    right: jax.Array | np.ndarray
    """Contrast on the right, >= 0."""
    level: jax.Array | np.ndarray
    """Index of the signed contrast among those that the table shows."""
    chose_right: jax.Array | np.ndarray
    """1 for right, 0 for left."""
    reward: jax.Array | np.ndarray
    """1 or 0."""
    played: jax.Array | np.ndarray
    """1 where a choice was made: the animal then learns; 0 for no-go trials and for padding."""
    counted: jax.Array | np.ndarray
    """1 where the choice counts in the likelihood; 0 for sessions that are held out."""


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
    """A model of choices that depend on the trials before: ``begin``, ``logit`` and ``learn`` define it."""

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

    def begin(self, values: Values, levels: int) -> State:
        """Tutor (left, right, constant), then the executor of left and of right."""
        import jax.numpy as jnp

        w, W, bias = values["tutor"], values["executor"], values["bias"]
        return w, w, jnp.ones_like(w), W, W, _rectify(-bias), W, W, _rectify(bias)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """β(Q_right − Q_left)."""
        w, left, right = state[:3], state[3:6], state[6:]
        x = (trial.left, trial.right, 1.0)
        difference = [(b - a) * v * s for b, a, v, s in zip(right, left, w, x, strict=True)]
        return values["beta"] * (difference[0] + difference[1] + difference[2])

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The chosen action learns; negative weights are set to zero."""
        import jax.numpy as jnp

        w, left, right = state[:3], state[3:6], state[6:]
        went_right, rate = trial.chose_right > 0, values["rate"] * trial.played
        x = (trial.left, trial.right, 1.0)
        hidden = [v * s for v, s in zip(w, x, strict=True)]
        chosen = [jnp.where(went_right, b, a) for b, a in zip(right, left, strict=True)]
        part = [c * h for c, h in zip(chosen, hidden, strict=True)]
        stimulus = trial.reward - part[0] - part[1]
        total = stimulus - part[2]
        errors = (stimulus, stimulus, trial.reward - part[2]) if self.partial else (total, total, total)
        tutor = [_rectify(v + rate * total * c * s) for v, c, s in zip(w, chosen, x, strict=True)]
        taught = [_rectify(c + rate * e * h) for c, e, h in zip(chosen, errors, hidden, strict=True)]
        new_left = [jnp.where(went_right, old, new) for old, new in zip(left, taught, strict=True)]
        new_right = [jnp.where(went_right, new, old) for old, new in zip(right, taught, strict=True)]
        return (*tutor, *new_left, *new_right)


@dataclass(frozen=True)
class DeepGradient(Deep):
    """The tutor-executor network that follows the full gradient of ½δ_tot²."""

    partial: bool = False
    name: ClassVar[str] = "tutor-executor-gradient"


@dataclass(frozen=True)
class Flat(Model):
    """The network without depth, Q = W x (``Shallow``)."""

    partial: bool = True
    name: ClassVar[str] = "shallow"
    parameters: ClassVar[tuple[Parameter, ...]] = (RATE, BETA, BIAS, EXECUTOR)

    def begin(self, values: Values, levels: int) -> State:
        """The weights of left and of right."""
        W, bias = values["executor"], values["bias"]
        return W, W, _rectify(-bias), W, W, _rectify(bias)

    def logit(self, values: Values, state: State, trial: Trial) -> jax.Array:
        """β(Q_right − Q_left)."""
        left, right = state[:3], state[3:]
        return values["beta"] * (
            (right[0] - left[0]) * trial.left + (right[1] - left[1]) * trial.right + right[2] - left[2]
        )

    def learn(self, values: Values, state: State, trial: Trial) -> State:
        """The chosen action learns; negative weights are set to zero."""
        import jax.numpy as jnp

        left, right = state[:3], state[3:]
        went_right, rate = trial.chose_right > 0, values["rate"] * trial.played
        chosen = [jnp.where(went_right, b, a) for b, a in zip(right, left, strict=True)]
        stimulus = trial.reward - chosen[0] * trial.left - chosen[1] * trial.right
        errors = (stimulus, stimulus, trial.reward - chosen[2]) if self.partial else (stimulus - chosen[2],) * 3
        x = (trial.left, trial.right, 1.0)
        taught = [_rectify(c + rate * e * s) for c, e, s in zip(chosen, errors, x, strict=True)]
        new_left = [jnp.where(went_right, old, new) for old, new in zip(left, taught, strict=True)]
        new_right = [jnp.where(went_right, new, old) for old, new in zip(right, taught, strict=True)]
        return (*new_left, *new_right)


def check_lapse(lapse: str | None) -> tuple[Parameter, ...]:
    """The lapse parameters for the argument ``lapse``."""
    if lapse is None:
        return ()
    return LAPSES[check.known("lapse", lapse, [name for name in LAPSES if name])]


def bounds(parameters: tuple[Parameter, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of the coordinates."""
    low = np.array([float(p.coordinate(p.low)) for p in parameters])
    high = np.array([float(p.coordinate(p.high)) for p in parameters])
    return low, high


def draw_starts(parameters: tuple[Parameter, ...], count: int) -> np.ndarray:
    """Starts of the search (count, parameters): a scrambled Sobol sequence over the typical ranges, always the same."""
    import scipy.stats

    draw = scipy.stats.qmc.Sobol(len(parameters), rng=np.random.default_rng(0))
    unit = draw.random(2 ** math.ceil(math.log2(count)))[:count]
    ends = np.array([[float(p.coordinate(v)) for v in p.typical] for p in parameters])
    return ends[:, 0] + unit * (ends[:, 1] - ends[:, 0])
