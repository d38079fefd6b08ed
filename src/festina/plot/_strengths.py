"""Strengths of modes over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.look import (
    MIDDLE,
    MODE_COLOURS,
    RGB,
    Kind,
    axis,
    check_kind,
    clock_on,
    label_curves,
    look,
    plain,
    shade,
    styled,
)
from festina.core.naming import name_group
from festina.plot._arguments import legend, observed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SAME = 1e-6
"""Relative difference below which two modes of a task are equally strong, and share a colour."""


@styled
def strengths(
    trajectory: Trajectory,
    ax: Axes | None = None,
    *,
    modes: Sequence[int] | None = None,
    label: str | None = None,
    kind: Kind | None = None,
    **line: Any,
) -> Axes:
    """Draw the strength of each mode: trained as a thick pale band, predicted as a thin dark line, a colour per mode.

    Modes that the task makes equally strong are learned together and share a colour and a name. With seeds the mean is
    drawn, and where trained the middle 90 % around it. Draw training and theory into the same ``ax``.

    Args:
        trajectory: something that observed ``strengths``.
        ax: where to draw; None is pyplot's current axes.
        modes: which modes, counted from 0; None is all.
        label: one legend entry for the whole trajectory; None writes the name of each mode at its curve; empty: none.
        kind: ``"trained"`` or ``"predicted"``; None is by the method: ``Exact``, ``Reduced`` and ``Flow`` predict.
        line: passed to ``ax.plot``.

    Returns:
        The axes.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(8), np.linspace(0, 30, 31), observe=("strengths",))
        >>> figure, (ax,) = fs.plot.panels(1, 1)
        >>> [text.get_text() for text in fs.plot.strengths(path, ax).texts][-2:]
        ['animals | plants', 'everything']
    """
    observed("trajectory", trajectory, "strengths")
    ax, label = axis(ax), legend(label)
    drawn: Kind = check_kind(trajectory, kind)
    values = np.asarray(trajectory.strengths if trajectory.seeds is not None else trajectory.strengths[None])
    count = values.shape[-1]
    given = range(count) if modes is None else check.listing("modes", modes, "modes, counted from 0,")
    chosen = [check.whole("modes", mode, 0, count - 1) for mode in given]
    levels, (along, name_of_time) = _levels(trajectory, values.shape[-1]), clock_on(ax, trajectory)
    named: set[int] = set()
    ends: list[tuple[float, str, RGB]] = []
    for mode in chosen:
        colour = MODE_COLOURS[levels[mode] % len(MODE_COLOURS)]
        mean = values[..., mode].mean(axis=0)
        if label is None and levels[mode] not in named:
            name = _name(trajectory, [m for m in sorted(chosen) if levels[m] == levels[mode]])
            ends.append((float(mean[-1]), name, shade("predicted", colour)))
        style = look(drawn, colour) | line
        ax.plot(along, mean, label=plain(label) if label and not named else None, **style)
        named.add(levels[mode])
        if len(values) > 1 and drawn == "trained":
            low, high = np.quantile(values[..., mode], MIDDLE, axis=0)
            ax.fill_between(along, low, high, color=shade(drawn, colour), alpha=0.6, linewidth=0, zorder=1.5)
    ax.set_xlabel(name_of_time)
    ax.set_ylabel("strength of each mode")
    label_curves(ax, float(along[-1]), ends)
    return ax


def _levels(trajectory: Trajectory, count: int) -> list[int]:
    """For each mode the rank of its strength in the task among the distinct ones; its number where no task is known."""
    found = getattr(getattr(trajectory.task, "statistics", None), "strengths", None)
    if found is None or len(found) != count:
        return list(range(count))
    apart = np.abs(np.diff(found)) > SAME * np.max(found)
    return [0, *np.cumsum(apart).tolist()]


def _name(trajectory: Trajectory, modes: Sequence[int]) -> str:
    """Distinctions made by modes of one strength, in the words of the task; mode numbers where no task is known."""
    names = getattr(trajectory.task, "mode_names", ())
    if len(names) == trajectory.strengths.shape[-1]:
        return name_group([names[mode].partition(":")[0] for mode in modes])
    numbers = ", ".join(str(mode + 1) for mode in modes)
    return f"mode{'s' if len(modes) > 1 else ''} {numbers}"
