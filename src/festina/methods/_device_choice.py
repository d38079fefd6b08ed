"""Choice of devices for a run: those that are expected to end first, and how many seeds they hold at once."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from festina.checks.shapes import Tree
from festina.core.network import Context, Loss
from festina.methods._step import CHUNK, Shapes, TrainSpec, shapes
from festina.runtime.device import cpus, default_kind, in_double
from festina.runtime.processor import cores

if TYPE_CHECKING:
    from jax.extend.core import Jaxpr, Literal, Var


GRADIENT = 3
"""A loss and its gradient take three times as many products as the loss: each product has two derivatives."""


class Work(NamedTuple):
    """Products and convolutions, one after another, and the floating-point operations of all of them together."""

    products: float
    operations: float

    def times(self, count: float) -> Work:
        return Work(count * self.products, count * self.operations)


def step_work(spec: TrainSpec, context: Context, start: Tree) -> Work:
    """The work of a seed's step, forward and back.

    Weights that act at many places, as in convolutions and recurrent networks, count at each of them.
    """
    if spec.sample is not None and spec.batch is not None:
        batch, sample = spec.batch, spec.sample
        data, share = jax.eval_shape(lambda: sample(jax.random.PRNGKey(0), batch, context)), 1.0
    elif spec.batch is not None:
        data = context["points"]
        share = spec.batch / len(data.y)
    else:
        data, share = context["data"], 1.0
    found = gradient_work(spec.loss, start, data)
    return found._replace(operations=share * found.operations)


def gradient_work(loss: Loss, weights: Tree, data: Tree) -> Work:
    given = jax.tree.map(lambda a: a if hasattr(a, "dtype") else np.asarray(a), (weights, data))
    return _counted(loss, shapes(*given)).times(GRADIENT)


@lru_cache(maxsize=128)
def _counted(loss: Loss, arguments: Shapes) -> Work:
    weights, data = jax.tree.unflatten(arguments.tree, arguments.leaves)
    # shapes of any precision are counted; units that are dropped are computed all the same, so nothing is drawn here
    with in_double():
        return _products(jax.make_jaxpr(lambda weights, data: loss(weights, data, None))(weights, data).jaxpr)


def _products(jaxpr: Jaxpr) -> Work:
    """The work of a traced function and of all functions that it calls."""
    found: list[Work] = []
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name == "dot_general":
            contracted, left = equation.params["dimension_numbers"][0][0], _shape(equation.invars[0])
            found.append(Work(1, 2.0 * math.prod(_shape(equation.outvars[0])) * math.prod(left[i] for i in contracted)))
        elif name == "conv_general_dilated":
            # each output pixel is a sum over the kernel of one output channel
            kernel, channels = _shape(equation.invars[1]), equation.params["dimension_numbers"].rhs_spec[0]
            found.append(Work(1, 2.0 * math.prod(_shape(equation.outvars[0])) * math.prod(kernel) / kernel[channels]))
        inside = [_products(inner) for inner in _called(equation.params)]
        if inside and name == "cond":
            found.append(max(inside, key=lambda work: work.operations))
        else:
            turns = equation.params.get("length", 1) if name == "scan" else 1
            found += [work.times(turns) for work in inside]
    return Work(sum(work.products for work in found), sum(work.operations for work in found))


def _shape(value: Var | Literal) -> tuple[int, ...]:
    return getattr(value.aval, "shape", ())


def _called(params: Mapping[str, object]) -> Iterator[Jaxpr]:
    """The traced functions among an equation's parameters: the body of a loop, the branches of a choice."""
    for value in params.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            inner: Jaxpr | None = getattr(each, "jaxpr", each)  # type: ignore[assignment]
            if hasattr(inner, "eqns"):
                yield inner  # type: ignore[misc]


CPU_RATE = {"double": 2e10, "single": 4e10}
"""Floating-point operations per second and core in products of the sizes that are trained here."""

CPU_STEP = 2e-6
"""Seconds of a seed's step on a core besides its products."""

GPU_RATE = {"double": 2.5e13, "single": 3e13, "fused": 1.5e13, "layers": 1.8e13}
"""Floating-point operations per second of a data-centre GPU in batched products, in the kernel of two-layer networks,
and in those of deeper ones."""

SLOW_DOUBLE = 64.0
"""Factor by which double precision is slower on GPUs that are not made for it."""

MADE_FOR_DOUBLE = ("P100", "V100", "A100", "H100", "H200", "B100", "B200", "Instinct")
"""Parts of the names of GPUs that are."""

GPU_BYTES = 3e12
"""Bytes per second that a data-centre GPU reads and writes of its memory."""

GPU_STEP = {"vmap": 2e-5, "fused": 5e-6, "layers": 0.0}
"""Seconds of a step on a GPU besides its products, for all seeds together."""

GPU_PRODUCT = {"vmap": 6.5e-6, "fused": 0.0, "layers": 3e-6}
"""Seconds of a product for all seeds together besides its operations: its kernels are started one by one."""

GPU_START = 4.0
"""Seconds that compiling for a GPU and moving data there takes longer than for a CPU."""

COPIES = 4
"""Arrays of the size of the weights that a step holds: weights, gradient, and what the two are made from."""

SHARE = {"cpu": 0.5, "gpu": 0.7}
"""Share of the free memory that a block of seeds may take."""

