"""A task: what is to be learned."""

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from festina import _check
from festina._check import MAX_MAGNITUDE
from festina._labels import column_names, one_hot_labels, row_names
from festina._statistics import Statistics


@dataclass(frozen=True, eq=False, repr=False)
class Task:
    """Inputs and targets, one data point per row; validated, immutable, with names.

    Args:
        x: inputs, shape ``(N, inputs)``; the columns of a DataFrame give their names.
        y: targets, shape ``(N, outputs)``, or ``(N,)`` for one output.
        labels: instead of ``y``, one class label per data point, whole numbers or text: each class becomes one output,
            which is 1 for the data points of the class and 0 for others.
        inputs, outputs, items: names of the columns of ``x``, of the columns of ``y`` and of the rows; optional.
        contexts: the context that each data point belongs to, one name per row; optional.
        name: what to call the task in tables and figures.
        whitening: the matrix that made its inputs white, where ``fs.whiten`` did; set by that function.

    Raises:
        ValueError: data that are not finite, not matrices, empty, masked, too large or too small to be squared, of
            different length, or misnamed; class labels given as ``y``.

    Example:
        >>> import festina as fs
        >>> task = fs.Task(x=[[1.0, 0.0], [0.0, 1.0]], y=[[1.0], [-1.0]], outputs=["sign"])
        >>> task
        Task('task': 2 items, 2 inputs, 1 outputs)
        >>> task.statistics.rank
        1
        >>> fs.Task([[0.1], [0.7], [0.9]], labels=["cat", "dog", "cat"]).y.tolist()
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """

    x: Any
    y: Any = None
    labels: InitVar[Any] = field(default=None, kw_only=True)
    inputs: Sequence[str] = field(default=(), kw_only=True)
    outputs: Sequence[str] = field(default=(), kw_only=True)
    items: Sequence[str] = field(default=(), kw_only=True)
    contexts: Sequence[str] = field(default=(), kw_only=True)
    name: str = field(default="task", kw_only=True)
    whitening: np.ndarray | None = field(default=None, kw_only=True)

    def __post_init__(self, labels: Any) -> None:
        _check.text("name", self.name)
        columns = {"inputs": column_names("x", self.x), "items": row_names(self.x)}
        x = _check.matrix("x", self.x)
        if labels is None:
            columns["outputs"] = column_names("y", self.y)
            y = _targets(self.y)
        elif self.y is None:
            y, columns["outputs"] = one_hot_labels(labels)
        else:
            raise ValueError("y and labels are both given; give y (numbers) or labels (one class per data point).")
        if len(x) != len(y):
            named = "y" if labels is None else "labels"
            raise ValueError(f"x has {len(x)} rows and {named} has {len(y)}; both need one row per data point.")
        for name, array in (("x", x), ("y", y)):
            if 0 in array.shape:
                raise ValueError(f"{name} has shape {array.shape}: no data; give at least one row and one column.")
            _check_magnitude(name, array)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        for name, count in (("inputs", x.shape[1]), ("outputs", y.shape[1]), ("items", len(x))):
            object.__setattr__(self, name, self._names(name, count, columns[name]))
        contexts = tuple(map(str, _check.listing("contexts", self.contexts, "names")))
        if len(contexts) not in (0, len(x)):
            raise ValueError(f"contexts has {len(contexts)} names for {len(x)} rows; give one per data point, or none.")
        object.__setattr__(self, "contexts", contexts)

    def _names(self, name: str, count: int, columns: tuple[str, ...]) -> tuple[str, ...]:
        given = _check.listing(name, getattr(self, name), "names")
        names = tuple(map(str, given)) or columns or tuple(f"{name[:-1]} {i + 1}" for i in range(count))
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


def _targets(value: Any) -> np.ndarray:
    """y as a matrix: a vector of numbers is one output; labels are not taken for numbers."""
    if value is None:
        raise ValueError("y is missing; give y (one row of target values per data point) or labels (one class each).")
    array = _check.plain("y", value)
    whole, text = array.dtype.kind in "iu", array.dtype.kind in "USO"
    if array.ndim == 1 and array.size and (whole or (text and all(isinstance(v, str | bytes | int) for v in array))):
        raise ValueError(
            f"y holds one {'whole number' if whole else 'label'} per data point, as class labels do; use "
            "fs.Task(x, labels=y), which makes one output per class (one-hot), or, where it is one numerical output, "
            "give floats: np.asarray(y, float)."
        )
    array = _check.numbers("y", array)
    return _check.matrix("y", array[:, None] if array.ndim == 1 else array)


def _check_magnitude(name: str, array: np.ndarray) -> None:
    largest = float(np.max(np.abs(array)))
    if largest and not 1 / MAX_MAGNITUDE <= largest <= MAX_MAGNITUDE:
        raise ValueError(
            f"{name} has a largest absolute value of {largest:.3g}, whose powers double precision cannot represent; "
            f"choose units in which it lies between {1 / MAX_MAGNITUDE:g} and {MAX_MAGNITUDE:g}: divide {name} by a "
            "constant."
        )


def one_hot(y: np.ndarray, **names: Any) -> Task:
    """The task of naming the properties ``y`` (one row per item) of one-hot items: Σx = 1/P."""
    return Task(np.eye(len(y)), y, **names)
