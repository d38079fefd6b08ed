"""What is forgotten when tasks are learned completely, one after another."""

from collections.abc import Iterable

import numpy as np

from festina._curriculum import sequence
from festina._task import Task
from festina._types import Array


def predict_forgetting(tasks: Iterable[Task]) -> np.ndarray:
    """Forgetting that theory predicts for tasks learned completely, one after another, whatever λ: no simulation.

    From task j to task k the loss of task i rises by ½‖Σi − Σk‖² − ½‖Σi − Σj‖² (white inputs; in general the loss of
    task i at the end map Σyx Σx⁺ of task k, less that at task j's).

    Returns:
        (tasks − 1, tasks): row k is what learning task k+2 after task k+1 does to each task.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> fs.linear.predict_forgetting([task, fs.tasks.reverse(task)])
        array([[ 6., -6.]])

    Source: braun2022 (forgetting).
    """
    tasks = sequence(tasks).tasks
    ends = [t.statistics.cross_correlation @ np.linalg.pinv(t.statistics.input_correlation) for t in tasks]
    losses = np.array([[loss_of_map(task, end) for task in tasks] for end in ends])
    return np.diff(losses, axis=0)


def loss_of_map(task: Task, maps: Array) -> Array:
    """Loss of linear maps (…, outputs, inputs) on a task."""
    x, y = task.statistics.compressed
    miss = x @ maps.swapaxes(-1, -2) - y
    return task.statistics.floor + 0.5 * np.sum(miss**2, axis=(-1, -2)) / task.statistics.count
