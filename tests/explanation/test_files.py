"""Files of weights: every route gives the same, damaged ones are told, and nothing is ever unpickled."""

import io
import json
import pickle
import struct
import zipfile

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from networks import XOR, torch, written

import festina as fs
from festina.storage.array_file import read_data, read_labels, read_npz, read_safetensors

pytestmark = pytest.mark.slow

save_file = pytest.importorskip("safetensors.torch").save_file


def as_equinox(model):
    """The same weights in an equinox MLP."""
    layers = [m for m in model if isinstance(m, torch.nn.Linear)]
    mlp = eqx.nn.MLP(3, 1, 24, 1, key=jax.random.key(0))
    arrays = [jnp.asarray(p.detach().numpy()) for m in layers for p in (m.weight, m.bias)]
    return eqx.tree_at(lambda m: [a for layer in m.layers for a in (layer.weight, layer.bias)], mlp, arrays)


def test_every_route_gives_the_same_explanation(trained, tmp_path):
    state = trained.state_dict()
    save_file(state, tmp_path / "torch.safetensors")
    np.savez(tmp_path / "torch.npz", **{k: v.numpy() for k, v in state.items()})
    mlp = as_equinox(trained)
    arrays = {f"layers[{i}].{k}": getattr(layer, k) for i, layer in enumerate(mlp.layers) for k in ("weight", "bias")}
    np.savez(tmp_path / "equinox.npz", **arrays)
    flax = {f"Dense_{i}/{k}": v.numpy().T for i, n in enumerate((0, 2)) for k, v in
            (("kernel", state[f"{n}.weight"]), ("bias", state[f"{n}.bias"]))}  # fmt: skip
    routes = {
        "torch": trained, "state": state, "equinox": mlp, "flax": flax,
        **{name: tmp_path / name for name in ("torch.safetensors", "torch.npz", "equinox.npz")},
    }  # fmt: skip
    told = {name: fs.explain(route, XOR.x, XOR.y).to_json() for name, route in routes.items()}
    assert all(one == told["torch"] for one in told.values())


def test_layers_are_ordered_by_number_or_by_shape(tmp_path):
    rng = np.random.default_rng(0)
    matrices = [rng.standard_normal(s) for s in ((7, 3), *((7, 7),) * 9, (6, 7))]
    h = XOR.x
    for matrix in matrices[:-1]:
        h = np.maximum(h @ matrix.T, 0)
    y = h @ matrices[-1].T
    written(tmp_path / "deep.npz", **{f"layer{i}.weight": m for i, m in reversed(list(enumerate(matrices)))})
    assert fs.explain(tmp_path / "deep.npz", XOR.x, y, modules=1, restarts=1).loss < 1e-20
    first, second = rng.standard_normal((5, 3)), rng.standard_normal((2, 5))
    np.savez(tmp_path / "words.npz", outwards=second, inwards=first)
    y = np.maximum(XOR.x @ first.T, 0) @ second.T
    assert fs.explain(tmp_path / "words.npz", XOR.x, y, modules=1, restarts=1).loss < 1e-20
    np.savez(tmp_path / "unclear.npz", a=np.eye(4), c=np.eye(4), b=np.ones((4, 3)))
    with pytest.raises(ValueError, match="order is given neither by their names nor by their shapes"):
        fs.explain(tmp_path / "unclear.npz", XOR.x, np.ones((4, 4)))


def test_safetensors_of_every_kind_are_read(tmp_path):
    values = torch.tensor([[1.5, -2.25], [0.0, 3.0]])
    for kind in (torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.int32):
        save_file({"a": values.to(kind)}, tmp_path / "a.safetensors", metadata={"made": "by a test"})
        found = read_safetensors(tmp_path / "a.safetensors")
        np.testing.assert_array_equal(found["a"], values.to(kind).double().numpy())


def crafted(path, header, data=b"\0" * 16):
    """A safetensors file with any header."""
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [4], "data_offsets": [-16, 0]},
        {"dtype": "F32", "shape": [-4], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [400], "data_offsets": [0, 1600]},
        {"dtype": "F32", "shape": [2], "data_offsets": [0, 16]},
        {"dtype": "??", "shape": [4], "data_offsets": [0, 16]},
        {"dtype": "F32", "shape": [2**62, 4], "data_offsets": [0, 16]},
        "text",
    ],
)
def test_crafted_safetensors_are_refused(tmp_path, entry):
    path = crafted(tmp_path / "crafted.safetensors", {"a": entry})
    with pytest.raises(ValueError, match="is not a safetensors file, or is damaged"):
        read_safetensors(path)


