"""Selectivity of single units: factors, their mixtures, and whether mixtures are more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import scipy

from festina.analysis import Trajectory
from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.core.display import aligned, render
from festina.core.look import axis, styled
from festina.explanation._findings import percent

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Activity = ArrayLike | Trajectory | Mapping[str, ArrayLike | Trajectory]
"""([repeats,] units, conditions), a trajectory that observed ``hidden``, or several of these by name."""

LEAST = 0.05
"""Share of a unit's variance from which a response without noise counts."""

KINDS = ("none", "pure", "linear mixed", "nonlinear mixed")
"""No factor; one factor; several that add up; responses to combinations of factors."""

APART = 0.05
"""Share of the conditions in which units of a module may be on differently."""

SHUFFLES = 20
"""Shuffled populations of which the decoding is averaged."""

DICHOTOMIES = 500
"""Divisions of the conditions into two sets that are tried, if there are more."""


@dataclass(frozen=True, eq=False)
class Population:
    """The units of one recording or network.

    Attributes:
        name: the name of the recording or network.
        strengths: by unit and factor, the share of its variance that the factor explains beyond the others.
        interaction: by unit, the share that combinations of factors explain beyond all factors together.
        noise: by unit, the share that conditions do not explain.
        p: by unit, for each factor and last for the combinations, from permutations; NaN without noise.
        kinds: by unit, one of ``"none"``, ``"pure"``, ``"linear mixed"`` and ``"nonlinear mixed"``.
        preferred: by unit, the strongest factor; "" for ``"none"``.
        stability: by unit, correlation of its responses in two halves of the repeats; NaN without repeats.
        modules: the module of every unit, from 0: units that are on (above the middle of their range) in the same
            conditions; −1 for units that do not respond.
        gates: (modules, conditions): where each is on.
        p_mixed: share of permutations with at least as many nonlinear mixed units; NaN without noise.
        decoding: mean accuracy, on the repeats left out, of linear readouts of all divisions of the conditions into
            two halves (shattering dimensionality); ``additive_decoding`` where the factors add up, and what they leave
            is shuffled over trials. NaN without repeats.
    """

    name: str
    strengths: np.ndarray
    interaction: np.ndarray
    noise: np.ndarray
    p: np.ndarray
    kinds: tuple[str, ...]
    preferred: tuple[str, ...]
    stability: np.ndarray
    modules: np.ndarray
    gates: np.ndarray
    p_mixed: float
    decoding: float
    additive_decoding: float

    @property
    def shares(self) -> dict[str, float]:
        """Share of units of each kind."""
        return {kind: float(np.mean([one == kind for one in self.kinds])) for kind in KINDS}


