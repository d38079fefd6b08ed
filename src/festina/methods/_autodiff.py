"""Gradient flow of any network by automatic differentiation, all seeds side by side."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from festina.analysis.curvature import largest_curvature
from festina.checks.shapes import Times, Tree
from festina.core.network import Loss, Network, task_context
from festina.core.task import Task
from festina.methods._device_choice import gradient_work
from festina.runtime import program
from festina.runtime.device import cpus, default_kind
from festina.solvers.budget import left, spend
from festina.solvers.compiled import TINY, Leap, leap, reach
from festina.solvers.stepper import DORMAND_PRINCE

MOST_STEPS = 1_000_000
"""Steps after which the solver gives up."""

SHARE = 1e-3
"""The smallest step, in units of the inverse of the largest curvature at the start. Where a unit slides along a data
point, its gate opens and closes at every step; the error made by not following that is of the order of the step."""

STABLE = 1e-2
"""The largest that the smallest step may be, in units of the inverse of the largest curvature where it was used."""

TRIES = 12
"""How often the smallest step is made smaller where the curvature has grown."""

FIRST, SLIDING = 0.01, 10.0
"""Relative change of the weights in the first stabilised step. A step of the second length is taken whatever its error;
its unit is the tolerance over the largest curvature."""

HOPELESS = 1e9
"""Error of a smallest step, in units of the tolerance, at which going on with it is of no use."""

SMALL = 1e9
"""Operations of an evaluation of all seeds up to which a CPU is faster than starting a GPU's kernels one by one."""


def _equation(loss: Loss, start: Tree, data: Tree, tolerance: jax.Array) -> tuple[Any, ...]:
    """The start as one vector and what leads back, the slope of the flow, and the error of a step by its tolerance."""
    first, back = ravel_pytree(start)

    def slope(flat: jax.Array) -> Any:
        return -ravel_pytree(jax.grad(loss)(back(flat), data, None))[0]

    def size(wrong: jax.Array, before: jax.Array, after: jax.Array) -> Any:
        largest = jnp.maximum(jnp.abs(before), jnp.abs(after))
        return jnp.sqrt(jnp.mean((wrong / (tolerance[1] + tolerance[0] * largest)) ** 2))

    return first, back, slope, size


@partial(program.jit, static=1)
def _solve(
    loss: Loss, weights: Tree, data: Tree, times: jax.Array, tolerance: jax.Array, smallest: jax.Array
) -> tuple[Any, Any, Any, Any]:
    """Weights of every seed at every time by the pair of Dormand and Prince.

    Also gives the steps tried, the largest error of the smallest steps over the tolerance, and the weights there.
    """

    def one(start: Tree, smallest: jax.Array, tolerance: jax.Array) -> tuple[Any, ...]:
        first, back, slope, size = _equation(loss, start, data, tolerance)
        end, found = reach(
            DORMAND_PRINCE, slope, size, first, times, smallest,
            lambda now: (now.tried < MOST_STEPS) & (now.worst < HOPELESS),
        )  # fmt: skip
        return jax.vmap(back)(found), end.tried, end.worst, back(end.where)

    return jax.vmap(one)(weights, smallest, tolerance)


@partial(program.jit, static=1)
def _leap(
    loss: Loss, weights: Tree, data: Tree, times: jax.Array, tolerance: jax.Array, slopes: jax.Array
) -> tuple[Any, Any, Any]:
    """Weights of every seed at every time by stabilised steps, the time reached, the numbers of steps and of slopes."""

    def one(given: tuple[Tree, jax.Array]) -> tuple[Any, ...]:
        start, tolerance = given
        first, back, slope, size = _equation(loss, start, data, tolerance)
        relative = tolerance[0]
        velocity, zero = slope(first), jnp.asarray(0.0)
        step = FIRST / jnp.maximum(size(velocity, first, first) * relative, TINY)
        along = jax.random.normal(jax.random.key(0), first.shape)
        now = Leap(zero, first, velocity, step, along, zero, 0, 0, 0, 1)
        end, found = leap(slope, size, lambda flat: flat, now, times, SLIDING * relative, MOST_STEPS, slopes)
        return jax.vmap(back)(found), end.time, jnp.array([end.taken, end.evaluations])

    return jax.lax.map(one, (weights, tolerance))


