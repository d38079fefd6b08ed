"""The results of a sweep are one data set with named axes, one axis of seeds, and nan where nothing is."""

import json
import tracemalloc

import numpy as np
import pytest
import study
import xarray

import festina as fs

pytestmark = pytest.mark.slow

GRID = {"height": [1, 2, 3], "waves": [1, 2]}
DIMS = {"noise": "seed", "wave": "delta", "maxima": "maximum"}


def learn(depth: int, seed: int, seeds: int = 2):
    network = fs.DeepLinear(hidden=(3,) * (depth - 1), initial=fs.initial.Gaussian(0.3))
    task = fs.tasks.hierarchy(levels=1)
    return fs.evolve(network, task, [0.0, depth], method=fs.Flow(), seed=seed, seeds=seeds)


def forgetful(depth: int, seed: int, seeds: int):
    """Does not pass its seed on."""
    return learn(depth, 0, seeds)


def changing(kind: int):
    return {"x": [1, "one", [1, 2], [3.5, 4.5]][kind]}


def uneven(n: int):
    """Two values over one axis, one of them not always there, and names that the data set might use itself."""
    found = {"a": ("x", np.arange(n)), "n": ((), n), "result_n": ((), 2 * n), "x_values": ((), 1)}
    if n > 2:
        return xarray.Dataset(found)
    return xarray.Dataset({**found, "b": ("x", np.arange(n))}, {"x": np.arange(n)})


def own_seeds(depth: int):
    return learn(depth, 0, 3)


def test_axes_have_one_length_and_names_are_not_taken_twice(tmp_path, threads):
    assert fs.sweep(uneven, {"n": [2, 3]}, out=tmp_path / "out", executor=threads).complete
    data = fs.open_sweep(tmp_path / "out")
    np.testing.assert_array_equal(data["a"], [[0, 1, np.nan], [0, 1, 2]])
    np.testing.assert_array_equal(data["b"], [[0, 1, np.nan], [np.nan] * 3])
    assert data["result_n"].values.tolist() == [4, 6]
    assert data["result_n_"].values.tolist() == [2, 3]
    assert data["x_values"].values.tolist() == [1, 1]
    np.testing.assert_array_equal(data["x_values_"], [[0, 1, np.nan], [np.nan] * 3])


def test_seeds_that_the_function_chooses_itself_are_an_axis_too(tmp_path, threads):
    fs.sweep(own_seeds, {"depth": [2]}, out=tmp_path / "out", executor=threads)
    data = fs.open_sweep(tmp_path / "out")
    assert data["loss"].dims == ("depth", "seed", "time")
    assert data["seed"].values.tolist() == [0, 1, 2]


def test_trajectories_of_blocks_of_seeds_share_one_axis(tmp_path, threads):
    out = tmp_path / "out"
    fs.sweep(learn, {"depth": [2, 3]}, 5, out=out, fixed={"seed": 3}, executor=threads)
    data = fs.open_sweep(out)
    assert data["loss"].dims == ("depth", "seed", "time")
    assert data["seed"].values.tolist() == [3, 4, 5, 6, 7]
    assert data["done"].dims == ("depth", "seed")
    assert data["done"].all()
    blocks = [learn(3, first, seeds).loss for first, seeds in ((3, 2), (5, 2), (7, 1))]
    np.testing.assert_array_equal(data["loss"].sel(depth=3), np.concatenate(blocks))
    # the times differ from depth to depth, so that they are a variable and no coordinate
    assert "time" not in data.coords
    assert data["time_values"].sel(depth=2, seed_block=5).values.tolist() == [0, 2]
    same = fs.sweep(learn, {"depth": [2]}, 5, block=5, out=tmp_path / "one", executor=threads)
    assert same.total == 1
    data = fs.open_sweep(tmp_path / "one")
    assert data["time"].values.tolist() == [0, 2]
    assert data["time"].attrs["units"] == "flow time"
    assert not [name for name in (*data.dims, *data.variables) if "axis" in str(name)]


def test_a_seed_that_is_not_passed_on_is_found_out(tmp_path, threads):
    status = fs.sweep(forgetful, {"depth": [2]}, 4, block=2, out=tmp_path / "out", executor=threads)
    assert status.done == 1, "the block that begins at seed 0 is right"
    assert "the result is of the seeds 0…1, but 2…3 were asked for" in status.failed[0].reason


def test_one_call_per_seed(tmp_path, threads):
    fs.sweep(study.draw, {"scale": [1, 2]}, 3, out=tmp_path / "out", executor=threads)
    data = fs.open_sweep(tmp_path / "out")
    assert data["result"].dims == ("scale", "seed")
    expected = [np.random.default_rng(k).standard_normal() for k in range(3)]
    np.testing.assert_array_equal(data["result"].sel(scale=2.0), np.array(expected) * 2)


def test_dictionaries_are_labelled_by_dims(wave, tmp_path, threads):
    fs.sweep(wave, GRID, 3, out=tmp_path / "out", dims=DIMS, executor=threads)
    data = fs.open_sweep(tmp_path / "out")
    assert data.attrs["function"] == "study.wave"
    assert dict(data.sizes) == {"height": 3, "waves": 2, "seed": 3, "seed_block": 2, "maximum": 2, "delta": 2}
    here = data.sel(height=2.0, waves=1)
    draws = [np.random.default_rng(k).standard_normal() for k in range(3)]
    np.testing.assert_array_equal(here["noise"], draws)
    np.testing.assert_array_equal(here["wave"].sel(seed_block=2), 2 * np.sin([0, 0.5]) + draws[2])
    np.testing.assert_array_equal(here["maxima"].sel(seed_block=0), [0, np.nan])
    assert (here["result_height"] == 2 / 3).all(), "a value that is called like a setting"
    assert np.isnan(here["parts.none"]).all()
    assert here["parts.kind%2Fof"].values.tolist() == ["sine", "sine"]


