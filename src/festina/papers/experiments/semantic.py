"""Does the theory of deep linear networks predict semantic development from random weights?

Yes. Eight items have fifteen properties in a hierarchy, learned from small random weights. Each mode grows on its own
from its strength in the initial weights. The loss curve, the order in which distinctions are learned and every illusory
belief on the way follow from the singular values.

From random weights the reduction is not exact: hidden directions of different modes overlap by chance, more so in
narrow layers, and the resulting error is measured. Without knowing the weights, the expected start Hσ²/2 does nearly as
well. A shallow network learns all levels at once and has no illusions.

Source: saxe2019; jarvis2025 Fig. 7 and App. A.1; saxe_lecture.
"""

from functools import partial

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look, strengths
from festina.runtime import track


class Settings(papers.Settings):
    items: int = setting(8, "number of items, 4 or 8", choices=(4, 8))
    hidden: int = setting(32, "width of the hidden layer", least=1)
    std: float = setting(1e-3, "standard deviation of the initial weights", above=0)
    rate: float = setting(0.02, "step of gradient descent on the mean loss", "flow time per step", above=0)
    seeds: int = setting(20, "number of random starts", least=1)
    points: int = setting(400, "number of observed times", least=1)
    widths: tuple[int, ...] = setting(
        (8, 16, 32, 64, 128, 256), "hidden widths over which the cost of the reduction is measured", least=1
    )


quick = Settings(seeds=6, rate=0.05, points=200, widths=(16, 32, 64))
caption = (
    "Modes that grow alone predict when a network from small random weights learns each distinction, and "
    "what it falsely believes before. (a) Loss of trained networks (thick, pale), theory from the actual weights "
    "(thin) and from the expected strength (dashed), and a shallow network (green). (b) Strength of each "
    "mode; modes of one level share a colour. (c) Distance between the representations of pairs of items. (d) Two "
    "predictions about one item over time. (e) Height of every illusory correlation in training against "
    "theory. (f) Area between theory and training for hidden layers of different width."
)

FIGURE = 4  # items of jarvis2025 Fig. 7.
ENOUGH = 1.25
"""Runs go on for this multiple of the time in which the theory expects the slowest mode to be learned to 99 %."""


def compute(settings: Settings) -> papers.Results:
    """Train from random weights and predict from the same weights, from their expectation, and without depth."""
    c, s = papers.Results(settings), settings
    c.task = fs.tasks.living_things(s.items)
    expected = s.std**2 / 2  # strength that each random hidden unit gives to a mode, saxe2019
    random, train, evolve = fs.initial.Gaussian(s.std), fs.Train(s.rate), partial(fs.evolve, seed=s.seed, seeds=s.seeds)
    seen = ("loss", "strengths", "outputs")

    def both(
        width: int, *seen: str, trained: tuple[str, ...] = (), task: fs.Task = c.task
    ) -> tuple[fs.Trajectory, fs.Trajectory]:
        modes, start = task.statistics, np.array(min(s.hidden, *s.widths) * expected)
        slowest = fs.linear.time_to_strength(0.99 * modes.targets, modes.strengths, modes.curvatures, start, 2).max()
        network, times = fs.DeepLinear((width,), initial=random), np.linspace(0, ENOUGH * slowest, s.points)
        run = evolve(network, task, times, method=train, observe=(*seen, *trained))
        return evolve(network, task, run.times, method=fs.Reduced(), observe=seen), run

    c.theory, c.training = both(s.hidden, *seen, trained=("hidden",))
    c.figure = tuple(run.strengths for run in both(s.hidden, "strengths", task=fs.tasks.living_things(FIGURE)))
    c.theory_mean = c.theory.mean()
    aligned = fs.DeepLinear((s.hidden,), initial=fs.initial.Aligned(s.hidden * expected))
    c.expected = fs.evolve(aligned, c.task, c.training.times, method=fs.Exact(), observe=seen)
    c.shallow = evolve(fs.DeepLinear(initial=random), c.task, c.training.times, method=train, observe=seen)
    c.areas = np.array([fs.compare(*both(width, "loss")).areas for width in track(s.widths, "widths")])
    c.half_rises = {"theory": c.theory.rise_times(), "training": c.training.rise_times()}
    c.heights = {name: c.get(name).illusions().heights for name in ("theory", "training", "shallow")}
    return c


