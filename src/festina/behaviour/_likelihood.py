"""The likelihood of choices under a model, with its derivatives through the learning rule, for many animals at once.

Of every trial t the recursion gives the logit z_t and, by forward differentiation along the same pass, ∂z_t/∂φ. The
score Σ ∂log p_t/∂φ and Fisher's information Σ (∂p_t/∂φ)(∂p_t/∂φ)ᵀ/(p_t(1 − p_t)) are sums over trials of these.
"""

from __future__ import annotations

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from festina.behaviour._model import LAPSES, Model, Parameter, Trial
from festina.runtime.device import in_double
from festina.runtime.processor import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import jax

CHUNK = 8
"""Lanes (animals or starts) that are computed side by side when there are few: all starts of one animal."""

WIDE = 64
"""Lanes side by side when there are many: on one core 128 lanes of 12,000 trials take 0.73 s by 64 and 1.6 s by 8."""

MUCH = 300_000
"""Trials × lanes from which a wide chunk, padded, costs less than narrow ones; below, compiling it would cost more."""

ROUND = 1024
"""Trials are padded to a multiple of this, so that animals of similar length share one compiled function."""


class Evaluation(NamedTuple):
    """Per lane (an animal, a start of a search, or both): log-likelihood, score and Fisher's information."""

    value: np.ndarray
    score: np.ndarray
    information: np.ndarray


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of one model with or without lapses.

    Attributes:
        model: the recursion.
        lapse: None, ``"one"`` or ``"two"``.
        levels: number of different contrasts in the data.
    """

    model: Model
    lapse: str | None
    levels: int

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of the model, then the lapses."""
        return (*self.model.parameters, *LAPSES[self.lapse])

    def evaluate(self, coordinates: np.ndarray, trials: Trial) -> Evaluation:
        """Log-likelihood, score and information at coordinates (lanes, parameters), on trials (lanes, trials)."""
        return Evaluation(*_in_chunks(self, "evaluate", coordinates, trials))

    def probabilities(self, coordinates: np.ndarray, trials: Trial) -> np.ndarray:
        """P(right) of every trial (lanes, trials), given the choices and rewards before it."""
        return _in_chunks(self, "probabilities", coordinates, trials)[0]

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
    length = -(-longest // ROUND) * ROUND
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
    likelihood: Likelihood, what: str, coordinates: np.ndarray, columns: Sequence[np.ndarray | jax.Array]
) -> tuple[np.ndarray, ...]:
    """Run a compiled function on chunks of lanes of two sizes, so that two shapes are compiled, on all cores."""
    count = len(coordinates)

    def run(lanes: np.ndarray) -> tuple[np.ndarray, ...]:
        with in_double():
            found = _compiled(likelihood, what)(coordinates[lanes], tuple(np.asarray(c)[lanes] for c in columns))
            return tuple(np.asarray(part) for part in found)

    chunks = _chunks(count, np.shape(columns[0])[1])
    if len(chunks) == 1:
        parts = [run(chunks[0])]
    else:
        with ThreadPoolExecutor(cores()) as pool:
            parts = list(pool.map(run, chunks))
    return tuple(np.concatenate(column)[:count] for column in zip(*parts, strict=True))


def _chunks(count: int, trials: int) -> list[np.ndarray]:
    """Lanes 0 … count − 1 in chunks, wide ones first; the last chunk is padded with the last lane."""
    found, begin = [], 0
    while begin < count:
        size = WIDE if (count - begin) * trials > MUCH else CHUNK
        found.append(np.minimum(np.arange(begin, begin + size), count - 1))
        begin += size
    return found


@functools.cache
def _compiled(likelihood: Likelihood, what: str) -> Callable:
    import jax
    import jax.numpy as jnp
    from jax import lax

    model, parameters = likelihood.model, likelihood.parameters
    lapses = [p.name for p in LAPSES[likelihood.lapse]]

    def values(coordinates: jax.Array) -> dict[str, jax.Array]:
        pairs = zip(parameters, coordinates, strict=True)
        return {p.name: jnp.exp(c) if p.scale == "log" else c for p, c in pairs}

    def logits(coordinates: jax.Array, trials: Trial) -> jax.Array:
        at = values(coordinates)

        def step(state, trial):
            return model.learn(at, state, trial), model.logit(at, state, trial)

        return lax.scan(step, model.begin(at, likelihood.levels), trials)[1]

    def sides(at: dict[str, jax.Array]) -> tuple[jax.Array, jax.Array]:
        """Lapse rates to the left and to the right."""
        if likelihood.lapse == "one":
            return at["lapse"] / 2, at["lapse"] / 2
        return at["lapse_left"], at["lapse_right"]

    def evaluate(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array, ...]:
        trials = Trial(*columns)

        def twice(c: jax.Array) -> tuple[jax.Array, jax.Array]:
            found = logits(c, trials)
            return found, found

        slope, z = jax.jacfwd(twice, has_aux=True)(coordinates)
        sign = 2 * trials.chose_right - 1
        if not lapses:
            p = jax.nn.sigmoid(z)
            score, weight = trials.counted * (trials.chose_right - p), trials.counted * p * (1 - p)
            value = -(trials.counted * jax.nn.softplus(-sign * z)).sum()
            return value, score @ slope, (slope * weight[:, None]).T @ slope
        at = values(coordinates)
        left, right = sides(at)
        s = jax.nn.sigmoid(z)
        p = right + (1 - left - right) * s
        by_z = (1 - left - right) * s * (1 - s)
        change = {"lapse": 0.5 - s, "lapse_left": -s, "lapse_right": 1 - s}
        by_lapse = [change[name] for name in lapses]
        slope = by_z[:, None] * slope + jnp.stack([jnp.zeros_like(z)] * len(model.parameters) + by_lapse, axis=1)
        score = trials.counted * (trials.chose_right - p) / (p * (1 - p))
        value = (trials.counted * jnp.log(jnp.where(sign > 0, p, 1 - p))).sum()
        return value, score @ slope, (slope * (trials.counted / (p * (1 - p)))[:, None]).T @ slope

    def lapsed(at: dict[str, jax.Array], z: jax.Array) -> jax.Array:
        if not lapses:
            return jax.nn.sigmoid(z)
        left, right = sides(at)
        return right + (1 - left - right) * jax.nn.sigmoid(z)

    def probabilities(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array]:
        return (lapsed(values(coordinates), logits(coordinates, Trial(*columns))),)

    def simulate(coordinates: jax.Array, columns: tuple) -> tuple[jax.Array, jax.Array]:
        *trials, rewarded_right, uniform = columns
        at = values(coordinates)

        def step(state, inputs):
            trial, side, u = inputs
            chose = (u < lapsed(at, model.logit(at, state, trial))).astype(u.dtype)
            reward = (chose == side).astype(u.dtype)
            return model.learn(at, state, trial._replace(chose_right=chose, reward=reward)), (chose, reward)

        return lax.scan(step, model.begin(at, likelihood.levels), (Trial(*trials), rewarded_right, uniform))[1]

    jobs = {"evaluate": evaluate, "probabilities": probabilities, "simulate": simulate}
    return jax.jit(jax.vmap(jobs[what]))
