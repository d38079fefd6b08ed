"""The same task on white inputs."""

from dataclasses import replace

import numpy as np

from festina import _check
from festina._statistics import RANK_TOLERANCE
from festina._task import Task


def whiten(task: Task, *, reduce: bool = False) -> Task:
    """The task with inputs x' = Σx^{−1/2} x, so that Σx' = 1: what the λ-balanced solution needs.

    Of all whitenings this one changes the inputs least, so that they keep their names. Targets stay as they are; a
    linear map W' of the new inputs is the map W'Σx^{−1/2} of the old ones.

    Args:
        task: any task whose inputs vary in every direction.
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
    _check.task(task)
    _check.flag("reduce", reduce)
    a, sigma, bt = np.linalg.svd(task.x, full_matrices=False)
    rank = int(np.sum(sigma > RANK_TOLERANCE * sigma[0])) if sigma[0] > 0 else 0
    inputs = task.x.shape[1]
    if rank == 0:
        raise ValueError(f"task {task.name!r} has inputs that are all zero; there is nothing to whiten.")
    root = np.sqrt(len(task.x))
    if rank == inputs:
        return replace(task, x=root * (a @ bt), name=f"{task.name}, whitened")
    if not reduce:
        raise ValueError(
            f"task {task.name!r} varies in {rank} directions of its {inputs} inputs, so Σx = 1 is out of reach; "
            f"use fs.whiten(task, reduce=True), which replaces the inputs by {rank} white coordinates."
        )
    names = [f"white {i + 1}" for i in range(rank)]
    return replace(task, x=root * a[:, :rank], inputs=names, name=f"{task.name}, whitened")
