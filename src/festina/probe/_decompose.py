"""The units of a network grouped into modules, layer by layer, and what each module does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from festina._layered import rectify
from festina._statistics import Statistics
from festina.probe._weights import Chain
from festina.relu._modules import STARTS, Layer
from festina.relu._possible import possible

MOST = 8
"""Modules of a layer that are tried: as in the papers' figures, and as many as a reader takes in."""

TOLERANCE = 0.01
"""Imitation error that is small enough, as a share of the outputs' power."""

LARGEST = 20_000
"""Numbers in x up to which patterns are held to those that a ReLU unit can have: beyond, that takes seconds each."""

FAINT = 0.01
"""Share of its largest activity below which a unit counts as off: a hundredth is 1e-4 of its power, below any tolerance
worth asking for, and the sign of so little is chance."""

SHOWN = 64
"""Data points up to which a pattern is printed point by point."""


@dataclass(frozen=True, eq=False)
class ExplainedModule:
    """Units that are on at the same data points.

    Attributes:
        pattern: True at the data points that the module sees: its effective data set.
        units: the numbers of its units.
        share: their part of the layer's contribution Σ|w_out|·|activity|.
        output: part of the output's power that goes without it, Σ (ŷ − ŷ')·ŷ / Σ ŷ·ŷ, where ŷ' is the output with its
            units silent; over the modules of the last hidden layer, and the bias, these sum to 1.
        loss_without: the network's loss with its units silent.
        agreement: how often its units' gates equal the pattern, units weighed by contribution and points by activity.
        active_at: the first checkpoint time at which it contributes half of the most it ever does.
        strengths: singular values of the effective data set ⟨g y hᵀ⟩, h what the layer is given: what it can learn, and
            how fast.
    """

    pattern: np.ndarray
    units: np.ndarray
    share: float
    output: float
    loss_without: float
    agreement: float
    active_at: float
    strengths: np.ndarray

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "points": np.flatnonzero(self.pattern).tolist(),
            "units": self.units.tolist(),
            "share": self.share,
            "output": self.output,
            "loss_without": self.loss_without,
            "agreement": self.agreement,
            "active_at": self.active_at,
            "strengths": self.strengths.tolist(),
        }

    def __str__(self) -> str:
        shown = "".join("#" if on else "·" for on in self.pattern) + "  " if len(self.pattern) <= SHOWN else ""
        return (
            f"{shown}{len(self.units)} unit(s) on at {int(self.pattern.sum())} of {len(self.pattern)} points: "
            f"{self.output:.0%} of the output, loss without {self.loss_without:.3g}"
        )


@dataclass(frozen=True, eq=False)
class ExplainedLayer:
    """A hidden layer and its modules, those on at most points first.

    Attributes:
        number: from 1, from the input to the output.
        modules: what it consists of.
        silent: units that are off at all points or have no outgoing weight.
        imitation: by number of modules tried, Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² where this layer's units are switched by their modules.
    """

    number: int
    modules: tuple[ExplainedModule, ...]
    silent: int
    imitation: Mapping[int, float]

    @property
    def gates(self) -> np.ndarray:
        """Patterns, one row of booleans per module."""
        return np.array([module.pattern for module in self.modules])

    def switched(self, pre: np.ndarray) -> np.ndarray:
        """The gate of every unit, (points, units), by the module it belongs to at these pre-activations."""
        return _switched(pre, self.gates)[0]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "number": self.number,
            "silent": self.silent,
            "imitation": {str(k): v for k, v in self.imitation.items()},
            "modules": [module.to_json() for module in self.modules],
        }

    def __str__(self) -> str:
        head = f"Hidden layer {self.number}: {len(self.modules)} module(s); {self.silent} units are silent."
        return "\n".join([head, *(f"  {i + 1}. {module}" for i, module in enumerate(self.modules))])


def power(array: np.ndarray) -> float:
    """Mean over points of the squared norm."""
    return float((array**2).sum() / len(array))


