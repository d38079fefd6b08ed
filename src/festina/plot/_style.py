"""The style of figures: colour-blind-safe colours, readable sizes, labelled panels."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.optional import need

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_PANELS = 100
"""Panels of one figure: more are too small to be read."""

MAX_INCHES = 100
"""Width or height of a panel: a larger one is taken for a mistake."""


def panels(rows: int, columns: int, width: float = 3.4, height: float = 2.7) -> tuple[Figure, np.ndarray]:
    """A figure of lettered panels, as a flat array of axes; made without pyplot, so nothing is left open.

    Example:
        >>> import festina as fs
        >>> figure, (left, right) = fs.plot.panels(1, 2, width=4)
        >>> figure.get_size_inches().round(1).tolist()
        [8.0, 2.7]
    """
    need("matplotlib", "plot")
    from matplotlib.figure import Figure

    rows, columns = check.whole("rows", rows, most=MAX_PANELS), check.whole("columns", columns, most=MAX_PANELS)
    if rows * columns > MAX_PANELS:
        raise ValueError(f"rows × columns is {rows} × {columns} panels; at most {MAX_PANELS} fit on a page.")
    width, height = _inches("width", width), _inches("height", height)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    axes = np.asarray(figure.subplots(rows, columns, squeeze=False)).ravel()
    if len(axes) > 1:
        for letter, ax in zip(string.ascii_lowercase, axes, strict=False):
            ax.annotate(
                letter,
                (0, 1),
                (-30, 8),
                "axes fraction",
                textcoords="offset points",
                weight="bold",
                va="bottom",
            )
    return figure, axes


def observed(name: str, trajectory: Trajectory, *names: str) -> None:
    """Raise where the argument ``name`` is not a trajectory that observed all of these."""
    check.instance(name, trajectory, Trajectory, "a trajectory, as fs.evolve(...) gives it,")
    missing = [each for each in names if each not in trajectory.values]
    if missing:
        raise ValueError(
            f"{name} did not observe {', '.join(missing)}, which is drawn; it has {', '.join(trajectory.values)}. "
            f"Use fs.evolve(..., observe=({', '.join(map(repr, names))},))."
        )


def legend(label: object) -> str | None:
    """A label of the legend, or None."""
    return None if label is None else check.text("label", label)


def _inches(name: str, value: float) -> float:
    if not 0.01 <= check.positive(name, value) <= MAX_INCHES:
        raise ValueError(f"{name} is {value!r}; inches between 0.01 and {MAX_INCHES} are needed.")
    return float(value)
