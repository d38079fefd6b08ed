"""A basis of a subspace that is chosen, not left to rounding error: as sparse as possible over the rows."""

import numpy as np

CLOSE = 1e-9
"""Relative difference below which two lengths are equal, so that the first in order is taken."""

PREFERENCE = 1e-6
"""How much more the last row counts than the first; of equally sparse bases the one with early rows is chosen."""

MAX_WORK = 10**7
"""Rows × size² above which the columns are left as they are: the search would take seconds."""

SWEEPS = 20
"""Sweeps over all pairs of columns; the search ends earlier where nothing improves any more."""


def sparse_rotation(columns: np.ndarray) -> np.ndarray:
    """The rotation R for which ``columns @ R`` has as few and as large entries as possible.

    Orthogonal columns of equal length are rotated so that Σ|entries| is smallest. The result depends only on the
    subspace that the columns span: first the rows' own directions are taken in order, then pairs of columns are turned.
    The sum of absolute values of a pair is concave between the angles at which an entry vanishes, so that its minimum
    is at one of these angles.

    Args:
        columns: shape (rows, size), orthogonal, of equal length.

    Example:
        >>> import numpy as np
        >>> mixed = np.linalg.qr(np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]]))[0] @ [[0.6, -0.8], [0.8, 0.6]]
        >>> (mixed @ sparse_rotation(mixed)).round(2).T
        array([[-0.71,  0.71,  0.  ],
               [ 0.41,  0.41, -0.82]])
    """
    rows, size = columns.shape
    if rows * size**2 > MAX_WORK:
        return np.eye(size)
    unit = columns / np.sqrt(np.mean(np.sum(columns**2, axis=0)))
    turn = _in_order(unit)
    weights = 1 + PREFERENCE * np.arange(rows) / rows
    turned = unit @ turn
    for _ in range(SWEEPS):
        improved = False
        present = (np.abs(turned) > CLOSE).astype(float)
        # columns without a common row can only get denser
        for a, b in np.argwhere(np.triu(present.T @ present, 1)):
            angle = _best_angle(turned[:, a], turned[:, b], weights)
            if angle:
                plane = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
                turned[:, [a, b]] = turned[:, [a, b]] @ plane
                turn[:, [a, b]] = turn[:, [a, b]] @ plane
                improved = True
        if not improved:
            break
    present = np.abs(turned) > CLOSE * np.abs(turned).max()
    # columns with few entries come first, then those that begin early
    return turn[:, np.lexsort((present.argmax(axis=0), present.sum(axis=0)))]


def _in_order(unit: np.ndarray) -> np.ndarray:
    """A rotation whose columns are the directions of the longest rows, each made orthogonal to those before it."""
    size = unit.shape[1]
    left, turn = unit.copy(), np.zeros((size, size))
    for k in range(size):
        length = np.sum(left**2, axis=1)
        at = int(np.flatnonzero(length >= length.max() * (1 - CLOSE))[0])
        direction = left[at] / np.sqrt(length[at])
        # a second time, against the rounding error of the first
        direction -= turn[:, :k] @ (turn[:, :k].T @ direction)
        turn[:, k] = direction / np.linalg.norm(direction)
        left -= np.outer(left @ turn[:, k], turn[:, k])
    return turn


def _best_angle(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> float:
    """The angle by which a pair of columns is turned so that its weighted sum of absolute values is smallest."""
    present = np.hypot(first, second) > CLOSE
    a, b, w = first[present], second[present], weights[present]
    # at these angles one entry vanishes, in the one column or in the other; a quarter turn only exchanges them
    angles = np.round(np.arctan2(b, a) % (np.pi / 2), 12)
    order = np.argsort(angles, kind="stable")
    angles, size = angles[order], (w * np.hypot(a, b))[order]
    # an entry of length r at angle φ adds r cos(θ − φ) + r |sin(θ − φ)|: sums over φ ≤ θ and over all others
    cos, sin = size * np.cos(angles), size * np.sin(angles)
    below_cos, below_sin = np.cumsum(cos), np.cumsum(sin)
    sums = np.cos(angles) * (cos.sum() + sin.sum() - 2 * below_sin)
    sums += np.sin(angles) * (sin.sum() - cos.sum() + 2 * below_cos)
    now = float(w @ (np.abs(a) + np.abs(b)))
    best = int(np.argmin(sums))
    return float(angles[best]) if sums[best] < now * (1 - CLOSE) else 0.0
