"""Panels of the experiment ``decision``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from festina import plot
from festina.plot import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.decision import Curves

SHOWN = 40
"""Agents drawn as single paths: enough to see their spread, few enough to follow one."""

_KINDS = {"deep": "deep, partial errors", "gradient": "deep, gradient", "shallow": "shallow"}


def draw(curves: Curves, axes: np.ndarray, mice: Mapping[str, float]) -> None:
    """Draw all nine panels."""
    _agents(curves, axes[0])
    _plane(curves, axes[1], "deep")
    _plane(curves, axes[2], "shallow")
    _accuracy(curves, axes[3], mice)
    _points(curves, axes[4])
    _distances(curves, axes[5])
    _correlations(curves, axes[6], mice)
    _sessions(curves, axes[7], mice)
    _scatter(curves, axes[8])


def _middle(curves: Curves) -> float:
    return curves.settings.spreads[len(curves.settings.spreads) // 2]


def _some(curves: Curves, kind: str):
    run = curves.at(kind, _middle(curves)).run
    kept = {name: run[name][:SHOWN] for name in ("bias", "left_slope", "right_slope", "curve")}
    return replace(run, values=kept, seeds=run.seeds[:SHOWN] if run.seeds else None)


def _agents(curves: Curves, ax: Axes) -> None:
    run = _some(curves, "deep")
    for k, colour in zip(range(6), plot.COLOURS, strict=False):
        one = replace(run, values={"curve": run["curve"][k]}, seeds=None)
        plot.psychometric(one, ax, color=colour)
    ax.set_title(f"Six agents after {run.times[-1] / curves.settings.rate:.0f} trials")


def _plane(curves: Curves, ax: Axes, kind: str) -> None:
    points = curves.points[kind]
    plot.decision(_some(curves, kind), ax, points=points, color=plot.COLOURS[0])
    ax.set(xlim=(-0.08, 1.5), ylim=(-0.08, 1.5), title=f"{_KINDS[kind].capitalize()}: {SHOWN} agents")


def _accuracy(curves: Curves, ax: Axes, mice: Mapping[str, float]) -> None:
    for kind, colour in zip(_KINDS, plot.COLOURS, strict=False):
        run = curves.at(kind, _middle(curves)).run
        trials, mean = run.times / curves.settings.rate, run["accuracy"].mean(axis=0)
        ax.plot(trials, mean, label=_KINDS[kind], **look("trained", colour))
        low, high = np.quantile(run["accuracy"], [0.05, 0.95], axis=0)
        ax.fill_between(trials, low, high, color=colour, alpha=0.15, linewidth=0)
    average = curves.averages["deep"]
    trials, label = average.times / curves.settings.rate, "expected, deep"
    ax.plot(trials, average["accuracy"], label=label, **look("predicted", plot.COLOURS[0]))
    ax.axhline(mice["accuracy"], color="0.5", linestyle=":", linewidth=1, label="mice, late")
    ax.set(xlabel="trials", ylabel="P(rewarded)", title="Accuracy over trials")
    ax.set(ylim=(0.48, 1.17), yticks=np.arange(0.5, 1.01, 0.1))
    ax.legend(loc="upper left", ncols=2, columnspacing=0.8, handlelength=1.3, fontsize=7)


def _points(curves: Curves, ax: Axes) -> None:
    for kind, marker, shift in (("deep", "o", -0.08), ("gradient", "s", 0.08)):
        colour = plot.COLOURS[list(_KINDS).index(kind)]
        for point in curves.points[kind]:
            fill = "white" if point.drifts else colour
            ax.plot(len(point.pathways) + shift, point.loss, marker, color=colour, markerfacecolor=fill, markersize=5)
        ax.plot([], [], marker, color=colour, label=_KINDS[kind])
    ax.plot([], [], "o", color="0.4", markerfacecolor="white", label="only the map rests")
    lowest = dict.fromkeys(range(4), -np.inf)
    for point in sorted(curves.points["deep"], key=lambda point: point.loss):
        if point.name.startswith("right"):
            continue
        fastest = 1e4 * curves.settings.rate * max(point.rates.values(), default=0.0)
        name = "all" if len(point.pathways) == 3 else point.name.replace("constant", "const")
        count = len(point.pathways)
        # labels of points with nearly the same loss are set apart by the height of a line
        lowest[count] = max(point.loss - 0.004, lowest[count] + 0.017)
        side, align = (0.2, "left") if count < 2 else (-0.2, "right")
        ax.text(count + side, lowest[count], f"{name}: {fastest:.1f}", va="center", ha=align, fontsize=7)
    ax.set(xlim=(-0.3, 3.3), xticks=range(4), ylim=(0, 0.29), xlabel="active pathways", ylabel=r"loss ½⟨δ$^2$⟩")
    ax.set_title(r"Stationary points, escape in $10^{-4}$/trial")
    ax.legend(loc="upper right")


def _distances(curves: Curves, ax: Axes) -> None:
    times = curves.averages["deep"].times / curves.settings.rate
    names = [point.name for point in curves.points["deep"]]
    families = {
        "none": ("none",),
        "constant": ("constant",),
        "one side + constant": ("left + constant", "right + constant"),
        "all": ("left + right + constant",),
    }
    for (label, family), colour in zip(families.items(), plot.COLOURS, strict=False):
        near = curves.distances[curves.settings.spreads[0]][..., [names.index(name) for name in family]].min(axis=-1)
        low, middle, high = np.quantile(near, [0.05, 0.5, 0.95], axis=0)
        ax.plot(times, middle, color=colour, label=label)
        ax.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set(xlabel="trials", ylabel="distance of the map", title=f"Distances, spread {curves.settings.spreads[0]:g}")
    ax.set_ylim(0, 2.0)
    ax.legend(loc="upper right", ncols=2, columnspacing=1)


def _correlations(curves: Curves, ax: Axes, mice: Mapping[str, float]) -> None:
    spreads = curves.settings.spreads
    place = np.arange(len(spreads))
    for name, colour, label in (("slope", plot.COLOURS[0], "slope"), ("bias", plot.COLOURS[1], "bias")):
        for kind, style in (("deep", "-"), ("gradient", "--"), ("shallow", ":")):
            found = curves.over(kind, f"{name}_correlation")
            ax.plot(place, found, style, color=colour, marker="o", markersize=3)
        error = (1 - mice[name] ** 2) / np.sqrt(mice["count"] - 3)
        ax.errorbar(len(spreads) - 0.4, mice[name], error, fmt="D", markersize=4, color=colour)
        ax.annotate(label, (len(spreads) - 0.4, mice[name]), (0, -20), textcoords="offset points", color=colour,
                    ha="center", va="center")  # fmt: skip
    for kind, style in (("deep", "-"), ("gradient", "--"), ("shallow", ":")):
        ax.plot([], [], style, color="0.4", label=_KINDS[kind])
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set_xticks(np.append(place, len(spreads) - 0.4), [*(f"{s:g}" for s in spreads), "mice"])
    ax.set(ylim=(-1.05, 1.05), xlabel="spread of initial bias", ylabel="r with early bias")
    ax.set_title("What an early bias predicts")
    ax.legend(loc="upper left", fontsize=7, bbox_to_anchor=(0.0, 0.92))


def _sessions(curves: Curves, ax: Axes, mice: Mapping[str, float]) -> None:
    for spread, colour in zip(curves.settings.spreads, plot.COLOURS, strict=False):
        found = curves.at("deep", spread).bias_by_session()
        ax.plot(
            curves.averages["deep"].times[-len(found) :] / curves.settings.rate,
            found,
            color=colour,
            label=f"{spread:g}",
        )
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.axhline(mice["bias"], color="0.5", linestyle=":", linewidth=1)
    ax.annotate(
        "mice", (0.98, mice["bias"]), (0, 2), ("axes fraction", "data"), "offset points", color="0.4", ha="right"
    )
    ax.set(ylim=(-1.05, 1.05), xlabel="trials", ylabel="r(early bias, bias)")
    ax.set_title("Bias, by time and spread")
    ax.legend(title="spread", loc="lower left", fontsize=7, bbox_to_anchor=(0.0, 0.28))


def _scatter(curves: Curves, ax: Axes) -> None:
    spreads = curves.settings.spreads
    for spread, colour, size in ((spreads[-1], plot.COLOURS[4], 6), (spreads[0], plot.COLOURS[0], 4)):
        group = curves.at("deep", spread)
        ax.scatter(group.early, group.late(), s=size, alpha=0.4, color=colour, label=f"spread {spread:g}", linewidths=0)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.axvline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set(
        xlim=(-0.55, 0.55), ylim=(-0.55, 0.55), xlabel="early bias", ylabel="late bias", title="Two ends for one side"
    )
    ax.legend(loc="upper left", markerscale=2)
