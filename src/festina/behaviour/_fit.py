"""Fitting models to animals and to populations of them by maximum likelihood, and what a fit gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from festina.behaviour._likelihood import Evaluation, Likelihood, Prior, Search, maximise, repeat, stack
from festina.behaviour._model import (
    LOGISTIC,
    MODELS,
    Deep,
    Model,
    Parameter,
    bounds,
    check_model,
    draw_starts,
    make_network,
)
from festina.behaviour._network import DecisionNetwork
from festina.behaviour._psychometric import design, fit_determined
from festina.behaviour._table import Table, Trial, check_choices, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

STARTS = 8
"""Starts of the search: on simulated animals of 12,000 trials between two and four of eight reach the best maximum."""

AT_BOUND = 1e-6
"""Distance from a bound, in units of the coordinate, at which an estimate counts as being at it."""

DIFFERENCE = 0.05
"""Step of the differences of the score that give the observed information, in standard errors: curvature over the
scale on which the likelihood is known, and not at kinks where a weight reaches zero."""

SINGULAR = 1e-10
"""Relative eigenvalue of the information below which a direction is not determined by the data at all."""

ROUNDS = 60
"""Rounds of expectation and maximisation; changes are below ``SETTLED`` after ten to thirty."""

SETTLED = 1e-3
"""Change of means and spreads in a round, in units of the spread."""

NARROW = 1e-3
"""Smallest spread of a population, in units of a coordinate: animals that differ by less than 0.1 % are alike."""


class Replicates(NamedTuple):
    """Choices and rewards of simulated animals, (draws, trials), in the order of ``table.select(subject)``.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> (found,) = fs.behaviour.fit(table, "q-learning")
        >>> found.replicate(table, draws=10).reward.shape
        (10, 4)
    """

    right: np.ndarray
    reward: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A model fitted to one animal.

    Attributes:
        subject, model, lapse: what was fitted to what.
        parameters: of the model.
        coordinates: estimates in the coordinates of the parameters (``Parameter.scale``).
        covariance: of the coordinates: the inverse of the observed information (minus the Hessian), or of Fisher's
            where that is not positive.
        centre: where the quadratic approximation of the log-likelihood has its maximum: the estimate, except for
            parameters at a bound.
        log_likelihood: of all choices, in nats.
        trials: number of choices.
        messages: what to know before using the numbers, in words; empty for an ordinary animal.
        bootstrapped: coordinates of refitted simulated animals (draws, parameters), or None.
        probabilities: P(right) of every trial given the trials before it; not a number where no choice was made.
        recursion: the model itself; None for ``"logistic"``, which has no recursion over trials.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> (found,) = fs.behaviour.fit(table, "shallow")
        >>> found.trials, sorted(found.estimates)
        (4, ['beta', 'bias', 'executor', 'rate'])
    """

    subject: str
    model: str
    lapse: str | None
    parameters: tuple[Parameter, ...]
    coordinates: np.ndarray
    covariance: np.ndarray
    centre: np.ndarray
    log_likelihood: float
    trials: int
    messages: tuple[str, ...] = ()
    bootstrapped: np.ndarray | None = None
    probabilities: np.ndarray = field(default_factory=lambda: np.array([]))
    recursion: Model | None = None

    @property
    def estimates(self) -> dict[str, float]:
        """Value of every parameter."""
        return {p.name: float(p.value(c)) for p, c in zip(self.parameters, self.coordinates, strict=True)}

    @property
    def standard_errors(self) -> dict[str, float]:
        """Of the coordinates: of the logarithm for parameters on a log scale (there, close to a relative error)."""
        return {p.name: float(e) for p, e in zip(self.parameters, np.sqrt(np.diag(self.covariance)), strict=True)}

    @property
    def aic(self) -> float:
        """Akaike's information criterion, 2k − 2 log L: smaller is better."""
        return 2 * len(self.parameters) - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian information criterion, k log n − 2 log L: smaller is better."""
        return float(len(self.parameters) * np.log(max(self.trials, 1)) - 2 * self.log_likelihood)

    def intervals(self, level: float = 0.9) -> dict[str, tuple[float, float]]:
        """Confidence intervals of the values: from the bootstrap where there is one, otherwise from the Hessian.

        They never leave the bounds of a parameter: one that the data do not determine has all its range.
        """
        level = check.level(level)
        low, high = bounds(self.parameters)
        if self.bootstrapped is not None:
            # quantiles of the refitted animals: errors turned around the estimate would leave the bounds
            ends = np.quantile(self.bootstrapped, [(1 - level) / 2, (1 + level) / 2], axis=0)
        else:
            reach = scipy.special.ndtri((1 + level) / 2) * np.sqrt(np.diag(self.covariance))
            # where the quadratic approximation beyond a bound points back inside it holds no longer: keep the estimate
            ends = np.minimum(self.centre - reach, self.coordinates), np.maximum(self.centre + reach, self.coordinates)
        ends = [np.clip(end, low, high) for end in ends]
        return {p.name: (float(p.value(a)), float(p.value(b))) for p, a, b in zip(self.parameters, *ends, strict=True)}

    @property
    def rate(self) -> float:
        """The fitted learning rate, for ``fs.Train(rate=...)``."""
        if "rate" not in self.estimates:
            raise ValueError(f"the model {self.model!r} has no learning rate.")
        return self.estimates["rate"]

    @property
    def network(self) -> DecisionNetwork:
        """The fitted network, for ``fs.evolve`` and ``stationary_points``; lapses are not part of it."""
        if not isinstance(self.recursion, Deep):
            names = ", ".join(name for name, model in MODELS.items() if isinstance(model, Deep))
            raise ValueError(f"the model {self.model!r} is no network; these are: {names}.")
        return make_network(self.recursion, self.estimates)

    def replicate(self, table: Table, draws: int = 100, seed: int = 0) -> Replicates:
        """Simulated animals with parameters drawn from the uncertainty of the fit, on the animal's own stimuli.

        For posterior-predictive checks: what the model says would happen if the animal learned again. Simulated animals
        make their own choices and learn from their own rewards: unlike in ``probabilities``, nothing after the first
        trial is taken from the animal.
        """
        table, draws = check_table(table), check.whole("draws", draws)
        rng = np.random.default_rng(check.whole("seed", seed, least=0))
        own = table.select(self.subject)
        if self.recursion is None:
            right = rng.random((draws, len(own))) < np.nan_to_num(self.probabilities)
            side = np.where(own.reward > 0, own.right, ~own.right)
            return Replicates(right, (right == side) & own.played)
        likelihood = Likelihood(self.recursion, self.lapse, len(table.contrasts))
        low, high = bounds(self.parameters)
        root = np.linalg.cholesky(self.covariance + 1e-12 * np.diag(np.diag(self.covariance)))
        at = np.clip(self.coordinates + rng.standard_normal((draws, len(low))) @ root.T, low, high)
        trials = repeat(stack([table.trials(self.subject)]), np.zeros(draws, dtype=int))
        made = likelihood.simulate(at, trials, rng.random(np.shape(trials.left)))
        right, reward = (np.asarray(column)[:, : len(own)] > 0 for column in (made.chose_right, made.reward))
        return Replicates(right, reward & own.played)

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per parameter: estimate, standard error of its coordinate, and interval."""
        import pandas as pd

        intervals, errors = self.intervals(level), self.standard_errors
        rows = [
            {
                "subject": self.subject, "model": self.model, "parameter": p.name, "estimate": self.estimates[p.name],
                "low": intervals[p.name][0], "high": intervals[p.name][1], "standard_error": errors[p.name],
                "scale": p.scale, "meaning": p.meaning,
            }
            for p in self.parameters
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value:.4g}" for name, value in self.estimates.items())
        return f"Fit({self.subject}, {self.model}: {told}; log L {self.log_likelihood:.1f} of {self.trials} choices)"


