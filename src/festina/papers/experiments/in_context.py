"""Does linear attention learn to regress in context one principal component at a time?

Yes, if key and query are separate. From small random heads the loss passes plateaus at the values of the theory,
largest eigenvalue first. On plateau m the network regresses on m principal components. The weights of a seed say when
each component is learned. With merged key and query there is one drop. Softmax attention and fresh batches keep the
staircase; eigenvalues that are close together do not, and from large first weights the race errs in some networks.

Source: zhang2025 abstract
"""

from typing import Any

import numpy as np
import scipy

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look

FLOW = fs.Flow(solver="LSODA", rtol=1e-8)  # plateaus that last thousands of time constants are stiff
PROMINENT = 0.05
"""Height of a drop, in units of the highest, from which it is counted: a twentieth is above every shoulder seen."""

LOG: Any = {"xscale": "log"}


class Settings(papers.Settings):
    spectra: tuple[tuple[float, ...], ...] = setting(
        (
            (1.6, 1.0, 0.5), (2.0, 1.0), (1.5, 1.1, 0.8), (1.2, 0.7, 0.4), (1.9, 1.3, 0.9, 0.6),
            (1.0, 0.6), (1.7, 1.2, 0.7), (1.4, 0.9, 0.6), (0.9, 0.6, 0.45), (1.8, 1.4, 1.0),
        ),
        "eigenvalues of the covariance, one task each; neighbours differ by a quarter or more", above=0,
    )  # fmt: skip
    close: tuple[float, ...] = setting((1.5, 1.45, 1.4), "eigenvalues that are close together", above=0)
    length: int = setting(31, "examples in a sequence", least=1)
    scale: float = setting(0.002, "standard deviation of the first weights", above=0)
    scales: tuple[float, ...] = setting((0.005, 0.02, 0.1, 0.3), "standard deviations of larger first weights", above=0)
    seeds: int = setting(4, "networks per task", least=1)
    batch: int = setting(64, "sequences in a fresh batch", least=1)
    noisy_scale: float = setting(0.05, "standard deviation of the first weights in training on batches", above=0)
    softmax_eigenvalues: tuple[float, ...] = setting((1.6, 0.5), "eigenvalues in softmax attention", above=0)
    softmax_sequences: int = setting(400, "fixed sequences on which softmax attention is trained", least=1)


quick = Settings(spectra=((1.6, 1.0, 0.5),), length=15, scales=(0.3,), seeds=2, softmax_sequences=50)
caption = (
    "Linear attention learns one principal component after another. (a) Loss of linear attention with separate key and"
    " query: gradient flow (thick, pale), race of heads (thin, dark), plateaus of the theory (dotted). (b) Strength of"
    " each component, in the same way. (c) In-context risk against the number of examples on each plateau. (d) Time at"
    " which a component is learned against the predicted time, all tasks and seeds. (e) Loss with merged key and "
    "query, with softmax, and with fresh batches, from its first to its last value. (f) Error of the race against the "
    "size of the first weights."
)


