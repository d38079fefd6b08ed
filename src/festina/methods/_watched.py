"""A network with additional observables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from festina.checks.shapes import Tree
from festina.core.network import Context, Data, Network, task_context
from festina.core.task import Task


@dataclass(frozen=True, eq=False)
class Watched(Network):
    """A network that learns as ``network`` does; subclasses add to its context and observables."""

    network: Network

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """As the network's own."""
        return self.network.noisy

    def start(self, task: Task, seed: int) -> Any:
        """As the network's own."""
        return self.network.start(task, seed)

    @property
    def predict(self) -> Any:
        """As the network's own."""
        return self.network.predict

    @property
    def loss(self) -> Any:
        """As the network's own."""
        return self.network.loss

    def points(self, task: Task) -> Data:
        """As the network's own."""
        return self.network.points(task)

    def context(self, task: Task) -> Context:
        """As the network's own."""
        return task_context(self.network, task)

    def velocity(self, task: Task) -> Any:
        """As the network's own."""
        return self.network.velocity(task)

    def rotate(self, weights: Tree) -> Any:
        """As the network's own."""
        return self.network.rotate(weights)

    def sample(self, task: Task) -> Any:
        """As the network's own."""
        return self.network.sample(task)
