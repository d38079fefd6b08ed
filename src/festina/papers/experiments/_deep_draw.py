"""Panels of the experiment ``deep``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from festina.papers.experiments._deep import CONTEXTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.papers.experiments.deep import Curves


def draw_panels(
    curves: Curves,
    axes: np.ndarray,
    epochs: np.ndarray,
    medoid: Callable[[np.ndarray], int],
    by_size: Mapping[int, np.ndarray],
) -> None:
    """All panels; ``by_size`` are the columns of the modules of units that are on in so many contexts."""
    from festina.plot import COLOURS, look

    relu = curves.relu
    ax: Axes = axes[0]
    low, high = np.quantile(relu.loss, [0.05, 0.95], axis=0)
    ax.fill_between(epochs, low, high, color="0.85", linewidth=0)
    ax.plot(epochs, relu.loss[medoid(relu.loss)], label="ReLU, trained", **look("trained"))
    lines = (
        ("predicted", curves.predicted, "-"),
        ("gated, released constants", curves.released, "--"),
        ("gated, predicted onset", curves.gated, ":"),
    )
    for label, run, style in lines:
        ax.plot(epochs, run.loss[medoid(run.loss)], label=label, **look("predicted", linestyle=style))
    ax.set_title(f"{len(relu.loss)} trained, {len(curves.predicted.loss)} predicted")
    ax.set_ylim(-0.2, 1.6 * float(relu.loss.max()))
    ax.legend(loc="upper right", fontsize=7)
    ax = axes[1]
    for k in range(min(3, len(curves.predicted.loss))):
        ax.plot(epochs, relu.loss[k], label=f"seed {relu.seeds[k]}", **look("trained", COLOURS[k]))  # type: ignore[index]
        ax.plot(epochs, curves.predicted.loss[k], **look("predicted", COLOURS[k]))
    ax.set_title("Each from its own weights")
    ax.legend(loc="upper right")
    for ax in axes[:2]:
        ax.set_ylabel("loss")
    ax = axes[2]
    ax.plot(epochs, relu.loss.std(axis=0), label="ReLU, trained", **look("trained"))
    for label, run, style in lines:
        ax.plot(epochs, run.loss.std(axis=0), label=label, **look("predicted", linestyle=style))
    one = curves.shallow.loss.std(axis=0)
    ax.plot(epochs, one, label="one hidden layer, trained", **look("trained", COLOURS[4], zorder=1.5))
    ax.set_title("Spread between runs")
    ax.set_ylim(-0.02, 1.7 * float(relu.loss.std(axis=0).max()))
    ax.legend(loc="upper right", fontsize=7)
    ax.set_ylabel("standard deviation of the loss")
    ax = axes[3]
    own = len(curves.predicted.loss)
    for size, colour in ((3, COLOURS[6]), (2, COLOURS[0]), (1, COLOURS[4])):
        label = {3: "all contexts", 2: "two", 1: "one"}[size]
        trained, predicted = (
            run["modules"][:own][:, :, by_size[size]].sum(axis=2).mean(axis=0) for run in (relu, curves.predicted)
        )
        ax.plot(epochs, trained, label=f"on in {label}", **look("trained", colour))
        ax.plot(epochs, predicted, **look("predicted", colour))
    ax.set_ylim(0, 1.6)
    ax.set_yticks(np.linspace(0, 1, 6))
    ax.set_title("Second-layer units by contexts")
    ax.legend(loc="upper right", fontsize=7)
    ax.set_ylabel("share of power")
    for ax in axes[:4]:
        ax.set_xlabel("epoch (thousands)")
    for ax, hidden, name in zip(axes[4:], curves.gates, ("First", "Second"), strict=True):
        _gates(ax, hidden, name)


def _gates(ax: Axes, hidden: np.ndarray, name: str) -> None:
    """Activity of the strongest units, each relative to its largest; off is white."""
    strong = np.argsort(-(hidden**2).sum(axis=1))[:60]
    rows = hidden[strong] / np.maximum(hidden[strong].max(axis=1, keepdims=True), 1e-30)
    order = np.lexsort((rows > 0).T[::-1])
    image = ax.imshow(rows[order], aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    for edge in (7.5, 15.5):
        ax.axvline(edge, color="black", linewidth=0.8)
    ax.set_xticks([3.5, 11.5, 19.5], [f"context {c + 1}" for c in range(CONTEXTS)])
    ax.set_ylabel(f"{len(rows)} strongest units")
    ax.set_title(f"{name} layer of the ReLU medoid, end")
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="activity, relative")
