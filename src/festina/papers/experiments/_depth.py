"""What the experiment on depth trains and searches: chains and networks from three kinds of start."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

import festina as fs
from festina.linear import best_rate
from festina.runtime import track

if TYPE_CHECKING:
    from festina.papers.experiments.depth import Settings

SHARE = 0.25
"""Share of the best step at which networks are trained: far from overshooting, so that step and flow agree."""

WATCHED = 200
"""Steps in which a step size must have learned the task; at the formula's step size about 20 are needed."""

TRIED = 2.0 ** np.arange(-1, 2.01, 0.25)
"""Step sizes tried on networks, relative to the formula's: from half to four times."""

SEARCHED = np.geomspace(0.25, 4.0, 481)
"""Step sizes tried, relative to the formula's; neighbours differ by 0.6 %."""


def target(settings: Settings) -> float:
    return settings.reach * settings.strength


def best(settings: Settings, depth: float) -> float:
    return float(best_rate(settings.strength, 1.0, depth))


def chain_time(settings: Settings, layer: float, depth: int) -> float:
    """Flow time of a balanced chain whose layers all start at ``layer``."""
    return float(fs.linear.time_to_strength(target(settings), settings.strength, 1.0, layer**depth, depth))


def autoencoder(settings: Settings, layer: float) -> float:
    """Steps to pretrain one layer of a chain: a two-layer chain that learns to reproduce its white input."""
    time = fs.linear.time_to_strength(settings.reach, 1.0, 1.0, layer**2, 2)
    return float(time / best_rate(1.0, 1.0, 2))


def traces(settings: Settings) -> dict[float, tuple[np.ndarray, np.ndarray]]:
    """Strength against steps at the best step size, all depths from the same strength."""
    found = {}
    for depth in (1, 2, 3, 10, math.inf):
        start = settings.layer**2
        end = float(fs.linear.time_to_strength(target(settings), settings.strength, 1.0, start, depth))
        times = np.geomspace(1e-4, 1.3, 400) * end
        # at infinite depth time is T = D·t, and D times the best step is 1/(d (s/d)²)
        unit = settings.strength**-2.0 if depth == math.inf else best(settings, depth)
        found[depth] = (times / unit, fs.linear.strength(times, settings.strength, 1.0, start, depth))
    return found


def agreement(settings: Settings, depth: int) -> float:
    """How far the closed form is from gradient descent on a network with decoupled layers: ∫|La − Lb|/∫Lb."""
    task = fs.tasks.teacher(settings.width, settings.modes, strengths=(settings.strength,) * settings.modes)
    initial = fs.initial.Aligned(settings.layer**2) if depth > 1 else fs.initial.Gaussian(1e-9)
    network = fs.DeepLinear(hidden=(settings.width,) * (depth - 1), initial=initial)
    end = float(fs.linear.time_to_strength(target(settings), settings.strength, 1.0, settings.layer**2, depth))
    times = np.linspace(0, end, 200)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=best(settings, depth) / 100))
    return fs.compare(fs.evolve(network, task, trained.times), trained).area


def _learned(path: fs.Trajectory, before: float, reach: float) -> np.ndarray:
    """First time at which the loss is (1 − reach)² of what it was ``before``, per seed; nan where it never is."""
    goal = (1 - reach) ** 2 * before
    found = np.full(len(path.loss), np.nan)
    for k, loss in enumerate(path.loss):
        below = np.flatnonzero(loss <= goal)
        if len(below) and below[0] > 0:
            i = below[0]
            share = np.log(loss[i - 1] / goal) / np.log(loss[i - 1] / loss[i])
            found[k] = path.times[i - 1] + share * (path.times[i] - path.times[i - 1])
    return found


def _train(settings: Settings, task: fs.Task, initial: fs.initial.Initial, depth: int, guess: float) -> np.ndarray:
    """Steps (at the best step size) until the task is learned, per seed; watched up to four times the guess."""
    network = fs.DeepLinear(hidden=(settings.width,) * (depth - 1), initial=initial)
    step = best(settings, depth)
    method = fs.Train(rate=SHARE * step)
    path = fs.evolve(
        network, task, np.linspace(0, 4 * guess * step, 600), method=method, seed=settings.seed, seeds=settings.seeds
    )
    return _learned(path, 0.5 * task.statistics.power, settings.reach) / step


def _pretrain(
    settings: Settings, task: fs.Task, layer: float, count: int, seed: int
) -> tuple[list[np.ndarray], np.ndarray]:
    """``count`` layers, each trained as the encoder of what the layers below it give; the steps after each."""
    width, x, steps, stack = settings.width, task.x, [0.0], []
    for k in range(count):
        code = fs.Task(x, x)
        network = fs.DeepLinear(hidden=(width,), initial=fs.initial.Gaussian(layer / np.sqrt(width)))
        step = float(best_rate(1.0, 1.0, 2))
        # four times as long as a chain; more often observed than trained would be a waste
        times = np.arange(0, 4 * autoencoder(settings, layer) * step, 2 * SHARE * step)
        method, observe = fs.Train(rate=SHARE * step), ("loss", "weights")
        path = fs.evolve(network, code, times, method=method, seed=seed * count + k, seeds=1, observe=observe)
        time = _learned(path, 0.5 * code.statistics.power, settings.reach)[0]
        steps.append(time / step)
        stack.append(path.weights[0][0, min(int(np.searchsorted(path.times, time)), len(times) - 1)])
        x = x @ stack[-1].T
    return stack, np.cumsum(steps)


