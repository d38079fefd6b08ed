"""Can the modules of a ReLU network be read from its activity?

Eight items in three contexts. Algorithm 1 is k-means on when the units of several networks are on through training. In
one pool of ten networks it finds a common pattern and three that are off in one context each, and the elbow of the
imitation error at four, as the paper shows; in three other pools one of the four is missing and the elbow is at three,
for k-means counts every unit alike, also those that do nothing. Weighted by what units contribute, four modules come
out of every pool, the four patterns out of most single networks, and gates planted in a network are found among idle
units. Two limits remain: with a higher bar for when a unit is on the four patterns dissolve, and the gated network of
the four is much farther from a ReLU network than two ReLU networks are from each other.

Source: jarvis2025 App. B, Algorithm 1, Figs. 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, mean, share
from festina.papers.experiments._planted import planted, same
from festina.runtime import track

CONTEXTS, ITEMS = 3, 8
FINDERS = ("contribution", "kmeans")
NAMES = {"contribution": "by contribution", "kmeans": "Algorithm 1"}
HIGH = 0.1
"""A high bar for when a unit is on: a tenth of its largest activity."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    seeds: int = setting(10, "ReLU networks in a pool", least=1)
    pools: int = setting(4, "pools of networks, each of which is clustered for itself", least=1)
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
    planted: int = setting(20, "networks with planted gates", least=1)


quick = Settings(seeds=6, pools=2, seed=12, step=0.008, steps=1000, every=50, most=4, thresholds=(0.1,), planted=15)
layout = (2, 3)
caption = (
    "Clustering the activity of several ReLU networks finds a common module and one per pair of contexts in one pool "
    "of networks and misses one of them in others, unless units are weighted by what they contribute. (a–c) Centroids "
    "of two, three and four clusters of one "
    "pool of networks. (d) Error of the gated network that imitates a ReLU network, by number of modules, for each "
    "pool (ring: the chosen number), and the distance between two ReLU networks (band). (e) Share of single networks "
    "in which the four patterns are found, against the threshold above which a unit is on. (f) Loss of ReLU networks "
    "(band) and of the gated network with the modules that were found (line); dotted lines mark when a module becomes "
    "active."
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
class Pool:
    """What both finders found in networks that were pooled, and in which of them alone they found the known patterns.

    Attributes:
        relu, reln: loss of the networks, and of the gated network with the modules that were found.
        found: by finder.
        single: by finder, whether the known patterns were found in each network alone.
        by_threshold: the same by contribution, for each threshold above which a unit is on.
    """

    relu: fs.Trajectory
    reln: fs.Trajectory
    found: dict[str, Found]
    single: dict[str, np.ndarray]
    by_threshold: dict[float, np.ndarray]


@dataclass(frozen=True, eq=False)
class Curves:
    """Several pools of networks, and networks with planted gates."""

    settings: Settings
    pools: tuple[Pool, ...]
    planted: dict[str, np.ndarray]

    def single(self, finder: str) -> np.ndarray:
        """Whether the known patterns were found in each network alone."""
        return np.concatenate([pool.single[finder] for pool in self.pools])

    def at(self, threshold: float) -> np.ndarray:
        """The same by contribution, where a unit is on above this share of its largest activity."""
        return np.concatenate([pool.by_threshold[threshold] for pool in self.pools])

    def patterns(self) -> list[int]:
        """How many of the known patterns are among four clusters of Algorithm 1, pool by pool."""
        tried = [pool.found["kmeans"].tried[len(known())] for pool in self.pools]
        return [sum(any(np.array_equal(p, q) for q in gates) for p in known()) for gates in tried]

    def missed(self, finder: str) -> list[int]:
        """Distance of the number of modules that was chosen from that of the paper, pool by pool."""
        return [abs(pool.found[finder].chosen - len(known())) for pool in self.pools]


def known() -> np.ndarray:
    """The patterns of the paper: on everywhere, and off in one context each."""
    contexts = np.repeat(np.arange(CONTEXTS), ITEMS)
    return np.array([np.ones(len(contexts), bool), *(contexts != c for c in range(CONTEXTS))])


def compute(settings: Settings) -> Curves:
    """Find the modules of pools of networks and of each network alone, and those of networks with planted gates."""
    numbers = range(settings.seed, settings.seed + settings.pools * settings.seeds, settings.seeds)
    pools = tuple(_pool(settings, seed) for seed in track(numbers, "pools"))
    plants = [planted(seed) for seed in range(settings.seed, settings.seed + settings.planted)]
    put = {
        f: np.array([same(fs.relu.find_gates(r, t, finder=f, most=6).gates, p) for t, r, p in plants]) for f in FINDERS
    }
    return Curves(settings, pools, put)


def _pool(settings: Settings, seed: int) -> Pool:
    """Train networks from this seed on, find the modules of all of them together and of each alone."""
    task = fs.tasks.context(CONTEXTS, "different").spanned()[0]
    rate = settings.step * len(task.x)
    times = np.arange(0, settings.steps + 1, settings.every) * rate
    network = fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(settings.scale / settings.hidden))
    method, observe = fs.Train(rate=rate, precision="single"), ("loss", "outputs", "weights")
    run = fs.evolve(network, task, times, method=method, seed=seed, seeds=settings.seeds, observe=observe)
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

    def right(finder: str, **options: Any) -> np.ndarray:
        each = [fs.relu.cluster_gates(one, task, len(known()), finder=finder, **options) for one in alone]
        return np.array([same(modules.gates, known()) for modules in each])

    loss = fs.Trajectory(run.times, {"loss": run.loss}, seeds=run.seeds)
    by_threshold = {t: right("contribution", threshold=t) for t in settings.thresholds}
    return Pool(loss, reln, found, {f: right(f) for f in FINDERS}, by_threshold)


