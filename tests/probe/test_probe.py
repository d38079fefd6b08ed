"""A user's own network: the probe's numbers are ours, hooks go away, and errors are in words."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs

torch = pytest.importorskip("torch", reason="install torch to test the probe of PyTorch modules: pip install torch")

ENDS = ([[0.0], [1.0]], [[0.0], [1.0]])
TASK = fs.Task(x=[[-1.0], [0.0]], y=[[0.6], [1.3]])
NETWORK = fs.representation.Architecture(hidden=3, width=12, gain=0.9)
RATE, EPOCHS = 0.05, 60
ROUNDING = 1e-9
"""The same sums in another order, carried through 60 steps in double precision."""


@pytest.fixture(scope="module")
def ours():
    return fs.representation.follow(
        NETWORK, TASK, epochs=EPOCHS, rate=RATE, samples=EPOCHS + 1, layers="all", precision="double"
    )


def model():
    layers = []
    for weight in NETWORK.draw(1, 1, 0):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(weight))
            linear.bias.zero_()
        layers += [linear, torch.nn.LeakyReLU(0.01)]
    return torch.nn.Sequential(*layers[:-1])


def compare(probe, ours, names):
    for layer, name in enumerate(names):
        pair, expected = probe.pair(layer=name), ours.pair(layer=layer)
        for curve in ("h", "y", "w", "loss"):
            np.testing.assert_allclose(getattr(pair, curve), getattr(expected, curve), rtol=ROUNDING, atol=1e-14)
        assert probe.fit(layer=name).rates == pytest.approx(fs.representation.fit(expected).rates, rel=1e-4)


def test_numbers_of_a_torch_loop_are_ours(ours):
    net = model()
    optimiser = torch.optim.SGD(net.parameters(), lr=RATE)
    x, y = torch.tensor(TASK.x), torch.tensor(TASK.y)
    probe = fs.probe.watch(net, x, y, layers=["1", "3", "5"])
    for epoch in range(EPOCHS + 1):
        probe.record(epoch)
        optimiser.zero_grad()
        (0.5 * torch.mean((net(x) - y) ** 2)).backward()
        optimiser.step()
    compare(probe, ours, ["1", "3", "5"])
    assert set(probe.fits()) == {"1", "3", "5"}
    hooks = [hook for module in net.modules() for hook in module._forward_hooks]
    assert hooks == []


def test_numbers_of_a_jax_loop_are_ours(ours):
    with jax.enable_x64(True):
        net = NETWORK.build(1, 1, 0, dtype=np.float64)
        x, y = jnp.asarray(TASK.x), jnp.asarray(TASK.y)
        step = jax.jit(jax.grad(lambda net: 0.25 * jnp.sum((net(x)[0] - y) ** 2)))
        probe = fs.probe.watch(lambda net, x: net(x), TASK.x, TASK.y)
        for epoch in range(EPOCHS + 1):
            probe.record(epoch, net)
            net = jax.tree.map(lambda w, g: w - RATE * g, net, step(net))
    compare(probe, ours, ["layer 0", "layer 1", "layer 2"])


def test_looking_changes_nothing():
    net = torch.nn.Sequential(
        torch.nn.Linear(2, 4), torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1)
    )
    net[1].eval()
    before = {k: v.clone() for k, v in net.state_dict().items()}
    torch.manual_seed(0)
    state = torch.get_rng_state()
    probe = fs.probe.watch(net, np.eye(2), [[0.0], [1.0]])
    probe.record(0)
    probe.record(1)
    assert torch.equal(state, torch.get_rng_state())
    assert [m.training for m in net] == [True, False, True, True]
    assert all(torch.equal(v, before[k]) for k, v in net.state_dict().items())
    assert all(p.grad is None for p in net.parameters())
    np.testing.assert_array_equal(probe.hidden("2")[0], probe.hidden("2")[1])


def test_hooks_are_removed_after_an_error():
    class Breaks(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(1, 3)

        def forward(self, x):
            self.first(x)
            raise RuntimeError("broken network")

    net = Breaks()
    probe = fs.probe.watch(net, *ENDS, layers="first")
    with pytest.raises(RuntimeError, match="broken network"):
        probe.record(0)
    assert not net.first._forward_hooks
    assert net.training


def test_distances_and_scaling_of_many_points():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(9, 2)), rng.normal(size=(9, 1))
    net = torch.nn.Sequential(torch.nn.Linear(2, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1))
    probe = fs.probe.watch(net, x, y)
    probe.record(0)
    hidden = net[1](net[0](torch.tensor(x, dtype=torch.float32))).detach().double().numpy()
    expected = np.sum((hidden[:, None] - hidden[None]) ** 2, axis=-1)
    np.testing.assert_allclose(probe.distances("1"), expected, atol=1e-6)
    flat = probe.mds("0")  # five units, but a linear image of two inputs: two dimensions keep everything
    wanted = probe.distances("0")
    np.testing.assert_allclose(np.sum((flat[:, None] - flat[None]) ** 2, axis=-1), wanted, atol=1e-5)
    assert repr(probe) == "Probe(9 points, 1 records, layers: 0, 1, 2)"


@pytest.mark.parametrize("how", ["function", "method", "part"])
def test_a_compiled_module_is_refused(how):
    net = torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.Linear(2, 1))
    if how == "function":
        net = torch.compile(net, backend="eager")
    elif how == "method":
        net.compile(backend="eager")
    else:
        net[0] = torch.compile(net[0], backend="eager")
    with pytest.raises(ValueError, match="compiled"):
        fs.probe.watch(net, *ENDS)


def test_divergence_is_told_and_what_came_before_is_kept():
    net = torch.nn.Sequential(torch.nn.Linear(1, 3), torch.nn.Linear(3, 1))
    probe = fs.probe.watch(net, *ENDS, layers="0")
    for epoch in range(5):
        probe.record(epoch)
    with torch.no_grad():
        net[0].weight.fill_(torch.inf)
    with pytest.warns(RuntimeWarning, match=r"output, 0: not finite at time 5; what was recorded before is kept"):
        probe.record(5)
    probe.record(6)  # said once
    assert probe.diverged == 5
    assert len(probe.pair().h) == 5
    assert "not finite from 5" in repr(probe)


def linear():
    return torch.nn.Linear(1, 1)


def recorded():
    probe = fs.probe.watch(torch.nn.Sequential(linear(), linear()), *ENDS)
    for epoch in range(5):
        probe.record(epoch)
    return probe


class Unused(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.idle = linear(), linear()

    def forward(self, x):
        return self.used(x)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.probe.watch(3, *ENDS), "model is int; a torch.nn.Module or a JAX function"),
        (lambda: fs.probe.watch(Unused(), *ENDS, "nope"), "'nope', which no layer is called; .*used, idle"),
        (lambda: fs.probe.watch(Unused(), *ENDS).record(0), "layers idle: .* did not run their hooks"),
        (lambda: fs.probe.watch(linear(), [[0.0]], [[0.0]]), r"x has shape \(1, 1\); at least two points"),
        (lambda: fs.probe.watch(linear(), [[0.0], [1.0]], [[0.0]] * 3), "x has 2 points and y has 3"),
        (lambda: fs.probe.watch(linear(), [[0.0], [1.0]], [[0.0, 1.0]] * 2).record(0), "class labels as one-hot rows"),
        (lambda: fs.probe.watch(linear(), *ENDS).record(0, 1), "a PyTorch module needs none"),
        (lambda: fs.probe.watch(linear(), *ENDS).hidden(), "nothing has been recorded"),
        (lambda: recorded().record(4), "time is 4 after 4; record at increasing times"),
        (lambda: recorded().pair(layer="9"), "layer is '9', which is not known; known are: 0, 1"),
        (lambda: recorded().pair(0, 2), "second is 2; the points are 0 to 1"),
        (lambda: recorded().mds(dimensions=3), "dimensions is 3; 2 points in this layer span at most 1"),
        (lambda: fs.probe.watch(Unused(), [[1.0], [1.0]], [[0.0], [1.0]], "used").record(0), None),
        (lambda: fs.probe.watch(lambda p, x: x, *ENDS).record(0), r"give the parameters"),
        (lambda: fs.probe.watch(lambda p, x: x, *ENDS).record(0, 1), r"a pair \(outputs, hidden\)"),
        (lambda: fs.probe.watch(lambda p, x: (x, x[0, 0]), *ENDS).record(0, 1), r"one row per point, 2"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(call, message):
    if message is None:
        call()
        return
    with pytest.raises(ValueError, match=message):
        call()


def test_equal_inputs_are_told():
    probe = fs.probe.watch(linear_net := torch.nn.Sequential(linear(), linear()), [[1.0], [1.0]], [[0.0], [1.0]])
    assert linear_net.training
    for epoch in range(5):
        probe.record(epoch)
    with pytest.raises(ValueError, match="dx is 0: the two points have equal inputs"):
        probe.pair()
