"""The race reduction of a deep linear network: each mode alone, from the actual initial weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Weights
from festina.core import Assumption, Layered, Network, Solution, Start, Task, Theory
from festina.linear._decoupled import find_chain, measured_chain, solve_chain, solve_layer
from festina.linear._modes import centred, commuting, decoupled, loss_of, observe
from festina.methods import loss_error
from festina.modes import mode
from festina.modes.chain import EXACT_BOUND, Chain
from festina.solvers.ode import integrate

TOLERANCE = 1e-10
"""Relative tolerance of the reduced equations where they have no closed form."""

LARGEST_STEP = 0.5
"""Largest η·s up to which the finite-step correction is offered: there it is off by about a tenth of the first loss."""


@dataclass(frozen=True, repr=False)
class IndependentModes(Theory):
    """Strengths of all modes, each as if it were alone, from the seed's own weights.

    In two layers the strength is ρ − κ: ρ = ‖½(W1v + W2ᵀu)‖² grows and κ = ‖½(W1v − W2ᵀu)‖² decays, both in closed
    form. From three layers on db_l/dt = Π_{m≠l} b_m (s − d Π b) is integrated. The error is estimated against the flow
    itself, integrated at low accuracy.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(32,), initial=fs.initial.Gaussian(1e-2))
        >>> run = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 60, 61), method=fs.Reduced())
        >>> run.relative_error < 0.02
        True

    Source: saxe2014; saxe2019 (initial strengths); saxe2022 (race).
    """

    name: ClassVar[str] = "independent modes"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "saxe2019", "saxe2022")

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Commuting correlations, aligned weights, layers as wide as there are modes."""
        chain = measured_chain(network, task, start)
        missing = max(task.statistics.rank - min(network.hidden, default=task.statistics.rank), 0)
        return (
            commuting(task.statistics, EXACT_BOUND),
            *decoupled(chain, EXACT_BOUND, balanced=False),
            Assumption(
                "width",
                "hidden layers are as wide as the task has modes",
                float(missing),
                0.0,
                quantity="missing units",
            ),
            *centred(network, task, start),
        )

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """Strengths of every mode at the times."""
        statistics = task.statistics
        chain = measured_chain(network, task, start)
        s, d = statistics.strengths, statistics.curvatures
        if chain.depth == 1:
            strengths = mode.strength(times[:, None], s, d, chain.strengths, 1)
            layers = strengths[:, None, :]
        elif chain.depth == 2:
            first, second = network.without_bias(start.weights)
            growing, decaying = mode.parts(first, second, statistics.left, statistics.right)
            rho, kappa = mode.grow(times[:, None], s, d, growing, decaying)
            strengths, layers = rho - kappa, np.stack([rho, kappa], axis=1)
        else:
            layers = _integrate(chain, s, d, times)
            strengths = np.prod(layers, axis=1)
        width = min(network.hidden, default=statistics.rank)
        # a narrow layer cannot carry every mode: the strongest win the race (jarvis2025 App. A.1)
        strengths = np.where(np.arange(statistics.rank) < width, strengths, 0.0)
        return Solution(
            observe(strengths, task),
            error=lambda: loss_error(
                network, task, start, times, loss_of(strengths, statistics), least=statistics.floor
            ),
            quick=True,
            path=lambda: _lift(network, task, start, chain, layers),
        )


def _lift(network: Layered, task: Task, start: Start, chain: Chain, layers: np.ndarray) -> list[Weights]:
    """Weights in which every mode has moved as predicted and everything else has stayed: (times) tuples."""
    weights = network.without_bias(start.weights)
    u, v = task.statistics.left, task.statistics.right
    if chain.depth == 2:
        p, q = weights[0] @ v, weights[1].T @ u
        grows, decays = (p + q) / 2, (p - q) / 2

        def scaled(part: np.ndarray, to: np.ndarray) -> np.ndarray:
            size = np.linalg.norm(part, axis=0)
            return part / np.where(size > 0, size, 1.0) * np.sqrt(to)[:, None, :]

        up, down = scaled(grows, layers[:, 0]), scaled(decays, layers[:, 1])
        moved = (weights[0] + (up + down - p) @ v.T, weights[1] + u @ (up - down - q).swapaxes(-1, -2))
    else:
        moved = tuple(w + c - c0 for w, c, c0 in zip(weights, chain.weights(layers), chain.weights(), strict=True))
    found = []
    for t in range(len(layers)):
        matrices = tuple(m[t] for m in moved)
        if network.bias:
            matrices = tuple(np.column_stack([m, w[:, -1]]) for m, w in zip(matrices, start.weights, strict=True))
        found.append(matrices)
    return found


