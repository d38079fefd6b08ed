"""Can the modules of a ReLU network be read from its activity?

Eight items have properties in three contexts. Algorithm 1 is k-means on the gates of the units of several networks
throughout training. In one pool of ten networks it finds a common pattern and three that are off in one context each.
The elbow of the imitation error is then at four, as in the paper. In three other pools one of the four is missing and
the elbow is at three, because k-means counts every unit alike, also those that do nothing. Weighted by what units
contribute, four modules come out of every pool, and the four patterns out of most single networks. Gates planted in a
network are found among idle units.

Two limits remain. If a unit counts as on only above a higher threshold, the four patterns dissolve. And the gated
network with the four patterns is much farther from a ReLU network than two ReLU networks are from each other.

Source: jarvis2025 App. B, Algorithm 1, Figs. 8 and 9.
"""

from typing import Any

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.planted import planted, same
from festina.plot import COLOURS, dots, look, loss
from festina.runtime import track

CONTEXTS, ITEMS = 3, 8
KNOWN = np.repeat([[1, 1, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]], ITEMS, axis=1).astype(bool)
"""The patterns of the paper: on everywhere, and off in one context each."""

FINDERS = {"contribution": "by contribution", "kmeans": "Algorithm 1"}
HIGH = 0.1  # a high bar for when a unit is on: a tenth of its largest activity


class Settings(papers.Settings):
    seeds: int = setting(10, "ReLU networks in a pool", least=1)
    pools: int = setting(4, "pools of networks, each of which is clustered for itself", least=1)
    hidden: int = setting(700, "hidden units", least=1, published=700)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    step: float = setting(
        0.001, "step size on the summed loss; the mean loss takes 24 times as much", above=0, published=0.001
    )
    steps: int = setting(8000, "steps of training", least=1, published=8000)
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
caption = (
    "Clustering the activity of several ReLU networks finds a common module and one per pair of contexts in one pool, "
    "but misses one in others unless units are weighted. (a–c) Centroids of two, three and four clusters of one pool "
    "of networks. (d) Error of the gated network that imitates a ReLU network, by number of modules, for each pool "
    "(ring: the chosen number), and the distance between two ReLU networks (band). (e) Share of single networks in "
    "which the four patterns are found, against the threshold above which a unit is on. (f) Loss of ReLU networks "
    "(band) and of the gated network with the modules that were found (line); dotted lines mark when a module becomes "
    "active."
)


def compute(settings: Settings) -> papers.Results:
    """Find the modules of pools of networks and of each network alone, and those of networks with planted gates."""
    c, s = papers.Results(settings), settings
    task = fs.tasks.context(CONTEXTS, "different").spanned()[0]
    rate = s.step * len(task.x)
    times = np.arange(0, s.steps + 1, s.every) * rate
    network = fs.ReLU((s.hidden,), initial=fs.initial.Gaussian(s.scale / s.hidden))
    method, observe = fs.Train(rate=rate, precision="single"), ("loss", "outputs", "weights")
    c.found, single, by_threshold = {f: [] for f in FINDERS}, {f: [] for f in FINDERS}, {t: [] for t in s.thresholds}
    for pool in track(range(s.pools), "pools"):
        seed = s.seed + pool * s.seeds
        run = fs.evolve(network, task, times, method=method, seed=seed, seeds=s.seeds, observe=observe)
        for f in FINDERS:
            c.found[f].append(fs.relu.find_gates(run, task, finder=f, most=s.most))
        alone = [fs.Trajectory(times, {"weights": tuple(w[i] for w in run.weights)}, notes=run.notes)
                 for i in range(s.seeds)]  # fmt: skip
        for f in FINDERS:
            single[f] += [_four(one, task, finder=f) for one in alone]
        for t in s.thresholds:
            by_threshold[t] += [_four(one, task, finder="contribution", threshold=t) for one in alone]
        if pool == 0:
            c.relu = fs.Trajectory(times, {"loss": run.loss}, seeds=run.seeds)
            c.gated = fs.evolve(c.found["contribution"][0].network, task, times, method=method)
    c.single, c.by_threshold = ({k: np.array(v) for k, v in each.items()} for each in (single, by_threshold))
    plants = [planted(seed) for seed in range(s.seed, s.seed + s.planted)]
    c.planted = {
        f: np.array([same(fs.relu.find_gates(r, t, finder=f, most=6).gates, p) for t, r, p in plants]) for f in FINDERS
    }
    c.chosen = {f: [found.chosen for found in c.found[f]] for f in FINDERS}
    c.imitation = {f: [dict(found.imitation) for found in c.found[f]] for f in FINDERS}
    tried = [found.tried[len(KNOWN)] for found in c.found["kmeans"]]
    c.bits = [_known([module.centroid > 0.5 for module in modules]) for modules in tried]
    c.patterns = [_known([_by_context(module.centroid) for module in modules]) for modules in tried]
    return c


