"""Can networks of two hidden layers be predicted?

Yes, from their own initial weights. ReLU networks of two hidden layers first learn the mean that all contexts share,
with every unit on at every data point. Only then do they gate, in both layers, by items as well as contexts. The onset
differs between networks. Following all units of a seed's own weights (``fs.Reduced()``) predicts each network's
plateaus and the onset of gating; nothing is read from trained networks. The onset also follows from the plateau alone:
what is small there grows as a linear network of three layers and diverges after a finite time.

A gated network with an open first layer and contextual pathways goes through the same plateaus with the same outputs,
but its constants do not follow from theory. The released code has seven modules of 60 units in each layer; four of the
second layer are the common pathway, the other three are open in two contexts each. It begins to train at epoch 500,
opens the contextual modules at epoch 12000 with output weights 7.3 times as large, and lets the common pathway learn as
if it were alone. This network and one without these constants are both shown: the latter opens at the predicted onset,
has output weights like all others, and all its pathways descend one loss.

Source: jarvis2025 section 6, Fig. 6.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import festina as fs
from festina import papers
from festina.core import Start
from festina.papers import setting
from festina.papers.setups.deep import CONTEXTS, SIZES, Shared, Watched, in_subsets, rectify
from festina.papers.setups.deep_onset import escape_time, first_plateau, onsets, opening, plateaus, same_level
from festina.plot import COLOURS, look
from festina.runtime import track

PATHS = [(0, 1, 2), (0, 1), (0, 2), (1, 2)]
MODULES, COMMON = 7, 4
"""Modules of each layer of the released gated network, and those of the second layer that are the common pathway."""

RELEASED = (5.75 / 6, 5.5 / 6, 5.5 / 6)
"""Standard deviation of each layer's initial weights in the released gated network, relative to the ReLU networks'."""

TYPICAL = 0.95
"""Share of the ReLU networks' own distances from their medoid that another's must be below, to be one of them."""


class Settings(papers.Settings):
    seeds: int = setting(20, "ReLU networks, and as many gated ones; the paper has 100", least=1, published=100)
    others: int = setting(20, "ReLU networks of one hidden layer", least=1)
    predicted: int = setting(5, "ReLU networks that are predicted, each from its own initial weights", least=1)
    accuracy: float = setting(0.01, "relative error of a step of the prediction", above=0, most=0.1)
    onset: int = setting(12000, "epoch at which the released code opens contextual pathways", least=1)
    begin: int = setting(500, "epoch at which the released code begins to train", least=0)
    boost: float = setting(8 / 1.1, "factor of the released code on their initial output weights", above=0)
    wide: int = setting(700, "units of the ReLU networks of one hidden layer", least=1)
    scale: float = setting(
        0.005, "standard deviation of their initial weights, times the number of their units", above=0
    )
    hidden: int = setting(420, "hidden units in each layer", least=1)
    std: float = setting(0.0006, "standard deviation of an initial weight", above=0)
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes 24 times as much", above=0)
    steps: int = setting(30000, "steps of training", least=1)
    points: int = setting(301, "observations", least=1)
    alone: float = setting(
        0.95,
        "share of the second layer's power below which units on in all contexts are not alone any more",
        above=0,
        most=1,
    )
    block: int = setting(20, "networks trained at a time", least=1)


# epochs are in proportion to 1/(σ √H · step), as plateaus are
quick = Settings(
    seeds=9, others=9, predicted=3, onset=2050, begin=100, hidden=140, std=0.00153, step=0.004, steps=5100, points=103,
)  # fmt: skip
caption = (
    "Networks of two hidden layers are predicted from their own initial weights. (a) Loss of ReLU networks (band: "
    "middle 90 %; thick: medoid), of the medoid of the predictions (thin), and of gated networks with released "
    "constants (dashed) and with the predicted onset (dotted). (b) Single networks, trained (thick) and predicted "
    "(thin). (c) Standard deviation of the loss between runs."
)


def compute(settings: Settings) -> papers.Results:
    """Train ReLU networks, predict when they begin to gate by context, and train gated networks that do so then."""
    c, s, (task, _) = papers.Results(settings), settings, fs.tasks.context(CONTEXTS, "same").spanned()
    c.rate, steps = s.step * len(task.x), np.unique(np.linspace(0, s.steps, s.points).round())
    times, initial = steps * c.rate, fs.initial.Gaussian(s.std)
    network = Watched((s.hidden, s.hidden), initial=initial)
    c.relu, ends = _train(s, network, task, times, s.seeds, ("loss", "outputs", "modules"))
    _predict(c, network, task, times)
    c.gated = _open_at(s, task, times, opening(c.predicted["modules"][:, :, -1], s.alone), 0)
    begin, onset = (int(np.argmin(np.abs(steps - epoch))) for epoch in (s.begin, s.onset))
    c.released = _open_at(s, task, times, onset, begin, boost=s.boost, separate=True)
    flat = fs.ReLU((s.wide,), initial=fs.initial.Gaussian(s.scale / s.wide))
    c.shallow, _ = _train(s, flat, task, times, s.others, ("loss",))

    c.own_area = [papers.area(times, *pair) for pair in zip(c.predicted.loss, c.relu.loss, strict=False)]
    shares = {"trained": c.relu["modules"][:, :, -1], "predicted": c.predicted["modules"][:, :, -1]}
    c.onsets = {name: steps[onsets(share, s.alone)] for name, share in shares.items()}
    runs = {"relu": c.relu, "predicted": c.predicted, "released": c.released, "gated": c.gated, "shallow": c.shallow}
    c.spread = {name: spread(run.times, run.loss) for name, run in runs.items()}
    first, second = medoid(c.relu.loss), medoid(c.released.loss)
    c.typical = _typical(_areas(c.relu, c.relu)[:, first])
    at = plateaus(c.relu.loss[first])
    matched = [same_level(c.released.loss[second], float(level)) for level in c.relu.loss[first, at]]
    c.output_distance = papers.relative_distance(c.relu.outputs[first, at], c.released.outputs[second, matched])
    last = [tuple(np.asarray(layer, float) for layer in weights) for weights in ends]
    c.linear = np.array([[_linearised(weights, task, layer) for layer in (-1, 0, 1)] for weights in last])
    c.everywhere = np.array([_everywhere(weights, task) for weights in last])
    below = rectify(task.x @ last[first][0].T)
    c.hidden = {"First": below.T, "Second": rectify(below @ last[first][1].T).T}
    return c


def _train(
    s: Settings, network: fs.Network, task: fs.Task, times: np.ndarray, seeds: int, observe: tuple[str, ...]
) -> tuple[fs.Trajectory, list[Any]]:
    """Observations, and the weights at the end only: at all times they would not fit into memory."""
    method, parts, ends = fs.Train(rate=s.step * len(task.x), precision="single"), [], []
    for begin in track(range(0, seeds, s.block), type(network).__name__):
        numbers = range(s.seed + begin, s.seed + min(begin + s.block, seeds))
        run = method.run(network, task, times, [Start(network, task, seed) for seed in numbers], observe)
        parts.append(run.values)
        ends += run.ends() if run.ends else []
    values = {name: np.concatenate([part[name] for part in parts]) for name in observe}
    return fs.Trajectory(times, values, seeds=tuple(range(s.seed, s.seed + seeds))), ends


def _predict(c: papers.Results, network: fs.Network, task: fs.Task, times: np.ndarray) -> None:
    """The first networks from their own initial weights, and when each leaves its first plateau, by its instability."""
    method, runs, escapes = fs.Reduced(fs.relu.UnitGrowth(c.settings.accuracy)), [], []
    seeds = range(c.settings.seed, c.settings.seed + min(c.settings.predicted, c.settings.seeds))
    for seed in track(seeds, "predicted"):
        runs.append(fs.evolve(network, task, times, method=method, seed=seed, observe=("loss", "modules")))
        reached = times[[first_plateau(runs[-1].loss)]]
        there = fs.evolve(network, task, reached, method=method, seed=seed, observe=("weights",))
        escapes.append(float(reached[0]) + escape_time(tuple(layer[0] for layer in there.weights), task))
    values = {name: np.array([run[name] for run in runs]) for name in ("loss", "modules")}
    c.predicted = fs.Trajectory(times, values, seeds=tuple(seeds))
    c.escapes = np.array(escapes) / c.rate
    c.evaluations = float(np.mean([run.notes["evaluations"] for run in runs]))


def _open_at(s: Settings, task: fs.Task, times: np.ndarray, at: int, begin: int, **rule: float) -> fs.Trajectory:
    """Gated networks: the common pathway alone, from observation ``begin``, and all of them from ``at`` on."""
    unit, stds = max(s.hidden // MODULES, 1), fs.initial.Gaussian(tuple(s.std * share for share in RELEASED))
    everything = Shared(in_subsets(task, PATHS), MODULES * unit, (COMMON * unit, unit, unit, unit), stds)
    common, seen = replace(everything, gates=everything.gates[:1], second=everything.second[:1]), ("loss", "outputs")
    grown, last = _train(s, common, task, times[: at - begin + 1], s.seeds, seen)
    weights = tuple(np.stack(part) for part in zip(*last, strict=True))
    opened = replace(everything, grown=weights, seed=s.seed, **rule)
    after, _ = _train(s, opened, task, times[at:] - times[at], s.seeds, seen)
    values = {name: np.hstack([grown[name][:, :1]] * begin + [grown[name][:, :-1], after[name]]) for name in seen}
    return replace(after, times=times, values=values)


def _linearised(weights, task: fs.Task, layer: int) -> float:
    """Mean loss of a ReLU network whose hidden layer of that number, from 0, is not rectified."""
    h = task.x
    for number, matrix in enumerate(weights[:-1]):
        h = h @ matrix.T if number == layer else rectify(h @ matrix.T)
    return float(((task.y - h @ weights[-1].T) ** 2).sum() / (2 * len(task.x)))


def _everywhere(weights, task: fs.Task) -> tuple[float, float]:
    """Share of the first layer's output from units that are on at every data point, and mean share of points."""
    activity = rectify(task.x @ weights[0].T)
    power = (activity**2).sum(axis=0) * (weights[1] ** 2).sum(axis=0)
    on = activity > 0
    return float(power[on.all(axis=0)].sum() / power.sum()), float(on.mean(axis=0) @ power / power.sum())


