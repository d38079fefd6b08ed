"""Subjects on the model's axes: psychometric curve and nearest stationary point, session by session."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from festina.behaviour._psychometric import Psychometric, fit_psychometric
from festina.behaviour._stationary import StationaryPoint
from festina.behaviour._table import Table
from festina.behaviour._task import DecisionTask

ALIKE = 1e-6
"""Points whose curves differ by less (in probability) cannot be told apart by behaviour: they are named together."""


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """One subject over its sessions.

    Attributes:
        subject: its label.
        sessions: labels of its sessions, in order.
        fits: the psychometric curve of each.
        rewarded: share of rewarded trials of each.
        points: names of the stationary points; those with the same behaviour are joined.
        distances: of each session to each of them (sessions, points): Euclidean, in probabilities of choosing right.
        clear: whether the nearest is nearer than the next by more than two standard errors.

    Example:
        >>> import festina as fs
        >>> network, task = fs.behaviour.TutorExecutor(offset=0.1), fs.behaviour.decision_task()
        >>> points = fs.behaviour.stationary_points(network, task)
        >>> (agent,) = fs.behaviour.place(fs.behaviour.record(network, task, sessions=2, agents=1), task, points)
        >>> agent.shape.shape, agent.distances.shape, agent.points
        ((2, 3), (2, 4), ('none or constant', 'left', 'right', 'left + right'))
    """

    subject: str
    sessions: tuple[str, ...]
    fits: tuple[Psychometric, ...]
    rewarded: np.ndarray
    points: tuple[str, ...]
    distances: np.ndarray
    clear: np.ndarray

    @property
    def shape(self) -> np.ndarray:
        """Bias, left slope and right slope (sessions, 3)."""
        return np.stack([fit.shape for fit in self.fits])

    @property
    def error(self) -> np.ndarray:
        """Their standard errors (sessions, 3)."""
        return np.stack([fit.error for fit in self.fits])

    @property
    def trials(self) -> np.ndarray:
        """Trials played up to the end of each session."""
        return np.cumsum([fit.trials for fit in self.fits])

    @property
    def nearest(self) -> tuple[str, ...]:
        """Name of the nearest point of each session; ``"?"`` where the session has no psychometric curve."""
        return tuple("?" if np.isnan(row).any() else self.points[int(np.argmin(row))] for row in self.distances)

    def __repr__(self) -> str:
        return f"Placement({self.subject}: {len(self.sessions)} sessions, last near {self.nearest[-1]})"


def place(table: Table, task: DecisionTask, points: Sequence[StationaryPoint]) -> tuple[Placement, ...]:
    """Put every subject of a table on the same axes as the model, with uncertainty.

    Each session gets a psychometric curve (``fit_psychometric``) and its distance to every stationary point, between
    (bias, rise on the left, rise on the right): three differences of probabilities, slope × largest contrast.

    Args:
        table: from ``read_table``, ``table`` or ``record``.
        task: the task; slopes are taken up to its largest contrasts.
        points: from ``stationary_points``; with ``drifting=True`` also those that only the map has.

    Raises:
        ValueError: no points.

    Example:
        >>> import festina as fs
        >>> network, task = fs.behaviour.TutorExecutor(), fs.behaviour.decision_task()
        >>> table = fs.behaviour.record(network, task, sessions=2, agents=1)
        >>> fs.behaviour.place(table, task, fs.behaviour.stationary_points(network, task))
        (Placement(agent 0: 2 sessions, last near none or constant),)

    Source: saxe_lecture "Learning trajectories are individually diverse but systematic".
    """
    if not points:
        raise ValueError("points is empty; give those of fs.behaviour.stationary_points(network, task).")
    scale = np.array([1.0, *task.span])
    names, places = _join(points, scale)
    found = []
    for subject in table.subjects:
        fits, rewarded = [], []
        for session in table.sessions(subject):
            rows = (table.subject == subject) & (table.session == session)
            fits.append(fit_psychometric(table.contrast[rows], table.right[rows], span=task.span))
            rewarded.append(table.reward[rows].mean())
        at = np.stack([fit.shape for fit in fits]) * scale
        scatter = np.stack([fit.scatter for fit in fits]) * np.outer(scale, scale)
        apart = np.linalg.norm(at[:, None] - places, axis=-1)
        clear = np.array([_clear(*session, places) for session in zip(at, scatter, strict=True)])
        found.append(Placement(subject, table.sessions(subject), tuple(fits), np.array(rewarded), names, apart, clear))
    return tuple(found)


def _clear(at: np.ndarray, scatter: np.ndarray, places: np.ndarray) -> bool:
    """Whether the next point is further than the nearest by more than two standard errors of the difference."""
    apart = np.linalg.norm(at - places, axis=-1)
    if len(places) < 2 or np.isnan(apart).any():
        return not np.isnan(apart).any()
    first, second = np.argsort(apart)[:2]
    towards = [(at - places[i]) / apart[i] if apart[i] > 0 else np.zeros(3) for i in (first, second)]
    change = towards[1] - towards[0]
    return bool(apart[second] - apart[first] > 2 * np.sqrt(change @ scatter @ change))


def _join(points: Sequence[StationaryPoint], scale: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    names: list[str] = []
    places: list[np.ndarray] = []
    for point in points:
        at = point.shape * scale
        same = next((i for i, other in enumerate(places) if np.max(np.abs(other - at)) < ALIKE), None)
        if same is None:
            names.append(point.name)
            places.append(at)
        else:
            names[same] += f" or {point.name}"
    return tuple(names), np.stack(places)