def _known(gates: list[np.ndarray]) -> int:
    """How many of the patterns of the paper are among them."""
    return sum(any(np.array_equal(p, q) for q in gates) for p in KNOWN)


def _by_context(centroid: np.ndarray) -> np.ndarray:
    """On in the contexts in which a cluster is on at more than half of the data points, as one reads Fig. 8."""
    return np.repeat(centroid.reshape(CONTEXTS, ITEMS).mean(axis=1) > 0.5, ITEMS)


def _four(run: fs.Trajectory, task: fs.Task, **options: Any) -> bool:
    """Whether the patterns of the paper are found in one network alone."""
    return same(fs.relu.cluster_gates(run, task, len(KNOWN), **options).gates, KNOWN)


@papers.panel(lambda c, k: f"Algorithm 1, {k} clusters", y="cluster")
def _clusters(c, ax, k):
    centroids = [module.centroid for module in c.found["kmeans"][0].tried[k]]
    papers.image(ax, centroids, "units on (share)", vmin=0, vmax=1)
    for edge in range(1, CONTEXTS):
        ax.axvline(edge * ITEMS - 0.5, color="white", linewidth=2)
    ax.set_xticks(ITEMS * (np.arange(CONTEXTS) + 0.5) - 0.5, [f"context {k + 1}" for k in range(CONTEXTS)])
    ax.set_yticks(range(len(centroids)), [f"{i + 1}" for i in range(len(centroids))])


@papers.panel("Imitation by number of modules", "number of modules", "imitation error", legend="upper right")
def _imitation(c, ax):
    spread = np.mean([found.spread for found in c.found["contribution"]])
    ax.axhline(spread, label="two ReLU networks", **look("trained"))
    for (finder, name), colour, mark in zip(FINDERS.items(), COLOURS, "os", strict=False):
        for n, found in enumerate(c.found[finder]):
            line = look("predicted", colour, marker=mark, markersize=4, label=None if n else name)
            ax.semilogy(list(found.imitation), list(found.imitation.values()), **line)
            ring = look("predicted", colour, marker="o", markersize=11, markerfacecolor="none", linestyle="")
            ax.semilogy(found.chosen, found.imitation[found.chosen], **ring)
    ax.set_ylim(top=2)


@papers.panel(
    "Single networks", "on above this share of largest activity", "networks with four patterns",
    legend="upper right", ylim=(-0.05, 1.45), yticks=[0, 0.5, 1],
)  # fmt: skip
def _single(c, ax):
    shares = [found.mean() for found in c.by_threshold.values()]
    ax.semilogx(list(c.by_threshold), shares, label=FINDERS["contribution"], **dots(COLOURS[0], linestyle="-"))
    line = look("trained", COLOURS[1], linestyle="--", linewidth=2.5)
    ax.axhline(c.single["kmeans"].mean(), label=f"{FINDERS['kmeans']} (on above 0)", **line)


@papers.panel("Loss, and when modules turn active", legend="upper right")
def _loss(c, ax):
    loss(c.relu, ax, label="ReLU, trained", kind="trained")
    loss(c.gated, ax, label="gated, modules found", kind="predicted")
    for n, module in enumerate(c.found["contribution"][0].modules):
        label = None if n else "a module is active"
        ax.axvline(module.active_at, ymax=0.35, color="0.4", linewidth=1.2, linestyle=":", label=label)


