"""What a predicted structure is compared with: the same baselines, named alike, in every experiment on structure."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import scipy

from festina import FeedForward, Reduced, Task, Train, Trajectory, evolve
from festina.analysis import squared_distances
from festina.core import Method
from festina.papers._claim import Baseline, Chosen
from festina.plot import COLOURS, look, shade
from festina.representation import Effective, Lazy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

C = TypeVar("C")

JOINT, PAIRS = "joint theory", "pairs alone"
INPUTS, CLASSES, LINEAR, LAZY = "input distance", "class identity", "linear network", "lazy limit"
BASELINES = (INPUTS, CLASSES, LINEAR, LAZY)
"""What a theory of structure has to beat: the inputs, the targets, no nonlinearity, and a fixed tangent kernel."""

ROW = 0.7
"""Height of what is drawn in a row, in units of the distance between rows."""


def rivals(
    network: FeedForward, task: Task, end: float, rate: float, seeds: int, seed: int = 0, *, observe: str
) -> dict[str, Trajectory]:
    """What a network ends with by the joint theory of all points, and by two theories that it has to beat.

    ``joint theory`` and ``lazy limit`` take their rates from the network's own tangent kernels; ``linear network`` is
    the same network without its nonlinearity, trained at the same rate (in its lazy limit where that diverges).
    """

    def run(network: FeedForward, method: Method) -> Trajectory:
        return evolve(network, task, [0.0, end], seed=seed, seeds=seeds, method=method, observe=(observe,))

    same = replace(network, activation="linear")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "training diverged")
        linear = run(same, Train(rate, precision="single"))
    # weights so large that the rate is too large for the linear network: it then is in the lazy limit
    finite = all(np.isfinite(part).all() for part in linear[observe])  # of every seed, or of every layer
    return {
        JOINT: run(network, Reduced(Effective())),
        LAZY: run(network, Reduced(Lazy())),
        LINEAR: linear if finite else run(same, Reduced(Lazy())),
    }


def predict_structure(
    network: FeedForward, task: Task, end: float, rate: float, seeds: int, seed: int = 0
) -> dict[str, np.ndarray]:
    """Final squared distances (trials, points, points) by the joint theory, and by what it has to beat.

    ``input distance`` and ``class identity`` (the distance of the targets) know nothing of the network; the others are
    those of ``rivals``.
    """
    found = rivals(network, task, end, rate, seeds, seed, observe="distances")
    return {
        **{
            name: np.array([scipy.spatial.distance.squareform(pairs) for pairs in run["distances"][:, -1, 0]])
            for name, run in found.items()
        },
        INPUTS: np.repeat(squared_distances(task.x)[None], seeds, axis=0),
        CLASSES: np.repeat(squared_distances(task.y)[None], seeds, axis=0),
    }


def best(
    score: Callable[[C, str], float], *, smallest: bool = False, name: str = "best of the baselines"
) -> Baseline[C]:
    """The baseline whose score is the largest, or the smallest where the score is an error.

    Args:
        score: from the curves and the name of a baseline to its number; NaN where there is none.
        smallest: whether small scores are good.
        name: what the number is.
    """
    return Baseline(name, lambda curves: _choose(curves, score, lambda value: value if smallest else -value))


def nearest(number: Callable[[C, str], float], trained: Callable[[C], float]) -> Baseline[C]:
    """The baseline whose number comes nearest to that of trained networks."""

    def measure(curves: C) -> Chosen:
        goal = trained(curves)
        return _choose(curves, number, lambda value: abs(value - goal))

    return Baseline("nearest of the baselines", measure)


def _choose(curves: C, number: Callable[[C, str], float], cost: Callable[[float], float]) -> Chosen:
    found = {name: float(number(curves, name)) for name in BASELINES}
    costs = {name: cost(value) for name, value in found.items() if np.isfinite(value)}
    if not costs:
        return Chosen("", float("nan"))
    least = min(costs, key=lambda name: costs[name])
    equal = [name for name, value in found.items() if name in costs and np.isclose(value, found[least], 1e-9, 1e-12)]
    return Chosen(" and ".join(equal), found[least])


def compare(
    ax: Axes,
    predicted: Mapping[str, Sequence[float] | np.ndarray],
    *,
    errors: Mapping[str, float] | None = None,
    trained: Sequence[float] | np.ndarray = (),
    things: Sequence[str] = ("",),
    limit: float | None = None,
) -> None:
    """A row per predictor: theories as filled dots, baselines as open squares, trained networks as pale bands.

    Args:
        ax: where to draw.
        predicted: by name, a number for each thing.
        errors: standard errors of the numbers, by name.
        trained: the number of trained networks for each thing.
        things: what the numbers are of, each in a colour and at a height of its own; one thing is black.
        limit: a number that parts two answers, drawn as a dotted line.
    """
    theories = [name for name in predicted if name not in BASELINES]
    names = [*theories, *(name for name in BASELINES if name in predicted)]
    rows = [-(k + 0.4 * (name in BASELINES)) for k, name in enumerate(names)]
    colours = ("black",) if len(things) == 1 else COLOURS
    height = ROW / len(things)
    for k, colour in enumerate(colours[: len(things)]):
        dark = shade("predicted", colour)
        for name, row in zip(names, rows, strict=True):
            at = row + height * ((len(things) - 1) / 2 - k)
            if len(trained):
                ax.plot([trained[k]] * 2, [at - height / 2, at + height / 2], **look("trained", colour))
            ax.errorbar(
                predicted[name][k], at, xerr=(errors or {}).get(name), color=dark, elinewidth=1.0, capsize=2.5,
                zorder=3, **_marker(name in theories, dark),
            )  # fmt: skip
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
    """Theories and baselines are told apart by shape and by filling."""
    return {"marker": "o" if theory else "s", "markersize": 4.5, "markerfacecolor": colour if theory else "white"}
