"""A network and its task, drawn simply: what goes in, what computes, what should come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core import Network, Task
from festina.core.look import COLOURS, SIGNS, SIZES, axis, plain, shade, styled, themed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.gated import Gated

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


COLUMN, ROW = 2.1, 1.05
"""Distances between columns and rows of nodes, in the unit of the schematic."""

BOW = 0.75 * ROW
"""Height of the bow of an edge that skips a column: between one row and the next."""

MAX_POINTS = 32
"""Data points up to which a gate shows each."""

SEPARATE = 8
"""Up to this many paths each has its own line and colour; of more, an edge is as wide as paths run through it."""


def draw_gated(network: Gated, pen: Pen) -> float:
    """Nodes from input to output with the data points for which they are open; returns the width."""
    plan = network.graph
    places = {name: (COLUMN * x, ROW * y) for name, (x, y) in _places(network).items()}
    middle = (max(y for _, y in places.values()) + min(y for _, y in places.values())) / 2
    places = {name: (x, y - middle) for name, (x, y) in places.items()}
    through = {edge: [i for i, path in enumerate(plan.paths) if edge in path] for edge in range(len(plan.edges))}
    for edge, (source, target) in enumerate(plan.edges):
        start, end = np.array(places[source]), np.array(places[target])
        lines = through[edge]
        if len(plan.paths) > SEPARATE:
            most = max(map(len, through.values()))
            pen.line(_curve(start, end), shade("trained", COLOURS[0]), 0.8 + 5 * len(lines) / most)
            continue
        for k, path in enumerate(lines):
            shift = np.array([0.0, 0.07 * (k - (len(lines) - 1) / 2)])
            pen.line(_curve(start, end) + shift, shade("predicted", COLOURS[path]), 1.8)
    for node in plan.nodes:
        words = [plain(node.name)]
        if node.width is not None:
            words.append(f"{node.width} units")
        elif node.columns is not None:
            words.append(f"{len(node.columns)} columns")
        x, y = places[node.name]
        fill = {"input": "0.95", "hidden": "white", "output": "0.95"}[node.kind]
        box = {"boxstyle": "round,pad=0.35", "facecolor": themed(fill), "edgecolor": themed(EDGE), "linewidth": 0.9}
        pen.text(x, y, "\n".join(words), fontsize=7, bbox=box)
        if node.name in network.gates.keys:
            _gate(network.gates.values[:, network.gates.keys.index(node.name)], x, y - 0.42, pen)
    return max(x for x, _ in places.values()) + 0.4


def _gate(values: np.ndarray, x: float, y: float, pen: Pen) -> None:
    """Cells below a node, one per data point, filled where the node is open; of many points their number."""
    if len(values) > MAX_POINTS:
        pen.text(x, y, f"open for {np.count_nonzero(values)} of {len(values)}", va="top", small=True)
        return
    size = min(0.14, 1.5 / len(values))
    left = x - size * len(values) / 2
    for k, value in enumerate(values):
        pen.rectangle(left + k * size, y - 0.14, size, 0.14, fill="0.25" if value else "white")


def _curve(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A straight line to the next column; a bow over the columns between, so that no edge runs through a node."""
    along = np.linspace(0, 1, 33)[:, None]
    bow = 0.0 if abs(end[0] - start[0]) <= 1.01 * COLUMN else BOW
    return start + along * (end - start) + np.array([0.0, bow]) * 4 * along * (1 - along)


def _places(network: Gated) -> dict[str, tuple[float, float]]:
    """Column: the longest way from an input; outputs last. Row: in the order of the nodes it comes from."""
    plan = network.graph
    depth: dict[str, int] = {}
    for node in plan.nodes:
        before = [depth[plan.edges[i][0]] for i in plan.arriving[node.name]]
        depth[node.name] = max(before) + 1 if before else 0
    last = max(depth.values())
    depth |= {node.name: last for node in plan.outputs}
    ranks = [[n.name for n in plan.nodes if depth[n.name] == k] for k in range(last + 1)]
    tallest = max(map(len, ranks))
    places: dict[str, tuple[float, float]] = {}
    for k, names in enumerate(ranks):
        # in the order of their sources, so that parallel pathways do not cross
        order = sorted(names, key=lambda name: _height(network, name, places), reverse=True)
        for i, name in enumerate(order):
            places[name] = (float(k), (tallest - 1) / 2 + (len(names) - 1) / 2 - i)
    return places


