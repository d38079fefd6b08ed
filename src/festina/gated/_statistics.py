"""Statistics of a task on each path of a gated network: its effective data set."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from festina.checks.shapes import Weights
from festina.core import Assumption, Statistics
from festina.gated._gates import Gates, picked
from festina.gated._graph import Graph

COMMUTING_BOUND = 1e-9
"""Largest relative distance from a shared singular basis that is rounding error of the correlations."""


@dataclass(frozen=True, eq=False)
class PathStatistics:
    """Correlations of every path that any data point opens, and their modes.

    Σyx(p) = ⟨g_p y_{t(p)} x_{s(p)}ᵀ⟩ = U_p S(p) V_pᵀ and Σx(j,p) = ⟨g_j x_{s(j)} x_{s(p)}ᵀ g_p⟩.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> statistics = task.statistics(fs.gated.pathways(task.y.T > 0, hidden=8, initial=fs.initial.Gaussian(0.1)))
        >>> [path.strengths.round(3).tolist() for path in statistics.effective]
        [[0.5]]

    Source: jarvis2025 eqs. (4)-(5).
    """

    graph: Graph
    gates: Gates
    x: np.ndarray
    y: np.ndarray

    @cached_property
    def _open(self) -> tuple[tuple[tuple[int, ...], np.ndarray], ...]:
        found = [(p, self.gates.of(p, self.graph, len(self.x))) for p in self.graph.paths]
        return tuple((p, g) for p, g in found if np.any(g != 0))

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """Paths that are open for at least one data point, as edges in order."""
        return tuple(p for p, _ in self._open)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The paths in words."""
        return tuple(self.graph.label(p) for p in self.paths)

    @cached_property
    def effective(self) -> tuple[Statistics, ...]:
        """The effective data set of each path: inputs g_p x_{s(p)}, targets y_{t(p)}."""
        found = []
        for path, gate in self._open:
            source, target = self.graph.ends(path)
            found.append(Statistics(gate[:, None] * picked(self.x, source), np.asarray(picked(self.y, target))))
        return tuple(found)

    def cross(self, p: int) -> np.ndarray:
        """Σyx(p)."""
        return self.effective[p].cross_correlation

    def between(self, j: int, p: int) -> np.ndarray:
        """Σx(j,p)."""
        return self.effective[j].x.T @ self.effective[p].x / len(self.x)

    def overlap(self, p: int, j: int) -> np.ndarray:
        """U_pᵀU_j: output singular vectors of one path against another's."""
        return self.effective[p].left.T @ self.effective[j].left

    @cached_property
    def together(self) -> tuple[tuple[int, ...], ...]:
        """T(t(p)) for each path p: the paths that end at the same node (p among them)."""
        ends = [self.graph.edges[p[-1]][1] for p in self.paths]
        return tuple(tuple(j for j, e in enumerate(ends) if e == end) for end in ends)

    @cached_property
    def coupled(self) -> tuple[tuple[int, ...], ...]:
        """For each path p the paths j with Σx(j,p) ≠ 0 that end at the same node: those it races with."""
        found = []
        for p, group in enumerate(self.together):
            size = np.abs(self.between(p, p)).max()
            found.append(tuple(j for j in group if np.abs(self.between(j, p)).max() > 1e-14 * size))
        return tuple(found)

    @cached_property
    def assumptions(self) -> tuple[Assumption, ...]:
        """How far the data are from each assumption of the reduction."""
        own = max((e.noncommuting for e in self.effective), default=0.0)
        tilt = 0.0
        for p, group in enumerate(self.coupled):
            for j in group:
                left, other = self.effective[p].left, self.effective[j].left
                if left.shape[1] and other.shape[1]:
                    tilt = max(tilt, float(np.linalg.norm(other - left @ (left.T @ other), 2)))
        return (
            Assumption("commuting", "each path's Σyx(p) and Σx(p,p) share input singular vectors",
                       own, COMMUTING_BOUND, quantity="largest correlation"),
            Assumption("shared outputs", "paths that race share their output singular vectors",
                       tilt, COMMUTING_BOUND, quantity="sine of the angle"),
        )  # fmt: skip

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Paths by the output node they end at."""
        return tuple(dict.fromkeys(self.together))

    def joint(self, group: tuple[int, ...]) -> np.ndarray:
        """Σx(j,p) of all paths of a group, as one matrix of blocks (j, p)."""
        side = np.hstack([self.effective[p].x for p in group])
        return side.T @ side / len(self.x)

    def velocity(self) -> Callable[[Weights], Weights]:
        """dW_e/dt = Σ_{p∋e} W_{t̄}ᵀ [Σyx(p) − Σ_j W_j Σx(j,p)] W_{s̄}ᵀ, data through these matrices only."""
        cross = [self.cross(p) for p in range(len(self.paths))]
        return flow(self.paths, cross, {group: self.joint(group) for group in self.groups})


def flow(
    paths: tuple[tuple[int, ...], ...], cross: list[np.ndarray], joint: dict[tuple[int, ...], np.ndarray]
) -> Callable[[Weights], Weights]:
    """The path-wise flow of given statistics: jarvis2025 eq. (3) with τ = 1/ε, which belongs to the mean loss.

    ``joint`` holds, for each group of paths with one output node, the blocks Σx(j,p) as one matrix.
    """
    targets = {group: np.hstack([cross[p] for p in group]) for group in joint}
    cuts = {group: np.cumsum([cross[p].shape[1] for p in group])[:-1] for group in joint}

    def field(weights: Weights) -> Weights:
        before: list[list[np.ndarray | None]] = []
        maps: list[np.ndarray] = []
        for path in paths:
            chain: list[np.ndarray | None] = [None]
            for edge in path:
                last = chain[-1]
                chain.append(weights[edge] if last is None else weights[edge] @ last)
            before.append(chain[:-1])
            maps.append(chain[-1])  # type: ignore[arg-type]
        changes = [np.zeros_like(w) for w in weights]
        for group, sigma in joint.items():
            # the errors at the end of all paths of a group, in one product
            misses = targets[group] - np.concatenate([maps[p] for p in group], axis=-1) @ sigma
            for p, miss in zip(group, np.split(misses, cuts[group], axis=-1), strict=True):
                path, back = paths[p], miss
                for k in range(len(path) - 1, -1, -1):
                    source = before[p][k]
                    changes[path[k]] += back if source is None else back @ source.swapaxes(-1, -2)
                    if k:
                        back = weights[path[k]].swapaxes(-1, -2) @ back
        return tuple(changes)

    return field


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
