"""Measure what each module of a layer does in the network itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from festina.explanation._findings import Direction, ExplainedModule
from festina.explanation._group import Grouping, vote
from festina.explanation._network import Chain
from festina.explanation._target import Target
from festina.explanation._view import View, as_rows
from festina.interop.operation import Conv

MAX_MAPS = 128
"""Data points over which the map of a module is averaged."""

NAMED = 5
"""Features and outputs that are named for a direction."""

DIRECTIONS = 3
"""Singular vectors of a map that are named: a reader takes in few."""

EXAMPLES = 8
"""Data points that are listed for a module."""


@dataclass(frozen=True, eq=False)
class Scene:
    """The network on the sampled points.

    Attributes:
        chain: the network.
        pre: pre-activations of every hidden layer.
        outputs: the outputs of the network.
        target: what it is asked for at these points.
        points: numbers of the points in the user's x.
        feature_names: one per input.
    """

    chain: Chain
    pre: list[np.ndarray]
    outputs: np.ndarray
    target: Target
    points: np.ndarray
    feature_names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Described:
    """Modules of a layer with what only the next layer needs.

    Attributes:
        modules: in order of the loss without them.
        labels: the module of every unit, from 0 in that order, −1 for none.
        drives: by module, what it adds to the pre-activations of the next layer, or None for the last.
    """

    modules: tuple[ExplainedModule, ...]
    labels: np.ndarray
    drives: tuple[np.ndarray, ...]


def describe(scene: Scene, view: View, grouping: Grouping, feeds: bool) -> Described:
    """Every module of a layer; with ``feeds`` also what it adds to the next layer."""
    chain, layer = scene.chain, view.layer
    pre = scene.pre[layer]
    activity = chain.activation(layer).forward(pre)
    rows = as_rows(pre)
    gates = vote(rows > view.threshold, view.contribution, grouping.labels, grouping.count)
    rates = gates.reshape(len(pre), -1, grouping.count).mean(axis=1)
    following = scene.pre[layer + 1] if feeds else None
    found: list[tuple[ExplainedModule, np.ndarray | None, int]] = []
    for k in range(grouping.count):
        units = np.intersect1d(np.flatnonzero(grouping.labels == k), view.alive)
        if not len(units):
            continue
        without = activity.copy()
        without[:, units] = 0
        if following is None:
            drive, changed = None, chain.rest(layer, without)
        else:
            moved = chain.next(layer, without)
            drive, changed = following - moved, chain.rest(layer + 1, chain.activation(layer + 1).forward(moved))
        module = _module(scene, view, units, rates[:, k], changed)
        found.append((module, drive, k))
    order = sorted(range(len(found)), key=lambda i: -found[i][0].loss_without)
    labels = np.full(len(grouping.labels), -1)
    modules = []
    for number, i in enumerate(order):
        labels[found[i][0].units] = number
        modules.append(replace(found[i][0], number=number + 1))
    drives = tuple(d for d in (found[i][1] for i in order) if d is not None)
    return Described(tuple(modules), labels, drives)


def _module(scene: Scene, view: View, units: np.ndarray, gate: np.ndarray, without: np.ndarray) -> ExplainedModule:
    target, outputs = scene.target, scene.outputs
    effect = outputs - without
    felt = effect @ target.frame
    size = np.linalg.norm(felt, axis=1)
    matrix = _map(scene, view, units, gate)
    share = float(view.contribution[units].sum() / view.contribution.sum())
    return ExplainedModule(
        number=0,
        units=units,
        share=share,
        gate=gate,
        on_rates=_by_group(target, gate[:, None])[:, 0],
        adds=_by_group(target, effect),
        effect=float(np.sqrt((size**2).mean())),
        loss_without=target.value(without),
        accuracy_without=target.accuracy(without),
        margin_without=target.margin(without),
        separates=_separates(target, effect),
        confuses=_confuses(target, outputs, without),
        map=matrix,
        directions=_directions(matrix, _names(scene, view, matrix), target.output_names),
        examples=scene.points[np.argsort(-size, kind="stable")[:EXAMPLES]],
        active_at=0.0,
        contributions=np.array([view.contribution[units].sum()]),
    )


def _by_group(target: Target, values: np.ndarray) -> np.ndarray:
    """Means over the points of each group, (groups, …); over all points if there are no groups."""
    if target.groups is None:
        return values.mean(axis=0)[None]
    return _means(target.groups, values, len(target.group_names))


def _means(labels: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """Means over the rows of each label; 0 for labels that do not occur."""
    sums = np.zeros((count, values.shape[1]))
    np.add.at(sums, labels, values)
    return sums / np.maximum(np.bincount(labels, minlength=count), 1)[:, None]


def _separates(target: Target, effect: np.ndarray) -> tuple[tuple[str, str, float], ...]:
    if target.classes is None or effect.shape[1] < 2:
        return ()
    means = _means(target.classes, effect, effect.shape[1])
    gain = np.diag(means)[:, None] - means
    both = (gain + gain.T) / 2
    present = np.unique(target.classes).tolist()
    pairs = [(float(both[a, b]), a, b) for a in present for b in present if a < b and both[a, b] > 0]
    names = target.class_names
    return tuple((names[a], names[b], value) for value, a, b in sorted(pairs, reverse=True)[:DIRECTIONS])


def _confuses(target: Target, outputs: np.ndarray, without: np.ndarray) -> tuple[tuple[str, str, float, float], ...]:
    if target.classes is None:
        return ()
    count = max(outputs.shape[1], 2)
    names = target.class_names
    sizes = np.maximum(np.bincount(target.classes, minlength=count), 1)[:, None]
    tables = []
    for values in (outputs, without):
        table = np.zeros((count, count))
        np.add.at(table, (target.classes, target.decided(values)), 1.0)
        tables.append(table)
    more = tables[1] - tables[0]
    np.fill_diagonal(more, 0)
    rates = [table / sizes for table in tables]
    found = []
    for flat in np.argsort(-more, axis=None, kind="stable")[:DIRECTIONS]:
        a, b = divmod(int(flat), count)
        if more[a, b] > 0:
            found.append((names[a], names[b], float(rates[0][a, b]), float(rates[1][a, b])))
    return tuple(found)


def _map(scene: Scene, view: View, units: np.ndarray, gate: np.ndarray) -> np.ndarray:
    """Derivative of the outputs by the inputs through these units, mean over points where the module is on."""
    chain = scene.chain
    if chain.is_dense:
        on = np.flatnonzero(gate > 0.5)
        rows = on[np.linspace(0, len(on) - 1, min(len(on), MAX_MAPS)).astype(int)] if len(on) else np.array([], int)
        total = np.zeros((scene.outputs.shape[1], len(scene.feature_names)))
        chosen = np.zeros(view.pre.shape[1])
        chosen[units] = 1
        start = np.eye(scene.outputs.shape[1])
        for part in np.array_split(rows, max(1, len(rows) // 32)):
            if len(part):
                delta = chain.jacobian(view.layer, scene.pre, part, start) * chosen
                total += chain.to_inputs(view.layer, scene.pre, part, delta).sum(axis=0)
        return total / max(len(rows), 1)
    first = next((step for step in chain.before(view.layer) if isinstance(step, Conv)), None)
    if first is None:
        return np.zeros((0, 0))
    kernels = first.kernel[units].reshape(len(units), -1) * view.contribution[units, None]
    _, strengths, right = np.linalg.svd(kernels, full_matrices=False)
    sign = np.sign((kernels @ right[0]).sum()) or 1.0
    return sign * strengths[:1, None] * right[:1]


def _names(scene: Scene, view: View, matrix: np.ndarray) -> Sequence[str]:
    if matrix.shape[1] == len(scene.feature_names) and scene.chain.is_dense:
        return scene.feature_names
    return [f"patch {i}" for i in range(matrix.shape[1])]


def _directions(matrix: np.ndarray, features: Sequence[str], outputs: Sequence[str]) -> tuple[Direction, ...]:
    if not matrix.any():
        return ()
    left, strengths, right = np.linalg.svd(matrix, full_matrices=False)
    names = outputs if len(outputs) == len(left) else [""] * len(left)
    found = []
    for u, s, v in zip(left.T, strengths, right, strict=True):
        if s <= 0.05 * strengths[0] or len(found) == DIRECTIONS:
            break
        # the sign of a pair is free: the strongest output is raised
        sign = np.sign(u[np.argmax(np.abs(u))])
        found.append(Direction(float(s), _largest(sign * v, features), _largest(sign * u, names)))
    return tuple(found)


def _largest(vector: np.ndarray, names: Sequence[str]) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-np.abs(vector), kind="stable")[:NAMED]
    return tuple((names[int(i)], float(vector[i])) for i in order if abs(vector[i]) > 0.05 * abs(vector[order[0]]))


def feeds(scene: Scene, after: View, before: Described, labels: np.ndarray, count: int) -> np.ndarray:
    """Share of each module's drive that comes from each module of the layer before, (before, modules).

    Σ_i Σ_{k∈m'} q_k² z_ik Δz_ik / Σ_i Σ_{k∈m'} q_k² z_ik² over points where unit k is on. z is its pre-activation, Δz
    its loss when the module before is silent, and q_k its effect on the outputs. The rest is the bias.
    """
    z = as_rows(scene.pre[after.layer])
    weight = (z > 0) * (after.metric**2).sum(axis=1)
    found = np.zeros((len(before.modules), count))
    for m, drive in enumerate(before.drives):
        part = (weight * z * as_rows(drive)).sum(axis=0)
        whole = (weight * z**2).sum(axis=0)
        for k in range(count):
            own = labels == k
            total = float(whole[own].sum())
            found[m, k] = float(part[own].sum()) / total if total > 0 else 0.0
    return found
