"""Tasks one after another."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.core.task import Task, check_task, whiten
from festina.storage.description import Storable


@dataclass(frozen=True, eq=False, repr=False)
class Curriculum(Storable):
    """Tasks to be learned one after another; ``fs.sequence`` makes it, ``fs.evolve`` takes it as a task.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> fs.sequence([task, task.reversed()])
        Curriculum('hierarchy of 2 levels', 'hierarchy of 2 levels, reversed')
    """

    tasks: tuple[Task, ...]

    def whitened(self, *, reduce: bool = False) -> "Curriculum":
        """The tasks whitened by the correlations of all their inputs together, so that one map means the same on each.

        They are then white together, and each by itself where all have the same Σx. See ``fs.Task.whitened``.
        """
        return Curriculum(whiten(self.tasks, repr(self), reduce))

    def predict_forgetting(self) -> np.ndarray:
        """Forgetting that theory predicts for tasks learned completely, one after another, whatever λ: no simulation.

        From task j to task k the loss of task i rises by ½‖Σi − Σk‖² − ½‖Σi − Σj‖² if inputs are white. In general it
        is the loss of task i at the final map Σyx Σx⁺ of task k minus that at the final map of task j.

        Returns:
            (tasks − 1, tasks): row k is what learning task k+2 after task k+1 does to each task.

        Example:
            >>> import festina as fs
            >>> task = fs.tasks.hierarchy(levels=2)
            >>> fs.sequence([task, task.reversed()]).predict_forgetting()
            array([[ 6., -6.]])

        Source: braun2022 (forgetting).
        """
        for task in self.tasks:
            task.require_squared("predict_forgetting()")
        ends = [t.statistics.cross_correlation @ np.linalg.pinv(t.statistics.input_correlation) for t in self.tasks]
        return np.diff([[loss_of_map(task, end) for task in self.tasks] for end in ends], axis=0)

    def __repr__(self) -> str:
        return f"Curriculum({', '.join(repr(task.name) for task in self.tasks)})"


def sequence(tasks: Iterable[Task]) -> Curriculum:
    """Tasks to be learned one after another, by any network and method.

    ``fs.evolve(network, fs.sequence([a, b, …]), times)`` learns each task for the given times (None: until it is
    learned, t → ∞), from the weights the last one left. Its trajectory counts the tasks in ``segment``, holds the
    ``losses`` of all tasks at all times, and has ``forgetting`` and ``transfer``; ``part(k)`` is the k-th task alone.

    Args:
        tasks: at least one, with equal numbers of inputs and of outputs.

    Raises:
        ValueError: no task, something that is not a task, or tasks of different shapes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(0.1, lambda_=0.1))
        >>> both = fs.evolve(network, fs.sequence([task, task.reversed()]), None)
        >>> both.forgetting[1].round(3)
        array([ 6., -6.])

    Source: braun2022 (continual learning); domine2025 (continual learning).
    """
    tasks = check.listing("tasks", tasks, "tasks")
    if not tasks:
        raise ValueError("tasks is empty; give at least one task.")
    for i, task in enumerate(tasks):
        check_task(task, f"tasks[{i}]")
        shape, expected = (task.x.shape[1], task.y.shape[1]), (tasks[0].x.shape[1], tasks[0].y.shape[1])
        if shape != expected:
            raise ValueError(
                f"tasks[{i}] has {shape[0]} inputs and {shape[1]} outputs, tasks[0] has {expected[0]} and "
                f"{expected[1]}; one network learns them all, so they must be equal."
            )
    _same_coordinates(tasks)
    return Curriculum(tasks)


def loss_of_map(task: Task, end: np.ndarray) -> float:
    """Loss of a linear map (outputs, inputs) on a task."""
    x, y = task.statistics.compressed
    return float(task.statistics.floor + 0.5 * np.sum((x @ end.T - y) ** 2) / task.statistics.count)


def _same_coordinates(tasks: tuple[Task, ...]) -> None:
    """Warn where each task was whitened by itself, so that equal inputs are no longer equal numbers."""
    import warnings

    turned = [task.whitening for task in tasks if task.whitening is not None]
    if any(w.shape != turned[0].shape or not np.allclose(w, turned[0]) for w in turned[1:]):
        warnings.warn(
            "tasks were whitened one by one, each in coordinates of its own, so that a network's map of one task means "
            "something else on another; whiten the sequence instead: fs.sequence([...]).whitened().",
            stacklevel=3,
        )
