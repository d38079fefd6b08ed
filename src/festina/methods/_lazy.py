"""The lazy limit of any network: the network linearised in its weights, which keeps the tangent kernel of the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Times, Tree
from festina.core.assumption import Assumption
from festina.core.loss import Loss
from festina.core.network import SQUARED, Data, Network, mean_loss, task_context
from festina.core.task import Task
from festina.core.theory import Solution, Start, Theory
from festina.runtime.device import in_double
from festina.solvers import ode

FORMED = 2048
"""Outputs on all data points together up to which the kernel is formed; beyond, it is only multiplied with vectors."""

KRYLOV = 200
"""Products with the kernel that its modes are found from where it is not formed."""

STEPS, SPAN = 100, 24
"""Number of steps at rate 1/curvature, and of products with the kernel, from which its movement is measured."""

PROBES = 4
"""Random vectors from which the change of the kernel is measured."""

LOOKS = 24
"""Times at which the kernel is looked at again for the estimate of the error."""

EARLIEST = 0.1
"""The first of these times, in units of the fastest time constant at the start; the others follow geometrically."""

MARGIN = 3.0
"""How often the first-order difference counts, so that it covers what is left out (benchmarks/theories.py)."""

MOVES = 0.05
"""Largest relative change of the kernel at which learning counts as lazy."""

RICH = 0.5
"""Relative change of the kernel from which learning counts as rich: the kernel is then more new than old."""

AGREES = 1e-9
"""Largest relative difference between two ways to compute one loss that is rounding."""

ACCURACY = 1e-6
"""Relative tolerance of a step where the loss is not the squared error."""


@dataclass(frozen=True, repr=False)
class Lazy(Theory):
    """Any network, linearised in its weights at the start: f(W) = f(W₀) + J (W − W₀), with J = ∂f/∂W at W₀.

    Gradient flow of the linear network keeps the tangent kernel K = J Jᵀ, and its weights stay in the span of Jᵀ:

        da/dt = r(f)/N,   f = f₀ + K a,   W = W₀ + Jᵀ a,   r the residual of the loss (y − f for squared error)

    For squared error the modes of K/N decay exponentially, each at its own rate; for any other loss the equation is
    integrated. Wide networks and large starts learn so (jacot2018, chizat2019). The error is estimated to first order
    from how the kernel moves along this solution: df/dt = (K r + δK r)/N, with δK measured at its weights.

    Everything is linear: ``outputs``, ``loss`` and measures on a test set are those of the linear network. ``weights``
    are its weights, at which the network itself gives slightly other outputs.

    Args:
        rate: step size η of the gradient descent that is predicted, for squared error: modes then decay by 1 − ηλ in
            each step. None is gradient flow.

    Raises:
        ValueError: a rate that is not positive, given for another loss, or at which the linear network diverges.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, times = fs.tasks.extended_xor(1.0), np.linspace(0, 5, 51)
        >>> network = fs.ReLU((1000,), initial=fs.initial.Gaussian(0.5))
        >>> lazy = fs.evolve(network, task, times, method=fs.Reduced("lazy limit"))
        >>> flow = fs.evolve(network, task, times, method=fs.Flow())
        >>> fs.compare(lazy, flow).area < 0.02, lazy.relative_error < 0.02
        (True, True)

    Source: jacot2018; lee2019; chizat2019 (when it holds).
    """

    rate: float | None = None

    name: ClassVar[str] = "lazy limit"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("jacot2018", "lee2019", "chizat2019")
    losses: ClassVar[tuple[str, ...] | None] = None

    def __post_init__(self) -> None:
        if self.rate is not None:
            check.positive("rate", self.rate)

    def suits(self, network: Network) -> bool:
        """Every network that descends a loss of its outputs."""
        return not network.learns_otherwise

    def assumptions(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """A kernel that hardly moves while the data are fitted."""
        linear = _linear(network, task, start)
        if linear.away > AGREES:
            meant = "the loss is that of the outputs on the data points (relative difference)"
            return (Assumption("outputs", meant, linear.away, AGREES, needed=True),)
        statement = f"the tangent kernel hardly moves in {STEPS} steps at rate 1/curvature (its relative change)"
        dropped = "nothing is drawn at random in training (1 if it is)"
        return (
            *((Assumption("no dropout", dropped, 1.0, 0.0),) if network.noisy else ()),
            Assumption("kernel", statement, kernel_change(network, task, start), MOVES),
        )

    def regime(self, assumptions: Sequence[Assumption]) -> str:
        """Whether a start is nearer to the lazy limit or to theories of small weights, by its measured assumptions."""
        change = next((a.measured for a in assumptions if a.name == "kernel"), float("nan"))
        if np.isnan(change):
            return "the tangent kernel is not known."
        moves = f"the tangent kernel moves by {f'{change:.2g} times its size' if change > 1 else f'{change:.1%}'}"
        if change <= MOVES:
            return f"lazy; {moves}, so that the lazy limit is near."
        if change <= RICH:
            return f"between lazy and rich; {moves}, so that the lazy limit is rough."
        return f"rich; {moves}, so that the lazy limit is far."

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """The linear network at the times."""
        if self.rate is not None and not task.loss.squared:
            raise ValueError(f"rate is {self.rate:g} and the loss {task.loss.name!r}; rate is for loss='squared' only.")
        linear = _linear(network, task, start)
        solved = _Solved(linear, np.asarray(times, float), self.rate)
        return Solution(
            {"loss": lambda: solved.loss, "outputs": solved.outputs, "weights": solved.leaves},
            notes={"kernel": "formed" if linear.kernel is not None else "multiplied"},
            error=None if network.noisy or np.any(np.isinf(times)) else solved.error,
            quick=True,
            path=lambda: solved.path,
            predict=solved.predict,
        )


def kernel_change(network: Network, task: Task, start: Start) -> float:
    """‖K' − K‖/‖K‖, with K' the tangent kernel at the weights of the linear network after the time of ``STEPS`` steps.

    Nothing but products with kernels is needed: the linear network is followed in the span of the first residual and
    its products with K, and Frobenius norms are measured with random vectors.
    """
    return start.recall("kernel change", lambda: _linear(network, task, start).change)


def _linear(network: Network, task: Task, start: Start) -> _Linear:
    return start.recall(f"linear network on {task.name}", lambda: _Linear(network, task, start.weights))


@dataclass(frozen=True, eq=False)
class _Linear:
    """A network linearised at its start, on the data points that its loss is measured on."""

    network: Network
    task: Task
    given: Any

    @cached_property
    def weights(self) -> Any:
        import jax

        return jax.tree.map(lambda w: np.asarray(w, float), self.given)

    @cached_property
    def data(self) -> Data:
        return task_context(self.network, self.task)["data"]

    @cached_property
    def away(self) -> float:
        """How far the network's loss is from that of its outputs on the data points."""
        if not isinstance(self.data, Data) or not np.shape(self.data.y):
            return float("inf")
        with in_double():
            own, meant = (
                float(one) for one in (
                    self.network.loss(self.weights, self.data, None),
                    mean_loss(self.network.predict, self.weights, self.data),
                )
            )  # fmt: skip
        return abs(own - meant) / max(abs(own), np.finfo(float).tiny)

    @property
    def loss(self) -> Loss:
        return SQUARED if self.data.loss is None else self.data.loss

    @cached_property
    def first(self) -> np.ndarray:
        """Outputs at the start."""
        with in_double():
            return np.asarray(self.network.predict(self.weights, self.data.x), float)

    def residual(self, outputs: np.ndarray) -> np.ndarray:
        """What the data ask of the outputs, over the number of data points."""
        return np.asarray(self.loss.residual(outputs, self.data.y), float) / self.data.count

    def product(self, vector: np.ndarray, weights: Tree | None = None) -> tuple[Any, np.ndarray]:
        """Jᵀv and K v at the start, or at other weights."""
        from festina.analysis import tangent

        with in_double():
            at = self.weights if weights is None else weights
            pulled, found = tangent.product(self.network.predict, at, self.data.x, vector.reshape(self.first.shape))
            return pulled, np.asarray(found)

    def apply(self, vector: np.ndarray) -> np.ndarray:
        """K v, of the shape of v."""
        if self.kernel is None:
            return self.product(vector)[1].reshape(vector.shape)
        return (self.kernel @ vector.ravel()).reshape(vector.shape)

    @cached_property
    def kernel(self) -> np.ndarray | None:
        """K, or None where it is too large or the points are not independent of each other."""
        from festina.analysis import tangent

        if self.first.size > FORMED:
            return None
        with in_double():
            return tangent.tangent_kernel(self.network.predict, self.weights, self.data.x)

    @cached_property
    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Rates and modes of K/N: all of them, or those that the first residual and its products with K span."""
        if self.kernel is not None:
            rates, vectors = np.linalg.eigh(self.kernel / self.data.count)
            return np.maximum(rates, 0.0), vectors
        return _lanczos(lambda v: self.apply(v) / self.data.count, self.residual(self.first).ravel(), KRYLOV)

    def moved(self, a: np.ndarray) -> Any:
        """W₀ + Jᵀa."""
        import jax

        return jax.tree.map(lambda w, d: w + np.asarray(d), self.weights, self.product(a)[0])

    @cached_property
    def change(self) -> float:
        """How far the kernel moves along the linear network in ``STEPS`` steps at rate 1/curvature."""
        drive = self.residual(self.first).ravel()
        rates, vectors = _lanczos(lambda v: self.product(v)[1].ravel() / self.data.count, drive, SPAN)
        # outputs near 0 are curved less than K by this factor; halves of such steps are stable for any outputs
        slowed = (self.loss.near_zero(np.asarray(self.data.y)) or (None, 1.0))[1]
        parts, a = int(np.ceil(slowed / 2)), np.zeros(len(rates))
        for _ in range(STEPS * parts):
            outputs = self.first + (vectors @ (self.data.count * rates * a)).reshape(self.first.shape)
            a += vectors.T @ self.residual(outputs).ravel() * slowed / parts / (rates.max(initial=0.0) or 1.0)
        after = self.moved(vectors @ a)
        rng = np.random.default_rng(0)
        moved = size = 0.0
        for _ in range(PROBES):
            probe = rng.standard_normal(self.first.shape)
            now = self.product(probe)[1]
            moved += float(np.sum((self.product(probe, after)[1] - now) ** 2))
            size += float(np.sum(now**2))
        return float(np.sqrt(moved / size)) if size > 0 else float("inf")


@dataclass(frozen=True, eq=False)
class _Solved:
    """The linear network at some times."""

    linear: _Linear
    times: np.ndarray
    rate: float | None

    @cached_property
    def pulls(self) -> np.ndarray:
        """a at each time, (times, points·outputs)."""
        linear = self.linear
        if not linear.loss.squared:
            return self._integrated(lambda _: np.zeros(()))
        rates, vectors = linear.modes
        drive = vectors.T @ linear.residual(linear.first).ravel()
        # modes that the kernel hardly reaches are not learned: their residual stays
        reached = rates > rates.max(initial=0.0) * len(rates) * np.finfo(float).eps
        safe = np.where(reached, rates, 1.0)
        with np.errstate(invalid="ignore"):
            steady = np.where(np.isinf(self.times), 0.0, self.times)[:, None]
            spent = np.where(reached, (1 - self._left(safe)) / safe, steady)
        return (spent * drive) @ vectors.T

    def _left(self, rates: np.ndarray) -> np.ndarray:
        """Share of each mode's residual that is left at each time."""
        if self.rate is None:
            return np.exp(-np.outer(self.times, rates))
        if self.rate * rates.max(initial=0.0) >= 2:
            raise ValueError(
                f"rate is {self.rate:g}, at which the linear network diverges: the largest curvature is "
                f"{rates.max():.3g}, which allows rates below {2 / rates.max():.3g}."
            )
        return (1 - self.rate * rates) ** np.rint(self.times / self.rate)[:, None]

    def _integrated(self, forcing: Callable[[float], np.ndarray]) -> np.ndarray:
        """a of any loss; ``forcing(t)`` is added to f."""
        linear = self.linear
        first, shape = linear.residual(linear.first), linear.first.shape
        largest = float(np.linalg.norm(linear.apply(first)) / max(np.linalg.norm(first), 1e-300))
        scale = float(np.abs(first).max()) * linear.data.count / (largest or 1.0)

        def field(t: float, a: np.ndarray) -> np.ndarray:
            return linear.residual(linear.first + linear.apply(a).reshape(shape) + forcing(t)).ravel()

        return ode.integrate(field, np.zeros(first.size), self.times, ACCURACY, ACCURACY * scale, solver="DOP853")

    @cached_property
    def values(self) -> np.ndarray:
        """Outputs on the data points of the loss, (times, points, outputs)."""
        linear = self.linear
        return np.stack([linear.first + linear.apply(a).reshape(linear.first.shape) for a in self.pulls])

    def _losses(self, outputs: np.ndarray) -> np.ndarray:
        data, loss = self.linear.data, self.linear.loss
        return np.array([data.floor + float(loss.total(f, data.y)) / data.count for f in outputs])

    @cached_property
    def loss(self) -> np.ndarray:
        return self._losses(self.values)

    @cached_property
    def path(self) -> list[Any]:
        return [self.linear.moved(a) for a in self.pulls]

    def leaves(self) -> tuple[np.ndarray, ...]:
        import jax

        return tuple(np.stack(leaf) for leaf in zip(*map(jax.tree.leaves, self.path), strict=True))

    def outputs(self) -> np.ndarray:
        linear = self.linear
        if linear.data.x is not None and len(linear.first) == len(linear.task.x) and linear.data.floor == 0:
            return self.values
        return np.stack([self.predict(i, linear.network.points(linear.task).x) for i in range(len(self.times))])

    def predict(self, i: int, x: Array) -> np.ndarray:
        """Outputs at new inputs at the i-th time."""
        import jax

        from festina.analysis import tangent

        linear = self.linear
        change = jax.tree.map(lambda w, w0: w - w0, self.path[i], linear.weights)
        with in_double():
            now, added = tangent.move(linear.network.predict, linear.weights, x, change)
            return np.asarray(now + added)

    def error(self) -> np.ndarray:
        """The loss minus that with the kernel's first change: f + e with de/dt = (δK r − K e)/N, δK along the path.

        The neglected terms are of higher order in the change c of the kernel, so the first order is multiplied by
        ``MARGIN`` (1 + c).
        """
        linear = self.linear
        last = float(self.times[-1])
        if not last:
            return np.zeros(len(self.times))
        fastest = np.linalg.norm(linear.apply(residual := linear.residual(linear.first))) / np.linalg.norm(residual)
        looks = np.append(0.0, np.geomspace(min(EARLIEST * linear.data.count / fastest, last), last, LOOKS))
        times = np.unique(np.concatenate([self.times, looks]))
        fine = _Solved(linear, times, self.rate)
        pushes = []
        for i in np.searchsorted(times, looks):
            residual = linear.residual(fine.values[i])
            after = linear.moved(fine.pulls[i])
            pushes.append((linear.product(residual, after)[1] - linear.product(residual)[1]).ravel())
        pushed = np.stack([np.interp(times, looks, column) for column in np.array(pushes).T], axis=1)
        corrected = fine._corrected(pushed)[np.searchsorted(times, self.times)]
        return MARGIN * (1 + linear.change) * (self.loss - self._losses(corrected))

    def _corrected(self, pushed: np.ndarray) -> np.ndarray:
        linear, times = self.linear, self.times
        shape = linear.first.shape
        # the outputs that the change of the kernel has added, before they act back on the residual
        steps = np.diff(times)[:, None]
        added = np.concatenate(
            [np.zeros((1, pushed.shape[1])), np.cumsum((pushed[1:] + pushed[:-1]) / 2 * steps, axis=0)]
        )
        if not linear.loss.squared:

            def forcing(t: float) -> np.ndarray:
                i = min(max(int(np.searchsorted(times, t)), 1), len(times) - 1)
                share = (t - times[i - 1]) / (times[i] - times[i - 1])
                return ((1 - share) * added[i - 1] + share * added[i]).reshape(shape)

            a = self._integrated(forcing)
            both = zip(a, added, strict=True)
            return np.stack([linear.first + (linear.apply(p) + q).reshape(shape) for p, q in both])
        rates, vectors = linear.modes
        inside = pushed @ vectors
        outside = added - (added @ vectors) @ vectors.T
        e = np.zeros_like(inside)
        for i, h in enumerate(np.diff(times)):
            begin, end = _phi(rates * h)
            e[i + 1] = e[i] * np.exp(-rates * h) + h * (begin * inside[i] + end * inside[i + 1])
        return self.values + (e @ vectors.T + outside).reshape(-1, *shape)


