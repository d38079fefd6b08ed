"""Agents and animals: psychometric curves, paths among stationary points, and fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.look import COLOURS, axis, plain, styled, themed
from festina.plot._arguments import legend, observed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from festina.behaviour import Fit, Location, Psychometric, StationaryPoint, Table


@styled
def psychometric(
    source: Trajectory | Psychometric,
    ax: Axes | None = None,
    *,
    at: int = -1,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Draw P(right) against contrast: of agents, of the average network, or fitted to an animal's session.

    Args:
        source: a trajectory observed with ``"curve"``, of agents (their mean and the band of the middle 90 %) or of
            expected dynamics; or what ``behaviour.fit_psychometric`` gives (with the band of one standard error).
        ax: where to draw; None is pyplot's current axes.
        at: index of the time, for a trajectory.
        label: for the legend; the caller calls ``ax.legend()``.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import festina as fs
        >>> task, network = fs.behaviour.DecisionTask(), fs.behaviour.TutorExecutor()
        >>> path = fs.evolve(network, task, [0.0, 15.6], method=fs.Flow(), observe="curve")
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.psychometric(path, ax, label="average").get_xlabel()
        'contrast (left < 0 < right)'
    """
    ax, label = axis(ax), legend(label)
    if not isinstance(source, Trajectory):
        from festina.behaviour import Psychometric

        needed = "a trajectory that observed curve, or what fs.behaviour.fit_psychometric gives,"
        check.instance("source", source, Psychometric, needed)
        x = np.linspace(-source.span[0], source.span[1], 101)
        (drawn,) = ax.plot(x, source.curve(x), label=label, **line)
        band = source.band(x)
    else:
        observed("source", source, "curve")
        x = np.array(source.task.contrasts)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
        count = len(source.times)
        if not -count <= check.whole("at", at, -count) < count:
            raise ValueError(f"at is {at}; the trajectory has {count} times: a whole number from 0 to {count - 1}.")
        curve = source["curve"][..., at, :]
        middle = curve if source.seeds is None else curve.mean(axis=0)
        (drawn,) = ax.plot(x, middle, label=label, **{"marker": "o", "markersize": 3, **line})
        band = None if source.seeds is None else tuple(np.quantile(curve, [0.05, 0.95], axis=0))
    if band is not None:
        low, high = band
        ax.fill_between(x, low, high, color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.set(ylim=(-0.02, 1.02), xlabel="contrast (left < 0 < right)", ylabel="P(choose right)")
    return ax


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


MAX_DRAWS = 10_000
"""Simulated animals: more do not change a band of 90 % that can be seen."""


@styled
def fit(
    fit: Fit,
    table: Table,
    ax: Axes | None = None,
    *,
    quantity: str = "curves",
    groups: int = 3,
    draws: int = 40,
    **line: Any,
) -> Axes:
    """Draw an animal's psychometric curves over its sessions, with the fitted model's; or a predictive check.

    Points are fractions of right choices with binomial standard errors. Lines are the mean probability that the model
    gave to right on the same trials, given the earlier trials. Bands hold 90 % of animals simulated from the fit, which
    learn from their own choices.

    Args:
        fit: one of ``behaviour.fit``.
        table: the table it was fitted to.
        ax: where to draw; None is pyplot's current axes.
        quantity: ``"curves"``; or, as a check of every session, ``"rewarded"``, the share of rewarded trials, or
            ``"right"``, the share of right choices, with the band that holds 90 % of the simulated animals.
        groups: parts of equally many sessions, from early to late; of the curves.
        draws: simulated animals for the bands; 0 draws none.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> contrast = np.tile([-0.5, 0.5], 60)
        >>> rows = {"subject": ["a"] * 120, "session": np.repeat([1, 2, 3], 40), "contrast": contrast}
        >>> table = fs.behaviour.read_table({**rows, "choice": contrast > 0, "reward": [1] * 120})
        >>> (found,) = fs.behaviour.fit(table, "q-learning")
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.fit(found, table, ax, draws=0).get_ylabel()
        'P(choose right)'
    """
    from festina.behaviour import Fit, Table

    ax = axis(ax)
    check.instance("fit", fit, Fit, "one of the fits that fs.behaviour.fit(table) gives")
    check.instance("table", table, Table, "the table it was fitted to, from fs.behaviour.read_table(...),")
    curves = check.known("quantity", quantity, ("curves", "rewarded", "right")) == "curves"
    check.whole("draws", draws, 0 if curves else 1, MAX_DRAWS)
    if not curves:
        return _draw_sessions(fit, table, ax, quantity, draws)
    own, sessions = table.select(fit.subject), table.sessions(fit.subject)
    groups = min(check.whole("groups", groups), len(sessions))
    copies = fit.replicate(table, draws) if draws else None
    for part, colour in zip(np.array_split(np.arange(len(sessions)), groups), COLOURS, strict=False):
        rows = np.isin(own.session, np.array(sessions)[part]) & own.played
        levels = np.unique(own.contrast[rows])
        if not len(levels):
            continue
        each = [rows & (own.contrast == level) for level in levels]
        share = np.array([own.right[r].mean() for r in each])
        error = np.sqrt(np.maximum(share * (1 - share), 0) / [r.sum() for r in each])
        name = f"session {part[0] + 1}" if len(part) == 1 else f"sessions {part[0] + 1}–{part[-1] + 1}"
        ax.errorbar(levels, share, error, fmt="o", markersize=3, color=colour, elinewidth=0.8, label=name)
        ax.plot(levels, [fit.probabilities[r].mean() for r in each], **{"color": colour, **line})
        if copies is not None:
            shares = np.stack([copies.right[:, r].mean(axis=1) for r in each], axis=1)
            low, high = np.quantile(shares, [0.05, 0.95], axis=0)
            ax.fill_between(levels, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set(ylim=(-0.02, 1.02), xlabel="contrast (left < 0 < right)", ylabel="P(choose right)")
    return ax


def _draw_sessions(fit: Fit, table: Table, ax: Axes, quantity: str, draws: int) -> Axes:
    """A quantity of every session, and the band in which animals simulated from the fit lie."""
    own, sessions = table.select(fit.subject), table.sessions(fit.subject)
    copies = fit.replicate(table, draws)
    observed, simulated = (own.reward, copies.reward) if quantity == "rewarded" else (own.right, copies.right)
    rows = [(own.session == session) & own.played for session in sessions]
    rows = [r for r in rows if r.any()]
    number = np.arange(1, len(rows) + 1)
    low, high = np.quantile([simulated[:, r].mean(axis=1) for r in rows], [0.05, 0.95], axis=1)
    ax.fill_between(number, low, high, color=COLOURS[0], alpha=0.25, linewidth=0, label=f"{plain(fit.model)}, 90 %")
    name = plain(fit.subject)
    ax.plot(number, [observed[r].mean() for r in rows], color=themed("black"), marker="o", markersize=2, label=name)
    ax.set(ylim=(-0.02, 1.02), xlabel="session", ylabel=f"share {'rewarded' if quantity == 'rewarded' else 'right'}")
    return ax


@styled
def models(frame: pd.DataFrame, ax: Axes | None = None, *, criterion: str = "delta_bic") -> Axes:
    """Draw models side by side: how far each is behind the best, one point per animal and the mean as a bar.

    First comes whether a model describes the animals at all: points are open where the tests of the fit reject it, and
    its name says how many animals it describes.

    Args:
        frame: from ``behaviour.compare_models``.
        ax: where to draw; None is pyplot's current axes.
        criterion: ``"delta_bic"`` or ``"delta_aic"``; 0 is the best model of an animal.

    Returns:
        The axes.

    Example:
        >>> import pandas as pd, festina as fs
        >>> frame = pd.DataFrame({"subject": ["a", "a"], "model": ["x", "y"], "delta_bic": [0.0, 12.0]})
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> fs.plot.models(frame, ax).get_xlabel()
        'BIC above the best model'
    """
    ax = axis(ax)
    check.known("criterion", criterion, ("delta_bic", "delta_aic"))
    columns = getattr(frame, "columns", ())
    if not isinstance(columns, Iterable) or not {"model", criterion} <= set(columns):
        raise ValueError(
            f"frame is {check.shown(frame)}; a data frame with the columns model and {criterion} is needed, as "
            "fs.behaviour.compare_models(table) gives it."
        )
    names, told = list(dict.fromkeys(frame["model"])), []
    for n, name in enumerate(names):
        own, colour = frame.loc[frame["model"] == name], COLOURS[n % len(COLOURS)]
        values = np.asarray(own[criterion], dtype=float)
        ax.barh(n, np.nanmean(values) if np.isfinite(values).any() else 0.0, color=colour, alpha=0.4)
        describes = np.asarray(own["describes"] if "describes" in columns else np.ones(len(own)), dtype=bool)
        for which, fill in ((describes, colour), (~describes, themed("white"))):
            ax.plot(
                values[which], np.full(which.sum(), n), "o", markersize=4, color=colour, markerfacecolor=fill,
                clip_on=False, zorder=4,
            )  # fmt: skip
        told.append(f"{name}\ndescribes {describes.sum()} of {len(own)}" if "describes" in columns else name)
    ax.set_yticks(range(len(names)), list(map(plain, told)))
    ax.invert_yaxis()
    ax.set_xscale("symlog", linthresh=10)
    ax.set_xlabel(f"{criterion.split('_')[1].upper()} above the best model")
    return ax
