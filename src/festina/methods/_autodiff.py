"""Gradient flow of any network by automatic differentiation, all seeds side by side."""

from collections.abc import Sequence
from functools import cache, partial, reduce
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree

from festina.checks.shapes import Array, Times, Tree
from festina.core.network import Loss, Network
from festina.core.task import Task
from festina.methods._curvature import largest_curvature
from festina.methods._work import gradient_work
from festina.runtime import program

MOST_STEPS = 1_000_000
"""Steps after which the solver gives up."""

SHARE = 1e-3
"""The smallest step, in units of the inverse of the largest curvature at the start. Where a unit slides along a data
point, its gate opens and closes at every step; the error made by not following that is of the order of the step."""

STABLE = 1e-2
"""The largest that the smallest step may be, in units of the inverse of the largest curvature where it was used."""

TRIES = 12
"""How often the smallest step is made smaller where the curvature has grown."""

HOPELESS = 1e9
"""Error of a smallest step, in units of the tolerance, at which going on with it is of no use."""

SMALL = 1e9
"""Operations of an evaluation of all seeds up to which a CPU is faster than starting a GPU's kernels one by one."""

SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 10.0
"""Bounds of the change from one step to the next, as is usual for this pair of formulas."""


class Now(NamedTuple):
    """Where a seed is: time, weights as one vector, their velocity, the step to try next, and steps tried so far.

    ``worst`` is the largest error, in units of the tolerance, of the smallest steps, which are taken whatever their
    error, and ``where`` the weights at which it was made.
    """

    time: jax.Array
    weights: jax.Array
    velocity: jax.Array
    step: jax.Array
    tried: jax.Array | int
    worst: jax.Array
    where: jax.Array


class Pair(NamedTuple):
    """Two formulas of orders five and four: weights of earlier stages in each, the last being the step, and the error.

    The coefficients of Dormand and Prince, as SciPy has them.
    """

    stages: Array
    error: Array


@partial(program.jit, static=1)
def _solve(
    loss: Loss, weights: Tree, data: Tree, times: jax.Array, tolerance: jax.Array, smallest: jax.Array, pair: Pair
) -> tuple[Any, Any, Any, Any]:
    """Weights of every seed at every time by the pair of Dormand and Prince, one loop over its stages.

    Also the steps tried, the largest error of the smallest steps in units of the tolerance, and the weights there.

    One copy of the gradient is compiled, where a general solver compiles many: a fifth of the time to the first result.
    """

    def one(start: Tree, smallest: jax.Array, tolerance: jax.Array) -> tuple[Any, ...]:
        first, back = ravel_pytree(start)

        def slope(flat: jax.Array) -> Any:
            return -ravel_pytree(jax.grad(loss)(back(flat), data, None))[0]

        def size(vector: jax.Array, *beside: jax.Array) -> Any:
            largest = reduce(jnp.maximum, [jnp.abs(b) for b in beside])
            found = jnp.sqrt(jnp.mean((vector / (tolerance[1] + tolerance[0] * largest)) ** 2))
            return jnp.where(jnp.isfinite(found), found, jnp.inf)

        def step(now: Now, goal: jax.Array) -> Now:
            last = now.step >= goal - now.time
            h = jnp.where(last, goal - now.time, now.step)

            def stage(i: jax.Array, k: jax.Array) -> Any:
                return k.at[i].set(slope(now.weights + h * (pair.stages[i] @ k)))

            count = len(pair.stages)
            k = jnp.zeros((count, len(first))).at[0].set(now.velocity)
            k = lax.fori_loop(1, count, stage, k)
            new = now.weights + h * (pair.stages[-1] @ k)  # whose velocity is the last stage
            error = size(h * (pair.error @ k), now.weights, new)
            short, finite = h <= smallest, jnp.isfinite(error)
            taken = (error <= 1) | (short & finite)
            factor = jnp.clip(SAFETY * error**-0.2, LEAST_FACTOR, MOST_FACTOR)
            following = h * jnp.where(taken, factor, jnp.minimum(factor, 1.0))
            following = jnp.where(finite, jnp.maximum(following, smallest), following)
            # a step that was cut short to end at a time says little about the next
            following = jnp.where(taken & last, jnp.maximum(following, now.step), following)
            worse = short & (error > jnp.maximum(now.worst, 1.0))
            known = jnp.where(worse, error, now.worst), jnp.where(worse, now.weights, now.where)
            moved = Now(jnp.where(last, goal, now.time + h), new, k[-1], following, now.tried + 1, *known)
            stayed = Now(now.time, now.weights, now.velocity, following, now.tried + 1, *known)
            return jax.tree.map(lambda a, b: jnp.where(taken, a, b), moved, stayed)

        def reach(now: Now, goal: jax.Array) -> tuple[Now, Any]:
            now = lax.while_loop(
                lambda now: (now.time < goal) & (now.tried < MOST_STEPS) & (now.worst < HOPELESS),
                lambda now: step(now, goal),
                now,
            )
            return now, now.weights

        velocity = slope(first)
        scale = size(first, first) / size(velocity, first)
        begin = jnp.clip(jnp.where(jnp.isfinite(scale), 0.01 * scale, smallest), smallest, times[-1])
        zero = jnp.zeros(())
        end, found = lax.scan(reach, Now(zero, first, velocity, begin, 0, zero, first), times)
        return jax.vmap(back)(found), end.tried, end.worst, back(end.where)

    return jax.vmap(one)(weights, smallest, tolerance)


@cache
def _pair() -> Pair:
    from scipy.integrate import RK45

    stages = np.zeros((7, 7))
    stages[:6, :5], stages[6, :6] = RK45.A, RK45.B
    return Pair(stages, np.asarray(RK45.E))


def flow(
    network: Network, task: Task, times: Times, starts: Sequence[Tree], rtol: float, atol: float | None
) -> tuple[list[list[Any]], dict[str, Any]]:
    """Weights of each seed at each time, and the numbers of steps; call it in double precision.

    Raises:
        RuntimeError: the solver did not reach the last time.
    """
    data = jax.tree.map(np.asarray, network.context(task)["data"])
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
    device = jax.devices("cpu")[0]
    if jax.default_backend() != "cpu":
        work = gradient_work(network.loss, starts[0], data).operations
        device = jax.devices()[0] if len(starts) * work >= SMALL else device
    for _ in range(TRIES):
        with jax.default_device(device):
            found, steps, worst, where = _solve(
                network.loss, weights, data, np.asarray(times), np.asarray(tolerance), np.asarray(smallest), _pair()
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
    found = jax.tree.map(np.asarray, found)
    path = [[jax.tree.map(lambda a, k=k, t=t: a[k, t], found) for t in range(len(times))] for k in range(len(starts))]
    return path, {"steps": [int(s) for s in steps], "device": device.platform}


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
