"""What does a population of tutor-executor networks with the accuracy of mice predict about mice?

Inputs are the published late accuracy of mice, 0.758, and the standard deviation over animals of the early bias. That
deviation is not published. It is a setting, and its range is about what agents allow: without any initial bias they
already differ by 0.23, and beyond 0.36 they hardly reach the accuracy. The learning rate and the spread of initial
biases are found from these two numbers.

Predictions for a study of 30 animals, with its uncertainty, are both published correlations of the early bias: +0.695
with the late difference of slopes and −0.528 with the late bias. The first is predicted too large at every deviation;
whether this is because all agents learn at one rate is not tested here. The second has the sign of mice and, from a
deviation of 0.3 on, their size within its uncertainty; at 0.35 a study of 30 animals could also find none. Networks
without depth that are set to the same numbers predict the other sign.

Source: liebana2025; saxe_lecture "Learning trajectories are individually diverse but systematic"
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

import festina as fs
from festina import papers
from festina.behaviour import Shallow, TutorExecutor
from festina.papers import setting
from festina.papers.experiments.decision import HALF, SIDES, approach, median
from festina.plot import COLOURS, look, shade
from festina.runtime import track

MICE = {"slope difference": 0.695, "bias": -0.528}
"""Correlation of the early bias with these late measures in mice: published, and predicted here."""

LEVELS = (0.05, 0.95)  # ends of an interval of 90 % over studies
AHEAD = 1_000_000  # seed of agents that predict: none of them has been used to find rate and spread


class Settings(papers.Settings):
    accuracy: float = setting(0.758, "late share of rewarded trials of the mice, an input", above=0.5, most=1)
    deviations: tuple[float, ...] = setting(
        (0.25, 0.3, 0.35), "standard deviations over animals of the early bias, an input that is not published", above=0
    )
    animals: int = setting(30, "animals in a study", least=3)
    seeds: int = setting(200, "agents with which rate and spread are found", least=3)
    agents: int = setting(600, "agents from which studies are drawn", least=3)
    studies: int = setting(1000, "studies", least=2)
    sessions: int = setting(50, "sessions per agent", least=1)
    trials: int = setting(240, "trials per session", least=1)
    window: int = setting(5, "sessions at the beginning and at the end that count as early and late", least=1)
    longer: int = setting(3, "all of learning, in multiples of the sessions of mice", least=1)
    seed: int = setting(0, "first of the seeds of agents", least=0)


quick = Settings(accuracy=0.7, deviations=(0.34,), seeds=40, agents=120, studies=80, trials=100, longer=1)
caption = (
    "Agents that are set to the accuracy of mice predict the signs of both published correlations and one size. (a) "
    "Correlation of the early bias with the late difference of slopes for studies of 30 animals (mean and 90 % of "
    "studies), by standard deviation of the early bias; thick: mice. (b) The same with the late bias. (c) Late "
    "difference of slopes of single agents against their early bias, deep and shallow networks set to the same "
    "accuracy and deviation, with regression lines. (d) Closest distance of agents over all of learning to a saddle at "
    "which one side is known, over the gap to the next stationary point."
)


def compute(settings: Settings) -> papers.Results:
    """Set populations to every deviation of the early bias and let them predict."""
    c, s = papers.Results(settings), settings
    middle = s.deviations[len(s.deviations) // 2]
    jobs = [(TutorExecutor(), deviation) for deviation in s.deviations] + [(Shallow(), middle)]
    *deep, c.shallow = [_predict(s, network, deviation) for network, deviation in track(jobs, "populations")]
    c.deep = dict(zip(s.deviations, deep, strict=True))
    c.middle, groups = c.deep[middle], {**c.deep, "shallow": c.shallow}
    for name in ("rate", "spread", "reached", "correlation", "regression", "last_accuracy"):
        setattr(c, name, {key: group.get(name) for key, group in groups.items()})
    return c


def _predict(s: Settings, network, deviation: float) -> papers.Results:
    """Agents set to one deviation of the early bias, and what they predict."""
    found = fs.behaviour.calibrate(
        s.accuracy, deviation, network=network, sessions=s.sessions, trials=s.trials, window=s.window, agents=s.seeds,
        seed=s.seed,
    )  # fmt: skip
    group = papers.Results(s, rate=found.rate, spread=found.network.spread, reached=(found.accuracy, found.deviation))
    times = found.rate * s.trials * np.arange(s.longer * s.sessions + 1)
    ahead: Any = {"method": fs.Train(found.rate), "seed": AHEAD, "seeds": s.seeds, "observe": ("map", "accuracy")}
    whole = fs.evolve(found.network, found.task, times, **ahead)
    group.last_accuracy = float(whole["accuracy"][:, -1].mean())
    if isinstance(network, TutorExecutor):
        points = found.network.stationary_points(found.task, moving_weights=True)
        group.approach = approach(points, whole.saddle_distances(points), *SIDES)
    rows = found.predict(s.animals, groups=s.studies, agents=s.agents, seed=AHEAD).set_index("quantity")
    rows = {late: rows.loc[f"correlation, early bias and late {late}", ["mean", "low", "high"]] for late in MICE}
    group.correlation = {late: np.asarray(row, dtype=float) for late, row in rows.items()}
    agents = found.simulate(s.agents, AHEAD)
    group.early = agents["early_bias"]
    group.late = {late: agents[f"late_{late.replace(' ', '_')}"] for late in MICE}
    fit: Any = scipy.stats.linregress(group.early, group.late["slope difference"])
    group.regression = float(fit.slope), float(fit.stderr)
    return group


def _over_agents(
    c: papers.Results, groups, late: str, decide: Callable[[np.ndarray, np.ndarray], float]
) -> tuple[float, float]:
    """A number that the ends of the predicted intervals decide, with its standard error over agents.

    The error is that of drawing as many agents again, from which the same studies are then drawn.
    """
    s = c.settings
    agents = np.stack([[group.early, group.late[late]] for group in groups]).T
    order = np.argsort(np.random.default_rng(AHEAD).random((s.studies, len(agents))), axis=1)[:, : s.animals]

    def found(drawn: np.ndarray) -> float:
        away = drawn.swapaxes(1, 2)[order]
        away = away - away.mean(axis=1, keepdims=True)
        both = (away[..., 0] * away[..., 1]).sum(axis=1) / np.sqrt((away**2).sum(axis=1).prod(axis=-1))
        return decide(*np.quantile(both, LEVELS, axis=0))

    _, error = papers.resampled(found, agents)
    low, high = np.stack([group.correlation[late][1:] for group in groups]).T
    return decide(low, high), error


def _outside(c: papers.Results, late: str) -> tuple[float, float]:
    """How far the mice's correlation lies outside the predicted interval, at the best deviation; negative inside."""
    return _over_agents(
        c, c.deep.values(), late, lambda low, high: float(np.min(np.maximum(low - MICE[late], MICE[late] - high)))
    )


