"""Populations of animals and groups of them: partial pooling, with the uncertainty of what is typical."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from festina.behaviour._fit import STARTS, Animals, Fits, describe, gather, invert
from festina.behaviour._likelihood import Prior, Search
from festina.behaviour._model import Model, Parameter, bounds, find_model
from festina.behaviour._network import DecisionNetwork
from festina.behaviour._table import Table, check_choices, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

ROUNDS = 60
"""Rounds of expectation and maximisation; changes are below ``SETTLED`` after ten to thirty."""

SETTLED = 1e-3
"""Change of means and spreads in a round, in units of the spread."""

NARROW = 1e-3
"""Smallest spread of a population, in units of a coordinate: animals that differ by less than 0.1 % are alike."""

DRAWS, WARMING = 4000, 500
"""Draws of the posterior that are kept and left out: quantiles at 5 % are then known to a tenth of their distance."""

POINTS, TURNS, TAILS, WIDER = 256, 4, 5, 3.0
"""Points at which the likelihood of an animal is evaluated, in each of four turns. Then the degrees of freedom of the t
distributions that they are drawn from, and how much wider their prior is than the population's."""

STEP, EFFECTIVE = 0.5, 32.0
"""Width of the distributions around earlier points from which later ones come, in units of the animal's deviation. Then
the least effective number of points. A rugged likelihood, with kinks where weights reach zero, would concentrate on few
points, so the weights are made more equal."""

OTHERS = 0.3
"""Share of log-likelihood that counts when first points are divided among the maxima that searches found. A likelihood
can have several maxima, and an abandoned search ends below its maximum."""

KERNEL = 0.3
"""Width of the normal distributions around the points, in units of the animal's own deviation: 9 % of its variance."""

SINGULAR = 1e-9
"""Precision, in units of the spread, of a mean on which the animals have no information."""

