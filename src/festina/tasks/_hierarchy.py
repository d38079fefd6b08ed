"""Items in a hierarchy of properties: plain, by name, and in contexts."""

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


TABLES = {
    4: (
        ("canary", "salmon", "oak", "rose"),
        ("grow", "move", "roots", "fly", "swim", "bark", "petals"),
    ),
    8: (
        ("canary", "robin", "salmon", "sunfish", "oak", "pine", "rose", "daisy"),
        (
            "grow", "move", "roots", "fly", "swim", "bark", "petals",
            "sing", "red breast", "pink flesh", "round body", "acorns", "needles", "thorns", "white rays",
        ),
    ),
}  # fmt: skip
"""Items and properties by number of items; properties in the order of ``hierarchy``: the tree from root to leaves."""

CATEGORIES = {"animals": 0, "plants": 1, "birds": 0, "fish": 1, "trees": 2, "flowers": 3}
"""Branches of the tree by name, counted on their level: two kingdoms, each of two kinds."""


def living_things(count: int = 8) -> Task:
    """Animals and plants with their properties: the tables of ``hierarchy`` with real names.

    ``count=4`` is the 4 × 7 table (all grow; animals move, plants have roots; one property each), ``count=8`` the
    8 × 15 one (birds fly, fish swim, trees have bark, flowers petals; one property each).

    Args:
        count: 4 or 8.

    Raises:
        ValueError: another number of items.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.living_things(4)
        >>> [name for name, has in zip(task.outputs, task.y[0]) if has]
        ['grow', 'move', 'fly']

    Source: saxe2019; jarvis2025 Fig. 7.
    """
    count = check.whole("count", count)
    if count not in TABLES:
        raise ValueError(
            f"count is {check.shown(count)}; named tables exist for 4 and 8 items: use fs.tasks.hierarchy(levels)."
        )
    names, properties = TABLES[count]
    table = hierarchy(count.bit_length() - 1)
    kingdoms, kinds = count // 2, count // 4
    sizes = {name: kingdoms if name in ("animals", "plants") else kinds for name in CATEGORIES}
    members = {name: names[at * sizes[name] : (at + 1) * sizes[name]] for name, at in CATEGORIES.items()}
    categories = {name: found for name, found in members.items() if len(found) > 1}
    return one_hot(table.y, inputs=names, items=names, outputs=properties, categories=categories, name=f"{count} items")


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
