"""The closed form."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina import _check
from festina._network import Network
from festina._task import Task
from festina._types import Times
from festina.methods._base import Method, Run, solve


@dataclass(frozen=True, repr=False)
class Exact(Method):
    """The network's closed-form solution. Exact means exact: where its assumptions do not hold it raises.

    Args:
        rate: step of a gradient-descent run to follow instead of the flow: each mode's time is stretched by the
            finite-step factor, ln(1+ηs)/(ηs) for two layers. None is the flow itself.

    Raises:
        AssumptionError: the start or the task is outside what can be solved; says the number and the alternative.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Aligned(1e-3))
        >>> end = fs.evolve(network, fs.tasks.hierarchy(levels=2), None, method=fs.Exact(), observe="strengths")
        >>> end.strengths.round(3)
        array([[2.646, 1.732, 1.   , 1.   ]])
    """

    rate: float | None = None

    def __post_init__(self) -> None:
        if self.rate is not None:
            _check.positive("rate", self.rate)

    def run(
        self, network: Network, task: Task, times: Times | None, seeds: Sequence[int], observe: Sequence[str]
    ) -> Run:
        """Evaluate the closed form at all times at once."""
        at = np.array([np.inf]) if times is None else times
        return solve(lambda seed: network.exact(task, at, seed, self.rate), at, seeds, observe, "Exact()")
