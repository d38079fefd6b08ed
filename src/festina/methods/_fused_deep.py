"""Many steps of gradient descent of many networks with two or more hidden layers, with two GPU kernels per layer.

The weights between hidden layers do not fit into a multiprocessor, so a step reads them twice: forward, and on the way
back. There a tile passes the gradient to the layer below, and is updated at once. A program owns one tile of the units
of one seed and waits for no other program. The first and the last layer are small and left to XLA.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu

from festina.checks.shapes import Array
from festina.methods._fused import Parts, Ref, grow, multiply, padded, split_in_two, whole

TILE, WARPS = 64, 4
"""Units per side of a tile, and warps per program. Tiles of 32 and 128, and 2 or 8 warps, were slower on an H200."""

TOGETHER = 32
"""Steps of an inner loop. Where a loop's length is known before, the GPU need not be asked after each turn."""


def _tile(k: jax.Array) -> Any:
    return pl.ds(k * TILE, TILE), slice(None)


def _forward(
    weights: Ref, below: Ref, active: Ref, *, dot: Callable[..., Array], parts: Callable[[Array], Parts], relu: bool
) -> None:
    """Activities of a tile of units, from those of all units below."""

    def add(k: jax.Array, total: Array) -> Array:
        columns = weights[:, pl.ds(k * TILE, TILE)]
        return total + dot(parts(columns), parts(below[_tile(k)]))

    total = lax.fori_loop(0, below.shape[0] // TILE, add, jnp.zeros(active.shape, jnp.float32))
    active[:, :] = jnp.maximum(total, 0.0) if relu else total


def _back(
    delta: Ref, active: Ref, _: Ref, weights: Ref, passed: Ref, *, dot: Callable[..., Array],
    parts: Callable[[Array], Parts], relu: bool,
) -> None:  # fmt: skip
    """Gradient that all units above pass back to a tile of units, whose weights to them are updated in place."""
    h = active[:, :]
    below = parts(h)

    def add(j: jax.Array, total: Array) -> Array:
        w, change = weights[_tile(j)], parts(delta[_tile(j)])
        weights[_tile(j)] = w + dot(change, below, trans_b=True)
        return total + dot(parts(w), change, trans_a=True)

    total = lax.fori_loop(0, delta.shape[0] // TILE, add, jnp.zeros_like(h))
    passed[:, :] = jnp.where(h > 0, total, 0.0) if relu else total


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
        weights: the weights of three or more layers, one network per seed, float32.
        x, y, scale, steps, relu, split: as in ``_fused.descend``.
        interpret: run without a GPU, for tests.
    """
    seeds, items = len(weights[0]), padded(len(x))
    x, y = grow(x, items, x.shape[1]), grow(y, items, y.shape[1]).T
    high = [-(-w.shape[1] // TILE) * TILE for w in weights[:-1]]
    sizes = zip(weights, [*high, len(y)], [x.shape[1], *high], strict=True)
    ours = tuple(grow(w, seeds, out, into) for w, out, into in sizes)
    outer = partial(jnp.einsum, precision="highest" if split else "default")
    how = {
        "dot": partial(multiply, precision=None if interpret else lax.DotAlgorithmPreset.TF32_TF32_F32),
        "parts": split_in_two if split else whole,
        "relu": relu,
    }
    launch = {"interpret": interpret, "compiler_params": plgpu.CompilerParams(num_warps=WARPS, num_stages=1)}

    def rows(high: int, wide: int) -> pl.BlockSpec:
        return pl.BlockSpec((None, high, wide), lambda tile, seed: (seed, tile, 0))

    def all_of(high: int, wide: int) -> pl.BlockSpec:
        return pl.BlockSpec((None, high, wide), lambda tile, seed: (seed, 0, 0))

    def shape(*sides: int) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct((seeds, *sides), jnp.float32)

    def forward(w: Array, below: Array) -> Array:
        _, out, into = w.shape
        return pl.pallas_call(
            partial(_forward, **how), grid=(out // TILE, seeds), in_specs=[rows(TILE, into), all_of(into, items)],
            out_specs=rows(TILE, items), out_shape=shape(out, items), **launch,
        )(w, below)  # fmt: skip

    def back(delta: Array, active: Array, w: Array) -> Any:
        _, out, into = w.shape
        columns = pl.BlockSpec((None, out, TILE), lambda tile, seed: (seed, 0, tile))
        return pl.pallas_call(
            partial(_back, **how), grid=(into // TILE, seeds),
            in_specs=[all_of(out, items), rows(TILE, items), columns], out_specs=[columns, rows(TILE, items)],
            out_shape=[shape(out, into), shape(into, items)], input_output_aliases={2: 0}, **launch,
        )(delta, active, w)  # fmt: skip

    def step(_: Array | int, weights: tuple[Array, ...]) -> tuple[Array, ...]:
        first, *inner, last = weights
        h = outer("sui,ni->sun", first, x)
        active: list[Any] = [jnp.maximum(h, 0.0) if relu else h]
        for w in inner:
            active.append(forward(w, active[-1]))
        error = (y - outer("sou,sun->son", last, active[-1])) * scale
        delta = outer("sou,son->sun", last, error)
        delta = jnp.where(active[-1] > 0, delta, 0.0) if relu else delta
        last = last + outer("son,sun->sou", error, active[-1])
        for layer in range(len(inner) - 1, -1, -1):
            inner[layer], delta = back(delta, active[layer], inner[layer])
        return first + outer("sun,ni->sui", delta, x), *inner, last

    def several(_: Array, weights: tuple[Array, ...]) -> tuple[Array, ...]:
        return lax.fori_loop(0, TOGETHER, step, weights)

    ours = lax.fori_loop(0, steps // TOGETHER, several, ours)
    ours = lax.fori_loop(0, steps % TOGETHER, step, ours)
    return tuple(w[:, : old.shape[1], : old.shape[2]] for w, old in zip(ours, weights, strict=True))
