"""The same task on white inputs."""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from festina import _check
from festina._curriculum import Curriculum
from festina._statistics import RANK_TOLERANCE
from festina._task import Task

T = TypeVar("T", Task, Curriculum)


def whiten(task: T, *, reduce: bool = False) -> T:
    """The task with inputs x' = Σx^{−1/2} x, so that Σx' = 1: what the λ-balanced solution needs.

    Of all whitenings this one changes the inputs least, so that they keep their names. Targets stay as they are; a
    linear map W' of the new inputs is the map W'Σx^{−1/2} of the old ones. A sequence of tasks is whitened by the
    correlations of all its inputs together, so that one map means the same on every task; its tasks are then white
    together, and each by itself where all have the same Σx.

    Args:
        task: any task, or sequence of tasks, whose inputs vary in every direction.
        reduce: where they do not (fewer data points than inputs, or inputs that are sums of others), replace the inputs
            by as many white coordinates as there are directions.

    Raises:
        ValueError: not a task; inputs that are all zero, or, without ``reduce``, do not vary in every direction.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.whiten(fs.Task([[2.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]]))
        >>> task.statistics.input_correlation
        array([[1., 0.],
               [0., 1.]])
    """
    _check.instance("task", task, (Task, Curriculum), "fs.Task(x, y), fs.tasks.<name>(...) or fs.sequence([...])")
    _check.flag("reduce", reduce)
    if isinstance(task, Curriculum):
        turn = _whitening(np.vstack([one.x for one in task.tasks]), repr(task), reduce)
        return Curriculum(tuple(_apply(one, turn) for one in task.tasks))
    return _apply(task, _whitening(task.x, f"task {task.name!r}", reduce))


def _whitening(x: np.ndarray, name: str, reduce: bool) -> np.ndarray:
    """The matrix that x is multiplied with: symmetric where the inputs vary in every direction."""
    _, sigma, bt = np.linalg.svd(x, full_matrices=False)
    rank = int(np.sum(sigma > RANK_TOLERANCE * sigma[0])) if sigma[0] > 0 else 0
    if rank == 0:
        raise ValueError(f"{name} has inputs that are all zero; there is nothing to whiten.")
    turn = bt[:rank].T * (np.sqrt(len(x)) / sigma[:rank])
    if rank == x.shape[1]:
        return turn @ bt[:rank]
    if not reduce:
        raise ValueError(
            f"{name} varies in {rank} directions of its {x.shape[1]} inputs, so Σx = 1 is out of reach; "
            f"use fs.whiten(task, reduce=True), which replaces the inputs by {rank} white coordinates."
        )
    return turn


def _apply(task: Task, turn: np.ndarray) -> Task:
    names = task.inputs if turn.shape[0] == turn.shape[1] else [f"white {i + 1}" for i in range(turn.shape[1])]
    whole = turn if task.whitening is None else task.whitening @ turn
    return replace(task, x=task.x @ turn, inputs=names, name=f"{task.name}, whitened", whitening=whole)
