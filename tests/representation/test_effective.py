"""The effective theory: kernels against full Jacobians, the joint system where it is exact, its limits and errors."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import festina as fs
from festina.representation import Effective, Lazy, TwoPoint
from festina.representation._kernel import measure_kernels

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(0)
TASK = fs.Task(RNG.normal(size=(4, 2)), RNG.normal(size=(4, 2)))
INTEGRATION = 1e-4
"""Relative accuracy asked of the integrated theory; its solver has 1e-6 per step."""

KINDS = {
    "no bias": fs.FeedForward((5, 4), "elu", bias=False),
    "skip": fs.FeedForward((3,) * 4, "swish", skip=True, observed_layers=(1,)),
    "convolution": fs.FeedForward(
        (12, 12), "gelu", connection="convolution", channels=2, kernel=3, observed_layers=(1,)
    ),
}


def by_hand(network, weights, x, layer):
    """Kernels from explicit Jacobians of hidden layer and outputs by every weight."""
    from festina.representation._forward import forward

    with jax.enable_x64(True):
        weights = jax.tree.map(jnp.asarray, weights)

        def flat(jacobian, shape, keep):
            parts = [np.asarray(j).reshape(*shape, -1) for kind in jacobian for i, j in enumerate(kind) if keep(i)]
            return np.concatenate(parts, axis=-1)

        hidden, outputs = (lambda w: forward(network, w, x).hidden[layer]), (lambda w: forward(network, w, x).outputs)
        h, y = (np.asarray(jax.jit(part)(weights)) for part in (hidden, outputs))
        of_h = flat(jax.jit(jax.jacobian(hidden))(weights), h.shape, lambda i: i <= layer)
        of_y = jax.jit(jax.jacobian(outputs))(weights)
        weights_of_y = flat((of_y[0],), y.shape, lambda i: i > layer)
        all_of_y = flat(of_y, y.shape, lambda i: True)
    return of_h, weights_of_y, all_of_y


@pytest.mark.parametrize("name", KINDS)
def test_kernels_are_those_of_full_jacobians(name):
    network = KINDS[name]
    layer, weights = network.layers[0], network.start(TASK, 1)
    found = measure_kernels(network, weights, TASK.x, layer)
    of_h, decoder, whole = by_hand(network, weights, TASK.x, layer)
    along = np.einsum("oh,nhp->nop", found.jacobian, of_h)
    np.testing.assert_allclose(
        found.encoder, np.einsum("nop,mop->nm", along, along) / np.sum(found.jacobian**2), rtol=1e-9, atol=1e-14
    )
    np.testing.assert_allclose(found.decoder, np.einsum("nop,mop->nm", decoder, decoder) / 2, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(found.whole, np.einsum("nop,mop->nm", whole, whole) / 2, rtol=1e-9, atol=1e-14)


def test_the_theory_is_exact_for_one_linear_hidden_layer():
    network, times = fs.FeedForward((6,), "linear", 0.4), np.linspace(0, 12, 7)
    observe = ("loss", "outputs", "hidden", "distances")
    theory = fs.evolve(network, TASK, times, method=fs.Reduced(), observe=observe, seed=2)
    assert all(assumption.holds for assumption in theory.assumptions)
    (first, second), (bias, shift) = network.start(TASK, 2)
    shapes = [first.shape, bias.shape, second.shape, shift.shape]
    cuts = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]

    def unpack(state):
        return [part.reshape(shape) for part, shape in zip(np.split(state, cuts), shapes, strict=True)]

    def field(_, state):
        w, b, v, c = unpack(state)
        hidden = TASK.x @ w.T + b
        residual = (hidden @ v.T + c - TASK.y) / len(TASK.x)
        back = residual @ v
        return -np.concatenate(
            [(back.T @ TASK.x).ravel(), back.sum(axis=0), (residual.T @ hidden).ravel(), residual.sum(axis=0)]
        )

    start = np.concatenate([first.ravel(), bias, second.ravel(), shift])
    path = solve_ivp(field, (0, 12), start, "DOP853", times, rtol=1e-9, atol=1e-11).y.T
    for k, state in enumerate(path):
        w, b, v, c = unpack(state)
        hidden = TASK.x @ w.T + b
        np.testing.assert_allclose(theory["hidden"][0][k], hidden, rtol=INTEGRATION, atol=INTEGRATION)
        np.testing.assert_allclose(theory.outputs[k], hidden @ v.T + c, rtol=INTEGRATION, atol=INTEGRATION)
        assert theory.loss[k] == pytest.approx(np.sum((hidden @ v.T + c - TASK.y) ** 2) / 8, rel=1e-3)
    late = fs.evolve(network, TASK, [0.0, 12.0], method=fs.Reduced(Effective("plateau")), observe=("hidden",), seed=2)
    np.testing.assert_allclose(late["hidden"][0][-1], theory["hidden"][0][-1], atol=0.05)


def test_two_points_that_do_not_turn_are_the_two_point_theory():
    direction = np.array([[0.6], [0.8]])
    start = fs.initial.Weights([0.05 * direction, 0.3 * direction.T])
    network = fs.FeedForward((2,), "linear", initial=start)
    task = fs.Task([[-0.4], [0.4]], [[-0.45], [0.45]])  # the mean output starts on its target and stays there
    times = np.linspace(0, 40, 9)
    theory = fs.evolve(network, task, times, method=fs.Reduced(), observe=("distances", "outputs", "loss"))
    first = fs.representation.Pair.from_trajectory(theory).start
    closed = TwoPoint(0.64, 0.81, theory.notes["rates"], first)
    np.testing.assert_allclose(theory["distances"][:, 0, 0], closed.solve(times).h, rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(theory.loss, closed.loss(times), rtol=1e-3, atol=1e-6)
    ends = fs.evolve(network, task, None, method=fs.Reduced(), observe=("distances",))
    assert ends["distances"][0, 0, 0] == pytest.approx(closed.final_distance, rel=1e-3)


def test_the_plateau_shows_the_network_before_and_the_theory_after():
    network, task = fs.FeedForward((20, 20, 20), "tanh", 0.6), fs.tasks.two_points("text")
    times = np.array([0.0, 0.5, 1.0, 10.0, 40.0])
    theory = fs.evolve(network, task, times, method=fs.Reduced(Effective("plateau")), observe=("loss", "distances"))
    train = fs.evolve(network, task, times, method=fs.Train(0.01), observe=("loss", "distances"))
    assert 1 < theory.notes["plateau"] < 10
    np.testing.assert_allclose(theory.loss[:3], train.loss[:3], rtol=0.05)  # at the nearest step
    assert theory["distances"][-1, 0, 0] > 10 * theory["distances"][0, 0, 0]


def test_points_with_equal_targets_merge_from_small_weights_and_not_from_large():
    xor = fs.Task([[0, 0], [1, 0], [0, 1], [1, 1]], [[0], [1], [1], [0]])
    for gain, merge in ((0.3, True), (3.0, False)):
        network = fs.FeedForward((60, 60, 60), "leaky relu", gain)
        pairs = fs.evolve(network, xor, None, method=fs.Reduced(), observe=("distances",))["distances"][0, 0]
        ratio = pairs[[2, 3]].mean() / pairs[[0, 1, 4, 5]].mean()
        assert (ratio < 0.1) == merge


def test_the_lazy_limit_is_the_linearised_network():
    network, times = fs.FeedForward((300, 300), "tanh", 2.0), np.array([0.0, 0.01, 0.05])
    task = fs.Task(RNG.normal(size=(3, 2)), RNG.normal(size=(3, 1)))
    lazy = fs.evolve(network, task, times, method=fs.Reduced(Lazy()), observe=("outputs", "distances"))
    train = fs.evolve(network, task, times, method=fs.Train(1e-4), observe=("outputs", "distances"))
    np.testing.assert_allclose(lazy.outputs, train.outputs, atol=0.1 * np.abs(train.outputs - train.outputs[0]).max())
    end = fs.evolve(network, task, None, method=fs.Reduced(Lazy()), observe=("outputs",))
    np.testing.assert_allclose(end.outputs[0], task.y, atol=1e-8)


def test_the_error_is_the_distance_of_the_loss_from_the_flow():
    times = np.linspace(0, 20, 41)
    for network in (fs.FeedForward((6,), "linear", 0.4), fs.FeedForward((12, 12), "tanh", 0.8)):
        flow = fs.evolve(network, TASK, times, method=fs.Flow())
        for theory in (Effective(), Lazy()):
            race = fs.evolve(network, TASK, times, method=fs.Reduced(theory))
            assert race.relative_error == pytest.approx(fs.compare(race, flow).area, rel=0.05, abs=2e-4)
    dropout = fs.FeedForward((6,), "linear", dropout=0.5)
    assert fs.evolve(dropout, TASK, [0.0, 1.0], method=fs.Reduced()).error is None


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="at 'middle'"):
        Effective("middle")
    linear = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match=r"effective theory.*is not for DeepLinear"):
        fs.evolve(linear, TASK, [0.0, 1.0], method=fs.Reduced(Effective()))


@pytest.mark.parametrize(("gain", "holds"), [(0.3, False), (1.0, True)])
def test_kernels_that_grow_are_told_where_distances_are_too_small(gain, holds):
    network, task = fs.FeedForward((40, 40), "tanh", gain=gain), fs.tasks.two_points(1.0, 0.7)
    runs = [
        fs.evolve(network, task, [0.0, 1000.0], method=method, observe=("loss", "distances"))
        for method in (fs.Reduced(Effective()), fs.Flow())
    ]
    theory, flow = (float(run["distances"][-1, 0, 0]) for run in runs)
    listed = {one.name: one for one in runs[0].assumptions}
    assert listed["constant kernels"].holds == holds == (abs(theory / flow - 1) < 0.1)
    grown = fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced(Effective(growth=True)), observe=("loss",))
    assert next(one for one in grown.assumptions if one.name == "constant kernels").measured == 0


def test_the_growth_of_a_linear_encoder_is_that_of_its_kernel():
    network, task = fs.FeedForward((30, 30), "linear", gain=0.4, bias=False), fs.tasks.two_points(1.0, 1.0)
    start = network.start(task, 0)
    predicted = measure_kernels(network, start, task.x, 1).growth(task.y, (2, 1))
    run = fs.evolve(network, task, [0.0, 2000.0], method=fs.Flow(), observe=("weights",))
    end = jax.tree.unflatten(jax.tree.structure(start), [leaf[-1] for leaf in run.weights])
    first, last = (measure_kernels(network, weights, task.x, 1).encoder for weights in (start, end))
    grown = (last[0, 0] + last[1, 1] - 2 * last[0, 1]) / (first[0, 0] + first[1, 1] - 2 * first[0, 1])
    assert predicted == pytest.approx(grown, rel=0.5)
