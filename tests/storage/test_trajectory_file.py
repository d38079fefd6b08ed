"""Every kind of trajectory is saved, loaded in another process and equal; files of other kinds are refused."""

import json
import pickle
import subprocess
import sys
from dataclasses import dataclass

import h5py
import jax.numpy as jnp
import numpy as np
import pytest
import xarray

import festina as fs
from festina.core.curriculum import Curriculum
from festina.storage import store
from festina.storage.description import Described, same

TASK, XOR = fs.tasks.living_things(4), fs.tasks.extended_xor(1.0)
TIMES = [0.0, 1.0, 5.0]
ALL = ("loss", "strengths", "map", "outputs", "weights", "hidden")
DEEP = fs.DeepLinear((4,), initial=fs.initial.Aligned(0.1))
GATED = fs.gated.pathways([XOR.y[:, 0] > 0, XOR.y[:, 0] < 0], 4, initial=fs.gated.Decoupled(0.1))


def forward(weights, x):
    return jnp.tanh(x @ weights["in"] + weights["bias"]) @ weights["out"]


@dataclass(frozen=True)
class Mine(fs.Network):
    """A network of the user's own, whose weights are a dictionary."""

    width: int = 3

    predict = property(lambda self: forward)

    def start(self, task, seed):
        draw = np.random.default_rng(seed).normal
        first, last = draw(size=(task.x.shape[1], self.width)), draw(size=(self.width, task.y.shape[1]))
        return {"in": first, "bias": np.zeros(self.width), "out": last}


def runs():
    """One trajectory of every kind, by name."""
    train = fs.Train(rate=0.1)
    sequence = fs.sequence([TASK, TASK.reversed()])
    balanced = fs.DeepLinear((4,), initial=fs.initial.Balanced(0.1, lambda_=0.1))
    return {
        "exact": fs.evolve(DEEP, TASK, TIMES, observe=ALL),
        "exact, seeds": fs.evolve(DEEP, TASK, TIMES, observe=ALL, seeds=3),
        "one seed of many": fs.evolve(DEEP, TASK, TIMES, seed=2, seeds=1),
        "infinite time": fs.evolve(DEEP, TASK, None, observe=("loss", "strengths")),
        "shallow": fs.evolve(fs.DeepLinear(initial=fs.initial.Gaussian(0.1)), TASK, TIMES, observe=ALL),
        "balanced": fs.evolve(balanced, fs.tasks.teacher(4, 4).whitened(), TIMES),
        "race": fs.evolve(DEEP, TASK, TIMES, method=fs.Reduced(), observe=("loss", "strengths"), seeds=2),
        "flow": fs.evolve(DEEP, TASK, TIMES, method=fs.Flow(), observe=("loss", "weights")),
        "train": fs.evolve(DEEP, TASK, TIMES, method=train, observe=ALL, seeds=2),
        "single precision": fs.evolve(DEEP, TASK, TIMES, method=fs.Train(rate=0.1, precision="single")),
        "biases": fs.evolve(fs.ReLU((5,), initial=fs.initial.Torch(), bias=True), XOR, TIMES, method=train),
        "given weights": fs.evolve(
            fs.DeepLinear((2,), initial=fs.initial.Weights([np.eye(2, 4), np.eye(7, 2)])), TASK, TIMES, method=fs.Flow()
        ),
        "gated": fs.evolve(GATED, XOR, TIMES, observe=("loss", "strengths", "weights")),
        "contexts": fs.evolve(
            fs.DeepLinear((12,), initial=fs.initial.Gaussian(0.1)), fs.tasks.context(2), [0.0, 1.0], method=fs.Flow(),
            observe=("loss", "outputs"),
        ),
        "sequence": fs.evolve(balanced, sequence, [1.0, 2.0], method=train, seeds=2),
        "no modes": fs.evolve(DEEP, fs.Task(np.eye(4), np.zeros((4, 2))), TIMES, observe=("loss", "strengths")),
        "feed-forward": fs.evolve(
            fs.FeedForward((4, 3), "tanh"), TASK, [0.0, 0.5], method=train, observe=("loss", "weights", "distances")
        ),
        "units": fs.evolve(fs.ReLU((5,), initial=fs.initial.Gaussian(0.1)), XOR, TIMES, method=fs.Reduced(), seeds=2),
        "effective": fs.evolve(
            fs.FeedForward((4, 3), "tanh"), TASK, [0.0, 0.5], method=fs.Reduced(), observe=("loss", "distances")
        ),
        "agents": fs.evolve(
            fs.behaviour.TutorExecutor(), fs.behaviour.DecisionTask(), [0, 50, 100], method=train, seeds=3
        ),
        "expected agents": fs.evolve(
            fs.behaviour.Shallow(), fs.behaviour.DecisionTask(), [0.0, 1.0], method=fs.Flow()
        ),
        "attention": fs.evolve(
            fs.LinearAttention(heads=3, initial=fs.initial.Gaussian(0.1)),
            fs.tasks.in_context_regression([2.0, 1.0], length=4), TIMES, method=fs.Flow(),
            observe=("loss", "strengths"),
        ),
        "recurrence": fs.evolve(
            fs.LinearRNN(4, 3, initial=fs.initial.Gaussian(0.3)), fs.tasks.integration(3), TIMES, method=train
        ),
        "own network": fs.evolve(Mine(4), TASK, TIMES, method=train, observe=("loss", "weights")),
        "logged": fs.Trajectory.from_arrays(
            [0.0, 1.0, 2.0], np.array([[1.0, 0.5, 0.2]]), label="Σ – λ", norm=np.ones((1, 3, 2))
        ),
        "odd names": fs.Trajectory(
            np.array([0.0, 1.0]),
            {
                "loss": np.ones(2), "weights": (np.ones((2, 1, 1)), np.ones((2, 3, 1))), "weights_0": np.ones(2),
                "time": np.ones((2, 3)), "error": np.ones(2), "a/b": np.ones(2), "run": np.arange(2),
                "open": np.array([True, False]),
            },
            unit="days", estimate=np.ones(2), notes={"steps": list(range(3000)), "why": "a\nb\0", "nan": np.nan},
        ),
    }  # fmt: skip


