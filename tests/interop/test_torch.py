"""A user's PyTorch module: its network computes and learns the same; what festina does not know is refused by name."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import prune

import festina as fs
from festina.interop.operation import compute
from festina.interop.torch_module import read_steps

pytestmark = pytest.mark.slow

STEPS, TOLERANCE = 200, 1e-10
"""What the two libraries must agree to, relative to the first loss, after that many steps in double precision."""


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(before)


def data(points=30, inputs=6, outputs=3):
    rng = np.random.default_rng(1)
    return rng.normal(size=(points, inputs)), rng.normal(size=(points, outputs))


def modules():
    hidden = nn.Linear(6, 5)
    return {
        "linear": nn.Linear(6, 3),
        "deep linear": nn.Sequential(nn.Linear(6, 5), nn.Linear(5, 4), nn.Linear(4, 3)),
        "deep linear without bias": nn.Sequential(nn.Linear(6, 5, bias=False), nn.Linear(5, 3, bias=False)),
        "relu": nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)),
        "relu without bias": nn.Sequential(nn.Linear(6, 8, bias=False), nn.ReLU(), nn.Linear(8, 3, bias=False)),
        "deep relu": nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 7), nn.ReLU(), nn.Linear(7, 3)),
        "tanh": nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 7), nn.Tanh(), nn.Linear(7, 3)),
        "nested": nn.Sequential(
            nn.Flatten(), nn.Sequential(hidden, nn.ReLU(), nn.Dropout(0.5)), nn.Identity(), nn.Linear(5, 3)
        ).eval(),
    }


def train_torch(module, x, y, lr, momentum=0.0, reduction="mean"):
    """Losses in our units, before each step and after the last."""
    inputs, targets = torch.from_numpy(x), torch.from_numpy(y)
    optimiser, losses = torch.optim.SGD(module.parameters(), lr=lr, momentum=momentum), []
    for _ in range(STEPS + 1):
        optimiser.zero_grad()
        outputs = module(inputs)
        losses.append(0.5 * float(((outputs - targets) ** 2).sum().detach()) / len(x))
        nn.functional.mse_loss(outputs, targets, reduction=reduction).backward()
        optimiser.step()
    return np.array(losses)


@pytest.mark.parametrize("name", list(modules()))
def test_a_module_learns_the_same_in_both_libraries(name):
    module = modules()[name].double()
    x, y = data()
    network, rate = fs.from_torch(module), fs.methods.convert_rate(0.05, outputs=3)
    ours = fs.evolve(network, fs.Task(x, y), rate * np.arange(STEPS + 1), method=fs.Train(rate=rate))
    theirs = train_torch(module, x, y, 0.05)
    assert np.abs(ours.loss - theirs).max() < TOLERANCE * theirs[0]
    assert theirs[-1] < 0.8 * theirs[0]


def test_momentum_and_summed_losses_learn_the_same():
    x, y = data()
    for momentum, reduction, lr in ((0.8, "mean", 0.02), (0.0, "sum", 0.001)):
        module = modules()["relu"].double()
        network = fs.from_torch(module)
        rate = fs.methods.convert_rate(lr, 3, reduction=reduction, batch=len(x))
        method = fs.Train(rate=rate)
        if momentum:
            method = fs.Train(rate=rate, optimiser="momentum", momentum=momentum)
        ours = fs.evolve(network, fs.Task(x, y), rate * np.arange(STEPS + 1), method=method)
        theirs = train_torch(module, x, y, lr, momentum, reduction)
        assert np.abs(ours.loss - theirs).max() < TOLERANCE * theirs[0]


def test_the_start_is_the_module_and_the_module_is_left_alone():
    module = modules()["relu"]
    before = {k: v.clone() for k, v in module.state_dict().items()}
    network = fs.from_torch(module)
    x, y = data()
    run = fs.evolve(network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1), observe=("weights", "outputs"))
    np.testing.assert_array_equal(run.weights[0][0][:, :-1], module[0].weight.detach().numpy())
    np.testing.assert_array_equal(run.weights[1][0][:, -1], module[2].bias.detach().numpy())
    np.testing.assert_allclose(run.outputs[0], module(torch.from_numpy(x).float()).detach().numpy(), atol=1e-5)
    assert all(torch.equal(before[k], v) for k, v in module.state_dict().items())
    assert all(p.requires_grad and p.grad is None for p in module.parameters())


def test_flow_predicts_the_module_at_small_steps():
    module = modules()["deep linear"].double()
    x, y = data()
    network, lr = fs.from_torch(module), 0.01
    times = fs.methods.convert_rate(lr, 3) * np.arange(STEPS + 1)
    flow = fs.evolve(network, fs.Task(x, y), times, method=fs.Flow())
    assert np.abs(flow.loss - train_torch(module, x, y, lr)).max() < 0.01 * flow.loss[0]


@pytest.mark.parametrize("activation", [nn.Tanh(), nn.Sigmoid(), nn.SiLU(), nn.GELU(), nn.LeakyReLU(), nn.ELU()])
@pytest.mark.parametrize("bias", [True, False])
def test_other_activations_become_feed_forward_networks(activation, bias):
    module = nn.Sequential(nn.Linear(3, 4, bias=bias), activation, nn.Linear(4, 2, bias=bias)).double()
    network = fs.from_torch(module)
    assert isinstance(network, fs.FeedForward)
    assert (network.hidden, network.bias) == ((4,), bias)


class Net(nn.Module):
    """A module with a forward pass of its own."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)

    def forward(self, x):
        return self.first(x) ** 2


