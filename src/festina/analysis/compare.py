"""How well two trajectories agree; the same numbers everywhere."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.analysis.passage import crossing
from festina.analysis.stages import (
    delay_of_steps,
    found_stages,
    label_stages,
    plus_minus,
    progress_of,
    three_digits,
)
from festina.checks import check
from festina.core.display import aligned, render
from festina.core.look import axis, dots, draw_loss, kind_of, styled
from festina.core.observations import Observations

SEEN = 0.05
"""Area from which the difference of two curves is seen in a figure."""

UNSTABLE = 2.0
"""Rate × sharpness above which gradient descent overshoots along the direction of largest curvature, and grows."""

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class StageAgreement:
    """One stage in two runs.

    Attributes:
        what: what is learned, in the words of the task.
        predicted, measured: when half of it is learned in the first and in the second run; ``inf`` where never.
        uncertainty: the uncertainty of the predicted time, where an error estimate is known; against gradient descent
            it contains how much later than gradient flow its steps are.
        losses: the loss of the first and of the second run at these times.

    Example:
        >>> from festina.analysis import StageAgreement
        >>> StageAgreement("animals | plants", 11.9, 12.0).difference
        0.09999999999999964
    """

    what: str
    predicted: float
    measured: float
    uncertainty: float = float("nan")
    losses: tuple[float, float] = (float("nan"), float("nan"))

    @property
    def difference(self) -> float:
        """How much later it is measured than predicted; 0 where it is never learned in either."""
        return 0.0 if self.predicted == self.measured else self.measured - self.predicted


@dataclass(frozen=True)
class Agreement:
    """How well one run agrees with another: stage by stage, and as areas between the loss curves.

    Attributes:
        area: ∫|La − Lb| dt / ∫Lb dt; infinite where a loss is not finite.
        max: largest |La − Lb|, relative to the largest Lb.
        areas: ``area`` of each seed where seeds were compared; ``area`` is then their mean.
        diverged: a sentence where one of the two is not finite; empty otherwise.
        curves: b's times, a's times, La and Lb of each seed, from which ``time_shift`` is computed.
        runs: the two runs.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> task, times = fs.tasks.hierarchy(levels=2), [0.0, 10.0, 20.0]
        >>> fs.compare(fs.evolve(network, task, times), fs.evolve(network, task, times)).area
        0.0
    """

    area: float
    max: float
    areas: tuple[float, ...] = field(repr=False)
    diverged: str = ""
    curves: tuple[tuple[np.ndarray, ...], ...] = field(default=(), repr=False, compare=False)
    runs: tuple[Observations, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def time_shift(self) -> float:
        """How much later a is than b, in the unit that both print: the shift of a that makes ``area`` smallest.

        It is a mean over seeds, and computed when it is first asked for: the search takes a hundred times as long as
        ``area`` and ``max``.
        """
        return float(np.mean([_shift(*each) for each in self.curves]))

    @cached_property
    def rate_times_sharpness(self) -> Mapping[str, float]:
        """Rate × sharpness of the run with a known step size, by place of measurement; above 2 it is not gradient flow.

        ``fs.compare`` measures it where the curves differ by more than 5 %, and warns above 2.
        """
        from festina.analysis.curvature import rate_times_sharpness

        return next((found for run in self.runs[::-1] if (found := rate_times_sharpness(run))), {})

    @cached_property
    def stages(self) -> tuple[StageAgreement, ...]:
        """The stages of the first run, with the time at which each is half learned in the second."""
        if self.diverged or not self.runs:
            return ()
        a, b = self.runs
        rows = []
        # descent whose steps are those of gradient flow to first order
        steps = b.notes.get("rate", 0.0) if getattr(b.method, "optimiser", None) == "gd" else 0.0
        for stage in found_stages(a):
            progress = progress_of(b, stage)
            if progress is None:
                continue
            measured = float(np.median(crossing(b.times, progress, 0.5)))
            losses = tuple(
                float(np.interp(at, run.times, np.atleast_2d(run.loss).mean(axis=0))) if np.isfinite(at) else np.nan
                for at, run in ((stage.when, a), (measured, b))
            )
            sure = stage.uncertainty + (delay_of_steps(a, stage, steps) if steps else 0.0)
            rows.append(StageAgreement(stage.what, stage.when, measured, sure, (losses[0], losses[1])))
        return tuple(rows)

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both loss curves, with a mark at each stage where the first has it and where the second has it.

        Args:
            ax: axes to draw into; None is pyplot's current axes.

        Example:
            >>> import numpy as np, festina as fs
            >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
            >>> task, times = fs.tasks.living_things(4), np.linspace(0, 40, 81)
            >>> runs = [fs.evolve(network, task, times, method=m) for m in (fs.Exact(), fs.Flow())]
            >>> fs.compare(*runs).plot().get_ylabel()
            'loss'
        """
        ax = axis(ax)
        a, b = self.runs
        for run in (b, a):
            draw_loss(run, ax, label=run.label)
        for stage in self.stages:
            for at, loss, run in zip((stage.predicted, stage.measured), stage.losses, (a, b), strict=True):
                if np.isfinite(at):
                    trained = kind_of(run) == "trained"
                    ax.plot([at], [loss], **dots(marker="o" if trained else "|", markersize=7 if trained else 12))
        label_stages(ax, a)
        ax.legend(loc="upper right")
        return ax

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = [("predicted", "measured", "difference", "what is learned")]
        for stage in (each for each in self.stages if np.isfinite([each.predicted, each.measured]).any()):
            sure = plus_minus(stage.uncertainty, stage.predicted)
            apart = f"{stage.difference:+.2g}" if np.isfinite(stage.difference) else ""
            rows.append((f"{_time(stage.predicted)}{sure}", _time(stage.measured), apart, stage.what))
        return rows

    def _title(self) -> str:
        seeds = f", mean of {len(self.areas)} seeds" if len(self.areas) > 1 else ""
        return " against ".join(run.label for run in self.runs) + seeds

    def _summary(self) -> str:
        if self.diverged:
            return f"{self.diverged} There is no agreement to measure."
        known = self.__dict__.get("rate_times_sharpness") or {}
        sharp = ", ".join(f"{value:.2g} at {where}" for where, value in known.items())
        return (
            f"The area between the loss curves is {self.area:.2%} of the area below the second curve; they "
            f"differ by at most {self.max:.2%} of the largest loss."
            + (f" Rate × sharpness: {sharp}; gradient flow needs values well below 2." if sharp else "")
        )

    def __str__(self) -> str:
        rows = self._rows()
        lines = aligned(rows)
        return "\n".join([self._title(), *(f"  {line}" for line in lines if len(rows) > 1), self._summary()])

    def _repr_html_(self) -> str:
        rows = self._rows()
        return render(self._title(), rows[1:], [self._summary()], header=rows[0] if len(rows) > 1 else ())


