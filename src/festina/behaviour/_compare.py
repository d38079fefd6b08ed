"""Models side by side: does any describe the animal, which does best, and could another have been mistaken for it?"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from festina.behaviour._adequacy import Adequacy, check_look, look_at
from festina.behaviour._fit import STARTS, Animals, Fit, Fits, fit, fit_curves, gather
from festina.behaviour._likelihood import repeat
from festina.behaviour._model import ALL, DEEP, LOGISTIC, Model, check_models
from festina.behaviour._psychometric import design
from festina.behaviour._table import Table, Trial, check_table
from festina.checks import check
from festina.runtime.processor import cores

if TYPE_CHECKING:
    import pandas as pd

CHECKED = 100
"""Simulated animals for the predictive test of a fit."""

RARELY = 0.05
"""Share of a rival's animals that may be taken for those of a model that is named without reserve."""


ENOUGH = 0.05
"""Gain in log-likelihood at which a search for a comparison ends: models differ by much more."""

FIRST, SURE = 7, RARELY / 5
"""Simulated animals after which no more are needed, and the probability, from their mean and spread, that another one
is mistaken below which that is so. Seven of each of nine rivals are computed side by side."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Models side by side; made by ``compare_models``.

    Attributes:
        frame: one row per animal and model. First whether the model describes the animal: ``describes``, ``p``
            (all tests together) and ``finding``, what the clearest test found. Then ``parameters`` and ``choices``,
            their numbers, ``log_likelihood``, ``aic``, ``bic``, their distance from the best of the animal
            (``delta_aic``, ``delta_bic``), ``held_out`` (log-likelihood per held-out choice in nats, not a number for
            animals with choices in a single session), ``best`` (smallest BIC), and ``failed``, why a fit failed.
        confusion: one row per animal and rival of the model that describes it best: the share of animals simulated from
            the rival's fit on which that model has the smaller BIC: ``mistaken``; and how many ``animals`` these were,
            fewer where the first ones left no doubt.
        fits, checks: what the frame was made from, by model.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = rng.random(600) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> compared = fs.behaviour.compare_models(table, ["q-learning", "psychometric"], confusion=0)
        >>> compared.sentences["mouse"]
        'mouse is described best by q-learning.'
    """

    frame: pd.DataFrame
    confusion: pd.DataFrame
    fits: dict[str, Fits]
    checks: dict[str, tuple[Adequacy, ...]]

    @property
    def sentences(self) -> dict[str, str]:
        """The verdict on every animal, in words."""
        return {subject: judge(subject, self.frame, self.confusion) for subject in dict.fromkeys(self.frame["subject"])}

    def __repr__(self) -> str:
        return "\n".join(self.sentences.values())


def judge(subject: str, frame: pd.DataFrame, confusion: pd.DataFrame) -> str:
    """Conclusions about an animal: whether any model describes it, which does best, and whether that is certain."""
    rows: Any = frame[frame["subject"] == subject]
    if rows["bic"].isna().all():
        return f"No model here could be fitted to {subject}."
    first = rows.loc[rows["bic"].idxmin()]
    described = rows[rows["describes"]]
    if not len(described):
        return f"No model here describes {subject}: {first['finding']} ({first['model']}, the best by BIC)."
    best = str(described.loc[described["bic"].idxmin(), "model"])
    deep = best.split(" + ", maxsplit=1)[0] in DEEP
    said, not_shown = f"{subject} is described best by {best}", "; depth is not shown" if deep else ""
    if best != first["model"]:
        return f"{said}; {first['model']} has a smaller BIC but is rejected: {first['finding']}{not_shown}."
    rivals: Any = confusion[(confusion["subject"] == subject) & (confusion["model"] == best)]
    if not len(rivals):
        return f"{said}{not_shown}, since no rivals were simulated." if deep else f"{said}."
    worst = rivals.loc[rivals["mistaken"].idxmax()]
    if worst["mistaken"] >= RARELY:
        return (
            f"{said}, but {worst['rival']} is taken for it in {worst['mistaken']:.0%} of animals like this{not_shown}."
        )
    learns = ": it learns as a deep network" if deep else ""
    return f"{said}{learns}. None of {len(rivals)} rivals is taken for it in {RARELY:.0%} of animals like this."


