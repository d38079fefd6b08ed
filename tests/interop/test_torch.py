"""A user's PyTorch module: its network computes and learns the same; what festina does not know runs in PyTorch."""

import sys
from dataclasses import replace
from types import MethodType
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils import prune

import festina as fs
from festina.interop.operation import compute
from festina.interop.torch_module import read_steps
from festina.interop.traced import CalledModule

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


@pytest.mark.parametrize("slope", [0.0, 0.2, 1.5, -0.1])
def test_the_slope_of_a_leaky_relu_is_read(slope):
    module = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(slope), nn.Linear(4, 2)).double()
    network = fs.from_torch(module)
    assert getattr(network, "negative_slope", None) == (slope if slope >= 0 else None)
    x, y = data(inputs=3, outputs=2)
    run = fs.evolve(network, fs.Task(x, y), [0.0], method=fs.Flow(), observe=("outputs",))
    np.testing.assert_allclose(run.outputs[0], module(torch.from_numpy(x)).detach().numpy(), atol=1e-12)


class Doubled(nn.Linear):
    """A layer that computes something else than its weights say."""

    def forward(self, x):
        return 2 * super().forward(x)


class Net(nn.Module):
    """A module with a forward pass of its own, and a skip connection."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x):
        return self.second(x + torch.tanh(self.first(x)))


class Counted(nn.Module):
    """A forward pass that asks for the number of data points."""

    def __init__(self):
        super().__init__()
        self.cell, self.last = nn.GRUCell(6, 5), nn.Linear(5, 3)

    def forward(self, x):
        return self.last(self.cell(x, torch.zeros(len(x), 5, dtype=x.dtype))).view(len(x), -1)


class Spectrum(nn.Module):
    """A filter of frequencies, and complex numbers between real ones."""

    def __init__(self):
        super().__init__()
        self.filter, self.last = nn.Parameter(torch.rand(4) + 0.5), nn.Linear(12, 3)

    def forward(self, x):
        smooth = torch.fft.irfft(torch.fft.rfft(x, norm="ortho") * self.filter, n=6, norm="ortho")
        wave = torch.fft.ifft(torch.complex(smooth, x) * torch.fft.fft(smooth).conj(), norm="forward")
        return self.last(
            torch.cat([smooth, torch.tanh(torch.view_as_real(wave).sum(-1) - wave.abs()) + 0.01 * wave.angle()], 1)
        )


class SoFar(nn.Module):
    """Sums, products and largest numbers of what came before."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(6, 4), nn.Linear(20, 3)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        return self.last(torch.cat([h.cumprod(1), h.cummax(1)[0], h.cummin(1)[0], h.logcumsumexp(1), h.cumsum(1)], 1))


