"""Panels of the experiment on depth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.depth import Curves

STARTS = ("small", "pretrained", "orthogonal")


def draw_traces(curves: Curves, ax: Axes) -> None:
    """Draw the panel of traces."""
    from festina.plot import COLOURS, look

    for colour, (depth, (steps, strengths)) in zip(COLOURS, curves.traces.items(), strict=False):
        label = "D = ∞" if depth == math.inf else f"D = {depth}"
        ax.plot(steps, strengths / curves.settings.strength, label=label, **look("predicted", colour))
    ax.set_xscale("log")
    ax.set(xlabel="steps at the best step size", ylabel="strength / final", title="A chain, equal initial strength")
    ax.set_xlim(0.003, 1.1 * max(steps[-1] for steps, _ in curves.traces.values()))
    ax.legend(loc="upper left")


def draw_times(curves: Curves, ax: Axes, starts: tuple[str, ...], scale: str) -> None:
    """Draw the panel of times."""
    from festina.plot import COLOURS, look

    largest = max(curves.network_depths[starts[0]])
    for start in starts:
        colour = COLOURS[STARTS.index(start)]
        shown = np.array(curves.settings.depths) <= largest
        at = np.array(curves.settings.depths)[shown]
        ax.plot(at, curves.chain[start][shown], **look("predicted", colour))
        inside = np.array(curves.network_depths[start]) <= largest
        at = np.array(curves.network_depths[start])[inside]
        draw_points(ax, at, curves.network[start][:, inside], colour, start)
    ax.set_yscale(scale)
    ax.set(xlabel="depth (layers)", ylabel="steps to learn")
    ax.set_title("Small start" if scale == "log" else "Pretrained and orthogonal starts")
    ax.locator_params(axis="x", integer=True)
    ax.plot([], [], label="predicted: a chain", **look("predicted"))
    ax.legend(loc="upper left")


def draw_points(ax: Axes, at: np.ndarray, seeds: np.ndarray, colour: str, label: str) -> None:
    """Median and middle 90 % of trained networks."""
    from festina.plot import dots

    low, middle, high = np.quantile(seeds, [0.05, 0.5, 0.95], axis=0)
    error = np.stack([middle - low, high - middle])
    ax.errorbar(at, middle, error, label=f"{label}, trained", **dots(colour))


def draw_orthogonal(curves: Curves, ax: Axes) -> None:
    """Draw the panel of orthogonal."""
    from festina.plot import COLOURS, look

    depths, steps = np.array(curves.network_depths["orthogonal"]), curves.network["orthogonal"]
    chain = curves.chain["orthogonal"]
    ax.plot(curves.settings.depths, chain, label="predicted: a chain", **look("predicted", COLOURS[2]))
    draw_points(ax, depths, steps, COLOURS[2], "orthogonal")
    ax.set_xscale("log")
    ax.set_ylim(0, 1.5 * np.quantile(steps, 0.95, axis=0).max())
    ax.set(xlabel="depth (layers)", ylabel="steps to learn", title="Orthogonal start, deeper")
    ax.legend(loc="upper left")


def draw_pretraining(curves: Curves, ax: Axes) -> None:
    """Draw the panel of pretraining."""
    from festina.plot import COLOURS, look

    layers = np.array(curves.settings.layers)
    label = "predicted: 2 ln(1/b₀) + const"
    ax.loglog(1 / layers, curves.pretraining, label=label, **look("predicted", COLOURS[1]))
    draw_points(ax, 1 / layers, curves.pretraining_network, COLOURS[1], "pretraining")
    first = curves.pretraining[np.argmax(layers)]
    ax.loglog(1 / layers, first * (layers.max() / layers) ** 2, color="0.5", linestyle="--", label="printed: 1/b₀²")
    ax.set(xlabel="1/b₀", ylabel="steps to pretrain a layer", title="Pretraining against initial strength")
    ax.legend()


def draw_rates(curves: Curves, ax: Axes) -> None:
    """Draw the panel of rates."""
    from festina.plot import COLOURS, dots, look

    ax.loglog(list(curves.rates), list(curves.rates.values()), label="predicted: formula", **look("predicted"))
    for found, marker, label, colour in (
        (curves.searched, "o", "a chain, at the end", "black"),
        (curves.stable, "x", "networks, half largest stable", COLOURS[0]),
        (curves.fastest, "^", "networks, fastest", COLOURS[2]),
    ):
        style = dots(colour, marker=marker, zorder=2.0 if marker == "o" else 4.0)
        if marker == "x":
            style |= {"color": colour, "markersize": 5.0}
        ax.loglog(list(found), list(found.values()), label=label, **style)
    ax.set(xlabel="depth (layers)", ylabel="step size", title="Best step size")
    ax.legend(loc="lower left")
