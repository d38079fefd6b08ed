"""A claim: a sentence, the measurement that decides it, and the verdict."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np

from festina import Trajectory, compare
from festina.papers.chance import Worst, area, mean, resampled, two_networks
from festina.papers.format import number, word
from festina.papers.results import Results

C = TypeVar("C")
Status = Literal["holds", "fails", "open"]
Kind = Literal["paper", "other paper", "extension", "identity"]

DOCUMENTS = ("jarvis2025", "vanrossem2024", "saxe_lecture")
"""The source documents: two papers, the first with its slides, and a lecture. Every part of them is covered."""

KINDS: dict[Kind, str] = {
    "paper": "claims of the source documents",
    "other paper": "claims of other papers, selected by us: those that the source documents build on, and later ones",
    "extension": "questions of our own",
    "identity": "true by construction: checks of the code",
}
"""Verdicts of a claim, in the order in which they are counted."""

SYMBOLS: dict[Status, str] = {"holds": "✓", "fails": "✗", "open": "?"}
RELATIONS = {"<=": "≤", ">=": "≥"}
ERRORS = 2.0
"""A verdict is open if the bound is within this number of standard errors."""


class Chosen(NamedTuple):
    """The predictor that was chosen among several by its number."""

    name: str
    value: float


@dataclass(frozen=True)
class Baseline(Generic[C]):
    """A simple predictor, or a noise floor, that a measured number is compared with.

    Args:
        name: what it is, in a phrase; numbers of the settings as in the statement of a claim.
        measure: computes it from the curves: a number, or the one of several predictors that was ``Chosen``.
    """

    name: str
    measure: Callable[[C], float | Chosen]


@dataclass(frozen=True)
class Verdict:
    """The result of a claim.

    Attributes:
        name, kind, bound, relation, expected: those of the claim; a bound that is computed has its value.
        statement: the claim, understandable on its own, with the numbers of the settings it was decided at.
        measured: the number that decides it.
        error: standard error of that number over seeds; 0 if there is none.
        status: ``"holds"``, ``"fails"`` or ``"open"``.
        baseline: the number of a simple predictor, if there is one.
        worst_of: number of networks of which the number is the worst; 0 where it is not the worst of networks.
        chosen: which of several predictors the baseline is; empty if there is one alone.
        floor: the same measure between two networks that differ in their seed alone, if there is one.
    """

    name: str
    kind: Kind
    statement: str
    measured: float
    error: float
    bound: float
    relation: str
    status: Status
    expected: Status
    baseline: float | None = None
    worst_of: int = 0
    chosen: str = ""
    floor: float | None = None

    @property
    def contradicts(self) -> bool:
        """Whether the verdict contradicts the expected one: one of the two holds and the other fails."""
        return contradict(self.status, self.expected)

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {name: plain(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class Claim(Generic[C]):
    """A sentence, and the measurement that decides it.

    Args:
        name: a short identifier.
        statement: the claim as a sentence that is understandable on its own; what is measured stands in parentheses.
            ``{s.name}`` stands for a number of the settings, so that the sentence is true at other settings too;
            formats of Python may follow (``{s.trials:,}``); ``{s.items:word}`` writes a small number as a word and
            ``{s.names:count}`` how many there are of a tuple; ``{s.scales[-1]}`` is its last.
        measure: from the curves, a number; or a number and its standard error over seeds; or the ``Worst`` of seeds.
        bound: the claim holds when measured ``relation`` bound; a number, or computed from the curves.
        relation: ``"<="`` or ``">="``.
        kind: ``"paper"`` for a sentence of a paper, ``"extension"`` for a question of our own, ``"identity"`` for what
            is true by construction and only checks the code. A paper that is not one of the source documents makes
            it an ``"other paper"``.
        source: key of the paper and the section, figure or equation; for an extension what it builds on.
        reason: where the bound comes from: the paper's number, a noise floor, a baseline, a conventional threshold.
        expected: the expected verdict.
        baseline: a simple predictor to compare the number with: what it is, and its measurement.
        floor: the noise floor of an agreement, the same measure between two networks, or two draws of the data, that
            differ in their seed alone: what they are, and its measurement. Not finite if there is one network only.

    With a standard error the verdict is open when the bound is within two of them.
    """

    name: str
    statement: str
    measure: Callable[[C], float | tuple[float, float] | Worst]
    bound: float | Callable[[C], float]
    relation: Literal["<=", ">="] = "<="
    kind: Kind = "paper"
    source: str = ""
    reason: str = ""
    expected: Status = "holds"
    baseline: Baseline[C] | tuple[str, Callable[[C], float | Chosen]] | None = None
    floor: Baseline[C] | tuple[str, Callable[[C], float]] | None = None

    def __post_init__(self) -> None:
        for name in ("baseline", "floor"):
            given = getattr(self, name)
            if isinstance(given, tuple):
                object.__setattr__(self, name, Baseline(*given))
        if self.kind == "paper" and not any(key in self.source for key in DOCUMENTS):
            object.__setattr__(self, "kind", "other paper")

    def decide(self, curves: C) -> Verdict:
        """Measure and decide; a measurement that is not finite leaves the claim open."""
        found = self.measure(curves)
        worst_of = found.seeds if isinstance(found, Worst) else 0
        if isinstance(found, Worst):
            found = found.value
        measured, error = found if isinstance(found, tuple) else (found, 0.0)
        bound = self.bound(curves) if callable(self.bound) else self.bound
        status = verdict(measured, error, bound, self.relation)
        (chosen, beside), (_, floor) = _measured(self.baseline, curves), _measured(self.floor, curves)
        numbers = {"measured": float(measured), "error": float(error), "bound": float(bound), "baseline": beside}
        about = {"status": status, "worst_of": worst_of, "chosen": chosen, "floor": floor}
        return replace(self.undecided(getattr(curves, "settings", None)), **numbers, **about)

    def undecided(self, settings: object) -> Verdict:
        """The open verdict of a claim that could not be measured."""
        nan, said = math.nan, fill(self.statement, settings)
        return Verdict(self.name, self.kind, said, nan, 0.0, nan, self.relation, "open", self.expected)


def verdict(measured: float, error: float, bound: float, relation: str) -> Status:
    """Verdict of a number and its standard error on a bound; a number that is not finite leaves the claim open."""
    margin = bound - measured if relation == "<=" else measured - bound
    if not math.isfinite(measured) or abs(margin) < ERRORS * error:
        return "open"
    return "holds" if margin >= 0 else "fails"


def contradict(status: Status, expected: Status) -> bool:
    """Whether two verdicts contradict each other. An open one contradicts none: seeds or rounding may decide it."""
    return {status, expected} == {"holds", "fails"}


def fill(text: str, settings: object) -> str:
    """A text with the numbers of the settings where ``{s.name}`` stands; other braces are left as they are.

    Example:
        >>> from types import SimpleNamespace
        >>> from festina.papers.claims import fill
        >>> fill("After {s.trials:,} trials in {s.rooms:word} rooms {1}.", SimpleNamespace(trials=12000, rooms=3))
        'After 12,000 trials in three rooms {1}.'
    """

    def told(found: re.Match[str]) -> str:
        value: Any = getattr(settings, found["name"])
        for index in re.findall(r"-?\d+", found["indices"]):
            value = value[int(index)]
        form = found["form"] or ""
        if form in ("word", "count"):
            return word(len(value) if form == "count" else value)
        return format(value, form) if form or isinstance(value, int) else number(value)

    return re.sub(r"\{s\.(?P<name>\w+)(?P<indices>(\[-?\d+\])*)(:(?P<form>[^{}]*))?\}", told, text)


def _measured(beside: object, curves: object) -> tuple[str, float | None]:
    """Which of several predictors was chosen, and its number; None if there is nothing to compare with."""
    if not isinstance(beside, Baseline):
        return "", None
    found = beside.measure(curves)
    chosen, number = found if isinstance(found, Chosen) else ("", found)
    return chosen, float(number)


def plain(value: object) -> Any:
    """Arrays, tuples and numbers as JSON has them; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def claim(
    source: str,
    *,
    at_most: float | Callable[[Any], float] | None = None,
    at_least: float | Callable[[Any], float] | None = None,
    because: str,
    name: str = "",
    kind: Kind = "paper",
    expected: Status = "holds",
    baseline: tuple[str, Callable[[Any], float | Chosen]] | None = None,
    floor: tuple[str, Callable[[Any], float]] | None = None,
    measure: Callable[[Any], float | tuple[float, float] | Worst] | None = None,
) -> Callable[[Callable[[Any], Any]], Claim[Any]]:
    """Make a claim of the function below: its docstring is the statement, what it returns is measured.

    Args:
        source: key of the paper and the section, figure or equation; for an extension what it builds on.
        at_most, at_least: the bound, one of them: a number, or a function of the results.
        because: the reason for the bound.
        name: identifier; by default the name of the function with spaces for underscores.
        kind, expected, baseline, floor: as in ``Claim``.
        measure: what is measured, where several claims share it; the function then has its docstring alone.

    Example:
        >>> from festina.papers import Results, claim
        >>> @claim("saxe2014 eq. (9)", at_most=0.05, because="5 %, a conventional tolerance")
        ... def half_time(c):
        ...     '''The closed form predicts when a network is half trained (relative error).'''
        ...     return c.error
        >>> half_time.name, half_time.decide(Results(None, error=0.01)).status
        ('half time', 'holds')
    """
    bound, relation = (at_most, "<=") if at_least is None else (at_least, ">=")
    if bound is None or (at_most is not None and at_least is not None):
        raise ValueError("a claim needs at_most or at_least: one bound.")

    def made(said: Callable[[Any], Any]) -> Claim[Any]:
        statement = " ".join((said.__doc__ or "").split())
        called = name or said.__name__.strip("_").replace("_", " ")
        return Claim(
            called, statement, measure or said, bound, relation, kind, source, because, expected, baseline, floor
        )  # pyright: ignore[reportArgumentType]

    return made


