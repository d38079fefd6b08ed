"""What makes one pathway of a gated network learn before another?

Four properties, as the lecture lists them: a stronger correlation between inputs and targets, fewer layers, a larger or
less balanced start, and an edge shared with other pathways. Each is tested alone. Two pathways see equal data on
different inputs and differ in nothing else. The difference between the times at which each has learned half of its data
is compared with that of two equal pathways. The race of the pathways from the same random weights predicts the ratio of
the times. The race is also exact for a ReLU network whose units are on where the gates are open and whose weights are
decoupled.

Source: saxe_lecture "The neural race reduction" and "Assumptions & caveats"; saxe2022.
"""

from collections.abc import Mapping
from itertools import pairwise

import networkx as nx
import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, look
from festina.runtime import track

FACTORS = {
    "correlation": ("stronger correlation", "correlation half as strong"),
    "depth": ("one hidden layer", "one more hidden layer"),
    "size": ("larger start", "smaller start"),
    "balance": ("unbalanced start", "balanced start"),
    "sharing": ("shared edge", "no shared edge"),
}
"""Difference between the first pathway, the faster one, and the second."""

MARGIN = 0.5  # margin Δ of the extended XOR task: a unit along a data point is off at all others below Δ = √2


class Settings(papers.Settings):
    seeds: int = setting(20, "networks for each factor", least=2)
    hidden: int = setting(32, "units of a hidden layer", least=1)
    std: float = setting(0.03, "standard deviation of an initial weight", above=0)
    weak: float = setting(0.5, "targets of the pathway with the weaker correlation, relative to the other's", above=0)
    small: float = setting(
        0.3, "initial weights of the pathway with the smaller start, relative to the other's", above=0
    )
    unequal: float = setting(
        4.0, "factor on the first layer of the unbalanced pathway; the second is divided by it", above=1
    )
    sharing: int = setting(3, "pathways that share an edge", least=2)
    rate: float = setting(0.1, "step of gradient descent on the mean loss", "flow time per step", above=0)
    time: float = setting(200.0, "flow time of training", above=0)
    points: int = setting(401, "observations", least=2)
    layer: float = setting(0.1, "initial strength of a layer of the ReLU network", above=0)


quick = Settings(seeds=4, rate=0.2, points=201)
caption = (
    "A pathway learns sooner with a stronger correlation, fewer layers, a larger or less balanced start, and a shared "
    "edge. (a–e) Loss of two pathways that differ in one thing, relative to its start: trained (thick, pale, mean "
    "over networks) and predicted by the race from the same weights (thin). In (b) the race fails late, because "
    "random weights of neighbouring hidden layers are not decoupled; it is drawn up to the cross, where it would rise "
    "again. (f) A ReLU network whose weights are decoupled and whose gates match: gradient flow (thick, pale) and "
    "closed form of the pathways (thin)."
)


def compute(settings: Settings) -> papers.Results:
    """Train and race two pathways for each factor; solve the ReLU network both ways."""
    c = papers.Results(settings, times=np.linspace(0, settings.time, settings.points))
    methods = {"trained": fs.Train(rate=settings.rate), "race": fs.Reduced()}
    c.loss, c.ratios = {name: {} for name in methods}, {name: {} for name in methods}
    for factor in track(["like", *FACTORS], "factors"):
        network, task, factors = _pathways(factor, settings)
        runs = {name: [] for name in methods}
        for seed in range(settings.seed, settings.seed + settings.seeds):
            weights = zip(network.graph.edges, network.start(task, seed), strict=True)
            placed = network.starting(fs.initial.Weights([w * factors.get(edge, 1.0) for edge, w in weights]))
            for name, method in methods.items():
                run = fs.evolve(placed, task, c.times, method=method, observe=("loss", "outputs"))
                runs[name].append(_losses(run.outputs, task))
        for name, found in runs.items():
            c.loss[name][factor] = np.array(found)
            half = [[fs.analysis.first_passage(c.times, part, part[0] / 2) for part in loss.T] for loss in found]
            c.ratios[name][factor] = np.array([slow / fast for fast, slow in half])
    ratios = c.ratios["trained"].pop("like")
    c.like = float(np.maximum(ratios, 1 / ratios).max())
    c.relu, c.exact = _matched(settings)
    gates = c.relu["gates"][0]
    c.switched = int(np.any(gates != gates[:1], axis=0).sum())
    return c


