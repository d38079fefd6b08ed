"""One file for labelled arrays: read back exactly, by others too; changed and crafted files do no harm."""

import json

import h5py
import numpy as np
import pytest
import xarray

from festina.storage import netcdf, store
from festina.storage.netcdf import Dataset, Variable

KIND = "trial"
DATASET = Dataset(
    {
        "time": Variable(("time",), np.array([0.0, 0.5, 2.0]), {"units": "flow time"}),
        "loss": Variable(("seed", "time"), np.array([[1.0, np.nan, -0.0], [np.inf, 5e-324, 0.1]])),
        "single": Variable(("time",), np.array([0.1, 0.2, 0.3], np.float32)),
        "count": Variable((), np.array(2**62)),
        "open": Variable(("seed",), np.array([True, False])),
        "item": Variable(("item",), np.array(["canary", "Σ – λ", ""], dtype=object)),
        "nothing": Variable(("time", "mode"), np.zeros((3, 0))),
    },
    {"description": json.dumps({"why": "a\nb", "long": "x" * 100_000})},
)


@pytest.fixture(name="path")
def written(tmp_path):
    netcdf.write(tmp_path / "a.nc", DATASET, KIND)
    return tmp_path / "a.nc"


def assert_same(a, b):
    assert a.attributes == b.attributes
    assert list(a.variables) == list(b.variables)
    for name, one in a.variables.items():
        other = b.variables[name]
        assert (one.axes, dict(one.attributes)) == (other.axes, dict(other.attributes))
        assert one.values.dtype == other.values.dtype
        if one.values.dtype == object:
            assert one.values.tolist() == other.values.tolist()
        else:
            assert one.values.tobytes() == other.values.tobytes()
        assert one.values.shape == other.values.shape


def test_arrays_and_texts_come_back_to_the_bit(path):
    assert_same(DATASET, netcdf.read(path, KIND))
    assert [p.name for p in path.parent.iterdir()] == ["a.nc"]


@pytest.mark.parametrize("factor", [1.0, -3.0])
def test_a_small_file_is_the_one_that_the_libraries_write(factor):
    words = np.array(["canary", "Σ – λ", "x" * int(abs(factor))], dtype=object)
    changed = {"loss": Variable(("seed", "time"), factor * DATASET.variables["loss"].values),
               "item": Variable(("item",), words)}  # fmt: skip
    dataset = Dataset({**DATASET.variables, **changed}, {"festina": f"{factor:6.2f} and Σ λ".ljust(99)})
    arrays = {name: netcdf._stored(name, variable) for name, variable in dataset.variables.items()}
    assert netcdf._netcdf(dataset, arrays) == netcdf._written(dataset, arrays)


def test_other_programs_read_the_file(path):
    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as opened:
        data = opened.load()
    assert data["loss"].dims == ("seed", "time")
    np.testing.assert_array_equal(data["loss"].values, DATASET.variables["loss"].values)
    assert data["item"].values.tolist() == ["canary", "Σ – λ", ""]
    assert data["time"].attrs == {"units": "flow time"}
    assert data.attrs == dict(DATASET.attributes)
    assert data["open"].dtype == bool


def test_every_flipped_bit_is_noticed(path):
    content, rng = path.read_bytes(), np.random.default_rng(0)
    places = {*rng.integers(0, len(content), 250).tolist(), *range(len(content) - 150, len(content))}
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        with pytest.raises(store.CorruptError, match=r"was changed|is cut off|written by another"):
            netcdf.read(path, KIND)
    assert len(places) > 350