def compare_models(
    table: Table,
    models: Sequence[str | Model] = ALL,
    *,
    folds: int = 5,
    starts: int = STARTS,
    confusion: int = 20,
    seed: int = 0,
) -> Comparison:
    """Does any model describe each animal, and which does best? All models fitted to all animals, and tested.

    Every fit is first tested (``check_fit``), also in the directions of the other models. Cross-validation is by
    sessions: every ``folds``-th session is held out, the parameters are fitted to the choices of the others, and the
    held-out choices are predicted. Models that learn still see the events of the held-out sessions, as the animal did.
    The ``"logistic"`` curve of a held-out session is the mean of the curves of the nearest sessions. Last, animals are
    simulated from the fit of every other model, on this animal's stimuli. For each it is counted how often the best
    model has a smaller BIC than the model that was simulated.

    Args:
        table: from ``read_table``.
        models: names, as in ``fit``, or models of your own.
        folds: parts of the sessions, 2 or more; 0 leaves cross-validation out.
        starts: starts of each search.
        confusion: most animals simulated from every rival of an animal's best model; 0 leaves it out. Only after this
            is an animal called deep without reservation.
        seed: the seed of simulated animals.

    Raises:
        ValueError: as ``fit``; models that are not models.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = rng.random(600) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> compared = fs.behaviour.compare_models(table, ["q-learning", "logistic"], confusion=0)
        >>> compared.frame[["model", "parameters"]].values.tolist()
        [['q-learning', 3], ['logistic', 6]]

    Source: wilson2019.
    """
    import pandas as pd

    table = check_table(table)
    chosen = check_models("models", models)
    confusion, seed = check.whole("confusion", confusion, least=0), check.seed("seed", seed)
    if check.whole("folds", folds, least=0) == 1:
        raise ValueError("folds is 1, which holds out every session; use 2 or more, or 0 for no cross-validation.")

    def examine(subject: str) -> list[Adequacy]:
        looks = [look_at(of[subject], table) for of in fits.values()]
        return [check_look(one, table, [r for r in looks if r is not one], CHECKED, seed) for one in looks]

    with ThreadPoolExecutor(cores()) as pool:
        found = pool.map(lambda model: fit(table, model, starts=starts), chosen.values())
        fits: dict[str, Fits] = dict(zip(chosen, found, strict=True))
        checks = dict(zip(chosen, zip(*pool.map(examine, table.subjects), strict=True), strict=True))
        scores = list(pool.map(lambda of: hold_out(table, of, folds), fits.values()))
    rows = []
    for name, held in zip(chosen, scores, strict=True):
        rows += [
            {
                "subject": one.subject, "model": name, "describes": tested.adequate, "p": tested.p,
                "finding": "" if tested.adequate else tested.reason,
                "parameters": len(one.parameters), "choices": one.trials,
                "log_likelihood": one.log_likelihood, "aic": one.aic, "bic": one.bic, "held_out": score,
                "failed": one.messages[0] if one.failed else "",
            }
            for one, tested, score in zip(fits[name], checks[name], held, strict=True)
        ]  # fmt: skip
    frame = pd.DataFrame(rows)
    for name in ("aic", "bic"):
        frame[f"delta_{name}"] = frame[name] - frame.groupby("subject")[name].transform("min")
    frame["best"] = frame["delta_bic"] == 0
    order = frame["subject"].map(table.subjects.index).argsort(kind="stable")
    frame = frame.iloc[order].reset_index(drop=True)
    with ThreadPoolExecutor(cores()) as pool:
        asked = table.subjects if confusion else ()
        found = pool.map(lambda subject: confuse(table, subject, frame, fits, draws=confusion, seed=seed), asked)
        mistaken = [row for rows in found for row in rows]
    return Comparison(frame, pd.DataFrame(mistaken, columns=list(CONFUSED)), fits, checks)


CONFUSED = ("subject", "model", "rival", "mistaken", "animals")


def confuse(
    table: Table, subject: str, frame: pd.DataFrame, fits: dict[str, Fits], *, draws: int, seed: int
) -> list[dict[str, str | float]]:
    """How often the best model that describes an animal is mistaken for each rival, simulated from the rival's fit."""
    rows: Any = frame[(frame["subject"] == subject) & frame["describes"] & (frame["model"] != LOGISTIC)]
    if not len(rows):
        return []
    best = fits[str(rows.loc[rows["bic"].idxmin(), "model"])][subject]
    rivals = {name: of[subject] for name, of in fits.items() if name != best.model}
    rivals = {name: one for name, one in rivals.items() if one.recursion is not None and not one.failed}
    mistaken = zip(rivals, _mistake(table, list(rivals.values()), best, draws, seed), strict=True)
    told = {"subject": subject, "model": best.model}
    return [{**told, "rival": name, "mistaken": share, "animals": count} for name, (share, count) in mistaken]


