"""What cannot be explained is said, in words, and no file is ever unpickled."""

import pickle

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from networks import XOR, Nested, torch, torch_network, written

import festina as fs

save_file = pytest.importorskip("safetensors.torch", reason="install safetensors to write its files").save_file


def conv():
    return torch.nn.Sequential(torch.nn.Unflatten(1, (1, 3)), torch.nn.Conv1d(1, 4, 3), torch.nn.ReLU())


class Lost(torch.nn.Module):
    """A network with a weight that no layer holds."""

    def __init__(self):
        super().__init__()
        self.net = torch_network(3, 4, 1)
        self.scale = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * self.net(x)


class Gain(eqx.Module):
    layer: eqx.nn.Linear
    gain: jax.Array

    def __call__(self, x):
        return self.gain * self.layer(x)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: torch_network(3, 8, 1, between=torch.nn.Tanh), r"model holds Tanh; a ReLU network is needed"),
        (
            lambda: Nested(torch_network(3, 8, 1), torch.tanh),
            r"no ReLU network: its outputs differ by up to .* another",
        ),
        (lambda: Nested(torch_network(3, 8, 1), skip=True), "a skip connection"),
        (conv, "model holds Conv1d, Unflatten"),
        (lambda: torch_network(3, 8, 1, between=lambda: torch.nn.BatchNorm1d(8)), "model holds BatchNorm1d"),
        (Lost, r"weights scale outside the Linear layers"),
        (lambda: torch_network(5, 8, 1), r"model has 5 inputs and x has 3 columns"),
        (lambda: torch_network(3, 8, 2), r"model has 2 outputs and y has 1 columns"),
        (lambda: torch.nn.Linear(3, 1), r"1 layer\(s\) of weights; a ReLU network is needed.*at least two"),
        (torch.nn.ReLU, "model has no weights"),
        (lambda: eqx.nn.MLP(3, 1, 8, 1, jnp.tanh, key=jax.random.key(0)), "model is no ReLU network"),
        (lambda: eqx.nn.MLP(4, 1, 8, 1, key=jax.random.key(0)), "model has 4 inputs and x has 3 columns"),
        (lambda: Gain(eqx.nn.Linear(3, 1, key=jax.random.key(0)), jnp.ones(1)), "weights outside its Linear layers"),
        (lambda: eqx.nn.Lambda(jax.nn.relu), "Lambda without Linear layers"),
        (lambda: [np.ones((4, 3)), np.ones((1, 5))], r"shapes \[\(4, 3\), \(1, 5\)\], which do not follow"),
        (lambda: [np.ones(3)], r"model\[0\] has shape \(3,\); a matrix"),
        (lambda: [(np.ones((4, 3)), np.ones(3)), np.ones((1, 4))], r"bias of shape \(3,\) for 4 units"),
        (lambda: [np.full((4, 3), np.nan), np.ones((1, 4))], r"model\[0\] holds 12 value\(s\) that are not finite"),
        (lambda: 7, "model is int; a torch.nn.Module, an equinox module, a list of matrices"),
        (lambda: [-np.ones((4, 3)) * 0, np.ones((1, 4))], "no less than 0.5 without any input.*has not learned"),
    ],
)
def test_what_is_no_relu_network_is_told(model, message, untyped):
    with pytest.raises(ValueError, match=message):
        fs.explain(model(), XOR.x, XOR.y)


def test_diverged_modules_are_told():
    model = torch_network(3, 4, 1)
    with torch.no_grad():
        model[0].weight[0, 0] = torch.nan
    with pytest.raises(ValueError, match="not finite: its training diverged"):
        fs.explain(model, XOR.x, XOR.y)


