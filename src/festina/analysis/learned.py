"""When each class, item, output, context, pair of classes or mode is learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.observed import learned_task
from festina.analysis.passage import crossing
from festina.analysis.stages import stages, three_digits
from festina.checks import check
from festina.core.display import aligned, render
from festina.core.labels import distinct_names

if TYPE_CHECKING:
    import pandas

    from festina.core import Observations, Task

BY = ("class", "pair", "item", "output", "context", "mode")
"""Quantities whose learning times are available."""

SAME_TIME = 1e-6
"""Relative difference of times below which two things are learned at the same time."""

SHOWN = 12
"""Rows that are printed; of longer lists the first and the last half of them."""


@dataclass(frozen=True, eq=False)
class LearningTimes(Mapping[str, float]):
    """When each of several things is learned: a dictionary from names to times that prints itself in order.

    Attributes:
        names: the names of the things.
        times: when each first reaches the level, shape (seeds, things); ``inf`` where it never does.
        forgotten: when it falls below the level again for good; ``inf`` where it does not.
        known: whether it is known from the start.
        by, level, unit, label: what was asked, the unit of time and the run.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task([[2.0, 0.0], [0.0, 1.0], [0.0, 1.0]], labels=["cat", "dog", "dog"])
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> found = fs.evolve(network, task, np.linspace(0, 60, 601)).learned(by="class")
        >>> found.order
        (('cat',), ('dog',))
    """

    names: tuple[str, ...]
    times: np.ndarray
    forgotten: np.ndarray
    known: np.ndarray
    by: str
    level: float
    unit: str = "flow time"
    label: str = ""

    def __getitem__(self, name: str) -> float:
        if name not in self.names:
            raise KeyError(f"{name!r} is not among the names: {', '.join(self.names[:SHOWN])}.")
        return float(self.medians[self.names.index(name)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def medians(self) -> np.ndarray:
        """The median over seeds of each time."""
        return np.median(self.times, axis=0)

    @property
    def order(self) -> tuple[tuple[str, ...], ...]:
        """The names in the order of learning, those of one time together; what is never learned is left out."""
        groups: list[list[int]] = []
        for k in np.argsort(self.medians, kind="stable"):
            if not np.isfinite(self.medians[k]):
                continue
            last = self.medians[groups[-1][0]] if groups else -np.inf
            if groups and self.medians[k] - last <= SAME_TIME * max(abs(last), np.finfo(float).tiny):
                groups[-1].append(int(k))
            else:
                groups.append([int(k)])
        return tuple(tuple(self.names[k] for k in group) for group in groups)

    @property
    def never(self) -> tuple[str, ...]:
        """The names of what is not learned within the run, in at least half of the seeds."""
        return tuple(name for name, time in zip(self.names, self.medians, strict=True) if not np.isfinite(time))

    def status(self, name: str) -> str:
        """``"learned"``, ``"known from the start"``, ``"forgotten again"`` or ``"not learned by the end"``."""
        k = self.names.index(check.known("name", name, self.names))
        if np.median(self.known[:, k]) > 0.5:
            return "known from the start"
        if not np.isfinite(self.medians[k]):
            return "not learned by the end"
        return "forgotten again" if np.isfinite(np.median(self.forgotten[:, k])) else "learned"

    def to_pandas(self) -> pandas.DataFrame:
        """One row per thing, in the order of learning: time (median over seeds), status, when it was forgotten."""
        import pandas

        order = np.argsort(self.medians, kind="stable")
        return pandas.DataFrame({
            self.by: [self.names[k] for k in order],
            "time": self.medians[order],
            "status": [self.status(self.names[k]) for k in order],
            "forgotten": np.median(self.forgotten, axis=0)[order],
        })  # fmt: skip

    def _rows(self) -> tuple[list[tuple[str, str, str]], str]:
        order = np.argsort(self.medians, kind="stable")
        skipped = max(len(order) - SHOWN, 0)
        if skipped:
            order = np.concatenate([order[: SHOWN // 2], order[-SHOWN // 2 :]])
        rows = []
        for k in order:
            status = self.status(self.names[k])
            when = "" if not np.isfinite(self.medians[k]) else f"t = {three_digits(float(self.medians[k]))}"
            spread = self.times[np.isfinite(self.times[:, k]), k]
            if len(spread) > 1:
                when += " ({} – {})".format(*(three_digits(float(q)) for q in np.quantile(spread, (0.05, 0.95))))
            if status == "forgotten again":
                status += f" at t = {three_digits(float(np.median(self.forgotten[:, k])))}"
            rows.append((self.names[k], when, "" if status == "learned" else status))
        return rows, f"{skipped} in between are not shown." if skipped else ""

    def __str__(self) -> str:
        rows, note = self._rows()
        lines = [f"  {line}" for line in aligned(rows)]
        if note:
            lines.insert(SHOWN // 2, f"  … {note}")
        return "\n".join([f"{self.label}: when each {self.by} is learned to {self.level:.0%} ({self.unit})", *lines])

    def _repr_html_(self) -> str:
        rows, note = self._rows()
        return render(f"{self.label}: when each {self.by} is learned to {self.level:.0%}", rows, [note] if note else [])


def learned(trajectory: Observations, by: str = "item", level: float = 0.5) -> LearningTimes:
    """When each class, data point, output, context, pair of classes or mode is learned.

    A thing is learned when its squared residual has fallen by the share ``level`` of its initial value. For a data
    point this is ‖r_i‖² summed over outputs, for an output over data points, for a class or context over both. The
    residual of the squared error is y − ŷ, that of cross-entropy the target minus the predicted probability. A pair of
    classes is distinguished when the difference between its two outputs (for cross-entropy: probabilities), averaged
    over both classes, has reached ``level`` of its target. A mode is learned when its strength has.

    Times are steps where the run was asked for in steps.

    Args:
        trajectory: one that observed ``"outputs"`` (for modes ``"strengths"`` is enough).
        by: ``"class"``, ``"pair"``, ``"item"``, ``"output"``, ``"context"`` or ``"mode"``.
        level: between 0 and 1.

    Returns:
        ``LearningTimes``: ties, things never learned and things forgotten again are told apart.

    Raises:
        ValueError: outputs were not observed, or the task has no classes or contexts.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 60, 601))
        >>> found = path.learned(by="output")
        >>> found.order[0], round(found["grow"], 1)
        (('grow',), 5.3)
    """
    check.known("by", by, BY)
    trajectory = trajectory.on_clock
    if not 0 < check.positive("level", level) < 1:
        raise ValueError(f"level is {level!r}; a number between 0 and 1 is needed.")
    if by == "mode":
        return _of_modes(trajectory, level)
    task = learned_task(trajectory, "outputs")
    outputs = trajectory["outputs"] if trajectory.seeds is not None else trajectory["outputs"][None]
    if outputs.shape[-2:] != task.y.shape:
        raise ValueError(
            f"outputs have shape {outputs.shape[-2:]} for targets of {task.y.shape}; they do not belong together."
        )
    names, progress = _progress(task, outputs, by)
    return _times(trajectory, names, progress, by, level)


def _progress(task: Task, outputs: np.ndarray, by: str) -> tuple[tuple[str, ...], np.ndarray]:
    """The names, and how far each is learned, (things, seeds, times)."""
    if by == "pair":
        return _pairs(task, np.asarray(task.loss.answers(outputs)))
    error = np.asarray(task.loss.residual(outputs, task.y)) ** 2
    if by == "output":
        names, sums = tuple(task.outputs), np.moveaxis(error.sum(axis=-2), -1, 0)
    else:
        of_item = np.moveaxis(error.sum(axis=-1), -1, 0)
        if by == "item":
            names, sums = tuple(task.items), of_item
        else:
            if by == "context" and not task.contexts:
                raise ValueError(
                    "by is 'context', but the task has no contexts; make it with fs.Task(..., contexts=[...])."
                )
            member = np.array(_classes(task) if by == "class" else list(task.contexts))
            names = tuple(dict.fromkeys(member.tolist())) if by == "context" else tuple(task.outputs)
            sums = np.stack([of_item[member == name].sum(axis=0) for name in names])
    start = sums[..., :1]
    return names, np.where(start > 0, 1 - sums / np.where(start > 0, start, 1.0), 1.0)


def _pairs(task: Task, outputs: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    """How far the outputs of two classes differ between their data points, from 0 at the start to 1 at the target."""
    member = np.array(_classes(task))
    means = {name: outputs[:, :, member == name].mean(axis=2) for name in task.outputs if np.any(member == name)}
    names, found = [], []
    for a, b in combinations(means, 2):
        i, j = task.outputs.index(a), task.outputs.index(b)
        apart = (means[a][..., i] - means[a][..., j] + means[b][..., j] - means[b][..., i]) / 2
        names.append(f"{a} | {b}")
        found.append((apart - apart[:, :1]) / np.where(apart[:, :1] < 1, 1 - apart[:, :1], np.inf))
    return tuple(names), np.stack(found)


def _classes(task: Task) -> list[str]:
    if task.classes is None:
        raise ValueError(
            "by is 'class' or 'pair', but the targets are not classes; make the task with fs.Task(x, labels=...)."
        )
    outputs = list(task.outputs)
    return [outputs[k] for k in task.classes.tolist()]


def _of_modes(trajectory: Observations, level: float) -> LearningTimes:
    found = stages(trajectory)
    if found.reason:
        raise ValueError(f"by is 'mode', but {found.reason}")
    if any(stage.modes for stage in found):
        task = learned_task(trajectory, "strengths")
        strengths = trajectory["strengths"] if trajectory.seeds is not None else trajectory["strengths"][None]
        progress = np.moveaxis(strengths / task.statistics.targets, -1, 0)
        return _times(trajectory, distinct_names(task.mode_names), progress, "mode", level)
    times = np.stack([stage.half for stage in found], axis=-1)
    nothing = np.full(times.shape, np.inf)
    names = distinct_names([stage.what for stage in found])
    return LearningTimes(names, times, nothing, np.zeros(times.shape, bool), "mode", 0.5, found.unit, found.label)


def _times(
    trajectory: Observations, names: tuple[str, ...], progress: np.ndarray, by: str, level: float
) -> LearningTimes:
    """Times at which curves (things, seeds, times) cross the level, upwards and finally downwards."""
    reached = progress >= level
    first = crossing(trajectory.times, progress, level)
    known = reached[..., 0]
    # the last time at which it was known, after which it is not: the same crossing, backwards in time
    lost = reached.any(axis=-1) & ~reached[..., -1]
    back = trajectory.times[-1] - crossing(trajectory.times[-1] - trajectory.times[::-1], progress[..., ::-1], level)
    forgotten = np.where(lost, back, np.inf)
    return LearningTimes(names, first.T, forgotten.T, known.T, by, float(level), trajectory.unit, trajectory.label)
