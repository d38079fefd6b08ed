"""The store holds whole shards of one sweep or says what is wrong, whatever happened to its files or its disk."""

import errno
import json
import os
import pickle
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st

import festina as fs
from festina.papers import Outcome
from festina.sweep import _shard, sweep_status
from festina.sweep._store import Store
from festina.sweep._values import arrays

GRID = {"height": [1, 2, 3], "waves": [1, 2]}


@pytest.fixture
def swept(wave, tmp_path, threads):
    fs.sweep(wave, GRID, 3, out=tmp_path / "out", executor=threads)
    return tmp_path / "out"


def shards(folder):
    return sorted((folder / "shards").rglob("*.nc"))


def outcome(values):
    return Outcome(None, None, None, (), values, 0.0)  # type: ignore[arg-type]


def test_shards_are_netcdf_for_everybody(swept):
    for path in shards(swept)[:2]:
        with xarray.open_dataset(path, engine="h5netcdf") as data:
            assert data["noise"].dtype == np.float64
            assert data["parts.kind%2Fof"].item() == "sine"
            assert data["maxima"].dims == ("maxima_axis0",)


def test_results_are_labelled_by_settings_and_seeds(swept):
    data = fs.open_sweep(swept)
    assert data.attrs["experiment"] == "wave"
    assert dict(data.sizes) == {
        "height": 3,
        "waves": 2,
        "seed": 2,
        "maxima_axis0": 2,
        "noise_axis0": 2,
        "wave_axis0": 2,
    }
    assert data["done"].all()
    here = data.sel(height=2.0, waves=1, seed=2)
    assert here["seeds"] == 1
    draw = np.random.default_rng(2).standard_normal()
    np.testing.assert_array_equal(here["noise"], [draw, np.nan], "the last block has one seed")
    np.testing.assert_array_equal(here["wave"], 2 * np.sin([0, 0.5]) + draw)
    np.testing.assert_array_equal(here["maxima"], [0, np.nan])
    assert here["values.height"] == 2 / 3, "a value that is called like a setting"
    assert here["claim.small.status"] == "holds"
    assert here["claim.small.bound"] == 1.0
    assert np.isnan(here["parts.none"])


def test_claims_that_span_settings_are_open_where_there_is_one(wave, tmp_path, threads):
    fs.sweep(wave, {"deltas": [(0.0, 0.5), (0.5,)]}, out=tmp_path / "out", executor=threads)
    data = fs.open_sweep(tmp_path / "out")
    assert data["claim.rises.status"].values.tolist() == ["holds", "open"]
    assert np.isnan(data["claim.rises"].values).tolist() == [False, True]


def test_values_of_all_kinds_become_arrays():
    found = arrays(
        outcome({
            "a": 1, "b": True, "c": np.float32(0.5), "d": float("inf"), "e": "word", "f": [], "g": (1, None),
            "h": [[1, 2], [3]], "i": ["x", "yy"], "j": [["x"], ["y", "z"]], "k": [{"l": 1}, {"l": 2.5}], "m": {},
            "n": np.arange(6).reshape(2, 3), "o": [1, "x"], "p": [1, [2]], "q": {"/": {"%": 2**70}}, "r": [np.ones(2)],
        })
    )  # fmt: skip
    plain = {name: array.tolist() for name, array in found.items()}
    assert plain.pop("g")[0] == 1
    assert np.isnan(found["g"][1])
    assert np.isnan(found["h"][1, 1])
    assert plain.pop("h")[0] == [1, 2]
    assert plain == {
        "a": 1, "b": 1, "c": 0.5, "d": float("inf"), "e": "word", "f": [], "i": ["x", "yy"],
        "j": [["x", ""], ["y", "z"]],
        "k.0.l": 1, "k.1.l": 2.5, "n": [[0, 1, 2], [3, 4, 5]], "o.0": 1, "o.1": "x", "p.0": 1, "p.1": [2],
        "q.%2F.%25": 2.0**70, "r": [[1.0, 1.0]],
    }  # fmt: skip
    with pytest.raises(ValueError, match=r"two values are called 'a.b'"):
        arrays(outcome({"a": {"b": 1}, "a.b": 2}))
    with pytest.raises(ValueError, match=r"value 'a.b' is complex; a number, a word"):
        arrays(outcome({"a": {"b": 1j}}))


