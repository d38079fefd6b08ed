"""Many steps of gradient descent of many networks in GPU kernels: one for two layers, two per layer for more.

In the kernel of two-layer networks one program trains one seed. It walks over the hidden units in tiles. A tile is
updated with this step's error and at once contributes to the next step's outputs. A step therefore reads and writes the
weights once and keeps nothing else in memory. The next tile is read while this one is computed. Shapes are padded with
zeros to what matrix units take; padding stays zero, since its gradient is zero.

If there are more seeds than the device can run programs at once, the steps are cut into turns, one program each. No
part of the device then idles while the last seeds end. A program of a later turn waits for its seed's flag; the device
starts programs in order, hence the one waited for is always ahead.

The weights between hidden layers do not fit into a multiprocessor, so a step of a deeper network reads them twice:
forward, and on the way back. There a tile passes the gradient to the layer below, and is updated at once. A program
owns one tile of the units of one seed and waits for no other program. The first and the last layer are small and left
to XLA.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu

from festina.checks.shapes import Array

LEAST = 16
"""Smallest side of a matrix product on the device's matrix units."""

TILE, WARPS = 64, 4
"""Hidden units per tile, and warps per program: the fastest of tiles 16 to 128 and 1 to 16 warps on an H200."""

TURNS, RESIDENT = 16, 2
"""Turns that the steps are cut into, and programs that a multiprocessor holds at once (by their registers)."""

MANTISSA = 13
"""Bits that a TF32 product drops from the end of a float32."""

Parts = tuple[Array, ...]
"""A matrix as a sum of parts that matrix units multiply exactly, the leading one first."""


@runtime_checkable
class Ref(Protocol):
    """An array in the memory of the device, which a kernel reads and writes in place."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __getitem__(self, at: object) -> jax.Array: ...

    def __setitem__(self, at: object, value: Array) -> None: ...


def coarse(x: np.ndarray) -> bool:
    """Whether float32 ``x`` fits the matrix units' short mantissa exactly, as one-hot inputs do."""
    return not np.any(np.asarray(x, np.float32).view(np.int32) & ((1 << MANTISSA) - 1))


def split_in_two(array: Array) -> Parts:
    """The leading bits of each mantissa and the rest: with three products of parts, the accuracy of float32."""
    kept = lax.bitcast_convert_type(array, jnp.int32) & jnp.int32(-(1 << MANTISSA))
    high = lax.bitcast_convert_type(kept, jnp.float32)
    return high, array - high


def whole(array: Array) -> Parts:
    """The matrix as it is: the device drops the end of its mantissas."""
    return (array,)


def multiply(a: Parts, b: Parts, *, precision: lax.DotAlgorithmPreset | None, **turn: bool) -> Array:
    """The product of two matrices that are given in parts, small products first."""
    pairs = [(i, j) for i, j in ((0, 1), (1, 0), (0, 0)) if i < len(a) and j < len(b)]
    products = [plgpu.dot(a[i], b[j], precision=precision, **turn) for i, j in pairs]
    return sum(products[1:], products[0])


def padded(side: int) -> int:
    """The next side of a matrix that matrix units take."""
    return max(LEAST, 1 << (side - 1).bit_length())


def grow(array: Array, *shape: int) -> Array:
    """The array in the first corner of one of this shape, with zeros around it."""
    return jnp.pad(array, [(0, after - before) for before, after in zip(array.shape, shape, strict=True)])


def _turn(
    steps: Ref, scale: Ref, x: Ref, y: Ref, first: Ref, second: Ref, none: Ref, out1: Ref, out2: Ref, done: Ref, *,
    turns: int, wait: bool, barrier: Callable[[], None], **spec: Any,
) -> None:  # fmt: skip
    """One turn of one seed; ``done`` counts the turns of each seed that are over."""
    seed, turn = pl.program_id(0), pl.program_id(1)
    share = (steps[0] + turns - 1) // turns
    count = jnp.clip(steps[0] - turn * share, 0, share)
    inputs, targets, size = x[:, :], y[:, :], scale[0]
    if wait:
        lax.while_loop(
            lambda over: over < turn,
            lambda _: plgpu.atomic_add(done, (seed,), 0),
            plgpu.atomic_add(done, (seed,), 0),
        )
        barrier()
    _train(count, size, inputs, targets, out1, out2, barrier=barrier, **spec)
    if wait:
        barrier()  # every thread has written its weights before the next turn may read them
        plgpu.atomic_add(done, (seed,), 1)


