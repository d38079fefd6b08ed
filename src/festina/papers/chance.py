"""Effect of chance on a number: its standard error over seeds, and how likely a verdict is to flip."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, SupportsFloat

import numpy as np

from festina.checks.shapes import ArrayLike

RESAMPLES = 400  # bootstrap samples: the standard error itself is then known to 1/√800, less than four per cent


class Worst(NamedTuple):
    """The worst of n networks, for a claim about each of them."""

    value: float
    seeds: int


def mean(samples: ArrayLike) -> tuple[float, float]:
    """Mean over seeds and its standard error; 0 if there is one seed.

    Example:
        >>> from festina.papers.chance import mean
        >>> mean([1.0, 2.0, 3.0])
        (2.0, 0.5773502691896258)
    """
    found = np.asarray(samples, dtype=float)
    return float(found.mean()), float(found.std(ddof=1) / math.sqrt(len(found))) if len(found) > 1 else 0.0


def share(passed: ArrayLike) -> tuple[float, float]:
    """Share of seeds that passed, and the standard deviation of its Beta posterior under Jeffreys' prior.

    The usual √(p(1 − p)/n) is 0 where all seeds agree, however few they are.

    Example:
        >>> from festina.papers.chance import share
        >>> [round(v, 3) for v in share([True] * 10)]
        [1.0, 0.06]
    """
    found = np.asarray(passed, dtype=bool).ravel()
    first, second = float(found.sum()) + 0.5, float((~found).sum()) + 0.5
    total = first + second
    return float(found.mean()), math.sqrt(first * second / (total**2 * (total + 1)))


def resampled(statistic: Callable[..., SupportsFloat], *samples: np.ndarray) -> tuple[float, float]:
    """A statistic of several samples and its bootstrap standard error over seeds.

    Args:
        statistic: from arrays whose first axis is the seeds to a number: a ratio of medians, a slope, the largest of
            several means.
        samples: arrays with the seeds first. Those with as many seeds are drawn together, as pairs; those with
            another number independently.

    The error is multiplied by √(n/(n − 1)), so that for a mean of n seeds it is the usual one. It is 0 if there is
    one seed, or where the statistic itself is not finite; infinite where it is so for every draw only, which leaves a
    claim open.

    Example:
        >>> import numpy as np
        >>> from festina.papers.chance import resampled
        >>> value, error = resampled(np.mean, np.array([1.0, 2.0, 3.0]))
        >>> value, 0.5 < error < 0.65
        (2.0, True)
    """
    arrays = [np.asarray(s) for s in samples]
    value = float(statistic(*arrays))
    sizes = sorted({len(a) for a in arrays})
    if sizes[0] < 2:
        return value, 0.0
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(RESAMPLES):
        rows = {n: rng.integers(n, size=n) for n in sizes}
        drawn.append(float(statistic(*(a[rows[len(a)]] for a in arrays))))
    finite = [d for d in drawn if math.isfinite(d)]
    if not finite:
        return value, math.inf if math.isfinite(value) else 0.0
    return value, float(np.std(finite) * math.sqrt(sizes[0] / (sizes[0] - 1)))


def area(times: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Area between loss curves, or between the means of several networks, relative to that below the second.

    The same as ``fs.compare(...).area`` of curves at common times, but fast enough to be resampled.
    """
    first, second = (np.atleast_2d(losses).mean(axis=0) for losses in (first, second))
    return float(np.trapezoid(np.abs(first - second), times) / np.trapezoid(second, times))


def between(apart: Callable[[np.ndarray, np.ndarray], ArrayLike], networks: np.ndarray) -> np.ndarray:
    """A distance between two different networks, mean over all ordered pairs; NaN if there is one network.

    The noise floor of an agreement: what the seed alone does.

    Args:
        apart: from the numbers of a first and of a second network to a distance, or to several of them.
        networks: arrays with the networks first.

    Example:
        >>> import numpy as np
        >>> from festina.papers.chance import between
        >>> between(lambda first, second: abs(first / second - 1), np.array([1.0, 2.0]))
        array(0.75)
    """
    found = np.array([apart(*pair) for pair in itertools.permutations(networks, 2)], dtype=float)
    return np.asarray(found.mean(axis=0)) if len(found) else np.array(np.nan)


def two_networks(times: np.ndarray, losses: np.ndarray) -> float:
    """Area between the losses of two different networks relative to that below one of them, mean over all pairs.

    The noise floor of an agreement of loss curves. ``losses`` are (networks, times); NaN if there is one network.

    Example:
        >>> import numpy as np
        >>> from festina.papers.chance import two_networks
        >>> two_networks(np.array([0.0, 1.0]), np.array([[1.0, 1.0], [2.0, 2.0]]))
        0.75
    """
    return float(between(lambda first, second: area(times, first, second), losses))


