"""The training engine: compiled steps, observers on a schedule, seeds batched the fastest way for size and device.

On a CPU the seeds are split over the cores, one thread each (XLA runs outside Python's lock, so no flag is needed),
and within a thread small networks run side by side (vmap) and wide ones in turn (map). On a GPU all run side by side,
two-layer networks in single precision by one kernel (fused).
"""

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from festina._network import Context, mean_loss
from festina._progress import active, track
from festina._types import Array, Weights
from festina.linear._layered import relu_predict
from festina.linear._network import linear_predict
from festina.methods import _fused

Predict = Callable[[Weights, Any], Array]
Observables = Callable[[Context], Mapping[str, Callable[[Weights], Any]]]

CHUNK = 16
"""Observations per compiled call: one compilation serves any number of times, and observations leave it soon."""

WIDE = 10_000
"""Weights per network from which a core runs its seeds in turn: side by side they no longer fit its cache."""

REPORTS = 100
"""Parts a run is cut into while progress is shown."""


FUSIBLE: dict[Predict, bool] = {linear_predict: False, relu_predict: True}
"""Forward passes that the fused kernel knows, and whether they rectify."""


class Way(NamedTuple):
    """What compiled code depends on besides shapes."""

    predict: Predict
    observables: Observables
    names: tuple[str, ...]
    batching: str
    precision: str
    exact_inputs: bool = False


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
    host = jax.default_backend() == "cpu"
    groups = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, len(starts))
    groups = groups if host else 1
    how = Way(
        predict, observables, tuple(names), _batching(batching, predict, context, starts[0], precision), precision
    )
    if how.batching == "fused":
        how = how._replace(exact_inputs=_fused.coarse(context["data"].x))
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
        compiled = _compile(how, tuple(leaves), tree, jax.default_backend())
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
    facts = {"batching": how.batching, "threads": groups, "device": jax.default_backend()}
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


def _batching(asked: str, predict: Predict, context: Context, start: Weights, precision: str) -> str:
    """How seeds run together: what was asked for, or the fastest for this size on this device."""
    data = context["data"]
    fusible = predict in FUSIBLE and precision != "double" and _fused.fits(start, data.x, data.y)
    gpu = jax.default_backend() == "gpu"
    if asked == "fused" and not (gpu and fusible):
        raise ValueError(
            "batching is 'fused', which is for two-layer linear or ReLU networks in single precision on a GPU, with at "
            f"most {_fused.LARGEST} data points, inputs and outputs; use batching='auto'."
        )
    if asked != "auto":
        return asked
    if jax.default_backend() == "cpu":
        return "map" if sum(w.size for w in start) > WIDE else "vmap"
    return "fused" if gpu and fusible else "vmap"


@lru_cache(maxsize=128)
def _compile(how: Way, leaves: tuple[jax.ShapeDtypeStruct, ...], tree: Any, backend: str) -> Callable[..., Any]:
    """The compiled run of one group; kept, so that equal shapes compile once."""

    def advance(weights: Weights, context: Context, rate: Array, counts: Array) -> tuple[Weights, dict[str, Any]]:
        data, watch = context["data"], how.observables(context)
        gradient = jax.grad(lambda w: mean_loss(how.predict, w, data))

        def step(_: Array, weights: Weights) -> Weights:
            return jax.tree.map(lambda w, g: w - rate * g, weights, gradient(weights))

        def see(weights: Weights) -> dict[str, Any]:
            return {name: watch[name](weights) for name in how.names}

        def stage(weights: Weights, count: Array) -> tuple[Weights, dict[str, Any]]:
            weights = lax.fori_loop(0, count, step, weights)
            return weights, see(weights)

        def fused_stage(weights: Weights, count: Array) -> tuple[Weights, dict[str, Any]]:
            first, second = weights
            weights = _fused.descend(
                first, second, data.x, data.y, rate / data.count, count,
                relu=FUSIBLE[how.predict], split=how.precision == "single", exact_inputs=how.exact_inputs,
            )  # fmt: skip
            return weights, jax.vmap(see)(weights)

        def one(weights: Weights) -> tuple[Weights, dict[str, Any]]:
            return lax.scan(stage, weights, counts)

        if how.batching == "fused":
            weights, seen = lax.scan(fused_stage, weights, counts)
            return weights, jax.tree.map(lambda a: jnp.swapaxes(a, 0, 1), seen)
        return jax.vmap(one)(weights) if how.batching == "vmap" else lax.map(one, weights)

    arguments = jax.tree.unflatten(tree, leaves)
    # by default a GPU drops half the mantissa of single precision in products
    with jax.default_matmul_precision("default" if how.precision == "tensor" else "highest"):
        return jax.jit(advance, donate_argnums=0).lower(*arguments).compile()