def test_a_network_that_never_learned_is_told(trained):
    fresh = torch_network(3, 24, 1)
    with pytest.raises(ValueError, match=r"model has the loss .*has not learned them.*scaled and ordered"):
        fs.explain(fresh, XOR.x, XOR.y * 0.0 + np.array([[1.0], [-1.0], [-1.0], [1.0]]) * 5)
    silent = [-np.ones((4, 3)), (np.ones((1, 4)), np.ones(1))]
    with pytest.raises(ValueError, match="has not learned them"):
        fs.explain(silent, np.abs(XOR.x), np.ones((4, 1)) + 1e-3 * XOR.y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": XOR.x[:3]}, "x has 3 points and y has 4"),
        ({"x": np.full((4, 3), np.nan)}, r"x holds 12 value\(s\) that are not finite"),
        ({"modules": 0}, "modules is 0; a whole number >= 1"),
        ({"most": 0}, "most is 0"),
        ({"tolerance": 0.0}, "tolerance is 0.0; a number > 0"),
        ({"checkpoints": "file.npz"}, "checkpoints is 'file.npz'; a list of networks or files"),
        (
            {"checkpoints": [[np.ones((5, 3)), np.ones((1, 5))]]},
            r"checkpoints\[0\] has \(5,\) hidden units and the model",
        ),
        ({"checkpoints": [7]}, r"checkpoints\[0\] is int"),
        ({"steps": [0, 1]}, r"steps has 2 values for 0 checkpoint\(s\)"),
    ],
)
def test_arguments_that_do_not_fit_are_told(trained, arguments, message, untyped):
    given = {"x": XOR.x, "y": XOR.y, **arguments}
    with pytest.raises(ValueError, match=message):
        fs.explain(trained, **given)


class Trap:
    """Something that would leave a mark when unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_files_are_never_unpickled(tmp_path):
    trap = tmp_path / "sprung"
    np.savez(tmp_path / "objects.npz", weight=np.array([Trap(trap)], dtype=object))
    (tmp_path / "weights.pt").write_bytes(pickle.dumps(Trap(trap)))
    (tmp_path / "renamed.npz").write_bytes(pickle.dumps(Trap(trap)))
    (tmp_path / "renamed.safetensors").write_bytes(pickle.dumps(Trap(trap)))
    for name, message in {
        "objects.npz": "could only be unpickled, which is not done",
        "weights.pt": r"can run code when it is read .*safetensors.torch.save_file",
        "renamed.npz": "is not an npz file",
        "renamed.safetensors": "is not a safetensors file",
    }.items():
        with pytest.raises(ValueError, match=message):
            fs.explain(tmp_path / name, XOR.x, XOR.y)
    assert not trap.exists()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({}, "holds no arrays"),
        ({"conv.weight": np.ones((2, 1, 3, 3))}, r"'conv.weight' of shape \(2, 1, 3, 3\), which is no layer"),
        (
            {"a.weight": np.ones((4, 3)), "norm.weight": np.ones(4)},
            r"'norm.weight' of shape \(4,\), which is the bias of none",
        ),
        ({"a.weight": np.ones((4, 3)), "a.kernel": np.ones((4, 3))}, "two matrices for layer 'a'"),
        ({"1.weight": np.ones((4, 5)), "2.weight": np.ones((1, 4))}, "has 5 inputs and x has 3 columns"),
        ({"x": XOR.x, "names": np.array(["a", "b"])}, "'names' in weights.npz is ndarray that is not an array of real"),
        ({"1.weight": np.full((4, 3), np.inf), "2.weight": np.ones((1, 4))}, "12 value.s. that are not finite"),
    ],
)
def test_files_with_other_contents_are_told(tmp_path, arrays, message):
    with pytest.raises(ValueError, match=message):
        fs.explain(written(tmp_path / "weights.npz", **arrays), XOR.x, XOR.y)


def test_damaged_and_missing_files_are_told(tmp_path, trained):
    save_file(trained.state_dict(), tmp_path / "whole.safetensors")
    whole = (tmp_path / "whole.safetensors").read_bytes()
    for size in (0, 4, 20, len(whole) - 3):
        (tmp_path / "cut.safetensors").write_bytes(whole[:size])
        with pytest.raises(ValueError, match="is not a safetensors file, or is damaged"):
            fs.explain(tmp_path / "cut.safetensors", XOR.x, XOR.y)
    for name, message in (("gone.npz", "there is no such file"), ("weights.txt", r"ends in \.npz or \.safetensors")):
        with pytest.raises(ValueError, match=message):
            fs.explain(str(tmp_path / name), XOR.x, XOR.y)