def medoid(losses: np.ndarray) -> int:
    """Position of the curve with the smallest sum of L2 distances to the others: jarvis2025 Fig. 6."""
    return int(np.argmin(cdist(losses, losses).sum(axis=1)))


def _areas(of: fs.Trajectory, to: fs.Trajectory) -> np.ndarray:
    """Area between each run of some networks and each of others, (of, to)."""
    return np.array([[papers.area(to.times, first, second) for second in to.loss] for first in of.loss])


def _typical(areas: np.ndarray) -> float:
    """Area from the medoid below which most networks are."""
    return float(np.quantile(areas, TYPICAL))


def near(of: fs.Trajectory, relu: fs.Trajectory) -> tuple[float, float]:
    """Area between medoids, and the error over networks of its distance from the typical one, which varies, too."""
    apart, noise = _areas(of, relu), _areas(relu, relu)

    def margin(some: np.ndarray, others: np.ndarray) -> Any:
        first, second = some[medoid(of.loss[some])], others[medoid(relu.loss[others])]
        return apart[first, second] - _typical(noise[others, second])

    error = papers.resampled(margin, *(np.arange(len(run.loss)) for run in (of, relu)))[1]
    return float(apart[medoid(of.loss), medoid(relu.loss)]), error


def spread(times: np.ndarray, loss: np.ndarray) -> float:
    """Standard deviation over runs, integrated over time, relative to the mean loss."""
    return float(np.trapezoid(loss.std(axis=0), times) / np.trapezoid(loss.mean(axis=0), times))


