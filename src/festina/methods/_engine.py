"""The training engine: compiled steps, observers on a schedule, seeds batched the fastest way for size and device.

On a CPU the seeds are split over the cores, one thread each (XLA runs outside Python's lock, so no flag is needed),
and within a thread small networks run side by side (vmap) and wide ones in turn (map). On an accelerator all run side
by side.
"""

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from festina._network import Context, mean_loss
from festina._progress import active, track
from festina._types import Array, Weights

Predict = Callable[[Weights, Any], Array]
Observables = Callable[[Context], Mapping[str, Callable[[Weights], Any]]]

CHUNK = 16
"""Observations per compiled call: one compilation serves any number of times, and observations leave the device soon."""

WIDE = 10_000
"""Weights per network from which a core runs its seeds in turn: side by side they no longer fit its cache."""

REPORTS = 100
"""Parts a run is cut into while progress is shown."""


def train(
    predict: Predict,
    observables: Observables,
    context: Context,
    names: Sequence[str],
    starts: Sequence[Weights],
    steps: np.ndarray,
    rate: float,
    precision: str,
    batching: str,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Gradient descent from each start; ``names`` are observed after each number of ``steps``.

    Returns the observations, (seeds, times, …) each, and what it took: seconds compiling and running, and the batching.
    """
    dtype = np.float64 if precision == "double" else np.float32
    size = sum(w.size for w in starts[0])
    host = jax.default_backend() == "cpu"
    groups = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, len(starts))
    groups = groups if host else 1
    if batching == "auto":
        batching = "map" if host and size > WIDE else "vmap"
    with jax.enable_x64(precision == "double"):
        context = jax.tree.map(
            lambda a: jnp.asarray(a, dtype if np.issubdtype(np.asarray(a).dtype, np.floating) else None), context
        )
        eta = jnp.asarray(rate, dtype)
        per_group = math.ceil(len(starts) / groups)
        # the last group is filled up with copies of the last seed, so that one compilation serves all groups
        filled = [*starts, *[starts[-1]] * (per_group * groups - len(starts))]
        weights = [
            tuple(jnp.asarray(np.stack([s[i] for s in filled[g * per_group : (g + 1) * per_group]]), dtype)
                  for i in range(len(starts[0])))
            for g in range(groups)
        ]  # fmt: skip
        counts, observed = _schedule(steps)
        begun = time.perf_counter()
        arguments = (weights[0], context, eta, jnp.asarray(counts[0]))
        leaves, tree = jax.tree.flatten(jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arguments))
        compiled = _compile(predict, observables, tuple(names), batching, tuple(leaves), tree, jax.default_backend())
        compiling = time.perf_counter() - begun
        begun = time.perf_counter()
        seen: list[list[Any]] = [[] for _ in range(groups)]

        def advance(group: int, block: Array) -> None:
            weights[group], found = compiled(weights[group], context, eta, block)
            seen[group].append(jax.tree.map(np.asarray, found))

        with ThreadPoolExecutor(groups) as pool:
            for block in track(counts, "Train()"):
                piece = jnp.asarray(block)
                list(pool.map(advance, range(groups), [piece] * groups))
        running = time.perf_counter() - begun
    joined = [jax.tree.map(lambda *parts: np.concatenate(parts, axis=1)[:, observed], *part) for part in seen]
    values = jax.tree.map(lambda *parts: np.concatenate(parts)[: len(starts)], *joined)
    facts = {"batching": batching, "threads": groups, "device": jax.default_backend()}
    return values, {"seconds_compiling": compiling, "seconds_running": running, **facts}


def _schedule(steps: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """Steps before each observation, cut into blocks of ``CHUNK``; and which observations were asked for."""
    counts = np.diff(steps, prepend=0)
    asked = np.ones(len(counts), bool)
    if active():
        longest = max(1, int(steps[-1]) // REPORTS)
        parts = [np.full(max(1, math.ceil(c / longest)), longest) for c in counts]
        for part, count in zip(parts, counts, strict=True):
            part[-1] = count - part[:-1].sum()
        asked = np.concatenate([np.arange(len(part)) == len(part) - 1 for part in parts])
        counts = np.concatenate(parts)
    padded = np.concatenate([counts, np.zeros(-len(counts) % CHUNK, counts.dtype)])
    return list(padded.reshape(-1, CHUNK)), np.flatnonzero(asked)


@lru_cache(maxsize=128)
def _compile(
    predict: Predict,
    observables: Observables,
    names: tuple[str, ...],
    batching: str,
    leaves: tuple[jax.ShapeDtypeStruct, ...],
    tree: Any,
    backend: str,
) -> Callable[..., Any]:
    """The compiled run of one group; kept, so that equal shapes compile once."""

    def advance(weights: Weights, context: Context, rate: Array, counts: Array) -> tuple[Weights, dict[str, Any]]:
        gradient = jax.grad(lambda w: mean_loss(predict, w, context["data"]))
        watch = observables(context)

        def step(_: int, weights: Weights) -> Weights:
            return jax.tree.map(lambda w, g: w - rate * g, weights, gradient(weights))

        def stage(weights: Weights, count: Array) -> tuple[Weights, dict[str, Any]]:
            weights = lax.fori_loop(0, count, step, weights)
            return weights, {name: watch[name](weights) for name in names}

        def one(weights: Weights) -> tuple[Weights, dict[str, Any]]:
            return lax.scan(stage, weights, counts)

        return jax.vmap(one)(weights) if batching == "vmap" else lax.map(one, weights)

    arguments = jax.tree.unflatten(tree, leaves)
    return jax.jit(advance, donate_argnums=0).lower(*arguments).compile()
