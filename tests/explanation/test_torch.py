"""PyTorch and equinox modules: what is read gives the module's own outputs, and what cannot be read is named."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from networks import XOR, Nested, torch, torch_network

import festina as fs
from festina.explanation._network import read_chain
from festina.interop.operation import Activation

pytestmark = pytest.mark.slow

nn = torch.nn
IMAGES = np.random.default_rng(0).uniform(size=(24, 2, 9, 8))


class Small(nn.Module):
    """A convolutional network as people write them."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.norm = nn.Conv2d(2, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.second = nn.Conv2d(4, 6, (3, 2), stride=(2, 1), dilation=(1, 2), groups=2)
        self.pool, self.drop = nn.MaxPool2d(2), nn.Dropout(0.5)
        self.inner, self.outer = nn.Linear(6, 5), nn.Linear(5, 3)
        self.norm.running_mean += torch.arange(4) / 10
        self.norm.running_var *= torch.arange(1, 5)

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x)))
        x = self.pool(nn.functional.leaky_relu(self.second(x), 0.2))
        x = nn.functional.adaptive_avg_pool2d(x, 1)
        x = self.drop(torch.relu(self.inner(x.view(x.size(0), -1))))
        return nn.functional.log_softmax(self.outer(x), dim=1)


LAYERS = {
    "average pooling": lambda: nn.Sequential(
        nn.Conv2d(2, 3, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(27, 2)
    ),
    "normalised and smooth": lambda: nn.Sequential(
        nn.Flatten(), nn.Linear(144, 5), nn.BatchNorm1d(5), nn.GELU(), nn.BatchNorm1d(5), nn.Linear(5, 2)
    ),
    "tanh form of GELU": lambda: nn.Sequential(
        nn.Flatten(), nn.Linear(144, 5), nn.GELU("tanh"), nn.Linear(5, 4), nn.SiLU(), nn.Linear(4, 2)
    ),
    "padded pooling": lambda: nn.Sequential(
        nn.Conv2d(2, 3, 3), nn.ReLU(), nn.MaxPool2d(3, 2, padding=1), nn.Flatten(), nn.Linear(36, 2)
    ),
    "as people write them": Small,
}


@pytest.mark.parametrize("name", LAYERS)
def test_what_is_read_gives_the_outputs_of_the_module(name):
    torch.manual_seed(0)
    model = LAYERS[name]().double()
    chain, x = read_chain("model", model, IMAGES, None, Activation())
    model.eval()
    own = model(torch.tensor(IMAGES)).detach().numpy()
    ours = chain.outputs(x)
    if chain.outermost:
        ours = ours - np.log(np.exp(ours).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(ours, own, atol=1e-12)


def test_a_small_convolutional_network_is_explained_position_by_position():
    model = Small()
    labels = model.eval()(torch.tensor(IMAGES).float()).argmax(dim=1).numpy()
    found = fs.explain(model, IMAGES, labels, modules=2, restarts=1)
    assert found.hidden == (4, 6, 5)
    assert [layer.positions for layer in found.layers] == [72, 24, 1]
    assert found.loss_name == "cross_entropy"
    assert found.accuracy == 1
    assert "channels" in str(found)
    for module in found.layers[0].modules:
        activity = torch.relu(model.norm(model.first(torch.tensor(IMAGES).float())))
        activity[:, module.units] = 0
        h = model.pool(nn.functional.leaky_relu(model.second(activity), 0.2)).mean(dim=(2, 3))
        without = model.outer(torch.relu(model.inner(h))).detach().numpy()
        assert module.accuracy_without == pytest.approx((without.argmax(axis=1) == labels).mean())
    with torch.no_grad():
        broken = nn.Sequential(nn.Conv2d(2, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(126, 2))
        broken[0].weight[0, 0, 0, 0] = torch.nan
    with pytest.raises(ValueError, match="model holds weights that are not finite: its training diverged"):
        fs.explain(broken, IMAGES, labels)
    flat = fs.explain(model, IMAGES.reshape(24, -1), labels, image_shape=(2, 9, 8), modules=2, restarts=1)
    assert flat.to_json() == found.to_json()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_convolutional_network_whose_groups_vary_with_the_seed_is_not_said_to_consist_of_them(seed):
    from sklearn.datasets import load_digits

    pixels, classes = load_digits(return_X_y=True)
    images = torch.tensor(np.asarray(pixels) / 16).reshape(-1, 1, 8, 8).float()
    labels = torch.tensor(np.asarray(classes))
    torch.manual_seed(seed)
    model = nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 6, 2), nn.ReLU(), nn.Flatten(), nn.Linear(24, 10)
    )
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(60):
        few = torch.randint(0, len(images), (64,))
        optimiser.zero_grad()
        nn.functional.cross_entropy(model(images[few]), labels[few]).backward()
        optimiser.step()
    found = fs.explain(model, images.numpy(), np.asarray(classes), sample=200)
    for layer in found.layers:
        if layer.verdict != "none":
            assert layer.stability[len(layer.modules)] >= 0.8
            assert layer.error <= layer.baselines["k-means on inputs"]
    if any(layer.verdict != "shared" for layer in found.layers):
        assert "consists of" not in found.headline


@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
def test_weights_of_two_or_three_digits_are_read(kind):
    x = np.random.default_rng(0).standard_normal((40, 3))
    torch.manual_seed(0)
    coarse = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 2)).to(getattr(torch, kind))
    fine = [(m.weight.detach().double().numpy(), m.bias.detach().double().numpy()) for m in (coarse[0], coarse[2])]
    mlp = eqx.nn.MLP(3, 2, 6, 1, dtype=getattr(jnp, kind), key=jax.random.key(0))
    losses = [fs.explain(model, x, x[:, :2], modules=1, restarts=1).loss for model in (coarse, fine, mlp)]
    assert losses[0] == pytest.approx(losses[1])
    assert coarse[0].weight.dtype == getattr(torch, kind)


