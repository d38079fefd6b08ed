"""The same task on white inputs."""

from dataclasses import replace

import numpy as np

from festina import _check
from festina._statistics import RANK_TOLERANCE
from festina._task import Task


def whiten(tasks: tuple[Task, ...], name: str, reduce: bool) -> tuple[Task, ...]:
    """The tasks on inputs x' = Σx^{−1/2} x, with Σx of all their inputs together; ``name`` is what errors say."""
    turn = _whitening(np.vstack([task.x for task in tasks]), name, _check.flag("reduce", reduce))
    return tuple(_apply(task, turn) for task in tasks)


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
            f"use whitened(reduce=True), which replaces the inputs by {rank} white coordinates."
        )
    return turn


def _apply(task: Task, turn: np.ndarray) -> Task:
    names = task.inputs if turn.shape[0] == turn.shape[1] else [f"white {i + 1}" for i in range(turn.shape[1])]
    whole = turn if task.whitening is None else task.whitening @ turn
    return replace(task, x=task.x @ turn, inputs=names, name=f"{task.name}, whitened", whitening=whole)
