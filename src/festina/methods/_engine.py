"""The training engine: compiled steps, observers on a schedule, seeds batched the fastest way for size and device.

It trains any tree of weights by any loss. On a CPU the seeds are split over the cores, one thread each (XLA runs
outside Python's lock, so no flag is needed). Within a thread small networks run side by side (vmap) and wide ones in
turn (map). On a GPU all run side by side, layers in single precision by one kernel (fused). The seeds are split over
all devices of a kind. Seeds that do not fit in memory together run in blocks. A run that is watched (progress) or kept
(checkpoints) is cut into calls of about a second; cutting changes no bit. A report says at which step training
diverged, and which rate would have been stable.
"""

import math
import time
import warnings
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
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from numpy.typing import DTypeLike

from festina.analysis.curvature import largest_curvature
from festina.checks.shapes import Array, ArrayLike, Tree
from festina.core.layered import LayeredForward
from festina.core.network import Context, MeanLoss
from festina.methods import _device_choice
from festina.methods._checkpoint import Checkpoint, Checkpoints, Saved
from festina.methods._device_choice import Place
from festina.methods._optimiser import optimiser
from festina.methods._step import CHUNK, Block, State, TrainSpec, compiled, digest, lower, shapes
from festina.runtime.progress import active, bar

WIDE = 8_000
"""Weights per network from which a core runs its seeds in turn: side by side they no longer fit its cache."""

FUSIBLE = 64
"""Most data points, inputs or outputs of the fused kernel: beyond, a program's tiles do not fit its registers."""

CALL = 1.0
"""Seconds per call of a run that is watched or kept."""

FASTER = 16
"""Most by which a call may be longer than the one before, while the speed is still being learned."""

LONGEST_CALL = 2**30
"""Most steps of a call: the numbers that count them are 32 bits long in single precision."""

Arrays = list[np.ndarray]


def train(
    spec: TrainSpec,
    context: Context,
    starts: Sequence[Tree],
    seeds: Sequence[int],
    steps: np.ndarray,
    rate: float,
    *,
    kept: Checkpoints | None = None,
    device: str = "auto",
    cache: bool = True,
    label: str = "Train()",
) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
    """Train from each start; ``spec.names`` are observed after each number of ``steps``.

    Returns the observations, (seeds, times, …) each, the weights at the end, and what it took: seconds compiling and
    running, the batching, the device and why.
    """
    fusible = _fusible(spec, context, starts[0])
    place = _device_choice.choose(device, spec, context, starts[0], len(starts), int(steps[-1]), fusible=fusible)
    with jax.enable_x64(spec.precision == "double"), jax.default_device(place.devices[0]):
        spec = _settle(spec, context, starts[0], place, fusible)
        context = _cast(context, np.float64 if spec.precision == "double" else np.float32)
        size = _device_choice.seeds_at_once(spec, context, starts[0], len(starts), place)
        blocks = [
            _train_block(
                spec, context, starts[k : k + size], seeds[k : k + size], steps, rate, size, place, kept, cache, label
            )
            for k in range(0, len(starts), size)
        ]
    values = blocks[0][0]
    if len(blocks) > 1:
        values = jax.tree.map(lambda *parts: np.concatenate(parts), *[b[0] for b in blocks])
    last = [weights for _, found, _ in blocks for weights in found]
    metadata = {**blocks[0][2], "device": place.platform, "device_reason": place.reason}
    for name in ("seconds_compiling", "seconds_running"):
        metadata[name] = sum(b[2][name] for b in blocks)
    if len(blocks) > 1:
        metadata["blocks_of_seeds"] = len(blocks)
    if len(place.devices) > 1:
        metadata["devices"] = len(place.devices)
    return values, last, metadata


def _train_block(
    spec: TrainSpec, context: Context, starts: Sequence[Tree], seeds: Sequence[int], steps: np.ndarray, rate: float,
    size: int, place: Place, kept: Checkpoints | None, cache: bool, label: str,
) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:  # fmt: skip
    """Seeds that fit in memory together; ``size`` of them, the last ones again if there are fewer."""
    dtype = np.float64 if spec.precision == "double" else np.float32
    states = _states(spec, starts, seeds, size, rate, dtype, place, context.get("factors"))
    run = _Run(spec, context, np.asarray(rate, dtype), states, steps, place, cache, label)
    checkpoint = None if kept is None else kept._of(run.key)
    saved = None if checkpoint is None else checkpoint.load()
    values = jax.tree.map(lambda a: a[: len(starts)], run.go(checkpoint, saved))
    last = run.last(len(starts))
    metadata = {"batching": spec.batching, "threads": len(states)}
    if kept is not None:
        metadata["continued_from"] = 0 if saved is None else saved.metadata["at"]
    return values, last, {"seconds_compiling": run.compiling, "seconds_running": run.running, **metadata}


