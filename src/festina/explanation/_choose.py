"""Which modules a layer has, how many, and how their error compares with baselines."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from festina.explanation._network import View
from festina.interop.operation import Conv, Dense
from festina.runtime import few_threads, progress

PENALTIES = np.logspace(-8, 1, 19)
"""Ridge penalties tried, relative to the mean squared norm of the features; generalised cross-validation chooses."""

RANK = 1e-13
"""Eigenvalues below this share of the largest are rounding error."""

MIN_FREE = 0.02
"""Share of the degrees of freedom that a fit has to leave, or its cross-validation error is rounding error."""

MAX_LINEAR = 20_000
"""Data points from which the best linear map is fitted: enough for a thousand inputs."""

BATCH = 4096
"""Rows for which features are made at once."""

MAX_KEPT = 10_000_000
"""Inner products that are kept from one grouping to the next (80 MB)."""

MAX_FIT = 1_200
"""Data points from which gated maps are fitted: where features are more, the cost grows with their cube."""


def ridge_at(features: np.ndarray, targets: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """Coefficients (features, outputs) and GCV error at a given relative penalty; much faster than choosing it."""
    from scipy.linalg import cho_factor, cho_solve

    count, width = features.shape
    gram = features.T @ features
    added = penalty * max(float(np.trace(gram)) / count, np.finfo(float).tiny)
    factor = cho_factor(gram + added * np.eye(width), lower=True, check_finite=False)
    inverse = cho_solve(factor, np.eye(width), check_finite=False)
    found = inverse @ (features.T @ targets)
    free = max(1 - (width - added * float(np.trace(inverse))) / count, MIN_FREE)
    return found, float(((targets - features @ found) ** 2).sum()) / count / free**2


def ridge(
    features: np.ndarray, targets: np.ndarray, *, guide: np.ndarray | None = None, kernel: bool = False
) -> tuple[np.ndarray, float]:
    """Coefficients (features, outputs), and the penalty of least generalised cross-validation error that they have.

    GCV = (1/N) Σ‖r‖² / (1 − tr S/N)², S the smoother matrix. Computed in the smaller of feature and point space. The
    penalty is relative to the mean squared norm of the features. ``guide`` is what it is chosen for (the targets, by
    default). With ``kernel`` the features are the Gram matrix of the points, and coefficients belong to points.
    """
    count = len(targets)
    guide = targets if guide is None else guide
    dual = kernel or features.shape[1] > count
    gram = features if kernel else features @ features.T if dual else features.T @ features
    values, vectors = np.linalg.eigh(gram)
    values = np.maximum(values, 0.0)
    scale = max(float(values.sum()) / count, np.finfo(float).tiny)
    whole = values > values.max() * RANK
    # power of the guide along the left singular vectors of the features
    seen = vectors.T @ (guide if dual else features.T @ guide)
    along = (seen**2).sum(axis=1)
    if not dual:
        along = np.divide(along, values, out=np.zeros_like(along), where=whole)
    outside = max(float((guide**2).sum()) - float(along.sum()), 0.0)
    best, chosen = np.inf, PENALTIES[-1] * scale
    for penalty in PENALTIES * scale:
        shrink = values / (values + penalty)
        free = 1 - float(shrink.sum()) / count
        if free > MIN_FREE:
            score = (outside + float((along * (1 - shrink) ** 2).sum())) / count / free**2
            if score < best:
                best, chosen = score, penalty
    projected = vectors.T @ (targets if dual else features.T @ targets)
    found = vectors @ (projected / (values + chosen)[:, None])
    return features.T @ found if dual and not kernel else found, chosen / scale


def features(inputs: np.ndarray, gates: np.ndarray) -> np.ndarray:
    """[h, g_1 h, …, g_K h], inputs with a column of ones."""
    return np.hstack([inputs, *(gates[:, k : k + 1] * inputs for k in range(gates.shape[1]))])


def with_one(h: np.ndarray) -> np.ndarray:
    """Inputs with a column of ones."""
    return np.hstack([h, np.ones((len(h), 1))])


@dataclass(frozen=True, eq=False)
class Fold:
    """One division of the rows: what does not depend on the gates is computed once for all groupings.

    Attributes:
        train, test: rows.
        given, wanted: inputs at these rows, with a column of ones.
        linear: what the best linear map gives at the test rows.
        rest: what it leaves of the activity at the training rows; ``guide`` as the outputs see it.
    """

    train: np.ndarray
    test: np.ndarray
    given: np.ndarray
    wanted: np.ndarray
    linear: np.ndarray
    rest: np.ndarray
    guide: np.ndarray

    @cached_property
    def gram(self) -> np.ndarray:
        """Inner products of the training inputs."""
        return self.given @ self.given.T

    @cached_property
    def cross(self) -> np.ndarray | None:
        """Inner products of test and training inputs, where memory allows to keep them."""
        return self.wanted @ self.given.T if len(self.wanted) * len(self.given) <= MAX_KEPT else None

    def predict(self, gates: np.ndarray) -> np.ndarray:
        """Activity at the test rows with a map for each gate; ``gates`` (rows, modules)."""
        if not gates.shape[1]:
            return self.linear
        opened, asked = gates[self.train].astype(float), gates[self.test].astype(float)
        if self.given.shape[1] * (1 + opened.shape[1]) <= len(self.given):
            found, _ = ridge(features(self.given, opened), self.rest, guide=self.guide)
            parts = [features(self.wanted[i : i + BATCH], asked[i : i + BATCH]) @ found for i in self._starts]
        else:
            found, _ = ridge(self.gram * (1 + opened @ opened.T), self.rest, guide=self.guide, kernel=True)
            parts = [(self._cross(i) * (1 + asked[i : i + BATCH] @ opened.T)) @ found for i in self._starts]
        return self.linear + np.concatenate(parts)

    def _cross(self, start: int) -> np.ndarray:
        kept = self.cross
        rows = slice(start, start + BATCH)
        return self.wanted[rows] @ self.given.T if kept is None else kept[rows]

    @property
    def _starts(self) -> range:
        return range(0, len(self.wanted), BATCH)


@dataclass(frozen=True, eq=False)
class Imitation:
    """How well gated linear maps imitate a layer, held-out.

    activity ≈ B [h; 1] + Σ_m g_m W_m [h; 1]: B is the best linear map from all training points, then all maps are
    corrected jointly by ridge regression on the rest. Without gates it is the best linear map.

    Attributes:
        view: the layer.
        folds: divisions of its rows.
        wanted: outputs of the network at the points that are measured, in the order of the folds, in ``frame``.
        frame: what matters in the outputs.
    """

    view: View
    folds: list[Fold]
    wanted: np.ndarray
    frame: np.ndarray

    def errors(self, gates: np.ndarray) -> np.ndarray:
        """Squared errors of the outputs per test point, relative to their mean squared distance from their mean."""
        activity = np.concatenate([fold.predict(gates) for fold in self.folds])
        spread = float(((self.wanted - self.wanted.mean(axis=0)) ** 2).sum(axis=1).mean())
        apart = self.view.finish(activity) @ self.frame - self.wanted
        return (apart**2).sum(axis=1) / max(spread, np.finfo(float).tiny)

    def error(self, gates: np.ndarray | None = None) -> float:
        """Share of the outputs' variance that is missed; without gates, by the best linear map."""
        return float(self.errors(np.zeros((len(self.view.inputs), 0)) if gates is None else gates).mean())


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
    score: float = 0.0


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
        base, alive = with_one(centred), view.alive
        rest = effect - base @ ridge(base, effect)[0]
        # the gates of the units that contribute most stand for those of modules
        strongest = alive[np.argsort(view.contribution[alive])[::-1][:TYPICAL]]
        penalty = ridge(features(inputs, view.on[rows][:, strongest].astype(float)), rest)[1]
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
        weights = self.weight[:, None] * (labels[:, None] == np.arange(count))
        open_weight, total = self.on @ weights, weights.sum(axis=0)
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


