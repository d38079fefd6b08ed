"""Do fits of simulated animals find the parameters and the model that the animals really have?

Intervals of 90 % hold the true parameters about as often as they should after 12,000 trials. The true network has the
smallest BIC where the choices distinguish the models. They do if its expected log-likelihood ratio to the best fit of
every rival is large relative to the ratio's standard deviation. In other animals, most of them still at chance after
12,000 trials, the weights have hardly moved, the networks make the same choices, and no criterion can tell them apart.
Parameters are drawn from the ranges in which fits begin their search; about half of such animals are too slow to learn
in 12,000 trials.

Source: liebana2025
"""

from functools import partial
from typing import Any

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS

NETWORKS = ("tutor-executor", "tutor-executor-gradient", "shallow")
RIVALS = (*NETWORKS, "drifting", "q-learning", "logistic")

SURE = 3.0
"""An animal has learned if its late accuracy is this many standard errors above one half: one in 700 by chance."""

DISTINCT = 2.33  # models are distinguishable when the true one is expected to win in 99 % of animals: Φ(2.33)


class Settings(papers.Settings):
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

    @property
    def length(self) -> int:
        """Trials of the longest record."""
        return self.sessions[-1] * self.trials


quick = Settings(
    seeds=100, animals=40, sessions=(1,), trials=1000, models=("shallow",), candidates=("shallow", "logistic"),
    starts=2, seed=1,
)  # fmt: skip
caption = (
    "Fits recover the parameters of simulated animals, and the model of those that learn. (a) Learning rate, "
    "estimated from the longest record, against the true one, with intervals. (b) Share of intervals that hold the "
    "true value, by number of trials, for each parameter and for all; dotted: nominal level. (c) Margin by which the "
    "true model beats the best other one (half the difference of BIC) against the expected margin in standard "
    "deviations. Filled marks are animals that have learned by the end."
)