def flow(
    network: Network, task: Task, times: Times, starts: Sequence[Tree], rtol: float, atol: float | None,
    stabilised: bool = False,
) -> tuple[list[list[Any]], dict[str, Any]]:  # fmt: skip
    """Weights of each seed at each time, and the numbers of steps; call it in double precision."""
    data = jax.tree.map(np.asarray, task_context(network, task)["data"])
    weights = jax.tree.map(lambda *parts: np.stack([np.asarray(p, float) for p in parts]), *starts)
    # every seed has its own smallest step and tolerance, so that it is the same alone and among others
    smallest, tolerance = [], []
    for start in starts:
        curvature = largest_curvature(network.loss, start, data)
        # where the loss is flat, as at zero weights, the time itself is the only scale
        smallest.append(min(SHARE / curvature if curvature > 0 else SHARE * float(times[-1]), float(times[-1])))
        largest = max((float(np.abs(leaf).max()) for leaf in jax.tree.leaves(start) if np.size(leaf)), default=0.0)
        tolerance.append([rtol, rtol * (largest or 1.0) if atol is None else atol])
    if times[-1] == 0:
        return [[start] for start in starts], {"steps": [0] * len(starts)}
    device = cpus()[0]
    if default_kind() != "cpu":
        work = gradient_work(network.loss, starts[0], data).operations
        device = jax.devices()[0] if len(starts) * work >= SMALL else device
    if stabilised:
        with jax.default_device(device):
            given = weights, data, np.asarray(times), np.asarray(tolerance), np.asarray(left())
            found, reached, counts = jax.tree.map(np.asarray, _leap(network.loss, *given))
        spend(int(counts[:, 1].sum()))
        if reached.min() < times[-1]:
            raise RuntimeError(
                f"the solver took {MOST_STEPS} steps and did not reach t={times[-1]:g}; give earlier times."
            )
        return _by_seed(found, len(times)), {
            "steps": counts[:, 0].tolist(), "gradients": counts[:, 1].tolist(), "device": device.platform
        }  # fmt: skip
    for _ in range(TRIES):
        with jax.default_device(device):
            found, steps, worst, where = _solve(
                network.loss, weights, data, np.asarray(times), np.asarray(tolerance), np.asarray(smallest)
            )
        smaller = _smaller(network.loss, data, smallest, np.asarray(worst), where)
        if smaller == smallest:
            break
        smallest = smaller
    else:
        raise RuntimeError(
            f"the curvature of the loss grows so much on the way to t={times[-1]:g} that no step of the solver is "
            "small enough; scale inputs and targets to order one, or give earlier times."
        )
    if int(jnp.max(steps)) >= MOST_STEPS:
        raise RuntimeError(
            f"the solver took {MOST_STEPS} steps and did not reach t={times[-1]:g}; give earlier times, or a larger "
            "rtol: fs.Flow(rtol=1e-4)."
        )
    steps = [int(s) for s in steps]
    gradients = [(len(DORMAND_PRINCE.stages) - 1) * s + 1 for s in steps]
    return _by_seed(found, len(times)), {"steps": steps, "gradients": gradients, "device": device.platform}


def _by_seed(found: Tree, times: int) -> list[list[Any]]:
    """Weights of each seed at each time, of arrays (seeds, times, ...)."""
    found = jax.tree.map(np.asarray, found)
    seeds = len(jax.tree.leaves(found)[0])
    return [[jax.tree.map(lambda a, k=k, t=t: a[k, t], found) for t in range(times)] for k in range(seeds)]


def _smaller(loss: Loss, data: Tree, smallest: list[float], worst: np.ndarray, where: Tree) -> list[float]:
    """The smallest step of each seed, smaller where it was too large for the curvature that was met on the way."""
    found = list(smallest)
    for k in np.flatnonzero(worst > 1):
        curvature = largest_curvature(loss, jax.tree.map(lambda a, k=k: np.asarray(a[k]), where), data)
        if found[k] * curvature > STABLE:
            found[k] = STABLE / curvature
        if worst[k] >= HOPELESS:
            found[k] = min(found[k], smallest[k] / 10)
    return found
