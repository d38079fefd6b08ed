"""Which gating learns fastest: candidate networks against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.passage import first_passage
from festina.checks import check
from festina.checks.shapes import Losses, Times
from festina.core.task import Task, check_task
from festina.core.theory import Start
from festina.gated._race import PathwayRace

if TYPE_CHECKING:
    from festina.gated._network import Gated

SAMPLES = 801
"""Default number of times of a race; between them a loss is interpolated, to a thousandth of its span."""


@dataclass(frozen=True, eq=False)
class Runner:
    """A candidate and its predicted race: time to the criterion (``inf`` where it is not reached) and loss curve."""

    name: str
    time: float
    times: Times
    loss: Losses


@dataclass(frozen=True, eq=False)
class Ranking:
    """Candidates, fastest first.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(2.0)
        >>> both = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 8, initial=fs.initial.Gaussian(1e-3))
        >>> one = fs.gated.pathways([task.y[:, 0] > 0], 16, initial=fs.initial.Gaussian(1e-3))
        >>> print(fs.gated.rank_gatings(task, {"both signs": both, "one sign": one}, criterion=0.1))
        flow time to loss 0.1
        1. both signs                    5.974
        2. one sign                        inf
    """

    criterion: float
    runners: tuple[Runner, ...]

    @property
    def winner(self) -> str:
        """Name of the fastest candidate."""
        return self.runners[0].name

    def __str__(self) -> str:
        lines = [f"{i + 1}. {r.name:<24} {r.time:>10.4g}" for i, r in enumerate(self.runners)]
        return f"flow time to loss {self.criterion:.4g}\n" + "\n".join(lines)


def rank_gatings(
    task: Task,
    candidates: Mapping[str, Gated],
    *,
    times: Times | None = None,
    criterion: float | None = None,
    seed: int | None = None,
) -> Ranking:
    """Rank gating structures by how fast they learn, by the neural race reduction.

    Args:
        task: what is learned.
        candidates: gated networks by name. Their initial strengths follow from ``initial``.
        times: flow times to look at; None chooses them from the slowest candidate's singular values.
        criterion: loss that counts as learned; None is a tenth of the loss of the zero map.
        seed: None takes the strengths that random weights have on average; a number those of that seed's weights.

    Returns:
        A ``Ranking``, fastest first; equal times in the order given.

    Raises:
        ValueError: no candidates, or a criterion that is not a loss > 0.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(2.0)
        >>> start = fs.initial.Gaussian(1e-3)
        >>> linear = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 64, initial=start)
        >>> points = fs.gated.pathways([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], 32, initial=start)
        >>> fs.gated.rank_gatings(task, {"linear": linear, "one per point": points}).winner
        'linear'

    Source: saxe2022; jarvis2025 Proposition 4.2.
    """
    from festina.gated._network import Gated

    check_task(task)
    task.require_squared("rank_gatings()")
    if not isinstance(candidates, Mapping):
        raise ValueError(f"candidates is {type(candidates).__name__}; give gated networks by name, {{name: network}}.")
    if not candidates:
        raise ValueError("candidates is empty; give at least one gated network by name.")
    for name, network in candidates.items():
        if not isinstance(network, Gated):
            raise ValueError(f"candidates[{name!r}] is {type(network).__name__}; an fs.Gated network is needed.")
    criterion = task.statistics.power / 20 if criterion is None else check.positive("criterion", criterion)
    seed = None if seed is None else check.seed("seed", seed)
    networks = {name: network.expected_start() if seed is None else network for name, network in candidates.items()}
    span = _span(task, networks, 0 if seed is None else seed) if times is None else check.times(times)
    runners = []
    for name, network in networks.items():
        loss = PathwayRace().solve(network, task, Start(network, task, seed or 0), span).observables["loss"]()
        runners.append(Runner(name, first_passage(span, loss, criterion), span, loss))
    return Ranking(criterion, tuple(sorted(runners, key=lambda r: r.time)))


def _span(task: Task, networks: Mapping[str, Gated], seed: int) -> Times:
    """Times long enough for every mode: ln(final/initial strength)/(2s) of the slowest, twice over."""
    longest = 0.0
    for network in networks.values():
        smallest = min(float(np.abs(w[w != 0]).min(initial=np.inf)) for w in network.start(task, seed))
        for own in task.statistics(network).effective:
            if own.rank:
                decades = np.log(np.maximum(own.targets, 1.0) / smallest**2)
                longest = max(longest, float(np.max(decades / own.strengths)))
    return np.linspace(0.0, max(longest, 1.0), SAMPLES)
