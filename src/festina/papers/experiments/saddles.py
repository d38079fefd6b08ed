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
from functools import cached_property
from typing import Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import resampled, share
from festina.papers.experiments import _saddles_draw
from festina.papers.experiments._saddles_draw import HALF
from festina.runtime import track

ZERO = 1e-9
"""An eigenvalue of a dense Hessian of order one that should be zero is this close to it, by rounding."""


@dataclass(frozen=True)
class Settings:
    """Task, scales and sizes."""

    strengths: tuple[float, ...] = setting(
        (4.0, 2.0, 1.0), "singular values of the task, one per mode, all different", above=0
    )
    size: int = setting(6, "inputs and outputs of the task", least=1)
    hidden: int = setting(8, "hidden units of each hidden layer", least=1)
    scales: tuple[float, ...] = setting(
        (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0),
        "standard deviations of the initial weights, two layers",
        above=0,
    )
    deep_scales: tuple[float, ...] = setting(
        (0.003, 0.01, 0.03, 0.1), "standard deviations of the initial weights, three layers", above=0
    )
    seeds: int = setting(100, "networks per scale", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    rate: float = setting(0.005, "step of gradient descent", above=0)
    samples: int = setting(500, "observations of each run", least=1)


quick = Settings(scales=(1e-6, 1e-4, 1e-2, 1.0), deep_scales=(0.01, 0.03), seeds=10, samples=300)
layout = (2, 3)
caption = (
    "From small random weights a deep linear network passes from saddle to saddle, in the order of the "
    "singular values. (a) Loss from three initial scales, with the losses of the saddles (dotted). (b) "
    "Distance to each saddle over time from the smallest scale. (c) Loss and index of all stationary points; "
    "those on the way are filled circles. (d) Time of each mode against the initial scale. (e) Closest "
    "distance to each saddle relative to the gap to the next. (f) Time of the first mode in networks of two "
    "and three layers."
)


@dataclass(frozen=True)
class Visit:
    """A stationary point that a network passes: its name and modes, when it becomes the nearest, the loss there."""

    name: str
    modes: tuple[int, ...]
    enter: float
    loss: float


@dataclass(frozen=True, eq=False)
class Runs:
    """Networks of one depth at one scale: what they visited and when."""

    scale: float
    path: fs.Trajectory
    visits: list[list[Visit]]
    distances: np.ndarray
    modes: int

    @property
    def sequences(self) -> list[tuple[str, ...]]:
        """Names of the visited points, per seed."""
        return [tuple(visit.name for visit in visits) for visits in self.visits]

    @property
    def times(self) -> np.ndarray:
        """When each mode first belonged to the nearest point, (seeds, modes); nan where it never did."""
        first = [[next((v.enter for v in visits if k in v.modes), np.nan) for k in range(self.modes)]
                 for visits in self.visits]  # fmt: skip
        return np.array(first)


@dataclass(frozen=True, eq=False)
class Curves:
    """Runs by scale for two and three layers, and the stationary points."""

    settings: Settings
    task: fs.Task
    counted: list[int]
    two: list[Runs]
    three: list[Runs]
    shallow: int

    @cached_property
    def points(self):
        """All stationary points of two layers."""
        return _network(self.settings, 2).stationary_points(self.task)

    @cached_property
    def ladder(self):
        """The points at which the strongest modes of two layers are learned, from none to all."""
        return _ladder(_network(self.settings, 2), self.task)

    @cached_property
    def deep_ladder(self):
        """The same of three layers."""
        return _ladder(_network(self.settings, 3), self.task)

    @property
    def expected(self) -> tuple[str, ...]:
        """The sequence of the theory: ∅, {1}, {1,2}, …"""
        return tuple(point.name for point in self.ladder)

    def approach(self) -> np.ndarray:
        """Smallest distance to each saddle of the ladder over its gap, (scales, seeds, saddles)."""
        gaps = np.array([point.gap for point in self.ladder[:-1]])
        return np.stack([runs.distances.min(axis=1)[:, :-1] / gaps for runs in self.two])


def _network(settings: Settings, depth: int, scale: float = 1.0) -> fs.DeepLinear:
    return fs.DeepLinear(hidden=(settings.hidden,) * (depth - 1), initial=fs.initial.Gaussian(scale))


def _ladder(network: fs.DeepLinear, task: fs.Task):
    rank = task.statistics.rank
    by_modes = {point.modes: point for point in network.stationary_points(task)}
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
        rows.append(-np.concatenate([np.imag(m).ravel() for m in moved]) / 1e-30)
    return int(np.sum(np.linalg.eigvalsh(np.array(rows)) < -ZERO))


def _run(settings: Settings, task: fs.Task, depth: int, scale: float) -> Runs:
    network = _network(settings, depth, scale)
    slowest = task.statistics.strengths[-1]
    # twice the time the weakest mode needs from a start of this scale: e-folds for two layers, 1/σ for three
    wait = 2 * np.log1p(1 / scale) if depth == 2 else 2 / scale
    times = np.linspace(0, (wait + 5) / slowest, settings.samples)
    method = fs.Train(rate=settings.rate)
    path = fs.evolve(
        network, task, times, method=method, seed=settings.seed, seeds=settings.seeds, observe=("loss", "map")
    )
    distances = path.saddle_distances(_ladder(network, task))
    kept = fs.Trajectory(path.times, {"loss": path.loss}, seeds=path.seeds)
    visits = [[Visit(v.name, v.point.modes, v.enter, v.loss) for v in seed] for seed in path.saddle_passages()]
    return Runs(scale, kept, visits, distances, task.statistics.rank)


def compute(settings: Settings) -> Curves:
    """Train from every scale, and find what is visited."""
    task = fs.tasks.teacher(settings.size, settings.size, strengths=settings.strengths)
    two = _network(settings, 2)
    runs = {
        (depth, scale): _run(settings, task, depth, scale)
        for depth, scale in track(
            [(2, scale) for scale in settings.scales] + [(3, scale) for scale in settings.deep_scales], "scales"
        )
    }
    return Curves(
        settings,
        task,
        [_negative(two, task, point.weights) for point in two.stationary_points(task)],
        [runs[2, scale] for scale in settings.scales],
        [runs[3, scale] for scale in settings.deep_scales],
        len(_network(settings, 1).stationary_points(task)),
    )


def _ordered(curves: Curves) -> tuple[float, float]:
    return share([sequence == curves.expected for sequence in curves.two[0].sequences])


def _small(curves: Curves) -> list[Runs]:
    """The scales at which most seeds are on the ladder."""
    return [runs for runs in curves.two if np.mean([s == curves.expected for s in runs.sequences]) > HALF]


def _slopes(curves: Curves, *times: np.ndarray) -> np.ndarray:
    """Slope of t_k against ln(1/σ), times s_k, from the small scales; ``times`` (seeds, modes) of each of them."""
    small = _small(curves)
    if len(small) < 2:
        return np.full(len(curves.settings.strengths), np.nan)
    logs = np.log([1 / runs.scale for runs in small])
    medians = np.array([np.nanmedian(found, axis=0) for found in times or [runs.times for runs in small]])
    return np.polyfit(logs, medians, 1)[0] * curves.task.statistics.strengths


def _slope_error(curves: Curves) -> tuple[float, float]:
    """Largest distance of a slope from 1."""
    return resampled(lambda *times: np.abs(_slopes(curves, *times) - 1).max(), *(runs.times for runs in _small(curves)))


def _plateaus(curves: Curves) -> np.ndarray:
    """Loss at the closest approach to each inner saddle against L_I, over the drop that follows, smallest scale.

    The median over the inner saddles, one number per seed.
    """
    heights = {point.name: point.loss for point in curves.ladder}
    drop = dict(zip(curves.expected, -np.diff([p.loss for p in curves.ladder]), strict=False))
    found = []
    for visits in curves.two[0].visits:
        inner = [abs(v.loss - heights[v.name]) / drop[v.name] for v in visits if v.name in curves.expected[1:-1]]
        found.append(np.median(inner) if inner else np.nan)
    return np.array(found)


def _nearing(curves: Curves) -> tuple[float, float]:
    """Largest distance of the exponents with which the inner saddles are neared as σ → 0 from the theory's.

    While mode k ends like e^{−2 s_k t}, mode k+1 grows like e^{2 s_{k+1} t}: they cross at
    σ^{2(s_k − s_{k+1})/(s_k + s_{k+1})}.
    """
    s = curves.task.statistics.strengths
    theory = 2 * (s[:-1] - s[1:]) / (s[:-1] + s[1:])
    apart = np.log(curves.two[1].scale / curves.two[0].scale)

    def off(approach: np.ndarray) -> float:
        first, second = np.median(approach, axis=0)
        return float(np.abs(np.log(second / first) / apart - theory).max())

    return resampled(off, curves.approach()[:2, :, 1:].swapaxes(0, 1))


def _power_error(runs: list[Runs]) -> tuple[float, float]:
    """Distance from 1 of the exponent of the first mode's time against 1/σ, between the two smallest scales."""
    apart = np.log(runs[1].scale / runs[0].scale)

    def off(first: np.ndarray, second: np.ndarray) -> float:
        return float(abs(np.log(np.nanmedian(first) / np.nanmedian(second)) / apart - 1))

    return resampled(off, *(r.times[:, 0] for r in runs[:2]))


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


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "order",
        "From small random weights a two-layer linear network passes the saddles ∅, {1}, {1,2}, … in this "
        "order (share of seeds at the smallest scale).",
        _ordered,
        0.8,
        ">=",
        source='saxe_lecture "Depth introduces a hierarchy of saddle points"',
        reason="80 %; a random order would give 1 in 6",
    ),
    Claim(
        "time",
        "Mode k of a two-layer linear network is learned at t ≈ ln(1/σ)/s_k (largest relative error of the "
        "slope of the time against ln(1/σ)).",
        _slope_error,
        0.05,
        source="saxe2019 (time of a mode)",
        reason="5 %, a conventional tolerance",
    ),
    Claim(
        "plateau",
        "The plateaus of the loss are at the losses of the saddles (median distance over the drop that "
        "follows, smallest scale).",
        lambda curves: resampled(np.nanmedian, _plateaus(curves)),
        0.05,
        source="saxe2019",
        reason="5 % of a drop is invisible in the figure",
    ),
    Claim(
        "nearing",
        "Saddle {1..k} is approached like σ^{2(s_k − s_{k+1})/(s_k + s_{k+1})} as the initial scale σ goes "
        "to zero (largest error of the exponent).",
        _nearing,
        0.05,
        kind="extension",
        source="our derivation, from saxe2019",
        reason="5 %, a conventional tolerance",
    ),
    Claim(
        "large",
        "From large weights the inner saddles have no influence: they are passed no nearer than half their "
        "distance to the next (median closest distance relative to the gap, largest scale).",
        lambda curves: resampled(np.median, curves.approach()[-1, :, 1:]),
        HALF,
        ">=",
        source='saxe_lecture "Initialization determines whether these saddle points influence dynamics"',
        reason="half the gap: nearer to the neighbour than to the saddle",
    ),
    Claim(
        "index",
        "The number of negative Hessian eigenvalues at a stationary point of a two-layer linear network is "
        "(H−r)·#absent + #profitable swaps (points at which a numerical count differs).",
        lambda curves: float(sum(p.index != n for p, n in zip(curves.points, curves.counted, strict=True))),
        0.0,
        source="saxe_lecture",
        reason="a count must agree exactly",
    ),
    Claim(
        "three layers",
        "With three layers the saddles on the way have no negative direction, and the wait at the first "
        "grows like 1/σ (distance of the exponent from 1).",
        lambda curves: (
            _power_error(curves.three)
            if all(p.kind == "non-strict saddle" for p in curves.deep_ladder[:-1])
            else np.inf
        ),
        0.15,
        source='saxe_lecture "Training speed"',
        reason="15 %: the two smallest scales are not yet asymptotic",
    ),
    Claim(
        "shallow",
        "A shallow linear network has no saddle point (stationary points besides the minimum).",
        lambda curves: float(curves.shallow - 1),
        0.0,
        source='saxe_lecture "Saddle points arise through depth"',
        reason="a count must agree exactly",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Loss and distances over time, the points, times of modes, approaches, and three layers."""
    _saddles_draw.draw_loss(curves, axes[0])
    _saddles_draw.draw_distances(curves, axes[1])
    _saddles_draw.draw_points(curves, axes[2])
    _saddles_draw.draw_times(curves, axes[3])
    _saddles_draw.draw_approach(curves, axes[4])
    _saddles_draw.draw_depth(curves, axes[5])
