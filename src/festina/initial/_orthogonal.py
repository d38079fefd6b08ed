"""Orthogonal weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.core.initial import Initial, Shapes, orthonormal
from festina.core.task import Task


@dataclass(frozen=True)
class Orthogonal(Initial):
    """Each layer ``gain`` times a random matrix with orthonormal rows or columns, whichever are fewer.

    All singular values of a layer are equal to ``gain``; at gain 1 depth does not slow learning down.

    Args:
        gain: the singular value of every layer, > 0.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Orthogonal(0.5))
        >>> first, second = network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)
        >>> bool(np.allclose(first.T @ first, 0.25 * np.eye(2)))
        True

    Source: saxe2014 section 3.
    """

    gain: float = 1.0

    def __post_init__(self) -> None:
        check.positive("gain", self.gain)

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One scaled orthogonal matrix per shape."""
        return tuple(
            self.gain * (orthonormal(out, into, rng) if out >= into else orthonormal(into, out, rng).T)
            for out, into in shapes
        )
