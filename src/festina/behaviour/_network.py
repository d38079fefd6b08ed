"""Networks that learn to decide: the tutor-executor network and its shallow control."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.behaviour._agents import play
from festina.behaviour._decider import Decider, Pair
from festina.behaviour._expected import Observed, integrate, velocity
from festina.behaviour._stationary import StationaryPoint, check_points, stationary_points
from festina.behaviour._task import PATHWAYS, check_task
from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Run, Start, Task
from festina.core.network import Observables
from festina.methods import Flow, Train


@dataclass(frozen=True, kw_only=True, repr=False)
class DecisionNetwork(Decider):
    """A network that learns to decide, ``TutorExecutor`` or ``Shallow``: how it learns and where it comes to rest.

    Example:
        >>> import festina as fs
        >>> isinstance(fs.behaviour.Shallow(), fs.behaviour.DecisionNetwork)
        True
    """

    @property
    def observables(self) -> Observables:
        """Observables by name: ``loss`` (½⟨δ_tot²⟩ over trials and choices), ``accuracy``, ``curve`` (P(right) per
        contrast), ``bias``, ``left_slope``, ``right_slope``, ``map`` (W diag(w)) and ``weights``.
        """
        return Observed(self)

    def velocity(self, task: Task) -> Callable[[Pair], Pair]:
        """The expected update per unit of trials × rate, before negative weights are set to zero."""
        known = check_task(task)
        return lambda weights: velocity(self, known, *weights)

    def stationary_points(self, task: Task, *, moving_weights: bool = False) -> tuple[StationaryPoint, ...]:
        """All stationary points of the expected dynamics with non-negative weights, from few active pathways to many.

        At a stationary point an active pathway has w_i > 0. The wrong action of a stimulus has value 0 (its expected
        update is −⟨P Q x⟩ ≤ 0), and the expected errors of the others vanish. An inactive pathway has zero weights. Its
        escape rate is √(Σ_a c_a e_a) over actions with e_a > 0, where c_a = ⟨P(a) δ_tot x_i⟩ drives its tutor and e_a
        its executor. Depth makes it a saddle: without the product the update at zero would not vanish. With the
        gradient rule each of the eight sets of pathways has a point. With three partial errors a
        stimulus pathway and the constant pathway cannot both be at rest: the executor keeps growing while the tutor
        shrinks.

        Args:
            task: a ``DecisionTask``.
            moving_weights: for such sets, also give the maps that come to rest while the weights move. There the
                tutor's error vanishes and the executor grows without turning. Weights are those of one moment.

        Returns:
            The points, sorted by number of pathways and then by loss.

        Raises:
            ValueError: a task of another kind.

        Example:
            >>> import festina as fs
            >>> points = fs.behaviour.TutorExecutor().stationary_points(fs.behaviour.DecisionTask())
            >>> [point.name for point in points]
            ['none', 'constant', 'left', 'right', 'left + right']
            >>> all(point.saddle for point in points)
            True

        Source: saxe_lecture "Dynamics pass near a hierarchy of saddle points", "Saddle points arise through depth".
        """
        return stationary_points(self, check_task(task), moving_weights=check.flag("moving_weights", moving_weights))

    def saddle_distances(self, trajectory: Trajectory, points: Sequence[StationaryPoint] | None = None) -> np.ndarray:
        """Distance ‖q − q*‖ of a trajectory's map to each stationary point over time: ([seeds,] times, points).

        Args:
            trajectory: a trajectory of a network that decides, observed with ``"map"``.
            points: from ``stationary_points``; None are those of this network on the trajectory's task.

        Raises:
            ValueError: a trajectory of another kind of network or without the map, or no points.

        Example:
            >>> import festina as fs
            >>> task, network = fs.behaviour.DecisionTask(), fs.behaviour.TutorExecutor()
            >>> path = fs.evolve(network, task, [0.0, 31.2], method=fs.Flow(), observe="map")
            >>> path.saddle_distances().shape
            (2, 5)
        """
        check.instance("trajectory", trajectory, Trajectory, "a trajectory of fs.evolve")
        needed = "fs.behaviour.TutorExecutor(...) or fs.behaviour.Shallow(...)"
        check.instance("trajectory.network", trajectory.network, DecisionNetwork, needed)
        if "map" not in trajectory.values:
            raise ValueError("trajectory did not observe map; use fs.evolve(..., observe=('map',)).")
        if points is None:
            points = self.stationary_points(trajectory.task)  # pyright: ignore[reportArgumentType]
        maps = np.stack([point.map for point in check_points(points)])
        return np.linalg.norm(trajectory["map"][..., None, :, :] - maps, axis=(-2, -1))

    def train(self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Train) -> Run:
        """Agents that learn trial by trial, one per seed."""
        return play(self, check_task(task), times, starts, observe, method)

    def flow(self, task: Task, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Flow) -> Run:
        """Their expected dynamics."""
        return integrate(self, check_task(task), times, starts, observe, method)


@dataclass(frozen=True, kw_only=True, repr=False)
class TutorExecutor(DecisionNetwork):
    """The deep network that learns to decide: two layers in series, taught by partial prediction errors.

    Q_tot = W diag(w) x with x = (left, right, 1); Q_stim leaves out the constant input, Q_const is the constant
    alone. P(right) = σ(β(Q_tot,right − Q_tot,left)). After a trial the chosen action ch learns

        δ_tot   = Rew − Q_tot:    Δw_i        = η δ_tot W[ch, i] x_i
        δ_stim  = Rew − Q_stim:   ΔW[ch, i]   = η δ_stim w_i x_i      (i = left, right)
        δ_const = Rew − Q_const:  ΔW[ch, b]   = η δ_const w_b

    Negative weights are set to zero. η is the rate of ``fs.Train(rate=η)``, and time is trials × rate.
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
class Shallow(DecisionNetwork):
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
