"""Findings about a network: plain data, and sentences that a person can quote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

OFTEN, RARELY = 0.8, 0.2
"""On-rates from which a module counts as on, and up to which as off, for a group of data points."""

ALIKE = 0.05
"""Range of on-rates within which all groups count as treated alike."""

HALF = 0.5
"""Share of what the best linear map leaves that fitted modules have to explain."""

NEARLY_LINEAR = 0.02
"""Error of the best linear map below which a network counts as nearly linear on its data."""

NOTHING_MORE = 0.005
"""Share of what the best linear map leaves up to which modules count as explaining nothing of it."""

MAX_LISTED = 5
"""Groups that a sentence lists."""

SHOWN = 64
"""Data points up to which a gate is printed point by point."""


class Plain:
    """A dataclass that can be written as plain data: ``LARGE`` fields are left out, ``DERIVED`` properties added."""

    LARGE: ClassVar[tuple[str, ...]] = ()
    DERIVED: ClassVar[tuple[str, ...]] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain data, without arrays as large as the data."""
        names = [each.name for each in fields(self) if each.name not in self.LARGE]  # pyright: ignore[reportArgumentType]
        return {name: _plain(getattr(self, name)) for name in (*self.DERIVED, *names)}


def _plain(value: object) -> object:
    if isinstance(value, Plain):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@dataclass(frozen=True, eq=False)
class Direction(Plain):
    """One singular vector pair of a module's map: reading ``features``, it writes ``outputs``.

    Attributes:
        strength: singular value.
        features: names of the inputs that weigh most, with their weights.
        outputs: names of the outputs that weigh most, with their weights.

    Example:
        >>> import festina as fs
        >>> fs.explanation.Direction(2.0, (("left", 0.8),), (("yes", 1.0),)).to_json()
        {'strength': 2.0, 'features': [['left', 0.8]], 'outputs': [['yes', 1.0]]}
    """

    strength: float
    features: tuple[tuple[str, float], ...]
    outputs: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class ExplainedModule(Plain):
    """Units that are on together, and what they do. Everything is measured on the network itself, not on an imitation.

    Attributes:
        number: from 1, in order of the loss without the module.
        units: the numbers of its units (channels, of a convolution).
        share: their part of the layer's contribution Σ_j |∂ŷ/∂a_j|·|a_j|.
        gate: where it is on, per data point of the sample: units with more than half of its contribution are on; for a
            convolution the share of positions.
        on_rates: mean gate by group of data points.
        adds: by group and output, how much higher the output is with the module than with its units silent.
        effect: root mean square of that change over all points.
        loss_without, accuracy_without, margin_without: of the network with the module's units silent.
        separates: pairs of classes (a, b, margin): how much the module raises the output of the right one over the
            other, mean over the points of both; largest first.
        confuses: (class, taken for, share before, share without): the confusions that silencing adds most of.
        map: (outputs, inputs): derivative of the outputs by the inputs through the module's units, mean over points
            where it is on; for a convolution (1, patch): the pattern to which its channels respond most alike.
        directions: the strongest singular vectors of the map, named.
        examples: data points (numbers in x) at which it changes the outputs most.
        active_at: first checkpoint time at which it contributes half of the most it ever does.
        contributions: at each checkpoint, mean over its units' summed contribution.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
        >>> [module.units.tolist() for module in found.modules]
        [[1], [0]]
    """

    LARGE: ClassVar = ("gate", "map")
    DERIVED: ClassVar = ("on_rate",)

    number: int
    units: np.ndarray
    share: float
    gate: np.ndarray
    on_rates: np.ndarray
    adds: np.ndarray
    effect: float
    loss_without: float
    accuracy_without: float | None
    margin_without: float | None
    separates: tuple[tuple[str, str, float], ...]
    confuses: tuple[tuple[str, str, float, float], ...]
    map: np.ndarray
    directions: tuple[Direction, ...]
    examples: np.ndarray
    active_at: float
    contributions: np.ndarray

    @property
    def on_rate(self) -> float:
        """Mean gate."""
        return float(self.gate.mean())

    def sentence(self, kind: str = "units", groups: Sequence[str] = ()) -> str:
        """Function of the module, in one sentence.

        Args:
            kind: what its members are called, ``"units"`` or ``"channels"``.
            groups: names of the groups of data points.

        Example:
            >>> import numpy as np, festina as fs
            >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
            >>> found.modules[0].sentence().startswith("Module 1 ")
            True
        """
        pattern = ""
        if len(self.gate) <= SHOWN and np.isin(self.gate, (0.0, 1.0)).all():
            pattern = "".join("#" if on else "·" for on in self.gate) + " "
        unit = kind if len(self.units) > 1 else kind.removesuffix("s")
        rows = "positions" if kind == "channels" else "data points"
        parts = [f"Module {self.number} {pattern}({len(self.units)} {unit}) {self._on_words(groups, rows)}"]
        if self.separates:
            a, b, gain = self.separates[0]
            parts.append(f"it tells {a} from {b} (margin {gain:+.2g})")
        silenced = f"without it the loss is {self.loss_without:.3g}"
        if self.accuracy_without is not None:
            silenced += f" and the accuracy {percent(self.accuracy_without)}"
        if self.confuses:
            a, b, _, after = self.confuses[0]
            silenced += f", and {percent(after)} of {a} are taken for {b}"
        return "; ".join([*parts, silenced]) + "."

    def often_on(self, groups: Sequence[str]) -> list[str]:
        """The groups of data points for which it is on, the surest first."""
        if len(self.on_rates) != len(groups):
            return []
        return [groups[int(i)] for i in np.argsort(-self.on_rates, kind="stable") if self.on_rates[i] >= OFTEN]

    def _on_words(self, groups: Sequence[str], rows: str) -> str:
        known = len(groups) > 0 and len(self.on_rates) == len(groups)
        if not known or np.ptp(self.on_rates) < ALIKE or self.on_rates.min() >= OFTEN:
            return f"is on at {percent(self.on_rate)} of the {rows}"
        if rows == "positions" or self.on_rates.max() <= RARELY:
            return self._most_and_least(groups, rows)
        often = self.often_on(groups)
        rarely = [groups[int(i)] for i in np.argsort(self.on_rates, kind="stable") if self.on_rates[i] <= RARELY]
        if often and rarely:
            return f"is on for {listed(often)} and off for {listed(rarely)}"
        if often or rarely:
            state, named = ("on", often) if often else ("off", rarely)
            others = [name for name in groups if name not in named]
            if len(others) < len(named):
                return f"is {state} for all but {listed(others)}, for which it is on at times"
            return f"is {state} for {listed(named)} and at times for the others"
        return self._most_and_least(groups, rows)

    def _most_and_least(self, groups: Sequence[str], rows: str) -> str:
        top, low = int(np.argmax(self.on_rates)), int(np.argmin(self.on_rates))
        return (
            f"is on at {percent(self.on_rate)} of the {rows}, most for {groups[top]} "
            f"({percent(self.on_rates[top])}) and least for {groups[low]} ({percent(self.on_rates[low])})"
        )


