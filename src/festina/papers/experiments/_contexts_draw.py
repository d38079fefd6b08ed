"""Panels of the experiment ``contexts``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina.papers.experiments._contexts import won

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.contexts import Curves

SHOWN = 2
"""Which of the thresholds is drawn: 0.1, at which all contexts in which a unit does something count."""


def draw_panels(curves: Curves, axes: np.ndarray) -> None:
    """All panels."""
    from festina.plot import COLOURS, dots, look, shade

    counts = list(curves.relu)
    for ax, count in zip(axes[:2], (counts[0], counts[-1]), strict=True):
        _losses(ax, curves, count)
    ax = axes[2]
    plain = dots("black", linestyle=":", marker="^", linewidth=1.3)
    ax.plot(*_points(curves.noise()), label="one network and the mean", **look("trained"))
    ax.plot(*_points(curves.area("plain", "relu")), label=f"{curves.settings.plain} units, trained", **plain)
    ax.plot(*_points(curves.area("trained", "relu")), label="paper's gating", **_dark("--", "s"))
    ax.plot(*_points(curves.own_area()), label="predicted", **_dark())
    ax.set_yscale("log")
    ax.set_xticks(counts)
    ax.set_xlabel("contexts")
    ax.set_ylabel("area between loss curves")
    ax.set_title("Error by number of contexts")
    ax.set_ylim(1e-4, 20)
    ax.legend(loc="upper left", fontsize=7)
    ax = axes[3]
    for colour, (count, areas) in zip(COLOURS * 2, curves.reduced_area().items(), strict=False):
        means = {units: float(np.mean(each)) for units, each in areas.items()}
        ax.loglog(*_points(means), label=f"{count} contexts", **look("predicted", colour, marker="o", markersize=3))
    ax.set_xticks(curves.settings.units, [str(u) for u in curves.settings.units])
    ax.minorticks_off()
    ax.set_xlabel("merged units")
    ax.set_ylabel("area between loss curves")
    ax.set_title("How few units are enough")
    ax.set_ylim(top=8)
    ax.legend(loc="upper right", ncols=2, fontsize=7)
    ax = axes[4]
    count = max(set(curves.subsets) & set(curves.own))
    place, own = np.arange(1, count + 1), curves.settings.predicted
    ax.bar(place, curves.gates[count][:own, SHOWN].mean(axis=0), color=shade("trained", "black"), label="ReLU, trained")
    ax.plot(place, curves.own_gates[count][:, SHOWN].mean(axis=0), label="predicted", **_dark())
    ax.plot(place[:-1], won(curves, count), label="race of subsets", **_dark("--", "s"))
    ax.set_xticks(place)
    ax.set_xlabel("contexts a unit is on in")
    ax.set_ylabel("share of activity")
    ax.set_title(f"Gates, {count} contexts")
    ax.legend(loc="upper left", fontsize=7)
    ax, scales = axes[5], curves.settings.scales
    ax.semilogx(scales, curves.scaled.delays("relu"), label="ReLU, trained", **look("trained"))
    ax.semilogx(scales, curves.scaled.delays("own"), label="predicted", **_dark())
    ax.semilogx(scales, curves.scaled.delays("race"), label="paper's gating", **_dark("--", "s"))
    ax.set_ylim(bottom=0)
    ax.set_xlabel("initial std × hidden units")
    ax.set_ylabel("time to learn the contexts")
    ax.set_title("Three different contexts")
    ax.legend(loc="lower left", fontsize=7)


def _dark(style: str = "-", marker: str = "o") -> dict[str, Any]:
    """A prediction of single numbers."""
    from festina.plot import look

    return look("predicted", linestyle=style, marker=marker, markersize=4)


def _losses(ax: Axes, curves: Curves, count: int) -> None:
    from festina.plot import loss

    loss(curves.relu[count], ax, label="ReLU, trained", kind="trained")
    if count in curves.own:
        loss(curves.own[count].mean(), ax, label="predicted", kind="predicted")
    if count in curves.trained:
        loss(curves.trained[count].mean(), ax, label="paper's gating", kind="predicted", linestyle="--")
    ax.set_title(f"{count} contexts")
    ax.legend(loc="upper right")


def _points(found: dict[int, float]) -> tuple[list[int], list[float]]:
    return list(found), list(found.values())
