"""How predicted modules are compared with trained ReLU networks: the measures, fixed before anything was compared.

A trained unit contributes ‖a‖‖activity‖; one that contributes less than ``DEAD`` of what the largest does is left out.
It is on at a data point when its activity there is above ``ON`` of its largest. It matches a predicted pattern when the
two differ in at most ``TOLERANCE`` of the data points, rounded down: below ten points, nowhere. All at the end of
training.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs

DEAD = 0.01
ON = 0.05
TOLERANCE = 0.1

REALISED = 0.01
"""A predicted module is realised when the units that match it carry at least this share of all contributions."""

APART = 0.01  # modules whose predicted times differ by less than this share count as learned together


@dataclass(frozen=True, eq=False)
class Score:
    """Scores of predicted patterns against trained networks.

    Attributes:
        precision: share of predicted modules that are realised, mean over networks.
        recall: share of the trained contribution in units that match a predicted module, mean over networks.
        learned: for each predicted module the mean time at which the units that match it contribute half of what they
            do in the end; nan where it is not realised.
        agreeing, disagreeing: pairs of modules that are learned in the predicted order, and in the opposite one.
        each: precision, recall and order of every part that the score is a mean of; with ``own_score`` then the share
            of the trained contribution in units that end in the pattern predicted for that unit.
    """

    precision: float
    recall: float
    learned: np.ndarray
    agreeing: int
    disagreeing: int
    each: np.ndarray

    @property
    def order(self) -> float:
        """Kendall's τ over the pairs; nan if there is none."""
        count = self.agreeing + self.disagreeing
        return (self.agreeing - self.disagreeing) / count if count else float("nan")


