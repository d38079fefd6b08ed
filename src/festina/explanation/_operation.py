"""The operations of a feed-forward network, in NumPy: forwards, and backwards where the operation is linear."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

THRESHOLDED = ("gelu", "silu")
"""Smooth activation functions close to ReLU: a unit counts as on where its pre-activation is above 0."""

ACTIVATIONS = ("relu", "leaky_relu", *THRESHOLDED)


class Operation(ABC):
    """One step of a network, on a batch whose first axis is the data points."""

    @abstractmethod
    def forward(self, h: np.ndarray) -> np.ndarray:
        """What the step makes of a batch."""


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
        bias: (out,).
    """

    matrix: np.ndarray
    bias: np.ndarray

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
        groups: channels are split into so many independent groups.
    """

    kernel: np.ndarray
    bias: np.ndarray
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1

    def patches(self, h: np.ndarray) -> np.ndarray:
        """What each position of the output sees: (points, height, width, channels, kernel height, kernel width)."""
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


@dataclass(frozen=True, eq=False)
class Activation(Operation):
    """h ↦ σ(h): ReLU, leaky ReLU (with its slope), GELU or SiLU."""

    name: str = "relu"
    slope: float = 0.0
    tanh: bool = False

    def forward(self, h: np.ndarray) -> np.ndarray:
        """Apply to every unit."""
        if self.name == "gelu":
            from scipy.special import erf

            if self.tanh:
                return 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3)))
            return 0.5 * h * (1 + erf(h / np.sqrt(2)))
        if self.name == "silu":
            from scipy.special import expit

            return h * expit(h)
        return self.gated(h, h > 0)

    def gated(self, h: np.ndarray, gate: np.ndarray) -> np.ndarray:
        """The activity of units that are switched by a gate: h where it is 1, slope · h where it is 0."""
        return h * (gate + self.slope * (1 - gate)) if self.slope else h * gate


def _windows(h: np.ndarray, window: tuple[int, ...], stride: tuple[int, int], dilation: tuple[int, int]) -> np.ndarray:
    """(points, channels, height, width, window height, window width)."""
    reach = tuple((size - 1) * step + 1 for size, step in zip(window, dilation, strict=True))
    seen = np.lib.stride_tricks.sliding_window_view(h, reach, axis=(2, 3))
    return seen[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
