"""Feed-forward networks through the one verb: against a plain loop, over architectures, seeds, batches and methods."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs
from festina.representation._pair import read_pair as pair

pytestmark = pytest.mark.slow

TASK = fs.Task(x=[[-1.0], [0.0]], y=[[0.6], [1.3]])
XOR = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])
SMALL = fs.FeedForward((10, 10, 10))
KINDS = {
    "leaky relu": SMALL,
    "slope": fs.FeedForward((10, 10), negative_slope=0.3),
    "relu": fs.FeedForward((10, 8), "relu"),
    "elu": fs.FeedForward((10, 10), "elu"),
    "gelu": fs.FeedForward((6, 10), "gelu"),
    "sigmoid": fs.FeedForward((6, 10), "sigmoid"),
    "linear": fs.FeedForward((10,) * 4, "linear", bias=False),
    "skip": fs.FeedForward((10,) * 4, "tanh", 0.3, skip=True),
    "convolution": fs.FeedForward((20, 20), "swish", connection="convolution", channels=3, kernel=5),
    "orthogonal": fs.FeedForward((6, 6), "tanh", initial=fs.initial.Orthogonal(0.5)),
}
FUNCTIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))), "swish": lambda x: x / (1 + np.exp(-x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "linear": lambda x: x,
}  # fmt: skip


def reference(network, weights, x):
    """Outputs and hidden layers as one would write them in NumPy."""
    from scipy.special import ndtr

    leaky = {"leaky relu": lambda z: np.where(z > 0, z, network.negative_slope * z)}
    act = {**FUNCTIONS, **leaky, "gelu": lambda z: z * ndtr(z)}[network.activation]
    a, hidden = x, []
    for i, w in enumerate(weights[0]):
        bias = weights[1][i] if weights[1] else np.zeros(len(w))
        if w.ndim == 3:
            a = a.reshape(len(x), w.shape[1], -1)
            size = a.shape[-1] - w.shape[-1] + 1
            a = np.stack([np.einsum("nck,ock->no", a[:, :, p : p + w.shape[-1]], w) for p in range(size)], axis=-1)
            a = a + bias[:, None]
        else:
            a = a.reshape(len(x), -1) @ w.T + bias
        if i < len(weights[0]) - 1:
            a = act(a) + (hidden[-2] if network.skip and i > 1 else 0)
            hidden.append(a)
    return a, [h.reshape(len(x), -1) for h in hidden]


@pytest.mark.parametrize("name", KINDS)
def test_training_is_a_plain_loop(name):
    network = KINDS[name]
    rate, weights = 0.05, network.start(XOR, 3)
    everything = fs.FeedForward(**{**network.__dict__, "observed_layers": "all"})
    run = fs.evolve(everything, XOR, rate * np.arange(9), method=fs.Train(rate), seed=3,
                    observe=("loss", "outputs", "hidden", "distances"))  # fmt: skip
    with jax.enable_x64(True):
        slope = jax.jit(jax.grad(lambda w: network.loss(w, network.points(XOR), None)))
        w = jax.tree.map(jnp.asarray, weights)
        for k in range(9):
            outputs, hidden = reference(network, jax.tree.map(np.asarray, w), XOR.x)
            np.testing.assert_allclose(run.outputs[k], outputs, rtol=1e-9, atol=1e-12)
            assert run.loss[k] == pytest.approx(0.125 * np.sum((outputs - XOR.y) ** 2), rel=1e-9)
            for layer, h in enumerate(hidden):
                np.testing.assert_allclose(run["hidden"][layer][k], h, rtol=1e-8, atol=1e-12)
                apart = [np.sum((h[i] - h[j]) ** 2) for i in range(4) for j in range(i + 1, 4)]
                np.testing.assert_allclose(run["distances"][k, layer], apart, rtol=1e-7, atol=1e-14)
            w = jax.tree.map(lambda a, g: a - rate * g, w, slope(w))


def test_weights_are_xavier_normal_with_a_gain():
    (first, second, third), biases = fs.FeedForward((300, 300), gain=1.7).start(
        fs.Task(np.ones((1, 200)), np.ones((1, 5))), 0
    )
    assert first.std() == pytest.approx(1.7 * np.sqrt(2 / 500), rel=0.02)
    assert second.std() == pytest.approx(1.7 * np.sqrt(2 / 600), rel=0.02)
    assert third.shape == (5, 300)
    assert not any(b.any() for b in biases)
    kernels, _ = fs.FeedForward((100, 100), connection="convolution", channels=40).start(TASK, 0)
    assert [k.shape for k in kernels] == [(100, 1), (40, 1, 11), (40, 40, 11), (1, 40, 11), (1, 70)]
    assert kernels[2].std() == pytest.approx(np.sqrt(2 / (80 * 11)), rel=0.02)


def test_flow_is_what_small_steps_tend_to_and_a_sequence_goes_on():
    network, times = KINDS["skip"], np.linspace(0, 4, 5)
    flow = fs.evolve(network, XOR, times, method=fs.Flow("RK45", rtol=1e-6), observe=("loss", "distances"))
    gaps = [
        np.abs(fs.evolve(network, XOR, times, method=fs.Train(rate)).loss - flow.loss).max() for rate in (0.1, 0.05)
    ]
    assert gaps[0] / gaps[1] == pytest.approx(2, rel=0.2)
    twice = fs.evolve(network, fs.sequence([XOR, XOR]), times, method=fs.Train(0.1))
    whole = fs.evolve(network, XOR, np.append(times, times[1:] + 4), method=fs.Train(0.1))
    np.testing.assert_allclose(twice.loss[5:], whole.loss[-len(twice.loss[5:]) :], rtol=1e-9)


def test_dropout_drops_in_training_and_not_in_observing():
    runs = [
        fs.evolve(
            fs.FeedForward((200, 200), dropout=share), TASK, [0.0, 0.3], method=fs.Train(0.01), observe=("distances",)
        )
        for share in (0.5, 0.0)
    ]
    np.testing.assert_allclose(runs[0]["distances"][0], runs[1]["distances"][0], rtol=1e-9)
    assert not np.allclose(runs[0]["distances"][1], runs[1]["distances"][1], rtol=1e-3)


def test_methods_that_leave_dropout_out_say_so():
    network = fs.FeedForward((6,), dropout=0.5)
    with pytest.raises(ValueError, match=r"dropout=0.5.*has no gradient flow. Use fs.Train\(rate=...\)"):
        fs.evolve(network, TASK, [0.0, 1.0], method=fs.Flow())
    for theory in (None, fs.representation.Lazy()):
        found = fs.evolve(network, TASK, [0.0, 1.0], method=fs.Reduced(theory)).assumptions
        assert next((a.name, a.measured) for a in found if not a.holds) == ("no dropout", 0.5)
    assert "without any assumption: fs.Train(rate=...)" in str(fs.theories(network, TASK))


def test_a_pair_is_read_off_a_trajectory_however_it_was_observed():
    network = fs.FeedForward((8, 8), observed_layers=(0, 1), observed_items=(3, 1, 0))
    run = fs.evolve(network, XOR, np.arange(0, 1, 0.2), method=fs.Train(0.1), seeds=2,
                    observe=("distances", "outputs", "hidden", "item_outputs"))  # fmt: skip
    few = dataclasses.replace(run, values={k: run[k] for k in ("distances", "item_outputs")})
    np.testing.assert_allclose(run["item_outputs"], run.outputs[:, :, [3, 1, 0]], rtol=1e-12)
    for items, layer, seed in (((0, 1), 1, 0), ((1, 3), 0, 1), ((3, 0), 1, 1)):
        found = pair(run, items, layer=layer, seed=seed)
        rows = [(3, 1, 0).index(i) for i in items]
        hidden = run["hidden"][layer][seed][:, rows]
        np.testing.assert_allclose(found.h, np.sum((hidden[:, 1] - hidden[:, 0]) ** 2, axis=-1), rtol=1e-9)
        np.testing.assert_allclose(
            found.y, (run.outputs[seed][:, items[1], 0] - run.outputs[seed][:, items[0], 0]) ** 2
        )
        np.testing.assert_allclose(pair(few, items, layer=layer, seed=seed).w, found.w, rtol=1e-12)
    assert run.to_xarray()["distances"].dims == ("seed", "time", "layer", "pair")


def test_the_fitted_theory_follows_a_network():
    run = fs.evolve(fs.FeedForward((100, 100), gain=0.35), TASK, 0.05 * np.arange(0, 1501, 10),
                    method=fs.Train(0.05, precision="single"), observe=("distances", "outputs"))  # fmt: skip
    assert fs.representation.fit(pair(run)).error < 0.05


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.FeedForward(()), "hidden is empty"),
        (lambda: fs.FeedForward((5,), negative_slope=-0.1), "negative_slope is -0.1; a number >= 0"),
        (lambda: fs.FeedForward((5,), "step"), "activation 'step' is unknown. Known: elu, gelu"),
        (lambda: fs.FeedForward((5,), connection="sparse"), "connection 'sparse'"),
        (lambda: fs.FeedForward((5,), dropout=1.0), "dropout is 1.0; a share >= 0 and < 1"),
        (lambda: fs.FeedForward((5, 6), skip=True), "skip is True with hidden widths"),
        (lambda: fs.FeedForward((500,), connection="convolution", skip=True), "skip is True with a convolution"),
        (lambda: fs.FeedForward((50,) * 20, connection="convolution"), "widths 50, but 21 .* use up 210 pixels"),
        (lambda: fs.FeedForward((5, 5), observed_layers=(2,)), "this network has the layers 0 to 1"),
        (lambda: fs.FeedForward((5,), observed_items=(0, 7)).context(TASK), r"observed_items is \(0, 7\)"),
        (lambda: fs.evolve(SMALL, TASK, [0.0, 1.0]), "FeedForward has no closed form"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_pair_that_was_not_observed_is_refused():
    run = fs.evolve(SMALL, TASK, [0.0, 0.1, 0.2, 0.3], method=fs.Train(0.1), observe=("distances", "outputs"))
    for changes, message in (({"items": (0, 3)}, "items is"), ({"layer": 0}, r"the observed layers are \(1,\)")):
        with pytest.raises(ValueError, match=message):
            pair(run, **changes)  # pyright: ignore[reportArgumentType]
    same = fs.Task([[1.0], [1.0]], [[0.0], [1.0]])
    run = fs.evolve(SMALL, same, [0.0, 0.1, 0.2, 0.3], method=fs.Train(0.1), observe=("distances", "outputs"))
    with pytest.raises(ValueError, match="x holds two equal points, which no network can distinguish"):
        pair(run)
