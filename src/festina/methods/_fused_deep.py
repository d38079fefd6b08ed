"""Many steps of gradient descent of many networks with two or more hidden layers in one GPU kernel.

The weights of such a network do not fit into a multiprocessor, so a step walks over tiles of them twice, forward and
back. On the way back a tile gives the gradient below it and is updated at once. Activities and gradients of a seed are
small and stay in the device's caches. Several programs share a seed, and each owns some tiles of every layer's units.
Where one needs a result of another, all programs of the seed wait for each other by a counter. The device starts
programs in order and those of a seed are neighbours, hence the ones waited for are always there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
"""Units per side of a tile and warps per program: the fastest of tiles 16 to 128 and 1 to 8 warps on an H200. Reading a
tile ahead, or Triton's own pipeline, is slower: registers are what is scarce."""

RESIDENT = 2
"""Programs that a multiprocessor holds at once (by their registers)."""

MOST = 8
"""Most programs that share a seed: beyond, waiting for each other costs more than they save."""


def _rows(j: jax.Array) -> Any:
    return pl.ds(j * TILE, TILE), slice(None)


def _block(j: jax.Array, k: jax.Array) -> Any:
    return pl.ds(j * TILE, TILE), pl.ds(k * TILE, TILE)


@dataclass(frozen=True)
class _Seed:
    """One program's view of its seed: weights and what is computed from them, in the memory of the device.

    Args:
        matrices: the weights of each layer, (out, in), the last one (in, out).
        active: activities of each hidden layer, (units, items).
        delta: −∂L/∂ of what each hidden layer adds up, times the step size.
        back: what each program adds to the gradient below each hidden layer but the first.
        outputs: what each program adds to the outputs.
        done: how often each seed's programs have waited for each other.
        inputs: x in parts, (items, inputs).
        part: number of this program among those of the seed.
    """

    matrices: Sequence[Ref]
    active: Sequence[Ref]
    delta: Sequence[Ref]
    back: Sequence[Ref]
    outputs: Ref
    done: Ref
    inputs: Parts
    seed: jax.Array
    part: jax.Array
    programs: int
    relu: bool
    dot: Callable[..., Array]
    barrier: Callable[[], None]
    parts: Callable[[Array], Parts]

    @property
    def top(self) -> int:
        """The last hidden layer."""
        return len(self.active) - 1

    def tiles(self, layer: int) -> int:
        """Tiles of a hidden layer's units."""
        return self.active[layer].shape[0] // TILE

    def each(self, layer: int, body: Callable[[jax.Array, Array], Array], start: Array | int = 0) -> Array:
        """Go through the tiles of a hidden layer that this program owns."""
        owned = (self.tiles(layer) - self.part + self.programs - 1) // self.programs
        return lax.fori_loop(0, owned, lambda i, carried: body(self.part + i * self.programs, carried), start)

    def wait(self, times: Array) -> Array:
        """All programs of the seed have come as far as this one, and what they wrote can be read."""
        self.barrier()
        if self.programs > 1:
            goal = (times + 1) * self.programs
            plgpu.atomic_add(self.done, (self.seed,), 1)
            look = partial(plgpu.atomic_add, self.done, (self.seed,), 0)
            lax.while_loop(lambda at: at - goal < 0, lambda _: look(), goal - 1)
            self.barrier()
        return times + 1

    def rectified(self, h: Array) -> Array:
        """Activities of units."""
        return jnp.maximum(h, 0.0) if self.relu else h

    def passed(self, change: Array, h: Array) -> Array:
        """Gradient that a unit passes back."""
        return jnp.where(h > 0, change, 0.0) if self.relu else change

    def start_tile(self, j: jax.Array, carried: Array) -> Array:
        """Activities of the first layer."""
        self.active[0][_rows(j)] = self.rectified(
            self.dot(self.parts(self.matrices[0][_rows(j)]), self.inputs, trans_b=True)
        )
        return carried

    def forward_tile(self, layer: int, j: jax.Array, carried: Array) -> Array:
        """Activities of a further layer."""
        weights, below = self.matrices[layer], self.active[layer - 1]

        def add(k: jax.Array, total: Array) -> Array:
            return total + self.dot(self.parts(weights[_block(j, k)]), self.parts(below[_rows(k)]))

        zero = jnp.zeros((TILE, below.shape[1]), jnp.float32)
        found = self.rectified(lax.fori_loop(0, self.tiles(layer - 1), add, zero))
        self.active[layer][_rows(j)] = found
        if layer < self.top:
            return carried
        return carried + self.dot(self.parts(found), self.parts(self.matrices[-1][_rows(j)]), trans_a=True)

    def last_tile(self, error: Parts, j: jax.Array, carried: Array) -> Array:
        """The last layer of weights, and what it passes back."""
        weights, h = self.matrices[-1][_rows(j)], self.active[-1][_rows(j)]
        self.delta[-1][_rows(j)] = self.passed(self.dot(self.parts(weights), error, trans_b=True), h)
        self.matrices[-1][_rows(j)] = weights + self.dot(self.parts(h), error)
        return carried

    def update(self, layer: int) -> None:
        """The weights between two hidden layers, and what they pass back."""
        weights, below = self.matrices[layer], self.active[layer - 1]

        def column(k: jax.Array, carried: Array) -> Array:
            h = self.parts(below[_rows(k)])

            def tile(j: jax.Array, total: Array) -> Array:
                w, d = weights[_block(j, k)], self.parts(self.delta[layer][_rows(j)])
                total = total + self.dot(self.parts(w), d, trans_a=True)
                weights[_block(j, k)] = w + self.dot(d, h, trans_b=True)
                return total

            zero = jnp.zeros((TILE, below.shape[1]), jnp.float32)
            self.back[layer - 1][self.part, *_rows(k)] = self.each(layer, tile, zero)
            return carried

        lax.fori_loop(0, self.tiles(layer - 1), column, 0)

    def gather_tile(self, layer: int, j: jax.Array, carried: Array) -> Array:
        """Gradient that all programs pass back to a layer."""
        found = sum((self.back[layer][i, *_rows(j)] for i in range(1, self.programs)), self.back[layer][0, *_rows(j)])
        self.delta[layer][_rows(j)] = self.passed(found, self.active[layer][_rows(j)])
        return carried

    def first_tile(self, j: jax.Array, carried: Array) -> Array:
        """The first layer of weights, and the activities after it."""
        weights = self.matrices[0][_rows(j)] + self.dot(self.parts(self.delta[0][_rows(j)]), self.inputs)
        self.matrices[0][_rows(j)] = weights
        self.active[0][_rows(j)] = self.rectified(self.dot(self.parts(weights), self.inputs, trans_b=True))
        return carried

    def step(self, targets: Array, size: Array, times: Array) -> Array:
        """One step of gradient descent; ``times`` counts how often the programs have waited for each other."""
        times = self.wait(times)
        for layer in range(1, self.top):
            self.each(layer, partial(self.forward_tile, layer))
            times = self.wait(times)
        self.outputs[self.part] = self.each(self.top, partial(self.forward_tile, self.top), jnp.zeros_like(targets))
        times = self.wait(times)
        predicted = sum((self.outputs[i] for i in range(1, self.programs)), self.outputs[0])
        self.each(self.top, partial(self.last_tile, self.parts((targets - predicted) * size)))
        self.barrier()
        for layer in range(self.top, 0, -1):
            self.update(layer)
            times = self.wait(times)
            self.each(layer - 1, partial(self.gather_tile, layer - 1))
            self.barrier()
        self.each(0, self.first_tile)
        return times


