"""Do fits of simulated animals find the parameters and the model that the animals really have?

Intervals of 90 % hold the true parameters about as often as they should after 12,000 trials. The true network has the
smallest BIC where the choices distinguish the models: where its expected log-likelihood ratio to the best fit of every
rival is large beside the standard deviation of that ratio. In other animals, most of them still at chance after 12,000
trials, the weights have hardly moved, the networks make the same choices, and no criterion can tell them apart.
Parameters are drawn from the ranges in which fits begin their search; about half of such animals are too slow to learn
in 12,000 trials.

Source: liebana2025
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

import festina as fs
from festina import plot
from festina.papers import Claim, setting

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

NETWORKS = ("tutor-executor", "tutor-executor-gradient", "shallow")
RIVALS = (*NETWORKS, "drifting", "q-learning", "logistic")

SURE = 3.0
"""An animal has learned when its late accuracy is above one half by so many standard errors: one in 700 by chance."""

DISTINCT = 2.33
"""Models are distinguishable when the true one is expected to win in 99 % of animals: Φ(2.33)."""


@dataclass(frozen=True)
class Settings:
    """How many animals are simulated, and for how long."""

    seeds: int = setting(100, "animals whose parameters are recovered", least=2)
    animals: int = setting(24, "animals per model whose model is recovered", least=1)
    sessions: tuple[int, ...] = setting(
        (4, 12, 50), "sessions after which animals are fitted, in rising order", least=1
    )
    trials: int = setting(240, "trials per session", least=1)
    models: tuple[str, ...] = setting(NETWORKS, "models that animals follow")
    candidates: tuple[str, ...] = setting(RIVALS, "models that are fitted to every animal")
    starts: int = setting(8, "starts of every search", least=1)
    level: float = setting(0.9, "level of the intervals", above=0, most=1)
    seed: int = setting(0, "seed of all animals", least=0)


quick = Settings(
    seeds=32, animals=40, sessions=(1,), trials=1000, models=("shallow",), candidates=("shallow", "logistic"), starts=2,
    seed=1,
)  # fmt: skip
layout = (2, 3)
caption = (
    "Fits recover the parameters of simulated animals, and the model of those that learn. (a) Learning rate, estimated "
    "from the longest record, against the true one, with intervals. (b) Share of intervals that hold the true value, "
    "by number of trials, for each parameter and for all; dotted: nominal level. (c) Margin by which the true model "
    "beats its best rival (half the difference of BIC) against the expected margin in standard deviations, for every "
    "animal and number of trials; filled marks are animals that have learned by the end. (d, e) Share of animals of "
    "each network for which each candidate has the smallest BIC after the longest record, animals that have learned "
    "and animals at chance. (f) Share of animals whose true model has the smallest BIC, by number of trials."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Recovered parameters, one row per length, animal and parameter; models, one row per length and animal."""

    settings: Settings
    parameters: pd.DataFrame
    models: pd.DataFrame

    @property
    def longest(self) -> int:
        """Trials of the longest record."""
        return self.settings.sessions[-1] * self.settings.trials

    def recovered(self, column: str, choices: int, parameter: str | None = None) -> np.ndarray:
        """A column at one number of trials, of all parameters or of one."""
        rows = self.parameters[self.parameters["choices"] == choices]
        rows = rows if parameter is None else rows[rows["parameter"] == parameter]
        return np.asarray(rows[column], dtype=float)

    def confusion(self, choices: int, model: str, learned: bool | None = None) -> np.ndarray:
        """Share of animals of a model for which each candidate wins."""
        rows = self.models[(self.models["choices"] == choices) & (self.models["true"] == model)]
        if learned is not None:
            rows = rows[rows["learned"] == learned]
        return np.array([(rows["winner"] == name).mean() for name in self.settings.candidates])

    def wins(self, choices: int, learned: bool | None = None, distinct: bool | None = None) -> np.ndarray:
        """Whether the true model wins, per animal: all animals, or those that have or have not learned by the end, or
        whose models are or are not distinguishable.
        """
        rows = self.models[self.models["choices"] == choices]
        if learned is not None:
            rows = rows[rows["learned"] == learned]
        if distinct is not None:
            rows = rows[(rows["separation"] >= DISTINCT) == distinct]
        return (rows["winner"] == rows["true"]).to_numpy(dtype=bool)


