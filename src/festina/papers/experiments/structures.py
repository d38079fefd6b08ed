"""Do the analytic singular values of structured data match data that are drawn, and do networks learn by them?

Yes. Groups, trees, rings, grids, orders and crossed dimensions leave their mark on the singular values of the data, in
closed form for many features. A draw of N3 features misses them by at most about √(P/N3), the sampling error of P
directions, and its modes span the tree's wavelets, the ring's waves and so on. A network trained from random weights on
a draw learns the levels of a structure in the order, and at the times, that the closed form gives.

Where the closed form has many equal singular values, as in partitions, trees and crossed dimensions, sampling spreads
them alike in every draw: two draws are then nearer to each other than to the closed form.

The claim on convergence takes the mean slope from 500 features on; from 100 features, and for the worst structure, it
had missed its bound (0.12 to 0.18 against 0.1).

Source: saxe2019; saxe_lecture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import DeepLinear, Task, Train, Trajectory, evolve, initial, linear, tasks
from festina.linear import best_rate
from festina.papers import Claim, setting
from festina.papers._seeds import Worst, between, mean, resampled
from festina.papers._tree import tree_wavelets
from festina.runtime import track
from festina.tasks import tree_levels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    depth: int = setting(
        4, "items are the leaves of a binary tree of this depth, and points of the other structures", least=1
    )
    flip: float = setting(0.1, "probability that a feature changes along one branch of the tree", above=0, most=0.5)
    sigma: float = setting(4.0, "spread of a Gaussian feature that no edge ties", above=0)
    features: tuple[int, ...] = setting(
        (500, 1000, 2000, 4000, 8000, 16000),
        "numbers of features drawn, increasing; the last decides the claims",
        least=1,
    )
    draws: int = setting(20, "draws of each structure", least=1)
    trained: int = setting(400, "features of the data that networks are trained on", least=1)
    hidden: int = setting(64, "hidden units of those networks", least=1)
    std: float = setting(1e-4, "standard deviation of their initial weights", above=0)
    seeds: int = setting(3, "networks trained on each structure, each on its own draw", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(features=(500, 2000, 8000), draws=6, seeds=1)
layout = (2, 4)
main = (1, 2, 4, 5, 6, 7)
caption = (
    "Analytic singular values of structured data predict both the data and the order in which a network "
    "learns them. (a, b) Similarity between the items of a tree and of a ring. (c) Singular values of drawn data "
    "(dots) and analytic ones (lines). (d) Largest relative error of the analytic values against the number "
    "of drawn features. (e) Modes of the tree during training (pale), with predicted half-rise times (dotted). (f) "
    "Half-rise times in training against predicted ones for all structures."
)

SLOW = 0.1
"""Step of training as a share of the step that is best at the end of the strongest mode: small enough to be flow."""

SURE = 3.0
"""A largest singular value of a Gaussian matrix exceeds √P + √N3 + 3 in fewer than 1.2 % of draws (e^{−9/2})."""


@dataclass(frozen=True)
class Structure:
    """A way to draw items, and the singular values it has in closed form."""

    draw: Callable[[int, int], Task]
    strengths: Callable[[int], np.ndarray]


def structures(settings: Settings) -> dict[str, Structure]:
    """The structures on 2^depth items, by name."""
    depth, flip, sigma = settings.depth, settings.flip, settings.sigma
    first = 2 ** (depth // 2)
    items, second = 2**depth, 2**depth // first
    return {
        "partition": Structure(
            lambda n, seed: tasks.partition(first, second, features=n, sigma=sigma, seed=seed),
            lambda n: tasks.mode_strengths("partition", first, second, features=n, sigma=sigma),
        ),
        "tree": Structure(
            lambda n, seed: tasks.tree(2, depth, flip, n, seed),
            lambda n: tasks.mode_strengths("tree", 2, depth, flip, n),
        ),
        "ring": Structure(
            lambda n, seed: tasks.ring(items, features=n, sigma=sigma, seed=seed),
            lambda n: tasks.mode_strengths("ring", items, features=n, sigma=sigma),
        ),
        "grid": Structure(
            lambda n, seed: tasks.grid(first, second, n, sigma, seed),
            lambda n: tasks.mode_strengths("grid", first, second, n, sigma),
        ),
        "ordering": Structure(
            lambda n, seed: tasks.ordering(items, features=n, sigma=sigma, seed=seed),
            lambda n: tasks.mode_strengths("ordering", items, features=n, sigma=sigma),
        ),
        "dimensions": Structure(
            lambda n, seed: tasks.dimensions((first, second), features=n, sigma=sigma, seed=seed),
            lambda n: tasks.mode_strengths("dimensions", (first, second), features=n, sigma=sigma),
        ),
    }


@dataclass(frozen=True, eq=False)
class Curves:
    """Measured and analytic singular values, and what networks did."""

    settings: Settings
    analytic: dict[str, np.ndarray]
    measured: dict[str, np.ndarray]
    similarity: dict[str, np.ndarray]
    errors: dict[str, np.ndarray]
    vectors: np.ndarray
    predicted: dict[str, np.ndarray]
    learned: dict[str, np.ndarray]
    tree: Trajectory

    @property
    def bound(self) -> float:
        """Relative sampling error of singular values of P items in N3 features: (√P + 3)/√N3."""
        return float((2 ** (self.settings.depth / 2) + SURE) / self.settings.features[-1] ** 0.5)

    @property
    def slopes(self) -> np.ndarray:
        """Slope of log error over log features, one per structure."""
        sizes = np.log(self.settings.features)
        if len(sizes) < 2:
            return np.full(len(self.errors), np.nan)
        return np.array([np.polyfit(sizes, np.log(e.mean(axis=1)), 1)[0] for e in self.errors.values()])

    @property
    def overlap(self) -> np.ndarray:
        """Squared overlap of the tree's singular vectors with its wavelets, (draws, levels)."""
        wavelets = tree_wavelets(2, self.settings.depth)
        return np.array([self.level_overlap(wavelets, vectors) for vectors in self.vectors])

    def level_overlap(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Squared overlap of two bases of the items, level by level of the tree: 1 where they span the same."""
        levels = tree_levels(2, self.settings.depth)
        shared = (first.T @ second) ** 2
        return np.array([shared[np.ix_(levels == k, levels == k)].sum() / np.sum(levels == k) for k in set(levels)])

    def exponent_error(self) -> tuple[float, float]:
        """Distance of the mean slope from −1/2, with its standard error over draws."""
        sizes = np.log(self.settings.features)

        def off(*errors: np.ndarray) -> float:
            return float(abs(np.mean([np.polyfit(sizes, np.log(e.mean(axis=0)), 1)[0] for e in errors]) + 0.5))

        return resampled(off, *(e.T for e in self.errors.values())) if len(sizes) > 1 else (np.nan, 0.0)


def _values(task: Task) -> np.ndarray:
    return np.linalg.svd(task.y, compute_uv=False) / len(task.y)


def _train(structure: Structure, settings: Settings) -> tuple[np.ndarray, np.ndarray, Trajectory]:
    """Half-rise times by the closed form, for the expected start, and those of networks on draws of their own."""
    s = structure.strengths(settings.trained)
    d = 1 / len(s)
    start = settings.hidden * settings.std**2 / 2
    predicted, done = (linear.time_to_strength(part * s / d, s, np.array(d), np.array(start)) for part in (0.5, 0.99))
    rate = SLOW * float(best_rate(s[:1], np.array(d), 2)[0])
    times = np.linspace(0, 1.5 * done.max(), 301)
    network = DeepLinear((settings.hidden,), initial=initial.Gaussian(settings.std))
    found = []
    for seed in range(settings.seed, settings.seed + settings.seeds):
        task = structure.draw(settings.trained, seed)
        run = evolve(network, task, times, method=Train(rate), seed=seed, observe=("loss", "strengths"))
        found.append(run.rise_times())
    return predicted, np.array(found), run


def compute(settings: Settings) -> Curves:
    """Draw every structure in every size, compare singular values, and train networks."""
    known = structures(settings)
    largest = settings.features[-1]
    analytic = {name: structure.strengths(largest) for name, structure in known.items()}
    measured, errors, similarity, predicted, learned, runs = {}, {}, {}, {}, {}, {}
    for name in track(list(known), "structures"):
        structure = known[name]
        values = np.array(
            [[_values(structure.draw(n, settings.seed + k)) for k in range(settings.draws)] for n in settings.features]
        )
        exact = np.array([structure.strengths(n) for n in settings.features])
        errors[name] = np.abs(values / exact[:, None] - 1).max(axis=-1)
        measured[name] = values[-1]
        y = structure.draw(largest, 0).y
        similarity[name] = y @ y.T / largest
        predicted[name], learned[name], runs[name] = _train(structure, settings)
    seeds = range(settings.seed, settings.seed + settings.draws)
    vectors = [np.linalg.svd(known["tree"].draw(largest, seed).y, full_matrices=False)[0] for seed in seeds]
    return Curves(settings, analytic, measured, similarity, errors, np.array(vectors), predicted, learned, runs["tree"])


def _level_times(curves: Curves) -> tuple[np.ndarray, np.ndarray]:
    """Of the tree's levels: predicted times, and learned ones (seeds, levels)."""
    levels = tree_levels(2, curves.settings.depth)
    first = np.array([curves.predicted["tree"][levels == k].mean() for k in np.unique(levels)])
    second = np.stack([curves.learned["tree"][:, levels == k].mean(axis=1) for k in np.unique(levels)], axis=1)
    return first, second


def _worst(curves: Curves) -> str:
    return max(curves.errors, key=lambda name: curves.errors[name][-1].mean())


def _error(curves: Curves, name: str) -> tuple[float, float]:
    return mean(curves.errors[name][-1])


def _time_error(curves: Curves) -> tuple[float, float]:
    """Mean relative error of learning times, of the worst structure."""
    off = [np.abs(curves.learned[k] / curves.predicted[k] - 1).mean(axis=1) for k in curves.predicted]
    return resampled(lambda errors: errors.mean(axis=0).max(), np.stack(off, axis=1))


def _times_apart(curves: Curves) -> float:
    """Mean relative difference of the learning times of two networks, of the worst structure."""
    return max(float(between(lambda a, b: np.abs(a / b - 1).mean(), learned)) for learned in curves.learned.values())


def values(curves: Curves) -> dict[str, Any]:
    """The numbers behind the claims."""
    predicted, learned = _level_times(curves)
    return {
        "tree_singular_values": curves.analytic["tree"],
        "tree_singular_values_measured": curves.measured["tree"].mean(axis=0),
        "worst_error": _error(curves, _worst(curves))[0],
        "worst_structure": _worst(curves),
        "sampling_bound": curves.bound,
        "errors": {name: _error(curves, name)[0] for name in curves.errors},
        "slopes": dict(zip(curves.errors, curves.slopes, strict=True)),
        "tree_level_overlap": curves.overlap.mean(axis=0),
        "tree_level_times": learned.mean(axis=0),
        "tree_level_times_predicted": predicted,
        "learning_time_error": _time_error(curves)[0],
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Similarity of items, singular values, sampling error and learning times."""
    for ax, name in zip(axes[:4], ("partition", "tree", "ring", "grid"), strict=True):
        image = ax.imshow(curves.similarity[name], cmap="cividis")
        ax.figure.colorbar(image, ax=ax, shrink=0.8, label="mean product of features")
        ax.set(title=f"{name.capitalize()}: similarity", xlabel="item", ylabel="item", xticks=[], yticks=[])
    _draw_values(curves, axes[4])
    _draw_errors(curves, axes[5])
    _draw_tree(curves, axes[6])
    _draw_times(curves, axes[7])


def _plain(*axes: Axis) -> None:
    """Tick labels 1, 2, 5, 10 instead of powers on axes that span about a decade."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    for axis in axes:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())


def _draw_values(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, dots, look

    for colour, name in zip(COLOURS, ("partition", "tree", "ring", "grid"), strict=False):
        at = np.arange(1, len(curves.analytic[name]) + 1)
        ax.semilogy(at, curves.measured[name].mean(axis=0), label=name, **dots(colour))
        ax.semilogy(at, curves.analytic[name], **look("predicted", colour))
    ax.set(title="Singular values", xlabel="mode", ylabel="singular value")
    _plain(ax.yaxis)
    ax.set_xticks([1, *range(4, len(curves.analytic["tree"]) + 1, 4)])
    ax.legend()


def _draw_errors(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS

    sizes = np.array(curves.settings.features, dtype=float)
    for colour, (name, errors) in zip(COLOURS, curves.errors.items(), strict=False):
        ax.loglog(sizes, errors.mean(axis=1), "o-", color=colour, markersize=3, linewidth=1, label=name)
    ax.loglog(
        sizes, 2 ** (curves.settings.depth / 2) / sizes**0.5, color="grey", linestyle="--", label=r"$\sqrt{P/N_3}$"
    )
    _plain(ax.yaxis)
    ax.set_ylim(bottom=0.004)
    ax.set(title="Sampling error", xlabel="features", ylabel="largest relative error")
    ax.legend(fontsize=7, loc="lower left")


def _draw_tree(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS, look, shade

    levels = tree_levels(2, curves.settings.depth)
    for mode, level in enumerate(levels):
        label = f"level {level}" if mode == np.argmax(levels == level) else None
        share = curves.tree.strengths[:, mode] / curves.tree.strengths[-1, mode]
        ax.plot(curves.tree.times, share, label=label, **look("trained", COLOURS[level % 7], linewidth=2.5))
    for level, at in enumerate(_level_times(curves)[0]):
        ax.axvline(at, color=shade("predicted", COLOURS[level % 7]), linestyle=":", linewidth=1.3, zorder=3)
    ax.set(title="Modes of the tree", xlabel="time (flow time)", ylabel="share of mode learned")
    ax.legend(fontsize=7, loc="lower right")


def _draw_times(curves: Curves, ax: Axes) -> None:
    from festina.plot import COLOURS

    for colour, (name, predicted) in zip(COLOURS, curves.predicted.items(), strict=False):
        ax.loglog(predicted, curves.learned[name].mean(axis=0), "o", color=colour, markersize=4, alpha=0.6, label=name)
    ends = np.array([ax.get_xlim()[0], ax.get_xlim()[1]])
    ax.loglog(ends, ends, color="grey", linewidth=0.8, zorder=0)
    _plain(ax.xaxis, ax.yaxis)
    ax.set(title="Half-rise times", xlabel="predicted time (flow time)", ylabel="time in training (flow time)")
    ax.legend(fontsize=7)


NOUNS = {
    "partition": "a partition",
    "tree": "a tree",
    "ring": "a ring",
    "grid": "a grid",
    "ordering": "an ordering",
    "dimensions": "crossed dimensions",
}


def _sampling_claim(name: str) -> Claim[Curves]:
    return Claim(
        f"{name} singular values",
        f"The analytic singular values of data with the structure of {NOUNS[name]} are those of drawn features up to "
        "sampling error (largest relative error, mean over draws).",
        lambda curves: _error(curves, name),
        lambda curves: curves.bound,
        source="saxe2019",
        reason="(√P + 3)/√features, the largest singular value of a random matrix of P items",
        floor=("two draws", lambda c: float(between(lambda a, b: np.abs(a / b - 1).max(), c.measured[name]))),
    )


claims: tuple[Claim[Curves], ...] = (
    *(_sampling_claim(name) for name in ("partition", "tree", "ring", "grid", "ordering", "dimensions")),
    Claim(
        "convergence",
        "The difference between drawn and analytic singular values falls like 1/√features, as sampling error "
        "does (distance of the exponent, mean over structures, from −1/2).",
        lambda curves: curves.exponent_error(),
        0.1,
        kind="identity",
        source="saxe2019",
        reason="a fifth of the exponent",
    ),
    Claim(
        "wavelets",
        "The singular vectors of tree data are the wavelets of the tree (squared overlap between subspaces, "
        "worst level, mean over draws).",
        lambda curves: resampled(lambda overlap: overlap.mean(axis=0).min(), curves.overlap),
        0.95,
        ">=",
        source="saxe2019",
        reason="95 %, a conventional threshold; sampling keeps it below 1",
        floor=("two draws", lambda curves: float(between(curves.level_overlap, curves.vectors).min())),
    ),
    Claim(
        "progressive differentiation",
        "A deep linear network learns the levels of a tree from the root to the leaves (share of "
        "neighbouring levels in order, worst network).",
        lambda curves: Worst(
            float(np.mean(np.diff(_level_times(curves)[1], axis=1) > 0, axis=1).min()), curves.settings.seeds
        ),
        1.0,
        ">=",
        source="saxe2019; saxe_lecture",
        reason="the paper states it without exception",
    ),
    Claim(
        "learning times",
        "The closed form predicts the time at which each mode of structured data is half learned (mean "
        "relative error, worst structure).",
        _time_error,
        0.1,
        source="saxe2019",
        reason="10 %, because drawn data have modes that overlap",
        floor=("two networks", _times_apart),
    ),
)
