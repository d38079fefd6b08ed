"""What ``contexts`` measures: predictions, in how many contexts units are on, which subsets of contexts win a race."""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina._first_passage import first_passage
from festina._progress import track
from festina.papers.experiments._context import reln, without_idle

if TYPE_CHECKING:
    from festina.papers.experiments.contexts import Settings

DRAWN = 2
"""Networks whose units stand for a start that is not known."""

ITEMS = 8


def gate_share(run: fs.Trajectory, contexts: int, thresholds: tuple[float, ...]) -> np.ndarray:
    """Share of a trained ReLU layer's activity by the number of contexts its units are on in.

    Returns (seeds, thresholds, contexts). A unit counts with ‖activity‖·‖output weights‖, what it adds to the map.
    """
    activity, out = run["hidden"][0][:, -1], run.weights[1][:, -1]
    size = np.linalg.norm(activity, axis=1) * np.linalg.norm(out, axis=1)
    mean = activity.reshape(len(activity), contexts, ITEMS, -1).mean(axis=2)
    level = mean / np.maximum(mean.max(axis=1, keepdims=True), np.finfo(float).tiny)
    found = np.zeros((len(activity), len(thresholds), contexts))
    for i, threshold in enumerate(thresholds):
        on = (level > threshold).sum(axis=1)
        for k in range(contexts):
            found[:, i, k] = np.where(on == k + 1, size, 0.0).sum(axis=1)
    return found / found.sum(axis=2, keepdims=True)


def race_subsets(
    task: fs.Task, contexts: int, hidden: int, std: float, rate: float, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All subsets of contexts race jointly from equal starts: sizes of the subsets, and the strength each ends with."""
    subsets = list(chain.from_iterable(combinations(range(contexts), k) for k in range(contexts, 0, -1)))
    network = reln(contexts, subsets, task, hidden, std, rate)
    run = fs.evolve(network.expected_start(), task, times[[0, -1]], method=fs.Race(), observe=("strengths",))
    statistics = task.statistics(network)
    parts = np.split(run.strengths[-1], np.cumsum([e.rank for e in statistics.effective])[:-1])
    named = dict(zip((label.split(" → ")[1] for label in statistics.labels), parts, strict=True))
    strengths = [float(np.sum(named[f"pathway {i + 1}"] ** 2)) for i in range(len(subsets))]
    return np.array([len(s) for s in subsets]), np.array(strengths)


def predict(
    kinds: dict[str, dict[int, Any]], count: int, relu: fs.ReLU, task: fs.Task, times: np.ndarray, settings: Settings
) -> None:
    """The first networks from their own weights; the very first by flow and merged; and one whose seed is not known."""
    rate, first = settings.step * len(task.x), min(settings.predicted, settings.seeds)
    stepwise = fs.Race(fs.relu.Units(rate=rate))
    observe = ("loss", "hidden", "weights")
    own = fs.evolve(relu, task, times, method=stepwise, seed=settings.seed, seeds=first, observe=observe)
    kinds["own"][count] = loss_alone(own)
    kinds["own_gates"][count] = gate_share(own, count, settings.thresholds)
    flow = fs.Race()
    kinds["flow"][count] = loss_alone(fs.evolve(relu, task, times, method=flow, seed=settings.seed))
    drawn = fs.Race(fs.relu.Units(draws=DRAWN, rate=rate))
    kinds["expected"][count] = loss_alone(fs.evolve(relu, task, times, method=drawn, seed=settings.seed))
    kinds["reduced"][count] = {}
    for units in settings.units:
        merged = fs.Race(fs.relu.Units(units=units))
        kinds["reduced"][count][units] = loss_alone(fs.evolve(relu, task, times, method=merged, seed=settings.seed))


def loss_alone(run: fs.Trajectory) -> fs.Trajectory:
    """The loss alone."""
    return fs.Trajectory(run.times, {"loss": run.loss}, seeds=run.seeds)


def vary_scale(settings: Settings) -> dict[str, np.ndarray]:
    """Three contexts of different structure: area between race and ReLU networks for several initial scales.

    And the flow time in which each goes from half to a twentieth of the loss that contexts leave to the common pathway.
    """
    task, _ = without_idle(fs.tasks.context(3, "different"))
    rate, hidden = settings.step * len(task.x), settings.hidden[0]
    left = task.statistics.floor
    names = ("area", "own_area", "relu_delay", "race_delay", "own_delay")
    found: dict[str, list[float]] = {name: [] for name in names}
    for scale in track(settings.scales, "scales"):
        std = scale / hidden
        times = np.linspace(0, 1.25 * settings.steps, settings.points).round() * rate
        relu = fs.ReLU((hidden,), initial=fs.initial.Gaussian(std))
        seeds = min(settings.predicted, 2)
        method, stepwise = fs.Train(rate=rate, precision="single"), fs.Race(fs.relu.Units(rate=rate))
        run = fs.evolve(relu, task, times, method=method, seed=settings.seed, seeds=seeds).mean()
        network = reln(3, [(0, 1, 2), *combinations(range(3), 2)], task, hidden, std, rate)
        race = fs.evolve(network.expected_start(), task, times, method=fs.Race())
        own = fs.evolve(relu, task, times, method=stepwise, seed=settings.seed, seeds=seeds).mean()
        found["area"].append(fs.compare(race, run).area)
        found["own_area"].append(fs.compare(own, run).area)
        for name, path in (("relu_delay", run), ("race_delay", race), ("own_delay", own)):
            fall = [first_passage(path.times, path.loss, share * left) for share in (0.5, 0.05)]
            found[name].append(fall[1] - fall[0])
    return {name: np.array(part) for name, part in found.items()}
