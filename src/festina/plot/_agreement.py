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

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.items(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> times = np.linspace(0, 30, 31)
        >>> theory, flow = (fs.evolve(network, task, times, method=m) for m in (fs.Exact(), fs.Flow()))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> len(fs.plot.agreement(theory, flow, fs.compare(theory, flow), ax).lines)
        2
    """
    ax = loss(training, axis(ax), label="training", color=COLOURS[5], linewidth=3)
    loss(theory, ax, label="theory", color="black", linestyle="--", linewidth=1.2)
    ax.set_title(f"area {measured.area:.2g}, max {measured.max:.2g}, shift {measured.time_shift:.2g}")
    ax.legend()
    return ax
