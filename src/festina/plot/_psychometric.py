"""Psychometric curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.look import axis, styled
from festina.plot._arguments import legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.behaviour import Psychometric


@styled
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
        source: a trajectory observed with ``"curve"``, of agents (their mean and the band of the middle 90 %) or of
            expected dynamics; or what ``behaviour.fit_psychometric`` gives (with the band of one standard error).
        ax: where to draw; None is pyplot's current axes.
        at: index of the time, for a trajectory.
        label: for the legend; the caller calls ``ax.legend()``.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import festina as fs
        >>> task, network = fs.behaviour.DecisionTask(), fs.behaviour.TutorExecutor()
        >>> path = fs.evolve(network, task, [0.0, 15.6], method=fs.Flow(), observe="curve")
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.psychometric(path, ax, label="average").get_xlabel()
        'contrast (left < 0 < right)'
    """
    ax, label = axis(ax), legend(label)
    if not isinstance(source, Trajectory):
        from festina.behaviour import Psychometric

        needed = "a trajectory that observed curve, or what fs.behaviour.fit_psychometric gives,"
        check.instance("source", source, Psychometric, needed)
        x = np.linspace(-source.span[0], source.span[1], 101)
        (drawn,) = ax.plot(x, source.curve(x), label=label, **line)
        band = source.band(x)
    else:
        observed("source", source, "curve")
        x = np.array(source.task.contrasts)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        count = len(source.times)
        if not -count <= check.whole("at", at, -count) < count:
            raise ValueError(f"at is {at}; the trajectory has {count} times: a whole number from 0 to {count - 1}.")
        curve = source["curve"][..., at, :]
        middle = curve if source.seeds is None else curve.mean(axis=0)
        (drawn,) = ax.plot(x, middle, label=label, **{"marker": "o", "markersize": 3, **line})
        band = None if source.seeds is None else tuple(np.quantile(curve, [0.05, 0.95], axis=0))
    if band is not None:
        low, high = band
        ax.fill_between(x, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.set(ylim=(-0.02, 1.02), xlabel="contrast (left < 0 < right)", ylabel="P(choose right)")
    return ax
