"""The path-wise flow against the gradient of the loss, which knows nothing of paths."""

import numpy as np
from graphs import SIZES, build
from hypothesis import given, settings

import festina as fs
from festina.core.network import mean_loss

ROUNDING = 1e-10
"""Two orders of summation of the same gradient in double precision."""


def differentiate(loss, weights):
    """By a complex step, which has no error of its own where the loss is a polynomial, and needs no compilation."""
    step, found = 1e-30, [np.zeros(w.shape) for w in weights]
    for k, gradient in enumerate(found):
        for at in np.ndindex(gradient.shape):
            moved = tuple(np.array(w, complex) for w in weights)
            moved[k][at] += 1j * step
            gradient[at] = np.imag(loss(moved)) / step
    return found


@settings(max_examples=60)
@given(SIZES)
def test_path_flow_is_the_gradient(sizes):
    network, task, seed = build(sizes)
    weights = network.start(task, seed)
    context = network.context(task)
    gradient = differentiate(lambda w: mean_loss(network.predict, w, context["data"]), weights)
    flow = network.velocity(task)(weights)
    for g, v in zip(gradient, flow, strict=True):
        np.testing.assert_allclose(v, -np.asarray(g), atol=ROUNDING * max(1.0, np.abs(g).max(initial=0)))


@settings(max_examples=30)
@given(SIZES)
def test_compressed_data_have_the_same_loss(sizes):
    network, task, seed = build(sizes)
    many = fs.Task(np.tile(task.x, (9, 1)), np.vstack([task.y + 0.1 * k for k in range(9)]))
    gates = {key: np.tile(network.gates.values[:, i], 9) for i, key in enumerate(network.gates.keys)}
    gates = {**{n.name: 1 for n in network.graph.hidden}, **gates}
    repeated = fs.Gated(network.graph, gates, initial=network.initial)
    weights = repeated.start(many, seed)
    context = repeated.context(many)
    outputs = repeated.predict(weights, context["x"])
    direct = 0.5 * np.sum((many.y - outputs) ** 2) / len(many.y)
    np.testing.assert_allclose(mean_loss(repeated.predict, weights, context["data"]), direct, rtol=1e-10)


def test_gates_weigh_outputs():
    task = fs.Task(np.eye(2), np.ones((2, 1)))
    network = fs.gated.pathways([[1.0, 0.0]], 2, initial=fs.initial.Weights([np.eye(2), np.ones((1, 2))]))
    outputs = fs.evolve(network, task, [0.0], method=fs.Flow(), observe=("outputs",)).outputs
    np.testing.assert_array_equal(outputs[0], [[1.0], [0.0]])


def test_trained_small_steps_follow_the_flow():
    task = fs.tasks.extended_xor(1.0)
    network = fs.gated.pathways(np.eye(4), 3, initial=fs.initial.Gaussian(0.3))
    times = np.linspace(0, 10, 6)
    flow = fs.evolve(network, task, times, method=fs.Flow())
    errors = []
    for rate in (0.02, 0.01):
        trained = fs.evolve(network, task, times, method=fs.Train(rate=rate))
        errors.append(np.abs(trained.loss - flow.loss).max())
    # the error of Euler steps is of first order
    assert 1.8 < errors[0] / errors[1] < 2.2


def test_observables_have_their_shapes():
    task = fs.tasks.context(3)
    network = fs.gated.contextual(3, [(0, 1, 2), (0, 1)], [5, 4], initial=fs.initial.Gaussian(0.1))
    for method in (fs.Flow(rtol=1e-6), fs.Reduced(), fs.Train(rate=0.1)):
        seen = fs.evolve(
            network, task, [0.0, 1.0], method=method, observe=("loss", "outputs", "weights", "hidden", "strengths")
        )
        assert seen.outputs.shape == (2, 24, 60)
        assert [w.shape for w in seen.weights] == [(2, 5, 11), (2, 4, 8), (2, 60, 5), (2, 60, 4)]
        assert [h.shape for h in seen["hidden"]] == [(2, 24, 5), (2, 24, 4)]
        assert seen.strengths.shape == (2, 18)
        off = seen["hidden"][1][:, 16:]
        np.testing.assert_array_equal(off, np.zeros_like(off))