DEVIATION = "deviation of the early bias"


@papers.panel(
    lambda c, late, _: f"Late {late}", DEVIATION, "correlation with early bias", legend=None, ylim=(-1.05, 1.05)
)
def _correlation(c, ax, late, legend):
    deviations, (mean, low, high) = c.settings.deviations, np.transpose([g.correlation[late] for g in c.deep.values()])
    ax.axhline(MICE[late], label="mice", **look("trained"))
    line: Any = {"fmt": "o", "markersize": 4, "color": "black", "elinewidth": 1.3, "zorder": 3}
    label = f"predicted, {c.settings.animals} animals"
    ax.errorbar(deviations, mean, [mean - low, high - mean], label=label, **line)
    ax.set_xticks(deviations)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.legend(loc=legend)


@papers.panel("Deep and shallow agents", "early bias", "late right − left slope", legend="upper left")
def _agents(c, ax):
    for name, group, colour in (("deep", c.middle, COLOURS[0]), ("shallow", c.shallow, COLOURS[1])):
        late = group.late["slope difference"]
        ax.plot(group.early, late, "o", markersize=2.5, color=shade("trained", colour), zorder=1)
        slope, intercept = np.polyfit(group.early, late, 1)
        ends = np.array([group.early.min(), group.early.max()])
        ax.plot(ends, intercept + slope * ends, color=colour, label=f"{name}, slope {slope:.2f}")
    ax.set_ylim(top=1.6 * ax.get_ylim()[1])


