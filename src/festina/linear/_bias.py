"""When the biases of a linear network play no part."""

from __future__ import annotations

import numpy as np

from festina.core.assumption import Assumption
from festina.core.layered import Layered
from festina.core.task import Task
from festina.core.theory import Start
from festina.modes.chain import EXACT_BOUND


def centred_data(task: Task) -> Assumption:
    """Inputs and targets of mean zero, measured."""
    size = max(float(np.sqrt(np.mean(task.x**2))), np.finfo(float).tiny)
    spread = max(float(np.sqrt(np.mean(task.y**2))), np.finfo(float).tiny)
    off = max(float(np.abs(task.x.mean(axis=0)).max()) / size, float(np.abs(task.y.mean(axis=0)).max()) / spread)
    return Assumption(
        "centred", "inputs and targets have mean zero (largest mean over root mean square), so that biases stay where "
        "they are", off, EXACT_BOUND,
    )  # fmt: skip


def centred(network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
    """Biases that start at zero stay there where inputs and targets are centred; nothing without biases."""
    if not network.bias:
        return ()
    biases = max(float(np.abs(w[:, -1]).max(initial=0.0)) for w in start.weights)
    return (
        centred_data(task),
        Assumption("no bias", "biases start at zero (largest initial bias)", biases, EXACT_BOUND),
    )
