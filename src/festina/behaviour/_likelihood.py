"""The likelihood of choices under a model, its derivatives through the learning rule, and its maximum.

For every trial t the recursion gives the logit z_t and, by forward differentiation along the same pass, ∂z_t/∂φ. The
score Σ ∂log p_t/∂φ and Fisher's information Σ (∂p_t/∂φ)(∂p_t/∂φ)ᵀ/(p_t(1 − p_t)) are sums over trials of these. The
maximum is found by Fisher scoring with bounds and damping. Many animals are computed side by side.
"""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import scipy

from festina.behaviour._model import Model, Parameter
from festina.behaviour._table import Trial
from festina.runtime import program
from festina.runtime.device import in_double
from festina.runtime.processor import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    import jax

CHUNK = 16
"""Lanes (animals or starts) that are computed side by side when there are few: a trial of a deep network takes 3.5 µs
for 8 lanes and 3.9 for 16."""

WIDE = 32
"""Lanes side by side when there are many: 5 µs for 32 lanes and 9 for 64. Twice as many without derivatives."""

MUCH = 130_000
"""Trials × lanes from which a wide chunk, padded, costs less than narrow ones; below, compiling it would cost more."""

ROUND, SHORT = 1024, 64
"""Trials are padded to a multiple of the first, or to the second if they are few, so that animals of similar length
share one compiled function."""

STEPS = 80
"""Evaluations per search; it takes ten to thirty."""

CONVERGED = 1e-6
"""Gain in log-likelihood that the next step promises: at a thousandth of a standard error, 5e-7."""

SAME = 1e-2
"""Log-likelihoods closer than this belong to one maximum, reached from two starts."""

HOPELESS = 3.0
"""A start that promises less than a third of what it is behind the best is given up."""

SMALLEST_STEP = 1e7
"""Damping at which a step is 1e-7 of Newton's."""

STALLED = 12
"""Evaluations in which a search has to gain ``SAME``; it otherwise creeps along a kink, where a weight reaches zero."""

POSITIVE = 0.1
"""Share of Fisher's smallest eigenvalue that the learned curvature has to keep."""

FAINT = 1e-12
"""Fisher's information about a parameter below which the data say nothing of it."""

LONGEST = 1.5
"""Longest step in any coordinate: a factor of 4.5 in a parameter on a log scale."""


Asked = TypeVar("Asked")
Result = TypeVar("Result")
"""Where a search asks for the likelihood, and what it finds."""


class Evaluation(NamedTuple):
    """Per lane (an animal, a start of a search, or both): log-likelihood, score and Fisher's information."""

    value: np.ndarray
    score: np.ndarray
    information: np.ndarray

    @property
    def finite(self) -> np.ndarray:
        """Where the recursion overflows neither in its value nor in its derivatives."""
        derivatives = np.isfinite(self.score).all(axis=-1) & np.isfinite(self.information).all(axis=(-2, -1))
        return np.asarray(np.isfinite(self.value) & derivatives)


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of one model.

    Attributes:
        model: the recursion.
        levels: number of different contrasts in the data.
    """

    model: Model
    levels: int

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of the model."""
        return self.model.parameters

    def evaluate(self, coordinates: np.ndarray, trials: Trial, animals: np.ndarray | None = None) -> Evaluation:
        """Log-likelihood, score and information at coordinates (lanes, parameters), on trials (animals, trials), of the
        animal of each lane.
        """
        return Evaluation(*_in_chunks(self, "slopes", coordinates, trials, animals, kept=slice(2, None)))

    def values(self, coordinates: np.ndarray, trials: Trial, animals: np.ndarray | None = None) -> np.ndarray:
        """Log-likelihood alone, at a fraction of the cost of its derivatives."""
        return _in_chunks(self, "values", coordinates, trials, animals)[0]

    def slopes(self, coordinates: np.ndarray, trials: Trial) -> tuple[np.ndarray, np.ndarray]:
        """Logit of P(right) of every trial (lanes, trials), given the choices and rewards before it, and its
        derivatives (lanes, trials, parameters).
        """
        logit, slope = _in_chunks(self, "slopes", coordinates, trials, kept=slice(2))
        return logit, slope

    def probabilities(self, coordinates: np.ndarray, trials: Trial) -> np.ndarray:
        """P(right) of every trial (lanes, trials), given the choices and rewards before it."""
        return scipy.special.expit(self.slopes(coordinates, trials)[0])

    def simulate(self, coordinates: np.ndarray, trials: Trial, uniform: np.ndarray) -> Trial:
        """Animals that follow the model on the stimuli of ``trials``: right is chosen where uniform < P(right).

        The rewarded side of a trial is the one that the table's own choice and reward imply.
        """
        rewarded_right = np.where(trials.reward > 0, trials.chose_right, 1 - trials.chose_right)
        extended = (*trials, rewarded_right, uniform)
        chose, reward = _in_chunks(self, "simulate", coordinates, extended)
        return trials._replace(chose_right=chose, reward=reward)


