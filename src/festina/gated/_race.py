"""The neural race reduction of a gated network: all pathways jointly, from the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.core.network import read_off
from festina.gated._statistics import Modes, find_modes, flow
from festina.methods import estimated
from festina.modes.chain import decouple
from festina.solvers.ode import integrate

if TYPE_CHECKING:
    from festina.gated._network import Gated

TOLERANCE = 1e-9
"""Relative tolerance of the reduced equations: a thousandth of the 1e-6 to which they are held against the flow."""

ALIGNED_BOUND = 1e-9
"""Largest relative distance of the start from decoupled weights that is rounding error."""

PARALLEL = 1e-6
"""Directions of a hidden node whose singular value is below this share of the largest say the same thing."""

SWEEPS = 100
"""Alternating sweeps when hidden directions are sought."""


@dataclass(frozen=True, repr=False)
class PathwayRace(Theory):
    """All pathways jointly, reduced to their modes: one number per edge and mode where modes decouple.

    dB_e/dt = Σ_{p∋e} B_{p∖e} [S(p) − Σ_j B_j D(j,p)]; where paths have singular vectors of their own, matrices with
    overlaps U_pᵀU_j take the place of numbers. The error is estimated against the flow, integrated at low accuracy.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> network = fs.gated.pathways([[1, 0, 0, 1], [1, 1, 1, 0]], 8, initial=fs.initial.Gaussian(1e-2))
        >>> run = fs.evolve(network, task, [0.0, 2.0, 4.0], method=fs.Reduced())
        >>> run.notes["theory"], run.relative_error < 0.1
        ('race of pathways', True)

    Source: saxe2022; jarvis2025 eqs. (3)-(6), App. F.
    """

    name: ClassVar[str] = "race of pathways"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("saxe2022", "jarvis2025")

    def assumptions(self, network: Gated, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Modes that decouple (else overlaps are kept) and weights that lie on them."""
        modes = find_modes(task.statistics(network))
        if modes.decoupled:
            alignment = project(network, modes, start.weights)[2]
        else:
            alignment = _lost(start.weights, *_frames(network, task, modes, start.weights))
        return (
            Assumption(
                "decoupled modes", "paths share singular vectors; where not, overlaps are kept", modes.distance,
                ALIGNED_BOUND, quantity="part of the correlations off the diagonal",
            ),
            Assumption(
                "alignment", "weights are aligned with the modes", alignment, ALIGNED_BOUND,
                quantity="relative distance",
            ),
        )  # fmt: skip

    def solve(self, network: Gated, task: Task, start: Start, times: Times) -> Solution:
        """The weights of every edge at the times."""
        modes = find_modes(task.statistics(network))
        reduce = _diagonal if modes.decoupled else _matrix
        weights = reduce(network, task, modes, start.weights, times)
        return estimated(solution(network, task, weights, len(times)), network, task, start, times)