def compute(settings: Settings) -> Curves:
    """Simulate animals and fit them."""
    import pandas as pd

    parameters = pd.concat(
        [
            fs.behaviour.recover_parameters(
                settings.models[0], animals=settings.seeds, sessions=count, trials=settings.trials,
                level=settings.level, starts=settings.starts, seed=settings.seed,
            )
            for count in settings.sessions
        ],
        ignore_index=True,
    )  # fmt: skip
    models = fs.behaviour.recover_models(
        settings.models, candidates=settings.candidates, animals=settings.animals, sessions=settings.sessions,
        trials=settings.trials, starts=settings.starts, seed=settings.seed + 1,
    )  # fmt: skip
    last = models[models["choices"] == models["choices"].max()].set_index("animal")["accuracy"]
    late = settings.trials * max(settings.sessions[-1] // 10, 1)
    learned = last > 0.5 + SURE * 0.5 / np.sqrt(late)
    return Curves(settings, parameters, models.assign(learned=models["animal"].map(learned)))


def _share(won: np.ndarray) -> tuple[float, float]:
    """A share and its standard error, of Jeffreys' posterior: it does not vanish at a share of one."""
    if not len(won):
        return float("nan"), 0.0
    return float(won.mean()), float(scipy.stats.beta(won.sum() + 0.5, (~won).sum() + 0.5).std())


def _miss(curves: Curves) -> float:
    """Distance of the share of intervals that hold the true value from the nominal level. It has no error of its own:
    the bound is what the error over a hundred animals allows, and would count it twice.
    """
    return float(abs(curves.recovered("covered", curves.longest).mean() - curves.settings.level))


def _bias(curves: Curves) -> tuple[float, float]:
    """Largest median error of a parameter in its own standard errors, with the standard error of that median."""
    names = dict.fromkeys(curves.parameters["parameter"])
    worst = max(abs(float(np.median(curves.recovered("error", curves.longest, name)))) for name in names)
    return worst, float(np.sqrt(np.pi / 2 / curves.settings.seeds))


def values(curves: Curves) -> dict[str, Any]:
    """Coverage and bias by number of trials, confusion matrices, and shares of animals whose model wins."""
    lengths = sorted(set(curves.models["choices"]))
    names = dict.fromkeys(curves.parameters["parameter"])
    each = [(n, name) for n in lengths for name in names]
    return {
        "coverage": {f"{n} {name}": curves.recovered("covered", n, name).mean() for n, name in each},
        "median_error": {f"{n} {name}": np.median(curves.recovered("error", n, name)) for n, name in each},
        "confusion": {f"{n} {name}": curves.confusion(n, name) for n in lengths for name in curves.settings.models},
        "wins": {str(n): float(curves.wins(n).mean()) for n in lengths},
        "wins_of_learners": {str(n): _share(curves.wins(n, learned=True))[0] for n in lengths},
        "learners": int(curves.wins(lengths[-1], learned=True).size),
        "distinguishable": {str(n): curves.wins(n, distinct=True).size / curves.wins(n).size for n in lengths},
        "animals": int(curves.wins(lengths[-1]).size),
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "intervals",
        "Intervals of 90 % around the fitted parameters of simulated animals hold the true values as often as they say "
        "after 12,000 trials (distance of the share over animals and parameters from 0.9).",
        _miss,
        0.05,
        kind="extension",
        source="our question, on liebana2025",
        reason="0.05: coverage of 85 to 95 %, three standard errors of a hundred animals with five parameters whose "
        "errors are correlated",
    ),
    Claim(
        "bias",
        "Estimates from 12,000 trials are not biased by as much as their own standard error (largest median error over "
        "parameters, in standard errors).",
        _bias,
        1.0,
        kind="extension",
        source="our question, on liebana2025",
        reason="1: a bias as large as the uncertainty that is stated",
    ),
    Claim(
        "models",
        "The network that a simulated animal follows has the smallest BIC of all candidates after 12,000 trials in "
        "animals whose choices distinguish the models: those in which the true one is expected to win in 99 % (share "
        "of animals).",
        lambda curves: _share(curves.wins(curves.longest, distinct=True)),
        0.9,
        ">=",
        kind="extension",
        source="our question, on liebana2025",
        reason="nine of ten animals, with margin for an expectation that holds for large samples",
        baseline=("a candidate chosen at random", lambda curves: 1 / len(curves.settings.candidates)),
    ),
    Claim(
        "models, same choices",
        "The network that a simulated animal follows has the smallest BIC of all candidates after 12,000 trials even "
        "in animals whose choices do not distinguish the models, since a rival makes nearly the same (share of "
        "animals).",
        lambda curves: _share(curves.wins(curves.longest, distinct=False)),
        0.9,
        ">=",
        kind="extension",
        source="our question, on liebana2025",
        reason="nine of ten animals, as where choices distinguish the models",
        expected="fails",
        baseline=("a candidate chosen at random", lambda curves: 1 / len(curves.settings.candidates)),
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Draw estimates, coverage, margins and model recovery."""
    _draw_rates(curves, axes.flat[0])
    _draw_coverage(curves, axes.flat[1])
    _draw_margins(curves, axes.flat[2])
    _draw_confusion(curves, axes.flat[3], True, "Animals that have learned")
    _draw_confusion(curves, axes.flat[4], False, "Animals at chance")
    _draw_wins(curves, axes.flat[5])


def _draw_rates(curves: Curves, ax: Axes) -> None:
    true, low, high, found = (
        curves.recovered(name, curves.longest, "rate") for name in ("true", "low", "high", "estimate")
    )
    ends = np.abs(np.stack([found - low, high - found]))
    ax.errorbar(true, found, ends, fmt="o", markersize=2.5, elinewidth=0.5, color=plot.COLOURS[0])
    ax.plot([true.min(), true.max()], [true.min(), true.max()], color="0.5", linewidth=0.8, zorder=0)
    ax.set(xscale="log", yscale="log", xlabel="true rate per trial", ylabel="estimated rate per trial")
    ax.set_title("Learning rate")


def _draw_coverage(curves: Curves, ax: Axes) -> None:
    lengths = [count * curves.settings.trials for count in curves.settings.sessions]
    for name, colour in zip(dict.fromkeys(curves.parameters["parameter"]), plot.COLOURS, strict=False):
        share = [curves.recovered("covered", n, name).mean() for n in lengths]
        ax.plot(lengths, share, color=colour, marker=".", linewidth=1, label=name)
    share = [curves.recovered("covered", n).mean() for n in lengths]
    ax.plot(lengths, share, color="black", marker="o", markersize=3, label="all")
    ax.axhline(curves.settings.level, color="0.5", linestyle=":", linewidth=1)
    ax.set(ylim=(0.5, 1.02), ylabel="share of intervals", title="Coverage")
    _label_trials(ax, lengths)
    ax.legend(fontsize=7, ncols=2)


def _label_trials(ax: Axes, lengths: list[int]) -> None:
    ax.set(xscale="log", xlabel="trials", xlim=(lengths[0] / 1.3, lengths[-1] * 1.3))
    ax.set_xticks(lengths, [f"{n:,}" for n in lengths])
    ax.set_xticks([], minor=True)


def _draw_margins(curves: Curves, ax: Axes) -> None:
    for name, colour in zip(curves.settings.models, plot.COLOURS, strict=False):
        for learned in (True, False):
            own = curves.models[(curves.models["true"] == name) & (curves.models["learned"] == learned)]
            ax.plot(
                own["separation"], own["margin"], "o", markersize=3, color=colour, markeredgewidth=0.7,
                markerfacecolor=colour if learned else "none", label=name if learned else None,
            )  # fmt: skip
    ax.axhline(0, color="0.5", linestyle=":", linewidth=1)
    ax.axvline(DISTINCT, color="0.5", linestyle=":", linewidth=1)
    ax.set_yscale("symlog", linthresh=10)
    ax.set_xscale("symlog", linthresh=5)
    ax.set_xticks([-10, -2, 0, 2, 10], ["−10", "−2", "0", "2", "10"])
    ax.set(xlabel="expected margin (standard deviations)", ylabel="margin (nats)", title="Best rival")
    ax.legend(fontsize=7)


def _draw_confusion(curves: Curves, ax: Axes, learned: bool, title: str) -> None:
    names, candidates = curves.settings.models, curves.settings.candidates
    share = np.stack([curves.confusion(curves.longest, name, learned) for name in names])
    ax.imshow(share, vmin=0, vmax=1, cmap="Blues", aspect="auto")
    for (row, column), value in np.ndenumerate(share):
        if value > 0:
            ax.text(column, row, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.6 else "black")
    ax.set_xticks(range(len(candidates)), candidates, rotation=40, ha="right", fontsize=7)
    ax.set_yticks(range(len(names)), names, fontsize=7)
    ax.set(xlabel="smallest BIC", ylabel="true model", title=title)


def _draw_wins(curves: Curves, ax: Axes) -> None:
    lengths = [count * curves.settings.trials for count in curves.settings.sessions]
    shown = (("that have learned", True), ("all", None), ("at chance", False))
    for n, (label, learned) in enumerate(shown):
        share, error = np.array([_share(curves.wins(k, learned=learned)) for k in lengths]).T
        ax.errorbar(
            np.array(lengths) * 1.03 ** (n - 1),
            share,
            error,
            marker="o",
            markersize=3,
            color=plot.COLOURS[n],
            label=label,
        )
    ax.axhline(0.9, color="0.5", linestyle=":", linewidth=1)
    ax.set(ylim=(-0.02, 1.05), ylabel="true model wins", title="Model recovery")
    _label_trials(ax, lengths)
    ax.legend(fontsize=7, loc="upper left", title="animals", title_fontsize=7)
