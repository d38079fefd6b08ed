"""Stabilised steps, for equations in which some numbers relax very much faster than others move.

Source: sommeijer1998.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import numpy as np

from festina.solvers.stepper import Arrays, Now, Scheme, Slope

DAMPING = 2 / 13
"""Damping of the Chebyshev polynomials: it costs a few per cent of the stability interval and leaves no gap in it."""

MOST_STAGES = 100
"""Stages of a step at most."""

CURVATURE_EVERY = 10
"""Steps after which the largest curvature is measured again."""

MARGIN = 1.2
"""The largest curvature counts as this many times what was measured: power iterations approach it from below."""

REACH = 0.65
"""Length of the stability interval over the square of the number of stages."""


class Chebyshev(Scheme):
    """The second-order Runge–Kutta–Chebyshev method: s stages allow steps of 0.65 s² over the largest curvature.

    Directions that have been learned relax fast and limit the steps of any explicit method; on a plateau nothing else
    happens. With stages enough for stability the steps are as long as the accuracy allows.

    Args:
        curvature: the largest curvature at a state, by power iterations from a direction; gives the direction, too.
    """

    powers, grow = (1 / 3, 0.0), 3.0

    def __init__(self, curvature: Callable[[np.ndarray, np.ndarray], tuple[float, np.ndarray]]) -> None:
        self.curvature = curvature
        self._largest, self._along, self._taken, self._refused = 0.0, None, -CURVATURE_EVERY, 0

    def longest(self, now: Now) -> float:
        """Limit set by the largest number of stages."""
        along = now.slope if self._along is None else self._along
        refused = now.tried - now.taken
        # a step that fails may be one whose curvature has grown
        if (now.taken - self._taken >= CURVATURE_EVERY or refused > self._refused) and along.any():
            found, self._along = self.curvature(now.state, along)
            self._largest, self._taken, self._refused = MARGIN * found, now.taken, refused
        return REACH * (MOST_STAGES**2 - 1) / self._largest if self._largest else math.inf

    def attempt(self, slope: Slope, now: Now, step: float, arrays: Arrays) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State and slope after a step, and its error."""
        stages = max(math.ceil(math.sqrt(1 + step * self._largest / REACH)), 2)
        first, rows = coefficients(stages)
        two, one = now.state, now.state + first * step * now.slope
        for mu, nu, part, start in rows:
            pushed = slope(one)
            pushed *= part * step
            pushed += (1 - mu - nu) * now.state + mu * one + nu * two + start * step * now.slope
            two, one = one, pushed
        last = slope(one)
        return one, last, 0.8 * (now.state - one) + 0.4 * step * (now.slope + last)


@lru_cache(MOST_STAGES)
def coefficients(stages: int) -> tuple[float, list[tuple[float, float, float, float]]]:
    """First coefficient and (μ, ν, μ̃, γ̃) of the following stages of the second-order Chebyshev method."""
    w = 1 + DAMPING / stages**2
    value, slope, bend = np.zeros((3, stages + 1))
    value[:2], slope[1] = (1.0, w), 1.0
    for j in range(2, stages + 1):
        value[j] = 2 * w * value[j - 1] - value[j - 2]
        slope[j] = 2 * w * slope[j - 1] - slope[j - 2] + 2 * value[j - 1]
        bend[j] = 2 * w * bend[j - 1] - bend[j - 2] + 4 * slope[j - 1]
    reach = slope[-1] / bend[-1]
    b = np.append([0.0, 1 / w], bend[2:] / slope[2:] ** 2)
    b[0] = b[2]
    part = 1 - b * value
    rows = []
    for j, (two, one) in enumerate(pairwise(b[:-1]), start=2):
        step = 2 * b[j] * reach / one
        rows.append((2 * b[j] * w / one, -b[j] / two, step, -part[j - 1] * step))
    return float(b[1] * reach), rows
