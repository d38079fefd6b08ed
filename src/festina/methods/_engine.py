"""The training engine: compiled steps, observers on a schedule, seeds batched."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from festina._network import Data
from festina._progress import track
from festina._types import Array, Weights

CHUNK = 64
"""Observations per compiled call; between calls progress is shown and observations leave the device."""

WIDE = 20_000
"""Weights per network above which a CPU runs seeds one after another: their products no longer fit the cache."""


def train(
    predict: Callable[[Weights, Array], Array],
    watch: Mapping[str, Callable[[Weights], Any]],
    data: Data,
    starts: Sequence[Weights],
    steps: np.ndarray,
    rate: float,
    precision: str,
    batching: str,
) -> tuple[dict[str, Any], dict[str, float]]:
    """Gradient descent from each start; ``watch`` is observed after each number of ``steps``.

    Returns the observations, (seeds, times, …) each, and the seconds spent compiling and running.
    """
    dtype = np.float64 if precision == "double" else np.float32
    with jax.enable_x64(precision == "double"):
        size = sum(w.size for w in starts[0])
        wide = jax.default_backend() == "cpu" and size > WIDE
        batched = (lambda f: jax.vmap(f)) if batching == "vmap" or (batching == "auto" and not wide) else _in_turn
        x, y = jnp.asarray(data.x, dtype), jnp.asarray(data.y, dtype)
        share = jnp.asarray(1.0 / data.count, dtype)
        eta = jnp.asarray(rate, dtype)

        def loss(weights: Weights) -> Array:
            return 0.5 * share * jnp.sum((predict(weights, x) - y) ** 2)

        gradient = jax.grad(loss)

        def step(_: int, weights: Weights) -> Weights:
            return jax.tree.map(lambda w, g: w - eta * g, weights, gradient(weights))

        def stage(weights: Weights, count: Array) -> tuple[Weights, dict[str, Any]]:
            weights = lax.fori_loop(0, count, step, weights)
            return weights, {name: see(weights) for name, see in watch.items()}

        def advance(weights: Weights, counts: Array) -> tuple[Weights, dict[str, Any]]:
            return batched(lambda w: lax.scan(stage, w, counts))(weights)

        weights = tuple(jnp.stack([jnp.asarray(s[i], dtype) for s in starts]) for i in range(len(starts[0])))
        counts = np.diff(steps, prepend=0)
        chunk = min(CHUNK, len(counts))
        padded = np.concatenate([counts, np.zeros(-len(counts) % chunk, np.int64)]).reshape(-1, chunk)
        begun = time.perf_counter()
        compiled = jax.jit(advance, donate_argnums=0).lower(weights, jnp.asarray(padded[0])).compile()
        compiling = time.perf_counter() - begun
        seen = []
        begun = time.perf_counter()
        for block in track(list(padded), "Train()"):
            weights, observed = compiled(weights, jnp.asarray(block))
            seen.append(jax.tree.map(np.asarray, observed))
        running = time.perf_counter() - begun
    values = jax.tree.map(lambda *parts: np.concatenate(parts, axis=1)[:, : len(steps)], *seen)
    return values, {"seconds_compiling": compiling, "seconds_running": running}


def _in_turn(function: Callable[[Weights], Any]) -> Callable[[Weights], Any]:
    return lambda weights: lax.map(function, weights)
