"""Recorded representations compared with theories: similarity, alignment in time, noise ceiling and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis import RDMs, Trajectory
from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.display import aligned, render
from festina.core.look import COLOURS, axis, plain, styled
from festina.representation._similarity import METHODS, between, pool, prepare

if TYPE_CHECKING:
    import pandas
    import rsatoolbox.rdm.rdms
    from matplotlib.axes import Axes

FEWEST = 4
"""Conditions that a test needs: three have six orders, so that no p is below 1/6."""

GRID, BENDS = 41, 9
"""Begins and ends that ``locate`` tries, and exponents between ½ and 2."""

EQUAL = 1e-9
"""Differences of correlations, and shares, that are rounding errors."""


@dataclass(frozen=True, eq=False)
class Scored:
    """One theory compared with the data.

    Attributes:
        name: the name of the theory.
        score: mean over sessions of the similarity along the best alignment in time.
        interval: the interval of the score, from the bootstrap over conditions and repeats.
        p: share of permutations of the conditions whose score, aligned anew, is at least as high.
        similarity: the similarity of each session with each time of the theory, mean over repeats, (sessions, times).
        times: the times of the theory.
        places: for each session the number of the time at which its similarity counts in the score.
        aligned_times: the time of the theory at which each session was recorded, as ``locate`` estimates it.
        unit: the unit of the times.
    """

    name: str
    score: float
    interval: tuple[float, float]
    p: float
    similarity: np.ndarray = field(repr=False)
    times: np.ndarray = field(repr=False)
    places: np.ndarray = field(repr=False)
    aligned_times: np.ndarray = field(repr=False)
    unit: str = "flow time"

    @property
    def aligned(self) -> np.ndarray:
        """Similarity of each session with the theory along the alignment of the score."""
        return self.similarity[np.arange(len(self.places)), self.places]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Data compared with theories; print it, draw it with ``plot``, or take ``to_pandas``.

    Attributes:
        theories: in the order in which they were given.
        sessions: times of the data.
        ceiling: lower and upper bound, by session, on what any theory can reach with this noise, (2, sessions); None
            without repeats.
        differences: by pair of names, the score of the first less that of the second, its interval, and p: the share
            of the bootstrap's differences, centred at 0, that are at least as large.
        method: the similarity.
        level: the level of the intervals; 1 − level is the bound on p below which a statement counts as tested.
        notes: what a reader has to know besides the numbers.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(8), fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3))
        >>> run = fs.evolve(network, task, np.linspace(0, 40, 21), observe=("hidden",))
        >>> rivals = {"theory": run, "targets": fs.analysis.RDMs.from_activity(task.y, conditions=task.items)}
        >>> fs.representation.compare(run.rdm(), rivals, method="cka").best.name
        'theory'
    """

    theories: tuple[Scored, ...]
    sessions: np.ndarray
    ceiling: np.ndarray | None
    differences: Mapping[tuple[str, str], tuple[float, float, float, float]]
    method: str
    level: float
    unit: str = "session"
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Scored:
        names = [theory.name for theory in self.theories]
        return self.theories[names.index(check.known("name", name, names))]

    @property
    def best(self) -> Scored:
        """The theory with the highest score."""
        return max(self.theories, key=lambda theory: theory.score)

    @property
    def decided(self) -> bool:
        """Whether the best theory is related to the data, and better than every other, at the level."""
        rivals = [self._against(theory)[3] for theory in self.theories if theory is not self.best]
        return max([self.best.p, *rivals]) <= 1 - self.level

    def _against(self, rival: Scored) -> tuple[float, float, float, float]:
        first, second = self.best.name, rival.name
        if (first, second) in self.differences:
            return self.differences[first, second]
        difference, low, high, p = self.differences[second, first]
        return -difference, -high, -low, p

    def to_pandas(self) -> pandas.DataFrame:
        """One row per theory and session: the aligned time, the similarity there, and the ceiling.

        Example:
            >>> import festina as fs
            >>> data = fs.analysis.RDMs.from_activity([[0.0], [1.0], [3.0], [2.0]])
            >>> found = fs.representation.compare(data, {"itself": data}, permutations=9, bootstraps=9)
            >>> found.to_pandas().columns.tolist()[:3]
            ['theory', 'session', 'time']
        """
        import pandas

        low, high = (np.nan, np.nan) if self.ceiling is None else self.ceiling
        parts = [
            pandas.DataFrame(
                {
                    "theory": theory.name, "session": self.sessions, "time": theory.aligned_times,
                    "similarity": theory.aligned, "ceiling_low": low, "ceiling_high": high,
                }
            )
            for theory in self.theories
        ]  # fmt: skip
        return pandas.concat(parts, ignore_index=True)

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the similarity of each session with each theory at its aligned time, and the noise ceiling as a band.

        Args:
            ax: axes to draw into; None is pyplot's current axes.
        """
        ax = axis(ax)
        if self.ceiling is not None:
            low, high = self.ceiling
            # a band has to be visible if there is one session only
            wide = self.sessions if len(self.sessions) > 1 else self.sessions[0] + np.array([-0.5, 0.5])
            low, high = np.broadcast_to(low, wide.shape), np.broadcast_to(high, wide.shape)
            ax.fill_between(wide, low, high, color="0.85", linewidth=0, label="noise ceiling")
        for theory, colour in zip(self.theories, COLOURS * len(self.theories), strict=False):
            label = f"{plain(theory.name)}: {theory.score:.2f}, {_p(theory.p)}"
            ax.plot(self.sessions, theory.aligned, "o-", color=colour, markersize=4, label=label)
        ax.set(xlabel=plain(self.unit), ylabel=f"similarity ({METHODS[self.method]})")
        ax.legend()
        return ax

    def _sentences(self) -> list[str]:
        best, words = self.best, f"{METHODS[self.method]} similarity"
        ceiling = ""
        if self.ceiling is not None:
            low, high = self.ceiling.mean(axis=1)
            ceiling = f" The noise ceiling is {low:.2f} to {high:.2f}."
        lines = []
        if best.p > 1 - self.level:
            lines.append(f"No theory is related to the data ({words} of {best.name} {best.score:.2f}, {_p(best.p)}).")
        else:
            lines.append(f"The data are nearest to {best.name}: {words} {best.score:.2f}, {_p(best.p)}.{ceiling}")
            for rival in self.theories:
                if rival is not best:
                    difference, low, high, p = self._against(rival)
                    told = p <= 1 - self.level
                    what = f"{best.name}, not {rival.name}" if told else f"{best.name} or {rival.name}, undecided"
                    lines.append(f"{what}: the difference is {difference:.2f} [{low:.2f}, {high:.2f}], {_p(p)}.")
        return [*lines, *self.notes]

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [
            ("theory", "similarity", f"{100 * self.level:g} % interval", "p", "aligned times")
        ]
        for theory in self.theories:
            times = ", ".join(f"{time:.3g}" for time in theory.aligned_times)
            low, high = theory.interval
            rows.append((theory.name, f"{theory.score:.3f}", f"[{low:.3f}, {high:.3f}]", f"{theory.p:.3g}", times))
        return rows

    def __str__(self) -> str:
        table = aligned(self._rows())
        return "\n".join([*self._sentences(), "", *table])

    def _repr_html_(self) -> str:
        """HTML for notebooks."""
        first, *rest = self._sentences()
        rows = self._rows()
        return render(first, rows[1:], rest, header=rows[0])


def compare(
    data: RDMs | rsatoolbox.rdm.rdms.RDMs | ArrayLike,
    theories: Trajectory | RDMs | Mapping[str, Trajectory | RDMs],
    *,
    layer: int | str = 0,
    method: str = "corr",
    conditions: Sequence[str] = (),
    measure: str = "euclidean",
    band: float | None = 0.25,
    permutations: int = 999,
    bootstraps: int = 999,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Compare recorded representations with those that theories predict over learning.

    Each session of the data is compared with each time of a theory. Sessions are then aligned with times: later ones
    never with earlier times, such that the mean similarity is highest. All tests align anew: the permutation test
    relabels the conditions of the data; the bootstrap draws conditions, and repeats if there are several, with
    replacement. Pairs of a condition with itself, which the bootstrap draws, are left out, as rsatoolbox does; for
    ``"cka"`` and ``"procrustes"`` they count as equal.

    Args:
        data: ``fs.analysis.RDMs``, RDMs of rsatoolbox, or activity: (conditions, units), (sessions, conditions, units)
            or (repeats, sessions, conditions, units). Repeats, of the same or of other subjects, give the ceiling.
        theories: a trajectory that observed ``hidden``, RDMs, or several of them by name.
        layer: the layer of trajectories, see ``Trajectory.rdm``.
        method: the similarity, see ``fs.representation.similarity``.
        conditions: names of the conditions of activity. Where data and theory have names, they are matched by name.
        measure: dissimilarity of activity, see ``fs.analysis.RDMs``; RDMs keep their own.
        band: how far a session may be from the time that it would have if data and theory ran evenly from their first
            to their last time, as a share of the whole (the band of Sakoe and Chiba); the sessions then have to span
            the learning that the theory describes. None: any time, which cannot tell theories apart whose
            representations begin alike.
        permutations, bootstraps: how many are drawn.
        level: the level of the intervals.
        seed: the seed of the draws.

    Raises:
        ValueError: fewer than four conditions, conditions of the data that a theory does not have, or another number of
            conditions if there are no names.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.living_things(8), fs.DeepLinear((16,), initial=fs.initial.Aligned(1e-3))
        >>> run = fs.evolve(network, task, np.linspace(0, 40, 21), observe=("hidden",))
        >>> activity = run.hidden[0][::5] + 0.01 * np.random.default_rng(0).normal(size=(4, 5, 8, 16))
        >>> found = fs.representation.compare(activity, run, conditions=task.items)
        >>> bool(np.all(np.abs(found.best.places - [0, 5, 10, 15, 20]) <= 5))  # at most one session apart
        True
    """
    check.known("method", method, METHODS)
    band = np.inf if band is None else check.positive("band", band, zero=True)
    draws = (check.whole("permutations", permutations), check.whole("bootstraps", bootstraps))
    level, rng = check.level(level), np.random.default_rng(check.seed("seed", seed))
    recorded = _recorded(data, conditions, measure)
    matched, notes = _matched(recorded, _named(theories), layer)
    recorded = next(iter(matched.values()))[0] if matched else recorded
    count = recorded.matrices.shape[-1]
    if count < FEWEST:
        raise ValueError(f"data has {count} conditions; a comparison needs at least {FEWEST}.")
    own = recorded.vectors
    predicted = {name: theory.mean.vectors[0] for name, (_, theory) in matched.items()}
    allowed = {name: within(band, recorded.times, theory.times) for name, (_, theory) in matched.items()}
    flat = [name for name, vectors in predicted.items() if not prepare(vectors, method).any()]
    notes += [
        f"All dissimilarities of {name} are equal: its similarity is undefined, and counts as 0." for name in flat
    ]
    similarities = {
        name: between(prepare(own, method), prepare(vectors, method), method).mean(axis=0)
        for name, vectors in predicted.items()
    }
    paths = {name: align(found, allowed[name]) for name, found in similarities.items()}
    scores = {name: path[0] for name, path in paths.items()}
    null = _permuted(own, predicted, method, allowed, draws[0], rng)
    drawn = _resampled(own, predicted, method, allowed, draws[1], rng)
    ends_of = ((1 - level) / 2, (1 + level) / 2)
    found = tuple(
        Scored(
            name, float(scores[name]), _interval(scores[name], drawn[name], ends_of),
            float((1 + (null[name] >= scores[name] - 1e-12).sum()) / (1 + draws[0])),
            similarities[name], theory.times, paths[name][1],
            theory.times[locate(own.mean(axis=0), predicted[name], recorded.times, theory.times, band)],
            theory.unit,
        )
        for name, (_, theory) in matched.items()
    )  # fmt: skip
    differences = {}
    for a, b in combinations(predicted, 2):
        apart, difference = drawn[a] - drawn[b], float(scores[a] - scores[b])
        p = (1 + (np.abs(apart - apart.mean()) >= abs(difference) - 1e-12).sum()) / (1 + draws[1])
        differences[a, b] = (difference, *_interval(difference, apart, ends_of), float(p))
    return Comparison(
        found, recorded.times, _ceiling(own, method), differences, method, level, recorded.unit, tuple(notes)
    )


