"""The choice of modules: groups of units whose common gates imitate the network best."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from festina.explanation._fit import features, ridge, ridge_at, with_one
from festina.explanation._view import View
from festina.interop.operation import Conv, Dense
from festina.runtime import few_threads

MAX_ROWS = 1_000
"""Rows on which groups are searched; the error is then measured on others."""

MAX_INPUTS = 24
"""Principal components of the inputs in which groups are searched."""

PROMISING = 0.25
"""Error of shared gates up to which the assignment of single units is refined: a larger one does not become small by
moving single units."""

MAX_MOVES = 60
"""Single units that are tried in another module once groups are found."""

MAX_FAILED = 8
"""Moves in a row that may fail before the search ends."""

TYPICAL = 4
"""Units whose gates are taken to choose the penalty of the search."""

SWEEPS = 12
"""Rounds of reassignment; each search stops earlier when nothing improves."""


ITERATIONS = 200
"""Steps of non-negative factorisation: after these, its error changed by less than a hundredth where tried."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """Units in modules.

    Attributes:
        labels: the module of every unit, −1 for units that belong to none.
        count: number of modules.
        score: what the search minimised.
    """

    labels: np.ndarray
    count: int
    score: float


def vote(on: np.ndarray, weight: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    """Gates of modules, (rows, modules): on where units with more than half of the module's weight are on."""
    chosen = np.zeros((len(labels), count))
    members = labels >= 0
    chosen[members, labels[members]] = weight[members]
    total = chosen.sum(axis=0)
    share = on.astype(float) @ np.divide(chosen, total, out=np.zeros_like(chosen), where=total > 0)
    return share > 0.5


