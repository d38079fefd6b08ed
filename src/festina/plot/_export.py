"""A figure for a paper: SVG and PDF whose text can be edited, and the numbers of every panel as CSV."""

from __future__ import annotations

import csv
import io
import os
import string
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.optional import need
from festina.core.look import style
from festina.storage import store

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("kind", "series", "x", "y", "upper", "value")
"""Columns of the numbers of a panel: ``upper`` is the upper edge of a band, ``value`` that of a cell of an image."""

Row = tuple[str, str, float, float, float | None, float | None]


def numbers(ax: Axes) -> list[Row]:
    """Content of one panel, as rows (kind, series, x, y, upper, value), in the order of drawing.

    Kinds are ``"line"``, ``"dots"``, ``"bar"`` (x is its middle), ``"band"`` (from y to upper) and ``"image"`` (x is
    the column, y the row). Series are the labels of the legend, or are numbered.

    Example:
        >>> import festina as fs
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> _ = ax.plot([0, 1], [1.0, 0.5], label="loss")
        >>> fs.plot.numbers(ax)
        [('line', 'loss', 0.0, 1.0, None, None), ('line', 'loss', 1.0, 0.5, None, None)]
    """
    check.axes(ax)
    from matplotlib.collections import PathCollection, PolyCollection, QuadMesh
    from matplotlib.container import BarContainer

    rows: list[Row] = []

    def series(artist: Any, kind: str, number: int) -> str:
        label = str(artist.get_label())
        return f"{kind} {number + 1}" if not label or label.startswith("_") else label

    for k, line in enumerate(line for line in ax.lines if line.get_transform() == ax.transData):
        x, y = (np.atleast_1d(np.asarray(part, float)) for part in line.get_data())
        rows += [("line", series(line, "line", k), float(a), float(b), None, None) for a, b in zip(x, y, strict=True)]
    for k, bars in enumerate(found for found in ax.containers if isinstance(found, BarContainer)):
        for bar in bars.patches:
            upright = bars.orientation == "vertical"
            middle = bar.get_x() + bar.get_width() / 2 if upright else bar.get_y() + bar.get_height() / 2
            size = bar.get_height() if upright else bar.get_width()
            rows.append(("bar", series(bars, "bars", k), float(middle), float(size), None, None))
    for k, found in enumerate(ax.collections):
        if isinstance(found, PathCollection):
            places = np.asarray(found.get_offsets(), float)
            rows += [("dots", series(found, "dots", k), float(a), float(b), None, None) for a, b in places]
        elif isinstance(found, QuadMesh):
            rows += _cells(series(found, "image", k), np.atleast_2d(np.asarray(found.get_array(), float)))
        elif isinstance(found, PolyCollection):
            for path in found.get_paths():
                corners = np.asarray(path.vertices, float)
                for x in np.unique(corners[:, 0]):
                    at = corners[corners[:, 0] == x, 1]
                    rows.append(("band", series(found, "band", k), float(x), float(at.min()), float(at.max()), None))
    for k, image in enumerate(ax.images):
        matrix = np.asarray(image.get_array(), float)
        rows += _cells(series(image, "image", k), matrix) if matrix.ndim == 2 else []
    return rows


def _cells(name: str, matrix: np.ndarray) -> list[Row]:
    return [("image", name, float(j), float(i), None, float(value)) for (i, j), value in np.ndenumerate(matrix)]


def export(figure: Figure, path: str | os.PathLike[str]) -> list[Path]:
    """Write a figure as SVG and PDF, with text that can be edited, and the numbers of each panel as CSV.

    Args:
        figure: such as ``fs.plot.panels`` makes, or any of matplotlib.
        path: the path of the files without their suffix: ``"figures/loss"`` gives ``loss.svg``, ``loss.pdf``,
            ``loss_a.csv``, …

    Returns:
        The paths, in this order.

    Example:
        >>> import tempfile, festina as fs
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> _ = ax.plot([0, 1], [1.0, 0.5], label="loss")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [file.name for file in fs.plot.export(figure, f"{folder}/loss")]
        ['loss.svg', 'loss.pdf', 'loss_a.csv']
    """
    check.instance("figure", figure, _figure(), "a figure of matplotlib")
    target = check.new_file("path", path)
    return [store.save("path", target.with_name(target.name + end), content) for end, content in files(figure).items()]


def files(figure: Figure) -> dict[str, bytes | str]:
    """Export formats, by the ending of the file.

    Example:
        >>> import festina as fs
        >>> sorted(fs.plot.files(fs.plot.panels(1, 2)[0]))
        ['.pdf', '.svg', '_a.csv', '_b.csv']
    """
    check.instance("figure", figure, _figure(), "a figure of matplotlib")
    found: dict[str, bytes | str] = {}
    with style():
        for kind in ("svg", "pdf"):
            stream = io.BytesIO()
            figure.savefig(stream, format=kind, metadata={"Date" if kind == "svg" else "CreationDate": None})
            found[f".{kind}"] = stream.getvalue()
    panels = [ax for ax in figure.axes if not hasattr(ax, "_colorbar")]
    for letter, ax in zip(string.ascii_letters, panels, strict=False):
        table = io.StringIO()
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow([*COLUMNS[:2], ax.get_xlabel() or "x", ax.get_ylabel() or "y", *COLUMNS[4:]])
        writer.writerows(["" if cell is None else cell for cell in row] for row in numbers(ax))
        found[f"_{letter}.csv"] = table.getvalue()
    return found


def _figure() -> type[Figure]:
    need("matplotlib", "plot")
    from matplotlib.figure import Figure

    return Figure