def _recorded(data: object, conditions: Sequence[str], measure: str) -> RDMs:
    if hasattr(data, "get_matrices"):
        data = RDMs.from_rsatoolbox(data)  # type: ignore[arg-type]
    if isinstance(data, RDMs):
        if tuple(conditions):
            raise ValueError("conditions is given with RDMs, which name their own; give RDMs(..., conditions=...).")
        return data
    array = check.numbers("data", data)
    if array.ndim not in (2, 3, 4) or not array.size or array.shape[-2] < 2:
        raise ValueError(
            f"data has shape {array.shape}; ([[repeats,] sessions,] conditions, units) with at least two conditions is "
            "needed, or fs.analysis.RDMs."
        )
    square = array.ndim > 1 and array.shape[-1] == array.shape[-2]
    if square and not np.diagonal(array, axis1=-2, axis2=-1).any() and np.allclose(array, np.swapaxes(array, -1, -2)):
        raise ValueError("data are symmetric with a zero diagonal: give fs.analysis.RDMs(data) if they are RDMs.")
    return RDMs.from_activity(array, conditions=conditions, measure=measure)


def _named(theories: object) -> dict[str, Trajectory | RDMs]:
    if isinstance(theories, Trajectory | RDMs):
        return {theories.label if isinstance(theories, Trajectory) else "theory": theories}
    check.instance("theories", theories, Mapping, "a trajectory, RDMs, or a dictionary of them by name")
    named = {str(name): theory for name, theory in theories.items()}  # type: ignore[attr-defined]
    if not named:
        raise ValueError("theories is empty; give a trajectory, RDMs, or a dictionary of them by name.")
    for name, theory in named.items():
        check.instance(f"theories[{name!r}]", theory, (Trajectory, RDMs), "a trajectory or fs.analysis.RDMs")
    return named


