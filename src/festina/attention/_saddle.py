"""Stationary points of linear attention: one for every set of principal components, and which of them are passed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.task import Task

if TYPE_CHECKING:
    from festina.attention._network import LinearAttention
from festina.tasks import InContextRegression

MOST_COMPONENTS = 16
"""Components up to which all sets are listed: there are 2^D of them."""

PASSED = 0.1
"""Share of the distance between neighbouring saddles within which a saddle counts as passed."""


def regression(task: object) -> InContextRegression:
    """The task as in-context regression, or an error that says which task is needed."""
    if not isinstance(task, InContextRegression):
        raise ValueError(
            f"task is {task!r}; attention regresses in context: use fs.tasks.in_context_regression(covariance, length)."
        )
    return task


def component_maps(task: InContextRegression) -> np.ndarray:
    """M with the first m components learned, m = 0 … D, shape (D + 1, D, D)."""
    parts = np.einsum("id,d,jd->dij", task.basis, task.final_strengths, task.basis)
    return np.concatenate([np.zeros((1, *parts.shape[1:])), np.cumsum(parts, axis=0)])


@dataclass(frozen=True)
class Saddle:
    """A stationary point: the components it has learned, and its loss.

    Attributes:
        components: numbers of the learned eigenvectors of Λ, 0 for the largest eigenvalue.
        loss: ½ [Tr Λ − Σ_{d learned} s_d²/c_d].

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(1, initial=fs.initial.Gaussian(0.01))
        >>> network.stationary_points(fs.tasks.in_context_regression([1.0], length=1))[0]
        Saddle(components=(), loss=0.5)
    """

    components: tuple[int, ...]
    loss: float


def stationary_points(network: LinearAttention, task: Task) -> list[Saddle]:
    """All 2^D stationary points of linear attention with separate key and query, by loss, the highest first."""
    if network.merged:
        raise ValueError("network has merged key and query, whose only saddle is at zero; use merged=False.")
    known = regression(task)
    drops = 0.5 * known.chain_rates[0] * known.final_strengths
    active = np.flatnonzero(drops > 0).tolist()
    if len(active) > MOST_COMPONENTS:
        raise ValueError(f"task has {len(active)} components; all sets of them are listed up to {MOST_COMPONENTS}.")
    top = 0.5 * float(np.trace(known.covariance))
    found = [
        Saddle(chosen, top - float(sum(drops[d] for d in chosen)))
        for size in range(len(active) + 1)
        for chosen in combinations(active, size)
    ]
    return sorted(found, key=lambda saddle: -saddle.loss)


@dataclass(frozen=True)
class Passage:
    """A saddle that a trajectory passes: when it comes closest, and how close.

    Attributes:
        components: the learned components of the saddle.
        time: when the strengths are nearest to it.
        distance: the distance of the strengths from it then, over the largest final strength it lacks or has.
        loss: the loss of the network then.

    Example:
        >>> Passage((0,), time=40.0, distance=1e-4, loss=0.82).components
        (0,)
    """

    components: tuple[int, ...]
    time: float
    distance: float
    loss: float


def saddle_passages(network: LinearAttention, trajectory: Trajectory, *, within: float = PASSED) -> list[Passage]:
    """The stationary points that one run passes, in order; it needs ``observe=("loss", "strengths")`` of one seed."""
    check.positive("within", within)
    task, within = learned_task(trajectory, "loss", "strengths"), check.positive("within", within)
    needed = "a trajectory of attention on fs.tasks.in_context_regression(...)"
    check.instance("trajectory.task", task, InContextRegression, needed)
    known = regression(task)
    if trajectory.seeds is not None:
        raise ValueError(f"trajectory has {len(trajectory.seeds)} seeds; call fs.evolve once per seed=....")
    final = known.final_strengths
    active = np.flatnonzero(final > 0)
    shares = np.asarray(trajectory.strengths)[:, active] / final[active]
    learned = shares > 0.5
    distance = np.abs(shares - learned).max(axis=1, initial=0.0)
    changes = np.flatnonzero(np.any(learned[1:] != learned[:-1], axis=1)) + 1
    found = []
    for stretch in np.split(np.arange(len(shares)), changes):
        best = int(stretch[np.argmin(distance[stretch])])
        if distance[best] < within:
            components = tuple(active[learned[best]].tolist())
            found.append(
                Passage(components, float(trajectory.times[best]), float(distance[best]), float(trajectory.loss[best]))
            )
    return found
