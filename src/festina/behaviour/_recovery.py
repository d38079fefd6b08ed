"""Recovery: do fits find the parameters, and the model, that simulated animals really have?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.behaviour._fit import STARTS, Fit, fit
from festina.behaviour._likelihood import Likelihood, stack
from festina.behaviour._model import (
    ALL,
    LOGISTIC,
    MODELS,
    Model,
    Parameter,
    check_models,
    find_model,
    spread_coordinates,
)
from festina.behaviour._network import DecisionNetwork
from festina.behaviour._table import Table, Trial, join, take
from festina.behaviour._task import DecisionTask, check_task
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

TRIALS = 240
"""Trials per session, as the mice play."""


def simulate_animals(
    likelihood: Likelihood, coordinates: np.ndarray, task: DecisionTask, sessions: int, trials: int, seed: int
) -> Table:
    """Animals that follow a model with these coordinates (animals, parameters), as a table."""
    rng = np.random.default_rng(seed)
    count, length = len(coordinates), sessions * trials
    kind = np.searchsorted(np.cumsum(task.weight)[:-1], rng.random((count, length)), side="right")
    contrast, side = np.array(task.contrasts)[task.kinds[kind]], task.correct[kind].astype(float)
    always, level = np.ones(length), np.searchsorted(task.contrasts, contrast).astype(float)
    left, right = np.maximum(-contrast, 0.0), np.maximum(contrast, 0.0)
    # the choice of the rewarded side, rewarded, says which side that is
    zero, first = np.zeros(length), (np.arange(length) % trials == 0).astype(float)
    rest = always, always, always, first, zero, zero
    stacked = stack([Trial(left[n], right[n], level[n], side[n], *rest) for n in range(count)])
    made = likelihood.simulate(coordinates, stacked, rng.random(stacked.left.shape))
    chose, reward = (np.asarray(column)[:, :length] for column in (made.chose_right, made.reward))
    return Table(
        subject=np.repeat([f"animal {n}" for n in range(count)], length),
        session=np.tile(np.repeat(np.arange(1, sessions + 1), trials), count).astype(str),
        contrast=contrast.ravel(),
        right=chose.ravel() > 0,
        reward=reward.ravel(),
        played=np.ones(count * length, dtype=bool),
        prior=np.full(count * length, 0.5),
    )


def draw_coordinates(
    parameters: tuple[Parameter, ...], count: int, seed: int, ranges: Mapping[str, tuple[float, float]] | None = None
) -> np.ndarray:
    """Coordinates of animals, uniform over the range of each parameter: the one given, or the typical one."""
    given = {} if ranges is None else ranges
    check.instance("ranges", given, Mapping, "a dictionary from names to the smallest and the largest value, or None")
    for name, ends in given.items():
        if np.shape(ends) != (2,) or not ends[0] <= ends[1]:
            raise ValueError(f"ranges has {ends!r} for {name}; give the smallest and the largest value.")
    unit = np.random.default_rng([seed, 1]).random((count, len(parameters)))
    return spread_coordinates(parameters, unit, given)


def recover_parameters(
    model: str | DecisionNetwork | Model = "tutor-executor",
    *,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    animals: int = 100,
    sessions: int = 50,
    trials: int = TRIALS,
    level: float = 0.9,
    task: DecisionTask | None = None,
    starts: int = STARTS,
    seed: int = 0,
) -> pd.DataFrame:
    """Fit animals whose parameters are known, and see how often the intervals hold them.

    The parameters of animals are drawn uniformly from ranges, in the coordinate in which they are fitted. Their choices
    are simulated, and they are fitted as ``fit`` would fit any animal.

    Args:
        model, starts: as in ``fit``, without ``"logistic"``.
        ranges: smallest and largest value of parameters, by name; others have the typical range of the model.
        animals: number of simulated animals.
        sessions, trials: sessions per animal and trials per session.
        level: the level of the intervals.
        task: what is shown; None is ``DecisionTask()``.
        seed: the seed of parameters, stimuli and choices.

    Returns:
        One row per animal and parameter: ``true``, ``estimate``, ``low``, ``high``, ``covered``, and ``error``, the
        difference of estimate and truth in standard errors.

    Raises:
        ValueError: as ``fit``; counts that are none.

    Example:
        >>> import festina as fs
        >>> found = fs.behaviour.recover_parameters("q-learning", animals=3, sessions=2)
        >>> found.shape, sorted(set(found["parameter"]))
        ((9, 9), ['beta', 'intercept', 'rate'])

    Source: liebana2025.
    """
    import pandas as pd

    task = DecisionTask() if task is None else check_task(task)
    seed, level = check.seed("seed", seed), check.level(level)
    likelihood = Likelihood(find_model(model), len(task.contrasts))
    true = draw_coordinates(likelihood.parameters, check.whole("animals", animals), seed, ranges)
    table = simulate_animals(
        likelihood, true, task, check.whole("sessions", sessions), check.whole("trials", trials), seed
    )
    rows = []
    fits = fit(table, likelihood.model, starts=starts)
    for one, intervals, at in zip(fits, fits.intervals(level), true, strict=True):
        for k, p in enumerate(one.parameters):
            low, high = intervals[p.name]
            value = float(p.value(at[k]))
            error = one.coordinates[k] - at[k]
            rows.append(
                {
                    "animal": one.subject, "parameter": p.name, "true": value, "estimate": one.estimates[p.name],
                    "low": low, "high": high, "covered": low <= value <= high,
                    "error": error / np.sqrt(one.covariance[k, k]), "choices": one.trials,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def recover_models(
    models: Sequence[str | Model] = tuple(MODELS),
    *,
    candidates: Sequence[str | Model] = ALL,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    animals: int = 10,
    sessions: Sequence[int] = (50,),
    trials: int = TRIALS,
    task: DecisionTask | None = None,
    starts: int = STARTS,
    seed: int = 0,
) -> pd.DataFrame:
    """Simulate animals of every model, fit all candidates to each, and see which wins by BIC.

    The expected log-likelihood ratio of the true model and a fitted other one is D = Σ_t KL(p_t ‖ p_t′), with their
    probabilities p_t and p_t′ of choosing right on trial t. For large samples the ratio is normal with variance 2D;
    fitting k and k′ parameters changes it by k/2 − k′, and BIC by (k′ − k)/2·log n. Where the sum is small relative to
    √(2D) for some rival, both models make the same choices, and no criterion can tell them apart.

    Args:
        models: that generate animals: names, as in ``fit``, or models of your own.
        candidates: that are fitted to them; the true models have to be among them.
        ranges: as in ``recover_parameters``, for all models that have such a parameter.
        animals: per model.
        sessions: numbers of sessions after which the model is asked for; the animals are the same at each.
        trials, task, starts, seed: as in ``recover_parameters``.

    Returns:
        One row per number of choices and animal: ``true`` model, ``winner`` (smallest BIC), ``margin`` (half of the BIC
        of the best rival minus that of the true model, in nats), ``separation`` (expected margin over its standard
        deviation, least over rivals: the true model is expected to win with probability Φ(separation)) and
        ``accuracy`` (share of rewarded trials in the last tenth of the sessions, at least one). The confusion
        matrix is ``pandas.crosstab(frame["true"], frame["winner"], normalize="index")``.

    Raises:
        ValueError: as ``fit``; counts that are none; fewer than two candidates, or a model that is none of them.

    Example:
        >>> import festina as fs
        >>> names = ["q-learning", "shallow"]
        >>> found = fs.behaviour.recover_models(names, candidates=names, animals=2, sessions=(2,))
        >>> found.shape, list(found.columns[:4])
        ((4, 7), ['choices', 'animal', 'true', 'winner'])
    """
    import pandas as pd

    task = DecisionTask() if task is None else check_task(task)
    trials, animals = check.whole("trials", trials), check.whole("animals", animals)
    seed = check.seed("seed", seed)
    chosen, makers = check_models("candidates", candidates), check_models("models", models)
    known = [model for model in makers.values() if isinstance(model, Model)]
    if len(known) < len(makers):
        raise ValueError(f"models has {LOGISTIC!r}, which makes no animals; name it in candidates.")
    candidates, names = tuple(chosen), tuple(makers)
    lengths = [check.whole("sessions", count) for count in check.listing("sessions", sessions, "whole numbers")]
    if len(candidates) < 2 or any(name not in candidates for name in names):
        raise ValueError(
            f"candidates are {', '.join(map(str, candidates))}; two or more are needed, among them every one of models "
            f"({', '.join(map(str, names))})."
        )
    groups = [_simulate_group(model, ranges, animals, max(lengths), trials, task, seed) for model in known]
    whole = join([table for table, _ in groups])
    probabilities = dict(zip(whole.subjects, (chances for _, group in groups for chances in group), strict=True))
    true = dict(zip(whole.subjects, np.repeat(names, animals).tolist(), strict=True))
    rows = []
    for count in lengths:
        table = take(whole, whole.session.astype(int) <= count)
        fits = {name: fit(table, model, starts=starts) for name, model in chosen.items()}
        for subject in table.subjects:
            own = {name: found[subject] for name, found in fits.items()}
            rivals = [name for name in candidates if name != true[subject]]
            chances = probabilities[subject][: count * trials]
            late = table.select(subject).reward[-trials * max(count // 10, 1) :]
            rows.append(
                {
                    "choices": count * trials, "animal": subject, "true": true[subject],
                    "winner": min(own, key=lambda name: own[name].bic),
                    "margin": (min(own[name].bic for name in rivals) - own[true[subject]].bic) / 2,
                    "separation": min(_separate(chances, own[true[subject]], own[name]) for name in rivals),
                    "accuracy": late.mean(),
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def _simulate_group(
    model: Model, ranges: Mapping[str, tuple[float, float]] | None, animals: int, sessions: int, trials: int,
    task: DecisionTask, seed: int,
) -> tuple[Table, np.ndarray]:  # fmt: skip
    """Animals of one model, and P(right) of their trials under the true parameters (animals, trials)."""
    likelihood = Likelihood(model, len(task.contrasts))
    true = draw_coordinates(likelihood.parameters, animals, seed, ranges)
    table = simulate_animals(likelihood, true, task, sessions, trials, seed)
    played = stack([table.trials(subject, np.array(task.contrasts)) for subject in table.subjects])
    chances = likelihood.probabilities(true, played)[:, : sessions * trials]
    return replace(table, subject=np.char.add(f"{model.name}, ", table.subject)), chances


def _separate(chances: np.ndarray, own: Fit, rival: Fit) -> float:
    """Expected margin of the true model over a fitted rival, in standard deviations."""
    other = rival.probabilities
    found = scipy.special.rel_entr(chances, other) + scipy.special.rel_entr(1 - chances, 1 - other)
    divergence, more = float(np.nansum(found)), len(own.parameters) - len(rival.parameters)
    if np.isinf(divergence):  # the rival excludes what the animal does
        return np.inf
    expected = divergence + len(own.parameters) / 2 - len(rival.parameters) - more / 2 * np.log(own.trials)
    return expected / np.sqrt(2 * max(divergence, 1e-12))
