"""Gradient flow by an ODE solver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Method, Network, Run, Start, Task
from festina.core.network import exactly, known_velocity, task_context
from festina.methods import _rotated
from festina.methods._exact import select_observables
from festina.runtime.progress import bar
from festina.solvers import ode

FINEST = 3e-14
"""Least relative tolerance that SciPy's solvers accept."""

STABILISED = "Chebyshev"
"""The solver of long steps."""

ANALYTIC, DIFFERENTIATED, COARSE = 1e-12, 1e-6, 1e-2
"""Relative tolerance of a step where the velocity is known in closed form, where it is differentiated, and where long
steps are taken. The second is larger because changing gates make steps small, and it is compared only with training."""


@dataclass(frozen=True, repr=False)
class Flow(Method):
    """Gradient flow dW/dt = −∂L/∂W of all weights, all seeds at once.

    It assumes nothing about start or data. Linear and gated networks flow in the space of their correlations, by one of
    SciPy's solvers, so that the cost does not grow with the number of data points. The loss of any other network is
    differentiated by JAX and integrated by the Runge–Kutta pair of Dormand and Prince. Where gates slide along data
    points, steps are at least a thousandth of the inverse of the largest initial curvature.

    Args:
        solver: name of a SciPy solver for networks whose dW/dt is known in closed form; DOP853 is the accurate default.
            If an explicit solver would take very many steps, as with data that are not scaled, LSODA continues.
            ``"Chebyshev"`` takes long stabilised steps for any network whose loss is differentiated. Over
            long times it needs fewer gradients than training, and it is accurate to a few percent of the loss.
        rtol: relative tolerance of a step; None is 1e-12 where dW/dt is known in closed form and 1e-6 where the loss
            is differentiated; 1e-2 for Chebyshev.
        atol: absolute tolerance; None takes ``rtol`` times the largest initial weight of the matrix with the smallest
            ones, so that small starts keep their digits.

    Raises:
        ValueError: a network whose training draws random numbers (dropout), which has no gradient flow.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> bool(fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 60.0], method=fs.Flow()).loss[-1] < 1e-6)
        True
    """

    solver: str = "DOP853"
    rtol: float | None = None
    atol: float | None = None

    kind: ClassVar[Literal["trained", "predicted"]] = "predicted"
    optional: ClassVar[bool] = True
    observes_weights: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.known("solver", self.solver, (*ode.SOLVERS, STABILISED))
        for name in ("rtol", "atol"):
            if getattr(self, name) is not None:
                check.positive(name, getattr(self, name))

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Integrate the weights of all seeds together and observe them at the times."""
        if times is None:
            raise ValueError("times is None (t → ∞), which an ODE solver cannot reach; give times, or use fs.Exact().")
        if network.noisy:
            raise ValueError(
                f"network is {network!r}, whose training draws random numbers in every step (dropout), so that it has "
                "no gradient flow. Use fs.Train(rate=...), or give the network without them (dropout=0)."
            )
        given = network.flow(task, times, starts, observe, self)
        if given is not None:
            return given
        stabilised = self.solver == STABILISED
        velocity = None if stabilised else known_velocity(network, task)
        weights = [start.weights for start in starts]
        with exactly(network, task):
            context = task_context(network, task)
            known = network.observables(context)
            observe = select_observables(observe, known, "Flow()", network)
            if velocity is None:
                from festina.methods import _autodiff

                usual = COARSE if stabilised else DIFFERENTIATED
                rtol = usual if self.rtol is None else self.rtol
                paths, notes = _autodiff.flow(network, task, times, weights, rtol, self.atol, stabilised)
                rotated = None
            else:
                rotated, notes = _rotated.rotate(network, context, weights, observe), {}
                paths = self._system(velocity, times, weights if rotated is None else rotated.starts)
            if rotated is None:
                values = {name: _rotated.observed(known[name], paths) for name in observe}
                return Run(values, times, notes=notes, paths=lambda: paths, ends=lambda: [path[-1] for path in paths])
            own = rotated.whole(paths) if rotated.per_unit else []
            values = {n: _rotated.observed(known[n], own if n in rotated.per_unit else paths) for n in observe}
        ends = [path[-1:] for path in paths]
        return Run(
            values, times, paths=lambda: rotated.whole(paths), ends=lambda: [last for (last,) in rotated.whole(ends)]
        )

    def _system(
        self,
        velocity: Callable[[tuple[np.ndarray, ...]], tuple[np.ndarray, ...]],
        times: Times,
        starts: list[tuple[np.ndarray, ...]],
    ) -> list[list[Any]]:
        shapes = [np.shape(w) for w in starts[0]]
        cuts = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]

        def split(state: np.ndarray) -> tuple[np.ndarray, ...]:
            parts = np.split(state, cuts, axis=-1)
            return tuple(p.reshape(*p.shape[:-1], *shape) for p, shape in zip(parts, shapes, strict=True))

        def field(state: np.ndarray) -> np.ndarray:
            return np.concatenate([c.reshape(len(state), -1) for c in velocity(split(state))], axis=-1)

        first = np.stack([np.concatenate([np.ravel(w) for w in start]) for start in starts])
        sizes = [float(np.abs(w).max(initial=0.0)) for start in starts for w in start]
        # smaller numbers are rounding errors
        least = min((size for size in sizes if size > np.finfo(float).eps * max(sizes)), default=1.0)
        states = integrate(self, field, first, times, ANALYTIC if self.rtol is None else self.rtol, least)
        return [[split(state[k]) for state in states] for k in range(len(starts))]


def integrate(
    method: Flow,
    field: Callable[[np.ndarray], np.ndarray],
    first: np.ndarray,
    times: Times,
    rtol: float,
    least: float,
) -> list[np.ndarray]:
    """The states (seeds, numbers) at each time; numbers of size ``least`` keep their digits.

    One solver serves all seeds. Its error norm is a mean over all numbers, so the tolerance is divided by the root of
    the number of seeds. No seed is less accurate than it would be alone.
    """
    shape = first.shape
    rtol = max(rtol / np.sqrt(len(first)), FINEST)
    # products of a few rows gain nothing from threads and lose much where cores are busy
    from threadpoolctl import threadpool_limits

    with bar(len(times), "Flow()") as move, threadpool_limits(1):
        states = ode.integrate(
            lambda _, flat: field(flat.reshape(shape)).ravel(), first.ravel(), times, rtol,
            rtol * least if method.atol is None else method.atol, solver=method.solver, progress=move,
            advice="Try another solver, such as fs.Flow(solver='Radau'), or a larger rtol.",
        )  # fmt: skip
    return [flat.reshape(shape) for flat in states]
