"""A user's feed-forward network as a chain of operations, with its hidden layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from festina.interop.operation import (
    NEEDED,
    Activation,
    Conv,
    Dense,
    Linear,
    Operation,
    Reshape,
    Softmax,
    compute,
    folded,
)
from festina.interop.reader import read

THRESHOLDED = ("gelu", "silu")
"""Smooth activation functions close to ReLU: a unit counts as on where its pre-activation is above 0."""

ACTIVATIONS = ("relu", "leaky_relu", *THRESHOLDED)

BATCH = 2048
"""Data points that pass through the network at once: bounds memory, and is large enough for full speed."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Operations one after another; each activation function ends a hidden layer.

    Attributes:
        operations: from the input to the output.
        outermost: ``"softmax"``, ``"sigmoid"`` or ``""``: what the model applies last, which is not part of the chain.
    """

    operations: tuple[Operation, ...]
    outermost: str = ""

    @cached_property
    def activations(self) -> tuple[int, ...]:
        """Positions of the activation functions among the operations."""
        return tuple(i for i, step in enumerate(self.operations) if isinstance(step, Activation))

    @property
    def is_dense(self) -> bool:
        """Whether every layer is a matrix, so that gradients are known."""
        return all(isinstance(step, Linear | Activation | Reshape) for step in self.operations)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units (channels, of a convolution) of every hidden layer."""
        found, width = [], 0
        for step in self.operations:
            if isinstance(step, Dense):
                width = len(step.matrix)
            elif isinstance(step, Conv):
                width = len(step.kernel)
            elif isinstance(step, Activation):
                found.append(width)
        return tuple(found)

    def activation(self, layer: int) -> Activation:
        """The activation function of a hidden layer, from 0."""
        step = self.operations[self.activations[layer]]
        assert isinstance(step, Activation)
        return step

    @property
    def is_smooth(self) -> bool:
        """Whether some activation function is only thresholded by the gates."""
        return any(self.activation(i).name in THRESHOLDED for i in range(len(self.activations)))

    def before(self, layer: int) -> tuple[Operation, ...]:
        """Operations that make the pre-activations of a hidden layer from the activity of the one before."""
        start = self.activations[layer - 1] + 1 if layer else 0
        return self.operations[start : self.activations[layer]]

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """Outputs, (points, outputs), in batches."""
        return np.concatenate([_flat(compute(self.operations, part)) for part in _batches(x)])

    def look(self, x: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
        """Inputs and pre-activations of every hidden layer, and the outputs."""
        inputs: list[np.ndarray] = []
        pre: list[np.ndarray] = []
        h = x
        for step in self.operations:
            if isinstance(step, Activation):
                pre.append(h)
            elif len(inputs) == len(pre):
                inputs.append(h)
            h = step.forward(h)
        return inputs[: len(pre)], pre, _flat(h)

    def rest(self, layer: int, activity: np.ndarray) -> np.ndarray:
        """Outputs from the activity of a hidden layer."""
        after = self.operations[self.activations[layer] + 1 :]
        return np.concatenate([_flat(compute(after, part)) for part in _batches(activity)])

    def next(self, layer: int, activity: np.ndarray) -> np.ndarray:
        """Pre-activations of the hidden layer after this one."""
        between = self.before(layer + 1)
        return np.concatenate([compute(between, part) for part in _batches(activity)])

    def thresholded(self, x: np.ndarray) -> np.ndarray:
        """Outputs with every smooth activation function replaced by h ↦ h·[h > 0]."""
        steps = tuple(
            Activation() if isinstance(s, Activation) and s.name in THRESHOLDED else s for s in self.operations
        )
        return Chain(steps).outputs(x)

    def jacobian(self, layer: int, pre: list[np.ndarray], rows: np.ndarray, start: np.ndarray) -> np.ndarray:
        """∂(start · ŷ)/∂ activity of a hidden layer, (rows, len(start), units), for chains of dense layers."""
        delta = np.broadcast_to(start, (len(rows), *start.shape))
        for i in reversed(range(self.activations[layer] + 1, len(self.operations))):
            delta = self._back(i, delta, pre, rows)
        return delta

    def to_inputs(self, layer: int, pre: list[np.ndarray], rows: np.ndarray, delta: np.ndarray) -> np.ndarray:
        """Carry ∂/∂ activity of a hidden layer on to ∂/∂x, (rows, …, inputs)."""
        for i in reversed(range(self.activations[layer] + 1)):
            delta = self._back(i, delta, pre, rows)
        return delta

    def _back(self, i: int, delta: np.ndarray, pre: list[np.ndarray], rows: np.ndarray) -> np.ndarray:
        step = self.operations[i]
        if isinstance(step, Activation):
            on = (pre[self.activations.index(i)][rows] > 0).astype(float)
            return delta * (on + step.slope * (1 - on))[:, None]
        if isinstance(step, Reshape):
            return delta
        assert isinstance(step, Linear)
        return step.backward(delta)


def read_chain(
    name: str, model: object, x: np.ndarray, outputs: int | None, between: Activation,
    image_shape: tuple[int, ...] | None = None,
) -> tuple[Chain, np.ndarray]:  # fmt: skip
    """The chain of a model, and x in the shape in which it takes it: see ``festina.interop.reader.read``.

    Args:
        name: the name of the argument, for errors.
        model: a module, arrays or a file.
        x: (points, …).
        outputs: number of outputs that the targets need; None if any will do.
        between: activation function of models that do not say theirs.
        image_shape: the image shape of flat x.

    Raises:
        ValueError: not a network that can be explained, or not one for these data.
    """
    operations, x = read(name, model, x, between, ACTIVATIONS, image_shape)
    if not operations:
        raise ValueError(f"{name} has no layers; give at least two matrices (out, in), or a module with layers.")
    last, outermost = operations[-1], ""
    if isinstance(last, Softmax) or (isinstance(last, Activation) and last.name == "sigmoid"):
        outermost = "softmax" if isinstance(last, Softmax) else "sigmoid"
        operations = operations[:-1]
    chain = Chain(folded(operations), outermost)
    count = sum(isinstance(step, Dense | Conv) for step in chain.operations)
    if not chain.activations or count < 2:
        raise ValueError(
            f"{name} has {count} layer(s) of weights and {len(chain.activations)} of activation functions; {NEEDED}, "
            "so at least two layers of weights with an activation function between them."
        )
    end = chain.operations[-1]
    if not isinstance(end, Dense):
        raise ValueError(f"{name} ends with {type(end).__name__}, not with a linear layer; {NEEDED}.")
    if outputs is not None and len(end.matrix) != outputs:
        raise ValueError(
            f"{name} has {len(end.matrix)} outputs and y has {outputs} columns; give the data that the network was "
            "made for, one row per data point."
        )
    return chain, x


def _batches(x: np.ndarray) -> Iterator[np.ndarray]:
    for start in range(0, max(len(x), 1), BATCH):
        yield x[start : start + BATCH]


def _flat(h: np.ndarray) -> np.ndarray:
    return h.reshape(len(h), -1)