class Doubled(nn.Linear):
    """A layer that computes something else than its weights say."""

    def forward(self, x):
        return 2 * super().forward(x)


def shared():
    layer = nn.Linear(4, 4)
    return nn.Sequential(layer, nn.ReLU(), layer)


def frozen():
    module = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    module[0].requires_grad_(False)
    return module


def patched():
    module = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    module[1].forward = lambda x: 2 * nn.Linear.forward(module[1], x)  # pyright: ignore
    return module


def hooked(kind, part: int | None = 1):
    """A hook that leaves the outputs of random inputs alone is refused too: it may change gradients."""
    module = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    getattr(module if part is None else module[part], f"register_{kind}")(lambda *_: None)
    return module


def gradient_hooked(kind):
    layer = nn.Linear(4, 2)
    getattr(layer.bias, kind)(lambda gradient: None)
    return layer


def pruned():
    module = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    prune.l1_unstructured(module[0], "weight", amount=0.5)
    return module


def extended():
    layer = nn.Linear(4, 2, bias=False)
    layer.scale = nn.Parameter(torch.ones(1))
    return layer


REFUSED = {
    "conv": (lambda: nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten()), r"layer '0' \(Conv2d.*, whose computation"),
    "own": (Net, "module has Net, whose computation festina does not know"),
    "subclass": (lambda: nn.Sequential(Doubled(2, 2)), r"layer '0' \(Doubled\), whose computation"),
    "deeper": (
        lambda: nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.LayerNorm(2), nn.Linear(2, 2))),
        r"layer '1.0' \(LayerNorm",
    ),
    "first": (lambda: nn.Sequential(nn.ReLU(), nn.Linear(2, 2)), "module begins with layer"),
    "twice": (lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.ReLU(), nn.Linear(2, 2)), r"layer '2' \(ReLU\)"),
    "last": (lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU()), "layer '0' is followed by ReLU"),
    "selu": (
        lambda: nn.Sequential(nn.Linear(2, 2), nn.SELU(), nn.Linear(2, 2)),
        r"layer '1' \(SELU\), whose computation",
    ),
    "slope": (lambda: nn.Sequential(nn.Linear(2, 2), nn.LeakyReLU(0.2), nn.Linear(2, 2)), "negative_slope=0.2"),
    "some": (
        lambda: nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2), nn.Linear(2, 2)),
        "layer '2' is followed by no activation",
    ),
    "flatten": (lambda: nn.Sequential(nn.Linear(2, 2), nn.Flatten()), r"layer '1' \(Flatten.* behind a Linear layer"),
    "axes": (
        lambda: nn.Sequential(nn.Flatten(0), nn.Linear(2, 2)),
        r"layer '0' \(Flatten.*only a Flatten",
    ),
    "compiled": (lambda: torch.compile(nn.Linear(2, 2), backend="eager"), "has OptimizedModule, whose computation"),
    "gelu": (lambda: nn.Sequential(nn.Linear(2, 2), nn.GELU("tanh"), nn.Linear(2, 2)), "followed by GELU.*; known are"),
    "dropout": (lambda: nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)), r"layer '1' \(Dropout\) in training"),
    "biases": (
        lambda: nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2, bias=False)),
        "layer '0' has biases and layer '1' has none",
    ),
    "widths": (lambda: nn.Sequential(nn.Linear(2, 3), nn.Linear(2, 2)), "layer '0' has 3 outputs and layer '1' 2"),
    "shared": (shared, "layers '0' and '2' share weights"),
    "frozen": (frozen, "layer '0' has weights that do not require gradients"),
    "patched": (patched, r"module gives other outputs than its layers \['0', '1'\] say"),
    "pre-hook": (lambda: hooked("forward_pre_hook", 0), r"layer '0' \(Linear\) with a forward pre-hook"),
    "hook": (lambda: hooked("forward_hook"), r"layer '1' \(ReLU\) with a forward hook"),
    "backward hook": (lambda: hooked("full_backward_hook", 2), r"layer '2' \(Linear\) with a backward hook"),
    "backward pre-hook": (lambda: hooked("full_backward_pre_hook", None), "Sequential with a backward pre-hook"),
    "gradient hook": (lambda: gradient_hooked("register_hook"), r"gradient hook.*handle\.remove"),
    "gradient, later": (lambda: gradient_hooked("register_post_accumulate_grad_hook"), "with a gradient hook"),
    "pruned": (pruned, r"layer '0' has the parameters bias, weight_orig, but festina trains weight and bias.*prune"),
    "spectral": (lambda: nn.utils.spectral_norm(nn.Linear(2, 2)), r"bias, weight_orig.*remove_spectral_norm"),
    "extended": (extended, "has the parameters scale, weight, but festina trains weight"),
    "meta": (lambda: nn.Sequential(nn.Linear(2, 2, device="meta")), "layer '0' is on the device 'meta'"),
    "lazy": (lambda: nn.Sequential(nn.LazyLinear(2)), "layer '0' is LazyLinear, whose weights are not made"),
    "nothing": (nn.Sequential, "module has no Linear layer"),
    "parametrized": (
        lambda: nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(2, 2))),
        r"layer '0' \(ParametrizedLinear\) whose|layer '0' computes its weights from other parameters",
    ),
}


