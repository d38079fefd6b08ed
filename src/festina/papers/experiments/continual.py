"""How much of an old task does a network forget while it learns a new one?

Exactly as much as the targets of the tasks differ. From task j to task k the loss of task i rises by ½‖Σi − Σk‖² − ½‖Σi
− Σj‖², whatever the initial weights and λ. The exact dynamics through four tasks end where this formula says, at every
λ. Networks with tanh and ReLU units that have learned the same tasks forget the same on the data they were trained on:
there it follows from having learned. On inputs that they have not seen it holds as far as they generalise.

Source: saxe_lecture "Exact continual learning dynamics"; braun2022 (continual learning); domine2025
"""

from functools import partial

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.dense import Dense, Given
from festina.plot import COLOURS, look
from festina.runtime import track

ACTIVATIONS = {"tanh": np.tanh, "relu": lambda h: np.maximum(h, 0)}


class Settings(papers.Settings):
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


quick = Settings(steps=3_000, seeds=2)
caption = (
    "How much of an old task is forgotten follows from the targets of the tasks alone. (a) Loss of every "
    "task while four tasks are learned in turn: gradient descent (thick, pale), exact solution (thin, dark). (b) "
    "Predicted rise of every loss at every change of task. (c) What is forgotten beyond the prediction, of at "
    "most five: exact linear dynamics, tanh and ReLU networks on trained and on new inputs."
)


def _tasks(s: Settings, items: int, seed: int) -> list[fs.Task]:
    """The same Gaussian linear maps, on white inputs that the seed draws."""
    maps = np.random.default_rng(0).standard_normal((s.tasks, s.outputs, s.inputs)) / np.sqrt(s.inputs)
    inputs = np.random.default_rng([seed, items]).standard_normal((items, s.inputs))
    x = fs.Task(inputs, np.zeros((items, 1))).whitened().x
    return [fs.Task(x, x @ w.T, name=f"task {k + 1}") for k, w in enumerate(maps)]


def compute(settings: Settings) -> papers.Results:
    """Formula, exact dynamics, gradient descent, and nonlinear networks on the same tasks."""
    c, s, evolve = papers.Results(settings), settings, partial(fs.evolve, seed=settings.seed, seeds=settings.seeds)
    tasks, fresh = _tasks(s, s.items, 1), _tasks(s, s.fresh, 2)
    course, hidden, times = fs.sequence(tasks), min(s.inputs, s.outputs), np.linspace(0, s.span, 101)
    networks = [fs.DeepLinear((hidden,), initial=fs.initial.Balanced(s.scale, lambda_=v)) for v in s.lambdas]
    c.predicted = course.predict_forgetting()
    c.exact = np.array([fs.evolve(network, course, None).forgetting[1:] for network in networks])
    c.course = fs.evolve(networks[0], course, times)
    c.training = evolve(networks[0], course, times, method=fs.Train(rate=0.01))

    def draw(seed: int) -> tuple[np.ndarray, ...]:
        rng = np.random.default_rng(seed)
        first = rng.standard_normal((s.hidden, s.inputs)) / np.sqrt(s.inputs)
        return first, rng.standard_normal((s.outputs, s.hidden)) / np.sqrt(s.hidden)

    c.known, c.unseen, c.left = {}, {}, {}
    train = fs.Train(rate=s.rate, precision="single")
    for unit, activation in track([*ACTIVATIONS.items()], "tanh and ReLU networks"):
        network = Given(Dense(unit), draw)
        run = evolve(network, course, [s.steps * s.rate], method=train, observe=("weights",))
        hidden = np.einsum("ni,stji->stnj", fresh[0].x, run.weights[0])
        outputs = np.einsum("stnj,stkj->stnk", activation(hidden), run.weights[1])
        losses = np.stack([0.5 * ((task.y - outputs) ** 2).sum(axis=(2, 3)) / s.fresh for task in fresh], axis=2)
        c.known[unit], c.unseen[unit] = run.forgetting[:, 1:], np.diff(losses, axis=1)
        after = run.after[:, 1:]  # the largest share of a task's loss that is left after it
        c.left[unit] = max(after[:, k, k].max() / (0.5 * task.statistics.power) for k, task in enumerate(tasks))
    return c


