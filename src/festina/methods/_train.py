"""Training: gradient descent as a user would run it, compiled, many seeds at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina import _check
from festina._assumption import Assumption
from festina._network import Network
from festina._task import Task
from festina._types import Times
from festina.methods._base import Method, Run, pick

PRECISIONS = ("single", "double", "tensor")
BATCHINGS = ("auto", "vmap", "map", "fused")


@dataclass(frozen=True, repr=False)
class Train(Method):
    """Full-batch gradient descent in JAX; step k is at flow time k·rate.

    Times are moved onto the nearest whole step; the trajectory's ``times`` are those steps, and its ``notes`` hold
    ``steps`` and the seconds spent compiling and running.

    Args:
        rate: step size η on the mean loss, > 0.
        precision: ``"double"`` (default: comparisons with theory need it), ``"single"`` (float32 in accuracy too, also
            on a GPU), or ``"tensor"`` (float32 whose products a GPU forms with ten bits of mantissa: faster).
        batching: how seeds are run together; ``"auto"`` chooses by size and device, ``"fused"`` is one GPU kernel.

    Raises:
        ValueError: an argument that is not allowed; a rate so large that the first step is after all times.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> run = fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 1.26], method=fs.Train(rate=0.5), seeds=3)
        >>> run.loss.shape, run.times.tolist(), run.notes["steps"]
        ((3, 2), [0.0, 1.5], [0, 3])
    """

    rate: float
    precision: str = "double"
    batching: str = "auto"

    def __post_init__(self) -> None:
        _check.positive("rate", self.rate)
        _check.known("precision", self.precision, PRECISIONS)
        _check.known("batching", self.batching, BATCHINGS)

    def run(
        self, network: Network, task: Task, times: Times | None, seeds: Sequence[int], observe: Sequence[str]
    ) -> Run:
        """Train each seed's weights and observe them on the schedule."""
        from festina.methods import _engine

        if times is None:
            raise ValueError("times is None (t → ∞), which no training run reaches; give times, or use fs.Exact().")
        steps = np.rint(times / self.rate).astype(np.int64)
        if times[-1] > 0 and steps[-1] == 0:
            raise ValueError(
                f"rate is {self.rate:g} and times end at {times[-1]:g}, before the first step; "
                "give a smaller rate or later times."
            )
        context = network.context(task)
        known = network.observables(context)
        for name in observe:
            pick(name, known, "Train()")
        starts = [network.start(task, seed) for seed in seeds]
        values, facts = _engine.train(
            network.predict,
            network.observables,
            context,
            observe,
            starts,
            steps,
            self.rate,
            self.precision,
            self.batching,
        )
        notes = {"steps": [int(s) for s in steps], **facts}
        finite = Assumption(
            "finite",
            "every observed number is finite (share that is not; a smaller rate cures divergence)",
            _infinite(values),
            0.0,
        )
        return Run(values, steps * self.rate, (finite,), notes=notes)


def _infinite(values: Mapping[str, Any]) -> float:
    arrays = [part for value in values.values() for part in (value if isinstance(value, tuple) else (value,))]
    total = sum(a.size for a in arrays)
    return float(sum(np.sum(~np.isfinite(a)) for a in arrays) / total) if total else 0.0