def _kernel(
    steps: Ref, scale: Ref, x: Ref, y: Ref, *refs: Ref, layers: int, programs: int, relu: bool,
    dot: Callable[..., Array], barrier: Callable[[], None], parts: Callable[[Array], Parts],
    input_parts: Callable[[Array], Parts],
) -> None:  # fmt: skip
    """Train one seed in place, this program its own tiles; ``refs`` are as ``descend`` lists them."""
    written = iter(refs[layers + 1 :])  # the arrays before them, which are read, are the same memory

    def take(count: int) -> list[Ref]:
        return [next(written) for _ in range(count)]

    matrices, (done, outputs) = take(layers), take(2)
    part, seed = pl.program_id(0), pl.program_id(1)
    ours = _Seed(
        matrices, take(layers - 1), take(layers - 1), take(layers - 2), outputs, done, input_parts(x[:, :]), seed, part,
        programs, relu, dot, barrier, parts,
    )  # fmt: skip
    targets, size = y[:, :], scale[0]
    ours.each(0, ours.start_tile)
    lax.fori_loop(0, steps[0], lambda _, times: ours.step(targets, size, times), jnp.int32(0))


def _programs(seeds: int, widths: Sequence[int]) -> int:
    """Programs that share a seed: as many as the device holds, and no more than a layer has tiles."""
    held = RESIDENT * getattr(jax.devices()[0], "core_count", seeds)
    return max(1, min(held // seeds, MOST, *(-(-width // TILE) for width in widths)))


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
    programs: int | None = None,
    interpret: bool = False,
) -> tuple[Array, ...]:
    """``steps`` steps of gradient descent for every seed; one array (seeds, out, in) of weights per layer.

    Args:
        weights: of three or more layers, one network per seed, float32.
        x, y, scale, steps, relu, split, exact_inputs: as in ``_fused.descend``.
        programs: that share a seed; None chooses by the device.
        interpret: run without a GPU, for tests; programs run one after another then, hence one per seed.
    """
    layers, seeds = len(weights), len(weights[0])
    hidden = [w.shape[1] for w in weights[:-1]]
    programs = 1 if interpret else _programs(seeds, hidden) if programs is None else programs
    items, wide, deep = padded(len(x)), padded(x.shape[1]), padded(y.shape[1])
    high = [-(-units // TILE) * TILE for units in hidden]
    ours = [
        *(grow(w, seeds, out, into) for w, out, into in zip(weights[:-1], high, [wide, *high[:-1]], strict=True)),
        grow(weights[-1].transpose(0, 2, 1), seeds, high[-1], deep),
    ]
    parts = split_in_two if split else whole
    kernel = partial(
        _kernel,
        layers=layers,
        programs=programs,
        relu=relu,
        dot=partial(multiply, precision=None if interpret else lax.DotAlgorithmPreset.TF32_TF32_F32),
        barrier=(lambda: None) if interpret else plgpu.debug_barrier,
        parts=parts,
        input_parts=whole if exact_inputs else parts,
    )

    def of_seed(*shape: int) -> pl.BlockSpec:
        return pl.BlockSpec((None, *shape), lambda part, seed: (seed, *(0 for _ in shape)))

    def shared(*shape: int) -> pl.BlockSpec:
        return pl.BlockSpec(shape, lambda part, seed: tuple(0 for _ in shape))

    done = jnp.zeros(seeds, jnp.int32)
    matrices = [of_seed(*w.shape[1:]) for w in ours]
    scratch = [
        (programs, items, deep),
        *((units, items) for units in high),
        *((units, items) for units in high),
        *((programs, units, items) for units in high[:-1]),
    ]
    found = pl.pallas_call(
        kernel,
        grid=(programs, seeds),
        in_specs=[shared(1), shared(1), shared(items, wide), shared(items, deep), *matrices, shared(seeds)],
        out_specs=[*matrices, shared(seeds), *(of_seed(*shape) for shape in scratch)],
        out_shape=[
            *(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in [*ours, done]),
            *(jax.ShapeDtypeStruct((seeds, *shape), jnp.float32) for shape in scratch),
        ],
        input_output_aliases={4 + i: i for i in range(layers + 1)},
        compiler_params=plgpu.CompilerParams(num_warps=WARPS, num_stages=1),
        interpret=interpret,
    )(
        jnp.reshape(steps, 1).astype(jnp.int32),
        jnp.reshape(scale, 1),
        grow(x, items, wide),
        grow(y, items, deep),
        *ours,
        done,
    )
    ended = [w[:, : old.shape[1], : old.shape[2]] for w, old in zip(found[: layers - 1], weights[:-1], strict=True)]
    return (*ended, found[layers - 1][:, : hidden[-1], : y.shape[1]].transpose(0, 2, 1))
