"""When a loss curve first reaches a criterion."""

import numpy as np

from festina import _check
from festina._types import Losses, Times


def first_passage(times: Times, loss: Losses, criterion: float) -> float:
    """The time at which a loss first falls to the criterion, between samples by interpolation.

    Example:
        >>> first_passage(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.3, 0.1]), criterion=0.2)
        1.5
    """
    times, loss = _check.times(times), _check.numbers("loss", loss)
    if loss.shape != times.shape:
        raise ValueError(f"loss has shape {loss.shape} for {len(times)} times; one loss per time is needed.")
    below = np.flatnonzero(loss <= _check.number("criterion", criterion))
    if not len(below):
        return float("inf")
    i = int(below[0])
    if i == 0:
        return float(times[0])
    share = (loss[i - 1] - criterion) / (loss[i - 1] - loss[i])
    return float(times[i - 1] + share * (times[i] - times[i - 1]))
