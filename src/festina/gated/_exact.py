"""Closed forms of gated networks: pathways that do not race or race as equals, and routing through one shared edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Assumption, Network, Solution, Start, Task, Theory
from festina.gated import _race
from festina.gated._statistics import Modes, find_modes
from festina.modes.mode import descend, strength

if TYPE_CHECKING:
    from festina.gated._network import Gated

BOUND = 1e-9
"""Largest relative distance from an assumption that leaves a closed form exact to the nine digits it promises."""

ROUNDING = 64 * np.finfo(float).eps
"""Rounding error of a correlation, as a share of the largest one in its row or column."""

LARGEST_STEP = 0.5
"""Largest η·s up to which the finite-step correction is good; beyond, its error is reported."""


@dataclass(frozen=True, eq=False)
class _Parallel:
    """Measures of pathways without shared edges: frames, layers, k of each path, and the assumptions."""

    modes: Modes
    frames: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]
    layers: dict[int, np.ndarray]
    pull: dict[int, np.ndarray]
    assumptions: tuple[Assumption, ...]


def _measure(network: Gated, task: Task, start: Start) -> _Parallel:
    modes = find_modes(task.statistics(network))
    statistics = modes.statistics
    used = [edge for path in statistics.paths for edge in path]
    frames, layers, alignment = _race.project(network, modes, start.weights)
    shared = float(len(used) - len(set(used)))
    worst = {"commuting": 0.0, "symmetry": 0.0, "balance": 0.0, "sign": 0.0}
    pull: dict[int, np.ndarray] = {}
    ties: list[tuple[int, int, np.ndarray]] = []
    for p, path in enumerate(statistics.paths if not shared else ()):
        v, u = modes.ends(p)
        s, b = modes.strengths[p], np.stack([layers[e] for e in path])
        first = np.prod(b, axis=0)
        worst["sign"] = max(worst["sign"], float(-first.min(initial=0.0)))
        worst["commuting"] = max(worst["commuting"], _ratio(statistics.cross(p) - u * s @ v.T, statistics.cross(p)))
        worst["commuting"] = max(worst["commuting"], statistics.effective[p].noncommuting)
        squares = b**2
        worst["balance"] = max(worst["balance"], _each(squares - squares.mean(axis=0), squares))
        total: np.ndarray = np.zeros_like(u)
        for j in statistics.coupled[p]:
            other, left = modes.ends(j)
            if left.shape[1] != u.shape[1] or len(statistics.paths[j]) != len(path):
                worst["symmetry"] = 1.0
                continue
            image, d = statistics.between(j, p) @ v, modes.curvatures(j, p)
            worst["commuting"] = max(worst["commuting"], _ratio(image - other * d, image), _cross(modes, j, p))
            total = total + left * d
            ties.append((p, j, np.abs(d)))
            theirs = np.prod([layers[e] for e in statistics.paths[j]], axis=0)
            worst["symmetry"] = max(worst["symmetry"], _each(first - theirs, theirs), _each(s - modes.strengths[j], s))
        k = np.sum(u * total, axis=0)
        # the other pathways must add along this pathway's own outputs, or its modes turn
        worst["symmetry"] = max(worst["symmetry"], _each(total - u * k, total))
        pull[p] = k
    # equals stay equal only where they are slowed down alike
    for p, j, d in ties:
        met = d > BOUND * d.max(initial=0.0)
        worst["symmetry"] = max(worst["symmetry"], _each((pull[p] - pull[j])[met], pull[p][met]))
    assumptions = (
        Assumption("separate edges", "no two paths share an edge", shared, 0.0, quantity="shared uses"),
        Assumption("commuting", "each path's correlations share their singular vectors", worst["commuting"], BOUND),
        Assumption("symmetry", "pathways that race are equals: same strengths and start, outputs that add up to "
                   "their own direction", worst["symmetry"], BOUND),
        Assumption("alignment", "weights are aligned with the modes", alignment, BOUND, quantity="relative distance"),
        Assumption("balance", "all edges of a pathway carry a mode equally strongly", worst["balance"], BOUND),
        Assumption("sign", "every mode of a pathway starts with strength >= 0", worst["sign"],
                   0.0, quantity="largest negative one"),
    )  # fmt: skip
    return _Parallel(modes, frames, layers, pull, assumptions)


@dataclass(frozen=True, repr=False)
class EqualPathways(Theory):
    """Pathways without shared edges that do not race at all, or race as equals.

    B(t) of a mode solves dB/dt = D B^{2−2/D}(S − kB) with k = Σ_j (U_pᵀU_j) D(j,p) over the pathways j it races with,
    wherever these have the same strength. Disjoint gates give k = D(p,p); C symmetric contexts give k = D(p,p)/(C−1).

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> network = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 4, initial=fs.gated.Decoupled(0.1))
        >>> fs.evolve(network, task, [0.0, 1.0]).notes["theory"]
        'equal pathways'

    Source: jarvis2025 App. C, and F, G with overlaps −1/(C−1) and the decaying exponential.
    """

    name: ClassVar[str] = "equal pathways"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "saxe2022", "jarvis2025")

    def assumptions(self, network: Gated, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Separate edges, commuting correlations, equal rivals, aligned and balanced weights of positive strength."""
        return start.recall("equal pathways", lambda: _measure(network, task, start)).assumptions

    def solve(self, network: Gated, task: Task, start: Start, times: Times) -> Solution:
        """Every mode of every pathway at the times."""
        return _solve_parallel(network, task, start, times, None)


