"""The flow of units by lengths and directions: dormant units grow and turn in long steps while the residual rests."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Array, Times, Tree
from festina.core.network import Data, Forward, Loss, Network, task_context
from festina.core.task import Task
from festina.core.units import Layout, lay_out
from festina.runtime import program
from festina.runtime.device import in_double
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


LEAST = 1e-300
"""Smaller numbers have no logarithm."""

DRAWS = 2000
"""Networks that are put together from the units of the pool."""


@dataclass(frozen=True)
class Apart(Layout):
    """Units that do not make a network."""

    def join(self, units: Array, shared: Tree) -> tuple[Array, Tree]:
        return units, shared


@dataclass(frozen=True)
class Alone:
    """The loss of units that each learn the residual alone, as small units do."""

    predict: Forward
    layout: Layout

    def outputs(self, weights: tuple[Array, Tree], x: Array) -> Any:
        """Contribution of each unit to the outputs, (units, points, outputs)."""
        units, shared = weights

        def one(unit: Array) -> Any:
            return self.predict(self.layout.join(unit[None], shared), x) - self.predict(
                self.layout.join(0 * unit[None], shared), x
            )

        return jax.vmap(one)(units)

    def __call__(self, weights: tuple[Array, Tree], data: Data, key: object = None) -> Any:
        """The sum of the losses of all networks of one unit."""
        return 0.5 * ((self.outputs(weights, data.x) - data.y) ** 2).sum() / data.count


@dataclass(frozen=True)
class Explained(Alone):
    """The utility ⟨φ·r⟩ of each unit."""

    def __call__(self, weights: tuple[Array, Tree], data: Data, key: object = None) -> Any:
        """(units,)."""
        return (self.outputs(weights, data.x) * data.y).sum(axis=(1, 2)) / data.count


def first_stage(
    network: Network, task: Task, times: Times, units: int | None, share: float, seeds: int, accuracy: float
) -> np.ndarray:
    """Times at which the units of drawn networks have explained a share of the loss, (draws,)."""
    starts = [network.start(task, seed) for seed in range(seeds)]
    layout = lay_out(starts[0], network.units(starts[0]))
    parts, shared = [layout.split(start)[0] for start in starts], layout.split(starts[0])[1]
    pool, apart = np.concatenate(parts), Apart(layout.tree, layout.axes, layout.shapes)
    alone, explained = (kind(network.predict, layout) for kind in (Alone, Explained))
    with in_double():
        data = jax.tree.map(np.asarray, task_context(network, task)["data"])
        nothing = np.asarray(network.predict(layout.join(0 * parts[0], shared), data.x))
        residual = np.asarray(task.loss.residual(nothing, np.asarray(data.y)))
        only = Data(data.x, residual, data.count)
        try:
            jax.eval_shape(alone.outputs, (pool, shared), data.x)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"units of {type(network).__name__} are known by their place, so that networks cannot be put together "
                "from single ones; use fs.evolve(..., method=fs.Reduced(), seeds=...)."
            ) from error
        found, rest, _ = follow(alone, apart, pool, shared, only, times, accuracy)
        first = float(network.loss(layout.join(0 * parts[0], shared), data, None))
        utility = np.asarray(each(explained, apart, found, rest, only))
    count = len(parts[0]) if units is None else units
    drawn = np.random.default_rng(0).multinomial(count, np.full(len(pool), 1 / len(pool)), size=DRAWS)
    return _crossing(times, utility @ drawn.T / (share * first))


def _crossing(times: Times, sums: np.ndarray) -> np.ndarray:
    """When growing sums (times, draws) pass 1, ``inf`` where never; growth between times is exponential."""
    passed = sums >= 1
    k = np.maximum(passed.argmax(axis=0), 1)
    along = np.arange(sums.shape[1])
    one, two = (np.log(np.maximum(sums[at, along], LEAST)) for at in (k - 1, k))
    part = np.clip(-one / np.maximum(two - one, LEAST), 0.0, 1.0)
    return np.where(passed.any(axis=0), times[k - 1] + part * (times[k] - times[k - 1]), np.inf)