def _matched(
    data: RDMs, theories: Mapping[str, Trajectory | RDMs], layer: int | str
) -> tuple[dict[str, tuple[RDMs, RDMs]], list[str]]:
    """Data and each theory with the same conditions in the same order; by name, or by position where one has none."""
    found, notes = {}, []
    for name, theory in theories.items():
        rdms = theory.rdm(layer, measure=data.measure) if isinstance(theory, Trajectory) else theory
        if data.conditions and rdms.conditions:
            missing = [one for one in data.conditions if one not in rdms.conditions]
            if missing:
                raise ValueError(
                    f"data has conditions that {name} does not have: {', '.join(missing[:5])}; {name} has "
                    f"{', '.join(rdms.conditions[:8])}{', …' if len(rdms.conditions) > 8 else ''}."
                )
            rdms = rdms.ordered(data.conditions)
        elif rdms.matrices.shape[-1] != data.matrices.shape[-1]:
            raise ValueError(
                f"data has {data.matrices.shape[-1]} conditions and {name} {rdms.matrices.shape[-1]}; give the names "
                "of both, by which they are matched, or the same conditions."
            )
        else:
            unnamed = "the data have" if not data.conditions else f"{name} has"
            notes.append(f"Conditions of {name} are matched by position, since {unnamed} no names.")
        found[name] = (data, rdms)
    return found, notes


