"""Does the theory of deep linear networks predict semantic development from random weights?

Yes. Eight items and fifteen properties in a hierarchy, learned from small random weights: each mode grows on its own
from the strength that the weights happen to give it, and the loss curve, the order in which distinctions are learned
and every illusory belief on the way follow from the singular values. From random weights the reduction is not exact:
hidden directions of different modes overlap by chance, the more the narrower the layer, and what that costs is
measured. Without knowing the weights, the expected start Hσ²/2 does nearly as well. A shallow network learns all levels
at once and has no illusions.

Source: saxe2019; jarvis2025 Fig. 7 and App. A.1; saxe_lecture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import DeepLinear, Exact, Reduced, Task, Train, Trajectory, compare, evolve, initial, linear, tasks
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, between, mean, resampled, two_networks
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    items: int = setting(8, "number of items, 4 or 8", choices=(4, 8))
    hidden: int = setting(32, "width of the hidden layer", least=1)
    std: float = setting(1e-3, "standard deviation of the initial weights", above=0)
    rate: float = setting(0.02, "step of gradient descent on the mean loss", above=0)
    seeds: int = setting(20, "number of random starts", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    points: int = setting(400, "number of observed times", least=1)
    widths: tuple[int, ...] = setting(
        (8, 16, 32, 64, 128, 256), "hidden widths over which the cost of the reduction is measured", least=1
    )


quick = Settings(seeds=6, rate=0.05, points=200, widths=(16, 32, 64))
layout = (2, 3)
caption = (
    "Modes that grow alone predict when a network from small random weights learns each distinction, and "
    "what it falsely believes before. (a) Loss of trained networks (thick, pale), theory from the actual weights "
    "(thin) and from the expected strength (dashed), and a shallow network (green). (b) Strength of the "
    "modes, by level of the hierarchy. (c) Distance between the representations of pairs of items. (d) Two "
    "predictions about one item over time. (e) Height of every illusory correlation in training against "
    "theory. (f) Area between theory and training for hidden layers of different width."
)

ENOUGH = 1.25
"""Runs go on for this multiple of the time in which the theory expects the slowest mode to be learned to 99 %."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Theory and training, deep and shallow."""

    settings: Settings
    task: Task
    theory: Trajectory
    expected: Trajectory
    training: Trajectory
    shallow: Trajectory
    areas: np.ndarray

    @property
    def distinctions(self) -> list[tuple[int, int]]:
        """The first item and the item after each of its branchings, coarse to fine."""
        count = len(self.task.x)
        return [(0, count >> level) for level in range(1, count.bit_length())]


def _start(settings: Settings, width: int) -> float:
    return width * settings.std**2 / 2  # expected strength of a mode in random weights, saxe2019


def compute(settings: Settings) -> Curves:
    """Train from random weights and predict from the same weights, from their expectation, and without depth."""
    task = tasks.living_things(settings.items)
    statistics = task.statistics
    slowest = linear.time_to_strength(
        0.99 * statistics.targets,
        statistics.strengths,
        statistics.curvatures,
        np.array(_start(settings, min(settings.hidden, *settings.widths))),
        2,
    ).max()
    times = np.linspace(0, ENOUGH * slowest, settings.points)
    random = initial.Gaussian(settings.std)
    seen = ("loss", "strengths", "outputs")

    def deep(width: int, observe: tuple[str, ...], hidden: tuple[str, ...] = ()) -> tuple[Trajectory, Trajectory]:
        network = DeepLinear((width,), initial=random)
        training = evolve(
            network,
            task,
            times,
            method=Train(settings.rate),
            seed=settings.seed,
            seeds=settings.seeds,
            observe=(*observe, *hidden),
        )
        return evolve(
            network, task, training.times, method=Reduced(), seed=settings.seed, seeds=settings.seeds, observe=observe
        ), training

    theory, training = deep(settings.hidden, seen, ("hidden",))
    aligned = DeepLinear((settings.hidden,), initial=initial.Aligned(_start(settings, settings.hidden)))
    expected = evolve(aligned, task, training.times, method=Exact(), observe=seen)
    shallow = evolve(
        DeepLinear(initial=random),
        task,
        times,
        method=Train(settings.rate),
        seed=settings.seed,
        seeds=settings.seeds,
        observe=seen,
    )
    areas = [compare(*deep(width, ("loss",))).areas for width in track(settings.widths, "widths")]
    return Curves(settings, task, theory, expected, training, shallow, np.array(areas))


