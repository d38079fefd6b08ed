"""What is known of a module and of a layer: plain data, with words in ``_sentence``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Direction:
    """One singular vector pair of a module's map: reading ``features``, it writes ``outputs``.

    Attributes:
        strength: singular value.
        features: names of the inputs that weigh most, with their weights.
        outputs: names of the outputs that weigh most, with their weights.
    """

    strength: float
    features: tuple[tuple[str, float], ...]
    outputs: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class ExplainedModule:
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
    """

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
        """What the module is for, in one sentence.

        Args:
            kind: what its members are called, ``"units"`` or ``"channels"``.
            groups: names of the groups of data points.

        Example:
            >>> import numpy as np, festina as fs
            >>> found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
            >>> found.modules[0].sentence().startswith("Module 1 ")
            True
        """
        from festina.explanation._sentence import module_sentence

        return module_sentence(self, kind, groups)

    def to_json(self) -> dict[str, Any]:
        """As plain data, without the gate at every point and the map."""
        return {
            "number": self.number,
            "units": self.units.tolist(),
            "share": self.share,
            "on_rate": self.on_rate,
            "on_rates": self.on_rates.tolist(),
            "adds": self.adds.tolist(),
            "effect": self.effect,
            "loss_without": self.loss_without,
            "accuracy_without": self.accuracy_without,
            "margin_without": self.margin_without,
            "separates": [list(pair) for pair in self.separates],
            "confuses": [list(pair) for pair in self.confuses],
            "directions": [
                {"strength": d.strength, "features": [list(f) for f in d.features],
                 "outputs": [list(o) for o in d.outputs]}
                for d in self.directions
            ],
            "examples": self.examples.tolist(),
            "active_at": self.active_at,
            "contributions": self.contributions.tolist(),
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class ExplainedLayer:
    """A hidden layer and its modules.

    Attributes:
        number: from 1, from the input to the output.
        width: units (channels, of a convolution).
        positions: rows per data point: 1, or the positions of a convolution.
        modules: what it consists of, the one that the loss needs most first.
        silent: units that are never on or have no effect on the outputs.
        verdict: ``"shared"``: units of a module share a gate within the tolerance; ``"fitted"``: they do not, but few
            gates with a linear map each explain more than half of what the best linear map leaves, and other seeds find
            the same groups; ``"none"``: no small set of modules.
        error: share of the variance of the outputs that the modules miss, the rest of the network exact.
        curve: error by number of modules; ``shared_curve`` with the network's own weights and shared gates.
        stability: by number of modules, how well the groups of other seeds agree (adjusted Rand index).
        baselines: error of the best linear map and of other groupings with as many modules.
        spread: standard deviation over random groups.
        feeds: (modules of the layer before, modules): share of a module's drive that comes from each module before.
    """

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

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "number": self.number,
            "width": self.width,
            "positions": self.positions,
            "silent": self.silent,
            "verdict": self.verdict,
            "error": self.error,
            "explained": self.explained,
            "curve": {str(k): v for k, v in self.curve.items()},
            "shared_curve": {str(k): v for k, v in self.shared_curve.items()},
            "stability": {str(k): v for k, v in self.stability.items()},
            "baselines": dict(self.baselines),
            "random_groups_deviation": self.spread,
            "feeds": self.feeds.tolist(),
            "modules": [module.to_json() for module in self.modules],
        }