class Squared(nn.Module):
    """A layer that is linear in both of its inputs."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(6, 4), nn.Bilinear(6, 4, 3)

    def forward(self, x):
        return self.last(x, torch.tanh(self.first(x)))


class Tied(nn.Module):
    """A linear layer back and forth with the same weights."""

    def __init__(self):
        super().__init__()
        self.code, self.last = nn.Linear(6, 4), nn.Linear(6, 3)

    def forward(self, x):
        return self.last(nn.functional.linear(torch.tanh(self.code(x)), self.code.weight.t()))


def shared():
    layer = nn.Linear(6, 6)
    return nn.Sequential(layer, nn.ReLU(), layer, nn.Linear(6, 3))


def frozen():
    module = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, 3))
    module[0].requires_grad_(False)
    return module


def parametrized():
    return nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(6, 3)))


def patched():
    module = nn.Sequential(nn.Linear(6, 5), nn.Linear(5, 3))
    module[1].forward = MethodType(lambda layer, x: 2 * nn.Linear.forward(layer, x), module[1])
    return module


TRACED = {
    "own": Net,
    "counted": Counted,
    "tied": Tied,
    "spectrum": Spectrum,
    "so far": SoFar,
    "bilinear": Squared,
    "shared": shared,
    "frozen": frozen,
    "normalised": lambda: nn.Sequential(nn.Linear(6, 5), nn.BatchNorm1d(5), nn.SELU(), nn.Linear(5, 3)),
    "evaluated": lambda: nn.Sequential(nn.Linear(6, 5), nn.BatchNorm1d(5), nn.Linear(5, 3)).eval(),
    "subclass": lambda: nn.Sequential(Doubled(6, 5), nn.ReLU(), nn.Linear(5, 3)),
    "patched": patched,
    "parametrized": parametrized,
    "last": lambda: nn.Sequential(nn.Linear(6, 3), nn.ReLU()),
    "first": lambda: nn.Sequential(nn.Tanh(), nn.Linear(6, 3)),
    "mixed": lambda: nn.Sequential(nn.Linear(6, 4), nn.ELU(0.5), nn.Linear(4, 4, bias=False), nn.GELU("tanh"),
                                   nn.Linear(4, 3)),
}  # fmt: skip
"""Modules that are not layers one after another."""


@pytest.mark.parametrize("name", list(TRACED))
def test_any_module_learns_the_same_in_both_libraries(name):
    module = TRACED[name]().double()
    x, y = data()
    network, rate = fs.from_torch(module, example=x), fs.methods.convert_rate(0.05, outputs=3)
    assert isinstance(network, fs.interop.TracedModule)
    ours = fs.evolve(network, fs.Task(x, y), rate * np.arange(STEPS + 1), method=fs.Train(rate=rate))
    theirs = train_torch(module, x, y, 0.05)
    assert np.abs(ours.loss - theirs).max() < TOLERANCE * theirs[0]
    assert theirs[-1] < 0.95 * theirs[0]


class Gathered(nn.Module):
    """Columns are added to others, some of them twice, as graphs pass messages."""

    def forward(self, x):
        index = torch.tensor([[3, 0, 3, 1, 2, 0]]).expand(len(x), x.shape[1], x.shape[2] - 1, 6)
        return torch.zeros_like(x).scatter_add(3, index, x.tanh()) * x


IMAGES = {
    "transposed": lambda: nn.ConvTranspose2d(2, 4, 3, stride=2, padding=1, output_padding=1, groups=2),
    "circular": lambda: nn.Conv2d(2, 4, 3, padding="same", padding_mode="circular"),
    "groups": lambda: nn.Sequential(nn.Conv2d(2, 4, 3), nn.GroupNorm(2, 4), nn.Hardsigmoid()),
    "mean": lambda: nn.Sequential(nn.Conv2d(2, 3, 2), nn.AvgPool2d(3, 2, padding=1, ceil_mode=True), nn.Mish()),
    "adaptive": lambda: nn.Sequential(nn.Conv2d(2, 3, 2), nn.AdaptiveAvgPool2d((3, 2)), nn.SELU()),
    "largest": lambda: nn.Sequential(nn.Conv2d(2, 3, 2), nn.MaxPool2d(3, 2, padding=1, ceil_mode=True)),
    "enlarged": lambda: nn.Sequential(nn.Conv2d(2, 3, 2), nn.Upsample(scale_factor=2), nn.AdaptiveMaxPool2d((4, 3))),
    "between": lambda: nn.Sequential(nn.Conv2d(2, 3, 2), nn.Upsample(scale_factor=1.7, mode="bilinear")),
    "between, given": lambda: nn.Sequential(
        nn.Conv2d(2, 3, 2),
        nn.Upsample((9, 4), mode="bilinear"),
        nn.Upsample((5, 7), mode="bilinear", align_corners=True),
    ),
    "boxes": lambda: nn.Sequential(nn.Conv2d(2, 6, 2), nn.Unflatten(1, (2, 3)), nn.AdaptiveMaxPool3d((2, 4, 3))),
    "reflected": lambda: nn.Sequential(nn.ReflectionPad2d((1, 2, 0, 3)), nn.Conv2d(2, 3, 3)),
    "replicated": lambda: nn.Conv2d(2, 3, 3, padding=(2, 1), padding_mode="replicate"),
    "summed": Gathered,
}


@pytest.mark.parametrize("name", list(IMAGES))
def test_layers_of_images_have_the_outputs_and_gradients_of_the_module(name):
    module = nn.Sequential(IMAGES[name](), nn.Flatten(), nn.LazyLinear(3))
    example = torch.randn(2, 2, 7, 8)
    module(example)
    assert isinstance(fs.from_torch(module, example), fs.interop.TracedModule)


class Shifted(nn.Module):
    """A function of inputs plus a shift that learns."""

    def __init__(self, function):
        super().__init__()
        self.shift, self.function = nn.Parameter(torch.zeros(4)), function

    def forward(self, x):
        return self.function(x + self.shift)


KINKS = {
    "abs": torch.abs,
    "hardswish": nn.functional.hardswish,
    "hardsigmoid": nn.functional.hardsigmoid,
    "hardtanh": lambda h: nn.functional.hardtanh(h, -3, 3),
    "clamp": lambda h: h.clamp(-3, 3),
    "softshrink": nn.functional.softshrink,
    "logsigmoid": nn.functional.logsigmoid,
    "sinc": torch.sinc,
    "mish": lambda h: nn.functional.mish(300 * h),
    "celu": lambda h: nn.functional.celu(300 * h),
    "std": lambda h: h + h.std(1, keepdim=True),
    "std and mean": lambda h: torch.cat(torch.std_mean(h, 1, correction=0, keepdim=True), 1) + h[:, :2],
    "norm 1": lambda h: h + h.norm(1, dim=1, keepdim=True),
    "norm 2": lambda h: h + h.norm(dim=1, keepdim=True),
    "norm 3": lambda h: h + h.norm(3, dim=1, keepdim=True),
    "largest norm": lambda h: h + h.norm(torch.inf, dim=1, keepdim=True),
    "amax": lambda h: h + h.amax(1, keepdim=True),
    "max": lambda h: h + h.max(1, keepdim=True).values,
    "maximum": lambda h: torch.maximum(h, -h),
    "pooled": lambda h: h + nn.functional.adaptive_max_pool2d(h.view(-1, 1, 2, 2), 1)[:, 0, 0],
}


@pytest.mark.parametrize("name", list(KINKS))
def test_derivatives_at_kinks_are_those_of_torch(name):
    x = np.array([[0.0] * 4, [3.0] * 4, [-3.0] * 4, [0.5, -0.5, 0.5, -0.5]])
    # at ties it matters which of the equal numbers learns, so that the targets differ
    y, module = np.arange(16.0).reshape(4, 4)[:, : 2 if "mean" in name else 4], Shifted(KINKS[name]).double()
    network = fs.from_torch(module, example=x)
    ours = fs.evolve(network, fs.Task(x, y), [0.0, 0.01], method=fs.Train(rate=0.01), observe=("weights",))
    loss = 0.5 * ((module(torch.from_numpy(x)) - torch.from_numpy(y)) ** 2).sum() / len(x)
    loss.backward()
    assert module.shift.grad is not None
    # PyTorch's derivative of hardsigmoid has 1/6 in single precision
    np.testing.assert_allclose(ours.weights[0][-1], -0.01 * module.shift.grad, rtol=1e-7, atol=1e-12)


class Reversal(torch.autograd.Function):
    """The same numbers, with the opposite gradient."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, *gradients):
        return -gradients[0]