def _train(
    steps: Array, size: Array, x: Array, targets: Array, out1: Ref, out2: Ref, *, relu: bool,
    precision: lax.DotAlgorithmPreset | None, barrier: Callable[[], None], parts: Callable[[Array], Parts],
    input_parts: Callable[[Array], Parts],
) -> None:  # fmt: skip
    inputs = input_parts(x)
    tiles = out1.shape[0] // TILE
    dot = partial(multiply, precision=precision)

    def hidden(w1: Array) -> Array:
        activity = dot(parts(w1), inputs, trans_b=True)
        return jnp.maximum(activity, 0.0) if relu else activity

    def outputs(w1: Array, w2: Array) -> Array:
        return dot(parts(hidden(w1)), parts(w2), trans_a=True)

    def rows(j: jax.Array | int) -> Any:
        return pl.ds(j * TILE, TILE), slice(None)

    def read(j: jax.Array | int) -> tuple[Array, Array]:
        return out1[rows(j)], out2[rows(j)]

    def step(_: Array, predicted: Array) -> Array:
        error = parts((targets - predicted) * size)
        barrier()  # every thread has read the weights before any is written

        def advance(j: jax.Array, carried: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            total, w1, w2 = carried
            following = read(jnp.minimum(j + 1, tiles - 1))
            back, active = dot(parts(w2), error, trans_b=True), hidden(w1)
            back = jnp.where(active > 0, back, 0.0) if relu else back
            w2 = w2 + dot(parts(active), error)
            w1 = w1 + dot(parts(back), inputs)
            out2[rows(j)], out1[rows(j)] = w2, w1
            return total + outputs(w1, w2), *following

        return lax.fori_loop(0, tiles, advance, (jnp.zeros_like(targets), *read(0)))[0]

    start = lax.fori_loop(0, tiles, lambda j, total: total + outputs(*read(j)), jnp.zeros_like(targets))
    lax.fori_loop(0, steps, step, start)


def _turns(seeds: int) -> int:
    """Number of useful turns: one if all seeds are held at once, since later turns would only wait."""
    device = jax.devices()[0]
    return TURNS if seeds >= 2 * RESIDENT * getattr(device, "core_count", seeds) else 1


def descend(
    weights: Sequence[Array],
    x: Array,
    y: Array,
    scale: Array,
    steps: Array,
    *,
    relu: bool,
    split: bool = True,
    exact_inputs: bool = False,
    turns: int | None = None,
    interpret: bool = False,
) -> tuple[Array, ...]:
    """``steps`` steps of gradient descent for every seed; weights (seeds, units, inputs) and (seeds, outputs, units).

    Args:
        weights: the weights of the two layers, one network per seed, float32.
        x, y: data points, one per row.
        scale: step size over the number of data points.
        steps: how many, a traced whole number.
        relu: rectified hidden units, or linear ones.
        split: form products from parts, with the accuracy of float32; without, with ten bits of mantissa.
        exact_inputs: ``x`` is ``coarse``, which saves a third of its products.
        turns: parts that the steps of a seed are cut into; None chooses by the device.
        interpret: run without a GPU, for tests.
    """
    first, second = weights
    seeds, units, inputs = first.shape
    turns = _turns(seeds) if turns is None else turns
    outputs = second.shape[1]
    items, wide, deep = (padded(n) for n in (len(x), inputs, outputs))
    high = -(-units // TILE) * TILE

    w1 = grow(first, seeds, high, wide)
    w2 = grow(second.transpose(0, 2, 1), seeds, high, deep)
    parts = split_in_two if split else whole
    kernel = partial(
        _turn,
        turns=turns,
        wait=turns > 1 and not interpret,  # interpreted programs run one after another
        relu=relu,
        precision=None if interpret else lax.DotAlgorithmPreset.TF32_TF32_F32,
        barrier=(lambda: None) if interpret else plgpu.debug_barrier,
        parts=parts,
        input_parts=whole if exact_inputs else parts,
    )
    each = [pl.BlockSpec((None, high, width), lambda seed, turn: (seed, 0, 0)) for width in (wide, deep)]
    data = [pl.BlockSpec((items, width), lambda seed, turn: (0, 0)) for width in (wide, deep)]
    scalars = [pl.BlockSpec((1,), lambda seed, turn: (0,))] * 2
    flags = pl.BlockSpec((seeds,), lambda seed, turn: (0,))
    done = jnp.zeros(seeds, jnp.int32)
    w1, w2, _ = pl.pallas_call(
        kernel,
        grid=(seeds, turns),
        in_specs=[*scalars, *data, *each, flags],
        out_specs=[*each, flags],
        out_shape=[jax.ShapeDtypeStruct(w.shape, w.dtype) for w in (w1, w2, done)],
        input_output_aliases={4: 0, 5: 1, 6: 2},
        compiler_params=plgpu.CompilerParams(num_warps=WARPS, num_stages=1),
        interpret=interpret,
    )(
        jnp.reshape(steps, 1).astype(jnp.int32),
        jnp.reshape(scale, 1),
        grow(x, items, wide),
        grow(y, items, deep),
        w1,
        w2,
        done,
    )
    return w1[:, :units, :inputs], w2[:, :units, :outputs].transpose(0, 2, 1)


TOGETHER = 32
"""Steps of an inner loop. Where a loop's length is known before, the GPU need not be asked after each turn."""


def _tile(k: jax.Array) -> Any:
    return pl.ds(k * TILE, TILE), slice(None)


def _layer_forward(
    weights: Ref, below: Ref, active: Ref, *, dot: Callable[..., Array], parts: Callable[[Array], Parts], relu: bool
) -> None:
    """Activities of a tile of units, from those of all units below."""

    def add(k: jax.Array, total: Array) -> Array:
        columns = weights[:, pl.ds(k * TILE, TILE)]
        return total + dot(parts(columns), parts(below[_tile(k)]))

    total = lax.fori_loop(0, below.shape[0] // TILE, add, jnp.zeros(active.shape, jnp.float32))
    active[:, :] = jnp.maximum(total, 0.0) if relu else total


def _layer_back(
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


def descend_deep(
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
        x, y, scale, steps, relu, split: as in ``descend``.
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
            partial(_layer_forward, **how), grid=(out // TILE, seeds), in_specs=[rows(TILE, into), all_of(into, items)],
            out_specs=rows(TILE, items), out_shape=shape(out, items), **launch,
        )(w, below)  # fmt: skip

    def back(delta: Array, active: Array, w: Array) -> Any:
        _, out, into = w.shape
        columns = pl.BlockSpec((None, out, TILE), lambda tile, seed: (seed, 0, tile))
        return pl.pallas_call(
            partial(_layer_back, **how), grid=(into // TILE, seeds),
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
