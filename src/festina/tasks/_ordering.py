"""Items in a row."""

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot
from festina.tasks._graph import field_strengths, graph


def ordering(count: int = 8, *, features: int | None = None, sigma: float = 4.0, seed: int = 0) -> Task:
    """One-hot items in an order, such as size: neighbours are similar, the ends are not.

    The table (``features=None``): a staircase, property k is held by item k and all after it.
    Random (``features=n``): Gaussian features that vary smoothly along the order, see ``graph``.

    Args:
        count: number of items, ≥ 1.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.ordering(3).y
        array([[1., 0., 0.],
               [1., 1., 0.],
               [1., 1., 1.]])

    Source: saxe2019 (ordering).
    """
    count = check.whole("count", count)
    check.size("count", count, count)
    if features is not None:
        import networkx as nx

        path = nx.path_graph([f"item {i + 1}" for i in range(count)])
        return graph(path, features, sigma, seed, name="ordering")
    outputs = [f"at least {k + 1}" for k in range(count)]
    return one_hot(np.tril(np.ones((count, count))), outputs=outputs, name="ordering")


def ordering_strengths(count: int = 8, *, features: int | None = None, sigma: float = 4.0) -> np.ndarray:
    """Singular values of Σyx of ``ordering``, one per item, largest first.

    - table: s_k = 1/(2P sin((2k−1)π/(4P+2))), k = 1, …, P
    - random, many features: s_k = √N3/(P√ζ_k), ζ_k = 2 − 2cos(πk/P) + 1/σ²

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("ordering", 4).round(4)
        array([0.7198, 0.25  , 0.1632, 0.133 ])

    Source: saxe2019 (ordering).
    """
    count = check.whole("count", count)
    check.size("count", count, count)
    if features is not None:
        waves = 2 - 2 * np.cos(np.pi * np.arange(count) / count)
        return field_strengths(waves + 1 / check.scale("sigma", sigma) ** 2, count, features)
    return 1 / (2 * count * np.sin((2 * np.arange(1, count + 1) - 1) * np.pi / (4 * count + 2)))
