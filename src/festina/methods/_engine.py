"""The training engine: compiled steps, observers on a schedule, seeds batched the fastest way for size and device.

It trains any tree of weights by any loss. On a CPU the seeds are split over the cores, one thread each (XLA runs
outside Python's lock, so no flag is needed), and within a thread small networks run side by side (vmap) and wide ones
in turn (map). On a GPU all run side by side, two-layer networks in single precision by one kernel (fused). A run
that is watched (progress) or kept (checkpoints) is cut into calls of about a second; cutting changes no bit.
"""

import math
import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from festina._layered import LayeredForward
from festina._network import Context, MeanLoss
from festina._progress import active, bar
from festina.methods import _fused
from festina.methods._checkpoint import Checkpoint, Checkpoints, Saved
from festina.methods._optimiser import optimiser
from festina.methods._step import Block, State, TrainSpec, compiled, digest, lower, shapes

CHUNK = 16
"""Observations per compiled call: one compilation serves any number of times, and observations leave it soon."""

WIDE = 8_000
"""Weights per network from which a core runs its seeds in turn: side by side they no longer fit its cache."""

CALL = 1.0
"""Seconds per call of a run that is watched or kept."""

FASTER = 16
"""Most by which a call may be longer than the one before, while the speed is still being learned."""

Arrays = list[np.ndarray]


def train(
    spec: TrainSpec,
    context: Context,
    starts: Sequence[Any],
    seeds: Sequence[int],
    steps: np.ndarray,
    rate: float,
    *,
    ends: tuple[str, ...] = (),
    kept: Checkpoints | None = None,
    label: str = "Train()",
) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
    """Train from each start; ``spec.names`` are observed after each number of ``steps``, ``ends`` at both ends only.

    Returns the observations, (seeds, times, …) each, the weights at the end, and what it took: seconds compiling and
    running, and the batching.
    """
    dtype = np.float64 if spec.precision == "double" else np.float32
    spec = _settle(spec, context, starts[0])
    with jax.enable_x64(spec.precision == "double"):
        context = _cast(context, dtype)
        eta = jnp.asarray(rate, dtype)
        states = _states(spec, starts, seeds, rate, dtype)
        run = _Run(spec, context, eta, states, steps, ends, label)
        checkpoint = None if kept is None else kept.of(run.key)
        saved = None if checkpoint is None else checkpoint.load()
        values = run.finished(saved) if saved is not None and saved.metadata["finished"] else run.go(checkpoint, saved)
        last = run.last(len(starts))
    values = jax.tree.map(lambda a: a[: len(starts)], values)
    metadata = {"batching": spec.batching, "threads": len(states), "device": jax.default_backend()}
    if kept is not None:
        metadata["continued_from"] = 0 if saved is None else saved.metadata["at"]
    return values, last, {"seconds_compiling": run.compiling, "seconds_running": run.running, **metadata}


