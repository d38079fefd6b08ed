"""Psychometric curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina._trajectory import Trajectory
from festina.behaviour import Psychometric
from festina.plot._house import axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def psychometric(
    source: Trajectory | Psychometric,
    ax: Axes | None = None,
    *,
    at: int = -1,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Draw P(right) against contrast: of agents, of the average network, or fitted to an animal's session.

    Args:
        source: a trajectory of ``behaviour.simulate`` (the mean of agents and the band of the middle 90 %) or
            ``behaviour.average``, or a fit (with the band of one standard error).
        ax: where to draw; None is pyplot's current axes.
        at: index of the time, for a trajectory.
        label: for the legend; the caller calls ``ax.legend()``.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> path = fs.behaviour.average(fs.behaviour.TutorExecutor(), task, np.array([0.0, 6000.0]))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.psychometric(path, ax, label="average").get_xlabel()
        'contrast (left < 0 < right)'
    """
    ax = axis(ax)
    if isinstance(source, Psychometric):
        x = np.linspace(-source.span[0], source.span[1], 101)
        (drawn,) = ax.plot(x, source.curve(x), label=label, **line)
        band = source.band(x)
    else:
        x = np.array(source.notes["contrasts"])
        curve = source["curve"][..., at, :]
        middle = curve if source.seeds is None else curve.mean(axis=0)
        (drawn,) = ax.plot(x, middle, label=label, **{"marker": "o", "markersize": 3, **line})
        band = None if source.seeds is None else tuple(np.quantile(curve, [0.05, 0.95], axis=0))
    if band is not None:
        low, high = band
        ax.fill_between(x, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.set(ylim=(-0.02, 1.02), xlabel="contrast (left < 0 < right)", ylabel="P(choose right)")
    return ax
