"""Stages of learning: what is learned, from when to when, and the false beliefs on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.observed import lead
from festina.analysis.passage import crossing
from festina.analysis.semantic import illusions
from festina.checks import check
from festina.core import Curriculum, Task
from festina.core.display import aligned, render
from festina.core.look import LABEL_GAP, plain, shortened
from festina.core.naming import name_distinction, name_group
from festina.core.sparse_basis import sparse_rotation
from festina.core.statistics import DEGENERATE

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from festina.core.observations import Observations

LEVELS = (0.1, 0.5, 0.9)
"""Shares of a stage at which it begins, is half done and ends."""

BINS = 50
"""Equal parts into which the fall of the loss is cut; each takes some time, on a plateau a long one."""

LONG = 4.0
"""A part of the fall is a plateau where it takes this many times as long as parts do on average."""

DIRECTIONS = 0.01
"""Share of all change of the outputs, or of the loss, from which it is a stage of its own."""

ALIKE = 0.8
"""Singular values at least this share of the one before form a group. Noise decides how their vectors mix, so a basis
is chosen that is sparse over the data points."""

TOGETHER = 0.15
"""Relative difference of times below which directions of one group are one stage."""

NOTHING = 0.01
"""Share of the first loss by which it must fall, so that something was learned."""

LABELLED = 5
"""Stages that are named in a plot; more names would hide the curve."""

LINES = 10
"""Lines that are printed at most; of more stages the largest are shown."""

RESTS = 3
"""Plateaus that are printed; of more the longest."""

LATER = 2
"""Stages that are named although they are not half learned within the run."""

SURE = 1e-3
"""Smallest uncertainty that is printed, as a share of the time, which has three digits."""


@dataclass(frozen=True, eq=False)
class Stage:
    """One thing that is learned: what, when, and at which loss.

    Attributes:
        what: in the words of the task.
        begins, half, ends: times at which 10, 50 and 90 % of it are learned, one per seed; ``inf`` where never.
        before, after: the loss at the beginning and at the end of the stage, mean over seeds.
        uncertainty: by how much ``half`` may differ from that of gradient flow, from the estimated error of the loss;
            NaN if none is known.
        importance: its share in the change of the outputs.
        beliefs: false beliefs on the way, (item, belief, time, height), strongest first.
        items, outputs, base: weights of data points and outputs, one row for each distinction that it consists of, by
            which another run is measured: the stage is at the mean of itemsᵀ ŷ outputs − base, from 0 to 1.
        modes: numbers of the modes of the task that it consists of; empty if it was found from the outputs.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 40, 201))
        >>> stage = path.stages()[1]
        >>> stage.what, stage.half.round(1)
        ('animals | plants: move ↔ roots', array([8.6]))
    """

    what: str
    begins: np.ndarray
    half: np.ndarray
    ends: np.ndarray
    before: float = float("nan")
    after: float = float("nan")
    uncertainty: float = float("nan")
    importance: float = 0.0
    beliefs: tuple[tuple[str, str, float, float], ...] = ()
    items: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    outputs: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    base: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    modes: tuple[int, ...] = ()

    @property
    def when(self) -> float:
        """The median over seeds of the time at which half of it is learned; ``inf`` where it never is."""
        return float(np.median(self.half))

    def __str__(self) -> str:
        return f"{self.what} ({_when(self)})"


@dataclass(frozen=True, eq=False)
class Plateau:
    """A period in which the loss hardly falls, while the next stage grows unnoticed.

    Attributes:
        loss: the loss during it.
        begins, ends: from when to when.

    Example:
        >>> from festina.analysis import Plateau
        >>> Plateau(0.5, 10.0, 30.0).length
        20.0
    """

    loss: float
    begins: float
    ends: float

    @property
    def length(self) -> float:
        """Its duration."""
        return self.ends - self.begins


@dataclass(frozen=True, eq=False)
class Stages(Sequence[Stage]):
    """The stages of a run, in the order in which they are learned; a table that prints itself.

    Attributes:
        found: the stages.
        plateaus: times in which the loss hardly falls.
        unit: the unit of time.
        label: what was run.
        reason: why there are no stages, if there are none.
        span: first and last loss, and the last time.
        count: the number of seeds.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(8), np.linspace(0, 60, 301))
        >>> [stage.what for stage in path.stages()][1:3]
        ['animals | plants: move ↔ roots', 'birds | fish; trees | flowers']
    """

    found: tuple[Stage, ...]
    plateaus: tuple[Plateau, ...] = ()
    unit: str = "flow time"
    label: str = ""
    reason: str = ""
    span: tuple[float, float, float] = (float("nan"), float("nan"), float("nan"))
    count: int = 1

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at):  # type: ignore[override]  # an index or a slice
        return self.found[at]

    def to_pandas(self) -> pandas.DataFrame:
        """One row per stage: what, 10, 50 and 90 % (medians over seeds), loss before and after, uncertainty."""
        import pandas

        rows = [
            {
                "what": stage.what,
                "10 %": float(np.median(stage.begins)),
                "50 %": stage.when,
                "90 %": float(np.median(stage.ends)),
                "uncertainty": stage.uncertainty,
                "loss before": stage.before,
                "loss after": stage.after,
                "share": stage.importance,
                "false beliefs": "; ".join(_belief(*belief) for belief in stage.beliefs),
            }
            for stage in self
        ]
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        if self.reason:
            return f"{self.label}: {self.reason}"
        head, rows, notes = self._table()
        lines = aligned(rows)
        return "\n".join([head, *(f"  {line}" for line in lines), *(f"  {note}" for note in notes)])

    def _repr_html_(self) -> str:
        if self.reason:
            return render(self.label, [], [self.reason])
        head, rows, notes = self._table()
        return render(head, rows[1:], notes, header=rows[0] if rows else ())

    def _table(self) -> tuple[str, list[tuple[str, ...]], list[str]]:
        """One line, the rows with their header, and notes."""
        first, last, until = self.span
        count = sum(np.isfinite(stage.when) for stage in self)
        many = "no stage" if not count else "1 stage" if count == 1 else f"{count} stages"
        seeds = f", {self.count} seeds" if self.count > 1 else ""
        falls = "" if np.isnan(first) else f"; the loss goes from {first:.3g} to {last:.3g}"
        head = f"{self.label}{seeds}: {many} by t = {until:g} ({self.unit}){falls}"
        reached = [k for k, stage in enumerate(self) if np.isfinite(stage.when)]
        later = [_things(stage.what) for stage in self if not np.isfinite(stage.when)]
        notes = []
        if later:
            more = f" and {len(later) - LATER} more" if len(later) > LATER else ""
            notes.append(f"Not half learned by then: {', '.join(f'“{what}”' for what in later[:LATER])}{more}.")
        if self.plateaus:
            notes.append(_rests(self.plateaus))
        beliefs = sorted((b for stage in self for b in stage.beliefs), key=lambda b: (-round(abs(b[3]), 6), b[:2]))
        if beliefs:
            notes.append(f"False beliefs on the way: {'; '.join(_belief(*b) for b in beliefs[:2])}.")
        room = LINES - 2 - len(notes)
        shown = len(reached) if len(reached) <= room else room - 1
        chosen = sorted(reached, key=lambda k: -self[k].importance)[:shown]
        rows = [("half learned", "from – to", "loss", "what is learned")]
        for s in (self[k] for k in sorted(chosen)):
            losses = "" if np.isnan(s.before) else f"{s.before:.3g} → {s.after:.3g}"
            rows.append((_when(s), f"{_number(np.median(s.begins))} – {_number(np.median(s.ends))}", losses, s.what))
        hidden = len(reached) - len(chosen)
        if hidden:
            notes.insert(0, f"{hidden} smaller stage{'s are' if hidden > 1 else ' is'} not shown.")
        return head, rows if len(rows) > 1 else [], notes


def stages(trajectory: Observations, *, errors: bool = False) -> Stages:
    """Stages of learning in a run of any network by any method.

    For linear networks a stage is a mode of the task, or a group of modes of equal strength, and its progress is the
    mode's strength. For other networks stages are found from the outputs: between two plateaus of the loss, the
    singular vectors of the change of the outputs. For cross-entropy these are the predicted probabilities, since the
    outputs themselves grow as long as one trains. Both are named in the words of the task. Times are steps where the
    run was asked for in steps.

    Args:
        trajectory: one that observed ``"loss"`` and, for names, ``"strengths"`` or ``"outputs"``, as ``fs.evolve``
            does unless told otherwise.
        errors: compute the error estimate of the prediction, where it has one, and turn it into an uncertainty of
            times. This may take longer than the prediction; without it, an estimate that is there is used.

    Returns:
        ``Stages``; if there are none, ``reason`` says why.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(16,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(8), np.linspace(0, 60, 301))
        >>> print(path.stages())
        Exact(): 4 stages by t = 60 (flow time); the loss goes from 2 to 2.33e-08
          half learned  from – to    loss            what is learned
          t = 8.53      6.26 – 10.8  1.79 → 0.784    everything: grow
          t = 11.9      8.59 – 15.2  1.18 → 0.418    animals | plants: move ↔ roots
          t = 17.2      12.1 – 22.3  0.638 → 0.16    birds | fish; trees | flowers
          t = 27.6      18.8 – 36.4  0.244 → 0.0025  canary | robin; salmon | sunfish; oak | pine; and 1 more
          The loss rests at 1.99 until t = 4.34.
          False beliefs on the way: canary: red breast (most at t = 20.8); daisy: thorns (most at t = 20.8).
    """
    if check.flag("errors", errors) and trajectory.estimate is not None:
        _ = trajectory.error
    return found_stages(trajectory.on_clock, errors=errors)


def found_stages(trajectory: Observations, *, errors: bool = False) -> Stages:
    """The stages in the times that the trajectory holds."""
    if isinstance(trajectory.task, Curriculum):
        return _in_turn(trajectory, errors)
    label, unit = trajectory.label, trajectory.unit
    loss = np.atleast_2d(trajectory.loss) if "loss" in trajectory.values else None
    span = (
        (float("nan"), float("nan"), float(trajectory.times[-1])) if loss is None
        else (float(loss[:, 0].mean()), float(loss[:, -1].mean()), float(trajectory.times[-1]))
    )  # fmt: skip
    count = 1 if trajectory.seeds is None else len(trajectory.seeds)
    reason = _why_not(trajectory, loss)
    if reason:
        return Stages((), (), unit, label, reason, span, count)
    plateaus = () if loss is None else _plateaus(trajectory.times, loss.mean(axis=0))
    task = trajectory.task
    if "strengths" in trajectory.values and isinstance(task, Task) and _modes_fit(trajectory, task):
        found = _from_modes(trajectory, task)
    elif "outputs" in trajectory.values and isinstance(task, Task) and trajectory["outputs"].shape[-2:] == task.y.shape:
        found = _from_outputs(trajectory, task, plateaus)
    else:
        found = _from_loss(trajectory, plateaus)
    found = [_with_loss(trajectory, loss, stage) for stage in found]
    order = sorted(range(len(found)), key=lambda k: (found[k].when, k))
    found = _with_beliefs(trajectory, [found[k] for k in order])
    reason = "" if found else "nothing was learned: the outputs do not change."
    return Stages(tuple(found), plateaus, unit, label, reason, span, count)


def progress_of(trajectory: Observations, stage: Stage) -> np.ndarray | None:
    """How far another run of the same task has come in a stage, ([seeds,] times); None if it did not observe it."""
    task = trajectory.task
    if stage.modes and "strengths" in trajectory.values and isinstance(task, Task) and _modes_fit(trajectory, task):
        chosen = list(stage.modes)
        return (trajectory["strengths"][..., chosen] / task.statistics.targets[chosen]).mean(axis=-1)
    shape = (stage.items.shape[-1], stage.outputs.shape[-1])
    known = len(stage.items) and "outputs" in trajectory.values and trajectory["outputs"].shape[-2:] == shape
    if known and isinstance(task, Task):
        along = np.einsum("...tij,ki,kj->...tk", _answers(trajectory, task), stage.items, stage.outputs)
        return (along - stage.base).mean(axis=-1)
    return None


def delay_of_steps(trajectory: Observations, stage: Stage, rate: float) -> float:
    """How much later than gradient flow gradient descent in steps of ``rate`` is at a stage, and half a step.

    To first order in η, descent follows the flow of L + η/4 ‖∇L‖². Along its direction of motion this slows the flow
    down by η/4 · d log‖∇L‖²/dt. The delay adds up to η/4 · log of the ratio of −dL/dt then and at the start. A stage
    that is at p from 0 to 1 lowers the loss at a rate ∝ (1 − p) dp/dt.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> path = fs.evolve(network, fs.tasks.living_things(4), np.linspace(0, 40, 201))
        >>> bool(0.01 < delay_of_steps(path, path.stages()[0], 0.01) < 0.03)
        True
    """
    progress, times = progress_of(trajectory, stage), trajectory.times
    if progress is None or not np.isfinite(stage.when):
        return float("nan")
    mean = np.atleast_2d(progress).mean(axis=0)
    fall = (1 - mean) * np.gradient(mean, times)
    rising = fall[fall > 0]
    ratio = float(np.interp(stage.when, times, fall)) / float(rising[0]) if len(rising) else 1.0
    return rate / 2 + rate / 4 * float(np.log(max(ratio, 1.0)))


def label_stages(ax: Axes, trajectory: Observations) -> None:
    """Write what is learned next to the falls of a loss curve, without names that the axes show already."""
    trajectory = trajectory.on_clock
    found, loss = found_stages(trajectory), np.atleast_2d(trajectory.loss).mean(axis=0)
    shown = {text.get_text() for text in ax.texts}
    chosen = [s for s in sorted(found, key=lambda s: -s.importance)[:LABELLED] if np.isfinite(s.when)]
    gap, place = LABEL_GAP * float(np.ptp(ax.get_ylim())), np.inf
    for stage in sorted(chosen, key=lambda s: s.when):
        name, height = plain(shortened(_things(stage.what))), float(np.interp(stage.when, trajectory.times, loss))
        when = stage.when
        if name not in shown:
            # names follow the curve downwards and keep their distance from each other
            place = min(height + 2 * gap, place - gap) if np.isfinite(place) else height + 2 * gap
            late = when > 0.5 * sum(ax.get_xlim())
            beside = ax.get_xlim()[1] if late else when + 0.03 * float(np.ptp(ax.get_xlim()))
            text = ax.annotate(
                name,
                (when, height),
                (beside, max(place, height + gap)),
                va="center",
                ha="right" if late else "left",
                fontsize="small",
                arrowprops={"arrowstyle": "-", "color": "0.5", "linewidth": 0.6},
            )
            # a long name must not squeeze the axes
            text.set_in_layout(False)


def _things(what: str) -> str:
    """The distinction, without the outputs that make it."""
    return what.partition(":")[0] if "|" in what else what


def _why_not(trajectory: Observations, loss: np.ndarray | None) -> str:
    if len(trajectory.times) < 3:
        return "no stages, because fewer than three times cannot show them; give more times."
    if not np.all(np.isfinite(trajectory.times)):
        return "no stages, because times are infinite; give finite times."
    if loss is not None and not np.all(np.isfinite(loss)):
        return "no stages, because the loss is not finite; a smaller learning rate may help."
    if loss is not None and loss.mean(axis=0).min() > (1 - NOTHING) * loss[:, 0].mean():
        return "no stages, because nothing was learned: the loss does not fall."
    if loss is None and "strengths" not in trajectory.values and "outputs" not in trajectory.values:
        return "no stages, because neither loss, strengths nor outputs were observed; leave observe at its default."
    return ""


def _modes_fit(trajectory: Observations, task: Task) -> bool:
    """Whether modes are what is learned: with another loss than squared error their strengths grow without end."""
    statistics, strengths = task.statistics, trajectory["strengths"]
    # those of a recurrent network have an axis of lags
    if not task.loss.squared or statistics.rank == 0:
        return False
    if strengths.shape != (*lead(trajectory), statistics.rank):
        return False
    if not {"loss", "outputs"} <= set(trajectory.values):
        return True
    # correlated inputs teach more than the modes: what the modes do not explain of the loss is then learned, too
    grown = strengths * (2 * statistics.strengths - strengths * statistics.curvatures)
    by_modes = np.sum(task.y**2) / (2 * len(task.y)) - grown.sum(axis=-1) / 2
    return bool(np.abs(trajectory.loss - by_modes).mean(axis=-1).max() <= DIRECTIONS * trajectory.loss[..., 0].max())


def _from_modes(trajectory: Observations, task: Task) -> list[Stage]:
    """One stage for each group of modes of equal strength and curvature."""
    statistics = task.statistics
    strengths, curvatures = statistics.strengths, statistics.curvatures
    apart = (np.diff(strengths) < -DEGENERATE * strengths[:-1]) | (
        np.abs(np.diff(curvatures)) > DEGENERATE * curvatures[:-1]
    )
    weight = strengths * statistics.targets
    found = []
    for group in np.split(np.arange(len(strengths)), np.flatnonzero(apart) + 1):
        progress = (trajectory["strengths"][..., group] / statistics.targets[group]).mean(axis=-1)
        stage = _stage(trajectory, progress, name_group([task.mode_names[k] for k in group]))
        along = task.x @ statistics.right[:, group]
        stage = replace(
            stage,
            modes=tuple(group.tolist()),
            importance=float(weight[group].sum() / weight.sum()),
            items=(along / np.sum(along**2, axis=0)).T,
            outputs=(statistics.left[:, group] / statistics.targets[group]).T,
            base=np.zeros(len(group)),
        )
        found.append(stage)
    return found


def _from_outputs(trajectory: Observations, task: Task, plateaus: Sequence[Plateau]) -> list[Stage]:
    """The singular vectors of the change of the outputs between plateaus."""
    outputs = _answers(trajectory, task) if trajectory.seeds is not None else _answers(trajectory, task)[None]
    mean, times = outputs.mean(axis=0), trajectory.times
    middles = [np.searchsorted(times, (p.begins + p.ends) / 2) for p in plateaus]
    cuts = sorted({0, *(int(k) for k in middles if 0 < k < len(times) - 1), len(times) - 1})
    whole = sum(float(np.sum((mean[b] - mean[a]) ** 2)) for a, b in pairwise(cuts))
    found = []
    for a, b in pairwise(cuts):
        change = mean[b] - mean[a]
        left, size, _ = np.linalg.svd(change, full_matrices=False)
        kept = size[size**2 >= DIRECTIONS * max(whole, np.finfo(float).tiny)]
        groups = np.split(np.arange(len(kept)), np.flatnonzero(kept[1:] < ALIKE * kept[:-1]) + 1)
        for group in groups if len(kept) else ():
            items = left[:, group] @ sparse_rotation(left[:, group]) if len(group) > 1 else left[:, group]
            ways = items.T @ change
            along = np.einsum("stij,ik,kj->kst", outputs, items, ways)
            first, last = along[..., a : a + 1], along[..., b : b + 1]
            rise = np.where(last > first, last - first, np.inf)
            progress = np.where(np.arange(len(times)) < a, 0.0, (along - first) / rise)
            scaled = ways / np.sum(ways**2, axis=1, keepdims=True)
            base = np.einsum("ik,ij,kj->k", items, mean[a], scaled)
            names = [name_distinction(task, items[:, k], way) for k, way in enumerate(ways)]
            half = np.array([np.median(crossing(times, each, 0.5)) for each in progress])
            together = np.all(np.isfinite(half)) and np.ptp(half) <= TOGETHER * half.mean()
            for part in [list(range(len(group)))] if together else [[k] for k in range(len(group))]:
                stage = _stage(trajectory, progress[part].mean(axis=0), name_group([names[k] for k in part]))
                importance = float(np.sum(ways[part] ** 2) / whole)
                own = {"items": items[:, part].T, "outputs": scaled[part], "base": base[part]}
                found.append(replace(stage, importance=importance, **own))
    return found


def _answers(trajectory: Observations, task: Task) -> np.ndarray:
    """The outputs, or the probabilities that they stand for, which end where outputs grow as long as one trains."""
    return np.asarray(task.loss.answers(trajectory["outputs"]))


def _from_loss(trajectory: Observations, plateaus: Sequence[Plateau]) -> list[Stage]:
    """The falls of the loss between plateaus, where nothing else was observed."""
    loss = np.atleast_2d(trajectory.loss)
    first, last = loss[:, 0].mean(), loss[:, -1].mean()
    if not first > last:
        return []
    levels = sorted({first, *(p.loss for p in plateaus), last}, reverse=True)
    # levels that lie together are one plateau
    levels = [levels[0], *(b for a, b in pairwise(levels) if a - b > (first - last) / BINS)]
    pairs = list(pairwise(levels)) or [(first, last)]
    return [
        replace(
            _stage(trajectory, np.clip((high - loss) / (high - low), 0.0, 1.0), f"the loss falls to {low:.3g}"),
            importance=float((high - low) / (first - last)),
        )
        for high, low in pairs
    ]


def _stage(trajectory: Observations, progress: np.ndarray, what: str) -> Stage:
    begins, half, ends = (np.atleast_1d(crossing(trajectory.times, progress, level)) for level in LEVELS)
    return Stage(what, begins, half, ends)


def _plateaus(times: np.ndarray, loss: np.ndarray) -> tuple[Plateau, ...]:
    """Times in which the loss hardly falls: parts of its fall that take much longer than others; not its last part."""
    lowest = np.minimum.accumulate(loss)
    fall = lowest[0] - lowest[-1]
    if not fall > 0:
        return ()
    share = (lowest[0] - lowest) / fall
    edges = np.linspace(0, 1, BINS + 1)
    at = np.array([float(crossing(times, share, edge)) for edge in edges[:-1]])
    taken = np.diff(at)
    long = taken > LONG * taken.mean()
    found = []
    for part in np.split(np.arange(len(taken)), np.flatnonzero(np.diff(long)) + 1):
        # the slow approach of the end is no plateau
        if long[part[0]] and part[-1] < len(taken) - 1:
            level = float(np.interp((at[part[0]] + at[part[-1] + 1]) / 2, times, loss))
            found.append(Plateau(level, float(at[part[0]]), float(at[part[-1] + 1])))
    return tuple(found)


def _with_loss(trajectory: Observations, loss: np.ndarray | None, stage: Stage) -> Stage:
    """The stage with the loss at its two ends, and with the uncertainty of its time."""
    if loss is None:
        return stage
    times, mean = trajectory.times, loss.mean(axis=0)
    before, after = (
        float(np.interp(at, times, mean)) if np.isfinite(at) else float(mean[-1])
        for at in (float(np.median(stage.begins)), float(np.median(stage.ends)))
    )
    uncertainty = float("nan")
    if trajectory.estimated and trajectory.error is not None and np.isfinite(stage.when):
        error = np.atleast_2d(trajectory.error).mean(axis=0)
        begins, ends = float(np.median(stage.begins)), min(float(np.median(stage.ends)), float(times[-1]))
        inside = np.concatenate([[stage.when], times[(times >= begins) & (times <= ends)]])
        largest = float(np.interp(inside, times, error).max())
        # later by δ, a stage changes the loss by δ times the slope of its own part of the fall; that part is ∝ (1 − p)²
        own = stage.importance * float(mean[0] - mean[-1]) * ((1 - LEVELS[0]) ** 2 - (1 - LEVELS[2]) ** 2)
        uncertainty = largest * (ends - begins) / own if own > 0 else float("inf")
    return replace(stage, before=before, after=after, uncertainty=uncertainty)


def _with_beliefs(trajectory: Observations, found: list[Stage]) -> list[Stage]:
    """False beliefs until the next stage, where outputs have names."""
    task = trajectory.task
    if not found or not isinstance(task, Task) or "outputs" not in trajectory.values or task.classes is not None:
        return found
    if not (task.named("outputs") and task.named("items")) or trajectory["outputs"].shape[-2:] != task.y.shape:
        return found
    halves = np.array([stage.when for stage in found])
    # properties that a thing has or has not are believed or not; others are believed to be higher or lower
    yes_or_no = len(np.unique(task.y)) <= 2
    strongest = [
        (item, _held(output, height, yes_or_no), time, height)
        for item, output, time, height in illusions(trajectory).strongest()
    ]
    beliefs: list[list[tuple[str, str, float, float]]] = [[] for _ in found]
    for belief in strongest:
        beliefs[max(int(np.searchsorted(halves, belief[2])) - 1, 0)].append(belief)
    return [replace(stage, beliefs=tuple(own)) for stage, own in zip(found, beliefs, strict=True)]


def _in_turn(trajectory: Observations, errors: bool) -> Stages:
    """The stages of each task of a sequence, in the times of the whole."""
    begins = trajectory.notes.get("segment_starts", [0.0])
    parts = [stages(trajectory.part(k), errors=errors) for k in range(len(begins))]
    moved = [
        replace(s, begins=s.begins + begin, half=s.half + begin, ends=s.ends + begin, what=f"task {k + 1}: {s.what}")
        for k, (begin, part) in enumerate(zip(begins, parts, strict=True))
        for s in part
    ]
    first = parts[0]
    span = (first.span[0], parts[-1].span[1], float(trajectory.times[-1]))
    reason = "" if moved else " ".join(dict.fromkeys(part.reason for part in parts))
    return Stages(tuple(moved), (), trajectory.unit, trajectory.label, reason, span, first.count)


def _number(value: float) -> str:
    return "never" if np.isinf(value) else three_digits(value)


def three_digits(value: float) -> str:
    """Three digits, and noughts in place of an exponent for thousands, as numbers of steps are written."""
    return f"{float(f'{value:.3g}'):g}"


def _when(stage: Stage) -> str:
    """``t = 8.5 ± 0.1`` or, over seeds, ``t = 8.5 (8.2 – 9.1)``."""
    if len(stage.half) > 1:
        low, high = np.quantile(stage.half[np.isfinite(stage.half)], (0.05, 0.95))
        return f"t = {three_digits(stage.when)} ({_number(low)} – {_number(high)})"
    return f"t = {three_digits(stage.when)}{plus_minus(stage.uncertainty, stage.when)}"


def plus_minus(uncertainty: float, when: float) -> str:
    """`` ± 0.1``, or `` ± <0.02`` where it is less than the digits of the time show; empty if it is not known."""
    if np.isnan(uncertainty):
        return ""
    least = SURE * when
    return f" ± <{least:.1g}" if uncertainty < least else f" ± {float(f'{uncertainty:.2g}'):g}"


def _rests(plateaus: Sequence[Plateau]) -> str:
    longest = sorted(plateaus, key=lambda p: -p.length)[:RESTS]
    told = [
        f"{p.loss:.3g} {f'from t = {three_digits(p.begins)} to' if p.begins else 'until t ='} {three_digits(p.ends)}"
        for p in sorted(longest, key=lambda p: p.begins)
    ]
    return f"The loss rests at {', at '.join(told)}."


def _held(output: str, height: float, yes_or_no: bool) -> str:
    if yes_or_no:
        return output if height > 0 else f"not {output}"
    return f"{output} too {'high' if height > 0 else 'low'}"


def _belief(item: str, belief: str, time: float, _: float) -> str:
    return f"{item}: {belief} (most at t = {three_digits(time)})"
