"""The modules of every layer as a graph: which feeds which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.explanation._explanation import Explanation
    from festina.explanation._module import ExplainedModule

FAINT = 0.08
"""Share of a module's drive below which an arrow is left out."""

MAX_LINES = 3
"""Lines that are drawn to each output, the strongest: more hide which modules it depends on."""

OFTEN = 0.8
"""On-rate from which a group of data points is written under a module."""

WORDS = 6
"""Size of these words in points."""

HEIGHT = 1.32
"""Height of the graph with its headings, where a column of modules has the height 1."""

MAX_NAMED = 3
"""Groups that are written under a module; one that is on for more is not told by their names."""

MAX_OUTPUTS = 12
"""Outputs up to which each is drawn."""


def draw_pathways(found: Explanation, ax: Axes, colours: Sequence[str]) -> None:
    """Columns are layers, circles modules (area: share of the layer's contribution), lines what feeds what."""
    columns = [len(layer.modules) for layer in found.layers]
    place = {(c, i): (float(c), _height(i, n)) for c, n in enumerate(columns) for i in range(n)}
    count = min(len(found.output_names), MAX_OUTPUTS)
    last = len(columns)
    place |= {(last, i): (float(last), _height(i, count)) for i in range(count)}
    for c, layer in enumerate(found.layers[1:], start=1):
        for (i, j), share in np.ndenumerate(layer.feeds):
            _line(ax, place[c - 1, i], place[c, j], float(share), colours[int(i) % len(colours)])
    ends = np.array([_reach(module) for module in found.layers[-1].modules])[:, :count]
    total = np.abs(ends).sum(axis=0)
    shares = ends / np.where(total > 0, total, 1.0)
    weakest = np.sort(np.abs(shares), axis=0)[-min(MAX_LINES, len(shares))]
    for (i, j), value in np.ndenumerate(np.where(np.abs(shares) >= weakest, shares, 0.0)):
        _line(ax, place[last - 1, i], place[last, j], float(value), colours[int(i) % len(colours)])
    # a module has the height of its column over their number, in points, for its circle and the words below it
    room = ax.get_window_extent().height * 72 / ax.figure.dpi / HEIGHT / max(columns)
    for c, layer in enumerate(found.layers):
        for i, module in enumerate(layer.modules):
            size = min(np.sqrt(120 + 900 * module.share), max(room - 1.4 * WORDS, WORDS))
            ax.scatter(*place[c, i], s=size**2, color=colours[i % len(colours)], zorder=3)
            ax.text(*place[c, i], str(module.number), ha="center", va="center", color="white",
                    fontsize=min(8, 0.8 * size), zorder=4)  # fmt: skip
            if layer.positions == 1 and (words := _on_for(module, found.group_names)):
                ax.annotate(
                    words, place[c, i], (0, -size / 2 - 1), textcoords="offset points", ha="center", va="top",
                    fontsize=WORDS, color="0.2", zorder=4,
                    bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.4},
                )  # fmt: skip
        ax.text(c, 1.12, f"layer {layer.number}", ha="center", fontsize=8)
    for i in range(count):
        ax.text(last + 0.06, place[last, i][1], found.output_names[i], va="center", fontsize=8)
    ax.text(last, 1.12, "outputs", ha="center", fontsize=8)
    ax.set_xlim(-0.35, last + 0.5)
    ax.set_ylim(1.2 - HEIGHT, 1.2)
    ax.set_axis_off()


def _height(i: int, count: int) -> float:
    return 1 - (i + 0.5) / count


def _on_for(module: ExplainedModule, groups: Sequence[str]) -> str:
    """The groups for which a module is on, if these are few."""
    if len(module.on_rates) != len(groups):
        return ""
    often = [groups[int(i)] for i in np.argsort(-module.on_rates, kind="stable") if module.on_rates[i] >= OFTEN]
    return ", ".join(often) if 0 < len(often) <= min(MAX_NAMED, len(groups) - 1) else ""


def _reach(module: ExplainedModule) -> np.ndarray:
    """What a module adds to each output, the mean over the groups in which it adds most and least, with the sign."""
    strongest = np.argmax(np.abs(module.adds), axis=0)
    return module.adds[strongest, np.arange(module.adds.shape[1])]


def _line(ax: Axes, start: tuple[float, float], end: tuple[float, float], share: float, colour: str) -> None:
    if abs(share) < FAINT:
        return
    ax.plot(
        [start[0], end[0]], [start[1], end[1]], color=colour,
        linewidth=0.5 + 6 * min(abs(share), 1.0), alpha=0.45, linestyle="-" if share > 0 else (0, (2, 1.2)),
        solid_capstyle="butt", zorder=1,
    )  # fmt: skip
