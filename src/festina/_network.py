"""What a network is to every method: one description, from which theory and training both follow."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np

from festina._assumption import Assumption
from festina._task import Task
from festina._types import Array, Times, Weights


class Data(NamedTuple):
    """The data points a loss is measured on, and the constant part of the loss they leave out.

    L = floor + 1/(2N) Σ ‖y − ŷ‖². For a linear network x and y are at most ``inputs`` points that
    have the same correlations. ``x`` may be a tuple of arrays where a network takes more than the inputs.
    """

    x: Any
    y: Array
    count: float
    floor: float = 0.0


Context = dict[str, Any]
"""All arrays that training and observables need: ``"data"`` (``Data``) and what a network adds; no array is baked into
compiled code, so that tasks of equal shape share one compilation."""


def mean_loss(predict: Callable[[Weights, Any], Array], weights: Weights, data: Data) -> Array:
    """L = floor + 1/(2N) Σ ‖y − ŷ‖²."""
    return data.floor + 0.5 * ((data.y - predict(weights, data.x)) ** 2).sum() / data.count


@dataclass(frozen=True, eq=False)
class Solution:
    """What a theory gives: observables computed on demand, the assumptions it rests on, and its sources."""

    observables: Mapping[str, Callable[[], Any]]
    assumptions: tuple[Assumption, ...] = ()
    citations: tuple[str, ...] = ()
    unit: str = field(default="flow time", kw_only=True)


def brief(described: Any) -> str:
    """A frozen description as one would write it: without what is left at its default."""
    told = [
        f"{f.name}={getattr(described, f.name)!r}" for f in fields(described) if getattr(described, f.name) != f.default
    ]
    return f"{type(described).__name__}({', '.join(told)})"


class Network(ABC):
    """Base of all networks: frozen descriptions without weights; weights come from ``start``."""

    @abstractmethod
    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial weights on this task; the same for every method at the same seed."""

    @property
    @abstractmethod
    def predict(self) -> Callable[[Weights, Any], Array]:
        """The forward pass ``(weights, x) -> outputs``, for NumPy and JAX alike; hashable, equal for equal networks."""

    @property
    @abstractmethod
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """Everything that can be observed of weights, by name: ``observables(context)[name](weights)``.

        For NumPy and JAX alike; hashable, equal for networks that compute alike.
        """

    def context(self, task: Task) -> Context:
        """Arrays that training and observables need; ``"data"`` is what the loss is measured on."""
        return {"data": Data(task.x, task.y, float(len(task.x)))}

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """Gradient flow: dW/dt as a function of the weights (NumPy)."""
        raise ValueError(f"{type(self).__name__} has no gradient flow in closed form; use method=fs.Train(rate=...).")

    def exact(self, task: Task, times: Times, seed: int, rate: float | None) -> Solution:
        """The closed-form solution; raises ``AssumptionError`` where it does not apply."""
        raise ValueError(f"{type(self).__name__} has no closed form; use method=fs.Train(rate=...).")

    def race(self, task: Task, times: Times, seed: int) -> Solution:
        """The reduction to modes and pathways, from the actual initial weights."""
        raise ValueError(f"{type(self).__name__} has no race reduction; use method=fs.Train(rate=...).")
