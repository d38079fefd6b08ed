"""Derivatives along a direction: forwards, and where only a backward pass is known."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from festina.runtime.device import in_double
from festina.solvers.derivative import along


@jax.custom_vjp
def backward_only(weights):
    return jnp.tanh(weights["in"]) @ weights["out"]


def by_hand(weights, given):
    slope = (given @ weights["out"].T) / jnp.cosh(weights["in"]) ** 2
    return ({"in": slope, "out": jnp.tanh(weights["in"]).T @ given},)


backward_only.defvjp(lambda weights: (backward_only(weights), weights), by_hand)


@pytest.mark.parametrize("function", [lambda w: jnp.tanh(w["in"]) @ w["out"], backward_only])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_derivative_is_that_of_small_differences(function, compiled):
    rng = np.random.default_rng(0)
    point, direction = ({"in": rng.normal(size=(4, 3)), "out": rng.normal(size=(3, 2))} for _ in range(2))
    ahead, behind = ({key: point[key] + way * 1e-5 * direction[key] for key in point} for way in (1, -1))
    with in_double():
        found = (jax.jit(lambda p, d: along(function, p, d)) if compiled else lambda p, d: along(function, p, d))(
            point, direction
        )
        np.testing.assert_allclose(found[0], function(point), rtol=1e-12)
        np.testing.assert_allclose(found[1], (function(ahead) - function(behind)) / 2e-5, rtol=1e-7)
