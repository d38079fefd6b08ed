"""Gated linear maps fitted to the activity of a layer, measured on data points that the fit has not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

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


@dataclass(frozen=True, eq=False)
class Ridge:
    """Ridge regression of ``targets`` on ``features`` with the penalty of least generalised cross-validation error.

    GCV = (1/N) Σ‖r‖² / (1 − tr S/N)², S the smoother matrix. Computed in the smaller of feature and point space.

    Attributes:
        coefficients: (features, outputs), or (points, outputs) of the dual problem.
        score: the GCV error at the chosen penalty.
        dual: whether coefficients belong to points.
        penalty: the chosen one, relative to the mean squared norm of the features.
    """

    coefficients: np.ndarray
    score: float
    dual: bool
    penalty: float


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


def ridge(features: np.ndarray, targets: np.ndarray, *, guide: np.ndarray | None = None, kernel: bool = False) -> Ridge:
    """Fit; ``guide`` is what the penalty is chosen for (the targets, by default); with ``kernel`` the features are the
    Gram matrix of the points."""
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
    return Ridge(vectors @ (projected / (values + chosen)[:, None]), float(best), dual, chosen / scale)


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
            found = ridge(features(self.given, opened), self.rest, guide=self.guide).coefficients
            parts = [features(self.wanted[i : i + BATCH], asked[i : i + BATCH]) @ found for i in self._starts]
        else:
            found = ridge(self.gram * (1 + opened @ opened.T), self.rest, guide=self.guide, kernel=True).coefficients
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
        inputs: the inputs of the layer, (rows, inputs).
        activity: what is imitated, (rows, units).
        metric: (units, directions): the activity as the outputs see it; the penalty is chosen in it.
        folds: pairs of rows for fitting and rows for measuring.
        outputs: the outputs of the network at the points that are measured, in the order of the folds.
        finish: from activity at the measured rows to outputs; they are compared in ``frame``.
        frame: what matters in the outputs.
    """

    inputs: np.ndarray
    activity: np.ndarray
    metric: np.ndarray
    folds: tuple[tuple[np.ndarray, np.ndarray], ...]
    outputs: np.ndarray
    finish: Callable[[np.ndarray], np.ndarray]
    frame: np.ndarray

    @cached_property
    def _folds(self) -> list[Fold]:
        found = []
        for rows, test in self.folds:
            base = with_one(self.inputs[rows[:MAX_LINEAR]])
            activity = self.activity[rows[:MAX_LINEAR]]
            fit = ridge(base, activity, guide=activity @ self.metric)
            linear = base.T @ fit.coefficients if fit.dual else fit.coefficients
            train = rows[:MAX_FIT]
            given, wanted = with_one(self.inputs[train]), with_one(self.inputs[test])
            rest = self.activity[train] - given @ linear
            found.append(Fold(train, test, given, wanted, wanted @ linear, rest, rest @ self.metric))
        return found

    def predict(self, gates: np.ndarray) -> np.ndarray:
        """The imitated activity at the measured rows; ``gates`` (rows, modules)."""
        return np.concatenate([fold.predict(gates) for fold in self._folds])

    def errors(self, gates: np.ndarray) -> np.ndarray:
        """Squared errors of the outputs per test point, relative to their mean squared distance from their mean."""
        found = self.finish(self.predict(gates)) @ self.frame
        wanted = self.outputs @ self.frame
        spread = float(((wanted - wanted.mean(axis=0)) ** 2).sum(axis=1).mean())
        return ((found - wanted) ** 2).sum(axis=1) / max(spread, np.finfo(float).tiny)

    def error(self, gates: np.ndarray | None = None) -> float:
        """Share of the outputs' variance that is missed; without gates, by the best linear map."""
        return float(self.errors(np.zeros((len(self.inputs), 0)) if gates is None else gates).mean())
