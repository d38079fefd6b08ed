"""The modes of a tree of items: their levels and their wavelets."""

import numpy as np

from festina.checks import check


def tree_wavelets(branching: int, depth: int) -> np.ndarray:
    """Eigenvectors of the items' similarity, one per column, in the order of ``tree_strengths``.

    A wavelet of level l is supported on the leaves below one node at level l−1, constant below each of its children
    and zero on average. Within a level any rotation is as good: compare subspaces.

    Returns:
        An orthogonal matrix (items, modes).

    Example:
        >>> tree_wavelets(branching=2, depth=2).shape
        (4, 4)
        >>> (tree_wavelets(2, 2)[:, 1] > 0).tolist()
        [False, False, True, True]

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth = check.whole("branching", branching, least=2), check.whole("depth", depth)
    items = branching**depth
    # contrasts between the children of one node: an orthonormal basis of the complement of the constant
    frame = np.linalg.qr(np.column_stack([np.ones(branching), np.eye(branching)[:, 1:]]))[0]
    columns = [np.full((items, 1), items**-0.5)]
    for level in range(1, depth + 1):
        leaves = items // branching**level
        block = np.kron(frame[:, 1:], np.full((leaves, 1), leaves**-0.5))
        columns.append(np.kron(np.eye(branching ** (level - 1)), block))
    return np.hstack(columns)
