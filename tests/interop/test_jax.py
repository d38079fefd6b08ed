"""Modules of equinox and flax.nnx: they start from their own weights and learn as in their own library."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import festina as fs

pytestmark = pytest.mark.slow

STEPS = 50
X = np.random.default_rng(0).normal(size=(10, 1, 6, 6))
TASK = fs.Task(X.reshape(10, -1), labels=np.arange(10) % 2, loss="cross_entropy")


class Small(eqx.Module):
    """A convolution and a readout."""

    first: eqx.nn.Conv2d
    last: eqx.nn.Linear

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.first, self.last = eqx.nn.Conv2d(1, 3, 3, key=a), eqx.nn.Linear(3, 2, key=b)

    def __call__(self, x):
        return self.last(jnp.tanh(self.first(x)).mean((1, 2)))


def test_an_equinox_module_learns_as_in_equinox():
    network = fs.from_jax(Small, example=X)
    ours = fs.evolve(network, TASK, steps=STEPS, method=fs.Train(lr=0.05, optimiser="adam"), seeds=2)
    with jax.enable_x64(True):
        for seed in range(2):
            module = jax.tree.map(lambda a: jnp.asarray(a, jnp.float64) if eqx.is_inexact_array(a) else a, start(seed))

            def loss(module):
                return optax.softmax_cross_entropy(jax.vmap(module)(jnp.asarray(X)), jnp.asarray(TASK.y)).mean()

            adam: optax.GradientTransformation = optax.adam(0.05)
            memory = adam.init(eqx.filter(module, eqx.is_inexact_array))
            for _ in range(STEPS):
                change, memory = adam.update(eqx.filter_grad(loss)(module), memory)
                module = eqx.apply_updates(module, change)
            assert ours.loss[seed, -1] == pytest.approx(float(loss(module)), rel=1e-10)


def start(seed):
    with jax.enable_x64(False):
        return Small(jax.random.PRNGKey(seed))


def test_a_flax_module_learns_and_is_taken_in_evaluation_mode():
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.first, self.norm = nnx.Linear(36, 8, rngs=rngs), nnx.BatchNorm(8, rngs=rngs)
            self.dropout, self.last = nnx.Dropout(0.2, rngs=rngs), nnx.Linear(8, 2, rngs=rngs)

        def __call__(self, x):
            return self.last(self.dropout(nnx.relu(self.norm(self.first(x)))))

    def make(rngs):
        module = Net(rngs)
        module.eval()
        return module

    network = fs.from_jax(make, example=X.reshape(10, -1))
    run = fs.evolve(network, TASK, steps=STEPS, method=fs.Train(lr=0.1), observe=("loss", "outputs"), seeds=2)
    np.testing.assert_allclose(run.outputs[1, 0], make(nnx.Rngs(1))(X.reshape(10, -1)), atol=1e-5)
    assert np.all(run.loss[:, -1] < run.loss[:, 0])
    with pytest.raises(ValueError, match=r"dropout in training mode \(dropout\): call module.eval"):
        fs.from_jax(Net, example=X.reshape(10, -1))


@pytest.mark.usefixtures("untyped")
def test_what_is_no_module_is_refused_and_seeds_need_a_function():
    for bad in (3, None, eqx.nn.MLP, lambda key: 3):
        with pytest.raises(ValueError, match=r"an equinox module, a flax\.nnx module, or a function that makes one"):
            fs.from_jax(bad, example=X)
    with pytest.raises(ValueError, match="module cannot be called with inputs of shape"):
        fs.from_jax(start(0), example=X[:, 0])
    with pytest.raises(ValueError, match="example has shape"):
        fs.from_jax(start(0), example=3)
    with pytest.raises(ValueError, match="only seed 0, the weights that the module had"):
        fs.evolve(fs.from_jax(start(0), example=X), TASK, steps=1, method=fs.Train(lr=0.1), seeds=2)
