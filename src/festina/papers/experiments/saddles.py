"""Does a deep linear network pass near a hierarchy of saddle points while it learns?

From small random weights it does, seed by seed: the trajectory visits ∅, {1}, {1,2}, … in the order of the singular
values, waits at each at the loss L_I that the saddle has, and learns mode k at t ≈ ln(1/σ)/s_k. The saddles are left
along the negative directions of the Hessian, whose number falls from visit to visit. From large weights the same points
are passed at a distance and no plateau is seen. With three layers the visited saddles have no negative direction at
all, and the wait grows like 1/σ instead of ln(1/σ). A shallow network has no saddle.

Source: saxe_lecture "Depth introduces a hierarchy of saddle points"; saxe2019
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina._progress import track
from festina.papers._claim import Claim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HALF = 0.5
"""A point passed at half the distance between neighbours is no nearer than its neighbour: no plateau."""

ZERO = 1e-9
"""An eigenvalue of a dense Hessian of order one that should be zero is this close to it, by rounding."""


@dataclass(frozen=True)
class Settings:
    """Task, scales and sizes."""

    # singular values of the task, one per mode, all different
    strengths: tuple[float, ...] = (4.0, 2.0, 1.0)
    # inputs and outputs of the task
    size: int = 6
    # hidden units of each hidden layer
    hidden: int = 8
    # standard deviations of the initial weights, two layers
    scales: tuple[float, ...] = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    # standard deviations of the initial weights, three layers
    deep_scales: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1)
    # networks per scale
    seeds: int = 100
    # step of gradient descent
    rate: float = 0.005
    # observations of each run
    samples: int = 500


quick = Settings(scales=(1e-6, 1e-4, 1e-2, 1.0), deep_scales=(0.01, 0.03), seeds=10, samples=300)
layout = (2, 3)


@dataclass(frozen=True, eq=False)
class Runs:
    """Networks of one depth at one scale: what they visited and when."""

    scale: float
    path: fs.Trajectory
    visits: list[list[fs.linear.Visit]]
    distances: np.ndarray
    modes: int

    @property
    def sequences(self) -> list[tuple[str, ...]]:
        """Names of the visited points, per seed."""
        return [tuple(visit.name for visit in visits) for visits in self.visits]

    @property
    def times(self) -> np.ndarray:
        """When each mode first belonged to the nearest point, (seeds, modes); nan where it never did."""
        first = [[next((v.enter for v in visits if k in v.point.modes), np.nan) for k in range(self.modes)]
                 for visits in self.visits]  # fmt: skip
        return np.array(first)


@dataclass(frozen=True, eq=False)
class Curves:
    """Runs by scale for two and three layers, and the stationary points."""

    settings: Settings
    task: fs.Task
    points: list[fs.linear.StationaryPoint]
    counted: list[int]
    ladder: list[fs.linear.StationaryPoint]
    two: list[Runs]
    three: list[Runs]
    deep_ladder: list[fs.linear.StationaryPoint]
    shallow: int

    @property
    def expected(self) -> tuple[str, ...]:
        """The sequence of the theory: ∅, {1}, {1,2}, …"""
        return tuple(point.name for point in self.ladder)

    def approach(self) -> np.ndarray:
        """Smallest distance to each saddle of the ladder over its gap, (scales, seeds, saddles)."""
        gaps = np.array([point.gap for point in self.ladder[:-1]])
        return np.stack([runs.distances.min(axis=1)[:, :-1] / gaps for runs in self.two])


def _ladder(network: fs.DeepLinear, task: fs.Task) -> list[fs.linear.StationaryPoint]:
    rank = task.statistics.rank
    by_modes = {point.modes: point for point in fs.linear.stationary_points(network, task)}
    return [by_modes[tuple(range(k))] for k in range(rank + 1)]


def _negative(network: fs.DeepLinear, task: fs.Task, weights: tuple[np.ndarray, ...]) -> int:
    """Negative eigenvalues of the Hessian, by differences of the gradient flow's velocity along every weight.

    The velocity is polynomial in the weights: a complex step gives its derivative without differencing error.
    """
    velocity = network.velocity(task)
    cuts = np.cumsum([w.size for w in weights])[:-1]
    flat = np.concatenate([w.ravel() for w in weights])
    rows = []
    for unit in np.eye(len(flat)):
        parts = np.split(flat + 1e-30j * unit, cuts)
        moved = velocity(tuple(p.reshape(w.shape) for p, w in zip(parts, weights, strict=True)))
        rows.append(-np.concatenate([m.imag.ravel() for m in moved]) / 1e-30)
    return int(np.sum(np.linalg.eigvalsh(np.array(rows)) < -ZERO))


def _run(settings: Settings, task: fs.Task, depth: int, scale: float) -> Runs:
    network = fs.DeepLinear(hidden=(settings.hidden,) * (depth - 1), initial=fs.initial.Gaussian(scale))
    slowest = task.statistics.strengths[-1]
    # twice the time the weakest mode needs from a start of this scale: e-folds for two layers, 1/σ for three
    wait = 2 * np.log1p(1 / scale) if depth == 2 else 2 / scale
    times = np.linspace(0, (wait + 5) / slowest, settings.samples)
    method = fs.Train(rate=settings.rate)
    path = fs.evolve(network, task, times, method=method, seeds=settings.seeds, observe=("loss", "map"))
    distances = fs.linear.distances(path, _ladder(network, task))
    kept = fs.Trajectory(path.times, {"loss": path.loss}, path.seeds)
    return Runs(scale, kept, fs.linear.visited(path, network, task), distances, task.statistics.rank)


def compute(settings: Settings) -> Curves:
    """Train from every scale, and find what is visited."""
    task = fs.tasks.teacher(settings.size, settings.size, strengths=settings.strengths)
    start = fs.initial.Gaussian(1.0)
    two = fs.DeepLinear(hidden=(settings.hidden,), initial=start)
    three = fs.DeepLinear(hidden=(settings.hidden,) * 2, initial=start)
    points = fs.linear.stationary_points(two, task)
    runs = {
        (depth, scale): _run(settings, task, depth, scale)
        for depth, scale in track(
            [(2, scale) for scale in settings.scales] + [(3, scale) for scale in settings.deep_scales], "scales"
        )
    }
    return Curves(
        settings,
        task,
        points,
        [_negative(two, task, point.weights) for point in points],
        _ladder(two, task),
        [runs[2, scale] for scale in settings.scales],
        [runs[3, scale] for scale in settings.deep_scales],
        _ladder(three, task),
        len(fs.linear.stationary_points(fs.DeepLinear(initial=start), task)),
    )


def _ordered(curves: Curves) -> tuple[float, float]:
    share = np.mean([sequence == curves.expected for sequence in curves.two[0].sequences])
    # Agresti-Coull: an error that does not vanish at a share of one
    count = curves.settings.seeds + 4
    centre = (share * curves.settings.seeds + 2) / count
    return float(share), float(np.sqrt(centre * (1 - centre) / count))


def _slopes(curves: Curves) -> np.ndarray:
    """Slope of t_k against ln(1/σ), times s_k, from the scales at which most seeds are on the ladder."""
    small = [runs for runs in curves.two if np.mean([s == curves.expected for s in runs.sequences]) > HALF]
    if len(small) < 2:
        return np.full(len(curves.settings.strengths), np.nan)
    logs = np.log([1 / runs.scale for runs in small])
    medians = np.array([np.nanmedian(runs.times, axis=0) for runs in small])
    return np.polyfit(logs, medians, 1)[0] * curves.task.statistics.strengths


def _plateaus(curves: Curves) -> np.ndarray:
    """Loss at the closest approach to each inner saddle against L_I, over the drop that follows, smallest scale."""
    heights = {point.name: point.loss for point in curves.ladder}
    drop = dict(zip(curves.expected, -np.diff([p.loss for p in curves.ladder]), strict=False))
    inner = [v for visits in curves.two[0].visits for v in visits if v.name in curves.expected[1:-1]]
    return np.array([abs(v.loss - heights[v.name]) / drop[v.name] for v in inner])


def _nearing(curves: Curves) -> float:
    """Largest distance of the exponents with which the inner saddles are neared as σ → 0 from the theory's.

    While mode k ends like e^{−2 s_k t}, mode k+1 grows like e^{2 s_{k+1} t}: they cross at
    σ^{2(s_k − s_{k+1})/(s_k + s_{k+1})}.
    """
    s = curves.task.statistics.strengths
    theory = 2 * (s[:-1] - s[1:]) / (s[:-1] + s[1:])
    first, second = np.median(curves.approach()[:2, :, 1:], axis=1)
    measured = np.log(second / first) / np.log(curves.two[1].scale / curves.two[0].scale)
    return float(np.abs(measured - theory).max())


def _power(runs: list[Runs]) -> float:
    """Exponent of the first mode's time against 1/σ, between the two smallest scales."""
    first, second = (float(np.nanmedian(r.times[:, 0])) for r in runs[:2])
    return float(np.log(first / second) / np.log(runs[1].scale / runs[0].scale))


