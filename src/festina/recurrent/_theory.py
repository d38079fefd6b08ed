"""The theories of linear recurrent networks: a closed form while the recurrence is fixed, modes elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Weights
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.core.network import read_off
from festina.core.statistics import RANK_TOLERANCE
from festina.core.task import check_task
from festina.initial import Weights as GivenWeights
from festina.methods import Flow, estimated
from festina.modes.chain import EXACT_BOUND
from festina.modes.mode import grow
from festina.recurrent._observe import Step
from festina.solvers.ode import integrate

if TYPE_CHECKING:
    from festina.recurrent._network import LinearRNN


TOLERANCE = 1e-13
"""Relative tolerance of the reduced equations."""

LEAVES = 0.1
"""Strength of images outside of the kept directions up to which the reduced loss is close to that of the network."""

CANCELLED = 1e-8
"""Share of two opposite vectors that is left where they cancel up to rounding."""


@dataclass(frozen=True, eq=False)
class TemporalModes:
    """Correlations of targets with the input of each time step, in singular vectors that all steps share.

    Args:
        task: inputs of ``length`` steps side by side.
        length: T.
        window: the last steps that have targets; these stand side by side.

    Example:
        >>> import festina as fs
        >>> modes = TemporalModes(fs.tasks.delayed_response(length=3, strengths=2.0), 3)
        >>> abs(modes.strengths[:, 0]).round(6).tolist()
        [0.0, 0.0, 2.0]

    Source: proca2025 (data singular values over time).
    """

    task: Task
    length: int
    window: int = 1

    def __post_init__(self) -> None:
        check_task(self.task)
        length, width = check.whole("length", self.length), self.task.x.shape[1]
        if self.task.y.shape[1] % check.whole("window", self.window, most=length):
            raise ValueError(
                f"window is {self.window} for a task with {self.task.y.shape[1]} outputs; targets of all steps that "
                "count stand side by side, so that window must divide their number: fs.tasks.integration(window=...)."
            )
        if width % length:
            raise ValueError(
                f"length is {length} for a task with {width} inputs; inputs of all time steps stand side by side, so "
                "that length must divide their number: see fs.tasks.integration."
            )

    @property
    def inputs(self) -> int:
        """Inputs per time step."""
        return self.task.x.shape[1] // self.length

    @property
    def outputs(self) -> int:
        """Outputs per answer."""
        return self.task.y.shape[1] // self.window

    @cached_property
    def maps(self) -> np.ndarray:
        """Σyx of each lag, lag 0 (the last input) first, shape (T, outputs, inputs): the mean over answers."""
        sigma = self.task.statistics.cross_correlation.reshape(self.window, self.outputs, self.length, self.inputs)
        answers = range(self.length - self.window, self.length)
        return np.stack([
            np.mean([sigma[k, :, t - lag] for k, t in enumerate(answers) if t >= lag], axis=0)
            for lag in range(self.length)
        ])  # fmt: skip

    @cached_property
    def _vectors(self) -> tuple[np.ndarray, np.ndarray]:
        # a sum with unequal weights: modes are confused only where they are equal at every lag
        mixed = np.tensordot(1 / (np.arange(self.length) + np.sqrt(2)), self.maps, axes=1)
        u, s, vt = np.linalg.svd(mixed, full_matrices=False)
        keep = s > RANK_TOLERANCE * max(float(np.linalg.norm(self.maps)), 1e-300)
        return u[:, keep], vt[keep].T

    @property
    def left(self) -> np.ndarray:
        """U, one output vector per mode."""
        return self._vectors[0]

    @property
    def right(self) -> np.ndarray:
        """V, one input vector per mode, the same at every time step."""
        return self._vectors[1]

    @cached_property
    def strengths(self) -> np.ndarray:
        """s of each lag and mode, (T, modes), lag 0 first; the sign is relative to that of U and V."""
        return np.einsum("om,loi,im->lm", self.left, self.maps, self.right)

    @cached_property
    def unshared(self) -> float:
        """Relative distance of the correlations from shared singular vectors; 0 where all time steps share them."""
        size = float(np.linalg.norm(self.maps))
        shared = np.einsum("om,lm,im->loi", self.left, self.strengths, self.right)
        return float(np.linalg.norm(self.maps - shared) / size) if size else 0.0

    @property
    def curvature(self) -> float:
        """d, the variance of an input: Σx = d·1."""
        sigma = self.task.statistics.input_correlation
        return float(np.trace(sigma) / len(sigma))


@dataclass(frozen=True, eq=False)
class Recurrence:
    """Weights measured mode by mode: W_x v = a n, nᵀ W_h n = b, W_yᵀ u = c n.

    Attributes:
        a, b, c: input, recurrent and output strength of each mode.
        directions: n, one hidden vector per column.
        alignment: relative distance of the weights from those that a, b, c describe.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    directions: np.ndarray
    alignment: float

    def weights(self, a: np.ndarray, b: np.ndarray, c: np.ndarray, modes: TemporalModes) -> Weights:
        """W_x, W_h, W_y for strengths of shape (..., modes)."""
        n = self.directions
        return (
            np.einsum("hm,...m,im->...hi", n, a, modes.right),
            np.einsum("hm,...m,km->...hk", n, b, n),
            np.einsum("om,...m,hm->...oh", modes.left, c, n),
        )


