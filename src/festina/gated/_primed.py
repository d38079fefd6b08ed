"""A closed form for a common and contextual pathways: primed by the raw targets, then racing on what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina._network import Solution
from festina._statistics import Statistics
from festina._task import Task
from festina._types import Times
from festina.gated import _race
from festina.linear import _mode

if TYPE_CHECKING:
    from festina.gated._network import Gated

SAMPLES = 400
"""Times at which the takeover of a mode by the common pathway is looked for, between which it is interpolated."""


@dataclass(frozen=True, eq=False)
class Primed:
    """Strengths of the common pathway's modes and of each contextual pathway's, over time, and the loss they give.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, subsets = fs.tasks.context(3), [(0, 1, 2), *fs.gated.on_in(3, 2)]
        >>> network = fs.gated.contextual(3, subsets, hidden=75, initial=fs.initial.Gaussian(1e-3))
        >>> starts = {node.name: 75 * 1e-3**2 / 2 for node in network.graph.hidden}
        >>> path = fs.gated.primed(network, task, np.linspace(0, 400, 5), starts)
        >>> path.common.shape, len(path.contextual)
        ((5, 10), 3)
    """

    common: np.ndarray
    contextual: tuple[np.ndarray, ...]
    solution: Solution


def primed(network: Gated, task: Task, times: Times, starts: dict[str, float], common: str = "common") -> Primed:
    """Common and contextual pathways in closed form: no equation is integrated, nothing is chosen.

    The common pathway learns mode by mode as a deep linear network, a(t) with S/D as end. A contextual pathway p sees
    the raw targets at first and grows with the singular value r of those; when the common pathway has taken over half
    of what p sees along a mode, at time t*, the pathway turns to the residual Y − Y_common with strength
        B* = ((1 + c)/2)² B₀ e^{2 r t*},
    where c is the cosine between its raw and its residual output, and from there on
        B(t) = (S/k) / (1 − (1 − S/(k B*)) e^{−2S(t − t*)}),  k = Σ_j (U_pᵀU_j) D(j,p).
    For C symmetric contexts k = D/(C−1). Holds as far as contextual pathways learn equally fast, after the common one.

    Args:
        network: pathways of one hidden layer, one of them open for all data points.
        task: what is learned.
        times: flow times.
        starts: initial strength of each pathway by the name of its hidden node, nσ²/2 for n units.
        common: name of the hidden node that is always open.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, subsets = fs.tasks.context(3), [(0, 1, 2), *fs.gated.on_in(3, 2)]
        >>> network = fs.gated.contextual(3, subsets, hidden=75, initial=fs.initial.Gaussian(1e-3))
        >>> starts = {node.name: 75 * 1e-3**2 / 2 for node in network.graph.hidden}
        >>> path = fs.gated.primed(network, task, np.linspace(0, 400, 5), starts)
        >>> path.solution.observables["loss"]().round(2)
        array([4.  , 0.01, 0.  , 0.  , 0.  ])

    Source: jarvis2025 App. F and G, corrected: overlaps from the data, e^{−2St}, priming instead of a chosen onset.
    """
    statistics = task.statistics(network)
    hidden = [network.graph.edges[path[0]][1] for path in statistics.paths]
    lead = hidden.index(common)
    whole = statistics.effective[lead]
    strengths = _mode.strength(times[:, None], whole.strengths, whole.curvatures, starts[common], 2)
    left = Statistics(whole.x, task.y - whole.x @ (whole.left * whole.targets @ whole.right.T).T)
    rest = Task(task.x, left.y).statistics(network)
    others = [p for p in range(len(hidden)) if p != lead]
    grid = np.linspace(0.0, times[-1], SAMPLES)
    early = _mode.strength(grid[:, None], whole.strengths, whole.curvatures, starts[common], 2)
    maps = {lead: np.einsum("om,tm,im->toi", whole.left, strengths, whole.right)}
    contextual = []
    for p in others:
        own, raw = rest.effective[p], statistics.cross(p)
        shared = statistics.between(lead, p)
        drive = raw @ own.right
        rates = np.linalg.norm(drive, axis=0)
        unit = drive / rates
        # share of the raw drive along each mode that the common pathway has taken over by each time
        inner = whole.right.T @ shared @ own.right
        taken = np.einsum("oa,om,tm,ma->ta", unit, whole.left, early, inner) / rates
        switch = np.array([np.interp(0.5, np.maximum.accumulate(row), grid) for row in taken.T])
        cosine = np.sum(unit * own.left, axis=0)
        log = np.log(starts[hidden[p]]) + 2 * rates * switch + 2 * np.log((1 + cosine) / 2)
        begin = np.minimum(np.exp(log), own.targets)
        pull = np.zeros_like(own.left)
        for j in others:
            other = rest.effective[j]
            turned = other.left @ (other.right.T @ rest.between(j, p) @ own.right)
            pull = pull + turned
        k = np.maximum(np.sum(own.left * pull, axis=0), np.finfo(float).tiny)
        since = times[:, None] - switch
        after = _mode.strength(np.maximum(since, 0.0), own.strengths, k, begin, 2)
        before = begin * np.exp(2 * rates * np.minimum(since, 0.0))
        contextual.append(np.where(since > 0, after, before))
        maps[p] = np.einsum("om,tm,im->toi", own.left, contextual[-1], own.right)
    root = {p: np.linalg.svd(m, full_matrices=False) for p, m in maps.items()}
    weights = [np.zeros(0)] * len(network.graph.edges)
    for p, path in enumerate(statistics.paths):
        u, s, vt = root[p]
        weights[path[0]], weights[path[1]] = np.sqrt(s)[..., None] * vt, u * np.sqrt(s)[:, None, :]
    found = _race.observe(network, task, statistics, tuple(weights), len(times))
    return Primed(strengths, tuple(contextual), Solution(found, (), ("jarvis2025",)))
