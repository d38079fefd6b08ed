"""Gradient flow by an ODE solver."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy

from festina import _check
from festina._network import Network
from festina._progress import bar
from festina._task import Task
from festina._theory import Start
from festina._types import Times
from festina.methods._base import Method, Run, check_observables, stack

SMALLEST = 1e-100
"""Least absolute tolerance: below it the solvers' squared error norms overflow."""

FINEST = 3e-14
"""Least relative tolerance that SciPy's solvers accept."""

MULTISTEP = ("BDF", "LSODA")
SOLVERS = ("RK23", "RK45", "DOP853", "Radau", *MULTISTEP)

ANALYTIC, DIFFERENTIATED = 1e-12, 1e-8
"""Relative tolerance of a step where the velocity is known in closed form, and where it is differentiated: gates that
open and close make the latter's steps small, and what is compared with it is training."""


@dataclass(frozen=True, repr=False)
class Flow(Method):
    """Gradient flow dW/dt = −∂L/∂W of all weights, by one of SciPy's solvers, all seeds at once.

    It assumes nothing about start or data. Linear and gated networks flow in the space of their correlations, so that
    the cost does not grow with the number of data points; of any other network the loss is differentiated by JAX.

    Args:
        solver: name of a SciPy solver; DOP853 is the accurate default.
        rtol: relative tolerance of a step; None is 1e-12 where dW/dt is known in closed form and 1e-8 where the loss
            is differentiated.
        atol: absolute tolerance; None takes ``rtol`` times the largest initial weight, so that small starts keep
            their digits.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> bool(fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 60.0], method=fs.Flow()).loss[-1] < 1e-6)
        True
    """

    solver: str = "DOP853"
    rtol: float | None = None
    atol: float | None = None

    observes_weights: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check.known("solver", self.solver, SOLVERS)
        for name in ("rtol", "atol"):
            if getattr(self, name) is not None:
                _check.positive(name, getattr(self, name))

    def run(
        self, network: Network, task: Task, times: Times | None, starts: Sequence[Start], observe: Sequence[str]
    ) -> Run:
        """Integrate the weights of all seeds together and observe them at the times."""
        if times is None:
            raise ValueError("times is None (t → ∞), which an ODE solver cannot reach; give times, or use fs.Exact().")
        own = network.flow(task, times, starts, observe, self)
        if own is not None:
            return own
        velocity = network.velocity(task)
        system = _differentiated(network, task) if velocity is None else _Analytic(velocity)
        with system.precision():
            known = network.observables(network.context(task))
            check_observables(observe, known, "Flow()", network)
            system.begin([start.weights for start in starts])
            rtol = self.rtol or (DIFFERENTIATED if velocity is None else ANALYTIC)
            path = [system.unpack(state) for state in integrate(self, system.field, system.state, times, rtol)]
            values = {
                name: stack([stack([_plain(known[name](w)) for w in seed]) for seed in zip(*path, strict=True)])
                for name in observe
            }
        paths = [list(seed) for seed in zip(*path, strict=True)]
        return Run(values, times, paths=lambda: paths, ends=lambda: [seed[-1] for seed in paths])


def _plain(value: Any) -> Any:
    return tuple(np.asarray(part) for part in value) if isinstance(value, tuple) else np.asarray(value)


class _Analytic:
    """Weights in tuples whose velocity NumPy computes with a leading axis of seeds."""

    def __init__(self, velocity: Callable[[Any], Any]) -> None:
        self.velocity = velocity

    def precision(self) -> Any:
        from contextlib import nullcontext

        return nullcontext()

    def begin(self, starts: list[Any]) -> None:
        self.shapes = [np.shape(w) for w in starts[0]]
        self.cuts = np.cumsum([int(np.prod(shape)) for shape in self.shapes])[:-1]
        self.state = np.stack([np.concatenate([np.ravel(w) for w in start]) for start in starts])

    def _split(self, state: np.ndarray) -> tuple[np.ndarray, ...]:
        parts = np.split(state, self.cuts, axis=-1)
        return tuple(p.reshape(*p.shape[:-1], *shape) for p, shape in zip(parts, self.shapes, strict=True))

    def field(self, state: np.ndarray) -> np.ndarray:
        changes = self.velocity(self._split(state))
        return np.concatenate([c.reshape(len(state), -1) for c in changes], axis=-1)

    def unpack(self, state: np.ndarray) -> list[Any]:
        return [self._split(seed) for seed in state]


def _differentiated(network: Network, task: Task) -> Any:
    from festina.methods._autodiff import Differentiated

    return Differentiated(network, task)


def integrate(
    method: Flow, field: Callable[[np.ndarray], np.ndarray], first: np.ndarray, times: Times, rtol: float
) -> list[np.ndarray]:
    """The states (seeds, numbers) at each time.

    One solver serves all seeds: its error norm is a mean over all numbers, so that the tolerance is divided by the
    root of the number of seeds, and no seed is less accurate than it would be alone.
    """
    shape = first.shape
    rtol = max(rtol / np.sqrt(len(first)), FINEST)
    atol = rtol * (float(np.abs(first).max(initial=0.0)) or 1.0) if method.atol is None else method.atol
    path, state, now, step = [], first.ravel(), 0.0, None
    # one-step solvers stop at every time asked for: their interpolants have fewer digits than their steps
    with bar(len(times), "Flow()") as move:
        for goals in [times] if method.solver in MULTISTEP else times[:, None]:
            if goals[-1] == 0:
                path += [state] * len(goals)
                continue
            with np.errstate(over="ignore", invalid="ignore"):
                found = scipy.integrate.solve_ivp(
                    lambda _, flat: field(flat.reshape(shape)).ravel(), (now, float(goals[-1])), state, method.solver,
                    goals if len(goals) > 1 else None, rtol=rtol, atol=max(atol, SMALLEST),
                    first_step=None if step is None else min(step, float(goals[-1]) - now),
                )  # fmt: skip
            if not found.success:
                raise RuntimeError(
                    f"{method.solver} stopped at t={found.t[-1] if len(found.t) else now:g}: {found.message} "
                    "Try another solver, such as fs.Flow(solver='Radau'), or a larger rtol."
                )
            path += list(found.y.T[-len(goals) :])
            state, now, step = found.y[:, -1], float(goals[-1]), float(np.diff(found.t, prepend=now).max())
            move(len(goals))
    return [flat.reshape(shape) for flat in path]