loss = papers.losses(
    {
        "training": "trained",
        "theory_mean": "theory, actual start",
        "expected": ("theory, expected start", {"linestyle": "--"}),
        "shallow": ("shallow, trained", {"color": COLOURS[2]}),
    }
)


@papers.panel("What is learned, and when", "time (flow time)", "strength of each mode", legend=None)
def _modes(c, ax):
    strengths(c.training, ax, label="")
    before = len(ax.texts)
    strengths(c.theory, ax)
    for name in ax.texts[before:]:  # above the curves, so that the panel is as wide as the others
        name.set(horizontalalignment="right", verticalalignment="bottom")
        name.xyann = (0, 3)
    ax.set_ylim(top=1.15 * c.task.statistics.targets.max())


@papers.panel("Differentiation", "time (flow time)", "distance of representations", legend="upper right")
def _distances(c, ax):
    hidden, right, items = c.training["hidden"][0], c.task.statistics.right, len(c.task.x)
    for colour, level in zip(COLOURS, range(1, items.bit_length()), strict=False):
        other = items >> level  # the item after a branching of the first one, coarse to fine
        trained = np.linalg.norm(hidden[:, :, 0] - hidden[:, :, other], axis=-1).mean(axis=0)
        # balanced layers carry √a each, so ‖h_i − h_j‖² = Σ a_α (v_iα − v_jα)²
        theory = np.sqrt(np.maximum(c.theory.strengths, 0) @ (right[0] - right[other]) ** 2).mean(axis=0)
        label = f"{c.task.items[0]} – {c.task.items[other]}"
        papers.curve_pair(ax, (c.training.times, trained), (c.theory.times, theory), label=label, colour=colour)
    ax.set_ylim(top=1.45 * ax.get_ylim()[1])


@papers.panel(
    lambda c: f"What is believed of the {c.task.items[0]}", "time (flow time)", "prediction", legend="center right"
)
def _beliefs(c, ax):
    illusion, true = np.argmax(c.heights["training"].mean(axis=0)[0]), np.flatnonzero(c.task.y[0])[-1]
    for colour, k in zip(COLOURS, (illusion, true), strict=False):
        runs = (c.training, c.theory, c.shallow)
        trained, theory, shallow = ((run.times, run.outputs[:, :, 0, k].mean(axis=0)) for run in runs)
        papers.curve_pair(ax, trained, theory, label=c.task.outputs[k], colour=colour)
        ax.plot(*shallow, color=colour, linestyle=":", linewidth=1.4)
    ax.plot([], [], color="black", linewidth=1, label="theory")
    ax.plot([], [], color="grey", linestyle=":", label="shallow, trained")


@papers.panel("Illusory correlations", "height in theory", "height in training")
def _illusions(c, ax):
    theory, trained, shallow = (heights.mean(axis=0).ravel() for heights in c.heights.values())
    top = 1.1 * max(theory.max(), trained.max())
    ax.plot([0, top], [0, top], **look("predicted"))
    ax.plot(theory, trained, label="deep, trained", **dots(COLOURS[0]))
    ax.plot(theory, shallow, "x", color=COLOURS[2], markersize=4, label="shallow, trained")


@papers.panel("What random weights cost", "hidden width", "area, theory against training")
def _widths(c, ax):
    at = np.array(c.settings.widths)
    ax.loglog(np.repeat(at, c.areas.shape[1]), c.areas.ravel(), ".", color=COLOURS[0], alpha=0.4)
    ax.loglog(at, c.areas.mean(axis=1), "o-", color=COLOURS[1], label="mean over starts")
    ax.set_xticks(at, [str(w) for w in at])
    ax.minorticks_off()


FLOOR = papers.apart("training")
RISES = "two networks", lambda c: papers.between(lambda a, b: abs(a / b - 1), c.half_rises["training"]).max()
HEIGHTS = "two networks", lambda c: papers.between(lambda a, b: abs(a - b), c.heights["training"]).max()
MODES = "two networks", lambda c: float(papers.between(lambda a, b: _mode_apart(a[None], b[None]), c.figure[1]))
TOLERANCE = "5 %, a conventional tolerance"


