"""What each module of a layer does in the network itself, and how it came about in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from festina.core.task import Task
from festina.explanation._choose import Grouping, by_gates, vote
from festina.explanation._findings import Direction, Event, ExplainedModule, Match
from festina.explanation._network import Chain, View, as_rows, view
from festina.explanation._target import Target
from festina.initial import Weights
from festina.interop.operation import Conv, Dense
from festina.methods import Reduced, evolve
from festina.relu import ReLU

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
    found: list[tuple[ExplainedModule, np.ndarray | None]] = []
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
        found.append((_module(scene, view, units, rates[:, k], changed), drive))
    found.sort(key=lambda one: -one[0].loss_without)
    labels = np.full(len(grouping.labels), -1)
    for number, (module, _) in enumerate(found):
        labels[module.units] = number
    modules = tuple(replace(module, number=number + 1) for number, (module, _) in enumerate(found))
    return Described(modules, labels, tuple(drive for _, drive in found if drive is not None))


def _module(scene: Scene, view: View, units: np.ndarray, gate: np.ndarray, without: np.ndarray) -> ExplainedModule:
    target, outputs = scene.target, scene.outputs
    effect = outputs - without
    felt = effect @ target.frame
    size = np.linalg.norm(felt, axis=1)
    matrix = _map(scene, view, units, gate)
    is_named = scene.chain.is_dense and matrix.shape[1] == len(scene.feature_names)
    features = scene.feature_names if is_named else [f"patch {i}" for i in range(matrix.shape[1])]
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
        directions=_directions(matrix, features, target.output_names),
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
    member = (labels == np.arange(count)[:, None]).astype(float)
    return member @ values / np.maximum(member.sum(axis=1, keepdims=True), 1)


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
    from sklearn.metrics import confusion_matrix

    if target.classes is None:
        return ()
    names, known = target.class_names, range(max(outputs.shape[1], 2))
    before, after = (
        confusion_matrix(target.classes, target.decided(values), labels=known) for values in (outputs, without)
    )
    more = after - before
    np.fill_diagonal(more, 0)
    largest = (divmod(int(flat), len(known)) for flat in np.argsort(-more, axis=None, kind="stable")[:DIRECTIONS])
    sizes = before.sum(axis=1)
    return tuple(
        (names[a], names[b], float(before[a, b] / sizes[a]), float(after[a, b] / sizes[a]))
        for a, b in largest if more[a, b] > 0
    )  # fmt: skip


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
    member = (labels[:, None] == np.arange(count)).astype(float)
    parts = np.array([(weight * z * as_rows(drive)).sum(axis=0) for drive in before.drives]) @ member
    whole = (weight * z**2).sum(axis=0) @ member
    return np.divide(parts, whole, out=np.zeros_like(parts), where=whole > 0)


MAX_POINTS = 1_000
"""Data points on which checkpoints are looked at."""

SAME = 0.95
"""Share of data points at which two gates agree from which their modules count as one."""

GONE = 0.1
"""Share of its largest contribution below which a group of units counts as gone."""


def follow(
    chains: Sequence[Chain], times: np.ndarray, x: np.ndarray, frame: np.ndarray, layer: int, labels: np.ndarray,
    seed: int,
) -> tuple[np.ndarray, tuple[Event, ...]]:  # fmt: skip
    """Contributions of the modules of the last checkpoint to a layer, (modules, checkpoints); and events, in order."""
    few = x[:MAX_POINTS]
    views = []
    for chain in chains:
        inputs, pre, _ = chain.look(few)
        views.append(view(chain, layer, inputs, pre, frame))
    count = int(labels.max()) + 1
    contributions = np.array([[v.contribution[labels == m].sum() for v in views] for m in range(count)])
    events = []
    for m, course in enumerate(contributions, start=1):
        if (time := active_at(course, times)) > times[0]:
            text = f"Module {m} of layer {layer + 1} reaches half of its largest contribution by {time:g}."
            events.append(Event(time, layer + 1, "appears", (m,), text))
    events += _splitting(views, contributions, times, layer, labels) + _dying(views, times, layer, count, seed)
    return contributions, tuple(sorted(events, key=lambda event: event.time))


def active_at(contributions: np.ndarray, times: np.ndarray) -> float:
    """The first time with half of the largest contribution."""
    return float(times[np.argmax(contributions >= contributions.max() / 2)])


def _splitting(
    views: Sequence[View], contributions: np.ndarray, times: np.ndarray, layer: int, labels: np.ndarray
) -> list[Event]:
    """Pairs of modules whose gates agreed at a checkpoint and differ from the next on."""
    count = len(contributions)
    gates = [vote(v.on, v.contribution, labels, count) for v in views]
    active = contributions >= GONE * contributions.max(axis=1, keepdims=True)
    found = []
    for a in range(count):
        for b in range(a + 1, count):
            agree = np.array([float((g[:, a] == g[:, b]).mean()) for g in gates]) >= SAME
            both = active[a] & active[b]
            for t in range(1, len(times)):
                if agree[t - 1] and both[t - 1] and not agree[t:].any():
                    pair = f"Modules {a + 1} and {b + 1} of layer {layer + 1}"
                    text = f"{pair}, on together until then, part by {times[t]:g}."
                    found.append(Event(float(times[t]), layer + 1, "splits", (a + 1, b + 1), text))
                    break
    return found


def _dying(views: Sequence[View], times: np.ndarray, layer: int, count: int, seed: int) -> list[Event]:
    """Groups of units that contribute at some checkpoint and no longer at the end; each unit is counted once."""
    found: list[Event] = []
    counted = np.zeros(len(views[0].contribution), bool)
    for t in reversed(range(len(views) - 1)):
        now = views[t].contribution
        rows = np.arange(len(views[t].pre))[:MAX_POINTS]
        labels = by_gates(views[t], rows, count, seed)
        if labels is None or not now.any():
            continue
        for group in range(count):
            own = labels == group
            strength = now[own].sum()
            later = np.array([v.contribution[own].sum() for v in views[t + 1 :]])
            if counted[own].any() or strength < GONE * now.sum() or later[-1] > GONE * strength:
                continue
            counted |= own
            end = float(times[t + 1 + int(np.argmax(later <= GONE * strength))])
            text = (
                f"{int(own.sum())} units of layer {layer + 1} that gave {strength / now.sum():.0%} of its contribution "
                f"at {times[t]:g} give less than a tenth of that by {end:g}."
            )
            found.append(Event(end, layer + 1, "dies", (), text))
    return found


def check_start(start: Chain) -> None:
    """Refuse networks for which no modules are predicted.

    Raises:
        ValueError: more than one hidden layer, or another activation function than ReLU.
    """
    if len(start.activations) != 1 or len(start.operations) != 3 or start.activation(0).name != "relu":
        raise ValueError(
            "rate is given, but the theory predicts ReLU networks with one hidden layer of matrices; leave rate out."
        )


def predict(start: Chain, x: np.ndarray, y: np.ndarray, times: np.ndarray) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Weights (matrix, bias) of both layers at every flow time, as ``fs.Reduced()`` predicts them from a start."""
    dense = [step for step in start.operations if isinstance(step, Dense)]
    is_biased = any(step.bias.any() for step in dense)
    matrices = [np.column_stack([s.matrix, s.bias]) if is_biased else s.matrix for s in dense]
    network = ReLU((len(dense[0].matrix),), initial=Weights(matrices), bias=is_biased)
    run = evolve(network, Task(x, y), times, method=Reduced(), observe=("weights",))
    first, second = (np.asarray(layer, float) for layer in run.weights)
    return [[_layer(first[i], is_biased), _layer(second[i], is_biased)] for i in range(len(times))]