extension = partial(claim, kind="extension")
"""Make a claim of the function below that is a question of our own; arguments as those of ``claim``."""


def areas(of: Trajectory, to: Trajectory) -> tuple[float, float]:
    """Area between the loss curves of two trajectories, network by network: mean and standard error over networks."""
    return mean(compare(of, to).areas)


def area_of_means(of: Trajectory, to: Trajectory, *, over: Trajectory | None = None) -> tuple[float, float]:
    """Area between the mean loss curves of two trajectories and its bootstrap error over the networks of both.

    With ``over`` it is the ratio to the area between that trajectory and ``to``. A trajectory that has no seeds, or
    one, is what it is; those with as many seeds as each other are drawn in pairs.
    """
    paths = [path for path in (to, of, over) if path is not None]
    drawn = [path for path in paths if path.seeds is not None and len(path.seeds) > 1]

    def found(*losses: np.ndarray) -> float:
        second, *firsts = (losses[drawn.index(path)] if path in drawn else path.mean().loss for path in paths)
        areas = [area(to.times, first, second) for first in firsts]
        return areas[0] if over is None else areas[0] / areas[1]

    return resampled(found, *(path.loss for path in drawn)) if drawn else (found(), 0.0)


def apart(name: str) -> tuple[str, Callable[[Any], float]]:
    """The noise floor of an agreement of loss curves: the area between two networks of the trajectory of that name."""

    def measure(c: Results) -> float:
        path = c.get(name)
        return two_networks(path.times, path.loss)

    return "two networks", measure
