"""Networks whose layers follow one another, linear or rectified, with or without biases."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar, cast

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core.initial import Initial
from festina.core.network import Context, Data, Fresh, Network
from festina.core.seed import generator
from festina.core.task import Task

Kind = TypeVar("Kind", bound="Layered")


def rectify(h: Array) -> Array:
    """σ(h) = step(h)·h, for NumPy and JAX alike; the slope at 0 is 0."""
    return h * (h > 0)


@dataclass(frozen=True)
class LayeredForward:
    """The forward pass of layers that follow one another, one row per data point.

    With biases a layer's matrix has one more column, the bias, and x has one more column, which multiplies every
    layer's bias: it is 1 at a data point.

    Args:
        rectifies: whether hidden layers are rectified.
        biased: whether layers have biases.
    """

    rectifies: bool = False
    biased: bool = False

    def layers(self, weights: Weights, x: Array) -> tuple[Array, ...]:
        """Sums that each layer computes: pre-activations of the hidden layers, then the outputs."""
        h, one = (x[:, :-1], x[:, -1:]) if self.biased else (x, None)
        found = []
        for matrix in weights:
            found.append(h @ matrix.T if one is None else h @ matrix[:, :-1].T + one * matrix[:, -1])
            h = rectify(found[-1]) if self.rectifies else found[-1]
        return tuple(found)

    def hidden(self, weights: Weights, x: Array) -> tuple[Array, ...]:
        """Activity of every hidden layer."""
        before = self.layers(weights, x)[:-1]
        return tuple(rectify(h) for h in before) if self.rectifies else before

    def __call__(self, weights: Weights, x: Array) -> Array:
        """The outputs."""
        return self.layers(weights, x)[-1]


class Layered(Network):
    """Base of the networks whose layers follow one another; they have ``hidden``, ``initial`` and ``bias``."""

    hidden: tuple[int, ...]
    initial: Any
    bias: bool

    def __post_init__(self) -> None:
        try:
            hidden = tuple(np.atleast_1d(np.asarray(self.hidden, dtype=object)))
        except ValueError:
            hidden = (self.hidden,)
        object.__setattr__(self, "hidden", tuple(check.whole("hidden", width) for width in hidden))
        check.instance("initial", self.initial, Initial, "one of fs.initial, such as fs.initial.Gaussian(0.01),")
        check.instance("bias", self.bias, bool, "True or False")

    def changed(self: Kind, **fields: object) -> Kind:
        """The same network with other fields."""
        return replace(cast(Any, self), **fields)

    @property
    def layers(self) -> float | int:
        """Number of weight layers D."""
        return len(self.hidden) + 1

    def shapes(self, task: Task) -> list[tuple[int, int]]:
        """``(out, in)`` of each layer on this task, without biases."""
        widths = (task.x.shape[1], *self.hidden, task.y.shape[1])
        return [(after, before) for before, after in pairwise(widths)]

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial weights, by the rule in ``initial``; biases are the last column of each layer."""
        rule = self.initial.of_seed(seed)
        return rule.layers(self.shapes(task), task, generator(seed), bias=self.bias)

    def inputs(self, task: Task) -> np.ndarray:
        """The task's inputs as the forward pass takes them: with a column of ones if there are biases."""
        if self.bias:
            self.require_data(task)  # correlations do not tell the mean, which a bias sees
        return self.inputs_at(task.x)

    def inputs_at(self, x: np.ndarray) -> np.ndarray:
        """New inputs, with a column of ones if there are biases."""
        return np.column_stack([x, np.ones(len(x))]) if self.bias else x

    def sample(self, task: Task) -> Callable[[Any, int, Context], Data] | None:
        """Fresh data points, with a column of ones if there are biases."""
        return None if task.draw is None else Fresh(task.draw, self.bias)

    def points(self, task: Task) -> Data:
        """The data points, from which mini-batches are drawn."""
        self.require_data(task)
        return Data(self.inputs(task), task.y, float(len(task.x)), loss=task.loss.carried)

    def without_bias(self, weights: Weights) -> Weights:
        """The layers' matrices alone."""
        return tuple(w[..., :-1] for w in weights) if self.bias else tuple(weights)

    @property
    @abstractmethod
    def forward(self) -> LayeredForward:
        """The forward pass."""

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ as a function of weights and inputs."""
        return self.forward
