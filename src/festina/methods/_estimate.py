"""How wrong a reduced solution is: its loss against the flow itself, integrated at low accuracy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from festina.checks.shapes import Losses, Times
from festina.core import Network, Solution, Start, Task

ACCURACY = 1e-5
"""Relative tolerance of the reference: errors of the reduction below this share of the loss are not resolved."""

MULTISTEP_ACCURACY = 1e-8
"""The same for LSODA, whose errors add up while weights grow from small ones, and whose steps hardly cost more."""


def estimated(
    found: Solution, network: Network, task: Task, start: Start, times: Times, *, least: float = 0.0,
    solver: str = "RK45",
) -> Solution:  # fmt: skip
    """The solution with an estimate of its error, by ``loss_error``."""
    loss = found.observables["loss"]
    return replace(found, error=lambda: loss_error(network, task, start, times, loss(), least=least, solver=solver))


def loss_error(
    network: Network,
    task: Task,
    start: Start,
    times: Times,
    loss: Losses,
    *,
    least: float = 0.0,
    solver: str = "RK45",
) -> np.ndarray:
    """Loss minus the loss of the gradient flow at each time, to about its accuracy; at t → ∞ minus the ``least`` loss.

    ``solver`` is LSODA where plateaus last many time constants, on which an explicit solver cannot take large steps.
    """
    from festina.methods._flow import Flow

    if np.any(np.isinf(times)):
        return loss - least
    rtol = MULTISTEP_ACCURACY if solver == "LSODA" else ACCURACY
    flow = Flow(solver=solver, rtol=rtol).run(network, task, times, [start], ("loss",))
    return loss - flow.values["loss"][0]
