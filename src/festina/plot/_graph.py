"""A gated network and its pathways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina import _check
from festina.gated import Gated
from festina.plot._style import COLOURS, axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BOW = 0.75
"""Height of the bow of an edge that skips a column, in rows: between one row and the next."""

SEPARATE = 8
"""Up to this many paths each has its own line and colour; of more, an edge is as wide as paths run through it."""


def graph(network: Gated, ax: Axes | None = None) -> Axes:
    """Draw a gated network from input (left) to output (right), with its pathways.

    A node says its name, its units where they are known, and for how many of the data points it is open.

    Args:
        network: what to draw.
        ax: where; None is pyplot's current axes.

    Returns:
        The axes.

    Example:
        >>> import festina as fs
        >>> network = fs.Gated.pathways({"up": [1, 0], "down": [0, 1]}, 4, initial=fs.initial.Gaussian(0.1))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> [text.get_text().splitlines()[0] for text in fs.plot.graph(network, ax).texts]
        ['x of down', 'down', 'x of up', 'up', 'y']
    """
    ax = axis(ax)
    _check.instance("network", network, Gated, "fs.Gated(...) or fs.Gated.pathways(...)")
    plan = network.graph
    places = _places(network)
    through = {edge: [i for i, path in enumerate(plan.paths) if edge in path] for edge in range(len(plan.edges))}
    for edge, (source, target) in enumerate(plan.edges):
        start, end = np.array(places[source]), np.array(places[target])
        lines = through[edge]
        if len(plan.paths) > SEPARATE:
            most = max(map(len, through.values()))
            width = 0.8 + 5 * len(lines) / most
            ax.plot(*_curve(start, end).T, color=COLOURS[0], alpha=0.6, linewidth=width, zorder=1)
            continue
        for k, path in enumerate(lines):
            shift = np.array([0.0, 0.05 * (k - (len(lines) - 1) / 2)])
            label = plan.label(plan.paths[path]) if edge == plan.paths[path][0] else None
            ax.plot(*(_curve(start, end) + shift).T, color=COLOURS[path], linewidth=2, label=label, zorder=1)
    for node in plan.nodes:
        words = [node.name]
        if node.width is not None:
            words.append(f"{node.width} units")
        elif node.columns is not None:
            words.append(f"{len(node.columns)} columns")
        if node.name in network.gates.keys:
            gate = network.gates.values[:, network.gates.keys.index(node.name)]
            words.append(f"open: {np.count_nonzero(gate)} of {len(gate)}")
        colour = {"input": "#f2f2f2", "hidden": "white", "output": "#f2f2f2"}[node.kind]
        box = {"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": "0.3", "linewidth": 0.9}
        ax.text(*places[node.name], "\n".join(words), ha="center", va="center", fontsize=7, bbox=box, zorder=2)
    columns = [x for x, _ in places.values()]
    rows = [y for _, y in places.values()]
    ax.set_xlim(min(columns) - 0.4, max(columns) + 0.4)
    ax.set_ylim(min(rows) - 0.5, max(rows) + 0.5)
    ax.axis("off")
    return ax


def _curve(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A straight line to the next column; a bow over the columns between, so that no edge runs through a node."""
    along = np.linspace(0, 1, 33)[:, None]
    bow = 0.0 if abs(end[0] - start[0]) <= 1 else BOW
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