def _diagonal(
    network: Gated, task: Task, modes: Modes, start: tuple[np.ndarray, ...], times: Times
) -> tuple[np.ndarray, ...]:
    """dB_e/dt = Σ_{p∋e} B_{p∖e} [S(p) − Σ_j B_j D(j,p)], mode by mode: jarvis2025 eq. (6)."""
    statistics = modes.statistics
    frames, layers, _ = project(network, modes, start)
    edges = sorted(layers)
    place = {edge: i for i, edge in enumerate(edges)}
    width = max((len(b) for b in layers.values()), default=0)
    first = np.zeros((len(edges), width))
    for edge, b in layers.items():
        first[place[edge], : len(b)] = b
    paths = [[place[e] for e in path] for path in statistics.paths]
    longest = max(map(len, paths), default=0)
    # short paths are filled up with one more edge, whose strength is 1
    steps = np.array([path + [len(edges)] * (longest - len(path)) for path in paths], dtype=int)
    drive = np.zeros((len(paths), width))
    couplings = []
    for p, s in enumerate(modes.strengths):
        drive[p, : len(s)] = s
        couplings += [(p, j, modes.curvatures(j, p)) for j in statistics.coupled[p]]
    pull = np.zeros((len(couplings), width))
    for row, (_, _, d) in zip(pull, couplings, strict=True):
        row[: len(d)] = d
    of = np.array([c[1] for c in couplings], dtype=int)
    into_paths = (np.array([c[0] for c in couplings], dtype=int) == np.arange(len(paths))[:, None]).astype(float)
    into_edges = (steps.ravel() == np.arange(len(edges))[:, None]).astype(float)

    def field(_: float, flat: np.ndarray) -> np.ndarray:
        b = np.concatenate([flat, np.ones(width)]).reshape(-1, width)[steps]
        before, after = np.ones_like(b), np.ones_like(b)
        for k in range(1, longest):
            before[:, k] = before[:, k - 1] * b[:, k - 1]
            after[:, -1 - k] = after[:, -k] * b[:, -k]
        strengths = before[:, -1] * b[:, -1]
        miss = drive - into_paths @ (pull * strengths[of])
        return (into_edges @ (miss[:, None] * before * after).reshape(-1, width)).ravel()

    state = integrate(field, first.ravel(), times, TOLERANCE).reshape(len(times), *first.shape)
    weights = [np.repeat(w[None], len(times), axis=0) for w in start]
    for edge in edges:
        weights[edge] = 0.0 * weights[edge]
    for (edge, _), (target, source) in frames.items():
        b = state[:, place[edge], : source.shape[1]]
        weights[edge] = weights[edge] + np.einsum("om,tm,im->toi", target, b, source)
    return tuple(weights)


def project(
    network: Gated, modes: Modes, weights: tuple[np.ndarray, ...]
) -> tuple[dict[tuple[int, int], tuple[np.ndarray, np.ndarray]], dict[int, np.ndarray], float]:
    """Frames R_t, R_s of every edge, its strengths b, and how far the weights are from R_t diag(b) R_sᵀ.

    Hidden directions maximise Σ_e r_tᵀ W_e r_s for the ends U, V of the paths, by alternating sweeps; for two layers
    that is the growing component ½(W1 v + W2ᵀu).
    """
    graph, statistics = network.graph, modes.statistics
    frames: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}
    layers: dict[int, np.ndarray] = {}
    distance = 0.0
    for group in dict.fromkeys(modes.component):
        members = [p for p, c in zip(statistics.paths, modes.component, strict=True) if c == group]
        edges = list(dict.fromkeys(sorted(e for p in members for e in p)))
        inner = list(dict.fromkeys(graph.edges[e][1] for p in members for e in p[:-1]))
        basis: dict[str, np.ndarray] = {}

        def end(edge: int, side: int, basis: dict[str, np.ndarray] = basis) -> np.ndarray | None:
            known = modes.right.get(edge) if side == 0 else modes.left.get(edge)
            return basis.get(graph.edges[edge][side]) if known is None else known

        for _ in range(SWEEPS):
            moved = 0.0
            for name in inner:
                total: Any = 0.0
                for e in edges:
                    if graph.edges[e][1] == name and (source := end(e, 0)) is not None:
                        total = total + weights[e] @ source
                    if graph.edges[e][0] == name and (target := end(e, 1)) is not None:
                        total = total + weights[e].T @ target
                lengths = np.linalg.norm(total, axis=0)
                new = total / np.where(lengths > 0, lengths, 1.0)
                moved = max(moved, float(np.abs(new - basis.get(name, 0.0)).max(initial=0.0)))
                basis[name] = new
            if moved < 1e-14:
                break
        for e in edges:
            source, target = end(e, 0), end(e, 1)
            assert source is not None
            assert target is not None
            layers[e] = np.einsum("om,oi,im->m", target, weights[e], source)
            frames[e, group] = target, source
            size = np.linalg.norm(weights[e])
            if size:
                distance = max(distance, float(np.linalg.norm(weights[e] - target * layers[e] @ source.T) / size))
    return frames, layers, distance