def _alone(run: fs.Trajectory, i: int) -> fs.Trajectory:
    """One of the networks, as a run of its own."""
    return fs.Trajectory(run.times, {"weights": tuple(w[i] for w in run.weights)}, notes=run.notes)


def values(curves: Curves) -> dict[str, Any]:
    """Patterns, numbers of modules, imitation errors, and shares of networks in which known gates were found."""
    first, every = curves.pools[0], curves.pools
    return {
        "patterns": {f: found.gates.astype(int) for f, found in first.found.items()},
        "best_modules": {f: [pool.found[f].chosen for pool in every] for f in FINDERS},
        "imitation_by_modules": {f: [pool.found[f].imitation for pool in every] for f in FINDERS},
        "spread": [pool.found["contribution"].spread for pool in every],
        "units": {f: found.units for f, found in first.found.items()},
        "active_at": {f: found.active_at for f, found in first.found.items()},
        "single_networks": {f: curves.single(f).mean() for f in FINDERS},
        "by_threshold": {t: curves.at(t).mean() for t in curves.settings.thresholds},
        "planted": {f: right.mean() for f, right in curves.planted.items()},
        "area": [fs.compare(pool.reln, pool.relu.mean()).area for pool in every],
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Centroids of k-means for two, three and four clusters; imitation; single networks; loss."""
    from festina.plot import COLOURS, dots, look, loss

    first = curves.pools[0]
    for ax, k in zip(axes[:3], (2, 3, 4), strict=True):
        modules = first.found["kmeans"].centroids[k]
        shown = ax.imshow(modules, aspect="auto", cmap="cividis", vmin=0, vmax=1, interpolation="nearest")
        for c in range(1, CONTEXTS):
            ax.axvline(c * ITEMS - 0.5, color="white", linewidth=2)
        ax.set_xticks([(c + 0.5) * ITEMS - 0.5 for c in range(CONTEXTS)], [f"context {c + 1}" for c in range(CONTEXTS)])
        ax.set_yticks(range(len(modules)), [f"{i + 1}" for i in range(len(modules))])
        ax.set_ylabel("cluster")
        ax.set_title(f"Algorithm 1, {k} clusters")
        ax.figure.colorbar(shown, ax=ax, shrink=0.8, label="units on (share)")
    ax = axes[3]
    spread = np.mean([pool.found["contribution"].spread for pool in curves.pools])
    ax.axhline(spread, label="two ReLU networks", **look("trained"))
    for finder, colour, mark in zip(FINDERS, COLOURS, ("o", "s"), strict=False):
        for n, pool in enumerate(curves.pools):
            found = pool.found[finder]
            line = look("predicted", colour, marker=mark, markersize=4, label=None if n else NAMES[finder])
            ax.semilogy(list(found.imitation), list(found.imitation.values()), **line)
            ring = look("predicted", colour, marker="o", markersize=11, markerfacecolor="none", linestyle="")
            ax.semilogy(found.chosen, found.imitation[found.chosen], **ring)
    ax.set_ylim(top=2)
    ax.set_xlabel("number of modules")
    ax.set_ylabel("imitation error")
    ax.set_title("Imitation by so many modules")
    ax.legend(loc="upper right")
    ax = axes[4]
    thresholds = curves.settings.thresholds
    shares = [curves.at(threshold).mean() for threshold in thresholds]
    ax.semilogx(thresholds, shares, label=NAMES["contribution"], **dots(COLOURS[0], linestyle="-"))
    line = look("trained", COLOURS[1], linestyle="--", linewidth=2.5)
    ax.axhline(curves.single("kmeans").mean(), label=f"{NAMES['kmeans']} (on above 0)", **line)
    ax.set_ylim(-0.05, 1.45)
    ax.set_yticks([0, 0.5, 1])
    ax.set_xlabel("on above this share of largest activity")
    ax.set_ylabel("networks with four patterns")
    ax.set_title("Single networks")
    ax.legend(loc="upper right")
    ax = axes[5]
    loss(first.relu, ax, label="ReLU, trained", kind="trained")
    loss(first.reln, ax, label="gated, modules found", kind="predicted")
    for n, time in enumerate(first.found["contribution"].active_at):
        label = None if n else "a module is active"
        ax.axvline(time, ymax=0.35, color="0.4", linewidth=1.2, linestyle=":", label=label)
    ax.set_title("Loss, and when modules turn active")
    ax.legend(loc="upper right")


def _over_pools(found: list[int]) -> Worst | tuple[float, float]:
    """Mean over pools and its standard error; where all agree, which says nothing of the error, the worst of them."""
    return Worst(float(found[0]), len(found)) if len(set(found)) == 1 else mean(found)


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "patterns",
        "Four clusters of the pooled activity of ReLU networks are a common pattern and three that are off "
        "in one context each (patterns found, of four, by Algorithm 1, mean over pools of networks).",
        lambda c: _over_pools(c.patterns()),
        4.0,
        ">=",
        source="jarvis2025 App. B, Fig. 8",
        reason="all four, as in the paper's figure",
        expected="fails",
    ),
    Claim(
        "elbow",
        "The error of the imitating gated network has its elbow at four modules (distance of the chosen "
        "number from four, Algorithm 1, mean over pools of networks).",
        lambda c: _over_pools(c.missed("kmeans")),
        0.0,
        source="jarvis2025 App. B, Fig. 9",
        reason="the paper's number",
        expected="fails",
    ),
    Claim(
        "held_out",
        "Judged on networks that were not used to find the gates, four modules are enough and needed "
        "(distance of the chosen number from four, weighted by contribution, mean over pools of networks).",
        lambda c: _over_pools(c.missed("contribution")),
        0.0,
        kind="extension",
        source="jarvis2025 App. B, Fig. 9, with weights and held-out networks of our own",
        reason="the paper's number",
    ),
    Claim(
        "single_kmeans",
        "Algorithm 1 finds the four patterns in the activity of a single ReLU network (share of networks).",
        lambda c: share(c.single("kmeans")),
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
        lambda c: share(c.single("contribution")),
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
        lambda c: share(c.at(HIGH)),
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
    ),
    Claim(
        "same_outputs",
        "The gated network of four modules is as near to a ReLU network at all times as two ReLU networks "
        "are to each other (ratio of the errors of the outputs, mean over pools of networks).",
        lambda c: mean([pool.found["kmeans"].imitation[4] / pool.found["kmeans"].spread for pool in c.pools]),
        1.0,
        kind="extension",
        source="jarvis2025 Definition 3.1, section 4",
        reason="the noise floor: the distance between two ReLU networks, which differ very little",
        expected="fails",
    ),
)
