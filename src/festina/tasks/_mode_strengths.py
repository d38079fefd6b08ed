"""The singular values of structured tasks, known before any data are drawn."""

from typing import Any

import numpy as np

from festina.checks import check
from festina.tasks._cross_cutting import dimensions_strengths
from festina.tasks._graph import graph_strengths
from festina.tasks._grid import grid_strengths
from festina.tasks._ordering import ordering_strengths
from festina.tasks._partition import partition_strengths
from festina.tasks._ring import ring_strengths
from festina.tasks._tree import tree_strengths

KNOWN = {
    "dimensions": dimensions_strengths, "graph": graph_strengths, "grid": grid_strengths,
    "ordering": ordering_strengths, "partition": partition_strengths, "ring": ring_strengths, "tree": tree_strengths,
}  # fmt: skip
"""Closed forms by the name of the task; each file of a task derives its own."""


def mode_strengths(structure: str, *arguments: Any, **settings: Any) -> np.ndarray:
    """Singular values of Σyx of a structured task in closed form, largest first, one per item.

    They say when each distinction will be learned before any data are drawn. For random features they hold in the limit
    of many features; for a table of properties they are exact.

    Args:
        structure: the name of the task: ``"dimensions"``, ``"graph"``, ``"grid"``, ``"ordering"``, ``"partition"``,
            ``"ring"`` or ``"tree"``.
        arguments: those of ``fs.tasks.<structure>``, by position.
        settings: those of ``fs.tasks.<structure>``, by name, without ``seed``.

    Returns:
        One singular value per item; zeros stay.

    Raises:
        ValueError: a structure whose modes are not known, or settings that the task does not have.

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("tree", branching=2, depth=2, flip=0.1, features=1000).round(2)
        array([12.4 ,  7.16,  4.74,  4.74])
        >>> fs.tasks.mode_strengths("dimensions", (2, 2)).round(4)
        array([0.5   , 0.3536, 0.3536, 0.    ])

    Source: saxe2019 (hierarchically structured data, cross-cutting structure, ring).
    """
    find = KNOWN[check.known("structure", structure, KNOWN)]
    try:
        return find(*arguments, **settings)
    except TypeError as error:
        raise ValueError(f"settings do not fit {structure!r}: {error}.") from None
