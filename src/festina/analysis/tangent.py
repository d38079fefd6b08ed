"""The tangent kernel of any network by automatic differentiation: as a matrix, and as a product with a vector.

With outputs f(W) of all data points and J = ∂f/∂W the kernel is K = J Jᵀ, point by point and within a point output by
output. ``predict`` is a network's forward pass, ``(weights, x) -> outputs``; call these in double precision.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from festina.checks.shapes import Array, Tree
from festina.core.network import Forward
from festina.runtime import program
from festina.solvers.derivative import along

BLOCK, ROOM = 2**24, 2**27
"""Derivatives that are formed at once (134 MB), and that are kept at once (1 GB)."""

ALONE = 1e-9
"""Largest relative difference between outputs of a point by itself and among the others that is rounding."""


@partial(program.jit, static=1)
def product(predict: Forward, weights: Tree, x: Tree, vector: Array) -> tuple[Any, Any]:
    """Jᵀv, as weights, and K v, both of a vector of the shape of the outputs; K is not formed."""
    _, back = jax.vjp(lambda w: predict(w, x), weights)
    (pulled,) = back(vector)
    return pulled, along(lambda w: predict(w, x), weights, pulled)[1]


@partial(program.jit, static=1)
def move(predict: Forward, weights: Tree, x: Tree, change: Tree) -> tuple[Any, Any]:
    """Outputs at these weights, and J times a change of the weights."""
    return along(lambda w: predict(w, x), weights, change)


@partial(program.jit, static=1)
def _derivatives(predict: Forward, weights: Tree, x: Tree) -> tuple[Any, Any]:
    """Outputs of each point by itself, and their derivatives, (points·outputs, weights)."""
    flat, restore = ravel_pytree(weights)

    def one(point: Tree) -> tuple[Any, Any]:
        def outputs(w: jax.Array) -> Any:
            return predict(restore(w), jax.tree.map(lambda a: a[None], point))[0]

        return outputs(flat), jax.jacrev(outputs)(flat)

    found, rows = jax.vmap(one)(x)
    return found, rows.reshape(-1, flat.size)


def tangent_kernel(predict: Forward, weights: Tree, x: Tree) -> np.ndarray | None:
    """K, (points·outputs, points·outputs), in blocks of points.

    None if derivatives need too much memory, or where the outputs of a point depend on the other points (batch
    normalisation). The derivatives of a single point are then not those of the network.
    """
    outputs = np.asarray(predict(weights, x))
    size = sum(np.size(leaf) for leaf in jax.tree.leaves(weights))
    if outputs.size * size > ROOM:
        return None
    count = max(1, BLOCK // max(size * outputs.shape[1], 1))
    blocks = []
    for first in range(0, len(outputs), count):
        part = jax.tree.map(lambda a, first=first: jnp.asarray(a)[first : first + count], x)
        alone, rows = _derivatives(predict, weights, part)
        away = np.abs(np.asarray(alone) - outputs[first : first + count]).max(initial=0.0)
        if away > ALONE * np.abs(outputs).max(initial=0.0):
            return None
        blocks.append(np.asarray(rows))
    derivatives = np.concatenate(blocks) if blocks else np.zeros((0, size))
    return derivatives @ derivatives.T
