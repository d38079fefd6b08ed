"""Can the modules of a ReLU network be read from its activity?

Eight items in three contexts. Algorithm 1, k-means on when units are on through training, finds a common pattern and
three that are off in one context each where several networks are pooled, and the elbow of the imitation error is at
four. In single networks it often does not: k-means counts every unit alike, also those that do nothing. Weighted by
what units contribute, the four patterns come out of almost every network, and gates planted in a network are found
among idle units. Two limits remain: with a higher bar for when a unit is on the four patterns dissolve, and the gated
network of the four is much farther from a ReLU network than two ReLU networks are from each other.

Source: jarvis2025 App. B, Algorithm 1, Figs. 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs
from festina._progress import track
from festina.papers import Claim, setting
from festina.papers._seeds import share
from festina.papers.experiments._context import without_idle
from festina.papers.experiments._planted import planted, same

CONTEXTS, ITEMS = 3, 8
FINDERS = ("contribution", "kmeans")
NAMES = {"contribution": "by contribution", "kmeans": "Algorithm 1"}
HIGH = 0.1
"""A high bar for when a unit is on: a tenth of its largest activity."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    seeds: int = setting(10, "ReLU networks", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    hidden: int = setting(700, "hidden units", least=1)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes 24 times as much", above=0)
    steps: int = setting(8000, "steps of training", least=1)
    every: int = setting(100, "steps from one sample of the activity to the next", least=1)
    most: int = setting(8, "largest number of modules", least=1)
    thresholds: tuple[float, ...] = setting(
        (0.001, 0.003, 0.01, 0.03, 0.1),
        "shares of its largest activity up to which a unit counts as off",
        least=0,
        most=1,
    )
    planted: int = setting(10, "networks with planted gates", least=1)


quick = Settings(seeds=6, step=0.004, steps=2000, every=100, most=5, thresholds=(0.1,), planted=3)
layout = (2, 3)
caption = (
    "Clustering the activity of several ReLU networks finds a common module and one per pair of contexts; in single "
    "networks units must be weighted by what they contribute. (a–c) Centroids of two, three and four clusters. (d) "
    "Error of the gated network that imitates a ReLU network, by number of modules (circle: the chosen number), with "
    "the distance between two ReLU networks (dashed). (e) Share of single networks in which the four patterns are "
    "found, against the threshold above which a unit is on. (f) Loss of ReLU networks and of the gated network with "
    "the found modules; dotted lines mark when modules become active."
)


@dataclass(frozen=True, eq=False)
class Found:
    """What one finder found: gates, units and times of the modules; gates and centroids by number of modules tried."""

    gates: np.ndarray
    units: list[float]
    active_at: list[float]
    chosen: int
    imitation: Mapping[int, float]
    spread: float
    tried: dict[int, np.ndarray]
    centroids: dict[int, list[np.ndarray]]


@dataclass(frozen=True, eq=False)
class Curves:
    """What both finders found in all networks, and in how many single ones they found the known patterns."""

    settings: Settings
    relu: fs.Trajectory
    reln: fs.Trajectory
    found: dict[str, Found]
    single: dict[str, np.ndarray]
    by_threshold: dict[float, np.ndarray]
    planted: dict[str, np.ndarray]


def known() -> np.ndarray:
    """The patterns of the paper: on everywhere, and off in one context each."""
    contexts = np.repeat(np.arange(CONTEXTS), ITEMS)
    return np.array([np.ones(len(contexts), bool), *(contexts != c for c in range(CONTEXTS))])