PERMUTATIONS = 4999
"""Random permutations of the groups: a p-value of 0.05 is known to 0.003."""


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """A population fit: coordinates of animals are normal around ``mean`` with standard deviation ``spread``.

    Attributes:
        parameters: the parameters of the model.
        mean: the mean of the coordinates, in every group (groups, parameters); one row without groups.
        spread: standard deviation of the coordinates over animals, the same in all groups.
        animals: a ``Fit`` per animal, drawn towards the mean by as much as its own data leave open; its intervals
            include the uncertainty of mean and spread.
        log_likelihood: marginal over animals' parameters, by Laplace's approximation.
        groups: names of the groups; empty without groups.
        means, spreads: draws of their posterior (draws, groups, parameters) and (draws, parameters).
        p_values: for every pair of groups, per parameter, by permutation of the animals.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 150)
        >>> columns = {"subject": np.repeat(["a", "b", "c"], 100), "session": [1] * 300, "contrast": contrast}
        >>> right = rng.random(300) < np.where(contrast > 0, 0.8, 0.3)
        >>> table = fs.behaviour.read_table({**columns, "choice": right, "reward": right == (contrast > 0)})
        >>> fs.behaviour.fit_population(table, "q-learning").to_pandas()["parameter"].tolist()
        ['rate', 'beta', 'intercept']
    """

    parameters: tuple[Parameter, ...]
    mean: np.ndarray
    spread: np.ndarray
    animals: Fits
    log_likelihood: float
    groups: tuple[str, ...]
    means: np.ndarray
    spreads: np.ndarray
    p_values: dict[tuple[str, str], np.ndarray]

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per group and parameter: the typical value with its interval, and the spread in the coordinate's
        unit with its own.
        """
        import pandas as pd

        ends = _ends(level)
        low, high = bounds(self.parameters)
        rows = []
        for g, name in enumerate(self.groups or ("",)):
            for k, p in enumerate(self.parameters):
                span = np.clip(np.quantile(self.means[:, g, k], ends), low[k], high[k])
                wide = np.quantile(self.spreads[:, k], ends)
                rows.append(
                    {
                        **({"group": name} if self.groups else {}), "parameter": p.name,
                        "typical": float(p.value(self.mean[g, k])), "low": float(p.value(span[0])),
                        "high": float(p.value(span[1])), "spread": self.spread[k], "spread_low": wide[0],
                        "spread_high": wide[1], "scale": p.scale, "meaning": p.meaning,
                    }
                )  # fmt: skip
        return pd.DataFrame(rows)

    def compare_groups(self, level: float = 0.9) -> pd.DataFrame:
        """One row per pair of groups and parameter. It holds the difference of the means (of logarithms if the scale of
        the parameter is log), its interval, and p by permutation. ``p_adjusted`` is Holm's over the parameters of the
        pair.

        Raises:
            ValueError: a population without groups.
        """
        import pandas as pd

        if not self.groups:
            raise ValueError("the population has no groups; use fit_population(table, groups={'subject': 'group', …}).")
        rows = []
        for (a, b), p_values in self.p_values.items():
            first, second = self.groups.index(a), self.groups.index(b)
            low, high = np.quantile(self.means[:, second] - self.means[:, first], _ends(level), axis=0)
            order = np.argsort(p_values)
            holm = np.empty(len(order))
            holm[order] = np.minimum(np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1)), 1)
            rows += [
                {
                    "groups": f"{b} − {a}", "parameter": p.name,
                    "difference": self.mean[second, k] - self.mean[first, k], "low": low[k], "high": high[k],
                    "p": p_values[k], "p_adjusted": holm[k], "scale": p.scale,
                }
                for k, p in enumerate(self.parameters)
            ]  # fmt: skip
        return pd.DataFrame(rows)

    def draw(self, count: int, seed: int = 0) -> list[dict[str, float]]:
        """Parameters of new animals from the population (its first group), within bounds."""
        low, high = bounds(self.parameters)
        normal = np.random.default_rng(seed).standard_normal((count, len(self.spread)))
        drawn = np.clip(self.mean[0] + self.spread * normal, low, high)
        return [{p.name: float(p.value(c)) for p, c in zip(self.parameters, row, strict=True)} for row in drawn]

    def __repr__(self) -> str:
        told = ", ".join(
            f"{p.name} {' and '.join(f'{float(p.value(m)):.3g}' for m in of)}"
            for p, of in zip(self.parameters, self.mean.T, strict=True)
        )
        within = f" in {len(self.groups)} groups" if self.groups else ""
        return f"Population({len(self.animals)} animals{within}: {told})"


def fit_population(
    table: Table,
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
    groups: Mapping[str, str] | None = None,
    starts: int = STARTS,
    seed: int = 0,
) -> Population:
    """Fit a population with partial pooling: animals inform one another about what is typical.

    Coordinates θ_i of animal i are N(mean, spread²), independent between parameters; with groups, each group has a mean
    of its own. Means and spreads maximise the marginal likelihood ∏_i ∫ L_i(θ) N(θ) dθ by expectation-maximisation,
    where each integral is Laplace's around the animal's most probable parameters. Intervals come from the posterior of
    means, spreads and animals together (Gibbs sampler), so that they include the uncertainty of mean and spread. The
    prior is flat in means and spreads, and for the intervals of animals in the squares of spreads (morris2012). The
    likelihood of each animal is that at 1,024 points around its maximum, with a normal distribution around each
    (importance sampling), so that it need not be quadratic.

    Args:
        table: a table of at least two subjects.
        model: as in ``fit``, without ``"logistic"``.
        groups: the group of every subject, such as its genotype or treatment. The difference between two groups is
            tested by permuting the groups among the animals, which were pooled without them.
        starts: starts of the search for each animal before pooling.
        seed: the seed of draws and permutations.

    Raises:
        ValueError: as ``fit``; fewer than two subjects; groups that lack a subject, or one group only.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 200)
        >>> right = rng.random(400) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": np.repeat(["one", "two"], 200), "session": np.tile(np.repeat([1, 2], 100), 2)}
        >>> rows |= {"contrast": contrast, "choice": right, "reward": right == (contrast > 0)}
        >>> pooled = fs.behaviour.fit_population(fs.behaviour.read_table(rows), "q-learning", starts=1)
        >>> len(pooled.animals)
        2

    Source: liebana2025, morris2012.
    """
    table = check_table(table)
    if len(table.subjects) < 2:
        raise ValueError(f"table has {len(table.subjects)} subject; a population needs two or more: use fit.")
    check_choices(table)
    names, member = _check_groups(groups, table)
    animals = gather(table, find_model(model, blocks=table.blocks))
    found, pick = animals.climb(check.whole("starts", starts))
    together = _pool(animals, found.coordinates[pick], np.zeros(len(pick), dtype=int))
    p_values = {}
    rng = np.random.default_rng(check.seed("seed", seed))
    if names:
        # the test must not know the groups: it permutes animals that were pooled as one
        p_values = {
            (names[a], names[b]): _permute(together, member, a, b, rng) for a, b in combinations(range(len(names)), 2)
        }
        together = _pool(animals, together.coordinates, member)
    low, high = bounds(animals.likelihood.parameters)
    explored = _explore(animals, together, member, found, rng)
    means, spreads, _ = sample_posterior(explored, member, together.spread, high - low, rng)
    # each prior is the one under which intervals of its quantities hold the truth as often as they say
    *_, drawn = sample_posterior(explored, member, together.spread, high - low, rng, power=2)
    at = np.clip(drawn.mean(axis=0), low, high)
    value = animals.likelihood.evaluate(at, animals.trials).value
    fits = describe(animals, table, at, value, together.converged)
    covariance = [np.cov(drawn[:, n].T) for n in range(len(at))]
    pooled = Fits(
        replace(one, covariance=c, draws=drawn[:, n]) for n, (one, c) in enumerate(zip(fits, covariance, strict=True))
    )
    return Population(
        animals.likelihood.parameters, np.clip(means.mean(axis=0), low, high), np.median(spreads, axis=0), pooled,
        together.marginal, names, means, spreads, p_values,
    )  # fmt: skip


class Pooled(NamedTuple):
    """Animals pooled around means: where each is, and its log-likelihood as θ·linear − ½ θ·information·θ."""

    coordinates: np.ndarray
    linear: np.ndarray
    information: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    converged: np.ndarray
    marginal: float


def _check_groups(groups: object, table: Table) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the groups in the order of the subjects, and the group of each subject by number."""
    if groups is None:
        return (), np.zeros(len(table.subjects), dtype=int)
    check.instance("groups", groups, Mapping, "a dictionary from subjects to groups, or None")
    given = {str(subject): str(group) for subject, group in dict(groups).items()}  # pyright: ignore[reportCallIssue, reportArgumentType]
    lacking = [subject for subject in table.subjects if subject not in given]
    if lacking:
        raise ValueError(f"groups lacks the subjects {', '.join(lacking)}; give every subject of the table a group.")
    member = [given[subject] for subject in table.subjects]
    names: tuple[str, ...] = tuple(dict.fromkeys(member))
    if len(names) < 2:
        raise ValueError(f"groups has one group, {member[0]!r}; two or more are needed, or groups=None.")
    return names, np.array([names.index(name) for name in member])


