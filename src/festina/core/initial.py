"""Base class of all initialisations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from festina.checks import check
from festina.core.task import Task
from festina.storage.description import Storable

Shapes = Sequence[tuple[int, int]]
"""One ``(out, in)`` per layer, from the input to the output."""


class Initial(Storable, ABC):
    """A rule that gives a network its initial weights; equal seeds give equal weights to every method.

    Example:
        >>> import numpy as np, festina as fs
        >>> class Constant(fs.initial.Initial):
        ...     def draw(self, shapes, task, rng):
        ...         return tuple(np.full(shape, 0.1) for shape in shapes)
        >>> fs.DeepLinear(hidden=(2,), initial=Constant()).start(fs.Task([[1.0]], [[1.0]]), seed=0)[0].tolist()
        [[0.1], [0.1]]
    """

    @abstractmethod
    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix per shape, drawn with ``rng``; ``task`` is there for rules that start on its modes."""

    def biases(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One vector per layer, drawn after the matrices if the network has biases; zero by default."""
        return tuple(np.zeros(out) for out, _ in shapes)

    def of_seed(self, seed: int) -> Initial:
        """The rule for one seed: a rule that holds weights of several seeds gives those of this one."""
        return self

    def layers(
        self, shapes: Shapes, task: Task, rng: np.random.Generator, *, bias: bool = False
    ) -> tuple[np.ndarray, ...]:
        """One matrix ``(out, in)`` per layer, or ``(out, in + 1)`` with the bias in the last column."""
        weights = self.draw(shapes, task, rng)
        if not bias:
            return weights
        return tuple(np.column_stack(pair) for pair in zip(weights, self.biases(shapes, task, rng), strict=True))


def one_or_each(name: str, value: object, wanted: str, least: float = -np.inf) -> float | tuple[float, ...]:
    """One number, or one for each of several things, as a tuple: so that equal rules are equal and can be hashed."""
    values = check.numbers(name, value)
    if values.ndim > 1 or np.any(values < least):
        raise ValueError(f"{name} is {value!r}; {wanted}, is needed.")
    return float(values) if values.ndim == 0 else tuple(values.tolist())


def orthonormal(rows: int, columns: int, rng: np.random.Generator) -> np.ndarray:
    """``columns`` random orthonormal vectors of length ``rows``, uniform over all such frames."""
    q, r = np.linalg.qr(rng.standard_normal((rows, columns)))
    return q * np.sign(np.diag(r))
