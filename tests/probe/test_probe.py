"""A user's own network: the probe's numbers are ours, hooks go away, and errors are in words."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import festina as fs

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch", reason="install torch to test the probe of PyTorch modules: pip install torch")

ENDS = ([[0.0], [1.0]], [[0.0], [1.0]])
TASK = fs.Task(x=[[-1.0], [0.0]], y=[[0.6], [1.3]])
NETWORK = fs.FeedForward((12, 12, 12), gain=0.9, observed_layers="all")
RATE, EPOCHS = 0.05, 60
ROUNDING = 1e-9
"""The same sums in another order, carried through 60 steps in double precision."""


@pytest.fixture(scope="module")
def ours():
    return fs.evolve(
        NETWORK, TASK, RATE * np.arange(EPOCHS + 1), method=fs.Train(RATE), observe=("distances", "outputs")
    )


def model():
    layers = []
    for weight in NETWORK.start(TASK, 0)[0]:
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(weight))
            linear.bias.zero_()
        layers += [linear, torch.nn.LeakyReLU(0.01)]
    return torch.nn.Sequential(*layers[:-1])


def compare(probe, ours, names):
    for layer, name in enumerate(names):
        pair, expected = probe.pair(layer=name), fs.representation.Pair.from_trajectory(ours, layer=layer)
        for curve in ("h", "y", "w", "loss"):
            np.testing.assert_allclose(getattr(pair, curve), getattr(expected, curve), rtol=ROUNDING, atol=1e-14)
        # ours counts flow time, the loop epochs
        wanted = [RATE * rate for rate in fs.representation.fit(expected).rates if rate is not None]
        assert probe.fit(layer=name).rates == pytest.approx(wanted, rel=1e-4)


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
    assert set(probe.recording.fits()) == {"1", "3", "5"}
    hooks = [hook for module in net.modules() for hook in module._forward_hooks]
    assert hooks == []


def by_hand(net, x):
    hidden = []
    for weight, bias in zip(*net, strict=True):
        x = x @ weight.T + bias
        hidden.append(jnp.where(x > 0, x, 0.01 * x))
        x = hidden[-1] if len(hidden) < 4 else x
    return x, hidden[:-1]


def test_numbers_of_a_jax_loop_are_ours(ours):
    with jax.enable_x64(True):
        net = jax.tree.map(jnp.asarray, NETWORK.start(TASK, 0))
        step = jax.jit(jax.grad(lambda net: NETWORK.loss(net, NETWORK.points(TASK), None)))
        probe = fs.probe.watch(by_hand, TASK.x, TASK.y)
        for epoch in range(EPOCHS + 1):
            probe.record(epoch, net)
            net = jax.tree.map(lambda w, g: w - RATE * g, net, step(net))
    compare(probe, ours, ["layer 0", "layer 1", "layer 2"])
    assert set(probe.recording.fits()) == {"layer 0", "layer 1", "layer 2"}


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
    np.testing.assert_array_equal(*probe.recording.layer("2"))


def test_hooks_are_removed_after_an_error():
    class Breaks(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = torch.nn.Linear(1, 3)

        def forward(self, x):
            out = self.first(x)
            if self.broken:
                raise RuntimeError("broken network")
            return out[:, :1]

    net = Breaks()
    net.broken = False
    probe = fs.probe.watch(net, *ENDS, layers="first")
    net.broken = True
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
    np.testing.assert_allclose(probe.recording.distances("1")[0], expected, atol=1e-6)
    flat = probe.recording.mds("0")  # five units, but a linear image of two inputs: two dimensions keep everything
    wanted = probe.recording.distances("0")[0]
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


def two():
    return torch.nn.Sequential(linear(), linear())


def recorded():
    probe = fs.probe.watch(two(), *ENDS)
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
        (lambda: fs.probe.watch(Unused(), *ENDS), "layers idle: .* did not run their hooks"),
        (lambda: fs.probe.watch(linear(), [[0.0]], [[0.0]]), r"x has shape \(1, 1\); at least two points"),
        (lambda: fs.probe.watch(linear(), [[0.0], [1.0]], [[0.0]] * 3), "x has 2 points and y has 3"),
        (lambda: fs.probe.watch(two(), [[0.0], [1.0]], [[0.0, 1.0]] * 2), "or class numbers as labels=..."),
        (lambda: fs.probe.watch(two(), [[0.0], [1.0], [2.0]], [0, 1, 2]), "give them as labels=..."),
        (lambda: fs.probe.watch(two(), [[0.0], [1.0]], labels=[0, 1]), "labels go up to 1 and the network has 1 out"),
        (lambda: fs.probe.watch(two(), [[0.0], [1.0]], labels=[0.0, 1.0]), "2 whole numbers >= 0 are needed"),
        (lambda: fs.probe.watch(two(), [[0.0], [1.0]]), "give either y, .* or labels"),
        (lambda: fs.probe.Recording.load("nowhere.npz"), "there is no such file"),
        (lambda: fs.probe.watch(two(), *ENDS).record(0, 1), "a PyTorch module needs none"),
        (lambda: fs.probe.watch(two(), *ENDS).recording.layer(None), "nothing has been recorded"),
        (lambda: recorded().record(np.nan), "time is nan; a finite number is needed"),
        (lambda: fs.probe.watch(two(), np.eye(2), np.eye(2)), r"called with x of shape \(2, 2\) \(mat1 and mat2"),
        (lambda: fs.probe.watch(lambda p, x: (x @ p, x), *ENDS).record(0, np.ones((3, 1))), r"x of shape \(2, 1\)"),
        (lambda: recorded().record(4), "time is 4 after 4; record at increasing times"),
        (lambda: recorded().pair(layer="9"), "layer '9' is unknown. Known: 0, 1"),
        (lambda: recorded().pair(0, 2), "second is 2; the points are 0 to 1"),
        (lambda: recorded().recording.mds(dimensions=3), "dimensions is 3; 2 points in this layer span at most 1"),
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
    with pytest.raises(ValueError, match="x holds two equal points, which no network can distinguish"):
        probe.pair()


def test_labels_become_one_hot_targets():
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 4))
    probe = fs.probe.watch(net, np.eye(2), labels=torch.tensor([3, 1]))
    probe.record(0)
    np.testing.assert_array_equal(probe.recording.y, np.eye(4)[[3, 1]])


def test_a_recording_is_saved_loaded_and_labelled(tmp_path):
    recording = recorded().recording
    again = fs.probe.Recording.load(recording.save(tmp_path / "seen"))
    assert fs.probe.Recording.load(tmp_path / "seen").layers == again.layers == recording.layers
    assert recording.save(tmp_path / "seen.npz") == tmp_path / "seen.npz"
    with pytest.raises(
        ValueError, match=r"rec\.nc', which ends in '\.nc'; recordings are \.npz files: call it 'rec\.npz'"
    ):
        recording.save(tmp_path / "rec.nc")
    with pytest.raises(ValueError, match=r"path is .* in a folder that exists"):
        recording.save(tmp_path / "missing" / "rec")
    for name in ("times", "x", "y", "outputs"):
        np.testing.assert_array_equal(getattr(again, name), getattr(recording, name))
    np.testing.assert_array_equal(again.layer("1"), recording.layer("1"))
    assert again.to_xarray()["0"].dims == ("time", "point", "unit of 0")
    (tmp_path / "other.npz").write_bytes(b"something else")
    with pytest.raises(ValueError, match="which is not a recording"):
        fs.probe.Recording.load(tmp_path / "other.npz")


def test_the_figure_shows_measured_fitted_and_predicted_curves():
    times = np.linspace(0, 60, 30)
    theory = fs.representation.TwoPoint(1.0, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
    h, y, _ = theory.solve(times)
    hidden, outputs = (np.sqrt(a)[:, None, None] * np.array([[0.0], [1.0]]) for a in (h, y))
    seen = fs.probe.Recording(times, [[0.0], [1.0]], [[0.0], [1.0]], outputs, {"first": hidden, "second": hidden})
    ax, bars = seen.plot(layer="first", predicted=theory).axes
    dotted = [line for line in ax.lines if line.get_linestyle() == ":"]
    np.testing.assert_allclose(np.asarray(dotted[0].get_ydata(), float), h)
    assert len(ax.lines) == 9
    assert len(bars.patches) == 2
    assert len(seen.plot().axes[0].lines) == 6


def test_a_network_that_does_not_learn_has_no_good_fit():
    found = recorded().fit(layer="0")
    assert found.misfit > 1
    assert "change by 0 of their size" in found.flags[0]


def brute(net, layer, rows):
    """Rates of a pair from full Jacobians of both halves."""
    x = torch.tensor(np.array(TASK.x))[rows]
    encoder, decoder = net[: layer + 1], net[layer + 1 :]

    def jacobian(half, given):
        outputs = half(given)
        flat = [torch.autograd.grad(o, list(half.parameters()), retain_graph=True) for o in outputs.reshape(-1)]
        return np.stack([torch.cat([g.reshape(-1) for g in row]).numpy() for row in flat]).reshape(*outputs.shape, -1)

    hidden = encoder(x)
    j = torch.autograd.functional.jacobian(lambda h: decoder(h).sum(), hidden.detach()).mean(dim=0).numpy()
    of_encoder = jacobian(encoder, x)
    along = np.einsum("h,nhp->np", j / np.linalg.norm(j), of_encoder)
    of_decoder = jacobian(decoder, hidden.detach())[:, 0]
    h = hidden.detach().numpy()
    apart, dx = np.sum((h[1] - h[0]) ** 2), np.sum((TASK.x[1] - TASK.x[0]) ** 2)
    return np.sum((along[1] - along[0]) ** 2) / (2 * dx), np.sum((of_decoder[1] - of_decoder[0]) ** 2) / (2 * apart)


def test_a_prediction_of_what_cannot_move_stays():
    net = torch.nn.Sequential(torch.nn.Linear(1, 6, bias=False), torch.nn.Linear(6, 1, bias=False)).double()
    opposite = fs.probe.watch(net, [[-1.0], [1.0]], [[-1.0], [1.0]])
    assert opposite.predict(layer="0").rates == pytest.approx((0.5, 0.5, 0.0), abs=1e-11)
    net[0].requires_grad_(False)
    h, _, _ = opposite.predict(layer="0").solve(np.array([0.0, 5.0]))
    assert h[1] == pytest.approx(h[0])
    with pytest.raises(ValueError, match="model has no weights with requires_grad=True"):
        fs.probe.watch(net.requires_grad_(False), [[-1.0], [1.0]], [[-1.0], [1.0]]).predict()


def test_a_prediction_has_the_rates_of_full_jacobians():
    net = torch.nn.Sequential(
        torch.nn.Linear(1, 6), torch.nn.Tanh(), torch.nn.Linear(6, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1)
    ).double()
    wanted = brute(net, 1, [0, 1])
    found = fs.probe.watch(net, TASK.x, TASK.y).predict(layer="1", per_time=0.1)
    assert found.rates[:2] == pytest.approx([0.1 * rate for rate in wanted], rel=1e-9)
    parameters = [(m.weight.detach().numpy(), m.bias.detach().numpy()) for m in net if hasattr(m, "weight")]

    def network(p, x):
        hidden = []
        for weight, bias in p:
            x = x @ weight.T + bias
            x = jnp.tanh(x) if len(hidden) < 2 else x
            hidden.append(x)
        return x, {"first": hidden[0], "second": hidden[1]}

    with jax.enable_x64(True):
        parameters = jax.tree.map(jnp.asarray, parameters)
        jax_found = fs.probe.watch(network, TASK.x, TASK.y).predict(layer="first", per_time=0.1, parameters=parameters)
    assert jax_found.rates == pytest.approx(found.rates, rel=1e-5)
    assert jax_found.start == pytest.approx(found.start, rel=1e-6)
