"""A tree of items: what it may be, and which level each of its modes tells apart."""

import numpy as np

from festina import _check


def check_tree(branching: int, depth: int, flip: float) -> tuple[int, int, float]:
    """Branching, depth and chance of a flip, checked."""
    branching, depth = _check.whole("branching", branching, least=2), _check.whole("depth", depth)
    leaves = min(branching, 2**64) ** min(depth, 64)
    _check.size("branching and depth", leaves, leaves)
    return branching, depth, _check.share("flip", flip)


def tree_levels(branching: int, depth: int) -> np.ndarray:
    """The level of the tree that each mode of ``tree`` resolves, in the order of ``tree_strengths``.

    Level 0 once (what all items share), level l ≥ 1 with M_{l−1}(B−1) modes, which tell children of a node at level
    l−1 apart.

    Example:
        >>> tree_levels(branching=2, depth=3)
        array([0, 1, 2, 2, 3, 3, 3, 3])

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, _ = check_tree(branching, depth, 0.0)
    counts = [1] + [branching ** (level - 1) * (branching - 1) for level in range(1, depth + 1)]
    return np.repeat(np.arange(depth + 1), counts)