class Named(nn.Linear):
    """A layer with a name of its own and PyTorch's forward pass."""


def test_a_subclass_that_computes_the_same_is_taken():
    network = fs.from_torch(nn.Sequential(Named(2, 3), nn.ReLU(), Named(3, 1)))
    assert isinstance(network, fs.ReLU)


@pytest.mark.parametrize("name", list(modules()))
def test_what_is_read_gives_the_outputs_of_the_module(name):
    module, x = modules()[name].double(), data()[0]
    steps = read_steps("module", module)
    ours = compute([step.operation for step in steps if step.operation is not None], x)
    np.testing.assert_allclose(ours, module(torch.from_numpy(x)).detach().numpy(), atol=1e-12)


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_festina_does_not_know_is_refused_by_name(name):
    make, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        fs.from_torch(make())


def test_a_pruned_module_is_taken_once_it_is_plain():
    module = pruned()
    prune.remove(module[0], "weight")
    initial = fs.from_torch(module).initial
    assert isinstance(initial, fs.initial.Weights)
    assert (initial.matrices[0] == 0).sum() == 8


def test_old_weight_normalization_is_refused():
    with pytest.warns(FutureWarning):
        layer = nn.utils.weight_norm(nn.Linear(2, 2))
    with pytest.raises(ValueError, match=r"bias, weight_g, weight_v, but.*remove_weight_norm"):
        fs.from_torch(layer)
    assert isinstance(fs.from_torch(nn.utils.remove_weight_norm(layer)), fs.DeepLinear)