def compare(a: Observations, b: Observations) -> Agreement:
    """Agreement of the loss curves of ``a`` (say, theory) and ``b`` (say, training) over the times they share.

    Curves on different times are interpolated onto b's. Runs that were both asked for in steps are compared in steps.
    If both have seeds, they are compared seed by seed; if only one has, each of its seeds is compared with the other's
    curve. To compare with a mean curve, use ``b.mean()``. Where the curves differ by more than 5 %, the sharpness of
    the run that took steps is measured, and rate × sharpness above 2 warns.

    Raises:
        ValueError: not trajectories, no common time span, different units of time, or different numbers of seeds.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> task, times = fs.tasks.hierarchy(levels=2), np.linspace(0, 40, 81)
        >>> theory = fs.evolve(network, task, times)
        >>> fs.compare(theory, fs.evolve(network, task, times, method=fs.Flow())).area < 1e-9
        True
    """
    for name, given in (("a", a), ("b", b)):
        check.instance(name, given, Observations, "a trajectory, as fs.evolve(...) gives it,")
        if "loss" not in given.values:
            raise ValueError(
                f"{name} observed {', '.join(given.values)}; to be compared, it needs observe=('loss', ...)."
            )
    if a.unit != b.unit:
        raise ValueError(
            f"a is in {a.unit} and b in {b.unit}; both need the same unit of time. Compare when "
            "things are learned instead, in the steps of each: a.learned() and b.learned()."
        )
    if all(run.notes.get("axis") == "steps" for run in (a, b)) and a.notes["rate"] == b.notes["rate"]:
        a, b = a.on_clock, b.on_clock
    start, end = max(a.times[0], b.times[0]), min(a.times[-1], b.times[-1])
    times = b.times[(b.times >= start) & (b.times <= end)]
    if len(times) < 2:
        raise ValueError(
            f"a runs over [{a.times[0]:g}, {a.times[-1]:g}] and b over [{b.times[0]:g}, {b.times[-1]:g}]: fewer than "
            "two of b's times are in both; give them a common span."
        )
    first, second = np.atleast_2d(a.loss), np.atleast_2d(b.loss)
    count = max(len(first), len(second))
    if {len(first), len(second)} - {1, count}:
        raise ValueError(f"a has {len(first)} seeds and b has {len(second)}; give equal numbers, or .mean() of one.")
    areas, largest, curves = [], [], []
    for i in range(count):
        la, lb = first[i % len(first)], np.interp(times, b.times, second[i % len(second)])
        shared = np.interp(times, a.times, la)
        whole = np.trapezoid(lb, times)
        areas.append(float(_ratio(np.trapezoid(np.abs(shared - lb), times), whole)))
        largest.append(float(_ratio(np.max(np.abs(shared - lb)), np.max(lb))))
        curves.append((times, a.times, la, lb))
    found = Agreement(
        float(np.mean(areas)), float(np.max(largest)), tuple(areas), _diverged(a, b), tuple(curves), (a, b)
    )
    if found.area > SEEN and not found.diverged and (known := found.rate_times_sharpness):
        where = max(known, key=known.__getitem__)
        if known[where] > UNSTABLE:
            warnings.warn(
                f"rate × sharpness is {known[where]:.3g} at {where}: above 2 gradient descent overshoots and does not "
                "follow gradient flow, which theories describe. Compare with a run of a smaller rate.",
                stacklevel=2,
            )
    return found


