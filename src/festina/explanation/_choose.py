"""How many modules a layer has, which they are, and how their error compares with baselines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from festina.explanation import _group
from festina.explanation._fit import Imitation
from festina.explanation._group import MAX_ROWS, PROMISING, Grouping, Search, by_activity, by_gates, vote
from festina.explanation._view import View
from festina.runtime import progress

MIN_HELD_OUT = 40
"""Data points from which half are held out; with fewer, every point is left out once."""

MAX_STRAY = 0.02
"""Share of a layer's contribution that units may have which fit no module: they keep their own gates."""

MISFIT = 0.02
"""Share of its power that a unit loses or gains under its module's gate from which it may count as stray."""

EXACT = 1e-9
"""Share of the outputs' variance below which an error is rounding error."""

MAX_REFINED = 256
"""Units up to which single ones are moved between modules: in a wider layer one unit changes little, and the search
would take minutes."""

MAX_SHARED = 2_000
"""Data points on which shared gates are tried."""

STABLE = 0.8
"""Agreement between seeds (adjusted Rand index) from which groups count as found."""

RANDOM_DRAWS = 5
"""Random groups of the same sizes that are drawn as a baseline."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The modules of one layer.

    Attributes:
        grouping: the units of each module.
        shared: whether units of a module share one gate: switching them by it reproduces the outputs within the
            tolerance, with the network's own weights. Otherwise every module has a fitted linear map.
        error: share of the outputs' variance that the modules miss (with the rest of the network exact).
        curve: that error by number of modules.
        shared_curve: the same with the network's own weights and shared gates.
        stability: by number of modules, the adjusted Rand index of the groups found from different seeds, weighted over
            pairs of seeds: 1 if all find the same units together. Numbers that were sought from one seed are left out.
        baselines: the same error for the best linear map and for other groupings with as many modules.
        spread: standard deviation of the error over the random groups.
    """

    grouping: Grouping
    shared: bool
    error: float
    curve: Mapping[int, float]
    shared_curve: Mapping[int, float]
    stability: Mapping[int, float]
    baselines: Mapping[str, float]
    spread: float

    @property
    def found(self) -> bool:
        """Whether other seeds find the same groups, and k-means on the inputs does no better.

        Groups that share gates count as found from one seed too, with which there is nothing to agree.
        """
        agreement = self.stability.get(self.grouping.count, 1.0 if self.shared else 0.0)
        return agreement >= STABLE and self.error <= max(self.baselines["k-means on inputs"], EXACT)


@dataclass(frozen=True, eq=False)
class Settings:
    """The user's choice: ``modules`` None is automatic."""

    modules: int | None
    max_modules: int
    tolerance: float
    seed: int
    restarts: int
    rivals: bool


