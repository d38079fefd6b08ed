"""The same task with other targets: reversed or revised."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from festina import _check
from festina._task import Task


def reverse(task: Task) -> Task:
    """The task with every target's sign turned: a network at λ = 0 that has learned it is then on a saddle.

    Example:
        >>> import festina as fs
        >>> fs.tasks.reverse(fs.Task([[1.0]], [[2.0]])).y
        array([[-2.]])
    """
    _check.task(task)
    return replace(task, y=-task.y, name=f"{task.name}, reversed")


def revise(task: Task, items: Mapping[str, Any]) -> Task:
    """The task with new targets for some items: what was learned about them turns out to be wrong.

    Args:
        task: what was learned.
        items: new target row, by the item's name.

    Raises:
        ValueError: an item that the task does not have, or a row that is not of its length.

    Example:
        >>> import festina as fs
        >>> task = fs.Task([[1.0, 0.0], [0.0, 1.0]], [[1.0], [1.0]], items=["robin", "whale"], outputs=["fish"])
        >>> fs.tasks.revise(task, {"whale": [0.0]}).y.tolist()
        [[1.0], [0.0]]
    """
    _check.task(task)
    _check.instance("items", items, Mapping, "a dictionary from names of items to target rows")
    y = task.y.copy()
    for name, given in items.items():
        at = list(task.items).index(_check.known("items", name, task.items))
        row = _check.numbers(f"items[{name!r}]", given)
        if row.shape != y[at].shape:
            raise ValueError(f"items[{name!r}] has shape {row.shape}; one value per output, {y[at].shape}, is needed.")
        y[at] = row
    return replace(task, y=y, name=f"{task.name}, revised")
