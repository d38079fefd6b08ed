"""All gating patterns that a ReLU unit can have on given data: how many, and which."""

from collections.abc import Iterator
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
    on = _pattern(pattern, len(x))
    lengths = np.linalg.norm(x, axis=1)
    points = x / np.where(lengths > 0, lengths, 1.0)[:, None]
    found, margin = separate(points, on)
    if found is not None:
        # in units of the data, with the least active point that is on at 1
        return Realisable(on, found / (x[on] @ found).min() if on.any() else found, None, margin)
    return Realisable(on, None, _certificate(x, lengths, points, on), 0.0)


def _pattern(pattern: ArrayLike, count: int) -> np.ndarray:
    values = check.numbers("pattern", pattern)
    if values.shape != (count,):
        raise ValueError(f"pattern has shape {values.shape}; one value for each of the {count} data points is needed.")
    return values != 0


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


PARALLEL = 1e-9
"""Sine of the angle below which two directions are one: rounding leaves 1e-15, a few data points' worth of it more."""

DRAWS = 20_000
"""Random weights drawn at a time while patterns are collected."""

LARGEST = 100_000
"""Arrangements met while counting after which the count is given up: half a minute's work, and far more to come."""

ROUNDS = 10
"""Draws after which the patterns still missing are looked for by linear programme."""


@dataclass(frozen=True, eq=False)
class RealisableGates:
    """The gating patterns that a ReLU unit can have on given data.

    Attributes:
        patterns: one row per pattern, True where the unit is on; sorted by the number of points that are on.
        total: number of all patterns, 2^N.
    """

    patterns: np.ndarray
    total: int

    @property
    def count(self) -> int:
        """Number of patterns that are possible."""
        return len(self.patterns)

    def __contains__(self, pattern: object) -> bool:
        return bool((self.patterns == (np.asarray(pattern) != 0)).all(axis=1).any())

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self.patterns)

    def __len__(self) -> int:
        return len(self.patterns)

    def __str__(self) -> str:
        return f"{self.count} of {self.total} gating patterns are possible"


def count_gates(x: ArrayLike) -> int:
    """How many gating patterns a ReLU unit can have on these data points: the regions that the planes w·x_i = 0 make.

        r(A) = r(A∖H) + r(A restricted to H),   r(∅) = 1

    for any plane H of the arrangement A. It takes no linear programme for each pattern, so that hundreds of thousands
    are counted in seconds.

    Args:
        x: data points, one per row, all on one side of some plane through 0 (as non-negative data are): a point on
            which a unit is exactly 0 can then be moved to either side.

    Raises:
        ValueError: data that no unit can all be on for (``realisable_gates`` lists the patterns of those); too many
            points in general position.

    Example:
        >>> import festina as fs
        >>> fs.relu.count_gates([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]])
        14

    Source: zaslavsky1975 (regions of an arrangement); jarvis2025 Lemma 4.1.
    """
    x = check.matrix("x", x)
    points = _directions(x)
    if not _one_sided(points):
        raise ValueError(
            "x has data points that no ReLU unit can all be on for: units that are exactly 0 matter there, and regions "
            "are not patterns; list them with fs.relu.realisable_gates(x)."
        )
    return _regions(points, {})


def realisable_gates(x: ArrayLike, limit: int = 20_000) -> RealisableGates:
    """Every gating pattern (w·x > 0 on, ≤ 0 off) that a ReLU unit can have on these data points.

    Patterns are collected from random weights. Their exact number proves that none is missing (``count_gates``). For
    data on both sides of every plane it follows from linear programmes, one per pattern and point.

    Args:
        x: data points, one per row.
        limit: number of patterns above which they are not listed.

    Returns:
        The patterns.

    Raises:
        ValueError: more patterns than ``limit``; the error says how many.

    Example:
        >>> import festina as fs
        >>> print(fs.relu.realisable_gates([[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]]))
        14 of 16 gating patterns are possible

    Source: jarvis2025 Lemma 4.1, App. D.
    """
    x, limit = check.matrix("x", x), check.whole("limit", limit)
    points = _directions(x)
    if _one_sided(points):
        count = _regions(points, {})
        if count > limit:
            raise ValueError(
                f"x allows {count} gating patterns, above limit={limit}; give limit={count} to list them all, or ask "
                "for single ones with fs.relu.is_realisable(x, pattern)."
            )
        patterns = _sampled(x, count)
        if len(patterns) < count:
            patterns = _enumerated(points, limit)
    else:
        patterns = _enumerated(points, limit)
    order = np.lexsort((*(~patterns).T[::-1], patterns.sum(axis=1)))
    return RealisableGates(patterns[order], 2 ** len(x))