def _integrate(chain: Chain, s: np.ndarray, d: np.ndarray, times: Times) -> np.ndarray:
    """db_l/dt = Π_{m≠l} b_m (s − d Π b): chains of any depth and balance, by SciPy; (times, depth, modes)."""
    depth, modes = chain.layers.shape
    if modes == 0:
        return np.zeros((len(times), depth, 0))
    if np.all(np.isinf(times)):
        # a mode that is not growing meets zero in its weakest layer: alone that layer goes through, two stay there
        weakest = np.sort(np.abs(chain.layers), axis=0)
        stuck = (chain.strengths <= 0) & np.isclose(weakest[0], weakest[1], rtol=EXACT_BOUND, atol=0.0)
        end = np.where(stuck, 0.0, s / d) ** (1 / depth)
        return np.broadcast_to(end, (len(times), depth, modes)).copy()

    def field(_: float, state: np.ndarray) -> np.ndarray:
        b = state.reshape(depth, modes)
        before = np.cumprod(np.vstack([np.ones(modes), b[:-1]]), axis=0)
        after = np.cumprod(np.vstack([np.ones(modes), b[:0:-1]]), axis=0)[::-1]
        return (before * after * (s - d * before[-1] * b[-1])).ravel()

    atol = TOLERANCE * float(np.abs(chain.layers).max()) * 1e-3
    return integrate(field, chain.layers.ravel(), times, TOLERANCE, atol).reshape(-1, depth, modes)


@dataclass(frozen=True, repr=False)
class FiniteStep(Theory):
    """Gradient descent with a finite step: the decoupled solution with each mode's time stretched.

    In the growth phase a step multiplies a mode of two layers by (1 + ηs)² where the flow gives e^{2ηs}, so that t
    becomes t·ln(1 + ηs)/(ηs). It is an approximation: later steps do not follow that factor. Its error is measured
    against the recursion of each mode, u ← u(1 + η(s − du))². One layer approaches its end by (1 − ηd) a step, exactly.

    Args:
        rate: step size η of the descent.

    Raises:
        ValueError: ηs above 0.5 (two layers), ηd of 1 and more (one layer), or more than two layers.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3)), fs.tasks.hierarchy(levels=2)
        >>> times = np.linspace(0, 40, 41)
        >>> training = fs.evolve(network, task, times, method=fs.Train(rate=0.2))
        >>> flow = fs.compare(fs.evolve(network, task, times), training).area
        >>> finite = fs.evolve(network, task, times, method=fs.Reduced(fs.linear.FiniteStep(0.2)))
        >>> step = fs.compare(finite, training).area
        >>> step < flow / 2
        True

    Source: saxe2014 (discrete time); section on the finite step in docs/theory/linear.md.
    """

    rate: float

    name: ClassVar[str] = "decoupled modes, finite step"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("saxe2014",)

    def __post_init__(self) -> None:
        check.positive("rate", self.rate)

    def suits(self, network: Network) -> bool:
        """Linear layers; of more than two there is no correction."""
        return IndependentModes().suits(network)

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Those of decoupled modes, and a step that is small compared with the fastest mode."""
        largest = float(task.statistics.strengths.max(initial=0.0)) * self.rate
        chain = find_chain(network, task, start)
        return (
            commuting(task.statistics, EXACT_BOUND),
            *decoupled(chain, EXACT_BOUND, balanced=True),
            Assumption("small step", "η s of the fastest mode is small", largest, LARGEST_STEP),
        )

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """The decoupled solution at stretched times."""
        statistics, s = task.statistics, task.statistics.strengths
        if network.layers == 1:
            return self._one_layer(network, task, start, times)
        if network.layers != 2:
            raise ValueError(
                f"rate={self.rate:g} with {network.layers:g} layers: the finite-step correction is for one or two "
                "layers; use method=fs.Train(rate=...)."
            )
        if self.rate * s.max(initial=0.0) > LARGEST_STEP:
            raise ValueError(
                f"rate is {self.rate:g}, which makes η·s = {self.rate * s.max():.2g} of the fastest mode; the "
                f"correction is offered up to {LARGEST_STEP:g}: use method=fs.Train(rate={self.rate:g})."
            )
        found = solve_chain(network, task, start, times, finite_step(times[:, None], s, self.rate))
        loss = found.observables["loss"]

        def error() -> np.ndarray:
            chain = find_chain(network, task, start)
            exact = mode.descend(
                np.rint(times / self.rate).astype(int), s, statistics.curvatures, chain.strengths, self.rate
            )
            return loss() - loss_of(exact, statistics)

        return Solution(found.observables, error=error, path=found.path)

    def _one_layer(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """One layer approaches its end by (1 − ηd) a step, exactly."""
        largest = float(np.linalg.norm(network.inputs(task), 2)) ** 2 / len(task.x)
        if self.rate * largest >= 1:
            raise ValueError(f"rate is {self.rate:g}; one layer needs rate < {1 / largest:.4g}, or it overshoots.")
        steps = times[:, None] / self.rate
        found = solve_layer(network, task, start, times, lambda d: -np.expm1(steps * np.log1p(-self.rate * d)))
        return replace(found, error=lambda: np.zeros(len(times)))


def finite_step(times: np.ndarray | float, s: np.ndarray | float, rate: float) -> np.ndarray:
    """Flow times per mode that make two layers' closed form grow as gradient descent with step ``rate`` does."""
    return np.asarray(times * np.log1p(rate * s) / (rate * s))
