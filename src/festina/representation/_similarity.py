"""How similar two matrices of dissimilarities are: one number per pair of matrices."""

from __future__ import annotations

import numpy as np
import scipy

from festina.analysis import RDMs
from festina.checks import check

METHODS = {
    "corr": "Pearson",
    "spearman": "Spearman",
    "tau-a": "Kendall τ-a",
    "cosine": "cosine",
    "cka": "CKA",
    "procrustes": "Procrustes",
}
"""Names of rsatoolbox where it has them, and the field's words."""


def similarity(a: RDMs, b: RDMs, method: str = "corr") -> np.ndarray:
    """Similarity of every matrix of ``a`` with every matrix of ``b``, (matrices of a, matrices of b).

    Args:
        a, b: of the same conditions in the same order; repeats follow each other.
        method: ``"corr"`` (Pearson), ``"spearman"``, ``"tau-a"`` (Kendall) and ``"cosine"`` of the dissimilarities;
            ``"cka"``, linear centred kernel alignment, which rsatoolbox calls ``cosine_cov``; ``"procrustes"``, the
            cosine of the angle between two shapes after the best rotation, which rsatoolbox calls ``bures``.

    Raises:
        ValueError: other names, or another number of conditions.

    Example:
        >>> import festina as fs
        >>> a = fs.analysis.RDMs.from_activity([[0.0], [1.0], [3.0]])
        >>> similarity(a, a, "cka").round(12).tolist()
        [[1.0]]
    """
    check.known("method", method, METHODS)
    for name, given in (("a", a), ("b", b)):
        check.instance(name, given, RDMs, "an fs.analysis.RDMs")
    if a.matrices.shape[-1] != b.matrices.shape[-1] or (a.conditions and b.conditions and a.conditions != b.conditions):
        raise ValueError("a and b have other conditions, or the same in another order; see RDMs.ordered.")
    first, second = (rdms.vectors.reshape(-1, rdms.vectors.shape[-1]) for rdms in (a, b))
    return between(prepare(first, method), prepare(second, method), method)


def prepare(vectors: np.ndarray, method: str) -> np.ndarray:
    """Factors of ``between``, (…, features): unit vectors, or for ``"tau-a"`` the vectors as they are."""
    if method == "tau-a":
        return vectors
    if method == "procrustes":
        kernel = _kernel(vectors)
        values, columns = np.linalg.eigh(kernel)
        root = columns * np.sqrt(np.maximum(values, 0.0))[..., None, :]
        return root / _nonzero(np.sqrt(np.maximum(np.trace(kernel, axis1=-2, axis2=-1), 0.0)))[..., None, None]
    if method == "cka":
        features = _kernel(vectors).reshape(*vectors.shape[:-1], -1)
    else:
        features = scipy.stats.rankdata(vectors, axis=-1) if method == "spearman" else vectors
        features = features if method == "cosine" else features - features.mean(axis=-1, keepdims=True)
    # dissimilarities that are all equal, up to rounding, have no correlation with others: it is counted as 0
    norms = np.linalg.norm(features, axis=-1, keepdims=True)
    flat = norms <= 1e-12 * np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(flat, 0.0, features / _nonzero(norms))


def between(a: np.ndarray, b: np.ndarray, method: str) -> np.ndarray:
    """Similarities of what ``prepare`` made, (…, rows of a, rows of b)."""
    if method == "procrustes":
        products = np.swapaxes(a, -1, -2)[..., :, None, :, :] @ b[..., None, :, :, :]
        return np.linalg.svd(products, compute_uv=False).sum(axis=-1)
    if method != "tau-a":
        return a @ np.swapaxes(b, -1, -2)
    pairs = a.shape[-1]
    total = np.zeros((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-2]))
    for i in range(pairs - 1):
        later = (np.sign(part[..., i + 1 :] - part[..., i : i + 1]) for part in (a, b))
        total += next(later) @ np.swapaxes(next(later), -1, -2)
    return total / (pairs * (pairs - 1) / 2)


def pool(vectors: np.ndarray, method: str) -> np.ndarray:
    """The one vector that stands for several, (repeats, …, pairs) to (…, pairs), as rsatoolbox pools for a ceiling."""
    if method in ("spearman", "tau-a"):
        return scipy.stats.rankdata(vectors, axis=-1).mean(axis=0)
    centred = vectors - vectors.mean(axis=-1, keepdims=True) if method == "corr" else vectors
    return (centred / _nonzero(np.sqrt((centred**2).mean(axis=-1, keepdims=True)))).mean(axis=0)


def _kernel(vectors: np.ndarray) -> np.ndarray:
    """The centred kernel whose distances these are: −½ H D H."""
    count = round((1 + np.sqrt(1 + 8 * vectors.shape[-1])) / 2)
    matrix = np.zeros((*vectors.shape[:-1], count, count))
    rows, columns = np.triu_indices(count, 1)
    matrix[..., rows, columns] = matrix[..., columns, rows] = -0.5 * vectors
    means = matrix.mean(axis=-1, keepdims=True)
    return matrix - means - np.swapaxes(means, -1, -2) + means.mean(axis=-2, keepdims=True)


def _nonzero(norms: np.ndarray) -> np.ndarray:
    return np.where(norms > 0, norms, 1.0)
