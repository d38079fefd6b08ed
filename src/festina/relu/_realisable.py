"""Which gating patterns a ReLU unit can have on given data, by linear programme."""

from dataclasses import dataclass

import numpy as np
import scipy

from festina.checks import check
from festina.checks.shapes import ArrayLike

MARGIN = 1e-7
"""Margin, of weights in [−1, 1] on data points of length 1, below which a pattern cannot be distinguished from an
impossible one: the feasibility tolerance of HiGHS."""

BALANCE = 1e-12
"""Imbalance of a certificate, for points of length 1 and multipliers that sum to 1 where on, that rounding explains."""


@dataclass(frozen=True, eq=False)
class Realisable:
    """Whether a ReLU unit can be on at some data points and off at the others: true or false, with the reason.

    Attributes:
        pattern: True where the unit is to be on.
        weights: a weight vector that does it, w·x ≥ 1 where on and ≤ 0 where off; None if there is none.
        multipliers: if there is none, numbers λ ≥ 0, one per data point, that prove it:
            Σ_on λ_i x_i = Σ_off λ_j x_j with Σ_on λ_i = 1, so that w·x ≥ 1 where on and ≤ 0 where off would give
            1 ≤ 0. None if the pattern is possible.
        margin: the smallest w·x/‖x‖ where on, of the best weights in [−1, 1]; 0 where impossible.
    """

    pattern: np.ndarray
    weights: np.ndarray | None
    multipliers: np.ndarray | None
    margin: float

    def __bool__(self) -> bool:
        return self.weights is not None

    def __str__(self) -> str:
        on = f"on at {int(self.pattern.sum())} of {len(self.pattern)} points"
        if self.weights is not None:
            return f"possible, {on}: weights {np.array2string(self.weights, precision=4)}"
        assert self.multipliers is not None
        used = {int(i): round(float(m), 6) for i, m in enumerate(self.multipliers) if m}
        return f"impossible, {on}: no plane separates points with multipliers {used}"


def is_realisable(x: ArrayLike, pattern: ArrayLike) -> Realisable:
    """Can a ReLU unit be on (w·x > 0) exactly where ``pattern`` says, and off (w·x ≤ 0) elsewhere?

        find w:  w·x_i ≥ 1 where on,  w·x_j ≤ 0 where off

    By Farkas' lemma either such w exist or multipliers that prove that none do; the result holds one or the other.
    A unit has no bias; append a column of ones to x where yours does.

    Args:
        x: data points, one per row; for a deeper layer the activity of the layer before.
        pattern: one value per data point, nonzero where the unit is to be on.

    Returns:
        A ``Realisable``, true or false, with a witness or a certificate.

    Raises:
        ValueError: data that are not a matrix of numbers, or another number of values in the pattern.

    Example:
        >>> import festina as fs
        >>> x = [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]]   # two items in two contexts
        >>> bool(fs.relu.is_realisable(x, [1, 1, 1, 0])), bool(fs.relu.is_realisable(x, [1, 0, 0, 1]))
        (True, False)
        >>> fs.relu.is_realisable(x, [1, 0, 0, 1]).multipliers.tolist()
        [0.5, 0.5, 0.5, 0.5]

    Source: jarvis2025 Lemma 4.1, App. D.
    """
    x = check.matrix("x", x)
    if not x.size:
        raise ValueError(f"x has shape {x.shape}; at least one data point with one input is needed.")
    values = check.numbers("pattern", pattern)
    if values.shape != (len(x),):
        raise ValueError(f"pattern has shape {values.shape}; one value for each of the {len(x)} data points is needed.")
    on = values != 0
    lengths = np.linalg.norm(x, axis=1)
    points = x / np.where(lengths > 0, lengths, 1.0)[:, None]
    found, margin = separate(points, on)
    if found is not None:
        # in units of the data, with the least active point that is on at 1
        return Realisable(on, found / (x[on] @ found).min() if on.any() else found, None, margin)
    return Realisable(on, None, _certificate(x, lengths, points, on), 0.0)


def separate(points: np.ndarray, on: np.ndarray) -> tuple[np.ndarray | None, float]:
    """Weights in [−1, 1] with the largest margin at the points that are on; None if there is no margin.

    Points that are off are kept away from 0 too where that is possible: then rounding cannot turn them on.
    """
    if not on.any():
        return np.zeros(points.shape[1]), 0.0
    for strict in (True, False):
        signs = np.where(on, -1.0, 1.0)
        slack = np.where(on, 1.0, 1.0 if strict else 0.0)
        table = np.column_stack([signs[:, None] * points, slack])
        cost = np.zeros(table.shape[1])
        cost[-1] = -1.0
        bounds = [(-1.0, 1.0)] * points.shape[1] + [(0.0, 1.0)]
        found = scipy.optimize.linprog(cost, A_ub=table, b_ub=np.zeros(len(points)), bounds=bounds, method="highs")
        if not found.success:
            raise RuntimeError(f"the linear programme stopped: {found.message}")
        weights = found.x[:-1]
        margin = float((points[on] @ weights).min())
        if margin > MARGIN:
            return weights, margin
    return None, 0.0


def _certificate(x: np.ndarray, lengths: np.ndarray, points: np.ndarray, on: np.ndarray) -> np.ndarray:
    """Multipliers λ ≥ 0 with Σ_on λ x = Σ_off λ x and Σ_on λ = 1."""
    size = np.where(lengths > 0, lengths, 1.0)
    table = np.vstack([np.where(on, 1.0, -1.0) * points.T, on.astype(float)])
    goal = np.zeros(len(table))
    goal[-1] = 1.0
    found = scipy.optimize.linprog(np.ones(len(x)), A_eq=table, b_eq=goal, bounds=(0, None), method="highs")
    # a margin that HiGHS takes for 0 is no proof: the certificate must balance to rounding error
    if not found.success or np.abs(table[:-1] @ found.x).max(initial=0.0) > BALANCE:
        raise ValueError(
            f"pattern is possible on x at most with a margin of {MARGIN:g}, too small to tell from impossible: points "
            "of x almost depend on each other; round x, or leave such points out."
        )
    # multipliers of points of length 1, turned into multipliers of the points themselves
    multipliers = found.x / size
    return multipliers / multipliers[on].sum()
