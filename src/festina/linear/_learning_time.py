"""How long learning takes."""

from __future__ import annotations

import math

import numpy as np
import scipy

from festina.checks import check
from festina.core import AssumptionError, Layered, Start
from festina.core.task import Task, check_task
from festina.methods import Exact

DOUBLINGS = 2000
"""Doublings of the time searched; the range of double precision has fewer."""


def time_to_loss(network: Layered, task: Task, loss: float, *, seed: int = 0) -> float:
    """Flow time at which the network's closed-form loss reaches ``loss``; ``inf`` where it never does.

    The loss only falls along the flow, so this is the one root of L(t) = loss, L by ``fs.Exact``. For one mode it is
    ``time_to_strength`` at the strength s/d − √(2(loss − floor)/d). At infinite depth the unit is depth × flow time.

    Args:
        network: a start that ``fs.Exact`` can solve.
        task: what it learns.
        loss: the loss to reach, ≥ 0.
        seed: draws the initial weights.

    Raises:
        AssumptionError: ``fs.Exact`` does not apply; ``fs.evolve(..., method=fs.Flow()).first_passage(loss)`` then
            finds the time on a trajectory.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> round(network.time_to_loss(fs.tasks.hierarchy(levels=2), 0.1), 3)
        12.736

    Source: saxe2014 eq. (9); jarvis2025 App. A.1, above eq. (7).
    """
    check_task(task)
    loss = check.positive("loss", loss, zero=True)
    start = Start(network, task, check.whole("seed", seed, least=0))

    def above(time: float) -> float:
        try:
            found = Exact().run(network, task, np.array([time]), [start], ("loss",))
        except AssumptionError as error:
            instead = (
                f"Use fs.evolve(network, task, times, method=fs.Flow()).first_passage({loss:g}) instead, with times "
                "that reach far enough, or the approximation method=fs.Reduced()."
            )
            if network.layers == math.inf:
                instead = "At infinite depth there is no other way: give task.whitened(), or hidden widths."
            raise AssumptionError(error.excluded, f"time_to_loss needs a closed form. {instead}") from None
        return float(found.values["loss"][0, 0]) - loss

    if above(0.0) <= 0:
        return 0.0
    if above(math.inf) >= 0:
        return math.inf
    high = 1 / float(task.statistics.strengths[0]) if task.statistics.rank else 1.0
    for _ in range(DOUBLINGS):
        if above(high) <= 0:
            return float(scipy.optimize.brentq(above, 0.0, high, xtol=1e-300, rtol=1e-14))
        high *= 2
    return math.inf