@dataclass(frozen=True, eq=False)
class ExplainedLayer(Plain):
    """A hidden layer and its modules.

    Attributes:
        number: from 1, from the input to the output.
        width: units (channels, of a convolution).
        positions: rows per data point: 1, or the positions of a convolution.
        modules: what it consists of, the one that the loss needs most first.
        silent: units that are never on or have no effect on the outputs.
        verdict: ``"shared"``: units of a module share a gate within the tolerance; ``"fitted"``: they do not, but few
            gates with a linear map each explain more than half of what the best linear map leaves; ``"none"``: no small
            set of modules. For the first two, other seeds find the same groups and k-means on the inputs is no better.
        error: share of the variance of the outputs that the modules miss, the rest of the network exact.
        curve: error by number of modules; ``shared_curve`` with the network's own weights and shared gates.
        stability: by number of modules, how well the groups of other seeds agree (adjusted Rand index).
        baselines: error of the best linear map and of other groupings with as many modules.
        spread: standard deviation over random groups.
        feeds: (modules of the layer before, modules): share of a module's drive that comes from each module before.

    Example:
        >>> import numpy as np, festina as fs
        >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
        >>> found.layers[0].verdict, found.layers[0].width
        ('shared', 2)
    """

    DERIVED: ClassVar = ("explained",)

    number: int
    width: int
    positions: int
    modules: tuple[ExplainedModule, ...]
    silent: int
    verdict: str
    error: float
    curve: Mapping[int, float]
    shared_curve: Mapping[int, float]
    stability: Mapping[int, float]
    baselines: Mapping[str, float]
    spread: float
    feeds: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def linear(self) -> float:
        """Error of the best linear map, at most that of the mean."""
        return min(self.baselines["best linear map"], 1.0)

    @property
    def explained(self) -> float:
        """Share of what the best linear map leaves unexplained that the modules explain: 1 − error/linear."""
        return 1 - self.error / self.linear if self.linear > 0 else 0.0

    @property
    def gates(self) -> np.ndarray:
        """Gates, one row per module."""
        return np.array([module.gate for module in self.modules])

    @property
    def kind(self) -> str:
        """Name of its members: ``"units"``, or ``"channels"`` of a convolution."""
        return "channels" if self.positions > 1 else "units"

    def lines(self, groups: Sequence[str]) -> list[str]:
        """The layer: what kind of modules, how good compared with the baselines, and each module."""
        kind = self.kind
        base = ", ".join(f"{name} {percent(value)}" for name, value in self.baselines.items())
        count = len(self.modules)
        stable = self.stability.get(count)
        lines = [
            f"Hidden layer {self.number} ({self.width} {kind}, {self.silent} of them silent): {count} "
            f"module{'s' if count > 1 else ''}; {self._how(kind)}.",
            f"  Share of the variance of the outputs that is missed: modules {percent(self.error)}; {base}; the exact "
            f"network 0 %. Beyond the best linear map the modules explain {percent(max(self.explained, 0.0))}."
            + ("" if stable is None else f" Agreement between seeds: {stable:.2f} (1 is the same groups)."),
        ]
        if self.verdict != "shared" and len(self.curve) > 1 and count == max(self.curve):
            lines.append(
                f"  The error still falls at {count} modules, the most that were tried; more may explain more."
            )
        return [*lines, *(f"  {module.sentence(kind, groups)}" for module in self.modules)]

    def _how(self, kind: str) -> str:
        if self.verdict == "shared":
            return f"the {kind} of a module share its gate"
        if self.verdict == "fitted":
            return f"the {kind} of a module share no gate, but with a fitted linear map each they are a fair summary"
        if self.linear <= NEARLY_LINEAR:
            return (
                f"the layer is nearly linear on these data, so that modules matter for {percent(self.linear)} at most"
            )
        if self.explained < HALF:
            why = "explain at most half of what the best linear map leaves"
        elif self.error > self.baselines["k-means on inputs"]:
            why = "do no better than k-means on the inputs"
        elif len(self.modules) in self.stability:
            why = "vary with the seed"
        else:
            why = "were sought from one start, which does not show whether others find them too"
        return f"no small set of modules: the {kind} share no gates, and the best groups with fitted linear maps {why}"