Grow = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Strengths (times, modes) of the modes of a pathway, from their S, k and initial strengths."""


def _solve_parallel(network: Gated, task: Task, start: Start, times: Times, grow: Grow | None) -> Solution:
    found: _Parallel = start.recall("equal pathways", lambda: _measure(network, task, start))
    modes = found.modes
    weights = [np.repeat(w[None], len(times), axis=0) for w in start.weights]
    for p, path in enumerate(modes.statistics.paths):
        s, k, depth = modes.strengths[p], found.pull[p], len(path)
        first = np.prod([found.layers[e] for e in path], axis=0)
        first = np.maximum(first, 0.0)
        grown = strength(times[:, None], s, k, first, depth) if grow is None else grow(s, k, first)
        layer = grown ** (1 / depth)
        _write(weights, found.frames, path, {e: np.sign(found.layers[e]) * layer for e in path})
    return _race.solution(network, task, tuple(weights), len(times))


@dataclass(frozen=True, repr=False)
class FiniteStepPathways(Theory):
    """Equal pathways under gradient descent with a finite step: each mode's time is stretched by ln(1 + ηs)/(ηs).

    An approximation for pathways of two layers; its error is measured against the recursion of each mode,
    B ← B(1 + η(S − kB))².

    Args:
        rate: step size η of the descent.

    Raises:
        ValueError: pathways of other than two layers, or that do not learn equally fast.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> network = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 4, initial=fs.gated.Decoupled(0.1))
        >>> slower = fs.evolve(network, task, [0.0, 5.0], method=fs.Reduced(fs.gated.FiniteStepPathways(0.4)))
        >>> bool(slower.loss[1] > fs.evolve(network, task, [0.0, 5.0]).loss[1])
        True

    Source: saxe2014 (discrete time); jarvis2025 App. C.
    """

    rate: float

    name: ClassVar[str] = "equal pathways, finite step"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "jarvis2025")

    def __post_init__(self) -> None:
        check.positive("rate", self.rate)

    def suits(self, network: Network) -> bool:
        """Gated networks."""
        return EqualPathways().suits(network)

    def assumptions(self, network: Gated, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Those of equal pathways, and a step that is small compared with the fastest mode."""
        own = EqualPathways().assumptions(network, task, start)
        modes = find_modes(task.statistics(network))
        largest = self.rate * max((float(s.max(initial=0.0)) for s in modes.strengths), default=0.0)
        return (*own, Assumption("small step", "η s of the fastest mode is small", largest, LARGEST_STEP))

    def solve(self, network: Gated, task: Task, start: Start, times: Times) -> Solution:
        """The solution of equal pathways at stretched times."""
        # a large step is reported with the error it makes; unequal pathways have no closed form at all
        wrong = [a for a in EqualPathways().assumptions(network, task, start) if not a.holds]
        if wrong:
            raise ValueError(f"rate is {self.rate:g}, but {wrong[0]}; use method=fs.Train(rate={self.rate:g}).")
        if any(len(path) != 2 for path in task.statistics(network).paths):
            raise ValueError(
                f"rate is {self.rate:g} with pathways of other than two layers; use fs.Train(rate={self.rate:g})."
            )

        def stretched(s: np.ndarray, k: np.ndarray, first: np.ndarray) -> np.ndarray:
            return strength(times[:, None] * np.log1p(self.rate * s) / (self.rate * s), s, k, first, 2)

        found = _solve_parallel(network, task, start, times, stretched)

        def error() -> np.ndarray:
            steps = np.rint(times / self.rate).astype(int)
            own = _solve_parallel(
                network, task, start, times, lambda s, k, first: descend(steps, s, k, first, self.rate)
            )
            return found.observables["loss"]() - own.observables["loss"]()

        return replace(found, error=error)


