"""Weights that the user has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina import _check
from festina._task import Task
from festina.initial._base import Initial, Shapes


@dataclass(frozen=True, eq=False)
class Weights(Initial):
    """The given matrices, one ``(out, in)`` per layer from the input to the output; the seed plays no part.

    Args:
        matrices: one array per layer.

    Raises:
        ValueError: entries that are not finite, or shapes that do not fit the network and the task.

    Example:
        >>> import numpy as np, festina as fs
        >>> initial = fs.initial.Weights([[[0.1, 0.2]], [[0.3], [0.4]]])
        >>> task = fs.Task(np.eye(2), np.eye(2))
        >>> fs.DeepLinear(hidden=(1,), initial=initial).start(task, seed=0)[1]
        array([[0.3],
               [0.4]])
    """

    matrices: Sequence[Any]

    def __post_init__(self) -> None:
        given = _check.listing("matrices", self.matrices, "arrays, one per layer,")
        arrays = tuple(_check.matrix(f"matrices[{i}]", m) for i, m in enumerate(given))
        for array in arrays:
            array.setflags(write=False)
        object.__setattr__(self, "matrices", arrays)

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """The given matrices, once they are known to fit."""
        have = tuple(m.shape for m in self.matrices)
        if have != tuple(tuple(s) for s in shapes):
            raise ValueError(
                f"matrices have shapes {have}; this network on this task needs {tuple(map(tuple, shapes))} "
                "(out, in), from the input to the output."
            )
        return tuple(self.matrices)
