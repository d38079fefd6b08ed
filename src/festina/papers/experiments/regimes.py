"""When is learning rich, when lazy, and when delayed rich?

It depends on λ, its sign and the architecture. A square network is rich around λ = 0 and lazy for large |λ| of either
sign. A funnel (more inputs than outputs) is lazy for λ ≫ 0, but for λ ≪ 0 its kernel turns after all: late, after a
time that grows in proportion to |λ|. An inverted funnel does the same with the signs exchanged.

Source: saxe_lecture "Rich and lazy learning", "Architecture and learning regime", "Delayed rich regime"; domine2025
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import mean, resampled
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = ("funnel", "square", "inverted funnel")

Shape = tuple[int, int, int]
"""Inputs, hidden units and outputs of a network."""


@dataclass(frozen=True)
class Settings:
    """Architectures, imbalances and tasks."""

    shapes: tuple[Shape, Shape, Shape] = setting(
        ((10, 4, 4), (4, 4, 4), (4, 4, 10)),
        "inputs, hidden units and outputs of the funnel, the square network and the inverted funnel",
        least=1,
    )
    sizes: tuple[float, ...] = setting(
        (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0), "sizes of λ; each is taken with both signs, and 0 is added", above=0
    )
    weakest: float = setting(0.5, "singular values of the task lie between 1 and this", above=0)
    scale: float = setting(0.01, "root-mean-square strength of the initial map", above=0)
    seeds: int = setting(20, "starts per architecture and λ", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(sizes=(0.1, 1.0, 10.0, 30.0, 100.0), seeds=4)
layout = (1, 3)
caption = (
    "The sign of the balance λ and the shape of a linear network together decide whether it learns richly, "
    "lazily or richly with a delay. (a) Farthest distance of the tangent kernel from its start against λ, "
    "for three architectures (median and middle 90 % over starts). (b) Predicted loss (solid) and kernel "
    "distance (dashed) of a funnel over time at three λ. (c) Delay of the kernel against |λ| for λ < 0."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Farthest kernel distance and delay, (architectures, λ, seeds), and three trajectories of the funnel."""

    settings: Settings
    lambdas: np.ndarray
    distance: np.ndarray
    delay: np.ndarray
    names: np.ndarray
    paths: dict[float, fs.Trajectory]


def _task(settings: Settings, shape: tuple[int, int, int]) -> fs.Task:
    inputs, _, outputs = shape
    return fs.tasks.teacher(inputs, outputs, strengths=np.linspace(1.0, settings.weakest, min(inputs, outputs)))


def compute(settings: Settings) -> Curves:
    """The regime of every start, from its exact solution."""
    s = settings
    lambdas = np.array([*(-v for v in reversed(s.sizes)), 0.0, *s.sizes])
    distance, delay = (np.zeros((len(NAMES), len(lambdas), s.seeds)) for _ in range(2))
    names = np.empty(distance.shape, dtype=object)
    for i, shape in enumerate(track(s.shapes, "architectures")):
        task = _task(s, shape)
        for j, lambda_ in enumerate(lambdas):
            network = fs.DeepLinear(hidden=(shape[1],), initial=fs.initial.Balanced(s.scale, lambda_=float(lambda_)))
            for seed in range(s.seeds):
                found = network.regime(task, seed=s.seed + seed)
                distance[i, j, seed], delay[i, j, seed] = found.kernel_distance, found.delay
                names[i, j, seed] = found.name
    largest = max(s.sizes)
    times = np.concatenate([[0.0], np.geomspace(1e-4, 20 * largest / s.weakest**2, 400)])
    paths = {}
    for lambda_ in (-largest, 0.0, largest):
        network = fs.DeepLinear(hidden=(s.shapes[0][1],), initial=fs.initial.Balanced(s.scale, lambda_=lambda_))
        paths[lambda_] = fs.evolve(network, _task(s, s.shapes[0]), times, observe=("loss", "kernel_distance"))
    return Curves(s, lambdas, distance, delay, names, paths)