@papers.panel("Nearest to a saddle, one side known", DEVIATION, "closest distance over gap")
def _approach(c, ax):
    labels, line = [f"{deviation:g}" for deviation in c.deep], {"color": COLOURS[0]}
    near = [group.approach for group in c.deep.values()]
    shown = ax.boxplot(near, tick_labels=labels, showfliers=False, medianprops=line)
    ax.axhline(HALF, color="0.5", linestyle=":", linewidth=1)
    ax.set_ylim(0, 1.1 * max(HALF, *(line.get_ydata().max() for line in shown["whiskers"])))


panels = (_correlation.of("slope difference", "lower left"), _correlation.of("bias", "upper left"), _agents, _approach)

STUDY = "our question, on liebana2025"
DEPTH = 'our question, on saxe_lecture "Saddle points arise through depth"'


@papers.claim(
    "liebana2025",
    name="slope, sign",
    at_least=0.0,
    because="0: the sign that the paper states; mice have +0.695 at an accuracy of 0.758",
)
def _slope_sign(c):
    """Agents with a late accuracy of {s.accuracy} predict a positive correlation of the early bias with the late
    difference of slopes (right minus left) in {s.animals} animals (low end of the 90 % interval over studies, least
    over deviations of the early bias)."""
    return _over_agents(c, c.deep.values(), "slope difference", lambda low, _: float(low.min()))


@papers.extension(
    STUDY,
    name="slope, size",
    at_most=0.0,
    expected="fails",
    because="0: inside the interval",
    baseline=("no correlation", lambda c: MICE["slope difference"]),
)
def _slope_size(c):
    """The correlation +0.695 of mice between early bias and late difference of slopes lies in the 90 % interval that
    agents with a late accuracy of {s.accuracy} predict for {s.animals} animals (distance to the nearer end, negative
    inside, least over deviations of the early bias)."""
    return _outside(c, "slope difference")


@papers.extension(
    f"{STUDY}, whose deviation of the early bias is not known",
    name="bias, size",
    at_most=0.0,
    because="0: inside the interval",
    baseline=("no correlation", lambda c: -MICE["bias"]),
)
def _bias_size(c):
    """The correlation −0.528 of mice between early and late bias lies in the 90 % interval that agents with a late
    accuracy of {s.accuracy} predict for {s.animals} animals (distance to the nearer end, negative inside, at the best
    deviation of the early bias)."""
    return _outside(c, "bias")


@papers.claim(
    'saxe_lecture "Dynamics pass near a hierarchy of saddle points"',
    at_most=HALF,
    because="half the gap: nearer to the saddle than to its neighbour",
)
def _one_side(c):
    """Agents with a late accuracy of {s.accuracy} pass near a saddle at which one side is known (closest distance over
    all of learning, over the gap to its neighbours; median over agents, largest over deviations of the early bias)."""
    return max(median(group.approach) for group in c.deep.values())


@papers.extension(
    DEPTH, at_most=0.25, because="a quarter of the influence that depth gives, as in the experiment decision"
)
def _shallow(c):
    """In networks without depth, with the same accuracy and deviation, an early bias has little influence on late
    slopes (regression slope of the late slope difference on the early bias, shallow over deep)."""
    (flat, flat_error), (deep, deep_error) = c.shallow.regression, c.middle.regression
    return flat / deep, float(np.hypot(flat_error, flat / deep * deep_error) / abs(deep))


@papers.extension(DEPTH, name="bias, shallow", at_least=0.0, because="0: the sign; mice have −0.528")
def _bias_shallow(c):
    """Networks without depth, with the same accuracy and deviation, predict early and late biases on the same side,
    contrary to mice (low end of the 90 % interval of their correlation over studies of {s.animals} animals)."""
    return _over_agents(c, [c.shallow], "bias", lambda low, _: float(low.min()))