def flip(measured: float | None, error: float, bound: float | None, worst_of: int = 0, holds: bool = True) -> float:
    """The chance that a verdict would be another with other seeds; NaN if no seed enters.

    For a mean ± its standard error this is Φ(−|measured − bound|/error): the probability, under a normal distribution,
    that the true value lies across the bound. For the worst of n networks it is at most 1/(n + 1) where the claim
    holds, the chance that a further network is worse than all of them. Where the claim fails it is 0.

    Example:
        >>> from festina.papers.chance import flip
        >>> round(flip(1.0, 0.5, 2.0), 4), flip(1.0, 0.0, 2.0, worst_of=9)
        (0.0228, 0.1)
    """
    if measured is None or bound is None or not math.isfinite(measured):
        return math.nan
    if worst_of:
        return 1 / (worst_of + 1) if holds else 0.0
    return 0.5 * math.erfc(abs(measured - bound) / error / math.sqrt(2)) if error > 0 else math.nan


def falls(loss: np.ndarray, shares: Sequence[float]) -> np.ndarray:
    """The first observation at which these shares of the whole fall of a loss are left, one for each."""
    levels = loss[-1] + (loss[0] - loss[-1]) * np.asarray(shares)
    return np.array([int(np.argmax(loss <= level)) for level in levels])


def relative_distance(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """‖first − second‖/‖first‖ over the last two axes."""
    return np.linalg.norm(first - second, axis=(-2, -1)) / np.linalg.norm(first, axis=(-2, -1))


def exponent(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Exponent of a power law: the slope of ln y against ln x, for each column of y; NaN if x is one number.

    Example:
        >>> import numpy as np
        >>> from festina.papers import exponent
        >>> float(exponent([1.0, 2.0, 4.0], [3.0, 12.0, 48.0]).round(6))
        2.0
    """
    x, y = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    return np.asarray(np.polyfit(x, y, 1)[0] if len(x) > 1 else np.full(y.shape[1:], np.nan))


def seeds(settings: Any, count: int | None = None) -> Any:
    """The arguments ``seed`` and ``seeds`` of ``fs.evolve`` for settings that have these: all networks, or the first.

    Args:
        settings: the settings of an experiment, with ``seed``, the first of the seeds, and ``seeds``, their number.
        count: the largest number of networks; None is all.

    Example:
        >>> from types import SimpleNamespace
        >>> from festina.papers.chance import seeds
        >>> seeds(SimpleNamespace(seed=3, seeds=5), 2)
        {'seed': 3, 'seeds': 2}
    """
    return {"seed": settings.seed, "seeds": settings.seeds if count is None else min(count, settings.seeds)}


Apart = Callable[[Any, np.ndarray, np.ndarray], SupportsFloat]
"""Distance between the means of predicted and trained networks of a case, from their numbers (networks, …)."""


def largest(
    apart: Apart, predicted: Mapping[Any, np.ndarray], trained: Mapping[Any, np.ndarray]
) -> tuple[float, float]:
    """The largest of several distances between predictions and networks, and its bootstrap error over networks.

    Args:
        apart: ``apart(case, predicted, trained)``, a distance between the means of arrays with the networks first.
        predicted: an array for each case; one with a single row, of a theory that knows no seed, is not resampled.
        trained: the same of the networks.

    Example:
        >>> import numpy as np
        >>> from festina.papers.chance import largest
        >>> networks = {3: np.array([[1.0], [2.0]]), 4: np.array([[5.0], [5.0]])}
        >>> known = {3: np.array([[2.0]]), 4: np.array([[4.0]])}
        >>> largest(lambda case, first, second: abs(first.mean() - second.mean()), known, networks)
        (1.0, 0.0)
    """
    arrays = [*predicted.values(), *(trained[case] for case in predicted)]
    drawn = [k for k, array in enumerate(arrays) if len(array) > 1]

    def found(*samples: np.ndarray) -> SupportsFloat:
        every = dict(enumerate(arrays)) | dict(zip(drawn, samples, strict=True))
        return max(float(apart(case, every[k], every[k + len(predicted)])) for k, case in enumerate(predicted))

    return resampled(found, *(arrays[k] for k in drawn)) if drawn else (float(found()), 0.0)


def largest_between(apart: Apart, trained: Mapping[Any, np.ndarray]) -> float:
    """The noise floor of ``largest``: the distance between two networks, mean over pairs, largest over cases.

    Example:
        >>> import numpy as np
        >>> from festina.papers.chance import largest_between
        >>> largest_between(lambda case, a, b: abs(a.mean() - b.mean()), {3: np.array([1.0, 2.0]), 4: np.ones(2)})
        1.0
    """
    pairs = {case: lambda a, b, case=case: float(apart(case, a[None], b[None])) for case in trained}
    return max(float(between(pairs[case], networks)) for case, networks in trained.items())


def median(samples: ArrayLike) -> tuple[float, float]:
    """Median over seeds and its standard error, from the median deviation: a network that failed does not count twice.

    Example:
        >>> from festina.papers import median
        >>> median([1.0, 2.0, 30.0])[0]
        2.0
    """
    found = np.asarray(samples, dtype=float)
    middle = np.median(found)
    # in a Gaussian sample the deviation is 1.48 times the median one, and the median's error 1.25 times the mean's
    return float(middle), float(1.2533 * 1.4826 * np.median(np.abs(found - middle)) / np.sqrt(len(found)))
