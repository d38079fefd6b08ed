"""Does linear attention learn to regress in context one principal component at a time?

Yes, where key and query are separate: from small random heads the loss passes plateaus at the values of the theory,
largest eigenvalue first, and on plateau m the network regresses on m principal components. The weights of a seed tell
when each component is learned. With merged key and query there is one drop. Softmax attention and fresh batches keep
the staircase; eigenvalues that are close together do not, and from large first weights the race errs in some networks.

Source: zhang2025 abstract
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, mean, resampled, share, two_networks
from festina.papers.experiments._in_context import FLOW, Staircase, climb, count_drops, first, time_errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from festina.tasks import InContextRegression


@dataclass(frozen=True)
class Settings:
    """Tasks, scales and sizes."""

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
    seed: int = setting(0, "first of the seeds", least=0)
    batch: int = setting(64, "sequences in a fresh batch", least=1)
    noisy_scale: float = setting(0.05, "standard deviation of the first weights in training on batches", above=0)
    softmax_eigenvalues: tuple[float, ...] = setting((1.6, 0.5), "eigenvalues in softmax attention", above=0)
    softmax_sequences: int = setting(400, "fixed sequences on which softmax attention is trained", least=1)


quick = Settings(spectra=((1.6, 1.0, 0.5),), length=15, scales=(0.3,), seeds=2, softmax_sequences=50)
layout = (2, 3)
caption = (
    "Linear attention learns one principal component after another. (a) Loss of linear attention with separate key and"
    " query: gradient flow (thick, pale), race of heads (thin, dark), plateaus of the theory (dotted). (b) Strength of"
    " each component, in the same way. (c) In-context risk against the number of examples on each plateau. (d) Time at"
    " which a component is learned against the predicted time, all tasks and seeds. (e) Loss with merged key and "
    "query, with softmax, and with fresh batches, from its first to its last value. (f) Error of the race against the "
    "size of the first weights."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """All runs."""

    settings: Settings
    stairs: list[Staircase]
    merged: fs.Trajectory
    merged_race: fs.Trajectory
    large: list[list[Staircase]]
    close: list[Staircase]
    batches: fs.Trajectory
    batch_task: InContextRegression
    softmax: fs.Trajectory


def compute(settings: Settings) -> Curves:
    """Flow, race and training of all networks."""
    seeds = range(settings.seed, settings.seed + settings.seeds)
    networks: Any = {"seed": settings.seed, "seeds": settings.seeds}
    eigenvalues = settings.spectra[0]
    task = fs.tasks.in_context_regression(eigenvalues, settings.length)
    merged = fs.LinearAttention(heads=8, merged=True, initial=fs.initial.Gaussian(settings.scale))
    moments = np.concatenate([[0.0], np.geomspace(0.05, 100, 400)])
    noisy = fs.LinearAttention(heads=len(eigenvalues) + 2, initial=fs.initial.Gaussian(settings.noisy_scale))
    steps = np.concatenate([[0.0], np.geomspace(1, 60 / (settings.noisy_scale * 10) / eigenvalues[-1] ** 2, 120)])
    soft_task = fs.tasks.in_context_regression(settings.softmax_eigenvalues, settings.length)
    soft = fs.attention.SoftmaxAttention(
        heads=4, initial=fs.initial.Gaussian(0.1), sequences=settings.softmax_sequences
    )  # fmt: skip
    return Curves(
        settings,
        [climb(s, settings.length, settings.scale, seed) for s in settings.spectra for seed in seeds],
        fs.evolve(merged, task, moments, method=FLOW, **networks),
        fs.evolve(merged, task, moments, method=fs.Reduced(), **networks),
        [[climb(eigenvalues, settings.length, scale, seed) for seed in seeds] for scale in settings.scales],
        [climb(settings.close, settings.length, settings.scale, seed) for seed in seeds],
        fs.evolve(
            noisy, task, steps, method=fs.Train(rate=0.05, batch=settings.batch), observe=("loss", "strengths"),
            **networks,
        ),
        task,
        fs.evolve(
            soft, soft_task, np.concatenate([[0.0], np.geomspace(1, 400, 120)]), method=fs.Train(rate=0.1),
            observe=("loss", "strengths"), **networks,
        ),
    )  # fmt: skip


def _regression(curves: Curves) -> float:
    """Largest distance of the answers on a plateau from principal-component regression, over the targets' power."""
    found = []
    for stair in curves.stairs:
        distance = stair.flow["component_distance"]
        for passage in stair.passages:
            at = int(np.searchsorted(stair.flow.times, passage.time))
            found.append(distance[at, len(passage.components)])
    return float(np.max(found))


def _rises(strengths: np.ndarray, times: np.ndarray) -> np.ndarray:
    """When each component is at half its last strength, (seeds, components)."""
    half = strengths[:, -1:] / 2
    return np.array([[first(times, row[:, d] > limit[0, d]) for d in range(row.shape[1])]
                     for row, limit in zip(strengths, half, strict=True)])  # fmt: skip


