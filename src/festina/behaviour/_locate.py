"""Sessions of animals among the stationary points of a network: psychometric curve and nearest point of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from festina.behaviour._psychometric import Psychometric, fit_psychometric
from festina.behaviour._stationary import StationaryPoint, check_points
from festina.behaviour._table import Table, check_table
from festina.behaviour._task import DecisionTask, check_task

if TYPE_CHECKING:
    import pandas as pd

SHAPE = ("bias", "left_slope", "right_slope")

INDISTINGUISHABLE = 1e-6
"""Points whose curves differ by less (in probability) cannot be told apart by behaviour: they are named together."""


@dataclass(frozen=True, eq=False, repr=False)
class Location:
    """One subject over its sessions.

    Attributes:
        subject: its label.
        sessions: labels of its sessions, in order.
        fits: the psychometric curve of each.
        rewarded: share of rewarded trials of each.
        points: names of the stationary points; those with the same behaviour are joined.
        distances: the distances of each session to each of them (sessions, points): Euclidean, in probabilities of
            choosing right.
        clear: whether the nearest is nearer than the next by more than two standard errors.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, contrast = fs.behaviour.DecisionTask(), np.tile([-0.5, 0.0, 0.5], 40)
        >>> rows = {"subject": ["a"] * 120, "session": [1] * 120, "contrast": contrast, "reward": contrast >= 0}
        >>> table = fs.behaviour.read_table({**rows, "choice": contrast >= 0})
        >>> points = fs.behaviour.TutorExecutor().stationary_points(task)
        >>> fs.behaviour.locate_sessions(table, task, points)[0].nearest
        ('left',)
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
        return f"Location({self.subject}: {len(self.sessions)} sessions, last near {self.nearest[-1]})"


class Locations(tuple[Location, ...]):
    """Locations of several subjects.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, contrast = fs.behaviour.DecisionTask(), np.tile([-0.5, 0.0, 0.5], 40)
        >>> rows = {"subject": ["a"] * 120, "session": [1] * 120, "contrast": contrast, "reward": contrast >= 0}
        >>> table = fs.behaviour.read_table({**rows, "choice": contrast >= 0})
        >>> points = fs.behaviour.TutorExecutor().stationary_points(task)
        >>> found = fs.behaviour.locate_sessions(table, task, points)
        >>> found.to_pandas()[["subject", "nearest"]].values.tolist()
        [['a', 'left']]
    """

    def to_pandas(self) -> pd.DataFrame:
        """One row per subject and session: curve with standard errors, nearest point, and distance to each."""
        import pandas as pd

        rows = []
        for one in self:
            for n, session in enumerate(one.sessions):
                row = {"subject": one.subject, "session": session, "trials": one.fits[n].trials}
                for name, value, error in zip(SHAPE, one.shape[n], one.error[n], strict=True):
                    row |= {name: value, f"{name}_error": error}
                row |= {"rewarded": one.rewarded[n], "nearest": one.nearest[n], "clear": bool(one.clear[n])}
                row |= {f"distance to {name}": d for name, d in zip(one.points, one.distances[n], strict=True)}
                rows.append(row)
        return pd.DataFrame(rows)


def locate_sessions(table: Table, task: DecisionTask, points: Sequence[StationaryPoint]) -> Locations:
    """Locate every session of every subject among the stationary points of a network, with uncertainty.

    Each session gets a psychometric curve (``fit_psychometric``) and its distance to every stationary point. The
    distance is between (bias, rise on the left, rise on the right); a rise is slope × largest contrast.

    Args:
        table: from ``read_table``.
        task: the task; slopes are taken up to its largest contrasts.
        points: from ``stationary_points``; with ``moving_weights=True`` also those that only the map has.

    Returns:
        One ``Location`` per subject; ``to_pandas()`` gives one row per session.

    Raises:
        ValueError: no table, a task of another kind, or no points.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task, rate = fs.behaviour.TutorExecutor(), fs.behaviour.DecisionTask(), 0.0026
        >>> agents = fs.evolve(network, task, rate * 240 * np.arange(3), method=fs.Train(rate), seeds=1,
        ...                    observe=("contrasts", "choices", "rewards"))
        >>> points = network.stationary_points(task)
        >>> fs.behaviour.locate_sessions(fs.behaviour.read_table(agents), task, points)
        (Location(agent 0: 2 sessions, last near none or constant),)

    Source: saxe_lecture "Learning trajectories are individually diverse but systematic".
    """
    table, task = check_table(table), check_task(task)
    points = check_points(points)
    scale = np.array([1.0, *task.span])
    names, places = _join(points, scale)
    found = []
    for subject in table.subjects:
        fits, rewarded = [], []
        for session in table.sessions(subject):
            rows = (table.subject == subject) & (table.session == session) & table.played
            fits.append(fit_psychometric(table.contrast[rows], table.right[rows], span=task.span))
            rewarded.append(table.reward[rows].mean() if rows.any() else np.nan)
        at = np.stack([fit.shape for fit in fits]) * scale
        scatter = np.stack([fit.scatter for fit in fits]) * np.outer(scale, scale)
        apart = np.linalg.norm(at[:, None] - places, axis=-1)
        clear = np.array([_clear(*session, places) for session in zip(at, scatter, strict=True)])
        found.append(Location(subject, table.sessions(subject), tuple(fits), np.array(rewarded), names, apart, clear))
    return Locations(found)


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
        same = next((i for i, other in enumerate(places) if np.max(np.abs(other - at)) < INDISTINGUISHABLE), None)
        if same is None:
            names.append(point.name)
            places.append(at)
        else:
            names[same] += f" or {point.name}"
    return tuple(names), np.stack(places)
