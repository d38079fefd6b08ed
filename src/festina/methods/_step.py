"""The compiled computation: many steps of training of a group of seeds, and observations on the way."""

from collections.abc import Callable
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec

from festina.checks.shapes import Array, Tree, Weights
from festina.core.network import Context, Loss, Observables
from festina.methods._optimiser import optimiser
from festina.runtime.program import compile_once, compiling

Devices = tuple[Any, ...]

CHUNK = 16
"""Observations per compiled call: one compilation serves any number of times, and observations leave it soon."""

SINGLE_PRODUCTS = "highest"
"""How products of single precision are formed: by default a GPU drops half of the mantissa."""


class TrainSpec(NamedTuple):
    """Everything that compiled code depends on besides shapes; hashable."""

    loss: Loss
    observables: Observables
    names: tuple[str, ...]
    batching: str = "vmap"
    precision: str = "double"
    optimiser: Any = "gd"
    momentum: float = 0.0
    batch: int | None = None
    noisy: bool = False
    sample: Callable[[Any, int, Context], Any] | None = None
    turned: bool = False
    exact_inputs: bool = False
    replace: bool = False

    @property
    def draws(self) -> bool:
        """Whether training draws random numbers."""
        return self.noisy or self.batch is not None

    def per_epoch(self, context: Context) -> int:
        """Steps in which every data point is seen once, or given batches; a rest that fills no batch is left out."""
        if self.batch is None or self.sample is not None:
            return 1
        return len(context["rows"]) if "rows" in context else len(context["points"].y) // self.batch


class State(NamedTuple):
    """The state from which a run continues; every array with a leading seed axis."""

    weights: Any
    memory: Any
    key: Any


class Block(NamedTuple):
    """Stages of a run: steps taken of the epoch it begins in, steps of each stage, and which are followed by a look."""

    begin: Any
    counts: Any
    asked: Any


class Shapes(NamedTuple):
    """Shapes and dtypes of arguments, hashable."""

    leaves: tuple[jax.ShapeDtypeStruct, ...]
    tree: Any


def shapes(*arguments: Tree) -> Shapes:
    """Shapes and dtypes of arrays however nested."""
    leaves, tree = jax.tree.flatten(arguments)
    return Shapes(tuple(jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in leaves), tree)


@lru_cache(maxsize=128)
def lower(spec: TrainSpec, arguments: Shapes, devices: Devices) -> Any:
    """The program of one group: ``(state, context, rate, block) -> (state, observations)``; seeds over all devices."""

    def advance(state: State, context: Context, rate: Array, block: Block) -> tuple[State, dict[str, Any]]:
        watch = spec.observables(context)

        def see(weights: Tree) -> dict[str, Any]:
            return {name: watch[name](weights) for name in spec.names}

        def see_where(asked: Array, weights: Tree, see: Callable[[Tree], dict[str, Tree]]) -> dict[str, Any]:
            blank = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), jax.eval_shape(see, weights))
            return lax.cond(asked, see, lambda _: blank, weights)

        train = _trainer(spec, context, rate)

        def stage(carried: tuple[State, Array], step: tuple[Array, Array]) -> Any:
            (state, begin), (count, asked) = carried, step
            state = train(state, begin, count)
            return (state, (begin + count) % spec.per_epoch(context)), see_where(asked, state.weights, see)

        def one(state: State) -> tuple[State, dict[str, Any]]:
            (state, _), seen = lax.scan(stage, (state, block.begin), (block.counts, block.asked))
            return state, seen

        def fused_stage(weights: Weights, step: tuple[Array, Array]) -> tuple[Any, dict[str, Any]]:
            from festina.methods import _fused

            data, (count, asked) = context["data"], step
            two = partial(_fused.descend, exact_inputs=spec.exact_inputs)
            descend_all = two if len(weights) == 2 else _fused.descend_deep

            def descend(weights: Weights) -> Any:
                return descend_all(
                    weights, data.x, data.y, rate / data.count, count, relu=spec.loss.predict.rectifies,  # type: ignore[attr-defined]
                    split=spec.precision == "single",
                )  # fmt: skip

            # blocks are filled up with stages of no step, and moving all weights through the kernel is not nothing
            weights = lax.cond(count > 0, descend, lambda weights: weights, weights)
            return weights, see_where(asked, weights, jax.vmap(see))

        if spec.batching == "fused":
            weights, seen = lax.scan(fused_stage, state.weights, (block.counts, block.asked))
            return state._replace(weights=weights), jax.tree.map(lambda a: jnp.swapaxes(a, 0, 1), seen)
        return lax.map(one, state) if spec.batching == "map" else jax.vmap(one)(state)

    given, program, first = jax.tree.unflatten(arguments.tree, arguments.leaves), advance, devices[0]
    if len(devices) > 1:
        seeds, same = PartitionSpec("seeds"), PartitionSpec()
        mesh = Mesh(np.array(devices), ("seeds",))
        program = jax.shard_map(
            advance, mesh=mesh, in_specs=(seeds, same, same, same), out_specs=(seeds, seeds), check_vma=False
        )
    with (
        compiling(),
        jax.default_matmul_precision({"tf32": "default", "single": SINGLE_PRODUCTS}.get(spec.precision, "highest")),
        jax.default_device(first),
    ):
        return jax.jit(program, donate_argnums=0).lower(*given)


