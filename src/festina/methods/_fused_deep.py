"""Many steps of gradient descent of many networks with two or more hidden layers, in a few GPU kernels a step.

The weights between hidden layers do not fit into a multiprocessor, and a step reads them twice. First ``_back`` passes
the gradient back through them, which decides how the layers below change. Then ``_up`` changes them and, while it holds
them, passes the new activities up. Each is started once for every layer between hidden ones. ``_compare`` follows with
the error of the outputs. The outer layers are small: the kernel that has their units at hand does their part too.

A program owns one tile of a layer's units of one seed, and waits for no other program. Matrix units read a factor fast
if what is summed over is the last axis. Activities and gradients are therefore stored as (units, items), turned as
(items, units), or both.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu

from festina.checks.shapes import Array
from festina.methods._fused import LEAST, Parts, Ref, grow, multiply, padded, split_in_two, whole

TILE, WALK = 64, 32
"""Units that a program owns, and units of the other layer that it takes at a time."""

WARPS, STAGES = 4, 1
"""Warps per program, and tiles that are on their way from memory at once."""

TOGETHER = 32
"""Steps of an inner loop. Where a loop's length is known before, the GPU need not be asked after each turn."""


class _Maths(NamedTuple):
    """How kernels multiply, and what units do."""

    dot: Callable[..., Array]
    parts: Callable[[Array], Parts]
    relu: bool

    def product(self, a: Array, b: Array, **turn: bool) -> Array:
        """The product of two matrices."""
        return self.dot(self.parts(a), self.parts(b), **turn)

    def rectified(self, h: Array) -> Array:
        """Activities of units."""
        return jnp.maximum(h, 0.0) if self.relu else h

    def passed(self, change: Array, h: Array) -> Array:
        """Gradient that units of these activities pass back."""
        return jnp.where(h > 0, change, 0.0) if self.relu else change


def _at(k: jax.Array) -> Any:
    return pl.ds(k * WALK, WALK)


def _back(maths: _Maths, delta: Ref, weights: Ref, active: Ref, before: Ref, down: Ref, turned: Ref) -> None:
    """Pass the gradient back to a tile of units, and keep its activities as they are before the step."""
    total = _gradient(maths, delta, weights)
    h = active[:, :].T
    total = maths.passed(total, h)
    before[:, :], down[:, :], turned[:, :] = h, total, total.T


def _back_to_first(maths: _Maths, delta: Ref, weights: Ref, x: Ref, before: Ref, first: Ref, active: Ref) -> None:
    """Pass the gradient back to a tile of the first layer, change its weights, and let it see the data again."""
    total = _gradient(maths, delta, weights)
    h = active[:, :].T
    before[:, :] = h
    w = first[:, :] + maths.product(maths.passed(total, h), x[:, :])
    first[:, :] = w
    active[:, :] = maths.rectified(maths.product(x[:, :], w, trans_b=True))


