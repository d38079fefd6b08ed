"""Weights that the user has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks import check
from festina.core.initial import Initial, Shapes
from festina.core.task import Task


@dataclass(frozen=True, eq=False, repr=False)
class Weights(Initial):
    """The given matrices, one ``(out, in)`` per layer from the input to the output, for all seeds or for each.

    For a network with biases a matrix is ``(out, in + 1)``, with the bias in its last column. Where all matrices have
    a leading axis, ``(seeds, out, in)``, seed k starts from the k-th. NumPy arrays, lists, JAX arrays and torch
    tensors (also those that require gradients) are taken.

    Args:
        matrices: one array per layer.

    Raises:
        ValueError: entries that are not finite, layers with different numbers of seeds, a seed that has no weights, or
            shapes that do not fit the network and the task.

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
        given = check.listing("matrices", self.matrices, "arrays, one per layer,")
        arrays = tuple(check.numbers(f"matrices[{i}]", m) for i, m in enumerate(given))
        if not arrays:
            raise ValueError("matrices is empty; give one array per layer.")
        for i, array in enumerate(arrays):
            if array.ndim not in (2, 3) or 0 in array.shape:
                raise ValueError(
                    f"matrices[{i}] has shape {array.shape}; (out, in) is needed, or (seeds, out, in) for many seeds."
                )
            array.setflags(write=False)
        if len({array.shape[:-2] for array in arrays}) > 1:
            raise ValueError(
                f"matrices have shapes {tuple(a.shape for a in arrays)}; either all have a leading seed axis of the "
                "same length, or none."
            )
        object.__setattr__(self, "matrices", arrays)

    def __repr__(self) -> str:
        layers = ", ".join(f"{m.shape[-2]}×{m.shape[-1]}" for m in self.matrices)
        seeds = f"{len(self.matrices[0])} seeds of " if self.matrices[0].ndim == 3 else ""
        return f"Weights({seeds}{layers})"

    def of_seed(self, seed: int) -> Weights:
        """The weights of one seed."""
        if self.matrices[0].ndim == 2:
            return self
        count = len(self.matrices[0])
        if not 0 <= seed < count:
            raise ValueError(
                f"seed is {seed}, but the initial weights are given for the seeds 0 to {count - 1}; give weights of "
                "that seed, or choose another."
            )
        return Weights(tuple(matrix[seed] for matrix in self.matrices))

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """The given matrices, once they are known to fit."""
        return self.layers(shapes, task, rng)

    def layers(
        self, shapes: Shapes, task: Task, rng: np.random.Generator, *, bias: bool = False
    ) -> tuple[np.ndarray, ...]:
        """The given matrices, once they are known to fit; without their biases these are zero."""
        have, need = tuple(m.shape for m in self.matrices), tuple((int(out), int(into)) for out, into in shapes)
        biased = tuple((out, into + 1) for out, into in need)
        if have == (biased if bias else need):
            return tuple(self.matrices)
        if have == need:
            return tuple(np.column_stack([m, np.zeros(len(m))]) for m in self.matrices)
        if have == biased:
            raise ValueError(
                f"matrices have shapes {have}, which is one column more than this network needs: with biases in the "
                "last column, the network needs bias=True."
            )
        raise ValueError(
            f"matrices have shapes {have}; this network on this task needs {biased if bias else need} "
            f"(out, in{' + 1' if bias else ''}), from the input to the output."
        )
