"""Other ways to group a layer: what modules are compared with."""

from __future__ import annotations

import warnings
from typing import Any, cast

import numpy as np

from festina.explanation._group import clusters, silent
from festina.explanation._view import View
from festina.interop.operation import Conv, Dense

ITERATIONS = 200
"""Of non-negative factorisation: its error changes by less than a hundredth after that on the networks tried."""


def by_activity(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """Non-negative matrix factorisation of the activity; a unit belongs to the factor on which it loads most."""
    from sklearn.decomposition import NMF
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    alive = np.flatnonzero(~silent(view))
    activity = np.maximum(view.activity[rows][:, alive], 0.0)
    if min(activity.shape) < count or not activity.any():
        return None
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = NMF(cast(Any, count), init="nndsvda", max_iter=ITERATIONS, random_state=seed).fit(activity).components_
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    labels = np.full(len(view.contribution), -1)
    labels[alive] = np.argmax(found / np.where(norms > 0, norms, 1.0), axis=0)
    return labels


def by_weights(view: View, rows: np.ndarray, count: int, seed: int) -> np.ndarray | None:
    """k-means on the direction of incoming and outgoing weights."""
    alive = np.flatnonzero(~silent(view))
    own = next((s for s in reversed(view.chain.before(view.layer)) if isinstance(s, Dense | Conv)), None)
    if own is None or len(alive) < count:
        return None
    incoming = own.matrix if isinstance(own, Dense) else own.kernel.reshape(len(own.kernel), -1)
    parts = [part[alive] for part in (np.column_stack([incoming, own.bias]), view.metric)]
    scaled = np.hstack([p / np.maximum(np.linalg.norm(p, axis=1, keepdims=True), np.finfo(float).tiny) for p in parts])
    labels = np.full(len(view.contribution), -1)
    labels[alive] = clusters(scaled, view.contribution[alive], count, seed)
    return labels


def regions(inputs: np.ndarray, train: np.ndarray, count: int, seed: int) -> np.ndarray:
    """Gates that divide the inputs into clusters found by k-means: one region each, (rows, regions)."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        found = KMeans(min(count, len(np.unique(inputs[train], axis=0))), n_init=cast(Any, 3), random_state=seed).fit(
            inputs[train]
        )
        which = found.predict(inputs)
    return np.eye(len(found.cluster_centers_), dtype=bool)[which]