def within(band: float, sessions: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Which times of a theory each session may be aligned with, (sessions, times); at least the nearest one."""
    if len(sessions) == 1 or len(times) == 1:
        return np.ones((len(sessions), len(times)), bool)
    own, other = ((part - part[0]) / (part[-1] - part[0]) for part in (sessions, times))
    apart = np.abs(own[:, None] - other)
    return apart <= np.maximum(band, apart.min(axis=1, keepdims=True)) + 1e-9


def align(similarity: np.ndarray, allowed: np.ndarray) -> tuple[float, np.ndarray]:
    """The highest mean similarity of sessions with allowed times that never go back, and the time of each session.

    Args:
        similarity: (sessions, times).
        allowed: the same shape, from ``within``.
    """
    best = _prefix(similarity, allowed)
    places = np.zeros(len(similarity), int)
    place = int(np.argmax(best[-1]))
    for session in range(len(similarity) - 1, -1, -1):
        place = int(np.argmax(best[session, : place + 1])) if session < len(similarity) - 1 else place
        places[session] = place
    return float(best[-1].max()) / len(similarity), places


def locate(own: np.ndarray, predicted: np.ndarray, sessions: np.ndarray, times: np.ndarray, band: float) -> np.ndarray:
    """For each session the number of the time at which it was recorded: t = t₀ + (t₁ − t₀) uᵞ within the band.

    u runs evenly from 0 to 1 over the sessions. t₀, t₁ and γ maximise −½ n log(1 − r²) − ½ Σ (t − u)²/(band/2)², where
    n is sessions × conditions. r is the correlation of the pooled dissimilarities of all sessions with those of the
    theory. Their sizes, which grow with learning, therefore count as well as their pattern. Sessions in which nothing
    changes are placed evenly by the second term.

    Args:
        own: dissimilarities of the data, (sessions, pairs).
        predicted: those of the theory, (times, pairs).
        sessions, times: of the data and of the theory.
        band: as in ``compare``, ∞ for none.
    """
    u, v = ((part - part[0]) / (np.ptp(part) or 1.0) for part in (sessions, times))
    grid, bends = np.linspace(0, 1, GRID), 2.0 ** np.linspace(-1, 1, BENDS)
    begin, end, bend = (part.ravel() for part in np.meshgrid(grid, grid, bends, indexing="ij"))
    course = (begin + u[:, None] ** bend * (end - begin))[:, end >= begin]
    places, each = np.searchsorted((v[1:] + v[:-1]) / 2, course), np.arange(len(u))[:, None]
    kept = within(band, sessions, times)[each, places].all(axis=0)
    course, places = course[:, kept], places[:, kept]
    own, predicted = own - own.mean(), predicted - predicted.mean()
    power, total = (predicted**2).sum(axis=1), predicted.sum(axis=1)
    spread = power[places].sum(axis=0) - total[places].sum(axis=0) ** 2 / own.size
    norms = np.linalg.norm(own) * np.sqrt(np.where(spread > EQUAL * power.max(), spread, np.inf))
    r = np.maximum((own @ predicted.T)[each, places].sum(axis=0) / np.where(norms > 0, norms, np.inf), 0.0)
    uneven = ((course - u[:, None]) ** 2).sum(axis=0) / max(band / 2, EQUAL) ** 2
    return places[:, np.argmax(-len(u) * _conditions(own) * np.log(np.maximum(1 - r**2, EQUAL)) - uneven)]


def _prefix(similarity: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Highest sum up to each session that ends at each time, (sessions, times)."""
    best = np.where(allowed, similarity, -np.inf)
    for session in range(1, len(best)):
        best[session] += np.maximum.accumulate(best[session - 1])
    return best


def _score(own: np.ndarray, predicted: np.ndarray, method: str, allowed: np.ndarray) -> float:
    similarity = between(prepare(own, method), predicted, method).mean(axis=0)
    return float(_prefix(similarity, allowed)[-1].max()) / len(similarity)


def _pairs(count: int) -> np.ndarray:
    """The number of each pair of conditions, (conditions, conditions); −1 on the diagonal."""
    number = np.full((count, count), -1)
    rows, columns = np.triu_indices(count, 1)
    number[rows, columns] = number[columns, rows] = np.arange(len(rows))
    return number


def _permuted(
    own: np.ndarray, predicted: Mapping[str, np.ndarray], method: str, allowed: Mapping[str, np.ndarray], draws: int,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Scores of data whose conditions have other labels."""
    count = _conditions(own)
    number, upper = _pairs(count), np.triu_indices(count, 1)
    ready = {name: prepare(vectors, method) for name, vectors in predicted.items()}
    found: dict[str, list[float]] = {name: [] for name in predicted}
    for _ in range(draws):
        order = rng.permutation(count)
        relabelled = own[..., number[np.ix_(order, order)][upper]]
        for name, vectors in ready.items():
            found[name].append(_score(relabelled, vectors, method, allowed[name]))
    return {name: np.array(scores) for name, scores in found.items()}


def _resampled(
    own: np.ndarray, predicted: Mapping[str, np.ndarray], method: str, allowed: Mapping[str, np.ndarray], draws: int,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Scores of conditions and repeats drawn with replacement, the same for every theory."""
    count, repeats = _conditions(own), len(own)
    number, upper = _pairs(count), np.triu_indices(count, 1)
    found: dict[str, list[float]] = {name: [] for name in predicted}
    while len(next(iter(found.values()))) < draws:
        chosen, again = rng.integers(count, size=count), rng.integers(repeats, size=repeats)
        if len(np.unique(chosen)) < 3:
            continue  # the dissimilarities of two conditions are one number, which correlates with nothing
        pairs = number[np.ix_(chosen, chosen)][upper]
        if method in ("cka", "procrustes"):

            def take(vectors: np.ndarray, pairs: np.ndarray = pairs) -> np.ndarray:
                return np.where(pairs >= 0, vectors[..., pairs], 0.0)
        else:

            def take(vectors: np.ndarray, pairs: np.ndarray = pairs) -> np.ndarray:
                return vectors[..., pairs[pairs >= 0]]

        for name, vectors in predicted.items():
            found[name].append(_score(take(own[again]), prepare(take(vectors), method), method, allowed[name]))
    return {name: np.array(scores) for name, scores in found.items()}


def _conditions(own: np.ndarray) -> int:
    return round((1 + np.sqrt(1 + 8 * own.shape[-1])) / 2)


def _ceiling(own: np.ndarray, method: str) -> np.ndarray | None:
    """Mean similarity of each repeat with what is pooled from the others (low) and from all (high), by session."""
    repeats, sessions = own.shape[:2]
    if repeats < 2:
        return None
    found = np.zeros((2, sessions))
    whole = pool(own, method)
    for left_out in range(repeats):
        others = pool(np.delete(own, left_out, axis=0), method)
        for row, pooled in enumerate((others, whole)):
            one, rest = (prepare(part[:, None], method) for part in (own[left_out], pooled))
            found[row] += between(one, rest, method)[:, 0, 0] / repeats
    return found


def _interval(value: float, draws: np.ndarray, ends: tuple[float, float]) -> tuple[float, float]:
    """Quantiles of the draws about the value: their mean is not the value, since conditions come more than once."""
    low, high = value + np.quantile(draws - draws.mean(), ends)
    return float(low), float(high)


def _p(p: float) -> str:
    return f"p = {p:.2g}" if p >= 0.001 else "p < 0.001"