class Fits(tuple[Fit, ...]):
    """Fits of several animals; by subject or by number.

    Example:
        >>> import festina as fs
        >>> rows = {"subject": ["a"] * 4, "session": [1] * 4, "contrast": [-0.5, 0.5, -0.5, 0.5]}
        >>> table = fs.behaviour.read_table({**rows, "choice": [-1, 1, 1, 1], "reward": [1, 1, 0, 1]})
        >>> fits = fs.behaviour.fit(table, "q-learning")
        >>> len(fits), fits["a"].trials
        (1, 4)
    """

    def __getitem__(self, which):
        if not isinstance(which, str):
            return super().__getitem__(which)
        found = {fit.subject: fit for fit in self}
        return found[check.known("subject", which, found)]

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per animal and parameter."""
        import pandas as pd

        return pd.concat([fit.to_pandas(level) for fit in self], ignore_index=True)


@dataclass(frozen=True, eq=False, repr=False)
class Population:
    """A population fit: coordinates of animals are normal around ``mean`` with standard deviation ``spread``.

    Attributes:
        parameters: of the model.
        mean, spread: of the coordinates over animals.
        mean_error, spread_error: their standard errors.
        animals: a ``Fit`` per animal, drawn towards the mean by as much as its own data leave open.
        log_likelihood: marginal over animals' parameters, by Laplace's approximation.

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
    mean_error: np.ndarray
    spread_error: np.ndarray
    animals: Fits
    log_likelihood: float

    def to_pandas(self, level: float = 0.9) -> pd.DataFrame:
        """One row per parameter: the typical value with its interval, and the spread in the coordinate's unit."""
        import pandas as pd

        reach = scipy.special.ndtri((1 + check.level(level)) / 2)
        rows = [
            {
                "parameter": p.name, "typical": float(p.value(m)), "low": float(p.value(m - reach * e)),
                "high": float(p.value(m + reach * e)), "spread": s, "spread_error": se, "scale": p.scale,
                "meaning": p.meaning,
            }
            for p, m, e, s, se in zip(
                self.parameters, self.mean, self.mean_error, self.spread, self.spread_error, strict=True
            )
        ]  # fmt: skip
        return pd.DataFrame(rows)

    def draw(self, count: int, seed: int = 0) -> list[dict[str, float]]:
        """Parameters of new animals from the population, within bounds."""
        low, high = bounds(self.parameters)
        normal = np.random.default_rng(seed).standard_normal((count, len(self.mean)))
        drawn = np.clip(self.mean + self.spread * normal, low, high)
        return [{p.name: float(p.value(c)) for p, c in zip(self.parameters, row, strict=True)} for row in drawn]

    def __repr__(self) -> str:
        told = ", ".join(f"{p.name} {float(p.value(m)):.3g}" for p, m in zip(self.parameters, self.mean, strict=True))
        return f"Population({len(self.animals)} animals: {told})"


