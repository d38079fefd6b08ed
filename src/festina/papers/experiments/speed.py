"""What makes one pathway of a gated network learn before another?

Four things, as the lecture lists them: a stronger correlation between inputs and targets, fewer layers, a start that is
larger or less balanced, and an edge that is shared with other pathways. Each is tested alone: two pathways see equal
data on different inputs and differ in nothing else, and the time at which each has learned half of its data is compared
with what two like pathways differ by. The race of the pathways from the same random weights predicts the ratio. The
race is also exact for a ReLU network whose units are on where the gates are open and whose weights are decoupled.

Source: saxe_lecture "The neural race reduction" and "Assumptions & caveats"; saxe2022.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.analysis import first_passage
from festina.papers import Claim, setting
from festina.papers._claim import Baseline
from festina.papers._seeds import between, mean
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FACTORS = {
    "like": "two like pathways",
    "correlation": "correlation half as strong",
    "depth": "one more hidden layer",
    "size": "smaller start",
    "balance": "balanced start",
    "sharing": "no shared edge",
}
"""What distinguishes the second pathway, the slower one, from the first."""

MARGIN = 0.5
"""Margin Δ of the extended XOR task: a unit along a data point is off at all others below Δ = √2."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    seeds: int = setting(20, "networks for each factor", least=2)
    seed: int = setting(0, "first of the seeds", least=0)
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
    rate: float = setting(0.1, "step of gradient descent on the mean loss", above=0)
    time: float = setting(200.0, "flow time of training", above=0)
    points: int = setting(401, "observations", least=2)
    layer: float = setting(0.1, "initial strength of a layer of the ReLU network", above=0)


