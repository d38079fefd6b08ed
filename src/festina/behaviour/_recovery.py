"""Recovery: do fits find the parameters, and the model, that simulated animals really have?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina import _check
from festina.behaviour._animals import MODELS, check_model
from festina.behaviour._fit import STARTS, fit
from festina.behaviour._likelihood import Likelihood, stack
from festina.behaviour._model import Parameter, Trial, check_lapse
from festina.behaviour._network import Decider, check_task
from festina.behaviour._select import ALL, compare_models
from festina.behaviour._table import Table
from festina.behaviour._task import DecisionTask

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
    stacked = stack([Trial(left[n], right[n], level[n], side[n], always, always, always) for n in range(count)])
    made = likelihood.simulate(coordinates, stacked, rng.random(stacked.left.shape))
    chose, reward = (np.asarray(column)[:, :length] for column in (made.chose_right, made.reward))
    return Table(
        subject=np.repeat([f"animal {n}" for n in range(count)], length),
        session=np.tile(np.repeat(np.arange(1, sessions + 1), trials), count).astype(str),
        contrast=contrast.ravel(),
        right=chose.ravel() > 0,
        reward=reward.ravel(),
        played=np.ones(count * length, dtype=bool),
    )


def draw_coordinates(
    parameters: tuple[Parameter, ...], count: int, seed: int, ranges: Mapping[str, tuple[float, float]] | None = None
) -> np.ndarray:
    """Coordinates of animals, uniform over the range of each parameter: the one given, or the typical one."""
    given = {} if ranges is None else ranges
    _check.instance("ranges", given, Mapping, "a dictionary from names to the smallest and the largest value, or None")
    for name, ends in given.items():
        if np.shape(ends) != (2,) or not ends[0] <= ends[1]:
            raise ValueError(f"ranges has {ends!r} for {name}; give the smallest and the largest value.")
    ends = np.array([[float(p.coordinate(v)) for v in given.get(p.name, p.typical)] for p in parameters])
    unit = np.random.default_rng([seed, 1]).random((count, len(parameters)))
    return ends[:, 0] + unit * (ends[:, 1] - ends[:, 0])


def recover_parameters(
    model: str | Decider = "tutor-executor",
    *,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    animals: int = 100,
    sessions: int = 50,
    trials: int = TRIALS,
    lapse: str | None = None,
    level: float = 0.9,
    task: DecisionTask | None = None,
    starts: int = STARTS,
    seed: int = 0,
) -> pd.DataFrame:
    """Fit animals whose parameters are known, and see how often the intervals hold them.

    The parameters of animals are drawn uniformly from ranges (in the coordinate in which they are fitted), their
    choices are simulated, and they are fitted as ``fit`` would fit any animal.

    Args:
        model, lapse, starts: as in ``fit``, without ``"logistic"``.
        ranges: smallest and largest value of parameters, by name; others have the typical range of the model.
        animals: number of simulated animals.
        sessions, trials: sessions per animal and trials per session.
        level: of the intervals.
        task: what is shown; None is ``DecisionTask()``.
        seed: of parameters, stimuli and choices.

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
    check_lapse(lapse)
    seed = _check.seed("seed", seed)
    likelihood = Likelihood(check_model(model), lapse, len(task.contrasts))
    true = draw_coordinates(likelihood.parameters, _check.whole("animals", animals), seed, ranges)
    table = simulate_animals(
        likelihood, true, task, _check.whole("sessions", sessions), _check.whole("trials", trials), seed
    )
    rows = []
    for one, at in zip(fit(table, likelihood.model, lapse=lapse, starts=starts), true, strict=True):
        intervals = one.intervals(level)
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


def _named(argument: str, name: object, names: Iterable[str]) -> str:
    return _check.known(argument, name if isinstance(name, str) else repr(name), names)


def recover_models(
    models: Sequence[str] = tuple(MODELS),
    *,
    candidates: Sequence[str] = ALL,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    animals: int = 10,
    sessions: Sequence[int] = (50,),
    trials: int = TRIALS,
    task: DecisionTask | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """Simulate animals of every model, fit all candidates to each, and see which wins by BIC.

    Args:
        models: that generate animals.
        candidates: that are fitted to them.
        ranges: as in ``recover_parameters``, for all models that have such a parameter.
        animals: per model.
        sessions: numbers of sessions to try: how many trials are needed to tell the models apart.
        trials, task, seed: as in ``recover_parameters``.

    Returns:
        The confusion matrix in long form: one row per number of choices, true model and winner, with ``share`` of
        animals (``frame.pivot_table("share", "true", "winner")``).

    Raises:
        ValueError: as ``fit``; counts that are none.

    Example:
        >>> import festina as fs
        >>> found = fs.behaviour.recover_models(["q-learning"], candidates=["q-learning"], animals=2, sessions=(1,))
        >>> found[["choices", "true", "winner", "share"]].values.tolist()
        [[240, 'q-learning', 'q-learning', 1.0]]
    """
    import pandas as pd

    task = DecisionTask() if task is None else check_task(task)
    trials, seed = _check.whole("trials", trials), _check.seed("seed", seed)
    candidates = [
        _named("candidates", name, ALL) for name in _check.listing("candidates", candidates, "names of models")
    ]
    rows = []
    for name in [_named("models", name, MODELS) for name in _check.listing("models", models, "names of models")]:
        likelihood = Likelihood(check_model(name), None, len(task.contrasts))
        true = draw_coordinates(likelihood.parameters, _check.whole("animals", animals), seed, ranges)
        for count in _check.listing("sessions", sessions, "whole numbers"):
            table = simulate_animals(likelihood, true, task, _check.whole("sessions", count), trials, seed)
            found = compare_models(table, candidates, folds=0)
            won = found.loc[found["best"], "model"].tolist()
            rows += [
                {"choices": count * trials, "true": name, "winner": one, "share": won.count(one) / animals}
                for one in candidates
            ]
    return pd.DataFrame(rows)
