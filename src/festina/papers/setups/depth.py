"""Training and search for the experiment on depth: chains and networks from three kinds of start.

``s`` are the settings of the experiment everywhere.
"""

import math
import warnings

import numpy as np

import festina as fs
from festina.linear import best_rate, time_to_strength
from festina.runtime import track

SHARE = 0.25  # share of the best step at which networks are trained: far from overshooting, so that step and flow agree
WATCHED = 200  # steps in which a step size must have learned the task; at the formula's step size about 20 are needed
TRIED = 2.0 ** np.arange(-1, 2.01, 0.25)
"""Step sizes tried on networks, relative to the formula's: from half to four times."""

SEARCHED = np.geomspace(0.25, 4.0, 481)
"""Step sizes tried on chains, relative to the formula's; neighbours differ by 0.6 %."""


def best(s, depth: float) -> float:
    """The formula's step size."""
    return float(best_rate(s.strength, 1.0, depth))


def chain_time(s, start: float, depth: float) -> float:
    """Flow time in which a balanced chain learns its mode from strength ``start``."""
    return float(time_to_strength(s.reach * s.strength, s.strength, 1.0, start, depth))


def autoencoder(s, layer: float) -> float:
    """Steps to pretrain one layer of a chain: a two-layer chain that learns to reproduce its white input."""
    return float(time_to_strength(s.reach, 1.0, 1.0, layer**2, 2) / best_rate(1.0, 1.0, 2))


def teacher(s) -> fs.Task:
    """The task of the networks: modes of equal strength on white inputs."""
    return fs.tasks.teacher(s.width, s.modes, strengths=(s.strength,) * s.modes)


def deep(s, depth: int, initial: fs.initial.Initial) -> fs.DeepLinear:
    """A network of this number of layers."""
    return fs.DeepLinear(hidden=(s.width,) * (depth - 1), initial=initial)


def agreement(s, depth: int) -> float:
    """How far the closed form is from gradient descent on a network with decoupled layers: ∫|La − Lb|/∫Lb."""
    network = deep(s, depth, fs.initial.Aligned(s.layer**2) if depth > 1 else fs.initial.Gaussian(1e-9))
    times, task = np.linspace(0, chain_time(s, s.layer**2, depth), 200), teacher(s)
    trained = fs.evolve(network, task, times, method=fs.Train(rate=best(s, depth) / 100))
    return fs.compare(fs.evolve(network, task, trained.times), trained).area


def _train(
    s, network: fs.DeepLinear, task: fs.Task, times: np.ndarray, step: float, seed: int, seeds: int = 1
) -> tuple[fs.Trajectory, np.ndarray]:
    """Networks in training, and when the loss is (1 − reach)² of an empty network's; ``inf`` where it never is."""
    method, observe = fs.Train(rate=SHARE * step), ("loss", "weights") if seeds == 1 else ("loss",)
    path = fs.evolve(network, task, times, method=method, seed=seed, seeds=seeds, observe=observe)
    goal = (1 - s.reach) ** 2 * 0.5 * task.statistics.power
    # losses fall exponentially, so that their logarithms are interpolated
    return path, np.array([fs.analysis.first_passage(path.times, np.log(loss), np.log(goal)) for loss in path.loss])


def _pretrain(s, task: fs.Task, layer: float, count: int, seed: int) -> tuple[list[np.ndarray], np.ndarray]:
    """``count`` layers, each trained as the encoder of what the layers below it give; the steps after each."""
    x, steps, stack, step = task.x, [0.0], [], float(best_rate(1.0, 1.0, 2))
    network = deep(s, 2, fs.initial.Gaussian(layer / np.sqrt(s.width)))
    # four times as long as a chain; more often observed than trained would be a waste
    times = np.arange(0, 4 * autoencoder(s, layer) * step, 2 * SHARE * step)
    for k in range(count):
        path, (time,) = _train(s, network, fs.Task(x, x), times, step, seed * count + k)
        steps.append(time / step)
        stack.append(path.weights[0][0, min(int(np.searchsorted(path.times, time)), len(times) - 1)])
        x = x @ stack[-1].T
    return stack, np.cumsum(steps)


