"""Does a deep linear network pass near a hierarchy of saddle points while it learns?

From small random weights it does, seed by seed. The trajectory visits ∅, {1}, {1,2}, … in the order of the singular
values and waits at the loss L_I of each saddle. It learns mode k at t ≈ ln(1/σ)/s_k. The saddles are left along the
negative directions of the Hessian, whose number falls from visit to visit. From large weights the same points are
passed at a distance and no plateau is seen. With three layers the visited saddles have no negative direction at all,
and the wait grows like 1/σ instead of ln(1/σ). A shallow network has no saddle.

Source: saxe_lecture "Depth introduces a hierarchy of saddle points"; saxe2019
"""

import math
from itertools import pairwise, product

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, look
from festina.runtime import track

HALF = 0.5  # a point passed at half the distance between neighbours is no nearer than its neighbour: no plateau
ZERO = 1e-9  # an eigenvalue of a dense Hessian of order one that should be zero is this close to it, by rounding


class Settings(papers.Settings):
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
    rate: float = setting(0.005, "step of gradient descent", "flow time per step", above=0)
    samples: int = setting(500, "observations of each run", least=1)


quick = Settings(scales=(1e-6, 1e-4, 1e-2, 1.0), deep_scales=(0.01, 0.03), seeds=10, samples=300)
caption = (
    "From small random weights a deep linear network passes from saddle to saddle, in the order of the "
    "singular values. (a) Loss from three initial scales, with the losses of the saddles (dotted). (b) "
    "Distance to each saddle over time from the smallest scale. (c) Loss and index of all stationary points; "
    "those on the way are filled circles. (d) Time of each mode against the initial scale. (e) Closest "
    "distance to each saddle relative to the gap to the next. (f) Time of the first mode in networks of two "
    "and three layers."
)


def _network(s: Settings, depth: int, scale: float = 1.0) -> fs.DeepLinear:
    return fs.DeepLinear((s.hidden,) * (depth - 1), initial=fs.initial.Gaussian(scale))


def _ladder(network: fs.DeepLinear, task: fs.Task) -> list:
    """The stationary points at which the strongest modes are learned, from none to all."""
    by_modes = {point.modes: point for point in network.stationary_points(task)}
    return [by_modes[tuple(range(k))] for k in range(task.statistics.rank + 1)]


def compute(settings: Settings) -> papers.Results:
    """Train from every scale, and find what is visited."""
    c, s = papers.Results(settings), settings
    task = fs.tasks.teacher(s.size, s.size, strengths=s.strengths)
    two, c.strengths = _network(s, 2), task.statistics.strengths
    c.points, c.ladder, c.deep_ladder = two.stationary_points(task), _ladder(two, task), _ladder(_network(s, 3), task)
    c.counted = [_negative(two, task, point.weights) for point in c.points]
    c.shallow = len(_network(s, 1).stationary_points(task))
    c.expected = tuple(point.name for point in c.ladder)  # ∅, {1}, {1,2}, …
    starts = [*product([2], s.scales), *product([3], s.deep_scales)]
    runs = {start: _run(s, task, *start) for start in track(starts, "scales")}
    c.two, c.three = [runs[2, scale] for scale in s.scales], [runs[3, scale] for scale in s.deep_scales]
    gaps = np.array([point.gap for point in c.ladder[:-1]])
    # smallest distance to each saddle over its gap: (scales, networks, saddles)
    c.approach = np.stack([run.distances.min(axis=1)[:, :-1] / gaps for run in c.two])
    return c


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


def _run(s: Settings, task: fs.Task, depth: int, scale: float) -> papers.Results:
    """Networks of one depth and scale: their losses, distances to the ladder, passages and times of the modes."""
    network = _network(s, depth, scale)
    # twice the time the weakest mode needs from a start of this scale: e-folds for two layers, 1/σ for three
    wait = 2 * np.log1p(1 / scale) if depth == 2 else 2 / scale
    times = np.linspace(0, (wait + 5) / task.statistics.strengths[-1], s.samples)
    method, observe = fs.Train(rate=s.rate), ("loss", "map")
    path = fs.evolve(network, task, times, method=method, seed=s.seed, seeds=s.seeds, observe=observe)
    found = papers.Results(s, scale=scale, times=path.times, loss=path.loss, visits=path.saddle_passages())
    found.distances = path.saddle_distances(_ladder(network, task))
    found.sequences = [tuple(visit.name for visit in visits) for visits in found.visits]
    # when each mode first belonged to the nearest point: (networks, modes)
    modes = range(task.statistics.rank)
    enter = [[next((v.enter for v in vs if k in v.point.modes), np.nan) for k in modes] for vs in found.visits]
    found.modes = np.array(enter)
    return found


