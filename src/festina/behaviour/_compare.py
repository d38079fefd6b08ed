"""Models side by side: likelihoods, criteria, and choices of sessions that were held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.behaviour._fit import STARTS, Fits, fit, fit_curves, gather
from festina.behaviour._likelihood import repeat
from festina.behaviour._model import ALL, LOGISTIC, check_names
from festina.behaviour._psychometric import design
from festina.behaviour._table import Table, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd


def compare_models(
    table: Table, models: Sequence[str] = ALL, *, lapse: str | None = None, folds: int = 5, starts: int = STARTS
) -> pd.DataFrame:
    """Which model does each animal follow? All models fitted to all animals, in one table.

    Cross-validation is by sessions: every ``folds``-th session is held out, the parameters are fitted to the choices of
    the others, and the held-out choices are predicted. Models that learn still see what happened in the held-out
    sessions, as the animal did; the curve of a held-out session is for ``"logistic"`` the mean of the curves of the
    nearest sessions before and after it.

    Args:
        table: from ``read_table``.
        models: names, as in ``fit``.
        lapse: as in ``fit``; ``"logistic"`` has none.
        folds: parts of the sessions, 2 or more; 0 leaves cross-validation out.
        starts: of each search.

    Returns:
        One row per animal and model: number of parameters, ``log_likelihood``, ``aic``, ``bic``, their distance from
        the best of the animal (``delta_aic``, ``delta_bic``), ``held_out`` (log-likelihood per held-out choice in nats,
        not a number for animals with choices in a single session) and ``best`` (smallest BIC).

    Raises:
        ValueError: as ``fit``; models that are not names of models.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = rng.random(600) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> compared = fs.behaviour.compare_models(table, ["q-learning", "logistic"])
        >>> compared[["model", "parameters"]].values.tolist()
        [['q-learning', 3], ['logistic', 6]]
    """
    import pandas as pd

    table = check_table(table)
    names = check_names("models", models, ALL)
    if not names:
        raise ValueError(f"models is empty; name at least one of {', '.join(ALL)}.")
    if check.whole("folds", folds, least=0) == 1:
        raise ValueError("folds is 1, which holds out every session; use 2 or more, or 0 for no cross-validation.")
    rows = []
    for name in names:
        found = fit(table, name, lapse=None if name == LOGISTIC else lapse, starts=starts)
        held = hold_out(table, found, folds) if folds else np.full(len(found), np.nan)
        rows += [
            {
                "subject": one.subject, "model": name, "parameters": len(one.parameters), "choices": one.trials,
                "log_likelihood": one.log_likelihood, "aic": one.aic, "bic": one.bic, "held_out": score,
            }
            for one, score in zip(found, held, strict=True)
        ]  # fmt: skip
    frame = pd.DataFrame(rows)
    for name in ("aic", "bic"):
        frame[f"delta_{name}"] = frame[name] - frame.groupby("subject")[name].transform("min")
    frame["best"] = frame["delta_bic"] == 0
    order = frame["subject"].map(table.subjects.index).argsort(kind="stable")
    return frame.iloc[order].reset_index(drop=True)


def hold_out(table: Table, fits: Fits, folds: int) -> np.ndarray:
    """Log-likelihood per held-out choice of every animal, all sessions having been held out once."""
    if fits[0].recursion is None:
        return np.array([_hold_out_curves(table, one.subject, folds) for one in fits])
    animals = gather(table, fits[0].recursion, fits[0].lapse)
    lanes, at, held = [], [], []
    for n, one in enumerate(fits):
        fold = _folds(table, one.subject, folds)
        played = np.asarray(animals.trials.played)[n]
        for k in np.unique(fold) if fold.max() > 0 else ():
            mask = np.zeros_like(played)
            mask[: len(fold)] = fold == k
            lanes.append(n)
            at.append(one.coordinates)
            held.append(mask * played)
    score = np.full(len(fits), np.nan)
    if not lanes:
        return score
    which, out = np.array(lanes), np.stack(held)
    kept = np.asarray(animals.trials.played)[which] * (1 - out)
    found = animals.search(np.stack(at), which, counted=kept)
    value = animals.likelihood.evaluate(found.coordinates, repeat(animals.trials, which)._replace(counted=out)).value
    for n in np.unique(which):
        score[n] = value[which == n].sum() / out[which == n].sum()
    return score


def _folds(table: Table, subject: str, folds: int) -> np.ndarray:
    """Fold of every trial: sessions with a choice in turn; the others hold nothing that could be held out."""
    own = table.select(subject)
    made = set(own.session[own.played].tolist())
    order = {session: n for n, session in enumerate(s for s in own.sessions(subject) if s in made)}
    return np.array([order.get(label, 0) % folds for label in own.session.tolist()])


def _hold_out_curves(table: Table, subject: str, folds: int) -> float:
    own = table.select(subject)
    curves = [(rows, free @ found) for _, rows, found, _, free in fit_curves(own)]
    if len(curves) < 2:
        return float("nan")
    total = count = 0.0
    for n, (rows, _) in enumerate(curves):
        kept = [i for i in range(len(curves)) if i % folds != n % folds]
        near = [max((i for i in kept if i < n), default=None), min((i for i in kept if i > n), default=None)]
        z = design(own.contrast[rows]) @ np.mean([curves[i][1] for i in near if i is not None], axis=0)
        total -= np.logaddexp(0, np.where(own.right[rows], -z, z)).sum()
        count += rows.sum()
    return float(total / count)