def clusters(rows: np.ndarray, weight: np.ndarray, count: int, seed: int) -> np.ndarray:
    """k-means, each row with a weight."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    with few_threads(), warnings.catch_warnings():
        # fewer different rows than clusters leave some of these empty, which is allowed
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(count, n_init=cast(Any, 1), random_state=seed).fit(rows, sample_weight=weight)
    return np.asarray(found.labels_)


def by_gates(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """Units clustered by their gates, weighted by contribution; None if they have fewer different gates."""
    alive = view.alive
    gates = view.on[rows][:, alive].T
    different, which = np.unique(np.packbits(gates, axis=1), axis=0, return_inverse=True)
    if len(different) < count:
        return None
    weight = np.bincount(which.ravel(), view.contribution[alive])
    firsts = np.unique(which.ravel(), return_index=True)[1]
    return view.label(clusters(gates[firsts].astype(float), weight, count, seed)[which.ravel()])


def by_deviations(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """Units clustered by when they are on more than usual: gates less their mean, of unit variance."""
    alive = view.alive
    if len(alive) < count:
        return None
    gates = view.on[rows][:, alive].astype(float)
    spread = gates.std(axis=0)
    scaled = (gates - gates.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return view.label(clusters(scaled.T, view.contribution[alive], count, seed))


def share_gates(view: View, rows: np.ndarray, labels: np.ndarray, count: int) -> Grouping:
    """Reassign units so that switching each by its module's gate changes the outputs least.

    Minimises Σ_i ‖Σ_j (on_ij − g_{m(j) i}) h_ij v_j‖² over the assignments m(j), one unit at a time, until nothing
    improves. Here v_j is the unit's direction in the metric and g_m the vote of the module's units.
    """
    pre, on, metric = view.pre[rows], view.on[rows].astype(float), view.metric
    keep = 1 - view.activation.slope
    norms = (metric**2).sum(axis=1)
    best = Grouping(labels, count, np.inf)
    current = labels.copy()
    for _ in range(SWEEPS):
        gates = vote(on, view.contribution, current, count).astype(float)
        wrong = keep * (on - gates[:, current]) * pre
        wrong[:, np.delete(np.arange(wrong.shape[1]), view.alive)] = 0
        residual = wrong @ metric
        score = float((residual**2).sum())
        if score < best.score * (1 - 1e-9):
            best = Grouping(current.copy(), count, score)
        else:
            break
        if score == 0:
            break
        for unit in view.alive:
            without = residual - np.outer(wrong[:, unit], metric[unit])
            choices = keep * (on[:, unit : unit + 1] - gates) * pre[:, unit : unit + 1]
            costs = 2 * (without @ metric[unit]) @ choices + norms[unit] * (choices**2).sum(axis=0)
            chosen = int(np.argmin(costs))
            wrong[:, unit] = choices[:, chosen]
            residual = without + np.outer(wrong[:, unit], metric[unit])
            current[unit] = chosen
    return best


@dataclass(frozen=True, eq=False)
class Search:
    """Groups of units whose gates, each with a linear map of its own, fit the layer's effect on the outputs best.

    Attributes:
        on: gates of the units, (rows, units).
        weight: contributions.
        inputs: principal components of the layer's inputs and a one.
        rest: the effect on the outputs that no linear map of the inputs explains.
        alive: units that are not silent.
        penalty: the penalty of the ridge regression, as cross-validation chooses it for the gates of the strongest
            units.
    """

    on: np.ndarray
    weight: np.ndarray
    inputs: np.ndarray
    rest: np.ndarray
    alive: np.ndarray
    penalty: float

    @classmethod
    def of(cls, view: View, rows: np.ndarray) -> Search:
        """On these rows of a layer."""
        given = view.inputs[rows]
        centred = given - given.mean(axis=0)
        vectors = np.linalg.eigh(centred.T @ centred)[1]
        inputs = with_one(centred @ vectors[:, ::-1][:, :MAX_INPUTS])
        effect = view.activity[rows] @ view.metric
        found = ridge(with_one(centred), effect)
        base = with_one(centred)
        matrix = base.T @ found.coefficients if found.dual else found.coefficients
        rest, alive = effect - base @ matrix, view.alive
        # the gates of the units that contribute most stand for those of modules
        strongest = alive[np.argsort(view.contribution[alive])[::-1][:TYPICAL]]
        penalty = ridge(features(inputs, view.on[rows][:, strongest].astype(float)), rest).penalty
        return cls(view.on[rows], view.contribution, inputs, rest, alive, penalty)

    def improve(self, labels: np.ndarray, count: int) -> Grouping:
        """Alternate between the maps, given gates, and the units of each gate, given maps.

        With maps W_m fixed, opening module m at point i lowers the squared error by
        b_mi = 2 r_i·W_m h_i − ‖W_m h_i‖², r_i the residual without the module. Each unit goes to the module whose
        b agrees best with where the unit is on; the vote of its units is then the gate.
        """
        best, current = Grouping(labels, count, np.inf), labels
        worse = 0
        for _ in range(SWEEPS):
            gates, maps, score = self._fit(current, count)
            if score < best.score:
                best, worse = Grouping(current.copy(), count, score), 0
            else:
                worse += 1
            if worse > 2:
                break
            benefit = self._benefit(gates, maps, count)
            scale = np.maximum(np.abs(benefit).sum(axis=0), np.finfo(float).tiny)
            current = current.copy()
            signs = 2.0 * self.on[:, self.alive] - 1.0
            current[self.alive] = np.argmax(signs.T @ benefit / scale, axis=1)
        return best

    def refine(self, found: Grouping) -> Grouping:
        """Move single units between modules as long as that lowers the error; the moves that promise most come first.

        A move promises the change of both modules' gates times the gain from opening them (b in ``improve``). It is
        kept if the error, with all maps fitted again, is lower.
        """
        best, count = found, found.count
        failed: set[tuple[int, int]] = set()
        promise = np.zeros((0, count))
        for _ in range(MAX_MOVES):
            if not failed:
                gates, maps, _ = self._fit(best.labels, count)
                promise = self._promise(gates, self._benefit(gates, maps, count), best.labels, count)
            for unit, k in failed:
                promise[self.alive.searchsorted(unit), k] = -np.inf
            row, k = np.unravel_index(int(np.argmax(promise)), promise.shape)
            if not promise[row, k] > 0 or len(failed) > MAX_FAILED:
                break
            labels = best.labels.copy()
            labels[self.alive[row]] = k
            score = self._fit(labels, count)[2]
            if score < best.score:
                best = Grouping(labels, count, score)
                failed.clear()
            else:
                failed.add((int(self.alive[row]), int(k)))
        return best

    def _fit(self, labels: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Gates, maps and the cross-validation error of a grouping."""
        gates = vote(self.on, self.weight, labels, count).astype(float)
        maps, score = ridge_at(features(self.inputs, gates), self.rest, self.penalty)
        return gates, maps, score

    def _benefit(self, gates: np.ndarray, maps: np.ndarray, count: int) -> np.ndarray:
        """How much opening each module at each row lowers the squared error, (rows, modules)."""
        width = self.inputs.shape[1]
        parts = [self.inputs @ maps[width * (k + 1) : width * (k + 2)] for k in range(count)]
        residual = self.rest - self.inputs @ maps[:width] - sum(gates[:, [k]] * parts[k] for k in range(count))
        alone = [residual + gates[:, [k]] * part for k, part in enumerate(parts)]
        return np.stack([((2 * a - p) * p).sum(axis=1) for a, p in zip(alone, parts, strict=True)], axis=1)

    def _promise(self, gates: np.ndarray, benefit: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
        """Expected decrease of the squared error by moving each unit to each module, (units alive, modules)."""
        open_weight = np.zeros((len(self.on), count))
        total = np.zeros(count)
        for k in range(count):
            members = labels == k
            open_weight[:, k] = self.on[:, members] @ self.weight[members]
            total[k] = self.weight[members].sum()
        found = np.full((len(self.alive), count), -np.inf)
        for row, unit in enumerate(self.alive):
            own, on, weight = labels[unit], self.on[:, unit], self.weight[unit]
            joined = open_weight + weight * on[:, None] > 0.5 * (total + weight)
            found[row] = ((joined - gates) * benefit).sum(axis=0)
            if own >= 0:
                left = open_weight[:, own] - weight * on > 0.5 * (total[own] - weight)
                found[row] += ((left - gates[:, own]) * benefit[:, own]).sum()
                found[row, own] = -np.inf
        return found


def by_activity(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """Non-negative matrix factorisation of the activity; a unit belongs to the factor on which it loads most."""
    from sklearn.decomposition import NMF
    from sklearn.exceptions import ConvergenceWarning

    alive = view.alive
    activity = np.maximum(view.activity[rows][:, alive], 0.0)
    if min(activity.shape) < count or not activity.any():
        return None
    with few_threads(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = NMF(cast(Any, count), init="nndsvda", max_iter=ITERATIONS, random_state=seed).fit(activity).components_
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    return view.label(np.argmax(found / np.where(norms > 0, norms, 1.0), axis=0))


def by_weights(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """k-means on the direction of incoming and outgoing weights."""
    alive = view.alive
    own = next((s for s in reversed(view.chain.before(view.layer)) if isinstance(s, Dense | Conv)), None)
    if own is None or len(alive) < count:
        return None
    incoming = own.matrix if isinstance(own, Dense) else own.kernel.reshape(len(own.kernel), -1)
    parts = [part[alive] for part in (np.column_stack([incoming, own.bias]), view.metric)]
    scaled = np.hstack([p / np.maximum(np.linalg.norm(p, axis=1, keepdims=True), np.finfo(float).tiny) for p in parts])
    return view.label(clusters(scaled, view.contribution[alive], count, seed))


def regions(inputs: np.ndarray, train: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Gates that divide the inputs into clusters found by k-means: one region each, (rows, regions)."""
    from sklearn.cluster import KMeans

    with few_threads():
        found = KMeans(min(count, len(np.unique(inputs[train], axis=0))), n_init=cast(Any, 3), random_state=seed).fit(
            inputs[train]
        )
        which = found.predict(inputs)
    return np.eye(len(found.cluster_centers_), dtype=bool)[which]
