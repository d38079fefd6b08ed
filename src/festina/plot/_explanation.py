"""A network's modules: when each is on, what it adds, what is lost without it, and which feeds which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from festina.checks import check
from festina.core.look import axis, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.explanation import Explanation


@styled
def explanation(
    found: Explanation, ax: Axes | None = None, *, view: str = "on", layer: int | None = None, module: int = 1
) -> Axes:
    """Draw an explanation of a network; a colour is a module throughout.

    Args:
        found: what ``fs.explain`` gave.
        ax: where to draw; None is pyplot's current axes.
        view: ``"on"``: how often each module is on, by group of data points (point by point, without groups);
            ``"silenced"``: accuracy, or loss, without each module; ``"number"``: error by number of modules;
            ``"baselines"``: error of the modules and of other methods; ``"adds"``: what one module adds to each output,
            by group; ``"map"``: its effective linear map, as an image where inputs are images; ``"examples"``: the data
            points that drive it most; ``"pathways"``: which module feeds which; ``"training"``: contributions at the
            checkpoints.
        layer: hidden layer, from 1; None is the last.
        module: number of a module in that layer, from 1, for the views of one module.

    Returns:
        The axes.

    Raises:
        ValueError: an unknown view, or a layer or module that the network does not have.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.explanation(found, ax, view="on").get_xlabel()
        'data point'
    """
    from festina.explanation import Explanation

    ax = axis(ax)
    check.instance("found", found, Explanation, "what fs.explain(...) gives")
    found.draw(ax, view, layer, module)
    return ax