def _directions(x: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(lengths > 0, lengths, 1.0)


def _one_sided(points: np.ndarray) -> bool:
    """Whether some unit is on at every data point that is not 0."""
    some = points[np.any(points != 0, axis=1)]
    return not len(some) or separate(some, np.ones(len(some), bool))[0] is not None


def _distinct(vectors: np.ndarray) -> np.ndarray:
    """One unit vector per plane, in the order given; vectors of length 0 have none."""
    lengths = np.linalg.norm(vectors, axis=1)
    kept = vectors[lengths > PARALLEL] / lengths[lengths > PARALLEL, None]
    if not len(kept):
        return kept
    cosines = kept @ kept.T
    # sin² = |a − (a·b) b|²: the cosine alone cannot tell angles below 1e-8
    apart = np.linalg.norm(kept[:, None] - cosines[:, :, None] * kept[None], axis=2)
    same = np.tril(apart < PARALLEL, -1)
    return kept[~same.any(axis=1)]


def _regions(vectors: np.ndarray, known: dict[bytes, int]) -> int:
    """Regions of the arrangement of the planes w·v = 0, by deletion and restriction; ``known`` are counts so far."""
    vectors = _distinct(vectors)
    count = len(vectors)
    if count < 2:
        return 2**count
    rank = int(np.linalg.matrix_rank(vectors, tol=np.sqrt(PARALLEL)))
    if rank == count:
        return 2**count
    if rank == 2:
        return 2 * count
    signed = vectors * np.sign(vectors[np.arange(count), np.argmax(np.abs(vectors) > PARALLEL, axis=1)])[:, None]
    # rounded only to find an arrangement met before; one that is missed is counted again
    key = (np.unique(np.round(signed, 9), axis=0) + 0.0).tobytes()
    if key not in known:
        if len(known) >= LARGEST:
            raise ValueError(
                "x has too many data points that do not depend on each other for its gating patterns to be counted; "
                "ask for single ones with fs.relu.is_realisable(x, pattern), or take fewer points."
            )
        plane, rest = vectors[-1], vectors[:-1]
        known[key] = _regions(rest, known) + _regions(rest - np.outer(rest @ plane, plane), known)
    return known[key]


def _sampled(x: np.ndarray, count: int) -> np.ndarray:
    """Patterns of random weights, until there are ``count`` or enough were drawn."""
    rng = np.random.default_rng(0)
    found = np.zeros((0, len(x)), bool)
    for _ in range(ROUNDS):
        found = np.unique(np.vstack([found, rng.standard_normal((DRAWS, x.shape[1])) @ x.T > 0]), axis=0)
        if len(found) >= count:
            break
    return found


def _enumerated(points: np.ndarray, limit: int) -> np.ndarray:
    """Patterns of the first point, of the first two, and so on: each is continued in every way that is possible."""
    partial: list[tuple[tuple[bool, ...], np.ndarray]] = [((), np.zeros(points.shape[1]))]
    for i in range(len(points)):
        longer = []
        for pattern, weights in partial:
            activity = float(points[i] @ weights)
            for on in (False, True):
                # weights at hand that show the way need no programme
                shown = activity > MARGIN if on else activity <= 0
                found = weights if shown else separate(points[: i + 1], np.array([*pattern, on]))[0]
                if found is not None:
                    longer.append(((*pattern, on), found))
        partial = longer
        if len(partial) > limit:
            raise ValueError(
                f"x allows more than limit={limit} gating patterns (that many at its first {i + 1} points alone); give "
                "a larger limit, fewer data points, or ask for single ones with fs.relu.is_realisable(x, pattern)."
            )
    return np.array([pattern for pattern, _ in partial])
