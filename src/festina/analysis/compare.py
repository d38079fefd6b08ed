"""How well two trajectories agree; the same numbers everywhere."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy

from festina.checks import check
from festina.core.display import render
from festina.core.observations import Observations


@dataclass(frozen=True)
class Agreement:
    """Three numbers for how well loss curve a agrees with loss curve b.

    Attributes:
        area: ∫|La − Lb| dt / ∫Lb dt; infinite where a loss is not finite.
        max: largest |La − Lb|, relative to the largest Lb.
        areas: ``area`` of each seed where seeds were compared; ``area`` is then their mean.
        of, to: what was compared.
        diverged: a sentence where one of the two is not finite; empty otherwise.
        curves: of each seed b's times, a's times, La and Lb, from which ``time_shift`` is computed.

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
    of: str = ""
    to: str = ""
    diverged: str = ""
    curves: tuple[tuple[np.ndarray, ...], ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def time_shift(self) -> float:
        """How much later a is than b, in flow time: the shift of a that makes ``area`` smallest, mean over seeds.

        It is computed when it is first asked for: the search takes a hundred times as long as ``area`` and ``max``.
        """
        return float(np.mean([_shift(*each) for each in self.curves]))

    def __str__(self) -> str:
        if self.diverged:
            return f"{self.of} against {self.to}\n{self.diverged} There is no agreement to measure."
        rows = [
            ("area", f"{self.area:.3g}", "∫|La−Lb|/∫Lb"),
            ("max", f"{self.max:.3g}", "largest |La−Lb| over largest Lb"),
            ("time_shift", f"{self.time_shift:.3g}", "flow time by which a is later than b"),
        ]
        table = "\n".join(f"{name:<11}{value:>10}   {meaning}" for name, value, meaning in rows)
        seeds = f", mean of {len(self.areas)} seeds" if len(self.areas) > 1 else ""
        return f"{self.of} against {self.to}{seeds}\n{table}"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        notes = [self.diverged] if self.diverged else []
        notes += [f"Mean of {len(self.areas)} seeds."] if len(self.areas) > 1 else []
        rows = [
            ("area", self.area, "∫|La−Lb|/∫Lb"),
            ("max", self.max, "largest |La−Lb| over largest Lb"),
            ("time_shift", self.time_shift, "flow time by which a is later than b"),
        ]
        return render(f"{self.of} against {self.to}", rows, notes)


def compare(a: Observations, b: Observations) -> Agreement:
    """Agreement of the loss curves of ``a`` (say, theory) and ``b`` (say, training) over the times they share.

    Curves on different times are interpolated onto b's. With seeds on both sides they are compared seed by seed,
    with seeds on one side each against the other's curve; to compare with a mean curve, use ``b.mean()``.

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
        raise ValueError(f"a is in {a.unit} and b in {b.unit}; both need the same unit of time.")
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
    return Agreement(
        float(np.mean(areas)), float(np.max(largest)), tuple(areas), a.label, b.label, _diverged(a, b), tuple(curves)
    )


def _diverged(a: Observations, b: Observations) -> str:
    for name, given in (("The first run", a), ("The second run", b)):
        bad = np.argwhere(~np.isfinite(np.atleast_2d(given.loss)))
        if len(bad):
            seed, at = bad[np.argmin(bad[:, 1])]
            which = "" if given.seeds is None else f" of seed {given.seeds[seed]}"
            return f"{name} diverged: its loss{which} is not finite from t = {given.times[at]:g} on."
    return ""


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