def test_a_lazy_layer_is_taken_once_it_has_weights():
    module = nn.Sequential(nn.LazyLinear(2))
    module(torch.zeros(1, 3))
    assert isinstance(fs.from_torch(module), fs.DeepLinear)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("bad", [3, None, "x", [nn.Linear(2, 2)], nn.Linear])
def test_what_is_no_module_is_refused(bad):
    with pytest.raises(ValueError, match=r"module is \w+; a torch.nn.Linear, or"):
        fs.from_torch(bad)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 2 / 5),
        ({"half": True}, 1 / 5),
        ({"reduction": "points"}, 2),
        ({"reduction": "points", "half": True}, 1),
        ({"reduction": "sum", "batch": 7}, 14),
        ({"momentum": 0.9}, 4),
    ],
)
def test_rates_are_converted(settings, expected):
    assert fs.methods.convert_rate(0.3, 5, **settings) == pytest.approx(0.3 * expected, rel=1e-12)


def test_a_converted_rate_descends_our_loss():
    """Gradients of each loss, by PyTorch, against the gradient of L = 1/(2N) Σ ‖y − ŷ‖²."""
    x, y = (torch.from_numpy(a) for a in data())
    w = torch.randn(3, 6, dtype=torch.double, requires_grad=True)

    def gradient(loss):
        return torch.autograd.grad(loss((x @ w.T - y) ** 2), w)[0]

    ours = gradient(lambda e: 0.5 * e.sum() / len(x))
    losses = {"mean": lambda e: e.mean(), "points": lambda e: e.sum(1).mean(), "sum": lambda e: e.sum()}
    for reduction, loss in losses.items():
        rate = fs.methods.convert_rate(0.1, 3, reduction=reduction, batch=len(x))
        torch.testing.assert_close(rate * ours, 0.1 * gradient(loss), rtol=1e-12, atol=0)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3), "lr is 0; a number > 0"),
        ((0.1, 0), "outputs is 0; a whole number >= 1"),
        ((0.1, 3, "average"), "reduction is 'average', which is not known"),
        ((0.1, 3, "sum"), "batch is missing"),
        ((0.1, 3, "sum", 0), "batch is 0"),
        ((0.1, 3, "mean", None, 1), "half is 1; True or False"),
        ((0.1, 3, "mean", None, False, 1.0), "momentum is 1.0; a number >= 0 and < 1"),
    ],
)
def test_bad_rates_are_refused(arguments, message):
    names = ("lr", "outputs", "reduction", "batch", "half", "momentum")
    with pytest.raises(ValueError, match=message):
        fs.methods.convert_rate(**dict(zip(names, arguments, strict=False)))


@pytest.mark.parametrize(
    ("name", "applies"),
    [
        ("linear", "Exact()"),
        ("deep linear", "Reduced()"),
        ("relu", "Reduced()"),
        ("deep relu", "Flow()"),
        ("tanh", "Reduced()"),
    ],
)
def test_theories_answer_for_a_module(name, applies):
    x, y = data(points=6)
    found = fs.theories(fs.from_torch(modules()[name].double()), fs.Task(x, y))
    assert applies in str(found)


WITHOUT = """
import sys
sys.modules["equinox"] = None
import numpy as np, torch, festina as fs
x, y = np.vstack([np.eye(3), -np.eye(3)]), np.ones((6, 1))
network = fs.from_torch(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1)).double())
fs.evolve(network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1))
fs.explain([np.eye(3), np.ones((1, 3))], x, np.arange(6.0)[:, None], modules=1, restarts=1)
fs.probe.watch(torch.nn.Linear(3, 1), x, y).record(0)
"""


def test_equinox_is_not_needed():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
