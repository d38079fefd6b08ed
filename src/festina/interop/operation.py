"""A network of another library as a sequence of steps, each an operation in NumPy with its name.

Operations run forwards, and backwards where they are linear.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

NEEDED = (
    "a feed-forward network is needed: Linear or Conv2d layers one after another, ReLU (or leaky ReLU, GELU, SiLU) "
    "between them, a linear output"
)
"""Requirements on arrays and modules in ``fs.explain``, for errors."""


class Operation(ABC):
    """One step of a network, on a batch whose first axis is the data points."""

    @abstractmethod
    def forward(self, h: np.ndarray) -> np.ndarray:
        """Result of the step on a batch."""


class Linear(Operation):
    """A step whose transpose is known: gradients pass through it backwards."""

    @abstractmethod
    def backward(self, delta: np.ndarray) -> np.ndarray:
        """Gradient with respect to the input from the one with respect to the output."""


@dataclass(frozen=True, eq=False)
class Dense(Linear):
    """h ↦ W h + b.

    Attributes:
        matrix: (out, in).
        bias: (out,); zeros for a layer without biases.
        biased: whether the layer has biases that learn.
    """

    matrix: np.ndarray
    bias: np.ndarray
    biased: bool = True

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Apply to rows."""
        return h @ self.matrix.T + self.bias

    def backward(self, delta: np.ndarray) -> np.ndarray:
        """Gradient with respect to the input from the one with respect to the output."""
        return delta @ self.matrix


@dataclass(frozen=True, eq=False)
class Conv(Operation):
    """Two-dimensional cross-correlation on (points, channels, height, width).

    Attributes:
        kernel: (out channels, in channels / groups, height, width).
        bias: (out channels,).
        stride, padding, dilation: per spatial axis.
        groups: number of independent groups into which channels are split.
    """

    kernel: np.ndarray
    bias: np.ndarray
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1

    def patches(self, h: np.ndarray) -> np.ndarray:
        """Inputs of each output position: (points, height, width, channels, kernel height, kernel width)."""
        rows, columns = self.padding
        padded = np.pad(h, ((0, 0), (0, 0), (rows, rows), (columns, columns)))
        return _windows(padded, self.kernel.shape[2:], self.stride, self.dilation).transpose(0, 2, 3, 1, 4, 5)

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Correlate."""
        seen = self.patches(h)
        parts = np.split(seen, self.groups, axis=3)
        kernels = np.split(self.kernel, self.groups, axis=0)
        found = [
            part.reshape(*part.shape[:3], -1) @ kernel.reshape(len(kernel), -1).T
            for part, kernel in zip(parts, kernels, strict=True)
        ]
        return (np.concatenate(found, axis=-1) + self.bias).transpose(0, 3, 1, 2)


@dataclass(frozen=True, eq=False)
class Pool(Operation):
    """Largest or mean value of windows of (points, channels, height, width); a window of None is the whole plane."""

    kind: str
    window: tuple[int, int] | None
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Reduce each window."""
        if self.window is None:
            return h.mean(axis=(2, 3), keepdims=True)
        rows, columns = self.padding
        fill = -np.inf if self.kind == "max" else 0.0
        padded = np.pad(h, ((0, 0), (0, 0), (rows, rows), (columns, columns)), constant_values=fill)
        seen = _windows(padded, self.window, self.stride, (1, 1))
        return seen.max(axis=(4, 5)) if self.kind == "max" else seen.mean(axis=(4, 5))


@dataclass(frozen=True, eq=False)
class Scale(Linear):
    """h ↦ a h + b per channel: normalisation in evaluation mode that no affine layer could take up."""

    factor: np.ndarray
    shift: np.ndarray

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Apply along axis 1."""
        shape = (1, -1, *([1] * (h.ndim - 2)))
        return h * self.factor.reshape(shape) + self.shift.reshape(shape)

    def backward(self, delta: np.ndarray) -> np.ndarray:
        """As for a dense layer; only for vectors."""
        return delta * self.factor


@dataclass(frozen=True, eq=False)
class Reshape(Operation):
    """Every data point in another shape; () flattens."""

    shape: tuple[int, ...] = ()

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Reshape all axes but the first."""
        return h.reshape(len(h), *(self.shape or (-1,)))


@dataclass(frozen=True)
class Activation(Operation):
    """h ↦ σ(h) for every unit: ReLU, leaky ReLU (with its slope), GELU (or its tanh form), SiLU, ELU, tanh, sigmoid."""

    name: str = "relu"
    slope: float = 0.0
    tanh: bool = False

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Apply to every unit."""
        from scipy.special import erf, expit

        if self.name == "gelu" and self.tanh:
            return 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)))
        if self.name == "gelu":
            return 0.5 * h * (1 + erf(h / np.sqrt(2)))
        if self.name == "silu":
            return h * expit(h)
        if self.name == "elu":
            return np.where(h > 0, h, np.expm1(np.minimum(h, 0.0)))
        if self.name in ("tanh", "sigmoid"):
            return np.tanh(h) if self.name == "tanh" else expit(h)
        return self.gated(h, h > 0)

    def gated(self, h: np.ndarray, gate: np.ndarray) -> np.ndarray:
        """The activity of units that are switched by a gate: h where it is 1, slope · h where it is 0."""
        return h * (gate + self.slope * (1 - gate)) if self.slope else h * gate


@dataclass(frozen=True, eq=False)
class Softmax(Operation):
    """Probabilities of classes from logits, or their logarithms."""

    log: bool = False

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Apply to rows."""
        from scipy.special import log_softmax, softmax

        return log_softmax(h, axis=1) if self.log else softmax(h, axis=1)


@dataclass(frozen=True, eq=False)
class Step:
    """An operation, and where the user finds it.

    Attributes:
        operation: what is computed; None if festina does not know it.
        kind: what the user's library calls it, with its settings: ``"LeakyReLU(negative_slope=0.2)"``, ``"tanh"``.
        name: the name of the layer in the module, such as ``"encoder.0"``; empty for the call of a function and for
            arrays.
    """

    operation: Operation | None
    kind: str
    name: str = ""


def compute(operations: Iterable[Operation], x: np.ndarray) -> np.ndarray:
    """The outputs of operations one after another."""
    for operation in operations:
        x = operation.forward(x)
    return x


def folded(operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """The same computation with normalisation taken up by the dense layer or convolution before it."""
    found: list[Operation] = []
    for operation in operations:
        before = found[-1] if found else None
        if isinstance(operation, Scale) and isinstance(before, Dense | Conv):
            bias = before.bias * operation.factor + operation.shift
            if isinstance(before, Dense):
                found[-1] = Dense(before.matrix * operation.factor[:, None], bias)
            else:
                found[-1] = replace(before, kernel=before.kernel * operation.factor[:, None, None, None], bias=bias)
        else:
            found.append(operation)
    return tuple(found)


def _windows(h: np.ndarray, window: tuple[int, ...], stride: tuple[int, int], dilation: tuple[int, int]) -> np.ndarray:
    """(points, channels, height, width, window height, window width)."""
    reach = tuple((size - 1) * step + 1 for size, step in zip(window, dilation, strict=True))
    seen = np.lib.stride_tricks.sliding_window_view(h, reach, axis=(2, 3))
    return seen[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
