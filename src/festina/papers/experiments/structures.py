"""Do the analytic singular values of structured data match sampled data, and predict the order of learning?

Yes. Groups, trees, rings, grids, orders and crossed dimensions leave their mark on the singular values of the data, in
closed form for many features. A draw of N3 features misses them by at most about √(P/N3), the sampling error of P
directions. Its modes span the tree's wavelets, the ring's waves and so on. A network trained from random weights on a
draw learns the levels of a structure in the order, and at the times, that the closed form gives.

Partitions, trees and crossed dimensions have many equal singular values in closed form. Sampling spreads them alike in
every draw, so two draws are nearer to each other than to the closed form.

The claim on convergence takes the mean slope from 500 features on; from 100 features, and for the worst structure, it
had missed its bound (0.12 to 0.18 against 0.1).

Source: saxe2019; saxe_lecture.
"""

from functools import partial
from typing import Any

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look, shade
from festina.runtime import track


class Settings(papers.Settings):
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


quick = Settings(features=(500, 2000, 8000), draws=6, seeds=1)
caption = (
    "Analytic singular values of structured data predict both the data and the order in which a network learns them. "
    "(a, b) Similarity between the items of a tree and of a ring. (c) Singular values of drawn data (dots) and "
    "analytic ones (lines). (d) Largest relative error of the analytic values against the number of drawn features. "
    "(e) Modes of the tree during training (pale), with predicted half-times (dotted). (f) Half-times in training "
    "against predicted ones for all structures."
)

SLOW = 0.1
"""Step of training as a share of the step that is best at the end of the strongest mode: small enough to be flow."""

SURE = 3.0  # a largest singular value of a Gaussian matrix exceeds √P + √N3 + 3 in fewer than 1.2 % of draws (e^{−9/2})


