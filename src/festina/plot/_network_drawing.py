"""The parts of a drawn network: units, layers, sequences, heads, agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import ArrayLike
from festina.core import Network, Task
from festina.core.look import COLOURS, shade, themed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RADIUS = 0.22
"""Radius of a unit."""

MAX_UNITS = 6
"""A layer with more units is drawn as three units, dots and two units."""

MAX_LAYERS = 4
"""Hidden layers up to which all are drawn; of more, two, dots and one."""

NEAR = 0.7
"""Distance below which units are connected in the drawing of a convolution: neighbours."""

MAX_STEPS = 5
"""Time steps and examples up to which all are drawn."""

LETTER = 0.013
"""Width of a letter for each point of its size, as far as it is known before the drawing has its scale."""

MARGIN = 0.15
"""Space around a drawing."""

Colour = str | tuple[float, ...]
"""As matplotlib takes it: a name, a grey, or red, green and blue."""

EDGE = "0.3"
FAINT = "0.8"


@dataclass(frozen=True)
class Pen:
    """Draws the few shapes that a schematic is made of, and knows how far they reach."""

    ax: Axes
    reached: list[tuple[float, float]] = field(default_factory=list)

    def frame(self) -> None:
        """Limits such that everything is inside."""
        points = np.array(self.reached)
        (left, bottom), (right, top) = points.min(axis=0) - MARGIN, points.max(axis=0) + MARGIN
        self.ax.set(xlim=(left, right), ylim=(bottom, top))

    def text(self, x: float, y: float, words: str, *, va: str = "center", ha: str = "center", **style: Any) -> None:
        """Words; ``small=True`` for secondary text."""
        size = 6.5 if style.pop("small", False) else 8
        plain = max(words.replace("$", "").split("\n"), key=len)
        wide = LETTER * size * len(plain)
        aside = {"center": (wide / 2, wide / 2), "left": (0.0, wide), "right": (wide, 0.0)}[ha]
        aloft = {"center": (0.12, 0.12), "bottom": (0.0, 0.25), "top": (0.25, 0.0)}[va]
        self.reached.extend([(x - aside[0], y - aloft[0]), (x + aside[1], y + aloft[1])])
        self.ax.text(x, y, words, **{"ha": ha, "va": va, "fontsize": size, "zorder": 5, **style})

    def rectangle(self, x: float, y: float, width: float, height: float, *, fill: Colour | None = "white") -> None:
        """A box by its lower left corner."""
        from matplotlib.patches import Rectangle

        self.reached.extend([(x, y), (x + width, y + height)])
        face = "none" if fill is None else themed(fill)
        self.ax.add_patch(
            Rectangle((x, y), width, height, facecolor=face, edgecolor=themed(EDGE), linewidth=0.8, zorder=3)
        )

    def line(self, points: ArrayLike, colour: Colour = FAINT, width: float = 0.6) -> None:
        """A line through points."""
        self.ax.plot(*np.asarray(points, dtype=float).T, color=themed(colour), linewidth=width, zorder=1)

    def arrow(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: Colour = EDGE,
        *,
        bend: float = 0.0,
        dashed: bool = False,
    ) -> None:
        """An arrow between two units."""
        style: Any = {"arrowstyle": "-|>", "color": themed(colour), "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}
        style |= {"connectionstyle": f"arc3,rad={bend}", "linestyle": "--" if dashed else "-"}
        self.ax.annotate("", end, start, arrowprops=style, zorder=2)

    def unit(self, x: float, y: float, shape: str = "", *, colour: Colour = EDGE, fill: Colour = "white") -> None:
        """A circle with its activation in it."""
        from matplotlib.patches import Circle

        self.reached.extend([(x - RADIUS, y - RADIUS), (x + RADIUS, y + RADIUS)])
        self.ax.add_patch(
            Circle((x, y), RADIUS, facecolor=themed(fill), edgecolor=themed(colour), linewidth=1.0, zorder=3)
        )
        if shape:
            along = np.linspace(-1, 1, 21)
            curve = {"linear": along, "hinge": np.maximum(along, 0) - 0.35, "s": np.tanh(3 * along)}[shape]
            size = 0.55 * RADIUS
            points = np.stack([x + size * along, y + size * curve], axis=1)
            self.ax.plot(*points.T, color=themed(colour), linewidth=0.9, zorder=4)


def draw_layers(network: Network, task: Task | None, pen: Pen) -> float:
    """Units in columns, all connected, or near ones by a convolution; returns the width."""
    from festina.representation import FeedForward

    hidden: tuple[int, ...] = network.hidden  # pyright: ignore[reportAttributeAccessIssue]
    channels = 0
    if isinstance(network, FeedForward) and network.connection == "convolution":
        hidden, channels = network.pixels, network.channels
    ends = (4, 3) if task is None else (task.x.shape[1], task.y.shape[1])
    shape = _activation(network)
    columns: list[int | None] = list(hidden)
    if len(hidden) > MAX_LAYERS:
        columns = [*hidden[:2], None, hidden[-1]]
    widths = [ends[0], *columns, ends[1]]
    step = 1.7
    places = [[] if width is None else _heights(width) for width in widths]
    for k, (before, after) in enumerate(pairwise(places)):
        reach = NEAR if channels and 0 < k < len(widths) - 2 else np.inf
        for one, other in product(before, after):
            if abs(one - other) < reach:
                pen.line([(k * step, one), ((k + 1) * step, other)])
        # the number of the matrix, counted from the input; behind the dots it is the last ones'
        left_out = None in widths[: k + 1]
        number = len(hidden) + 1 - (len(widths) - 2 - k) if left_out else k + 1
        if before and after:
            pen.text((k + 0.5) * step, _top(places) + 0.5, f"$W_{{{number}}}$")
    for k, (width, heights) in enumerate(zip(widths, places, strict=True)):
        if width is None:
            pen.text(k * step, 0, "…", fontsize=14)
            continue
        outer = k in (0, len(widths) - 1)
        for height in heights:
            pen.unit(k * step, height, "" if outer else shape, fill="0.92" if outer else "white")
        if len(heights) < width:
            pen.text(k * step, (heights[2] + heights[3]) / 2, "⋮")
        if task is not None or not outer:
            # the first layer and the last convolution have one channel
            words = f"{channels} × {width}" if channels and 1 < k < len(widths) - 2 else str(width)
            pen.text(k * step, min(heights) - 0.45, words, va="top", small=True)
    for k in range(1, len(columns) - 1) if getattr(network, "skip", False) else ():
        _skip(k * step, (k + 2) * step, -_top(places) - 1.1 - 0.25 * (k % 2), pen)
    return (len(widths) - 1) * step


def _skip(start: float, end: float, depth: float, pen: Pen) -> None:
    """An arrow below the layers, from one to the one after the next."""
    pen.reached.append((start, depth))
    pen.line([(start, depth + 0.2), (start, depth), (end, depth)], EDGE, 1.0)
    pen.arrow((end, depth), (end, depth + 0.2))


def _activation(network: Network) -> str:
    """Activation function of a hidden unit: a line, a hinge or an S."""
    name = getattr(network, "activation", None)
    if name is None:
        forward = getattr(network, "forward", None)
        return "hinge" if getattr(forward, "rectifies", False) else "linear"
    if name == "linear":
        return "linear"
    return "s" if name in ("tanh", "sigmoid") else "hinge"


def _heights(width: int) -> list[float]:
    """Positions of the units of a layer: all if few, otherwise three, a gap, and two."""
    if width <= MAX_UNITS:
        return [0.58 * ((width - 1) / 2 - k) for k in range(width)]
    return [0.58 * (2.5 - k) for k in (0, 1, 2, 4, 5)]


def _top(places: Sequence[Sequence[float]]) -> float:
    return max(max(heights, default=0.0) for heights in places)


def draw_attention(heads: int, merged: bool, pen: Pen) -> float:
    """The sequence of examples and the query, the heads that read them, and the answer."""
    names = ["1", "2", "⋯", "N", "q"]
    for k, name in enumerate(names):
        x = 0.62 * k
        if name == "⋯":
            pen.text(x + 0.25, 0, "⋯")
            continue
        known = name != "q"
        pen.rectangle(x, 0.02, 0.5, 0.75, fill=shade("trained", COLOURS[0]) if known else "white")
        pen.text(x + 0.25, 0.4, f"$x_{{{name}}}$")
        pen.rectangle(x, -0.5, 0.5, 0.48, fill=shade("trained", COLOURS[1]) if known else "white")
        pen.text(x + 0.25, -0.26, f"$y_{{{name}}}$" if known else "?")
    pen.text(1.2, 1.0, "examples", va="bottom", small=True)
    pen.text(2.73, 1.0, "query", va="bottom", small=True)
    shown = min(heads, 4)
    rows = [0.62 * ((shown - 1) / 2 - k) for k in range(shown)]
    for k, y in enumerate(rows):
        dots = heads > shown and k == shown - 1
        colour = shade("trained", COLOURS[k % len(COLOURS)])
        pen.arrow((3.1, 0.1), (3.75, y))
        pen.rectangle(3.8, y - 0.24, 1.7, 0.48, fill=colour)
        index = heads if dots else k + 1
        words = f"$v_{{{index}}}\\,U_{{{index}}}$" if merged else f"$v_{{{index}}}\\,k_{{{index}}} q_{{{index}}}^{{⊤}}$"
        pen.text(4.65, y, words)
        pen.arrow((5.5, y), (6.13, 0.0))
        if dots:
            pen.text(4.65, y + 0.31, "⋮", small=True)
    pen.text(4.65, max(rows) + 0.4, f"{heads} heads" if heads > 1 else "1 head", va="bottom", small=True)
    pen.unit(6.35, 0.0)
    pen.text(6.35, 0.0, "+")
    pen.arrow((6.57, 0.0), (7.2, 0.0))
    pen.text(7.3, 0.0, r"$\hat y_q$", ha="left")
    return 7.8


def draw_recurrent(length: int, width: int, learns: bool, pen: Pen) -> float:
    """Time steps from left to right: inputs below, the state in the middle, the answer at the end."""
    steps: list[int | None] = list(range(1, length + 1))
    if length > MAX_STEPS:
        steps = [1, 2, None, length - 1, length]
    gap = 1.5
    for k, step in enumerate(steps):
        x = gap * k
        if step is None:
            pen.text(x, 0, "…", fontsize=14)
        else:
            pen.unit(x, 0, "linear")
            pen.text(x - 0.1, 0.42, f"$h_{{{step}}}$", small=True)
            pen.unit(x, -1.2, fill=shade("trained", COLOURS[0]))
            pen.text(x, -1.2, f"$x_{{{step}}}$", small=True)
            pen.arrow((x, -0.97), (x, -0.25), COLOURS[0])
        if k + 1 < len(steps):
            pen.arrow((x + 0.25, 0), (x + gap - 0.26, 0), COLOURS[2] if learns else EDGE)
    pen.text(gap / 2, 0.2, "$W_h$", color=COLOURS[2] if learns else themed(EDGE))
    pen.text(-0.36, -0.62, "$W_x$", color=COLOURS[0])
    last = gap * (len(steps) - 1)
    pen.arrow((last + 0.25, 0), (last + gap - 0.26, 0), COLOURS[1])
    pen.text(last + gap / 2, 0.2, "$W_y$", color=COLOURS[1])
    pen.unit(last + gap, 0, fill=shade("trained", COLOURS[1]))
    pen.text(last + gap, 0, r"$\hat y$")
    held = "" if learns else ", recurrent weights fixed"
    pen.text(last / 2, -1.65, f"{length} time steps, {width} units{held}", va="top", small=True)
    return last + gap


def draw_agent(deep: bool, pen: Pen) -> float:
    """Stimulus, pathways, action values, choice and the reward that teaches."""
    rows = {"left": 0.9, "right": 0.0, "constant": -0.9}
    actions = {"left": 0.45, "right": -0.45}
    start = 1.7 if deep else 0.0
    for k, (name, y) in enumerate(rows.items()):
        colour = COLOURS[k]
        pen.unit(0, y, fill=shade("trained", colour))
        pen.text(-0.35, y, {"left": "left contrast", "right": "right contrast", "constant": "1"}[name], ha="right")
        if deep:
            pen.line([(RADIUS, y), (start - RADIUS, y)], shade("predicted", colour), 1.6)
            pen.text(start / 2, y + 0.17, f"$w_{{{name[0]}}}$")
            pen.unit(start, y, "linear", colour=shade("predicted", colour))
        for end in actions.values():
            pen.line([(start + RADIUS, y), (start + 1.9 - RADIUS, end)], shade("predicted", colour), 1.0)
    at = start + 1.9
    for action, y in actions.items():
        pen.unit(at, y)
        pen.text(at, y, f"$Q_{{{action[0].upper()}}}$", small=True)
        pen.arrow((at + RADIUS, y), (at + 1.0, 0.08 if y > 0 else -0.08))
    pen.rectangle(at + 1.0, -0.3, 1.1, 0.6, fill="0.95")
    pen.text(at + 1.55, 0, "choice")
    pen.arrow((at + 1.55, -0.3), (start + 0.9, -1.15), bend=-0.25, dashed=True)
    pen.text(at + 0.75, -1.15, "reward teaches", va="top", small=True)
    if deep:
        pen.text(start / 2, 1.45, "tutor $w$")
    pen.text(start + 0.95, 1.45, "executor $W$")
    return at + 2.1