UNKNOWN = 4e9
"""Bytes that are taken to be free where the machine does not say."""


@dataclass(frozen=True)
class Place:
    """The devices of a run, all of one kind, and why."""

    devices: tuple[Any, ...]
    reason: str

    @property
    def platform(self) -> str:
        """``"cpu"`` or ``"gpu"``, or another that JAX knows."""
        return self.devices[0].platform

    @property
    def cores(self) -> int:
        """Threads that seeds are split over: a device of its own needs none."""
        return cores() if self.platform == "cpu" and len(self.devices) == 1 else 1


def available() -> dict[str, tuple[Any, ...]]:
    """The devices of this machine by kind, JAX's default kind first; a CPU is always there."""
    found = {default_kind(): tuple(jax.local_devices())}
    if "cpu" not in found:
        found["cpu"] = cpus()
    return found


def choose(
    asked: str, spec: TrainSpec, context: Context, start: Tree, seeds: int, steps: int, *, fusible: bool = False
) -> Place:
    """The devices that are expected to end first, or those asked for."""
    found = available()
    if asked != "auto":
        if asked not in found:
            raise ValueError(
                f"device is {asked!r}, and JAX finds {', '.join(found)} only; use device='auto', or install JAX for "
                "your accelerator (jax[cuda13])."
            )
        return Place(found[asked], "asked for")
    kinds = [kind for kind in found if kind != "cpu"]
    if not kinds:
        return Place(found["cpu"], "the only kind of device")
    other = kinds[0]
    if other != "gpu":
        return Place(found[other], "JAX's default")
    if fusible and spec.batching == "fused":
        return Place(found["gpu"], "the fused kernel is for a GPU")
    work = step_work(spec, context, start)
    numbers = sum(np.size(leaf) for leaf in jax.tree.leaves(start))
    times = {
        "cpu": cpu_seconds(work, seeds, steps, spec.precision),
        "gpu": gpu_seconds(work, numbers, seeds, steps, spec.precision, found["gpu"], fusible=fusible),
    }
    best = min(times, key=lambda kind: times[kind])
    told = ", ".join(f"{seconds:.2g} s on the {kind.upper()}" for kind, seconds in times.items())
    return Place(found[best], f"expected: {told}")


def cpu_seconds(work: Work, seeds: int, steps: int, precision: str) -> float:
    """Expected seconds of a run on all cores."""
    per = CPU_STEP + work.operations / CPU_RATE["double" if precision == "double" else "single"]
    return -(-seeds // min(cores(), seeds)) * steps * per


def gpu_seconds(
    work: Work, weights: int, seeds: int, steps: int, precision: str, devices: Sequence[Any], *, fusible: bool
) -> float:
    """Expected seconds of a run on all GPUs, with what compiling for them takes longer.

    A step starts its kernels, multiplies, and moves its ``weights`` through memory unless fused kernels read them.
    """
    double, way = precision == "double", "vmap"
    if fusible:  # two layers are one kernel
        way = "fused" if work.products <= 2 * GRADIENT else "layers"
    rate = GPU_RATE[way if fusible else "double" if double else "single"]
    if double and not any(name in devices[0].device_kind for name in MADE_FOR_DOUBLE):
        rate /= SLOW_DOUBLE
    share = -(-seeds // len(devices))
    moved = 0.0 if fusible else share * COPIES * weights * (8 if double else 4) / GPU_BYTES
    step = GPU_STEP[way] + GPU_PRODUCT[way] * work.products + share * work.operations / rate + moved
    return GPU_START + steps * step


def seeds_at_once(spec: TrainSpec, context: Context, start: Tree, seeds: int, place: Place) -> int:
    """How many seeds fit in memory together: blocks of that size, or somewhat smaller ones of equal size."""
    size = 8 if spec.precision == "double" else 4
    numbers = COPIES * sum(np.size(w) for w in jax.tree.leaves(start))
    numbers += 2 * CHUNK * _observed(spec, shapes(*jax.tree.map(np.asarray, (context, start))))
    fitting = max(int(free_memory(place) // max(size * numbers, 1)), len(place.devices), 1)
    return seeds if fitting >= seeds else -(-seeds // -(-seeds // fitting))


@lru_cache(maxsize=128)
def _observed(spec: TrainSpec, arguments: Shapes) -> int:
    """How many numbers an observation has, of data and weights of these shapes."""

    def see(context: Context, weights: Tree) -> dict[str, Any]:
        watch = spec.observables(context)
        return {name: watch[name](weights) for name in spec.names}

    # data and weights are traced together, as in the program itself: what is observed may choose its library by either
    with in_double():  # shapes of any precision are counted
        seen = jax.eval_shape(see, *jax.tree.unflatten(arguments.tree, arguments.leaves))
    return sum(int(np.prod(a.shape)) for a in jax.tree.leaves(seen))


def free_memory(place: Place) -> float:
    """Bytes that a block of seeds may take on these devices together."""
    if place.platform == "cpu":
        return SHARE["cpu"] * _host_memory()
    stats = [device.memory_stats() or {} for device in place.devices]
    free = [s.get("bytes_limit", UNKNOWN) - s.get("bytes_in_use", 0) for s in stats]
    return SHARE["gpu"] * len(free) * min(free)


def _host_memory() -> float:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")) / 2
    except (AttributeError, OSError, ValueError):
        return UNKNOWN
