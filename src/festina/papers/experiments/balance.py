"""How does the shape of a learning curve change as one layer starts stronger than the other?

From sigmoidal to exponential. With balanced layers (λ = 0) a small start lingers and then learns in a sweep. With
larger |λ| the loss falls fastest earlier, and at |λ| ≫ s it falls exponentially at rate 2|λ| from the first moment. The
exact solution follows gradient descent at every λ, in square, narrowing and widening networks, without free parameters.
This includes a balanced square network that starts with the wrong sign of its determinant and stops on a saddle.

Source: saxe_lecture "From exponential to sigmoidal dynamics"; domine2025 (exact dynamics); braun2022
"""

from functools import partial

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, name_kinds
from festina.runtime import track

NAMES = ("square", "narrowing", "widening")
SIGNS = (1, 1, -1)  # sign of λ with an exponential limit: the wide side must not be the strong one
Shape = tuple[int, int, int]  # inputs, hidden units and outputs of a network


class Settings(papers.Settings):
    shapes: tuple[Shape, Shape, Shape] = setting(
        ((6, 6, 6), (8, 4, 4), (4, 4, 8)),
        "inputs, hidden units and outputs of the square, the narrowing and the widening network",
        least=1,
    )
    lambdas: tuple[float, ...] = setting(
        (0.0, 0.1, 1.0, 10.0), "imbalances λ; the sign is the one at which the shape has an exponential limit", least=0
    )
    strength: float = setting(1.0, "singular values of the task lie between this and half of it", above=0)
    scale: float = setting(0.01, "root-mean-square strength of the initial map", above=0)
    rate: float = setting(0.005, "step of gradient descent, over 1 + |λ|", above=0)
    seeds: int = setting(3, "networks per shape and λ", least=1)


quick = Settings(rate=0.01, seeds=1)
caption = (
    "The balance λ between the layers turns a learning curve from sigmoidal to exponential, and the exact "
    "solution follows gradient descent throughout. (a–c) Loss over logarithmic time for a square, a "
    "narrowing and a widening network for several λ: gradient descent (thick, pale) and exact solution (thin, dark)."
)


def compute(settings: Settings) -> papers.Results:
    """Exact solution and gradient descent from the same weights."""
    c, s, evolve = papers.Results(settings), settings, partial(fs.evolve, seed=settings.seed, seeds=settings.seeds)
    c.errors, c.steepest, c.rates = np.zeros((3, len(NAMES), len(s.lambdas), s.seeds))
    c.theory, c.training = {}, {}
    for i, j in track([*np.ndindex(c.errors.shape[:2])], "shapes and λ"):
        (inputs, hidden, outputs), size = s.shapes[i], s.lambdas[j]
        strengths = np.linspace(s.strength, s.strength / 2, min(inputs, outputs))
        task = fs.tasks.teacher(inputs, outputs, strengths=strengths)
        network = fs.DeepLinear((hidden,), initial=fs.initial.Balanced(s.scale, lambda_=SIGNS[i] * size))
        # long enough for the weakest mode from the smallest start: ln(s/scale)/s at λ = 0, 1/|λ| for large λ
        slowest = np.hypot(s.strength / 2, size / 2)
        times = np.linspace(0, 1.5 * np.log(s.strength / s.scale) / slowest, 400)
        trained = evolve(network, task, times, method=fs.Train(rate=s.rate / (1 + size)))
        exact = evolve(network, task, trained.times)
        c.errors[i, j] = fs.compare(exact, trained).areas
        c.steepest[i, j] = [_steepest(exact.times, loss) for loss in exact.loss]
        c.rates[i, j] = [_rate(exact.times, loss) for loss in exact.loss]
        c.theory[i, j], c.training[i, j] = exact, trained
    return c


def _steepest(times: np.ndarray, loss: np.ndarray) -> float:
    """When the loss falls fastest, as a share of the time at which half of it is gone."""
    return times[np.argmin(np.gradient(loss, times))] / times[np.argmax(loss <= (loss[0] + loss[-1]) / 2)]


def _rate(times: np.ndarray, loss: np.ndarray) -> float:
    """Rate at which the loss falls over its first e-folding."""
    inside = loss > np.exp(-1) * loss[0]
    return -np.polyfit(times[inside], np.log(loss[inside]), 1)[0]


def _title(c, i):
    return "{}: {} inputs, {} hidden, {} outputs".format(NAMES[i].capitalize(), *c.settings.shapes[i])


@papers.panel(_title, "time (flow time)", legend="lower left", xscale="log")
def _loss(c, ax, i):
    for j, (colour, size) in enumerate(zip(COLOURS, c.settings.lambdas, strict=False)):
        runs = c.training[i, j], c.theory[i, j]
        curves = [(run.times[1:], run.loss[0, 1:] / run.loss[0, 0]) for run in runs]
        papers.curve_pair(ax, *curves, label=f"λ = {SIGNS[i] * size if size else 0:g}", colour=colour)
    if i == 0:
        name_kinds(ax)
        ax.set_ylabel("loss, relative to the start")


panels = tuple(_loss.of(i) for i in range(len(NAMES)))
EXACT = "domine2025 (exact dynamics)"
LECTURE = "saxe_lecture From exponential to sigmoidal dynamics"


@papers.claim(EXACT, at_most=0.02, because="2 %, ten times the first-order error of the step")
def _agreement(c):
    """Gradient descent follows the exact solution for λ-balanced weights at every λ, in square, narrowing and widening
    networks (largest area between loss curves over λ, shapes and starts)."""
    return papers.Worst(float(c.errors.max()), c.settings.seeds)


@papers.claim(LECTURE, at_least=0.5, because="half of the half-time; an exponential has 0, a symmetric sigmoid 1")
def _sigmoidal(c):
    """With balanced layers (λ = 0) the loss falls fastest in the middle of learning (time of the steepest fall over the
    half-time, mean over starts, smallest over shapes)."""
    return papers.resampled(lambda found: found.mean(axis=0).min(), c.steepest[:, 0].T)


@papers.claim(LECTURE, at_most=0.1, because="a tenth of the half-time; an exponential has 0")
def _exponential(c):
    """With strongly unbalanced layers (the largest λ) the loss falls fastest at the start (time of the steepest fall
    over the half-time, largest over shapes and starts)."""
    return papers.Worst(float(c.steepest[:, -1].max()), c.settings.seeds)


@papers.claim(EXACT, at_most=0.05, because="5 %: corrections are of order s²/λ², which is 1 % here")
def rate(c):
    """With strongly unbalanced layers the loss falls at the rate 2|λ| (relative deviation, mean over starts, largest
    over shapes)."""
    off = np.abs(c.rates[:, -1].T / (2 * max(c.settings.lambdas)) - 1)
    return papers.resampled(lambda off: off.mean(axis=0).max(), off)