@dataclass(frozen=True, eq=False, repr=False)
class Selectivity:
    """Which units respond to what, of one or several populations side by side; made by ``fs.explain(..., factors=…)``.

    Attributes:
        populations: recordings and networks, in the order in which they were given.
        factors: names of the factors.
        level: p up to which a response counts.

    Example:
        >>> import numpy as np, festina as fs
        >>> colour, context = [0, 0, 1, 1], [0, 1, 0, 1]
        >>> activity = np.array([[0, 0, 1, 1], [0, 1, 1, 2], [0, 0, 0, 1.0]])  # units × conditions
        >>> found = fs.explain(activity, factors={"colour": colour, "context": context})
        >>> found.populations[0].kinds
        ('pure', 'linear mixed', 'nonlinear mixed')
    """

    populations: tuple[Population, ...]
    factors: tuple[str, ...]
    level: float
    notes: tuple[str, ...] = field(default=())

    def to_pandas(self) -> pandas.DataFrame:
        """One row per unit.

        Example:
            >>> import festina as fs
            >>> found = fs.explain([[0, 0, 1, 1.0]], factors={"colour": list("rrgg"), "context": list("1212")})
            >>> found.to_pandas()[["preferred", "kind"]].values.tolist()
            [['colour', 'pure']]
        """
        import pandas

        parts = []
        for one in self.populations:
            columns: dict[str, object] = {"population": one.name, "unit": np.arange(len(one.kinds))}
            columns |= {"preferred": one.preferred, "kind": one.kinds}
            columns |= {f"strength of {name}": one.strengths[:, k] for k, name in enumerate(self.factors)}
            columns |= {"strength of combinations": one.interaction, "noise": one.noise}
            columns |= {f"p of {name}": one.p[:, k] for k, name in enumerate((*self.factors, "combinations"))}
            parts.append(pandas.DataFrame({**columns, "stability": one.stability, "module": one.modules}))
        return pandas.concat(parts, ignore_index=True)

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("", *(one.name for one in self.populations))]
        rows.append(("units", *(str(len(one.kinds)) for one in self.populations)))
        rows += [(kind, *(percent(one.shares[kind]) for one in self.populations)) for kind in KINDS]
        for k, name in enumerate((*self.factors, "combinations")):
            parts = (one.strengths[:, k] if k < len(self.factors) else one.interaction for one in self.populations)
            rows.append((f"variance by {name}", *(percent(float(part.mean())) for part in parts)))
        rows.append(("modules", *(str(len(one.gates)) for one in self.populations)))
        rows.append(("p of the number of nonlinear units", *(_or_none(one.p_mixed) for one in self.populations)))
        rows.append(("decoding of divisions", *(_or_none(one.decoding) for one in self.populations)))
        rows.append(("without combinations", *(_or_none(one.additive_decoding) for one in self.populations)))
        return rows

    def _sentences(self) -> list[str]:
        lines = []
        for one in self.populations:
            mixed = percent(one.shares["nonlinear mixed"])
            chance = ""
            if np.isfinite(one.p_mixed):
                more = "more than" if one.p_mixed <= self.level else "no more than"
                chance = f", {more} chance gives (p = {one.p_mixed:.2g})"
            lines.append(f"{one.name}: {mixed} of the units respond to combinations of factors{chance}.")
        return [*lines, *self.notes]

    def __str__(self) -> str:
        table = aligned(self._rows())
        return "\n".join([*self._sentences(), "", *table])

    def __repr__(self) -> str:
        parts = (f"{len(one.kinds)} units of {one.name}" for one in self.populations)
        return f"Selectivity({'; '.join(parts)}; factors: {', '.join(self.factors)})"

    def _repr_html_(self) -> str:
        rows, (first, *rest) = self._rows(), self._sentences()
        return render(first, rows[1:], rest, header=rows[0])

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the share of units of each kind, populations side by side.

        Args:
            ax: axes to draw into; None is pyplot's current axes.
        """
        ax = axis(ax)
        count = len(self.populations)
        for k, one in enumerate(self.populations):
            places = np.arange(len(KINDS)) + (k - (count - 1) / 2) * 0.8 / count
            ax.bar(places, list(one.shares.values()), width=0.75 / count, label=one.name)
        ax.set_xticks(np.arange(len(KINDS)), [kind.replace(" ", "\n") for kind in KINDS])
        ax.set(ylabel="share of units", ylim=(0, 1))
        ax.legend()
        return ax


def _or_none(value: float) -> str:
    return f"{value:.2g}" if np.isfinite(value) else "–"


def selectivity(
    activity: Activity,
    factors: Mapping[str, Sequence[object] | np.ndarray],
    *,
    layer: int = 0,
    permutations: int = 499,
    level: float = 0.05,
    seed: int = 0,
) -> Selectivity:
    """Which units respond to which factors, and which to combinations of them, as Rigotti et al. (2013) ask.

    The variance of a unit over trials is divided into what each factor explains beyond the others, what combinations
    explain beyond all factors together, and the rest. Each part is tested by shuffling the residuals of the model
    without it. The number of units that respond to combinations is tested against the number in shuffled data.

    Args:
        activity: ([repeats,] units, conditions); a trajectory that observed ``hidden``, whose last time is taken and
            whose seeds follow each other; or several of these by name.
        factors: by name, the label of each condition.
        layer: the layer of a trajectory, 0 for the first.
        permutations: how many are drawn for each test.
        level: p up to which a response counts.
        seed: the seed of the permutations.

    Raises:
        ValueError: activity and factors of different numbers of conditions, or a factor with one label.

    Example:
        >>> import numpy as np, festina as fs
        >>> factors = {"colour": list("rrgg"), "context": list("1212")}
        >>> trials = np.array([[0, 0, 1, 1.0]]) + 0.1 * np.random.default_rng(0).normal(size=(6, 1, 4))
        >>> found = fs.explanation.selectivity({"recorded": trials}, factors).populations[0]
        >>> found.kinds, bool(found.stability[0] > 0.9)
        (('pure',), True)
    """
    check.instance("factors", factors, Mapping, "a dictionary from names to one label per condition")
    labels = {
        str(name): [str(one) for one in check.listing(f"factors[{name!r}]", given, "labels")]
        for name, given in factors.items()
    }
    if not labels or len({len(given) for given in labels.values()}) != 1:
        raise ValueError("factors needs at least one factor, and one label per condition in each.")
    conditions = len(next(iter(labels.values())))
    for name, given in labels.items():
        if len(set(given)) < 2:
            raise ValueError(f"factors[{name!r}] is {given[0]!r} in all conditions; at least two labels are needed.")
    level = check.positive("level", level)
    draws, rng = check.whole("permutations", permutations), np.random.default_rng(check.seed("seed", seed))
    named = activity if isinstance(activity, Mapping) else {"activity": activity}
    if not named:
        raise ValueError("activity is empty; give ([repeats,] units, conditions), or several of them by name.")
    given = {str(name): _responses(str(name), part, conditions, layer) for name, part in named.items()}
    found = tuple(_population(name, part, labels, draws, level, rng) for name, part in given.items())
    exact = [one.name for one in found if np.isnan(one.p_mixed)]
    notes = () if not exact else (
        f"{', '.join(exact)}: no noise to test against, so a response counts from {percent(LEAST)} of the variance.",
    )  # fmt: skip
    return Selectivity(found, tuple(labels), level, notes)


def _responses(name: str, given: object, conditions: int, layer: int) -> np.ndarray:
    """(repeats, units, conditions)."""
    if isinstance(given, Trajectory):
        if "hidden" not in given.values:
            raise ValueError(f"activity {name!r} did not observe 'hidden'; call fs.evolve(..., observe=('hidden',)).")
        hidden = given["hidden"]
        layers = hidden if isinstance(hidden, tuple) else (hidden,)
        last = np.asarray(layers[check.whole("layer", layer, least=0, most=len(layers) - 1)], float)[..., -1, :, :]
        array = np.swapaxes(last if last.ndim == 2 else np.concatenate(list(last), axis=-1), -1, -2)
    else:
        array = check.numbers("activity", given)
    if array.ndim not in (2, 3) or not array.size or array.shape[-1] != conditions:
        raise ValueError(
            f"activity {name!r} has shape {array.shape} and factors have {conditions} conditions; ([repeats,] units, "
            "conditions) is needed."
        )
    return array if array.ndim == 3 else array[None]


def _basis(*columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what the columns and a constant span."""
    return scipy.linalg.orth(np.column_stack([np.ones(len(columns[0])), *columns]), rcond=1e-10)


