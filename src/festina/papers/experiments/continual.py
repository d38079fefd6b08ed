"""How much of an old task does a network forget while it learns a new one?

Exactly as much as the targets of the tasks differ: going from task j to task k the loss of task i rises by
½‖Σi − Σk‖² − ½‖Σi − Σj‖², whatever the initial weights and λ. The exact dynamics through four tasks end where this
formula says, at every λ. Networks with tanh and ReLU units that have learned the same tasks forget the same on the data
they were trained on: there it follows from having learned. On inputs that they have not seen it holds as far as they
generalise.

Source: saxe_lecture "Exact continual learning dynamics"; braun2022 (continual learning); domine2025
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import Worst
from festina.papers.experiments._dense import Dense, Given
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACTIVATIONS = {"tanh": np.tanh, "relu": lambda h: np.maximum(h, 0)}
UNITS = tuple(ACTIVATIONS)


@dataclass(frozen=True)
class Settings:
    """Tasks and networks."""

    tasks: int = setting(4, "number of tasks", least=1)
    inputs: int = setting(5, "inputs, white", least=1)
    outputs: int = setting(5, "outputs", least=1)
    items: int = setting(40, "data points of each task, the same inputs for all", least=1)
    fresh: int = setting(200, "further inputs, white too, that no network is trained on", least=1)
    lambdas: tuple[float, ...] = setting((0.01, 1.0, -1.0), "imbalances of the linear network")
    scale: float = setting(0.1, "root-mean-square strength of the initial map", above=0)
    span: float = setting(20.0, "length of training on each task", "flow time", above=0)
    hidden: int = setting(100, "hidden units of the tanh and ReLU networks", least=1)
    steps: int = setting(20_000, "gradient-descent steps on each task, of the tanh and ReLU networks", least=1)
    rate: float = setting(0.05, "their step size", above=0)
    seeds: int = setting(5, "networks of each kind", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(steps=3_000, seeds=2)
layout = (1, 3)
caption = (
    "How much of an old task is forgotten follows from the targets of the tasks alone. (a) Loss of every "
    "task while four tasks are learned in turn: gradient descent (thick, pale), exact solution (thin, dark). (b) "
    "Predicted rise of every loss at every change of task. (c) What is forgotten beyond the prediction, of at "
    "most five: exact linear dynamics, tanh and ReLU networks on trained and on new inputs."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Predicted forgetting, that of exact dynamics (λ), of gradient descent, and of tanh and ReLU networks (seeds)."""

    settings: Settings
    predicted: np.ndarray
    exact: np.ndarray
    trained: np.ndarray
    nonlinear: dict[str, np.ndarray]
    unseen: dict[str, np.ndarray]
    left: dict[str, float]
    course: fs.Trajectory
    training: fs.Trajectory


def _tasks(settings: Settings, items: int, seed: int) -> list[fs.Task]:
    """The same Gaussian linear maps, on white inputs that the seed draws."""
    rng = np.random.default_rng(0)
    maps = rng.standard_normal((settings.tasks, settings.outputs, settings.inputs)) / np.sqrt(settings.inputs)
    inputs = np.random.default_rng([seed, items]).standard_normal((items, settings.inputs))
    x = fs.Task(inputs, np.zeros((items, 1))).whitened().x
    return [fs.Task(x, x @ w.T, name=f"task {k + 1}") for k, w in enumerate(maps)]


