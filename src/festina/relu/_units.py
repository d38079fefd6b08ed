"""The theory of ReLU networks: units that grow alone, part, and learn jointly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Assumption, AssumptionError, Solution, Start, Task, Theory
from festina.core.assumption import both_sides, farthest, no_tie
from festina.core.network import read_off
from festina.relu._layer import Layers
from festina.relu._reduce import EARLY, FAINT, Grown, Learned, grow, learn
from festina.solvers.stepper import Stepper

if TYPE_CHECKING:
    from festina.relu._network import ReLU


KEEP = 1 << 26
"""Numbers (512 MB) up to which the weights at all times are kept; above, they are computed again when asked for."""


@dataclass(frozen=True, eq=False)
class DeepSolved:
    """One seed's solution: all layers integrated jointly from the start, with steps as long as accuracy allows.

    While all weights are small the flow of D layers is homogeneous of degree D − 1. On a plateau products of small
    weights grow slowly while what has been learned relaxes fast. Both take few stabilised steps.
    """

    network: Any
    task: Task
    start: Start
    times: np.ndarray
    accuracy: float
    coarser: float

    @cached_property
    def _weights(self) -> list[np.ndarray]:
        return [np.asarray(w, float) for w in self.start.weights]

    @cached_property
    def _layers(self) -> Layers:
        shapes = tuple(w.shape for w in self._weights)
        return Layers(self.network.inputs(self.task), self.task.y, shapes, self.network.bias)

    def _states(self, solver: Stepper) -> Iterator[np.ndarray]:
        return solver.run(np.concatenate([w.ravel() for w in self._weights]), self.times)

    def _loss(self, state: np.ndarray) -> float:
        return float(np.sum((self.task.y - self._layers.outputs(state)) ** 2)) / (2 * len(self.task.x))

    @cached_property
    def _followed(self) -> tuple[np.ndarray, list[np.ndarray], Stepper]:
        solver, loss, kept = self._layers.stepper(self.accuracy), [], []
        keep = len(self.times) * sum(w.size for w in self._weights) <= KEEP
        for state in self._states(solver):
            loss.append(self._loss(state))
            if keep:
                kept.append(state)
        return np.array(loss), kept, solver

    def path(self) -> Iterator[tuple[np.ndarray, ...]]:
        """All layers at each time."""
        kept = self._followed[1]
        for state in kept or self._states(self._layers.stepper(self.accuracy)):
            yield tuple(self._layers.split(state))

    def error(self) -> np.ndarray:
        """How far a run is off whose steps may err by a larger factor."""
        rough = self._layers.stepper(min(self.coarser * self.accuracy, 0.1))
        return self._followed[0] - np.array([self._loss(state) for state in self._states(rough)])

    @property
    def solution(self) -> Solution:
        """Loss, every observable of the network, and how much was integrated."""
        loss, _, solver = self._followed
        units = sum(self.network.hidden)
        notes = {
            "units": units, "integrated": units, "integration_steps": solver.steps, "evaluations": solver.evaluations,
            "training_is_cheaper_below_steps": solver.evaluations,
        }  # fmt: skip
        observables = read_off(self.network, self.task, self.path) | {"loss": lambda: loss}
        return Solution(observables, notes=notes, error=self.error, path=lambda: list(self.path()))


COARSER = 4.0
"""The error is estimated from runs whose steps may err by this factor more, with a half and a quarter of the merged
units."""

CARRY = 0.99
"""Units are active that carry this share of the summed contributions ‖a‖‖activity‖, largest first."""

FAR = 2**40
"""Seeds of expected starts count from here, so that no network of a small seed is its own prediction."""


@dataclass(frozen=True, repr=False)
class UnitGrowth(Theory):
    """A ReLU layer as units: each grows alone while it is faint, then they learn jointly, from the seed's own weights.

    A unit with input weights w and output weights a sees the residual r = y − ŷ only where it is on:

        du/dt = [[0, Rᵀ], [R, 0]] u,   u = [w; a],   R = ⟨g r xᵀ⟩,   g = 1 where w·x > 0

    1. While outputs are small the residual is constant and units do not meet. Between gate changes u(t) is given by the
       singular vectors of R, and the times of gate changes are roots: no small steps. This is done while units are
       faint, and until they begin to matter where they will be merged; later the joint steps cost less than the roots.
    2. Units that are off everywhere stay as they are. With ``units`` set, units with equal gates and nearly equal
       directions are then merged. Σ u uᵀ of each gating pattern is conserved, because a group of units with fixed gates
       is determined by its second moments. This is wrong only where merged units would have parted later.
    3. The remaining units are integrated with steps as long as ``accuracy`` allows.

    With more hidden layers small units of different layers multiply each other, so that no unit grows alone. All units
    are then integrated from the start; steps are as long as ``accuracy`` allows, on plateaus hundreds of times those of
    gradient descent. ``units``, ``draws`` and ``rate`` need one hidden layer.

    Training with a finite step η is not gradient flow, but up to η² it is the flow v − (η/2) v'v with v that of the
    loss. With ``rate`` this flow is followed, at twice the cost; no unit then grows alone.

    With a smaller ``accuracy`` and more ``units`` the solution converges to gradient flow. The trajectory's ``error``
    is the difference from runs with coarser settings and slightly different starts. It is large if the start lies
    between two attractors, so that the finite step of training may decide. ``notes`` say how many units were
    integrated, and below how many steps of gradient descent training the network would be cheaper.

    Args:
        accuracy: relative error of a step, and a tenth of the relative size of outputs at which units are merged.
        units: about how many units to integrate; None integrates every unit that is on somewhere.
        draws: None takes the seed's own weights. A number takes the expected start instead: the units of that many
            networks, scaled down so that together they are as strong as those of one network.
        rate: step size η of the gradient descent that is predicted; None is gradient flow.

    Raises:
        ValueError: a setting that is not allowed.
        AssumptionError: ``units``, ``draws`` or ``rate`` with more than one hidden layer.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.ReLU(hidden=(64,), initial=fs.initial.Gaussian(1e-3))
        >>> task, times = fs.tasks.extended_xor(1.0), np.linspace(0, 40, 81)
        >>> theory = fs.evolve(network, task, times, method=fs.Reduced(fs.relu.UnitGrowth(units=16)))
        >>> trained = fs.evolve(network, task, times, method=fs.Train(rate=0.02))
        >>> bool(fs.compare(theory, trained).area < 0.03), theory.notes["integrated"] < 20
        (True, True)

    Source: maennel2018, boursier2025 (units that grow alone); kunin2025 (alternating growth and learning); jarvis2025
    section 4 (gates).
    """

    accuracy: float = 1e-3
    units: int | None = None
    draws: int | None = None
    rate: float | None = None

    name: ClassVar[str] = "growing units"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("maennel2018", "boursier2025", "kunin2025", "jarvis2025")

    def __post_init__(self) -> None:
        if not check.positive("accuracy", self.accuracy) < 0.1:
            raise ValueError(f"accuracy is {self.accuracy}; a relative error below 0.1 is needed, such as 1e-3.")
        for name in ("units", "draws"):
            if getattr(self, name) is not None:
                check.whole(name, getattr(self, name))
        if self.rate is not None:
            check.positive("rate", self.rate)
            if self.units is not None:
                raise ValueError(
                    f"units is {self.units} and rate is {self.rate:g}; units are merged after they have grown alone, "
                    "which they do in gradient flow only: give one of the two."
                )

    def assumptions(self, network: ReLU, task: Task, start: Start) -> tuple[Assumption, ...]:
        """``units``, ``draws`` and ``rate`` need one hidden layer; nothing else is assumed about data, depth, width or
        scale."""
        if self.units is None and self.draws is None and self.rate is None:
            return ()
        statement = "units are merged or drawn, and steps finite, in one hidden layer only"
        return (Assumption("one hidden layer", statement, float(len(network.hidden)), 1.0, quantity="hidden layers"),)

    def solve(self, network: ReLU, task: Task, start: Start, times: Times) -> Solution:
        """Follow the units of one seed; every observable of the network is read off their weights."""
        failing = [a for a in self.assumptions(network, task, start) if not a.holds]
        if failing:
            raise AssumptionError(
                [(self.name, failing[0])],
                "Use fs.Reduced(), which integrates all units of the seed, fs.Flow() or fs.Train(rate=...).",
            )
        if not np.all(np.isfinite(times)):
            raise ValueError("times is None (t → ∞), which this theory does not solve for; give times.")
        if len(network.hidden) > 1:
            return DeepSolved(network, task, start, np.asarray(times, float), self.accuracy, COARSER).solution
        return _Solved(self, network, task, start, np.asarray(times, float)).solution


@dataclass(frozen=True, eq=False)
class _Solved:
    """One seed's solution, computed where it is asked for."""

    theory: UnitGrowth
    network: Any
    task: Task
    start: Start
    times: np.ndarray

    @cached_property
    def initial(self) -> tuple[np.ndarray, np.ndarray]:
        """Layers of the seed's own start, or of the expected one."""
        if self.theory.draws is None:
            first, second = self.start.weights
            return np.asarray(first, float), np.asarray(second, float)
        count = self.theory.draws
        drawn = [self.network.start(self.task, FAR + self.start.seed * count + k) for k in range(count)]
        first = np.concatenate([one[0] for one in drawn]) / np.sqrt(count)
        second = np.concatenate([one[1][:, : one[0].shape[0]] for one in drawn], axis=1) / np.sqrt(count)
        if self.network.bias:
            second = np.column_stack([second, np.mean([one[1][:, -1] for one in drawn], axis=0)])
        return first, second

    @cached_property
    def grown(self) -> Grown:
        return self._grow(*self.initial)

    def _grow(self, first: np.ndarray, second: np.ndarray) -> Grown:
        a, bias = (second[:, :-1].T, second[:, -1]) if self.network.bias else (second.T, None)
        x = self.network.inputs(self.task)
        accuracy, rate = self.theory.accuracy, self.theory.rate or 0.0
        early = FAINT if self.theory.units is None else EARLY * accuracy
        given = first, a, x, self.task.y, self.times, accuracy, bias, rate, early
        key = _key(*given)
        found = _recent.get(key)
        if found is None:
            found = grow(*given)
            _recent.clear()
            _recent[key] = found
        return found

    @cached_property
    def learned(self) -> Learned:
        return learn(self.grown, self.theory.accuracy, self.theory.units)

    @cached_property
    def path(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Both layers at each time."""
        found = []
        for i in range(len(self.times)):
            w, a, bias = self.learned.weights(i)
            found.append((w, np.column_stack([a.T, bias]) if self.network.bias else np.ascontiguousarray(a.T)))
        return found

    def error(self) -> np.ndarray:
        """How far coarser runs and runs from nearby are off, the farthest of them.

        Coarser runs err several times as much as the solution. Nearby starts differ by the relative size at which units
        begin to be integrated, about that of the effect of a finite step. If the start lies between two attractors,
        some of them reach the other one.
        """
        accuracy, units = min(COARSER * self.theory.accuracy, 0.1), self.theory.units
        fewer = [None] if units is None else [max(1, units // 2), max(1, units // 4)]
        others = [learn(self.grown, accuracy, count) for count in fewer]
        return farthest(self.learned.loss, [other.loss for other in [*others, *self.nearby]])

    @cached_property
    def nearby(self) -> list[Learned]:
        """The same from two starts on opposite sides, to see whether a small difference decides."""
        starts = both_sides(EARLY * self.theory.accuracy, *self.initial)
        return [learn(self._grow(*start), self.theory.accuracy, self.theory.units) for start in starts]

    def conditions(self) -> tuple[Assumption, ...]:
        """Whether starts nearby learn the same."""
        own, *others = (self.outputs(one) for one in [self.learned, *self.nearby])
        return (no_tie(own, others, self.task.y, self.times, EARLY * self.theory.accuracy),)

    def outputs(self, learned: Learned) -> np.ndarray:
        """(times, points, outputs)."""
        x = self.network.inputs(self.task)
        at = (learned.weights(i) for i in range(len(self.times)))
        return np.array([np.maximum(x @ w.T, 0.0) @ a + bias for w, a, bias in at])

    def contributions(self) -> np.ndarray:
        """‖a‖‖activity‖ of every unit, (times, units)."""
        x = self.network.inputs(self.task)
        width = self.initial[0].shape[0]
        return np.array(
            [
                np.linalg.norm(np.maximum(first @ x.T, 0.0), axis=1) * np.linalg.norm(second[:, :width], axis=0)
                for first, second in self.path
            ]
        )

    def active(self) -> np.ndarray:
        """How many units carry 99 % of the summed contributions, at each time."""
        ordered = np.sort(self.contributions(), axis=1)[:, ::-1].cumsum(axis=1)
        return (ordered < CARRY * ordered[:, -1:]).sum(axis=1) + (ordered[:, -1] > 0)

    @property
    def solution(self) -> Solution:
        learned, grown, width = self.learned, self.grown, self.initial[0].shape[0]
        passes = learned.evaluations * (2 if self.theory.rate else 1)
        notes = {
            "units": width,
            "integrated": learned.integrated,
            "alone_until": float(grown.now * grown.scaled.time),
            "gate_changes_alone": grown.gate_changes,
            "integration_steps": learned.steps,
            "evaluations": passes,
            "training_is_cheaper_below_steps": int(np.ceil(passes * learned.integrated / max(width, 1))),
        }
        observables = read_off(self.network, self.task, lambda: self.path)
        observables |= {"loss": lambda: learned.loss, "active_units": self.active, "contributions": self.contributions}
        return Solution(observables, notes=notes, error=self.error, conditions=self.conditions, path=lambda: self.path)


_recent: dict[tuple[object, ...], Grown] = {}
"""The last grown units, cached because they are requested again to merge them to other numbers of units."""


def _key(*given: object) -> tuple[object, ...]:
    return tuple((one.shape, one.tobytes()) if isinstance(one, np.ndarray) else one for one in given)
