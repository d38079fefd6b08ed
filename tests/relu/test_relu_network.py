"""ReLU networks: forward pass, training, what can be observed."""

import jax
import numpy as np
import pytest

import festina as fs
from festina.core.network import mean_loss


def test_forward_is_relu():
    task = fs.tasks.extended_xor(0.5)
    network = fs.ReLU((5, 4), initial=fs.initial.Gaussian(1.0))
    w1, w2, w3 = network.start(task, 0)
    hidden = np.maximum(np.maximum(task.x @ w1.T, 0) @ w2.T, 0)
    np.testing.assert_allclose(network.predict((w1, w2, w3), task.x), hidden @ w3.T)
    seen = network.observables(network.context(task))
    np.testing.assert_allclose(seen["hidden"]((w1, w2, w3))[1], hidden)
    np.testing.assert_array_equal(seen["gates"]((w1, w2, w3))[1], hidden > 0)


def test_gradient_is_that_of_a_maximum():
    """x·step(x) in JAX has the slope of max(x, 0), and slope 0 at 0: dead units stay dead."""
    task = fs.tasks.extended_xor(0.0)
    network = fs.ReLU((6,), initial=fs.initial.Gaussian(1.0))
    with jax.enable_x64(True):
        weights = (*(jax.numpy.asarray(w) for w in network.start(task, 1)),)
        zero = (weights[0] * 0, weights[1])
        data = network.context(task)["data"]
        ours = jax.grad(lambda w: mean_loss(network.predict, w, data))
        other = jax.grad(lambda w: 0.5 * ((data.y - jax.nn.relu(data.x @ w[0].T) @ w[1].T) ** 2).sum() / data.count)
        for start in (weights, zero):
            for a, b in zip(ours(start), other(start), strict=True):
                np.testing.assert_allclose(a, b, atol=1e-14)


def test_a_relu_network_learns_xor():
    run = fs.evolve(
        fs.ReLU((32,), initial=fs.initial.Gaussian(0.1)),
        fs.tasks.extended_xor(0.0),
        [0.0, 60.0],
        method=fs.Train(rate=0.4),
        seeds=3,
        observe=("loss", "outputs", "gates"),
    )
    assert run.loss[:, -1].max() < 1e-3
    assert run["gates"][0].shape == (3, 2, 4, 32)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="hidden is empty"):
        fs.ReLU((), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="hidden is 0"):
        fs.ReLU((0,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="initial is None"):
        fs.ReLU((3,), initial=None)
    network, task = fs.ReLU((3,), initial=fs.initial.Gaussian(0.1)), fs.tasks.extended_xor(1.0)
    with pytest.raises(ValueError, match=r"fs\.Reduced\(\)"):
        fs.evolve(network, task, [0.0, 1.0])
    deep = fs.ReLU((3, 3), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(fs.AssumptionError, match=r"fs\.Reduced\(\).*fs\.Flow\(\)"):
        fs.evolve(deep, task, [0.0, 1.0], method=fs.Reduced(fs.relu.UnitGrowth(units=2)))
