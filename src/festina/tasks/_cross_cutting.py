"""Items that fall into groups in more than one way."""

from collections.abc import Sequence

import numpy as np

from festina.checks import check
from festina.core.task import Task
from festina.tasks._graph import field_strengths, grouped


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
    return grouped(table, items, outputs, features, sigma, seed, "dimensions")


def dimensions_strengths(
    sizes: Sequence[int] = (2, 2, 2), *, features: int | None = None, sigma: float = 4.0
) -> np.ndarray:
    """Singular values of Σyx of ``dimensions``, one per item, largest first.

    With m_d = P/n_d items per value of dimension d (n_d values):
    - table: √(Σ_d m_d)/P once, √m_d/P for the n_d − 1 contrasts of dimension d, 0 for combinations
    - random, many features: s = √N3/(P√ζ), ζ = K + 1/σ² − Σ m_d/(m_d + 1/σ²). The sum is over all K dimensions for the
    mean of all items, over one dimension for its contrasts, and empty for combinations

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("dimensions", (2, 2)).round(4)
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
    own = 1 / check.scale("sigma", sigma) ** 2
    tied = members / (members + own)
    shared = np.concatenate([[tied.sum()], tied[contrasts], np.zeros(rest)])
    return field_strengths(len(sizes) + own - shared, items, features)


def _sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    found = tuple(check.whole("sizes", n) for n in check.listing("sizes", sizes, "whole numbers"))
    if not found:
        raise ValueError("sizes is empty; give the number of values of at least one dimension.")
    check.size("sizes", *found, *found)
    return found