def _mistake(table: Table, truths: list[Fit], model: Fit, draws: int, seed: int) -> list[tuple[float, int]]:
    """For each of several models, the share of animals simulated from its fit on which another model has the smaller
    BIC, and their number.

    Models are refitted from this animal's own fits. The first few animals of all models are fitted together. They are
    enough where the other model is far behind even the true parameters, which are no better than the true model's own
    maximum.
    """
    if not truths:
        return []
    own = replace(table.select(model.subject), notes=())
    *sources, source = [gather(own, one.recursion) for one in (*truths, model) if one.recursion is not None]
    uniform = np.random.default_rng([seed, draws]).random((draws, source.trials.left.shape[1]))
    few = min(draws, FIRST)

    def bic(one: Fit, value: np.ndarray) -> np.ndarray:
        return len(one.parameters) * np.log(one.trials) - 2 * value

    def refit(of: Animals, one: Fit, trials: Trial) -> np.ndarray:
        start = np.tile(one.coordinates, (len(trials.left), 1))
        found = replace(of, trials=trials).search(start, np.arange(len(start)), enough=ENOUGH)
        return bic(one, found.found.value)

    made = []
    for of, truth in zip(sources, truths, strict=True):
        at, same = np.tile(truth.coordinates, (draws, 1)), repeat(of.trials, np.zeros(draws, dtype=int))
        made.append(of.likelihood.simulate(at, same, uniform))

    def others(which: Sequence[int], lanes: np.ndarray) -> np.ndarray:
        """BIC of the other model on these animals of several models, fitted side by side."""
        parts = [repeat(made[n], lanes) for n in which]
        together = Trial(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        return refit(source, model, together).reshape(len(which), -1)

    def true(n: int, lanes: np.ndarray) -> np.ndarray:
        at = np.tile(truths[n].coordinates, (len(lanes), 1))
        return bic(truths[n], sources[n].likelihood.evaluate(at, repeat(made[n], lanes)).value)

    first, rest = np.arange(few), np.arange(few, draws)
    bics = dict(enumerate(others(range(len(truths)), first)))
    near = [n for n in bics if not len(rest) or not _is_far(bics[n] - true(n, first))]
    if near and len(rest):
        bics |= {n: np.append(bics[n], more) for n, more in zip(near, others(near, rest), strict=True)}
    found = dict.fromkeys(bics, (0.0, few))
    for n in near:
        # the true model's own maximum is needed only where the other one is better than the true parameters
        close = np.flatnonzero(bics[n] < true(n, np.arange(draws)))
        own_bic = refit(sources[n], truths[n], repeat(made[n], close)) if len(close) else np.array([])
        found[n] = float(np.sum(bics[n][close] < own_bic) / draws), draws
    return list(found.values())


def _is_far(behind: np.ndarray) -> bool:
    """Whether another animal like these is surely not mistaken, by how far the other model is behind on each."""
    count = len(behind)
    if count < 2:
        return False
    away = behind.mean() / max(float(behind.std(ddof=1)) * np.sqrt(1 + 1 / count), 1e-300)
    return bool(scipy.special.stdtr(count - 1, -away) < SURE)


def hold_out(table: Table, fits: Fits, folds: int) -> np.ndarray:
    """Log-likelihood per held-out choice of every animal, all sessions having been held out once; no fold is none."""
    if not folds:
        return np.full(len(fits), np.nan)
    if fits[0].recursion is None:
        return np.array([_hold_out_curves(table, one.subject, folds) for one in fits])
    animals = gather(table, fits[0].recursion)
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
    trials = repeat(animals.trials, which)
    kept = replace(animals, trials=trials._replace(counted=trials.played * (1 - out)))
    found = kept.search(np.nan_to_num(np.stack(at)), np.arange(len(which)), enough=ENOUGH)
    value = animals.likelihood.evaluate(found.coordinates, trials._replace(counted=out)).value
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
