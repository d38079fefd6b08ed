"""Theory against training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from festina._compare import Agreement
from festina._trajectory import Trajectory
from festina.plot._house import COLOURS, axis
from festina.plot._loss import loss

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def agreement(theory: Trajectory, training: Trajectory, measured: Agreement, ax: Axes | None = None) -> Axes:
    """Draw the loss of training, the loss of theory over it, and the numbers of their comparison.

    Args:
        theory, training: what was compared.
        measured: ``fs.compare(theory, training)``.
        ax: where to draw; None is pyplot's current axes.

    Returns:
        The axes.
    """
    ax = loss(training, axis(ax), label="training", color=COLOURS[5], linewidth=3)
    loss(theory, ax, label="theory", color="black", linestyle="--", linewidth=1.2)
    ax.set_title(f"area {measured.area:.2g}, max {measured.max:.2g}, shift {measured.time_shift:.2g}")
    ax.legend()
    return ax
