"""The largest curvature of a loss, which sets the largest stable step."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Tree
from festina.core import Observations, Task
from festina.core.network import Loss, task_context
from festina.runtime import program
from festina.runtime.device import in_double
from festina.solvers.derivative import along

ITERATIONS = 40
"""Power iterations: the digits of the largest curvature are not needed, only its size."""


def largest_curvature(loss: Loss, weights: Tree, data: Tree) -> float:
    """The largest eigenvalue in size of ∂²L/∂W² at these weights, by power iteration; 0 where it is not a number."""
    with in_double():
        weights = jax.tree.map(lambda w: jnp.asarray(w, float), weights)
        data = jax.tree.map(lambda a: jnp.asarray(a, float), data)
        draw = np.random.default_rng(0).standard_normal
        vector = jax.tree.map(lambda w: jnp.asarray(draw(w.shape)), weights)
        size = float(_iterate(loss, weights, data, vector))
    return size if np.isfinite(size) else 0.0


def rate_times_sharpness(run: Observations) -> Mapping[str, float]:
    """Rate × largest curvature of the loss at the weights of the first seed, by where: at the start and the end.

    A prediction that was made for a rate has measured it. Otherwise it is measured for descent of all data points;
    it is empty for other runs, and for those that come from files.
    """
    if "rate_times_sharpness" in run.notes:
        return run.notes["rate_times_sharpness"]
    network, task, method = run.network, run.task, run.method
    plain = getattr(method, "optimiser", None) == "gd" and method.batch is None and method.schedule is None
    if run.between is None or not (plain and isinstance(task, Task)) or network.noisy:
        return {}
    data, rate = task_context(network, task)["data"], method.rate_on(task)
    return {where: rate * largest_curvature(network.loss, w, data) for where, w in run.between().items()}


def _length(vector: Tree) -> Any:
    return jnp.sqrt(sum(jnp.sum(v**2) for v in jax.tree.leaves(vector)))


@partial(program.jit, static=1)
def _iterate(loss: Loss, weights: Tree, data: Tree, vector: Tree) -> Any:
    gradient = jax.grad(lambda w: loss(w, data, None))

    def turn(_: jax.Array, state: tuple[Tree, jax.Array]) -> tuple[Any, Any]:
        length = _length(state[0])
        unit = jax.tree.map(lambda v: v / (length + (length == 0)), state[0])
        turned = along(gradient, weights, unit)[1]
        return turned, _length(turned)

    return jax.lax.fori_loop(0, ITERATIONS, turn, (vector, jnp.asarray(0.0)))[1]