@lru_cache(maxsize=128)
def compiled(spec: TrainSpec, arguments: Shapes, devices: Devices, keep: bool = True) -> Callable[..., Any]:
    """The program, compiled; kept, so that equal shapes compile once."""
    return compile_once(lower(spec, arguments, devices), keep=keep, devices=devices)


@lru_cache(maxsize=128)
def digest(spec: TrainSpec, arguments: Shapes, devices: Devices) -> str:
    """Hash of the program as it is handed to the compiler: everything that it computes, with all constants."""
    return sha256(lower(spec, arguments, devices).as_text().encode()).hexdigest()


def _trainer(spec: TrainSpec, context: Context, rate: Array) -> Callable[[State, Array, Array], State]:
    """``train(state, begin, count)``: ``count`` steps of one seed, ``begin`` steps into an epoch."""
    rule = optimiser(spec.optimiser, rate, spec.momentum, context.get("factors"))
    data, per = context["data"], spec.per_epoch(context)

    def step(weights: Tree, memory: Tree, data: Tree, key: Array | None) -> tuple[Any, Any]:
        return rule.update(jax.grad(spec.loss)(weights, data, key), memory, weights)

    def turned(state: State, begin: Array, count: Array) -> State:
        gradient = jax.grad(lambda sides: spec.loss(_turn(sides), data, None))

        def again(_: Array, sides: Weights) -> Any:
            return rule.update(gradient(sides), (), sides)[0]

        return state._replace(weights=_turn(lax.fori_loop(0, count, again, _turn(state.weights))))

    def plain(state: State, begin: Array, count: Array) -> State:
        def again(_: Array, state: State) -> State:
            return State(*step(state.weights, state.memory, data, None), state.key)

        return lax.fori_loop(0, count, again, state)

    def drawn(state: State, begin: Array, count: Array) -> State:
        def epoch(e: Array, state: State) -> State:
            weights, memory, key = state
            following, order, noise = jax.random.split(key, 3)
            if spec.batch is None:
                return State(*step(weights, memory, data, noise), following)
            if spec.sample is not None:
                fresh = spec.sample(order, spec.batch, context)._replace(loss=data.loss)
                return State(*step(weights, memory, fresh, noise if spec.noisy else None), following)
            points = context["points"]
            if "rows" in context:
                rows = context["rows"]
            elif spec.replace:
                rows = jax.random.randint(order, (per, spec.batch), 0, len(points.y))
            else:
                rows = jax.random.permutation(order, len(points.y))[: per * spec.batch].reshape(per, spec.batch)

            def part(k: Array, inner: tuple[Tree, Tree]) -> Any:
                x, y = jax.tree.map(lambda a: a[rows[k]], (points.x, points.y))
                some = points._replace(x=x, y=y, count=jnp.asarray(spec.batch, y.dtype), floor=0.0)
                return step(inner[0], inner[1], some, jax.random.fold_in(noise, k) if spec.noisy else None)

            low, high = jnp.maximum(begin - e * per, 0), jnp.minimum(begin + count - e * per, per)
            weights, memory = lax.fori_loop(low, high, part, (weights, memory))
            # an interrupted epoch draws the same order when it continues
            return State(weights, memory, jnp.where(high == per, following, key))

        return lax.fori_loop(0, -((-begin - count) // per), epoch, state)

    if spec.draws:
        return drawn
    return turned if spec.turned else plain


def _turn(weights: Weights) -> Any:
    """Layers with (in, out) for (out, in) and back, all but the last.

    Products with the data points as rows then read rows of weights: an eighth of the time of a step on a CPU.
    """
    return (*(w.T for w in weights[:-1]), weights[-1])
