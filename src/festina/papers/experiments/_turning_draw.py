"""Panels of the experiment ``turning``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.turning import Case, Curves

LEVELS = ("mean", "halves", "pairs", "single items")
SHIFT = 0.4
"""Dots of the closing times are moved apart by up to this part of an observation."""


def draw_panels(curves: Curves, axes: np.ndarray) -> None:
    """All panels."""
    followed = [c for c, case in curves.cases.items() if case.closed]
    shown = followed[-1] if followed else next(iter(curves.cases))
    _amplitudes(axes[0], curves.cases[shown], shown)
    _losses(axes[1], curves)
    _areas(axes[2], curves)
    _scales(axes[3], axes[7], curves)
    _units(axes[4], curves)
    _closings(axes[5], curves.cases[shown], shown)
    _shares(axes[6], curves.cases[shown], shown)


def _amplitudes(ax: Axes, case: Case, contexts: int) -> None:
    from festina.plot import COLOURS, look

    for k in range(2 * len(LEVELS)):
        colour, common = COLOURS[k % len(LEVELS)], k < len(LEVELS)
        ax.plot(case.steps, case.trained[:, k], **look("trained", colour))
        line = look("predicted", colour, linestyle="-" if common else "--", label=LEVELS[k] if common else None)
        ax.plot(case.steps, case.amplitudes[:, k], **line)
    ax.set_xlabel("step")
    ax.set_ylabel("amplitude in the residual")
    ax.set_title(f"Eight numbers, {contexts} contexts")
    ax.legend(loc="upper right")


def _losses(ax: Axes, curves: Curves) -> None:
    from festina.plot import COLOURS, look

    for colour, count in zip(COLOURS, sorted({min(curves.cases), max(curves.cases)}), strict=False):
        one = curves.cases[count]
        ax.plot(one.steps, one.loss.mean(axis=0), **look("trained", colour))
        ax.plot(one.steps, one.predicted[curves.settings.units], label=f"{count} contexts", **look("predicted", colour))
    ax.set_xlabel("step")
    ax.set_ylabel("loss")
    ax.set_title(f"{curves.settings.units} units that stand for all")
    ax.legend(loc="upper right")


def _areas(ax: Axes, curves: Curves) -> None:
    from festina.plot import dots, look

    counts, units = list(curves.cases), curves.settings.units
    noise = [np.mean([one.area(loss) for loss in one.loss]) for one in curves.cases.values()]
    ax.semilogy(counts, noise, label="one network and the mean", **look("trained"))
    plain, areas = list(curves.plain().values()), list(curves.errors("area").values())
    small = dots(linestyle=":", marker="^", linewidth=1.3)
    ax.plot(counts, plain, label=f"{units} units, trained", **small)
    ax.plot(counts, areas, label=f"{units} units for all", **look("predicted", marker="o", markersize=4))
    ax.set_xticks(counts)
    ax.set_ylim(1e-3, 8)
    ax.set_xlabel("contexts")
    ax.set_ylabel("area between loss curves")
    ax.set_title("Error by number of contexts")
    ax.legend(loc="upper left", fontsize=7)


def _scales(ax: Axes, times: Axes, curves: Curves) -> None:
    from festina.plot import dots, look

    units, scales, every = curves.settings.units, list(curves.scaled), list(curves.scaled.values())
    noise = [np.mean([one.area(loss) for loss in one.loss]) for one in every]
    ax.loglog(scales, noise, label="one network and the mean", **look("trained"))
    small = dots(linestyle=":", marker="^", linewidth=1.3)
    ax.plot(scales, [one.area(one.plain) for one in every], label=f"{units} units, trained", **small)
    line = look("predicted", marker="o", markersize=4)
    ax.plot(scales, [one.area(one.predicted[units]) for one in every], label=f"{units} units for all", **line)
    ax.set_ylim(1e-3, 8)
    ax.set_ylabel("area between loss curves")
    ax.legend(loc="upper left", fontsize=7)
    times.semilogx(scales, [one.learned(one.loss.mean(axis=0)) for one in every], label="trained", **look("trained"))
    times.plot(scales, [one.learned(one.predicted[units]) for one in every], label="predicted", **line)
    times.set_ylim(bottom=0)
    times.set_ylabel("time to learn the contexts")
    times.legend(loc="lower left")
    for panel, title in ((ax, "Error by initial scale"), (times, "Time by initial scale")):
        panel.set_xlabel("initial std × hidden units")
        panel.set_title(f"{title}, {next(iter(curves.cases))} contexts")


def _units(ax: Axes, curves: Curves) -> None:
    from festina.plot import COLOURS, look

    for colour, (count, one) in zip(COLOURS * 2, curves.cases.items(), strict=False):
        areas = [one.area(loss) for loss in one.predicted.values()]
        line = look("predicted", colour, marker="o", markersize=3, label=f"{count} contexts")
        ax.loglog(list(one.predicted), areas, **line)
    ticks = sorted({*curves.settings.others, curves.settings.units})
    ax.set_xticks(ticks, [str(k) for k in ticks])
    ax.minorticks_off()
    ax.set_ylim(0.005, 0.5)
    ax.set_xlabel("units that stand for all")
    ax.set_ylabel("area between loss curves")
    ax.set_title("How few units are enough")
    ax.legend(loc="upper right", ncols=2, fontsize=7)


def _closings(ax: Axes, case: Case, contexts: int) -> None:
    from festina.plot import look, shade

    if case.closed:
        predicted, trained, _ = case.closed[0]
        both, every = (predicted >= 0) & (trained >= 0), case.steps[1] - case.steps[0]
        shift = np.random.default_rng(0).uniform(-SHIFT, SHIFT, (2, both.sum()))
        place = [(at[both] + moved) * every for at, moved in zip((trained, predicted), shift, strict=True)]
        ax.plot(*place, ".", color=shade("trained", "black"), markersize=1.5, alpha=0.4)
        ends = [0, case.steps[-1]]
        ax.plot(ends, ends, **look("predicted"))
    ax.set_xlabel("step, trained")
    ax.set_ylabel("step, predicted")
    ax.set_title(f"When gates close, {contexts} contexts")


def _shares(ax: Axes, case: Case, contexts: int) -> None:
    from festina.plot import look, shade

    place = np.arange(1, contexts + 1)
    ax.bar(place, case.shares.mean(axis=0), color=shade("trained", "black"), label="trained")
    ax.plot(place, case.share, label="predicted", **look("predicted", marker="o", markersize=4))
    ax.set_xticks(place)
    ax.set_xlabel("contexts a unit is on in")
    ax.set_ylabel("share of contributions")
    ax.set_title(f"Gates, {contexts} contexts")
    ax.legend(loc="upper left")