@given(st.data())
def test_no_changed_byte_goes_unseen(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("shard")
    key = "ab" * 32
    path = folder / "s.nc"
    _shard.write(path, folder, key, {"x": np.arange(3.0)}, {"key": key})
    content = path.read_bytes()
    assert _shard.check(path) == key
    np.testing.assert_array_equal(_shard.read(path).values["x"], [0, 1, 2])
    at = data.draw(st.integers(0, len(content) - 1))
    flip = data.draw(st.integers(1, 255))
    for changed in (content[:at], content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :], content + b"\0"):
        path.write_bytes(changed)
        for look in (_shard.check, _shard.read):
            with pytest.raises(_shard.CorruptShardError, match=r"s.nc (is cut off|was changed)"):
                look(path)
    assert [p.name for p in folder.iterdir()] == ["s.nc"], "nothing half-written is left"


def test_corrupt_shards_are_named_and_done_again(wave, swept, threads, same):
    whole = fs.open_sweep(swept)
    first, second = shards(swept)[1:3]
    first.write_bytes(first.read_bytes()[:100])
    second.write_bytes(second.read_bytes().replace(b"sine", b"sign"))
    with pytest.raises(ValueError, match=f"({first.name}|{second.name}) (is cut off|was changed)"):
        fs.open_sweep(swept)
    status = sweep_status(swept)
    assert (status.done, status.total) == (10, 12)
    assert {name in str(status) for name in (first.name, second.name)} == {True}
    with pytest.warns(UserWarning, match=r"corrupt shard: .*nc (is cut off|was changed)") as told:
        assert fs.sweep(wave, GRID, 3, out=swept, executor=threads).complete
    assert len(told) == 2
    assert {p.name for p in (swept / "corrupt").iterdir()} == {first.name, second.name}
    same(fs.open_sweep(swept), whole)


def test_shards_of_other_settings_or_code_are_refused_with_the_reason(wave, swept, tmp_path, threads):
    first, second = shards(swept)[:2]
    kept = first.read_bytes()
    shutil.copy(second, first)
    for look in (lambda: fs.open_sweep(swept), lambda: fs.sweep(wave, GRID, 3, out=swept, executor=threads)):
        with pytest.raises(
            ValueError, match=rf"{first.name} is of other settings or code \(\w+ .* there, .* here.*remove"
        ):
            look()
    first.write_bytes(kept)
    other = json.loads((swept / "sweep.json").read_text())
    other["code"]["numpy"] = "1.0"
    (swept / "sweep.json").write_text(json.dumps(other))
    with pytest.raises(ValueError, match=r"holds another sweep \(numpy 1.0 there, .* here\); choose another folder"):
        fs.sweep(wave, GRID, 3, out=swept, executor=threads)
    # by the declaration these shards would have other names; a renamed one is found out
    plan = Store(swept).read_plan()
    renamed = Store(swept).shard(next(plan.tasks()).key)
    renamed.parent.mkdir(exist_ok=True)
    shutil.copy(first, renamed)
    with pytest.raises(ValueError, match=r"other settings or code \(.*numpy [\d.]+ there, 1.0 here"):
        fs.open_sweep(swept)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"grid": {"height": [1, 2]}}, "swept height=1.0,2.0,3.0 waves=1,2 there, height=1.0,2.0 here"),
        ({"seeds": 4}, "seeds 0…2 in blocks of 2 there, seeds 0…3 in blocks of 2 here"),
        ({"seeds": None}, "seeds 0…2 in blocks of 2 there, no seeds here"),
        ({"fixed": {"seconds": 1}}, "seconds 0.0 there, 1.0 here"),
        ({"quick": True}, "quick False there, True here"),
    ],
)
def test_another_sweep_in_the_folder_is_refused_with_the_reason(wave, swept, threads, change, reason):
    arguments = {"grid": GRID, "seeds": 3, **change}
    with pytest.raises(ValueError, match=f"holds another sweep.*{reason}.*choose another folder"):
        fs.sweep(wave, out=swept, executor=threads, **arguments)


def test_other_files_are_left_alone(wave, tmp_path, threads):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ValueError, match=r"holds other files \(thesis.tex\)"):
        fs.sweep(wave, GRID, out=tmp_path, executor=threads)
    with pytest.raises(OSError, match="cannot be written"):
        fs.sweep(wave, GRID, out=tmp_path / "thesis.tex" / "out", executor=threads)
    for look in (fs.open_sweep, sweep_status):
        with pytest.raises(ValueError, match="there is no sweep"):
            look(tmp_path)


