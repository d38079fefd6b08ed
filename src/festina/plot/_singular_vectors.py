"""The singular value decomposition of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check
from festina.core.look import MODE_COLOURS, SIGNS, axis, plain, styled
from festina.core.task import Task, check_task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = ("left", "right", "strengths")


@styled
def singular_vectors(
    task: Task, ax: Axes | None = None, *, part: str = "right", names: Sequence[str] | None = None
) -> Axes:
    """Draw one part of Σyx = U S Vᵀ: U or V as a heat map with names, or S as bars.

    Args:
        task: whose modes.
        ax: where to draw; None is pyplot's current axes.
        part: ``"left"`` (U: what a mode means for the outputs), ``"right"`` (V: for the inputs), ``"strengths"`` (S).
        names: the names of the rows of U or V; None takes the task's names of outputs or inputs (of items, where each
            input is one item).

    Returns:
        The axes.

    Raises:
        ValueError: another ``part``; a wrong number of names.

    Example:
        >>> import festina as fs
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> len(fs.plot.singular_vectors(fs.tasks.living_things(4), ax, part="strengths").patches)
        4
    """
    ax = axis(ax)
    check_task(task)
    part = check.known("part", part, PARTS)
    given = () if names is None else check.listing("names", names, "names")
    statistics = task.statistics
    modes = np.arange(statistics.rank)
    if part == "strengths":
        ax.bar(modes, statistics.strengths, color=MODE_COLOURS[0])
        ax.set(ylabel="strength $s$")
    else:
        vectors = statistics.left if part == "left" else statistics.right
        names = _names(task, part) if names is None else tuple(map(str, given))
        if len(names) != len(vectors):
            raise ValueError(f"names holds {len(names)} names for {len(vectors)} rows of {part}; give one each.")
        # one scale for all, white at zero: the eye compares entries, not panels
        drawn = ax.imshow(vectors, cmap=SIGNS, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        ax.set_yticks(range(len(names)), list(map(plain, names)))
        ax.figure.colorbar(drawn, ax=ax, ticks=[-1, 0, 1], shrink=0.8, pad=0.02)
    ax.set_xticks(modes, [str(mode + 1) for mode in modes])
    ax.set_xlabel("mode")
    return ax


def _names(task: Task, part: str) -> tuple[str, ...]:
    if part == "left":
        return tuple(task.outputs)
    one_hot = task.x.shape[0] == task.x.shape[1] and np.count_nonzero(task.x - np.diag(np.diag(task.x))) == 0
    return tuple(task.items if one_hot else task.inputs)
