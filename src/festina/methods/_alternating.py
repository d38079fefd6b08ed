"""Stages of any network of units: dormant ones follow their utility in the residual, active ones explain the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Tree
from festina.core import Assumption, AssumptionError, Solution, Start, Task, Theory
from festina.core.assumption import both_sides, farthest, no_tie
from festina.core.network import Network, read_off, task_context
from festina.core.units import ADDITIVE, lay_out
from festina.methods._lazy import Lazy
from festina.runtime.device import in_double

SMALL = 0.1
"""Share of the first residual up to which outputs count as small at the start."""

JOINED = 0.05
"""A unit is active where it contributes this share of the largest targets that any output has (root mean square)."""

COARSE = 0.01
"""Relative error of a step where only the area between loss curves is asked for."""

FINER = 10.0
"""The error is the difference from a run whose steps may err by this factor less."""


@dataclass(frozen=True, repr=False)
class AlternatingFlow(Theory):
    """The stages in which a network of units learns from small weights, from the seed's own weights.

    The outputs are a sum over units of one kind, f(x) = Σ φ(x; θ): hidden units with any activation, convolution
    kernels, attention heads. The network says how its weights divide into units (``Network.units``); all else follows
    from its forward pass. With the residual r = −N ∂L/∂f a unit has the utility U(θ; r) = ⟨φ(x; θ)·r(x)⟩, and every
    unit, large or small, climbs its utility: dθ/dt = ∇U. By length and direction θ = ‖θ‖ θ̄ this is

        d ln‖θ‖/dt = θ̄·∇U/‖θ‖,   dθ̄/dt = (1 − θ̄θ̄ᵀ) ∇U/‖θ‖

    While units are dormant the residual is constant, so directions become constant too. Lengths follow a law that long
    steps reproduce: exponential growth for φ of degree 2 (a·relu(w·x)), a pole for higher degrees. The first unit to
    matter changes the residual; active units go to rest, and the next wait begins. All units are followed all the time,
    dormant ones while others are active too, since their order may change then. Steps are stabilised
    (``solvers.chebyshev``), so that units that rest do not limit them.

    ``notes["degree"]`` is the degree κ of φ at the start, found by doubling the weights; the wait for a stage grows as
    ln(1/scale) for κ = 2 and as scale^(2−κ) for κ > 2. The trajectory's ``error`` is the difference from a run with
    finer steps and from starts nearby.

    Args:
        accuracy: relative error of a step, in lengths and directions of the units.

    Raises:
        ValueError: an accuracy that is not allowed, or units that do not fit the weights.
        AssumptionError: outputs that are not a sum over the units, as in deep networks.

    Example:
        >>> import jax.numpy as jnp, numpy as np, festina as fs
        >>> def quadratic(weights, x):
        ...     return (x @ weights["in"]) ** 2 @ weights["out"]
        >>> class Mine(fs.Network):
        ...     predict = property(lambda self: quadratic)
        ...     def start(self, task, seed):
        ...         draw = np.random.default_rng(seed).normal
        ...         return {"in": draw(size=(3, 20), scale=1e-2), "out": draw(size=(20, 1), scale=1e-2)}
        ...     def units(self, weights):
        ...         return {"in": 1, "out": 0}
        >>> x = np.random.default_rng(1).normal(size=(100, 3))
        >>> task = fs.Task(x, x[:, :1] ** 2 - 0.5 * x[:, 1:2] ** 2)
        >>> run = fs.evolve(Mine(), task, np.linspace(0, 150, 301), method=fs.Reduced())
        >>> run.notes["theory"], round(run.notes["degree"], 3), len(run.stages())
        ('stages of units', 3.0, 2)

    Source: kunin2025, zhang2026.
    """

    accuracy: float = 1e-3

    name: ClassVar[str] = "stages of units"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("kunin2025", "zhang2026")
    losses: ClassVar[tuple[str, ...] | None] = None

    def __post_init__(self) -> None:
        if not check.positive("accuracy", self.accuracy) < 0.1:
            raise ValueError(f"accuracy is {self.accuracy}; a relative error below 0.1 is needed, such as 1e-3.")

    def coarse(self) -> AlternatingFlow:
        """With errors of a step up to a hundredth: a third of the slopes, for an area within a few thousandths."""
        return replace(self, accuracy=max(self.accuracy, COARSE))

    def suits(self, network: Network) -> bool:
        return network.has_units

    def assumptions(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Outputs are a sum over units, and small at the start."""
        axes = network.units(start.weights)
        statement = "outputs are a sum over the units that network.units(weights) names"
        if axes is None:
            none = "network.units(weights) names no units"
            return (Assumption("sum over units", statement, 1.0, ADDITIVE, otherwise=none, needed=True),)
        away, outputs, wanted, _ = start.recall("units", lambda: _measure(network, task, start.weights, axes))
        return (
            Assumption("sum over units", statement, away, ADDITIVE, quantity="relative difference", needed=True),
            Assumption("small units", "the units start small", outputs / wanted if wanted else 0.0, SMALL,
                       quantity="size of their outputs over that of the first residual"),
        )  # fmt: skip

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """Follow the units of one seed; every observable of the network is read off their weights."""
        failing = [a for a in self.assumptions(network, task, start)[:1] if not a.holds]
        if failing:
            raise AssumptionError(
                [(self.name, failing[0])],
                "In deep networks units of different layers multiply each other; fixed layers may come before the "
                "units, or after them if they are linear. Use fs.Flow() or fs.Train(rate=...), which assume nothing.",
                "reduction",
            )
        if not np.all(np.isfinite(times)):
            raise ValueError("times is None (t → ∞), which this theory does not solve for; give times.")
        return _Solved(self, network, task, start, np.asarray(times, float)).solution

    def first_stage(
        self, network: Network, task: Task, times: object, *, units: int | None = None, share: float = 0.05,
        seeds: int = 20, quantiles: object = (0.05, 0.5, 0.95),
    ) -> np.ndarray:  # fmt: skip
        """When the first stage begins, without a seed: quantiles over all weights that the network may start from.

        Small units do not see each other, so each learns the first residual alone, and a network begins to learn when
        its most useful units have grown. A pool of units is followed once; networks are then put together from its
        units, of any number. For units of degree above 2 the first unit decides, so that the time t is exceeded with
        the probability (1 − F(t))^H for H units, where F is that of one unit. Units of degree 2 grow together.

        Args:
            network: says how its weights divide into units; what all units share does not learn here.
            task: what it learns.
            times: flow times between which the stage begins; the last is later than the stage of most networks.
            units: the number of units of the network; None is its own.
            share: the share of the loss, at which the stage counts as begun.
            seeds: starts whose units make the pool. Low quantiles need many, since the best unit decides.
            quantiles: probabilities.

        Returns:
            Times, one for each quantile; ``inf`` where that is after the last of ``times``.

        Example:
            >>> import numpy as np, festina as fs
            >>> network, task = fs.ReLU((30,), initial=fs.initial.Gaussian(1e-6)), fs.tasks.living_things(4)
            >>> theory, times = fs.methods.AlternatingFlow(), np.linspace(0, 40, 201)
            >>> few, many = (theory.first_stage(network, task, times, units=units) for units in (3, 300))
            >>> bool(np.all(np.diff(few) > 0) and np.all(many < few))
            True

        Source: kunin2025; the distribution is ours.
        """
        from festina.methods._first_stage import first_stage

        failing = [a for a in self.assumptions(network, task, Start(network, task))[:1] if not a.holds]
        if failing:
            raise AssumptionError([(self.name, failing[0])], "Use fs.evolve(..., seeds=...).", "reduction")
        count = units if units is None else check.whole("units", units)
        at = np.array([check.share("quantiles", q) for q in check.listing("quantiles", quantiles, "probabilities")])
        if not 0 < check.share("share", share) < 1:
            raise ValueError(f"share is {share}; a number between 0 and 1 is needed, such as 0.05.")
        pool = check.whole("seeds", seeds)
        found = first_stage(network, task, check.times(times), count, share, pool, self.accuracy)
        return np.quantile(found, at, method="nearest")


