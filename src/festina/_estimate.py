"""How wrong a reduced solution is: its loss against the flow itself, integrated at low accuracy."""

from __future__ import annotations

import numpy as np

from festina._network import Network
from festina._task import Task
from festina._theory import Start
from festina._types import Losses, Times

ACCURACY = 1e-5
"""Relative tolerance of the reference: errors of the reduction below this share of the loss are not resolved."""

MULTISTEP_ACCURACY = 1e-8
"""The same for LSODA, whose errors add up while weights grow from small ones, and whose steps hardly cost more."""


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
    from festina.methods import Flow

    if np.any(np.isinf(times)):
        return loss - least
    rtol = MULTISTEP_ACCURACY if solver == "LSODA" else ACCURACY
    flow = Flow(solver=solver, rtol=rtol).run(network, task, times, [start], ("loss",))
    return loss - flow.values["loss"][0]


def relative_error(loss: np.ndarray, error: np.ndarray, times: Times) -> np.ndarray:
    """∫|error| dt over ∫ true loss dt, the true loss being the predicted one without its ``error``, ([seeds,]).

    It is the area that ``fs.compare`` gives, with an estimate in place of a run; at a single time the ratio there.
    """
    wrong, right = np.abs(error), np.maximum(loss - error, 0.0)
    if len(times) > 1:
        wrong, right = (np.trapezoid(curve, times, axis=-1) for curve in (wrong, right))
    else:
        wrong, right = wrong[..., 0], right[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(wrong == 0, 0.0, wrong / right)


def mean_error(error: np.ndarray) -> np.ndarray:
    """The mean size over seeds, with the sign of the mean: seeds that err to either side do not cancel."""
    return np.copysign(np.abs(error).mean(axis=0), error.mean(axis=0))