MIN_HELD_OUT = 40
"""Data points from which half are held out; with fewer, every point is left out once."""

MAX_STRAY = 0.02
"""Share of a layer's contribution that units may have which fit no module: they keep their own gates."""

MISFIT = 0.02
"""Share of its power that a unit loses or gains under its module's gate from which it may count as stray."""

EXACT = 1e-9
"""Share of the outputs' variance below which an error is rounding error."""

MAX_REFINED = 256
"""Units up to which single ones are moved between modules: in a wider layer one unit changes little, and the search
would take minutes."""

MAX_SHARED = 2_000
"""Data points on which shared gates are tried."""

STABLE = 0.8
"""Agreement between seeds (adjusted Rand index) from which groups count as found."""

RANDOM_DRAWS = 5
"""Random groups of the same sizes that are drawn as a baseline."""


@dataclass(frozen=True, eq=False)
class Settings:
    """The user's choice: ``modules`` None is automatic."""

    modules: int | None
    max_modules: int
    tolerance: float
    seed: int
    restarts: int
    rivals: bool


def folds(points: int, seed: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Data points for fitting and for measuring: two halves, or, with few points, each point by all others."""
    order = np.random.default_rng(seed).permutation(points)
    if points >= MIN_HELD_OUT:
        return ((order[: points // 2], order[points // 2 :]),)
    return tuple((np.delete(order, i), order[i : i + 1]) for i in range(points))


def imitate(view: View, outputs: np.ndarray, frame: np.ndarray, seed: int) -> Imitation:
    rng, found, parts = np.random.default_rng(seed), [], folds(view.shape[0], seed)
    for points, others in parts:
        rows, test = _rows(points, view.positions), _rows(others, view.positions)
        # positions of many data points come first, since fits take the first rows
        rows = rng.permutation(rows) if view.positions > 1 else rows
        base, activity = with_one(view.inputs[rows[:MAX_LINEAR]]), view.activity[rows[:MAX_LINEAR]]
        linear, _ = ridge(base, activity, guide=activity @ view.metric)
        train = rows[:MAX_FIT]
        given, wanted = with_one(view.inputs[train]), with_one(view.inputs[test])
        rest = view.activity[train] - given @ linear
        found.append(Fold(train, test, given, wanted, wanted @ linear, rest, rest @ view.metric))
    return Imitation(view, found, outputs[np.concatenate([others for _, others in parts])] @ frame, frame)


def choose(view: View, outputs: np.ndarray, frame: np.ndarray, settings: Settings) -> tuple[Grouping, dict[str, Any]]:
    """The modules of a layer: shared gates if few suffice, else gates with fitted maps.

    With them what ``ExplainedLayer`` says of the choice, by name: the verdict, errors, their baselines and stability.
    """
    own = outputs[: view.shape[0]]
    imitation = imitate(view, own, frame, settings.seed)
    linear = min(imitation.error(), 1.0)
    enough = max(settings.tolerance * linear, EXACT)
    counts = [settings.modules] if settings.modules else list(range(1, settings.max_modules + 1))
    few = view.first(MAX_SHARED)
    shared, shared_curve, seeds = _shared(few, own[: few.shape[0]], frame, counts, settings, enough)
    if shared is not None and shared_curve[shared.count] <= enough:
        stability = _agreement(seeds, shared, view.contribution)
        baselines, spread = _baselines(view, imitation, shared, own, frame, settings, fitted=False)
        error = shared_curve[shared.count]
        # from one seed, too, there is nothing that gates which units share would have to agree with
        if _is_found(error, stability.get(shared.count, 1.0), baselines):
            told = {"verdict": "shared", "error": error, "curve": shared_curve, "shared_curve": shared_curve}
            return shared, {**told, "stability": stability, "baselines": baselines, "spread": spread}
    rows = imitation.folds[0].train[:MAX_ROWS]
    search = Search.of(view, rows)
    curve: dict[int, float] = {}
    stability = {}
    deviation: dict[int, float] = {}
    found: dict[int, Grouping] = {}
    for count in progress.track(counts, f"layer {view.layer + 1}: fitted maps"):
        best = _search(view, search, rows, count, settings)
        if not best:
            break
        found[count] = min(best, key=lambda g: g.score)
        stability |= _agreement(best, found[count], view.contribution)
        errors = imitation.errors(_gates(view, found[count]))
        curve[count] = float(errors.mean())
        deviation[count] = float(errors.std() / np.sqrt(len(errors)))
    if not found:
        found[1] = Grouping(view.label(np.zeros(len(view.alive), int)), 1, np.inf)
        curve[1], stability[1], deviation[1] = imitation.error(_gates(view, found[1])), 1.0, 0.0
    lowest = min(curve, key=lambda k: curve[k])
    chosen = min(k for k in curve if curve[k] <= curve[lowest] + deviation[lowest])
    baselines, spread = _baselines(view, imitation, found[chosen], own, frame, settings, fitted=True)
    error, most = curve[chosen], min(baselines["best linear map"], 1.0) / 2
    is_fitted = error <= most and _is_found(error, stability.get(chosen, 0.0), baselines)
    told = {"verdict": "fitted" if is_fitted else "none", "error": error, "curve": curve, "shared_curve": shared_curve}
    return found[chosen], {**told, "stability": stability, "baselines": baselines, "spread": spread}


def _is_found(error: float, agreement: float, baselines: Mapping[str, float]) -> bool:
    """Whether other seeds find the same groups, and k-means on the inputs does no better."""
    return agreement >= STABLE and error <= max(baselines["k-means on inputs"], EXACT)


def shared_error(view: View, grouping: Grouping, outputs: np.ndarray, frame: np.ndarray) -> float:
    """Share of the outputs' variance that is missed when every unit of a module is switched by its gate; units of no
    module keep their own."""
    gates = _gates(view, grouping)[:, grouping.labels]
    gates[:, grouping.labels < 0] = view.pre[:, grouping.labels < 0] > 0
    missed = (view.finish(view.activation.gated(view.pre, gates.astype(float))) - outputs) @ frame
    wanted = outputs @ frame
    spread = float(((wanted - wanted.mean(axis=0)) ** 2).sum())
    return float((missed**2).sum()) / spread if spread > 0 else 0.0


def without_strays(view: View, grouping: Grouping) -> Grouping:
    """The same groups without the units that fit their module's gate worst, as long as these contribute little."""
    gates = _gates(view, grouping)[:, grouping.labels]
    power = (view.activity**2).sum(axis=0)
    wrong = ((view.on != gates) * view.pre**2).sum(axis=0)
    misfit = np.divide(wrong, power, out=np.zeros_like(wrong), where=(grouping.labels >= 0) & (power > 0))
    share = view.contribution / view.contribution.sum()
    labels, spent = grouping.labels.copy(), 0.0
    for unit in np.argsort(-misfit, kind="stable"):
        if labels[unit] >= 0 and misfit[unit] > MISFIT and spent + share[unit] <= MAX_STRAY:
            labels[unit] = -1
            spent += share[unit]
    return replace(grouping, labels=labels)


def _gates(view: View, grouping: Grouping) -> np.ndarray:
    return vote(view.on, view.contribution, grouping.labels, grouping.count)


def _rows(points: np.ndarray, positions: int) -> np.ndarray:
    """Rows of data points: all positions of each, in order."""
    return (points[:, None] * positions + np.arange(positions)).ravel()


def _shared(
    view: View, outputs: np.ndarray, frame: np.ndarray, counts: list[int], settings: Settings, enough: float
) -> tuple[Grouping | None, dict[int, float], list[Grouping]]:
    """The fewest modules whose units share a gate within the tolerance, or the best there are."""
    rows = np.sort(np.random.default_rng(settings.seed).permutation(len(view.pre))[:MAX_ROWS])
    best: Grouping | None = None
    best_seeds: list[Grouping] = []
    curve: dict[int, float] = {}
    for count in progress.track(counts, f"layer {view.layer + 1}: shared gates"):
        tried = []
        for seed in range(settings.restarts):
            labels = by_gates(view, rows, count, settings.seed + seed)
            if labels is None:
                break
            grouping = without_strays(view, Grouping(labels, count))
            error = shared_error(view, grouping, outputs, frame)
            if enough < error <= PROMISING:
                moved = without_strays(view, share_gates(view, rows, labels, count))
                again = shared_error(view, moved, outputs, frame)
                grouping, error = (moved, again) if again < error else (grouping, error)
            tried.append((error, seed, grouping))
        if not tried:
            break
        error, _, grouping = min(tried, key=lambda one: one[:2])
        curve[count] = error
        if best is None or error < curve[best.count]:
            best, best_seeds = grouping, [one[2] for one in tried]
        if error <= enough:
            break
    return best, curve, best_seeds


def _search(view: View, search: Search, rows: np.ndarray, count: int, settings: Settings) -> list[Grouping]:
    """The best groups from each seed."""
    found = []
    for seed in range(settings.seed, settings.seed + settings.restarts):
        starts = [by_gates(view, rows, count, seed), by_deviations(view, rows, count, seed)]
        small = len(search.alive) <= MAX_REFINED
        if seed == settings.seed and small:
            starts.append(by_activity(view, rows, count, seed))
        tried = [search.improve(labels, count) for labels in starts if labels is not None]
        if tried:
            best = min(tried, key=lambda g: g.score)
            found.append(search.refine(best) if small else best)
    return found


def _agreement(seeds: list[Grouping], best: Grouping, weight: np.ndarray) -> dict[int, float]:
    """Mean agreement of other seeds' groups with the best ones, by the number of modules: the adjusted Rand index, with
    units weighted by their contribution. Nothing, if there is no other seed to agree."""
    others = [one for one in seeds if one is not best]
    if not others and best.count > 1:
        return {}
    return {best.count: float(np.mean([_rand(best.labels, one.labels, weight) for one in others])) if others else 1.0}


def _rand(a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> float:
    """Adjusted Rand index of two partitions of weighted units."""
    weight = weight / weight.sum()
    table = np.zeros((a.max() + 2, b.max() + 2))
    np.add.at(table, (a + 1, b + 1), weight)
    alone = float((weight**2).sum())
    both, first, second = ((t**2).sum() - alone for t in (table, table.sum(axis=1), table.sum(axis=0)))
    whole = 1 - alone
    chance = first * second / whole if whole > 0 else 0.0
    most = (first + second) / 2
    return float((both - chance) / (most - chance)) if most - chance > EXACT else 1.0


def _baselines(
    view: View, imitation: Imitation, grouping: Grouping, outputs: np.ndarray, frame: np.ndarray, settings: Settings,
    *, fitted: bool,
) -> tuple[dict[str, float], float]:  # fmt: skip
    """Errors of the best linear map and of other groupings with as many modules."""
    rng = np.random.default_rng(settings.seed)
    alive = np.flatnonzero(grouping.labels >= 0)

    def error(labels: np.ndarray) -> float:
        other = Grouping(labels, grouping.count)
        if fitted:
            return imitation.error(_gates(view, other))
        few = view.first(MAX_SHARED)
        return shared_error(few, other, outputs[: few.shape[0]], frame)

    rows = imitation.folds[0].train[:MAX_ROWS]
    drawn = []
    for _ in range(RANDOM_DRAWS):
        labels = grouping.labels.copy()
        labels[alive] = rng.permutation(labels[alive])
        drawn.append(error(labels))
    found = {
        "best linear map": imitation.error(),
        "random groups": float(np.mean(drawn)),
        "k-means on inputs": imitation.error(regions(view.inputs, rows, grouping.count, settings.seed)),
    }
    if settings.rivals:
        rivals = {
            "clusters of gates": by_gates,
            "clusters of weights": by_weights,
            "factors of activity": by_activity,
        }
        for name, finder in rivals.items():
            labels = finder(view, rows, grouping.count, settings.seed)
            if labels is not None:
                found[name] = error(labels)
    return found, float(np.std(drawn))
