"""Panels of the figure of ``winners``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.winners import Case, Curves

MOST_SHOWN = 10
"""Patterns of a kind in one panel."""


def draw_scores(curves: Curves, families: tuple[str, ...], ax: Axes) -> None:
    """Precision and recall of predictions, and of networks taken as predictions of each other."""
    kinds = {"units": "predicted", "seeds": "one network by another"}
    place = np.arange(2 * len(families))
    for i, (kind, label) in enumerate(kinds.items()):
        found = [curves.mean(what, kind, family) for family in families for what in ("precision", "recall")]
        height, error = np.array(found).T
        ax.bar(place + (i - 0.5) * 0.35, height, 0.35, yerr=error, color=("0.25", "0.75")[i], label=label,
               error_kw={"linewidth": 0.7})  # fmt: skip
    ax.set_xticks(place, ["precision", "recall"] * len(families), fontsize=7)
    for i, family in enumerate(families):
        ax.annotate(
            family,
            (2 * i + 0.5, 0),
            (0, -26),
            ("data", "axes fraction"),
            "offset points",
            ha="center",
            annotation_clip=False,
        )
    ax.set_ylim(0, 1.55)
    ax.set_yticks(np.linspace(0, 1, 6))
    ax.set_ylabel("mean over tasks ± s.e.")
    ax.set_title("Patterns")
    ax.legend(loc="upper right")


def draw_proposition(curves: Curves, winner: str, ax: Axes, right: Axes) -> None:
    """Singular values of parts by those of the whole; times of gatings."""
    from festina.plot import COLOURS

    for colour, label, found in ((COLOURS[0], "without an input or output", curves.removed),
                                 (COLOURS[1], "behind random gates", curves.gated)):  # fmt: skip
        ax.plot(np.sort(found), np.linspace(0, 1, len(found)), color=colour, label=label)
    ax.axvline(1.0, color="0.6", linewidth=0.8)
    ax.set_xlabel("top singular value / that of the whole")
    ax.set_ylabel("share of cases below")
    ax.set_title("Interlacing")
    ax.legend(loc="upper left")
    ax = right
    names = list(curves.race)[::-1]
    times = np.array([curves.race[name] for name in names])
    reached = np.isfinite(times)
    colours = [COLOURS[1] if name == winner else COLOURS[0] for name in names]
    ax.barh(range(len(names)), np.where(reached, times, 0.0), color=colours)
    for i, name in enumerate(names):
        text = name if reached[i] else f"{name}: never"
        ax.text(1.5, i, text, va="center", fontsize=7, color="white" if reached[i] else "black")
    ax.set_yticks([])
    ax.set_xlabel("time to a tenth of the first loss (flow time)")
    ax.set_ylabel("open pathways")
    ax.set_title("Race of gatings, 3 contexts")


def draw_patterns(case: Case, networks: int, ax: Axes) -> None:
    """Predicted patterns, largest share first, above those of trained networks, with what they carry."""
    modules = sorted(case.modules, key=lambda module: -module.share)[:MOST_SHOWN]
    found, shares = case.trained
    order = np.argsort(-shares)[:MOST_SHOWN]
    rows = [*(module.pattern for module in modules), np.zeros(len(case.task.x), bool), *found[order]]
    image = np.ones((len(rows), len(case.task.x), 3))
    for i, row in enumerate(rows):
        colour = "#404040" if i < len(modules) else "#999999"
        image[i, row] = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    ax.imshow(image, aspect="auto", interpolation="nearest")
    values = [*(module.share for module in modules), None, *shares[order]]
    ax.set_yticks(range(len(rows)), ["" if v is None else f"{v:.0%}" for v in values], fontsize=7)
    ax.axhline(len(modules), color="0.4", linewidth=0.8)
    ax.set_xticks(range(0, len(case.task.x), 2), [str(k + 1) for k in range(0, len(case.task.x), 2)])
    ax.set_xlabel("data point")
    ax.set_ylabel(f"{networks} networks      predicted")
    ax.set_title(f"One task: {len(case.task.x)} random points")


def draw_times(curves: Curves, families: tuple[str, ...], ax: Axes) -> None:
    """Time of every module in trained networks against the predicted time."""
    from festina.plot import COLOURS

    marks = dict(zip(families, "os^", strict=True))
    for colour, family in zip(COLOURS, families, strict=False):
        cases = [case for case in curves.cases if case.family == family]
        x = np.concatenate([[module.time for module in case.modules] for case in cases])
        y = np.concatenate([case.scores["units"].learned for case in cases])
        ax.plot(x, y, marks[family], color=colour, markersize=5, alpha=0.5, label=family, markeredgewidth=0)
    ends = np.array([ax.get_xlim(), ax.get_ylim()])
    low, high = max(float(ends.min()), 5.0), float(ends.max())
    ax.plot([low, high], [low, high], color="0.6", linewidth=0.8, zorder=0)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("predicted time of a module (flow time)")
    ax.set_ylabel("time in trained networks")
    ax.set_title("When modules are learned")
    ax.legend(loc="upper left")
