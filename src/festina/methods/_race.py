"""The neural race reduction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina._network import Network
from festina._task import Task
from festina._types import Times
from festina.methods._base import Method, Run, solve


@dataclass(frozen=True, repr=False)
class Race(Method):
    """Modes (and pathways) that race to explain the data, from the strengths of the actual initial weights.

    The weights of the seed are projected on the modes, how well they are aligned is measured and reported, and the
    reduced equations go on from there. On a deep linear network it is the race with one pathway.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(32,), initial=fs.initial.Gaussian(1e-3))
        >>> race = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 60, 7), method=fs.Race())
        >>> [assumption.name for assumption in race.assumptions if not assumption.holds]
        ['alignment']

    Source: saxe2022; jarvis2025 eq. (3).
    """

    def run(
        self, network: Network, task: Task, times: Times | None, seeds: Sequence[int], observe: Sequence[str]
    ) -> Run:
        """Solve the reduced equations for each seed's weights."""
        at = np.array([np.inf]) if times is None else times
        return solve(lambda seed: network.race(task, at, seed), at, seeds, observe, "Race()")