def fit(
    table: Table,
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
    lapse: str | None = None,
    starts: int = STARTS,
    bootstrap: int = 0,
    seed: int = 0,
) -> Fits:
    """Fit a model of learning to every animal of a table: maximum likelihood of its choices, trial by trial.

    log L = Σ_t log P(choice_t | choices and rewards before t). The derivatives go through the learning rule of every
    trial (forward differentiation in JAX); the maximum is found by Fisher scoring within bounds from several starts.

    Args:
        table: from ``read_table``; every subject is fitted on its own.
        model: ``"tutor-executor"`` (three partial errors), ``"tutor-executor-gradient"``, ``"shallow"``,
            ``"q-learning"`` (one value per contrast and action), ``"drifting"`` (a psychometric curve that performs a
            random walk), ``"logistic"`` (a curve per session); a network whose kind and rule are meant; or a ``Model``
            of your own. Networks start with equal strengths on both sides, a constant tutor weight of 1 and no noise.
        lapse: None, ``"one"`` (one lapse rate, shared by the sides) or ``"two"`` (one for each side).
        starts: of the search.
        bootstrap: number of animals that are simulated from the fit on the same stimuli and fitted again; 0 takes
            intervals from the Hessian.
        seed: of the bootstrap.

    Returns:
        One ``Fit`` per subject: estimates, standard errors, intervals, log-likelihood, AIC, BIC, and ``messages``
        where the data do not determine the model (an animal that always goes left, is never rewarded, …).

    Raises:
        ValueError: no table, an unknown model or lapse, counts that are none, or a subject without any choice.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = rng.random(600) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> fits = fs.behaviour.fit(table, "q-learning")
        >>> low, high = fits["mouse"].intervals()["beta"]
        >>> bool(low < fits["mouse"].estimates["beta"] < high)
        True

    Source: liebana2025.
    """
    table = check_table(table)
    starts, bootstrap = check.whole("starts", starts), check.whole("bootstrap", bootstrap, least=0)
    seed = check.whole("seed", seed, least=0)
    check_choices(table)
    if isinstance(model, str) and model == LOGISTIC:
        if lapse is not None:
            raise ValueError("lapse with model='logistic' is not offered; use lapse=None, or model='drifting'.")
        if bootstrap:
            raise ValueError(f"bootstrap is {bootstrap} with model='logistic', which has none; use bootstrap=0.")
        return Fits(_fit_sessions(table, subject) for subject in table.subjects)
    animals = gather(table, check_model(model), lapse)
    coordinates, values, converged = animals.best(starts)
    fits = describe(animals, table, coordinates, values, converged)
    if bootstrap:
        fits = [_with_bootstrap(fit, animals, n, bootstrap, seed) for n, fit in enumerate(fits)]
    return Fits(fits)