def folds(points: int, seed: int) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Data points for fitting and for measuring: two halves, or, with few points, each point by all others."""
    order = np.random.default_rng(seed).permutation(points)
    if points >= MIN_HELD_OUT:
        return ((order[: points // 2], order[points // 2 :]),)
    return tuple((np.delete(order, i), order[i : i + 1]) for i in range(points))


def imitate(view: View, outputs: np.ndarray, frame: np.ndarray, seed: int) -> Imitation:
    """Held-out imitation of a layer."""
    parts = folds(view.shape[0], seed)
    measured = np.concatenate([test for _, test in parts])
    rng = np.random.default_rng(seed)
    # positions of many data points come first, since fits take the first rows
    mixed = (_rows(train, view.positions) for train, _ in parts)
    trains = [rng.permutation(rows) if view.positions > 1 else rows for rows in mixed]
    rows = tuple((one, _rows(test, view.positions)) for one, (_, test) in zip(trains, parts, strict=True))
    return Imitation(view.inputs, view.activity, view.metric, rows, outputs[measured], view.finish, frame)


def choose(view: View, outputs: np.ndarray, frame: np.ndarray, settings: Settings) -> Choice:
    """The modules of a layer: shared gates if few suffice, else gates with fitted maps."""
    own = outputs[: view.shape[0]]
    imitation = imitate(view, own, frame, settings.seed)
    linear = min(imitation.error(), 1.0)
    enough = max(settings.tolerance * linear, EXACT)
    counts = [settings.modules] if settings.modules else list(range(1, settings.max_modules + 1))
    few = view.first(MAX_SHARED)
    shared, shared_curve, seeds = _shared(few, own[: few.shape[0]], frame, counts, settings, enough)
    if shared is not None and shared_curve[shared.count] <= enough:
        stability = _agreement(seeds, shared, view.contribution)
        baselines, spread = _baselines(view, imitation, shared, own, frame, settings, fitted=False)
        choice = Choice(
            shared, True, shared_curve[shared.count], shared_curve, shared_curve, stability, baselines, spread
        )
        if choice.found:
            return choice
    rows = imitation.folds[0][0][:MAX_ROWS]
    search = Search.of(view, rows)
    curve: dict[int, float] = {}
    stability = {}
    deviation: dict[int, float] = {}
    found: dict[int, Grouping] = {}
    for count in progress.track(counts, f"layer {view.layer + 1}: fitted maps"):
        best = _search(view, search, rows, count, settings)
        if not best:
            break
        found[count] = min(best, key=lambda g: g.score)
        stability |= _agreement(best, found[count], view.contribution)
        errors = imitation.errors(_gates(view, found[count]))
        curve[count] = float(errors.mean())
        deviation[count] = float(errors.std() / np.sqrt(len(errors)))
    if not found:
        found[1] = Grouping(view.label(np.zeros(len(view.alive), int)), 1, np.inf)
        curve[1], stability[1], deviation[1] = imitation.error(_gates(view, found[1])), 1.0, 0.0
    lowest = min(curve, key=lambda k: curve[k])
    chosen = min(k for k in curve if curve[k] <= curve[lowest] + deviation[lowest])
    baselines, spread = _baselines(view, imitation, found[chosen], own, frame, settings, fitted=True)
    return Choice(found[chosen], False, curve[chosen], curve, shared_curve, stability, baselines, spread)


def shared_error(view: View, grouping: Grouping, outputs: np.ndarray, frame: np.ndarray) -> float:
    """Share of the outputs' variance that is missed when every unit of a module is switched by its gate; units of no
    module keep their own."""
    gates = _gates(view, grouping)[:, grouping.labels]
    gates[:, grouping.labels < 0] = view.pre[:, grouping.labels < 0] > 0
    missed = (view.finish(view.activation.gated(view.pre, gates.astype(float))) - outputs) @ frame
    wanted = outputs @ frame
    spread = float(((wanted - wanted.mean(axis=0)) ** 2).sum())
    return float((missed**2).sum()) / spread if spread > 0 else 0.0


def without_strays(view: View, grouping: Grouping) -> Grouping:
    """The same groups without the units that fit their module's gate worst, as long as these contribute little."""
    gates = _gates(view, grouping)[:, grouping.labels]
    power = (view.activity**2).sum(axis=0)
    wrong = ((view.on != gates) * view.pre**2).sum(axis=0)
    misfit = np.divide(wrong, power, out=np.zeros_like(wrong), where=(grouping.labels >= 0) & (power > 0))
    share = view.contribution / view.contribution.sum()
    labels, spent = grouping.labels.copy(), 0.0
    for unit in np.argsort(-misfit, kind="stable"):
        if labels[unit] >= 0 and misfit[unit] > MISFIT and spent + share[unit] <= MAX_STRAY:
            labels[unit] = -1
            spent += share[unit]
    return replace(grouping, labels=labels)


def _gates(view: View, grouping: Grouping) -> np.ndarray:
    return vote(view.on, view.contribution, grouping.labels, grouping.count)


def _rows(points: np.ndarray, positions: int) -> np.ndarray:
    """Rows of data points: all positions of each, in order."""
    return (points[:, None] * positions + np.arange(positions)).ravel()