def _diverged(a: Observations, b: Observations) -> str:
    for name, given in (("The first run", a), ("The second run", b)):
        bad = np.argwhere(~np.isfinite(np.atleast_2d(given.loss)))
        if len(bad):
            seed, at = bad[np.argmin(bad[:, 1])]
            which = "" if given.seeds is None else f" of seed {given.seeds[seed]}"
            return f"{name} diverged: its loss{which} is not finite from t = {given.times[at]:g} on."
    return ""


def _time(at: float) -> str:
    return f"t = {three_digits(at)}" if np.isfinite(at) else "never"


def _ratio(part: float, whole: float) -> float:
    return 0.0 if part == 0 else part / whole if whole > 0 and np.isfinite(part) else np.inf


def _shift(times: np.ndarray, own: np.ndarray, la: np.ndarray, lb: np.ndarray) -> float:
    """The δ that minimises ∫|La(t + δ) − Lb(t)| dt, found on a grid of the curves' times and then refined."""

    def area(delta: float) -> float:
        return float(np.trapezoid(np.abs(np.interp(times + delta, own, la) - lb), times))

    span = times[-1] - times[0]
    grid = np.linspace(-span / 2, span / 2, 257)
    best = int(np.argmin([area(delta) for delta in grid]))
    around = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    found = scipy.optimize.minimize_scalar(area, bounds=around, method="bounded", options={"xatol": 1e-9 * span})
    return min((0.0, float(grid[best]), float(found.x)), key=area)