def _phi(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the first and the last value of a linear forcing over one step of e' = −λe + g, z = λh."""
    small = z < 1e-4
    s = np.where(small, 1.0, z)
    one = np.where(small, 1 - z / 2, -np.expm1(-s) / s)
    last = np.where(small, 0.5 - z / 6, (1 - one) / s)
    return one - last, last


def _lanczos(apply: Callable[[np.ndarray], np.ndarray], first: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Rates and modes of a kernel in the span of ``first`` and its products with it, reorthogonalised."""
    size = float(np.linalg.norm(first))
    if size == 0:
        return np.zeros(1), np.zeros((len(first), 1))
    basis, diagonal, beside = [first / size], [], []
    while True:
        pushed = apply(basis[-1])
        diagonal.append(float(basis[-1] @ pushed))
        span = np.array(basis)
        for _ in range(2):
            pushed = pushed - span.T @ (span @ pushed)
        length = float(np.linalg.norm(pushed))
        if len(basis) == min(most, len(first)) or length <= 1e-12 * abs(diagonal[0]):
            break
        beside.append(length)
        basis.append(pushed / length)
    import scipy

    rates, turn = scipy.linalg.eigh_tridiagonal(diagonal, beside)
    return np.maximum(rates, 0.0), np.array(basis).T @ turn