def spread_ratio(first: fs.Trajectory, second: fs.Trajectory) -> tuple[float, float]:
    """Spread of the first runs over that of the second; its error is that of the logarithm, which is skewed less."""

    def log_ratio(a: np.ndarray, b: np.ndarray) -> float:
        spreads = spread(first.times, a), spread(second.times, b)
        return np.log(spreads[0] / spreads[1]) if min(spreads) > 0 else np.nan  # nan: one network, drawn every time

    value, error = papers.resampled(log_ratio, first.loss, second.loss)
    return float(np.exp(value)), float(np.exp(value)) * error


def by_size(modules: np.ndarray, size: int) -> Any:
    """Share of second-layer units by the number of contexts in which they are on."""
    return modules[..., size == SIZES].sum(axis=-1)


EPOCHS = "epoch (thousands)"
SMALL = {"loc": "upper right", "fontsize": 7}
LINES = {
    "predicted": ("predicted", "-"),
    "released": ("gated, released constants", "--"),
    "gated": ("gated, predicted onset", ":"),
}


def _time(c: papers.Results) -> np.ndarray:
    return c.relu.times / c.rate / 1000


def _draw_kinds(c, ax, of):
    """A curve of ReLU networks, of their predictions and of gated networks."""
    ax.plot(_time(c), of(c.relu.loss), label="ReLU, trained", **look("trained"))
    for name, (label, style) in LINES.items():
        ax.plot(_time(c), of(c.get(name).loss), label=label, **look("predicted", linestyle=style))


