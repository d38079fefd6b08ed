"""The error surface of the smallest deep network: one weight after the other."""

from dataclasses import dataclass

import numpy as np

from festina.checks import check


@dataclass(frozen=True, eq=False)
class Surface:
    """Loss of ŷ = b·a·x over its two weights, and where its gradient vanishes.

    Attributes:
        a, b: values of the first and second weight, one-dimensional.
        loss: L = d/2 (s/d − ab)², shape (b, a); the loss that no weights can avoid is left out.
        saddle: (a, b) of the saddle at the origin.
        minima: the two branches of the hyperbola ab = s/d within the surface, each (points, 2).

    Example:
        >>> import festina as fs
        >>> surface = fs.linear.surface(1.0, count=5)
        >>> surface.a, surface.loss.shape
        (array([-2., -1.,  0.,  1.,  2.]), (5, 5))
    """

    a: np.ndarray
    b: np.ndarray
    loss: np.ndarray
    saddle: tuple[float, float]
    minima: tuple[np.ndarray, np.ndarray]


def surface(s: float, d: float = 1.0, *, extent: float | None = None, count: int = 201) -> Surface:
    """The error surface of a two-layer chain, L(a, b) = d/2 (s/d − ab)².

    Args:
        s: input-output correlation, > 0.
        d: variance of the input, > 0.
        extent: largest weight shown; None is twice the weight √(s/d) of the balanced minimum.
        count: values per weight.

    Example:
        >>> import festina as fs
        >>> found = fs.linear.surface(1.0)
        >>> found.saddle, float(found.loss.max())
        ((0.0, 0.0), 12.5)

    Source: saxe_lecture "Error surface".
    """
    s, d = check.scale("s", s), check.scale("d", d)
    balanced = float(np.sqrt(s / d))
    extent = 2 * balanced if extent is None else check.scale("extent", extent)
    if extent <= balanced:
        raise ValueError(f"extent is {extent:g}; the minima start at {balanced:g}: give more than that.")
    count = check.whole("count", count, least=2)
    check.size("count", count, count)
    axis = np.linspace(-extent, extent, count)
    loss = 0.5 * d * (s / d - np.outer(axis, axis)) ** 2
    a = np.geomspace(s / d / extent, extent, len(axis))
    branch = np.column_stack([a, s / d / a])
    return Surface(axis, axis, loss, (0.0, 0.0), (branch, -branch))