def test_coordinates_are_kept_where_they_agree(tmp_path, threads):
    named = {"dims": {"x": "x", "y": "x"}, "executor": threads}
    fs.sweep(study.line, {"slope": [1, 2]}, out=tmp_path / "same", **named)
    data = fs.open_sweep(tmp_path / "same")
    assert data["x"].values.tolist() == [0, 0.5, 1]
    assert data["y"].sel(slope=2, x=0.5) == 1
    fs.sweep(study.line, {"points": [2, 3]}, out=tmp_path / "other", fixed={"slope": 1}, **named)
    data = fs.open_sweep(tmp_path / "other")
    np.testing.assert_array_equal(data["x_values"], [[0, 1, np.nan], [0, 0.5, 1]])
    np.testing.assert_array_equal(data["y"], data["x_values"])


def test_axes_without_a_name_are_called_after_the_value(wave, tmp_path, threads):
    fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=threads)
    data = fs.open_sweep(tmp_path / "out")
    assert data["wave"].dims == ("height", "wave_dim_0")
    assert "seed" not in data.dims


def test_a_value_of_changing_kind_is_kept_in_words(tmp_path, threads):
    fs.sweep(changing, {"kind": [0, 1, 2, 3]}, out=tmp_path / "all", executor=threads)
    assert fs.open_sweep(tmp_path / "all")["x"].values.tolist() == ["1", "one", "[1, 2]", "[3.5, 4.5]"]
    fs.sweep(changing, {"kind": [2, 3]}, out=tmp_path / "some", executor=threads)
    assert fs.open_sweep(tmp_path / "some")["x"].values.tolist() == [[1, 2], [3.5, 4.5]]


def test_what_is_not_there_is_nan(wave, tmp_path, threads):
    status = fs.sweep(wave, {"height": [1, 2]}, 3, out=tmp_path / "out", fixed={"mood": "raise"}, dims=DIMS,
                      executor=threads)  # fmt: skip
    assert status.done == 2
    data = fs.open_sweep(tmp_path / "out")
    assert data["done"].values.tolist() == [[True] * 3, [False] * 3]
    assert np.isnan(data["noise"].sel(height=2.0)).all()
    none = fs.sweep(wave, {"height": [2]}, out=tmp_path / "none", fixed={"mood": "raise"}, executor=threads)
    assert none.done == 0
    assert fs.open_sweep(tmp_path / "none")["done"].values.tolist() == [False]


def test_shards_are_netcdf_for_everybody(wave, tmp_path, threads):
    fs.sweep(wave, {"height": [1]}, 2, out=tmp_path / "out", dims=DIMS, executor=threads)
    [path] = (tmp_path / "out" / "shards").rglob("*.nc")
    with xarray.open_dataset(path, engine="h5netcdf") as data:
        assert data["noise"].dims == ("seed",)
        assert data["noise"].dtype == np.float64
        assert data["parts.kind%2Fof"].item() == "sine"


def test_settings_of_any_length_are_kept(tmp_path, threads, wave):
    many = tuple(np.linspace(0, 1, 20_000))
    fs.sweep(wave, {"deltas": [many]}, out=tmp_path / "out", executor=threads)
    assert fs.open_sweep(tmp_path / "out")["wave"].shape == (1, 20_000)


@pytest.mark.parametrize("name", ["Dask", "Slurm", "open_sweep", "sweep", "sweep_status"])
def test_the_function_does_not_hide_the_package(name):
    assert callable(fs.sweep)
    assert callable(getattr(fs.sweeps, name))
    assert fs.sweeps.sweep is fs.sweep


@pytest.mark.parametrize("seeds", [10**8, 10**12])
def test_a_declaration_does_not_take_memory_that_its_results_do_not(seeds, wave, tmp_path, threads, monkeypatch):
    fs.sweep(wave, {"height": [1]}, 2, out=tmp_path, executor=threads)
    told = json.loads((tmp_path / "sweep.json").read_text())
    told["seeds"] |= {"count": seeds, "block": seeds}
    (tmp_path / "sweep.json").write_text(json.dumps(told))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"whose sweep.json declares so many settings and seeds that their arrays"):
            fs.open_sweep(tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_a_long_word_does_not_take_its_length_everywhere(tmp_path, threads, monkeypatch):
    def word(n: int) -> str:
        return "x" * 10**5 if n == 0 else ""

    fs.sweep(word, {"n": range(30)}, out=tmp_path, executor=threads)
    assert fs.open_sweep(tmp_path)["result"].values[0] == "x" * 10**5
    monkeypatch.setattr("festina.sweeps._open.FREE", 1000)
    monkeypatch.setattr("festina.sweeps._open.MAX_RATIO", 1)
    with pytest.raises(ValueError, match="such a sweep cannot be opened before more of it is done"):
        fs.open_sweep(tmp_path)


def large(x: int):
    return {"number": x, "list": [x, x + 1]}


def test_large_whole_numbers_keep_their_digits(tmp_path, threads):
    numbers = [2**53 + 1, 2**60 + 7, 3]
    fs.sweep(large, {"x": numbers}, out=tmp_path / "out", executor=threads)
    found = fs.open_sweep(tmp_path / "out")
    assert [int(n) for n in found["number"].values] == numbers
    assert found["x"].values.tolist() == numbers