class _Run:
    """One call of the engine: groups of seeds that go through the schedule together."""

    def __init__(
        self, spec: TrainSpec, context: Context, rate: Any, states: list[State], steps: np.ndarray,
        ends: tuple[str, ...], label: str,
    ) -> None:  # fmt: skip
        self.spec, self.context, self.rate, self.states, self.steps = spec, context, rate, states, steps
        self.watch_ends, self.label = spec._replace(names=ends), label
        self.compiling = self.running = 0.0
        block = Block(jnp.asarray(0), jnp.zeros(CHUNK, int), jnp.zeros(CHUNK, bool))
        self.program = (spec, shapes(states[0], context, rate, block), jax.default_backend())
        self.look = (self.watch_ends, shapes(states[0], context, rate, None), jax.default_backend())

    @property
    def key(self) -> str:
        """Hash of all that the result depends on."""
        found = sha256(f"{_versions()} {digest(*self.program)} {self.watch_ends.names}".encode())
        for leaf in [*jax.tree.leaves((self.states, self.context, self.rate)), self.steps]:
            array = np.asarray(leaf)
            found.update(f"{array.dtype} {array.shape}".encode())
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def go(self, checkpoint: Checkpoint | None, saved: Saved | None) -> dict[str, Any]:
        """Run from the start, or from where it was saved."""
        begun = time.perf_counter()
        program = compiled(*self.program)
        self.compiling = time.perf_counter() - begun
        first = self._ends()
        at, done, blocks = 0, 0, []
        if saved is not None:
            at, done, blocks = saved.metadata["at"], saved.metadata["done"], list(saved.parts)
            self.running = saved.metadata["seconds"]
            tree = jax.tree.structure(self.states)
            self.states = jax.tree.unflatten(tree, [jnp.asarray(a) for a in saved.state])
        kept, watched = len(blocks), active() or checkpoint is not None
        per, total = self.spec.per_epoch(self.context), int(self.steps[-1])
        budget = 1 if watched else max(1, total)

        def advance(group: int) -> Arrays:
            self.states[group], found = program(self.states[group], self.context, self.rate, block)
            return [np.asarray(leaf)[:, asked] for leaf in jax.tree.leaves(found)]

        with ThreadPoolExecutor(len(self.states)) as pool, bar(total, self.label, at) as move:
            while done < len(self.steps):
                counts, asked, done = _cut(self.steps, at, done, budget)
                block = Block(jnp.asarray(at % per), jnp.asarray(counts), jnp.asarray(asked))
                begun = time.perf_counter()
                found = list(chain.from_iterable(pool.map(advance, range(len(self.states)))))
                if asked.any():
                    blocks.append(found)
                seconds, taken = time.perf_counter() - begun, int(counts.sum())
                self.running += seconds
                at += taken
                move(taken)
                if watched:
                    budget = int(np.clip(taken / max(seconds, 1e-9) * CALL, 1, max(1, FASTER * budget)))
                if checkpoint is not None and checkpoint.passed and done < len(self.steps):
                    metadata = {"at": at, "done": done, "seconds": self.running, "finished": False}
                    if checkpoint.save(jax.tree.leaves(self.states), _join(blocks[kept:]), metadata):
                        kept = len(blocks)
        last = self._ends()
        pairs = [np.concatenate(pair, axis=1) for pair in zip(first, last, strict=True)]
        if checkpoint is not None:
            metadata = {"at": at, "done": done, "seconds": self.running, "finished": True}
            checkpoint.save([*pairs, *jax.tree.leaves(self.states)], _join(blocks[kept:]), metadata)
        return self._values(blocks, pairs)

    def finished(self, saved: Saved) -> dict[str, Any]:
        """What a finished run gave."""
        self.running = saved.metadata["seconds"]
        tree = jax.tree.structure(self.states)
        count = len(saved.state) - tree.num_leaves
        self.states = jax.tree.unflatten(tree, [jnp.asarray(a) for a in saved.state[count:]])
        return self._values(saved.parts, saved.state[:count])

    def last(self, count: int) -> list[Any]:
        """The weights of the first ``count`` seeds where they are now."""
        weights = [jax.tree.map(np.asarray, state.weights) for state in self.states]
        size = len(jax.tree.leaves(weights[0])[0])
        return [jax.tree.map(lambda a, i=i: a[i % size], weights[i // size]) for i in range(count)]

    def _ends(self) -> Arrays:
        """What is observed at start and end only."""
        if not self.watch_ends.names:
            return []
        begun = time.perf_counter()
        look = compiled(*self.look)
        self.compiling += time.perf_counter() - begun
        begun, found = time.perf_counter(), []
        for group, state in enumerate(self.states):
            self.states[group], seen = look(state, self.context, self.rate, None)
            found += [np.asarray(leaf) for leaf in jax.tree.leaves(seen)]
        self.running += time.perf_counter() - begun
        return found

    def _values(self, blocks: list[Arrays], pairs: Arrays) -> dict[str, Any]:
        values = self._group(_join(blocks), lower(*self.program).out_tree)
        return values | (self._group(pairs, lower(*self.look).out_tree) if pairs else {})

    def _group(self, arrays: Arrays, tree: Any) -> dict[str, Any]:
        """Leaves of all groups as one tree with all seeds."""
        size = len(arrays) // len(self.states)
        leaves = [np.concatenate(arrays[i::size]) for i in range(size)]
        _, names = tree.children()
        return jax.tree.unflatten(names, leaves)


def _join(blocks: list[Arrays]) -> Arrays:
    """Observations one after another."""
    return [np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True)]


def _cut(steps: np.ndarray, at: int, done: int, budget: int) -> tuple[np.ndarray, np.ndarray, int]:
    """The next stages, at most ``budget`` steps in all: steps of each, which end at an observation, and how far."""
    counts, asked = np.zeros(CHUNK, np.int64), np.zeros(CHUNK, bool)
    for i in range(CHUNK):
        if done == len(steps):
            break
        left = int(steps[done]) - at
        counts[i] = min(left, budget)
        at, budget = at + int(counts[i]), budget - int(counts[i])
        if counts[i] < left:
            break
        asked[i], done = True, done + 1
    return counts, asked, done


def _cast(context: Context, dtype: Any) -> Context:
    def cast(array: Any) -> Any:
        return jnp.asarray(array, dtype if np.issubdtype(np.asarray(array).dtype, np.floating) else None)

    return jax.tree.map(cast, context)


def _states(spec: TrainSpec, starts: Sequence[Any], seeds: Sequence[int], rate: float, dtype: Any) -> list[State]:
    """Where each group of seeds starts. On a CPU there is one group per core, else one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    groups = min(cores, len(starts)) if jax.default_backend() == "cpu" else 1
    per_group = math.ceil(len(starts) / groups)
    # the last group is filled up with copies of the last seed, so that one compilation serves all groups
    missing = per_group * groups - len(starts)
    filled, numbers = [*starts, *[starts[-1]] * missing], [*seeds, *[seeds[-1]] * missing]
    rule = optimiser(spec.optimiser, rate, spec.momentum)
    states = []
    for g in range(groups):
        part = slice(g * per_group, (g + 1) * per_group)
        weights = jax.tree.map(lambda *parts: jnp.asarray(np.stack(parts), dtype), *filled[part])
        keys = jnp.stack([jax.random.PRNGKey(seed) for seed in numbers[part]]) if spec.draws else None
        states.append(State(weights, jax.vmap(rule.init)(weights), keys))
    return states


def _settle(spec: TrainSpec, context: Context, start: Any) -> TrainSpec:
    """How seeds run together: what was asked for, or the fastest for this size on this device."""
    data, gpu = context["data"], jax.default_backend() == "gpu"
    forward = spec.loss.predict if isinstance(spec.loss, MeanLoss) else None
    known = isinstance(forward, LayeredForward) and not forward.biased
    simple = spec.optimiser == "gd" and not spec.draws and spec.precision != "double"
    fusible = known and simple and _fused.fits(start, data.x, data.y)
    if spec.batching == "fused" and not (gpu and fusible):
        raise ValueError(
            "batching is 'fused', which is for full-batch gradient descent of two-layer linear or ReLU networks in "
            f"single precision on a GPU, with at most {_fused.LARGEST} data points, inputs and outputs; use "
            "batching='auto'."
        )
    batching = spec.batching
    if batching == "auto" and jax.default_backend() == "cpu":
        batching = "map" if sum(np.size(w) for w in jax.tree.leaves(start)) > WIDE else "vmap"
    elif batching == "auto":
        batching = "fused" if gpu and fusible else "vmap"
    exact_inputs = batching == "fused" and _fused.coarse(data.x)
    turned = known and spec.optimiser == "gd" and jax.default_backend() == "cpu"
    return spec._replace(batching=batching, turned=turned, exact_inputs=exact_inputs)


@cache
def _versions() -> Mapping[str, str]:
    """Of what computes a run, beside its program: the libraries, and the files of the engine."""
    digest = sha256()
    for name in ("_engine.py", "_step.py", "_optimiser.py", "_checkpoint.py"):
        digest.update((Path(__file__).parent / name).read_bytes())
    return {"engine": digest.hexdigest(), **{name: version(name) for name in ("numpy", "jax", "jaxlib")}}