def fit_population(
    table: Table,
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
    lapse: str | None = None,
    starts: int = STARTS,
) -> Population:
    """Fit a population with partial pooling: animals inform one another about what is typical.

    Coordinates θ_i of animal i are N(mean, spread²), independent between parameters. Means and spreads maximise the
    marginal likelihood ∏_i ∫ L_i(θ) N(θ) dθ by expectation-maximisation, where each integral is Laplace's around the
    animal's most probable parameters m_i with covariance C_i: mean = ⟨m_i⟩, spread² = ⟨(m_i − mean)² + diag C_i⟩.

    Args:
        table: of at least two subjects.
        model: as in ``fit``, without ``"logistic"``.
        lapse: as in ``fit``.
        starts: of the search for each animal before pooling.

    Raises:
        ValueError: as ``fit``; fewer than two subjects.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 200)
        >>> right = rng.random(400) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": np.repeat(["one", "two"], 200), "session": np.tile(np.repeat([1, 2], 100), 2)}
        >>> rows |= {"contrast": contrast, "choice": right, "reward": right == (contrast > 0)}
        >>> pooled = fs.behaviour.fit_population(fs.behaviour.read_table(rows), "q-learning", starts=1)
        >>> len(pooled.animals)
        2

    Source: liebana2025.
    """
    table = check_table(table)
    if len(table.subjects) < 2:
        raise ValueError(f"table has {len(table.subjects)} subject; a population needs two or more: use fit.")
    check_choices(table)
    animals = gather(table, check_model(model), lapse)
    coordinates, _, converged = animals.best(check.whole("starts", starts))
    mean, spread = np.median(coordinates, axis=0), np.maximum(np.std(coordinates, axis=0, ddof=1), NARROW)
    marginal = float("nan")
    for _ in range(ROUNDS):
        found = animals.search(coordinates, np.arange(len(coordinates)), prior=Prior(mean, spread))
        coordinates, converged = found.coordinates, found.converged
        covariances = np.stack([invert(i)[0] for i in found.found.information])
        before = mean, spread
        mean = coordinates.mean(axis=0)
        scatter = np.mean((coordinates - mean) ** 2 + np.einsum("nkk->nk", covariances), axis=0)
        spread = np.maximum(np.sqrt(scatter), NARROW)
        marginal = float(np.sum(found.found.value + 0.5 * np.linalg.slogdet(covariances)[1] - np.log(before[1]).sum()))
        if max(np.max(np.abs(mean - before[0]) / spread), np.max(np.abs(spread / before[1] - 1))) < SETTLED:
            break
    value = animals.likelihood.evaluate(coordinates, animals.trials).value
    fits = describe(animals, table, coordinates, value, converged)
    information = measure_information(animals, coordinates)[1]
    pooled = [invert(i + np.diag(spread**-2.0))[0] for i in information]
    fits = Fits(replace(one, covariance=c, centre=one.coordinates) for one, c in zip(fits, pooled, strict=True))
    # an animal counts for the mean with the inverse of what it is uncertain by: its own error and the spread
    own = np.stack([np.diag(invert(i)[0]) for i in information])
    weight = 1 / (own + spread**2)
    mean_error = 1 / np.sqrt(weight.sum(axis=0))
    spread_error = 1 / np.sqrt(2 * spread**2 * np.sum(weight**2, axis=0))
    return Population(animals.likelihood.parameters, mean, spread, mean_error, spread_error, fits, marginal)