def _pretrained(settings: Settings, task: fs.Task, seed: int) -> list[float]:
    """Steps of pretraining and of training everything together afterwards, by depth."""
    stack, spent = _pretrain(settings, task, settings.layer, max(settings.pretrained_depths) - 1, seed)
    shape = (settings.modes, settings.width)
    last = settings.layer / np.sqrt(settings.width) * np.random.default_rng(seed).standard_normal(shape)
    found = []
    for depth in settings.pretrained_depths:
        start = fs.initial.Weights((*stack[: depth - 1], last))
        network = fs.DeepLinear(hidden=(settings.width,) * (depth - 1), initial=start)
        step = best(settings, depth)
        times = np.arange(0, 100 * step, 2 * SHARE * step)
        path = fs.evolve(network, task, times, method=fs.Train(rate=SHARE * step), seeds=1)
        steps = _learned(path, 0.5 * task.statistics.power, settings.reach)[0] / step
        found.append(float(spent[depth - 1] + steps))
    return found


def networks(settings: Settings) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Steps of trained networks by start, (seeds, depths), and of pretraining one layer, (seeds, layers)."""
    strengths = (settings.strength,) * settings.modes
    task = fs.tasks.teacher(settings.width, settings.modes, strengths=strengths)
    std = settings.layer / np.sqrt(settings.width)
    small = []
    for depth in track(settings.small_depths, "small start"):
        guess = 4 * chain_time(settings, settings.layer, depth) / best(settings, depth)
        small.append(_train(settings, task, fs.initial.Gaussian(std), depth, guess))
    # from unit strengths a chain needs about ln(1/(1 − reach)) steps; a random direction some more
    guess = 10 * np.log(1 / (1 - settings.reach))
    orthogonal = [
        _train(settings, task, fs.initial.Orthogonal(1.0), depth, guess)
        for depth in track(settings.orthogonal_depths, "orthogonal start")
    ]
    seeds = range(settings.seed, settings.seed + settings.seeds)
    pretrained = [_pretrained(settings, task, seed) for seed in track(seeds, "pretrained start")]
    alone = [[_pretrain(settings, task, layer, 1, seed)[1][-1] for layer in settings.layers] for seed in seeds]
    found = {"small": np.stack(small, 1), "pretrained": np.array(pretrained), "orthogonal": np.stack(orthogonal, 1)}
    return found, np.array(alone)


def fastest(settings: Settings, depth: int) -> np.ndarray:
    """Steps in which networks with orthogonal layers learn the task at each of the step sizes, (seeds, sizes)."""
    task = fs.tasks.teacher(settings.width, settings.modes, strengths=(settings.strength,) * settings.modes)
    network = fs.DeepLinear(hidden=(settings.width,) * (depth - 1), initial=fs.initial.Orthogonal(1.0))
    found = []
    for rate in best(settings, depth) * TRIED:
        times = np.arange(WATCHED) * rate
        with warnings.catch_warnings():
            # the search goes on until steps are too large
            warnings.filterwarnings("ignore", "training diverged")
            path = fs.evolve(network, task, times, method=fs.Train(rate=rate), seed=settings.seed, seeds=settings.seeds)
        goal = (1 - settings.reach) ** 2 * 0.5 * task.statistics.power
        # the last step above the goal counts: a run that goes up again has not learned
        late = [np.flatnonzero(~(loss <= goal)) for loss in path.loss]
        steps = np.array([above[-1] + 1 for above in late])
        found.append(np.where(steps == WATCHED, np.inf, steps))
    return np.stack(found, axis=1)


def search(settings: Settings, depth: int) -> float:
    """The step size with which a chain of unit layers gets within 1e-10 of its end in the fewest steps."""
    rates = SEARCHED * best(settings, depth)
    b, steps = np.ones_like(rates), np.full(len(rates), np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(2000):
            miss = np.abs(b**depth - settings.strength)
            steps = np.where((steps > k) & (miss <= 1e-10 * settings.strength), k, steps)
            b = b + rates * b ** (depth - 1) * (settings.strength - b**depth)
    return float(np.median(rates[steps == steps.min()]))


def _speed(velocity: tuple[np.ndarray, ...]) -> float:
    return math.sqrt(sum(float(np.sum(v**2)) for v in velocity))


def stable(settings: Settings, depth: int) -> float:
    """Half the largest step size at which gradient descent on a network stays at its balanced minimum."""
    task = fs.tasks.teacher(settings.width, settings.modes, strengths=(settings.strength,) * settings.modes)
    network = fs.DeepLinear(hidden=(settings.width,) * (depth - 1), initial=fs.initial.Gaussian(1.0))
    velocity, rng = network.velocity(task), np.random.default_rng(0)
    end = network.stationary_points(task, top=1)[0].weights
    start = tuple(w + 1e-6 * rng.standard_normal(w.shape) for w in end)
    low, high = 0.5 * best(settings, depth), 8 * best(settings, depth)
    for _ in range(9):
        rate, weights = math.sqrt(low * high), start
        for _ in range(200):
            weights = tuple(w + rate * v for w, v in zip(weights, velocity(weights), strict=True))
            if not _speed(velocity(weights)) < 1.0:
                break
        low, high = (rate, high) if _speed(velocity(weights)) < _speed(velocity(start)) else (low, rate)
    return 0.5 * math.sqrt(low * high)