def test_overlapping_and_cut_safetensors_are_refused(tmp_path, trained):
    entry = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
    with pytest.raises(ValueError, match="is not a safetensors file, or is damaged"):
        read_safetensors(crafted(tmp_path / "twice.safetensors", {"a": entry, "b": entry}))
    (tmp_path / "long.safetensors").write_bytes(struct.pack("<Q", 2**62) + b"{}")
    with pytest.raises(ValueError, match="is not a safetensors file, or is damaged"):
        read_safetensors(tmp_path / "long.safetensors")
    save_file(trained.state_dict(), tmp_path / "whole.safetensors")
    whole = (tmp_path / "whole.safetensors").read_bytes()
    for size in (0, 4, 20, len(whole) - 3):
        (tmp_path / "cut.safetensors").write_bytes(whole[:size])
        with pytest.raises(ValueError, match="is not a safetensors file, or is damaged"):
            fs.explain(tmp_path / "cut.safetensors", XOR.x, XOR.y)


def test_flipped_bytes_of_an_npz_are_told_or_change_nothing(tmp_path):
    np.savez_compressed(tmp_path / "whole.npz", weight=np.arange(600.0).reshape(20, 30))
    whole = (tmp_path / "whole.npz").read_bytes()
    expected = read_npz(tmp_path / "whole.npz")["weight"]
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 150):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "flipped.npz").write_bytes(bytes(flipped))
        found, message = _attempt(tmp_path / "flipped.npz")
        assert found is not None or "flipped.npz" in message
        for value in (found or {}).values():
            np.testing.assert_array_equal(value, expected)


def _attempt(path):
    """What is read, or the message of the ValueError."""
    try:
        return read_npz(path), ""
    except ValueError as error:
        return None, str(error)


def zipped(path, header, data=b"\0" * 16, version=b"\x93NUMPY\x01\x00"):
    """An npz file whose one array has any header."""
    text = header.encode() + b"\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", version + struct.pack("<H", len(text)) + text + data)
    return path


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,)}", "is not the size of its data"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}", "is not the size of its data"),
        ("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "could only be unpickled, which festina never does"),
        ("{'descr': 'no', 'fortran_order': False, 'shape': (2,)}", "header cannot be read"),
        ("__import__('os')", "header cannot be read"),
    ],
)
def test_crafted_headers_are_told(tmp_path, header, message):
    with pytest.raises(ValueError, match=message):
        read_npz(zipped(tmp_path / "crafted.npz", header))


def test_an_archive_that_claims_too_much_is_not_read(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "zeros.npz", a=np.zeros(100_000))
    monkeypatch.setattr("festina.storage.array_file.MAX_BYTES", 1000)
    with pytest.raises(ValueError, match="GiB are read"):
        read_npz(tmp_path / "zeros.npz")


def test_arrays_of_every_order_are_read(tmp_path):
    value = np.arange(6).reshape(2, 3)
    np.savez(
        tmp_path / "a.npz", c=value, fortran=np.asfortranarray(value), scalar=np.array(3.0), empty=np.zeros((0, 2))
    )
    found = read_npz(tmp_path / "a.npz")
    np.testing.assert_array_equal(found["fortran"], value)
    np.testing.assert_array_equal(found["c"], value)
    assert found["scalar"] == 3
    assert found["empty"].shape == (0, 2)


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
        "objects.npz": "could only be unpickled, which festina never does",
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
        ({"conv.weight": np.ones((2, 1, 3, 3))}, "do not say the stride and padding of a convolution"),
        ({"0.weight": np.ones((4, 3)), "1.running_mean": np.ones(4), "1.weight": np.ones(4)}, "the normalisation 1"),
        ({"a.weight": np.ones((4, 3)), "norm.weight": np.ones(4)}, "is the bias of none"),
        ({"a.weight": np.ones((4, 3)), "a.kernel": np.ones((4, 3))}, "two matrices for layer 'a'"),
        ({"1.weight": np.ones((4, 5)), "2.weight": np.ones((1, 4))}, "has 5 inputs and x has 3 columns"),
        ({"x": XOR.x, "names": np.array(["a", "b"])}, "that is not an array of real"),
        ({"1.weight": np.full((4, 3), np.inf), "2.weight": np.ones((1, 4))}, "12 value.s. that are not finite"),
    ],
)
def test_files_with_other_contents_are_told(tmp_path, arrays, message):
    with pytest.raises(ValueError, match=message):
        fs.explain(written(tmp_path / "weights.npz", **arrays), XOR.x, XOR.y)