def _population(
    name: str, responses: np.ndarray, factors: Mapping[str, list[str]], draws: int, level: float,
    rng: np.random.Generator,
) -> Population:  # fmt: skip
    repeats, units, conditions = responses.shape
    trials = np.swapaxes(responses, 1, 2).reshape(repeats * conditions, units)
    # a column for each label of a factor but the first
    columns = {
        factor: np.tile(np.eye(len(set(labels)))[:, 1:][np.unique(labels, return_inverse=True)[1]], (repeats, 1))
        for factor, labels in factors.items()
    }
    cells = list(zip(*factors.values(), strict=True))
    cell_of = np.array([sorted(set(cells)).index(cell) for cell in cells])
    count = int(cell_of.max()) + 1
    additive = _basis(*columns.values())
    full = _basis(np.tile(np.eye(count)[cell_of], (repeats, 1)))
    without = [_basis(*(part for other, part in columns.items() if other != factor), np.zeros((len(trials), 1)))
               for factor in columns]  # fmt: skip
    total = ((trials - trials.mean(axis=0)) ** 2).sum(axis=0)

    def share(high: np.ndarray, low: np.ndarray) -> np.ndarray:
        """Share of the variance of each unit; 0 where it has none."""
        return np.where(total > 0, np.maximum(high - low, 0.0) / np.where(total > 0, total, 1.0), 0.0)

    strengths = np.stack([share(_power(trials, additive), _power(trials, less)) for less in without], axis=1)
    interaction = share(_power(trials, full), _power(trials, additive))
    noise = share((trials**2).sum(axis=0), _power(trials, full))
    spare = len(trials) - full.shape[1]
    tests = [*((less, additive) for less in without), (additive, full)]
    p, p_mixed = np.full((units, len(tests)), np.nan), np.nan
    if spare > 0 and noise.max() > 1e-12:
        for k, (less, more) in enumerate(tests):
            p[:, k], at_least = _permuted(trials, less, more, full, draws, level, rng)
            p_mixed = at_least if k == len(tests) - 1 and more.shape[1] > less.shape[1] else p_mixed
        counts = p <= level
    else:
        counts = np.column_stack([strengths, interaction]) >= LEAST
    counts[:, -1] &= full.shape[1] > additive.shape[1]
    kinds = tuple("nonlinear mixed" if row[-1] else KINDS[min(int(row[:-1].sum()), 2)] for row in counts)
    names = tuple(factors)
    best = tuple(
        "" if kind == "none" else names[int(np.argmax(row))] for kind, row in zip(kinds, strengths, strict=True)
    )
    halves = [responses[start::2].mean(axis=0) for start in (0, 1)] if repeats > 1 else None
    stability = np.full(units, np.nan) if halves is None else _correlation(*halves)
    modules, gates = _modules(responses.mean(axis=0), np.array(kinds) != "none")
    decoding = additive_decoding = np.nan
    if repeats > 1 and count > 1:
        decoding = _decoding(responses, cell_of, rng)
        fitted = additive @ (additive.T @ trials)
        shuffled = (fitted + (trials - fitted)[rng.permutation(len(trials))] for _ in range(SHUFFLES))
        again = (np.swapaxes(part.reshape(repeats, conditions, units), 1, 2) for part in shuffled)
        additive_decoding = float(np.mean([_decoding(part, cell_of, rng) for part in again]))
    return Population(
        name, strengths, interaction, noise, p, kinds, best, stability, modules, gates, float(p_mixed), decoding,
        additive_decoding,
    )  # fmt: skip