def compute(settings: Settings) -> Curves:
    """Train, find the modules of all networks together and of each alone, and those of networks with planted gates."""
    task = without_idle(fs.tasks.context(CONTEXTS, "different"))[0]
    rate = settings.step * len(task.x)
    times = np.arange(0, settings.steps + 1, settings.every) * rate
    network = fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(settings.scale / settings.hidden))
    method = fs.Train(rate=rate, precision="single")
    run = fs.evolve(
        network,
        task,
        times,
        method=method,
        seed=settings.seed,
        seeds=settings.seeds,
        observe=("loss", "outputs", "weights"),
    )
    both = {f: fs.relu.find_gates(run, task, finder=f, most=settings.most) for f in FINDERS}
    found = {
        f: Found(
            one.gates,
            [m.units for m in one.modules],
            [m.active_at for m in one.modules],
            one.chosen,
            one.imitation,
            one.spread,
            {k: modules.gates for k, modules in one.tried.items()},
            {k: [m.centroid for m in modules] for k, modules in one.tried.items()},
        )
        for f, one in both.items()
    }
    reln = fs.evolve(both["contribution"].network, task, times, method=method)
    alone = [_alone(run, i) for i in range(settings.seeds)]
    count = len(known())

    def right(finder: str, **options: Any) -> np.ndarray:
        each = [fs.relu.cluster_gates(one, task, count, finder=finder, **options) for one in alone]
        return np.array([same(modules.gates, known()) for modules in each])

    single = {f: right(f) for f in FINDERS}
    by_threshold = {t: right("contribution", threshold=t) for t in track(settings.thresholds, "thresholds")}
    plants = [planted(seed) for seed in range(settings.seed, settings.seed + settings.planted)]
    put = {
        f: np.array([same(fs.relu.find_gates(r, t, finder=f, most=6).gates, p) for t, r, p in plants]) for f in FINDERS
    }
    loss = fs.Trajectory(run.times, {"loss": run.loss}, seeds=run.seeds)
    return Curves(settings, loss, reln, found, single, by_threshold, put)


def _alone(run: fs.Trajectory, i: int) -> fs.Trajectory:
    """One of the networks, as a run of its own."""
    return fs.Trajectory(run.times, {"weights": tuple(w[i] for w in run.weights)}, notes=run.notes)


