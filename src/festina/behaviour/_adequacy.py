"""Does a model describe an animal at all? Tests of what a fit leaves over, and of animals simulated from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from festina.behaviour._fit import AT_BOUND, Fit, Replicates, fit_curves
from festina.behaviour._likelihood import Likelihood, stack
from festina.behaviour._model import bounds
from festina.behaviour._psychometric import design
from festina.behaviour._table import Table, check_table
from festina.checks import check

if TYPE_CHECKING:
    import pandas as pd

PARTS = 10
"""Parts of equally many sessions in which the curve is compared: enough to follow learning, with enough trials each."""

LEVEL = 0.05
"""Probability of rejecting the true model, over all tests together (Bonferroni)."""


FREE = 0.5
"""Share of a feature's variance that regression on the parameters has to leave. Directions that parameters explain by
more than half have little left to test, and the quadratic approximation of the likelihood is poor there. With all
directions a true REINFORCE learner of 2,000 trials is rejected in 28 % of animals."""


class Test(NamedTuple):
    """One test of a fit: its name, χ² with its degrees of freedom, p, and what it found in words.

    Example:
        >>> import festina as fs
        >>> fs.behaviour.Test("contrast", 4.0, 5, 0.55, "calibrated at every contrast").p
        0.55
    """

    name: str
    statistic: float
    freedom: int
    p: float
    words: str


@dataclass(frozen=True, eq=False, repr=False)
class Adequacy:
    """Whether a model describes an animal; made by ``check_fit``.

    Attributes:
        subject, model: what was fitted to what.
        tests: all tests, in a fixed order.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = rng.random(600) < np.where(contrast > 0, 0.8, 0.3)
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> fs.behaviour.check_fit(fs.behaviour.fit(table, "psychometric")["mouse"], table, draws=0).adequate
        True
    """

    subject: str
    model: str
    tests: tuple[Test, ...]

    @property
    def p(self) -> float:
        """The smallest p over the tests, times their number (Bonferroni); not a number for a fit that failed."""
        if not self.tests:
            return float("nan")
        return min(1.0, len(self.tests) * min(test.p for test in self.tests))

    @property
    def adequate(self) -> bool:
        """Whether no test rejects the model at 5 %, all tests together."""
        return self.p > LEVEL

    @property
    def reason(self) -> str:
        """Result of the clearest test, in words."""
        if not self.tests:
            return "the fit failed"
        # p underflows to zero for several: then the largest χ² per degree of freedom is the clearest
        return min(self.tests, key=lambda test: (test.p, -test.statistic / max(test.freedom, 1))).words

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        if self.adequate:
            return f"{self.model} describes {self.subject}: no test rejects it (p = {self.p:.2g})."
        return f"{self.model} does not describe {self.subject}: {self.reason}."

    def to_pandas(self) -> pd.DataFrame:
        """One row per test."""
        import pandas as pd

        rows = [{"subject": self.subject, "model": self.model, **test._asdict()} for test in self.tests]
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        return f"Adequacy({self.sentence})"


def check_fit(fit: Fit, table: Table, *, rivals: Sequence[Fit] = (), draws: int = 200, seed: int = 0) -> Adequacy:
    """Test whether a fitted model describes its animal at all, whatever other models do.

    Three tests ask whether the residuals of the choices depend on the contrast, on the part of the sessions (with the
    contrast on either side), or on the previous trial. Each is a score test with features h_t, probabilities p_t and
    derivatives g_t of the fitted logits. The score s = Σ h_t (y_t − p_t) has the covariance V = Σ p_t(1 − p_t) r_t
    r_tᵀ, where r_t is the residual of h_t after regression on g_t. Then χ² = sᵀ V⁻¹ s over the directions of which
    regression leaves at least half. Fitting the parameters is taken into account in this way. A fourth test compares
    the learning curve, the share of right choices and the share of switches with those of animals that are simulated
    from the fit. A fifth asks whether other models predict the residuals. For each rival, the features are its logits
    minus those of the fit, and the derivatives of its logits, which account for its own fitted parameters. The smallest
    p counts times the number of rivals.

    Args:
        fit: one result of ``fit``.
        table: the table it was fitted to.
        rivals: fits of other models to the same animal, for the fifth test.
        draws: simulated animals for the fourth test; 0 leaves it out.
        seed: the seed of the simulated animals.

    Raises:
        ValueError: something that is no fit or no table, or another table.

    Example:
        >>> import numpy as np, festina as fs
        >>> rng, contrast = np.random.default_rng(0), np.tile([-0.5, 0.5], 300)
        >>> right = np.repeat(rng.random(300) < 0.5, 2)  # every choice is made twice
        >>> rows = {"subject": ["mouse"] * 600, "session": np.repeat([1, 2, 3], 200), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": right, "reward": right == (contrast > 0)})
        >>> (found,) = fs.behaviour.fit(table, "psychometric")
        >>> fs.behaviour.check_fit(found, table, draws=0).adequate
        False

    Source: davidson1981.
    """
    table = check_table(table)
    check.instance("fit", fit, Fit, "one of the fits that fs.behaviour.fit(table) gives")
    draws, seed = check.whole("draws", draws, least=0), check.seed("seed", seed)
    for one in (fit, *check.listing("rivals", rivals, "fits of this animal")):
        check.instance("rivals", one, Fit, "fits of other models to the same animal")
        if one.subject != fit.subject:
            raise ValueError(
                f"rivals has a fit of {one.subject}; the fit is of {fit.subject}: give fits of one animal."
            )
        if len(one.probabilities) != int(np.sum(table.subject == one.subject)):
            own = table.select(one.subject)
            raise ValueError(f"table has {len(own)} trials of {one.subject}; the fit was made from another table.")
    return check_look(look_at(fit, table), table, [look_at(rival, table) for rival in rivals], draws, seed)


class Look(NamedTuple):
    """A fit, its logits (trials,) and their derivatives by the parameters that are not at a bound."""

    fit: Fit
    logit: np.ndarray
    slope: np.ndarray


def look_at(fit: Fit, table: Table) -> Look:
    """Quantities of a fit that its tests need."""
    own = table.select(fit.subject)
    if fit.failed or fit.recursion is None:
        found, at = np.zeros((len(own), len(fit.parameters))), 0
        for _, rows, values, _, free in () if fit.failed else fit_curves(own):
            found[rows, at : at + len(values)] = design(own.contrast[rows]) @ free
            at += len(values)
        return Look(fit, scipy.special.logit(fit.probabilities), found)
    likelihood = Likelihood(fit.recursion, len(table.contrasts))
    logit, slope = likelihood.slopes(fit.coordinates[None], stack([table.trials(fit.subject)]))
    low, high = bounds(fit.parameters)
    inside = (fit.coordinates > low + AT_BOUND) & (fit.coordinates < high - AT_BOUND)
    return Look(fit, logit[0, : len(own)], slope[0, : len(own), inside].T)


def check_look(look: Look, table: Table, rivals: Sequence[Look], draws: int, seed: int) -> Adequacy:
    """``check_fit`` where the derivatives are known."""
    fit, own = look.fit, table.select(look.fit.subject)
    if fit.failed:
        return Adequacy(fit.subject, fit.model, ())
    part = _parts(own)
    features = {"contrast": _by_contrast(own), "sessions": _by_part(own, part), "history": _history(own)}
    tests = [_score_test(name, own, fit.probabilities, look.slope, *of) for name, of in features.items()]
    # a curve per session has too many parameters to be a direction
    others = [one for one in rivals if one.fit.recursion is not None and not one.fit.failed]
    if others:
        tests.append(_follow(own, look, others))
    if draws:
        tests.append(_predict(own, part, fit.replicate(table, draws, seed)))
    return Adequacy(fit.subject, fit.model, tuple(tests))


def _follow(own: Table, look: Look, rivals: Sequence[Look]) -> Test:
    """Whether residuals follow what rivals predict, for the rival that they follow most."""
    tests = []
    for rival in rivals:
        features = np.column_stack([rival.logit - look.logit, rival.slope])
        size = np.linalg.norm(features[own.played], axis=0)
        features = features / np.where(size > 1e-6, size, np.inf)  # a rival may predict the same
        found = _score_test("rivals", own, look.fit.probabilities, look.slope, features, [rival.fit.model])
        tests.append(found._replace(p=min(1.0, len(rivals) * found.p)))
    return min(tests, key=lambda test: (test.p, -test.statistic))


def _parts(own: Table) -> np.ndarray:
    """The part of every trial: sessions in order, in parts of about equally many."""
    order = {session: n for n, session in enumerate(own.sessions(own.subjects[0]))}
    number = np.array([order[label] for label in own.session.tolist()])
    return number * min(PARTS, len(order)) // len(order)


def _by_contrast(own: Table) -> tuple[np.ndarray, list[str]]:
    levels = own.contrasts
    return (own.contrast[:, None] == levels).astype(float), [f"at contrast {level:g}" for level in levels]


def _by_part(own: Table, part: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """In each part: a constant, the contrast on the left, and on the right."""
    member = (part[:, None] == np.arange(part.max() + 1)).astype(float)
    x = design(own.contrast)
    names = [f"in part {k + 1} of {part.max() + 1} of the sessions" for k in range(part.max() + 1)] * 3
    return np.concatenate([member * x[:, [i]] for i in range(3)], axis=1), names


def _history(own: Table) -> tuple[np.ndarray, list[str]]:
    """The previous choice of the session (±1) where it was rewarded, and where it was not."""
    sign = np.where(own.played, 2.0 * own.right - 1, 0.0)
    before, won = np.zeros(len(own)), np.zeros(len(own))
    same = own.session[1:] == own.session[:-1]
    before[1:], won[1:] = np.where(same, sign[:-1], 0.0), np.where(same, own.reward[:-1], 0.0)
    return np.stack([before * won, before * (1 - won)], axis=1), ["rewarded", "unrewarded"]


def _score_test(
    name: str, own: Table, probabilities: np.ndarray, slope: np.ndarray, features: np.ndarray, words: list[str]
) -> Test:
    """χ² of the features, and the one that stands out most."""
    p = probabilities[own.played]
    weight = np.sqrt(np.maximum(p * (1 - p), 1e-24))
    h, g = features[own.played] * weight[:, None], slope[own.played] * weight[:, None]
    # regression with columns of one size: parameters have very different ones
    g = g / np.maximum(np.linalg.norm(g, axis=0), 1e-300)
    residual = (own.right[own.played] - p) / weight
    left, sizes, _ = np.linalg.svd(h, full_matrices=False)
    basis = left[:, sizes > 1e-8 * max(sizes[0], 1e-300)]
    rest = basis - g @ np.linalg.lstsq(g, basis, rcond=1e-10)[0]
    share, vectors = np.linalg.eigh(rest.T @ rest)
    free = share > FREE
    if not free.any():
        return Test(name, 0.0, 0, 1.0, "nothing is left to test")
    statistic, freedom = float(np.sum((residual @ rest @ vectors[:, free]) ** 2 / share[free])), int(free.sum())
    alone = h - g @ np.linalg.lstsq(g, h, rcond=1e-10)[0]
    size = np.linalg.norm(alone, axis=0)
    z = np.where(size**2 > FREE * np.sum(h**2, axis=0), residual @ alone / np.maximum(size, 1e-300), 0.0)
    most = int(np.argmax(np.abs(z)))
    if name == "history":
        said = f"choices depend on the previous {words[most]} choice (z = {z[most]:.1f})"
    elif name == "rivals":
        degrees = f"{freedom} degree{'s' if freedom > 1 else ''} of freedom"
        said = f"its errors follow the predictions of {words[0]} (χ² = {statistic:.0f} with {degrees})"
    elif name == "contrast":
        more = "more" if z[most] > 0 else "less"
        said = f"right is chosen {more} often than predicted {words[most]} (z = {z[most]:.1f})"
    else:
        said = f"the curve differs {words[most]} (χ² = {statistic:.0f} with {freedom} degrees of freedom)"
    return Test(name, statistic, freedom, float(scipy.special.chdtrc(freedom, statistic)), said)


def _predict(own: Table, part: np.ndarray, copies: Replicates) -> Test:
    """Learning curve, bias and switches of the animal among those of simulated animals.

    The statistic is the largest distance from their mean in standard deviations. p is the share of animals, this one
    included, that are at least as far.
    """
    right = np.concatenate([own.right[None], copies.right]).astype(float)[:, own.played]
    reward = np.concatenate([own.reward[None] > 0, copies.reward])[:, own.played].astype(float)
    member = (part[own.played] == np.arange(part.max() + 1)[:, None]).astype(float)
    member = member[member.sum(axis=1) > 0]
    share = (member / member.sum(axis=1, keepdims=True)).T
    switch = np.append(0.0, np.ones(right.shape[1] - 1)) * (right != np.roll(right, 1, axis=1))
    found = {
        "learning curve": reward @ share,
        "share of right choices": right @ share,
        "share of switches": switch @ share,
    }
    values = np.concatenate(list(found.values()), axis=1)
    middle, width = values[1:].mean(axis=0), np.maximum(values[1:].std(axis=0), 1e-6)
    away = np.abs(values - middle) / width
    far = away.max(axis=1)
    most = list(found)[int(np.argmax(away[0])) // share.shape[1]]
    p = float(np.mean(far >= far[0]))
    return Test(
        "predictive", float(far[0]), 1, p, f"simulated animals differ in their {most} ({far[0]:.1f} deviations)"
    )