def _switched(pre: np.ndarray, gates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The gates that modules give to units, and each unit's module: the one that changes its activity least.

    A unit that is nearer to being off everywhere than to any module has none: its gates are 0 and its module is −1.
    """
    squares, on = pre**2, pre > 0
    closed = np.vstack([gates, np.zeros((1, gates.shape[1]), bool)])
    # Σ_i (on_i − g_i)² h_i² over points, but for what is the same for every module
    which = np.argmin(closed @ squares - 2.0 * (closed @ (squares * on)), axis=0)
    return closed[which].T.astype(float), np.where(which < len(gates), which, -1)


def decompose(
    chains: Sequence[Chain],
    times: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    modules: int | str,
    most: int,
    tolerance: float,
    seed: int,
) -> tuple[ExplainedLayer, ...]:
    """Every hidden layer of a network, through its checkpoints."""
    inputs = np.hstack([x, np.ones((len(x), 1))]) if any(c.biases[0].any() for c in chains) else x
    found = []
    for number in range(len(chains[-1].hidden)):
        layer = _read(chains, times, x, number, inputs if number == 0 and inputs.size <= LARGEST else None)
        tried = range(1, most + 1) if modules == "auto" else (int(modules),)
        imitation: dict[int, float] = {}
        gates: dict[int, np.ndarray] = {}
        for k in tried:
            gates[k] = _patterns(layer, k, seed)
            imitation[k] = _imitation(chains, x, number, gates[k])
            if imitation[k] <= tolerance:
                break
        best = min(imitation, key=lambda k: imitation[k])
        found.append(_explained(chains, times, x, y, number, gates[best], imitation, layer))
    return tuple(found)


def _read(chains: Sequence[Chain], times: np.ndarray, x: np.ndarray, number: int, inputs: np.ndarray | None) -> Layer:
    """Gates and contributions of a layer at every checkpoint, as one run."""
    pre = [chain.layers(x)[number] for chain in chains]
    out = [np.linalg.norm(chain.matrices[number + 1], axis=0) for chain in chains]
    contribution = np.array([w * np.linalg.norm(rectify(h), axis=0) for w, h in zip(out, pre, strict=True)])
    gates = np.array([(h > FAINT * np.maximum(h.max(axis=0), 0)).T for h in pre])
    return Layer(times, gates[None], contribution[None], inputs)


def _patterns(layer: Layer, count: int, seed: int) -> np.ndarray:
    """At most ``count`` gating patterns: k-means over those of the units, weighed by contribution; a centroid above ½.

    A centroid that is nowhere above ½, or that no ReLU unit could have (where the layer's inputs are known), gives way
    to the nearest pattern that a unit has.
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    seen, weight = layer.distinct("contribution")
    with threadpool_limits(1):
        found = KMeans(min(count, len(seen)), n_init=cast(Any, STARTS), random_state=seed).fit(
            seen, sample_weight=weight
        )
    rows = []
    for label, centroid in enumerate(found.cluster_centers_):
        pattern = centroid > 0.5
        if not pattern.any() or (layer.x is not None and not possible(layer.x, pattern)):
            members = seen[found.labels_ == label]
            pattern = members[np.argmin(np.linalg.norm(members - centroid, axis=1))] > 0
        rows.append(pattern)
    gates = np.unique(rows, axis=0)
    return gates[np.lexsort((*(~gates).T[::-1], -gates.sum(axis=1)))]


def _imitation(chains: Sequence[Chain], x: np.ndarray, number: int, gates: np.ndarray) -> float:
    """How badly patterns imitate one layer, over all checkpoints."""
    missed = whole = 0.0
    for chain in chains:
        own = chain.outputs(x)
        switched = _switched(chain.layers(x)[number], gates)[0]
        missed += power(own - chain.outputs(x, {number: switched}))
        whole += power(own)
    return missed / whole if whole > 0 else 0.0


def _explained(
    chains: Sequence[Chain], times: np.ndarray, x: np.ndarray, y: np.ndarray, number: int, gates: np.ndarray,
    imitation: Mapping[int, float], layer: Layer,
) -> ExplainedLayer:  # fmt: skip
    """What each pattern's units do in the last network, and when they began to."""
    chain, contribution = chains[-1], layer.contribution[0]
    pre, outputs = chain.layers(x), chain.outputs(x)
    given = x if number == 0 else rectify(pre[number - 1])
    which = np.array([_switched(c.layers(x)[number], gates)[1] for c in chains])
    alive = contribution > 0
    on, squares = (pre[number] > 0).astype(float), pre[number] ** 2
    found = []
    for i, pattern in enumerate(gates):
        own = (which == i) & alive
        course = np.where(own, contribution, 0.0).sum(axis=1)
        if not own[-1].any():
            continue
        without = chain.outputs(x, {number: on * ~own[-1]})
        agreeing = np.average(on[:, own[-1]] == pattern[:, None], axis=0, weights=squares[:, own[-1]])
        found.append(
            ExplainedModule(
                pattern,
                np.flatnonzero(own[-1]),
                float(course[-1] / contribution[-1].sum()),
                float(((outputs - without) * outputs).sum() / (outputs**2).sum()),
                power(y - without) / 2,
                float(np.average(agreeing, weights=contribution[-1][own[-1]])),
                float(times[np.argmax(course >= course.max() / 2)]),
                Statistics(pattern[:, None] * given, y).strengths,
            )
        )
    return ExplainedLayer(number + 1, tuple(found), int((~alive[-1]).sum()), dict(imitation))