def _softmax_ordered(curves: Curves) -> tuple[float, float]:
    rises = _rises(curves.softmax.strengths, curves.softmax.times)
    return share([bool(np.all(np.diff(row) > 0)) for row in rises])


def _softmax_drops(curves: Curves) -> tuple[float, float]:
    count = len(curves.settings.softmax_eigenvalues)
    return share([count_drops(curves.softmax.times, loss) == count for loss in curves.softmax.loss])


def _batch_ordered(curves: Curves) -> tuple[float, float]:
    rises = _rises(curves.batches.strengths, curves.batches.times)
    return share([bool(np.all(np.diff(row) > 0)) for row in rises])


def _merged_drops(curves: Curves) -> list[int]:
    return [count_drops(curves.merged.times, loss) for loss in curves.merged.loss]


def _late(curves: Curves) -> tuple[float, float]:
    """Largest error of a predicted time where eigenvalues are close together, over components and networks."""
    errors = time_errors(curves.close).reshape(len(curves.close), -1)
    return resampled(np.nanmax, errors)


def _areas(runs: list[Staircase]) -> np.ndarray:
    return np.array([fs.compare(run.race, run.flow).area for run in runs])


def values(curves: Curves) -> dict[str, Any]:
    """Numbers behind the claims."""
    return {
        "plateau_errors": [stair.plateau_error for stair in curves.stairs],
        "time_errors": time_errors(curves.stairs),
        "merged_drops": _merged_drops(curves),
        "separate_drops": [count_drops(stair.flow.times, stair.flow.loss) for stair in curves.stairs],
        "race_area_by_scale": {s: _areas(runs) for s, runs in zip(curves.settings.scales, curves.large, strict=True)},
        "softmax_last_loss": curves.softmax.loss[:, -1],
        "linear_least_loss": float(fs.tasks.in_context_regression(
            curves.settings.softmax_eigenvalues, curves.settings.length).statistics.floor),
    }  # fmt: skip


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "plateaus",
        "Linear attention with separate key and query, from small random heads, passes every plateau of the loss at "
        "½[Tr Λ − Σ s²/c] over the learned components (largest distance, all tasks and seeds).",
        lambda curves: Worst(float(np.max([s.plateau_error for s in curves.stairs])), len(curves.stairs)),
        1e-3,
        source="zhang2025 abstract (saddle-to-saddle dynamics)",
        reason="a thousandth, where drops are of the order of a tenth to one",
    ),
    Claim(
        "order",
        "Linear attention with separate key and query learns the principal components of its inputs one after another, "
        "largest eigenvalue first (1 if every run passes exactly these saddles, 0 if one does not).",
        lambda curves: Worst(float(min(stair.ordered for stair in curves.stairs)), len(curves.stairs)),
        1.0,
        ">=",
        source="zhang2025 abstract (number of principal components increases over training)",
        reason="every run",
    ),
    Claim(
        "principal-component regression",
        "On the plateau after m drops linear attention answers as principal-component regression with m components "
        "does "
        "(largest mean squared difference over the power of the targets).",
        lambda curves: Worst(_regression(curves), len(curves.stairs)),
        1e-3,
        source="zhang2025 abstract (principal component regression in context)",
        reason="a thousandth of the power of the targets",
    ),
    Claim(
        "one drop",
        "Linear attention with merged key and query has a single drop of the loss, also on inputs whose variances "
        "differ (number of drops, most over networks).",
        lambda curves: Worst(float(max(_merged_drops(curves))), curves.settings.seeds),
        1.0,
        source="zhang2025 abstract (single, abrupt drop)",
        reason="one",
    ),
    Claim(
        "times",
        "The weights of small random heads at the start tell when each component is learned (largest relative error of "
        "the predicted time of half its strength, all tasks and seeds).",
        lambda curves: Worst(float(np.max(time_errors(curves.stairs))), len(curves.stairs)),
        0.05,
        kind="extension",
        source="zhang2025, whose scalar equations leave the time at which a head starts to grow open",
        reason="5 %",
    ),
    Claim(
        "merged growth",
        "D + 1 numbers predict the loss of linear attention with small merged heads on D inputs that are not white "
        "(area between loss curves, mean over networks).",
        lambda curves: mean(fs.compare(curves.merged_race, curves.merged).areas),
        0.02,
        kind="extension",
        source="zhang2025, which solves white inputs",
        reason="2 % of the area under the curve",
        floor=("two networks", lambda c: two_networks(c.merged.times, c.merged.loss)),
    ),
    Claim(
        "softmax staircase",
        "Softmax attention with as many components as heads or fewer has one drop of the loss for each component "
        "(share "
        "of seeds).",
        _softmax_drops,
        0.5,
        ">=",
        kind="extension",
        source="zhang2025, for linear attention",
        reason="most seeds",
    ),
    Claim(
        "softmax order",
        "Softmax attention learns principal components largest eigenvalue first (share of seeds).",
        _softmax_ordered,
        0.5,
        ">=",
        kind="extension",
        source="zhang2025, for linear attention",
        reason="most seeds",
    ),
    Claim(
        "batches",
        "Linear attention trained on fresh batches of sequences learns components largest eigenvalue first (share of "
        "seeds).",
        _batch_ordered,
        0.5,
        ">=",
        kind="extension",
        source="zhang2025, for the expected loss",
        reason="most seeds",
    ),
    Claim(
        "large starts",
        "The race of heads fails from large first weights in every network (smallest area between its loss and that of "
        "the flow, at the largest scale).",
        lambda curves: Worst(float(_areas(curves.large[-1]).min()), curves.settings.seeds),
        0.1,
        ">=",
        kind="extension",
        source="zhang2025, for small weights",
        reason="a tenth of the area under the curve: visibly another curve",
        expected="fails",
    ),
    Claim(
        "close eigenvalues",
        "Where neighbouring eigenvalues differ by a few percent, the race of heads does not tell when a component is "
        "learned (largest relative error of the time of half its strength, over components and networks).",
        _late,
        0.05,
        ">=",
        kind="extension",
        source="zhang2025, for eigenvalues that are apart",
        reason="5 %, which it keeps where eigenvalues are apart",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Loss, strengths, risk, times, other networks, other scales."""
    from matplotlib.ticker import LogLocator, NullFormatter

    from festina.plot import COLOURS, dots, look

    flat: list[Axes] = list(np.ravel(axes))
    stair = curves.stairs[0]
    task, flow, race = stair.task, stair.flow, stair.race
    later = flow.times > 0
    flat[0].plot(flow.times[later], flow.loss[later], label="gradient flow", **look("trained"))
    flat[0].plot(race.times[later], race.loss[later], label="race of heads", **look("predicted"))
    for level in task.plateaus:
        flat[0].axhline(level, color="0.6", linestyle=":", linewidth=1)
    flat[0].set(xscale="log", xlabel="flow time", ylabel="loss", title="Separate key and query")
    flat[0].legend(loc="center left", bbox_to_anchor=(0.0, 0.7))
    for d in range(len(task.eigenvalues)):
        label = f"eigenvalue {task.eigenvalues[d]:g}"
        flat[1].plot(flow.times[later], flow.strengths[later, d], label=label, **look("trained", COLOURS[d]))
        if "strengths" in race.values:
            flat[1].plot(race.times[later], race.strengths[later, d], **look("predicted", COLOURS[d]))
    flat[1].set(xscale="log", xlabel="flow time", ylabel="strength", title="Components")
    flat[1].legend()
    for m, passage in enumerate(stair.passages):
        at = int(np.searchsorted(flow.times, passage.time))
        label = f"{m} component{'' if m == 1 else 's'}"
        flat[2].plot(task.examples, flow["risk"][at], label=label, **look("trained", COLOURS[m]))
    flat[2].set(xlabel="examples in the context", ylabel="risk", title="In-context risk", yscale="log")
    flat[2].set_ylim(top=10 * flat[2].get_ylim()[1])
    flat[2].legend(loc="upper right", ncols=2)
    predicted, measured = (np.concatenate(part) for part in zip(*(s.times for s in curves.stairs), strict=True))
    flat[3].loglog(predicted, measured, **dots(COLOURS[0]))
    ends = [np.nanmin(measured), np.nanmax(measured)]
    flat[3].loglog(ends, ends, **look("predicted"))
    flat[3].set(xlabel="time by the race", ylabel="time by the flow", title="When a component is learned")
    for side in (flat[3].xaxis, flat[3].yaxis):
        side.set_major_locator(LogLocator(subs=(1, 3)))
        side.set_major_formatter("{x:g}")
        side.set_minor_formatter(NullFormatter())
    others = (("merged", curves.merged.times, curves.merged.loss[0]),
              ("softmax", curves.softmax.times, curves.softmax.loss[0]),
              ("fresh batches", curves.batches.times, curves.batches.loss[0]))  # fmt: skip
    for i, (label, times, loss) in enumerate(others):
        shown = times > 0
        scaled = (loss - loss.min()) / (loss[0] - loss.min())
        flat[4].plot(times[shown] / times[-1], scaled[shown], label=label, **look("trained", COLOURS[i]))
    flat[4].set(xscale="log", xlabel="time over the last time", ylabel="loss, scaled", title="Other networks")
    flat[4].legend()
    for scale, runs in zip(curves.settings.scales, curves.large, strict=True):
        flat[5].loglog([scale] * len(runs), _areas(runs), **dots(COLOURS[0]))
    flat[5].set(xlabel="standard deviation of first weights", ylabel="area between losses", title="When the race fails")
    flat[5].set_xticks(curves.settings.scales, [f"{scale:g}" for scale in curves.settings.scales])
    flat[5].set_xticks([], minor=True)
