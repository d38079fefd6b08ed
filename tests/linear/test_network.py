"""One description: the flow is the gradient, training is gradient descent, observables are what they say."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from commuting import task_of
from scipy.optimize import approx_fprime

import festina as fs

EVERYTHING = ("loss", "strengths", "map", "outputs", "weights", "hidden")
WRONG: Any = 2.5
HIDDEN = [(), (3,), (4, 2)]


@pytest.fixture(name="task")
def random_task():
    rng = np.random.default_rng(7)
    return fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))


def loss_by_hand(weights, task):
    outputs = task.x
    for w in weights:
        outputs = outputs @ w.T
    return 0.5 * np.sum((task.y - outputs) ** 2) / len(task.x)


def observed_by_hand(weights, task):
    layers, product = [task.x], np.eye(task.x.shape[1])
    for w in weights:
        layers.append(layers[-1] @ w.T)
        product = w @ product
    strengths = np.diag(task.statistics.left.T @ product @ task.statistics.right)
    hidden, outputs = tuple(layers[1:-1]), layers[-1]
    return {
        "loss": loss_by_hand(weights, task),
        "strengths": strengths,
        "map": product,
        "outputs": outputs,
        "weights": weights,
        "hidden": hidden,
    }


def descend(weights, task, rate, steps):
    """Gradient descent on all data points, with numerical care but no knowledge of statistics."""
    for _ in range(steps):
        layers = [task.x]
        for w in weights:
            layers.append(layers[-1] @ w.T)
        back, new = (task.y - layers[-1]) / len(task.x), []
        for w, source in zip(reversed(weights), reversed(layers[:-1]), strict=True):
            new.append(w + rate * back.T @ source)
            back = back @ w
        weights = tuple(reversed(new))
    return weights


def assert_observed(trajectory, index, expected, tolerance):
    for name, value in expected.items():
        found = trajectory[name]
        for a, b in zip(*((v if isinstance(v, tuple) else (v,)) for v in (found, value)), strict=True):
            np.testing.assert_allclose(a[index], b, atol=tolerance, rtol=tolerance)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_the_velocity_is_minus_the_gradient_of_the_loss(hidden, task):
    network = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.6))
    weights = network.start(task, 0)
    cuts = np.cumsum([w.size for w in weights])[:-1]

    def loss(flat):
        return loss_by_hand([p.reshape(w.shape) for p, w in zip(np.split(flat, cuts), weights, strict=True)], task)

    gradient: Any = approx_fprime(np.concatenate([w.ravel() for w in weights]), loss, 1e-7)
    velocity = np.concatenate([v.ravel() for v in network.velocity(task)(weights)])
    np.testing.assert_allclose(velocity, -gradient, atol=1e-5)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_training_is_gradient_descent_and_is_observed_truly(hidden, task):
    network, rate = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.4)), 0.05
    found = fs.evolve(network, task, rate * np.array([0, 1, 7, 40]), method=fs.Train(rate), observe=EVERYTHING, seed=2)
    for i, step in enumerate((0, 1, 7, 40)):
        expected = observed_by_hand(descend(network.start(task, 2), task, rate, step), task)
        assert_observed(found, i, expected, 1e-12)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_the_flow_is_gradient_descent_of_vanishing_step(hidden, task):
    network = fs.DeepLinear(hidden, initial=fs.initial.Gaussian(0.4))
    found = fs.evolve(network, task, [0.0, 0.5], method=fs.Flow(), observe=EVERYTHING, seed=2)
    start = network.start(task, 2)
    assert_observed(found, 0, observed_by_hand(start, task), 1e-14)
    at_end = tuple(w[-1] for w in found.weights)
    assert_observed(found, 1, observed_by_hand(at_end, task), 1e-13)
    # Richardson: the error of gradient descent is first order, so twice the finer minus the coarser is second order
    coarse, fine = (descend(start, task, 0.5 / n, n) for n in (1000, 2000))
    for w, c, f in zip(at_end, coarse, fine, strict=True):
        np.testing.assert_allclose(w, 2 * f - c, atol=1e-6)


def test_the_flow_conserves_the_differences_between_layers(task):
    network = fs.DeepLinear((4, 2), initial=fs.initial.Gaussian(0.5))
    found = fs.evolve(network, task, np.linspace(0, 20, 5), method=fs.Flow(), observe="weights").weights
    for below, above in pairwise(found):
        difference = above.transpose(0, 2, 1) @ above - below @ below.transpose(0, 2, 1)
        np.testing.assert_allclose(difference, np.broadcast_to(difference[0], difference.shape), atol=1e-10)


@pytest.mark.parametrize("solver", ["RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_values_at_the_times_asked_for_are_as_good_as_the_tolerance(solver):
    task = task_of([1.0, 0.6], [1.0, 0.5], inputs=3, outputs=2, items=8)
    network = fs.DeepLinear((3, 3), initial=fs.initial.Aligned(0.1))
    times = np.linspace(0, 60, 121)
    flow = fs.evolve(network, task, times, method=fs.Flow(solver=solver, rtol=1e-8), observe="map")["map"]
    exact = fs.evolve(network, task, times, observe="map")["map"]
    assert np.abs(flow - exact).max() < 1e-5
    if solver == "DOP853":
        sharp = fs.evolve(network, task, times, method=fs.Flow(), observe="map")["map"]
        assert np.abs(sharp - exact).max() < 1e-11
        alone = fs.evolve(network, task, [times[77]], method=fs.Flow(), observe="map")["map"]
        np.testing.assert_allclose(sharp[77], alone[0], atol=1e-11)


@pytest.mark.parametrize("method", [fs.Flow(), fs.Train(rate=0.1)])
def test_nothing_moves_from_zero_but_one_layer(method, task):
    still = fs.evolve(fs.DeepLinear((3,), initial=fs.initial.Gaussian(0)), task, [0.0, 5.0], method=method)
    assert still.loss[1] == still.loss[0] == pytest.approx(0.5 * task.statistics.power)
    moves = fs.evolve(fs.DeepLinear(initial=fs.initial.Gaussian(0)), task, [0.0, 5.0], method=method)
    assert moves.loss[1] < moves.loss[0]


def test_no_cost_grows_with_the_number_of_data_points():
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((5000, 4)), rng.standard_normal((5000, 3)))
    network = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.4))
    data = network.context(task)["data"]
    assert data.x.shape == (4, 4)
    assert data.y.shape == (4, 3)
    np.testing.assert_allclose(data.x.T @ data.x / data.count, task.statistics.input_correlation, atol=1e-14)
    np.testing.assert_allclose(data.y.T @ data.x / data.count, task.statistics.cross_correlation, atol=1e-14)
    weights = network.start(task, 0)
    seen = network.observables(network.context(task))
    assert float(seen["loss"](weights)) == pytest.approx(loss_by_hand(weights, task), rel=1e-13)
    few = fs.Task(task.x[:2], task.y[:2])
    assert len(network.context(few)["data"].x) == 2


@pytest.mark.usefixtures("untyped")
def test_layers_and_shapes(task):
    network = fs.DeepLinear((5, 6), initial=fs.initial.Gaussian(1))
    assert network.layers == 3
    assert network.shapes(task) == [(5, 4), (6, 5), (3, 6)]
    widths: Any
    for widths in (7, np.int64(7), [7], np.array([7])):
        assert fs.DeepLinear(widths, initial=network.initial).hidden == (7,)
    assert fs.DeepLinear(depth=math.inf, initial=network.initial).layers == math.inf
    assert fs.DeepLinear((5, 6), initial=fs.initial.Gaussian(1)) == network
    assert hash(fs.DeepLinear((5, 6), initial=fs.initial.Gaussian(1))) == hash(network)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.DeepLinear((0,), initial=fs.initial.Gaussian(1)), "hidden is 0; a whole number >= 1"),
        (lambda: fs.DeepLinear(WRONG, initial=fs.initial.Gaussian(1)), "hidden is 2.5; a whole number >= 1"),
        (lambda: fs.DeepLinear((2,), initial=WRONG), "initial is 2.5 .float.; one of fs.initial"),
        (lambda: fs.DeepLinear((2,), initial=fs.initial.Gaussian(1), depth=3), "depth is 3 with hidden=.2,.; depth"),
        (lambda: fs.DeepLinear((2,), initial=fs.initial.Gaussian(1), depth=math.inf), "depth is inf with hidden="),
    ],
)
@pytest.mark.usefixtures("untyped")
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("initial", [fs.initial.Balanced(0.1), fs.initial.Aligned(0.1)], ids=["balanced", "aligned"])
def test_the_weights_of_a_closed_form_have_the_biases_of_the_network(initial):
    x = np.vstack([np.eye(3), -np.eye(3)])
    task = fs.Task(x, x @ np.random.default_rng(1).standard_normal((3, 2)))
    network, times = fs.DeepLinear((4,), initial=initial, bias=True), [0.0, 1.0, 5.0]
    exact, flow = (fs.evolve(network, task, times, method=m, observe="weights") for m in (fs.Exact(), fs.Flow()))
    for one, other in zip(exact.weights, flow.weights, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)
    np.testing.assert_allclose(exact.kernel_distance(), flow.kernel_distance(), atol=1e-4)
    assert network.regime(task).kernel_distance >= exact.kernel_distance().max() - 1e-4