def _pool(animals: Animals, coordinates: np.ndarray, member: np.ndarray) -> Pooled:
    """Expectation-maximisation from these coordinates."""
    count = member.max() + 1
    share = (member[None] == np.arange(count)[:, None]) / np.bincount(member)[:, None]
    coordinates = np.where(np.isfinite(coordinates), coordinates, np.nanmedian(coordinates, axis=0))
    mean, spread = share @ coordinates, np.maximum(np.std(coordinates, axis=0, ddof=1), NARROW)
    if count == 1:
        mean = np.median(coordinates, axis=0)[None]
    marginal, converged = float("nan"), np.zeros(len(member), dtype=bool)
    for _ in range(ROUNDS):
        found = animals.search(coordinates, np.arange(len(coordinates)), prior=Prior(mean[member], spread))
        coordinates, converged = found.coordinates, found.converged
        covariances = np.stack([invert(i)[0] for i in found.found.information])
        before = mean, spread
        mean = share @ coordinates
        scatter = np.mean((coordinates - mean[member]) ** 2 + np.einsum("nkk->nk", covariances), axis=0)
        spread = np.maximum(np.sqrt(scatter), NARROW)
        marginal = float(np.sum(found.found.value + 0.5 * np.linalg.slogdet(covariances)[1] - np.log(before[1]).sum()))
        if max(np.max(np.abs(mean - before[0]) / spread), np.max(np.abs(spread / before[1] - 1))) < SETTLED:
            break
    # Fisher's information: where a weight reaches zero the likelihood has kinks, and curvature at a point says little
    _, score, information = animals.likelihood.evaluate(coordinates, animals.trials)
    linear = np.einsum("nij,nj->ni", information, coordinates) + score
    return Pooled(coordinates, linear, information, mean, spread, converged, marginal)


