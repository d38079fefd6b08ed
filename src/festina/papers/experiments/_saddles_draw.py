"""Panels of the experiment on saddles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

HALF = 0.5
"""A point passed at half the distance between neighbours is no nearer than its neighbour: no plateau."""

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.saddles import Curves


def draw_loss(curves: Curves, ax: Axes) -> None:
    """Draw the panel of loss."""
    end = float(np.nanmax(curves.two[0].times)) * 1.15
    shown = [curves.two[0], curves.two[len(curves.two) // 2], curves.two[-1]]
    for runs in shown:
        ax.plot(runs.path.times, runs.path.loss[0], label=f"σ = {_power(runs.scale)}")
    for point in curves.ladder[:-1]:
        ax.axhline(point.loss, color="0.6", linestyle=":", linewidth=0.9, zorder=0)
        ax.annotate(point.name, (end, point.loss), (-2, 2), textcoords="offset points", ha="right", color="0.35")
    ax.set(xlim=(0, end), ylim=(0, 1.2 * curves.ladder[0].loss), xlabel="time (flow time)", ylabel="loss")
    ax.set_title("Plateaus at the saddles' losses")
    ax.legend(loc="center right")


def _power(scale: float) -> str:
    """A power of ten as it is printed in a journal."""
    found = round(math.log10(scale))
    return f"$10^{{{found}}}$" if found and math.isclose(scale, 10.0**found) else f"{scale:g}"


def draw_distances(curves: Curves, ax: Axes) -> None:
    """Draw the panel of distances."""
    runs = curves.two[0]
    for k, point in enumerate(curves.ladder):
        label = f"{point.name}, index {point.index}"
        ax.semilogy(runs.path.times, np.maximum(runs.distances[0, :, k], 1e-6), label=label)
    ax.set(xlim=(0, float(np.nanmax(runs.times)) * 1.3), ylim=(1e-4, 3e2), xlabel="time (flow time)", ylabel="distance")
    ax.set_title(f"Distance to saddles, σ = {_power(runs.scale)}")
    ax.legend(loc="upper right", ncols=2, columnspacing=1)


def draw_points(curves: Curves, ax: Axes) -> None:
    """Draw the panel of points."""
    on = {point.name for point in curves.ladder}
    for visited, label, marker, colour in ((True, "visited", "o", "#D55E00"), (False, "not visited", "s", "0.55")):
        chosen = [point for point in curves.points if (point.name in on) == visited]
        index, height = [p.index for p in chosen], [p.loss for p in chosen]
        ax.plot(index, height, linestyle="", label=label, marker=marker, color=colour)
        # visited points lie below the others: their names go below them
        shift, va, ha = ((5, -3), "top", "left") if visited else ((-5, 3), "bottom", "right")
        for point in chosen:
            at = (point.index, point.loss)
            ax.annotate(point.name, at, shift, textcoords="offset points", va=va, ha=ha)
    ax.margins(0.18)
    ax.set(xlabel="index (negative directions)", ylabel="loss $L_I$", title="All stationary points")
    ax.legend(loc="upper left")


def draw_times(curves: Curves, ax: Axes) -> None:
    """Draw the panel of times."""
    from festina.plot import COLOURS, dots, look

    scales = np.array([runs.scale for runs in curves.two])
    for k, s in enumerate(curves.task.statistics.strengths):
        low, middle, high = np.nanquantile(np.stack([runs.times[:, k] for runs in curves.two]), [0.05, 0.5, 0.95], 1)
        error = np.abs(np.stack([middle - low, high - middle]))
        ax.errorbar(scales, middle, error, label=f"mode {k + 1}, s = {s:g}", **dots(COLOURS[k]))
        ax.plot(scales, np.log(1 / scales) / s, **look("predicted", COLOURS[k]))
    ax.set_xscale("log")
    ax.set(xlabel="initial scale σ", ylabel="time of the mode (flow time)")
    ax.plot([], [], label=r"predicted: $\ln(1/\sigma)/s_k$", **look("predicted"))
    ax.set_title("When modes are learned")
    ax.legend()


def draw_approach(curves: Curves, ax: Axes) -> None:
    """Draw the panel of approach."""
    scales = [runs.scale for runs in curves.two]
    found = curves.approach()
    for k, name in enumerate(curves.expected[:-1]):
        low, middle, high = np.quantile(found[:, :, k], [0.05, 0.5, 0.95], axis=1)
        ax.loglog(scales, middle, marker="o", markersize=3, label=name)
        ax.fill_between(scales, low, high, alpha=0.2, linewidth=0)
    ax.axhline(HALF, color="0.5", linestyle="--", linewidth=0.9, label="half-way")
    ax.set(xlabel="initial scale σ", ylabel="closest distance / gap", title="How near the saddles are passed")
    ax.legend()


def draw_depth(curves: Curves, ax: Axes) -> None:
    """Draw the panel of depth."""
    for runs, label, marker in ((curves.two, "two layers", "o"), (curves.three, "three layers", "s")):
        scales = [1 / r.scale for r in runs]
        ax.loglog(scales, [np.nanmedian(r.times[:, 0]) for r in runs], marker=marker, markersize=4, label=label)
    ends = np.array([1 / curves.three[-1].scale, 1 / curves.three[0].scale])
    last = np.nanmedian(curves.three[0].times[:, 0])
    ax.loglog(ends, last * ends / ends[-1], color="0.5", linestyle="--", linewidth=0.9, label=r"$\propto 1/\sigma$")
    ax.set(xlabel="1/σ", ylabel="time of mode 1", title="Wait at the first saddle")
    ax.legend()
