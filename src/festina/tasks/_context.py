"""Items with properties that depend on a context."""

import numpy as np

from festina.checks import check
from festina.core.task import Task
from festina.tasks._hierarchy import hierarchy

ITEMS = 8
"""Items of the task: the leaves of a hierarchy of three levels."""

PROFILE = (0.0, 0.33, 0.66, 1.0, 1.0, 0.66, 0.33, 0.0)
"""Activity of a ring property around the ring."""


def ring_block() -> np.ndarray:
    """Fifteen properties of eight items on a ring: one that all have, then shifts of one profile by an item each."""
    return np.vstack([np.ones(ITEMS), *(np.roll(PROFILE, k) for k in range(14))])


def crossing_block() -> np.ndarray:
    """The hierarchy with its pairs {1,2},{3,4},… replaced by {1,3},{2,4},{5,7},{6,8}, which cut across them."""
    block = hierarchy(3).y.T.copy()
    for row, pair in zip(range(3, 7), ((0, 2), (1, 3), (4, 6), (5, 7)), strict=True):
        block[row] = np.isin(np.arange(ITEMS), pair)
    return block


def context(contexts: int = 3, structure: str = "same") -> Task:
    """Eight items in C contexts: properties common to all contexts, and properties of one context only.

    x = [item one-hot; context one-hot], N = 8C; y = [common block; one block per context, 0 in the other contexts].

    Args:
        contexts: C ≥ 2.
        structure: ``"same"``: every block is the 8 × 15 hierarchy. ``"different"`` (C = 3): hierarchy, ring,
            hierarchy with crossed pairs; the common block is the hierarchy.

    Raises:
        ValueError: fewer than two contexts, an unknown structure, different structures for other than three contexts.

    Example:
        >>> import festina as fs
        >>> fs.tasks.context(3)
        Task('3 contexts of same structure': 24 items, 11 inputs, 60 outputs)

    Source: jarvis2025 section 4, Fig. 3; App. F with (O+C)×N inputs and (2O−1)(C+1)×N outputs.
    """
    contexts = check.whole("contexts", contexts, least=2)
    check.known("structure", structure, ("same", "different"))
    check.size("contexts", ITEMS * contexts, 15 * (contexts + 1))
    tree = hierarchy(3).y.T
    blocks = [tree] * contexts
    if structure == "different":
        if contexts != 3:
            raise ValueError(f"contexts is {contexts} with structure='different', which is defined for 3 contexts.")
        blocks = [tree, ring_block(), crossing_block()]
    x, y, items = [], [], []
    for c in range(contexts):
        for item in range(ITEMS):
            x.append(np.concatenate([np.eye(ITEMS)[item], np.eye(contexts)[c]]))
            own = [block[:, item] * (b == c) for b, block in enumerate(blocks)]
            y.append(np.concatenate([tree[:, item], *own]))
            items.append(f"item {item + 1} in context {c + 1}")
    inputs = [f"item {i + 1}" for i in range(ITEMS)] + [f"context {c + 1}" for c in range(contexts)]
    return Task(
        np.array(x), np.array(y), inputs=inputs, items=items,
        contexts=[f"context {c + 1}" for c in range(contexts) for _ in range(ITEMS)],
        name=f"{contexts} contexts of {structure} structure",
    )  # fmt: skip