class Explored(NamedTuple):
    """The likelihood of animals as mixtures of normal distributions: logarithms of weights (animals, points), centres
    (animals, points, parameters) and the covariance that all those of an animal share.
    """

    weights: np.ndarray
    centres: np.ndarray
    covariance: np.ndarray

    @classmethod
    def of(cls, logs: np.ndarray, points: np.ndarray, target: np.ndarray) -> Explored:
        """From weights and points; ``target`` are logarithms of the weights in the posterior of every animal.

        Centres move towards the mean, so that the mixture has the covariance of the points (West's kernels).
        """
        mean, covariance = _moments(points, target)
        centres = np.sqrt(1 - KERNEL**2) * (points - mean[:, None]) + mean[:, None]
        return cls(logs, centres, KERNEL**2 * covariance)


def _moments(points: np.ndarray, logs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of weighted points, per animal."""
    share = scipy.special.softmax(logs, axis=1)
    mean = np.einsum("nm,nmi->ni", share, points)
    away = points - mean[:, None]
    return mean, np.einsum("nm,nmi,nmj->nij", share, away, away)


def _explore(
    animals: Animals, pooled: Pooled, member: np.ndarray, climbed: Search, rng: np.random.Generator
) -> Explored:
    """The likelihood around the animals' most probable parameters, by adaptive importance sampling.

    The first points come from t distributions around the maxima, later ones from t distributions around the points
    before, so that they follow a likelihood that is bent. All are weighted by the mixture from which they came.
    Beyond a bound the likelihood is that at the bound.
    """
    low, high = bounds(animals.likelihood.parameters)
    count, k = pooled.coordinates.shape
    prior = WIDER * pooled.spread
    middles = np.concatenate([pooled.coordinates[:, None], climbed.coordinates.reshape(count, -1, k)], axis=1)
    values = climbed.found.value.reshape(count, -1)
    shares = OTHERS * np.concatenate([values.max(axis=1, keepdims=True), values], axis=1)
    shares = scipy.special.log_softmax(shares, axis=1)
    covariance = np.linalg.inv(pooled.information + np.diag(prior**-2.0))
    points, value, densities = np.empty((count, 0, k)), np.empty((count, 0)), []
    away = value
    for _ in range(TURNS):
        root = np.linalg.cholesky(covariance)
        chosen = np.argmax(shares[:, None] + rng.gumbel(size=(count, POINTS, shares.shape[1])), axis=2)
        normal = rng.standard_normal((count, POINTS, k)) / np.sqrt(rng.chisquare(TAILS, (count, POINTS, 1)) / TAILS)
        drawn = np.take_along_axis(middles, chosen[..., None], axis=1) + np.einsum("nij,nmj->nmi", root, normal)
        at = np.clip(drawn, low, high).reshape(-1, k)
        found = animals.likelihood.values(at, animals.trials, np.repeat(np.arange(count), POINTS))
        found = np.where(np.isfinite(found), found, -np.inf).reshape(count, -1)
        value = np.concatenate([value, found], axis=1)
        points, densities = np.concatenate([points, drawn], axis=1), [*densities, (shares, middles, root)]
        logs = value - np.logaddexp.reduce([_density(points, *one) for one in densities], axis=0)
        away = 0.5 * np.sum(((points - pooled.mean[member][:, None]) / prior) ** 2, axis=2)
        shares = scipy.special.log_softmax(np.stack([_temper(of) for of in logs - away]), axis=1)
        middles = points
        covariance = STEP**2 * _moments(points, shares)[1] + 1e-12 * np.eye(k)
    return Explored.of(shares + away, points, shares)


def _temper(logs: np.ndarray) -> np.ndarray:
    """Weights made more equal until enough points have a say."""
    while 1 / np.sum(scipy.special.softmax(logs) ** 2) < min(EFFECTIVE, np.isfinite(logs).sum() / 2):
        logs = 0.7 * logs
    return logs


def _density(points: np.ndarray, shares: np.ndarray, middles: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Logarithm of mixtures of t distributions (animals, points), up to one constant."""
    unroot, k = np.linalg.inv(root), points.shape[2]
    here, there = (np.einsum("nij,nmj->nmi", unroot, of) for of in (points, middles))
    squares = np.sum(here**2, axis=2)[:, :, None] + np.sum(there**2, axis=2)[:, None] - 2 * here @ there.swapaxes(1, 2)
    tails = -0.5 * (TAILS + k) * np.log1p(np.maximum(squares, 0) / TAILS)
    return np.linalg.slogdet(unroot)[1][:, None] + scipy.special.logsumexp(tails + shares[:, None], axis=2)


def sample_posterior(
    explored: Explored,
    member: np.ndarray,
    spread: np.ndarray,
    widest: np.ndarray,
    rng: np.random.Generator,
    *,
    power: int = 1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws of means (draws, groups, parameters), spreads (draws, parameters) and animals (draws, animals, parameters).

    Each animal is assigned at random to one normal distribution of its mixture. Means are drawn with the animals
    integrated out, then animals given means and spreads, then spreads given animals and means. A spread² is SS/χ² with
    as many degrees of freedom as there are animals, less ``power``: the posterior under a prior that is flat in
    spread^power, up to the widest.
    """
    weights, centres, narrow = explored
    count, k = narrow.shape[:2]
    groups = (member[None] == np.arange(member.max() + 1)[:, None]).astype(float)
    means, spreads, drawn = np.empty((DRAWS, len(groups), k)), np.empty((DRAWS, k)), np.empty((DRAWS, count, k))
    best, every = centres[np.arange(count), weights.argmax(axis=1)], np.arange(count)
    mean = (groups @ best) / groups.sum(axis=1, keepdims=True)
    for n in range(-WARMING, DRAWS):
        unroot = np.linalg.inv(np.linalg.cholesky(narrow + np.diag(spread**2)))
        away = np.einsum("nij,nmj->nmi", unroot, centres - mean[member][:, None])
        chance = weights - 0.5 * np.einsum("nmi,nmi->nm", away, away)
        seen = centres[every, np.argmax(chance + rng.gumbel(size=chance.shape), axis=1)]
        precision = np.swapaxes(unroot, 1, 2) @ unroot
        inverse = np.linalg.inv(np.einsum("gn,nij->gij", groups, precision))
        middle = np.einsum("gij,gj->gi", inverse, groups @ np.einsum("nij,nj->ni", precision, seen))
        mean = middle + np.einsum("gij,gj->gi", np.linalg.cholesky(inverse), rng.standard_normal(middle.shape))
        # the population's own deviation, drawn, and corrected by what the sum of both deviations has to be
        own = spread * rng.standard_normal((count, k))
        error = np.einsum("nij,nj->ni", np.linalg.cholesky(narrow), rng.standard_normal((count, k)))
        gain = spread[:, None] ** 2 * precision
        at = mean[member] + own + np.einsum("nij,nj->ni", gain, seen - mean[member] - own - error)
        squares = np.sum((at - mean[member]) ** 2, axis=0)
        spread = np.clip(np.sqrt(squares / rng.chisquare(max(count - power, 1), k)), NARROW, widest)
        if n >= 0:
            means[n], spreads[n], drawn[n] = mean, spread, at
    return means, spreads, drawn


def _permute(pooled: Pooled, member: np.ndarray, a: int, b: int, rng: np.random.Generator) -> np.ndarray:
    """Share of permutations of two groups whose means differ at least as much as theirs, per parameter.

    The mean of a group is that of its animals, each weighted by how well it is known compared with the common spread.
    """
    own = np.isin(member, (a, b))
    # in units of the spread: precision of each about the mean, 1 − covariance, and the same times its own estimate
    spread, unit = pooled.spread, np.eye(len(pooled.spread))
    covariance = np.linalg.inv(unit + spread[:, None] * pooled.information[own] * spread)
    known, toward = unit - covariance, np.einsum("nij,nj->ni", covariance, spread * pooled.linear[own])
    labels = np.stack([member[own] == a] + [rng.permutation(member[own] == a) for _ in range(PERMUTATIONS)])

    def mean(chosen: np.ndarray) -> np.ndarray:
        matrix = np.einsum("pn,nij->pij", chosen.astype(float), known) + SINGULAR * unit
        return np.linalg.solve(matrix, (chosen @ toward)[..., None])[..., 0]

    apart = np.abs(mean(~labels) - mean(labels))
    # permutations that give the same groups again differ by rounding
    return np.mean(apart >= apart[0] * (1 - 1e-9), axis=0)


def _ends(level: float) -> list[float]:
    level = check.level(level)
    return [(1 - level) / 2, (1 + level) / 2]
