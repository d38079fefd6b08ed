"""Strengths of modes over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import _check
from festina._trajectory import Trajectory
from festina.plot._style import COLOURS, axis, legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def strengths(
    trajectory: Trajectory,
    ax: Axes | None = None,
    *,
    modes: Sequence[int] | None = None,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Draw the strength of each mode: one line per mode, or with seeds one thin line per seed and mode.

    Draw training first and theory over it, with ``linestyle="--", color="black"``.

    Args:
        trajectory: something that observed ``strengths``.
        ax: where to draw; None is pyplot's current axes.
        modes: which modes, counted from 0; None is all.
        label: one legend entry for the whole trajectory; None names each mode.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.items(4), np.linspace(0, 30, 31), observe=("strengths",))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> len(fs.plot.strengths(path, ax, modes=[0, 1]).lines)
        2
    """
    observed("trajectory", trajectory, "strengths")
    ax, label = axis(ax), legend(label)
    values = trajectory.strengths if trajectory.seeds is not None else trajectory.strengths[None]
    style = {} if trajectory.seeds is None else {"linewidth": 0.7, "alpha": 0.5}
    count = values.shape[-1]
    given = range(count) if modes is None else _check.listing("modes", modes, "modes, counted from 0,")
    chosen = [_check.whole("modes", mode, 0, count - 1) for mode in given]
    for order, mode in enumerate(chosen):
        name = (label if order == 0 else None) if label is not None else f"mode {mode + 1}"
        for k, seed in enumerate(np.asarray(values)):
            drawn = {"color": COLOURS[mode % len(COLOURS)], **style, **line}
            ax.plot(trajectory.times, seed[:, mode], label=name if k == 0 else None, **drawn)
    ax.set_xlabel(f"time ({trajectory.unit})")
    ax.set_ylabel("strength")
    return ax