def compute(settings: Settings) -> papers.Results:
    """Simulate animals and fit them."""
    import pandas as pd

    c, s, recover = papers.Results(settings), settings, fs.behaviour.recover_parameters
    common = {"trials": s.trials, "starts": s.starts}
    many = {"animals": s.seeds, "level": s.level, "seed": s.seed, **common}
    parts = [recover(s.models[0], sessions=count, **many) for count in s.sessions]
    rows: Any = pd.concat(parts, ignore_index=True)
    few = {"animals": s.animals, "sessions": s.sessions, "seed": s.seed + 1, **common}
    models = fs.behaviour.recover_models(s.models, candidates=s.candidates, **few)
    last = models[models["choices"] == models["choices"].max()].set_index("animal")["accuracy"]
    late = s.trials * max(s.sessions[-1] // 10, 1)
    learned = models["animal"].map(last > 0.5 + SURE * 0.5 / np.sqrt(late))
    right, distinct = models["winner"] == models["true"], models["separation"] >= DISTINCT
    c.models = models.assign(learned=learned, right=right, distinct=distinct)
    c.lengths = [count * s.trials for count in s.sessions]
    c.parameters, c.names = rows, list(dict.fromkeys(rows["parameter"]))
    by_name = rows.groupby(rows["choices"].astype(str) + " " + rows["parameter"])
    c.coverage, c.median_error = by_name["covered"].mean().to_dict(), by_name["error"].median().to_dict()
    c.wins = {n: _wins(c, n)[0] for n in c.lengths}
    return c


def _wins(c: papers.Results, choices: int, **kind: bool) -> tuple[float, float]:
    """Share of animals whose true model wins, and its standard error: all, or of a kind (learned, distinct)."""
    rows = c.models[c.models["choices"] == choices]
    for name, wanted in kind.items():
        rows = rows[rows[name] == wanted]
    return papers.share(rows["right"]) if len(rows) else (float("nan"), 0.0)


def _longest(c: papers.Results, parameter: str = "") -> Any:
    """Results from the longest record for all parameters, or for one."""
    rows = c.parameters[c.parameters["choices"] == c.lengths[-1]]
    return rows[rows["parameter"] == parameter] if parameter else rows


@papers.panel("Learning rate", "true rate per trial", "estimated rate per trial", xscale="log", yscale="log")
def _rates(c, ax):
    rows = _longest(c, "rate")
    true, found = rows["true"], rows["estimate"]
    ends = np.abs([found - rows["low"], rows["high"] - found])
    ax.errorbar(true, found, ends, fmt="o", markersize=2.5, elinewidth=0.5, color=COLOURS[0])
    ax.plot([true.min(), true.max()], [true.min(), true.max()], color="0.5", linewidth=0.8, zorder=0)


def _label_trials(ax, lengths):
    ax.set(xscale="log", xlabel="trials", xlim=(lengths[0] / 1.3, lengths[-1] * 1.3))
    papers.ticks(ax, lengths, "{:,}")


@papers.panel("Coverage", y="share of intervals", ylim=(0.5, 1.02), legend={"fontsize": 7, "ncols": 2})
def _coverage(c, ax):
    shares = {name: [c.coverage[f"{n} {name}"] for n in c.lengths] for name in c.names}
    papers.lines(ax, c.lengths, shares, marker=".", linewidth=1)
    every = c.parameters.groupby("choices")["covered"].mean()
    ax.plot(c.lengths, every[c.lengths], color="black", marker="o", markersize=3, label="all")
    ax.axhline(c.settings.level, color="0.5", linestyle=":", linewidth=1)
    _label_trials(ax, c.lengths)


@papers.panel("Best rival", "expected margin (standard deviations)", "margin (nats)", legend={"fontsize": 7})
def _margins(c, ax):
    for name, colour in zip(c.settings.models, COLOURS, strict=False):
        for learned, fill in ((True, colour), (False, "none")):
            own = c.models[(c.models["true"] == name) & (c.models["learned"] == learned)]
            line = {"markersize": 3, "color": colour, "markeredgewidth": 0.7, "markerfacecolor": fill}
            ax.plot(own["separation"], own["margin"], "o", label=name if learned else None, **line)
    ax.axhline(0, color="0.5", linestyle=":", linewidth=1)
    ax.axvline(DISTINCT, color="0.5", linestyle=":", linewidth=1)
    ax.set_yscale("symlog", linthresh=10)
    ax.set_xscale("symlog", linthresh=5)
    ax.set_xticks([-10, -2, 0, 2, 10], ["−10", "−2", "0", "2", "10"])


@papers.panel(lambda c, learned, title: title, "smallest BIC", "true model")
def _confusion(c, ax, learned, title):
    names, candidates = c.settings.models, c.settings.candidates
    rows = c.models[(c.models["choices"] == c.lengths[-1]) & (c.models["learned"] == learned)]
    share = [[(rows["winner"][rows["true"] == name] == model).mean() for model in candidates] for name in names]
    ax.imshow(share, vmin=0, vmax=1, cmap=fs.plot.SIZES, aspect="auto")
    for (row, column), value in np.ndenumerate(share):
        if value > 0:
            ax.text(column, row, f"{value:.2f}", ha="center", va="center", color="white" if value > 0.6 else "black")
    ax.set_xticks(range(len(candidates)), candidates, rotation=40, ha="right", fontsize=7)
    ax.set_yticks(range(len(names)), names, fontsize=7)


@papers.panel(
    "Model recovery", y="true model wins", ylim=(-0.02, 1.05), detail=True,
    legend={"fontsize": 7, "loc": "upper left", "title": "animals", "title_fontsize": 7},
)  # fmt: skip
def _recovery(c, ax):
    shown = {"that have learned": {"learned": True}, "all": {}, "at chance": {"learned": False}}
    for n, (label, kind) in enumerate(shown.items()):
        share, error = np.transpose([_wins(c, length, **kind) for length in c.lengths])
        apart = np.array(c.lengths) * 1.03 ** (n - 1)  # so that error bars do not overlap
        ax.errorbar(apart, share, error, marker="o", markersize=3, color=COLOURS[n], label=label)
    ax.axhline(0.9, color="0.5", linestyle=":", linewidth=1)
    _label_trials(ax, c.lengths)


panels = (
    *(_rates, _coverage, _margins),
    _confusion.of(True, "Animals that have learned", detail=True),
    _confusion.of(False, "Animals at chance", detail=True),
    _recovery,
)

_ours = partial(papers.extension, "our question, on liebana2025")
CHANCE = ("a candidate chosen at random", lambda c: 1 / len(c.settings.candidates))


@_ours(
    at_most=0.05,
    because="0.05, three standard errors of the coverage in a hundred animals with five parameters whose "
    "errors are correlated",
)
def _intervals(c):
    """Intervals at the level {s.level} around the fitted parameters of simulated animals hold the true values as often
    as stated after {s.length:,} trials (distance of the share over animals and parameters from {s.level})."""
    # without an error of its own: the bound is what the error over a hundred animals allows, and would count it twice
    return float(abs(_longest(c)["covered"].mean() - c.settings.level))


@_ours(at_most=1.0, because="1: a bias as large as the uncertainty that is stated")
def _bias(c):
    """Estimates from {s.length:,} trials are not biased by as much as their own standard error (largest median error
    over parameters, in standard errors)."""
    worst = max(abs(c.median_error[f"{c.lengths[-1]} {name}"]) for name in c.names)
    return worst, float(np.sqrt(np.pi / 2 / c.settings.seeds))  # the standard error of a median of normal numbers


@_ours(
    at_least=0.9,
    because="nine of ten animals, with margin for an expectation that holds for large samples",
    baseline=CHANCE,
)
def _models(c):
    """After {s.length:,} trials the true model has the smallest BIC in simulated animals whose choices distinguish the
    models: those in which it is expected to win in 99 % (share of animals)."""
    return _wins(c, c.lengths[-1], distinct=True)


@_ours(
    name="models, same choices",
    at_least=0.9,
    expected="fails",
    because="nine of ten animals, as where choices distinguish the models",
    baseline=CHANCE,
)
def _same_choices(c):
    """After {s.length:,} trials the true model has the smallest BIC even in simulated animals whose choices do not
    distinguish the models, because another model makes nearly the same (share of animals)."""
    return _wins(c, c.lengths[-1], distinct=False)