def measure(weights: Weights, modes: TemporalModes) -> Recurrence:
    """Along the hidden direction W_x v + W_yᵀ u of each mode, which is the one that grows."""
    first, recurrent, last = (np.asarray(w) for w in weights)
    below, above = first @ modes.right, last.T @ modes.left
    both = below + above
    size = np.linalg.norm(both, axis=0)
    opposed = size <= CANCELLED * (np.linalg.norm(below, axis=0) + np.linalg.norm(above, axis=0))
    both = np.where(opposed, below, both)
    size = np.linalg.norm(both, axis=0)
    n = both / np.where(size > 0, size, 1.0)
    a, b, c = (n * below).sum(axis=0), (n * (recurrent @ n)).sum(axis=0), (n * above).sum(axis=0)
    found = Recurrence(a, b, c, n, 0.0)
    told = found.weights(a, b, c, modes)
    total = np.sqrt(sum(float(np.sum(w**2)) for w in (first, recurrent, last)))
    rest = np.sqrt(sum(float(np.sum((w - t) ** 2)) for w, t in zip((first, recurrent, last), told, strict=True)))
    gram = n[:, size > 0].T @ n[:, size > 0]
    crossed = float(np.linalg.norm(gram - np.eye(len(gram)), 2)) if len(gram) else 0.0
    return Recurrence(a, b, c, n, max(float(rest / total) if total > 0 else 0.0, crossed))


def powers(b: np.ndarray, length: int) -> np.ndarray:
    """b⁰, b¹, …, b^{T−1} along a new axis before the last."""
    return np.stack([b**lag for lag in range(length)], axis=-2)


