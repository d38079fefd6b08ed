"""The lazy limit of any network: the network linearised in its weights, which keeps the tangent kernel of the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Times, Tree
from festina.core import Assumption, Loss, Solution, Start, Task, Theory
from festina.core.network import SQUARED, Data, Network, mean_loss, task_context
from festina.runtime.device import in_double
from festina.solvers import ode
from festina.solvers.budget import left, spend

FORMED = 2048
"""Outputs on all data points together up to which the kernel is formed; beyond, it is only multiplied with vectors."""

PRODUCT, EIGEN = 2, 9
"""Gradients that cost as much as a product with the kernel, one backward and one forward pass. Operations for the modes
of a matrix, over the cube of its size."""

KRYLOV = 200
"""Products with the kernel that its modes are found from where it is not formed."""

STEPS, SPAN = 100, 24
"""Number of steps at rate 1/curvature, and of products with the kernel, from which its movement is measured."""

PROBES = 4
"""Random vectors from which the change of the kernel is measured."""

LOOKS = 24
"""Times at which the kernel is looked at again."""

EARLIEST = 0.1
"""The first of these times, in units of the fastest time constant at the start; the others follow geometrically."""

MARGIN = 3.0
"""How often the difference to the next order counts, so that it covers what is left out (benchmarks/theories.py)."""

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
    """Any network near its linearisation at the start, f(W) = f(W₀) + J (W − W₀) with J = ∂f/∂W at W₀.

    Gradient flow of the linear network keeps the tangent kernel K = J Jᵀ, and its weights stay in the span of Jᵀ:

        da/dt = r(f)/N,   f = f₀ + K a,   W = W₀ + Jᵀ a,   r the residual of the loss (y − f for squared error)

    For squared error the modes of K/N decay exponentially, each at its own rate; for any other loss the equation is
    integrated. Wide networks and large starts learn so (jacot2018, chizat2019).

    To first order in the change δK of the kernel along that solution, whose residual is r₀, outputs are pushed:
    df/dt = (K r(f) + δK r₀)/N. This is what is predicted, and the same step once more estimates the error. Where the
    kernel moves by more than half, the prediction is the linear network, without an estimate, and warns.

    Args:
        rate: step size η of the gradient descent that is predicted, for squared error: modes then decay by 1 − ηλ in
            each step. None is gradient flow.
        order: 1 puts in the change of the kernel. 0 is the linear network itself: outputs, loss and measures on a test
            set are linear, and at its weights the network gives slightly other outputs.

    Raises:
        ValueError: a rate that is not positive, given for another loss, or at which the linear network diverges; an
            order that is neither 0 nor 1.

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
    order: int = 1

    name: ClassVar[str] = "lazy limit"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("jacot2018", "lee2019", "chizat2019")
    losses: ClassVar[tuple[str, ...] | None] = None

    def __post_init__(self) -> None:
        if self.rate is not None:
            check.positive("rate", self.rate)
        check.whole("order", self.order, least=0, most=1)

    def suits(self, network: Network) -> bool:
        return not network.learns_otherwise

    def assumptions(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """A kernel that hardly moves while the data are fitted."""
        linear = _linear(network, task, start)
        if linear.away > AGREES:
            meant = "the loss is that of the outputs on the data points"
            return (Assumption("outputs", meant, linear.away, AGREES, quantity="relative difference", needed=True),)
        statement = f"the tangent kernel hardly moves in {STEPS} steps at rate 1/curvature"
        dropped = "nothing is drawn at random in training"
        return (
            *(
                (Assumption("no dropout", dropped, 1.0, 0.0, otherwise="units are dropped at random"),)
                if network.noisy
                else ()
            ),
            Assumption("kernel", statement, kernel_change(network, task, start), MOVES, quantity="relative change"),
        )

    def regime(self, assumptions: Sequence[Assumption]) -> str:
        """Whether a start is nearer to the lazy limit or to theories of small weights, by its measured assumptions."""
        change = next((a.measured for a in assumptions if a.name == "kernel"), float("nan"))
        if np.isnan(change):
            return "the tangent kernel is not known."
        if change <= MOVES:
            return f"lazy; {_moves(change)}, so that the lazy limit is near."
        if change <= RICH:
            return f"between lazy and rich; {_moves(change)}, so that the lazy limit is rough."
        return f"rich; {_moves(change)}, so that the lazy limit is far."

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """The network at the times."""
        if self.rate is not None and not task.loss.squared:
            raise ValueError(f"rate is {self.rate:g} and the loss {task.loss.name!r}; rate is for loss='squared' only.")
        linear, last = _linear(network, task, start), float(times[-1])
        found = alone = _Solved(linear, np.asarray(times, float), self.rate)
        notes, known = {"kernel": "formed" if linear.kernel is not None else "multiplied"}, last < np.inf
        moving, moved, looks = alone, 0.0, np.zeros(1)
        if 0 < last < np.inf:
            looks = linear.looks(last)
            found = alone = _Solved(linear, np.union1d(times, looks), self.rate)
            moving, moved = alone.next(looks)
            if moved > RICH:
                notes["no_estimate"] = f"does not hold here: {_moves(moved)}, and its error has no estimate"
            elif self.order:
                found = moving
        at = np.searchsorted(found.times, times)

        def error() -> np.ndarray:
            other = moving if found is alone else moving.next(looks)[0]
            return (MARGIN * (1 + moved) if moved <= RICH else np.nan) * (found.loss - other.loss)[at]

        seen = _Seen(found, at)
        return Solution(
            {"loss": lambda: found.loss[at], "outputs": seen.outputs, "weights": seen.leaves},
            notes=notes,
            error=error if known and not network.noisy else None,
            quick=True,
            path=lambda: seen.path,
            predict=seen.predict,
        )


def _moves(change: float) -> str:
    """How far the kernel moves, in words."""
    return f"the tangent kernel moves by {f'{change:.2g} times its size' if change > 1 else f'{change:.1%}'}"


def kernel_change(network: Network, task: Task, start: Start) -> float:
    """‖K' − K‖/‖K‖, with K' the tangent kernel at the weights of the linear network after the time of ``STEPS`` steps.

    Only products with kernels are needed. The linear network is followed in the span of the first residual and its
    products with K, and Frobenius norms are estimated with random vectors.
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
        with in_double():
            return np.asarray(self.network.predict(self.weights, self.data.x), float)

    def residual(self, outputs: np.ndarray) -> np.ndarray:
        """Residual of the outputs, divided by the number of data points."""
        return np.asarray(self.loss.residual(outputs, self.data.y), float) / self.data.count

    def product(self, vector: np.ndarray, weights: Tree | None = None) -> tuple[Any, np.ndarray]:
        """Jᵀv and K v at the start, or at other weights."""
        from festina.analysis import tangent

        with in_double():
            at = self.weights if weights is None else weights
            spend(PRODUCT)
            pulled, found = tangent.product(self.network.predict, at, self.data.x, vector.reshape(self.first.shape))
            return pulled, np.asarray(found)

    def apply(self, vector: np.ndarray) -> np.ndarray:
        """K v, of the shape of v."""
        if self.kernel is None:
            return self.product(vector)[1].reshape(vector.shape)
        spend(operations=2 * self.kernel.size)
        return (self.kernel @ vector.ravel()).reshape(vector.shape)

    def looks(self, last: float) -> np.ndarray:
        """Times at which the kernel is looked at, from 0."""
        residual = self.residual(self.first)
        fastest = float(np.linalg.norm(self.apply(residual)) / (np.linalg.norm(residual) or 1.0)) or np.inf
        later = np.geomspace(min(EARLIEST * self.data.count / fastest or last, last), last, LOOKS)
        return np.unique(np.append(0.0, later))

    @cached_property
    def kernel(self) -> np.ndarray | None:
        """K, or None if it is too large or the points are not independent of each other."""
        from festina.analysis import tangent

        if self.first.size > FORMED or left(self.forming) < 0:
            return None
        spend(operations=self.forming)
        with in_double():
            return tangent.tangent_kernel(self.network.predict, self.weights, self.data.x)

    @cached_property
    def forming(self) -> float:
        """Operations of forming K and finding its modes."""
        import jax

        numbers = sum(np.size(leaf) for leaf in jax.tree.leaves(self.weights))
        return self.first.size**2 * (EIGEN * self.first.size + 2 * numbers)

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
    """The linear network at some times; with ``pushed``, as the change of its kernel along an earlier one moves it.

    df/dt = (K r)/N + p. ``pushed`` holds p at each time, the times of observation, and the contribution of the change
    of J to the weights by then, ∫ (δJ)ᵀ r dt/N.
    """

    linear: _Linear
    times: np.ndarray
    rate: float | None
    pushed: tuple[np.ndarray, np.ndarray, list[Any]] | None = None

    @cached_property
    def pulls(self) -> np.ndarray:
        """a at each time, (times, points·outputs)."""
        if not self.linear.loss.squared:
            return self._integrated
        answered = 0.0 if self.pushed is None else self._summed(self.shifted) / self.linear.data.count
        return self._decayed - answered

    @cached_property
    def _decayed(self) -> np.ndarray:
        """a of the linear network for squared error."""
        linear = self.linear
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

    @cached_property
    def _integrated(self) -> np.ndarray:
        """a of any loss."""
        linear, times, added = self.linear, self.times, self.added
        first, shape = linear.residual(linear.first), linear.first.shape
        largest = float(np.linalg.norm(linear.apply(first)) / max(np.linalg.norm(first), 1e-300))
        scale = float(np.abs(first).max()) * linear.data.count / (largest or 1.0)

        def field(t: float, a: np.ndarray) -> np.ndarray:
            outputs = linear.first + linear.apply(a).reshape(shape)
            if self.pushed is not None:
                i = min(max(int(np.searchsorted(times, t)), 1), len(times) - 1)
                begin, end = self.pushed[0][i - 1 : i + 1]
                h, since = times[i] - times[i - 1], t - times[i - 1]
                outputs = outputs + (added[i - 1] + since * (begin + since / (2 * h) * (end - begin))).reshape(shape)
            return linear.residual(outputs).ravel()

        return ode.integrate(field, np.zeros(first.size), times, ACCURACY, ACCURACY * scale, solver="DOP853")

    def _summed(self, slopes: np.ndarray) -> np.ndarray:
        """∫ dt of what is linear between the times."""
        parts = (slopes[1:] + slopes[:-1]) / 2 * np.diff(self.times)[:, None]
        return np.concatenate([np.zeros((1, parts.shape[1])), np.cumsum(parts, axis=0)])

    @cached_property
    def added(self) -> Any:
        """∫ p dt, what the change of the kernel has added to the outputs before the residual answers it."""
        return 0.0 if self.pushed is None else self._summed(self.pushed[0])

    @cached_property
    def shifted(self) -> Any:
        """For squared error, how far the outputs are from those of the linear network: de/dt = p − K e/N."""
        if self.pushed is None:
            return 0.0
        rates, vectors = self.linear.modes
        inside = self.pushed[0] @ vectors
        e = np.zeros_like(inside)
        for i, h in enumerate(np.diff(self.times)):
            begin, end = _phi(rates * h)
            e[i + 1] = e[i] * np.exp(-rates * h) + h * (begin * inside[i] + end * inside[i + 1])
        return e @ vectors.T + self.added - (self.added @ vectors) @ vectors.T

    @cached_property
    def values(self) -> np.ndarray:
        """Outputs on the data points of the loss, (times, points, outputs)."""
        linear = self.linear
        pulls, beside = (self._decayed, self.shifted) if linear.loss.squared else (self.pulls, self.added)
        return linear.first + (np.stack([linear.apply(a).ravel() for a in pulls]) + beside).reshape(
            -1, *linear.first.shape
        )

    @cached_property
    def loss(self) -> np.ndarray:
        data, loss = self.linear.data, self.linear.loss
        return np.array([data.floor + float(loss.total(f, data.y)) / data.count for f in self.values])

    def weights(self, i: int) -> Any:
        """W₀ + Jᵀa, and what the change of J adds to it, at the i-th time."""
        import jax

        found = self.linear.moved(self.pulls[i])
        if self.pushed is None:
            return found
        _, looks, turned = self.pushed
        k = min(max(int(np.searchsorted(looks, self.times[i])), 1), len(looks) - 1)
        share = (self.times[i] - looks[k - 1]) / (looks[k] - looks[k - 1])
        return jax.tree.map(lambda w, a, b: w + (1 - share) * a + share * b, found, turned[k - 1], turned[k])

    def next(self, looks: np.ndarray) -> tuple[_Solved, float]:
        """The network as the change of the kernel along this one moves it, and how far that is.

        The movement is ∫ ‖δK r‖ dt / ∫ ‖K r‖ dt.
        """
        import jax

        linear, pushes, sizes, turned, before = self.linear, [], [], [], None
        for i, t in zip(np.searchsorted(self.times, looks).tolist(), looks, strict=True):
            residual = linear.residual(self.values[i])
            (pulled, found), (at_first, first) = linear.product(residual, self.weights(i)), linear.product(residual)
            pushes.append((found - first).ravel())
            sizes.append((np.linalg.norm(pushes[-1]), np.linalg.norm(first)))
            change = jax.tree.map(lambda a, b: np.asarray(a) - np.asarray(b), pulled, at_first)
            if before is None:
                turned.append(jax.tree.map(np.zeros_like, change))
            else:
                half = (t - looks[len(turned) - 1]) / 2
                turned.append(jax.tree.map(lambda s, a, b, h=half: s + h * (a + b), turned[-1], before, change))
            before = change
        pushed = np.stack([np.interp(self.times, looks, column) for column in np.array(pushes).T], axis=1)
        moved, whole = np.trapezoid(np.array(sizes), looks, axis=0)
        return _Solved(linear, self.times, self.rate, (pushed, looks, turned)), float(moved / whole) if whole else 0.0


@dataclass(frozen=True, eq=False)
class _Seen:
    """Observations of a solution at some of its times."""

    solved: _Solved
    at: np.ndarray

    @cached_property
    def path(self) -> list[Any]:
        return [self.solved.weights(i) for i in self.at.tolist()]

    def leaves(self) -> tuple[np.ndarray, ...]:
        import jax

        return tuple(np.stack(leaf) for leaf in zip(*map(jax.tree.leaves, self.path), strict=True))

    def outputs(self) -> np.ndarray:
        linear = self.solved.linear
        if linear.data.x is not None and len(linear.first) == len(linear.task.x) and linear.data.floor == 0:
            return self.solved.values[self.at]
        return np.stack([self.predict(i, linear.network.points(linear.task).x) for i in range(len(self.at))])

    def predict(self, i: int, x: Array) -> np.ndarray:
        """Outputs at new inputs at the i-th time: of the linear network, or of the network where its kernel moves."""
        import jax

        from festina.analysis import tangent

        linear, weights = self.solved.linear, self.path[i]
        with in_double():
            if self.solved.pushed is not None:
                return np.asarray(linear.network.predict(weights, x))
            change = jax.tree.map(lambda w, w0: w - w0, weights, linear.weights)
            now, added = tangent.move(linear.network.predict, linear.weights, x, change)
            return np.asarray(now + added)


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
