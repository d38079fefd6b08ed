"""The theories of linear recurrent networks: a closed form while the recurrence is fixed, modes elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core.assumption import Assumption
from festina.core.task import Task
from festina.core.theory import Solution, Start, Theory
from festina.methods import loss_error
from festina.modes.chain import EXACT_BOUND
from festina.recurrent._modes import Recurrence, TemporalModes, fixed, follow, measure

if TYPE_CHECKING:
    from festina.recurrent._network import LinearRNN


def _measured(network: LinearRNN, task: Task, start: Start) -> tuple[TemporalModes, Recurrence]:
    modes = network.modes(task)
    return modes, start.recall("recurrence", lambda: measure(start.weights, modes))


def _temporal(modes: TemporalModes, task: Task) -> tuple[Assumption, ...]:
    isotropy = task.statistics.isotropy
    return (
        Assumption("white inputs", "inputs are white, in time too (‖Σx − d·1‖/‖Σx‖)", isotropy, EXACT_BOUND),
        Assumption("shared vectors", "all time steps share their singular vectors (relative distance)", modes.unshared,
                   EXACT_BOUND),
    )  # fmt: skip


def _aligned(found: Recurrence) -> Assumption:
    return Assumption(
        "alignment", "weights are decoupled into the task's modes (relative distance)", found.alignment, EXACT_BOUND
    )


def _observe(network: LinearRNN, task: Task, weights: tuple[np.ndarray, ...]) -> dict[str, Callable[[], Any]]:
    """Observables of weights (times, …) per matrix."""
    watch = network.observables(network.context(task))
    path = [tuple(matrix[i] for matrix in weights) for i in range(len(weights[0]))]
    found: dict[str, Callable[[], Any]] = {
        name: (lambda see=see: np.stack([see(now) for now in path])) for name, see in watch.items() if name != "weights"
    }
    return {**found, "weights": lambda: weights}


@dataclass(frozen=True, repr=False)
class FixedRecurrence(Theory):
    """Modes whose recurrent strength b does not move, exactly: two layers with s = Σ s_l b^l, d = Σ b^{2l} over lags.

    b does not move where W_h is not trained, where sequences have one step, and where b = 0 and the last input but one
    carries nothing: then no gradient reaches it, and a delayed response is never learned.

    Example:
        >>> import festina as fs
        >>> start = fs.recurrent.AlignedRecurrence(1e-3, recurrent=0.5)
        >>> network = fs.LinearRNN(4, length=3, initial=start, learn_recurrent=False)
        >>> fs.evolve(network, fs.tasks.integration(length=3), None, observe="strengths").strengths[0, :, 0].round(4)
        array([1.3333, 0.6667, 0.3333])

    Source: proca2025 (modes), with the recurrent strength held fixed; saxe2014 eq. (8).
    """

    name: ClassVar[str] = "fixed recurrence"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("proca2025", "saxe2014")

    def assumptions(self, network: LinearRNN, task: Task, start: Start) -> tuple[Assumption, ...]:
        """White inputs, shared singular vectors, aligned weights, and a recurrence that does not move."""
        modes, found = _measured(network, task, start)
        moves = grows = 0.0
        if network.learn_recurrent and network.length > 1 and modes.strengths.size:
            shares = np.abs(modes.strengths).max(axis=1) / np.abs(modes.strengths).max()
            b = float(np.abs(found.b).max())
            moves = max(b, float(shares[1]))
            grows = b if shares[2:].max(initial=0.0) > EXACT_BOUND else 0.0
        still = Assumption(
            "fixed recurrence", "no gradient reaches the recurrent strengths (size of b and of the strength at lag 1)",
            moves, EXACT_BOUND,
        )  # fmt: skip
        nothing = Assumption(
            "no recurrence", "b is 0 where inputs before the last but one count: any other b grows, however small",
            grows, 0.0,
        )  # fmt: skip
        return (*_temporal(modes, task), _aligned(found), still, nothing)

    def solve(self, network: LinearRNN, task: Task, start: Start, times: Times) -> Solution:
        """Weights at the times."""
        modes, found = _measured(network, task, start)
        a, c = fixed(found, modes, times)
        weights = found.weights(a, np.broadcast_to(found.b, a.shape), c, modes)
        path = [tuple(matrix[i] for matrix in weights) for i in range(len(times))]
        return Solution(_observe(network, task, weights), path=lambda: path)


@dataclass(frozen=True, repr=False)
class RecurrentModes(Theory):
    """Every mode alone with three strengths, input a, recurrence b and output c: the flow of ½ Σ_l (s_l − c b^l a)².

    Exact from aligned weights (up to the solver's tolerance); from small random weights each mode is followed along the
    hidden direction W_x v + W_yᵀ u that grows. a² − c² is conserved.

    Example:
        >>> import festina as fs
        >>> network = fs.LinearRNN(8, length=4, initial=fs.recurrent.AlignedRecurrence(1e-2, recurrent=0.1))
        >>> run = fs.evolve(network, fs.tasks.integration(length=4), [0.0, 40.0], method=fs.Reduced())
        >>> all(assumption.holds for assumption in run.assumptions)
        True

    Source: proca2025 (learning dynamics of modes).
    """

    name: ClassVar[str] = "recurrent modes"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("proca2025",)

    def assumptions(self, network: LinearRNN, task: Task, start: Start) -> tuple[Assumption, ...]:
        """White inputs, shared singular vectors, aligned weights."""
        modes, found = _measured(network, task, start)
        return (*_temporal(modes, task), _aligned(found))

    def solve(self, network: LinearRNN, task: Task, start: Start, times: Times) -> Solution:
        """Weights that carry the modes' strengths at the times."""
        modes, begin = _measured(network, task, start)
        if network.learn_recurrent:
            a, b, c = follow(begin, modes, times)
        else:
            a, c = fixed(begin, modes, times)
            b = np.broadcast_to(begin.b, a.shape)
        found = _observe(network, task, begin.weights(a, b, c, modes))
        return Solution(found, error=lambda: loss_error(network, task, start, times, found["loss"](), solver="LSODA"))
