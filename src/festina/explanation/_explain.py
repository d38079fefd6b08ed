"""Explain a user's own network: which units work together, on which data, and what each group is good for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast, overload

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.labels import column_names
from festina.core.task import Task
from festina.explanation._choose import Grouping, Settings, by_gates, choose, vote
from festina.explanation._explanation import Explanation
from festina.explanation._findings import Direction, Event, ExplainedLayer, ExplainedModule, Match, listed
from festina.explanation._network import ACTIVATIONS, Chain, View, as_rows, read_chain, view
from festina.explanation._selectivity import Activity, Selectivity, selectivity
from festina.explanation._target import Target, one_column, target
from festina.initial import Weights
from festina.interop.operation import Activation, Conv, Dense
from festina.methods import Reduced, evolve
from festina.relu import ReLU
from festina.runtime import few_threads, shown, track

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
    """The network on the sampled points: pre-activations of its hidden layers, outputs, and what is asked of it.

    ``points`` are the numbers of these points in the user's x.
    """

    chain: Chain
    pre: list[np.ndarray]
    outputs: np.ndarray
    target: Target
    points: np.ndarray
    feature_names: tuple[str, ...]


def describe(
    scene: Scene, view: View, grouping: Grouping, feeds: bool
) -> tuple[tuple[ExplainedModule, ...], np.ndarray, list[np.ndarray]]:
    """Modules of a layer, in order of the loss without them, and the module of every unit, from 0, −1 for none.

    With ``feeds`` also what each module adds to the pre-activations of the next layer.
    """
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
    return modules, labels, [drive for _, drive in found if drive is not None]


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


def feeds(scene: Scene, after: View, drives: list[np.ndarray], labels: np.ndarray, count: int) -> np.ndarray:
    """Share of each module's drive that comes from each module of the layer before, (before, modules).

    Σ_i Σ_{k∈m'} q_k² z_ik Δz_ik / Σ_i Σ_{k∈m'} q_k² z_ik² over points where unit k is on. z is its pre-activation, Δz
    its loss when the module before is silent, and q_k its effect on the outputs. The rest is the bias.
    """
    z = as_rows(scene.pre[after.layer])
    weight = (z > 0) * (after.metric**2).sum(axis=1)
    member = (labels[:, None] == np.arange(count)).astype(float)
    parts = np.array([(weight * z * as_rows(drive)).sum(axis=0) for drive in drives]) @ member
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


MAX_MODULES = 8
"""Modules of a layer that are tried: as many as a reader takes in."""

TOLERANCE = 0.02
"""Share of what the best linear map leaves unexplained that modules with shared gates may miss."""

SAMPLE = 6_000
"""Data points that are looked at: with half of them, on-rates of one class in ten are known to two per cent."""

RESTARTS = 3
"""Random starts from which groups are searched: enough to see whether they agree."""

ROUNDING = 1e-12
"""Range of the outputs over the data points, relative to the largest, that is rounding error."""

MAX_ACTIVITY = 5e7
"""Pre-activations that are kept (400 MB): a wide or convolutional network is looked at on fewer points."""


@overload
def explain(model: Activity, *, factors: Mapping[str, Sequence[object] | np.ndarray], seed: int = 0) -> Selectivity: ...


@overload
def explain(
    model: object,
    x: ArrayLike,
    y: ArrayLike | None,
    checkpoints: Sequence[object] | None = None,
    *,
    modules: int | str = "auto",
    max_modules: int = MAX_MODULES,
    tolerance: float = TOLERANCE,
    groups: ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    image_shape: Sequence[int] | None = None,
    loss: str = "auto",
    activation: str = "relu",
    steps: Sequence[float] | None = None,
    rate: float | None = None,
    sample: int = SAMPLE,
    restarts: int = RESTARTS,
    rivals: bool = False,
    seed: int = 0,
    progress: bool = False,
) -> Explanation: ...


def explain(
    model: object,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    checkpoints: Sequence[object] | None = None,
    *,
    factors: Mapping[str, Sequence[object] | np.ndarray] | None = None,
    modules: int | str = "auto",
    max_modules: int = MAX_MODULES,
    tolerance: float = TOLERANCE,
    groups: ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    image_shape: Sequence[int] | None = None,
    loss: str = "auto",
    activation: str = "relu",
    steps: Sequence[float] | None = None,
    rate: float | None = None,
    sample: int = SAMPLE,
    restarts: int = RESTARTS,
    rivals: bool = False,
    seed: int = 0,
    progress: bool = False,
) -> Explanation | Selectivity:
    """Explain your own network: which units work together, on which data points, and what each group is good for.

    A module is a group of units with one gate g_m(x) ∈ {0, 1}: it is on where units with more than half of the group's
    contribution are on. If the units of a module share its gate, the network is a gated linear network,

        ŷ = b + Σ_m g_m(x) W_m [x; 1],   W_m = Σ_{j ∈ m} w_out,j [w_in,j; b_j]ᵀ

    for one hidden layer, and likewise in every layer of a deeper one. ``"auto"`` takes the fewest modules for which
    this holds. If none do, or if other starts give other modules, groups are chosen by fit. K gates with a *fitted*
    linear map each, plus one linear map of all points, should imitate the layer best. The number is the fewest within
    one standard error of the best. Errors are fractions of the variance of the outputs, on data points held out from
    every fit (each point left out once, if there are fewer than 40). "Explained" always means beyond the best linear
    map.

    Args:
        model: a ``torch.nn.Module`` whose forward pass is one line of Linear, Conv2d, pooling, normalisation (folded as
            in evaluation mode), ReLU, leaky ReLU, GELU or SiLU; an equinox module of Linear layers; a list of matrices
            (out, in) or of pairs (matrix, bias); arrays by name (a state dict); or a ``.npz`` or ``.safetensors`` file
            of them. The outputs of modules are compared with what was read. Files are never unpickled. With ``factors``
            it is activity instead, ([repeats,] units, conditions), a trajectory that observed ``hidden``, or several of
            these by name, to see recorded and predicted units side by side.
        x: inputs, (points, …), as the network takes them.
        y: targets (points, outputs), or class labels (points,): class numbers, or words in the order of
            ``output_names``, or of the alphabet.
        factors: by name (stimulus, context, choice, …), the label of each condition: then only activity is needed, and
            the answer is which units respond to which factor, and which to combinations of them.
        checkpoints: the same network earlier in training, first to last, each as ``model`` may be given.
        modules: per hidden layer, at most as many as the layer with the fewest units that are on at these data and
            change the outputs; or ``"auto"``.
        max_modules: largest number that ``"auto"`` tries.
        tolerance: share of what the best linear map leaves that modules with shared gates may miss.
        groups: one number or word per point, by which on-rates and effects are reported; None: the classes. Groups
            that are the classes in words name these and the outputs.
        feature_names: one per input; None: the columns of a DataFrame, numbers, or places in the image.
        output_names: one per output.
        image_shape: (height, width) or (channels, height, width) of an input that is an image: maps are then drawn as
            images, and flat x is reshaped for convolutions.
        loss: ``"squared"``, ``"cross_entropy"`` (softmax), ``"binary"`` (logistic), or ``"auto"``: squared if the
            outputs estimate the targets better than their mean does, otherwise the one that suits the targets.
        activation: the activation function, for models that do not name theirs (arrays and files): ``"relu"``,
            ``"leaky_relu"`` (slope 0.01), ``"gelu"`` or ``"silu"``.
        steps: training steps of the checkpoints and, last, of the model.
        rate: step size, if the network was trained by full-batch gradient descent on 1/(2N) Σ ‖y − ŷ‖²: modules that
            ``fs.Reduced()`` predicts from the first checkpoint are then compared with those found (one hidden layer).
        sample: number of data points to analyse; from a larger x this many are drawn at random, and the result says so.
        restarts: random starts of each search; their agreement is reported. With a single start, groups that share no
            gates are never reported as found.
        rivals: also report other groupings: clusters of gates, clusters of weights, non-negative factors of activity.
        seed: the seed of the sample, the halves and the starts.
        progress: show a progress bar.

    Returns:
        An ``Explanation``; print it, draw it with ``fs.plot.explanation``, or as a page with
        ``save_html``. With ``factors`` a ``Selectivity``.

    Raises:
        ValueError: a network that cannot be read (the layer is named), a file of another kind, data of another shape.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(0.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-3))
        >>> run = fs.evolve(network, task, [0.0, 40.0], method=fs.Train(rate=0.4), observe=("weights",))
        >>> found = fs.explain([w[-1] for w in run.weights], task.x, task.y)
        >>> found
        Explanation(modules: 4 of 64 units, shared gates)
        >>> sorted(found.layers[0].gates.astype(int).tolist())
        [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]

    Source: jarvis2025 section 3, Algorithm 1 (modules of a ReLU network; fitted maps and baselines are ours).
    """
    if factors is not None:
        if x is not None or y is not None:
            raise ValueError("factors is given with x or y; activity and the factors of its conditions are enough.")
        return selectivity(cast(Activity, model), factors, seed=seed)
    if x is None:
        raise ValueError("x is None; give the inputs of the network, or factors, if model is activity.")
    is_auto = isinstance(modules, str) and modules == "auto"
    settings = Settings(
        None if is_auto else check.whole("modules", modules), check.whole("max_modules", max_modules),
        check.positive("tolerance", tolerance), check.whole("seed", seed, least=0),
        check.whole("restarts", restarts), check.flag("rivals", rivals),
    )  # fmt: skip
    check.known("activation", activation, ACTIVATIONS)
    between = Activation(activation, 0.01 if activation == "leaky_relu" else 0.0)
    raw = _inputs(x, image_shape)
    shape = None if image_shape is None else tuple(int(n) for n in image_shape)
    y = one_column(y)
    # class labels fit any number of outputs above the largest
    columns = None if y.ndim < 2 else int(np.prod(y.shape[1:]))
    chain, given = read_chain("model", model, raw, columns, between, shape)
    outputs = chain.outputs(given)
    whole = target(y, outputs, loss=loss, groups=groups, output_names=output_names, outermost=chain.outermost)
    own = feature_names if feature_names is not None else column_names("x", x) or None
    names = _features(own, given, shape)
    earlier = () if checkpoints is None else check.listing("checkpoints", checkpoints, "networks or files")
    chains = [
        *(read_chain(f"checkpoints[{i}]", part, raw, None, between, shape)[0] for i, part in enumerate(earlier)),
        chain,
    ]
    for i, other in enumerate(chains):
        if other.hidden != chain.hidden:
            raise ValueError(
                f"checkpoints[{i}] has {other.hidden} hidden units and the model {chain.hidden}; "
                "give checkpoints of the same network."
            )
    times = _times(steps, len(chains))
    if rate is not None:
        rate = check.positive("rate", rate)
        if steps is None or len(times) < 2:
            raise ValueError("rate needs checkpoints and steps: the theory starts from the first checkpoint.")
        check_start(chains[0])
    points = _sampled(chain, given, check.whole("sample", sample, least=4), settings.seed)
    with few_threads(len(points) * max(chain.hidden) ** 2), shown(progress):
        found = _layers(chains, given[points], whole.part(points), points, names, times, settings)
    seen = whole.part(points)
    losses = np.array([seen.value(part.outputs(given[points])) for part in chains])
    value = whole.value(outputs)
    return Explanation(
        layers=tuple(layer for layer, _ in found),
        hidden=chain.hidden,
        loss_name=whole.loss,
        loss=value,
        constant_loss=whole.constant(),
        accuracy=whole.accuracy(outputs),
        margin=whole.margin(outputs),
        points=points,
        total=len(given),
        inputs=given.reshape(len(given), -1),
        groups=seen.groups,
        group_names=seen.group_names,
        output_names=whole.output_names,
        feature_names=() if own is None else names,
        image_shape=shape,
        times=times,
        losses=losses,
        events=tuple(event for _, events in found for event in events),
        notes=_notes(chain, given, points, whole, outputs, value),
        matches=()
        if rate is None
        else _predicted(chains[0], given[points], whole.y[points], found[0][0], times, rate, settings),
    )


def _layers(
    chains: Sequence[Chain], x: np.ndarray, wanted: Target, points: np.ndarray, names: tuple[str, ...],
    times: np.ndarray, settings: Settings,
) -> list[tuple[ExplainedLayer, tuple[Event, ...]]]:  # fmt: skip
    """Every hidden layer of the last network, with what happened to its modules at checkpoints."""
    chain = chains[-1]
    inputs, pre, outputs = chain.look(x)
    scene = Scene(chain, pre, outputs, wanted, points, names)
    before: list[np.ndarray] = []
    found: list[tuple[ExplainedLayer, tuple[Event, ...]]] = []
    for number in track(range(len(pre)), "hidden layers"):
        seen = view(chain, number, inputs, pre, wanted.frame)
        if not len(seen.alive):
            raise ValueError(
                f"model has no unit in hidden layer {number + 1} that is on at these data and has an effect on the "
                "outputs: there is nothing to explain. Check that x is scaled as in training."
            )
        if np.ptp(outputs @ wanted.frame, axis=0).max() <= ROUNDING * np.abs(outputs).max():
            raise ValueError(
                f"x has {len(x)} data point(s) at which the outputs of model are the same: there is nothing to "
                "explain. Give data points that differ."
            )
        if settings.modules is not None and settings.modules > len(seen.alive):
            raise ValueError(
                f"modules is {settings.modules}, and hidden layer {number + 1} has {len(seen.alive)} unit(s) that are "
                f"on at these data and change the outputs; give a whole number from 1 to {len(seen.alive)}, or 'auto'."
            )
        grouping, chosen = choose(seen, outputs, wanted.frame, settings)
        modules, labels, drives = describe(scene, seen, grouping, feeds=number + 1 < len(pre))
        events, fed = (), feeds(scene, seen, before, labels, len(modules)) if before else np.zeros((0, 0))
        if len(chains) > 1:
            contributions, events = follow(chains, times, x, wanted.frame, number, labels, settings.seed)
            modules = tuple(
                replace(m, contributions=c, active_at=active_at(c, times))
                for m, c in zip(modules, contributions, strict=True)
            )
        width = chain.hidden[number]
        layer = ExplainedLayer(number + 1, width, seen.positions, modules, seen.silent, feeds=fed, **chosen)
        found.append((layer, events))
        before = drives
    return found


def _predicted(
    start: Chain, x: np.ndarray, y: np.ndarray, layer: ExplainedLayer, times: np.ndarray, rate: float,
    settings: Settings,
) -> tuple[Match, ...]:  # fmt: skip
    """Found modules compared with those of the weights that the theory predicts for the first checkpoint."""
    stages = predict(start, x, y, (times - times[0]) * rate)
    other = explain(
        stages[-1], x, y, stages[:-1], modules=settings.modules or "auto", max_modules=settings.max_modules,
        tolerance=settings.tolerance, loss="squared", steps=times.tolist(), restarts=settings.restarts,
        seed=settings.seed,
    )  # fmt: skip
    return match(layer.modules, other.modules, times[0])


def _inputs(x: ArrayLike, image_shape: Sequence[int] | None) -> np.ndarray:
    values = check.numbers("x", x)
    if values.ndim < 2 or not len(values):
        raise ValueError(f"x has shape {values.shape}; inputs (points, …) are needed, one row per data point.")
    if image_shape is None:
        return values
    shape = tuple(check.whole("image_shape", n) for n in check.listing("image_shape", image_shape, "whole numbers"))
    if len(shape) not in {2, 3} or np.prod(shape) != values[0].size:
        raise ValueError(
            f"image_shape is {shape} and a data point has {values[0].size} numbers; give (height, width) or (channels, "
            "height, width) whose product is that."
        )
    return values


def _features(names: Sequence[str] | None, x: np.ndarray, shape: tuple[int, ...] | None) -> tuple[str, ...]:
    count = int(np.prod(x.shape[1:]))
    if names is None and shape is not None:
        return tuple(f"pixel {', '.join(map(str, place))}" for place in np.ndindex(shape))
    if names is None:
        return tuple(f"input {i}" for i in range(count))
    found = tuple(str(name) for name in check.listing("feature_names", names, "names"))
    if len(found) != count:
        raise ValueError(f"feature_names has {len(found)} names for {count} inputs; give one for each.")
    return found


def _times(steps: object, count: int) -> np.ndarray:
    if steps is None:
        return np.arange(count, dtype=float)
    found = check.times(steps, "steps")
    if len(found) != count:
        raise ValueError(
            f"steps has {len(found)} values for {count - 1} checkpoint(s) and the model; give one for each, the "
            "model's last."
        )
    return found


def _sampled(chain: Chain, x: np.ndarray, sample: int, seed: int) -> np.ndarray:
    """Data points that are looked at, in order."""
    size = sum(one[0].size for one in chain.look(x[:1])[1])
    count = min(len(x), sample, max(MIN_POINTS, int(MAX_ACTIVITY / size)))
    return np.sort(np.random.default_rng(seed).permutation(len(x))[:count])


MIN_POINTS = 100
"""Data points that are looked at however large the network is."""


def _notes(
    chain: Chain, x: np.ndarray, points: np.ndarray, wanted: Target, outputs: np.ndarray, value: float
) -> tuple[str, ...]:
    found = []
    if len(points) < len(x):
        found.append(
            f"Loss, accuracy and margin are those of all {len(x)} data points; everything else is measured on a random "
            f"sample of {len(points)}, half of them held out from every fit."
        )
    if chain.is_smooth:
        lost, frame = chain.thresholded(x[points]), wanted.frame
        own = outputs[points] @ frame
        share = float(((lost @ frame - own) ** 2).sum() / max(((own - own.mean(axis=0)) ** 2).sum(), 1e-300))
        accuracy = wanted.part(points).accuracy(lost)
        found.append(
            "Its activation function is smooth; a unit counts as on where its pre-activation is above 0. The network "
            f"with max(0, h) in its place differs from it by {share:.2g} of the variance of the outputs"
            + (f" and has an accuracy of {accuracy:.1%}." if accuracy is not None else ".")
        )
    if not np.ptp(wanted.y, axis=0).any():
        found.append(
            "All data points have the same target, so that a constant answer is right: loss and accuracy do not say "
            "what the network has learned."
        )
    elif value >= wanted.constant():
        order = "" if wanted.classes is None else (
            f" Its classes were taken in the order {listed(wanted.class_names)}; if it has another order, give class "
            "numbers as y and their names as groups."
        )  # fmt: skip
        found.append(
            f"Its loss, {value:.3g}, is no less than that of the best constant answer, {wanted.constant():.3g}: it has "
            f"not learned these targets. Check that x and y are scaled and ordered as in training.{order}"
        )
    return tuple(found)
