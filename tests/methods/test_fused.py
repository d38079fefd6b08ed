"""The GPU kernel is gradient descent; here it is interpreted on a CPU, ``benchmarks/gpu.py`` checks it on a device."""

import numpy as np
import pytest

from festina.core.layered import LayeredForward
from festina.core.network import Data, MeanLoss
from festina.methods import _engine, _fused
from festina.methods._step import TrainSpec

pytestmark = pytest.mark.slow

ROUNDING = 1e-5
"""Single precision over a few steps of weights of order one."""

RATE = 0.1


def descend(first, second, x, y, steps, relu):
    first, second = first.copy(), second.copy()
    for _ in range(steps):
        hidden = x @ first.transpose(0, 2, 1)
        active = np.maximum(hidden, 0) if relu else hidden
        error = (y - active @ second.transpose(0, 2, 1)) * RATE / len(x)
        back = error @ second * ((hidden > 0) if relu else 1)
        second += error.transpose(0, 2, 1) @ active
        first += back.transpose(0, 2, 1) @ x
    return first, second


@pytest.mark.parametrize(
    ("relu", "turns", "split", "items", "inputs", "outputs", "units"),
    [
        *(
            (relu, turns, split, 24, 11, 60, 70)
            for relu, turns in ((True, None), (False, 7))
            for split in (True, False)
        ),
        *((relu, turns, split, 1, 1, 1, 1) for relu, turns, split in ((True, 3, True), (False, 1, False))),
        *((relu, turns, split, 17, 16, 3, 64) for relu, turns, split in ((True, 3, False), (False, 1, True))),
    ],
)
def test_kernel_is_gradient_descent_at_sizes_it_must_pad(relu, turns, split, items, inputs, outputs, units):
    import jax.numpy as jnp

    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs))
    first = 0.3 * rng.standard_normal((2, units, inputs))
    second = 0.3 * rng.standard_normal((2, outputs, units)) / np.sqrt(units)
    w1, w2, xs, ys, scale = (jnp.asarray(a, jnp.float32) for a in (first, second, x, y, RATE / items))
    ours = _fused.descend((w1, w2), xs, ys, scale, jnp.int32(4), relu=relu, split=split, turns=turns, interpret=True)
    for mine, theirs in zip(ours, descend(first, second, x, y, 4, relu), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=ROUNDING)


def test_split_is_exact_and_its_parts_are_short():
    import jax.numpy as jnp

    x = np.random.default_rng(1).standard_normal(1000).astype(np.float32)
    high, low = (np.asarray(part) for part in _fused.split_in_two(jnp.asarray(x)))
    np.testing.assert_array_equal(high + low, x)
    assert _fused.coarse(high)
    assert np.all(np.abs(low) <= 2.0**-10 * np.abs(x))


def test_one_hot_inputs_are_coarse_and_others_are_not():
    assert _fused.coarse(np.eye(5))
    assert not _fused.coarse(np.full((2, 2), 0.1))


def test_kernels_are_for_two_or_more_layers_and_small_data():
    def fits(layers, x, y, **settings):
        loss = MeanLoss(LayeredForward())
        spec = TrainSpec(loss, dict, ("loss",), precision="single")._replace(**settings)
        return _engine._fusible(spec, {"data": Data(x, y, 24.0)}, (None,) * layers)

    x, y = np.zeros((24, 11)), np.zeros((24, 60))
    assert fits(2, x, y)
    assert fits(4, x, y)
    assert not fits(1, x, y)
    assert not fits(2, np.zeros((65, 11)), np.zeros((65, 60)))
    assert not fits(2, (x, y), y)
    assert not fits(2, x, y, precision="double")
    assert not fits(2, x, y, optimiser="momentum")
    assert not fits(2, x, y, loss=MeanLoss(LayeredForward(biased=True)))
