"""Items that fall into groups in more than one way."""

from collections.abc import Sequence

import numpy as np

from festina import _check
from festina._task import Task, one_hot
from festina.tasks._graph import field_strengths, graph
from festina.tasks._hierarchy import hierarchy


def cross_cutting(levels: int = 3) -> Task:
    """The hierarchy with other pairs: items 1 and 3, 2 and 4, … share a property instead of neighbours.

    Of ``hierarchy(levels)`` the level whose properties are held by two items is replaced. Alone it is a hierarchy
    again, with the two middle items of every four exchanged; learned beside the hierarchy, as in the context task,
    its pairs cut across the hierarchy's.

    Args:
        levels: number of branchings, ≥ 2.

    Example:
        >>> import festina as fs
        >>> fs.tasks.cross_cutting(levels=3).y[:, 3]
        array([1., 0., 1., 0., 0., 0., 0., 0.])

    Source: jarvis2025 App. F (the table of 8 items).
    """
    y = hierarchy(_check.whole("levels", levels, least=2)).y.copy()
    pairs = 2 ** (levels - 1)
    y[:, pairs - 1 : 2 * pairs - 1] = np.kron(np.eye(pairs // 2), np.tile(np.eye(2), (2, 1)))
    outputs = [
        f"pair {k - pairs + 2}" if pairs - 1 <= k < 2 * pairs - 1 else name
        for k, name in enumerate(hierarchy(levels).outputs)
    ]
    return one_hot(y, outputs=outputs, name=f"cross-cutting hierarchy of {levels} levels")


def dimensions(
    sizes: Sequence[int] = (2, 2, 2), *, features: int | None = None, sigma: float = 4.0, seed: int = 0
) -> Task:
    """One-hot items, one for every combination of values on several dimensions: each dimension cuts across the others.

    The table (``features=None``): one property per value of each dimension.
    Random (``features=n``): Gaussian features; items of the same value hang on one latent node, see ``graph``.

    Args:
        sizes: number of values of each dimension, ≥ 1 each.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.dimensions((2, 3))
        Task('dimensions': 6 items, 6 inputs, 5 outputs)

    Source: saxe2019 (cross-cutting structure).
    """
    sizes = _sizes(sizes)
    points = list(np.ndindex(*sizes))
    items = [".".join(str(i + 1) for i in point) for point in points]
    outputs = [f"dimension {d + 1} value {v + 1}" for d, n in enumerate(sizes) for v in range(n)]
    table = np.hstack([np.eye(n)[[point[d] for point in points]] for d, n in enumerate(sizes)])
    if features is not None:
        import networkx as nx

        drawn = nx.Graph()
        drawn.add_nodes_from(items)
        drawn.add_edges_from((items[i], outputs[k]) for i, k in np.argwhere(table))
        return graph(drawn, features, sigma, seed, items=items, name="dimensions")
    return one_hot(table, inputs=items, items=items, outputs=outputs, name="dimensions")


def dimensions_strengths(
    sizes: Sequence[int] = (2, 2, 2), *, features: int | None = None, sigma: float = 4.0
) -> np.ndarray:
    """Singular values of Σyx of ``dimensions``, one per item, largest first.

    With m_d = P/n_d items per value of dimension d (n_d values):
    - table: √(Σ_d m_d)/P once, √m_d/P for the n_d − 1 contrasts of dimension d, 0 for combinations
    - random, many features: s = √N3/(P√ζ), ζ = K + 1/σ² − Σ m_d/(m_d + 1/σ²), the sum over all K dimensions for what
      all items share, over one dimension for its contrasts, empty for combinations

    Example:
        >>> import festina as fs
        >>> fs.tasks.dimensions_strengths((2, 2)).round(4)
        array([0.5   , 0.3536, 0.3536, 0.    ])

    Source: saxe2019 (cross-cutting structure).
    """
    sizes = _sizes(sizes)
    items = int(np.prod(sizes))
    members = items / np.array(sizes)
    contrasts = [k for k, n in enumerate(sizes) for _ in range(n - 1)]
    rest = items - 1 - len(contrasts)
    if features is None:
        powers = np.concatenate([[members.sum()], members[contrasts], np.zeros(rest)])
        return np.sort(np.sqrt(powers) / items)[::-1]
    own = 1 / _check.scale("sigma", sigma) ** 2
    tied = members / (members + own)
    shared = np.concatenate([[tied.sum()], tied[contrasts], np.zeros(rest)])
    return field_strengths(len(sizes) + own - shared, items, features)


def _sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    found = tuple(_check.whole("sizes", n) for n in _check.listing("sizes", sizes, "whole numbers"))
    if not found:
        raise ValueError("sizes is empty; give the number of values of at least one dimension.")
    _check.size("sizes", *found, *found)
    return found
