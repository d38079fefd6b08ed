"""Networks that learn to decide: the tutor-executor network and its shallow control."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.behaviour._task import PATHWAYS, DecisionTask
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core.display import brief
from festina.core.network import Context, Network
from festina.core.task import Task

if TYPE_CHECKING:
    from festina.analysis.trajectory import Trajectory
    from festina.behaviour._stationary import StationaryPoint
    from festina.checks.shapes import Times
    from festina.core.method import Run
    from festina.core.theory import Start
    from festina.methods import Flow, Train

RULES = ("gradient", "partial")

Pair = tuple[np.ndarray, np.ndarray]
"""Weights: tutor (…, 3) and executor (…, 2, 3)."""


def value_actions(weights: Weights, x: Array) -> Any:
    """Q = W diag(w) x of inputs (N, 3): values (N, 2) of left and right."""
    tutor, executor = weights
    return x @ (executor * tutor[..., None, :]).swapaxes(-1, -2)


@dataclass(frozen=True)
class Observed:
    """What can be observed of the weights of a network that decides (``observe=``)."""

    network: Decider

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables on a task, by name."""
        from festina.behaviour._psychometric import observe

        names = ("loss", "accuracy", "curve", "bias", "left_slope", "right_slope", "map", "weights")
        return {
            name: lambda weights, name=name: observe(self.network, context["task"], weights, (name,))[name]
            for name in names
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Decider(Network):
    """What the networks of this package have in common.

    All have a tutor w (one weight per pathway left, right, constant) and an executor W (2 actions × 3 pathways), and
    value an action at Q = W diag(w) x; the shallow one keeps w at 1. They learn from the reward of the action they
    choose: ``fs.Train(rate=η)`` plays trial by trial, one agent per seed, ``fs.Flow()`` follows the expected update.
    """

    beta: float = 9.0
    rule: str = "partial"
    noise: float = 1e-5
    offset: float = 0.0
    spread: float = 0.0

    learns_tutor: ClassVar[bool]
    learns_otherwise: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.positive("beta", self.beta)
        check.known("rule", self.rule, RULES)
        check.positive("noise", self.noise, zero=True)
        check.positive("spread", self.spread, zero=True)
        check.number("offset", self.offset)

    @abstractmethod
    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Tutor and executor before noise and initial bias."""

    def start(self, task: Task, seed: int) -> Pair:
        """Initial tutor (3,) and executor (2, 3) of the agent with this seed.

        The initial bias Q_R − Q_L at contrast 0 is ``offset`` plus ``spread`` times a normal number. Weights are not
        negative, so that the side preferred gets all of it.
        """
        tutor, executor = self._begin()
        normal = np.random.default_rng(seed).standard_normal(10)
        bias = self.offset + self.spread * normal[9]
        executor += self.noise * normal[3:9].reshape(2, 3)
        if self.learns_tutor:
            tutor += self.noise * normal[:3]
        if bias != 0:
            executor[1 if bias > 0 else 0, 2] += abs(bias) / tutor[2]
        return np.maximum(tutor, 0), np.maximum(executor, 0)

    @property
    def predict(self) -> Callable[[Any, Any], Any]:
        """Values of the two actions."""
        return value_actions

    @property
    def observables(self) -> Observed:
        """By name: ``loss`` (½⟨δ_tot²⟩ over trials and choices), ``accuracy``, ``curve`` (P(right) per contrast),
        ``bias``, ``left_slope``, ``right_slope``, ``map`` (W diag(w)) and ``weights``.
        """
        return Observed(self)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes after (seed, time)."""
        single = dict.fromkeys(("loss", "accuracy", "bias", "left_slope", "right_slope", "rewarded"), ())
        each = dict.fromkeys(("contrasts", "choices", "rewards"), ("trial",))
        return {
            **single, **each, "curve": ("contrast",), "chosen_right": ("contrast",), "map": ("action", "pathway"),
        }  # fmt: skip

    def context(self, task: Task) -> Context:
        """The data points and the task itself."""
        return {"data": self.points(task), "task": check_task(task)}

    def velocity(self, task: Task) -> Callable[[Pair], Pair]:
        """The expected update per unit of trials × rate, before negative weights are set to zero."""
        from festina.behaviour import _expected

        known = check_task(task)
        return lambda weights: _expected.velocity(self, known, *weights)

    def stationary_points(self, task: Task, *, drifting: bool = False) -> tuple[StationaryPoint, ...]:
        """All stationary points of the expected dynamics with non-negative weights, from few active pathways to many.

        Args:
            task: a ``DecisionTask``.
            drifting: give also the maps towards which the network drifts, where the constant and a stimulus pathway
                cannot rest together.

        Raises:
            ValueError: a task of another kind.

        Example:
            >>> import festina as fs
            >>> points = fs.behaviour.TutorExecutor().stationary_points(fs.behaviour.DecisionTask())
            >>> [point.name for point in points]
            ['none', 'constant', 'left', 'right', 'left + right']

        Source: saxe_lecture "Dynamics pass near a hierarchy of saddle points", "Saddle points arise through depth".
        """
        from festina.behaviour._stationary import stationary_points

        return stationary_points(self, check_task(task), drifting=drifting)

    def saddle_distances(self, trajectory: Trajectory, points: Sequence[StationaryPoint] | None = None) -> np.ndarray:
        """Distance ‖q − q*‖ of the map of a trajectory that observed it to each point: ([seeds,] times, points)."""
        from festina.behaviour._stationary import distances

        return distances(self, trajectory, points)

    def train(self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Train) -> Run:
        """Agents that learn trial by trial, one per seed."""
        from festina.behaviour._agents import play

        return play(self, check_task(task), times, starts, observe, method)

    def flow(self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Flow) -> Run:
        """Their expected dynamics."""
        from festina.behaviour._flow import integrate

        return integrate(self, check_task(task), times, starts, observe, method)

    def __repr__(self) -> str:
        return brief(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class TutorExecutor(Decider):
    """The deep network that learns to decide: two layers in series, taught by partial prediction errors.

    Q_tot = W diag(w) x with x = (left, right, 1); Q_stim leaves out the constant input, Q_const is the constant
    alone; P(right) = σ(β(Q_tot,right − Q_tot,left)). After a trial the chosen action ch learns
        δ_tot   = Rew − Q_tot:    Δw_i        = η δ_tot W[ch, i] x_i
        δ_stim  = Rew − Q_stim:   ΔW[ch, i]   = η δ_stim w_i x_i      (i = left, right)
        δ_const = Rew − Q_const:  ΔW[ch, b]   = η δ_const w_b
    and negative weights are set to zero; η is the rate of ``fs.Train(rate=η)``, and time is trials × rate.
    ``rule="gradient"`` uses δ_tot in all three: the gradient of ½δ_tot².

    Args:
        beta: β, the inverse temperature.
        rule: ``"partial"`` (three errors) or ``"gradient"``.
        noise: standard deviation of independent noise on every initial weight.
        offset: mean over agents of the initial bias Q_R − Q_L at contrast 0.
        spread: its standard deviation over agents; unknown for mice.
        tutor: initial w for left, right and constant.
        executor: initial W for left, right and constant, the same for both actions.

    Raises:
        ValueError: a beta that is not positive, an unknown rule, negative weights, spread or noise.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task, rate = fs.behaviour.TutorExecutor(), fs.behaviour.DecisionTask(), 0.0026
        >>> times = rate * 240 * np.arange(51)
        >>> agents = fs.evolve(network, task, times, method=fs.Train(rate), seeds=3, observe="accuracy")
        >>> agents["accuracy"].shape, agents.unit
        ((3, 51), 'trials × rate')

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


@dataclass(frozen=True, kw_only=True, repr=False)
class Shallow(Decider):
    """The control without depth: Q = W x, with the same errors, choices and non-negative weights.

    ΔW[ch, i] = η δ x_i, where δ is δ_stim or δ_const (``rule="partial"``) or δ_tot (``rule="gradient"``).

    Args:
        beta, rule, noise, offset, spread: as in ``TutorExecutor``.
        executor: initial W for left, right and constant; the default is the map of the default ``TutorExecutor``.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.behaviour.DecisionTask()
        >>> run = fs.evolve(fs.behaviour.Shallow(), task, [0.0, 5.2], method=fs.Flow(), observe="accuracy")
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
    array = check.numbers(name, value)
    if array.shape != (3,) or np.any(array < 0):
        raise ValueError(f"{name} is {value!r}; three weights >= 0 are needed, for {', '.join(PATHWAYS)}.")


def check_task(task: Task) -> DecisionTask:
    """The task as one of decisions."""
    if not isinstance(task, DecisionTask):
        raise ValueError(
            f"task is {type(task).__name__}; networks of fs.behaviour learn fs.behaviour.DecisionTask(...)."
        )
    return task
