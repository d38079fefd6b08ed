"""Stationary points of linear attention: one for every set of principal components, and which of them are passed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from festina import _check
from festina._analysis import learned_task
from festina._task import Task
from festina._trajectory import Trajectory
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


def chain_rates(task: InContextRegression) -> tuple[np.ndarray, np.ndarray]:
    """s_d = λ_d² and c_d = λ_d² ((1 + 1/N) λ_d + Tr Λ/N) of every component; strengths end at s_d/c_d."""
    eigenvalues = task.eigenvalues
    s = eigenvalues**2
    return s, s * ((1 + 1 / task.length) * eigenvalues + eigenvalues.sum() / task.length)


def targets(task: Task) -> np.ndarray:
    """s_d/c_d, the final strength of each component; 0 for directions in which inputs do not vary.

    Example:
        >>> import festina as fs
        >>> fs.attention.targets(fs.tasks.in_context_regression([1.0, 0.0], length=10)).round(4)
        array([0.8333, 0.    ])

    Source: zhang2025 (solution of in-context regression).
    """
    task = regression(task)
    s, c = chain_rates(task)
    active = task.eigenvalues > np.finfo(float).eps * len(s) * task.eigenvalues[0]
    return np.where(active, s / np.where(active, c, 1.0), 0.0)


def component_maps(task: InContextRegression) -> np.ndarray:
    """M with the first m components learned, m = 0 … D, shape (D + 1, D, D)."""
    parts = np.einsum("id,d,jd->dij", task.basis, targets(task), task.basis)
    return np.concatenate([np.zeros((1, *parts.shape[1:])), np.cumsum(parts, axis=0)])


@dataclass(frozen=True)
class Saddle:
    """A stationary point: the components it has learned, and its loss.

    Attributes:
        components: numbers of the learned eigenvectors of Λ, 0 for the largest eigenvalue.
        loss: ½ [Tr Λ − Σ_{d learned} s_d²/c_d].

    Example:
        >>> import festina as fs
        >>> fs.attention.saddles(fs.tasks.in_context_regression([1.0], length=1))[0]
        Saddle(components=(), loss=0.5)
    """

    components: tuple[int, ...]
    loss: float


def saddles(task: Task) -> list[Saddle]:
    """All 2^D stationary points of linear attention with separate key and query, by loss, the highest first.

    Source: zhang2025 (separate key and query: fixed points); loss ½ [Tr Λ − Σ s_d²/c_d] in our convention of a half.

    Raises:
        ValueError: not an in-context regression, or more than 16 components.

    Example:
        >>> import festina as fs
        >>> points = fs.attention.saddles(fs.tasks.in_context_regression([1.6, 1.0], length=31))
        >>> [(point.components, round(point.loss, 4)) for point in points]
        [((), 1.3), ((1,), 0.852), ((0,), 0.5625), ((0, 1), 0.1145)]
    """
    known = regression(task)
    drops = 0.5 * chain_rates(known)[0] * targets(known)
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


def plateaus(task: Task) -> np.ndarray:
    """L_m = ½ [Tr Λ − Σ_{d ≤ m} s_d²/c_d], m = 0 … D: the loss on each step of the staircase, largest λ first.

    Example:
        >>> import festina as fs
        >>> fs.attention.plateaus(fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)).round(4)
        array([1.55  , 0.8192, 0.3776, 0.1748])

    Source: zhang2025 (separate key and query: loss at the saddles that are passed).
    """
    known = regression(task)
    drops = chain_rates(known)[0] * targets(known)
    return 0.5 * (np.trace(known.covariance) - np.concatenate([[0.0], np.cumsum(drops)]))


@dataclass(frozen=True)
class Passage:
    """A saddle that a trajectory passes: when it comes closest, and how close.

    Attributes:
        components: the learned components of the saddle.
        time: when the strengths are nearest to it.
        distance: of the strengths from it then, over the largest final strength it lacks or has.
        loss: of the network then.

    Example:
        >>> import festina as fs
        >>> fs.attention.Passage((0,), time=40.0, distance=1e-4, loss=0.82).components
        (0,)
    """

    components: tuple[int, ...]
    time: float
    distance: float
    loss: float


def saddle_passages(trajectory: Trajectory, within: float = PASSED) -> list[Passage]:
    """The stationary points that one run passes, in order; it needs ``observe=("loss", "strengths")`` of one seed.

    At each time the nearest set of components is the one whose strengths are above half their final value; it counts as
    passed if the relative distance |u_d/u_d* − [d learned]| falls below ``within`` for every d.

    Args:
        trajectory: of ``fs.LinearAttention``, without a seed axis.
        within: largest relative distance.

    Raises:
        ValueError: a trajectory with a seed axis, or without ``loss`` and ``strengths``.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.in_context_regression([1.6, 1.0], length=31)
        >>> network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(1e-6))
        >>> path = fs.evolve(network, task, np.linspace(0, 200, 401), observe=("loss", "strengths"))
        >>> [passage.components for passage in fs.attention.saddle_passages(path)]
        [(), (0,), (0, 1)]
    """
    _check.positive("within", within)
    task, within = learned_task(trajectory, "loss", "strengths"), _check.positive("within", within)
    needed = "a trajectory of attention on fs.tasks.in_context_regression(...)"
    _check.instance("trajectory.task", task, InContextRegression, needed)
    known = regression(task)
    if trajectory.seeds is not None:
        raise ValueError(f"trajectory has {len(trajectory.seeds)} seeds; call fs.evolve once per seed=....")
    final = targets(known)
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
