"""The error surface of two weights, with what happens on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.look import COLOURS, SIZES, axis, styled
from festina.plot._arguments import observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.linear import Surface

LEVELS = 15
"""Contours, equally spaced in √loss, so that the valley is seen as well as the slopes."""


@styled
def error_surface(surface: Surface, ax: Axes | None = None, *, paths: Sequence[Trajectory] = ()) -> Axes:
    """Draw contours of the loss over the two weights of a chain, its saddle, its minima, and trajectories.

    Args:
        surface: from ``festina.linear.surface``.
        ax: where to draw; None is pyplot's current axes.
        paths: trajectories of networks with one input, one hidden unit and one output that observed ``weights``; with
            seeds one path each.

    Returns:
        The axes.

    Raises:
        ValueError: a path whose network has other than two weights.

    Example:
        >>> import festina as fs
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.error_surface(fs.linear.surface(1.0, count=21), ax).get_ylabel()
        'second weight $b$'
    """
    from matplotlib.colors import PowerNorm

    ax = axis(ax)
    if not all(hasattr(surface, name) for name in ("a", "b", "loss", "saddle", "minima")):
        raise ValueError(f"surface is {check.shown(surface)}; the result of fs.linear.surface(...) is needed.")
    for path in check.listing("paths", paths, "trajectories"):
        observed("paths", path, "weights")
    levels = np.linspace(0, np.sqrt(surface.loss.max()), LEVELS) ** 2
    # the darkest quarter is left out: lines must be seen on it
    darkness = PowerNorm(0.5, 0, 4 * float(surface.loss.max()))
    ax.contourf(surface.a, surface.b, surface.loss, levels=levels, cmap=SIZES, norm=darkness)
    for i, branch in enumerate(surface.minima):
        ax.plot(branch[:, 0], branch[:, 1], color=COLOURS[2], label="minima" if i == 0 else None)
    ax.plot(*surface.saddle, marker="X", markersize=8, linestyle="", color=COLOURS[1], label="saddle")
    started = False
    for path in paths:
        weights = path.weights
        if len(weights) != 2 or any(w.shape[-2:] != (1, 1) for w in weights):
            shapes = [w.shape[-2:] for w in weights]
            raise ValueError(f"paths holds a network with weights {shapes}; two weights, (1, 1) each, are needed.")
        first, second = (w.reshape(-1, len(path.times)) for w in weights)
        for a, b in zip(first, second, strict=True):
            ax.plot(a, b, color=COLOURS[0], linewidth=1.2, label=None if started else "trajectory")
            ax.plot(a[0], b[0], marker="o", markersize=4, color=COLOURS[0])
            started = True
    ax.set(xlabel="first weight $a$", ylabel="second weight $b$")
    ax.set(xlim=(surface.a[0], surface.a[-1]), ylim=(surface.b[0], surface.b[-1]), aspect="equal")
    return ax
