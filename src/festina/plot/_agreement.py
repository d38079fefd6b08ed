"""Theory against training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from festina.analysis.compare import compare
from festina.analysis.trajectory import Trajectory
from festina.core.look import literal
from festina.plot._loss import loss
from festina.plot._style import axis, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def agreement(theory: Trajectory, training: Trajectory, ax: Axes | None = None) -> Axes:
    """Draw the loss of training, the loss of theory over it, and the numbers of their comparison.

    Args:
        theory, training: what was compared.
        ax: where to draw; None is pyplot's current axes.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> times = np.linspace(0, 30, 31)
        >>> theory, flow = (fs.evolve(network, task, times, method=m) for m in (fs.Exact(), fs.Flow()))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> len(fs.plot.agreement(theory, flow, ax).lines)
        2
    """
    observed("theory", theory, "loss")
    observed("training", training, "loss")
    measured = compare(theory, training)
    ax = loss(training, axis(ax), label=literal(training.label), kind="trained")
    loss(theory, ax, label=literal(theory.label), kind="predicted")
    ax.set_title(measured.diverged or f"area between the curves:\n{measured.area:.2g} of the area below")
    ax.legend()
    return ax
