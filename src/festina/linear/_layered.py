"""Networks whose layers follow one another, linear or not."""

from itertools import pairwise
from typing import Any

import numpy as np

from festina import _check
from festina._network import Network, brief
from festina._task import Task
from festina._types import Array, Weights
from festina.initial import Initial


class Layered(Network):
    """Base of the networks whose layers follow one another; they have the fields ``hidden`` and ``initial``."""

    hidden: tuple[int, ...]
    initial: Any

    def __post_init__(self) -> None:
        hidden = tuple(np.atleast_1d(np.asarray(self.hidden, dtype=object)))
        object.__setattr__(self, "hidden", tuple(_check.whole("hidden", width) for width in hidden))
        if not isinstance(self.initial, Initial):
            raise ValueError(
                f"initial is {self.initial!r}; one of fs.initial, such as fs.initial.Gaussian(0.01), is needed."
            )

    def shapes(self, task: Task) -> list[tuple[int, int]]:
        """``(out, in)`` of each layer on this task."""
        widths = (task.x.shape[1], *self.hidden, task.y.shape[1])
        return [(after, before) for before, after in pairwise(widths)]

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial weights, by the rule in ``initial``."""
        return self.initial.draw(self.shapes(task), task, np.random.default_rng(seed))

    def __repr__(self) -> str:
        return brief(self)


def rectify(h: Array) -> Array:
    """σ(h) = step(h)·h, for NumPy and JAX alike; the slope at 0 is 0."""
    return h * (h > 0)


def relu_layers(weights: Weights, x: Array) -> tuple[Array, ...]:
    """Pre-activations of every hidden layer, one row per data point."""
    found, h = [], x
    for matrix in weights[:-1]:
        found.append(h @ matrix.T)
        h = rectify(found[-1])
    return tuple(found)


def relu_predict(weights: Weights, x: Array) -> Array:
    """Outputs of a ReLU network with a linear output layer."""
    h = x
    for matrix in weights[:-1]:
        h = rectify(h @ matrix.T)
    return h @ weights[-1].T