class ReversedIdentity(nn.Identity):
    def forward(self, x):
        return Reversal.apply(x)


class ReversedDropout(nn.Dropout):
    def forward(self, x):
        return Reversal.apply(super().forward(x))


def reversed_by(part):
    return nn.Sequential(nn.Linear(4, 4), part, nn.ReLU(), nn.Linear(4, 2))


def reversed_by_patch():
    module = reversed_by(nn.Identity())
    module[1].forward = Reversal.apply
    return module


def tied_memory():
    module = nn.Sequential(nn.Linear(4, 3, bias=False), nn.Tanh(), nn.Linear(3, 4, bias=False))
    first, last = module[0].weight, module[2].weight
    assert isinstance(first, torch.Tensor) and isinstance(last, torch.Tensor)  # noqa: PT018
    last.data = first.data.t()
    return module


class Sampled(nn.Module):
    """Images between their pixels, at places that are computed."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)

    def forward(self, x):
        places = torch.tanh(self.first(x)).view(len(x), 2, 1, 2)
        return nn.functional.grid_sample(x.view(len(x), 1, 2, 2), places, align_corners=False).flatten(1)


class Branched(Sampled):
    """A forward pass that looks at its data before it decides."""

    def forward(self, x):
        h = self.first(x)
        return torch.relu(h) if h.mean() > 0 else torch.tanh(h)


class Annealed(nn.Linear):
    """A forward pass that changes from call to call."""

    called = 0

    def forward(self, x):
        self.called += 1
        return super().forward(x) * (1 + 0.1 * self.called)


class Drawn(Sampled):
    """Random numbers that PyTorch draws."""

    def forward(self, x):
        return self.first(x) + torch.poisson(x.abs())


class Estimated(Sampled):
    """Gradients that are not those of the outputs."""

    def forward(self, x):
        h = self.first(x)
        return torch.lgamma(h.abs() + 1) + h - h.detach()


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


REFUSED = {
    "no example": (lambda: nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten()), "Conv2d as its first layer; give inputs"),
    "identity": (lambda: reversed_by(ReversedIdentity()), "other gradients than its outputs have"),
    "dropout": (lambda: reversed_by(ReversedDropout()), "module gives other outputs when it is called again"),
    "patch": (reversed_by_patch, "other gradients than its outputs have"),
    "tied memory": (tied_memory, "'0.weight' and '2.weight' are two parameters in the same memory"),
    "complex": (lambda: nn.Linear(2, 2, dtype=torch.cfloat), "weight 'weight' is complex"),
    "annealed": (lambda: Annealed(4, 2), "module gives other outputs when it is called again"),
    "drawn": (Drawn, "module gives other outputs when it is called again"),
    "estimated": (Estimated, "other gradients than its outputs have"),
    "precision": (
        lambda: nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2).double()),
        r"different precision, '0.bias' \(float32\) and '1.bias' \(float64\); give it one: module.double",
    ),
    "compiled": (lambda: torch.compile(nn.Linear(2, 2), backend="eager"), "was compiled by torch.compile"),
    "widths": (lambda: nn.Sequential(nn.Linear(2, 3), nn.Linear(2, 2)), "module cannot be called .* shapes cannot be"),
    "axes": (lambda: nn.Sequential(nn.Flatten(0), nn.Linear(32, 2)), "module cannot be called"),
    "sequence": (lambda: nn.LSTM(4, 3), "module has LSTM as its first layer; give inputs"),
    "pre-hook": (lambda: hooked("forward_pre_hook", 0), r"layer '0' \(Linear\) with a forward pre-hook"),
    "hook": (lambda: hooked("forward_hook"), r"layer '1' \(ReLU\) with a forward hook"),
    "backward hook": (lambda: hooked("full_backward_hook", 2), r"layer '2' \(Linear\) with a backward hook"),
    "backward pre-hook": (lambda: hooked("full_backward_pre_hook", None), "Sequential with a backward pre-hook"),
    "gradient hook": (lambda: gradient_hooked("register_hook"), r"gradient hook.*handle\.remove"),
    "gradient, later": (lambda: gradient_hooked("register_post_accumulate_grad_hook"), "has a gradient hook"),
    "pruned": (pruned, r"layer '0' has the parameters bias, weight_orig, of which a hook.*prune"),
    "spectral": (lambda: nn.utils.spectral_norm(nn.Linear(2, 2)), r"bias, weight_orig.*remove_spectral_norm"),
    "meta": (lambda: nn.Sequential(nn.Linear(2, 2, device="meta")), "weight '0.weight' is on the device 'meta'"),
    "lazy": (lambda: nn.Sequential(nn.LazyLinear(2)), "weight '0.weight' is of a lazy layer"),
    "nothing": (nn.Sequential, "module has no weights"),
}


@pytest.mark.parametrize("make", [Sampled, Branched])
def test_a_module_with_unknown_operations_learns_as_in_pytorch(make):
    x, module = data(inputs=4)[0], make().double()
    network = fs.from_torch(module)
    assert "run by PyTorch" in repr(network)
    task = fs.Task(x, labels=np.arange(30) % module(torch.from_numpy(x)).shape[1])
    optimizer = torch.optim.AdamW(module.parameters(), lr=0.01)
    ours = fs.evolve(network, task, steps=20, method=fs.Train.like(optimizer), observe=("weights",))
    for _ in range(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(module(torch.from_numpy(x)), torch.tensor(task.y)).backward()
        optimizer.step()
    for found, (_, expected) in zip(ours.weights, sorted(module.named_parameters()), strict=True):
        np.testing.assert_allclose(found[-1], expected.detach(), atol=1e-12)


def test_every_method_gives_the_same_for_a_module_that_pytorch_runs():
    x, y = data(12, 4, 2)
    module = nn.Sequential(nn.Linear(4, 3), nn.LayerNorm(3), nn.Tanh(), nn.Linear(3, 2)).double()
    read = fs.from_torch(module)
    assert isinstance(read, fs.interop.TracedModule)
    ran = replace(read, forward=CalledModule(module, (4,), 2, whole=False))
    task = fs.Task(x, labels=y.argmax(1), loss="cross_entropy")
    for method in (fs.Train(rate=0.1), fs.Flow(), fs.Flow(solver="Chebyshev"), fs.Reduced("lazy limit")):
        ours, expected = (fs.evolve(one, task, [0.0, 0.1, 0.2], method=method, rate=0.1) for one in (ran, read))
        np.testing.assert_allclose(ours.loss, expected.loss, rtol=1e-7)
    assert ours.notes["rate_times_sharpness"] == pytest.approx(expected.notes["rate_times_sharpness"], rel=1e-6)
    single = fs.Train(rate=0.2, precision="single")
    seeds = fs.evolve(ran, task, [0.0, 1.0], method=single, seeds=2)
    np.testing.assert_allclose(seeds.loss, fs.evolve(read, task, [0.0, 1.0], method=single, seeds=2).loss, rtol=1e-5)


def test_a_file_describes_a_module_that_pytorch_runs(tmp_path):
    x, y = data(inputs=4, outputs=2)
    run = fs.evolve(fs.from_torch(Sampled().double()), fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1))
    again = fs.load(run.save(tmp_path / "run.nc"))
    np.testing.assert_array_equal(again.loss, run.loss)
    assert repr(again.network).startswith("<described only: TracedModule")


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float32])
def test_weights_of_low_precision_are_compared_in_double_precision(kind):
    module = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 2)).to(kind)
    network = fs.from_torch(module)
    assert isinstance(network, fs.ReLU)
    start = network.start(fs.Task(np.zeros((1, 4)), np.zeros((1, 2))), seed=0)
    np.testing.assert_array_equal(start[0][:, :-1], module.state_dict()["0.weight"].double().numpy())


def test_seeds_are_drawn_by_the_module_itself():
    x, y = data()
    for module in (modules()["relu"], TRACED["normalised"]()):
        run = fs.evolve(fs.from_torch(module), fs.Task(x, y), [0.0, 0.5], method=fs.Train(rate=0.1), seeds=3)
        assert len(np.unique(run.loss[:, -1])) == 3
    torch.manual_seed(2)
    expected = nn.Linear(6, 5).weight.detach().double().numpy()
    network = fs.from_torch(nn.Sequential(nn.Linear(6, 5), nn.LayerNorm(5)))
    start: Any = network.start(fs.Task(x, np.zeros((30, 5))), seed=2)
    np.testing.assert_array_equal(start["0.weight"], expected)


def test_seeds_that_cannot_be_drawn_are_refused():
    x, y = data()
    scaled = modules()["relu"]
    with torch.no_grad():
        scaled[0].weight *= 0.1
    own = Net()
    own.scale = nn.Parameter(torch.ones(1))
    own.forward = MethodType(lambda net, x: net.scale * Net.forward(net, x), own)
    for module, message in ((scaled, r"'0.weight' .* reset_parameters\(\) draws"), (own, "has Net with weights scale")):
        with pytest.raises(ValueError, match=message):
            fs.evolve(fs.from_torch(module), fs.Task(x, y), [0.0, 0.5], method=fs.Train(rate=0.1), seeds=2)


def test_a_traced_module_is_saved_and_loaded(tmp_path):
    x, y = data()
    network = fs.from_torch(Tied())
    run = fs.evolve(network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1), observe=("loss", "weights"))
    again = fs.load(run.save(tmp_path / "run.nc"))
    same = fs.evolve(again.network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1))
    np.testing.assert_array_equal(run.loss, same.loss)
    with pytest.raises(ValueError, match="only seed 0, the weights that the module had, is known"):
        fs.evolve(again.network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1), seed=1)


def test_a_task_of_other_sizes_is_refused():
    network = fs.from_torch(nn.Embedding(5, 2), example=[[1]])
    with pytest.raises(ValueError, match="takes 1 numbers and gives 2, and the task has 1 inputs and 1 outputs"):
        fs.evolve(network, fs.Task([[1.0]], [[1.0]]), [0.0, 1.0], method=fs.Flow())
    with pytest.raises(ValueError, match="takes whole numbers, such as tokens"):
        fs.evolve(network, fs.Task([[0.5]], [[1.0, 1.0]]), [0.0, 1.0], method=fs.Flow())


def test_dropout_in_training_mode_draws_for_each_seed_and_in_evaluation_mode_not_at_all():
    x, y = data()
    module = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
    noisy = fs.from_torch(module)
    run = fs.evolve(noisy, fs.Task(x, y), [0.0, 5.0], method=fs.Train(rate=0.1))
    with pytest.raises(ValueError, match=r"[Ff]low"):
        fs.evolve(noisy, fs.Task(x, y), [0.0, 5.0], method=fs.Flow())
    with pytest.warns(UserWarning, match=r"'lazy limit' leaves out that units are dropped at random.*fs\.Train"):
        fs.evolve(noisy, fs.Task(x, y), [0.0, 5.0], method=fs.Reduced())
    plain = fs.from_torch(module.eval())
    assert isinstance(plain, fs.ReLU)
    still = fs.evolve(plain, fs.Task(x, y), [0.0, 5.0], method=fs.Train(rate=0.1))
    assert run.loss[0] == pytest.approx(still.loss[0], rel=1e-12)
    assert run.loss[1] > still.loss[1]


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


def test_a_forward_that_holds_weights_itself_is_refused():
    # a copy of the module would go on using the weights of the module, and they would not learn
    first, last = nn.Linear(2, 3), nn.Linear(3, 1)
    patched: Any = lambda x: nn.functional.linear(x, last.weight.detach(), last.bias)  # noqa: E731
    last.forward = patched
    module = nn.Sequential(first, last).double()
    with pytest.raises(ValueError, match=r"holds weight '1.bias' itself.*write that function as a method"):
        fs.from_torch(module)


def test_a_pruned_module_is_taken_once_it_is_plain():
    module = pruned()
    prune.remove(module[0], "weight")
    initial = getattr(fs.from_torch(module), "initial", None)
    assert isinstance(initial, fs.initial.Weights)
    assert (initial.matrices[0] == 0).sum() == 8


def test_old_weight_normalization_is_refused():
    with pytest.warns(FutureWarning):
        layer = nn.utils.weight_norm(nn.Linear(2, 2))
    with pytest.raises(ValueError, match=r"bias, weight_g, weight_v, of.*remove_weight_norm"):
        fs.from_torch(layer)
    assert isinstance(fs.from_torch(nn.utils.remove_weight_norm(layer)), fs.DeepLinear)


def test_a_lazy_layer_is_taken_once_it_has_weights():
    module = nn.Sequential(nn.LazyLinear(2))
    module(torch.zeros(1, 3))
    assert isinstance(fs.from_torch(module), fs.DeepLinear)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("bad", [3, None, "x", [nn.Linear(2, 2)], nn.Linear])
def test_what_is_no_module_is_refused(bad):
    with pytest.raises(ValueError, match=r"module is \w+; a torch.nn.Module is needed"):
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
        ((0.1, 3, "average"), "reduction 'average' is unknown"),
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


OPTIONAL = "festina.interop._equinox"
"""The only file that may import equinox where it is loaded."""


def test_equinox_is_not_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "equinox", None)
    monkeypatch.delitem(sys.modules, OPTIONAL, raising=False)
    x, y = np.vstack([np.eye(3), -np.eye(3)]), np.ones((6, 1))
    network = fs.from_torch(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)).double())
    fs.evolve(network, fs.Task(x, y), [0.0, 1.0], method=fs.Train(rate=0.1))
    fs.explain([np.eye(3), np.ones((1, 3))], x, np.arange(6.0)[:, None], modules=1, restarts=1)
    fs.probe.watch(nn.Linear(3, 1), x, y).record(0)
    # what other tests have loaded before may hold it already
    loaded = {name: vars(module) for name, module in list(sys.modules.items()) if name.startswith("festina.")}
    holds = [name for name, own in loaded.items() if any(getattr(v, "__name__", "") == "equinox" for v in own.values())]
    assert set(holds) <= {OPTIONAL}


def layers(*learns: bool, act: Any = nn.ReLU) -> nn.Module:
    """Three Linear layers of 6–8–7–3, of which those learn that are said to."""
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(6, 8), act(), nn.Linear(8, 7), act(), nn.Linear(7, 3))
    for index, learned in enumerate(learns):
        module[2 * index].requires_grad_(learned)
        for parameter in module[2 * index].parameters() if learned else ():
            parameter.data *= 0.1
    return module.double()


def pooled():
    """One kernel is a unit: its outputs are averaged over places before the last layer."""
    torch.manual_seed(0)
    first = nn.Sequential(nn.Unflatten(1, (1, 6)), nn.Conv1d(1, 5, 3, padding=1), nn.Tanh(), nn.AdaptiveAvgPool1d(1))
    return nn.Sequential(first, nn.Flatten(), nn.Linear(5, 3)).double()


def gated():
    """A weight for each unit stands between its input and its output weights."""

    class Gated(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.gain, self.last = nn.Linear(6, 6, bias=False), nn.Parameter(torch.ones(6)), nn.Linear(6, 3)

        def forward(self, x):
            return self.last(self.gain * torch.relu(self.first(x)))

    torch.manual_seed(0)
    return Gated().double()


@pytest.mark.parametrize(
    ("module", "axes"),
    [
        (lambda: layers(False, True, True), {"2.weight": 0, "2.bias": 0, "4.weight": 1, "4.bias": None}),
        (pooled, {"0.1.weight": 0, "0.1.bias": 0, "2.weight": 1, "2.bias": None}),
        (gated, {"first.weight": 0, "gain": 0, "last.weight": 1, "last.bias": None}),
    ],
    ids=["all but two layers fixed", "kernels", "gains"],
)
def test_what_learns_in_a_module_is_divided_into_units_which_learn_in_stages(module, axes):
    x, y = data()
    network: Any = fs.from_torch(module(), example=x)
    task, times = fs.Task(x, y), np.linspace(0, 30, 31)
    assert network.units(network.start(task, 0)) == axes
    theory = fs.evolve(network, task, times, method=fs.Reduced())
    assert theory.notes["theory"] == "stages of units"
    trained = fs.evolve(network, task, times, method=fs.Train(rate=0.01))
    assert fs.compare(theory, trained).area < 0.01
    assert trained.loss[-1] < 0.9 * trained.loss[0]


@pytest.mark.parametrize("learns", [(True, True, True), (True, False, True), (True, True, False)], ids=str)
def test_other_layers_that_learn_are_no_units_and_the_error_says_why(learns):
    x, y = data()
    network: Any = fs.from_torch(layers(*learns, act=nn.SELU), example=x)
    task = fs.Task(x, y)
    assert network.units(network.start(task, 0)) is None
    with pytest.raises(fs.AssumptionError, match="fixed layers may come before the units"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced("stages of units"))


def test_a_fixed_linear_layer_may_come_after_the_units():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4), nn.Linear(4, 3))
    module[3].requires_grad_(False)
    network: Any = fs.from_torch(module.double())
    assert network.units(network.weights)["2.weight"] == 1
