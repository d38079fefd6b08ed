"""Closed forms of gated networks: disjoint gates, symmetric pathways, one shared edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina._assumption import Assumption, require
from festina._network import Solution
from festina._task import Task
from festina._types import Times
from festina.gated import _race
from festina.gated._modes import Modes, find_modes
from festina.linear import _mode

if TYPE_CHECKING:
    from festina.gated._network import Gated

BOUND = 1e-9
"""Largest relative distance from an assumption that leaves a closed form exact to the nine digits it promises."""

INSTEAD = "Use method=fs.Race() for the reduction, or method=fs.Flow() for the gradient flow itself."


def solve(network: Gated, task: Task, times: Times, seed: int, rate: float | None) -> Solution:
    """The closed form that fits the graph, or ``AssumptionError``."""
    modes = find_modes(task.statistics(network))
    used = [edge for path in modes.statistics.paths for edge in path]
    if len(set(used)) == len(used):
        return _parallel(network, task, modes, times, seed, rate)
    return _routed(network, task, modes, times, seed, rate)


def _parallel(network: Gated, task: Task, modes: Modes, times: Times, seed: int, rate: float | None) -> Solution:
    """Pathways without shared edges that do not race at all, or race as equals.

    B(t) of a mode solves dB/dt = D B^{2−2/D}(S − kB) with k = Σ_j (U_pᵀU_j) D(j,p) over the pathways j it races with,
    wherever these carry the same strength: k = D(p,p) for disjoint gates, D(p,p)/(C−1) for C symmetric contexts.

    Source: jarvis2025 App. C, and F, G with overlaps −1/(C−1) and the decaying exponential.
    """
    statistics = modes.statistics
    start = network.start(task, seed)
    frames, layers, alignment = _race.project(network, modes, start)
    worst = {"commuting": 0.0, "symmetry": 0.0, "balance": 0.0}
    solved: dict[int, np.ndarray] = {}
    for p, path in enumerate(statistics.paths):
        v, u = modes.ends(p)
        s, b = modes.strengths[p], np.stack([layers[e] for e in path])
        worst["commuting"] = max(worst["commuting"], _ratio(statistics.cross(p) - u * s @ v.T, statistics.cross(p)))
        squares = b**2
        worst["balance"] = max(worst["balance"], _ratio(squares - squares.mean(axis=0), squares))
        total: np.ndarray = np.zeros_like(u)
        for j in statistics.coupled[p]:
            other, left = modes.ends(j)
            if left.shape[1] != u.shape[1]:
                worst["symmetry"] = 1.0
                continue
            image, d = statistics.between(j, p) @ v, modes.curvatures(j, p)
            worst["commuting"] = max(worst["commuting"], _ratio(image - other * d, image))
            total = total + left * d
            theirs = np.prod([layers[e] for e in statistics.paths[j]], axis=0)
            worst["symmetry"] = max(worst["symmetry"], _ratio(np.prod(b, axis=0) - theirs, theirs))
            worst["symmetry"] = max(worst["symmetry"], _ratio(s - modes.strengths[j], s))
        k = np.sum(u * total, axis=0)
        # what the others add must point along this pathway's own outputs, or its modes turn
        worst["symmetry"] = max(worst["symmetry"], _ratio(total - u * k, total))
        solved[p] = k
    assumptions = (
        Assumption("commuting", "each path's correlations share their singular vectors", worst["commuting"], BOUND),
        Assumption("symmetry", "pathways that race are equals: same strengths and start, outputs that add up to "
                   "their own direction", worst["symmetry"], BOUND),
        Assumption("alignment", "weights lie on the modes (relative distance from such weights)", alignment, BOUND),
        Assumption("balance", "all edges of a pathway carry a mode equally strongly", worst["balance"], BOUND),
    )  # fmt: skip
    require(assumptions, INSTEAD)
    weights = [np.repeat(w[None], len(times), axis=0) for w in start]
    for p, path in enumerate(statistics.paths):
        s, k, depth = modes.strengths[p], solved[p], len(path)
        first = np.prod([layers[e] for e in path], axis=0)
        clock = times[:, None] if rate is None else _mode.finite_step(times[:, None], s, k, depth, rate)
        layer = np.abs(_mode.strength(clock, s, k, np.abs(first), depth)) ** (1 / depth)
        _write(weights, frames, path, {e: np.sign(layers[e]) * layer for e in path})
    found = _race.observe(network, task, statistics, tuple(weights), len(times))
    return Solution(found, assumptions, ("saxe2014", "saxe2022", "jarvis2025"))


def _routed(network: Gated, task: Task, modes: Modes, times: Times, seed: int, rate: float | None) -> Solution:
    """M inputs and M outputs through one shared edge, each in K open paths of three layers.

    From a balanced start, b2² = M b1², the strength u = b1² b2 of every path obeys du/dt = 3 K M^{1/3} u^{4/3}(S − Du):
    the mode of a chain of three layers, K M^{1/3} times as fast. It ends at b2 = (M s/d)^{1/3} and
    b1 = (s/d)^{1/3} M^{−1/6}.

    Source: saxe2022 (routing network); saxe_lecture "Race dynamics favor shared structure".
    """
    statistics = modes.statistics
    start = network.start(task, seed)
    frames, layers, alignment = _race.project(network, modes, start)
    paths = statistics.paths
    firsts, lasts = {p[0] for p in paths}, {p[-1] for p in paths}
    counts = np.bincount([e for p in paths for e in p], minlength=len(start))
    many, each = len(firsts), len(paths) / len(firsts)
    regular = (
        all(len(p) == 3 for p in paths)
        and len({p[1] for p in paths}) == 1
        and len(lasts) == many
        and all(counts[e] == each for e in firsts | lasts)
    )
    wrong = 0.0 if regular else 1.0
    if regular:
        s, d, b1, b2 = modes.strengths[0], modes.curvatures(0, 0), layers[paths[0][0]], layers[paths[0][1]]
        for p, path in enumerate(paths):
            wrong = max(wrong, _ratio(modes.strengths[p] - s, s), _ratio(modes.curvatures(p, p) - d, d))
            wrong = max(wrong, 0.0 if statistics.coupled[p] == (p,) else 1.0)
            wrong = max(wrong, *(_ratio(layers[e] - b1, b1) for e in (path[0], path[-1])))
        wrong = max(wrong, _ratio(b2**2 - many * b1**2, b2**2))
    assumptions = (
        Assumption("commuting", "paths share their singular vectors", modes.distance, BOUND),
        Assumption(
            "routing", "M inputs and M outputs through one edge, equal paths, start with b2² = M b1²", wrong, BOUND
        ),
        Assumption("alignment", "weights lie on the modes (relative distance from such weights)", alignment, BOUND),
    )
    require(assumptions, INSTEAD)
    if rate is not None:
        _mode.finite_step(times, s, d, 3, rate)
    speed = each * many ** (1 / 3)
    strength = _mode.strength(speed * times[:, None], s, d, np.abs(b1**2 * b2), 3)
    shared = (many * strength) ** (1 / 3)
    weights = [np.repeat(w[None], len(times), axis=0) for w in start]
    own = shared / np.sqrt(many)
    for path in paths:
        sizes = {path[0]: own, path[1]: shared, path[2]: own}
        _write(weights, frames, path, {e: np.sign(layers[e]) * size for e, size in sizes.items()})
    found = _race.observe(network, task, statistics, tuple(weights), len(times))
    return Solution(found, assumptions, ("saxe2014", "saxe2022", "saxe_lecture"))


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
