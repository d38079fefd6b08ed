"""Losses: what a network's outputs cost, given the targets, and the residual that drives learning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.storage.description import Storable

SUMS = 1e-6
"""How far from 1 the target probabilities of a data point may add up: those in single precision are accepted."""


class Loss(Storable, ABC):
    """Base of all losses: frozen descriptions, written for NumPy and JAX alike.

    A loss is a sum over data points, ℓ(f_i, y_i); what training descends is its mean over data points, L = (1/N) Σ ℓ.
    A network learns from the residual r = −N ∂L/∂f: with squared error it is y − f.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task([[0.1], [0.7]], labels=["cat", "dog"], loss="cross_entropy")
        >>> task.loss.residual(np.zeros((2, 2)), task.y).tolist()
        [[0.5, -0.5], [-0.5, 0.5]]
    """

    name: ClassVar[str]
    """Name of the loss in ``fs.Task(..., loss=name)`` and in tables."""

    squared: ClassVar[bool] = False
    """Whether it is the squared error, for which most closed forms are."""

    @abstractmethod
    def each(self, outputs: Array, targets: Array) -> Array:
        """The loss of each data point, one row each."""

    def total(self, outputs: Array, targets: Array) -> Array:
        """The sum of the loss over data points."""
        return self.each(outputs, targets).sum()

    @abstractmethod
    def residual(self, outputs: Array, targets: Array) -> Array:
        """r = −N ∂L/∂f, with the shape of the outputs: the change that a data point asks for."""

    def answers(self, outputs: Array) -> Array:
        """The outputs themselves, or the probabilities that they stand for."""
        return outputs

    def mean(self, outputs: Array, targets: Array) -> Array:
        """L, the mean over data points."""
        return self.total(outputs, targets) / len(outputs)

    def check_targets(self, y: np.ndarray) -> None:
        """Raise where these targets are not ones that the loss can be measured against."""

    def rate_of(self, lr: float, outputs: int) -> float:
        """The rate of a step at PyTorch's learning rate ``lr``, whose loss of that name may also divide by outputs."""
        return lr

    def near_zero(self, y: np.ndarray) -> tuple[np.ndarray, float] | None:
        """Targets y' and a factor c with r = (y' − f)/c to first order in the outputs; None if there are none.

        From small outputs a network then learns y' by squared error, in time slowed by c.
        """
        return None

    @property
    def carried(self) -> Loss | None:
        """The loss as ``Data`` carries it into compiled code: None is squared error."""
        if self.squared:
            return None
        _make_static(type(self))
        return self


@cache
def _make_static(kind: type) -> None:
    """Tell JAX that a loss is no array: it is a constant of compiled code, compared by equality."""
    from jax.tree_util import register_pytree_node

    register_pytree_node(kind, lambda loss: ((), loss), lambda loss, _: loss)


@dataclass(frozen=True)
class SquaredError(Loss):
    """Squared error: L = 1/(2N) Σ ‖y − f‖², r = y − f.

    Example:
        >>> import numpy as np, festina as fs
        >>> float(fs.core.SquaredError().mean(np.array([[1.0, 1.0]]), np.zeros((1, 2))))
        1.0
    """

    name: ClassVar[str] = "squared"
    squared: ClassVar[bool] = True

    def each(self, outputs: Array, targets: Array) -> Array:
        """½ ‖y − f‖²."""
        return 0.5 * ((targets - outputs) ** 2).sum(axis=-1)

    def total(self, outputs: Array, targets: Array) -> Array:
        """½ Σ ‖y − f‖², in one sum."""
        return 0.5 * ((targets - outputs) ** 2).sum()

    def residual(self, outputs: Array, targets: Array) -> Array:
        """y − f."""
        return targets - outputs

    def rate_of(self, lr: float, outputs: int) -> float:
        """2 lr/outputs: ``torch.nn.MSELoss`` is the mean over outputs, too, and has no ½."""
        return 2 * lr / outputs