panels = (_clusters.of(2), _clusters.of(3), _clusters.of(4), _imitation, _single, _loss)


def _over_pools(found: list[int]) -> papers.Worst | tuple[float, float]:
    """Mean over pools and its standard error; where all agree, which says nothing of the error, the worst of them."""
    return papers.Worst(float(found[0]), len(found)) if len(set(found)) == 1 else papers.mean(found)


def _missed(c: papers.Results, finder: str) -> papers.Worst | tuple[float, float]:
    """Distance of the number of modules that was chosen from that of the paper."""
    return _over_pools([abs(chosen - len(KNOWN)) for chosen in c.chosen[finder]])


NINE: Any = {"at_least": 0.9, "because": "nine of ten networks", "kind": "extension"}


@papers.claim("jarvis2025 App. B, Fig. 8", at_least=4.0, because="all four, as in the paper's figure")
def _patterns(c):
    """Four clusters of the pooled activity of ReLU networks are a common pattern and three that are off in one context
    each (patterns found, of four, by Algorithm 1, context by context, mean over pools of networks)."""
    return _over_pools(c.patterns)


@papers.extension(
    "jarvis2025 App. B, Fig. 8, which shows shares",
    name="patterns, every point",
    at_least=4.0,
    because="all four, as for contexts",
    expected="fails",
)
def _patterns_at_every_point(c):
    """Four clusters of the pooled activity of ReLU networks are, at each data point alone, a common pattern and three
    that are off in one context each (patterns found, of four, by Algorithm 1, mean over pools of networks)."""
    return _over_pools(c.bits)


@papers.claim("jarvis2025 App. B, Fig. 9", at_most=0.0, because="the paper's number", expected="fails")
def _elbow(c):
    """The error of the imitating gated network has its elbow at four modules (distance of the chosen number from four,
    Algorithm 1, mean over pools of networks)."""
    return _missed(c, "kmeans")


@papers.extension(
    "jarvis2025 App. B, Fig. 9, with weights and held-out networks of our own",
    name="held_out",
    at_most=0.0,
    because="the paper's number",
)
def _held_out(c):
    """Judged on networks that were not used to find the gates, four modules are enough and needed (distance of the
    chosen number from four, weighted by contribution, mean over pools of networks)."""
    return _missed(c, "contribution")


@papers.claim("jarvis2025 App. B, which pools networks", name="single_kmeans", expected="fails", **NINE)
def _single_kmeans(c):
    """Algorithm 1 finds the four patterns in the activity of a single ReLU network (share of networks)."""
    return papers.share(c.single["kmeans"])


@papers.claim("jarvis2025 App. B, with weights of our own", name="single_contribution", expected="open", **NINE)
def _single_contribution(c):
    """Clustering weighted by what units contribute finds the four patterns in a single ReLU network (share of
    networks)."""
    return papers.share(c.single["contribution"])


@papers.claim("jarvis2025 section 4, whose threshold is 0", expected="fails", **NINE)
def _threshold(c):
    """The four patterns are also found if a unit counts as on only above {s.thresholds[-1]} of its largest activity
    (share of networks)."""
    return papers.share(c.by_threshold[HIGH])


@papers.claim("jarvis2025 App. B, which pools networks", name="planted_kmeans", expected="fails", **NINE)
def _planted_kmeans(c):
    """Algorithm 1 finds gates that were planted in a single network with idle units (share of networks)."""
    return papers.share(c.planted["kmeans"])


@papers.claim("jarvis2025 App. B, with weights of our own", name="planted_contribution", **NINE)
def _planted_contribution(c):
    """Clustering weighted by what units contribute finds planted gates and their number among idle units (share of
    networks)."""
    return papers.share(c.planted["contribution"])


@papers.extension(
    "jarvis2025 Definition 3.1, section 4",
    name="same_outputs",
    at_most=1.0,
    expected="fails",
    because="the noise floor: the distance between two ReLU networks, which differ very little",
)
def _same_outputs(c):
    """The gated network of four modules is as near to a ReLU network at all times as two ReLU networks are to each
    other (ratio of the errors of the outputs, mean over pools of networks)."""
    return papers.mean([found.imitation[4] / found.spread for found in c.found["kmeans"]])
