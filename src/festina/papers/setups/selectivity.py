"""In how many contexts units are on, how much of a network's map these carry, and how alike two hidden layers are."""

import numpy as np

from festina.analysis import squared_distances


def similarity(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Correlation over pairs of data points of distances in two networks (times, points, units), by time."""
    above = np.triu_indices(first.shape[1], 1)
    apart = (squared_distances(h)[:, *above] ** 0.5 for h in (first, second))
    return np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(*apart, strict=True)])


def contexts_on(activity: np.ndarray, contexts: int, threshold: float = 0.0) -> np.ndarray:
    """Number of contexts in which each unit is on, (…, units), from activities (…, points, units).

    A unit is on in a context where its mean activity is above this share of its largest; 0 is the paper's threshold.
    """
    level = activity.reshape(*activity.shape[:-2], contexts, -1, activity.shape[-1]).mean(axis=-2)
    return (level > threshold * level.max(axis=-2, keepdims=True)).sum(axis=-2)


def shares_on(activity: np.ndarray, out: np.ndarray, contexts: int, threshold: float = 0.0) -> np.ndarray:
    """Share of what units contribute by the number of contexts they are on in, 1 to C: (…, contexts).

    A unit counts with ‖activity‖·‖output weights‖, what it adds to the map; ``out`` is (…, outputs, units).
    """
    size = np.linalg.norm(activity, axis=-2) * np.linalg.norm(out, axis=-2)
    on = contexts_on(activity, contexts, threshold)
    found = np.stack([np.where(on == k, size, 0.0).sum(axis=-1) for k in range(1, contexts + 1)], axis=-1).astype(float)
    return found / found.sum(axis=-1, keepdims=True)
