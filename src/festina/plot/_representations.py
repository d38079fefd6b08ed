"""Representations of items as they move apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from festina.checks import check
from festina.core.look import COLOURS, axis, plain, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from festina.analysis.embedding import Embedding


FEW = 12
"""Names up to which all are written, though they may overlap."""


@styled
def representations(embedding: Embedding, ax: Axes | None = None, *, names: Sequence[str] = ()) -> Axes:
    """Draw the path of each item on the map: a dot where it starts, its name where it ends.

    Args:
        embedding: from ``festina.linear.embed``; the first two dimensions are drawn.
        ax: where to draw; None is pyplot's current axes.
        names: the names of the items, such as ``task.items``; none: no names. If there are more than twelve, names that
            would overlap others are left out.

    Returns:
        The axes.

    Raises:
        ValueError: a map of one dimension; a wrong number of names.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, task, np.linspace(0, 30, 61), observe=("hidden",))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> [text.get_text() for text in fs.plot.representations(path.embed(), ax, names=task.items).texts]
        ['canary', 'salmon', 'oak', 'rose']
    """
    ax = axis(ax)
    from festina.analysis.embedding import Embedding

    check.instance("embedding", embedding, Embedding, "what trajectory.embed() gives")
    names = [plain(str(name)) for name in check.listing("names", names, "names of items")]
    _, items, dimensions = embedding.points.shape
    if dimensions < 2:
        raise ValueError("embedding has 1 dimension; a drawing needs two: embed(..., dimensions=2).")
    if names and len(names) != items:
        raise ValueError(f"names holds {len(names)} names for {items} items; give one each, or none.")
    centre = embedding.points[-1, :, 0].mean()
    for item in range(items):
        x, y = embedding.points[:, item, 0], embedding.points[:, item, 1]
        colour = COLOURS[item % len(COLOURS)]
        ax.plot(x, y, color=colour, linewidth=1.2)
        ax.plot(x[0], y[0], marker=".", color=colour)
        ax.plot(x[-1], y[-1], marker="o", markersize=4, color=colour)
        if names:
            outwards = x[-1] >= centre
            ax.annotate(
                names[item], (x[-1], y[-1]), (5 if outwards else -5, 0), textcoords="offset points",
                va="center", ha="left" if outwards else "right", fontsize="small", annotation_clip=False,
            )  # fmt: skip
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.2)
    ax.set(xlabel="dimension 1", ylabel="dimension 2")
    if len(names) > FEW:
        _hide_overlapping(ax)
    return ax


def _hide_overlapping(ax: Axes) -> None:
    """Hide each name that would be written over one before it."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    whole = ax.figure.figure
    if isinstance(whole, Figure):
        whole.draw_without_rendering()
    written: list[Bbox] = []
    for text in ax.texts:
        # a note's own extent contains the point that it belongs to
        place = Text.get_window_extent(text)
        text.set_visible(not any(place.overlaps(other) for other in written))
        written += [place] if text.get_visible() else []
