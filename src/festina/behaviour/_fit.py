"""Fitting models to animals by maximum likelihood, and what a fit gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from festina.behaviour._likelihood import (
    CONVERGED,
    Evaluation,
    Likelihood,
    Prior,
    Search,
    answer,
    ascend,
    repeat,
    stack,
)
from festina.behaviour._model import (
    LOGISTIC,
    MODELS,
    Model,
    Parameter,
    bounds,
    draw_starts,
    draw_unit,
    find_model,
    make_network,
    network_of,
)
from festina.behaviour._network import DecisionNetwork
from festina.behaviour._profile import Asking, find_ends, renamed, together
from festina.behaviour._psychometric import design, fit_determined
from festina.behaviour._table import Table, Trial, check_choices, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

STARTS = 8
"""Starts of the search: on simulated animals of 12,000 trials between two and four of eight reach the best maximum."""

SPREAD, LOOKED = 2**11, 2**18
"""Trials × starts that are added where these are not fewer than the others, and trials × points at which the likelihood
is looked at for them.

Few choices have many maxima, some at bounds. A fit can end more than .5 below the best that a random search finds. It
did so in 67 of 226 drawn cases of 20 animals with 40 trials, and with starts anywhere in 10 of 479 cases. Starts at the
points with the highest likelihood mend eight of nine of these."""

SIMULATED = 10**7
"""Simulated trials at most: each takes some tens of bytes."""

AT_BOUND = 1e-6
"""Distance from a bound, in units of the coordinate, at which an estimate counts as being at it."""

DIFFERENCE = 0.05
"""Step, in standard errors, of the finite differences of the score that give the observed information. Such a step
averages the curvature over kinks where a weight reaches zero."""

PEAK = 0.1
"""Gain in log-likelihood at which the search for another maximum ends, from which intervals go on."""

SINGULAR = 1e-10
"""Relative eigenvalue of the information below which a direction is not determined by the data at all."""


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
        subject, model: what was fitted to what.
        parameters: the parameters of the model.
        coordinates: estimates in the coordinates of the parameters (``Parameter.scale``).
        covariance: the covariance of the coordinates: the inverse of the observed information (minus the Hessian), or
            of Fisher's where that is not positive.
        log_likelihood: the log likelihood of all choices, in nats.
        trials: number of choices.
        messages: what to know before using the numbers, in words; empty for an ordinary animal.
        draws: coordinates that the data allow (draws, parameters): of simulated animals that were fitted again, or from
            the posterior of a population; None if intervals come from the likelihood.
        probabilities: P(right) of every trial given the trials before it; not a number where no choice was made.
        recursion: the model itself; None for ``"logistic"``, which has no recursion over trials.
        peaks: where searches from other starts ended (points, parameters): a likelihood may have several maxima.
        evaluate: log-likelihood, score and Fisher's information of this animal at coordinates (points, parameters);
            None for ``"logistic"``.

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
    parameters: tuple[Parameter, ...]
    coordinates: np.ndarray
    covariance: np.ndarray
    log_likelihood: float
    trials: int
    messages: tuple[str, ...] = ()
    draws: np.ndarray | None = None
    probabilities: np.ndarray = field(default_factory=lambda: np.array([]))
    recursion: Model | None = None
    peaks: np.ndarray | None = None
    evaluate: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]] | None = None

    @property
    def estimates(self) -> dict[str, float]:
        """Value of every parameter."""
        return {p.name: float(p.value(c)) for p, c in zip(self.parameters, self.coordinates, strict=True)}

    @property
    def standard_errors(self) -> dict[str, float]:
        """Standard errors of the coordinates; for a parameter on a log scale, of its logarithm."""
        return {p.name: float(e) for p, e in zip(self.parameters, np.sqrt(np.diag(self.covariance)), strict=True)}

    @property
    def aic(self) -> float:
        """Akaike's information criterion, 2k − 2 log L: smaller is better."""
        return 2 * len(self.parameters) - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian information criterion, k log n − 2 log L: smaller is better."""
        return float(len(self.parameters) * np.log(max(self.trials, 1)) - 2 * self.log_likelihood)

    def intervals(self, level: float = 0.9, *, profile: bool = True) -> dict[str, tuple[float, float]]:
        """Intervals of the values: quantiles of draws if there are any, otherwise from the profile likelihood.

        The profile of a parameter is the largest log-likelihood at each of its values, over the other parameters. The
        interval holds the values at which twice the profile is less than the quantile of χ²₁ below its maximum. A
        parameter that the data do not determine has all its range. ``profile=False`` gives estimates ± standard errors
        instead, within bounds: at once, but right only where the log-likelihood is quadratic.
        """
        return Fits((self,)).intervals(level, profile=profile)[0]

    def _profile(self, fall: float) -> Asking[np.ndarray]:
        """Ends of the profile likelihood around the maximum and around others that are nearly as high."""
        top, (low, high) = self.log_likelihood, bounds(self.parameters)
        found = [(yield from find_ends(self.coordinates, top, fall, invert(self.covariance)[0], low, high))]

        def known(at: np.ndarray) -> bool:
            return any(np.all((ends[0] <= at) & (at <= ends[1])) for ends in found)

        others = [at for at in (() if self.peaks is None else self.peaks) if np.isfinite(at).all() and not known(at)]
        if others:
            peaks = yield from renamed(ascend(np.stack(others), low, high, enough=PEAK), lambda asked: asked[0])
            for at, value, information in zip(
                peaks.coordinates, peaks.found.value, peaks.found.information, strict=True
            ):
                if value > top - fall and not known(at):
                    found.append((yield from find_ends(at, top, fall, information, low, high)))
        ends = np.stack(found)
        return np.stack([ends[:, 0].min(axis=0), ends[:, 1].max(axis=0)])

    @property
    def rate(self) -> float:
        """The fitted learning rate, for ``fs.Train(rate=...)``."""
        if "rate" not in self.estimates:
            raise ValueError(f"the model {self.model!r} has no learning rate.")
        return self.estimates["rate"]

    @property
    def network(self) -> DecisionNetwork:
        """The fitted network, for ``fs.evolve`` and ``stationary_points``; lapses are not part of it."""
        network = network_of(self.recursion)
        if network is None:
            names = ", ".join(name for name, model in MODELS.items() if network_of(model))
            raise ValueError(f"the model {self.model!r} is not a network; these are: {names}.")
        return make_network(network, self.estimates)

    @property
    def failed(self) -> bool:
        """Whether no start of the search had a finite likelihood; ``messages`` says so, and all numbers are NaN."""
        return not np.isfinite(self.log_likelihood)

    def replicate(self, table: Table, draws: int = 100, seed: int = 0) -> Replicates:
        """Simulated animals with parameters drawn from the uncertainty of the fit, on the animal's own stimuli.

        For posterior-predictive checks: what the model says would happen if the animal learned again. Simulated animals
        make their own choices and learn from their own rewards: unlike in ``probabilities``, nothing after the first
        trial is taken from the animal.
        """
        table = check_table(table)
        own = table.select(self.subject)
        draws = check.whole("draws", draws, most=max(1, SIMULATED // max(1, len(own))))
        rng = np.random.default_rng(check.whole("seed", seed, least=0))
        if self.recursion is None:
            right = rng.random((draws, len(own))) < np.nan_to_num(self.probabilities)
            side = np.where(own.reward > 0, own.right, ~own.right)
            return Replicates(right, (right == side) & own.played)
        likelihood = Likelihood(self.recursion, len(table.contrasts))
        low, high = bounds(self.parameters)
        root = np.linalg.cholesky(self.covariance + 1e-12 * np.diag(np.diag(self.covariance)))
        at = np.clip(self.coordinates + rng.standard_normal((draws, len(low))) @ root.T, low, high)
        trials = repeat(stack([table.trials(self.subject)]), np.zeros(draws, dtype=int))
        made = likelihood.simulate(at, trials, rng.random(np.shape(trials.left)))
        right, reward = (np.asarray(column)[:, : len(own)] > 0 for column in (made.chose_right, made.reward))
        return Replicates(right, reward & own.played)

    def to_pandas(self, level: float = 0.9, *, profile: bool = True) -> pd.DataFrame:
        """One row per parameter: estimate, standard error of its coordinate, and interval."""
        return Fits((self,)).to_pandas(level, profile=profile)

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

    def intervals(self, level: float = 0.9, *, profile: bool = True) -> list[dict[str, tuple[float, float]]]:
        """The intervals of every animal, as ``Fit.intervals`` gives them, computed side by side."""
        level, profile = check.level(level), check.flag("profile", profile)
        reach = scipy.special.ndtri((1 + level) / 2)
        asked = [one for one in self if profile and one.draws is None and one.evaluate is not None and not one.failed]
        profiled = dict(zip(asked, _profile(asked, reach**2 / 2), strict=True))
        found = []
        for one in self:
            if one.draws is not None:
                # quantiles of the draws: errors turned around the estimate would leave the bounds
                ends = np.quantile(one.draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
            elif one in profiled:
                ends = profiled[one]
            else:
                ends = one.coordinates + np.outer([-reach, reach], np.sqrt(np.diag(one.covariance)))
            each = zip(one.parameters, *np.clip(ends, *bounds(one.parameters)), strict=True)
            found.append({p.name: (float(p.value(a)), float(p.value(b))) for p, a, b in each})
        return found

    def to_pandas(self, level: float = 0.9, *, profile: bool = True) -> pd.DataFrame:
        """One row per animal and parameter: estimate, standard error of its coordinate, and interval."""
        import pandas as pd

        rows = [
            {
                "subject": one.subject, "model": one.model, "parameter": p.name, "estimate": one.estimates[p.name],
                "low": ends[p.name][0], "high": ends[p.name][1], "standard_error": one.standard_errors[p.name],
                "scale": p.scale, "meaning": p.meaning,
            }
            for one, ends in zip(self, self.intervals(level, profile=profile), strict=True)
            for p in one.parameters
        ]  # fmt: skip
        return pd.DataFrame(rows)


def _profile(fits: list[Fit], fall: float) -> list[np.ndarray]:
    """Ends of the profile likelihoods of several fits, side by side where they are of animals of one table."""
    own = [one.evaluate for one in fits]
    first = own[0] if own else None
    if not isinstance(first, Own) or any(not isinstance(of, Own) or of.animals is not first.animals for of in own):
        return [answer(one._profile(fall), lambda at, one=one: Evaluation(*one.evaluate(at))) for one in fits]  # pyright: ignore[reportOptionalCall]
    searches = [
        renamed(one._profile(fall), lambda at, n=of.n: np.insert(at, 0, n, axis=1))
        for one, of in zip(fits, own, strict=True)
        if isinstance(of, Own)
    ]
    return answer(together(searches), lambda at: first.animals.evaluate(at[:, 1:], at[:, 0].astype(int)))


def fit(
    table: Table,
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
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
            random walk), ``"logistic"`` (a curve per session); a network, whose class and learning rule are then
            fitted; or your own ``Model``. Networks start with equal strengths on both sides, a constant tutor weight of
            1 and no noise. Parts are added to a name or a model: ``"shallow + history"`` (the previous choice and its
            outcome change the logit), ``"shallow + lapse"`` (one lapse rate), ``"shallow + lapses"`` (one per side).
        starts: starts of the search, in the typical ranges. Short records have more, anywhere within the bounds.
        bootstrap: number of animals that are simulated from the fit on the same stimuli and fitted again; 0 takes
            intervals from the profile likelihood.
        seed: the seed of the bootstrap.

    Returns:
        One ``Fit`` per subject: estimates, standard errors, intervals, log-likelihood, AIC, BIC, and ``messages`` where
        the data do not determine the model (an animal that always goes left, is never rewarded, …). An animal for which
        the model cannot be computed has a fit that ``failed``, with the reason; the other animals are unaffected.

    Raises:
        ValueError: no table, an unknown model or part, a count that is not whole, or a subject without any choice.

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
        if bootstrap:
            raise ValueError(f"bootstrap is {bootstrap} with model='logistic', which has none; use bootstrap=0.")
        return Fits(_fit_sessions(table, subject) for subject in table.subjects)
    animals = gather(table, find_model(model, blocks=table.blocks))
    found, pick = animals.climb(starts)
    fits = describe(animals, table, found.coordinates[pick], found.found.value[pick], found.converged[pick])
    peaks = found.coordinates.reshape(len(fits), -1, found.coordinates.shape[1])
    fits = [replace(one, peaks=ends) for one, ends in zip(fits, peaks, strict=True)]
    if bootstrap:
        fits = [fit if fit.failed else _with_bootstrap(fit, animals, n, bootstrap, seed) for n, fit in enumerate(fits)]
    return Fits(fits)


@dataclass(frozen=True, eq=False)
class Animals:
    """Animals of one table as arrays, and the likelihood of one model on them."""

    subjects: tuple[str, ...]
    trials: Trial
    likelihood: Likelihood

    def evaluate(self, coordinates: np.ndarray, lanes: np.ndarray) -> Evaluation:
        """The likelihood at coordinates (lanes, parameters) of the animal of each lane."""
        return self.likelihood.evaluate(coordinates, self.trials, lanes)

    def search(
        self, starts: np.ndarray, lanes: np.ndarray, *, prior: Prior | None = None, grouped: bool = False,
        enough: float = CONVERGED,
    ) -> Search:  # fmt: skip
        """Maximise from starts (lanes, parameters), each for the animal of its lane. A search ends where the next step
        promises less than ``enough``.
        """
        low, high = bounds(self.likelihood.parameters)

        search = ascend(starts, low, high, prior=prior, groups=lanes if grouped else None, enough=enough)
        return answer(search, lambda asked: self.evaluate(asked[0], lanes[asked[1]]))

    def climb(self, starts: int) -> tuple[Search, np.ndarray]:
        """Where searches from several starts ended, starts of one animal in a row, and the best one of every animal.

        Starts lie in the typical ranges. Where trials are few, more of them lie anywhere within the bounds, or where
        the likelihood is highest among many points, and none rests because others agree.
        """
        count, more = len(self.subjects), SPREAD // max(1, int(np.asarray(self.trials.played).sum(axis=1).max()))
        drawn = np.tile(draw_starts(self.likelihood.parameters, starts), (count, 1, 1))
        if short := more >= starts:
            drawn = np.concatenate([drawn, self._look(more)], axis=1)
        lanes = np.repeat(np.arange(count), drawn.shape[1])
        found = self.search(drawn.reshape(len(lanes), -1), lanes, grouped=not short)
        highest = found.found.value.reshape(count, -1).argmax(axis=1)
        return found, highest + drawn.shape[1] * np.arange(count)

    def _look(self, count: int) -> np.ndarray:
        """So many starts, half of them anywhere within the bounds and half where the likelihood of many is highest."""
        low, high = bounds(self.likelihood.parameters)
        at = low + draw_unit(len(low), max(count, LOOKED // self.trials.left.shape[1])) * (high - low)
        found = []
        for n in range(len(self.subjects)):
            value = self.likelihood.values(at, self.trials, np.full(len(at), n))
            best = np.argsort(-np.nan_to_num(value, nan=-np.inf))[: count - count // 2]
            found.append(at[[*range(count // 2), *best]])
        return np.stack(found)


def gather(table: Table, model: Model) -> Animals:
    """The animals of a table, ready to be fitted."""
    likelihood = Likelihood(model, len(table.contrasts))
    return Animals(table.subjects, stack([table.trials(name) for name in table.subjects]), likelihood)


def measure_information(animals: Animals, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per animal: score, Fisher's information, and the observed one from central differences of the score."""
    count, k = coordinates.shape
    low, high = bounds(animals.likelihood.parameters)
    here = animals.likelihood.evaluate(coordinates, animals.trials)
    width = 1 / np.sqrt(np.maximum(np.nan_to_num(np.einsum("nkk->nk", here.information)), 1e-8))
    step = DIFFERENCE * np.minimum(width, 1.0)
    lanes = np.repeat(np.arange(count), 2 * k)
    at = np.repeat(coordinates, 2 * k, axis=0).reshape(count, 2, k, k)
    at[:, 0] = np.maximum(at[:, 0] - step[:, None] * np.eye(k), low)
    at[:, 1] = np.minimum(at[:, 1] + step[:, None] * np.eye(k), high)
    found = animals.likelihood.evaluate(at.reshape(-1, k), animals.trials, lanes)
    score = found.score.reshape(count, 2, k, k)
    span = np.einsum("nii->ni", at[:, 1] - at[:, 0])
    hessian = (score[:, 1] - score[:, 0]) / span[:, :, None]
    return here.score, here.information, -(hessian + np.swapaxes(hessian, 1, 2)) / 2


