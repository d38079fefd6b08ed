"""Loss over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from festina.analysis.trajectory import Trajectory
from festina.core.look import Kind, axis, draw_loss, styled
from festina.plot._arguments import legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@styled
def loss(
    trajectory: Trajectory,
    ax: Axes | None = None,
    *,
    label: str | None = None,
    kind: Kind | None = None,
    **line: Any,
) -> Axes:
    """Draw the loss of a trajectory: trained as a thick pale band, predicted as a thin dark line.

    With seeds the mean is drawn and the middle 90 % around it: shaded where trained, between hairlines where predicted.
    Around a prediction with an error estimate the estimate is shaded.

    Args:
        trajectory: something that observed ``loss``.
        ax: where to draw; None is pyplot's current axes.
        label: for the legend; the caller calls ``ax.legend()``.
        kind: ``"trained"`` or ``"predicted"``; None is by the method: ``Exact``, ``Reduced`` and ``Flow`` predict.
        line: passed to ``ax.plot``; ``color`` is the colour of what is learned, made pale or dark by ``kind``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> theory = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 30, 91))
        >>> fs.plot.loss(theory, ax, label="theory").get_xlabel()
        'time (flow time)'
    """
    observed("trajectory", trajectory, "loss")
    return draw_loss(trajectory, axis(ax), label=legend(label), kind=kind, **line)