def compute(settings: Settings) -> papers.Results:
    """Flow, race and training of all networks."""
    c, s = papers.Results(settings), settings
    seeds: Any = {"seed": s.seed, "seeds": s.seeds}
    numbers, spectrum = range(s.seed, s.seed + s.seeds), s.spectra[0]
    c.stairs = [_climb(one, s.length, s.scale, seed) for one in s.spectra for seed in numbers]
    c.close = [_climb(s.close, s.length, s.scale, seed) for seed in numbers]
    large = {scale: [_climb(spectrum, s.length, scale, seed) for seed in numbers] for scale in s.scales}
    c.race_areas = {k: np.array([fs.compare(one.race, one.flow).area for one in v]) for k, v in large.items()}
    c.plateau_errors = [one.plateau_error for one in c.stairs]
    c.time_errors = np.concatenate([one.time_errors for one in c.stairs])

    task = fs.tasks.in_context_regression(spectrum, s.length)
    merged = fs.LinearAttention(heads=8, merged=True, initial=fs.initial.Gaussian(s.scale))
    c.merged = fs.evolve(merged, task, _from_zero(0.05, 100, 400), method=FLOW, **seeds)
    c.merged_race = fs.evolve(merged, task, c.merged.times, method=fs.Reduced(), **seeds)
    c.merged_drops = _drops(c.merged)
    seeds["observe"] = ("loss", "strengths")
    noisy = fs.LinearAttention(heads=len(spectrum) + 2, initial=fs.initial.Gaussian(s.noisy_scale))
    steps = _from_zero(1, 60 / (s.noisy_scale * 10) / spectrum[-1] ** 2, 120)
    c.batches = fs.evolve(noisy, task, steps, method=fs.Train(rate=0.05, batch=s.batch), **seeds)
    soft_task = fs.tasks.in_context_regression(s.softmax_eigenvalues, s.length)
    initial, count = fs.initial.Gaussian(0.1), s.softmax_sequences
    soft = fs.attention.SoftmaxAttention(heads=4, initial=initial, sequences=count)
    c.softmax = fs.evolve(soft, soft_task, _from_zero(1, 400, 120), method=fs.Train(rate=0.1), **seeds)
    c.softmax_drops, c.softmax_last_loss = _drops(c.softmax), c.softmax.loss[:, -1]
    c.linear_least_loss = float(soft_task.statistics.floor)
    return c


def _from_zero(first: float, last: float, count: int) -> np.ndarray:
    return np.concatenate([[0.0], np.geomspace(first, last, count)])


def _climb(spectrum: tuple[float, ...], length: int, scale: float, seed: int) -> papers.Results:
    """Flow and race of one network; times are dense where components are predicted to be learned."""
    task, count = fs.tasks.in_context_regression(spectrum, length), len(spectrum)
    network = fs.LinearAttention(heads=count + 2, initial=fs.initial.Gaussian(scale))
    known = fs.evolve(network, task, [0.0], method=fs.Reduced(), seed=seed).notes["times"]
    end = 1.2 * max(known, default=1.0) + 20 / min(spectrum) ** 2
    around = [t * np.linspace(0.85, 1.15, 101) for t in known]
    times = np.unique(np.concatenate([[0.0], np.linspace(0, end, 200), np.geomspace(end / 1e3, end, 200), *around]))
    one, seen = papers.Results(None, task=task), ("loss", "strengths", "risk", "component_distance")
    one.flow = fs.evolve(network, task, times, method=FLOW, seed=seed, observe=seen)
    one.race = fs.evolve(network, task, times, method=fs.Reduced(), seed=seed, observe=("loss", "strengths"))
    one.passages = network.saddle_passages(one.flow)
    one.at = [int(np.searchsorted(times, passage.time)) for passage in one.passages]
    one.ordered = [p.components for p in one.passages] == [tuple(range(m)) for m in range(count + 1)]
    apart = np.abs([p.loss for p in one.passages] - task.plateaus) if one.ordered else np.array(np.nan)
    one.plateau_error = float(apart.max())
    one.measured, one.predicted = _first(times, one.flow.strengths, task.final_strengths / 2), np.full(count, np.nan)
    one.predicted[list(one.race.notes["components"])] = one.race.notes["times"]
    one.time_errors = np.abs(one.predicted / one.measured - 1)
    return one