def values(curves: Curves) -> dict[str, Any]:
    """Patterns, numbers of modules, imitation errors, and shares of networks in which known gates were found."""
    return {
        "patterns": {f: found.gates.astype(int) for f, found in curves.found.items()},
        "best_modules": {f: found.chosen for f, found in curves.found.items()},
        "imitation_by_modules": {f: found.imitation for f, found in curves.found.items()},
        "spread": curves.found["contribution"].spread,
        "units": {f: found.units for f, found in curves.found.items()},
        "active_at": {f: found.active_at for f, found in curves.found.items()},
        "single_networks": {f: right.mean() for f, right in curves.single.items()},
        "by_threshold": {t: right.mean() for t, right in curves.by_threshold.items()},
        "planted": {f: right.mean() for f, right in curves.planted.items()},
        "area": fs.compare(curves.reln, curves.relu.mean()).area,
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Centroids of k-means for two, three and four clusters; imitation; single networks; loss."""
    from festina.plot import COLOURS, loss

    for ax, k in zip(axes[:3], (2, 3, 4), strict=True):
        modules = curves.found["kmeans"].centroids[k]
        shown = ax.imshow(modules, aspect="auto", cmap="cividis", vmin=0, vmax=1, interpolation="nearest")
        for c in range(1, CONTEXTS):
            ax.axvline(c * ITEMS - 0.5, color="white", linewidth=2)
        ax.set_xticks([(c + 0.5) * ITEMS - 0.5 for c in range(CONTEXTS)], [f"context {c + 1}" for c in range(CONTEXTS)])
        ax.set_yticks(range(len(modules)), [f"{i + 1}" for i in range(len(modules))])
        ax.set_ylabel("cluster")
        ax.set_title(f"Algorithm 1, {k} clusters")
        ax.figure.colorbar(shown, ax=ax, shrink=0.8, label="units on (share)")
    ax = axes[3]
    for finder, colour, mark in zip(FINDERS, COLOURS, ("o", "s"), strict=False):
        found = curves.found[finder]
        numbers, errors = list(found.imitation), list(found.imitation.values())
        ax.semilogy(numbers, errors, color=colour, marker=mark, markersize=4, label=NAMES[finder])
        ax.semilogy(
            found.chosen, found.imitation[found.chosen], "o", markersize=11, markerfacecolor="none", color=colour
        )
    spread = curves.found["contribution"].spread
    ax.axhline(spread, color=COLOURS[6], linewidth=0.8, linestyle="--", label="two ReLU networks")
    ax.set_xlabel("number of modules")
    ax.set_ylabel("imitation error")
    ax.set_title("Imitation by so many modules")
    ax.legend()
    ax = axes[4]
    shares = [right.mean() for right in curves.by_threshold.values()]
    ax.semilogx(list(curves.by_threshold), shares, "o-", color=COLOURS[0], markersize=4, label=NAMES["contribution"])
    ax.axhline(curves.single["kmeans"].mean(), color=COLOURS[1], label=f"{NAMES['kmeans']} (on above 0)")
    ax.set_ylim(-0.05, 1.3)
    ax.set_yticks([0, 0.5, 1])
    ax.set_xlabel("on above this share of largest activity")
    ax.set_ylabel("networks with four patterns")
    ax.set_title("Single networks")
    ax.legend(loc="upper right")
    ax = axes[5]
    loss(curves.relu, ax, label="ReLU")
    loss(curves.reln, ax, label="gated, found modules", kind="predicted", color=COLOURS[0])
    for time in curves.found["contribution"].active_at:
        ax.axvline(time, ymax=0.35, color=COLOURS[2], linewidth=1.2, linestyle=":")
    ax.set_title("Loss, and when modules turn active")
    ax.legend(loc="upper right")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "patterns",
        "Four clusters of the pooled activity of ReLU networks are a common pattern and three that are off "
        "in one context each (patterns found, of four, by Algorithm 1).",
        lambda c: float(sum(any(np.array_equal(p, q) for q in c.found["kmeans"].tried[4]) for p in known())),
        4.0,
        ">=",
        source="jarvis2025 App. B, Fig. 8",
        reason="all four, as in the paper's figure",
    ),
    Claim(
        "elbow",
        "The error of the imitating gated network has its elbow at four modules (distance of the chosen "
        "number from four, Algorithm 1).",
        lambda c: float(abs(c.found["kmeans"].chosen - 4)),
        0.0,
        source="jarvis2025 App. B, Fig. 9",
        reason="the paper's number",
    ),
    Claim(
        "held_out",
        "Judged on networks that were not used to find the gates, four modules are enough and needed "
        "(distance of the chosen number from four, weighted by contribution).",
        lambda c: float(abs(c.found["contribution"].chosen - 4)),
        0.0,
        kind="extension",
        source="jarvis2025 App. B, Fig. 9, with weights and held-out networks of our own",
        reason="the paper's number",
    ),
    Claim(
        "single_kmeans",
        "Algorithm 1 finds the four patterns in the activity of a single ReLU network (share of networks).",
        lambda c: share(c.single["kmeans"]),
        0.9,
        ">=",
        kind="extension",
        source="jarvis2025 App. B, which pools networks",
        reason="nine of ten networks",
        expected="fails",
    ),
    Claim(
        "single_contribution",
        "Clustering weighted by what units contribute finds the four patterns in a single ReLU network "
        "(share of networks).",
        lambda c: share(c.single["contribution"]),
        0.9,
        ">=",
        kind="extension",
        source="jarvis2025 App. B, with weights of our own",
        reason="nine of ten networks",
        expected="open",
    ),
    Claim(
        "threshold",
        "The four patterns are found also when a unit counts as on only above a tenth of its largest "
        "activity (share of networks).",
        lambda c: share(c.by_threshold[HIGH]),
        0.9,
        ">=",
        kind="extension",
        source="jarvis2025 section 4, whose threshold is 0",
        reason="nine of ten networks",
        expected="fails",
    ),
    Claim(
        "planted_kmeans",
        "Algorithm 1 finds gates that were planted in a single network beside idle units (share of networks).",
        lambda c: share(c.planted["kmeans"]),
        0.9,
        ">=",
        kind="extension",
        source="jarvis2025 App. B, which pools networks",
        reason="nine of ten networks",
        expected="fails",
    ),
    Claim(
        "planted_contribution",
        "Clustering weighted by what units contribute finds planted gates and their number beside idle units "
        "(share of networks).",
        lambda c: share(c.planted["contribution"]),
        0.9,
        ">=",
        kind="extension",
        source="jarvis2025 App. B, with weights of our own",
        reason="nine of ten networks",
        expected="open",
    ),
    Claim(
        "same_outputs",
        "The gated network of four modules is as near to a ReLU network at all times as two ReLU networks "
        "are to each other (ratio of the errors of the outputs).",
        lambda c: c.found["kmeans"].imitation[4] / c.found["kmeans"].spread,
        1.0,
        kind="extension",
        source="jarvis2025 Definition 3.1, section 4",
        reason="the noise floor: the distance between two ReLU networks, which differ very little",
        expected="fails",
    ),
)
