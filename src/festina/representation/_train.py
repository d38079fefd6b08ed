"""The training loop behind ``follow``: compiled once per shape, trials over all cores or side by side on a GPU."""

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

from festina._progress import track
from festina._task import Task
from festina.representation._architecture import Architecture
from festina.representation._module import Module, build

CHUNK = 20
"""Observations per compiled call: progress moves, and one compilation serves any number of times."""

ALONE = 1e5
"""Weights up to which trials of one core run side by side; above, in turn: together they would leave the cache."""


class Plan(NamedTuple):
    """What compiled code depends on besides the sizes of the data."""

    architecture: Architecture
    inputs: int
    outputs: int
    layers: tuple[int, ...]
    optimiser: str
    batch: int | None
    precision: str


def run(
    plan: Plan,
    architecture: Architecture,
    task: Task,
    points: tuple[tuple[int, ...], tuple[int, ...]],
    times: np.ndarray,
    rate: float,
    seeds: range,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Everything observed, seeds first, and what it took."""
    dtype = np.float64 if plan.precision == "double" else np.float32
    host = jax.default_backend() == "cpu"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    groups = min(cores, len(seeds)) if host else 1
    size = sum(math.prod(shape) for shape in architecture.shapes(plan.inputs, plan.outputs))
    batching = "map" if host and size > ALONE else "vmap"
    with jax.enable_x64(plan.precision == "double"):
        data = tuple(jnp.asarray(a, dtype) for a in (task.x, task.y, *(task.x[list(rows)] for rows in points)))
        counts = np.diff(times, prepend=0)
        blocks = list(np.concatenate([counts, np.zeros(-len(counts) % CHUNK, int)]).reshape(-1, CHUNK))
        per_group = math.ceil(len(seeds) / groups)
        filled = [*seeds, *[seeds[-1]] * (per_group * groups - len(seeds))]
        begun = time.perf_counter()
        states = [_start(plan, architecture, filled[g * per_group : (g + 1) * per_group], dtype) for g in range(groups)]
        advance = _compile(plan, batching, _shapes(states[0]), _shapes(data), jax.default_backend())
        show = _observer(plan, batching, _shapes(states[0]), _shapes(data), jax.default_backend())
        compiling = time.perf_counter() - begun
        begun = time.perf_counter()
        first = [show(state, data) for state in states]
        seen: list[list[Any]] = [[] for _ in range(groups)]
        eta = jnp.asarray(rate, dtype)

        def go(group: int, block: Any) -> None:
            states[group], found = advance(states[group], data, eta, block)
            seen[group].append(jax.tree.map(np.asarray, found))

        with ThreadPoolExecutor(groups) as pool:
            for block in track(blocks, "follow"):
                list(pool.map(go, range(groups), [jnp.asarray(block)] * groups))
        last = [show(state, data) for state in states]
        running = time.perf_counter() - begun
    joined = [{k: np.concatenate([p[k] for p in part], axis=1)[:, : len(times)] for k in part[0]} for part in seen]
    values: dict[str, Any] = {k: np.concatenate([part[k] for part in joined])[: len(seeds)] for k in joined[0]}
    for name, parts in (("first", first), ("last", last)):
        outputs, *hidden = (np.concatenate(part)[: len(seeds)] for part in zip(*parts, strict=True))
        values[name] = outputs, tuple(hidden)
    facts = {"device": jax.default_backend(), "threads": groups, "batching": batching}
    return values, {"seconds_compiling": compiling, "seconds_running": running, **facts}


def _optimiser(name: str, rate: Any) -> optax.GradientTransformation:
    return optax.adam(rate) if name == "adam" else optax.sgd(rate)


def _start(plan: Plan, architecture: Architecture, seeds: list[int], dtype: Any) -> Any:
    """Networks, optimiser states and random keys of a group, stacked over seeds."""
    nets = [build(architecture, plan.inputs, plan.outputs, seed, dtype) for seed in seeds]
    net = jax.tree.map(lambda *w: jnp.stack(w), *[(n.weights, n.biases) for n in nets])
    state = jax.vmap(_optimiser(plan.optimiser, 1.0).init)(net)
    keys = jnp.stack([jax.random.PRNGKey(seed) for seed in seeds])
    return net, state, keys


def _shapes(tree: Any) -> Any:
    """Shapes and dtypes, hashable."""
    leaves, structure = jax.tree.flatten(tree)
    return tuple(jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in leaves), structure


def _observe(plan: Plan, net: Any, shown: Any) -> tuple[Any, tuple[Any, ...]]:
    outputs, hidden = Module(net[0], net[1], plan.architecture)(shown)
    return outputs, tuple(hidden[i] for i in plan.layers)


def _over(plan: Plan, batching: str, one: Callable[..., Any]) -> Callable[..., Any]:
    return jax.vmap(one) if batching == "vmap" else lambda state: lax.map(one, state)


@lru_cache(maxsize=64)
def _observer(plan: Plan, batching: str, state: Any, data: Any, backend: str) -> Callable[..., Any]:
    """Outputs and representations, in the chosen layers, of the points kept at the ends."""

    def look(net: Any, shown: Any) -> Any:
        outputs, hidden = _observe(plan, net, shown)
        return outputs, *hidden

    def show(state: Any, data: Any) -> Any:
        return _over(plan, batching, lambda one: look(one[0], data[3]))(state)

    arguments = [jax.tree.unflatten(tree, leaves) for leaves, tree in (state, data)]
    return jax.jit(show).lower(*arguments).compile()


@lru_cache(maxsize=64)
def _compile(plan: Plan, batching: str, state: Any, data: Any, backend: str) -> Callable[..., Any]:
    """Advance a group through a block of observations; kept, so that equal shapes compile once."""

    def loss(net: Any, x: Any, y: Any, key: Any) -> Any:
        outputs, _ = Module(net[0], net[1], plan.architecture)(x, key)
        return 0.5 * jnp.sum((outputs - y) ** 2) / len(x)

    def advance(state: Any, data: Any, rate: Any, counts: Any) -> Any:
        x, y, shown, _ = data
        optimiser = _optimiser(plan.optimiser, rate)
        i, j = np.triu_indices(len(shown), 1)

        def step(net: Any, memory: Any, x: Any, y: Any, key: Any) -> Any:
            gradient = eqx.filter_grad(loss)(net, x, y, key if plan.architecture.dropout > 0 else None)
            update, memory = optimiser.update(gradient, memory, net)
            return optax.apply_updates(net, update), memory

        def epoch(_: Any, state: Any) -> Any:
            net, memory, key = state
            if plan.batch is None and plan.architecture.dropout == 0:
                return *step(net, memory, x, y, None), key
            key, order, drop = jax.random.split(key, 3)
            if plan.batch is None:
                return *step(net, memory, x, y, drop), key
            steps = len(x) // plan.batch
            rows = jax.random.permutation(order, len(x))[: steps * plan.batch].reshape(steps, plan.batch)

            def part(k: Any, inner: Any) -> Any:
                return step(inner[0], inner[1], x[rows[k]], y[rows[k]], jax.random.fold_in(drop, k))

            return *lax.fori_loop(0, steps, part, (net, memory)), key

        def stage(state: Any, count: Any) -> Any:
            state = lax.fori_loop(0, count, epoch, state)
            outputs, hidden = _observe(plan, state[0], shown)
            squared = jnp.stack([jnp.sum((h[i] - h[j]) ** 2, axis=-1) for h in hidden])
            return state, {"distances": squared, "outputs": outputs, "loss": loss(state[0], x, y, None)}

        return _over(plan, batching, lambda one: lax.scan(stage, one, counts))(state)

    arguments = [jax.tree.unflatten(tree, leaves) for leaves, tree in (state, data)]
    scalar = jax.ShapeDtypeStruct((), data[0][0].dtype)
    counts = jax.ShapeDtypeStruct((CHUNK,), jnp.asarray(0).dtype)
    return jax.jit(advance, donate_argnums=0).lower(*arguments, scalar, counts).compile()
