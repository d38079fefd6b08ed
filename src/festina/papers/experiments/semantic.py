"""Does the theory of deep linear networks predict semantic development from random weights?

Yes. Eight items and fifteen properties in a hierarchy, learned from small random weights: each mode grows on its own
from the strength that the weights happen to give it, and the loss curve, the order in which distinctions are learned
and every illusory belief on the way follow from the singular values. From random weights the reduction is not exact:
hidden directions of different modes overlap by chance, the more the narrower the layer, and what that costs is
measured. Without knowing the weights, the expected start Hσ²/2 does nearly as well. A shallow network learns all levels
at once and has no illusions.

Source: saxe2019; jarvis2025 Fig. 7 and App. A.1; saxe_lecture.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina import DeepLinear, Exact, Race, Task, Train, Trajectory, compare, evolve, initial, linear, tasks
from festina._progress import track
from festina.papers._claim import Claim


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    # number of items, 4 or 8
    items: int = 8
    # width of the hidden layer
    hidden: int = 32
    # standard deviation of the initial weights
    std: float = 1e-3
    # step of gradient descent on the mean loss
    rate: float = 0.02
    # number of random starts
    seeds: int = 20
    # number of observed times
    points: int = 400
    # hidden widths over which the cost of the reduction is measured
    widths: tuple[int, ...] = (8, 16, 32, 64, 128, 256)


quick = Settings(seeds=6, rate=0.05, points=200, widths=(16, 32, 64))
layout = (2, 3)

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
    task = tasks.items(settings.items)
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
            network, task, times, method=Train(settings.rate), seeds=settings.seeds, observe=(*observe, *hidden)
        )
        return evolve(network, task, training.times, method=Race(), seeds=settings.seeds, observe=observe), training

    theory, training = deep(settings.hidden, seen, ("hidden",))
    aligned = DeepLinear((settings.hidden,), initial=initial.Aligned(_start(settings, settings.hidden)))
    expected = evolve(aligned, task, training.times, method=Exact(), observe=seen)
    shallow = evolve(
        DeepLinear(initial=random), task, times, method=Train(settings.rate), seeds=settings.seeds, observe=seen
    )
    areas = [compare(*deep(width, ("loss",))).areas for width in track(settings.widths, "widths")]
    return Curves(settings, task, theory, expected, training, shallow, np.array(areas))


def _half_rises(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    return linear.rise_times(curves.theory, curves.task), linear.rise_times(curves.training, curves.task)


def _heights(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    found = (linear.illusions(run, curves.task).heights for run in (curves.theory, curves.training))
    first, second = (heights.mean(axis=0) for heights in found)
    return first, second


def _mean(samples: Any) -> tuple[float, float]:
    """A mean over seeds and its standard error."""
    return float(np.mean(samples)), float(np.std(samples, ddof=1) / np.sqrt(len(samples))) if len(samples) > 1 else 0.0


def _slope(curves: Curves) -> float:
    widths = np.log(curves.settings.widths)
    return float(np.polyfit(widths, np.log(curves.areas.mean(axis=1)), 1)[0]) if len(widths) > 1 else np.nan


def values(curves: Curves) -> dict[str, Any]:
    """The numbers behind the claims."""
    task, training = curves.task, curves.training
    found = linear.differentiation(training, task)
    predicted, measured = _half_rises(curves)
    believed = linear.projection(training)[:, :, 0].mean(axis=0)
    rows = linear.illusions(training, task).strongest()
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
        "shallow_level_times": linear.differentiation(curves.shallow, task).level_times.mean(axis=0),
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


def _draw_loss(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS, loss

    loss(curves.training, ax, label="training", color=COLOURS[0], linewidth=3, alpha=0.5)
    loss(curves.theory.mean(), ax, label="theory, actual start", color="black", linewidth=1)
    loss(curves.expected, ax, label="theory, expected start", color=COLOURS[1], linewidth=1.2, linestyle="--")
    loss(curves.shallow, ax, label="shallow training", color=COLOURS[2], linewidth=1.2, linestyle=":")
    ax.set_title("Loss")
    ax.legend()


def _draw_modes(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS

    levels = linear.differentiation(curves.training, curves.task).levels
    for level in np.unique(levels):
        mine = levels == level
        at = curves.task.statistics.strengths[mine][0]
        label = f"level {level}, s={at:.2f}" + (f" (×{mine.sum()})" if mine.sum() > 1 else "")
        trained, theory = (run.strengths.mean(axis=0)[:, mine].mean(axis=1) for run in (curves.training, curves.theory))
        ax.plot(curves.training.times, trained, color=COLOURS[level], linewidth=3, alpha=0.5, label=label)
        ax.plot(curves.theory.times, theory, color="black", linewidth=1)
    ax.set(title="Strength of modes (black: theory)", xlabel="time (flow time)", ylabel="strength")
    ax.legend(loc="upper right")
    ax.set_ylim(top=1.7 * curves.task.statistics.targets.max())


def _draw_distances(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS

    hidden, right = curves.training["hidden"][0], curves.task.statistics.right
    for colour, (i, j) in zip(COLOURS, curves.distinctions, strict=False):
        trained = np.linalg.norm(hidden[:, :, i] - hidden[:, :, j], axis=-1).mean(axis=0)
        # balanced layers carry √a each, so ‖h_i − h_j‖² = Σ a_α (v_iα − v_jα)²
        theory = np.sqrt(np.maximum(curves.theory.strengths, 0) @ (right[i] - right[j]) ** 2).mean(axis=0)
        label = f"{curves.task.items[i]} – {curves.task.items[j]}"
        ax.plot(curves.training.times, trained, color=colour, linewidth=3, alpha=0.5, label=label)
        ax.plot(curves.theory.times, theory, color="black", linewidth=1)
    ax.set(title="Differentiation (black: theory)", xlabel="time (flow time)", ylabel="distance of representations")
    ax.set_ylim(top=1.45 * ax.get_ylim()[1])
    ax.legend(loc="upper right")


def _draw_beliefs(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS

    task = curves.task
    item = 0
    heights = _heights(curves)[1][item]
    chosen = [int(np.argmax(heights)), int(np.flatnonzero(task.y[item])[-1])]
    for colour, k in zip(COLOURS, chosen, strict=False):
        trained, shallow = (run.outputs[:, :, item, k].mean(axis=0) for run in (curves.training, curves.shallow))
        ax.plot(curves.training.times, trained, color=colour, linewidth=3, alpha=0.5, label=task.outputs[k])
        ax.plot(curves.theory.times, curves.theory.outputs[:, :, item, k].mean(axis=0), color="black", linewidth=1)
        ax.plot(curves.shallow.times, shallow, color=colour, linestyle=":", linewidth=1.4)
    ax.set(title=f"What is believed of the {task.items[item]}", xlabel="time (flow time)", ylabel="prediction")
    ax.plot([], [], color="black", linewidth=1, label="theory")
    ax.plot([], [], color="grey", linestyle=":", label="shallow training")
    ax.legend(loc="center right")


def _draw_illusions(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS

    theory, trained = _heights(curves)
    shallow = linear.illusions(curves.shallow, curves.task).heights.mean(axis=0)
    top = 1.1 * max(theory.max(), trained.max())
    ax.plot([0, top], [0, top], color="grey", linewidth=0.8)
    ax.plot(theory.ravel(), trained.ravel(), ".", color=COLOURS[0], alpha=0.6, label="deep")
    ax.plot(theory.ravel(), shallow.ravel(), "x", color=COLOURS[2], markersize=4, label="shallow")
    ax.set(title="Illusory correlations", xlabel="height in theory", ylabel="height in training")
    ax.legend()


def _draw_widths(curves: Curves, ax: Any) -> None:
    from festina.plot import COLOURS

    widths = np.array(curves.settings.widths)
    ax.loglog(np.repeat(widths, curves.areas.shape[1]), curves.areas.ravel(), ".", color=COLOURS[0], alpha=0.4)
    ax.loglog(widths, curves.areas.mean(axis=1), "o-", color=COLOURS[1], label="mean over starts")
    ax.set_xticks(widths, [str(w) for w in widths])
    ax.minorticks_off()
    ax.set(title="What random weights cost", xlabel="hidden width", ylabel="area, theory against training")
    ax.legend()


def _rise_error(curves: Curves) -> float:
    predicted, measured = _half_rises(curves)
    return float(np.abs(predicted / measured - 1).mean(axis=0).max())


def _illusion_error(curves: Curves) -> float:
    theory, trained = _heights(curves)
    return float(np.abs(theory - trained).max())


claims = (
    Claim(
        "agreement",
        "Modes that grow alone from the strengths of the actual random weights predict the loss curve of training "
        "(area between the curves over the area below, mean over starts).",
        lambda curves: _mean(compare(curves.theory, curves.training).areas),
        0.05,
        source="saxe2019; jarvis2025 App. A.1",
    ),
    Claim(
        "expected start",
        "The closed form from the expected initial strength Hσ²/2 predicts it without knowing the weights (area).",
        lambda curves: _mean(compare(curves.expected, curves.training).areas),
        0.05,
        source="saxe2019",
    ),
    Claim(
        "order of modes",
        "Modes are learned in the order of their singular values (share of pairs of levels in order, worst start).",
        lambda curves: float(linear.differentiation(curves.training, curves.task).ordered.min()),
        1.0,
        ">=",
        source="saxe2019; jarvis2025 Fig. 7",
    ),
    Claim(
        "half-rise times",
        "The theory predicts when each mode is half learned (relative error, mean over starts, worst mode).",
        _rise_error,
        0.05,
        source="saxe2019",
    ),
    Claim(
        "illusory correlations",
        "A deep network believes false properties on its way (number of predictions that rise and fall back by at "
        "least 5 % of a target, fewest over starts).",
        lambda curves: float(linear.illusions(curves.training, curves.task).count().min()),
        1.0,
        ">=",
        source="saxe2019",
    ),
    Claim(
        "illusions predicted",
        "The theory predicts how strong each illusory belief becomes (largest difference of mean heights).",
        _illusion_error,
        0.05,
        source="saxe2019",
    ),
    Claim(
        "no illusions without depth",
        "A shallow network has no illusory correlations (largest height, in units of a target).",
        lambda curves: float(np.abs(linear.illusions(curves.shallow, curves.task).heights).max()),
        1e-12,
        source="saxe2019",
    ),
    Claim(
        "no stages without depth",
        "A shallow network learns all levels at once (how much later the last level comes, relative to the first).",
        lambda curves: _mean(linear.differentiation(curves.shallow, curves.task).spread),
        0.05,
        source="saxe2019",
    ),
    Claim(
        "width",
        "The wider the hidden layer, the closer random weights come to decoupled modes (slope of log area over log "
        "width).",
        _slope,
        -0.25,
        source="saxe2019",
    ),
)
