"""Computations of ``turning``: a context task in eight numbers, representative units, units alone.

Data points are ordered context by context, the items of a tree within each. Exchanging contexts, or the two halves of
any branch of the tree, changes nothing. So the residual of very many random units is Σ ρ_k P_k y with eight numbers.
P_k projects functions of the data points onto one level of the tree (mean, halves, pairs, single items). It also takes
either the mean over contexts or the differences between them. At the data points a unit is h = x w and b = y a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np

import festina as fs

GROWN = 0.01  # representatives are chosen when the loss of random units that grow has fallen by this share
POWER = 1.5  # units count with their squared length to this power when clustered, as in ``fs.relu.UnitGrowth(units=…)``
CLOSED = 0.05  # a gate is closed where a unit's activity is below this share of its largest
IDLE = 0.01  # units that contribute less than this share of what the largest does are left out
LINEAR = 5  # how many of the eight functions a linear network learns; they come first


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The task and its eight projections: four levels in common, the mean by context, three that need gates.

    ``into`` and ``out`` are the pseudo-inverses of inputs and targets.
    """

    task: fs.Task
    contexts: int
    projections: np.ndarray
    into: np.ndarray
    out: np.ndarray

    @classmethod
    def of(cls, task: fs.Task, contexts: int) -> Symmetry:
        """Levels of the tree are the eigenspaces of the targets' scalar products in one context."""
        items = len(task.x) // contexts
        values, vectors = np.linalg.eigh(task.y[:items] @ task.y[:items].T)
        ends = [0, *(np.flatnonzero(np.diff(values) > 1e-6 * values[-1]) + 1), items]
        levels = [vectors[:, i:j] @ vectors[:, i:j].T for i, j in pairwise(ends)][::-1]
        same = np.ones((contexts, contexts)) / contexts
        differ = np.eye(contexts) - same
        found = [np.kron(same, level) for level in levels] + [np.kron(differ, level) for level in levels]
        return cls(task, contexts, np.array(found), np.linalg.pinv(task.x), np.linalg.pinv(task.y))

    def amplitudes(self, residual: np.ndarray) -> np.ndarray:
        """The eight numbers of a residual (…, points, outputs), averaged over all its images."""
        seen = residual @ self.out
        return seen.reshape(*seen.shape[:-2], -1) @ self._traces

    def residual(self, amplitudes: np.ndarray) -> np.ndarray:
        """(…, points, outputs) from (…, 8)."""
        found = amplitudes @ self._parts.reshape(len(self._parts), -1)
        return found.reshape(*amplitudes.shape[:-1], *self.task.y.shape)

    @cached_property
    def _parts(self) -> np.ndarray:
        """P_k y, (8, points, outputs)."""
        return self.projections @ self.task.y

    @cached_property
    def _traces(self) -> np.ndarray:
        """Contribution of the entries of a matrix A (points, points) to Tr P_k A / rank P_k, (points², 8)."""
        rank = np.einsum("kii->k", self.projections)
        return (self.projections.swapaxes(1, 2).reshape(len(rank), -1) / rank[:, None]).T

    def loss(self, amplitudes: np.ndarray) -> np.ndarray:
        """Half the mean squared residual."""
        return amplitudes**2 @ (self._parts**2).sum(axis=(1, 2)) / (2 * len(self.task.x))

    def moments(self, h: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Second moments of units and their images, (8, 2, 2): of h and b in each of the eight spaces."""
        seen = np.stack([h, b]).reshape(2, -1)
        return np.array([seen @ np.stack([h @ p, b @ p]).reshape(2, -1).T for p in self.projections])

    def match(self, h: np.ndarray, b: np.ndarray, moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Few units, changed as little as possible in each of the eight spaces, so that they have these moments."""
        seen, found = np.stack([h, b]), np.zeros((2, *h.shape))
        for own, wanted, projection in zip(self.moments(h, b), moments, self.projections, strict=True):
            root = _root(wanted)
            turn = root @ np.linalg.pinv(_root(root @ own @ root), hermitian=True) @ root
            found += np.tensordot(turn, seen @ projection, 1)
        return found[0], found[1]

    def canonical(self, h: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each unit the image whose contexts, and whose branches everywhere, are in descending order."""
        found = np.empty((2, *h.shape))
        for j, (one, other) in enumerate(zip(h, b, strict=True)):
            table = one.reshape(self.contexts, -1)
            rows, columns = np.argsort(-table.mean(axis=1)), _sorted(table.mean(axis=0), np.arange(table.shape[1]))
            for part, values in enumerate((table, other.reshape(self.contexts, -1))):
                found[part, j] = values[np.ix_(rows, columns)].ravel()
        return found[0], found[1]

    def learned(self) -> np.ndarray:
        """Singular value of the least-squares linear map in each of the spaces that a linear network learns."""
        return np.array([np.linalg.norm(self.into @ p @ self.task.y, 2) for p in self.projections[:LINEAR]])


def _root(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def _sorted(level: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Items of a tree with the branch of larger mean first, at every branch."""
    if len(items) == 1:
        return items
    first, second = (_sorted(level, part) for part in np.split(items, 2))
    return np.concatenate([first, second] if level[first].mean() >= level[second].mean() else [second, first])


def representatives(
    symmetry: Symmetry, w: np.ndarray, a: np.ndarray, counts: Sequence[int]
) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each count, that many units that stand for units w (n, inputs), a (n, outputs) and all their images.

    Units that are on everywhere are brought into their canonical position and clustered by direction. Each space that a
    linear network learns is measured in units of its final strength. The second moments of all are kept. If fewer units
    are on everywhere, only these are used.
    """
    from sklearn.cluster import KMeans

    x, y, linear = symmetry.task.x, symmetry.task.y, symmetry.projections[:LINEAR]
    h, b = w @ x.T, a @ y.T
    moments, everywhere = symmetry.moments(h, b), (h > 0).all(axis=1)
    seen, scales, found = [], [], []
    for values, back in zip(
        symmetry.canonical(h[everywhere], b[everywhere]), (symmetry.into, symmetry.out), strict=True
    ):
        parts = values @ linear @ back.T
        scales.append(np.sqrt(symmetry.learned() / np.maximum((parts**2).sum(axis=(1, 2)), np.finfo(float).tiny)))
        seen.append(np.tensordot(scales[-1], parts, 1))
    rows = np.hstack(seen)
    length = np.linalg.norm(rows, axis=1)
    for units in (min(count, len(rows)) for count in counts):
        clustering = KMeans(units, n_init=cast(Any, 4), random_state=0)
        label = clustering.fit(rows / length[:, None], sample_weight=length ** (2 * POWER)).labels_
        means = np.array([_direction(rows[label == k]) for k in range(units)])
        few = []
        for values, scale in zip((means[:, : x.shape[1]] @ x.T, means[:, x.shape[1] :] @ y.T), scales, strict=True):
            few.append(np.tensordot(1 / scale, values @ linear, 1))
        h, b = symmetry.match(few[0], few[1], moments)
        found.append((h @ symmetry.into.T, b @ symmetry.out.T))
    return found


def _direction(members: np.ndarray) -> np.ndarray:
    """Direction of the first singular vector of the members, with their total length."""
    _, s, right = np.linalg.svd(members, full_matrices=False)
    return np.copysign(np.linalg.norm(s), (members @ right[0]).sum()) * right[0]


def follow(
    symmetry: Symmetry, w: np.ndarray, a: np.ndarray, rate: float, steps: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradient descent of representative units: amplitudes (steps, 8), w and a in the end."""
    x, count = symmetry.task.x, len(symmetry.task.x)
    found, wanted = [], set(steps.tolist())
    for step in range(int(steps[-1]) + 1):
        activity = np.maximum(w @ x.T, 0.0)
        left = 1 - symmetry.amplitudes(activity.T @ a)
        if step in wanted:
            found.append(left)
        r = symmetry.residual(left) / count
        w, a = w + rate * ((a @ r.T) * (activity > 0)) @ x, a + rate * activity @ r
    return np.array(found), w, a


def turn(
    symmetry: Symmetry, w: np.ndarray, a: np.ndarray, rate: float, steps: np.ndarray, amplitudes: np.ndarray
) -> np.ndarray:
    """Units, each alone in a residual whose amplitudes are given at ``steps``: their gates there, (steps, units, N)."""
    x, count = symmetry.task.x, len(symmetry.task.x)
    residuals, found, asked = symmetry.residual(amplitudes) / count, [], 0
    for step in range(int(steps[-1]) + 1):
        activity = np.maximum(w @ x.T, 0.0)
        if step == steps[asked]:
            found.append(gates(activity))
            asked += 1
            if asked == len(steps):
                break
        part = (step - steps[asked - 1]) / (steps[asked] - steps[asked - 1])
        r = (1 - part) * residuals[asked - 1] + part * residuals[asked]
        w, a = w + rate * ((a @ r.T) * (activity > 0)) @ x, a + rate * activity @ r
    return np.array(found)


def gates(activity: np.ndarray) -> np.ndarray:
    """True where a unit is on, (…, units, N)."""
    return activity > CLOSED * np.maximum(activity.max(axis=-1, keepdims=True), np.finfo(float).tiny)


def closings(on: np.ndarray) -> np.ndarray:
    """The observation from which on each gate (observations, units, N) is closed for good; −1 where it is not."""
    last = len(on) - 1 - np.argmax(on[::-1], axis=0)
    return np.where(on.any(axis=0) & (last < len(on) - 1), last + 1, -1)


def closed_gates(
    symmetry: Symmetry, weights: list[np.ndarray], rate: float, steps: np.ndarray, amplitudes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gates of one network that close for good after it was on everywhere: predicted, trained, and what they weigh."""
    activity = np.maximum(weights[0] @ symmetry.task.x.T, 0.0)
    size = np.linalg.norm(activity[-1], axis=1) * np.linalg.norm(weights[1][-1], axis=0)
    large = size > IDLE * size.max()
    on = gates(activity[:, large])
    plateau = int(np.argmax(on.mean(axis=(1, 2))))
    alone = turn(symmetry, weights[0][0][large], weights[1][0][:, large].T, rate, steps, amplitudes)
    found = [np.where(at >= 0, at + plateau, -1) for at in (closings(g[plateau:]) for g in (alone, on))]
    return found[0], found[1], np.broadcast_to(size[large][:, None], found[0].shape)