@pytest.fixture(scope="module", name="originals")
def all_runs():
    return runs()


READ_AGAIN = """
import sys
from pathlib import Path
import festina as fs
for path in sorted(Path(sys.argv[1]).glob("*.nc")):
    fs.load(path).save(Path(sys.argv[2]) / path.name)
"""


def expected(run):
    """What a file keeps of a trajectory: all, but a network of another class only as a description."""
    if isinstance(run.network, Mine):
        network = Described(f"{Mine.__module__}.Mine", repr(run.network), {"width": run.network.width})
        return fs.Trajectory(**{**{f: getattr(run, f) for f in run.__dataclass_fields__}, "network": network})
    return run


def test_every_kind_survives_a_file_and_another_process(originals, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    for name, run in originals.items():
        run.save(first / f"{name}.nc")
    subprocess.run([sys.executable, "-c", READ_AGAIN, first, second], check=True, capture_output=True, text=True)
    for name, run in originals.items():
        again, wanted = fs.load(second / f"{name}.nc"), expected(run)
        # an estimate that is computed when asked for is kept as the error itself; weights for sharpness are not kept
        for each in ({*wanted.__dataclass_fields__} - {"estimate", "between"}) | {"error"}:
            assert same(getattr(again, each), getattr(wanted, each)), (name, each)
        assert repr(again) == repr(run)
    assert len(list(first.iterdir())) == len(originals)


@pytest.mark.parametrize("name", ["exact, seeds", "gated", "train", "biases", "sequence"])
def test_loaded_objects_run_again_to_the_same_numbers(originals, name, tmp_path):
    run = originals[name]
    again = fs.load(run.save(tmp_path / "run.nc"))
    times = [1.0, 2.0] if name == "sequence" else TIMES
    observe = tuple(k for k in run.values if k not in ("losses", "first_losses"))
    seeds = None if run.seeds is None else len(run.seeds)
    task = again.task
    assert isinstance(task, fs.Task | Curriculum)
    repeated = fs.evolve(again.network, task, times, method=again.method, seeds=seeds, observe=observe)
    assert same(dict(repeated.values), dict(run.values))


def test_other_programs_read_values_and_names(originals, tmp_path):
    path = originals["contexts"].save(tmp_path / "run.nc")
    with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as opened:
        data = opened.load()
    np.testing.assert_array_equal(data["outputs"].values, originals["contexts"].outputs)
    assert data["outputs"].dims == ("time", "item", "output")
    assert data["item"].values[0] == "item 1 in context 1"
    assert data["context"].values.tolist() == ["context 1"] * 8 + ["context 2"] * 8
    assert data["time"].attrs["units"] == "flow time"


def test_a_file_is_replaced_whole(originals, tmp_path):
    path = tmp_path / "run.nc"
    path.write_text("something older")
    originals["exact"].save(str(path))
    assert same(fs.load(str(path)), originals["exact"])
    with pytest.raises(ValueError, match=r"folder .* does not exist; make it first"):
        originals["exact"].save(tmp_path / "nowhere" / "run.nc")
    with pytest.raises(ValueError, match="which is a folder; give a file in it"):
        originals["exact"].save(tmp_path)
    with pytest.raises(ValueError, match=r"saved as NetCDF: call it 'run.nc'\. For a table use .*to_csv"):
        originals["exact"].save(tmp_path / "run.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


class Trap:
    """Something that leaves a mark when it is unpickled."""

    def __reduce__(self):
        return (open, ("trapped", "w"))


def test_files_of_other_kinds_are_refused_and_nothing_is_unpickled(originals, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(Trap()))
    np.save(tmp_path / "a.npy", np.array([Trap()], dtype=object), allow_pickle=True)
    (tmp_path / "a.txt").write_text("loss\n1.0\n")
    (tmp_path / "empty").write_bytes(b"")
    originals["exact"].to_xarray().to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    whole = originals["exact"].save(tmp_path / "whole.nc").read_bytes()
    (tmp_path / "half.nc").write_bytes(whole[: len(whole) // 2])
    for name in ("a.pkl", "a.npy", "a.txt", "half.nc", "other.nc", "empty"):
        with pytest.raises(ValueError, match=r"cannot be read as a trajectory .*cut off or not a trajectory"):
            fs.load(tmp_path / name)
    assert not (tmp_path / "trapped").exists()
    for name in ("nothing.nc", ""):
        with pytest.raises(ValueError, match=r"there is no such file; give one that Trajectory.save wrote"):
            fs.load(tmp_path / name)


def test_flipped_bits_are_always_noticed(originals, tmp_path):
    path = originals["exact"].save(tmp_path / "run.nc")
    content, rng = path.read_bytes(), np.random.default_rng(3)
    for place in rng.choice(len(content), 200, replace=False):
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        with pytest.raises(ValueError, match="cannot be read as a trajectory"):
            fs.load(path)


def test_external_storage_does_not_bring_another_file_into_a_trajectory(originals, tmp_path):
    """The attack of a crafted file whose ``loss`` is stored in a system file."""
    secret = tmp_path / "secret"
    secret.write_bytes(np.arange(3.0).tobytes())
    path = tmp_path / "evil.nc"
    with h5py.File(path, "w") as file:
        file.create_dataset("loss", (3,), "f8", external=[(str(secret), 0, 24)])
        file["time"] = h5py.ExternalLink(str(secret), "/")
    with pytest.raises(ValueError, match="not a trajectory"):
        fs.load(path)
    body = path.read_bytes()
    store.write(path, body, "trajectory")
    with pytest.raises(ValueError, match="its index is missing"):
        fs.load(path)


def rewritten(path, change):
    """The file with other contents and a right checksum, as an attacker makes it."""
    _, content = store.read(path, "trajectory")
    size = int(content[-20:])
    index = json.loads(content[-20 - size : -20])
    held = json.loads(index["attributes"]["festina"])
    change(held, index)
    index["attributes"]["festina"] = json.dumps(held)
    text = json.dumps(index).encode()
    body = content[: -20 - size] + text + f"{len(text):020d}".encode()
    store.write(path, body, "trajectory")


@pytest.mark.parametrize(
    "change",
    [
        lambda held, index: held.update(format=1),
        lambda held, index: held.update(run=3),
        lambda held, index: held.pop("values"),
        lambda held, index: held.update(values={"loss": ["nowhere"]}),
        lambda held, index: held.update(values={"loss": []}),
        lambda held, index: held.update(segment="O"),
        lambda held, index: held.update(segment="int-1"),
        lambda held, index: held["run"]["dict"].pop(),
        lambda held, index: held.update(run={"class": "os.system", "fields": {"command": "touch trapped"}}),
        lambda held, index: index["variables"].pop("time"),
        lambda held, index: index["variables"]["segment"].update(axes=["x"], shape=[1]),
    ],
)
def test_crafted_contents_are_refused(originals, tmp_path, change):
    path = originals["exact"].save(tmp_path / "run.nc")
    rewritten(path, change)
    with pytest.raises(ValueError, match=r"whose contents do not make a trajectory .*; save it again"):
        fs.load(path)


def test_objects_of_other_classes_are_not_made(originals, tmp_path):
    path = originals["exact"].save(tmp_path / "run.nc")

    def change(held, index):
        pair = next(pair for pair in held["run"]["dict"] if pair[0] == "method")
        pair[1] = {"class": "subprocess.Popen", "fields": {"args": "touch trapped"}}

    rewritten(path, change)
    method = fs.load(path).method
    assert isinstance(method, Described)
    assert method.kind == "subprocess.Popen"


def test_as_a_table(originals):
    table = originals["exact, seeds"].to_pandas()
    assert table.index.names == ["seed", "time"]
    assert len(table) == 9
    np.testing.assert_array_equal(table["loss"], originals["exact, seeds"].loss.ravel())
    np.testing.assert_array_equal(table["outputs canary, fly"], originals["exact, seeds"].outputs[:, :, 0, 3].ravel())
    one = originals["exact"].to_pandas(["strengths"])
    assert one.columns.tolist() == [f"strengths mode {k}" for k in (1, 2, 3, 4)]
    assert one.index.name == "time"
    with pytest.raises(ValueError, match="names 'map_' is unknown"):
        originals["exact"].to_pandas(["map_"])


def test_in_a_notebook(originals):
    for run in originals.values():
        html = run._repr_html_()
        assert run.label.replace("<", "&lt;").replace("'", "&#x27;")[:20] in html
        assert len(html) < 10_000