def _pathways(factor: str, settings: Settings) -> tuple[fs.Gated, fs.Task, Mapping[tuple[str, str], float]]:
    """A gated network whose first and last pathway differ in one thing, its task, and factors on initial weights.

    Every pathway sees inputs of its own, one for each item, and is open on its own data points.
    """
    items, graph, gates = fs.tasks.living_things(4), nx.DiGraph(), {}
    count, domains = len(items.x), settings.sharing + 1 if factor == "sharing" else 2
    domain = np.repeat(np.arange(domains), count)
    for k in range(domains):
        shared = factor == "sharing" and k < settings.sharing
        layers = 2 if factor == "depth" and k == 1 else 1
        hidden = ["shared"] if shared else [f"{k}.{j}" for j in range(layers)]
        graph.add_edges_from(pairwise([f"x{k}", *hidden, "y"]))
        graph.nodes[f"x{k}"]["columns"] = list(range(count * k, count * (k + 1)))
        for name in hidden:
            graph.nodes[name]["width"] = settings.hidden
            gates[name] = domain < settings.sharing if shared else domain == k
    scales = [1.0] * (domains - 1) + [settings.weak if factor == "correlation" else 1.0]
    task = fs.Task(np.kron(np.eye(domains), items.x), np.vstack([scale * items.y for scale in scales]))
    factors = {
        "size": {("x1", "1.0"): settings.small, ("1.0", "y"): settings.small},
        "balance": {("x0", "0.0"): settings.unequal, ("0.0", "y"): 1 / settings.unequal},
    }
    return fs.Gated(graph, gates, initial=fs.initial.Gaussian(settings.std)), task, factors.get(factor, {})


def _losses(outputs: np.ndarray, task: fs.Task) -> np.ndarray:
    """Loss on the data of the first and of the last pathway, (times, 2)."""
    count = len(fs.tasks.living_things(4).x)
    error = 0.5 * ((outputs - task.y) ** 2).sum(axis=-1)
    return np.stack([error[:, :count].mean(axis=1), error[:, -count:].mean(axis=1)], axis=1)


def _matched(settings: Settings) -> tuple[fs.Trajectory, fs.Trajectory]:
    """Extended XOR: a ReLU unit along every data point, by flow, and the closed form of one pathway for each."""
    task, times = fs.tasks.extended_xor(MARGIN), np.linspace(0, 40, settings.points)
    first, count = settings.layer * task.x / np.linalg.norm(task.x, axis=1, keepdims=True), len(task.x)
    second = settings.layer * task.y.T
    relu = fs.ReLU((count,), initial=fs.initial.Weights([first, second]))
    edges = [*(first[[k]] for k in range(count)), *(second[:, [k]] for k in range(count))]
    gated = fs.gated.pathways(np.eye(count), 1, initial=fs.initial.Gaussian(settings.layer))
    flow = fs.evolve(relu, task, times, method=fs.Flow(solver="LSODA", rtol=1e-10), observe=("loss", "gates"))
    return flow, fs.evolve(gated.starting(fs.initial.Weights(edges)), task, times, method=fs.Exact())


def _title(c, factor):
    return f"{FACTORS[factor][0].capitalize()}: {c.ratios['trained'][factor].mean():.2g} times as fast"


RANGE = {"ylim": (-0.03, 1.45), "yticks": np.linspace(0, 1, 6)}