def _delayed(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    """|λ| and mean delay of the funnel where λ is negative and stronger than the task."""
    strong = curves.lambdas <= -3
    return -curves.lambdas[strong], curves.delay[0, strong].mean(axis=-1)


def _slope(curves: Curves) -> float:
    size, delay = _delayed(curves)
    return float(np.polyfit(np.log(size), np.log(delay), 1)[0])


def _slope_error(curves: Curves) -> tuple[float, float]:
    """Distance of the slope from 1."""
    strong = curves.lambdas <= -3
    logs = np.log(-curves.lambdas[strong])
    return resampled(
        lambda delay: abs(np.polyfit(logs, np.log(delay.mean(axis=0)), 1)[0] - 1), curves.delay[0, strong].T
    )


def _at(curves: Curves, architecture: str, sign: int) -> np.ndarray:
    """Kernel distance of an architecture at the largest λ of that sign, by seed."""
    return curves.distance[NAMES.index(architecture), 0 if sign < 0 else -1]


def _larger(first: np.ndarray, second: np.ndarray) -> float:
    return max(first.mean(), second.mean())


def _smaller(first: np.ndarray, second: np.ndarray) -> float:
    return min(first.mean(), second.mean())


def values(curves: Curves) -> dict[str, Any]:
    """Kernel distance by architecture and λ, and the funnel's delay by |λ|."""
    size, delay = _delayed(curves)
    return {
        "lambdas": curves.lambdas,
        "kernel_distance": {name: curves.distance[i].mean(axis=-1) for i, name in enumerate(NAMES)},
        "delay": {f"{a:g}": b for a, b in zip(size[::-1], delay[::-1], strict=True)},
        "delay_exponent": _slope(curves),
    }


def draw(curves: Curves, axes: list[Axes]) -> None:
    """Kernel distance against λ; loss and kernel of the funnel over time; delay against |λ|."""
    for i, (name, marker) in enumerate(zip(NAMES, ("v", "s", "^"), strict=True)):
        low, middle, high = np.quantile(curves.distance[i], [0.05, 0.5, 0.95], axis=-1)
        (line,) = axes[0].plot(curves.lambdas, middle, marker=marker, ms=4, label=name)
        axes[0].fill_between(curves.lambdas, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes[0].set_xscale("symlog", linthresh=min(curves.settings.sizes))
    edge = max(curves.settings.sizes)
    axes[0].set_xticks([-edge, -1, 0, 1, edge], [f"{tick:g}" for tick in (-edge, -1, 0, 1, edge)])
    axes[0].set_xlabel("λ")
    axes[0].set_ylabel("farthest kernel distance")
    axes[0].set_ylim(0, 1.25 * axes[0].get_ylim()[1])
    axes[0].legend(loc="upper center", ncols=3, columnspacing=1.0, handlelength=1.4)
    axes[0].set_title("Rich or lazy, by architecture")
    for (lambda_, path), label in zip(curves.paths.items(), ("delayed rich", "rich", "lazy"), strict=True):
        (line,) = axes[1].plot(path.times[1:], path.loss[1:] / path.loss[0], label=f"{label}, λ = {lambda_:g}")
        axes[1].plot(path.times[1:], path["kernel_distance"][1:], "--", color=line.get_color())
    axes[1].plot([], [], color="0.4", label="loss / start")
    axes[1].plot([], [], "--", color="0.4", label="kernel distance")
    axes[1].set_xscale("log")
    axes[1].set_ylim(-0.03, 1.6)
    axes[1].set_yticks(np.linspace(0, 1, 6))
    axes[1].set_xlabel("time (flow time)")
    axes[1].set_ylabel("loss or distance")
    axes[1].legend(loc="upper right", ncols=2, columnspacing=1.0, fontsize=7)
    axes[1].set_title("A funnel over time")
    size, delay = _delayed(curves)
    axes[2].loglog(size, delay, "o", label="exact solution")
    axes[2].loglog(size, delay[0] * size / size[0], "-", color="0.5", label="in proportion to |λ|")
    axes[2].set_xlabel("|λ|, λ < 0")
    axes[2].set_ylabel("delay (flow time)")
    axes[2].legend()
    axes[2].set_title("A funnel: delay of the kernel")


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "square is lazy",
        "Linear networks with as many inputs as outputs are lazy where the imbalance λ between their two layers is "
        "far from zero, whatever its sign (distance of the tangent kernel from its start, larger of the two "
        "signs).",
        lambda curves: resampled(_larger, _at(curves, "square", -1), _at(curves, "square", 1)),
        0.1,
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "square is rich",
        "Linear networks with as many inputs as outputs are rich where their two layers are balanced, λ = 0 "
        "(distance of the tangent kernel from its start, mean over starts).",
        lambda curves: mean(curves.distance[1, len(curves.settings.sizes)]),
        0.1,
        ">=",
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "funnel is lazy",
        "Linear networks with more inputs than outputs (funnels) are lazy for an imbalance λ ≫ 0 between their "
        "layers, and those with more outputs (inverted funnels) for λ ≪ 0 (distance of the tangent kernel from its "
        "start, larger of the two).",
        lambda curves: resampled(_larger, _at(curves, "funnel", 1), _at(curves, "inverted funnel", -1)),
        0.1,
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "funnel is delayed rich",
        "Linear networks with more inputs than outputs (funnels) learn richly after a delay for an imbalance λ ≪ 0 "
        "between their layers, and those with more outputs (inverted funnels) for λ ≫ 0 (distance of the tangent "
        "kernel from its start, smaller of the two).",
        lambda curves: resampled(_smaller, _at(curves, "funnel", -1), _at(curves, "inverted funnel", 1)),
        0.1,
        ">=",
        source="domine2025 (rich and lazy)",
        reason="a kernel distance of 0.1, the border between rich and lazy that network.regime uses",
    ),
    Claim(
        "delay",
        "Where linear networks learn richly after a delay, the delay grows in proportion to the imbalance |λ| "
        "between their layers (deviation of the exponent from 1).",
        _slope_error,
        0.05,
        source="saxe_lecture Delayed rich regime",
        reason="5 %, a conventional tolerance",
    ),
)
