"""Whatever a function returns is labelled: every axis has a name, and a coordinate where its numbers are known."""

import numpy as np
import pytest
import xarray
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import festina as fs
from festina.storage import netcdf, store
from festina.sweeps import _store
from festina.sweeps._result import read_result

pytestmark = pytest.mark.slow


def labelled(returned, dims=None, seeds=None):
    return read_result(returned, {k: tuple(v) for k, v in (dims or {}).items()}, seeds)


def plain(result):
    return {name: variable.values.tolist() for name, variable in result.variables.items()}


def test_trajectories_bring_the_names_of_their_axes():
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(0.1))
    run = fs.evolve(network, fs.tasks.hierarchy(levels=1), [0.0, 1.0], method=fs.Flow(), seed=4, seeds=2,
                    observe=("loss", "outputs"))  # fmt: skip
    result = labelled(run, seeds=range(4, 6))
    assert {name: v.axes for name, v in result.variables.items()} == {
        "loss": ("seed", "time"),
        "outputs": ("seed", "time", "item", "output"),
    }
    np.testing.assert_array_equal(result.variables["loss"].values, run.loss)
    assert result.coords["time"].values.tolist() == [0, 1]
    assert result.coords["time"].attributes == {"units": "flow time"}
    with pytest.raises(ValueError, match=r"the result is of the seeds 4…5, but 0…1 were asked for; pass seed="):
        labelled(run, seeds=range(2))


def test_datasets_and_their_kin_bring_their_own_names():
    array = xarray.DataArray(np.ones((2, 3)), {"time": [0.5, 1.5]}, ("time", "unit"), name="rate")
    for returned in (array, array.to_dataset(), array.to_dataset().to_dataframe()):
        result = labelled(returned)
        assert result.variables["rate"].axes == ("time", "unit")
        assert result.coords["time"].values.tolist() == [0.5, 1.5]
    assert labelled(array.rename(None)).variables["result"].axes == ("time", "unit")


def test_dictionaries_get_names_from_dims_or_by_a_fixed_rule():
    result = labelled({"time": [0, 1], "loss": np.zeros((3, 2)), "w": np.zeros((2, 2)), "n": 3},
                      {"time": ["time"], "loss": ["seed", "time"]}, range(3))  # fmt: skip
    assert {name: v.axes for name, v in result.variables.items()} == {
        "loss": ("seed", "time"),
        "w": ("w_dim_0", "w_dim_1"),
        "n": (),
    }
    assert result.coords["time"].values.tolist() == [0, 1]
    moved = labelled({"loss": np.arange(6).reshape(2, 3)}, {"loss": ["time", "seed"]}, range(3))
    assert moved.variables["loss"].axes == ("seed", "time")
    assert moved.variables["loss"].values.tolist() == [[0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize(
    ("returned", "dims", "seeds", "message"),
    [
        (None, {}, None, "the function returned None; return a trajectory"),
        (object(), {}, None, "value 'result' is object; numbers, words, arrays"),
        ({"a": 1j}, {}, None, "value 'a' is complex; numbers, words, arrays"),
        ({"a": np.ones(2) * 1j}, {}, None, "value 'a' is an array of complex128; real numbers or words"),
        ({"a": np.array(["2020"], "M8[s]")}, {}, None, "value 'a' is an array of datetime64"),
        ({"a": {"b": 1}, "a.b": 2}, {}, None, "two values are called 'a.b'; rename one"),
        ({"a": [1, 2]}, {"a": ["x", "y"]}, None, r"dims\['a'\] is \('x', 'y'\), but the value has shape \(2,\)"),
        ({"a": [1, 2]}, {"b": ["x"]}, None, "dims names 'b', which the function did not return; it returned a"),
        ({"a": [[1]]}, {"a": ["a", "b"]}, None, "'a' has more than one axis, and one of them is called 'a' too"),
        ({"a": [1, 2]}, {"a": ["seed"]}, range(3), "'a' has 2 seeds, but 3 were asked for; pass seeds= on"),
        ({"a": fs.tasks.hierarchy(levels=1)}, {}, None, "value 'a' is Task; numbers, words, arrays"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_a_reason(returned, dims, seeds, message):
    with pytest.raises(ValueError, match=message):
        labelled(returned, dims, seeds)


def test_values_of_all_kinds_become_arrays():
    found = labelled({
        "a": 1, "b": True, "c": np.float32(0.5), "d": float("inf"), "e": "word", "f": [], "g": (1, None),
        "h": [[1, 2], [3]], "i": ["x", "yy"], "j": [["x"], ["y", "z"]], "k": [{"l": 1}, {"l": 2.5}], "m": {},
        "n": np.arange(6).reshape(2, 3), "o": [1, "x"], "p": [1, [2]], "q": {"/": {"%": 2**70}}, "r": [np.ones(2)],
        "s": np.array(["x", "y"]), "t": np.uint64(2**63), "": 4, ".": 5, "u\0": 6,
    })  # fmt: skip
    assert np.isnan(found.variables["g"].values[1])
    assert np.isnan(found.variables["h"].values[1, 1])
    assert {k: v for k, v in plain(found).items() if k not in "gh"} == {
        "a": 1, "b": 1, "c": 0.5, "d": float("inf"), "e": "word", "f": [], "i": ["x", "yy"],
        "j": [["x", ""], ["y", "z"]],
        "k.0.l": 1, "k.1.l": 2.5, "n": [[0, 1, 2], [3, 4, 5]], "o.0": 1, "o.1": "x", "p.0": 1, "p.1": [2],
        "q.%2F.%25": 2.0**70, "r": [[1.0, 1.0]], "s": ["x", "y"], "t": 2.0**63, "result": 4, "%2E": 5, "u%00": 6,
    }  # fmt: skip
    assert _store.pack(found, {})


@settings(max_examples=25)
@given(arrays(float, st.tuples(*[st.integers(0, 3)] * 3)), st.text(max_size=5))
def test_shards_keep_every_bit(tmp_path_factory, array, word):
    path = tmp_path_factory.mktemp("shard") / "s.nc"
    result = labelled({"x": array, "word": word.replace("\0", "")}, {"x": ["a", "b", "c"]})
    image = _store.pack(result, {"key": "k"})
    assert image == _store.pack(result, {"key": "k"})
    store.write(path, image, _store.KIND)
    found = netcdf.read(path, _store.KIND).variables
    assert found["x"].values.tobytes() == array.tobytes()
    assert found["x"].values.shape == array.shape
    assert found["word"].values.item() == word.replace("\0", "")