def stack(animals: list[Trial]) -> Trial:
    """Trials of several animals (animals, trials), padded at the end with trials that were not played."""
    longest = max(len(animal.left) for animal in animals)
    length = SHORT if longest <= SHORT else -(-longest // ROUND) * ROUND
    return Trial(
        *(
            np.stack([np.pad(np.asarray(a), (0, length - len(a))) for a in column])
            for column in zip(*animals, strict=True)
        )
    )


def repeat(trials: Trial, lanes: np.ndarray) -> Trial:
    """The trials of these animals, by index."""
    return Trial(*(np.asarray(column)[lanes] for column in trials))


def _in_chunks(
    likelihood: Likelihood,
    what: str,
    coordinates: np.ndarray,
    columns: Sequence[np.ndarray | jax.Array],
    animals: np.ndarray | None = None,
    *,
    kept: slice = slice(None),
) -> tuple[np.ndarray, ...]:
    """Run a compiled function on chunks of lanes of two sizes, so that two shapes are compiled, on all cores; of its
    results these are kept.
    """
    count = len(coordinates)
    which = np.arange(count) if animals is None else animals

    def run(lanes: np.ndarray) -> tuple[np.ndarray, ...]:
        own = tuple(np.asarray(c)[which[lanes]] for c in columns)
        with in_double(), np.errstate(all="ignore"):  # a recursion may overflow: the search sees it
            return tuple(np.asarray(part) for part in _compiled(likelihood, what)(coordinates[lanes], own)[kept])

    # functions without derivatives cost little compared with compiling: they have one shape
    chunks = _chunks(count, np.shape(columns[0])[1]) if what == "slopes" else _chunks(count, SHORT, 2 * WIDE)
    if len(chunks) == 1:
        parts = [run(chunks[0])]
    else:
        with ThreadPoolExecutor(cores()) as pool:
            parts = list(pool.map(run, chunks))
    return tuple(np.concatenate(column)[:count] for column in zip(*parts, strict=True))


def _chunks(count: int, trials: int, wide: int = WIDE) -> list[np.ndarray]:
    """Lanes 0 … count − 1 in chunks, wide ones first, and all wide where trials are few; the last chunk is padded with
    the last lane.
    """
    found, begin = [], 0
    while begin < count:
        size = wide if (count - begin) * trials > MUCH or trials <= SHORT else CHUNK
        found.append(np.minimum(np.arange(begin, begin + size), count - 1))
        begin += size
    return found


@functools.cache
def _compiled(likelihood: Likelihood, what: str) -> Callable:
    import jax
    import jax.numpy as jnp
    from jax import lax

    model, parameters = likelihood.model, likelihood.parameters

    def values(coordinates: jax.Array) -> dict[str, jax.Array]:
        pairs = zip(parameters, coordinates, strict=True)
        return {p.name: jnp.exp(c) if p.scale == "log" else c for p, c in pairs}

    def logits(coordinates: jax.Array, trials: Trial) -> jax.Array:
        at = values(coordinates)

        def step(state, trial):
            return model.learn(at, state, trial), model.logit(at, state, trial)

        return lax.scan(step, model.begin(at, likelihood.levels), trials)[1]

    def twice(coordinates: jax.Array, trials: Trial) -> tuple[jax.Array, jax.Array]:
        found = logits(coordinates, trials)
        return found, found

    def slopes(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array, ...]:
        trials = Trial(*columns)
        slope, z = jax.jacfwd(twice, has_aux=True)(coordinates, trials)
        p = jax.nn.sigmoid(z)
        information = (slope * (trials.counted * p * (1 - p))[:, None]).T @ slope
        return z, slope, chance(z, trials), (trials.counted * (trials.chose_right - p)) @ slope, information

    def chance(z: jax.Array, trials: Trial) -> jax.Array:
        return -jnp.sum(trials.counted * jnp.logaddexp(0, jnp.where(trials.chose_right > 0, -z, z)))

    def value(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array]:
        return (chance(logits(coordinates, Trial(*columns)), Trial(*columns)),)

    def simulate(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array, jax.Array]:
        *trials, rewarded_right, uniform = columns
        at = values(coordinates)

        def step(state, inputs):
            trial, side, u = inputs
            chose = (u < jax.nn.sigmoid(model.logit(at, state, trial))).astype(u.dtype)
            reward = (chose == side).astype(u.dtype)
            return model.learn(at, state, trial._replace(chose_right=chose, reward=reward)), (chose, reward)

        return lax.scan(step, model.begin(at, likelihood.levels), (Trial(*trials), rewarded_right, uniform))[1]

    return program.jit(jax.vmap({"slopes": slopes, "values": value, "simulate": simulate}[what]))


@dataclass(frozen=True, eq=False)
class Prior:
    """A normal prior on the coordinates, with independent components: mean (lanes, parameters), deviation
    (parameters,).
    """

    mean: np.ndarray
    deviation: np.ndarray

    def add(self, at: np.ndarray, lanes: np.ndarray, found: Evaluation) -> Evaluation:
        """Log-posterior (without its constant), with its gradient and information."""
        precision = self.deviation**-2.0
        away = at - self.mean[lanes]
        return Evaluation(
            found.value - 0.5 * np.sum(precision * away**2, axis=-1),
            found.score - precision * away,
            found.information + np.diag(precision),
        )


@dataclass(frozen=True, eq=False)
class Search:
    """End points of searches, per lane."""

    coordinates: np.ndarray
    found: Evaluation
    converged: np.ndarray


def answer(search: Generator[Asked, Evaluation, Result], evaluate: Callable[[Asked], Evaluation]) -> Result:
    """The result of a search that asks for the likelihood, which ``evaluate`` gives."""
    try:
        asked = next(search)
        while True:
            asked = search.send(evaluate(asked))
    except StopIteration as end:
        return end.value


def ascend(
    starts: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    *,
    prior: Prior | None = None,
    groups: np.ndarray | None = None,
    enough: float = CONVERGED,
) -> Generator[tuple[np.ndarray, np.ndarray], Evaluation, Search]:
    """Search for maxima from each start, within bounds; it asks for the likelihood at coordinates of lanes.

    A step solves (I + damping·diag I) Δ = score over the parameters that are free: not at a bound with the
    score pointing outwards. It is taken if the value rises; damping falls after a success and rises after a
    failure (Levenberg and Marquardt's rule). For a wrong model Fisher's information I is not the curvature. The
    difference is learned from the scores of successive points (a symmetric update of rank one), and used while the
    matrix stays positive. A search ends where the next step promises less than ``enough``. Lanes of one of the
    ``groups`` are starts for the same animal: they rest once the highest value was reached from two of them.
    """
    at = np.clip(starts, low, high)
    lanes = np.arange(len(at))
    asked = yield at, lanes
    now = Evaluation(*(part.copy() for part in (asked if prior is None else prior.add(at, lanes, asked))))
    lost = ~now.finite
    now.value[lost], now.score[lost], now.information[lost] = -np.inf, 0.0, np.eye(at.shape[1])
    damping, converged = np.full(len(at), 1e-3), np.zeros(len(at), dtype=bool)
    missing, risen, since = np.zeros_like(now.information), now.value.copy(), np.zeros(len(at), dtype=int)
    for _ in range(STEPS):
        step, promised = _step(at, now, low, high, damping, missing)
        # a step that a bound cuts short may promise a loss: then a shorter one is tried
        converged |= (np.abs(promised) < enough) & (damping <= 1e-1)
        # where no step however small gains, the maximum is at a kink: a weight that just reaches zero
        converged |= damping > SMALLEST_STEP
        fresh = now.value > risen + SAME
        risen, since = np.where(fresh, now.value, risen), np.where(fresh, 0, since + 1)
        converged |= (since > STALLED) & ~lost
        resting = converged | lost
        if groups is not None:
            resting |= _outrun(now.value, promised, converged, groups)
        active = lanes[~resting]
        if not len(active):
            break
        trial = np.clip(at + step, low, high)[active]
        asked = yield trial, active
        found = asked if prior is None else prior.add(trial, active, asked)
        better = found.finite & (found.value > now.value[active])
        up, down = active[better], active[~better]
        missing[up] = _learn_curvature(
            missing[up], trial[better] - at[up], now.score[up] - found.score[better], found.information[better]
        )
        at[up] = trial[better]
        for part, new in zip(now, found, strict=True):
            part[up] = new[better]
        # a step that fails by rounding alone has arrived
        converged[down[np.abs(promised[down]) < CONVERGED * 10]] = True
        damping[up], damping[down] = damping[up] / 5, damping[down] * 6
    return Search(at, now, converged & ~lost)


def _learn_curvature(missing: np.ndarray, step: np.ndarray, drop: np.ndarray, information: np.ndarray) -> np.ndarray:
    """Correction of Fisher's information, per lane, with which the last step explains the drop of the score."""
    left = drop - np.einsum("nij,nj->ni", information + missing, step)
    along = np.einsum("ni,ni->n", left, step)
    clear = np.abs(along) > 1e-8 * np.linalg.norm(left, axis=1) * np.linalg.norm(step, axis=1)
    return missing + np.where(clear, 1 / np.where(clear, along, 1.0), 0.0)[:, None, None] * (
        left[:, :, None] * left[:, None]
    )


def _step(
    at: np.ndarray, now: Evaluation, low: np.ndarray, high: np.ndarray, damping: np.ndarray, missing: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The damped step of every lane and the gain it promises."""
    free = ~((at <= low) & (now.score <= 0)) & ~((at >= high) & (now.score >= 0))
    held, count = np.eye(at.shape[1]) * ~free[:, None], at.shape[1]
    score, both = np.where(free, now.score, 0.0), free[:, :, None] & free[:, None]
    scale = np.where(free, np.maximum(np.einsum("nii->ni", now.information), FAINT), 1.0)
    size = np.sqrt(scale[:, :, None] * scale[:, None])
    # in units in which the diagonal is 1; parameters that are held do not move
    known = np.where(both, now.information, 0.0) / size + held
    matrix = known + np.where(both, missing, 0.0) / size
    lost = np.linalg.eigvalsh(matrix)[:, 0] < POSITIVE * np.linalg.eigvalsh(known)[:, 0]
    matrix[lost] = known[lost]
    values, vectors = np.linalg.eigh(matrix + (damping[:, None] + FAINT / scale)[:, None] * np.eye(count))
    kept = np.abs(values) > count * np.finfo(float).eps * np.abs(values).max(axis=1, keepdims=True)
    turned = np.einsum("nij,ni->nj", vectors, score / np.sqrt(scale)) * kept / np.where(kept, values, 1.0)
    move = np.einsum("nij,nj->ni", vectors, turned) / np.sqrt(scale)
    move *= np.minimum(1.0, LONGEST / np.maximum(np.abs(move).max(axis=1), 1e-300))[:, None]
    move = np.where(free, np.clip(at + move, low, high) - at, 0.0)
    scaled = move * np.sqrt(scale)
    return move, np.einsum("ni,ni->n", score, move) - 0.5 * np.einsum("ni,nij,nj->n", scaled, matrix, scaled)


def _outrun(values: np.ndarray, promised: np.ndarray, converged: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Lanes that can stop. Their group reached its highest value from two starts, one of them converged, or they
    promise far less than they lie behind a converged lane.
    """
    done = np.zeros(len(values), dtype=bool)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        order = own[np.argsort(values[own])[::-1]]
        if len(own) < 2 or not converged[order[0]]:
            continue
        behind = values[order[0]] - values[own]
        done[own] = (values[order[0]] - values[order[1]] < SAME) | (HOPELESS * np.abs(promised[own]) < behind)
    return done