@papers.panel(
    lambda c: f"{c.settings.seeds} trained, {len(c.predicted.loss)} predicted", EPOCHS, "loss", legend=SMALL,
    ylim=lambda c: (-0.2, 1.6 * float(c.relu.loss.max())),
)  # fmt: skip
def _typical_losses(c, ax):
    low, high = np.quantile(c.relu.loss, [0.05, 0.95], axis=0)
    ax.fill_between(_time(c), low, high, color="0.85", linewidth=0)
    _draw_kinds(c, ax, lambda loss: loss[medoid(loss)])


@papers.panel("Each from its own weights", EPOCHS, "loss", legend="upper right")
def _single_losses(c, ax):
    for seed, colour, trained, predicted in zip(c.relu.seeds[:3], COLOURS, c.relu.loss, c.predicted.loss, strict=False):
        ax.plot(_time(c), trained, label=f"seed {seed}", **look("trained", colour))
        ax.plot(_time(c), predicted, **look("predicted", colour))


@papers.panel(
    "Spread between runs", EPOCHS, "standard deviation of the loss", legend=SMALL,
    ylim=lambda c: (-0.02, 1.7 * float(c.relu.loss.std(axis=0).max())),
)  # fmt: skip
def _spreads(c, ax):
    _draw_kinds(c, ax, lambda loss: loss.std(axis=0))
    line = look("trained", COLOURS[4], zorder=1.5)
    ax.plot(_time(c), c.shallow.loss.std(axis=0), label="one hidden layer, trained", **line)


@papers.panel(
    "Second-layer units by contexts",
    EPOCHS,
    "share of power",
    legend=SMALL,
    ylim=(0, 1.6),
    yticks=np.linspace(0, 1, 6),
    detail=True,
)
def _units(c, ax):
    for size, colour, label in ((3, COLOURS[6], "all contexts"), (2, COLOURS[0], "two"), (1, COLOURS[4], "one")):
        runs = (run["modules"][: len(c.predicted.loss)] for run in (c.relu, c.predicted))
        trained, predicted = (by_size(modules, size).mean(axis=0) for modules in runs)
        ax.plot(_time(c), trained, label=f"on in {label}", **look("trained", colour))
        ax.plot(_time(c), predicted, **look("predicted", colour))


@papers.panel(lambda c, name: f"{name} layer of the ReLU medoid, end")
def _gates(c, ax, name):
    """Activity of the strongest units, each relative to its largest; off is white."""
    hidden = c.hidden[name]
    strong = np.argsort(-(hidden**2).sum(axis=1))[:60]
    rows = hidden[strong] / np.maximum(hidden[strong].max(axis=1, keepdims=True), 1e-30)
    order = np.lexsort((rows > 0).T[::-1])
    papers.image(ax, rows[order], "activity, relative", vmin=0, vmax=1)
    for edge in (7.5, 15.5):
        ax.axvline(edge, color="black", linewidth=0.8)
    ax.set_xticks([3.5, 11.5, 19.5], [f"context {k + 1}" for k in range(CONTEXTS)])
    ax.set_ylabel(f"{len(rows)} strongest units")


panels = (
    _typical_losses,
    _single_losses,
    _spreads,
    _units,
    _gates.of("First", detail=True),
    _gates.of("Second", detail=True),
)


def _late(c: papers.Results, epochs: np.ndarray) -> tuple[float, float]:
    """Median over networks of the relative error of predicted onsets, in epochs."""
    return papers.resampled(np.median, np.abs(epochs / c.onsets["trained"][: len(epochs)] - 1))


TYPICAL_AREA: Any = {
    "at_most": lambda c: c.typical,
    "because": "the noise floor: the 95 % quantile of the areas of ReLU networks; its own error is in the ±",
}


