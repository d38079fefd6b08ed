"""A closed form for a common and contextual pathways: primed by the raw targets, then racing on what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Network, Solution, Start, Statistics, Task, Theory
from festina.gated._race import PathwayRace, solution
from festina.methods import estimated
from festina.modes.mode import parts, strength

if TYPE_CHECKING:
    from festina.gated._network import Gated

SAMPLES = 400
"""Times at which the takeover of a mode by the common pathway is looked for, between which it is interpolated."""

TAKEN_OVER = 0.5
"""Share of what a contextual pathway sees along a mode at which the common pathway has taken it over: the middle of a
sigmoidal transition. It is a choice, and the reason why this is an approximation."""


@dataclass(frozen=True, repr=False)
class Priming(Theory):
    """A common and contextual pathways in closed form: nothing is integrated.

    The common pathway learns mode by mode as a deep linear network, a(t) with S/D as end. A contextual pathway p sees
    the raw targets at first and grows with their singular value r. At time t* the common pathway has taken over half of
    what p sees along a mode. Then the pathway turns to the residual Y − Y_common with the strength

        B* = ((1 + c)/2)² B₀ e^{2 r t*},

    where c is the cosine between its raw and its residual output. Afterwards

        B(t) = (S/k) / (1 − (1 − S/(k B*)) e^{−2S(t − t*)}),  k = Σ_j (U_pᵀU_j) D(j,p).

    For C symmetric contexts k = D/(C−1). Initial strengths are those of the seed's weights. Holds as far as contextual
    pathways learn equally fast, after the common one.

    Args:
        common: name of the hidden node that is always open.

    Raises:
        ValueError: no hidden node of that name, or pathways of more than one hidden layer.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, subsets = fs.tasks.context(3), [(0, 1, 2), (0, 1), (0, 2), (1, 2)]
        >>> network = fs.gated.contextual(3, subsets, hidden=75, initial=fs.initial.Gaussian(1e-3))
        >>> fs.evolve(network, task, np.linspace(0, 400, 5), method=fs.Reduced(fs.gated.Priming())).loss.round(2)
        array([4.  , 0.01, 0.  , 0.  , 0.  ])

    Source: jarvis2025 App. F and G, corrected: overlaps from the data, e^{−2St}, priming instead of a chosen onset.
    """

    common: str = "common"

    name: ClassVar[str] = "common and primed pathways"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("jarvis2025",)

    def suits(self, network: Network) -> bool:
        """Gated networks."""
        return PathwayRace().suits(network)

    def assumptions(self, network: Gated, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Contextual pathways that are slower than the common one."""
        statistics = task.statistics(network)
        lead = self._names(network, task).index(self.common)
        slowest = statistics.effective[lead].strengths.min(initial=np.inf)
        fastest = max((float(e.strengths.max(initial=0.0)) for p, e in enumerate(statistics.effective) if p != lead),
                      default=0.0)  # fmt: skip
        ratio = fastest / slowest if np.isfinite(slowest) else 0.0
        return (
            Assumption(
                "order", "contextual modes are slower than every common one", ratio, 1.0, quantity="ratio of rates"
            ),
        )

    def _names(self, network: Gated, task: Task) -> list[str]:
        """The hidden node of each path."""
        paths = task.statistics(network).paths
        if any(len(path) != 2 for path in paths):
            raise ValueError(
                "network has pathways of more than one hidden layer; use method=fs.Reduced(), which has none."
            )
        names = [network.graph.edges[path[0]][1] for path in paths]
        if self.common not in names:
            raise ValueError(f"common is {self.common!r}; the hidden nodes are {', '.join(names)}.")
        return names

    def solve(self, network: Gated, task: Task, start: Start, times: Times) -> Solution:
        """The maps of all pathways at the times."""
        statistics = task.statistics(network)
        lead = self._names(network, task).index(self.common)
        pairs = [(start.weights[path[0]], start.weights[path[1]]) for path in statistics.paths]
        whole = statistics.effective[lead]
        first = parts(*pairs[lead], whole.left, whole.right)[0]
        strengths = strength(times[:, None], whole.strengths, whole.curvatures, first, 2)
        left = Statistics(whole.x, task.y - whole.x @ (whole.left * whole.targets @ whole.right.T).T)
        rest = Task(task.x, left.y).statistics(network)
        others = [p for p in range(len(pairs)) if p != lead]
        grid = np.linspace(0.0, times[-1], SAMPLES)
        early = strength(grid[:, None], whole.strengths, whole.curvatures, first, 2)
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
            switch = np.array([np.interp(TAKEN_OVER, np.maximum.accumulate(row), grid) for row in taken.T])
            cosine = np.sum(unit * own.left, axis=0)
            log = np.log(parts(*pairs[p], unit, own.right)[0]) + 2 * rates * switch + 2 * np.log((1 + cosine) / 2)
            begin = np.minimum(np.exp(log), own.targets)
            pull = np.zeros_like(own.left)
            for j in others:
                other = rest.effective[j]
                turned = other.left @ (other.right.T @ rest.between(j, p) @ own.right)
                pull = pull + turned
            k = np.maximum(np.sum(own.left * pull, axis=0), np.finfo(float).tiny)
            since = times[:, None] - switch
            after = strength(np.maximum(since, 0.0), own.strengths, k, begin, 2)
            before = begin * np.exp(2 * rates * np.minimum(since, 0.0))
            contextual.append(np.where(since > 0, after, before))
            maps[p] = np.einsum("om,tm,im->toi", own.left, contextual[-1], own.right)
        root = {p: np.linalg.svd(m, full_matrices=False) for p, m in maps.items()}
        weights = [np.zeros(0)] * len(network.graph.edges)
        for p, path in enumerate(statistics.paths):
            u, s, vt = root[p]
            weights[path[0]], weights[path[1]] = np.sqrt(s)[..., None] * vt, u * np.sqrt(s)[:, None, :]
        return estimated(solution(network, task, tuple(weights), len(times)), network, task, start, times)
