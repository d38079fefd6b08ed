"""What ``winners`` measures of networks that are predicted from their own initial weights, and its claims on them.

The measures are those of ``_winners``, network by network: a network's predicted modules against that network alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim
from festina.papers._claim import Baseline
from festina.papers._seeds import mean
from festina.papers.experiments._winners import DEAD, ON, REALISED, TOLERANCE, Score, score

if TYPE_CHECKING:
    from festina.papers.experiments.winners import Curves

SOURCE = "theory of units; kunin2025"
PREDICTED = "one trained network predicting another"


@dataclass(frozen=True, eq=False)
class OwnScore(Score):
    """A score, and the share of the trained contribution in units that end in the pattern predicted for that unit.

    ``each`` is every network by itself, (seeds, 4): precision, recall, that share, order.
    """

    assigned: float
    each: np.ndarray


def own_score(own: fs.Trajectory, run: fs.Trajectory, x: np.ndarray) -> OwnScore:
    """Networks predicted from their own weights against the same networks, trained; means over networks."""
    found: list[Score] = []
    each = []
    predicted: Any = fs.relu.final_modules(own, threshold=ON)
    ends = [[layer[:, -1] for layer in part.weights] for part in (own, run)]
    for k, modules in enumerate(predicted):
        kept = [module for module in modules if module.share >= REALISED]
        patterns, times = np.array([m.pattern for m in kept]), np.array([m.time for m in kept])
        one = score(patterns, times, run, x, [k])
        assigned = assigned_share(ends[0][0][k], ends[0][1][k], ends[1][0][k], ends[1][1][k], x)
        found.append(one)
        each.append([one.precision, one.recall, assigned, one.order])
    agreeing, disagreeing = sum(one.agreeing for one in found), sum(one.disagreeing for one in found)
    precision, recall, share, _ = np.array(each).mean(axis=0)
    return OwnScore(float(precision), float(recall), np.zeros(0), agreeing, disagreeing, float(share), np.array(each))


def over_seeds(curves: Curves, what: int) -> tuple[float, float]:
    """Mean over random tasks of one column of ``OwnScore.each``, and its standard error over the networks' seeds."""
    scores: Any = [case.scores["own"] for case in curves.cases if case.family == "random"]
    by_task = np.array([score.each[:, what] for score in scores])
    return mean(np.nanmean(by_task, axis=0))


def assigned_share(w: np.ndarray, a: np.ndarray, w_trained: np.ndarray, a_trained: np.ndarray, x: np.ndarray) -> float:
    """Share of what trained units contribute that is in units whose pattern is the one predicted for them.

    Two patterns are the same when they differ in at most ``TOLERANCE`` of the data points. A unit that contributes less
    than ``DEAD`` of what the largest of its network does has no pattern.
    """
    patterns, sizes = [], []
    for first, second in ((w, a), (w_trained, a_trained)):
        activity = np.maximum(first @ x.T, 0.0)
        size = np.linalg.norm(activity, axis=1) * np.linalg.norm(second, axis=0)
        patterns.append(activity > ON * activity.max(axis=1, keepdims=True))
        sizes.append(np.where(size > DEAD * size.max(), size, 0.0))
    same = (patterns[0] != patterns[1]).sum(axis=1) <= int(TOLERANCE * len(x))
    return float(sizes[1][same & (sizes[0] > 0)].sum() / sizes[1].sum())


own_claims: tuple[Claim[Curves], ...] = (
    Claim(
        "own_precision",
        "On random tasks gating patterns that are predicted from a network's own initial weights are found in that "
        "network once it is trained (share of predicted patterns, mean over tasks).",
        lambda c: over_seeds(c, 0),
        0.95,
        ">=",
        kind="extension",
        source=SOURCE,
        reason="nineteen patterns in twenty",
        baseline=Baseline(PREDICTED, lambda c: c.mean("precision", "seeds", "random")[0]),
    ),
    Claim(
        "own_recall",
        "On random tasks what a trained network puts out comes from units whose gating patterns were predicted from "
        "its own initial weights (share, mean over tasks).",
        lambda c: over_seeds(c, 1),
        0.95,
        ">=",
        kind="extension",
        source=SOURCE,
        reason="nineteen parts in twenty",
        baseline=Baseline(PREDICTED, lambda c: c.mean("recall", "seeds", "random")[0]),
    ),
    Claim(
        "own_units",
        "On random tasks each unit ends in the gating pattern that is predicted for it from the network's own initial "
        "weights (share of what units contribute, mean over tasks).",
        lambda c: over_seeds(c, 2),
        0.9,
        ">=",
        kind="extension",
        source=SOURCE,
        reason="nine parts in ten",
    ),
    Claim(
        "own_order",
        "On random tasks a network learns its gating patterns in the order that is predicted from its own initial "
        "weights (Kendall's τ over the pairs of patterns of a network, mean over tasks).",
        lambda c: over_seeds(c, 3),
        0.9,
        ">=",
        kind="extension",
        source=SOURCE,
        reason="nineteen pairs in twenty in the same order",
        baseline=Baseline(PREDICTED, lambda c: c.order("seeds", "random")[0]),
    ),
)
