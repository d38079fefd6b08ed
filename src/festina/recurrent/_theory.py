"""The theories of linear recurrent networks: a closed form while the recurrence is fixed, modes elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.core.network import read_off
from festina.initial import Weights
from festina.methods import Flow, estimated
from festina.modes.chain import EXACT_BOUND
from festina.recurrent._modes import LEAVES, Recurrence, TemporalModes, closed_basis, fixed, follow, measure

if TYPE_CHECKING:
    from festina.recurrent._network import LinearRNN


def _measured(network: LinearRNN, task: Task, start: Start) -> tuple[TemporalModes, Recurrence]:
    modes = network.modes(task)
    return modes, start.recall("recurrence", lambda: measure(start.weights, modes))


def _temporal(modes: TemporalModes, task: Task) -> tuple[Assumption, ...]:
    isotropy = task.statistics.isotropy
    return (
        Assumption("white inputs", "inputs are white, in time too", isotropy, EXACT_BOUND, quantity="‖Σx − d·1‖/‖Σx‖"),
        Assumption("shared vectors", "all time steps share their singular vectors", modes.unshared,
                   EXACT_BOUND, quantity="relative distance"),
    )  # fmt: skip


def _aligned(found: Recurrence) -> Assumption:
    return Assumption(
        "alignment", "weights are decoupled into the task's modes", found.alignment, EXACT_BOUND,
        quantity="relative distance",
        needed=True,
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class FixedRecurrence(Theory):
    """Modes whose recurrent strength b does not move, exactly: two layers with s = Σ s_l b^l, d = Σ b^{2l} over lags.

    b does not move if W_h is not trained or sequences have one step. The same holds if b = 0 and the last input but one
    carries no signal. No gradient reaches b then, and a delayed response is never learned.

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
        """White inputs, shared singular vectors, aligned weights, a recurrence that does not move, quiet units."""
        modes, found = _measured(network, task, start)
        moves = grows = 0.0
        if network.learn_recurrent and network.length > 1 and modes.strengths.size:
            shares = np.abs(modes.strengths).max(axis=1) / np.abs(modes.strengths).max()
            b = float(np.abs(1 - network.step.leak + network.step.leak * found.b).max())
            moves = max(b, float(shares[1]))
            grows = b if shares[2:].max(initial=0.0) > EXACT_BOUND else 0.0
        still = Assumption(
            "fixed recurrence", "no gradient reaches the recurrent strengths",
            moves, EXACT_BOUND, quantity="size of b and of the strength at lag 1",
        )  # fmt: skip
        nothing = Assumption(
            "no recurrence", "b is 0 where inputs before the last but one count: any other b grows, however small",
            grows, 0.0,
        )  # fmt: skip
        quiet = Assumption(
            "private noise",
            "the units have no noise of their own",
            network.private_noise,
            0.0,
            quantity="standard deviation",
        )
        return (*_temporal(modes, task), _aligned(found), still, nothing, quiet)

    def solve(self, network: LinearRNN, task: Task, start: Start, times: Times) -> Solution:
        """Weights at the times."""
        modes, found = _measured(network, task, start)
        a, c = fixed(found, modes, times, network.step)
        weights = found.weights(a, np.broadcast_to(found.b, a.shape), c, modes)
        path = list(zip(*weights, strict=True))
        return Solution(read_off(network, task, lambda: path), path=lambda: path)


@dataclass(frozen=True, repr=False)
class RecurrentModes(Theory):
    """Every mode alone with three strengths, input a, recurrence b and output c: the flow of ½ Σ_l (s_l − c b^l a)².

    Exact from aligned weights (up to the solver's tolerance). By name (``fs.Reduced("recurrent modes")``) it also runs
    from other weights; each mode is then followed along the hidden direction W_x v + W_yᵀ u. The error is often large,
    because other directions carry the recurrence too (``HiddenSubspace``). a² − c² is conserved.

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
            a, b, c = follow(begin, modes, times, network.step)
        else:
            a, c = fixed(begin, modes, times, network.step)
            b = np.broadcast_to(begin.b, a.shape)
        path = list(zip(*begin.weights(a, b, c, modes), strict=True))
        found = Solution(read_off(network, task, lambda: path))
        return estimated(found, network, task, start, times, solver="LSODA")


@dataclass(frozen=True, repr=False)
class HiddenSubspace(Theory):
    """A network of few units that learns as the wide one: its flow in the hidden directions that can take part.

    Gradients of W_x and W_y lie in the span of W_x, W_yᵀ and their images under W_h and W_hᵀ. From small weights few
    images matter: each application of W_h makes them weaker by the size of W_h. The flow in this span is that of a
    network with as many units as it has dimensions, for any task, leak and noise. Where W_h is not small, images of all
    orders count and fill the hidden space: there is no reduction then, and the network itself is integrated.

    Args:
        left: strength, relative to the directions that are kept, down to which images are kept.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.LinearRNN(64, length=4, initial=fs.initial.Gaussian(0.01))
        >>> task, times = fs.tasks.integration(length=4), np.linspace(0, 25, 26)
        >>> run = fs.evolve(network, task, times, method=fs.Reduced())
        >>> run.notes["dimensions"]
        6
        >>> bool(fs.compare(run, fs.evolve(network, task, times, method=fs.Flow())).area < 0.01)
        True

    Source: proca2025 (the network); the span is our own, as for layers of linear units.
    """

    left: float = 0.03

    name: ClassVar[str] = "hidden subspace"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("proca2025",)

    def _basis(self, start: Start) -> tuple[np.ndarray, float]:
        return start.recall(f"hidden subspace {self.left}", lambda: closed_basis(start.weights, self.left))

    def assumptions(self, network: LinearRNN, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Fewer dimensions than units, and that little leaves them."""
        basis, lacks = self._basis(start)
        share = basis.shape[1] / network.width
        return (
            Assumption(
                "fewer units", f"the span of W_x, W_yᵀ and their images under W_h and W_hᵀ has fewer dimensions than "
                f"there are units ({basis.shape[1]} of {network.width})", share, 1 - 1 / network.width,
                quantity="ratio",
            ),
            Assumption("small recurrence", "images of the span leave it weakly", lacks, LEAVES,
                       quantity="their strength"),
        )  # fmt: skip

    def solve(self, network: LinearRNN, task: Task, start: Start, times: Times) -> Solution:
        """Weights at the times: those of the small network, and what does not move."""
        if not np.all(np.isfinite(times)):
            raise ValueError("times is None (t → ∞), for which this reduction has no closed form; give times.")
        basis, _ = self._basis(start)
        first, recurrent, last = (np.asarray(w) for w in start.weights)
        begin = basis.T @ first, basis.T @ recurrent @ basis, last @ basis
        small = replace(network, width=basis.shape[1], initial=Weights(begin))
        flow = Flow(solver="LSODA", rtol=1e-8).run(small, task, times, [Start(small, task)], ("weights",))
        now = [layer[0] for layer in flow.values["weights"]]
        rest = first - basis @ begin[0], recurrent - basis @ begin[1] @ basis.T, last - begin[2] @ basis.T
        weights = (rest[0] + basis @ now[0], rest[1] + basis @ now[1] @ basis.T, rest[2] + now[2] @ basis.T)
        path = list(zip(*weights, strict=True))
        notes = {"dimensions": basis.shape[1]}
        found = Solution(read_off(network, task, lambda: path), notes=notes, path=lambda: path)
        return estimated(found, network, task, start, times, solver="LSODA")
