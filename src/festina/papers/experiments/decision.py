"""Why do individuals learn the same decision along different paths, and what does an early bias predict?

Because depth puts saddles on the way. Agents linger near chance with the constant pathway alone, and chance or a first
bias decides which side is learned first. An early bias predicts a steeper late slope on its own side, whatever the
spread of initial biases: this is robust. The opposite sign of the late bias is not. With three partial errors it occurs
when initial biases are small but not when they are large. A network that knows one side has two ends, one biased
against that side and one towards it. With the full gradient it always occurs.

With the full gradient every set of pathways has a stationary point. With three partial errors a stimulus pathway and
the constant pathway cannot both be at rest: the map comes to rest, while tutor weights shrink and executor weights
grow.

A shallow network has one stationary point and no saddle. It learns within the same trials what deep ones do not, and
its individuals end nearly alike. The little by which they differ is also predicted by large initial biases.

Source: liebana2025; saxe_lecture "Dynamics pass near a hierarchy of saddle points", "Saddle points arise through depth"
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

import festina as fs
from festina import papers, plot
from festina.behaviour import Shallow, TutorExecutor
from festina.papers import setting
from festina.plot import COLOURS, look
from festina.runtime import track

MICE = {"slope": 0.695, "bias": -0.528, "accuracy": 0.758, "count": 30}
"""Measured on mice: the two correlations, the late share of rewarded trials, and the number of mice."""

OBSERVED = ("accuracy", "curve", "bias", "left_slope", "right_slope", "map")
KINDS: dict[str, Callable[..., Any]] = {
    "deep": TutorExecutor,
    "gradient": lambda **given: TutorExecutor(rule="gradient", **given),
    "shallow": Shallow,
}
"""Three partial errors in series, the same with the full gradient, and three partial errors without depth."""

LABELS = {"deep": "deep, partial errors", "gradient": "deep, gradient", "shallow": "shallow"}
STYLES = ("-", "--", ":")
SHOWN = 40  # agents drawn as single paths: enough to see their spread, few enough to follow one
HALF = 0.5  # a saddle passed at less than half of its distance to the next is passed near it
SIDES = ("left + constant", "right + constant")  # stationary points at which one side is known
ALL = ("left + right + constant",)


class Settings(papers.Settings):
    seeds: int = setting(1000, "agents per network and spread; correlations over them need four", least=4)
    sessions: int = setting(50, "sessions per agent", least=1)
    trials: int = setting(240, "trials per session", least=1)
    spreads: tuple[float, ...] = setting(
        (0.0, 0.05, 0.1, 0.2, 0.4), "standard deviations over agents of the initial bias Q_R − Q_L", least=0
    )
    window: int = setting(5, "sessions at the beginning and at the end that count as early and late", least=1)
    rate: float = setting(0.0026, "learning rate", "1/trial", above=0)
    beta: float = setting(9.0, "inverse temperature of choices", above=0)
    seed: int = setting(0, "seed from which all agents draw", least=0)

    @property
    def length(self) -> int:
        """Trials of an agent."""
        return self.sessions * self.trials


quick = Settings(seeds=100, spreads=(0.0, 0.4))
caption = (
    "Depth puts saddles on the way to a decision, so that individuals differ. (a) Psychometric curves of six agents. "
    "(b, c) Paths of agents in the plane of the two slopes, deep and shallow, with stationary points."
)


def compute(settings: Settings) -> papers.Results:
    """Play all agents, find the stationary points, and measure the distances."""
    c, s, task = papers.Results(settings), settings, fs.behaviour.DecisionTask()
    times = s.rate * s.trials * np.arange(s.sessions + 1)
    agents: Any = {"method": fs.Train(s.rate), "seed": s.seed, "seeds": s.seeds, "observe": OBSERVED}
    c.runs = {kind: {} for kind in KINDS}
    for kind, spread in track([(k, spread) for k in KINDS for spread in s.spreads], "groups of agents"):
        c.runs[kind][spread] = fs.evolve(KINDS[kind](spread=spread, beta=s.beta), task, times, **agents)
    c.points = {k: make(beta=s.beta).stationary_points(task, moving_weights=True) for k, make in KINDS.items()}
    c.losses, c.escape_rates = ({k: {p.name: getattr(p, what) for p in points} for k, points in c.points.items()}
                                for what in ("loss", "rates"))  # fmt: skip
    c.middle = s.spreads[len(s.spreads) // 2]
    expected = KINDS["deep"](offset=c.middle, noise=0.0, beta=s.beta)
    c.expected = fs.evolve(expected, task, times, method=fs.Flow(), observe=("accuracy",))
    c.trials = times / s.rate
    c.distances = {spread: run.saddle_distances(c.points["deep"]) for spread, run in c.runs["deep"].items()}

    def each(measure: Callable[[fs.Trajectory], Any]) -> dict[str, dict[float, Any]]:
        return {kind: {spread: measure(run) for spread, run in runs.items()} for kind, runs in c.runs.items()}

    def late(values: np.ndarray) -> np.ndarray:
        return values[:, -s.window :].mean(axis=1)

    c.early = each(lambda run: run["bias"][:, 1 : s.window + 1].mean(axis=1))
    c.late, c.accuracy = each(lambda run: late(run["bias"])), each(lambda run: late(run["accuracy"]))
    c.tilt = each(lambda run: late(run["right_slope"] - run["left_slope"]))
    c.slope_correlation, c.bias_correlation = (
        {kind: {n: float(np.corrcoef(c.early[kind][n], found[kind][n])[0, 1]) for n in s.spreads} for kind in KINDS}
        for found in (c.tilt, c.late)
    )
    return c


def approach(points: Sequence[Any], apart: np.ndarray, *names: str) -> np.ndarray:
    """Closest distance per agent to any of the named points, over the smallest gap to the neighbours of the first.

    ``apart`` are the distances of agents to all ``points`` (agents, times, points); neighbours have one pathway more or
    less.
    """
    index = [i for i, point in enumerate(points) if point.name in names]
    own = points[index[0]]
    gaps = [float(np.linalg.norm(own.map - p.map)) for p in points if len(set(p.pathways) ^ set(own.pathways)) == 1]
    return apart[..., index].min(axis=(1, 2)) / min(gaps)


def median(values: np.ndarray) -> tuple[float, float]:
    """Median and its standard error, from the order statistics one standard deviation of a rank away."""
    away = 0.5 / np.sqrt(len(values))
    low, middle, high = np.quantile(values, [max(0.5 - away, 0.0), 0.5, min(0.5 + away, 1.0)])
    return float(middle), float((high - low) / 2)


def _some(c: papers.Results, kind: str, agents) -> fs.Trajectory:
    """One agent at the middle spread, or the first of them."""
    run, alone = c.runs[kind][c.middle], isinstance(agents, int)
    values = {name: run[name][agents] for name in ("bias", "left_slope", "right_slope", "curve")}
    return replace(run, values=values, seeds=None if alone else run.seeds[agents])


def _band(ax, x, values, colour):
    low, high = np.quantile(values, [0.05, 0.95], axis=0)
    ax.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


@papers.panel(lambda c: f"Six agents after {c.trials[-1]:.0f} trials")
def _agents(c, ax):
    for k, colour in zip(range(6), COLOURS, strict=False):
        plot.psychometric(_some(c, "deep", k), ax, color=colour)


@papers.panel(lambda c, kind: f"{LABELS[kind].capitalize()}: {SHOWN} agents", xlim=(-0.08, 1.5), ylim=(-0.08, 1.5))
def _plane(c, ax, kind):
    plot.decision(_some(c, kind, slice(SHOWN)), ax, points=c.points[kind], color=COLOURS[0])


@papers.panel(
    "Accuracy over trials", "trials", "P(rewarded)", ylim=(0.48, 1.17), yticks=np.arange(0.5, 1.01, 0.1), detail=True,
    legend={"loc": "upper left", "ncols": 2, "columnspacing": 0.8, "handlelength": 1.3, "fontsize": 7},
)  # fmt: skip
def _accuracy(c, ax):
    for (kind, label), colour in zip(LABELS.items(), COLOURS, strict=False):
        accuracy = c.runs[kind][c.middle]["accuracy"]
        ax.plot(c.trials, accuracy.mean(axis=0), label=label, **look("trained", colour))
        _band(ax, c.trials, accuracy, colour)
    ax.plot(c.trials, c.expected["accuracy"], label="expected, deep", **look("predicted", COLOURS[0]))
    ax.axhline(MICE["accuracy"], color="0.5", linestyle=":", linewidth=1, label="mice, late")


@papers.panel(
    r"Stationary points, escape in $10^{-4}$/trial", "active pathways", r"loss ½⟨δ$^2$⟩", legend="upper right",
    xlim=(-0.3, 3.3), xticks=range(4), ylim=(0, 0.29), detail=True,
)  # fmt: skip
def _points(c, ax):
    for kind, marker, shift, colour in (("deep", "o", -0.08, COLOURS[0]), ("gradient", "s", 0.08, COLOURS[1])):
        for point in c.points[kind]:
            fill = "white" if point.moving_weights else colour
            ax.plot(len(point.pathways) + shift, point.loss, marker, color=colour, markerfacecolor=fill, markersize=5)
        ax.plot([], [], marker, color=colour, label=LABELS[kind])
    ax.plot([], [], "o", color="0.4", markerfacecolor="white", label="only the map rests")
    lowest = dict.fromkeys(range(4), -np.inf)
    for point in sorted(c.points["deep"], key=lambda point: point.loss):
        if point.name.startswith("right"):  # as its mirror image on the left
            continue
        fastest, count = 1e4 * c.settings.rate * max(point.rates.values(), default=0.0), len(point.pathways)
        name = "all" if count == 3 else point.name.replace("constant", "const")
        # labels of points with nearly the same loss are set apart by the height of a line
        lowest[count] = max(point.loss - 0.004, lowest[count] + 0.017)
        side, align = (0.2, "left") if count < 2 else (-0.2, "right")
        ax.text(count + side, lowest[count], f"{name}: {fastest:.1f}", va="center", ha=align, fontsize=7)


@papers.panel(
    lambda c: f"Distances, spread {c.settings.spreads[0]:g}", "trials", "distance of the map", detail=True,
    legend={"loc": "upper right", "ncols": 2, "columnspacing": 1}, ylim=(0, 2.0),
)  # fmt: skip
def _distances(c, ax):
    names = [point.name for point in c.points["deep"]]
    families = {"none": ("none",), "constant": ("constant",), "one side + constant": SIDES, "all": ALL}
    for (label, family), colour in zip(families.items(), COLOURS, strict=False):
        near = c.distances[c.settings.spreads[0]][..., [names.index(name) for name in family]].min(axis=-1)
        ax.plot(c.trials, np.median(near, axis=0), color=colour, label=label)
        _band(ax, c.trials, near, colour)


@papers.panel(
    "What an early bias predicts", "spread of initial bias", "r with early bias", ylim=(-1.05, 1.05), detail=True,
    legend={"loc": "upper left", "fontsize": 7, "bbox_to_anchor": (0.0, 0.92)},
)  # fmt: skip
def _correlations(c, ax):
    last = len(c.settings.spreads) - 0.4
    for name, found, colour in (("slope", c.slope_correlation, COLOURS[0]), ("bias", c.bias_correlation, COLOURS[1])):
        for kind, style in zip(LABELS, STYLES, strict=True):
            ax.plot(list(found[kind].values()), style, color=colour, marker="o", markersize=3)
        ax.errorbar(last, *_with_error(MICE[name], MICE["count"]), fmt="D", markersize=4, color=colour)
        beside = {"textcoords": "offset points", "ha": "center", "va": "center"}
        ax.annotate(name, (last, MICE[name]), (0, -20), color=colour, **beside)
    for label, style in zip(LABELS.values(), STYLES, strict=True):
        ax.plot([], [], style, color="0.4", label=label)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set_xticks([*range(len(c.settings.spreads)), last], [*(f"{n:g}" for n in c.settings.spreads), "mice"])


@papers.panel(
    "Bias, by time and spread", "trials", "r(early bias, bias)", ylim=(-1.05, 1.05), detail=True,
    legend={"title": "spread", "loc": "lower left", "fontsize": 7, "bbox_to_anchor": (0.0, 0.28)},
)  # fmt: skip
def _sessions(c, ax):
    window = c.settings.window
    ends = range(window + 1, len(c.trials) + 1)
    for (spread, run), colour in zip(c.runs["deep"].items(), COLOURS, strict=False):
        late = [run["bias"][:, end - window : end].mean(axis=1) for end in ends]
        found = [np.corrcoef(c.early["deep"][spread], bias)[0, 1] for bias in late]
        ax.plot(c.trials[window:], found, color=colour, label=f"{spread:g}")
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.axhline(MICE["bias"], color="0.5", linestyle=":", linewidth=1)
    ax.text(0.98, MICE["bias"] + 0.02, "mice", transform=ax.get_yaxis_transform(), color="0.4", ha="right")


@papers.panel(
    "Two ends for one side", "early bias", "late bias", xlim=(-0.55, 0.55), ylim=(-0.55, 0.55), detail=True,
    legend={"loc": "upper left", "markerscale": 2},
)  # fmt: skip
def _scatter(c, ax):
    for spread, colour, size in ((c.settings.spreads[-1], COLOURS[4], 6), (c.settings.spreads[0], COLOURS[0], 4)):
        early, late = c.early["deep"][spread], c.late["deep"][spread]
        ax.scatter(early, late, s=size, alpha=0.4, color=colour, label=f"spread {spread:g}", linewidths=0)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.axvline(0, color="0.7", linewidth=0.8, zorder=0)


panels = (
    *(_agents, _plane.of("deep"), _plane.of("shallow"), _accuracy, _points),
    *(_distances, _correlations, _sessions, _scatter),
)


def _with_error(r: float, count: int) -> tuple[float, float]:
    """A correlation and its standard error."""
    return r, (1 - r**2) / np.sqrt(count - 3)


def _sets(points: Sequence[Any]) -> float:
    """Sets of active pathways that have a stationary point."""
    return float(len({point.pathways for point in points if not point.moving_weights}))


SADDLES = 'saxe_lecture "Dynamics pass near a hierarchy of saddle points"'
DEPTH = 'saxe_lecture "Saddle points arise through depth"'


@papers.claim(DEPTH, name="points", at_least=8.0, because="all eight")
def _every_set(c):
    """In a deep decision network trained by the full gradient every set of active pathways has a stationary point
    (number of sets, of eight)."""
    return _sets(c.points["gradient"])


@papers.extension(
    'liebana2025; saxe_lecture "A Deep RL Neural Network"',
    at_least=8.0,
    expected="fails",
    because="all eight; the lecture says hierarchy, not eight",
)
def _partial_errors(c):
    """In a deep decision network trained by three partial errors every set of active pathways has a stationary point
    (number of sets, of eight)."""
    return _sets(c.points["deep"])


@papers.claim(SADDLES, at_most=0.0, because="none")
def _saddles(c):
    """Every stationary point of a deep decision network is a saddle, except the one with all pathways active (stable
    points among the others, both learning rules)."""
    return float(sum(not p.saddle for k in ("deep", "gradient") for p in c.points[k] if len(p.pathways) < 3))


@papers.claim(DEPTH, at_most=0.0, because="none")
def _shallow(c):
    """A shallow decision network has no saddle (stationary points besides its stable end)."""
    return float(len(c.points["shallow"]) - 1 + c.points["shallow"][0].saddle)


@papers.claim(SADDLES, at_most=HALF, because="half the gap: nearer to the saddle than to its neighbour")
def _passage(c):
    """Agents without initial bias pass near the saddle of the deep decision network where only the constant pathway is
    active (closest distance over the gap to its neighbours, median)."""
    return median(approach(c.points["deep"], c.distances[c.settings.spreads[0]], "constant"))


@papers.extension(SADDLES, at_most=HALF, expected="fails", because="half the gap; with twice the trials it is reached")
def _one_side(c):
    """Agents without initial bias pass within {s.length:,} trials near a saddle of the deep decision network where one
    side is known (closest distance over the gap to its neighbours, median)."""
    return median(approach(c.points["deep"], c.distances[c.settings.spreads[0]], *SIDES))


@papers.claim("liebana2025", at_least=0.0, because="0: the sign is what the paper states; mice have +0.695")
def _slope(c):
    """An early bias predicts the late difference between right and left slope at every spread of initial biases
    (smallest correlation over spreads)."""
    return _with_error(min(c.slope_correlation["deep"].values()), c.settings.seeds)


@papers.claim(
    "liebana2025", name="bias, none", at_most=0.0, because="0: the sign is what the paper states; mice have −0.528"
)
def _bias_without(c):
    """Without initial biases, early and late bias of agents have opposite signs (correlation)."""
    return _with_error(c.bias_correlation["deep"][c.settings.spreads[0]], c.settings.seeds)


@papers.extension(
    "liebana2025, whose spread is not known", at_most=0.0, expected="fails", because="0; mice have −0.528"
)
def _bias(c):
    """At every spread of initial biases, early and late bias of agents have opposite signs (largest correlation over
    spreads)."""
    return _with_error(max(c.bias_correlation["deep"].values()), c.settings.seeds)


@papers.extension("our measurement, on liebana2025", name="bias, gradient", at_most=0.0, because="0; mice have −0.528")
def _bias_gradient(c):
    """With the full gradient early and late bias of agents have opposite signs at every spread of initial biases
    (largest correlation over spreads)."""
    return _with_error(max(c.bias_correlation["gradient"].values()), c.settings.seeds)


@papers.extension(
    f"our question, on {DEPTH}",
    name="slope, shallow",
    at_most=0.25,
    because="a quarter of the influence that depth gives; measure and bound were changed after first numbers, "
    "since a correlation does not see size",
)
def _influence(c):
    """Without depth an early bias has little influence on late slopes (regression slope of the late slope difference on
    the early bias, shallow over deep, largest over spreads)."""
    found = []
    for n in c.settings.spreads:
        fits: Any = [scipy.stats.linregress(c.early[kind][n], c.tilt[kind][n]) for kind in ("shallow", "deep")]
        ratio = float(fits[0].slope / fits[1].slope)
        found.append((ratio, float(abs(ratio) * np.hypot(*(fit.stderr / fit.slope for fit in fits)))))
    return max(found)


@papers.claim(DEPTH, at_least=1.0, because="1: no difference")
def _diversity(c):
    """Depth makes individuals differ (standard deviation over agents of the late slope difference, deep over shallow,
    smallest over spreads)."""
    deep, flat = ([tilt.std(ddof=1) for tilt in c.tilt[kind].values()] for kind in ("deep", "shallow"))
    ratio = float(np.min(np.divide(deep, flat)))
    return ratio, ratio / np.sqrt(c.settings.seeds)  # the error of a ratio of deviations of normal numbers


@papers.extension(
    "liebana2025",
    name="accuracy",
    at_least=MICE["accuracy"],
    expected="fails",
    because="0.758, the accuracy of mice; 0.0026 is the published learning rate, that of an animal is a free parameter",
)
def _as_mice(c):
    """With the learning rate {s.rate} agents become as accurate as mice within {s.length:,} trials (largest mean over
    spreads)."""
    return max(papers.mean(accuracy) for accuracy in c.accuracy["deep"].values())
