"""How curves look, everywhere: trained is a thick pale band, predicted a thin dark line, colour is what is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina._trajectory import Trajectory

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, told apart with every common form of colour blindness; without yellow, pale on white."""

MODULE_COLOURS = (*COLOURS, "#8A5A2B")
"""One for each module of an explanation that is tried by default; the eighth is brown."""

TRAINED: dict[str, Any] = {"linewidth": 5.0, "alpha": 0.35, "solid_capstyle": "round"}
"""Of a curve that a network has shown."""

PREDICTED: dict[str, Any] = {"linewidth": 1.4, "alpha": 1.0}
"""Of a curve that a theory gives."""


def is_predicted(trajectory: Trajectory) -> bool:
    """Whether a trajectory is a prediction: of a theory or of the flow, not of training."""
    return type(trajectory.method).__name__ in ("Exact", "Race", "Flow")


def draw_loss(trajectory: Trajectory, ax: Axes | None, **style: Any) -> Axes:
    """The loss over time, every seed a curve; the estimated error as a band around a prediction."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(layout="constrained")
    kind = PREDICTED if is_predicted(trajectory) else TRAINED
    loss = np.atleast_2d(trajectory.loss)
    colour = style.pop("color", "black")
    for k, curve in enumerate(loss):
        label = style.get("label", trajectory.label) if k == 0 else None
        ax.plot(trajectory.times, curve, **{**kind, "color": colour, **style, "label": label})
    if trajectory.error is not None:
        error, mean = np.atleast_2d(trajectory.error).mean(axis=0), loss.mean(axis=0)
        ax.fill_between(trajectory.times, mean - error, mean + error, color=colour, alpha=0.12, linewidth=0)
    ax.set_xlabel(trajectory.unit)
    ax.set_ylabel("loss")
    return ax


def colour_of_module(number: int) -> str:
    """The colour of a module of an explanation, counted from 1."""
    return MODULE_COLOURS[(number - 1) % len(MODULE_COLOURS)]
