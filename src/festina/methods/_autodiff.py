"""Gradient flow of any network by automatic differentiation, all seeds side by side."""

from functools import partial
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

from festina import _program
from festina._network import Network
from festina._task import Task
from festina._types import Times
from festina.methods._curvature import largest_curvature

MOST_STEPS = 1_000_000
"""Steps after which the solver gives up."""

SHARE = 1e-3
"""The smallest step, in units of the inverse of the largest curvature at the start. Where a unit slides along a data
point, its gate opens and closes at every step; the error made by not following that is of the order of the step."""


@partial(_program.jit, static=1)
def _solve(loss: Any, weights: Any, data: Any, times: Any, tolerance: Any, smallest: Any) -> tuple[Any, Any]:
    gradient = jax.grad(loss)
    term = diffrax.ODETerm(lambda _, w, given: jax.tree.map(lambda g: -g, gradient(w, given, None)))

    def one(start: Any, smallest: Any, tolerance: Any) -> tuple[Any, Any]:
        control = diffrax.PIDController(rtol=tolerance[0], atol=tolerance[1], dtmin=smallest, force_dtmin=True)
        found = diffrax.diffeqsolve(
            term, diffrax.Tsit5(), 0.0, times[-1], None, start, args=data, saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=control, max_steps=MOST_STEPS, throw=False,
        )  # fmt: skip
        return found.ys, found.stats["num_steps"]

    return jax.vmap(one)(weights, smallest, tolerance)


def flow(
    network: Network, task: Task, times: Times, starts: list[Any], rtol: float, atol: float | None
) -> tuple[list[list[Any]], dict[str, Any]]:
    """Weights of each seed at each time, and the numbers of steps; call it in double precision.

    Raises:
        RuntimeError: the solver did not reach the last time.
    """
    data = jax.tree.map(jnp.asarray, network.context(task)["data"])
    weights = jax.tree.map(lambda *parts: jnp.stack([jnp.asarray(p, float) for p in parts]), *starts)
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
    found, steps = _solve(
        network.loss, weights, data, jnp.asarray(times), jnp.asarray(tolerance), jnp.asarray(smallest)
    )
    if int(jnp.max(steps)) >= MOST_STEPS:
        raise RuntimeError(
            f"the solver took {MOST_STEPS} steps and did not reach t={times[-1]:g}; give earlier times, or a larger "
            "rtol: fs.Flow(rtol=1e-4)."
        )
    found = jax.tree.map(np.asarray, found)
    path = [[jax.tree.map(lambda a, k=k, t=t: a[k, t], found) for t in range(len(times))] for k in range(len(starts))]
    return path, {"steps": [int(s) for s in steps]}