@dataclass(frozen=True, eq=False)
class Animals:
    """Animals of one table as arrays, and the likelihood of one model on them."""

    subjects: tuple[str, ...]
    trials: Trial
    likelihood: Likelihood

    def search(
        self, starts: np.ndarray, lanes: np.ndarray, *, prior: Prior | None = None, counted: np.ndarray | None = None,
        grouped: bool = False,
    ) -> Search:  # fmt: skip
        """Maximise from starts (lanes, parameters), each for the animal of its lane; ``counted`` replaces the trials
        that count, per lane.
        """
        low, high = bounds(self.likelihood.parameters)

        def evaluate(at: np.ndarray, which: np.ndarray) -> Evaluation:
            trials = repeat(self.trials, lanes[which])
            if counted is not None:
                trials = trials._replace(counted=counted[which])
            return self.likelihood.evaluate(at, trials)

        return maximise(evaluate, starts, low, high, prior=prior, groups=lanes if grouped else None)

    def best(self, starts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Per animal the highest of several maxima: coordinates, log-likelihood, and whether the search converged."""
        drawn = draw_starts(self.likelihood.parameters, starts)
        lanes = np.repeat(np.arange(len(self.subjects)), starts)
        found = self.search(np.tile(drawn, (len(self.subjects), 1)), lanes, grouped=True)
        values = found.found.value.reshape(-1, starts)
        pick = values.argmax(axis=1) + starts * np.arange(len(values))
        return found.coordinates[pick], found.found.value[pick], found.converged[pick]


def gather(table: Table, model: Model, lapse: str | None) -> Animals:
    """The animals of a table, ready to be fitted."""
    likelihood = Likelihood(model, lapse, len(table.contrasts))
    return Animals(table.subjects, stack([table.trials(name) for name in table.subjects]), likelihood)


def measure_information(animals: Animals, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per animal: score, Fisher's information, and the observed one from central differences of the score."""
    count, k = coordinates.shape
    low, high = bounds(animals.likelihood.parameters)
    here = animals.likelihood.evaluate(coordinates, animals.trials)
    width = np.stack([1 / np.sqrt(np.maximum(np.diag(i), 1e-8)) for i in here.information])
    step = DIFFERENCE * np.minimum(width, 1.0)
    lanes = np.repeat(np.arange(count), 2 * k)
    at = np.repeat(coordinates, 2 * k, axis=0).reshape(count, 2, k, k)
    at[:, 0] = np.maximum(at[:, 0] - step[:, None] * np.eye(k), low)
    at[:, 1] = np.minimum(at[:, 1] + step[:, None] * np.eye(k), high)
    found = animals.likelihood.evaluate(at.reshape(-1, k), repeat(animals.trials, lanes))
    score = found.score.reshape(count, 2, k, k)
    span = np.einsum("nii->ni", at[:, 1] - at[:, 0])
    hessian = (score[:, 1] - score[:, 0]) / span[:, :, None]
    return here.score, here.information, -(hessian + np.swapaxes(hessian, 1, 2)) / 2


def invert(information: np.ndarray) -> tuple[np.ndarray, bool]:
    """The inverse of an information matrix, and whether it was positive; directions without information get a very
    large variance instead of an error.
    """
    scale = np.sqrt(np.maximum(np.diag(information), 1e-12))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    kept = np.maximum(values, SINGULAR)
    return (vectors / kept) @ vectors.T / np.outer(scale, scale), bool(values[0] > SINGULAR)


def describe(
    animals: Animals, table: Table, coordinates: np.ndarray, values: np.ndarray, converged: np.ndarray
) -> list[Fit]:
    """Fits from the maxima that were found: uncertainty, probabilities of choices, and messages."""
    score, expected, observed = measure_information(animals, coordinates)
    chances = animals.likelihood.probabilities(coordinates, animals.trials)
    parameters = animals.likelihood.parameters
    found = []
    for n, subject in enumerate(animals.subjects):
        covariance, positive = invert(observed[n])
        if not positive:
            covariance, _ = invert(expected[n])
        played = np.asarray(animals.trials.played)[n] > 0
        fit = Fit(
            subject, animals.likelihood.model.name, animals.likelihood.lapse, parameters, coordinates[n], covariance,
            coordinates[n] + _beyond(covariance, score[n], coordinates[n], parameters), float(values[n]),
            int(played.sum()), probabilities=np.where(played, chances[n], np.nan)[: np.sum(table.subject == subject)],
            recursion=animals.likelihood.model,
        )  # fmt: skip
        found.append(_add_messages(fit, table, bool(converged[n])))
    return found


def _beyond(covariance: np.ndarray, score: np.ndarray, at: np.ndarray, parameters: tuple[Parameter, ...]) -> np.ndarray:
    """From an estimate at a bound to the maximum of the quadratic approximation beyond it; zero for others.

    A parameter at its bound leaves a score that points outwards; Newton's step from it centres the intervals.
    """
    low, high = bounds(parameters)
    if not np.any((at <= low + AT_BOUND) | (at >= high - AT_BOUND)):
        return np.zeros_like(at)
    step = covariance @ score
    # a step much longer than the errors is no longer quadratic
    return np.clip(step, *(sign * 3 * np.sqrt(np.diag(covariance)) for sign in (-1, 1)))


def _add_messages(fit: Fit, table: Table, converged: bool) -> Fit:
    own = table.select(fit.subject)
    right, reward = own.right[own.played], own.reward[own.played]
    said = []
    if right.all() or not right.any():
        said.append(
            f"chose {'right' if right.any() else 'left'} on every trial: its sensitivity to contrast is not determined."
        )
    if not reward.any():
        said.append("was never rewarded: learning from rewards is not determined.")
    low, high = bounds(fit.parameters)
    for p, c, a, b in zip(fit.parameters, fit.coordinates, low, high, strict=True):
        if c <= a + AT_BOUND or c >= b - AT_BOUND:
            said.append(f"{p.name} is at its bound, {float(p.value(c)):g}.")
    for name, (a, b) in fit.intervals().items():
        p = next(p for p in fit.parameters if p.name == name)
        if p.coordinate(np.array([a, b])) @ [-1, 1] >= 0.9 * (p.coordinate(p.high) - p.coordinate(p.low)):
            said.append(f"{name} is not determined by these data: its interval is nearly all that is allowed.")
    if not converged:
        said.append("the search did not converge from any start: fit with more starts, or take another model.")
    return replace(fit, messages=tuple(said))


def _with_bootstrap(fit: Fit, animals: Animals, n: int, draws: int, seed: int) -> Fit:
    """Simulate animals from the fit on the same stimuli and fit them again, from the estimate."""
    trials = repeat(animals.trials, np.full(draws, n))
    at = np.tile(fit.coordinates, (draws, 1))
    uniform = np.random.default_rng([seed, n]).random(np.shape(trials.left))
    copies = replace(animals, trials=animals.likelihood.simulate(at, trials, uniform))
    return replace(fit, bootstrapped=copies.search(at, np.arange(draws)).coordinates)


def fit_curves(own: Table) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """A logistic curve for every session with a choice, of a table of one subject: session, trials with a choice,
    parameters, their covariance, and the matrix that gives (b, s_L, s_R) from them.
    """
    for session in own.sessions(own.subjects[0]):
        rows = (own.session == session) & own.played
        if rows.any():
            yield session, rows, *fit_determined(own.contrast[rows], own.right[rows])


def _fit_sessions(table: Table, subject: str) -> Fit:
    """A logistic curve with a slope on each side, for every session with a choice on its own.

    Where the contrasts of a session do not tell the slopes apart both sides share one, and where it shows one contrast
    there is none. The estimates are those of ``fit_psychometric`` (Jeffreys' prior), finite also for sessions in which
    choices separate perfectly; the log-likelihood is taken there.
    """
    own = table.select(subject)
    parameters, values, blocks = [], [], []
    chances = np.full(len(own), np.nan)
    for session, rows, found, covariance, free in fit_curves(own):
        chances[rows] = scipy.special.expit(design(own.contrast[rows]) @ (free @ found))
        names = ("intercept", "left_slope", "right_slope") if len(found) == 3 else ("intercept", "slope")[: len(found)]
        parameters += [Parameter(f"{name} {session}", -1e3, 1e3, (-1, 1), "linear", "logit units") for name in names]
        values.append(found)
        blocks.append(covariance)
    right = own.right[own.played]
    p = chances[own.played]
    centre = np.concatenate(values)
    fit = Fit(
        subject, LOGISTIC, None, tuple(parameters), centre, scipy.linalg.block_diag(*blocks), centre,
        float(np.sum(np.log(np.where(right, p, 1 - p)))), int(own.played.sum()), probabilities=chances,
    )  # fmt: skip
    return _add_messages(fit, table, True)