def test_every_cut_is_noticed(path):
    content = path.read_bytes()
    for end in (0, 1, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        with pytest.raises(store.CorruptError, match=r"is cut off or not a trial|was changed"):
            netcdf.read(path, KIND)
    path.write_bytes(content + b"more")
    with pytest.raises(store.CorruptError, match="was changed"):
        netcdf.read(path, KIND)
    netcdf.write(path, DATASET, "another kind")
    with pytest.raises(store.CorruptError, match="not a trial"):
        netcdf.read(path, KIND)


def craft(path, index, body=b"\x89HDF\r\n\x1a\n" + bytes(64)):
    """A file with a right checksum and an index of the attacker's."""
    text = index if isinstance(index, bytes) else json.dumps(index).encode()
    store.write(path, body + text + f"{len(text):020d}".encode(), KIND)


def entry(**changes):
    whole = {"axes": ["a"], "shape": [2], "kind": "<f8", "meaning": "numbers", "offset": 8, "attributes": {}}
    return {**whole, **changes}


def index(*entries, **more):
    return {"attributes": {}, "variables": {f"v{i}": e for i, e in enumerate(entries)}, **more}


@pytest.mark.parametrize(
    ("crafted", "message"),
    [
        (index(entry(offset=-8)), "places outside of the file"),
        (index(entry(offset=70)), "places outside of the file"),
        (index(entry(shape=[10**12])), "places outside of the file"),
        (index(entry(shape=[2**62, 2**62], axes=["a", "b"])), "places outside of the file"),
        (index(entry(shape=[-2])), "an array of length -2"),
        (index(entry(shape=[1.5])), "an array of length 1.5"),
        (index(entry(shape=[True])), "an array of length True"),
        (index(entry(shape=2)), "axes are not named"),
        (index(entry(axes=[])), "axes are not named"),
        (index(entry(shape=[1] * 64, axes=["a"] * 64)), "axes are not named"),
        (index(entry(kind="O")), "an array of kind 'O'"),
        (index(entry(kind="<U8")), "an array of kind '<U8'"),
        (index(entry(kind=["<f8"])), "an array of kind"),
        (index(entry(), entry(offset=16)), "names a place twice"),
        (index(entry(shape=[0, 10**9], axes=["a", "b"])), "an axis that is longer than the file"),
        (index(entry(), entry(offset=24, shape=[1])), "axis 'a' has 2 entries, but 1 in v1"),
        (index(entry(attributes={"a": 1})), "attributes are not text"),
        (index(entry(offset="x")), "not written by festina"),
        (index(entry(shape=[], axes=[], meaning="text")), "not written by festina"),
        (index({}), "not written by festina"),
        (index(attributes=[]), "not written by festina"),
        ([], "not written by festina"),
        (3, "not written by festina"),
        (b"{", "not written by festina"),
        (b"[" * 100_000, "not written by festina"),
        (b'{"variables": ' + b"9" * 5000 + b"}", "not written by festina"),
    ],
)
def test_a_crafted_index_is_refused_at_once(tmp_path, crafted, message):
    craft(tmp_path / "evil.nc", crafted)
    with pytest.raises(store.CorruptError, match=message):
        netcdf.read(tmp_path / "evil.nc", KIND)


@pytest.mark.parametrize("length", [b"", b"1" * 20, b"-0000000000000000001", "٣".encode() * 10])
def test_a_crafted_length_of_the_index_is_refused(tmp_path, length):
    store.write(tmp_path / "evil.nc", length, KIND)
    with pytest.raises(store.CorruptError, match="its index is missing"):
        netcdf.read(tmp_path / "evil.nc", KIND)


def hdf5_with(feature, folder):
    """An HDF5 file that points at another file, at nothing, or at more than it holds."""
    secret = folder / "secret.bin"
    secret.write_bytes(np.arange(4.0).tobytes())
    with h5py.File(folder / "other.h5", "w") as other:
        other["loss"] = np.arange(4.0)
    with h5py.File(folder / "crafted.h5", "w") as file:
        if feature == "external storage":
            file.create_dataset("loss", (4,), "f8", external=[(str(secret), 0, 32)])
        elif feature == "external link":
            file["loss"] = h5py.ExternalLink(str(folder / "other.h5"), "/loss")
        elif feature == "soft link":
            file["loss"] = h5py.SoftLink("/loss")
        elif feature == "virtual":
            layout = h5py.VirtualLayout((4,), "f8")
            layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "loss", (4,))
            file.create_virtual_dataset("loss", layout)
        elif feature == "never written":
            file.create_dataset("loss", (10**11,), "f8")
        else:
            file.create_dataset("loss", (10**6,), "f8", chunks=(10**6,), compression="gzip", data=np.zeros(10**6))
    return (folder / "crafted.h5").read_bytes()


FEATURES = ("external storage", "external link", "soft link", "virtual", "never written", "compressed")


@pytest.mark.parametrize("feature", FEATURES)
def test_what_hdf5_would_follow_is_never_followed(tmp_path, feature):
    body = hdf5_with(feature, tmp_path)
    path = tmp_path / "evil.nc"
    path.write_bytes(body)
    with pytest.raises(store.CorruptError, match="is cut off or not a trial"):
        netcdf.read(path, KIND)
    store.write(path, body, KIND)
    with pytest.raises(store.CorruptError, match="its index is missing"):
        netcdf.read(path, KIND)
    # even an index that fits can name nothing but bytes of this very file
    craft(path, index(entry(offset=0, shape=[len(body) // 8])), body)
    found = netcdf.read(path, KIND).variables["v0"].values
    assert found.tobytes() == body[: len(body) // 8 * 8]
    craft(path, index(entry(offset=0, shape=[len(body) // 8 + 1])), body)
    with pytest.raises(store.CorruptError, match="places outside of the file"):
        netcdf.read(path, KIND)


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        (Variable(("a",), np.ones(2, complex)), "loss holds complex128"),
        (Variable((), np.ones(2)), "loss has 1 axes and 0 names"),
        (Variable(("a",), np.array(["x\0"], object)), "ends with a null character"),
        (Variable(("a/b",), np.ones(2)), "cannot be the name of an array or an axis"),
    ],
)
def test_what_cannot_be_kept_exactly_is_not_written(tmp_path, variable, message):
    with pytest.raises(ValueError, match=message):
        netcdf.write(tmp_path / "a.nc", Dataset({"loss": variable}), KIND)
    assert list(tmp_path.iterdir()) == []


def test_axes_of_one_name_have_one_length(tmp_path):
    two = {"a": Variable(("t",), np.ones(2)), "b": Variable(("t",), np.ones(3))}
    with pytest.raises(ValueError, match="axis 't' has 2 entries, but 3 in b"):
        netcdf.write(tmp_path / "a.nc", Dataset(two), KIND)