def test_names_from_settings_never_leave_the_folder(wave, tmp_path, threads):
    out = tmp_path / "a" / "out"
    words = ["../../../escaped", "/escaped", "..", "a/../../b", "a\0b", "x" * 5000]
    assert fs.sweep(wave, {"mood": words}, out=out, executor=threads).complete
    assert {p.name for p in tmp_path.iterdir()} == {"a"}
    assert {p.name for p in (tmp_path / "a").iterdir()} == {"out"}
    assert list(fs.open_sweep(out)["mood"].values) == words
    for key in ("../" * 10 + "x", "a" * 63, "A" * 64, "a" * 64 + "/"):
        with pytest.raises(ValueError, match="a SHA-256 in 64 hexadecimal digits is needed"):
            Store(out).shard(key)
        with pytest.raises(ValueError, match="a SHA-256 in 64 hexadecimal digits is needed"):
            Store(out).failure(key)


def test_nothing_is_unpickled_and_no_code_of_the_store_is_run(swept, tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("something was unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)
    assert fs.open_sweep(swept).sizes["height"] == 3
    assert sweep_status(swept).complete
    suffixes = {p.suffix for p in swept.rglob("*") if p.is_file()}
    assert suffixes <= {".nc", ".json"}


def test_folder_that_cannot_be_written(wave, mounted, threads):
    disk = mounted(2000)
    fs.sweep(wave, {"height": [1, 2]}, out=disk / "whole", executor=threads)
    fs.sweep(wave, {"height": [1, 2]}, out=disk / "part", executor=threads)
    shards(disk / "part")[0].unlink()
    mounted.again(disk, "ro")
    with pytest.raises(OSError, match=r"new cannot be written \(Read-only file system\).*choose another folder"):
        fs.sweep(wave, {"height": [1, 2]}, out=disk / "new", executor=threads)
    with pytest.raises(
        OSError, match=r"part cannot be written \(Read-only file system\).*all that is finished is kept"
    ):
        fs.sweep(wave, {"height": [1, 2]}, out=disk / "part", executor=threads)
    # what is there can be read, and a sweep with nothing left to do has nothing to write
    assert fs.sweep(wave, {"height": [1, 2]}, out=disk / "whole", executor=threads).complete
    assert fs.open_sweep(disk / "part")["done"].sum() == 1


def test_full_disk_stops_the_sweep_and_loses_nothing(wave, mounted, tmp_path, threads, same):
    disk = mounted(8000)
    grid, fixed = {"height": np.arange(1, 13)}, {"mood": "large"}
    told = r"cannot be written \(No space left on device\).*make room and start again"
    with ThreadPoolExecutor(8) as pool, pytest.raises(OSError, match=told) as full:
        fs.sweep(wave, grid, out=disk / "out", fixed=fixed, executor=pool)
    assert full.value.errno == errno.ENOSPC
    status = sweep_status(disk / "out")
    assert 0 < status.done < 12
    assert not status.failed, "a full disk is not the settings' fault"
    assert not list((disk / "out" / "partial").iterdir())
    done = {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in shards(disk / "out")}
    mounted.again(disk, "size=40000k")
    assert fs.sweep(wave, grid, out=disk / "out", fixed=fixed, executor=threads).complete
    assert {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in done} == done, "nothing finished was done again"
    fs.sweep(wave, grid, out=tmp_path / "out", fixed=fixed, executor=threads)
    same(fs.open_sweep(disk / "out"), fs.open_sweep(tmp_path / "out"))


def test_what_killed_workers_left_is_removed_and_what_live_ones_write_is_not(wave, swept, threads):
    gone = subprocess.Popen(["true"])
    gone.wait()
    names = {
        f"{socket.gethostname()}.{gone.pid}.aa.part": False,
        f"{socket.gethostname()}.{os.getpid()}.bb.part": True,
        f"elsewhere.{gone.pid}.cc.part": True,
    }
    for name in names:
        (swept / "partial" / name).write_bytes(b"half")
    shards(swept)[0].unlink()
    fs.sweep(wave, GRID, 3, out=swept, executor=threads)
    assert {name: (swept / "partial" / name).exists() for name in names} == names
