"""Networks that learn to decide: the tutor-executor network and its shallow control."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from festina import _check
from festina.behaviour._task import PATHWAYS

RULES = ("gradient", "partial")


@dataclass(frozen=True, kw_only=True)
class Decider(ABC):
    """What the networks of this package have in common; times and rates are in trials.

    All have a tutor w (one weight per pathway left, right, constant) and an executor W (2 actions × 3 pathways), and
    value an action at Q = W diag(w) x; the shallow one keeps w at 1.

    Example:
        >>> import festina as fs
        >>> network = fs.behaviour.Shallow(rate=0.01, spread=0.2)
        >>> network.rate, network.beta, network.learns_tutor
        (0.01, 9.0, False)
    """

    rate: float = 0.0026
    beta: float = 9.0
    rule: str = "partial"
    noise: float = 1e-5
    offset: float = 0.0
    spread: float = 0.0

    learns_tutor: ClassVar[bool]

    def __post_init__(self) -> None:
        _check.positive("rate", self.rate)
        _check.positive("beta", self.beta)
        _check.known("rule", self.rule, RULES)
        _check.positive("noise", self.noise, zero=True)
        _check.positive("spread", self.spread, zero=True)
        _check.numbers("offset", self.offset)

    @abstractmethod
    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Tutor and executor before noise and initial bias."""

    def start(self, rng: np.random.Generator | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Initial tutor (3,) and executor (2, 3) of one agent; without ``rng``, of the average agent.

        The initial bias Q_R − Q_L at contrast 0 is ``offset`` plus ``spread`` times a normal number. Weights are not
        negative, so that the side preferred gets all of it.
        """
        tutor, executor = self._begin()
        bias = self.offset
        if rng is not None:
            normal = rng.standard_normal(10)
            bias += self.spread * normal[9]
            executor += self.noise * normal[3:9].reshape(2, 3)
            if self.learns_tutor:
                tutor += self.noise * normal[:3]
        if bias != 0:
            executor[1 if bias > 0 else 0, 2] += abs(bias) / tutor[2]
        return np.maximum(tutor, 0), np.maximum(executor, 0)

    def __str__(self) -> str:
        errors = "three partial errors" if self.rule == "partial" else "full gradient"
        return f"{type(self).__name__}({errors}, rate={self.rate:g}, beta={self.beta:g})"


@dataclass(frozen=True, kw_only=True)
class TutorExecutor(Decider):
    """The deep network that learns to decide: two layers in series, taught by partial prediction errors.

    Q_tot = W diag(w) x with x = (left, right, 1); Q_stim leaves out the constant input, Q_const is the constant
    alone; P(right) = σ(β(Q_tot,right − Q_tot,left)). After a trial the chosen action ch learns
        δ_tot   = Rew − Q_tot:    Δw_i        = η δ_tot W[ch, i] x_i
        δ_stim  = Rew − Q_stim:   ΔW[ch, i]   = η δ_stim w_i x_i      (i = left, right)
        δ_const = Rew − Q_const:  ΔW[ch, b]   = η δ_const w_b
    and negative weights are set to zero. ``rule="gradient"`` uses δ_tot in all three: the gradient of ½δ_tot².

    Args:
        rate: η, per trial.
        beta: β, the inverse temperature.
        rule: ``"partial"`` (three errors) or ``"gradient"``.
        noise: standard deviation of independent noise on every initial weight.
        offset: mean over agents of the initial bias Q_R − Q_L at contrast 0.
        spread: its standard deviation over agents; unknown for mice.
        tutor: initial w for left, right and constant.
        executor: initial W for left, right and constant, the same for both actions.

    Raises:
        ValueError: a rate or beta that is not positive, an unknown rule, negative weights, spread or noise.

    Example:
        >>> import festina as fs
        >>> fs.behaviour.TutorExecutor(rule="gradient").start()[0]
        array([0.05, 0.05, 1.  ])

    Source: liebana2025; saxe_lecture "A Deep RL Neural Network".
    """

    tutor: tuple[float, float, float] = (0.05, 0.05, 1.0)
    executor: tuple[float, float, float] = (0.2, 0.2, 0.0)

    learns_tutor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _pathways("tutor", self.tutor)
        _pathways("executor", self.executor)
        if self.tutor[2] == 0 and (self.offset != 0 or self.spread != 0):
            raise ValueError("tutor has no constant weight, so that no initial bias is possible: set offset=spread=0.")

    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.tutor, dtype=float), np.tile(np.array(self.executor, dtype=float), (2, 1))


@dataclass(frozen=True, kw_only=True)
class Shallow(Decider):
    """The control without depth: Q = W x, with the same errors, choices and non-negative weights.

    ΔW[ch, i] = η δ x_i, where δ is δ_stim or δ_const (``rule="partial"``) or δ_tot (``rule="gradient"``).

    Args:
        rate, beta, rule, noise, offset, spread: as in ``TutorExecutor``.
        executor: initial W for left, right and constant; the default is the map of the default ``TutorExecutor``.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> run = fs.behaviour.average(fs.behaviour.Shallow(), task, np.array([0.0, 2000.0]))
        >>> run["accuracy"].round(2)
        array([0.5 , 0.85])

    Source: saxe_lecture "Saddle points arise through depth".
    """

    executor: tuple[float, float, float] = (0.01, 0.01, 0.0)

    learns_tutor: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _pathways("executor", self.executor)

    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(3), np.tile(np.array(self.executor, dtype=float), (2, 1))


def _pathways(name: str, value: tuple[float, float, float]) -> None:
    array = _check.numbers(name, value)
    if array.shape != (3,) or np.any(array < 0):
        raise ValueError(f"{name} is {value!r}; three weights >= 0 are needed, for {', '.join(PATHWAYS)}.")