quick = Settings(seeds=4, rate=0.2, points=201)
layout = (2, 3)
caption = (
    "A pathway learns sooner with a stronger correlation, fewer layers, a larger or less balanced start, and a shared "
    "edge. (a–e) Loss of two pathways that differ in one thing, relative to its start: trained (thick, pale, mean over"
    " networks) and by the race from the same weights (thin), which errs late in (b), where random weights of "
    "neighbouring hidden layers are not decoupled (it is drawn up to the height of the start). (f) A ReLU network "
    "whose weights are decoupled and whose gates match: gradient flow (thick, pale) and closed form of the pathways "
    "(thin)."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """By factor: loss of both pathways (seeds, times, 2), trained and by the race; a ReLU network and its theory."""

    settings: Settings
    times: np.ndarray
    trained: dict[str, np.ndarray]
    race: dict[str, np.ndarray]
    relu: fs.Trajectory
    exact: fs.Trajectory

    def ratios(self, factor: str, method: str = "trained") -> np.ndarray:
        """Time at which the second pathway has learned half over that of the first, per network."""
        found = getattr(self, method)[factor]
        half = [[first_passage(self.times, run[:, k], run[0, k] / 2) for k in range(2)] for run in found]
        return np.array([slow / fast for fast, slow in half])

    @property
    def like(self) -> float:
        """Largest ratio of the times of two like pathways, over networks."""
        ratios = self.ratios("like")
        return float(np.maximum(ratios, 1 / ratios).max())

    @property
    def switched(self) -> int:
        """Gates of the ReLU network that were ever another than at its start."""
        gates = self.relu["gates"][0]
        return int(np.any(gates != gates[:1], axis=0).sum())


def compute(settings: Settings) -> Curves:
    """Train and race two pathways for each factor; solve the ReLU network both ways."""
    times = np.linspace(0, settings.time, settings.points)
    trained, race = {}, {}
    for factor in track(list(FACTORS), "factors"):
        network, task, factors = _pathways(factor, settings)
        runs: dict[str, list[np.ndarray]] = {"trained": [], "race": []}
        for seed in range(settings.seed, settings.seed + settings.seeds):
            start = [
                w * factors.get(e, 1.0) for e, w in zip(network.graph.edges, network.start(task, seed), strict=True)
            ]
            placed = network.starting(fs.initial.Weights(start))
            for name, method in (("trained", fs.Train(rate=settings.rate)), ("race", fs.Reduced())):
                run = fs.evolve(placed, task, times, method=method, observe=("loss", "outputs"))
                runs[name].append(_losses(run.outputs, task))
        trained[factor], race[factor] = (np.array(runs[name]) for name in ("trained", "race"))
    return Curves(settings, times, trained, race, *_matched(settings))


def _pathways(factor: str, settings: Settings) -> tuple[fs.Gated, fs.Task, Mapping[tuple[str, str], float]]:
    """A gated network whose first and last pathway differ in one thing, its task, and factors on initial weights.

    Every pathway sees inputs of its own, one for each item, and is open on its own data points.
    """
    import networkx as nx

    items = fs.tasks.living_things(4)
    count = len(items.x)
    domains = settings.sharing + 1 if factor == "sharing" else 2
    graph, gates = nx.DiGraph(), {}
    domain = np.repeat(np.arange(domains), count)
    for k in range(domains):
        shared = factor == "sharing" and k < settings.sharing
        layers = 2 if factor == "depth" and k == 1 else 1
        hidden = ["shared"] if shared else [f"{k}.{j}" for j in range(layers)]
        names = [f"x{k}", *hidden, "y"]
        graph.add_edges_from(pairwise(names))
        graph.nodes[f"x{k}"]["columns"] = list(range(count * k, count * (k + 1)))
        for name in hidden:
            graph.nodes[name]["width"] = settings.hidden
            gates[name] = domain < settings.sharing if shared else domain == k
    weak = settings.weak if factor == "correlation" else 1.0
    scales = [1.0] * (domains - 1) + [weak]
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
    task = fs.tasks.extended_xor(MARGIN)
    first = settings.layer * task.x / np.linalg.norm(task.x, axis=1, keepdims=True)
    second = settings.layer * task.y.T
    relu = fs.ReLU((len(task.x),), initial=fs.initial.Weights([first, second]))
    gated = fs.gated.pathways(np.eye(len(task.x)), 1, initial=fs.initial.Gaussian(settings.layer))
    count = len(task.x)
    edges = [*(first[[k]] for k in range(count)), *(second[:, [k]] for k in range(count))]
    times = np.linspace(0, 40, settings.points)
    flow = fs.evolve(relu, task, times, method=fs.Flow(solver="LSODA", rtol=1e-10), observe=("loss", "gates"))
    exact = fs.evolve(gated.starting(fs.initial.Weights(edges)), task, times, method=fs.Exact())
    return flow, exact


def values(curves: Curves) -> dict[str, Any]:
    """Ratios of times, trained and predicted."""
    return {
        "ratio": {factor: mean(curves.ratios(factor)) for factor in FACTORS},
        "ratio_by_race": {factor: mean(curves.ratios(factor, "race")) for factor in FACTORS},
        "largest_ratio_of_like_pathways": curves.like,
        "relu_difference": _difference(curves),
        "relu_gates_switched": curves.switched,
    }


def _difference(curves: Curves) -> float:
    """Largest difference of the losses of the ReLU network and of the closed form, relative to the first loss."""
    return float(np.abs(curves.relu.loss - curves.exact.loss).max() / curves.relu.loss[0])


def _race_error(curves: Curves) -> tuple[float, float]:
    """Relative error of the ratio of times by the race: mean over networks, worst factor."""
    found = [
        mean(np.abs(curves.ratios(factor, "race") / curves.ratios(factor) - 1))
        for factor in FACTORS
        if factor != "like"
    ]
    return max(found)


def _networks_apart(curves: Curves) -> float:
    """Relative difference of the ratios of times of two trained networks: mean over pairs, largest over factors."""
    ratios = (curves.ratios(factor) for factor in FACTORS if factor != "like")
    return max(float(between(lambda first, second: np.abs(first / second - 1), each)) for each in ratios)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """A panel for each factor, and the ReLU network."""
    from festina.plot import COLOURS, look

    factors = [factor for factor in FACTORS if factor != "like"]
    others = ("stronger correlation", "one hidden layer", "larger start", "unbalanced start", "shared edge")
    for ax, factor, other in zip(axes, factors, others, strict=False):
        for k, label in ((0, other), (1, FACTORS[factor])):
            trained, race = (
                (found[factor][:, :, k] / found[factor][:, :1, k]).mean(axis=0)
                for found in (curves.trained, curves.race)
            )
            ax.plot(curves.times, trained, label=label, **look("trained", COLOURS[k]))
            # a prediction that runs away is drawn up to the height of the start
            ax.plot(curves.times, np.where(race <= 1.02, race, np.nan), **look("predicted", COLOURS[k]))
        ratio = curves.ratios(factor).mean()
        ax.set(
            title=f"{other.capitalize()}: {ratio:.2g} times as fast", xlabel="time (flow time)", ylabel="loss / start"
        )
        ax.set_xlim(0, min(3 * curves.times[np.argmax(trained <= 0.5)], curves.times[-1]))
        ax.set_ylim(-0.03, 1.45)
        ax.set_yticks(np.linspace(0, 1, 6))
        ax.legend(loc="upper right")
    ax: Axes = axes[5]
    ax.plot(curves.relu.times, curves.relu.loss, label="ReLU network, flow", **look("trained", COLOURS[2]))
    ax.plot(curves.exact.times, curves.exact.loss, label="pathways, closed form", **look("predicted", COLOURS[2]))
    ax.set(title="Gates match, weights decoupled", xlabel="time (flow time)", ylabel="loss")
    ax.legend(loc="upper right")


def _faster(name: str, sentence: str) -> Claim[Curves]:
    return Claim(
        name,
        f"{sentence} (time of the slower over that of the faster of two pathways that differ in nothing else, mean "
        "over networks).",
        lambda c: mean(c.ratios(name)),
        lambda c: c.like,
        ">=",
        source='saxe_lecture "The neural race reduction"',
        reason="the largest ratio, over networks, of two pathways that differ in their random weights alone",
        baseline=Baseline("the race of the pathways", lambda c: float(c.ratios(name, "race").mean())),
    )


claims: tuple[Claim[Curves], ...] = (
    _faster("correlation", "A pathway with a larger correlation between inputs and targets learns faster"),
    _faster("depth", "A pathway with one more hidden layer learns slower"),
    _faster("size", "A pathway that starts from larger weights learns faster"),
    _faster("balance", "A pathway whose layers start from unequal weights learns faster than one with equal layers"),
    _faster("sharing", "A pathway that shares an edge with other pathways learns faster"),
    Claim(
        "race",
        "The race of the pathways from the random weights of a gated network predicts how much faster one of two "
        "pathways learns (relative error of the ratio of times, mean over networks, worst of five factors).",
        _race_error,
        0.1,
        kind="extension",
        source="saxe2022; our measurement from random weights",
        reason="10 %, because random weights are not decoupled",
        expected="open",
        floor=("two networks", _networks_apart),
    ),
    Claim(
        "matched gates",
        "The closed form of the pathways is exact for a ReLU network whose weights are decoupled and whose units are "
        "on exactly where the gates are open (largest difference of losses over the first loss).",
        _difference,
        1e-6,
        source='saxe_lecture "Assumptions & caveats"',
        reason="the tolerance of the solver of the gradient flow, amplified by learning",
    ),
    Claim(
        "no unit switches",
        "In a ReLU network whose weights are decoupled and whose gates match no unit switches on or off at any data "
        "point (gates that change).",
        lambda c: float(c.switched),
        0.0,
        source='saxe_lecture "Assumptions & caveats"',
        reason="none, as the reduction assumes",
    ),
)
