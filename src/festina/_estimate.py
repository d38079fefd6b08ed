"""How wrong a reduced solution is: its loss against the flow itself, integrated at low accuracy."""

from __future__ import annotations

import numpy as np

from festina._network import Network
from festina._task import Task
from festina._theory import Start
from festina._types import Losses, Times

ACCURACY = 1e-5
"""Relative tolerance of the reference: errors of the reduction below this share of the loss are not resolved."""


def loss_error(
    network: Network, task: Task, start: Start, times: Times, loss: Losses, *, least: float = 0.0
) -> np.ndarray:
    """|loss − loss of the gradient flow| at each time, to about ``ACCURACY``; at t → ∞ against the ``least`` loss."""
    from festina.methods import Flow

    if np.any(np.isinf(times)):
        return np.abs(loss - least)
    flow = Flow(solver="RK45", rtol=ACCURACY).run(network, task, times, [start], ("loss",))
    return np.abs(loss - flow.values["loss"][0])
