"""The panels of ``equivalence``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.equivalence import Curves

SEEN = 0.01
"""Singular values below this share of the largest are not drawn."""


def draw_panels(curves: Curves, axes: np.ndarray, times: np.ndarray) -> None:
    """Singular values at ``times``; similarity; gates; losses; reuse by layer."""
    from festina.plot import COLOURS, dots, look, loss

    first = curves.settings.contexts[0]
    race = look("predicted", COLOURS[0], linestyle="--")
    for ax, kind, title in zip(axes, ("alone", "together"), ("what is left", "all learn together"), strict=False):
        found = {name: part["contextual"] for name, part in curves.singular[first].items()}
        trained = found[kind].mean(axis=0)
        for k in np.flatnonzero(trained[-1] > SEEN * trained[-1].max()):
            ax.plot(times, trained[:, k], **look("trained", COLOURS[0]))
            ax.plot(times, found[f"{kind}, closed"][:, k], **look("predicted", COLOURS[0]))
            if kind == "together":
                ax.plot(times, found["together, race"][:, k], **race)
        ax.plot([], [], label="trained", **look("trained", COLOURS[0]))
        ax.plot([], [], label="closed form", **look("predicted", COLOURS[0]))
        if kind == "together":
            ax.plot([], [], label="race of all pathways", **race)
        ax.set(title=f"Contextual: {title}", xlabel="time (flow time)", ylabel="singular value")
        ax.set_ylim(top=1.45 * ax.get_ylim()[1])
        ax.legend(loc="upper left")
    ax: Axes = axes[2]
    for name, label, colour in (("relu", "two ReLU networks", COLOURS[6]), ("gated", "ReLU and gated", COLOURS[0])):
        ax.plot(curves.relu.times, curves.similar[name].mean(axis=0), label=label, **look("trained", colour))
    ax.set(title="Hidden representations", xlabel="time (flow time)", ylabel="correlation of distances")
    ax.set_ylim(top=1.02)
    ax.legend(loc="lower left", bbox_to_anchor=(0.08, 0.0))
    ax = axes[3]
    at = np.arange(curves.on["units"].shape[1])
    for k, (name, found) in enumerate(curves.on.items()):
        ax.bar(at + 0.38 * (k - 0.5), found.mean(axis=0), 0.36, color=COLOURS[k], label=f"share of {name}")
    ax.set_xticks(at)
    ax.set(title="Gates of ReLU units", xlabel="contexts that a unit is on in", ylabel="share")
    ax.legend(loc="upper left")
    ax = axes[4]
    size = curves.settings.hidden[0] // 2
    loss(curves.relu, ax, label="ReLU networks", linewidth=7)
    loss(curves.gated["table"].mean(), ax, label=f"modules of {curves.settings.units} units", color=COLOURS[1])
    loss(curves.gated["half"].mean(), ax, label=f"modules of {size} units", color=COLOURS[0], linewidth=2.5)
    ax.set_title("Size of modules, all trained")
    ax.legend(loc="upper right")
    ax = axes[5]
    for k, found in enumerate(curves.reuse.values()):
        ax.plot(np.full(len(found), k), found, **dots(COLOURS[min(k, 1)]))
    ax.set_xticks(range(len(curves.reuse)), [name.replace(" ", "\n", 1) for name in curves.reuse])
    ax.set_xlim(-0.5, len(curves.reuse) - 0.5)
    ax.set_ylim(0, 1.05)
    ax.set(title="Reuse of units", ylabel="share of contexts a unit is on in")