def theories_of(network: Network, start: Start | None = None) -> tuple[Theory, ...]:
    """The theories that a network lists, their stages where it says what its units are, and the lazy limit."""
    found = network.theories
    divided = network.has_units and (start is None or network.units(start.weights) is not None)
    for suits, theory in ((divided, AlternatingFlow()), (Lazy().suits(network), Lazy())):
        if suits and not any(isinstance(listed, type(theory)) for listed in network.theories):
            found = (*found, theory)
    return found


def _measure(network: Network, task: Task, weights: Tree, axes: Tree) -> tuple[float, float, float, float]:
    """How far outputs are from a sum over units, their size, that of the residual, and the degree of the units."""
    from festina.methods._unit_flow import contributions

    layout = lay_out(weights, axes)
    units, shared = layout.split(weights)
    with in_double():
        data = task_context(network, task)["data"]

        def outputs(units: np.ndarray, shared: Tree) -> np.ndarray:
            return np.asarray(network.predict(layout.join(units, shared), data.x))

        def parts(units: np.ndarray, shared: Tree) -> np.ndarray:
            return np.asarray(contributions(network.predict, layout, units, shared, data.x))

        draw = np.random.default_rng(0).standard_normal
        some, other = draw(units.shape), tuple(draw(np.shape(w)) for w in shared)
        whole = outputs(some, other) - outputs(0 * some, other)
        away = np.linalg.norm(whole - parts(some, shared).sum(axis=0)) / max(np.linalg.norm(whole), 1e-300)
        own = parts(units, shared)
        nothing = outputs(0 * units, shared)
        first = np.asarray(task.loss.residual(nothing, np.asarray(data.y)))
        grown = np.linalg.norm(parts(2 * units, shared)) / max(np.linalg.norm(own), 1e-300)
    return (
        float(away), float(np.linalg.norm(own.sum(axis=0))), float(np.linalg.norm(first)),
        float(np.log2(grown)) if grown > 0 else float("nan"),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Solved:
    """One seed's solution, computed where it is asked for."""

    theory: AlternatingFlow
    network: Network
    task: Task
    start: Start
    times: np.ndarray

    @cached_property
    def data(self) -> Any:
        import jax

        return jax.tree.map(np.asarray, task_context(self.network, self.task)["data"])

    @cached_property
    def layout(self) -> Any:
        return lay_out(self.start.weights, self.network.units(self.start.weights))

    @cached_property
    def initial(self) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Units and shared arrays of the own start."""
        return self.layout.split(self.start.weights)

    def follow(self, accuracy: float, units: np.ndarray) -> Any:
        """Units (times, units, numbers), shared arrays, losses and steps, from those units."""
        from festina.methods._unit_flow import each, follow

        with in_double():
            units, shared, counts = follow(
                self.network.loss, self.layout, units, self.initial[1], self.data, self.times, accuracy
            )
            loss = np.asarray(each(self.network.loss, self.layout, units, shared, self.data, None))
        return units, shared, loss, counts

    @cached_property
    def found(self) -> Any:
        return self.follow(self.theory.accuracy, self.initial[0])

    @cached_property
    def path(self) -> list[Any]:
        """The weights at each time."""
        units, shared = self.found[:2]
        return [self.layout.join(units[k], [w[k] for w in shared]) for k in range(len(self.times))]

    @cached_property
    def nearby(self) -> list[Any]:
        """The same from two starts whose weights differ by the accuracy."""
        accuracy = self.theory.accuracy
        return [self.follow(accuracy, *moved) for moved in both_sides(accuracy, self.initial[0])]

    def error(self) -> np.ndarray:
        """How far a finer run and runs from nearby are off, the farthest of them."""
        others = [self.follow(self.theory.accuracy / FINER, self.initial[0]), *self.nearby]
        return farthest(self.found[2], [other[2] for other in others])

    def conditions(self) -> tuple[Assumption, ...]:
        """Whether starts nearby learn the same, which they do not where a tie decides which unit comes first."""
        others = [self.outputs(one) for one in self.nearby]
        return (no_tie(self.outputs(), others, self.task.y, self.times, self.theory.accuracy),)

    def outputs(self, found: Any = None) -> np.ndarray:
        from festina.methods._unit_flow import each

        with in_double():
            return np.asarray(each(self.network.predict, self.layout, *(found or self.found)[:2], self.data.x))

    @cached_property
    def contributed(self) -> np.ndarray:
        """Root mean square over data points of what every unit adds to the outputs, (times, units)."""
        from festina.methods._unit_flow import contributions

        with in_double():
            return np.array([
                np.sqrt((np.asarray(
                    contributions(self.network.predict, self.layout, u, tuple(w[k] for w in self.found[1]), self.data.x)
                ) ** 2).sum(axis=-1).mean(axis=-1))
                for k, u in enumerate(self.found[0])
            ])  # fmt: skip

    def active(self) -> np.ndarray:
        """How many units contribute at each time."""
        wanted = np.sqrt((self.task.y**2).sum(axis=1).mean())
        return (self.contributed > JOINED * wanted).sum(axis=1)

    @property
    def solution(self) -> Solution:
        observables = read_off(self.network, self.task, lambda: self.path)
        observables |= {"loss": lambda: self.found[2], "outputs": self.outputs, "active_units": self.active,
                        "contributions": lambda: self.contributed}  # fmt: skip
        notes = {"units": self.found[0].shape[1], "integration_steps": self.found[3][0],
                 "evaluations": self.found[3][1], "degree": self.start.measured["units"][3]}  # fmt: skip
        return Solution(observables, notes=notes, error=self.error, conditions=self.conditions, path=lambda: self.path)