def values(curves: Curves) -> dict[str, Any]:
    """What was visited at each scale, with indices, times and approaches."""
    approach = np.median(curves.approach(), axis=1)
    return {
        "visited": {
            f"{runs.scale:g}": [
                {"sequence": list(sequence), "share": n / len(runs.sequences)}
                for sequence, n in Counter(runs.sequences).most_common(3)
            ]
            for runs in curves.two
        },
        "indices": {point.name: point.index for point in curves.points},
        "counted_indices": {p.name: n for p, n in zip(curves.points, curves.counted, strict=True)},
        "losses": {point.name: point.loss for point in curves.points},
        "escape_rates": {point.name: point.rate for point in curves.points},
        "kinds_three_layers": {point.name: point.kind for point in curves.deep_ladder},
        "mode_times": {f"{runs.scale:g}": np.nanmedian(runs.times, axis=0) for runs in curves.two},
        "mode_times_three_layers": {f"{runs.scale:g}": np.nanmedian(runs.times, axis=0) for runs in curves.three},
        "slope_times_strength": _slopes(curves),
        "approach": {f"{runs.scale:g}": row for runs, row in zip(curves.two, approach, strict=True)},
        "approach_columns": list(curves.expected[:-1]),
    }


claims = (
    Claim(
        "order",
        "from small random weights learning visits ∅, {1}, {1,2}, … in this order (share of seeds, smallest scale)",
        _ordered,
        0.8,
        ">=",
        source='saxe_lecture "Depth introduces a hierarchy of saddle points"',
    ),
    Claim(
        "time",
        "mode k is learned at t ≈ ln(1/σ)/s_k (largest relative error of the slope against ln(1/σ))",
        lambda curves: float(np.abs(_slopes(curves) - 1).max()),
        0.05,
        source="saxe2019 (time of a mode)",
    ),
    Claim(
        "plateau",
        "the plateaus are at the losses L_I of the saddles (median error over the drop that follows, smallest scale)",
        lambda curves: float(np.median(_plateaus(curves))),
        0.05,
        source="saxe2019",
    ),
    Claim(
        "nearing",
        "saddle {1..k} is neared like σ^{2(s_k − s_{k+1})/(s_k + s_{k+1})} as σ → 0 (largest error of the exponent)",
        _nearing,
        0.05,
        source="our derivation, from saxe2019",
    ),
    Claim(
        "large",
        "from large weights the inner saddles are passed at half their distance to the next or farther: no plateau "
        "(median approach, largest scale)",
        lambda curves: float(np.median(curves.approach()[-1, :, 1:])),
        HALF,
        ">=",
        source='saxe_lecture "Initialization determines whether these saddle points influence dynamics"',
    ),
    Claim(
        "index",
        "negative eigenvalues of the Hessian: (H−r)·#absent + #profitable swaps (points at which counting differs)",
        lambda curves: float(sum(p.index != n for p, n in zip(curves.points, curves.counted, strict=True))),
        0.0,
        source="saxe_lecture",
    ),
    Claim(
        "three layers",
        "with three layers the visited saddles have no negative direction, and the wait grows like 1/σ "
        "(distance of the exponent from 1)",
        lambda curves: (
            abs(_power(curves.three) - 1)
            if all(p.kind == "non-strict saddle" for p in curves.deep_ladder[:-1])
            else np.inf
        ),
        0.15,
        source='saxe_lecture "Training speed"',
    ),
    Claim(
        "shallow",
        "a shallow network has no saddle (stationary points besides the minimum)",
        lambda curves: float(curves.shallow - 1),
        0.0,
        source='saxe_lecture "Saddle points arise through depth"',
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Loss and distances over time, the points, times of modes, approaches, and three layers."""
    _draw_loss(curves, axes[0])
    _draw_distances(curves, axes[1])
    _draw_points(curves, axes[2])
    _draw_times(curves, axes[3])
    _draw_approach(curves, axes[4])
    _draw_depth(curves, axes[5])


def _draw_loss(curves: Curves, ax: Axes) -> None:
    end = float(np.nanmax(curves.two[0].times)) * 1.15
    shown = [curves.two[0], curves.two[len(curves.two) // 2], curves.two[-1]]
    for runs in shown:
        ax.plot(runs.path.times, runs.path.loss[0], label=f"σ = {runs.scale:g}")
    for point in curves.ladder[:-1]:
        ax.axhline(point.loss, color="0.6", linestyle=":", linewidth=0.9, zorder=0)
        ax.annotate(point.name, (end, point.loss), (-2, 2), textcoords="offset points", ha="right", color="0.35")
    ax.set(xlim=(0, end), ylim=(0, 1.2 * curves.ladder[0].loss), xlabel="time (flow time)", ylabel="loss")
    ax.set_title("Plateaus at the saddles' losses")
    ax.legend(loc="center right")


def _draw_distances(curves: Curves, ax: Axes) -> None:
    runs = curves.two[0]
    for k, point in enumerate(curves.ladder):
        label = f"{point.name}, index {point.index}"
        ax.semilogy(runs.path.times, np.maximum(runs.distances[0, :, k], 1e-6), label=label)
    ax.set(xlim=(0, float(np.nanmax(runs.times)) * 1.3), ylim=(1e-4, 3e2), xlabel="time (flow time)", ylabel="distance")
    ax.set_title(f"Distance to saddles (σ = {runs.scale:g})")
    ax.legend(loc="upper right", ncols=2, columnspacing=1)


def _draw_points(curves: Curves, ax: Axes) -> None:
    on = {point.name for point in curves.ladder}
    for visited, label, marker, colour in ((True, "visited", "o", "#D55E00"), (False, "not visited", "s", "0.55")):
        chosen = [point for point in curves.points if (point.name in on) == visited]
        index, height = [p.index for p in chosen], [p.loss for p in chosen]
        ax.plot(index, height, linestyle="", label=label, marker=marker, color=colour)
        # visited points lie below the others: their names go below them
        shift, va, ha = ((5, -3), "top", "left") if visited else ((-5, 3), "bottom", "right")
        for point in chosen:
            at = (point.index, point.loss)
            ax.annotate(point.name, at, shift, textcoords="offset points", va=va, ha=ha)
    ax.margins(0.18)
    ax.set(xlabel="index (negative directions)", ylabel="loss $L_I$", title="All stationary points")
    ax.legend(loc="upper left")


def _draw_times(curves: Curves, ax: Axes) -> None:
    scales = np.array([runs.scale for runs in curves.two])
    for k, s in enumerate(curves.task.statistics.strengths):
        low, middle, high = np.nanquantile(np.stack([runs.times[:, k] for runs in curves.two]), [0.05, 0.5, 0.95], 1)
        error = np.abs(np.stack([middle - low, high - middle]))
        drawn = ax.errorbar(scales, middle, error, fmt="o", markersize=3, label=f"mode {k + 1}, s = {s:g}")
        ax.plot(scales, np.log(1 / scales) / s, color=drawn.lines[0].get_color(), linewidth=1)
    ax.set_xscale("log")
    ax.set(xlabel="initial scale σ", ylabel="time of the mode (flow time)")
    ax.set_title(r"When modes are learned; lines $\ln(1/\sigma)/s_k$")
    ax.legend()


def _draw_approach(curves: Curves, ax: Axes) -> None:
    scales = [runs.scale for runs in curves.two]
    found = curves.approach()
    for k, name in enumerate(curves.expected[:-1]):
        low, middle, high = np.quantile(found[:, :, k], [0.05, 0.5, 0.95], axis=1)
        ax.loglog(scales, middle, marker="o", markersize=3, label=name)
        ax.fill_between(scales, low, high, alpha=0.2, linewidth=0)
    ax.axhline(HALF, color="0.5", linestyle="--", linewidth=0.9, label="half-way")
    ax.set(xlabel="initial scale σ", ylabel="closest distance / gap", title="How near the saddles are passed")
    ax.legend()


def _draw_depth(curves: Curves, ax: Axes) -> None:
    for runs, label, marker in ((curves.two, "two layers", "o"), (curves.three, "three layers", "s")):
        scales = [1 / r.scale for r in runs]
        ax.loglog(scales, [np.nanmedian(r.times[:, 0]) for r in runs], marker=marker, markersize=4, label=label)
    ends = np.array([1 / curves.three[-1].scale, 1 / curves.three[0].scale])
    last = np.nanmedian(curves.three[0].times[:, 0])
    ax.loglog(ends, last * ends / ends[-1], color="0.5", linestyle="--", linewidth=0.9, label=r"$\propto 1/\sigma$")
    ax.set(xlabel="1/σ", ylabel="time of mode 1", title="Wait at the first saddle")
    ax.legend()
