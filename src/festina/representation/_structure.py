"""The representation of a whole data set, predicted pair by pair as in the paper."""

from dataclasses import dataclass

import numpy as np

from festina.analysis.distance import final_distance, squared_distances
from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.task import Task, check_task


@dataclass(frozen=True, eq=False)
class Structure:
    """Predicted final squared distances between all pairs of data points, (items, items) each.

    Attributes:
        rich: from small weights, A_low: inputs and targets together decide, points with equal targets merge.
        lazy: from large weights, A_high (0 where it is negative): inputs and the random start decide.
        predicted: from the actual start, where one was given; otherwise ``rich``.
        weighted: ``predicted`` after the paper's exponential weighing Σ_kl e^{−A_ik} A_kl e^{−A_lj}: a pair that is far
            apart pulls the neighbours of both points apart too.

    Example:
        >>> import festina as fs
        >>> xor = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])
        >>> fs.representation.structure(xor).lazy[0]
        array([0., 1., 1., 2.])
    """

    rich: np.ndarray
    lazy: np.ndarray
    predicted: np.ndarray
    weighted: np.ndarray


def structure(
    task: Task,
    *,
    ratio: float = 1.0,
    gain: float = 1.0,
    start: tuple[ArrayLike, ArrayLike] | None = None,
    unit: float = 1.0,
) -> Structure:
    """The final distances that the two-point theory predicts for every pair of a task, as if each pair were learned
    alone.

    Args:
        task: inputs and targets.
        ratio: τy/τh, i.e. rate 1/τh over rate 1/τy; the fitted ones, or 1: a common rate for both maps.
        gain: squared distance of representations over that of inputs at the start, where no ``start`` is given; the
            lazy structure is then that of the inputs.
        start: hidden representations and outputs of all items at the start, (items, …) each.
        unit: the unit of the distances in the exponential weighing; 1 means the distances as they are.

    Example:
        >>> import festina as fs
        >>> xor = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])
        >>> fs.representation.structure(xor).rich.round(2)
        array([[0., 1., 1., 0.],
               [1., 0., 0., 1.],
               [1., 0., 0., 1.],
               [0., 1., 1., 0.]])

    Source: vanrossem2024 eq. (10), (11), (50).
    """
    check_task(task)
    unit = check.positive("unit", unit)
    ratio, gain = check.positive("ratio", ratio), check.positive("gain", gain)
    dx, dy = squared_distances(task.x), squared_distances(task.y)
    low = np.sqrt(ratio * dx * dy)
    if start is None:
        return Structure(low, gain * dx, low, weigh_pairs(low, unit))
    parts = [check.numbers("start", part) for part in check.listing("start", start, "two arrays")]
    if len(parts) != 2 or min(part.ndim for part in parts) < 1:
        raise ValueError(f"start is {check.shown(start)}; hidden representations and outputs, (items, …), are needed.")
    hidden, outputs = (part.reshape(len(part), -1) for part in parts)
    for name, part in (("hidden", hidden), ("outputs", outputs)):
        if len(part) != len(dx):
            raise ValueError(f"start has {len(part)} rows of {name} for {len(dx)} items; give one row per item.")
    h, y = squared_distances(hidden), squared_distances(outputs)
    high = h - ratio * dx * np.divide(y, h, out=np.zeros_like(y), where=h > 0)
    predicted = np.asarray(final_distance(high, low))
    return Structure(low, np.maximum(high, 0), predicted, weigh_pairs(predicted, unit))


def weigh_pairs(distances: np.ndarray, unit: float = 1.0) -> np.ndarray:
    """Exponential weighing Σ_kl e^{−A_ik} A_kl e^{−A_lj}. Source: vanrossem2024 eq. (50)."""
    near = np.exp(-distances / check.positive("unit", unit))
    return near @ distances @ near


def pair_distances(hidden: np.ndarray) -> np.ndarray:
    """Squared distances of all pairs, (…, items, units) to (…, pairs), in the order of ``numpy.triu_indices``."""
    i, j = np.triu_indices(hidden.shape[-2], 1)
    return squared_distances(hidden)[..., i, j]
