"""Items on a ring."""

from collections.abc import Sequence

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot
from festina.tasks._graph import field_strengths, graph


def _profile(count: int, profile: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """A bump over the ring; the default rises from 0 to 1 in equal steps, cut to two decimals as in the table."""
    if profile is not None:
        array = check.numbers("profile", profile)
        if array.shape != (count,):
            raise ValueError(f"profile has shape {array.shape} for {count} items; give one value per item.")
        return array
    height = np.minimum(np.arange(count), np.arange(count)[::-1])
    return (100 * height // height.max()) / 100


def ring(
    count: int = 8,
    *,
    features: int | None = None,
    sigma: float = 4.0,
    seed: int = 0,
    shifts: int | None = None,
    profile: Sequence[float] | np.ndarray | None = None,
) -> Task:
    """One-hot items on a ring: neighbours are similar, and there is no first and no last item.

    The table (``features=None``): one property that all have, then ``shifts`` copies of a bump, each one item further
    on. For 8 items and 14 shifts it has the 15 properties that the context task uses.
    Random (``features=n``): Gaussian features that vary smoothly along the ring, see ``graph``.

    Args:
        count: number of items, ≥ 3.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.
        shifts: copies of the bump in the table; None: 2·count − 2, as many properties as a hierarchy has.
        profile: the bump, one value per item; None: up in equal steps from 0 to 1 and down again.

    Raises:
        ValueError: fewer than three items, or a profile of another length.

    Example:
        >>> import festina as fs
        >>> fs.tasks.ring().y[:, 1]
        array([0.  , 0.33, 0.66, 1.  , 1.  , 0.66, 0.33, 0.  ])

    Source: saxe2019 (ring); jarvis2025 App. F (the table of 8 items).
    """
    count = check.whole("count", count, least=3)
    check.size("count", count, 2 * count)
    if features is not None:
        import networkx as nx

        around = nx.cycle_graph([f"item {i + 1}" for i in range(count)])
        return graph(around, features, sigma, seed, name="ring")
    bump = _profile(count, profile)
    shifts = 2 * count - 2 if shifts is None else check.whole("shifts", shifts)
    check.size("shifts", shifts, count)
    rows = [np.ones(count), *(np.roll(bump, k) for k in range(shifts))]
    outputs = ["common", *(f"bump {k + 1}" for k in range(shifts))]
    return one_hot(np.column_stack(rows), outputs=outputs, name="ring")


def ring_strengths(
    count: int = 8,
    *,
    features: int | None = None,
    sigma: float = 4.0,
    shifts: int | None = None,
    profile: Sequence[float] | np.ndarray | None = None,
) -> np.ndarray:
    """Singular values of Σyx of ``ring``, one per item, largest first: Fourier modes k, in pairs ±k.

    - random, many features: s_k = √N3/(P√ζ_k), ζ_k = 2 − 2cos(2πk/P) + 1/σ²
    - table in which every shift occurs m times: s_k = √(m|p̂_k|² + P δ_k0)/P, p̂ the Fourier transform of the bump

    Raises:
        ValueError: a table in which shifts do not occur equally often: it is not invariant under rotation, so its modes
            are no Fourier modes; take ``task.statistics.strengths``.

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("ring", 5, features=2500, sigma=2.0).round(3)
        array([20.   ,  7.828,  7.828,  5.085,  5.085])

    Source: saxe2019 (ring).
    """
    count = check.whole("count", count, least=3)
    check.size("count", count, 2 * count)
    if features is not None:
        waves = 2 - 2 * np.cos(2 * np.pi * np.arange(count) / count)
        return field_strengths(waves + 1 / check.scale("sigma", sigma) ** 2, count, features)
    shifts = 2 * count - 2 if shifts is None else check.whole("shifts", shifts)
    check.size("shifts", shifts, count)
    if shifts % count:
        raise ValueError(
            f"shifts is {shifts} for {count} items: shifts occur unequally often, so modes are no Fourier modes; give "
            f"a multiple of {count}, or take fs.tasks.ring(...).statistics.strengths."
        )
    powers = shifts // count * np.abs(np.fft.fft(_profile(count, profile))) ** 2
    powers[0] += count
    return np.sort(np.sqrt(powers) / count)[::-1]
