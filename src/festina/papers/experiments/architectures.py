"""Why do networks of very different architectures learn in stages?

For one reason. Each is a sum of units, and each plateau is a stationary point that it shares with a network of fewer
units. From the initial weights of a network the stages of units predict the plateaus and their times. They do so for
linear and ReLU units, convolution kernels, attention heads and quadratic units alike. Diagonal linear networks, in
which every input is a unit, learn one input after the other.

The networks learn from teachers of their own kind, whose three units are each half as strong as the one before; the
data of the papers are not ours.

Source: zhang2026 Fig. 1; kunin2025, section on diagonal linear networks.
"""

from dataclasses import replace

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.architectures import CUBIC, Architecture, teacher
from festina.plot import COLOURS, loss, name_kinds
from festina.runtime import track

SIX = ("linear", "ReLU", "attention", "linear convolution", "ReLU convolution", "quadratic")
DOUBLINGS = 10  # how often the horizon is doubled at most
TIMES = 401  # times of every prediction: one program serves them all
NEAR = 0.05
"""Outputs are those of a narrow network up to this share of the targets, as a point is passed (root mean square)."""


class Settings(papers.Settings):
    kinds: tuple[str, ...] = setting((*SIX, "diagonal"), "architectures")
    units: int = setting(12, "units of each network", least=1)
    scale: float = setting(1e-6, "standard deviation of initial weights, for units of degree 2", above=0)
    cubic: float = setting(3e-3, "the same for units of degree 3", above=0)
    rate: float = setting(0.01, "step on the mean loss; targets have size one", "flow time per step", above=0)
    most: int = setting(2, "units of the narrow networks whose stationary points are sought", least=1)
    seeds: int = setting(3, "teachers and networks of each architecture", least=1)


quick = Settings(kinds=("linear", "linear convolution", "diagonal"), units=6, seeds=2, rate=0.02)
caption = (
    "Six architectures learn in stages for the same reason. (a–d) Loss over time of one network of each of four "
    "architectures (thick, pale) and the prediction from its initial weights (thin, dark). Dotted lines are losses of "
    "stationary points of networks with fewer units. (e) A diagonal linear network. (f) Times of all stages."
)


def horizon(network, task, seed):
    """A time by which the predicted loss hardly falls any more."""
    end = 20.0 if network.kind not in CUBIC else 0.5 / network.scale
    for _ in range(DOUBLINGS):
        times = [*np.linspace(0, end, TIMES - 1), 1.5 * end]
        found = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed, observe=("loss",)).loss
        if found[-2] < 0.1 * found[0] and found[-2] - found[-1] < 0.02 * found[0]:
            break
        end *= 1.5
    return end


def effective(network, task, outputs, most):
    """The least number of units with which the same architecture computes these outputs; infinite above ``most``."""
    wanted, largest = fs.Task(task.x, outputs), 0.5 * NEAR**2 * (task.y**2).sum(axis=1).mean()
    enough = (k for k in range(most + 1) for q in network.stationary_points(wanted, units=k) if q.loss <= largest)
    return next(enough, np.inf)


def compute(settings: Settings) -> papers.Results:
    """Predict and train a network of each architecture on each teacher, and find the points that it passes."""
    c = papers.Results(
        settings, predicted={}, trained={}, passages={}, times={}, areas={}, ordered={}, away={}, counts={}
    )
    for kind in track(list(settings.kinds), "architectures"):
        network = Architecture(kind, settings.units, settings.cubic if kind in CUBIC else settings.scale)
        found, areas, ordered, away, counted = [], [], [], [], []
        for seed in range(settings.seed, settings.seed + settings.seeds):
            task = teacher(kind, seed)
            times = np.linspace(0, horizon(network, task, seed), TIMES)
            predicted = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed)
            trained = fs.evolve(network, task, times, method=fs.Train(rate=settings.rate), seed=seed)
            passages = predicted.saddle_passages(units=settings.most) if kind in SIX else []
            agreement = fs.compare(predicted, trained)
            found += [(row.predicted, row.measured) for row in agreement.stages]
            areas.append(agreement.area)
            counts = range(1, settings.most + 1) if kind in SIX else ()
            points = [q for k in counts for q in network.stationary_points(task, units=k)]
            lasting = [p for p in trained.stages().plateaus if p.begins > 0] if kind in SIX else []
            away += [min(abs(p.loss / q.loss - 1) for q in points if q.loss > 0) for p in lasting]
            at = [trained.outputs[np.abs(times - p.time).argmin()] for p in passages]
            counted += [(n, effective(network, task, outputs, settings.most)) for n, outputs in enumerate(at) if n]
            ordered.append(bool(np.all(np.diff([p.point.units for p in passages]) >= 0)))
            if kind not in c.predicted:
                c.predicted[kind], c.trained[kind], c.passages[kind] = predicted, trained, passages
        c.times[kind], c.areas[kind], c.ordered[kind] = np.array(found), areas, ordered
        c.away[kind], c.counts[kind] = away, np.array(counted).reshape(-1, 2)
    return c