@dataclass(frozen=True, eq=False)
class Event(Plain):
    """Something that happens to modules between two checkpoints.

    Attributes:
        time: the time of the checkpoint at which it is first seen.
        layer: from 1.
        kind: ``"appears"``, ``"splits"`` or ``"dies"``.
        modules: numbers of the modules concerned, from 1; none for groups that die.
        text: in words.

    Example:
        >>> import festina as fs
        >>> fs.explanation.Event(40.0, 1, "splits", (1, 2), "Modules 1 and 2 of layer 1 part by 40.").kind
        'splits'
    """

    time: float
    layer: int
    kind: str
    modules: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Match(Plain):
    """A found module, paired with the predicted module that is on at the same data points; each occurs once.

    Attributes:
        found, predicted: numbers of the modules, from 1; None if the other side has fewer modules.
        agreement: share of data points at which both gates are equal; 0 without a partner.
        found_at, predicted_at: first checkpoint time at which each contributes half of the most it ever does; None if
            one does so at the first checkpoint already, from which no time can be predicted.

    Example:
        >>> import festina as fs
        >>> print(fs.explanation.Match(found=1, predicted=None, agreement=0.0, found_at=20.0, predicted_at=None))
        Module 1, active at 20, was not predicted.
    """

    found: int | None
    predicted: int | None
    agreement: float
    found_at: float | None
    predicted_at: float | None

    def __str__(self) -> str:
        if self.predicted is None:
            return f"Module {self.found}, {_active(self.found_at)}, was not predicted."
        if self.found is None:
            return f"Predicted module {self.predicted}, {_active(self.predicted_at)}, was not found."
        timed = self.found_at is not None and self.predicted_at is not None
        when = f"active at {self.found_at:g}, predicted {self.predicted_at:g}" if timed else (
            f"it is {_active(None)}, which is too late to predict its time from"
        )  # fmt: skip
        alike = f"Module {self.found} is on as predicted module {self.predicted} at {self.agreement:.0%} of the data"
        return f"{alike} points; {when}."


def _active(at: float | None) -> str:
    return "active at the first checkpoint already" if at is None else f"active at {at:g}"


def joined(words: Sequence[str]) -> str:
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def percent(value: float) -> str:
    """As a percentage with two digits where they matter."""
    size = 100 * value
    if not np.isfinite(size):
        return "unbounded"
    if 99 < size < 100:
        return f"{np.floor(size * 100) / 100:.4g} %"
    return f"{size:.0f} %" if abs(size) >= 10 or size == 0 else f"{size:.2g} %"


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = list(names[:MAX_LISTED])
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