def _nonlinear(
    settings: Settings, tasks: list[fs.Task], fresh: list[fs.Task], unit: str
) -> tuple[np.ndarray, np.ndarray, float]:
    """Forgetting on trained and on fresh inputs, (seeds, …), and the largest share of a task's loss left after it."""
    s = settings

    def draw(seed: int) -> tuple[np.ndarray, ...]:
        rng = np.random.default_rng(seed)
        first = rng.standard_normal((s.hidden, s.inputs)) / np.sqrt(s.inputs)
        return first, rng.standard_normal((s.outputs, s.hidden)) / np.sqrt(s.hidden)

    run = fs.evolve(
        Given(Dense(unit), draw), fs.sequence(tasks), [s.steps * s.rate], observe=("weights",), seed=s.seed,
        seeds=s.seeds, method=fs.Train(rate=s.rate, precision="single"),
    )  # fmt: skip
    hidden = np.einsum("ni,stji->stnj", fresh[0].x, run.weights[0])
    outputs = np.einsum("stnj,stkj->stnk", ACTIVATIONS[unit](hidden), run.weights[1])
    others = np.stack([0.5 * ((task.y - outputs) ** 2).sum(axis=(2, 3)) / len(task.x) for task in fresh], axis=2)
    after = run.after[:, 1:]
    left = max(after[:, k, k].max() / (0.5 * task.statistics.power) for k, task in enumerate(tasks))
    return run.forgetting[:, 1:], np.diff(others, axis=1), float(left)


def compute(settings: Settings) -> Curves:
    """Formula, exact dynamics, gradient descent, and nonlinear networks on the same tasks."""
    s, tasks, fresh = settings, _tasks(settings, settings.items, 1), _tasks(settings, settings.fresh, 2)
    course = fs.sequence(tasks)
    hidden = min(s.inputs, s.outputs)
    networks = [fs.DeepLinear(hidden=(hidden,), initial=fs.initial.Balanced(s.scale, lambda_=v)) for v in s.lambdas]
    times = np.linspace(0, s.span, 101)
    exact = np.array([fs.evolve(network, course, None).forgetting[1:] for network in networks])
    first = fs.evolve(networks[0], course, times)
    train = fs.Train(rate=0.01)
    training = fs.evolve(networks[0], course, times, method=train, seed=s.seed, seeds=s.seeds)
    nonlinear, unseen, left = {}, {}, {}
    for unit in track(UNITS, "tanh and ReLU networks"):
        nonlinear[unit], unseen[unit], left[unit] = _nonlinear(s, tasks, fresh, unit)
    trained = training.forgetting[:, 1:]
    return Curves(s, fs.sequence(tasks).predict_forgetting(), exact, trained, nonlinear, unseen, left, first, training)


def _error(found: np.ndarray, predicted: np.ndarray) -> float:
    """Largest difference from the prediction, relative to the largest prediction."""
    return float(np.abs(found - predicted).max() / np.abs(predicted).max())


def _worst(curves: Curves, unit: str) -> float:
    return _error(curves.nonlinear[unit], curves.predicted)


