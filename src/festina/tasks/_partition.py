"""Items in groups."""

import numpy as np

from festina.checks import check
from festina.core.task import Task
from festina.tasks._graph import field_strengths, grouped


def partition(
    groups: int = 4, size: int = 4, *, features: int | None = None, sigma: float = 4.0, seed: int = 0
) -> Task:
    """One-hot items in groups of equal size that have nothing in common with each other.

    The table (``features=None``): one property per group, held by its members.
    Random (``features=n``): Gaussian features; the members of a group hang on one latent node, see ``graph``.

    Args:
        groups: number of groups, ≥ 1.
        size: members of a group, ≥ 1.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.partition(groups=2, size=2).y
        array([[1., 0.],
               [1., 0.],
               [0., 1.],
               [0., 1.]])

    Source: saxe2019 (partition).
    """
    groups, size = check.whole("groups", groups), check.whole("size", size)
    check.size("groups and size", groups, size, groups, size)
    items = [f"group {g + 1} item {i + 1}" for g in range(groups) for i in range(size)]
    outputs = [f"group {g + 1}" for g in range(groups)]
    return grouped(np.kron(np.eye(groups), np.ones((size, 1))), items, outputs, features, sigma, seed, "partition")


def partition_strengths(
    groups: int = 4, size: int = 4, *, features: int | None = None, sigma: float = 4.0
) -> np.ndarray:
    """Singular values of Σyx of ``partition``, one per item, largest first: groups, then differences within groups.

    - table: √size/P for each group, 0 within groups
    - random, many features: s = √N3/(P√ζ), ζ = 1 + 1/σ² − m/(m + 1/σ²) for each group (m = ``size``),
      1 + 1/σ² within groups

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("partition", groups=2, size=2).round(4)
        array([0.3536, 0.3536, 0.    , 0.    ])

    Source: saxe2019 (partition).
    """
    groups, size = check.whole("groups", groups), check.whole("size", size)
    check.size("groups and size", groups, size, groups, size)
    items = groups * size
    among = np.arange(items) < groups
    if features is None:
        return np.where(among, size**0.5 / items, 0.0)
    own = 1 / check.scale("sigma", sigma) ** 2
    return field_strengths(1 + own - np.where(among, size / (size + own), 0.0), items, features)