def invert(information: np.ndarray) -> tuple[np.ndarray, bool]:
    """The inverse of an information matrix, and whether it was positive; directions without information get a very
    large variance instead of an error.
    """
    if not np.isfinite(information).all():
        return np.full_like(information, np.nan), False
    scale = np.sqrt(np.maximum(np.diag(information), 1e-12))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    kept = np.maximum(values, SINGULAR)
    return (vectors / kept) @ vectors.T / np.outer(scale, scale), bool(values[0] > SINGULAR)


def describe(
    animals: Animals, table: Table, coordinates: np.ndarray, values: np.ndarray, converged: np.ndarray
) -> list[Fit]:
    """Fits from the maxima that were found: uncertainty, probabilities of choices, and messages."""
    _, expected, observed = measure_information(animals, coordinates)
    chances = animals.likelihood.probabilities(coordinates, animals.trials)
    parameters = animals.likelihood.parameters
    found = []
    for n, subject in enumerate(animals.subjects):
        covariance, positive = invert(observed[n])
        if not positive:
            covariance, _ = invert(expected[n])
        played = np.asarray(animals.trials.played)[n] > 0
        fit = Fit(
            subject, animals.likelihood.model.name, parameters, coordinates[n], covariance, float(values[n]),
            int(played.sum()), probabilities=np.where(played, chances[n], np.nan)[: np.sum(table.subject == subject)],
            recursion=animals.likelihood.model, evaluate=Own(animals, n),
        )  # fmt: skip
        if not np.isfinite(values[n] + covariance.sum()):
            nothing = np.full_like(covariance, np.nan)
            said = "the fit failed: the likelihood or its curvature overflows. Take another model for this animal."
            fit = replace(
                fit, coordinates=nothing[0], covariance=nothing, log_likelihood=np.nan,
                messages=(said,), probabilities=np.full_like(fit.probabilities, np.nan),
            )  # fmt: skip
        found.append(fit if fit.failed else _add_messages(fit, table, bool(converged[n])))
    return found