def values(curves: Curves) -> dict[str, Any]:
    """Relative errors of the predicted forgetting, and the matrices."""
    return {
        "forgetting_error": {
            "exact": _error(curves.exact, curves.predicted),
            "trained linear": _error(curves.trained, curves.predicted),
            **{unit: _worst(curves, unit) for unit in UNITS},
        },
        "forgetting_error_unseen": {unit: _error(curves.unseen[unit], curves.predicted) for unit in UNITS},
        "predicted": curves.predicted,
        "left": curves.left,
    }


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Losses of all tasks over the course; predicted forgetting; networks against the prediction."""
    from festina.plot import COLOURS, look

    course, training = curves.course, curves.training
    for k in range(curves.settings.tasks):
        axes[0].plot(training.times, training["losses"][0, :, k], label=f"{k + 1}", **look("trained", COLOURS[k]))
        axes[0].plot(course.times, course["losses"][:, k], **look("predicted", COLOURS[k]))
    for boundary in np.flatnonzero(np.diff(course.segment)):
        axes[0].axvline(course.times[boundary], color="0.8", lw=0.8, zorder=0)
    axes[0].set_xlabel("time (flow time)")
    axes[0].set_ylabel("loss")
    axes[0].set_ylim(0, 1.35 * axes[0].get_ylim()[1])
    axes[0].legend(title="task", ncols=4, loc="upper center")
    axes[0].set_title(f"Loss of each task, λ = {curves.settings.lambdas[0]:g}")
    top = np.abs(curves.predicted).max()
    image = axes[1].imshow(curves.predicted, cmap="RdBu_r", vmin=-top, vmax=top)
    count = curves.settings.tasks
    axes[1].set_xticks(range(count), [f"{k + 1}" for k in range(count)])
    axes[1].set_yticks(range(count - 1), [f"{k + 1} → {k + 2}" for k in range(count - 1)])
    axes[1].set_xlabel("task")
    axes[1].set_ylabel("from task to task")
    axes[1].figure.colorbar(image, ax=axes[1], label="predicted rise of the loss", shrink=0.8)
    axes[1].set_title("Forgetting, from the targets alone")
    # differences are far smaller than the forgetting, so that they alone are drawn
    rise = curves.predicted.ravel()
    axes[2].axhline(0, label="predicted", **look("predicted"))
    axes[2].plot(rise, curves.exact[0].ravel() - rise, "k+", ms=7, label="linear, exact")
    for unit, marker, colour in zip(UNITS, ("o", "s"), COLOURS, strict=False):
        label = {"relu": "ReLU"}.get(unit, unit)
        known, new = (part[unit].mean(axis=0).ravel() - rise for part in (curves.nonlinear, curves.unseen))
        axes[2].plot(rise, known, marker, ms=6, mfc="none", color=colour, label=label)
        axes[2].plot(rise, new, marker, ms=3, color=colour, label=f"{label}, new inputs")
    top = max(abs(end) for end in axes[2].get_ylim())
    axes[2].set_ylim(-top, 2.2 * top)
    axes[2].set_xlabel("predicted forgetting")
    axes[2].set_ylabel("measured − predicted forgetting")
    axes[2].legend(loc="upper left", fontsize=7, ncols=2)
    axes[2].set_title("What networks forget beyond it")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "exact",
        "The exact dynamics of a linear network forget as much as the targets of the tasks predict, at every λ "
        "(largest relative error).",
        lambda curves: _error(curves.exact, curves.predicted),
        1e-9,
        source="braun2022 (forgetting)",
        reason="rounding, amplified by four tasks",
    ),
    Claim(
        "trained",
        "A linear network trained by gradient descent forgets as much as the targets of the tasks predict (largest "
        "relative error, over networks).",
        lambda curves: Worst(_error(curves.trained, curves.predicted), len(curves.trained)),
        0.02,
        source="braun2022 (forgetting)",
        reason="2 %: each task is trained for a finite time",
    ),
    Claim(
        "tanh",
        "A tanh network that has learned every task forgets on the trained inputs as much as their targets predict "
        "(largest relative error).",
        lambda curves: Worst(_worst(curves, "tanh"), curves.settings.seeds),
        0.1,
        kind="identity",
        source="braun2022 (forgetting)",
        reason="follows from zero training loss; the bound is what is left of it",
    ),
    Claim(
        "relu",
        "A ReLU network that has learned every task forgets on the trained inputs as much as their targets predict "
        "(largest relative error).",
        lambda curves: Worst(_worst(curves, "relu"), curves.settings.seeds),
        0.1,
        kind="identity",
        source="braun2022 (forgetting)",
        reason="follows from zero training loss; the bound is what is left of it",
    ),
    Claim(
        "unseen",
        "Tanh and ReLU networks forget on inputs that they were not trained on as much as the targets predict "
        "(largest relative error over both kinds of network and all starts).",
        lambda curves: Worst(
            max(_error(curves.unseen[unit], curves.predicted) for unit in UNITS), curves.settings.seeds
        ),
        0.2,
        kind="extension",
        source="our question, on braun2022 (forgetting)",
        reason="20 %: networks generalise imperfectly from 40 data points",
    ),
)
