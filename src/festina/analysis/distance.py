"""Distances between data points and between their representations."""

import numpy as np
import scipy

from festina.checks import check
from festina.checks.shapes import Array


def squared_distances(points: object) -> np.ndarray:
    """Squared Euclidean distances between all rows, (…, rows, features) to (…, rows, rows).

    Example:
        >>> squared_distances([[0.0, 0.0], [3.0, 4.0]])
        array([[ 0., 25.],
               [25.,  0.]])
    """
    points = check.numbers("points", points)
    if points.ndim < 2:
        raise ValueError(f"points has shape {points.shape}; (rows, features), with any leading axes, is needed.")
    if points.ndim > 2:
        return np.stack([squared_distances(part) for part in points])
    return scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(points, "sqeuclidean"))


def final_distance(high: object, low: object) -> Array:
    """½A_high + √(¼A_high² + A_low²), with all digits also where A_high ≪ 0 and it tends to A_low²/|A_high|."""
    high, low = check.broadcast(high=high, low=low)
    bulk = 0.5 * np.abs(high) + 0.5 * np.hypot(high, 2 * low)
    safe = np.where(bulk > 0, bulk, 1.0)
    return np.where(high >= 0, bulk, low * (low / safe))
