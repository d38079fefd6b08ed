"""What does a population of tutor-executor networks predict of mice once it has their accuracy?

Inputs are the published late accuracy of mice, 0.758, and the standard deviation over animals of the early bias. That
deviation is not published; it is a setting, and its range is about what agents allow: without any initial bias they
already differ by 0.23, and beyond 0.36 they hardly reach the accuracy. Learning rate and spread of initial biases are
found from these two. Predictions for a study of 30 animals, with its uncertainty, are both published correlations of
the early bias, +0.695 with the late difference of slopes and −0.528 with the late bias. The first is predicted too
large at every deviation; whether it is because agents all learn at one rate is not tested here. The second has the
sign of mice and, from a deviation of 0.3 on, their size within its uncertainty; at 0.35 a study of 30 animals could
also find none. Networks without depth that are set to the same numbers predict the other sign.

Source: liebana2025; saxe_lecture "Learning trajectories are individually diverse but systematic"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

import festina as fs
from festina import plot
from festina.behaviour import Shallow, TutorExecutor
from festina.papers import Claim, setting
from festina.papers._seeds import resampled
from festina.papers.experiments._decision_group import HALF, SIDES, approach, median
from festina.plot import look, shade
from festina.runtime import track

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MICE = {"slope difference": 0.695, "bias": -0.528}
"""Correlation of the early bias with these late measures in mice: published, and predicted here."""

KINDS = {"deep": TutorExecutor, "shallow": Shallow}

LEVELS = (0.05, 0.95)
"""Ends of an interval of 90 % over studies."""

AHEAD = 1_000_000
"""Seed of agents that predict: none of them has been used to find rate and spread."""


@dataclass(frozen=True)
class Settings:
    """What is known of the mice, and the agents that are set to it."""

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
layout = (2, 2)
caption = (
    "Agents that are set to the accuracy of mice predict the signs of both published correlations and one size. (a) "
    "Correlation of the early bias with the late difference of slopes for studies of 30 animals (mean and 90 % of "
    "studies), by standard deviation of the early bias; thick: mice. (b) The same with the late bias. (c) Late "
    "difference of slopes of single agents against their early bias, deep and shallow networks set to the same "
    "accuracy and deviation, with regression lines. (d) Closest distance of agents over all of learning to a saddle at "
    "which one side is known, over the gap to the next stationary point."
)


@dataclass(frozen=True, eq=False)
class Group:
    """Agents set to one deviation of the early bias, and what they predict."""

    rate: float
    spread: float
    reached: tuple[float, float]
    prediction: pd.DataFrame
    agents: dict[str, np.ndarray]
    approach: np.ndarray
    accuracy: float

    def correlation(self, name: str) -> np.ndarray:
        """Mean, low and high end of the predicted correlation of the early bias with a late measure."""
        rows = self.prediction.set_index("quantity")
        found = rows.loc[f"correlation, early bias and late {name}", ["mean", "low", "high"]]
        return np.asarray(found, dtype=float)

    def regression(self) -> tuple[float, float]:
        """Slope of the late difference of slopes on the early bias, and its standard error."""
        fit = scipy.stats.linregress(self.agents["early_bias"], self.agents["late_slope_difference"])
        return float(fit.slope), float(fit.stderr)  # pyright: ignore[reportAttributeAccessIssue]


@dataclass(frozen=True, eq=False)
class Curves:
    """Deep groups by deviation, and a shallow one at the middle deviation."""

    settings: Settings
    deep: tuple[Group, ...]
    shallow: Group

    @property
    def middle(self) -> Group:
        """The deep group with the deviation of the shallow one."""
        return self.deep[len(self.deep) // 2]

    def correlations(self, name: str) -> np.ndarray:
        """Mean, low and high end by deviation (deviations, 3)."""
        return np.stack([group.correlation(name) for group in self.deep])


def compute(settings: Settings) -> Curves:
    """Set populations to every deviation of the early bias and let them predict."""
    middle = settings.deviations[len(settings.deviations) // 2]
    jobs = [("deep", deviation) for deviation in settings.deviations] + [("shallow", middle)]
    *deep, shallow = [_predict(settings, kind, deviation) for kind, deviation in track(jobs, "populations")]
    return Curves(settings, tuple(deep), shallow)


def _predict(settings: Settings, kind: str, deviation: float) -> Group:
    found = fs.behaviour.calibrate(
        settings.accuracy, deviation, network=KINDS[kind](), sessions=settings.sessions, trials=settings.trials,
        window=settings.window, agents=settings.seeds, seed=settings.seed,
    )  # fmt: skip
    times = found.rate * settings.trials * np.arange(settings.longer * settings.sessions + 1)
    whole = fs.evolve(
        found.network, found.task, times, method=fs.Train(found.rate), seed=AHEAD, seeds=settings.seeds,
        observe=("map", "accuracy"),
    )  # fmt: skip
    near = np.full(settings.seeds, np.nan)
    if kind == "deep":
        points = found.network.stationary_points(found.task, drifting=True)
        near = approach(points, whole.saddle_distances(points), *SIDES)
    return Group(
        found.rate, found.network.spread, (found.accuracy, found.deviation),
        found.predict(settings.animals, groups=settings.studies, agents=settings.agents, seed=AHEAD),
        found.simulate(settings.agents, AHEAD), near, float(whole["accuracy"][:, -1].mean()),
    )  # fmt: skip


def values(curves: Curves) -> dict[str, Any]:
    """Rates and spreads that were found, and all predictions."""
    names = [str(deviation) for deviation in curves.settings.deviations]
    groups = dict(zip(names, curves.deep, strict=True))
    return {
        "rate": {name: group.rate for name, group in groups.items()},
        "spread": {name: group.spread for name, group in groups.items()},
        "reached": {name: group.reached for name, group in groups.items()},
        "correlation": {late: curves.correlations(late) for late in MICE},
        "early_accuracy": {name: float(group.agents["early_accuracy"].mean()) for name, group in groups.items()},
        "regression": {name: group.regression() for name, group in groups.items()},
        "regression_shallow": curves.shallow.regression(),
        "correlation_shallow": {late: curves.shallow.correlation(late) for late in MICE},
        "rate_shallow": curves.shallow.rate,
        "approach_to_one_side": {name: float(np.median(group.approach)) for name, group in groups.items()},
        "accuracy_after_all_of_learning": {name: group.accuracy for name, group in groups.items()},
        "mice": MICE,
    }


def _over_agents(
    curves: Curves, groups: tuple[Group, ...], name: str, decide: Callable[[np.ndarray, np.ndarray], float]
) -> tuple[float, float]:
    """A number that the ends of the predicted intervals decide, with its standard error over agents.

    The error is that of drawing as many agents again, from which the same studies are then drawn.
    """
    s = curves.settings
    agents = np.stack([[g.agents["early_bias"], g.agents[f"late_{name.replace(' ', '_')}"]] for g in groups]).T
    order = np.argsort(np.random.default_rng(AHEAD).random((s.studies, len(agents))), axis=1)[:, : s.animals]

    def found(drawn: np.ndarray) -> float:
        away = drawn.swapaxes(1, 2)[order]
        away = away - away.mean(axis=1, keepdims=True)
        both = (away[..., 0] * away[..., 1]).sum(axis=1) / np.sqrt((away**2).sum(axis=1).prod(axis=-1))
        return decide(*np.quantile(both, LEVELS, axis=0))

    _, error = resampled(found, agents)
    low, high = np.stack([group.correlation(name)[1:] for group in groups]).T
    return decide(low, high), error


def _outside(name: str) -> Callable[[np.ndarray, np.ndarray], float]:
    """How far the mice's correlation lies outside the predicted interval, at the best deviation; negative inside."""
    return lambda low, high: float(np.min(np.maximum(low - MICE[name], MICE[name] - high)))


