"""Items in a binary hierarchy of properties."""

import numpy as np

from festina import _check
from festina._task import Task, one_hot


def hierarchy(levels: int = 3) -> Task:
    """2^levels one-hot items; each branch of the binary tree above them is a property its items share.

    Level k has 2^k properties held by 2^(levels−k) items each: ``levels=2`` is the 4 × 7 table, ``levels=3`` the
    8 × 15 one. The modes are the tree's wavelets with σ(Y)² = 2^(levels+1) − 1, then 2^(levels−k+1) − 1 with
    multiplicity 2^(k−1) for levels k = 1, ….

    Args:
        levels: number of branchings, ≥ 1.

    Example:
        >>> import festina as fs
        >>> fs.tasks.hierarchy(levels=3)
        Task('hierarchy of 3 levels': 8 items, 8 inputs, 15 outputs)

    Source: saxe2019; jarvis2025 Fig. 7.
    """
    levels = _check.whole("levels", levels)
    _check.size("levels", 2 ** min(levels, 64), 2 ** min(levels + 1, 64))
    items = 2**levels
    rows = [np.kron(np.eye(2**k), np.ones(items // 2**k)) for k in range(levels + 1)]
    outputs = [f"level {k} branch {b + 1}" for k in range(levels + 1) for b in range(2**k)]
    return one_hot(np.vstack(rows).T, outputs=outputs, name=f"hierarchy of {levels} levels")
