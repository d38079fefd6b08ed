"""The GPU kernels of deep networks are gradient descent: interpreted here; ``benchmarks/gpu.py`` has a device."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from festina.methods import _fused

pytestmark = pytest.mark.slow

ROUNDING = 1e-5
"""Single precision over some steps of weights of order one."""

TIME = 0.15
"""Of all steps together: short enough for gradient descent to be stable."""


def descend(weights, x, y, steps, relu, rate):
    weights = [w.copy() for w in weights]
    for _ in range(steps):
        before, active = [], [np.broadcast_to(x, (len(weights[0]), *x.shape))]
        for w in weights:
            before.append(active[-1] @ w.transpose(0, 2, 1))
            active.append(np.maximum(before[-1], 0) if relu else before[-1])
        back, changes = (y - before[-1]) * rate / len(x), []
        for layer in reversed(range(len(weights))):
            changes.append(back.transpose(0, 2, 1) @ active[layer])
            if layer:
                back = back @ weights[layer] * ((before[layer - 1] > 0) if relu else 1)
        weights = [w + change for w, change in zip(weights, changes[::-1], strict=True)]
    return weights


@pytest.mark.parametrize(
    ("relu", "split", "items", "inputs", "hidden", "outputs", "steps"),
    [
        (True, True, 24, 11, (70, 130), 60, 3),
        (True, True, 24, 11, (64, 65, 3), 60, _fused.TOGETHER + 3),
        (False, True, 17, 16, (5, 64, 129), 3, 3),
        (False, True, 64, 64, (33, 7), 64, 2 * _fused.TOGETHER - 1),
        (True, True, 5, 2, (40, 30, 20, 10), 2, _fused.TOGETHER),
        (True, False, 1, 1, (1, 1), 1, 3),
    ],
)
def test_deep_kernels_are_gradient_descent_at_sizes_they_must_pad(relu, split, items, inputs, hidden, outputs, steps):
    import jax.numpy as jnp

    rng, rate = np.random.default_rng(0), TIME / steps
    x, y = rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs))
    sizes = pairwise((inputs, *hidden, outputs))
    weights = [rng.standard_normal((2, after, before)) / np.sqrt(before) for before, after in sizes]
    xs, ys, scale, *given = (jnp.asarray(a, jnp.float32) for a in (x, y, rate / items, *weights))
    ours = _fused.descend_deep(given, xs, ys, scale, jnp.int32(steps), relu=relu, split=split, interpret=True)
    for mine, theirs, first in zip(ours, descend(weights, x, y, steps, relu, rate), weights, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=ROUNDING)
        assert max(hidden) == 1 or np.abs(theirs - first).max() > 100 * ROUNDING


def test_no_step_changes_nothing():
    import jax.numpy as jnp

    rng = np.random.default_rng(0)
    weights = [jnp.asarray(rng.standard_normal((2, *shape)), jnp.float32) for shape in ((70, 3), (20, 70), (2, 20))]
    x, y = jnp.ones((4, 3)), jnp.ones((4, 2))
    ours = _fused.descend_deep(weights, x, y, jnp.float32(1.0), jnp.int32(0), relu=True, interpret=True)
    for mine, given in zip(ours, weights, strict=True):
        np.testing.assert_array_equal(mine, given)


def lowered(hidden):
    """The program for a GPU, as it is handed to its compiler; no GPU is needed for that."""
    import jax
    import jax.numpy as jnp

    def shape(*sides):
        return jax.ShapeDtypeStruct(sides, jnp.float32)

    weights = tuple(shape(2, after, before) for before, after in pairwise((11, *hidden, 60)))
    run = jax.jit(partial(_fused.descend_deep, relu=True))
    given = weights, shape(24, 11), shape(24, 60), shape(), jax.ShapeDtypeStruct((), jnp.int32)
    return run.trace(*given).lower(lowering_platforms=("cuda",)).as_text()


@pytest.mark.parametrize("hidden", [(70, 70), (70, 100, 130)])
def test_a_step_starts_two_kernels_for_each_layer_between_hidden_ones(hidden):
    loops = 2  # steps together, and the rest of them
    assert lowered(hidden).count("stablehlo.custom_call @__gpu") == loops * 2 * (len(hidden) - 1)
