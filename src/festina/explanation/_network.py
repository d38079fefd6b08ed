"""A user's feed-forward network as a chain of operations, and its hidden layers as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
            if isinstance(step, Dense | Conv):
                width = len(step.bias)
            elif isinstance(step, Activation):
                found.append(width)
        return tuple(found)

    def activation(self, layer: int) -> Activation:
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
        return _flat(_in_batches(self.operations, x))

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
        return _flat(_in_batches(self.operations[self.activations[layer] + 1 :], activity))

    def next(self, layer: int, activity: np.ndarray) -> np.ndarray:
        """Pre-activations of the hidden layer after this one."""
        return _in_batches(self.before(layer + 1), activity)

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


def _in_batches(steps: tuple[Operation, ...], x: np.ndarray) -> np.ndarray:
    return np.concatenate([compute(steps, x[i : i + BATCH]) for i in range(0, max(len(x), 1), BATCH)])


def _flat(h: np.ndarray) -> np.ndarray:
    return h.reshape(len(h), -1)


DIRECTIONS = 16
"""Directions of a layer's activity that are kept, those that change the outputs most."""

MAX_GRADIENTS = 256
"""Data points over which gradients are averaged."""

MAX_ABLATIONS = 64
"""Data points on which the channels of a convolution are silenced one by one."""

FAINT = 0.01
"""Share of its largest activity up to which a unit counts as off: a hundredth is 1e-4 of its power. Small random
initial weights leave such a rest where a unit has learned nothing."""

NEGLIGIBLE = 1e-6
"""Share of the summed contribution up to which a unit is silent."""

MAX_NUMBERS = 2e7
"""Numbers in the inputs of a layer (160 MB): a convolution is looked at for as many data points as that allows."""


@dataclass(frozen=True, eq=False)
class View:
    """A hidden layer at some data points; for a convolution every position of every data point is a row.

    Attributes:
        chain: the network.
        layer: from 0.
        shape: the shape of the pre-activations, (points, units, …).
        inputs: what each row is given, (rows, inputs): the layer's inputs, or the patch that a position sees.
        pre: pre-activations, (rows, units).
        metric: (units, directions): a change of activity times this is the change of the outputs that it makes, to
            first order and on average.
        contribution: the effect of each unit on the outputs: root mean square over data points of |∂ŷ/∂a_j|·|a_j|; for
            a convolution, of the change of the outputs when the channel is silenced.
    """

    chain: Chain
    layer: int
    shape: tuple[int, ...]
    inputs: np.ndarray
    pre: np.ndarray
    metric: np.ndarray
    contribution: np.ndarray

    @property
    def activation(self) -> Activation:
        return self.chain.activation(self.layer)

    @property
    def positions(self) -> int:
        """Rows per data point."""
        return int(np.prod(self.shape[2:], dtype=int))

    @cached_property
    def threshold(self) -> np.ndarray:
        """Pre-activation of each unit above which it counts as on: a small share of its largest."""
        return FAINT * np.maximum(self.pre.max(axis=0), 0.0)

    @cached_property
    def on(self) -> np.ndarray:
        """Rows at which each unit is on, (rows, units)."""
        return self.pre > self.threshold

    @cached_property
    def alive(self) -> np.ndarray:
        """Numbers of the units that are on at some data and have an effect on the outputs; the others are silent."""
        return np.flatnonzero(self.contribution > NEGLIGIBLE * self.contribution.sum())

    @property
    def silent(self) -> int:
        return len(self.contribution) - len(self.alive)

    def label(self, alive: np.ndarray) -> np.ndarray:
        """Labels of all units from those of the units that are not silent; −1 for these."""
        labels = np.full(len(self.contribution), -1)
        labels[self.alive] = alive
        return labels

    @cached_property
    def activity(self) -> np.ndarray:
        """σ(pre), (rows, units)."""
        return self.activation.forward(self.pre)

    def first(self, points: int) -> View:
        """The same layer at the first data points."""
        if points >= self.shape[0]:
            return self
        rows = points * self.positions
        return replace(self, shape=(points, *self.shape[1:]), inputs=self.inputs[:rows], pre=self.pre[:rows])

    def finish(self, activity: np.ndarray) -> np.ndarray:
        """Outputs from activity, (rows of some data points, units)."""
        if len(self.shape) == 2:
            return self.chain.rest(self.layer, activity)
        spatial = self.shape[2:]
        planes = activity.reshape(-1, *spatial, activity.shape[1])
        return self.chain.rest(self.layer, np.moveaxis(planes, -1, 1))


def as_rows(pre: np.ndarray) -> np.ndarray:
    """(points, units, …) as (rows, units): positions of one data point follow one another."""
    return np.moveaxis(pre, 1, -1).reshape(-1, pre.shape[1])


def view(chain: Chain, layer: int, inputs: list[np.ndarray], pre: list[np.ndarray], frame: np.ndarray) -> View:
    """A hidden layer from what ``Chain.look`` saw."""
    h, own = inputs[layer], pre[layer]
    first = chain.before(layer)[0]
    if own.ndim > 2 and isinstance(first, Conv) and first.groups == 1:
        per_point = int(np.prod(own.shape[2:])) * first.kernel[0].size
        count = min(len(own), max(8, int(MAX_NUMBERS / per_point)))
        own = own[:count]
        seen = first.patches(h[:count])
        given = seen.reshape(-1, first.kernel[0].size)
    elif own.ndim > 2:
        given = as_rows(own)
    else:
        given = h.reshape(len(h), -1)
    metric, contribution = _metric(chain, layer, pre, frame)
    return View(chain, layer, own.shape, given, as_rows(own), metric, contribution)


def _metric(chain: Chain, layer: int, pre: list[np.ndarray], frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of JᵀJ, J the derivative of the outputs by the activity, as its strongest directions; and what each unit
    contributes."""
    later = Chain(chain.operations[chain.activations[layer] + 1 :])
    count = len(pre[layer])
    if pre[layer].ndim == 2 and later.is_dense:
        constant = not later.activations
        rows = np.unique(np.linspace(0, count - 1, min(count, MAX_GRADIENTS)).astype(int))
        found = chain.jacobian(layer, pre, rows[:1] if constant else rows, frame)
        gram = np.einsum("nou,nov->uv", found, found, optimize=True) / len(found)
        values, vectors = np.linalg.eigh(gram)
        keep = np.argsort(values)[::-1][:DIRECTIONS]
        activity = chain.activation(layer).forward(pre[layer] if constant else pre[layer][rows])
        contribution = np.sqrt(((found**2).sum(axis=1) * activity**2).mean(axis=0))
        return vectors[:, keep] * np.sqrt(np.maximum(values[keep], 0.0)), contribution
    rows = np.unique(np.linspace(0, count - 1, min(count, MAX_ABLATIONS)).astype(int))
    activity = chain.activation(layer).forward(pre[layer][rows])
    whole = chain.rest(layer, activity) @ frame
    effect, change = np.zeros(activity.shape[1]), np.zeros(activity.shape[1])
    for unit in range(activity.shape[1]):
        silent = activity.copy()
        silent[:, unit] = 0
        power = float((activity[:, unit] ** 2).mean())
        change[unit] = np.sqrt(((chain.rest(layer, silent) @ frame - whole) ** 2).sum(axis=1).mean())
        effect[unit] = change[unit] / np.sqrt(power) if power > 0 else 0.0
    return np.diag(effect), change