def test_what_thresholding_loses_is_stated():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 2)).double()
    x = np.random.default_rng(0).standard_normal((50, 3))
    y = model(torch.tensor(x)).detach().numpy()
    found = fs.explain(model, x, y, modules=2, restarts=1)
    weights = [p.detach().numpy() for p in model.parameters()]
    hard = np.maximum(x @ weights[0].T + weights[1], 0) @ weights[2].T + weights[3]
    lost = ((hard - y) ** 2).sum() / ((y - y.mean(axis=0)) ** 2).sum()
    assert f"differs from it by {lost:.2g} of the variance" in found.notes[0]


def test_leaky_units_pass_their_slope_when_the_gate_is_shut():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 3))
    model = nn.Sequential(nn.Linear(3, 2), nn.LeakyReLU(0.3), nn.Linear(2, 1)).double()
    y = model(torch.tensor(x)).detach().numpy()
    found = fs.explain(model, x, y)
    assert found.layers[0].verdict == "shared"
    assert found.layers[0].error < 1e-4


class Gain(eqx.Module):
    layer: eqx.nn.Linear
    gain: jax.Array

    def __call__(self, x):
        return self.gain * self.layer(x)


class Lost(nn.Module):
    """A network with a weight that no layer holds."""

    def __init__(self):
        super().__init__()
        self.net = torch_network(3, 4, 1)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * self.net(x)


class Branching(nn.Module):
    """A forward pass that depends on the values."""

    def __init__(self):
        super().__init__()
        self.net = torch_network(3, 4, 1)

    def forward(self, x):
        return self.net(x) if x.sum() > 0 else self.net(-x)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: torch_network(3, 8, 1, between=nn.Tanh), r"model holds Tanh \('1'\), which is not among"),
        (lambda: Nested(torch_network(3, 8, 1), torch.tanh), "model holds tanh, which is not among"),
        (lambda: Nested(torch_network(3, 8, 1), skip=True), "getitem|add.*skip connection"),
        (lambda: nn.Sequential(nn.LayerNorm(3), *torch_network(3, 8, 1)), "model holds LayerNorm"),
        (Lost, "'scale'.* uses other weights"),
        (Branching, "depends on the values of its inputs"),
        (lambda: torch_network(5, 8, 1), "model has 5 inputs and x has 3 columns"),
        (lambda: torch_network(3, 8, 2), "the network has 2 outputs; give class labels 0 to 1, or targets"),
        (lambda: nn.Linear(3, 1), r"1 layer\(s\) of weights and 0 of activation functions"),
        (nn.ReLU, "model has no weights"),
        (lambda: nn.Conv2d(1, 2, 3), r"cannot be called with x of shape \(4, 3\)"),
        (lambda: eqx.nn.MLP(3, 1, 24, 1, jnp.tanh, key=jax.random.key(0)), "model cannot be explained: its outputs"),
        (lambda: eqx.nn.MLP(4, 1, 24, 1, key=jax.random.key(0)), "model has 4 inputs and x has 3 columns"),
        (lambda: Gain(eqx.nn.Linear(3, 1, key=jax.random.key(0)), jnp.ones(1)), "weights outside its Linear layers"),
        (lambda: eqx.nn.Lambda(jax.nn.relu), "Lambda without Linear layers"),
        (lambda: eqx.nn.Sequential([eqx.nn.LayerNorm(3)]), "model holds LayerNorm of equinox"),
    ],
)
def test_what_cannot_be_explained_is_named(model, message, untyped):
    with pytest.raises(ValueError, match=message):
        fs.explain(model(), XOR.x, XOR.y)


@pytest.mark.parametrize("between", [jax.nn.relu, jax.nn.gelu, jax.nn.silu])
def test_the_activation_of_an_equinox_module_is_told_by_its_outputs(between):
    model = eqx.nn.MLP(3, 1, 24, 1, between, key=jax.random.key(0))
    x = np.random.default_rng(0).standard_normal((20, 3))
    chain, rows = read_chain("model", model, x, None, Activation())
    np.testing.assert_allclose(chain.outputs(rows), jax.vmap(model)(jnp.asarray(x)), atol=1e-5)


def test_a_module_is_left_as_it_was(trained):
    nested = Nested(trained).train()
    assert fs.explain(nested, XOR.x, XOR.y).to_json() == fs.explain(trained, XOR.x, XOR.y).to_json()
    assert nested.training


def test_diverged_modules_are_told():
    model = torch_network(3, 4, 1)
    with torch.no_grad():
        model[0].weight[0, 0] = torch.nan
    with pytest.raises(ValueError, match="not finite: its training diverged"):
        fs.explain(model, XOR.x, XOR.y)