class _Run:
    """One call of the engine: groups of seeds that go through the schedule together."""

    def __init__(
        self, spec: TrainSpec, context: Context, rate: Array | float, states: list[State], steps: np.ndarray,
        place: Place, keep: bool, label: str,
    ) -> None:  # fmt: skip
        self.spec, self.context, self.rate, self.states, self.steps = spec, context, rate, states, steps
        self.place, self.keep, self.label = place, keep, label
        self.compiling = self.running = 0.0
        self.integer = np.int64 if spec.precision == "double" else np.int32
        block = self._block(0, np.zeros(CHUNK), np.zeros(CHUNK, bool))
        self.program = (spec, shapes(states[0], context, rate, block), place.devices)

    def _block(self, begin: int, counts: np.ndarray, asked: np.ndarray) -> Block:
        return Block(np.asarray(begin, self.integer), counts.astype(self.integer), asked)

    @property
    def key(self) -> str:
        """Hash of all that the result depends on."""
        found = sha256(f"{_versions()} {digest(*self.program)}".encode())
        for leaf in [*jax.tree.leaves((self.states, self.context, self.rate)), self.steps]:
            array = np.asarray(leaf)
            found.update(f"{array.dtype} {array.shape}".encode())
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    def go(self, checkpoint: Checkpoint | None, saved: Saved | None) -> dict[str, Any]:
        """Run from the start, or from where it was saved; a finished run is read back."""
        at, done, blocks = 0, 0, []
        if saved is not None:
            at, done, blocks = saved.metadata["at"], saved.metadata["done"], list(saved.parts)
            self.running = saved.metadata["seconds"]
            self.states = jax.tree.unflatten(jax.tree.structure(self.states), saved.state)
            if saved.metadata["finished"]:
                return self._values(blocks)
        begun = time.perf_counter()
        program = compiled(*self.program, self.keep)
        self.compiling = time.perf_counter() - begun
        self.context, self.states = _put(self.context, self.states, self.place)
        kept, watched = len(blocks), active() or checkpoint is not None
        per, total = self.spec.per_epoch(self.context), int(self.steps[-1])
        budget = 1 if watched else LONGEST_CALL

        def advance(group: int) -> Arrays:
            # both belong to a thread
            with jax.enable_x64(self.spec.precision == "double"), jax.default_device(self.place.devices[0]):
                self.states[group], found = program(self.states[group], self.context, self.rate, block)
            return [np.asarray(leaf)[:, asked] for leaf in jax.tree.leaves(found)]

        def keep(checkpoint: Checkpoint, *, finished: bool) -> bool:
            metadata = {"at": at, "done": done, "seconds": self.running, "finished": finished}
            return checkpoint.save(jax.tree.leaves(self.states), _join(blocks[kept:]), metadata)

        with ThreadPoolExecutor(len(self.states)) as pool, bar(total, self.label, at) as move:
            while done < len(self.steps):
                counts, asked, done = _cut(self.steps, at, done, min(budget, LONGEST_CALL))
                block = self._block(at % per, counts, asked)
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
                    kept = len(blocks) if keep(checkpoint, finished=False) else kept
        if checkpoint is not None:
            keep(checkpoint, finished=True)
        return self._values(blocks)

    def last(self, count: int) -> list[Any]:
        """The weights of the first ``count`` seeds where they are now."""
        weights = [jax.tree.map(np.asarray, state.weights) for state in self.states]
        size = len(jax.tree.leaves(weights[0])[0])
        return [jax.tree.map(lambda a, i=i: a[i % size], weights[i // size]) for i in range(count)]

    def _values(self, blocks: list[Arrays]) -> dict[str, Any]:
        """Leaves of all groups as one tree with all seeds."""
        arrays = _join(blocks)
        size = len(arrays) // len(self.states)
        leaves = [np.concatenate(arrays[i::size]) for i in range(size)]
        _, names = lower(*self.program).out_tree.children()
        return jax.tree.unflatten(names, leaves)


def _join(blocks: list[Arrays]) -> Arrays:
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


def _cast(context: Context, dtype: DTypeLike) -> Context:
    def cast(array: ArrayLike) -> np.ndarray:
        found = np.asarray(array)
        return found.astype(dtype) if np.issubdtype(found.dtype, np.floating) else found

    return jax.tree.map(cast, context)


def _put(context: Context, states: list[State], place: Place) -> tuple[Context, list[State]]:
    """Arrays on their devices: seeds split over all of them, the data on each."""
    if len(place.devices) == 1:
        return jax.device_put((context, states), place.devices[0])
    mesh = Mesh(np.array(place.devices), ("seeds",))
    split, same = (NamedSharding(mesh, PartitionSpec(*axes)) for axes in (("seeds",), ()))
    return jax.device_put(context, same), jax.device_put(states, split)


def _states(
    spec: TrainSpec,
    starts: Sequence[Tree],
    seeds: Sequence[int],
    size: int,
    rate: float,
    dtype: DTypeLike,
    place: Place,
    factors: Array | None,
) -> list[State]:
    """Start of each group of ``size`` seeds in all. On a CPU there is one group per core, else one."""
    groups = min(place.cores, size)
    # the last group is filled up with copies of the last seed, so that one compilation serves all groups
    per_group = math.ceil(size / groups / len(place.devices)) * len(place.devices)
    missing = per_group * groups - len(starts)
    filled, numbers = [*starts, *[starts[-1]] * missing], [*seeds, *[seeds[-1]] * missing]
    rule = optimiser(spec.optimiser, rate, spec.momentum, factors)
    states = []
    for g in range(groups):
        part = slice(g * per_group, (g + 1) * per_group)
        weights = jax.tree.map(lambda *parts: np.stack(parts).astype(dtype), *filled[part])
        keys = jnp.stack([jax.random.PRNGKey(seed) for seed in numbers[part]]) if spec.draws else None
        memory = () if spec.optimiser == "gd" else jax.vmap(rule.init)(weights)
        states.append(State(weights, memory, keys))
    return states


def _forward(spec: TrainSpec) -> LayeredForward | None:
    """The forward pass, if it has layers without biases, for which the engine has faster programs."""
    forward = spec.loss.predict if isinstance(spec.loss, MeanLoss) else None
    return forward if isinstance(forward, LayeredForward) and not forward.biased else None


def _fusible(spec: TrainSpec, context: Context, start: Tree) -> bool:
    """Whether the fused kernel is for this network on these data."""
    data = context["data"]
    simple = spec.optimiser == "gd" and not spec.draws and spec.precision != "double"
    if not simple or _forward(spec) is None or data.loss is not None or not isinstance(start, tuple) or len(start) < 2:
        return False
    return isinstance(data.x, np.ndarray) and max(*data.x.shape, data.y.shape[1]) <= FUSIBLE


def _settle(spec: TrainSpec, context: Context, start: Tree, place: Place, fusible: bool) -> TrainSpec:
    """How seeds run together: what was asked for, or the fastest for this size on this device."""
    batching, gpu = spec.batching, place.platform == "gpu"
    if batching == "fused" and not (gpu and fusible):
        raise ValueError(
            "batching is 'fused', which is for full-batch gradient descent of squared error, of linear or ReLU "
            f"networks of two or more layers without biases in single precision on a GPU, with at most {FUSIBLE} data "
            "points, inputs and outputs; use batching='auto'."
        )
    if batching == "auto" and place.platform == "cpu":
        batching = "map" if sum(np.size(w) for w in jax.tree.leaves(start)) > WIDE else "vmap"
    elif batching == "auto":
        batching = "fused" if gpu and fusible else "vmap"
    exact_inputs = False
    if batching == "fused":
        from festina.methods import _fused

        exact_inputs = _fused.coarse(context["data"].x)
    turned = _forward(spec) is not None and spec.optimiser == "gd" and place.platform == "cpu"
    return spec._replace(batching=batching, turned=turned, exact_inputs=exact_inputs)


@cache
def _versions() -> Mapping[str, str]:
    """Software that computes a run, besides its program: the libraries, and the files of the engine."""
    digest = sha256()
    for name in ("_engine.py", "_step.py", "_optimiser.py", "_checkpoint.py"):
        digest.update((Path(__file__).parent / name).read_bytes())
    return {"engine": digest.hexdigest(), **{name: version(name) for name in ("numpy", "jax", "jaxlib")}}


GROWN = 10.0
"""A loss that ends above this many times its first value, higher than ever before, grows without bound."""

RISEN = 0.01
"""Rise of the loss that counts as one. Between two looks it is a share of the first loss. In a single step it is a
share of the loss then, which must be at least ``LATE`` of the first."""

LATE = 1e-3
"""Share of the first loss below which rises are not looked for."""

SAMPLES = 64
"""Losses looked at in each pass of the search for the step."""

PASSES = 4
"""Passes of the search: together they find one step in sixteen million."""


def early_looks(steps: np.ndarray) -> np.ndarray:
    """The steps, powers of 2 between them with the step after each, and the last three steps.

    A step that is too large shows early, and may be over at the next look. The loss may grow a million times and fall
    again when no active unit is left. Later the loss goes up and down while it falls from look to look, which single
    steps show.
    """
    doublings = 2 ** np.arange(int(steps[-1]).bit_length(), dtype=steps.dtype)
    more = np.concatenate([doublings, doublings + 1, steps[-1] - np.arange(1, 3)])
    return np.union1d(steps, more[(more > 0) & (more < steps[-1])])


def report(
    spec: TrainSpec, context: Context, starts: Sequence[Tree], seeds: Sequence[int], steps: np.ndarray, rate: float,
    loss: np.ndarray, ends: Sequence[Tree],
) -> str:  # fmt: skip
    """Warn where a seed's loss became infinite, grew tenfold, or rose in plain descent; the sentence, or nothing."""
    with np.errstate(invalid="ignore"):
        bad = [k for k, curve in enumerate(loss) if _unbounded(curve)]
    if bad:
        others = f" (and {len(bad) - 1} more of {len(loss)} seeds)" if len(bad) > 1 else ""
        found = _diverged(spec, context, starts[bad[0]], seeds[bad[0]], steps, rate, loss[bad[0]], others)
    else:
        found = _rising(spec, context, starts, seeds, steps, rate, loss, ends)
    if found:
        warnings.warn(found, stacklevel=5)
    return found


def _diverged(
    spec: TrainSpec, context: Context, start: Tree, seed: int, steps: np.ndarray, rate: float, curve: np.ndarray,
    others: str,
) -> str:  # fmt: skip
    """The sentence about a seed that diverged: at which step, found by training again, and which rate was stable."""

    def again(steps: np.ndarray) -> tuple[np.ndarray, Any]:
        values, last, _ = train(spec._replace(names=("loss",)), context, [start], [seed], steps, rate)
        return values["loss"][0], last[0]

    above = np.flatnonzero(~(curve <= GROWN * curve[0]))
    last = int(above[0]) if len(above) else len(curve) - 1
    low, high = (int(steps[last - 1]) if last else 0), int(steps[last])
    for _ in range(PASSES):
        looks = np.unique(np.linspace(low, high, SAMPLES).astype(np.int64))[1:]
        above = np.flatnonzero(~(again(looks)[0] <= GROWN * curve[0])) if high - low > 1 else above[:0]
        if not len(above):
            break
        i = int(above[0])
        low, high = (int(looks[i - 1]) if i else low), int(looks[i])
    size = largest_curvature(spec.loss, start if high <= 1 else again(np.array([high - 1]))[1], context["data"])
    advice = f"the curvature of the loss just before allows rates up to about {2 / size:.2g}: " if size > 0 else ""
    back = "" if _unbounded(curve[[0, -1]]) else f", and came back to {curve[-1]:.3g} by the end"
    return (
        f"training diverged: at step {high} of seed {seed}{others} the loss exceeded {GROWN:g} times its first value, "
        f"{curve[0]:.3g}{back}, with rate {rate:g}; {advice}use a smaller rate."
    )


def _unbounded(curve: np.ndarray) -> bool:
    return not np.all(np.isfinite(curve)) or bool(curve.max() > GROWN * curve[0])


def _rising(
    spec: TrainSpec, context: Context, starts: Sequence[Tree], seeds: Sequence[int], steps: np.ndarray, rate: float,
    loss: np.ndarray, ends: Sequence[Tree],
) -> str:  # fmt: skip
    """A sentence where the loss of plain descent of all data rose: only steps above 2/sharpness make it do so."""
    plain = spec.optimiser == "gd" and spec.batch is None and not spec.noisy and "factors" not in context
    if not plain or loss.shape[1] < 2:
        return ""
    single, first = np.diff(steps) == 1, np.maximum(loss[:, :1], np.finfo(float).tiny)
    rises = np.diff(loss, axis=1) / np.where(single, np.maximum(loss[:, :-1], LATE * first), first)
    seed, look = (int(i) for i in np.unravel_index(np.argmax(rises), rises.shape))
    if rises[seed, look] <= RISEN:
        return ""
    sharp = [rate * largest_curvature(spec.loss, w, context["data"]) for w in (starts[seed], ends[seed])]
    return (
        f"the loss rose from {loss[seed, look]:.3g} at step {steps[look]} of seed {seeds[seed]} to "
        f"{loss[seed, look + 1]:.3g} at step {steps[look + 1]}, which gradient flow never does: rate {rate:g} is too "
        f"large on the way. Rate × sharpness is {sharp[0]:.2g} at the start and {sharp[1]:.2g} at the end; below 2 the "
        "loss falls. Theories of gradient flow do not describe this run; use a smaller rate."
    )