def _power(scale: float) -> str:
    """A power of ten as it is printed in a journal."""
    found = round(math.log10(scale))
    return f"$10^{{{found}}}$" if found and math.isclose(scale, 10.0**found) else f"{scale:g}"


@papers.panel("Plateaus at the saddles' losses", "time (flow time)", "loss", legend="center right")
def _loss(c, ax):
    end = np.nanmax(c.two[0].modes) * 1.15
    for run in (c.two[0], c.two[len(c.two) // 2], c.two[-1]):
        ax.plot(run.times, run.loss[0], label=f"σ = {_power(run.scale)}")
    for point in c.ladder[:-1]:
        ax.axhline(point.loss, color="0.6", linestyle=":", linewidth=0.9, zorder=0)
        ax.annotate(point.name, (end, point.loss), (-2, 2), textcoords="offset points", ha="right", color="0.35")
    ax.set(xlim=(0, end), ylim=(0, 1.2 * c.ladder[0].loss))


@papers.panel(
    lambda c: f"Distance to saddles, σ = {_power(c.two[0].scale)}",
    "time (flow time)",
    "distance",
    legend={"loc": "upper right", "ncols": 2, "columnspacing": 1},
)
def _distances(c, ax):
    run = c.two[0]
    for point, distance in zip(c.ladder, np.maximum(run.distances[0].T, 1e-6), strict=True):
        ax.semilogy(run.times, distance, label=f"{point.name}, index {point.index}")
    ax.set(xlim=(0, np.nanmax(run.modes) * 1.3), ylim=(1e-4, 3e2))


@papers.panel("All stationary points", "index (negative directions)", "loss $L_I$", legend="upper left")
def _points(c, ax):
    others = [point for point in c.points if point.name not in c.expected]
    # visited points lie below the others: their names go below them
    below, above = {"xytext": (5, -3), "va": "top", "ha": "left"}, {"xytext": (-5, 3), "va": "bottom", "ha": "right"}
    for points, label, mark, place in ((c.ladder, "visited", "o", below), (others, "not visited", "s", above)):
        colour = COLOURS[1] if points is c.ladder else "0.55"
        ax.plot([p.index for p in points], [p.loss for p in points], mark, label=label, color=colour)
        for point in points:
            ax.annotate(point.name, (point.index, point.loss), textcoords="offset points", **place)
    ax.margins(0.18)


@papers.panel("When modes are learned", "initial scale σ", "time of the mode (flow time)", xscale="log")
def _times(c, ax):
    scales = np.array(c.settings.scales)
    for k, (s, colour) in enumerate(zip(c.strengths, COLOURS, strict=False)):
        found = np.stack([run.modes[:, k] for run in c.two], axis=1)
        papers.median_bars(ax, scales, found, f"mode {k + 1}, s = {s:g}", colour)
        ax.plot(scales, np.log(1 / scales) / s, **look("predicted", colour))
    ax.plot([], [], label=r"predicted: $\ln(1/\sigma)/s_k$", **look("predicted"))


@papers.panel(
    "How near the saddles are passed", "initial scale σ", "closest distance / gap", xscale="log", yscale="log"
)
def _approach(c, ax):
    for k, name in enumerate(c.expected[:-1]):
        papers.median_band(ax, c.settings.scales, c.approach[..., k].T, name, marker="o", markersize=3)
    ax.axhline(HALF, color="0.5", linestyle="--", linewidth=0.9, label="half-way")


@papers.panel("Wait at the first saddle", "1/σ", "time of mode 1")
def _waits(c, ax):
    for runs, label, marker in ((c.two, "two layers", "o"), (c.three, "three layers", "s")):
        inverse, waits = np.array([(1 / run.scale, np.nanmedian(run.modes[:, 0])) for run in runs]).T
        ax.loglog(inverse, waits, marker=marker, markersize=4, label=label)
    line = waits[0] * inverse / inverse[0]  # three layers, through the smallest scale
    ax.loglog(inverse, line, color="0.5", linestyle="--", linewidth=0.9, label=r"$\propto 1/\sigma$")


LECTURE = 'saxe_lecture "Depth introduces a hierarchy of saddle points"'
TOLERANCE = "5 %, a conventional tolerance"


@papers.claim(LECTURE, at_least=0.8, because="80 %; a random order would give 1 in 6")
def order(c):
    """From small random weights a two-layer linear network passes the saddles ∅, {1}, {1,2}, … in this order (share of
    seeds at the smallest scale)."""
    return papers.share([sequence == c.expected for sequence in c.two[0].sequences])


@papers.claim("saxe2019 (time of a mode)", at_most=0.05, because=TOLERANCE)
def _time(c):
    """Mode k of a two-layer linear network is learned at t ≈ ln(1/σ)/s_k (largest relative error of the slope of the
    time against ln(1/σ))."""
    small = [run for run in c.two if np.mean([found == c.expected for found in run.sequences]) > HALF]
    logs = np.log([1 / run.scale for run in small])

    def off(*times: np.ndarray) -> float:
        slopes = np.polyfit(logs, [np.nanmedian(found, axis=0) for found in times], 1)[0]
        return np.abs(slopes * c.strengths - 1).max()

    return papers.resampled(off, *(run.modes for run in small)) if len(small) > 1 else np.nan


@papers.claim("saxe2019", at_most=0.05, because="5 % of a drop is invisible in the figure")
def plateau(c):
    """The plateaus of the loss are at the losses of the saddles (median distance over the drop that follows, smallest
    scale)."""
    inner = {now.name: (now.loss, now.loss - after.loss) for now, after in pairwise(c.ladder[1:])}

    def off(visits: list) -> list[float]:
        return [abs(v.loss - inner[v.name][0]) / inner[v.name][1] for v in visits if v.name in inner]

    medians = [np.median(off(visits) or [np.nan]) for visits in c.two[0].visits]  # one for each network
    return papers.resampled(np.nanmedian, np.array(medians))


@papers.extension("our derivation, from saxe2019", at_most=0.05, because=TOLERANCE)
def nearing(c):
    """The distance to saddle {1..k} falls like σ^{2(s_k − s_{k+1})/(s_k + s_{k+1})} as the initial scale σ goes to zero
    (largest error of the exponent)."""
    # while mode k ends like e^{−2 s_k t}, mode k+1 grows like e^{2 s_{k+1} t}: they cross at this power of σ
    s, scales = c.strengths, c.settings.scales[:2]
    theory = 2 * (s[:-1] - s[1:]) / (s[:-1] + s[1:])
    return papers.resampled(
        lambda approach: np.abs(papers.exponent(scales, np.median(approach, axis=0)) - theory).max(),
        c.approach[:2, :, 1:].swapaxes(0, 1),
    )


@papers.claim(
    'saxe_lecture "Initialization determines whether these saddle points influence dynamics"',
    at_least=HALF,
    because="half the gap: nearer to the neighbour than to the saddle",
)
def large(c):
    """From large weights the inner saddles have no influence: the network stays farther from them than half the
    distance to the next (median closest distance relative to the gap, largest scale)."""
    return papers.resampled(np.median, c.approach[-1, :, 1:])


@papers.claim("saxe_lecture", at_most=0.0, because="a count must agree exactly")
def index(c):
    """The number of negative Hessian eigenvalues at a stationary point of a two-layer linear network is (H−r)·#absent +
    #profitable swaps (points at which a numerical count differs)."""
    return float(sum(point.index != counted for point, counted in zip(c.points, c.counted, strict=True)))


@papers.claim(
    'saxe_lecture "Training speed"', at_most=0.15, because="15 %: the two smallest scales are not yet asymptotic"
)
def three_layers(c):
    """With three layers the saddles that the network passes have no direction of negative curvature, and the wait at
    the first grows like 1/σ (distance of the exponent from 1)."""
    if any(point.kind != "non-strict saddle" for point in c.deep_ladder[:-1]):
        return np.inf
    scales, waits = c.settings.deep_scales[:2], [run.modes[:, 0] for run in c.three[:2]]
    return papers.resampled(lambda *waits: abs(papers.exponent(scales, [np.nanmedian(w) for w in waits]) + 1), *waits)


@papers.claim('saxe_lecture "Saddle points arise through depth"', at_most=0.0, because="a count must agree exactly")
def shallow(c):
    """A shallow linear network has no saddle point (stationary points besides the minimum)."""
    return float(c.shallow - 1)
