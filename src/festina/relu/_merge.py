"""Units with equal gates replaced by fewer, with the same second moments."""

import numpy as np

ROUNDS = 100
"""Most rounds of the clustering; it ends by itself when no unit changes its cluster."""

POWER = 1.5
"""Units count with their squared length to this power when they are clustered. Power 1 gives least distortion, but few
of the units that carry most of the map. A higher power gives clusters of more equal length (for directions that fill d
dimensions 1 + 2/d does). On the context tasks 1.5 has the least error of 0.5, 1, 1.5, 2 and 3."""


def merge(u: np.ndarray, on: np.ndarray, units: int) -> tuple[np.ndarray, np.ndarray]:
    """Replace units (rows [w; a]) by about ``units``, so that Σ u uᵀ of each gating pattern stays what it was.

    While gates stay as they are, the map of units with equal gates and its dynamics depend on their second moments
    Σ u uᵀ alone, so that nothing changes. When gates change, units part by their directions: so units are merged that
    point in nearly the same direction. Averages alone would shrink the small components from which later modes grow.
    The merged units are therefore turned and stretched together, as little as possible, to the second moments of all
    units.

    Args:
        u: (n, inputs + outputs).
        on: (n, points), gates.
        units: how many to keep; a pattern keeps a share by its number of members. A pattern whose share is less than
            half a unit joins the pattern that differs from it at fewest points.

    Returns:
        The units kept, and the row that each unit went to.
    """
    kept: list[np.ndarray] = []
    which, group, count = np.empty(len(u), int), patterns(u, on, len(u) / (2 * units)), 0
    for label in range(group.max() + 1 if len(u) else 0):
        members = np.flatnonzero(group == label)
        wanted = max(1, round(units * len(members) / len(u)))
        if wanted >= len(members):
            part, into = u[members], np.arange(len(members))
        else:
            into = cluster(u[members], wanted)
            part = match(means(u[members], into), u[members])
        kept.append(part)
        which[members] = into + count
        count += len(part)
    return np.concatenate(kept) if kept else u, which


def patterns(u: np.ndarray, on: np.ndarray, least: float) -> np.ndarray:
    """Units by their gating pattern; a pattern with fewer than ``least`` members joins the one nearest to it.

    If several are equally near, it joins the longest, so that the order of data points does not matter.
    """
    distinct, group, members = np.unique(on, axis=0, return_inverse=True, return_counts=True)
    group = group.ravel()
    large = np.flatnonzero(members >= least)
    if len(large):
        length = np.bincount(group, (u**2).sum(axis=1))
        differ = (distinct[:, None, :] != distinct[None, large, :]).sum(axis=2)
        nearest = np.argmin(differ - length[large] / (2 * max(length.max(), np.finfo(float).tiny)), axis=1)
        group = np.where(members >= least, np.arange(len(distinct)), large[nearest])[group]
    return np.unique(group, return_inverse=True)[1].ravel()


def cluster(u: np.ndarray, units: int) -> np.ndarray:
    """Clusters of directions, by k-means with weights ‖u‖^(2 POWER); the same whatever the order of the rows.

    It starts from the heaviest unit and then, again and again, from the one that adds most to the distortion.
    """
    length = np.maximum(np.linalg.norm(u, axis=1), np.finfo(float).tiny)
    direction, weight = u / length[:, None], (length / length.max()) ** (2 * POWER)
    chosen = [int(np.argmax(weight))]
    far = ((direction - direction[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < units:
        chosen.append(int(np.argmax(weight * far)))
        far = np.minimum(far, ((direction - direction[chosen[-1]]) ** 2).sum(axis=1))
    centre = direction[chosen]
    into = np.full(len(u), -1)
    for _ in range(ROUNDS):
        nearest = np.argmin((centre**2).sum(axis=1) - 2 * direction @ centre.T, axis=1)
        if np.array_equal(nearest, into):
            break
        into = nearest
        total = np.zeros((units, 1))
        centre = np.zeros_like(centre)
        np.add.at(total[:, 0], into, weight)
        np.add.at(centre, into, weight[:, None] * direction)
        centre /= np.maximum(total, np.finfo(float).tiny)
    return np.unique(into, return_inverse=True)[1].ravel()


def means(u: np.ndarray, into: np.ndarray) -> np.ndarray:
    """One unit per cluster: along the first singular vector of its members, as long as all of them together."""
    found = []
    for label in range(into.max() + 1):
        members = u[into == label]
        _, s, right = np.linalg.svd(members, full_matrices=False)
        sign = 1.0 if (members @ right[0]).sum() >= 0 else -1.0
        found.append(sign * np.linalg.norm(s) * right[0])
    return np.array(found)


def match(z: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The rows nearest to ``z`` with zᵀz = uᵀu: with K = (uᵀu)^½ and z K = L s Rᵀ they are L Rᵀ K."""
    _, s, right = np.linalg.svd(u, full_matrices=False)
    root = (right.T * s) @ right
    left, _, turn = np.linalg.svd(z @ root, full_matrices=False)
    return left @ turn @ root