def _influence(curves: Curves) -> tuple[float, float]:
    """Regression slope of the late slope difference on the early bias, shallow over deep."""
    (flat, flat_error), (deep, deep_error) = curves.shallow.regression(), curves.middle.regression()
    return flat / deep, float(np.hypot(flat_error, flat / deep * deep_error) / abs(deep))


def _one_side(curves: Curves) -> tuple[float, float]:
    return max(median(group.approach) for group in curves.deep)


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "slope, sign",
        "Agents set to the accuracy of mice predict a positive correlation of the early bias with the late difference "
        "between right and left slope in a study of 30 animals (low end of the 90 % interval over studies, least over "
        "deviations of the early bias).",
        lambda curves: _over_agents(curves, curves.deep, "slope difference", lambda low, _: float(low.min())),
        0.0,
        ">=",
        source="liebana2025",
        reason="0: the sign that the paper states; mice have +0.695",
    ),
    Claim(
        "slope, size",
        "The correlation +0.695 of mice between the early bias and the late difference of slopes lies in the 90 % "
        "interval that agents set to their accuracy predict for 30 animals (distance to the nearer end, negative "
        "inside, least over deviations of the early bias).",
        lambda curves: _over_agents(curves, curves.deep, "slope difference", _outside("slope difference")),
        0.0,
        kind="extension",
        source="our question, on liebana2025",
        reason="0: inside the interval",
        expected="fails",
        baseline=("no correlation", lambda curves: MICE["slope difference"]),
    ),
    Claim(
        "bias, size",
        "The correlation −0.528 of mice between early and late bias lies in the 90 % interval that agents set to their "
        "accuracy predict for 30 animals at some deviation of the early bias (distance to the nearer end, negative "
        "inside, least over deviations).",
        lambda curves: _over_agents(curves, curves.deep, "bias", _outside("bias")),
        0.0,
        kind="extension",
        source="our question, on liebana2025, whose deviation of the early bias is not known",
        reason="0: inside the interval",
        baseline=("no correlation", lambda curves: -MICE["bias"]),
    ),
    Claim(
        "one side",
        "Agents set to the accuracy of mice pass on their way near a saddle at which one side is known (closest "
        "distance over all of learning, over the gap to its neighbours; median over agents, largest over deviations of "
        "the early bias).",
        _one_side,
        HALF,
        source='saxe_lecture "Dynamics pass near a hierarchy of saddle points"',
        reason="half the gap: nearer to the saddle than to its neighbour",
    ),
    Claim(
        "shallow",
        "In networks without depth that are set to the same accuracy and deviation an early bias has little influence "
        "on late slopes (regression slope of the late slope difference on the early bias, shallow over deep).",
        _influence,
        0.25,
        kind="extension",
        source='our question, on saxe_lecture "Saddle points arise through depth"',
        reason="a quarter of the influence that depth gives, as in the experiment decision",
    ),
    Claim(
        "bias, shallow",
        "Networks without depth that are set to the same accuracy and deviation predict early and late biases on the "
        "same side, contrary to mice (low end of the 90 % interval of their correlation over studies of 30 animals).",
        lambda curves: _over_agents(curves, (curves.shallow,), "bias", lambda low, _: float(low.min())),
        0.0,
        ">=",
        kind="extension",
        source='our question, on saxe_lecture "Saddle points arise through depth"',
        reason="0: the sign; mice have −0.528",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Draw both predicted correlations beside those of mice, single agents, and distances to saddles."""
    for ax, (name, measured) in zip(axes.flat[:2], MICE.items(), strict=True):
        _draw_correlation(curves, ax, name, measured)
    _draw_agents(curves, axes.flat[2])
    shown = axes.flat[3].boxplot(
        [group.approach for group in curves.deep], tick_labels=[f"{d:g}" for d in curves.settings.deviations],
        showfliers=False, medianprops={"color": plot.COLOURS[0]},
    )  # fmt: skip
    plot_ends = [line.get_ydata().max() for line in shown["whiskers"]]
    axes.flat[3].axhline(HALF, color="0.5", linestyle=":", linewidth=1)
    axes.flat[3].set(ylim=(0, 1.1 * max(*plot_ends, HALF)), xlabel="deviation of the early bias")
    axes.flat[3].set(ylabel="closest distance over gap", title="Nearest to a saddle, one side known")


def _draw_correlation(curves: Curves, ax: Axes, name: str, measured: float) -> None:
    mean, low, high = curves.correlations(name).T
    ax.axhline(measured, label="mice", **look("trained"))
    ends, label = [mean - low, high - mean], f"predicted, {curves.settings.animals} animals"
    line: dict[str, Any] = {"fmt": "o", "markersize": 4, "color": "black", "elinewidth": 1.3, "zorder": 3}
    ax.errorbar(curves.settings.deviations, mean, ends, label=label, **line)
    ax.set_xticks(curves.settings.deviations)
    ax.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    ax.set(ylim=(-1.05, 1.05), xlabel="deviation of the early bias", ylabel="correlation with early bias")
    ax.set_title(f"Late {name}")
    ax.legend(loc="lower left" if measured > 0 else "upper left")


def _draw_agents(curves: Curves, ax: Axes) -> None:
    for n, (name, group) in enumerate((("deep", curves.middle), ("shallow", curves.shallow))):
        early, late = group.agents["early_bias"], group.agents["late_slope_difference"]
        ax.plot(early, late, "o", markersize=2.5, color=shade("trained", plot.COLOURS[n]), zorder=1)
        slope, intercept = np.polyfit(early, late, 1)
        ends = np.array([early.min(), early.max()])
        ax.plot(ends, intercept + slope * ends, color=plot.COLOURS[n], label=f"{name}, slope {slope:.2f}")
    ax.set(xlabel="early bias", ylabel="late right − left slope", title="Deep and shallow agents")
    ax.set_ylim(top=1.6 * ax.get_ylim()[1])
    ax.legend(loc="upper left")
