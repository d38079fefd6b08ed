"""A trajectory survives its file, labels its axes, and a file that is none of ours is refused."""

import pickle

import h5py
import numpy as np
import pytest

import festina as fs

OBSERVED = ("loss", "strengths", "map", "outputs", "weights", "hidden")
NETWORKS = [
    fs.DeepLinear(initial=fs.initial.Gaussian(0.1)),
    fs.DeepLinear((3,), initial=fs.initial.Aligned(0.1)),
    fs.DeepLinear((3, 4), initial=fs.initial.Aligned(0.1)),
]


def assert_same(a, b):
    assert set(a.values) == set(b.values)
    for name in a.values:
        assert isinstance(a[name], tuple) == isinstance(b[name], tuple)
        for x, y in zip(*((v if isinstance(v, tuple) else (v,)) for v in (a[name], b[name])), strict=True):
            assert x.dtype == y.dtype
            np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(a.times, b.times)
    for name in ("seeds", "method", "network", "task", "unit", "assumptions", "sources"):
        assert getattr(a, name) == getattr(b, name)
    assert dict(a.notes) == dict(b.notes)


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("seeds", [None, 1, 3])
def test_every_observable_survives_its_file(network, seeds, tmp_path):
    one = fs.evolve(network, fs.tasks.hierarchy(levels=1), [0.0, 1.0, 5.0], observe=OBSERVED, seeds=seeds)
    assert one.save(tmp_path / "run.nc") == tmp_path / "run.nc"
    assert_same(fs.load(tmp_path / "run.nc"), one)
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.parametrize("method", [fs.Race(), fs.Flow(), fs.Train(rate=0.1, precision="single")])
def test_every_method_survives_its_file(method, tmp_path):
    network = NETWORKS[1]
    one = fs.evolve(network, fs.tasks.hierarchy(levels=1), [0.0, 1.0], method=method, observe=("loss", "strengths"))
    assert_same(fs.load(one.save(tmp_path / "run.nc")), one)


def test_a_task_without_modes_and_infinite_time_survive(tmp_path):
    task = fs.Task(np.eye(2), np.zeros((2, 2)))
    one = fs.evolve(NETWORKS[2], task, None, observe=OBSERVED)
    assert one.strengths.shape == (1, 0)
    assert_same(fs.load(one.save(str(tmp_path / "run.nc"))), one)


def test_names_units_and_long_notes_survive(tmp_path):
    values = {"loss": np.ones(2), "weights": (np.ones((2, 1, 1)),), "weights_norm": np.ones(2), "weights_9": np.ones(2)}
    one = fs.Trajectory(
        np.array([0.0, 1.0]), values, unit="days", task="Σ – λ", notes={"steps": list(range(30_000)), "why": "a\nb"}
    )
    assert_same(fs.load(one.save(tmp_path / "run.nc")), one)


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("something older")
    one = fs.Trajectory(np.array([0.0, 1.0]), {"loss": np.ones(2)})
    one.save(path)
    assert_same(fs.load(path), one)
    with pytest.raises(ValueError, match=r"folder .* does not exist; make it first"):
        one.save(tmp_path / "nowhere" / "run.nc")


class Trap:
    """Something that leaves a mark when it is unpickled."""

    def __reduce__(self):
        return (open, ("trapped", "w"))


def test_foreign_files_are_refused_and_nothing_is_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(Trap()))
    np.save(tmp_path / "a.npy", np.array([Trap()], dtype=object), allow_pickle=True)
    (tmp_path / "a.txt").write_text("loss\n1.0\n")
    whole = fs.Trajectory(np.array([0.0, 1.0]), {"loss": np.ones(2)}).save(tmp_path / "whole.nc").read_bytes()
    (tmp_path / "half.nc").write_bytes(whole[: len(whole) // 2])
    for name in ("a.pkl", "a.npy", "a.txt", "half.nc"):
        with pytest.raises(ValueError, match="is not a NetCDF file that can be read"):
            fs.load(tmp_path / name)
    assert not (tmp_path / "trapped").exists()
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["loss"] = [1.0]
    with pytest.raises(ValueError, match="whose format is None; 'festina trajectory 1' is needed"):
        fs.load(tmp_path / "other.h5")
    with h5py.File(tmp_path / "bare.h5", "w") as file:
        file.attrs["format"] = "festina trajectory 1"
    with pytest.raises(ValueError, match="lacks assumptions, citations, layers, method"):
        fs.load(tmp_path / "bare.h5")
    with pytest.raises(ValueError, match=r"there is no such file; give one that Trajectory.save wrote"):
        fs.load(tmp_path / "nothing.nc")


@pytest.mark.parametrize(
    "damage",
    [{"assumptions": "{not"}, {"assumptions": '[{"a": 1}]'}, {"layers": '{"weights": 2}'}, {"layers": "3"}],
    ids=str,
)
def test_damaged_contents_are_refused(tmp_path, damage):
    data = fs.Trajectory(np.array([0.0, 1.0]), {"loss": np.ones(2)}).to_xarray()
    data.assign_attrs(damage).to_netcdf(tmp_path / "damaged.nc", engine="h5netcdf")
    with pytest.raises(ValueError, match=r"damaged\.nc', whose contents are damaged .*; save it again"):
        fs.load(tmp_path / "damaged.nc")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ValueError, match="which is a folder; give a file in it"):
        fs.Trajectory(np.array([0.0]), {"loss": np.ones(1)}).save(tmp_path)


def test_axes_are_labelled():
    data = fs.evolve(NETWORKS[1], fs.tasks.hierarchy(levels=1), [0.0, 1.0], observe=OBSERVED, seeds=2).to_xarray()
    assert data["loss"].dims == ("seed", "time")
    assert data["strengths"].dims == ("seed", "time", "mode")
    assert data["map"].dims == ("seed", "time", "output", "input")
    assert data["outputs"].dims == ("seed", "time", "item", "output")
    assert data["weights_1"].dims[:2] == ("seed", "time")
    assert data["time"].attrs["units"] == "flow time"
    assert data["seed"].values.tolist() == [0, 1]


def test_what_was_not_observed_is_named():
    one = fs.Trajectory(np.array([0.0]), {"loss": np.ones(1)})
    with pytest.raises(KeyError, match="'map' was not observed; this trajectory has: loss"):
        one["map"]
    for name in ("strengths", "outputs", "weights"):
        with pytest.raises(AttributeError, match=f"'{name}' was not observed"):
            getattr(one, name)
    assert repr(one) == "Trajectory(: loss at 1 times to 0 (flow time))"


def test_the_mean_over_seeds():
    values = {"loss": np.array([[1.0, 2.0], [3.0, 6.0]]), "weights": (np.ones((2, 2, 1, 1)),)}
    one = fs.Trajectory(np.array([0.0, 1.0]), values, seeds=(4, 5))
    mean = one.mean()
    assert mean.loss.tolist() == [2.0, 4.0]
    assert mean.weights[0].shape == (2, 1, 1)
    assert mean.seeds is None
    assert mean.mean() is mean
    assert repr(one).endswith("(flow time), 2 seeds)")
