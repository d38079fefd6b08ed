"""ReLU networks of several hidden layers, followed from the seed's own weights."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from festina.core import Solution, Start, Task
from festina.core.network import read_off
from festina.relu._layer import Layers
from festina.solvers.stepper import Stepper

KEEP = 1 << 26
"""Numbers (512 MB) up to which the weights at all times are kept; above, they are computed again when asked for."""


@dataclass(frozen=True, eq=False)
class DeepSolved:
    """One seed's solution: all layers integrated jointly from the start, with steps as long as accuracy allows.

    While all weights are small the flow of D layers is homogeneous of degree D − 1. On a plateau products of small
    weights grow slowly while what has been learned relaxes fast. Both take few stabilised steps.
    """

    network: Any
    task: Task
    start: Start
    times: np.ndarray
    accuracy: float
    coarser: float

    @cached_property
    def _weights(self) -> list[np.ndarray]:
        return [np.asarray(w, float) for w in self.start.weights]

    @cached_property
    def _layers(self) -> Layers:
        shapes = tuple(w.shape for w in self._weights)
        return Layers(self.network.inputs(self.task), self.task.y, shapes, self.network.bias)

    def _states(self, solver: Stepper) -> Iterator[np.ndarray]:
        return solver.run(np.concatenate([w.ravel() for w in self._weights]), self.times)

    def _loss(self, state: np.ndarray) -> float:
        return float(np.sum((self.task.y - self._layers.outputs(state)) ** 2)) / (2 * len(self.task.x))

    @cached_property
    def _followed(self) -> tuple[np.ndarray, list[np.ndarray], Stepper]:
        solver, loss, kept = self._layers.stepper(self.accuracy), [], []
        keep = len(self.times) * sum(w.size for w in self._weights) <= KEEP
        for state in self._states(solver):
            loss.append(self._loss(state))
            if keep:
                kept.append(state)
        return np.array(loss), kept, solver

    def path(self) -> Iterator[tuple[np.ndarray, ...]]:
        """All layers at each time."""
        kept = self._followed[1]
        for state in kept or self._states(self._layers.stepper(self.accuracy)):
            yield tuple(self._layers.split(state))

    def error(self) -> np.ndarray:
        """How far a run is off whose steps may err by a larger factor."""
        rough = self._layers.stepper(min(self.coarser * self.accuracy, 0.1))
        return self._followed[0] - np.array([self._loss(state) for state in self._states(rough)])

    @property
    def solution(self) -> Solution:
        """Loss, every observable of the network, and how much was integrated."""
        loss, _, solver = self._followed
        units = sum(self.network.hidden)
        notes = {
            "units": units, "integrated": units, "integration_steps": solver.steps, "evaluations": solver.evaluations,
            "training_is_cheaper_below_steps": solver.evaluations,
        }  # fmt: skip
        observables = read_off(self.network, self.task, self.path) | {"loss": lambda: loss}
        return Solution(observables, notes=notes, error=self.error, path=lambda: list(self.path()))
