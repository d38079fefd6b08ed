"""Networks of a user's own, with weights in any nesting, are trained by the same call."""

from dataclasses import dataclass
from functools import cache

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs

pytestmark = pytest.mark.slow

ROUNDING = 1e-12
"""Double precision over some twenty steps."""

XOR = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])
TIMES = np.array([0.0, 0.5, 10.0])


def predict(weights, x):
    hidden = jnp.tanh(x @ weights["in"]["matrix"] + weights["in"]["bias"])
    return hidden @ weights["out"]


class Dictionary(fs.Network):
    predict = property(lambda self: predict)

    def start(self, task, seed):
        draw = np.random.default_rng(seed).normal
        return {"in": {"matrix": draw(size=(2, 6)), "bias": np.zeros(6)}, "out": draw(size=(6, 1))}


@cache
def model():
    """Weights of an Equinox network, and the rest of it."""
    whole = eqx.nn.MLP(2, 1, 6, 1, activation=jnp.tanh, key=jax.random.PRNGKey(0))
    return eqx.partition(whole, eqx.is_inexact_array)


def call(weights, x):
    return jax.vmap(eqx.combine(weights, model()[1]))(x)


class Equinox(fs.Network):
    predict = property(lambda self: call)

    def start(self, task, seed):
        return jax.tree.map(lambda a: np.asarray(a) + 0.01 * seed, model()[0])


def entropy(weights, data, key):
    return -jnp.sum(data.y * jax.nn.log_softmax(data.x @ weights)) / data.count


@dataclass(frozen=True)
class Softmax(fs.Network):
    scale: float = 0.1
    predict = property(lambda self: lambda weights, x: jax.nn.softmax(x @ weights))
    loss = property(lambda self: entropy)
    observables = property(lambda self: watch)

    def start(self, task, seed):
        return self.scale * np.random.default_rng(seed).normal(size=(2, 2))


def watch(context):
    return {"loss": lambda w: entropy(w, context["data"], None), "weights": lambda w: (w,)}


def plain(network, task, seed, steps, rate):
    """The leaves after the steps, as anyone would get them."""
    with jax.enable_x64(True):
        weights = jax.tree.map(jnp.asarray, network.start(task, seed))
        weights = jax.tree.map(lambda w: w.astype(float), weights)
        x, y = jnp.asarray(task.x), jnp.asarray(task.y)
        loss = lambda w: 0.5 * jnp.sum((network.predict(w, x) - y) ** 2) / len(x)  # noqa: E731
        for _ in range(steps):
            weights = jax.tree.map(lambda w, g: w - rate * g, weights, jax.grad(loss)(weights))
        return [np.asarray(leaf) for leaf in jax.tree.leaves(weights)], float(loss(weights))


@pytest.mark.parametrize("kind", [Dictionary, Equinox])
def test_any_nesting_of_weights_is_trained(kind):
    run = fs.evolve(
        kind(), XOR, TIMES, method=fs.Train(rate=0.5), seed=1, seeds=3, observe=("loss", "weights", "outputs")
    )
    assert run.outputs.shape == (3, 3, 4, 1)
    for i, steps in enumerate((0, 1, 20)):
        leaves, loss = plain(kind(), XOR, 2, steps, 0.5)
        assert run.loss[1, i] == pytest.approx(loss, rel=ROUNDING)
        for ours, theirs in zip(run.weights, leaves, strict=True):
            np.testing.assert_allclose(ours[1, i], theirs, atol=ROUNDING)


def test_adam_and_batches_take_any_nesting():
    run = fs.evolve(Dictionary(), XOR, [0.0, 20.0], method=fs.Train(rate=0.05, optimiser="adam", batch=2), seeds=2)
    assert np.all(run.loss[:, -1] < 0.2 * run.loss[:, 0])


def test_a_loss_of_ones_own_is_descended():
    task = fs.Task(x=[[1, 0], [0, 1], [1, 1]], y=[[1, 0], [0, 1], [1, 0]])
    run = fs.evolve(Softmax(), task, [0.0, 0.5], method=fs.Train(rate=0.5), observe=("loss", "weights"))
    start = Softmax().start(task, 0)
    shares = np.exp(task.x @ start) / np.exp(task.x @ start).sum(axis=1, keepdims=True)
    assert run.loss[0] == pytest.approx(-np.sum(task.y * np.log(shares)) / 3)
    np.testing.assert_allclose(run.weights[0][1], start - 0.5 * task.x.T @ (shares - task.y) / 3, atol=ROUNDING)


@dataclass(frozen=True)
class Jitter:
    size: float

    def __call__(self, weights, data, key):
        noise = 0.0 if key is None else self.size * jax.random.normal(key, weights.shape)
        return 0.5 * jnp.sum((weights + noise - data.y) ** 2)


class Noisy(fs.Network):
    noisy = True
    predict = property(lambda self: lambda weights, x: weights + 0 * x[:, :1])
    loss = property(lambda self: Jitter(0.3))

    def start(self, task, seed):
        return np.zeros((1, 1))


def test_noise_is_drawn_in_training_from_the_seed_and_not_in_observing():
    task = fs.Task(x=[[1.0]], y=[[2.0]])
    times = np.arange(4) * 0.5
    run = fs.evolve(Noisy(), task, times, method=fs.Train(rate=0.5), seeds=50, observe=("loss", "weights"))
    path = run.weights[0][..., 0, 0]
    np.testing.assert_allclose(run.loss, 0.5 * (path - 2) ** 2, atol=ROUNDING)
    draws = (2 - path[:, :-1]) - np.diff(path, axis=1) / 0.5
    assert len(np.unique(draws.round(9))) == draws.size
    assert draws.std() == pytest.approx(0.3, rel=0.2)
    again = fs.evolve(Noisy(), task, times, method=fs.Train(rate=0.5), seed=7, observe=("weights",))
    np.testing.assert_allclose(again.weights[0][..., 0, 0], path[7], atol=ROUNDING)


def test_theory_says_that_it_has_none():
    with pytest.raises(ValueError, match=r"Dictionary has no closed form; use method=fs.Reduced\(\), fs.Flow"):
        fs.evolve(Dictionary(), XOR, TIMES)


class Whole(Dictionary):
    def start(self, task, seed):
        return {"in": jnp.tanh, "out": 1}


def test_weights_that_are_no_arrays_are_named():
    with pytest.raises(ValueError, match=r"start of Whole gives weights.*'in'.* is PjitFunction.*eqx.partition"):
        fs.evolve(Whole(), XOR, TIMES, method=fs.Train(rate=0.1))
