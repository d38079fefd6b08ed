"""When the first stage comes without a seed: the distribution over all weights that a network may start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from festina.checks.shapes import Array, Times, Tree
from festina.core.network import Data, Forward, Network, task_context
from festina.core.task import Task
from festina.core.units import Layout, lay_out
from festina.methods._unit_flow import each, follow
from festina.runtime.device import in_double

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