@dataclass(frozen=True, eq=False)
class Own:
    """The likelihood of one of several animals."""

    animals: Animals
    n: int

    def __call__(self, coordinates: np.ndarray) -> Evaluation:
        """At coordinates (points, parameters)."""
        return self.animals.evaluate(coordinates, np.full(len(coordinates), self.n))


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
    for name, (a, b) in fit.intervals(profile=False).items():
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
    return replace(fit, draws=copies.search(at, np.arange(draws)).coordinates)


def fit_curves(own: Table) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """A logistic curve for every session with a choice, of a table of one subject. It gives session, trials with a
    choice, parameters, their covariance, and the matrix that maps them to (b, s_L, s_R).
    """
    for session in own.sessions(own.subjects[0]):
        rows = (own.session == session) & own.played
        if rows.any():
            yield session, rows, *fit_determined(own.contrast[rows], own.right[rows])


def _fit_sessions(table: Table, subject: str) -> Fit:
    """A logistic curve with a slope on each side, for every session with a choice on its own.

    Both sides share one slope where the contrasts of a session do not determine two. A session with one contrast has no
    slope. The estimates are those of ``fit_psychometric`` (Jeffreys' prior), finite also for sessions in which choices
    separate perfectly; the log-likelihood is taken there.
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
    fit = Fit(
        subject, LOGISTIC, tuple(parameters), np.concatenate(values), scipy.linalg.block_diag(*blocks),
        float(np.sum(np.log(np.where(right, p, 1 - p)))), int(own.played.sum()), probabilities=chances,
    )  # fmt: skip
    return _add_messages(fit, table, True)