def _layer(matrix: np.ndarray, is_biased: bool) -> tuple[np.ndarray, np.ndarray]:
    return (matrix[:, :-1], matrix[:, -1]) if is_biased else (matrix, np.zeros(len(matrix)))


def match(found: Sequence[ExplainedModule], predicted: Sequence[ExplainedModule], first: float) -> tuple[Match, ...]:
    """Pairs of found and predicted modules with the best total agreement of gates; the rest remain without partner.

    Where a module of a pair is active at the ``first`` checkpoint already, neither time is given.
    """
    from scipy.optimize import linear_sum_assignment

    def at(module: ExplainedModule, partner: ExplainedModule) -> float | None:
        return module.active_at if min(module.active_at, partner.active_at) > first else None

    agreement = np.array([[float((one.gate == other.gate).mean()) for other in predicted] for one in found])
    rows, columns = linear_sum_assignment(-agreement)
    pairs = []
    for i, j in zip(rows, columns, strict=True):
        one, other = found[i], predicted[j]
        pairs.append(Match(one.number, other.number, float(agreement[i, j]), at(one, other), at(other, one)))
    pairs += [Match(m.number, None, 0.0, at(m, m), None) for i, m in enumerate(found) if i not in rows]
    pairs += [Match(None, m.number, 0.0, None, at(m, m)) for j, m in enumerate(predicted) if j not in columns]
    return tuple(pairs)
