"""The neural tangent kernel of deep linear networks, against the derivative it is made of."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs
from festina.analysis.kernel import distance, kernel, overlap, parts


def weights(widths, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(rng.standard_normal((b, a)) / np.sqrt(a) for a, b in pairwise(widths))


def by_differentiation(matrices, x):
    """JJᵀ of the outputs (output by output) with respect to all weights, by automatic differentiation."""

    def outputs(ws):
        h = jnp.asarray(x)
        for w in ws:
            h = h @ w.T
        return h.T.ravel()

    with jax.enable_x64(True):
        jacobian = jax.jacobian(outputs)(tuple(jnp.asarray(w) for w in matrices))
        return sum(np.asarray(j).reshape(len(j), -1) @ np.asarray(j).reshape(len(j), -1).T for j in jacobian)


@pytest.mark.parametrize("widths", [(4, 3), (4, 3, 5), (3, 6, 2, 4)])
def test_kernel_is_the_product_of_derivatives(widths):
    x = np.random.default_rng(1).standard_normal((6, widths[0]))
    found, wanted = kernel(weights(widths), x), by_differentiation(weights(widths), x)
    assert np.allclose(found, wanted, atol=1e-12)


def test_overlap_and_distance_never_form_the_kernel_but_are_its():
    x = np.random.default_rng(2).standard_normal((7, 4))
    a, b = weights((4, 3, 5), 1), weights((4, 3, 5), 2)
    ka, kb = kernel(a, x), kernel(b, x)
    assert overlap(parts(a, x), parts(b, x)) == pytest.approx(np.sum(ka * kb))
    cosine = np.sum(ka * kb) / np.linalg.norm(ka) / np.linalg.norm(kb)
    assert distance(parts(a, x), parts(b, x)) == pytest.approx(1 - cosine)
    scaled = tuple(3 * w for w in a)
    assert distance(parts(a, x), parts(scaled, x)) == pytest.approx(0, abs=1e-14)


def test_alignment_is_that_of_the_kernel_with_the_targets():
    rng = np.random.default_rng(3)
    task = fs.Task(rng.standard_normal((9, 4)), rng.standard_normal((9, 3)))
    network = fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.5))
    found = fs.evolve(network, task, [0.0, 1.0], method=fs.Flow(), observe=("alignment", "kernel"))
    y = task.y.T.ravel()
    for a, k in zip(found["alignment"], found["kernel"], strict=True):
        assert a == pytest.approx(y @ k @ y / np.linalg.norm(k) / (y @ y))


@pytest.mark.parametrize("hidden", [(), (5,), (4, 5)])
def test_theory_flow_and_training_observe_the_same_things_by_the_same_names(hidden):
    task = fs.tasks.hierarchy(levels=2)
    network = fs.DeepLinear(hidden=hidden, initial=fs.initial.Aligned(0.1))
    names = (
        "similarity",
        "input_similarity",
        "output_similarity",
        "kernel",
        "alignment",
        *(("qq",) * (len(hidden) == 1)),
    )
    times = np.array([0.0, 2.0, 5.0])
    runs = [
        fs.evolve(network, task, times, method=m, observe=(*names, "weights"))
        for m in (fs.Exact(), fs.Flow(), fs.Train(rate=1e-3))
    ]
    for name in names:
        values = [v if isinstance(v, tuple) else (v,) for v in (run[name] for run in runs)]
        for exact, flow, train in zip(*values, strict=True):
            assert np.allclose(exact, flow, atol=1e-7)
            assert np.allclose(exact, train, atol=5e-3)
    moved = [run.kernel_distance() for run in runs]
    exact = fs.evolve(network, task, times, observe=("kernel_distance",))["kernel_distance"]
    assert np.allclose(moved, exact, atol=5e-3)
    assert moved[0][0] == 0


def test_distance_along_seeds_is_seed_by_seed():
    task = fs.tasks.hierarchy(levels=2)
    network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
    times = np.array([0.0, 3.0])
    many = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-8), observe="weights", seeds=2)
    one = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-8), observe="weights", seed=1)
    assert np.allclose(many.kernel_distance()[1], one.kernel_distance())


def test_errors_say_what_is_missing():
    task = fs.tasks.hierarchy(levels=2)
    network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Aligned(0.1))
    with pytest.raises(ValueError, match="observed loss, strengths, outputs; this analysis needs"):
        fs.evolve(network, task, [0.0, 1.0]).kernel_distance()
    with pytest.raises(ValueError, match="starts at 1; the distance is from time 0"):
        fs.evolve(network, task, [1.0], observe="weights").kernel_distance()
    deep = fs.DeepLinear(hidden=(4, 4), initial=fs.initial.Aligned(0.1))
    with pytest.raises(ValueError, match="'qq' with 3 layers; QQᵀ is defined for two"):
        fs.evolve(deep, task, [1.0], observe="qq")


@pytest.mark.parametrize(
    "network",
    [
        fs.ReLU((6,), initial=fs.initial.Gaussian(0.3)),
        fs.ReLU((5, 4), initial=fs.initial.Gaussian(0.5), bias=True),
        fs.DeepLinear((4,), initial=fs.initial.Gaussian(0.3), bias=True),
        fs.FeedForward((6,), "tanh", 2.0),
    ],
    ids=["ReLU", "ReLU with biases", "linear with biases", "tanh"],
)
def test_the_kernel_of_every_network_is_that_of_its_derivatives(network):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((5, 3))
    task = fs.Task(x, rng.standard_normal((5, 2)))
    run = fs.evolve(network, task, [0.0, 3.0], method=fs.Train(0.01), seeds=2, observe=("weights",))

    def outputs(*leaves):
        if isinstance(network, fs.FeedForward):
            a, b, c, d = leaves
            return jnp.tanh(x @ a.T + c) @ b.T + d
        activity = x
        for k, w in enumerate(leaves):
            activity = activity @ w[:, : activity.shape[1]].T + (w[:, -1] if network.bias else 0.0)
            if isinstance(network, fs.ReLU) and k < len(leaves) - 1:
                activity = jnp.maximum(activity, 0.0)
        return activity

    def by_hand(seed, at):
        leaves = [jnp.asarray(w[seed, at]) for w in run.weights]
        rows = jax.jacobian(outputs, argnums=tuple(range(len(leaves))))(*leaves)
        flat = np.concatenate([np.asarray(j).reshape(10, -1) for j in rows], axis=1)
        return flat @ flat.T

    with jax.enable_x64(True):
        pairs = [(by_hand(seed, 0), by_hand(seed, 1)) for seed in range(2)]
    expected = [1 - np.sum(a * b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in pairs]
    found = run.kernel_distance()
    np.testing.assert_allclose(found[:, 1], expected, rtol=1e-6)
    assert np.all(found[:, 0] < 1e-12)
