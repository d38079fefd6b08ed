"""Two points with different targets: the smallest data set that has a representation."""

import numpy as np

from festina.checks import check
from festina.core.task import Task

DISTANCES = {"released": (1.0, float(np.sqrt(0.5))), "text": (0.5, 1.0)}
"""Distances of the inputs and of the targets: in the released code, and in the text."""


def two_points(dx: float | str = "released", dy: float | None = None) -> Task:
    """Inputs −1 and −1 + dx with targets 0.6 and 0.6 + dy.

    Args:
        dx: distance of the inputs; or ``"released"`` (1 and √½, the released code) or ``"text"`` (0.5 and 1).
        dy: distance of the targets.

    Example:
        >>> import festina as fs
        >>> fs.tasks.two_points("text").x.tolist()
        [[-1.0], [-0.5]]

    Source: vanrossem2024 App. B.1.
    """
    if isinstance(dx, str):
        if dy is not None:
            raise ValueError(f"dy is {check.shown(dy)}, but dx={dx!r} has a distance of the targets; leave dy out.")
        dx, dy = DISTANCES[check.known("dx", dx, DISTANCES)]
    if dy is None:
        raise ValueError("dy is missing; give the distance of the targets, or dx='released' or 'text'.")
    dx, dy = check.positive("dx", dx), check.positive("dy", dy, zero=True)
    return Task([[-1.0], [-1.0 + dx]], [[0.6], [0.6 + dy]], name="two points")
