"""The stepper inside a compiled program: equations whose slope JAX computes."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from festina.solvers.stepper import Arrays, Now, Numbers, Scheme, Size, Slope, advance, begin


class Traced(Arrays):
    """JAX's arrays."""

    tensordot = staticmethod(jnp.tensordot)
    maximum = staticmethod(jnp.maximum)
    minimum = staticmethod(jnp.minimum)
    isfinite = staticmethod(jnp.isfinite)

    @staticmethod
    def select(condition: Numbers, a: Numbers, b: Numbers) -> Any:
        """Both are computed, and one of them is taken."""
        return jax.tree.map(lambda one, other: jnp.where(condition, one, other), a, b)

    @staticmethod
    def stages(weights: np.ndarray, first: Numbers, slope: Slope) -> Any:
        """One loop, so that one copy of the slope is compiled: a fifth of the time to the first result."""
        rows = jnp.asarray(weights)
        found = jnp.zeros((len(rows), *first.shape), first.dtype).at[0].set(first)
        return lax.fori_loop(1, len(rows), lambda i, k: k.at[i].set(slope(jnp.tensordot(rows[i], k, 1))), found)


def reach(
    scheme: Scheme,
    slope: Slope,
    size: Size,
    first: Numbers,
    times: Numbers,
    smallest: Numbers,
    goes_on: Callable[[Now], Any],
) -> tuple[Now, Any]:
    """The states at the times (times, ...), and where the integration ended.

    Steps end at the times, since formulas of fifth order are more accurate than an interpolant between them.

    Args:
        scheme: how steps are taken.
        slope: dy/dt of a state.
        size: error of a step, in units of the largest that is allowed.
        first: the state at time 0, one axis.
        times: rising, the last of them above 0.
        smallest: length at which a step is taken whatever its error.
        goes_on: whether to go on from there.
    """
    velocity = slope(first)
    scale = size(first, first, first) / size(velocity, first, first)
    step = jnp.clip(jnp.where(jnp.isfinite(scale), 0.01 * scale, smallest), smallest, times[-1])

    def until(now: Now, goal: Numbers) -> tuple[Now, Any]:
        now = lax.while_loop(
            lambda now: (now.time < goal) & goes_on(now),
            lambda now: advance(scheme, slope, size, now, goal, smallest, Traced()),
            now,
        )
        return now, now.state

    zero = jnp.zeros_like(step)
    return lax.scan(until, begin(first, velocity, step, zero, zero), times)
