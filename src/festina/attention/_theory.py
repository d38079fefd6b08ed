"""The theories of linear attention: closed forms where heads are aligned or inputs are white, reductions elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.attention._chains import TOLERANCE, Chains, follow_chains, measure_chains, solve_heads
from festina.attention._map import AttentionObservables, Predict, regression
from festina.attention._race import Win, drop_overlap, map_of, race
from festina.checks.shapes import Array, Times, Weights
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.linear import DeepLinear
from festina.methods import estimated
from festina.modes.chain import EXACT_BOUND
from festina.solvers.ode import integrate
from festina.tasks import InContextRegression

if TYPE_CHECKING:
    from festina.attention._network import LinearAttention

SMALL = 0.02
"""Largest initial size of a head, in units of its final size, at which the race of heads is within 5 % in time."""

APART = 0.5
"""Longest drop, in units of the time to the next one, at which components are learned one after another."""


def _itself(weights: Weights) -> Array:
    """M as its own weights, for observables that need nothing else."""
    return weights[0]


def _observe(network: LinearAttention, task: Task, maps: np.ndarray) -> dict[str, Callable[[], Any]]:
    """Observables of M(t), shape (times, D, D); those of the single weights are not among them."""
    watch = AttentionObservables(Predict(_itself), _itself)(network.context(task))
    seen = {name: see for name, see in watch.items() if name != "weights"}
    return {name: (lambda see=see: np.stack([see((matrix,)) for matrix in maps])) for name, see in seen.items()}


def _diagonal(task: Task, strengths: np.ndarray) -> np.ndarray:
    """M = Σ_d u_d e_d e_dᵀ for strengths (times, D)."""
    basis = regression(task).basis
    return np.einsum("id,td,jd->tij", basis, strengths, basis)


def _estimated(network: LinearAttention, task: Task, start: Start, times: Times, maps: np.ndarray) -> Solution:
    """The observables with an estimate of the loss error."""
    found, least = Solution(_observe(network, task, maps)), task.statistics.floor
    return estimated(found, network, task, start, times, least=least, solver="LSODA")


def _chains(network: LinearAttention, task: Task, start: Start) -> Chains:
    return start.recall("chains", lambda: measure_chains(start.weights, regression(task), network.rank))


@dataclass(frozen=True, repr=False)
class ChainsOfThree(Theory):
    """Rank-one heads on different eigenvectors of Λ, exactly: du/dt = 3 u^{4/3} (s − c u), s = λ², c = λ² B_λ/λ.

    Every component is a chain of three equal layers, value, key and query.

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(1e-3))
        >>> task = fs.tasks.in_context_regression([2.0, 1.0], length=10)
        >>> fs.evolve(network, task, None, observe="strengths").strengths.round(4)
        array([[0.4   , 0.7143]])

    Source: zhang2025 (separate key and query: scalar equations of aligned heads).
    """

    name: ClassVar[str] = "chains of three"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("zhang2025", "saxe2014")

    def assumptions(self, network: LinearAttention, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Each head reads one eigenvector of Λ, no two the same, and its three layers are equally strong."""
        heads = _chains(network, task, start)
        worst = float(-np.prod(heads.layers, axis=0).min(initial=0.0))
        return (
            Assumption("alignment", "every head reads one eigenvector of Λ",
                       heads.alignment, EXACT_BOUND, quantity="relative distance"),
            Assumption("one head each", "no eigenvector is read by two heads",
                       float(heads.shared), 0.0, quantity="heads too many"),
            Assumption("balance", "value, key and query of a head are equally strong", heads.balance, EXACT_BOUND),
            Assumption("sign", "every component starts with strength >= 0", worst, 0.0,
                       quantity="largest negative one"),
        )  # fmt: skip

    def solve(self, network: LinearAttention, task: Task, start: Start, times: Times) -> Solution:
        """Strengths and weights at the times."""
        strengths, weights = solve_heads(_chains(network, task, start), regression(task), times)
        found = _observe(network, task, _diagonal(task, strengths))
        return Solution({**found, "weights": lambda: weights}, path=lambda: list(zip(*weights, strict=True)))