def follow(
    start: Recurrence, modes: TemporalModes, times: Times, step: Step
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """a(t), b(t), c(t), each (times, modes): gradient flow of L = ½ Σ_l n_l (s_l − d c M^l X)²/d per mode.

    X = leak·a and M = 1 − leak + leak·b; n_l answers see lag l. da = leak Σ n e c M^l, dc = Σ n e X M^l,
    db = leak Σ n e c X l M^{l−1} with e_l = s_l − d c M^l X. Input noise adds its variance to d; private noise adds
    ½ (leak·σ_h)² Σ n_l c² M^{2l} to L. Without it a² − c² is conserved.

    Source: proca2025 (dynamics of a mode), checked against all weights.
    """
    s, d, length = modes.strengths, modes.curvature + step.input_noise**2, modes.length
    count, leak = s.shape[1], step.leak
    lags, n = np.arange(length)[:, None], step.counts()[:, None]
    private = (leak * step.private_noise) ** 2
    begin = np.concatenate([start.a, start.b, start.c])
    if not np.all(np.isfinite(times)):
        raise ValueError(
            "times is None (t → ∞), for which recurrent modes have no closed form; give times, or fix the recurrence: "
            "fs.LinearRNN(..., learn_recurrent=False)."
        )

    def field(_: float, state: np.ndarray) -> np.ndarray:
        a, b, c = state.reshape(3, count)
        x, m = leak * a, 1 - leak + leak * b
        high = powers(m, length)
        error = n * (s - d * c * x * high)
        slope = np.concatenate([np.zeros((1, count)), lags[1:] * high[:-1]])
        reach = (error * high).sum(axis=0)
        noise, moved = (private * c * (n * high * part).sum(axis=0) for part in (high, slope))
        return np.concatenate(
            [leak * c * reach, leak * c * (x * (error * slope).sum(axis=0) - moved), x * reach - noise]
        )

    # stiff once a mode is learned: an explicit solver would go on in steps of the time in which it was
    sizes = np.maximum(np.abs(start.a), np.abs(start.c))
    # a large b must not hide modes that begin small; what is smaller yet is rounding
    known = sizes[sizes > np.finfo(float).eps * np.abs(begin).max(initial=0.0)]
    atol = TOLERANCE * float(known.min(initial=1.0))
    a, b, c = np.moveaxis(integrate(field, begin, times, TOLERANCE, atol).reshape(len(times), 3, count), 1, 0)
    return a, b, c


def fixed(start: Recurrence, modes: TemporalModes, times: Times, step: Step) -> tuple[np.ndarray, np.ndarray]:
    """a(t) and c(t) while b stays as it is, in closed form: a mode of two layers with s = leak Σ n_l s_l M^l and
    d leak² Σ n_l M^{2l}.
    """
    high, n = powers(1 - step.leak + step.leak * start.b, modes.length), step.counts()[:, None]
    s = step.leak * (n * modes.strengths * high).sum(axis=0)
    d = (modes.curvature + step.input_noise**2) * step.leak**2 * (n * high**2).sum(axis=0)
    # a mode with s < 0 is one with s > 0 and c turned round
    turn = np.where(s < 0, -1.0, 1.0)
    up, down = (start.a + turn * start.c) / 2, (start.a - turn * start.c) / 2
    rho, kappa = grow(times[:, None], np.abs(s), d, up**2, down**2)
    half, rest = np.sign(up) * np.sqrt(rho), np.sign(down) * np.sqrt(kappa)
    return half + rest, turn * (half - rest)


def closed_basis(weights: Weights, left: float) -> tuple[np.ndarray, float]:
    """Hidden directions (units, k) that W_x and W_yᵀ span with their images under W_h and W_hᵀ, and what they lack.

    Images are added, one application after another, until the product of the largest strengths with which each leaves
    the directions before is at most ``left``. Where that would take all directions, fewer are taken if what leaves
    them is at most ``LEAVES``.
    """
    first, recurrent, last = (np.asarray(w) for w in weights)
    width = len(recurrent)
    basis = np.zeros((width, 0))
    new, lacks = np.concatenate([first, last.T], axis=1), 1.0
    while True:
        for _ in range(2):  # once more, since rounding errors leave a part of what is subtracted
            new = new - basis @ (basis.T @ new)
        u, s, _ = np.linalg.svd(new, full_matrices=False)
        size = s.max(initial=0.0)
        # images are of unit vectors: their strength is that of the recurrence itself
        lacks = lacks if not basis.size else lacks * float(size)
        fresh = u[:, s > RANK_TOLERANCE * max(float(np.linalg.norm(recurrent)) if basis.size else size, 1e-300)]
        full = basis.shape[1] + fresh.shape[1] >= width
        if basis.size and (lacks <= left or (full and lacks <= LEAVES)):
            return basis, lacks
        basis = np.concatenate([basis, fresh], axis=1)
        if not fresh.size or full:
            return basis, 0.0
        new = np.concatenate([recurrent @ fresh, recurrent.T @ fresh], axis=1)


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
        small = replace(network, width=basis.shape[1], initial=GivenWeights(begin))
        flow = Flow(solver="LSODA", rtol=1e-8).run(small, task, times, [Start(small, task)], ("weights",))
        now = [layer[0] for layer in flow.values["weights"]]
        rest = first - basis @ begin[0], recurrent - basis @ begin[1] @ basis.T, last - begin[2] @ basis.T
        weights = (rest[0] + basis @ now[0], rest[1] + basis @ now[1] @ basis.T, rest[2] + now[2] @ basis.T)
        path = list(zip(*weights, strict=True))
        notes = {"dimensions": basis.shape[1]}
        found = Solution(read_off(network, task, lambda: path), notes=notes, path=lambda: path)
        return estimated(found, network, task, start, times, solver="LSODA")
