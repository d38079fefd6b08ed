"""Singular bases that the paths of a network share, where they do: the modes of the race."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from festina.gated._statistics import COMMUTING_BOUND, PathStatistics


@dataclass(frozen=True, eq=False)
class Modes:
    """Bases V of every first edge and U of every last edge, such that Σyx(p) = U S(p) Vᵀ and Σx(j,p) = V D(j,p) Vᵀ.

    Paths that share an edge share its basis and the order of modes; ``component`` numbers the groups of paths that are
    linked in this way. ``distance`` is how far the data are from such bases; where it is not 0 modes do not decouple.

    Source: jarvis2025 eq. (5); saxe2022.
    """

    statistics: PathStatistics
    right: dict[int, np.ndarray]
    left: dict[int, np.ndarray]
    component: tuple[int, ...]

    def ends(self, p: int) -> tuple[np.ndarray, np.ndarray]:
        """V and U of a path."""
        path = self.statistics.paths[p]
        return self.right[path[0]], self.left[path[-1]]

    @cached_property
    def strengths(self) -> tuple[np.ndarray, ...]:
        """S(p) for each path."""
        found = []
        for p in range(len(self.statistics.paths)):
            v, u = self.ends(p)
            found.append(np.einsum("om,oi,im->m", u, self.statistics.cross(p), v))
        return tuple(found)

    def curvatures(self, j: int, p: int) -> np.ndarray:
        """D(j,p), the diagonal of V_jᵀ Σx(j,p) V_p; empty if the two have different numbers of modes."""
        first, second = self.ends(j)[0], self.ends(p)[0]
        if first.shape[1] != second.shape[1]:
            return np.zeros(0)
        return np.einsum("im,ik,km->m", first, self.statistics.between(j, p), second)

    @cached_property
    def distance(self) -> float:
        """Largest relative part of the correlations that these bases leave off the diagonal."""
        statistics, worst = self.statistics, 0.0
        for p, group in enumerate(statistics.coupled):
            v, u = self.ends(p)
            cross = statistics.cross(p)
            worst = max(worst, _share(cross - u * self.strengths[p] @ v.T, cross))
            for j in group:
                other, left = self.ends(j)
                if other.shape[1] != v.shape[1]:
                    return 1.0
                image = statistics.between(j, p) @ v
                worst = max(worst, _share(image - other * self.curvatures(j, p), image))
                worst = max(worst, _share(u - left, u))
        return worst

    @property
    def decoupled(self) -> bool:
        """Whether modes decouple, to rounding error."""
        return self.distance <= COMMUTING_BOUND


def find_modes(statistics: PathStatistics) -> Modes:
    """Walk from path to path: one that shares an edge with a known path takes over its basis, another its own SVD."""
    right: dict[int, np.ndarray] = {}
    left: dict[int, np.ndarray] = {}
    component: dict[int, int] = {}
    paths = statistics.paths
    waiting, groups = list(range(len(paths))), 0
    while waiting:
        known = [p for p in waiting if paths[p][0] in right or paths[p][-1] in left]
        p = known[0] if known else waiting[0]
        first, last = paths[p][0], paths[p][-1]
        cross = statistics.cross(p)
        if known:
            linked = [j for j in component if {first, last} & {paths[j][0], paths[j][-1]}]
            component[p] = component[linked[0]]
            for j in [j for j in component if component[j] in {component[k] for k in linked}]:
                component[j] = component[p]
            if first in right and last not in left:
                left[last] = _unit(cross @ right[first])
            elif first not in right:
                right[first] = _unit(cross.T @ left[last])
        else:
            rivals = [j for j in statistics.coupled[p] if j in component]
            left[last], right[first] = _own(statistics, p, rivals, left, right)
            component[p], groups = groups, groups + 1
        waiting.remove(p)
    return Modes(statistics, right, left, tuple(component[p] for p in range(len(paths))))


def _own(
    statistics: PathStatistics,
    p: int,
    neighbours: list[int],
    left: dict[int, np.ndarray],
    right: dict[int, np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """U and V of a path: in a basis of a path it races with where that fits (degenerate modes), else its own."""
    cross = statistics.cross(p)
    own = statistics.effective[p]
    for j in neighbours:
        u, v = left[statistics.paths[j][-1]], right[statistics.paths[j][0]]
        pairs = [(u, _unit(cross.T @ u))]
        if len(v) == cross.shape[1]:
            pairs.append((_unit(cross @ v), v))
        for u, v in pairs:
            strengths = np.einsum("om,oi,im->m", u, cross, v)
            orthonormal = max(np.abs(w.T @ w - np.eye(w.shape[1])).max(initial=0.0) for w in (u, v))
            complete = _share(cross - u * strengths @ v.T, cross)
            if u.shape[1] == own.rank and max(orthonormal, complete) <= COMMUTING_BOUND:
                return u, v
    return own.left, own.right


def _unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=0)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def _share(part: np.ndarray, whole: np.ndarray) -> float:
    size = np.linalg.norm(whole)
    return float(np.linalg.norm(part) / size) if size else 0.0
