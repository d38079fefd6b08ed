"""Which gates can a ReLU unit have on items in contexts, and which does a trained network use?

Far more than gates that depend on the context alone or are on at a single point, of which Lemma 4.1 speaks. A pattern
is possible exactly when no two items cross in two contexts (one on in the first only, the other in the second only): 14
of 16 for two items in two contexts, 230 of 512 for three in three, 354,106 of 16,777,216 for eight in three. Trained
networks use many of them: gates that treat all items of a context alike carry a small part of what units contribute.

Source: jarvis2025 Lemma 4.1, App. D; zaslavsky1975.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import mean
from festina.runtime import track

KINDS = ("all points", "contexts", "one point", "items", "mixed")
LEMMA = KINDS[:3]
"""Kinds of gates that Lemma 4.1 allows."""

SHOWN = 24
"""Patterns drawn."""


NEAR = (1, 2, 4)
"""Data points at which gates may differ from one that the lemma allows."""


@dataclass(frozen=True)
class Settings:
    """Data, and how networks are trained."""

    sizes: tuple[tuple[int, int], ...] = setting(((2, 2), (3, 3), (8, 3)), "items and contexts of each task", least=1)
    certificates: int = setting(300, "impossible patterns whose certificates are checked, at most, per task", least=1)
    seeds: int = setting(5, "networks for each task", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    hidden: int = setting(700, "hidden units", least=1)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    rate: float = setting(0.05, "step size on the mean loss", above=0)
    steps: int = setting(6000, "steps of training", least=1)
    points: int = setting(61, "observations", least=1)


quick = Settings(sizes=((2, 2), (8, 3)), certificates=2, seeds=1, hidden=300, steps=2500, rate=0.1, points=26)
layout = (2, 2)
caption = (
    "A ReLU unit can have far more gating patterns on items in contexts than Lemma 4.1 allows, and trained "
    "networks use them. (a) Number of patterns: all, possible, used by trained units, and allowed by the "
    "lemma. (b) All patterns of the smallest task, possible in blue and impossible in orange. (c) Share of "
    "the contribution of units by what their gates depend on, over training. (d) The patterns that "
    "contribute most in the largest task; together they carry a tenth."
)


@dataclass(frozen=True, eq=False)
class Case:
    """One task: counts, how the rule of crossings does, and what trained units contribute by kind of gate.

    ``allowed`` is the part of the final contribution by gates that the lemma allows, by seed; ``near`` that by gates
    that differ from one of these at no more than ``NEAR`` data points, (NEAR, seeds).
    """

    task: fs.Task
    items: int
    contexts: int
    implementable: int
    by_lemma: int
    mistaken: int
    imbalance: float
    used: int
    most: int
    stray: int
    loss: np.ndarray
    times: np.ndarray
    shares: np.ndarray
    allowed: np.ndarray
    near: np.ndarray
    patterns: np.ndarray
    weights: np.ndarray

    @property
    def total(self) -> int:
        """All patterns."""
        return 2 ** (self.items * self.contexts)

    @property
    def name(self) -> str:
        """Items × contexts."""
        return f"{self.items}×{self.contexts}"


@dataclass(frozen=True, eq=False)
class Curves:
    """Every task."""

    settings: Settings
    cases: tuple[Case, ...]

    @property
    def last(self) -> Case:
        """The largest task."""
        return self.cases[-1]


def compute(settings: Settings) -> Curves:
    """Count, list and prove patterns; train networks and look at theirs."""
    cases = [_case(settings, items, contexts) for items, contexts in track(settings.sizes, "possible_gates")]
    return Curves(settings, tuple(cases))


def _task(items: int, contexts: int) -> fs.Task:
    """The context task; for few items each context has one property of all items and one of each."""
    if (items, contexts) == (8, 3):
        return fs.tasks.context(3, "different").spanned()[0]
    block, eye = np.hstack([np.ones((items, 1)), np.eye(items)]), np.eye(contexts)
    x = np.vstack([np.hstack([np.eye(items), np.tile(row, (items, 1))]) for row in eye])
    y = np.vstack([np.hstack([block, *(block * on for on in row)]) for row in eye])
    return fs.Task(x, y, name=f"{items} items in {contexts} contexts").spanned()[0]


def crossed(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Whether two items cross in two contexts: on in the first and off in the second, and the other way round."""
    table = patterns.reshape(len(patterns), contexts, -1)
    found = np.zeros(len(patterns), bool)
    for a in range(contexts):
        for b in range(a):
            more, less = table[:, a] & ~table[:, b], table[:, b] & ~table[:, a]
            found |= more.any(axis=1) & less.any(axis=1)
    return found