def compute(settings: Settings) -> papers.Results:
    """Draw every structure in every size, compare singular values, and train networks."""
    c, s = papers.Results(settings), settings
    items, first = 2**s.depth, 2 ** (s.depth // 2)
    sizes, spread = (first, items // first), {"sigma": s.sigma}
    known = {"partition": (sizes, spread), "tree": ((2, s.depth, s.flip), {}), "ring": ((items,), spread)}
    known |= {"grid": (sizes, spread), "ordering": ((items,), spread), "dimensions": ((sizes,), spread)}
    c.analytic, c.measured, c.errors, c.similarity, c.predicted, c.learned, runs = ({} for _ in range(7))
    largest, seeds = s.features[-1], range(s.seed, s.seed + s.draws)

    def draw(name: str, features: int, seed: int) -> fs.Task:
        return getattr(fs.tasks, name)(*known[name][0], features=features, seed=seed, **known[name][1])

    def strengths(name: str, features: int) -> np.ndarray:
        return fs.tasks.mode_strengths(name, *known[name][0], features=features, **known[name][1])

    for name in track([*known], "structures"):
        tables = [[draw(name, n, seed).y for seed in seeds] for n in s.features]
        found = np.array([[np.linalg.svd(y, compute_uv=False) / len(y) for y in row] for row in tables])
        exact = np.array([strengths(name, n) for n in s.features])
        c.errors[name] = np.abs(found / exact[:, None] - 1).max(axis=-1)
        c.measured[name], c.analytic[name] = found[-1], exact[-1]
        y = draw(name, largest, 0).y
        c.similarity[name] = y @ y.T / largest
        drawn = [draw(name, s.trained, seed) for seed in range(s.seed, s.seed + s.seeds)]
        c.predicted[name], c.learned[name], runs[name] = _train(s, strengths(name, s.trained), drawn)
    c.vectors = np.array([np.linalg.svd(draw("tree", largest, k).y, full_matrices=False)[0] for k in seeds])
    c.levels, c.tree = fs.tasks.tree_levels(2, s.depth), runs["tree"]
    c.level_times = np.array([c.learned["tree"][:, c.levels == k].mean(axis=1) for k in range(s.depth + 1)]).T
    c.predicted_level_times = np.array([c.predicted["tree"][c.levels == k].mean() for k in range(s.depth + 1)])
    return c


def _train(s: Settings, strengths: np.ndarray, drawn: list[fs.Task]) -> tuple[np.ndarray, np.ndarray, fs.Trajectory]:
    """Half-times by the closed form, for the expected start; of networks on their own draws; the last run."""
    d, start = np.array(1 / len(strengths)), np.array(s.hidden * s.std**2 / 2)
    half, done = (fs.linear.time_to_strength(part * strengths / d, strengths, d, start) for part in (0.5, 0.99))
    times = np.linspace(0, 1.5 * done.max(), 301)
    method = fs.Train(SLOW * float(fs.linear.best_rate(strengths[:1], d, 2)[0]))
    network, seen = fs.DeepLinear((s.hidden,), initial=fs.initial.Gaussian(s.std)), ("loss", "strengths")
    numbered = enumerate(drawn, s.seed)
    runs = [fs.evolve(network, task, times, method=method, seed=seed, observe=seen) for seed, task in numbered]
    return half, np.array([run.rise_times() for run in runs]), runs[-1]


def _plain(*axes: Any) -> None:
    """Tick labels 1, 2, 5, 10 instead of powers on axes that span about a decade."""
    for axis in axes:
        axis.get_major_locator().set_params(subs=(1, 2, 5))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")


@papers.panel(lambda c, name: f"{name.capitalize()}: similarity", "item", "item", xticks=[], yticks=[])
def _similarity(c, ax, name):
    papers.image(ax, c.similarity[name], "mean product of features", aspect="equal", vmin=0)


SHOWN = ("partition", "tree", "ring", "grid")
SMALL = {"fontsize": 7, "loc": "lower left"}


@papers.panel("Singular values", "mode", "singular value")
def _values(c, ax):
    for colour, name in zip(COLOURS, SHOWN, strict=False):
        at = np.arange(1, len(c.analytic[name]) + 1)
        ax.semilogy(at, c.measured[name].mean(axis=0), label=name, **dots(colour))
        ax.semilogy(at, c.analytic[name], **look("predicted", colour))
    _plain(ax.yaxis)
    ax.set_xticks([1, *range(4, len(c.analytic["tree"]) + 1, 4)])


@papers.panel("Sampling error", "features", "largest relative error", legend=SMALL)
def _errors(c, ax):
    sizes = np.array(c.settings.features, dtype=float)
    for colour, (name, errors) in zip(COLOURS, c.errors.items(), strict=False):
        ax.loglog(sizes, errors.mean(axis=1), "o-", color=colour, markersize=3, linewidth=1, label=name)
    ax.loglog(sizes, (2**c.settings.depth / sizes) ** 0.5, color="grey", linestyle="--", label=r"$\sqrt{P/N_3}$")
    _plain(ax.yaxis)
    ax.xaxis.set_minor_formatter("")
    ax.set_ylim(bottom=0.004)


@papers.panel("Modes of the tree", "time (flow time)", "share of mode learned", legend={**SMALL, "loc": "lower right"})
def _tree(c, ax):
    for level, at in enumerate(c.predicted_level_times):
        colour, mine = COLOURS[level % 7], c.tree.strengths[:, c.levels == level]
        labels = [f"level {level}"] + [None] * (mine.shape[1] - 1)
        ax.plot(c.tree.times, mine / mine[-1], label=labels, **look("trained", colour, linewidth=2.5))
        ax.axvline(at, color=shade("predicted", colour), linestyle=":", linewidth=1.3, zorder=3)


@papers.panel("Half-times", "predicted time (flow time)", "time in training (flow time)", legend={"fontsize": 7})
def _times(c, ax):
    for colour, (name, predicted) in zip(COLOURS, c.predicted.items(), strict=False):
        ax.loglog(predicted, c.learned[name].mean(axis=0), "o", color=colour, markersize=4, alpha=0.6, label=name)
    ax.loglog(ax.get_xlim(), ax.get_xlim(), color="grey", linewidth=0.8, zorder=0)
    _plain(ax.xaxis, ax.yaxis)


SIMILARITIES = [_similarity.of(name, detail=name in ("partition", "grid")) for name in SHOWN]
panels = (*SIMILARITIES, _values, _errors, _tree, _times)


def _singular_values(name: str, noun: str) -> papers.Claim[Any]:
    return papers.Claim(
        f"{name} singular values",
        f"The analytic singular values of data with the structure of {noun} match those of drawn features up to "
        "sampling error (largest relative error, mean over draws).",
        lambda c: papers.mean(c.errors[name][-1]),
        lambda c: (2 ** (c.settings.depth / 2) + SURE) / c.settings.features[-1] ** 0.5,
        source="saxe2019",
        reason="(√P + 3)/√features, the largest singular value of a random matrix of P items",
        floor=("two draws", lambda c: float(papers.between(lambda a, b: abs(a / b - 1).max(), c.measured[name]))),
    )


@papers.claim("saxe2019", kind="identity", at_most=0.1, because="a fifth of the exponent")
def _convergence(c):
    """The difference between drawn and analytic singular values falls like 1/√features, as sampling error does
    (distance of the exponent, mean over structures, from −1/2)."""
    errors = np.stack(list(c.errors.values()), axis=-1).swapaxes(0, 1)  # (draws, features, structures)
    return papers.resampled(lambda e: abs(papers.exponent(c.settings.features, e.mean(axis=0)).mean() + 0.5), errors)


def _overlap(c, first, second):
    """Squared overlap of two bases of the items, level by level of the tree: 1 where they span the same."""
    shared, levels = (first.T @ second) ** 2, c.levels
    return np.array([shared[np.ix_(levels == k, levels == k)].sum() / np.sum(levels == k) for k in set(levels)])


@papers.claim(
    "saxe2019",
    at_least=0.95,
    because="95 %, a conventional threshold; sampling keeps it below 1",
    floor=("two draws", lambda c: papers.between(partial(_overlap, c), c.vectors).min()),
)
def _wavelets(c):
    """The singular vectors of tree data are the wavelets of the tree (squared overlap between subspaces, worst level,
    mean over draws)."""
    wavelets = fs.tasks.tree_wavelets(2, c.settings.depth)
    overlap = np.array([_overlap(c, wavelets, vectors) for vectors in c.vectors])
    return papers.resampled(lambda overlap: overlap.mean(axis=0).min(), overlap)


@papers.claim("saxe2019; saxe_lecture", at_least=1.0, because="the paper states it without exception")
def _progressive_differentiation(c):
    """A deep linear network learns the levels of a tree from the root to the leaves (share of neighbouring levels in
    order, worst network)."""
    return papers.Worst(float(np.mean(np.diff(c.level_times, axis=1) > 0, axis=1).min()), c.settings.seeds)


def _apart(c):
    """Mean relative difference of the learning times of two networks, of the worst structure."""
    return np.max([papers.between(lambda a, b: abs(a / b - 1).mean(), learned) for learned in c.learned.values()])


@papers.claim(
    "saxe2019", at_most=0.1, because="10 %, because drawn data have modes that overlap", floor=("two networks", _apart)
)
def _learning_times(c):
    """The closed form predicts the time at which each mode of structured data is half learned (mean relative error,
    worst structure)."""
    off = [np.abs(c.learned[name] / c.predicted[name] - 1).mean(axis=1) for name in c.predicted]
    return papers.resampled(lambda errors: errors.mean(axis=0).max(), np.stack(off, axis=1))


NOUNS = {"partition": "a partition", "tree": "a tree", "ring": "a ring", "grid": "a grid"}
NOUNS |= {"ordering": "an ordering", "dimensions": "crossed dimensions"}
VALUES = [_singular_values(name, noun) for name, noun in NOUNS.items()]
claims = (*VALUES, _convergence, _wavelets, _progressive_differentiation, _learning_times)