def _gradient(maths: _Maths, delta: Ref, weights: Ref) -> Array:
    """Gradient that all units above pass back to a tile of units."""

    def add(k: jax.Array, total: Array) -> Array:
        return total + maths.product(weights[_at(k), :], delta[:, _at(k)], trans_a=True, trans_b=True)

    nothing = jnp.zeros((weights.shape[1], delta.shape[0]), jnp.float32)
    return lax.fori_loop(0, weights.shape[0] // WALK, add, nothing)


def _up(maths: _Maths, delta: Ref, before: Ref, below: Ref, weights: Ref, active: Ref) -> None:
    """Change a tile of units' weights, and let them act on the activities below as they are now."""
    active[:, :] = _activities(maths, delta, before, below, weights).T


def _up_to_outputs(
    maths: _Maths, delta: Ref, before: Ref, below: Ref, error: Ref, outputs: Ref, weights: Ref, last: Ref, active: Ref
) -> None:
    """The same for the last hidden layer, with its weights to the outputs, and what it adds to them."""
    h = _activities(maths, delta, before, below, weights)

    def some(k: jax.Array, h: Array) -> Array:
        at = slice(None), pl.ds(k * LEAST, LEAST)
        w = last[at] + maths.product(active[:, :], error[at])
        last[at], outputs[at] = w, maths.product(h, w, trans_a=True)
        return h

    active[:, :] = lax.fori_loop(0, outputs.shape[1] // LEAST, some, h)


def _activities(maths: _Maths, delta: Ref, before: Ref, below: Ref, weights: Ref) -> Array:
    """Activities of a tile of units after a change of their weights."""
    change = delta[:, :]

    def add(k: jax.Array, total: Array) -> Array:
        w = weights[:, _at(k)] + maths.product(change, before[_at(k), :], trans_b=True)
        weights[:, _at(k)] = w
        return total + maths.product(w, below[:, _at(k)], trans_b=True)

    return maths.rectified(lax.fori_loop(0, weights.shape[1] // WALK, add, jnp.zeros_like(change)))


def _compare(
    maths: _Maths, size: Ref, y: Ref, outputs: Ref, last: Ref, active: Ref, error: Ref, down: Ref, turned: Ref
) -> None:
    """The error of the outputs, and what it passes back to a tile of the last hidden layer."""
    predicted = lax.fori_loop(1, outputs.shape[0], lambda j, total: total + outputs[j], outputs[0])
    found = (y[:, :] - predicted) * size[0]
    total = maths.passed(maths.product(last[:, :], found, trans_b=True), active[:, :])
    down[:, :], turned[:, :] = total, total.T

    @pl.when(pl.program_id(0) == 0)
    def _() -> None:
        error[:, :] = found


class _State(NamedTuple):
    """State of all seeds between two steps.

    Args:
        weights: of each layer, (out, in), the last one (in, out).
        active: activities of each hidden layer, turned, but the last one's are not.
        delta: −∂L/∂ of what the last hidden layer adds up, times the step size, and the same turned.
        error: what the outputs lack, times the step size, (items, outputs).
    """

    weights: tuple[Array, ...]
    active: tuple[Array, ...]
    delta: tuple[Array, Array]
    error: Array


Shaped = Array | jax.ShapeDtypeStruct
"""An array that is there, or the shape of one that is not yet."""

Part = tuple[Shaped, pl.BlockSpec]
"""An array, and what each program sees of it."""


def _rows(array: Shaped) -> Part:
    return array, pl.BlockSpec((None, TILE, array.shape[2]), lambda tile, seed: (seed, tile, 0))


def _columns(array: Shaped) -> Part:
    return array, pl.BlockSpec((None, array.shape[1], TILE), lambda tile, seed: (seed, 0, tile))


def _own(array: Shaped) -> Part:
    return array, pl.BlockSpec((None, None, *array.shape[2:]), lambda tile, seed: (seed, tile, 0, 0))


def _all(array: Shaped) -> Part:
    rest = array.shape[1:]
    return array, pl.BlockSpec((None, *rest), lambda tile, seed: (seed, *(0 for _ in rest)))


def _same(array: Shaped) -> Part:
    return array, pl.BlockSpec(array.shape, lambda tile, seed: tuple(0 for _ in array.shape))


def _step(state: _State, x: Array, y: Array, size: Array, start: Callable[..., Any]) -> _State:
    """Change all weights by what ``state`` knows of their gradient, and find the next gradient."""
    weights, active = list(state.weights), list(state.active)
    seeds, items, outputs = state.error.shape
    top = len(active) - 1
    deltas, before = {top: state.delta}, {}

    def new(*shape: int) -> Shaped:
        return jax.ShapeDtypeStruct((seeds, *shape), jnp.float32)

    for layer in range(top - 1, -1, -1):
        units = active[layer].shape[2]
        above = [_all(deltas[layer + 1][1]), _columns(weights[layer + 1])]
        straight, turned = _rows(new(units, items)), _columns(active[layer])
        if layer:
            before[layer], down, across = start(
                _back, units, [*above, turned], [straight, straight, _columns(new(items, units))]
            )
            deltas[layer] = down, across
        else:
            before[0], weights[0], active[0] = start(
                _back_to_first, units, [*above, _same(x)], [straight, _rows(weights[0]), turned]
            )
    for layer in range(1, top + 1):
        units = weights[layer].shape[1]
        given = [_rows(deltas[layer][0]), _all(before[layer - 1]), _all(active[layer - 1])]
        if layer < top:
            weights[layer], active[layer] = start(_up, units, given, [_rows(weights[layer]), _columns(active[layer])])
            continue
        added, weights[top], weights[-1], active[top] = start(
            _up_to_outputs, units, [*given, _all(state.error)],
            [_own(new(units // TILE, items, outputs)), *(_rows(a) for a in (weights[top], weights[-1], active[top]))],
        )  # fmt: skip
    error, *delta = start(
        _compare, units, [_same(size), _same(y), _all(added), _rows(weights[-1]), _rows(active[top])],
        [_all(state.error), _rows(state.delta[0]), _columns(state.delta[1])],
    )  # fmt: skip
    return _State(tuple(weights), tuple(active), (delta[0], delta[1]), error)


def descend(
    weights: Sequence[Array],
    x: Array,
    y: Array,
    scale: Array,
    steps: Array,
    *,
    relu: bool,
    split: bool = True,
    interpret: bool = False,
) -> tuple[Array, ...]:
    """``steps`` steps of gradient descent for every seed; one array (seeds, out, in) of weights per layer.

    Args:
        weights: of three or more layers, one network per seed, float32.
        x, y, scale, steps, relu, split: as in ``_fused.descend``.
        interpret: run without a GPU, for tests.
    """
    seeds, items, wide, deep = len(weights[0]), *(padded(n) for n in (len(x), x.shape[1], y.shape[1]))
    hidden = [w.shape[1] for w in weights[:-1]]
    high = [-(-units // TILE) * TILE for units in hidden]
    precision = None if interpret else lax.DotAlgorithmPreset.TF32_TF32_F32
    maths = _Maths(partial(multiply, precision=precision), split_in_two if split else whole, relu)

    def start(kernel: Callable[..., None], units: int, read: list[Part], written: list[Part]) -> Any:
        """Run a kernel for each tile and seed; what is written and exists is overwritten in place."""
        replaced = {i: part for i, part in enumerate(written) if not isinstance(part[0], jax.ShapeDtypeStruct)}
        given = [*read, *replaced.values()]

        def run(*refs: Ref) -> None:
            kernel(maths, *refs[: len(read)], *refs[len(given) :])

        return pl.pallas_call(
            run,
            grid=(units // TILE, seeds),
            in_specs=[spec for _, spec in given],
            out_specs=[spec for _, spec in written],
            out_shape=[jax.ShapeDtypeStruct(array.shape, jnp.float32) for array, _ in written],
            input_output_aliases={len(read) + n: i for n, i in enumerate(replaced)},
            compiler_params=plgpu.CompilerParams(num_warps=WARPS, num_stages=STAGES),
            interpret=interpret,
            name=kernel.__name__.strip("_"),
        )(*(array for array, _ in given))

    def none(*shape: int) -> Array:
        return jnp.zeros((seeds, *shape), jnp.float32)

    sizes = zip(weights, [*high, deep], [wide, *high], strict=True)
    *lower, last = (grow(w, seeds, out, into) for w, out, into in sizes)
    state = _State(
        (*lower, last.transpose(0, 2, 1)),
        (*(none(items, units) for units in high[:-1]), none(high[-1], items)),
        (none(high[-1], items), none(items, high[-1])),
        none(items, deep),
    )
    once = partial(_step, x=grow(x, items, wide), y=grow(y, items, deep), size=jnp.reshape(scale, 1), start=start)

    def several(count: Array | int, state: _State) -> _State:
        return lax.fori_loop(0, count, lambda _, state: once(state), state)

    # the first turn changes nothing, since no error is known yet
    turns = steps + 1
    state = lax.fori_loop(0, turns // TOGETHER, lambda _, state: several(TOGETHER, state), state)
    *lower, last = several(turns % TOGETHER, state).weights
    found = [*lower, last.transpose(0, 2, 1)]
    return tuple(w[:, : old.shape[1], : old.shape[2]] for w, old in zip(found, weights, strict=True))
