"""Distances between all pairs of points, as an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.core.look import SIZES, axis, plain, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def distances(
    matrix: np.ndarray,
    ax: Axes | None = None,
    *,
    groups: np.ndarray | None = None,
    label: str = "squared distance",
    top: float | None = None,
) -> Axes:
    """Draw a matrix of pairwise distances, with a colour bar; white lines part the groups.

    Args:
        matrix: (points, points).
        ax: where to draw; None is pyplot's current axes.
        groups: a label per point, equal labels next to each other.
        label: the label of the colour bar.
        top: end of the colour scale; give panels that are compared the same. None is the largest distance.

    Returns:
        The axes.

    Example:
        >>> import festina as fs
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> y = fs.tasks.living_things(4).y
        >>> fs.plot.distances(((y[:, None] - y) ** 2).sum(axis=-1), ax).images[0].get_array().shape
        (4, 4)
    """
    ax, matrix, label = axis(ax), check.matrix("matrix", matrix), check.text("label", label)
    if matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise ValueError(f"matrix has shape {matrix.shape}; one row and one column per point are needed.")
    if groups is not None:
        groups = check.plain("groups", groups)
        if groups.shape != (len(matrix),):
            raise ValueError(f"groups has shape {groups.shape} for {len(matrix)} points; give one label each.")
    top = None if top is None else check.positive("top", top)
    image: Any = ax.imshow(matrix, cmap=SIZES, vmin=0, vmax=top)
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label=label)
    ticks: list[float] = []
    if groups is not None:
        edges = np.flatnonzero(groups[1:] != groups[:-1]) + 0.5
        for edge in edges:
            ax.axhline(edge, color="white", linewidth=0.5)
            ax.axvline(edge, color="white", linewidth=0.5)
        bounds = np.concatenate([[-0.5], edges, [len(matrix) - 0.5]])
        ticks = list((bounds[:-1] + bounds[1:]) / 2)
    names = [] if groups is None else [plain(str(g)) for g in groups[np.array(ticks).round().astype(int)]]
    ax.set_xticks(ticks, names)
    ax.set_yticks(ticks, names)
    return ax