@dataclass(frozen=True, repr=False)
class HeadRace(Theory):
    """Small random heads of rank one: each turns to an eigenvector of Λ while it grows; the first to diverge learns it.

    A head that would diverge at t* learns its component like a chain of three from the effective initial strength (s
    t*)^{−3}. The learned part is removed from the heads that are still small. The order of components, the plateaus and
    the times follow; ``notes["components"]`` and ``notes["times"]`` hold them.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.LinearAttention(heads=4, initial=fs.initial.Gaussian(0.01))
        >>> task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
        >>> race = fs.evolve(network, task, np.linspace(0, 2000, 5), method=fs.Reduced())
        >>> race.notes["components"]
        [0, 1, 2]

    Source: zhang2025 (separate key and query); the time of divergence from a head's own weights is ours.
    """

    name: ClassVar[str] = "race of heads"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("zhang2025",)

    def _wins(self, task: Task, start: Start) -> list[Win]:
        return start.recall("wins", lambda: race(start.weights, regression(task)))

    def assumptions(self, network: LinearAttention, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Heads start small, and a component is learned before the next one begins."""
        final = regression(task).final_strengths
        largest = max(float(np.abs(w).max(initial=0.0)) for w in start.weights)
        size = largest / np.cbrt(final[final > 0].min())
        apart = drop_overlap(self._wins(task, start))
        return (
            Assumption("small start", "heads start small",
                       float(size), SMALL, quantity="largest weight over the smallest final one"),
            Assumption("apart", "a drop is over before the next", apart, APART,
                       quantity="its length over the time to the next"),
        )  # fmt: skip

    def solve(self, network: LinearAttention, task: Task, start: Start, times: Times) -> Solution:
        """M(t) = Σ u_j(t) w_j w_jᵀ over the components that are learned."""
        known, wins = regression(task), self._wins(task, start)
        found = _estimated(network, task, start, times, map_of(wins, known.dimension, times))
        order = [int(np.argmax(np.abs(known.basis.T @ win.direction))) for win in wins]
        notes = {"components": order, "times": [win.reach(0.5) for win in wins], "heads": [win.head for win in wins]}
        return replace(found, notes=notes)


@dataclass(frozen=True, repr=False)
class CoupledChains(Theory):
    """Heads of any rank and balance that read eigenvectors of Λ: dv = Σ_r k g q, dk = v g q, dq = v g k per head.

    g_d = s_d − c_d u_d is what is left of component d, u_d sums over all heads that read it. Exact from aligned heads
    up to the solver's tolerance; from others the part along the eigenvectors is followed.

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(heads=1, rank=2, initial=fs.attention.AlignedHeads(1e-3))
        >>> task = fs.tasks.in_context_regression([2.0, 1.0], length=10)
        >>> fs.evolve(network, task, [0.0, 60.0], method=fs.Reduced(), observe="strengths").strengths[-1].round(4)
        array([0.4   , 0.7143])

    Source: zhang2025 (separate key and query: heads of low rank).
    """

    name: ClassVar[str] = "coupled chains"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("zhang2025",)

    def assumptions(self, network: LinearAttention, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Keys and queries read one eigenvector of Λ each."""
        measured = _chains(network, task, start).alignment
        return (
            Assumption("alignment", "keys and queries read one eigenvector of Λ each",
                       measured, EXACT_BOUND, quantity="relative distance"),
        )  # fmt: skip

    def solve(self, network: LinearAttention, task: Task, start: Start, times: Times) -> Solution:
        """Strengths at the times, by the reduced equations."""
        strengths = follow_chains(_chains(network, task, start), regression(task), times)
        return _estimated(network, task, start, times, _diagonal(task, strengths))


def _two_layers(network: LinearAttention, task: Task, start: Start) -> tuple[DeepLinear, Start]:
    """Merged heads as hidden units of a two-layer network on the cubic features, with the same weights."""
    twin = DeepLinear((network.heads,), initial=network.initial)
    return twin, start.recall("two layers", lambda: Start(twin, task, start.seed, start.carried))


@dataclass(frozen=True, repr=False)
class MergedModes(Theory):
    """Merged heads on white inputs, exactly: a two-layer linear network with one mode, one sigmoidal drop.

    Heads are hidden units on the features vec(b x_qᵀ) with Σyx = vec(Λ²)ᵀ and Σx = B ⊗ Λ, which commute where Λ ∝ 1.

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(heads=2, merged=True, initial=fs.initial.Aligned(1e-3))
        >>> task = fs.tasks.in_context_regression([1.0, 1.0], length=10)
        >>> fs.evolve(network, task, None, observe="strengths").strengths.round(4)
        array([[0.7692, 0.7692]])

    Source: zhang2025 (merged key and query: time course for white inputs).
    """

    name: ClassVar[str] = "merged heads, decoupled"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("zhang2025", "saxe2014")
    inner: ClassVar[str] = "decoupled modes"
    """Name of the theory of two-layer linear networks that solves it."""

    def _theory_of(self, twin: DeepLinear) -> Theory:
        return next(theory for theory in twin.theories if theory.name == self.inner)

    def assumptions(self, network: LinearAttention, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Those of the two-layer network."""
        twin, begin = _two_layers(network, task, start)
        return self._theory_of(twin).assumptions(twin, task, begin)

    def solve(self, network: LinearAttention, task: Task, start: Start, times: Times) -> Solution:
        """The two-layer solution, seen as attention."""
        twin, begin = _two_layers(network, task, start)
        size = regression(task).dimension
        found = self._theory_of(twin).solve(twin, task, begin, times)
        maps = found.observables["map"]().reshape(-1, size, size)
        kept = {"weights": found.observables["weights"]} if "weights" in found.observables else {}
        return Solution({**_observe(network, task, maps), **kept}, path=found.path, end=found.end)


@dataclass(frozen=True, repr=False)
class MergedBalanced(MergedModes):
    """Merged heads on white inputs from λ-balanced weights in any direction, exactly.

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(heads=4, merged=True, initial=fs.initial.Balanced(0.01))
        >>> task = fs.tasks.in_context_regression([1.0, 1.0], length=10)
        >>> fs.evolve(network, task, [0.0, 5.0]).notes["theory"]
        'merged heads, λ-balanced'

    Source: zhang2025 (merged key and query); domine2025.
    """

    name: ClassVar[str] = "merged heads, λ-balanced"
    sources: ClassVar[tuple[str, ...]] = ("zhang2025", "domine2025")
    inner: ClassVar[str] = "λ-balanced layers"


@dataclass(frozen=True, eq=False)
class Mode:
    """The part of merged heads that grows: U_h = n_h m, v_h = n_h a with ‖n‖ = 1.

    Attributes:
        value: a at the start.
        matrix: m at the start along the eigenvectors of Λ, (D,).
        alignment: relative distance of the weights from heads that have this part alone.
    """

    value: float
    matrix: np.ndarray
    alignment: float


def measure_mode(weights: Weights, task: InContextRegression) -> Mode:
    """The growing part ½(U v̂ + v) over heads, v̂ = Λ²/‖Λ²‖, as for a mode of two layers."""
    key_query, value = (np.asarray(w) for w in weights)
    square = np.asarray(task.covariance) @ np.asarray(task.covariance)
    unit = (square / np.linalg.norm(square)).ravel()
    growing = (key_query @ unit + value[0]) / 2
    size = float(np.linalg.norm(growing))
    eigenvalues = task.eigenvalues**2
    matrix = size * eigenvalues / np.linalg.norm(eigenvalues)
    inside = np.outer(growing, unit)
    total = np.hypot(np.linalg.norm(key_query), np.linalg.norm(value))
    rest = np.hypot(np.linalg.norm(key_query - inside), np.linalg.norm(value[0] - growing))
    return Mode(size, matrix, float(rest / total) if total > 0 else 0.0)


def solve_mode(mode: Mode, task: InContextRegression, times: Times) -> np.ndarray:
    """Strength of each component over time, (times, D): da/dt = m·g, dm/dt = a g, g_d = λ_d² − b_d λ_d a m_d.

    Source: zhang2025 (merged key and query: one abrupt drop); exact for heads that have this part alone.
    """
    eigenvalues = task.eigenvalues
    s = eigenvalues**2
    c = s * ((1 + 1 / task.length) * eigenvalues + eigenvalues.sum() / task.length)
    if mode.value == 0:
        return np.zeros((len(times), len(s)))
    if np.all(np.isinf(times)):
        return np.repeat(task.final_strengths[None], len(times), axis=0)

    def field(_: float, state: np.ndarray) -> np.ndarray:
        a, m = state[0], state[1:]
        gradient = s - c * a * m
        return np.concatenate([[m @ gradient], a * gradient])

    start = np.concatenate([[mode.value], mode.matrix])
    found = integrate(field, start, times, TOLERANCE, TOLERANCE * mode.value)
    return found[:, :1] * found[:, 1:]


@dataclass(frozen=True, repr=False)
class MergedGrowth(Theory):
    """Small merged heads on any inputs: the part of the weights along Λ² grows, D + 1 numbers follow its relaxation.

    da/dt = m·g, dm_d/dt = a g_d, g_d = s_d − c_d a m_d; from heads that have this part alone it is exact.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.LinearAttention(heads=8, merged=True, initial=fs.initial.Gaussian(1e-3))
        >>> task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
        >>> fs.evolve(network, task, [0.0, 100.0], method=fs.Reduced()).loss.round(4)
        array([1.55  , 0.1748])

    Source: zhang2025 (merged key and query: one abrupt drop); the reduction for inputs that are not white is ours.
    """

    name: ClassVar[str] = "growth of merged heads"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("zhang2025",)

    def _mode(self, task: Task, start: Start) -> Mode:
        return start.recall("mode", lambda: measure_mode(start.weights, regression(task)))

    def assumptions(self, network: LinearAttention, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Weights start small, so that what does not grow does not matter."""
        mode = self._mode(task, start)
        final = np.linalg.norm(regression(task).final_strengths)
        size = float(np.sqrt(sum(np.sum(np.asarray(w) ** 2) for w in start.weights) / (2 * final)))
        return (
            Assumption("small start", "weights start small (norm over the final one) or have only the growing part",
                       min(size, mode.alignment), SMALL),
        )  # fmt: skip

    def solve(self, network: LinearAttention, task: Task, start: Start, times: Times) -> Solution:
        """Strengths at the times, by the reduced equations."""
        strengths = solve_mode(self._mode(task, start), regression(task), times)
        return _estimated(network, task, start, times, _diagonal(task, strengths))