@dataclass(frozen=True, repr=False)
class SharedEdge(Theory):
    """M inputs and M outputs through one shared edge, each in K open paths of three layers.

    From a balanced start, b2² = M b1², the strength u = b1² b2 of every path obeys du/dt = 3 K M^{1/3} u^{4/3}(S − Du).
    This is the mode of a chain of three layers, K M^{1/3} times as fast. It ends at b2 = (M s/d)^{1/3} and b1 =
    (s/d)^{1/3} M^{−1/6}.

    Example:
        >>> import festina as fs
        >>> SharedEdge().exact
        True

    Source: saxe2022 (routing network); saxe_lecture "Race dynamics favor shared structure".
    """

    name: ClassVar[str] = "routing through a shared edge"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "saxe2022", "saxe_lecture")

    def _read(self, network: Gated, task: Task, start: Start) -> tuple[Modes, tuple, float, float, bool]:
        modes = find_modes(task.statistics(network))
        statistics = modes.statistics
        projected = _race.project(network, modes, start.weights)
        layers, paths = projected[1], statistics.paths
        firsts, lasts = {p[0] for p in paths}, {p[-1] for p in paths}
        counts = np.bincount([e for p in paths for e in p], minlength=len(start.weights))
        many = len(firsts)
        each = len(paths) / many if many else 0.0
        regular = (
            bool(paths)
            and all(len(p) == 3 for p in paths)
            and len({p[1] for p in paths}) == 1
            and len(lasts) == many
            and all(counts[e] == each for e in firsts | lasts)
        )
        wrong = 0.0 if regular else 1.0
        if regular:
            s, d, b1, b2 = modes.strengths[0], modes.curvatures(0, 0), layers[paths[0][0]], layers[paths[0][1]]
            for p, path in enumerate(paths):
                wrong = max(wrong, _each(modes.strengths[p] - s, s), _each(modes.curvatures(p, p) - d, d))
                wrong = max(wrong, 0.0 if statistics.coupled[p] == (p,) else 1.0)
                wrong = max(wrong, *(_each(layers[e] - b1, b1) for e in (path[0], path[-1])))
            wrong = max(wrong, _each(b2**2 - many * b1**2, b2**2), float(np.any(b1**2 * b2 < 0)))
        return modes, projected, wrong, each, regular

    def assumptions(self, network: Gated, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Commuting paths, a regular routing graph with equal paths, aligned weights."""
        modes, projected, wrong, _, regular = start.recall("shared edge", lambda: self._read(network, task, start))
        return (
            Assumption("routing", "M inputs and M outputs share one edge, paths are equal, and b2² = M b1² at the "
                       "start", wrong, BOUND, needed=not regular),
            Assumption("commuting", "paths share their singular vectors", modes.distance, BOUND),
            Assumption("alignment", "weights are aligned with the modes", projected[2], BOUND,
                       quantity="relative distance"),
        )  # fmt: skip

    def solve(self, network: Gated, task: Task, start: Start, times: Times) -> Solution:
        """Every edge at the times."""
        modes, (frames, layers, _), _, each, _ = start.recall("shared edge", lambda: self._read(network, task, start))
        paths = modes.statistics.paths
        many = len({p[0] for p in paths})
        s, d, b1, b2 = modes.strengths[0], modes.curvatures(0, 0), layers[paths[0][0]], layers[paths[0][1]]
        total = strength(each * many ** (1 / 3) * times[:, None], s, d, b1**2 * b2, 3)
        shared = (many * total) ** (1 / 3)
        weights = [np.repeat(w[None], len(times), axis=0) for w in start.weights]
        own = shared / np.sqrt(many)
        for path in paths:
            sizes = {path[0]: own, path[1]: shared, path[2]: own}
            _write(weights, frames, path, {e: np.sign(layers[e]) * size for e, size in sizes.items()})
        return _race.solution(network, task, tuple(weights), len(times))


def _write(
    weights: list[np.ndarray],
    frames: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]],
    path: tuple[int, ...],
    layers: dict[int, np.ndarray],
) -> None:
    for (edge, _), (target, source) in frames.items():
        if edge in path:
            weights[edge] = np.einsum("om,tm,im->toi", target, layers[edge], source)


def _ratio(part: np.ndarray, whole: np.ndarray) -> float:
    size = np.linalg.norm(whole)
    return float(np.linalg.norm(part) / size) if size else float(np.linalg.norm(part) > 0)


def _each(part: np.ndarray, whole: np.ndarray) -> float:
    """The largest relative part, mode by mode (columns): a strong mode does not hide a weak one."""
    part, whole = np.atleast_2d(part), np.atleast_2d(whole)
    return max((_ratio(part[:, m], whole[:, m]) for m in range(part.shape[1])), default=0.0)


def _cross(modes: Modes, j: int, p: int) -> float:
    """The largest correlation between different modes of two paths, each measured on its own scale."""
    first, second = modes.ends(j)[0], modes.ends(p)[0]
    between = np.abs(first.T @ modes.statistics.between(j, p) @ second)
    size = np.sqrt(np.outer(modes.curvatures(j, j), modes.curvatures(p, p)))
    noise = ROUNDING * np.add.outer(between.max(axis=1, initial=0.0), between.max(axis=0, initial=0.0))
    off = np.maximum(between - noise, 0.0) / np.where(size > 0, size, 1.0)
    return float((off - np.diag(np.diag(off))).max(initial=0.0))