def _shared(
    view: View, outputs: np.ndarray, frame: np.ndarray, counts: list[int], settings: Settings, enough: float
) -> tuple[Grouping | None, dict[int, float], list[Grouping]]:
    """The fewest modules whose units share a gate within the tolerance, or the best there are."""
    rows = np.sort(np.random.default_rng(settings.seed).permutation(len(view.pre))[:MAX_ROWS])
    best: Grouping | None = None
    best_seeds: list[Grouping] = []
    curve: dict[int, float] = {}
    for count in progress.track(counts, f"layer {view.layer + 1}: shared gates"):
        tried = []
        for seed in range(settings.restarts):
            labels = by_gates(view, rows, count, settings.seed + seed)
            if labels is None:
                break
            grouping = without_strays(view, Grouping(labels, count, 0.0))
            error = shared_error(view, grouping, outputs, frame)
            if enough < error <= PROMISING:
                moved = without_strays(view, _group.share_gates(view, rows, labels, count))
                again = shared_error(view, moved, outputs, frame)
                grouping, error = (moved, again) if again < error else (grouping, error)
            tried.append((error, seed, grouping))
        if not tried:
            break
        error, _, grouping = min(tried, key=lambda one: one[:2])
        curve[count] = error
        if best is None or error < curve[best.count]:
            best, best_seeds = grouping, [one[2] for one in tried]
        if error <= enough:
            break
    return best, curve, best_seeds


def _search(view: View, search: Search, rows: np.ndarray, count: int, settings: Settings) -> list[Grouping]:
    """The best groups from each seed."""
    found = []
    for seed in range(settings.seed, settings.seed + settings.restarts):
        starts = [by_gates(view, rows, count, seed), _group.by_deviations(view, rows, count, seed)]
        small = len(search.alive) <= MAX_REFINED
        if seed == settings.seed and small:
            starts.append(by_activity(view, rows, count, seed))
        tried = [search.improve(labels, count) for labels in starts if labels is not None]
        if tried:
            best = min(tried, key=lambda g: g.score)
            found.append(search.refine(best) if small else best)
    return found


def _agreement(seeds: list[Grouping], best: Grouping, weight: np.ndarray) -> dict[int, float]:
    """Mean agreement of other seeds' groups with the best ones, by the number of modules: the adjusted Rand index, with
    units weighted by their contribution. Nothing, if there is no other seed to agree."""
    others = [one for one in seeds if one is not best]
    if not others and best.count > 1:
        return {}
    return {best.count: float(np.mean([_rand(best.labels, one.labels, weight) for one in others])) if others else 1.0}


def _rand(a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> float:
    """Adjusted Rand index of two partitions of weighted units."""
    weight = weight / weight.sum()
    table = np.zeros((a.max() + 2, b.max() + 2))
    np.add.at(table, (a + 1, b + 1), weight)
    alone = float((weight**2).sum())
    both, first, second = ((t**2).sum() - alone for t in (table, table.sum(axis=1), table.sum(axis=0)))
    whole = 1 - alone
    chance = first * second / whole if whole > 0 else 0.0
    most = (first + second) / 2
    return float((both - chance) / (most - chance)) if most - chance > EXACT else 1.0


def _baselines(
    view: View, imitation: Imitation, grouping: Grouping, outputs: np.ndarray, frame: np.ndarray, settings: Settings,
    *, fitted: bool,
) -> tuple[dict[str, float], float]:  # fmt: skip
    """Errors of the best linear map and of other groupings with as many modules."""
    rng = np.random.default_rng(settings.seed)
    alive = np.flatnonzero(grouping.labels >= 0)

    def error(labels: np.ndarray) -> float:
        other = Grouping(labels, grouping.count, 0.0)
        if fitted:
            return imitation.error(_gates(view, other))
        few = view.first(MAX_SHARED)
        return shared_error(few, other, outputs[: few.shape[0]], frame)

    rows = imitation.folds[0][0][:MAX_ROWS]
    drawn = []
    for _ in range(RANDOM_DRAWS):
        labels = grouping.labels.copy()
        labels[alive] = rng.permutation(labels[alive])
        drawn.append(error(labels))
    found = {
        "best linear map": imitation.error(),
        "random groups": float(np.mean(drawn)),
        "k-means on inputs": imitation.error(_group.regions(view.inputs, rows, grouping.count, settings.seed)),
    }
    if settings.rivals:
        rivals = {
            "clusters of gates": by_gates,
            "clusters of weights": _group.by_weights,
            "factors of activity": by_activity,
        }
        for name, finder in rivals.items():
            labels = finder(view, rows, grouping.count, settings.seed)
            if labels is not None:
                found[name] = error(labels)
    return found, float(np.std(drawn))
