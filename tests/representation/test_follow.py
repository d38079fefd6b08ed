"""Training and following: against a plain loop, over architectures, seeds, batches and devices' ways."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs
from festina.methods import _engine, _step
from festina.representation import Architecture, follow

TASK = fs.Task(x=[[-1.0], [0.0]], y=[[0.6], [1.3]])
XOR = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])
SMALL = Architecture(hidden=3, width=10)
KINDS = {
    "leaky relu": SMALL,
    "tanh": Architecture(hidden=3, width=10, activation="tanh"),
    "elu": Architecture(hidden=2, width=10, activation="elu"),
    "swish": Architecture(hidden=2, width=10, activation="swish"),
    "relu": Architecture(hidden=2, width=10, activation="relu"),
    "linear": Architecture(hidden=4, width=10, activation="linear"),
    "skip": Architecture(hidden=4, width=10, gain=0.3, skip=True),
    "convolution": Architecture(hidden=2, width=20, connection="convolution", channels=3, kernel=5),
}


def plain(network, task, epochs, rate, seed=0):
    """Descent as anyone would write it, in double precision."""
    with jax.enable_x64(True):
        net = network.build(task.x.shape[1], task.y.shape[1], seed, np.float64)
        x, y = jnp.asarray(task.x), jnp.asarray(task.y)
        gradient = jax.jit(jax.grad(lambda net: 0.5 * jnp.sum((net(x)[0] - y) ** 2) / len(x)))
        path = []
        for _ in range(epochs + 1):
            outputs, hidden = net(x)
            path.append((np.asarray(outputs), [np.asarray(h) for h in hidden]))
            net = jax.tree.map(lambda w, g: w - rate * g, net, gradient(net))
    return path


@pytest.mark.parametrize("name", KINDS)
def test_following_is_a_plain_loop(name):
    network = KINDS[name]
    path = plain(network, XOR, 12, 0.05, seed=3)
    run = follow(network, XOR, epochs=12, rate=0.05, seed=3, samples=13, layers="all", precision="double")
    np.testing.assert_allclose(run.outputs[0], [outputs for outputs, _ in path], rtol=1e-9, atol=1e-12)
    for layer in range(network.layers):
        for k, (i, j) in enumerate(run.pairs):
            wanted = [np.sum((hidden[layer][i] - hidden[layer][j]) ** 2) for _, hidden in path]
            np.testing.assert_allclose(run.distances[0, :, layer, k], wanted, rtol=1e-8, atol=1e-14)
        np.testing.assert_allclose(run.last[layer][0], path[-1][1][layer], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(run.first[layer][0], path[0][1][layer], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run.loss[0], [0.125 * np.sum((o - XOR.y) ** 2) for o, _ in path], rtol=1e-9)


def test_weights_are_xavier_normal_with_a_gain():
    network = Architecture(hidden=2, width=300, gain=1.7)
    first, second, third = network.draw(200, 5, 0)
    assert first.std() == pytest.approx(1.7 * np.sqrt(2 / 500), rel=0.02)
    assert second.std() == pytest.approx(1.7 * np.sqrt(2 / 600), rel=0.02)
    assert third.shape == (5, 300)
    kernels = Architecture(connection="convolution", hidden=2, width=100, channels=40).draw(1, 1, 0)
    assert [k.shape for k in kernels] == [(100, 1), (40, 1, 11), (40, 40, 11), (1, 40, 11), (1, 70)]
    assert kernels[2].std() == pytest.approx(np.sqrt(2 / (80 * 11)), rel=0.02)
    assert all(not b.any() for b in network.build(1, 1).biases)


def test_seeds_are_trials_of_their_own_however_they_are_run(monkeypatch):
    together = follow(SMALL, TASK, epochs=20, rate=0.1, seeds=3, samples=5)
    for k in range(3):
        alone = follow(SMALL, TASK, epochs=20, rate=0.1, seed=k, samples=5)
        np.testing.assert_allclose(together.distances[k], alone.distances[0], rtol=1e-4)
    monkeypatch.setattr(_engine, "WIDE", 0)  # in turn instead of side by side
    np.testing.assert_allclose(
        follow(SMALL, TASK, epochs=20, rate=0.1, seeds=3, samples=5).loss, together.loss, rtol=1e-4
    )


def test_one_compilation_serves_gains_rates_and_data():
    _step.compiled.cache_clear()
    for gain, rate in ((0.8, 0.1), (1.1, 0.02)):
        follow(Architecture(hidden=2, width=7, gain=gain), TASK, epochs=30, rate=rate, samples=11)
        follow(Architecture(hidden=2, width=7, gain=gain), fs.Task([[0.0], [2.0]], [[1.0], [0.0]]), epochs=9, rate=rate)
    assert _step.compiled.cache_info().misses == 2  # to train, and to look at the ends


def test_adam_takes_steps_of_its_rate():
    run = follow(SMALL, TASK, epochs=1, rate=1e-3, optimiser="adam", samples=2, precision="double")
    path = plain(SMALL, TASK, 0, 0.1)
    net = SMALL.build(1, 1, 0)
    assert run.loss[0, 1] < run.loss[0, 0]
    # Adam's first step is rate·sign(gradient): of the output bias alone it moves both outputs by rate
    assert 0 < abs(run.outputs[0, 1] - path[0][0]).max() < 1e-3 * (1 + sum(w.size for w in net.weights))


def test_batches_are_drawn_anew_and_learn():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 3))
    task = fs.Task(x, np.tanh(x @ rng.normal(size=(3, 1))))
    run = follow(SMALL, task, epochs=60, rate=0.1, batch=8, samples=4, seeds=2)
    assert np.all(run.loss[:, -1] < 0.2 * run.loss[:, 0])
    assert run.points == (0, 1)
    again = follow(SMALL, task, epochs=60, rate=0.1, batch=8, samples=4, seeds=2)
    np.testing.assert_allclose(run.loss, again.loss, rtol=1e-4)
    full = follow(SMALL, task, epochs=3, rate=0.1, batch=50, samples=4, precision="double")
    whole = follow(SMALL, task, epochs=3, rate=0.1, samples=4, precision="double")
    np.testing.assert_allclose(full.loss, whole.loss, rtol=1e-9)  # a batch of all points is a full step


def test_dropout_drops_in_training_and_not_in_observing():
    network = Architecture(hidden=2, width=200, dropout=0.5)
    run = follow(network, TASK, epochs=30, rate=0.01, samples=4, seeds=2)
    bare = follow(Architecture(hidden=2, width=200), TASK, epochs=30, rate=0.01, samples=4, seeds=2)
    np.testing.assert_allclose(run.distances[:, 0], bare.distances[:, 0], rtol=1e-5)
    assert not np.allclose(run.distances[:, -1], bare.distances[:, -1], rtol=1e-3)


def test_single_precision_is_enough_for_a_fit():
    runs = [follow(SMALL, TASK, epochs=400, rate=0.1, precision=p) for p in ("single", "double")]
    single, double = (fs.representation.fit(run.pair()) for run in runs)
    assert single.rates[:2] == pytest.approx(double.rates[:2], rel=1e-3)


def test_the_theory_follows_a_network():
    run = follow(Architecture(hidden=2, width=200, gain=0.35), TASK, epochs=1500, rate=0.05)
    assert fs.representation.fit(run.pair()).error < 0.05


def test_divergence_is_told_and_what_came_before_is_kept():
    run = follow(SMALL, TASK, epochs=400, rate=3.0, seeds=2, samples=401)
    assert run.diverged.all()
    assert "2 diverged" in repr(run)
    assert run.pair(0).cut > 0
    assert np.all(np.isfinite(run.pair(0).h))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Architecture(hidden=0), "hidden is 0; a whole number >= 1"),
        (lambda: Architecture(activation="gelu"), "activation is 'gelu', .*known are: elu, leaky relu"),
        (lambda: Architecture(connection="sparse"), "connection is 'sparse'"),
        (lambda: Architecture(dropout=1.0), "dropout is 1.0; a share >= 0 and < 1"),
        (lambda: Architecture(connection="convolution", skip=True), "skip is True with a convolution"),
        (lambda: Architecture(connection="convolution", width=50), "width is 50, but 21 .* use up 210 pixels"),
        (lambda: follow(SMALL, TASK, epochs=0, rate=0.1), "epochs is 0"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1, layers=3), "layers holds 3; .* has the layers 0 to 2"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1, layers="most"), "layers is 'most'"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1, points=(0, 5)), r"points is \(0, 5\); different rows"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1, batch=3), "batch is 3 with 2 data points"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1, optimiser="lbfgs"), "optimiser is 'lbfgs'"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1).pair(layer=0), r"layer is 0; followed were the layers \(1,\)"),
        (lambda: follow(SMALL, TASK, epochs=5, rate=0.1).pair(points=(0, 3)), r"points is \(0, 3\); followed were"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_equal_inputs_are_told():
    run = follow(SMALL, fs.Task([[1.0], [1.0]], [[0.0], [1.0]]), epochs=5, rate=0.1)
    with pytest.raises(ValueError, match="dx is 0: the two points have equal inputs"):
        run.pair()
