"""Baselines for predicted structure: the same, named alike, in every experiment on structure."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina import papers
from festina.plot import COLOURS, look, shade
from festina.representation import Effective, Lazy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAINED, JOINT, PAIRS = "trained", "joint theory", "pairs alone"
INPUTS, CLASSES, LINEAR, LAZY = "input distance", "class identity", "linear network", "lazy limit"
BASELINES = (INPUTS, CLASSES, LINEAR, LAZY)
"""Baselines of a theory of structure: the inputs, the targets, no nonlinearity, and a fixed tangent kernel."""

ROW = 0.7  # height of what is drawn in a row, in units of the distance between rows


def rivals(
    network: fs.FeedForward, task: fs.Task, end: float, rate: float, seeds: int, seed: int, observe: str
) -> dict[str, fs.Trajectory]:
    """Final structure predicted by the joint theory of all points, and by two theories that it has to beat.

    ``joint theory`` and ``lazy limit`` take their rates from the network's own tangent kernels. ``linear network`` is
    the same network without its nonlinearity, trained at the same rate (in its lazy limit where that diverges).
    """

    def run(network: fs.FeedForward, method: fs.Train | fs.Reduced) -> fs.Trajectory:
        return fs.evolve(network, task, [0.0, end], seed=seed, seeds=seeds, method=method, observe=(observe,))

    same = replace(network, activation="linear")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "training diverged")
        linear = run(same, fs.Train(rate, precision="single"))
    # weights so large that the rate is too large for the linear network: it then is in the lazy limit
    finite = all(np.isfinite(part).all() for part in linear[observe])  # one array, or one per layer
    joint, lazy = (run(network, fs.Reduced(theory)) for theory in (Effective(), Lazy()))
    return {JOINT: joint, LAZY: lazy, LINEAR: linear if finite else run(same, fs.Reduced(Lazy()))}


Score = Callable[[Any, str], float]
"""Number of a baseline (or TRAINED) from the results and its name; NaN if there is none."""

Baseline = tuple[str, Callable[[Any], papers.Chosen]]


def best(score: Score, *, smallest: bool = False, name: str = "best of the baselines") -> Baseline:
    """The baseline whose score is the largest, or the smallest where the score is an error."""
    return name, lambda c: _choose(c, score, lambda value: value if smallest else -value)


def nearest(number: Score) -> Baseline:
    """The baseline whose number comes nearest to that of trained networks."""
    return "nearest of the baselines", lambda c: _choose(c, number, lambda value: abs(value - number(c, TRAINED)))


def _choose(c, number: Score, cost: Callable[[float], float]) -> papers.Chosen:
    found = {name: float(number(c, name)) for name in BASELINES}
    costs = {name: cost(value) for name, value in found.items() if np.isfinite(value)}
    if not costs:
        return papers.Chosen("", float("nan"))
    least = min(costs, key=lambda name: costs[name])
    equal = [name for name, value in found.items() if name in costs and np.isclose(value, found[least], 1e-9, 1e-12)]
    return papers.Chosen(" and ".join(equal), found[least])


def median_ratio(first: np.ndarray, second: np.ndarray) -> float:
    """Ratio of medians."""
    return float(np.median(first) / np.median(second))


def matrix(of: Callable[[Any], Any], title: str, groups: Callable[[Any], Any], share: float = 0.99, **options):
    """A panel of distances between points, in units of a quantile, which the title gives: sizes differ by factors."""

    def size(c) -> float:
        return float(np.quantile(of(c), share))

    def draw(c, ax: Axes) -> None:
        relative = of(c) / size(c)
        fs.plot.distances(relative, ax, groups=groups(c), top=1.0, label="squared distance / largest")

    words = lambda c: f"{title}: up to {float(f'{size(c):.2g}'):,g}"  # noqa: E731
    return papers.panel(words, **options)(draw)


def compare(
    ax: Axes,
    numbers: Mapping[str, Sequence[float] | np.ndarray],
    *,
    errors: Mapping[str, float] | None = None,
    things: Sequence[str] = ("",),
    limit: float | None = None,
) -> None:
    """A row per predictor: theories as filled dots, baselines as open squares, trained networks as pale bands.

    Args:
        ax: where to draw.
        numbers: one number for each thing, by every predictor and, if they are shown, by trained networks.
        errors: standard errors of the numbers, by name.
        things: what the numbers are of, each in a colour and at a height of its own; one thing is black.
        limit: a number that parts two answers, drawn as a dotted line.
    """
    trained = numbers.get(TRAINED, ())
    theories = [name for name in numbers if name not in (*BASELINES, TRAINED)]
    names = [*theories, *(name for name in BASELINES if name in numbers)]
    rows = [-(k + 0.4 * (name in BASELINES)) for k, name in enumerate(names)]
    colours = ("black",) if len(things) == 1 else COLOURS
    height = ROW / len(things)
    for k, colour in enumerate(colours[: len(things)]):
        dark = shade("predicted", colour)
        for name, row in zip(names, rows, strict=True):
            at = row + height * ((len(things) - 1) / 2 - k)
            if len(trained):
                ax.plot([trained[k]] * 2, [at - height / 2, at + height / 2], **look("trained", colour))
            style = {"color": dark, "elinewidth": 1.0, "capsize": 2.5, "zorder": 3, **_marker(name in theories, dark)}
            ax.errorbar(numbers[name][k], at, xerr=(errors or {}).get(name), **style)
    if limit is not None:
        ax.plot([limit] * 2, [rows[-1] - 0.5, 0.5], color="grey", linewidth=0.8, linestyle=":", zorder=1)
    kinds = [ax.plot([], [], label="trained", **look("trained"))[0]] if len(trained) else []
    for label in ("theory", "baseline"):
        kinds += ax.plot([], [], linestyle="", color="black", label=label, **_marker(label == "theory", "black"))
    named = [ax.plot([], [], label=t, **look("predicted", c))[0] for t, c in zip(things, colours, strict=False) if t]
    lines = max(len(kinds), len(named)) if named else 1
    if named:  # a column of the legend for kinds of numbers, and one for things
        blank = ax.plot([], [], linestyle="", label=" ")
        kinds, named = (column + blank * (lines - len(column)) for column in (kinds, named))
    ax.set_yticks(rows, names)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(rows[-1] - 0.8 - 0.65 * lines, 0.6)  # below the rows is room for the legend
    ax.legend(
        handles=[*kinds, *named], loc="lower center", ncols=2, fontsize=7, handlelength=1.3, handletextpad=0.5,
        columnspacing=1.0, borderpad=0.2, labelspacing=0.3,
    )  # fmt: skip


def _marker(theory: bool, colour: str | tuple[float, float, float]) -> dict[str, Any]:
    """Theories and baselines have different shapes and fillings."""
    return {"marker": "o" if theory else "s", "markersize": 4.5, "markerfacecolor": colour if theory else "white"}
