"""A gated network and its pathways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina.core.look import COLOURS, plain, shade, themed
from festina.plot._network_drawing import EDGE, Pen

if TYPE_CHECKING:
    from festina.gated import Gated

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
