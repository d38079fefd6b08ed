"""What ``contexts`` measures: in how many contexts units are on, and which subsets of contexts win a race."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np

import festina as fs
from festina.papers.experiments._context import reln

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
    task: fs.Task, contexts: int, hidden: int, std: float, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All subsets of contexts race jointly from equal starts: sizes of the subsets, and the strength each ends with."""
    subsets = list(chain.from_iterable(combinations(range(contexts), k) for k in range(contexts, 0, -1)))
    network = reln(contexts, subsets, task, hidden, std)
    run = fs.evolve(network.expected_start(), task, times[[0, -1]], method=fs.Race(), observe=("strengths",))
    statistics = task.statistics(network)
    parts = np.split(run.strengths[-1], np.cumsum([e.rank for e in statistics.effective])[:-1])
    named = dict(zip((label.split(" → ")[1] for label in statistics.labels), parts, strict=True))
    strengths = [float(np.sum(named[f"pathway {i + 1}"] ** 2)) for i in range(len(subsets))]
    return np.array([len(s) for s in subsets]), np.array(strengths)
