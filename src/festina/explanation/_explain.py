"""Explain a user's own network: which units work together, on which data, and what each group is good for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast, overload

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.labels import column_names
from festina.explanation._choose import Settings, choose
from festina.explanation._describe import (
    Described,
    Scene,
    active_at,
    check_start,
    describe,
    feeds,
    follow,
    match,
    predict,
)
from festina.explanation._explanation import Explanation
from festina.explanation._findings import Event, ExplainedLayer, Match, listed
from festina.explanation._network import ACTIVATIONS, Chain, read_chain, view
from festina.explanation._selectivity import Activity, Selectivity, selectivity
from festina.explanation._target import Target, columns, one_column, target
from festina.interop.operation import Activation
from festina.runtime import few_threads, shown, track

MAX_MODULES = 8
"""Modules of a layer that are tried: as many as a reader takes in."""

TOLERANCE = 0.02
"""Share of what the best linear map leaves unexplained that modules with shared gates may miss."""

SAMPLE = 6_000
"""Data points that are looked at: with half of them, on-rates of one class in ten are known to two per cent."""

RESTARTS = 3
"""Random starts from which groups are searched: enough to see whether they agree."""

SAME = 1e-12
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
    chain, given = read_chain("model", model, raw, columns(y), between, shape)
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
    before: Described | None = None
    found: list[tuple[ExplainedLayer, tuple[Event, ...]]] = []
    for number in track(range(len(pre)), "hidden layers"):
        seen = view(chain, number, inputs, pre, wanted.frame)
        if not len(seen.alive):
            raise ValueError(
                f"model has no unit in hidden layer {number + 1} that is on at these data and has an effect on the "
                "outputs: there is nothing to explain. Check that x is scaled as in training."
            )
        if np.ptp(outputs @ wanted.frame, axis=0).max() <= SAME * np.abs(outputs).max():
            raise ValueError(
                f"x has {len(x)} data point(s) at which the outputs of model are the same: there is nothing to "
                "explain. Give data points that differ."
            )
        if settings.modules is not None and settings.modules > len(seen.alive):
            raise ValueError(
                f"modules is {settings.modules}, and hidden layer {number + 1} has {len(seen.alive)} unit(s) that are "
                f"on at these data and change the outputs; give a whole number from 1 to {len(seen.alive)}, or 'auto'."
            )
        choice = choose(seen, outputs, wanted.frame, settings)
        described = describe(scene, seen, choice.grouping, feeds=number + 1 < len(pre))
        modules, labels, events = described.modules, described.labels, ()
        fed = np.zeros((0, 0)) if before is None else feeds(scene, seen, before, labels, len(modules))
        if len(chains) > 1:
            contributions, events = follow(chains, times, x, wanted.frame, number, labels, settings.seed)
            modules = tuple(
                replace(m, contributions=c, active_at=active_at(c, times))
                for m, c in zip(modules, contributions, strict=True)
            )
        layer = ExplainedLayer(
            number + 1, chain.hidden[number], seen.positions, modules, seen.silent, choice.verdict,
            choice.error, dict(choice.curve), dict(choice.shared_curve), dict(choice.stability),
            dict(choice.baselines), choice.spread, fed,
        )  # fmt: skip
        found.append((layer, events))
        before = described
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
