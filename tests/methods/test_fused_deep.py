"""The GPU kernel of deep networks is gradient descent; here it is interpreted, ``benchmarks/gpu.py`` has a device."""

from itertools import pairwise

import numpy as np
import pytest

from festina.methods import _fused_deep

pytestmark = pytest.mark.slow

ROUNDING = 1e-5
"""Single precision over a few steps of weights of order one."""

RATE = 0.05


def descend(weights, x, y, steps, relu):
    weights = [w.copy() for w in weights]
    for _ in range(steps):
        before, active = [], [np.broadcast_to(x, (len(weights[0]), *x.shape))]
        for w in weights:
            before.append(active[-1] @ w.transpose(0, 2, 1))
            active.append(np.maximum(before[-1], 0) if relu else before[-1])
        back, changes = (y - before[-1]) * RATE / len(x), []
        for layer in reversed(range(len(weights))):
            changes.append(back.transpose(0, 2, 1) @ active[layer])
            if layer:
                back = back @ weights[layer] * ((before[layer - 1] > 0) if relu else 1)
        weights = [w + change for w, change in zip(weights, changes[::-1], strict=True)]
    return weights


@pytest.mark.parametrize(
    ("relu", "split", "items", "inputs", "hidden", "outputs"),
    [(True, True, 24, 11, (70, 130), 60), (False, True, 17, 16, (5, 64, 129), 3), (True, False, 1, 1, (1, 1), 1)],
)
def test_deep_kernel_is_gradient_descent_at_sizes_it_must_pad(relu, split, items, inputs, hidden, outputs):
    import jax.numpy as jnp

    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs))
    sizes = pairwise((inputs, *hidden, outputs))
    weights = [rng.standard_normal((2, after, before)) / np.sqrt(before) for before, after in sizes]
    xs, ys, scale, *given = (jnp.asarray(a, jnp.float32) for a in (x, y, RATE / items, *weights))
    ours = _fused_deep.descend(given, xs, ys, scale, jnp.int32(3), relu=relu, split=split, interpret=True)
    for mine, theirs, first in zip(ours, descend(weights, x, y, 3, relu), weights, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=ROUNDING)
        assert relu or np.abs(theirs - first).max() > 100 * ROUNDING


def test_a_seed_is_shared_by_as_many_programs_as_the_device_holds():
    held = _fused_deep.RESIDENT * 132

    class Device:
        core_count = 132

    def programs(seeds, widths):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_fused_deep.jax, "devices", lambda: [Device()])
            return _fused_deep._programs(seeds, widths)

    assert programs(1024, (420, 420)) == 1
    assert programs(100, (420, 420)) == held // 100
    assert programs(10, (420, 420)) == 7  # tiles of a layer
    assert programs(10, (420, 60)) == 1
    assert programs(1, (2000, 2000)) == _fused_deep.MOST
