"""Loss over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina._trajectory import Trajectory
from festina.plot._style import axis, legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def loss(trajectory: Trajectory, ax: Axes | None = None, *, label: str | None = None, **line: Any) -> Axes:
    """Draw the loss of a trajectory: one line, or with seeds their mean and the band of the middle 90 %.

    Args:
        trajectory: something that observed ``loss``.
        ax: where to draw; None is pyplot's current axes.
        label: for the legend; the caller calls ``ax.legend()``.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.loss(fs.evolve(network, fs.tasks.items(4), [0.0, 10.0, 20.0]), ax, label="theory").get_xlabel()
        'time (flow time)'
    """
    observed("trajectory", trajectory, "loss")
    ax, label = axis(ax), legend(label)
    if trajectory.seeds is None:
        ax.plot(trajectory.times, trajectory.loss, label=label, **line)
    else:
        (drawn,) = ax.plot(trajectory.times, trajectory.loss.mean(axis=0), label=label, **line)
        low, high = np.quantile(trajectory.loss, [0.05, 0.95], axis=0)
        ax.fill_between(trajectory.times, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.set_xlabel(f"time ({trajectory.unit})")
    ax.set_ylabel("loss")
    return ax
