"""Derivatives along a direction, also of functions that are differentiated backwards only."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Array, Tree

STEP = float(np.finfo(float).eps ** (1 / 3))
"""Length of a step, in units of the point: rounding and curvature then are of similar size."""

BACKWARDS_ONLY = ("custom_vjp_call", "pure_callback")
"""JAX's operations that have no derivative along a direction."""


def along(function: Callable[[Any], Any], point: Tree, direction: Tree) -> tuple[Any, Any]:
    """The function at a point, and its derivative along a direction; call it in double precision.

    Where the function has no derivative forwards, small steps ahead and behind give it to about seven digits.
    """
    program = str(jax.make_jaxpr(function)(point))
    if not any(name in program for name in BACKWARDS_ONLY):
        return jax.jvp(function, (point,), (direction,))
    size, reach = _length(point), _length(direction)
    step = STEP * jnp.where(size > 0, size, 1.0) / jnp.where(reach > 0, reach, 1.0)
    ahead, behind = (
        function(jax.tree.map(lambda p, d, way=way: p + way * step * d, point, direction)) for way in (1, -1)
    )
    return function(point), jax.tree.map(lambda a, b: (a - b) / (2 * step), ahead, behind)


def _length(tree: Tree) -> Array:
    return jnp.sqrt(sum(jnp.sum(jnp.square(leaf)) for leaf in jax.tree.leaves(tree)))