def units(first: np.ndarray, second: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Patterns and final contributions of living units, and their contributions over time; weights of one network."""
    activity = np.maximum(np.einsum("tji,ni->tjn", first, x), 0.0)
    over = np.linalg.norm(second, axis=1) * np.linalg.norm(activity, axis=2)
    alive = over[-1] > DEAD * over[-1].max()
    last = activity[-1][alive]
    return last > ON * last.max(axis=1, keepdims=True), over[-1][alive], over[:, alive]


def score(patterns: np.ndarray, times: np.ndarray, run: fs.Trajectory, x: np.ndarray, seeds: list[int]) -> Score:
    """Predicted patterns and times against the networks of these seeds."""
    near = int(TOLERANCE * len(x))
    precision, recall = [], []
    learned = np.full((len(seeds), len(patterns)), np.nan)
    for i, seed in enumerate(seeds):
        found, end, over = units(run.weights[0][seed], run.weights[1][seed], x)
        match = (found[:, None] != patterns[None]).sum(axis=2) <= near
        share = (match * end[:, None]).sum(axis=0) / end.sum()
        precision.append(float(np.mean(share >= REALISED)))
        recall.append(float(end[match.any(axis=1)].sum() / end.sum()))
        for k in np.flatnonzero(share >= REALISED):
            total = over[:, match[:, k]].sum(axis=1)
            learned[i, k] = run.times[np.argmax(total >= total[-1] / 2)]
    seen = np.isfinite(learned).sum(axis=0)
    mean = np.where(seen > 0, np.nansum(learned, axis=0) / np.maximum(seen, 1), np.nan)
    return Score(float(np.mean(precision)), float(np.mean(recall)), mean, *pairs(times, mean), np.zeros(0))


def pairs(times: np.ndarray, learned: np.ndarray) -> tuple[int, int]:
    """Pairs of modules in the same order, and in the opposite one."""
    agree = disagree = 0
    for i in range(len(times)):
        for j in range(i):
            if abs(times[i] - times[j]) > APART * max(times[i], times[j]):
                sign = (times[i] - times[j]) * (learned[i] - learned[j])
                agree, disagree = agree + int(sign > 0), disagree + int(sign < 0)
    return agree, disagree


def among_seeds(run: fs.Trajectory, x: np.ndarray) -> Score:
    """How well one trained network predicts the others: what no prediction that knows no seed is likely to beat."""
    seeds = list(range(len(run.weights[0])))
    found = []
    for seed in seeds:
        patterns, end, over = units(run.weights[0][seed], run.weights[1][seed], x)
        kinds, which = np.unique(patterns, axis=0, return_inverse=True)
        shares = np.bincount(which.ravel(), end) / end.sum()
        keep = np.flatnonzero(shares >= REALISED)
        totals = np.stack([over[:, which.ravel() == k].sum(axis=1) for k in keep])
        times = run.times[np.argmax(totals >= totals[:, -1:] / 2, axis=1)]
        found.append(score(kinds[keep], times, run, x, [s for s in seeds if s != seed]))
    return _together(found)


def _together(found: list[Score], *more: list[float]) -> Score:
    each = np.array([[one.precision, one.recall, one.order, *rest] for one, *rest in zip(found, *more, strict=True)])
    agreeing, disagreeing = sum(one.agreeing for one in found), sum(one.disagreeing for one in found)
    return Score(float(each[:, 0].mean()), float(each[:, 1].mean()), np.zeros(0), agreeing, disagreeing, each)


def own_score(own: fs.Trajectory, run: fs.Trajectory, x: np.ndarray) -> Score:
    """Networks predicted from their own weights, each against that network alone, trained; means over networks."""
    found, assigned = [], []
    predicted: Any = fs.relu.final_modules(own, threshold=ON)
    for k, modules in enumerate(predicted):
        kept = [module for module in modules if module.share >= REALISED]
        found.append(score(np.array([m.pattern for m in kept]), np.array([m.time for m in kept]), run, x, [k]))
        assigned.append(assigned_share(*([layer[k, -1] for layer in path.weights] for path in (own, run)), x=x))
    return _together(found, assigned)


def assigned_share(predicted: Sequence[np.ndarray], trained: Sequence[np.ndarray], x: np.ndarray) -> float:
    """Share of what trained units contribute that is in units whose pattern is the one predicted for them.

    Two patterns are the same when they differ in at most ``TOLERANCE`` of the data points. A unit that contributes less
    than ``DEAD`` of what the largest of its network does has no pattern.
    """
    patterns, sizes = [], []
    for first, second in (predicted, trained):
        activity = np.maximum(first @ x.T, 0.0)
        size = np.linalg.norm(activity, axis=1) * np.linalg.norm(second, axis=0)
        patterns.append(activity > ON * activity.max(axis=1, keepdims=True))
        sizes.append(np.where(size > DEAD * size.max(), size, 0.0))
    same = (patterns[0] != patterns[1]).sum(axis=1) <= int(TOLERANCE * len(x))
    return float(sizes[1][same & (sizes[0] > 0)].sum() / sizes[1].sum())


def realised(run: fs.Trajectory, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All patterns of all networks at the end, and the mean share of the contributions that each carries."""
    parts = [units(first[-1:], second[-1:], x) for first, second in zip(*run.weights, strict=True)]
    share = np.concatenate([end / end.sum() / len(parts) for _, end, _ in parts])
    kinds, which = np.unique(np.concatenate([found for found, _, _ in parts]), axis=0, return_inverse=True)
    return kinds, np.bincount(which.ravel(), share)


def removals(task: fs.Task) -> np.ndarray:
    """Top singular value of Σyx without one input or one output, by the one with all: interlacing says ≤ 1.

    None if Σyx is 0, as on XOR.
    """
    whole = task.y.T @ task.x
    top = np.linalg.norm(whole, 2)
    if not top:
        return np.zeros(0)
    parts = [np.delete(whole, k, axis) for axis in (0, 1) for k in range(whole.shape[axis]) if whole.shape[axis] > 1]
    return np.array([np.linalg.norm(part, 2) for part in parts]) / top


def gatings(task: fs.Task, count: int, seed: int) -> np.ndarray:
    """Top singular value of Σyx behind random gates, by the one that is open everywhere.

    Gates of every size, implementable by a ReLU unit or not: what holds for them holds for those that are.
    """
    rng = np.random.default_rng(seed)
    open_at = rng.random((count, len(task.x))) < rng.random((count, 1))
    cross = np.einsum("gn,no,ni->goi", 1.0 * open_at, task.y, task.x)
    return np.linalg.norm(cross, 2, axis=(1, 2)) / np.linalg.norm(task.y.T @ task.x, 2)
