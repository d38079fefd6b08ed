"""A network and its task, drawn simply: what goes in, what computes, what should come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import ArrayLike
from festina.core import Network, Task
from festina.core.look import SIGNS, SIZES, axis, styled
from festina.plot._graph import draw_gated
from festina.plot._network_drawing import Pen, draw_agent, draw_attention, draw_layers, draw_recurrent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    if not isinstance(network, Network):
        raise ValueError(f"network is {network!r}; one such as fs.DeepLinear(...) or fs.Gated(...) is needed.")
    if task is not None and not isinstance(task, Task):
        raise ValueError(
            f"task is {task!r}; a task such as fs.tasks.living_things(8) or fs.Task(x, y), or None, is needed."
        )
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