def _pretrained(s, task: fs.Task, seed: int) -> list[float]:
    """Steps of pretraining and of training everything together afterwards, by depth."""
    stack, spent = _pretrain(s, task, s.layer, max(s.pretrained_depths) - 1, seed)
    last = s.layer / np.sqrt(s.width) * np.random.default_rng(seed).standard_normal((s.modes, s.width))
    found = []
    for depth in s.pretrained_depths:
        network, step = deep(s, depth, fs.initial.Weights((*stack[: depth - 1], last))), best(s, depth)
        _, (time,) = _train(s, network, task, np.arange(0, 100 * step, 2 * SHARE * step), step, seed)
        found.append(spent[depth - 1] + time / step)
    return found


def networks(s) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Steps of trained networks by start, (seeds, depths), and of pretraining one layer, (seeds, layers)."""
    task, seeds = teacher(s), range(s.seed, s.seed + s.seeds)

    def steps(initial: fs.initial.Initial, depth: int, guess: float) -> np.ndarray:
        network, step = deep(s, depth, initial), best(s, depth)
        return _train(s, network, task, np.linspace(0, 4 * guess * step, 600), step, s.seed, s.seeds)[1] / step

    small, orthogonal = fs.initial.Gaussian(s.layer / np.sqrt(s.width)), fs.initial.Orthogonal(1.0)
    # from unit strengths a chain needs about ln(1/(1 − reach)) steps; a random direction some more
    guess = 10 * np.log(1 / (1 - s.reach))
    guesses = {depth: 4 * chain_time(s, s.layer**depth, depth) / best(s, depth) for depth in s.small_depths}
    found = {
        "small": np.stack([steps(small, *each) for each in track([*guesses.items()], "small start")], axis=1),
        "pretrained": np.array([_pretrained(s, task, seed) for seed in track(seeds, "pretrained start")]),
        "orthogonal": np.stack(
            [steps(orthogonal, depth, guess) for depth in track(s.orthogonal_depths, "orthogonal start")], axis=1
        ),
    }
    return found, np.array([[_pretrain(s, task, layer, 1, seed)[1][-1] for layer in s.layers] for seed in seeds])


def steps_of_sizes(s, depth: int) -> np.ndarray:
    """Steps in which networks with orthogonal layers learn the task at each of the step sizes, (seeds, sizes)."""
    task, network, found = teacher(s), deep(s, depth, fs.initial.Orthogonal(1.0)), []
    goal = (1 - s.reach) ** 2 * 0.5 * task.statistics.power
    for rate in best(s, depth) * TRIED:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "training diverged")  # the search continues until steps are too large
            times = np.arange(WATCHED) * rate
            path = fs.evolve(network, task, times, method=fs.Train(rate=rate), seed=s.seed, seeds=s.seeds)
        # the last step above the goal counts: a run that goes up again has not learned
        steps = np.array([np.flatnonzero(~(loss <= goal))[-1] + 1 for loss in path.loss])
        found.append(np.where(steps == WATCHED, np.inf, steps))
    return np.stack(found, axis=1)


def search(s, depth: int) -> float:
    """The step size with which a chain of unit layers gets within 1e-10 of its end in the fewest steps."""
    rates = SEARCHED * best(s, depth)
    b, steps = np.ones_like(rates), np.full(len(rates), np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(2000):
            miss = np.abs(b**depth - s.strength)
            steps = np.where((steps > k) & (miss <= 1e-10 * s.strength), k, steps)
            b = b + rates * b ** (depth - 1) * (s.strength - b**depth)
    return float(np.median(rates[steps == steps.min()]))


def stable(s, depth: int) -> float:
    """Half the largest step size at which gradient descent on a network stays at its balanced minimum."""
    task, network, rng = teacher(s), deep(s, depth, fs.initial.Gaussian(1.0)), np.random.default_rng(0)
    velocity, end = network.velocity(task), network.stationary_points(task, top=1)[0].weights
    start = tuple(w + 1e-6 * rng.standard_normal(w.shape) for w in end)

    def speed(weights: tuple[np.ndarray, ...]) -> float:
        return math.sqrt(sum(float(np.sum(v**2)) for v in velocity(weights)))

    low, high = 0.5 * best(s, depth), 8 * best(s, depth)
    for _ in range(9):
        rate, weights = math.sqrt(low * high), start
        for _ in range(200):
            weights = tuple(w + rate * v for w, v in zip(weights, velocity(weights), strict=True))
            if not speed(weights) < 1.0:
                break
        low, high = (rate, high) if speed(weights) < speed(start) else (low, rate)
    return 0.5 * math.sqrt(low * high)
