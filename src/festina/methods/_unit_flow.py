"""The flow of units by lengths and directions: dormant units grow and turn in long steps while the residual rests."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Array, Tree
from festina.core.network import Forward, Loss
from festina.core.units import Layout
from festina.runtime import program
from festina.solvers.compiled import TINY, Leap, leap, length, stages
from festina.solvers.stepper import between

ROOM = 64
"""Steps that are kept in one call of the compiled program."""

MOST = 200_000
"""Steps after which the solver gives up."""

FIRST = 0.01
"""Change of logarithmic lengths and of directions in the first step."""


class State(NamedTuple):
    """Units by direction (units, numbers) and logarithm of their length (units,), and the shared arrays."""

    direction: Any
    log: Any
    shared: Any


class Path(NamedTuple):
    """Every step of an integration: times (steps,), states and slopes with a leading axis of steps."""

    times: np.ndarray
    states: State
    slopes: State
    evaluations: int

    def at(self, times: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Weights of the units (times, units, numbers) and shared arrays, by Hermite's cubic between steps."""
        k = np.clip(np.searchsorted(self.times, times) - 1, 0, max(len(self.times) - 2, 0))
        step = np.diff(self.times, append=self.times[-1:])[k]
        part = np.clip((times - self.times[k]) / np.where(step > 0, step, 1.0), 0.0, 1.0)
        after = np.minimum(k + 1, len(self.times) - 1)

        def read(value: np.ndarray, slope: np.ndarray) -> np.ndarray:
            shape = (-1,) + (1,) * (value.ndim - 1)
            h, s = step.reshape(shape), part.reshape(shape)
            return between(value[k], value[after], h * slope[k], h * slope[after], s)

        found = jax.tree.map(read, self.states, self.slopes)
        size = np.linalg.norm(found.direction, axis=-1, keepdims=True)
        return found.direction / np.where(size > 0, size, 1.0) * np.exp(found.log)[..., None], found.shared


@partial(program.jit, static=2)
def _begin(loss: Loss, layout: Layout, state: State, mask: Array, along: State, data: Tree) -> Leap:
    slope = _slope(loss, layout, state, mask, data)
    zero = jnp.asarray(0.0)
    speed = jnp.maximum(jnp.abs(slope.log).max(initial=0.0), jnp.abs(slope.direction).max(initial=0.0))
    for leaf in slope.shared:
        speed = jnp.maximum(speed, jnp.abs(leaf).max(initial=0.0))
    return Leap(zero, state, slope, FIRST / jnp.maximum(speed, TINY), along, zero, 1)


@partial(program.jit, static=2)
def _go(
    loss: Loss,
    layout: Layout,
    now: Leap,
    mask: Array,
    data: Tree,
    end: Array,
    accuracy: Array,
    table: tuple[Array, Array],
) -> tuple[Leap, Any, Any]:
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
        shared = zip(wrong.shared, before.shared, after.shared, strict=True)
        rest = [length(w) / jnp.maximum(length(b), length(a)) for w, b, a in shared]
        return jnp.max(jnp.array([jnp.sqrt(means[0]), jnp.sqrt(means[1]), *rest])) / accuracy

    return leap(partial(_slope, loss, layout, mask=mask, data=data), size, settle, now, end, accuracy, ROOM, table)


def _slope(loss: Loss, layout: Layout, state: State, mask: Array, data: Tree) -> State:
    """d ln‖θ‖/dt and dθ̄/dt of each unit in the residual of all, and the flow of shared arrays."""

    def total(units: Array, shared: Tree) -> Array:
        return loss(layout.join(units, shared), data, None)

    size = jnp.exp(state.log)
    pull, push = jax.grad(total, argnums=(0, 1))(size[:, None] * state.direction, state.shared)
    pull = -pull * (mask / size)[:, None]
    along = (state.direction * pull).sum(axis=1)
    return State(pull - state.direction * along[:, None], along, jax.tree.map(jnp.negative, push))


def follow(
    loss: Loss,
    layout: Layout,
    units: np.ndarray,
    shared: tuple[np.ndarray, ...],
    data: Tree,
    end: float,
    accuracy: float,
) -> Path:
    """The flow of all units from time 0 to ``end``; call it in double precision.

    A unit all of whose weights are zero stays as it is.

    Raises:
        RuntimeError: the solver did not reach the end.
    """
    size = np.linalg.norm(units, axis=1)
    mask = (size > 0) * 1.0
    safe = np.where(size > 0, size, 1.0)
    state = State(units / safe[:, None], np.log(safe), shared)
    draw = np.random.default_rng(0).standard_normal
    along = jax.tree.map(lambda a: draw(a.shape), state)
    along = along._replace(direction=along.direction * mask[:, None], log=along.log * mask)
    now = _begin(loss, layout, state, mask, along, data)
    times, states, slopes = [np.zeros(1)], [_one(now.state)], [_one(now.slope)]
    steps = 0
    while float(now.time) < end:
        now, taken, kept = _go(loss, layout, now, mask, data, np.asarray(end), np.asarray(accuracy), stages())
        taken = int(taken)
        steps += taken
        if not taken or steps > MOST:
            raise RuntimeError(
                f"the flow of the units cannot be followed beyond t = {float(now.time):g} of {end:g} after {steps} "
                "steps; scale inputs and targets to order one, give earlier times, or a larger accuracy."
            )
        time, state, slope = jax.tree.map(lambda a, n=taken: np.asarray(a)[:n], kept)
        times.append(time)
        states.append(state)
        slopes.append(slope)
    join = partial(jax.tree.map, lambda *parts: np.concatenate(parts))
    return Path(np.concatenate(times), join(*states), join(*slopes), int(now.evaluations))


def _one(tree: Tree) -> Any:
    return jax.tree.map(lambda a: np.asarray(a)[None], tree)


@partial(program.jit, static=2)
def each(see: Forward, layout: Layout, units: Array, shared: Tree, data: Tree) -> Any:
    """``see(weights, data)`` of each of many networks, units (networks, units, numbers)."""
    return jax.lax.map(lambda one: see(layout.join(*one), data), (units, shared))


@partial(program.jit, static=2)
def contributions(predict: Forward, layout: Layout, units: Array, shared: Tree, x: Tree) -> Any:
    """What each unit alone adds to the outputs, (units, points, outputs)."""

    def narrow(one: Array) -> Any:
        return predict(layout.join(one[None], shared), x) - predict(layout.join(jnp.zeros_like(one[None]), shared), x)

    def wide(mask: Array) -> Any:
        return predict(layout.join(units * mask[:, None], shared), x) - predict(layout.join(0 * units, shared), x)

    try:
        jax.eval_shape(narrow, units[0])
    except (TypeError, ValueError):  # a unit that is known by its place, as in diagonal networks
        return jax.lax.map(wide, jnp.eye(len(units)))
    return jax.lax.map(narrow, units)
