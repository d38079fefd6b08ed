"""The items and properties of the semantic-development experiments, by name."""

from festina.checks import check
from festina.core.task import Task, one_hot
from festina.tasks._hierarchy import hierarchy

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
