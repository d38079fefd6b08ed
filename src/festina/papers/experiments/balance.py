"""How does the shape of a learning curve change as one layer starts stronger than the other?

From sigmoidal to exponential. With balanced layers (λ = 0) a small start lingers and then learns in a sweep; the larger
|λ|, the earlier the loss falls fastest, until at |λ| ≫ s it falls exponentially at rate 2|λ| from the first moment. The
exact solution follows gradient descent at every λ, in square, narrowing and widening networks, without free parameters:
also where a balanced square network starts with the wrong sign of its determinant and stops on a saddle.

Source: saxe_lecture "From exponential to sigmoidal dynamics"; domine2025 (exact dynamics); braun2022
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, resampled
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = ("square", "narrowing", "widening")

Shape = tuple[int, int, int]
"""Inputs, hidden units and outputs of a network."""


@dataclass(frozen=True)
class Settings:
    """Shapes, starts and tasks."""

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
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(rate=0.01, seeds=1)
layout = (1, 3)
caption = (
    "The balance λ between the layers turns a learning curve from sigmoidal to exponential, and the exact "
    "solution follows gradient descent throughout. (a–c) Loss over logarithmic time for a square, a "
    "narrowing and a widening network for several λ: gradient descent (thick, pale) and exact solution (thin, dark)."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Per shape and λ: theory and training of the first seed; of all seeds, (shapes, λ, seeds), the rest."""

    settings: Settings
    theory: dict[tuple[str, float], fs.Trajectory]
    training: dict[tuple[str, float], fs.Trajectory]
    errors: np.ndarray
    steepest: np.ndarray
    rates: np.ndarray


def _sign(name: str) -> int:
    """Sign of λ with an exponential limit: the wide side must not be the strong one."""
    return -1 if name == "widening" else 1


def _steepest(trajectory: fs.Trajectory) -> float:
    """When the loss falls fastest, as a share of the time at which half of it is gone."""
    loss, times = trajectory.loss, trajectory.times
    half = times[np.argmax(loss <= (loss[0] + loss[-1]) / 2)]
    return float(times[np.argmin(np.gradient(loss, times))] / half)


def _rate(trajectory: fs.Trajectory) -> float:
    """Rate at which the loss falls over its first e-folding."""
    loss, times = trajectory.loss, trajectory.times
    inside = loss > np.exp(-1) * loss[0]
    return float(-np.polyfit(times[inside], np.log(loss[inside]), 1)[0])


def compute(settings: Settings) -> Curves:
    """Exact solution and gradient descent from the same weights."""
    s = settings
    theory, training = {}, {}
    errors, steepest, rates = (np.zeros((len(NAMES), len(s.lambdas), s.seeds)) for _ in range(3))
    runs = [(i, j) for i in range(len(NAMES)) for j in range(len(s.lambdas))]
    for i, j in track(runs, "shapes and λ"):
        (inputs, hidden, outputs), size = s.shapes[i], s.lambdas[j]
        rank = min(inputs, outputs)
        task = fs.tasks.teacher(inputs, outputs, strengths=np.linspace(s.strength, s.strength / 2, rank))
        initial = fs.initial.Balanced(s.scale, lambda_=_sign(NAMES[i]) * size)
        network = fs.DeepLinear(hidden=(hidden,), initial=initial)
        # long enough for the weakest mode from the smallest start: ln(s/scale)/s at λ = 0, 1/|λ| for large λ
        slowest = np.hypot(s.strength / 2, size / 2)
        times = np.linspace(0, 1.5 * np.log(s.strength / s.scale) / slowest, 400)
        for k in range(s.seeds):
            seed = s.seed + k
            trained = fs.evolve(network, task, times, seed=seed, method=fs.Train(rate=s.rate / (1 + size)))
            exact = fs.evolve(network, task, trained.times, seed=seed)
            errors[i, j, k] = fs.compare(exact, trained).area
            steepest[i, j, k], rates[i, j, k] = _steepest(exact), _rate(exact)
            if seed == s.seed:
                theory[NAMES[i], size], training[NAMES[i], size] = exact, trained
    return Curves(s, theory, training, errors, steepest, rates)


def values(curves: Curves) -> dict[str, Any]:
    """Largest area between theory and training, and the numbers behind the claims."""
    return {
        "worst_error": curves.errors.max(),
        "errors": dict(zip(NAMES, curves.errors.max(axis=-1), strict=True)),
        "lambdas": curves.settings.lambdas,
        "steepest": dict(zip(NAMES, curves.steepest.mean(axis=-1), strict=True)),
        "rates": dict(zip(NAMES, curves.rates.mean(axis=-1), strict=True)),
    }


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Loss over logarithmic time: gradient descent, and over it the exact solution."""
    from festina.plot import COLOURS, look, name_kinds

    for i, (ax, name) in enumerate(zip(axes, NAMES, strict=True)):
        for colour, size in zip(COLOURS, curves.settings.lambdas, strict=False):
            exact, trained = curves.theory[name, size], curves.training[name, size]
            label = f"λ = {_sign(name) * size if size else 0:g}"
            ax.plot(trained.times[1:], trained.loss[1:] / trained.loss[0], label=label, **look("trained", colour))
            ax.plot(exact.times[1:], exact.loss[1:] / exact.loss[0], **look("predicted", colour))
        ax.set_xscale("log")
        ax.set_xlabel("time (flow time)")
        ax.set_title("{}: {} inputs, {} hidden, {} outputs".format(name.capitalize(), *curves.settings.shapes[i]))
        if i == 0:
            name_kinds(ax)
        ax.legend(loc="lower left")
    axes[0].set_ylabel("loss, relative to the start")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "agreement",
        "The exact solution for λ-balanced weights is what gradient descent does, at every λ and in square, "
        "narrowing and widening networks (largest area between loss curves over λ, shapes and starts).",
        lambda curves: Worst(float(curves.errors.max()), curves.settings.seeds),
        0.02,
        source="domine2025 (exact dynamics)",
        reason="2 %, ten times the first-order error of the step",
    ),
    Claim(
        "sigmoidal",
        "With balanced layers (λ = 0) the loss falls fastest in the middle of learning (time of the steepest "
        "fall over the half-time, mean over starts, smallest over shapes).",
        lambda curves: resampled(lambda found: found.mean(axis=0).min(), curves.steepest[:, 0].T),
        0.5,
        ">=",
        source="saxe_lecture From exponential to sigmoidal dynamics",
        reason="half of the half-time; an exponential has 0, a symmetric sigmoid 1",
    ),
    Claim(
        "exponential",
        "With strongly unbalanced layers (the largest λ) the loss falls fastest at once (time of the "
        "steepest fall over the half-time, largest over shapes and starts).",
        lambda curves: Worst(float(curves.steepest[:, -1].max()), curves.settings.seeds),
        0.1,
        source="saxe_lecture From exponential to sigmoidal dynamics",
        reason="a tenth of the half-time; an exponential has 0",
    ),
    Claim(
        "rate",
        "With strongly unbalanced layers the loss falls at the rate 2|λ| (relative deviation, mean over "
        "starts, largest over shapes).",
        lambda curves: resampled(
            lambda rates: np.abs(rates / (2 * max(curves.settings.lambdas)) - 1).mean(axis=0).max(),
            curves.rates[:, -1].T,
        ),
        0.05,
        source="domine2025 (exact dynamics)",
        reason="5 %: corrections are of order s²/λ², which is 1 % here",
    ),
)
