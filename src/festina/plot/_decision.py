"""Trajectories of bias and slopes among the stationary points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.look import axis, styled, themed
from festina.plot._arguments import legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.behaviour import Location, StationaryPoint

_LABELS = {
    "bias": "bias, P(right | 0) − ½",
    "left_slope": "left slope (per contrast)",
    "right_slope": "right slope (per contrast)",
}
_ORDER = tuple(_LABELS)

TOGETHER = 0.08
"""Points nearer than this in the plane would have overlapping labels: they share one."""


@styled
def decision(
    source: Trajectory | Location | Sequence[Location],
    ax: Axes | None = None,
    *,
    points: Sequence[StationaryPoint] = (),
    plane: tuple[str, str] = ("left_slope", "right_slope"),
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Draw learning as paths in the plane of two of bias, left slope and right slope, with the stationary points.

    Args:
        source: a trajectory of agents (one thin path per seed, its end marked) or of expected dynamics, observed with
            the two that are drawn; or what ``behaviour.locate_sessions`` gives, all subjects or one (with standard
            errors). The first and the last session are numbered. Arrows show the direction of time, there and on a
            single path.
        ax: where to draw; None is pyplot's current axes.
        points: from ``network.stationary_points(task)``; filled where a network rests, open where only its map does,
            with the active pathways: L(eft), R(ight), c(onstant), ∅ for none, and a prime for a second of its kind.
        plane: what is on the two axes: ``"bias"``, ``"left_slope"`` or ``"right_slope"``.
        label: for the legend; the caller calls ``ax.legend()``.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.behaviour.DecisionTask(), fs.behaviour.TutorExecutor(offset=0.1)
        >>> times, names = np.linspace(0, 31.2, 13), ("bias", "right_slope")
        >>> path = fs.evolve(network, task, times, method=fs.Flow(), observe=names)
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.decision(path, ax, plane=names).get_xlabel()
        'bias, P(right | 0) − ½'
    """
    from festina.behaviour import Location, StationaryPoint

    ax, label = axis(ax), legend(label)
    names = check.listing("plane", plane, "two of bias, left_slope and right_slope")
    if len(names) != 2:
        raise ValueError(f"plane is {check.shown(plane)}; two of bias, left_slope and right_slope are needed.")
    first, second = (_ORDER.index(check.known("plane", name, _ORDER)) for name in names)
    points = check.listing("points", points, "stationary points")
    for point in points:
        check.instance("points", point, StationaryPoint, "a list that network.stationary_points(task) gives")
    if not isinstance(source, Trajectory):
        subjects: Any = tuple(source) if isinstance(source, list | tuple) else (source,)
        for subject in subjects:
            needed = "a trajectory, or what fs.behaviour.locate_sessions(...) gives,"
            check.instance("source", subject, Location, needed)
        style = {"marker": "o", "markersize": 3, "linewidth": 0.8, **line}
        for k, subject in enumerate(subjects):
            at, error = subject.shape[:, [first, second]], subject.error[:, [first, second]]
            drawn = ax.errorbar(*at.T, *error.T[::-1], label=label if k == 0 else None, elinewidth=0.4, **style)
            for bars in drawn.lines[2]:
                bars.set_alpha(0.35)
            _point_forward(ax, at, drawn.lines[0].get_color())
            known = np.flatnonzero(np.isfinite(at).all(axis=1))
            for n in dict.fromkeys([*known[:1].tolist(), *known[-1:].tolist()]):
                edge = drawn.lines[0].get_color()
                box = {"boxstyle": "circle,pad=0.15", "facecolor": themed("white"), "edgecolor": edge}
                ax.annotate(f"{n + 1}", tuple(at[n]), ha="center", va="center", fontsize=6, bbox=box, zorder=6)
    else:
        observed("source", source, *names)
        paths = np.stack([source[name] for name in names], axis=-1)
        paths = paths if source.seeds is not None else paths[None]
        style = {"linewidth": 0.6, "alpha": 0.6} if source.seeds is not None else {}
        for k, path in enumerate(paths):
            (drawn,) = ax.plot(*path.T, label=label if k == 0 else None, **{**style, **line})
            ax.plot(*path[-1], marker="o", markersize=2.5, color=drawn.get_color(), linestyle="")
            if len(paths) == 1:
                _point_forward(ax, path, drawn.get_color())
    for point in points:
        at = (point.shape[first], point.shape[second])
        fill = themed("white" if point.moving_weights else "black")
        ax.plot(*at, "D", markersize=5, color=themed("black"), markerfacecolor=fill, zorder=4)
    for at, name in _names(points, first, second):
        ax.annotate(name, at, (4, 4), textcoords="offset points", zorder=5)
    ax.set(xlabel=_LABELS[names[0]], ylabel=_LABELS[names[1]])
    return ax


def _point_forward(ax: Axes, path: np.ndarray, colour: object) -> None:
    """Arrows in the direction of time, at a quarter, half and three quarters of the way."""
    path = path[np.isfinite(path).all(axis=1)]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    for share in (0.25, 0.5, 0.75):
        after = int(np.searchsorted(way, share * way[-1])) if len(way) else 0
        if after and way[after] > way[after - 1]:
            arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
            middle = (path[after - 1] + path[after]) / 2
            ax.annotate("", tuple(middle), tuple(path[after - 1]), arrowprops=arrow, zorder=3)


def _names(points: Sequence[StationaryPoint], first: int, second: int) -> list[tuple[tuple[float, float], str]]:
    """One label for points that fall together in the plane."""
    found: list[tuple[np.ndarray, list[str]]] = []
    for point in points:
        at = point.shape[[first, second]]
        near = next((names for other, names in found if np.max(np.abs(other - at)) < TOGETHER), None)
        if near is None:
            found.append((at, [_short(point)]))
        else:
            near.append(_short(point))
    return [((float(at[0]), float(at[1])), ", ".join(names)) for at, names in found]


def _short(point: StationaryPoint) -> str:
    """Initials of the active pathways (L, R, c for the constant), with a prime for a second point."""
    letters = {"left": "L", "right": "R", "constant": "c"}
    return ("".join(letters[name] for name in point.pathways) or "∅") + "′" * (point.number - 1)