def _first(times: np.ndarray, strengths: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """The first time at which each column is above its limit; nan where it never is."""
    reached = strengths > limits
    return np.where(reached.any(axis=0), times[np.argmax(reached, axis=0)], np.nan)


def _in_order(run: fs.Trajectory) -> tuple[float, float]:
    """Share of networks in which components reach half of their last strength one after another."""
    rises = [_first(run.times, strengths, strengths[-1] / 2) for strengths in run.strengths]
    return papers.share([bool(np.all(np.diff(row) > 0)) for row in rises])


def _drops(run: fs.Trajectory) -> list[int]:
    """Drops of the loss curve of each network: peaks of its fall per unit of logarithmic time."""
    log = np.log(run.times[run.times > 0])
    grid, found = np.linspace(log[0], log[-1], 400), []
    for loss in run.loss[:, run.times > 0]:
        smooth = scipy.ndimage.gaussian_filter1d(np.interp(grid, log, loss), 4)
        fall = np.concatenate([[0.0], -np.gradient(smooth, grid), [0.0]])
        found.append(len(scipy.signal.find_peaks(fall, prominence=PROMINENT * fall.max())[0]))
    return found


@papers.panel(
    "Separate key and query", "flow time", "loss", legend={"loc": "center left", "bbox_to_anchor": (0.0, 0.7)}, **LOG
)
def _loss(c, ax):
    one, later = c.stairs[0], c.stairs[0].flow.times > 0
    ax.plot(one.flow.times[later], one.flow.loss[later], label="gradient flow", **look("trained"))
    ax.plot(one.race.times[later], one.race.loss[later], label="race of heads", **look("predicted"))
    for level in one.task.plateaus:
        ax.axhline(level, color="0.6", linestyle=":", linewidth=1)


@papers.panel("Components", "flow time", "strength", **LOG)
def _components(c, ax):
    one, later = c.stairs[0], c.stairs[0].flow.times > 0
    labels = {f"eigenvalue {value:g}": d for d, value in enumerate(one.task.eigenvalues)}
    for run, kind in ((one.flow, "trained"), (one.race, "predicted")):
        curves = {name if kind == "trained" else f"_{name}": run.strengths[later, d] for name, d in labels.items()}
        papers.lines(ax, run.times[later], curves, kind)


@papers.panel("In-context risk", "examples in the context", "risk", legend={"loc": "upper right", "ncols": 2})
def _risk(c, ax):
    one = c.stairs[0]
    risks = {f"{m} component{'' if m == 1 else 's'}": one.flow["risk"][at] for m, at in enumerate(one.at)}
    papers.lines(ax, one.task.examples, risks, "trained")
    ax.set_yscale("log")
    ax.set_ylim(top=10 * ax.get_ylim()[1])


@papers.panel("When a component is learned", "time by the race", "time by the flow")
def _learned(c, ax):
    from matplotlib.ticker import LogLocator, NullFormatter

    predicted, measured = (np.concatenate([one.get(name) for one in c.stairs]) for name in ("predicted", "measured"))
    papers.identity(ax, predicted, measured)
    ax.set(xscale="log", yscale="log")
    for side in (ax.xaxis, ax.yaxis):
        side.set_major_locator(LogLocator(subs=(1, 3)))
        side.set_major_formatter("{x:g}")
        side.set_minor_formatter(NullFormatter())


@papers.panel("Other networks", "time / total time", "loss, scaled", **LOG)
def _others(c, ax):
    for k, (label, run) in enumerate({"merged": c.merged, "softmax": c.softmax, "fresh batches": c.batches}.items()):
        later, loss = run.times > 0, run.loss[0]
        scaled = (loss - loss.min()) / (loss[0] - loss.min())
        ax.plot(run.times[later] / run.times[-1], scaled[later], label=label, **look("trained", COLOURS[k]))


@papers.panel("When the race fails", "standard deviation of first weights", "area between losses")
def _fails(c, ax):
    for scale, areas in c.race_areas.items():
        ax.loglog([scale] * len(areas), areas, **dots(COLOURS[0]))
    papers.ticks(ax, c.settings.scales)


@papers.claim(
    "zhang2025 abstract (saddle-to-saddle dynamics)",
    at_most=1e-3,
    because="a thousandth, where drops are of the order of a tenth to one",
)
def _plateaus(c):
    """Linear attention with separate key and query, from small random heads, passes every plateau of the loss at
    ½[Tr Λ − Σ s²/c] over the learned components (largest distance, all tasks and seeds)."""
    return papers.Worst(float(np.max(c.plateau_errors)), len(c.stairs))


@papers.claim(
    "zhang2025 abstract (number of principal components increases over training)", at_least=1.0, because="every run"
)
def _order(c):
    """Linear attention with separate key and query learns the principal components of its inputs one after another,
    largest eigenvalue first (1 if every run passes exactly these saddles, 0 if one does not)."""
    return papers.Worst(float(min(one.ordered for one in c.stairs)), len(c.stairs))


@papers.claim(
    "zhang2025 abstract (principal component regression in context)",
    name="principal-component regression",
    at_most=1e-3,
    because="a thousandth of the power of the targets",
)
def _regression(c):
    """On the plateau after m drops linear attention answers as principal-component regression with m components does
    (largest mean squared difference over the power of the targets)."""
    apart = [one.flow["component_distance"][at, m] for one in c.stairs for m, at in enumerate(one.at)]
    return papers.Worst(float(np.max(apart)), len(c.stairs))


@papers.claim("zhang2025 abstract (single, abrupt drop)", at_most=1.0, because="one")
def _one_drop(c):
    """Linear attention with merged key and query has a single drop of the loss, also on inputs whose variances differ
    (number of drops, most over networks)."""
    return papers.Worst(float(max(c.merged_drops)), c.settings.seeds)


@papers.extension(
    "zhang2025, whose scalar equations leave the time at which a head starts to grow open", at_most=0.05, because="5 %"
)
def _times(c):
    """The initial weights of small random heads predict when each component is learned (largest relative error of the
    predicted time of half its strength, all tasks and seeds)."""
    return papers.Worst(float(np.max(c.time_errors)), len(c.stairs))


@papers.extension(
    "zhang2025, which solves white inputs",
    at_most=0.02,
    because="2 % of the area under the curve",
    floor=papers.apart("merged"),
)
def _merged_growth(c):
    """D + 1 numbers predict the loss of linear attention with small merged heads on D inputs that are not isotropic
    (area between loss curves, mean over networks)."""
    return papers.areas(c.merged_race, c.merged)


@papers.extension("zhang2025, for linear attention", at_least=0.5, because="most seeds")
def _softmax_staircase(c):
    """Softmax attention with as many components as heads or fewer has one drop of the loss for each component (share of
    seeds)."""
    return papers.share(np.array(c.softmax_drops) == len(c.settings.softmax_eigenvalues))


@papers.extension("zhang2025, for linear attention", at_least=0.5, because="most seeds")
def _softmax_order(c):
    """Softmax attention learns principal components largest eigenvalue first (share of seeds)."""
    return _in_order(c.softmax)


@papers.extension("zhang2025, for the expected loss", at_least=0.5, because="most seeds")
def _batches(c):
    """Linear attention trained on fresh batches of sequences learns components largest eigenvalue first (share of
    seeds)."""
    return _in_order(c.batches)


@papers.extension(
    "zhang2025, for small weights",
    at_least=0.1,
    expected="fails",
    because="a tenth of the area under the curve: visibly another curve",
)
def _large_starts(c):
    """From large initial weights the race of heads fails in every network (smallest area between its loss and that of
    the flow, at the largest scale)."""
    return papers.Worst(float(c.race_areas[c.settings.scales[-1]].min()), c.settings.seeds)


@papers.extension(
    "zhang2025, for eigenvalues that are apart",
    at_least=0.05,
    because="5 %, which it keeps where eigenvalues are apart",
)
def _close_eigenvalues(c):
    """Where neighbouring eigenvalues differ by a few percent, the race of heads does not predict when a component is
    learned (largest relative error of the time of half its strength, over components and networks)."""
    return papers.resampled(np.nanmax, np.array([one.time_errors for one in c.close]))
