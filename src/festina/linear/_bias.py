"""When the biases of a linear network play no part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from festina.core import Assumption, Layered, Start, Task
from festina.modes.chain import EXACT_BOUND


def centred_data(task: Task) -> Assumption:
    """Inputs and targets of mean zero, measured."""
    size = max(float(np.sqrt(np.mean(task.x**2))), np.finfo(float).tiny)
    spread = max(float(np.sqrt(np.mean(task.y**2))), np.finfo(float).tiny)
    off = max(float(np.abs(task.x.mean(axis=0)).max()) / size, float(np.abs(task.y.mean(axis=0)).max()) / spread)
    return Assumption(
        "centred", "inputs and targets have mean zero, so that biases stay where they are", off, EXACT_BOUND,
        quantity="largest mean over root mean square", needed=True,
    )  # fmt: skip


def centred(network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
    """Biases that start at zero stay there where inputs and targets are centred; nothing without biases."""
    if not network.bias:
        return ()
    return (
        centred_data(task),
        Assumption(
            "no bias", "biases start at zero", size_of_biases(task, start.weights), EXACT_BOUND,
            quantity="largest bias relative to its layer and to the outputs", needed=True,
        ),
    )  # fmt: skip


def size_of_biases(task: Task, weights: Sequence[np.ndarray]) -> float:
    """The initial biases in units of the data: 0 where all of them are zero.

    A balanced network of D layers ends with activity of the size |x|^{1−l/D}|y|^{l/D} after layer l, so that a bias is
    compared with that. In other networks later layers may enlarge it: then what it adds to the outputs counts.
    """
    biases = [np.abs(w[:, -1]).max(initial=0.0) for w in weights]
    if not any(biases):
        return 0.0
    x, y = (max(float(np.sqrt(np.mean(part**2))), np.finfo(float).tiny) for part in (task.x, task.y))
    own = max(b / (x ** (1 - k / len(weights)) * y ** (k / len(weights))) for k, b in enumerate(biases, 1))
    added = np.zeros(weights[0].shape[1] - 1)
    for w in weights:
        added = np.abs(w[:, :-1]) @ added + np.abs(w[:, -1])
    return float(max(own, added.max(initial=0.0) / y))