def test_labels_are_read_with_and_without_a_header(tmp_path):
    path = tmp_path / "labels.csv"
    for text, expected in (("digit\n1\n2\n", [1, 2]), ("1\n2\n", [1, 2]), ("cat\ndog\n", ["cat", "dog"])):
        path.write_text(text)
        assert read_labels(path).tolist() == expected
    for text, message in (("a,b\n", "line 1 has 2 columns"), ("\xff", "not a CSV file in UTF-8")):
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(ValueError, match=message):
            read_labels(path)
    with pytest.raises(ValueError, match="there is no such file"):
        read_labels(tmp_path / "gone.csv")
    np.savez(tmp_path / "one.npz", labels=np.arange(3))
    assert read_labels(tmp_path / "one.npz").tolist() == [0, 1, 2]


def test_labels_are_classes_with_or_without_a_name_above_them(tmp_path):
    data, labels = tmp_path / "data.npz", tmp_path / "labels.csv"
    np.savez(data, x=XOR.x)
    for text in ("no\nyes\nyes\nno\n", "answer\nno\nyes\nyes\nno\n"):
        labels.write_text(text)
        assert read_data(data, labels)[1].tolist() == ["no", "yes", "yes", "no"]
    labels.write_text("no\nno\nyes\nyes\nno\n")  # one too many, and not a name
    assert len(read_data(data, labels)[1]) == len(XOR.x) + 1
    np.savez(data, x=XOR.x, y=XOR.y)
    with pytest.raises(ValueError, match="which holds y; both are targets"):
        read_data(data, labels)


def test_arguments_that_do_not_fit_are_told(trained, untyped):
    cases = [
        ({"x": XOR.x[:3]}, "x has 3 points and y has 4"),
        ({"x": np.full((4, 3), np.nan)}, r"x holds 12 value\(s\) that are not finite"),
        ({"x": np.ones(4)}, "x has shape"),
        ({"modules": 0}, "modules is 0; a whole number >= 1"),
        ({"max_modules": 0}, "max_modules is 0"),
        ({"tolerance": 0.0}, "tolerance is 0.0; a number > 0"),
        ({"loss": "hinge"}, "loss 'hinge' is unknown"),
        ({"loss": "cross_entropy"}, "loss is 'cross_entropy', which needs one class per point"),
        ({"activation": "tanh"}, "activation 'tanh' is unknown"),
        ({"groups": [1, 2]}, r"groups has shape \(2,\) for 4 data points"),
        ({"feature_names": ["a"]}, "feature_names has 1 names for 3 inputs"),
        ({"output_names": ["a", "b"]}, "output_names has 2 names for 1 outputs"),
        ({"image_shape": (2, 2)}, r"image_shape is \(2, 2\) and a data point has 3 numbers"),
        ({"checkpoints": "file.npz"}, "checkpoints is 'file.npz'; a list of networks or files"),
        ({"checkpoints": [[np.ones((5, 3)), np.ones((1, 5))]]}, r"checkpoints\[0\] has \(5,\) hidden units"),
        ({"checkpoints": [7]}, r"checkpoints\[0\] is int"),
        ({"steps": [1, 0]}, r"steps must increase: steps\[0\]=1"),
        ({"steps": [-1]}, "steps start at -1; time starts at 0, so give steps >= 0"),
        ({"steps": [0, 1]}, r"steps has 2 values for 0 checkpoint\(s\)"),
        ({"y": ["a", "b", "c", "d"]}, r"y has 4 different words, and the network with 1 output\(s\) has 2 classes"),
        ({"y": [["a"], ["b"], ["c"], ["d"]]}, "y has 4 different words"),
    ]
    for arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            fs.explain(trained, **{"x": XOR.x, "y": XOR.y, **arguments})


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ([np.ones((4, 3)), np.ones((1, 5))], r"shapes \[\(4, 3\), \(1, 5\)\], which do not follow"),
        ([np.ones(3)], r"model\[0\] has shape \(3,\); a matrix"),
        ([(np.ones((4, 3)), np.ones(3)), np.ones((1, 4))], r"bias of shape \(3,\) for 4 units"),
        ([np.full((4, 3), np.nan), np.ones((1, 4))], r"model\[0\] holds 12 value\(s\) that are not finite"),
        (7, "model is int; a torch.nn.Module, an equinox module, a list of matrices"),
        ([0 * np.ones((4, 3)), np.ones((1, 4))], "no unit in hidden layer 1 that is on"),
        ("gone.npz", "there is no such file"),
        ("weights.txt", r"ends in \.npz or \.safetensors"),
    ],
)
def test_models_that_do_not_fit_are_told(model, message, untyped):
    with pytest.raises(ValueError, match=message):
        fs.explain(model, XOR.x, XOR.y)


def test_a_network_that_never_learned_is_noted():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((8, 3)), rng.standard_normal((1, 8))]
    opposite = -np.maximum(XOR.x @ weights[0].T, 0) @ weights[1].T
    found = fs.explain(weights, XOR.x, opposite, modules=1)
    assert "has not learned these targets" in found.notes[-1]
    assert io.StringIO(str(found)).readline().startswith("This network")