def _height(network: Gated, name: str, places: dict[str, tuple[float, float]]) -> float:
    plan = network.graph
    sources = [places[plan.edges[i][0]][1] for i in plan.arriving[name] if plan.edges[i][0] in places]
    return float(np.mean(sources)) if sources else -float([n.name for n in plan.nodes].index(name))


MAX_CELLS = 24
"""Rows and columns of a table that are drawn at most, from the first on."""

CELL = 0.2
"""Size of a cell of a table, in the unit in which a unit of the network has diameter 0.44."""

PALER = 1.6
"""End of the colour scale in units of the largest entry: the darkest colours are left out."""

GAP = 0.7
"""Space between a table and the network."""


@styled
def schematic(network: Network, task: Task | None = None, ax: Axes | None = None) -> Axes:
    """Draw a network from its inputs (left) to its outputs (right), between the inputs and targets of its task.

    Layers are columns of units with their activation in them (a line: linear, a hinge: ReLU, an S: saturating). Wide
    layers are drawn with a few units and the number below. Convolutions show channels × pixels and connections to near
    units; skip connections are arrows below. A gated network shows its pathways, each in a colour, and the data points
    for which a node is open. Attention shows its sequence and heads, a recurrent network its time steps, and an agent
    its pathways from stimulus to choice. Tables have a row per data point.

    Args:
        network: what to draw; your own kind of network is a box with its name.
        task: whose inputs and targets are drawn; None draws the network alone.
        ax: where; None is pyplot's current axes.

    Returns:
        The axes, without frame and with equal scales.

    Raises:
        ValueError: ``network`` is not a network, or ``task`` not a task.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Gaussian(0.01))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> drawn = [text.get_text() for text in fs.plot.schematic(network, fs.tasks.living_things(8), ax).texts]
        >>> [word for word in drawn if word.isdigit()]
        ['8', '16', '15']
    """
    check.instance("network", network, Network, "one such as fs.DeepLinear(...) or fs.Gated(...)")
    if task is not None:
        check.instance("task", task, Task, "a task such as fs.tasks.living_things(8) or fs.Task(x, y), or None,")
    from festina.attention import LinearAttention
    from festina.behaviour import Shallow, TutorExecutor
    from festina.gated import Gated
    from festina.recurrent import LinearRNN

    ax = axis(ax)
    pen = Pen(ax)
    if isinstance(network, Gated):
        width = draw_gated(network, pen)
    elif isinstance(network, LinearAttention):
        width = draw_attention(network.heads, network.merged, pen)
    elif isinstance(network, LinearRNN):
        width = draw_recurrent(network.length, network.width, network.learn_recurrent, pen)
    elif isinstance(network, TutorExecutor | Shallow):
        width = draw_agent(isinstance(network, TutorExecutor), pen)
    elif isinstance(getattr(network, "hidden", None), tuple):
        width = draw_layers(network, task, pen)
    else:
        width = _box(type(network).__name__, pen)
    # the inputs of these are drawn with the network
    own = isinstance(network, LinearAttention | LinearRNN | TutorExecutor | Shallow)
    if task is not None and not own:
        _table(task.x, "inputs $x$", -GAP, pen, right=True)
        _table(task.y, "targets $y$", width + GAP, pen)
    pen.frame()
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def _box(name: str, pen: Pen) -> float:
    """A box, for a network that does not describe its layers."""
    pen.rectangle(0, -0.8, 2.6, 1.6)
    pen.text(1.3, 0, name)
    return 2.6


def _table(values: ArrayLike, name: str, at: float, pen: Pen, right: bool = False) -> None:
    """A matrix as cells, centred in height; dark is large, and with negative entries brown and teal."""
    shown = np.asarray(values, dtype=float)
    cut = shown[:MAX_CELLS, :MAX_CELLS]
    rows, columns = cut.shape
    left = at - CELL * columns if right else at
    top = CELL * rows / 2
    most = float(np.max(np.abs(cut))) or 1.0
    signed = bool(np.any(cut < 0))
    extent = (left, left + CELL * columns, -top, top)
    style: Any = {"cmap": SIGNS if signed else SIZES, "vmin": -PALER * most if signed else 0, "vmax": PALER * most}
    pen.ax.imshow(cut, extent=extent, interpolation="nearest", zorder=2, **style)
    pen.rectangle(left, -top, CELL * columns, 2 * top, fill=None)
    more = "" if cut.shape == shown.shape else f", first {rows} × {columns}"
    pen.text(left + CELL * columns / 2, top + 0.12, name, va="bottom")
    pen.text(left + CELL * columns / 2, -top - 0.12, f"{shown.shape[0]} × {shown.shape[1]}{more}", va="top", small=True)
