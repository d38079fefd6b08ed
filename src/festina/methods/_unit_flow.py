"""The flow of units by lengths and directions: dormant units grow and turn in long steps while the residual rests."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Array, Tree
from festina.core.network import Data, Forward, Loss
from festina.core.units import Layout
from festina.runtime import program
from festina.solvers.budget import left, spend
from festina.solvers.compiled import TINY, Leap, leap, length

MOST = 200_000
"""Steps tried after which the solver gives up."""

FIRST = 0.01
"""Change of logarithmic lengths and of directions in the first step."""


class State(NamedTuple):
    """Units by direction (units, numbers) and logarithm of their length (units,), and the shared arrays."""

    direction: Any
    log: Any
    shared: Any


@partial(program.jit, static=2)
def _go(
    loss: Loss, layout: Layout, first: State, mask: Array, along: State, data: Data, times: Array, accuracy: Array,
    slopes: Array,
) -> tuple[State, Any, Any]:  # fmt: skip
    """States at the times; also the last time, and the numbers of steps and of slopes."""
    follow = partial(_slope, loss, layout, mask=mask, data=data)

    def settle(state: State) -> State:
        size = jnp.linalg.norm(state.direction, axis=1)
        size = jnp.where(size > 0, size, 1.0)
        return state._replace(direction=state.direction / size[:, None], log=state.log + jnp.log(size))

    def size(wrong: State, before: State, after: State) -> Any:
        """The larger of two means over units: of all alike, and by their share in the squared lengths."""
        each = (wrong.direction**2).sum(axis=1) + wrong.log**2
        longer = jnp.where(mask > 0, jnp.maximum(before.log, after.log), -jnp.inf)
        share = jax.nn.softmax(2 * jnp.where(mask.any(), longer, 0.0))
        means = (each.sum() / jnp.maximum(mask.sum(), 1.0), (share * each).sum())
        # what all units share adds to the outputs, and may begin and stay at zero
        wanted = length(data.y) / jnp.sqrt(len(data.y))
        rest = [length(w) / jnp.maximum(length(a), wanted) for w, a in zip(wrong.shared, after.shared, strict=True)]
        return jnp.max(jnp.array([jnp.sqrt(means[0]), jnp.sqrt(means[1]), *rest])) / accuracy

    slope = follow(first)
    speed = jnp.max(jnp.array([jnp.abs(leaf).max(initial=0.0) for leaf in jax.tree.leaves(slope)]))
    zero = jnp.asarray(0.0)
    now = Leap(zero, first, slope, FIRST / jnp.maximum(speed, TINY), along, zero, 0, 0, 0, 1)
    now, found = leap(follow, size, settle, now, times, accuracy, MOST, slopes)
    return found, now.time, (now.taken, now.evaluations)


def _slope(loss: Loss, layout: Layout, state: State, mask: Array, data: Tree) -> State:
    """d ln‖θ‖/dt and dθ̄/dt of each unit in the residual of all, and the flow of shared arrays."""

    def total(units: Array, shared: Tree) -> Array:
        return loss(layout.join(units, shared), data, None)

    size = jnp.exp(state.log)
    pull, push = jax.grad(total, argnums=(0, 1))(size[:, None] * state.direction, state.shared)
    pull = -pull * (mask / size)[:, None]
    along = jnp.einsum("ij,ij->i", state.direction, pull)
    return State(pull - state.direction * along[:, None], along, jax.tree.map(jnp.negative, push))


def follow(
    loss: Loss,
    layout: Layout,
    units: np.ndarray,
    shared: tuple[np.ndarray, ...],
    data: Data,
    times: np.ndarray,
    accuracy: float,
) -> tuple[np.ndarray, tuple[np.ndarray, ...], tuple[int, int]]:
    """The flow of all units from time 0, in double precision: units (times, units, numbers) and shared arrays.

    It also gives the numbers of steps and of slopes. A unit all of whose weights are zero stays as it is.
    """
    size = np.linalg.norm(units, axis=1)
    mask = (size > 0) * 1.0
    safe = np.where(size > 0, size, 1.0)
    state = State(units / safe[:, None], np.log(safe), shared)
    draw = np.random.default_rng(0).standard_normal
    along = jax.tree.map(lambda a: draw(a.shape), state)
    along = along._replace(direction=along.direction * mask[:, None], log=along.log * mask)
    found, time, counts = _go(loss, layout, state, mask, along, data, times, np.asarray(accuracy), np.asarray(left()))
    steps, evaluations = map(int, counts)
    spend(evaluations)
    if float(time) < times[-1]:
        raise RuntimeError(
            f"the flow of the units cannot be followed beyond t = {float(time):g} of {times[-1]:g} after {steps} "
            "steps; scale inputs and targets to order one, give earlier times, or a larger accuracy."
        )
    direction, log, rest = jax.tree.map(np.asarray, found)
    size = np.linalg.norm(direction, axis=-1)
    return direction * (np.exp(log) / np.where(size > 0, size, 1.0))[..., None], rest, (steps, evaluations)


@partial(program.jit, static=2)
def each(see: Forward | Loss, layout: Layout, units: Array, shared: Tree, data: Tree, *key: None) -> Any:
    """``see(weights, data)`` of each of many networks, units (networks, units, numbers)."""
    return jax.lax.map(lambda one: see(layout.join(*one), data, *key), (units, shared))


@partial(program.jit, static=2)
def contributions(predict: Forward, layout: Layout, units: Array, shared: Tree, x: Tree) -> Any:
    """Contribution of each unit to the outputs, (units, points, outputs)."""

    def narrow(one: Array) -> Any:
        return predict(layout.join(one[None], shared), x) - predict(layout.join(jnp.zeros_like(one[None]), shared), x)

    def wide(mask: Array) -> Any:
        return predict(layout.join(units * mask[:, None], shared), x) - predict(layout.join(0 * units, shared), x)

    try:
        jax.eval_shape(narrow, units[0])
    except (TypeError, ValueError):  # a unit that is known by its place, as in diagonal networks
        return jax.lax.map(wide, jnp.eye(len(units)))
    return jax.lax.map(narrow, units)