@papers.extension(
    "theory of units; jarvis2025 section 6 for the networks", name="units", expected="open", **TYPICAL_AREA
)
def _from_own_weights(c):
    """Predicted from their own initial weights, the typical network of two hidden layers is as near to the typical
    trained one as 95 of 100 trained networks are (area between medoids)."""
    return near(c.predicted, c.relu)


@papers.extension("jarvis2025 section 6, where the onset is set to epoch 12000", at_most=0.1, because="a tenth")
def _onset(c):
    """The epoch at which networks of two hidden layers begin to gate is predicted from their initial weights (median
    over networks of the relative error of each)."""
    return _late(c, c.onsets["predicted"])


@papers.extension(
    "theory of units; jarvis2025 section 6, where the onset is set to epoch 12000", at_most=0.1, because="a tenth"
)
def _instability(c):
    """Networks of two hidden layers begin to gate when their first plateau becomes unstable. The small part of the
    weights on reaching the plateau predicts the epoch at which it diverges (median over networks of the relative error
    of each)."""
    return _late(c, c.escapes)


@papers.claim("jarvis2025 section 6, Fig. 6b", **TYPICAL_AREA)
def _released(c):
    """With the released constants (contextual pathways from epoch {s.onset} with output weights times {s.boost:.1f}),
    the typical deep gated network is as near to the typical ReLU network as 95 % of them (area between medoids)."""
    return near(c.released, c.relu)


@papers.extension(
    "jarvis2025 section 6, Fig. 6b; the onset is predicted, where the paper sets it", expected="fails", **TYPICAL_AREA
)
def _medoid(c):
    """With contextual pathways that open at the predicted onset, the typical gated network of two hidden layers is as
    near to the typical ReLU network as 95 of 100 ReLU networks are (area between medoids)."""
    return near(c.gated, c.relu)


@papers.claim(
    "jarvis2025 section 6, Fig. 6b",
    at_most=2.0,
    because="a factor of two; the peaks of the two spreads are at different times",
)
def _spread(c):
    """Gated and ReLU networks of two hidden layers vary equally between runs (larger over smaller spread of the
    loss)."""
    ratio, error = spread_ratio(c.released, c.relu)
    return (ratio, error) if ratio >= 1 else (1 / ratio, error / ratio**2)


@papers.claim("jarvis2025 section 6", at_least=2.0, because="a factor of two")
def _varies(c):
    """Runs of ReLU networks with two hidden layers differ more than runs with one, each at its published settings
    (ratio of spreads)."""
    return spread_ratio(c.relu, c.shallow)


@papers.claim("jarvis2025 section 6", name="first_layer", at_most=0.1, because="a tenth")
def _first_layer(c):
    """The first of two hidden layers is used as a linear layer (rise of the typical network's loss without its gates,
    over the rise without those of the second layer)."""

    def ratio(loss: np.ndarray, linear: np.ndarray) -> Any:
        whole, first, second = linear[medoid(loss)]
        return (first - whole) / (second - whole)

    return papers.resampled(ratio, c.relu.loss, c.linear)


@papers.claim(
    "jarvis2025 section 6",
    name="first_layer_on",
    at_least=0.95,
    expected="fails",
    because="95 %, a conventional threshold for all; the paper names no exception",
    baseline=("mean share of data points at which units are on", lambda c: float(c.everywhere[:, 1].mean())),
)
def _first_layer_on(c):
    """All neurons of the first of two hidden layers are active for all data points (share of the layer's output from
    units that are on everywhere, mean over networks)."""
    return papers.mean(c.everywhere[:, 0])


@papers.claim("jarvis2025 section 6", name="second_layer", at_least=0.5, because="one half: most")
def _second_layer(c):
    """Contextual units of the second hidden layer are on in two of three contexts (share of two among two and one)."""

    def share(modules: np.ndarray) -> Any:
        one, two = (by_size(modules.mean(axis=0), size) for size in (1, 2))
        return two / (two + one)

    return papers.resampled(share, c.relu["modules"][:, -1])


@papers.claim(
    "jarvis2025 section 6",
    kind="identity",
    at_most=0.1,
    because="10 %; states are matched by their loss, which nearly fixes the outputs",
)
def _outputs(c):
    """At the plateaus of the loss typical ReLU and gated networks of two hidden layers have the same outputs (relative
    distance, at times matched by loss)."""
    return float(c.output_distance.max())