def _power(values: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Squared length of each column of the values within what the basis spans."""
    return ((basis.T @ values) ** 2).sum(axis=0)


def _permuted(
    trials: np.ndarray, less: np.ndarray, more: np.ndarray, full: np.ndarray, draws: int, level: float,
    rng: np.random.Generator,
) -> tuple[np.ndarray, float]:  # fmt: skip
    """p of each unit that a larger model explains more, and of their number; residuals of the smaller are shuffled."""
    fitted = less @ (less.T @ trials)
    residuals = trials - fitted

    def gain(values: np.ndarray) -> np.ndarray:
        left = np.maximum((values**2).sum(axis=0) - _power(values, full), 1e-300)
        return (_power(values, more) - _power(values, less)) / left

    found = gain(trials)
    null = np.array([gain(fitted + residuals[rng.permutation(len(trials))]) for _ in range(draws)])
    p = (1 + (null >= found).sum(axis=0)) / (1 + draws)
    ranks = (1 + draws - scipy.stats.rankdata(null, axis=0, method="min") + 1) / (1 + draws)
    counts = (ranks <= level).sum(axis=1)
    return p, float((1 + (counts >= (p <= level).sum()).sum()) / (1 + draws))


def _correlation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    a, b = (part - part.mean(axis=1, keepdims=True) for part in (a, b))
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.divide((a * b).sum(axis=1), norms, out=np.zeros(len(a)), where=norms > 0)


def _modules(means: np.ndarray, responsive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Units that are on in the same conditions, on being above the middle of the range."""
    labels = np.full(len(means), -1)
    middle = (means.max(axis=1, keepdims=True) + means.min(axis=1, keepdims=True)) / 2
    on = means > middle
    chosen = np.flatnonzero(responsive & (np.ptp(means, axis=1) > 0))
    if len(chosen) > 1:
        apart = scipy.spatial.distance.pdist(on[chosen], "hamming")
        tree = scipy.cluster.hierarchy.linkage(apart, "complete")
        labels[chosen] = scipy.cluster.hierarchy.fcluster(tree, APART, "distance") - 1
    elif len(chosen):
        labels[chosen] = 0
    sizes = np.bincount(labels[chosen], minlength=labels.max() + 1)
    order = np.argsort(-sizes, kind="stable")
    labels[chosen] = np.argsort(order)[labels[chosen]]
    gates = [on[labels == k].mean(axis=0) > 0.5 for k in range(len(order))]
    return labels, np.array(gates).reshape(len(order), means.shape[1])


def _decoding(responses: np.ndarray, cell_of: np.ndarray, rng: np.random.Generator) -> float:
    """Mean accuracy over divisions of the cells in halves, each repeat being left out once."""
    count, (repeats, units, _) = int(cell_of.max()) + 1, responses.shape
    half = list(combinations(range(1, count), count // 2 - (1 if count % 2 == 0 else 0)))
    sides = [(0, *part) if count % 2 == 0 else part for part in half]
    if len(sides) > DICHOTOMIES:
        sides = [sides[k] for k in rng.choice(len(sides), DICHOTOMIES, replace=False)]
    signs = np.array([np.where(np.isin(cell_of, side), 1.0, -1.0) for side in sides]).T
    right = []
    for left_out in range(repeats):
        train = np.swapaxes(np.delete(responses, left_out, axis=0), 1, 2).reshape(-1, units)
        centre = train.mean(axis=0)
        inner = (train - centre) @ (train - centre).T
        ridge = np.trace(inner) / len(inner)
        weights = (train - centre).T @ np.linalg.solve(
            inner + ridge * np.eye(len(inner)), np.tile(signs, (repeats - 1, 1))
        )
        right.append(np.mean(((responses[left_out].T - centre) @ weights) * signs > 0))
    return float(np.mean(right))
