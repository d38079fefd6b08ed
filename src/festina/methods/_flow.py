"""Gradient flow by an ODE solver."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from festina import _check
from festina._network import Network
from festina._progress import track
from festina._task import Task
from festina._types import Times, Weights
from festina.methods._base import Method, Run, pick, stack

SMALLEST = 1e-100
"""Least absolute tolerance: below it the solvers' squared error norms overflow."""

MULTISTEP = ("BDF", "LSODA")
SOLVERS = ("RK23", "RK45", "DOP853", "Radau", *MULTISTEP)


@dataclass(frozen=True, repr=False)
class Flow(Method):
    """Gradient flow dW/dt = −∂L/∂W of all weights, by one of SciPy's solvers, in statistics space.

    It assumes nothing about start or data, and its cost does not grow with the number of data points.

    Args:
        solver: name of a SciPy solver; DOP853 is the accurate default.
        rtol: relative tolerance of a step.
        atol: absolute tolerance; None takes ``rtol`` times the largest initial weight, so that small starts keep
            their digits.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> bool(fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 60.0], method=fs.Flow()).loss[-1] < 1e-6)
        True
    """

    solver: str = "DOP853"
    rtol: float = 1e-12
    atol: float | None = None

    def __post_init__(self) -> None:
        _check.known("solver", self.solver, SOLVERS)
        _check.positive("rtol", self.rtol)
        if self.atol is not None:
            _check.positive("atol", self.atol)

    def run(
        self, network: Network, task: Task, times: Times | None, seeds: Sequence[int], observe: Sequence[str]
    ) -> Run:
        """Integrate each seed's weights and observe them at the times."""
        if times is None:
            raise ValueError("times is None (t → ∞), which an ODE solver cannot reach; give times, or use fs.Exact().")
        known = network.observables(network.context(task))
        watch = {name: pick(name, known, "Flow()") for name in observe}
        runs = []
        for seed in track(list(seeds), "Flow()"):
            path = self.integrate(network, task, times, network.start(task, seed))
            runs.append({name: stack([see(weights) for weights in path]) for name, see in watch.items()})
        return Run({name: stack([run[name] for run in runs]) for name in observe}, times)

    def integrate(self, network: Network, task: Task, times: Times, start: Weights) -> list[Weights]:
        """The weights at each time."""
        field = network.velocity(task)
        shapes = [w.shape for w in start]
        cuts = np.cumsum([w.size for w in start])[:-1]

        def unpack(flat: np.ndarray) -> Weights:
            return tuple(part.reshape(shape) for part, shape in zip(np.split(flat, cuts), shapes, strict=True))

        def pack(weights: Any) -> np.ndarray:
            return np.concatenate([w.ravel() for w in weights])

        first = pack(start)
        atol = self.rtol * (float(np.abs(first).max()) or 1.0) if self.atol is None else self.atol
        atol = max(atol, SMALLEST)
        path, state, now, step = [], first, 0.0, None
        # one-step solvers stop at every time asked for: their interpolants have fewer digits than their steps
        for goals in [times] if self.solver in MULTISTEP else times[:, None]:
            if goals[-1] == 0:
                path += [state] * len(goals)
                continue
            found = scipy.integrate.solve_ivp(
                lambda _, flat: pack(field(unpack(flat))), (now, float(goals[-1])), state, self.solver,
                goals if len(goals) > 1 else None, rtol=self.rtol, atol=atol,
                first_step=None if step is None else min(step, float(goals[-1]) - now),
            )  # fmt: skip
            if not found.success:
                raise RuntimeError(
                    f"{self.solver} stopped at t={found.t[-1] if len(found.t) else now:g}: {found.message} "
                    "Try another solver, such as fs.Flow(solver='Radau'), or a larger rtol."
                )
            path += list(found.y.T[-len(goals) :])
            state, now, step = found.y[:, -1], float(goals[-1]), float(np.diff(found.t, prepend=now).max())
        return [unpack(flat) for flat in path]