@papers.panel(lambda c, kind: f"{kind[0].upper()}{kind[1:]}")
def _loss(c, ax, kind):
    loss(c.trained[kind], ax, color=COLOURS[0])
    loss(c.predicted[kind], ax, color=COLOURS[0])
    for passage in c.passages[kind]:
        ax.axhline(passage.point.loss, color="0.5", linewidth=0.7, linestyle=":")
        words = f"{passage.point.units} unit{'' if passage.point.units == 1 else 's'}"
        ax.text(1.0, passage.point.loss, words, transform=ax.get_yaxis_transform(), ha="right", va="bottom", fontsize=7)
    name_kinds(ax, "trained", "predicted")


@papers.panel("When stages come", "predicted (flow time)", "trained (flow time)", xscale="log", yscale="log")
def _times(c, ax):
    for place, (kind, pairs) in enumerate(c.times.items()):
        kept = pairs[np.isfinite(pairs).all(axis=1)]
        ax.plot(kept[:, 0], kept[:, 1], "o", color=COLOURS[place % len(COLOURS)], markersize=4, label=kind)
    ends = ax.get_xlim()
    ax.plot(ends, ends, color="0.6", linewidth=0.8, zorder=0)


panels = (
    *(
        replace(_loss.of(kind, detail="convolution" in kind), when=lambda c, kind=kind: kind in c.predicted)
        for kind in (*SIX, "diagonal")
    ),
    _times,
)


@papers.claim("zhang2026 Fig. 1", at_most=0.05, because="5 %, a conventional tolerance")
def _level(c):
    """In six architectures the plateaus of the loss are at the losses of stationary points of networks with fewer units
    (relative difference of the trained network's plateaus, median over plateaus after the first)."""
    return papers.median([away for kind in c.settings.kinds for away in c.away[kind]])


@papers.claim("zhang2026 Fig. 1", at_least=0.8, because="four of five networks")
def _one_after_the_other(c):
    """The stationary points that a network passes have more and more active units (share of networks in which they
    do)."""
    return float(np.mean([right for kind in c.settings.kinds if kind in SIX for right in c.ordered[kind]]))


@papers.claim(
    "zhang2026 Fig. 1",
    at_least=0.8,
    expected="open",
    because="four of five points; first measured at lasting plateaus, too few",
)
def _effective_units(c):
    """From one stationary point that a network passes to the next, one more unit is effective. At the n-th point n
    units can compute the trained outputs, and fewer cannot (share of points after that of no units)."""
    place, found = np.concatenate(list(c.counts.values())).T
    return papers.share(place == found)


@papers.claim(
    "kunin2025 abstract; the architectures are those of zhang2026",
    at_most=0.05,
    because="5 %, the tolerance for times of stages",
)
def _time(c):
    """From its initial weights the stages of units predict when each stage of a network is half learned (relative
    difference, median over stages, networks and architectures)."""
    pairs = np.concatenate([p for p in c.times.values() if len(p)])
    pairs = pairs[np.isfinite(pairs).all(axis=1)]
    return papers.median(np.abs(pairs[:, 0] / pairs[:, 1] - 1))


@papers.claim("kunin2025, section on diagonal linear networks", at_most=0.02, because="2 % of the area below the loss")
def _diagonal(c):
    """In diagonal linear networks the alternating flow follows the loss of gradient descent from small weights (area
    between the loss curves, mean over networks)."""
    return papers.mean(c.areas["diagonal"])
