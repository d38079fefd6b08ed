"""Features that mutate down a tree."""

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot


def check_tree(branching: int, depth: int, flip: float) -> tuple[int, int, float]:
    """Branching, depth and chance of a flip, checked."""
    branching, depth = check.whole("branching", branching, least=2), check.whole("depth", depth)
    leaves = min(branching, 2**64) ** min(depth, 64)
    check.size("branching and depth", leaves, leaves)
    return branching, depth, check.share("flip", flip)


def tree_levels(branching: int, depth: int) -> np.ndarray:
    """The level of the tree that each mode of ``tree`` resolves, in the order of ``tree_strengths``.

    Level 0 once (what all items share), level l ≥ 1 with M_{l−1}(B−1) modes, which tell children of a node at level
    l−1 apart.

    Example:
        >>> tree_levels(branching=2, depth=3)
        array([0, 1, 2, 2, 3, 3, 3, 3])

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, _ = check_tree(branching, depth, 0.0)
    counts = [1] + [branching ** (level - 1) * (branching - 1) for level in range(1, depth + 1)]
    return np.repeat(np.arange(depth + 1), counts)


def tree_wavelets(branching: int, depth: int) -> np.ndarray:
    """Eigenvectors of the items' similarity, one per column, in the order of ``tree_strengths``.

    A wavelet of level l is supported on the leaves below one node at level l−1, constant below each of its children
    and zero on average. Within a level any rotation is as good: compare subspaces.

    Returns:
        An orthogonal matrix (items, modes).

    Example:
        >>> tree_wavelets(branching=2, depth=2).shape
        (4, 4)
        >>> (tree_wavelets(2, 2)[:, 1] > 0).tolist()
        [False, False, True, True]

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, _ = check_tree(branching, depth, 0.0)
    items = branching**depth
    # contrasts between the children of one node: an orthonormal basis of the complement of the constant
    frame = np.linalg.qr(np.column_stack([np.ones(branching), np.eye(branching)[:, 1:]]))[0]
    columns = [np.full((items, 1), items**-0.5)]
    for level in range(1, depth + 1):
        leaves = items // branching**level
        block = np.kron(frame[:, 1:], np.full((leaves, 1), leaves**-0.5))
        columns.append(np.kron(np.eye(branching ** (level - 1)), block))
    return np.hstack(columns)


def tree(branching: int = 2, depth: int = 3, flip: float = 0.1, features: int = 1000, seed: int = 0) -> Task:
    """branching^depth one-hot items at the leaves of a tree; each feature is ±1 and may flip on every branch.

    A feature is drawn once at the root (+1 or −1, equally likely) and handed down: along each branch it changes sign
    with probability ``flip``. Items share as much as their common ancestry is long, E[y_i y_j] = (1−2ε)^{2(D−k)} for
    items whose last common ancestor is at level k. The singular values that this gives are ``tree_strengths``.

    Args:
        branching: children per node B, ≥ 2.
        depth: number of branchings D, ≥ 1.
        flip: probability ε of a change of sign along one branch, between 0 and 1.
        features: number of independent features; singular values fluctuate like 1/√features.
        seed: draws the features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.tree(branching=2, depth=2, flip=0.1, features=500)
        Task('tree': 4 items, 4 inputs, 500 outputs)

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, flip = check_tree(branching, depth, flip)
    features, rng = check.whole("features", features), np.random.default_rng(check.seed("seed", seed))
    check.size("features", branching**depth, features)
    values = rng.choice((-1.0, 1.0), (1, features))
    for _ in range(depth):
        values = np.repeat(values, branching, axis=0)
        values = np.where(rng.random(values.shape) < flip, -values, values)
    items = [".".join(str(i + 1) for i in leaf) for leaf in np.ndindex(*(branching,) * depth)]
    outputs = [f"feature {i + 1}" for i in range(features)]
    return one_hot(values, inputs=items, items=items, outputs=outputs, name="tree")


def tree_strengths(branching: int, depth: int, flip: float, features: int) -> np.ndarray:
    """Singular values of Σyx of ``tree`` for many features, one per mode, largest first.

    s_l = √(N3 λ_l)/P,  λ_l = P Σ_{k≥l} Δ_k/M_k,  Δ_0 = q_0,  Δ_k = q_k − q_{k−1},  q_k = (1−2ε)^{2(D−k)},

    where P = B^D items, M_k = B^k nodes at level k, N3 = ``features`` and λ_l is the eigenvalue of the items'
    similarity E[YYᵀ]/N3 at level l. ``tree_levels`` says which level a mode belongs to.

    Args:
        branching, depth, flip, features: as in ``tree``.

    Returns:
        P singular values; zeros stay (flip=0 leaves only what all items share).

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("tree", branching=2, depth=2, flip=0.1, features=1000).round(2)
        array([12.4 ,  7.16,  4.74,  4.74])

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, flip = check_tree(branching, depth, flip)
    features = check.whole("features", features)
    level = np.arange(depth + 1)
    similarity = (1 - 2 * flip) ** (2.0 * (depth - level))
    gained = np.diff(similarity, prepend=0.0) / float(branching) ** level
    items = branching**depth
    eigenvalues = items * np.cumsum(gained[::-1])[::-1]
    return np.sqrt(features * eigenvalues[tree_levels(branching, depth)]) / items