TOP = {"title": "task", "ncols": 4, "loc": "upper center"}
SMALL = {"loc": "upper left", "fontsize": 7, "ncols": 2}


@papers.panel(lambda c: f"Loss of each task, λ = {c.settings.lambdas[0]:g}", "time (flow time)", "loss", legend=TOP)
def _losses(c, ax):
    for k in range(c.settings.tasks):
        trained, exact = (c.training.times, c.training["losses"][0, :, k]), (c.course.times, c.course["losses"][:, k])
        papers.curve_pair(ax, trained, exact, label=f"{k + 1}", colour=COLOURS[k])
    for boundary in np.flatnonzero(np.diff(c.course.segment)):
        ax.axvline(c.course.times[boundary], color="0.8", lw=0.8, zorder=0)
    ax.set_ylim(0, 1.35 * ax.get_ylim()[1])


@papers.panel("Forgetting, from the targets alone", "task", "from task to task")
def _predicted(c, ax):
    top, columns = np.abs(c.predicted).max(), range(1, c.settings.tasks + 1)
    rows = [f"{k} → {k + 1}" for k in columns[:-1]]
    signed = {"cmap": fs.plot.SIGNS, "vmin": -top, "vmax": top, "origin": "upper", "aspect": "equal"}
    papers.heat_map(ax, c.predicted, rows, columns, label="predicted rise of the loss", **signed)


@papers.panel("What networks forget beyond it", "predicted forgetting", "measured − predicted forgetting", legend=SMALL)
def _beyond(c, ax):
    rise = c.predicted.ravel()  # differences are far smaller than the forgetting: they alone are drawn
    ax.axhline(0, label="predicted", **look("predicted"))
    ax.plot(rise, c.exact[0].ravel() - rise, "k+", ms=7, label="linear, exact")
    for unit, label, marker, colour in zip(ACTIVATIONS, ("tanh", "ReLU"), "os", COLOURS, strict=False):
        known, new = (part[unit].mean(axis=0).ravel() - rise for part in (c.known, c.unseen))
        ax.plot(rise, known, marker, ms=6, mfc="none", color=colour, label=label)
        ax.plot(rise, new, marker, ms=3, color=colour, label=f"{label}, new inputs")
    top = max(abs(end) for end in ax.get_ylim())
    ax.set_ylim(-top, 2.2 * top)


def _error(c, *found):
    """Largest difference from the prediction, relative to the largest prediction."""
    return float(max(np.abs(each - c.predicted).max() for each in found) / np.abs(c.predicted).max())


SOURCE = "braun2022 (forgetting)"
LEARNED = "follows from zero training loss; the bound is what is left of it"


@papers.claim(SOURCE, at_most=1e-9, because="rounding, amplified by {s.tasks:word} tasks")
def exact(c):
    """The exact dynamics of a linear network forget as much as predicted from the targets of the tasks, at every λ
    (largest relative error)."""
    return _error(c, c.exact)


@papers.claim(SOURCE, at_most=0.02, because="2 %: each task is trained for a finite time")
def trained(c):
    """A linear network trained by gradient descent forgets as much as predicted from the targets of the tasks (largest
    relative error, over networks)."""
    return papers.Worst(_error(c, c.training.forgetting[:, 1:]), c.settings.seeds)


@papers.claim(SOURCE, kind="identity", at_most=0.1, because=LEARNED)
def tanh(c):
    """A tanh network that has learned every task forgets on the trained inputs as much as predicted from the targets
    (largest relative error)."""
    return papers.Worst(_error(c, c.known["tanh"]), c.settings.seeds)


@papers.claim(SOURCE, kind="identity", at_most=0.1, because=LEARNED)
def relu(c):
    """A ReLU network that has learned every task forgets on the trained inputs as much as predicted from the targets
    (largest relative error)."""
    return papers.Worst(_error(c, c.known["relu"]), c.settings.seeds)


@papers.extension(
    "our question, on braun2022 (forgetting)",
    at_most=0.2,
    because="20 %: networks generalise imperfectly from {s.items} data points",
)
def unseen(c):
    """Tanh and ReLU networks forget on new inputs as much as predicted from the targets (largest relative error over
    both kinds of network and all starts)."""
    return papers.Worst(_error(c, *c.unseen.values()), c.settings.seeds)
