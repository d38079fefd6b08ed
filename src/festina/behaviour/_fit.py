"""Fitting models to animals by maximum likelihood."""

from __future__ import annotations

import numpy as np
import scipy

from festina.behaviour._animals import Animals, check_model, gather, invert, measure_information
from festina.behaviour._fitted import Fit, Fits
from festina.behaviour._likelihood import repeat
from festina.behaviour._model import Model, Parameter, bounds, check_lapse
from festina.behaviour._network import Decider
from festina.behaviour._psychometric import Psychometric, fit_determined
from festina.behaviour._table import Table, check_choices, check_table
from festina.checks import check

STARTS = 8
"""Starts of the search: on simulated animals of 12,000 trials between two and four of eight reach the best maximum."""

AT_BOUND = 1e-6
"""Distance from a bound, in units of the coordinate, at which an estimate counts as being at it."""

LOGISTIC = "logistic"


def fit(
    table: Table,
    model: str | Decider | Model = "tutor-executor",
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
            random walk), ``"logistic"`` (a curve per session); or a network whose kind and rule are meant. Networks
            start with equal strengths on both sides, a constant tutor weight of 1 and no noise.
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
        >>> fits = table.fit(model="q-learning")
        >>> low, high = fits["mouse"].intervals()["beta"]
        >>> bool(low < fits["mouse"].estimates["beta"] < high)
        True

    Source: liebana2025.
    """
    table = check_table(table)
    starts, bootstrap = check.whole("starts", starts), check.whole("bootstrap", bootstrap, least=0)
    seed = check.whole("seed", seed, least=0)
    check_lapse(lapse)
    check_choices(table)
    if isinstance(model, str) and model == LOGISTIC:
        if lapse is not None:
            raise ValueError("lapse with model='logistic' is not offered; use lapse=None, or model='drifting'.")
        if bootstrap:
            raise ValueError(f"bootstrap is {bootstrap} with model='logistic', which has none; use bootstrap=0.")
        return Fits(fit_sessions(table, subject) for subject in table.subjects)
    animals = gather(table, check_model(model), lapse)
    coordinates, values, converged = animals.best(starts)
    fits = describe(animals, table, coordinates, values, converged)
    if bootstrap:
        fits = [_with_bootstrap(fit, animals, n, bootstrap, seed) for n, fit in enumerate(fits)]
    return Fits(fits)


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
    from dataclasses import replace

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
    from dataclasses import replace

    lanes = np.full(draws, n)
    trials = repeat(animals.trials, lanes)
    at = np.tile(fit.coordinates, (draws, 1))
    uniform = np.random.default_rng([seed, n]).random(np.shape(trials.left))
    copies = Animals(
        tuple(map(str, range(draws))), animals.likelihood.simulate(at, trials, uniform), animals.likelihood
    )
    return replace(fit, bootstrapped=copies.search(at, np.arange(draws)).coordinates)


def fit_sessions(table: Table, subject: str) -> Fit:
    """A logistic curve with a slope on each side, for every session with a choice on its own.

    Where the contrasts of a session do not tell the slopes apart both sides share one, and where it shows one contrast
    there is none. The estimates are those of ``fit_psychometric`` (Jeffreys' prior), finite also for sessions in which
    choices separate perfectly; the log-likelihood is taken there.
    """
    own = table.select(subject)
    parameters, values, blocks = [], [], []
    chances = np.full(len(own), np.nan)
    for session in own.sessions(subject):
        rows = (own.session == session) & own.played
        if not rows.any():
            continue
        found, covariance, free = fit_determined(own.contrast[rows], own.right[rows])
        chances[rows] = Psychometric(free @ found, np.eye(3), (0.5, 0.5), int(rows.sum())).curve(own.contrast[rows])
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