@dataclass(frozen=True)
class CrossEntropy(Loss):
    """Cross-entropy of a softmax: L = −(1/N) Σ_i Σ_c p_ic ln softmax(f_i)_c, r = p − softmax f.

    p are the targets, which are the probabilities of the classes (1 for the class of a data point and 0 for the others,
    where a task is made of labels). The value is that of ``torch.nn.CrossEntropyLoss(label_smoothing=smoothing)``.

    Args:
        smoothing: share ε of the probability that is spread over all classes, p = (1 − ε) y + ε/classes; at least 0 and
            below 1.

    Raises:
        ValueError: a share that is not allowed.

    Example:
        >>> import numpy as np, festina as fs
        >>> loss = fs.core.CrossEntropy(smoothing=0.1)
        >>> task = fs.Task([[0.1], [0.7]], labels=["cat", "dog"], loss=loss)
        >>> round(float(task.loss.mean(np.zeros((2, 2)), task.y)), 4)
        0.6931
    """

    name: ClassVar[str] = "cross_entropy"
    smoothing: float = 0.0

    def __post_init__(self) -> None:
        if check.positive("smoothing", self.smoothing, zero=True) >= 1:
            raise ValueError(f"smoothing is {self.smoothing!r}; a number >= 0 and < 1 is needed.")

    def probabilities(self, targets: Array) -> Array:
        """The target probabilities, smoothed."""
        return (1 - self.smoothing) * targets + self.smoothing / targets.shape[-1] if self.smoothing else targets

    def each(self, outputs: Array, targets: Array) -> Array:
        """−Σ p ln softmax f."""
        return -(self.probabilities(targets) * _log_softmax(outputs)).sum(axis=-1)

    def residual(self, outputs: Array, targets: Array) -> Array:
        """p − softmax f."""
        return self.probabilities(targets) - self.answers(outputs)

    def answers(self, outputs: Array) -> Array:
        """softmax f, the probabilities of the classes."""
        return _arrays(outputs, outputs).exp(_log_softmax(outputs))

    def near_zero(self, y: np.ndarray) -> tuple[np.ndarray, float]:
        """y' = C p − 1, c = C, for C classes: softmax f = 1/C + (f − mean f)/C + O(f²).

        Only the mean of the outputs over classes differs: squared error makes it decay, cross-entropy leaves it alone.
        """
        classes = y.shape[1]
        return classes * self.probabilities(y) - 1, float(classes)

    def check_targets(self, y: np.ndarray) -> None:
        """Raise where rows are not probabilities of at least two classes."""
        if y.shape[1] < 2:
            raise ValueError(
                "y has 1 output and loss is 'cross_entropy', which needs one output per class; use "
                "fs.Task(x, labels=...), or loss='binary' for one output that is 0 or 1."
            )
        away = float(np.abs(y.sum(axis=1) - 1).max())
        if y.min() < 0 or away > SUMS:
            raise ValueError(
                f"y has rows whose sum differs from 1 by up to {away:.3g} and a smallest entry of {y.min():.3g}; for "
                "loss='cross_entropy' each row holds the probabilities of the classes: use fs.Task(x, labels=...), or "
                "loss='binary' where several outputs can be 1 at once."
            )


@dataclass(frozen=True)
class Binary(Loss):
    """Binary cross-entropy of each output by itself: L = (1/N) Σ_i Σ_k ln(1 + e^f) − y f, r = y − σ(f).

    Targets lie between 0 and 1. With one output it is ``torch.nn.BCEWithLogitsLoss()``; with several, PyTorch divides
    by their number, too, which makes its steps smaller by that number.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task([[0.1], [0.7]], [[0.0], [1.0]], loss="binary")
        >>> task.loss.residual(np.zeros((2, 1)), task.y).tolist()
        [[-0.5], [0.5]]
    """

    name: ClassVar[str] = "binary"

    def each(self, outputs: Array, targets: Array) -> Array:
        """Σ ln(1 + e^f) − y f."""
        return (_arrays(outputs, targets).logaddexp(outputs, 0.0) - targets * outputs).sum(axis=-1)

    def residual(self, outputs: Array, targets: Array) -> Array:
        """y − σ(f)."""
        return targets - self.answers(outputs)

    def answers(self, outputs: Array) -> Array:
        """σ(f), the probability of each output."""
        library = _arrays(outputs, outputs)
        return library.exp(-library.logaddexp(0.0, -outputs))

    def rate_of(self, lr: float, outputs: int) -> float:
        """lr/outputs: PyTorch's loss is the mean over outputs, too."""
        return lr / outputs

    def near_zero(self, y: np.ndarray) -> tuple[np.ndarray, float]:
        """y' = 4y − 2, c = 4: σ(f) = ½ + f/4 + O(f³)."""
        return 4 * y - 2, 4.0

    def check_targets(self, y: np.ndarray) -> None:
        """Raise where targets are not between 0 and 1."""
        if y.min() < 0 or y.max() > 1:
            raise ValueError(
                f"y lies between {y.min():.3g} and {y.max():.3g}; for loss='binary' targets are probabilities, between "
                "0 and 1: code the two cases as 0 and 1, or use loss='squared'."
            )


