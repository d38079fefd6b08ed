"""All gating patterns that a ReLU unit can have on given data: how many, and which."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.relu._realisable import MARGIN, separate

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