def kind(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Index into ``KINDS`` of each pattern, the first that applies."""
    table = patterns.reshape(*patterns.shape[:-1], contexts, -1)
    by_context = np.all(table == table[..., :1], axis=(-1, -2))
    by_item = np.all(table == table[..., :1, :], axis=(-1, -2))
    single = patterns.sum(axis=-1) == 1
    return np.select([patterns.all(axis=-1), by_context, single, by_item], [0, 1, 2, 3], 4)


def distance(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Number of data points at which a pattern differs from the nearest that the lemma allows."""
    count = patterns.shape[-1]
    by_context = np.repeat(np.array(list(product([False, True], repeat=contexts))), count // contexts, axis=1)
    allowed = np.vstack([by_context, np.eye(count, dtype=bool)])
    return (patterns[..., None, :] != allowed).sum(axis=-1).min(axis=-1)


def _case(settings: Settings, items: int, contexts: int) -> Case:
    task = _task(items, contexts)
    implementable = fs.relu.count_gates(task.x)
    mistaken, imbalance = 0, 0.0
    if items * contexts < 10:
        every = np.array(list(product([False, True], repeat=items * contexts)))
        listed = fs.relu.realisable_gates(task.x)
        truth = np.array([p in listed for p in every])
        mistaken = int(np.sum(truth == crossed(every, contexts)))
        for pattern in every[~truth][: settings.certificates]:
            found = fs.relu.is_realisable(task.x, pattern).multipliers
            assert found is not None
            imbalance = max(imbalance, float(np.abs(np.where(pattern, found, -found) @ task.x).max()))
    network = fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(settings.scale / settings.hidden))
    times = np.linspace(0, settings.steps, settings.points).round() * settings.rate
    method = fs.Train(rate=settings.rate, precision="single")
    run = fs.evolve(
        network,
        task,
        times,
        method=method,
        seed=settings.seed,
        seeds=settings.seeds,
        observe=("loss", "weights", "hidden", "gates"),
    )
    gates = run["gates"][0].swapaxes(-1, -2) > 0
    contribution = np.linalg.norm(run.weights[1], axis=2) * np.linalg.norm(run["hidden"][0], axis=2)
    kinds = kind(gates, contexts)
    shares = np.stack([np.where(kinds == i, contribution, 0).sum(axis=(0, 2)) for i in range(len(KINDS))], axis=1)
    allowed = np.where(kinds[:, -1] < len(LEMMA), contribution[:, -1], 0).sum(axis=1) / contribution[:, -1].sum(axis=1)
    far = distance(gates[:, -1], contexts)
    near = [np.where(far <= k, contribution[:, -1], 0).sum(axis=1) / contribution[:, -1].sum(axis=1) for k in NEAR]
    alive = contribution[:, -1] > 0
    final, which = np.unique(gates[:, -1][alive], axis=0, return_inverse=True)
    weights = np.bincount(which.ravel(), contribution[:, -1][alive])
    order = np.argsort(-weights)
    part = np.cumsum(weights[order]) / weights.sum()
    return Case(
        task, items, contexts, implementable, 2**contexts + items * contexts, mistaken, imbalance,
        len(final), int(np.searchsorted(part, 0.9)) + 1, int(crossed(final, contexts).sum()), run.loss, times,
        shares / shares.sum(axis=1, keepdims=True), allowed, np.array(near), final[order],
        weights[order] / weights.sum(),
    )  # fmt: skip


def values(curves: Curves) -> dict[str, Any]:
    """Numbers of patterns, and what trained units do."""
    return {
        "total": {c.name: c.total for c in curves.cases},
        "implementable": {c.name: c.implementable for c in curves.cases},
        "allowed_by_lemma": {c.name: c.by_lemma for c in curves.cases},
        "used": {c.name: c.used for c in curves.cases},
        "used_for_90_percent": {c.name: c.most for c in curves.cases},
        "share_by_kind": {c.name: dict(zip(KINDS, c.shares[-1], strict=True)) for c in curves.cases},
        "share_near_the_lemma": {c.name: dict(zip(NEAR, c.near.mean(axis=1), strict=True)) for c in curves.cases},
        "final_loss": {c.name: c.loss[:, -1].mean() for c in curves.cases},
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Counts; all patterns of the smallest task; kinds over time and patterns used in the largest."""
    from matplotlib.colors import ListedColormap

    from festina.plot import COLOURS

    ax = axes[0]
    rows = {
        "all patterns": [c.total for c in curves.cases],
        "possible for a ReLU unit": [c.implementable for c in curves.cases],
        "used by trained units": [c.used for c in curves.cases],
        "allowed by the lemma": [c.by_lemma for c in curves.cases],
    }
    at = np.arange(len(curves.cases))
    for i, (label, counts) in enumerate(rows.items()):
        bars = ax.bar(at + 0.2 * (i - 1.5), counts, 0.19, color=COLOURS[(6, 0, 2, 1)[i]], label=label)
        # upright, so that numbers of neighbours do not touch
        ax.bar_label(bars, [_short(n) for n in counts], fontsize=7, padding=2, rotation=90)
    ax.set_yscale("log")
    ax.set_ylim(1, 1e6 * max(rows["all patterns"]))
    ax.set_xticks(at, [f"{c.items} items ×\n{c.contexts} contexts" for c in curves.cases])
    ax.set_ylabel("gating patterns")
    ax.set_title("How many gates")
    ax.legend(loc="upper left", fontsize=7)
    ax, first = axes[1], curves.cases[0]
    every = np.array(list(product([False, True], repeat=first.items * first.contexts)))
    every = every[np.lexsort((every.sum(axis=1), crossed(every, first.contexts)))][:SHOWN]
    wrong = crossed(every, first.contexts)
    shades = ListedColormap(["#eeeeee", COLOURS[0], COLOURS[1]])
    ax.imshow(
        np.where(wrong, 2 * every.T, every.T), aspect="auto", cmap=shades, vmin=0, vmax=2, interpolation="nearest"
    )
    ax.set_xticks(np.arange(-0.5, len(every)), minor=True)
    ax.set_yticks(np.arange(-0.5, len(every[0])), minor=True)
    ax.grid(which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="minor", length=0)
    ax.set_yticks(
        range(every.shape[1]),
        [f"item {i % first.items + 1}, context {i // first.items + 1}" for i in range(every.shape[1])],
    )
    ax.set_xticks([])
    ax.set_xlabel("possible (blue), impossible (orange)")
    ax.set_title(f"{first.implementable} of {first.total} are possible, {first.name}")
    ax, last = axes[2], curves.last
    colours = [COLOURS[i] for i in (0, 2, 4, 3, 1)]
    ax.stackplot(last.times, 100 * last.shares.T, colors=colours, labels=KINDS, linewidth=0)
    ax.set_xlim(0, last.times[-1])
    ax.set_ylim(0, 100)
    ax.set_xlabel("time (flow time)")
    ax.set_ylabel("share of contribution (%)")
    ax.set_title(f"What gates depend on, {last.name}")
    ax.legend(loc="center right", frameon=True, framealpha=1.0, fontsize=8)
    ax = axes[3]
    top = last.patterns[:SHOWN]
    ax.imshow(top, aspect="auto", cmap=ListedColormap(["#eeeeee", COLOURS[0]]), interpolation="nearest")
    for c in range(1, last.contexts):
        ax.axvline(c * last.items - 0.5, color="white", linewidth=3)
    ax.set_xticks(
        [(c + 0.5) * last.items - 0.5 for c in range(last.contexts)], [f"context {c + 1}" for c in range(last.contexts)]
    )
    ax.set_yticks([0, len(top) - 1], ["1", str(len(top))])
    ax.set_ylabel("patterns by contribution")
    ax.set_title(f"The {len(top)} most used of {last.used}, {last.name}")


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count / 1000:.0f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "lemma_small",
        "For two items in two contexts every possible gate of a ReLU unit depends on the context alone or is "
        "on at a single point (share of the possible gates).",
        lambda c: c.cases[0].by_lemma / c.cases[0].implementable,
        1.0,
        ">=",
        source="jarvis2025 Lemma 4.1",
        reason="the lemma states it without exception",
        expected="fails",
    ),
    Claim(
        "lemma",
        "For eight items in three contexts every possible gate of a ReLU unit depends on the context alone "
        "or is on at a single point (share of the possible gates).",
        lambda c: c.last.by_lemma / c.last.implementable,
        1.0,
        ">=",
        source="jarvis2025 Lemma 4.1",
        reason="the lemma states it without exception",
        expected="fails",
    ),
    Claim(
        "crossing",
        "A gating pattern on items in contexts is impossible for a ReLU unit exactly where, of two contexts, one "
        "item is on in the first alone and another in the second alone (patterns for which this is wrong, of all).",
        lambda c: float(sum(case.mistaken for case in c.cases)),
        0.0,
        kind="extension",
        source="our statement, on jarvis2025 App. D",
        reason="a count must agree exactly",
    ),
    Claim(
        "proof",
        "Every impossible gating pattern has multipliers that prove it impossible (largest imbalance of a "
        "certificate).",
        lambda c: max(case.imbalance for case in c.cases),
        1e-9,
        kind="identity",
        source="jarvis2025 App. D",
        reason="rounding",
    ),
    Claim(
        "used",
        "Trained ReLU networks gate by context alone or by single points (share of the contribution of units, "
        "mean over networks, eight items in three contexts).",
        lambda c: mean(c.last.allowed),
        0.99,
        ">=",
        source="jarvis2025 Lemma 4.1, section 4",
        reason="99 %: the paper names no others",
        expected="fails",
    ),
    Claim(
        "near",
        "Most of what trained ReLU units contribute comes from gates that differ from one by context alone or on at a "
        "single point at four data points or fewer, of 24 (share of the contribution, mean over networks).",
        lambda c: mean(c.last.near[-1]),
        0.5,
        ">=",
        kind="extension",
        source="our question, on jarvis2025 Lemma 4.1",
        reason="one half: most",
    ),
    Claim(
        "within",
        "No trained ReLU unit has a gating pattern that the linear programme rules out (number of such patterns).",
        lambda c: float(sum(case.stray for case in c.cases)),
        0.0,
        kind="identity",
        source="jarvis2025 App. D",
        reason="true of every ReLU unit",
    ),
)
