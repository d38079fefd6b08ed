"""Two points over time: measured, and the fitted theory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from festina.checks import check
from festina.core.look import COLOURS, axis, look, plain, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.representation import PairFit

NAMES = {"h": r"$\|dh\|^2$", "y": r"$\|dy\|^2$", "w": r"$w$"}


@styled
def two_points(fit: PairFit, ax: Axes | None = None, *, curves: str = "hyw", **line: Any) -> Axes:
    """Draw h, y and w of a fitted pair: measured as thick pale bands, the theory as thin dark lines over them.

    Args:
        fit: from ``fs.representation.fit`` or ``probe.fit``.
        ax: where to draw; None is pyplot's current axes.
        curves: which of h, y, w.
        line: passed to ``ax.plot`` for the measured curves.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> times = np.linspace(0, 60, 50)
        >>> true = fs.representation.TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
        >>> fit = fs.representation.fit(fs.representation.Pair(times, *true.solve(times), dx=0.25, dy=1.0))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> len(fs.plot.two_points(fit, ax, curves="h").lines)
        2
    """
    from festina.representation import PairFit

    ax = axis(ax)
    check.instance("fit", fit, PairFit, "the result of fs.representation.fit(pair) or probe.fit()")
    if not check.text("curves", curves) or set(curves) - set("hyw"):
        raise ValueError(f"curves is {check.shown(curves)}; one or more of the letters h, y and w are needed.")
    pair, colours = fit.pair, dict(zip("hyw", COLOURS, strict=False))
    state = fit.theory.solve(pair.times - pair.times[0])
    for name in curves:
        style = look("trained", colours[name]) | line
        ax.plot(pair.times, getattr(pair, name), label=f"{NAMES[name]}, measured", **style)
    for name in curves:
        ax.plot(pair.times, getattr(state, name), label=f"{NAMES[name]}, theory", **look("predicted", colours[name]))
    ax.set_xlabel(plain(pair.unit))
    ax.set_ylabel("squared distance, w" if "w" in curves else "squared distance")
    return ax
