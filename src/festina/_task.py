"""A task: what is to be learned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from festina import _check
from festina._statistics import Statistics


@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """Inputs and targets, one data point per row; validated, immutable, with names.

    Args:
        x: inputs, shape ``(N, inputs)``.
        y: targets, shape ``(N, outputs)``.
        inputs, outputs, items: names of the columns of ``x``, of the columns of ``y`` and of the rows; optional.
        name: what to call the task in tables and figures.
        whitening: the matrix that made its inputs white, where ``fs.whiten`` did; set by that function.

    Raises:
        ValueError: data that are not finite, not matrices, empty, of different length, or misnamed.

    Example:
        >>> import festina as fs
        >>> task = fs.Task(x=[[1.0, 0.0], [0.0, 1.0]], y=[[1.0], [-1.0]], outputs=["sign"])
        >>> task
        Task('task': 2 items, 2 inputs, 1 outputs)
        >>> task.statistics.rank
        1
    """

    x: Any
    y: Any
    inputs: Sequence[str] = field(default=(), kw_only=True)
    outputs: Sequence[str] = field(default=(), kw_only=True)
    items: Sequence[str] = field(default=(), kw_only=True)
    name: str = field(default="task", kw_only=True)
    whitening: np.ndarray | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        x, y = _check.matrix("x", self.x), _check.matrix("y", self.y)
        if len(x) != len(y):
            raise ValueError(f"x has {len(x)} rows and y has {len(y)}; both need one row per data point.")
        for name, array in (("x", x), ("y", y)):
            if 0 in array.shape:
                raise ValueError(f"{name} has shape {array.shape}: no data; give at least one row and one column.")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        for name, count in (("inputs", x.shape[1]), ("outputs", y.shape[1]), ("items", len(x))):
            object.__setattr__(self, name, self._names(name, count))

    def _names(self, name: str, count: int) -> tuple[str, ...]:
        given = _check.listing(name, getattr(self, name), "names")
        names = tuple(map(str, given)) or tuple(f"{name[:-1]} {i + 1}" for i in range(count))
        if len(names) != count:
            raise ValueError(f"{name} has {len(names)} names for {count} {name}; give one each, or none.")
        if len(set(names)) != count:
            raise ValueError(f"{name} holds a name twice; names must differ, so that they can label axes.")
        return names

    @cached_property
    def statistics(self) -> Statistics:
        """Correlations and modes of the task: see ``festina.Statistics``."""
        return Statistics(self.x, self.y)

    def __repr__(self) -> str:
        n, inputs, outputs = len(self.x), self.x.shape[1], self.y.shape[1]
        return f"Task({self.name!r}: {n} items, {inputs} inputs, {outputs} outputs)"


def one_hot(y: np.ndarray, **names: Any) -> Task:
    """The task of naming the properties ``y`` (one row per item) of one-hot items: Σx = 1/P."""
    return Task(np.eye(len(y)), y, **names)