@papers.claim("saxe2019; jarvis2025 App. A.1", at_most=0.05, because=TOLERANCE, floor=FLOOR)
def agreement(c):
    """If every singular mode of the task grows alone, from its strength in the random initial weights, the predicted
    loss matches a trained two-layer linear network (area between the curves relative to the area below, mean over
    networks)."""
    return papers.areas(c.theory, c.training)


@papers.extension("saxe2019 eq. (9) with our expected start", at_most=0.05, because=TOLERANCE, floor=FLOOR)
def expected_start(c):
    """The closed form from the expected initial strength Hσ²/2 of H hidden units, without knowing the weights, predicts
    the loss of a trained two-layer linear network (area between the curves relative to the area below, mean over
    networks)."""
    return papers.areas(c.expected, c.training)


@papers.claim("saxe2019; jarvis2025 Fig. 7", at_least=1.0, because="the paper states it without exception")
def order_of_modes(c):
    """A deep linear network learns the modes of a hierarchy in the order of their singular values (share of pairs of
    levels in order, worst network)."""
    return papers.Worst(float(c.training.differentiation().ordered.min()), c.settings.seeds)


def _mode_apart(first: np.ndarray, second: np.ndarray) -> float:
    """Area between the mean strengths of a mode over that below the second, of the worst mode."""
    first, second = first.mean(axis=0), second.mean(axis=0)
    return float((np.abs(first - second).sum(axis=0) / second.sum(axis=0)).max())


@papers.claim("jarvis2025 Fig. 7, App. A.1", at_most=0.05, because=TOLERANCE, floor=MODES)
def modes_of_the_figure(c):
    """On the four items of the paper's figure every mode of a deep linear network grows from its small random start as
    theory says (area between the mean strengths of theory and training over the area below, worst mode)."""
    return papers.resampled(_mode_apart, *c.figure)


@papers.claim("saxe2019", at_most=0.05, because=TOLERANCE, floor=RISES, name="half-rise times")
def _half_rise_times(c):
    """The closed form predicts when each mode of a deep linear network is half learned (relative error, mean over
    starts, worst mode)."""
    return papers.resampled(lambda a, b: np.abs(a / b - 1).mean(axis=0).max(), *c.half_rises.values())


@papers.claim("saxe2019", at_least=1.0, because="one is enough for the statement")
def illusory_correlations(c):
    """A deep linear network passes through illusory correlations: for a while it assigns properties to items that do
    not have them (number of predictions that rise and fall back by at least 5 % of a target, fewest over networks)."""
    return papers.Worst(float(c.training.illusions().count().min()), c.settings.seeds)


@papers.extension(
    "saxe2019 (illusory correlations)",
    at_most=0.05,
    because="5 % of a target, the size from which on a rise counts as an illusion",
    floor=HEIGHTS,
)
def illusions_predicted(c):
    """The theory of independent modes predicts how high every illusory correlation of a deep linear network rises
    (largest difference between mean heights in training and theory, in units of a target)."""
    heights = c.heights["theory"], c.heights["training"]
    return papers.resampled(lambda a, b: np.abs(a.mean(axis=0) - b.mean(axis=0)).max(), *heights)


@papers.claim("saxe2019", at_most=1e-12, because="rounding")
def no_illusions_without_depth(c):
    """A linear network without a hidden layer has no illusory correlations (largest height, in units of a target)."""
    return papers.Worst(float(np.abs(c.heights["shallow"]).max()), c.settings.seeds)


@papers.claim("saxe2019", at_most=0.05, because=TOLERANCE)
def no_stages_without_depth(c):
    """A linear network without a hidden layer learns all levels of the hierarchy at the same time (delay of the last
    level relative to the learning time of the first)."""
    return papers.mean(c.shallow.differentiation().spread)


@papers.extension(
    "saxe2019 (small random weights)",
    at_most=-0.25,
    because="half of the exponent −1/2 that averaging over random units gives",
)
def width(c):
    """The wider the hidden layer, the better modes that grow independently predict training from random weights (slope
    of the logarithm of the area between loss curves over that of the width)."""
    return papers.resampled(lambda areas: papers.exponent(c.settings.widths, areas.mean(axis=0)), c.areas.T)