@papers.panel(_title, "time (flow time)", "loss / start", legend="upper right", **RANGE)
def _factor(c, ax, factor):
    for k, label in enumerate(FACTORS[factor]):
        losses = (c.loss[name][factor][:, :, k] for name in ("trained", "race"))
        trained, race = ((loss / loss[:, :1]).mean(axis=0) for loss in losses)
        ax.plot(c.times, trained, label=label, **look("trained", COLOURS[k]))
        # a prediction that turns upwards is wrong from there on: a cross marks where it is left
        turn = int(np.argmin(race)) if race.max() > 1.02 else len(race) - 1
        ax.plot(c.times[: turn + 1], race[: turn + 1], **look("predicted", COLOURS[k]))
        if turn < len(race) - 1:
            ax.plot(c.times[turn], race[turn], "x", markersize=7, markeredgewidth=1.8, color="black", zorder=4)
            below = {"xytext": (0, -13), "textcoords": "offset points", "ha": "center", "fontsize": 8}
            ax.annotate("not decoupled", (c.times[turn], race[turn]), **below)
    ax.set_xlim(0, min(3 * c.times[np.argmax(trained <= 0.5)], c.times[-1]))


GREEN = {"color": COLOURS[2]}
_match = papers.losses(
    {"relu": ("ReLU network, flow", {"kind": "trained", **GREEN}), "exact": ("pathways, closed form", GREEN)},
    "Gates match, weights decoupled",
    legend="upper right",
)
panels = (*(_factor.of(factor) for factor in FACTORS), _match)


def _faster(name, sentence):
    """The claim that the first of two pathways learns faster."""
    measure = "time of the slower over that of the faster of two pathways that differ in nothing else"
    return papers.Claim[papers.Results](
        name,
        f"{sentence} ({measure}, mean over networks).",
        lambda c: papers.mean(c.ratios["trained"][name]),
        lambda c: c.like,
        ">=",
        source='saxe_lecture "The neural race reduction"',
        reason="the largest ratio, over networks, of two pathways that differ in their random weights alone",
        baseline=("the race of the pathways", lambda c: float(c.ratios["race"][name].mean())),
    )


FASTER = (
    _faster("correlation", "A pathway with a larger correlation between inputs and targets learns faster"),
    _faster("depth", "A pathway with one more hidden layer learns slower"),
    _faster("size", "A pathway that starts from larger weights learns faster"),
    _faster("balance", "A pathway whose layers start from unequal weights learns faster than one with equal layers"),
    _faster("sharing", "A pathway that shares an edge with other pathways learns faster"),
)
CAVEATS = 'saxe_lecture "Assumptions & caveats"'


def _networks_apart(c):
    """Relative difference of the ratios of times of two trained networks: mean over pairs, largest over factors."""
    ratios = c.ratios["trained"].values()
    return max(float(papers.between(lambda first, second: np.abs(first / second - 1), each)) for each in ratios)


@papers.extension(
    "saxe2022; our measurement from random weights",
    at_most=0.1,
    expected="open",
    floor=("two networks", _networks_apart),
    because="10 %, because random weights are not decoupled",
)
def _race(c):
    """The race of the pathways from the random weights of a gated network predicts how much faster one of two pathways
    learns (relative error of the ratio of times, mean over networks, worst of five factors)."""
    trained, race = c.ratios["trained"], c.ratios["race"]
    return max(papers.mean(np.abs(race[factor] / trained[factor] - 1)) for factor in FACTORS)


@papers.claim(CAVEATS, at_most=1e-6, because="the tolerance of the solver of the gradient flow, amplified by learning")
def _matched_gates(c):
    """The closed form of the pathways is exact for a ReLU network whose weights are decoupled and whose units are on
    exactly where the gates are open (largest difference of losses over the first loss)."""
    return float(np.abs(c.relu.loss - c.exact.loss).max() / c.relu.loss[0])


@papers.claim(CAVEATS, at_most=0.0, because="none, as the reduction assumes")
def _no_unit_switches(c):
    """In a ReLU network whose weights are decoupled and whose gates match no unit switches on or off at any data point
    (gates that change)."""
    return float(c.switched)


claims = (*FASTER, _race, _matched_gates, _no_unit_switches)