def _half_rises(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    return curves.theory.rise_times(), curves.training.rise_times()


def _heights(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    found = (run.illusions().heights for run in (curves.theory, curves.training))
    first, second = (heights.mean(axis=0) for heights in found)
    return first, second


def _slope(curves: Curves) -> tuple[float, float]:
    widths = np.log(curves.settings.widths)
    if len(widths) < 2:
        return np.nan, 0.0
    return resampled(lambda areas: np.polyfit(widths, np.log(areas.mean(axis=0)), 1)[0], curves.areas.T)


def values(curves: Curves) -> dict[str, Any]:
    """The numbers behind the claims."""
    task, training = curves.task, curves.training
    found = training.differentiation()
    predicted, measured = _half_rises(curves)
    believed = training.projection()[:, :, 0].mean(axis=0)
    rows = training.illusions().strongest()
    return {
        "agreement_area": compare(curves.theory, training).area,
        "agreement_areas": compare(curves.theory, training).areas,
        "expected_start_area": compare(curves.expected, training).area,
        "singular_values": task.statistics.strengths,
        # the basis within a level is arbitrary: its modes count as learned together, in the order they have
        "order_of_modes": np.argsort(found.level_times.mean(axis=0)[found.levels], kind="stable"),
        "half_rise_times": measured.mean(axis=0),
        "half_rise_times_predicted": predicted.mean(axis=0),
        "level_times": found.level_times.mean(axis=0),
        "shallow_level_times": curves.shallow.differentiation().level_times.mean(axis=0),
        "illusions": len(rows),
        "strongest_illusion": dict(zip(("item", "property", "time", "height"), rows[0], strict=True)) if rows else None,
        "widths": curves.settings.widths,
        "area_by_width": curves.areas.mean(axis=1),
        "projection_from_first_item_at_end": believed[-1],
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Loss, modes, representations, beliefs, illusions, and what narrow layers cost."""
    _draw_loss(curves, axes[0])
    _draw_modes(curves, axes[1])
    _draw_distances(curves, axes[2])
    _draw_beliefs(curves, axes[3])
    _draw_illusions(curves, axes[4])
    _draw_widths(curves, axes[5])


def _draw_loss(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, loss

    loss(curves.training, ax, label="trained")
    loss(curves.theory.mean(), ax, label="theory, actual start")
    loss(curves.expected, ax, label="theory, expected start", linestyle="--")
    loss(curves.shallow, ax, label="shallow, trained", color=COLOURS[2])
    ax.set_title("Loss")
    ax.legend()


def _draw_modes(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, look

    levels = curves.training.differentiation().levels
    for level in np.unique(levels):
        mine = levels == level
        at = curves.task.statistics.strengths[mine][0]
        label = f"level {level}, s={at:.2f}" + (f" (×{mine.sum()})" if mine.sum() > 1 else "")
        trained, theory = (run.strengths.mean(axis=0)[:, mine].mean(axis=1) for run in (curves.training, curves.theory))
        ax.plot(curves.training.times, trained, label=label, **look("trained", COLOURS[level]))
        ax.plot(curves.theory.times, theory, **look("predicted", COLOURS[level]))
    ax.set(title="Strength of modes", xlabel="time (flow time)", ylabel="strength")
    ax.legend(loc="upper right")
    ax.set_ylim(top=1.7 * curves.task.statistics.targets.max())


def _draw_distances(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, look

    hidden, right = curves.training["hidden"][0], curves.task.statistics.right
    for colour, (i, j) in zip(COLOURS, curves.distinctions, strict=False):
        trained = np.linalg.norm(hidden[:, :, i] - hidden[:, :, j], axis=-1).mean(axis=0)
        # balanced layers carry √a each, so ‖h_i − h_j‖² = Σ a_α (v_iα − v_jα)²
        theory = np.sqrt(np.maximum(curves.theory.strengths, 0) @ (right[i] - right[j]) ** 2).mean(axis=0)
        label = f"{curves.task.items[i]} – {curves.task.items[j]}"
        ax.plot(curves.training.times, trained, label=label, **look("trained", colour))
        ax.plot(curves.theory.times, theory, **look("predicted", colour))
    ax.set(title="Differentiation", xlabel="time (flow time)", ylabel="distance of representations")
    ax.set_ylim(top=1.45 * ax.get_ylim()[1])
    ax.legend(loc="upper right")


def _draw_beliefs(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, look

    task = curves.task
    item = 0
    heights = _heights(curves)[1][item]
    chosen = [int(np.argmax(heights)), int(np.flatnonzero(task.y[item])[-1])]
    for colour, k in zip(COLOURS, chosen, strict=False):
        trained, shallow = (run.outputs[:, :, item, k].mean(axis=0) for run in (curves.training, curves.shallow))
        ax.plot(curves.training.times, trained, label=task.outputs[k], **look("trained", colour))
        theory = curves.theory.outputs[:, :, item, k].mean(axis=0)
        ax.plot(curves.theory.times, theory, **look("predicted", colour))
        ax.plot(curves.shallow.times, shallow, color=colour, linestyle=":", linewidth=1.4)
    ax.set(title=f"What is believed of the {task.items[item]}", xlabel="time (flow time)", ylabel="prediction")
    ax.plot([], [], color="black", linewidth=1, label="theory")
    ax.plot([], [], color="grey", linestyle=":", label="shallow, trained")
    ax.legend(loc="center right")


def _draw_illusions(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, dots, look

    theory, trained = _heights(curves)
    shallow = curves.shallow.illusions().heights.mean(axis=0)
    top = 1.1 * max(theory.max(), trained.max())
    ax.plot([0, top], [0, top], **look("predicted"))
    ax.plot(theory.ravel(), trained.ravel(), label="deep, trained", **dots(COLOURS[0]))
    ax.plot(theory.ravel(), shallow.ravel(), "x", color=COLOURS[2], markersize=4, label="shallow, trained")
    ax.set(title="Illusory correlations", xlabel="height in theory", ylabel="height in training")
    ax.legend()


def _draw_widths(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS

    widths = np.array(curves.settings.widths)
    ax.loglog(np.repeat(widths, curves.areas.shape[1]), curves.areas.ravel(), ".", color=COLOURS[0], alpha=0.4)
    ax.loglog(widths, curves.areas.mean(axis=1), "o-", color=COLOURS[1], label="mean over starts")
    ax.set_xticks(widths, [str(w) for w in widths])
    ax.minorticks_off()
    ax.set(title="What random weights cost", xlabel="hidden width", ylabel="area, theory against training")
    ax.legend()


def _rise_error(curves: Curves) -> tuple[float, float]:
    return resampled(
        lambda predicted, measured: np.abs(predicted / measured - 1).mean(axis=0).max(), *_half_rises(curves)
    )


def _rises_apart(curves: Curves) -> float:
    """Relative difference of the half-rise times of two trained networks: mean over pairs, worst mode."""
    return float(between(lambda first, second: np.abs(first / second - 1), curves.training.rise_times()).max())


def _heights_apart(curves: Curves) -> float:
    """Difference of the heights of illusory correlations in two trained networks: mean over pairs, largest."""
    return float(between(lambda first, second: np.abs(first - second), curves.training.illusions().heights).max())


def _illusion_error(curves: Curves) -> tuple[float, float]:
    heights = (run.illusions().heights for run in (curves.theory, curves.training))
    return resampled(lambda theory, trained: np.abs(theory.mean(axis=0) - trained.mean(axis=0)).max(), *heights)


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "agreement",
        "If every singular mode of the task grows on its own, from the strength that the random initial weights "
        "give it, the predicted loss is that of a trained two-layer linear network (area between the curves "
        "relative to the area below, mean over networks).",
        lambda curves: mean(compare(curves.theory, curves.training).areas),
        0.05,
        source="saxe2019; jarvis2025 App. A.1",
        reason="5 %, a conventional tolerance",
        floor=("two networks", lambda curves: two_networks(curves.training.times, curves.training.loss)),
    ),
    Claim(
        "expected start",
        "The closed form from the expected initial strength Hσ²/2 of H hidden units, which knows no weights, "
        "predicts the loss of a trained two-layer linear network (area between the curves relative to the area "
        "below, mean over networks).",
        lambda curves: mean(compare(curves.expected, curves.training).areas),
        0.05,
        kind="extension",
        source="saxe2019 eq. (9) with our expected start",
        reason="5 %, a conventional tolerance",
        floor=("two networks", lambda curves: two_networks(curves.training.times, curves.training.loss)),
    ),
    Claim(
        "order of modes",
        "A deep linear network learns the modes of a hierarchy in the order of their singular values (share of "
        "pairs of levels in order, worst network).",
        lambda curves: Worst(float(curves.training.differentiation().ordered.min()), curves.settings.seeds),
        1.0,
        ">=",
        source="saxe2019; jarvis2025 Fig. 7",
        reason="the paper states it without exception",
    ),
    Claim(
        "half-rise times",
        "The closed form predicts when each mode of a deep linear network is half learned (relative error, "
        "mean over starts, worst mode).",
        _rise_error,
        0.05,
        source="saxe2019",
        reason="5 %, a conventional tolerance",
        floor=("two networks", _rises_apart),
    ),
    Claim(
        "illusory correlations",
        "A deep linear network passes through illusory correlations: for a while it assigns properties to items "
        "that do not have them (number of predictions that rise and fall back by at least 5 % of a target, fewest "
        "over networks).",
        lambda curves: Worst(float(curves.training.illusions().count().min()), curves.settings.seeds),
        1.0,
        ">=",
        source="saxe2019",
        reason="one is enough for the statement",
    ),
    Claim(
        "illusions predicted",
        "The theory of independent modes predicts how high every illusory correlation of a deep linear network "
        "rises (largest difference between mean heights in training and theory, in units of a target).",
        _illusion_error,
        0.05,
        kind="extension",
        source="saxe2019 (illusory correlations)",
        reason="5 % of a target, the size from which on a rise counts as an illusion",
        floor=("two networks", _heights_apart),
    ),
    Claim(
        "no illusions without depth",
        "A linear network without a hidden layer has no illusory correlations (largest height, in units of a target).",
        lambda curves: Worst(float(np.abs(curves.shallow.illusions().heights).max()), curves.settings.seeds),
        1e-12,
        source="saxe2019",
        reason="rounding",
    ),
    Claim(
        "no stages without depth",
        "A linear network without a hidden layer learns all levels of the hierarchy at the same time (delay of the "
        "last level relative to the learning time of the first).",
        lambda curves: mean(curves.shallow.differentiation().spread),
        0.05,
        source="saxe2019",
        reason="5 %, a conventional tolerance",
    ),
    Claim(
        "width",
        "The wider the hidden layer, the better modes that grow independently predict training from random weights "
        "(slope of the logarithm of the area between loss curves over that of the width).",
        _slope,
        -0.25,
        kind="extension",
        source="saxe2019 (small random weights)",
        reason="half of the exponent −1/2 that averaging over random units gives",
    ),
)