def _matrix(
    network: Gated, task: Task, modes: Modes, start: tuple[np.ndarray, ...], times: Times
) -> tuple[np.ndarray, ...]:
    """The reduction with overlaps U_pᵀU_j and the extra matrix: B_e = R_tᵀ W_e R_s, no longer diagonal.

    Hidden nodes keep one direction per mode of the paths through them. Output nodes keep the span of all Σyx(p) that
    end there. See jarvis2025 App. F; here the overlaps follow from the data.
    """
    statistics = modes.statistics
    ends, first = _frames(network, task, modes, start)
    cross = [ends[p[-1]][0].T @ statistics.cross(i) for i, p in enumerate(statistics.paths)]
    velocity = flow(statistics.paths, cross, {group: statistics.joint(group) for group in statistics.groups})
    shapes, cuts = [b.shape for b in first], np.cumsum([b.size for b in first])[:-1]

    def unpack(flat: np.ndarray) -> tuple[np.ndarray, ...]:
        parts = np.split(flat, cuts, axis=-1)
        return tuple(part.reshape(*flat.shape[:-1], *shape) for part, shape in zip(parts, shapes, strict=True))

    def field(_: float, flat: np.ndarray) -> np.ndarray:
        return np.concatenate([change.ravel() for change in velocity(unpack(flat))])

    state = integrate(field, np.concatenate([b.ravel() for b in first]), times, TOLERANCE, solver="DOP853")
    return tuple(t @ b @ s.T for b, (t, s) in zip(unpack(state), ends, strict=True))


def _frames(
    network: Gated, task: Task, modes: Modes, start: tuple[np.ndarray, ...]
) -> tuple[list[tuple[np.ndarray, np.ndarray]], list[np.ndarray]]:
    """Directions R_t, R_s kept at both ends of every edge, and B_e = R_tᵀ W_e R_s at the start."""
    statistics, graph = modes.statistics, network.graph
    directions: dict[str, list[np.ndarray]] = {}
    for path, own in zip(statistics.paths, statistics.effective, strict=True):
        chain = decouple(tuple(start[e] for e in path), own.left, own.right)
        for e, frame in zip(path[:-1], chain.directions[1:-1], strict=True):
            directions.setdefault(graph.edges[e][1], []).append(frame)
        directions.setdefault(graph.edges[path[-1]][1], []).append(own.left)
    bases = {name: _orthonormal(np.hstack(parts)) for name, parts in directions.items()}
    eye = {name: np.eye(width) for name, width in graph.widths(task.x.shape[1], task.y.shape[1]).items()}
    ends = [(bases.get(t, eye[t]), bases.get(s, eye[s])) for s, t in graph.edges]
    return ends, [target.T @ w @ source for w, (target, source) in zip(start, ends, strict=True)]


def _lost(start: tuple[np.ndarray, ...], ends: list[tuple[np.ndarray, np.ndarray]], first: list[np.ndarray]) -> float:
    """The largest share of an edge's weights that the kept directions leave out."""
    return max(
        (float(np.linalg.norm(w - t @ b @ s.T) / n) for w, b, (t, s) in zip(start, first, ends, strict=True)
         if (n := np.linalg.norm(w)) > 0),
        default=0.0,
    )  # fmt: skip


def _orthonormal(vectors: np.ndarray) -> np.ndarray:
    u, s, _ = np.linalg.svd(vectors, full_matrices=False)
    return u[:, s > PARALLEL * max(s[0], np.finfo(float).tiny)] if len(s) else u


def solution(network: Gated, task: Task, weights: tuple[np.ndarray, ...], count: int) -> Solution:
    """All observables of weights known at ``count`` times, (times, out, in) per edge."""
    path = [tuple(w[i] for w in weights) for i in range(count)]
    return Solution(read_off(network, task, lambda: path), path=lambda: path)
