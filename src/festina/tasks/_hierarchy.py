"""Items in a binary hierarchy of properties."""

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot


def hierarchy(levels: int = 3, *, crossed: bool = False) -> Task:
    """2^levels one-hot items; each branch of the binary tree above them is a property its items share.

    Level k has 2^k properties held by 2^(levels−k) items each: ``levels=2`` is the 4 × 7 table, ``levels=3`` the
    8 × 15 one. The modes are the tree's wavelets with σ(Y)² = 2^(levels+1) − 1, then 2^(levels−k+1) − 1 with
    multiplicity 2^(k−1) for levels k = 1, ….

    Args:
        levels: number of branchings, ≥ 1; crossed, ≥ 2.
        crossed: items 1 and 3, 2 and 4, … share the properties of two items, instead of neighbours. Alone it
            is a hierarchy again, with the two middle items of every four exchanged; learned with the hierarchy, as in
            the context task, its pairs cut across the hierarchy's.

    Example:
        >>> import festina as fs
        >>> fs.tasks.hierarchy(levels=3)
        Task('hierarchy of 3 levels': 8 items, 8 inputs, 15 outputs)
        >>> fs.tasks.hierarchy(levels=3, crossed=True).y[:, 3]
        array([1., 0., 1., 0., 0., 0., 0., 0.])

    Source: saxe2019; jarvis2025 Fig. 7, App. F (the crossed table of 8 items).
    """
    levels = check.whole("levels", levels, least=2 if check.flag("crossed", crossed) else 1)
    check.size("levels", 2 ** min(levels, 64), 2 ** min(levels + 1, 64))
    items = 2**levels
    rows = [np.kron(np.eye(2**k), np.ones(items // 2**k)) for k in range(levels + 1)]
    outputs = [f"level {k} branch {b + 1}" for k in range(levels + 1) for b in range(2**k)]
    y, name = np.vstack(rows).T, f"hierarchy of {levels} levels"
    if crossed:
        pairs = 2 ** (levels - 1)
        of_pairs = slice(pairs - 1, 2 * pairs - 1)
        y[:, of_pairs] = np.kron(np.eye(pairs // 2), np.tile(np.eye(2), (2, 1)))
        outputs[of_pairs] = [f"pair {k + 1}" for k in range(pairs)]
        name = f"cross-cutting {name}"
    return one_hot(y, outputs=outputs, name=name)