@dataclass(frozen=True)
class Huber(Loss):
    """Huber's loss of each output: ½ d² for |d| ≤ δ and δ(|d| − δ/2) beyond, d = y − f; r is d cut off at ±δ.

    With one output it is ``torch.nn.HuberLoss(delta=delta)``; with several, PyTorch divides by their number, too.

    Args:
        delta: δ > 0, the error beyond which the loss grows linearly; 1 is PyTorch's default, in units of the targets.

    Raises:
        ValueError: δ that is not a positive number.

    Example:
        >>> import numpy as np, festina as fs
        >>> float(fs.core.Huber(delta=1.0).mean(np.array([[3.0]]), np.array([[0.0]])))
        2.5
    """

    name: ClassVar[str] = "huber"
    delta: float = 1.0

    def __post_init__(self) -> None:
        check.positive("delta", self.delta)

    def each(self, outputs: Array, targets: Array) -> Array:
        """Σ |d|' (|d| − |d|'/2) with |d|' = min(|d|, δ)."""
        size = abs(targets - outputs)
        low = _arrays(outputs, targets).minimum(size, self.delta)
        return (low * (size - 0.5 * low)).sum(axis=-1)

    def residual(self, outputs: Array, targets: Array) -> Array:
        """y − f, cut off at ±δ."""
        return _arrays(outputs, targets).clip(targets - outputs, -self.delta, self.delta)

    def rate_of(self, lr: float, outputs: int) -> float:
        """lr/outputs: PyTorch's loss is the mean over outputs, too."""
        return lr / outputs


@dataclass(frozen=True)
class OwnLoss(Loss):
    """A loss of the user's own: a function of outputs and targets, written with ``jax.numpy``.

    Args:
        function: ``(outputs, targets) -> loss``, both of shape (N, outputs), one number per data point, shape (N,);
            hashable, as functions are. Its mean over data points is descended.

    Raises:
        ValueError: something that cannot be called.

    Example:
        >>> import jax.numpy as jnp, numpy as np, festina as fs
        >>> def cosine(outputs, targets):
        ...     return -(outputs * targets).sum(-1) / jnp.linalg.norm(outputs, axis=-1)
        >>> task = fs.Task([[0.1], [0.7]], [[0.0, 1.0], [1.0, 0.0]], loss=cosine)
        >>> task.loss
        OwnLoss(cosine)
        >>> print(f"{task.loss.mean(np.ones((2, 2)), task.y):.3f}")
        -0.707
    """

    function: Callable[[Any, Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ValueError(f"function is {check.shown(self.function)}; a function of outputs and targets is needed.")

    @property
    def name(self) -> str:  # type: ignore[override]
        """The function's own name."""
        return getattr(self.function, "__name__", type(self.function).__name__)

    def each(self, outputs: Array, targets: Array) -> Array:
        """Value of the function."""
        found = self.function(outputs, targets)
        if np.shape(found) != (len(outputs),):
            raise ValueError(
                f"loss {self.name!r} gives shape {np.shape(found)} for {len(outputs)} data points; one number per data "
                "point is needed: sum over outputs (axis -1), and leave the mean over data points to festina."
            )
        return found

    def residual(self, outputs: Array, targets: Array) -> Array:
        """The derivative is found by automatic differentiation."""
        import jax

        return -jax.grad(self.total)(outputs, targets)

    def __repr__(self) -> str:
        return f"OwnLoss({self.name})"


KNOWN = {kind.name: kind for kind in (SquaredError, CrossEntropy, Binary, Huber)}
"""Losses by their names."""


def as_loss(value: object) -> Loss:
    """The loss of that name, a loss as it is, or a function as a loss."""
    if isinstance(value, Loss):
        return value
    if isinstance(value, str):
        return KNOWN[check.known("loss", value, KNOWN)]()
    if hasattr(value, "named_parameters"):
        raise ValueError(
            f"loss is PyTorch's {type(value).__name__}; give a name instead, such as loss='cross_entropy' "
            f"({', '.join(KNOWN)}), or a function of outputs and targets."
        )
    if callable(value) and not isinstance(value, type):
        return OwnLoss(value)
    raise ValueError(
        f"loss is {check.shown(value)}; a name ({', '.join(KNOWN)}), a loss such as "
        "fs.core.CrossEntropy(smoothing=0.1), or a function of outputs and targets is needed."
    )


def _arrays(*arrays: Array) -> Any:
    """NumPy, or JAX NumPy where one of the arrays is JAX's."""
    if all(isinstance(array, np.ndarray) for array in arrays):
        return np
    import jax.numpy as jnp

    return jnp


def _log_softmax(outputs: Array) -> Any:
    """f − ln Σ e^f over the outputs of each data point."""
    if isinstance(outputs, np.ndarray):
        from scipy.special import log_softmax
    else:
        from jax.nn import log_softmax
    return log_softmax(outputs, axis=-1)
