"""The store holds whole shards of one sweep or says what is wrong, whatever happened to its files or its disk."""

import errno
import io
import json
import os
import pickle
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs
from festina.storage import netcdf, store
from festina.storage.netcdf import Variable
from festina.sweeps import _store, sweep_status
from festina.sweeps._result import Result
from festina.sweeps._store import Store

pytestmark = [pytest.mark.slow, pytest.mark.linux]

GRID = {"height": [1, 2, 3], "waves": [1, 2]}


@pytest.fixture
def swept(wave, tmp_path, threads):
    fs.sweep(wave, GRID, 3, out=tmp_path / "out", executor=threads)
    return tmp_path / "out"


def shards(folder):
    return sorted((folder / "shards").rglob("*.nc"))


def image(values, **metadata):
    return _store.pack(Result({"x": Variable(("place",), values)}), metadata)


@settings(max_examples=25)
@given(st.data())
def test_no_changed_byte_goes_unseen(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("shard")
    key = "ab" * 32
    path = folder / "s.nc"
    store.write(path, image(np.arange(3.0), key=key), _store.KIND, key)
    content = path.read_bytes()
    assert store.read(path, _store.KIND)[0] == key
    np.testing.assert_array_equal(netcdf.read(path, _store.KIND).variables["x"].values, [0, 1, 2])
    at = data.draw(st.integers(0, len(content) - 1))
    flip = data.draw(st.integers(1, 255))
    for changed in (content[:at], content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :], content + b"\0"):
        path.write_bytes(changed)
        with pytest.raises(_store.CorruptShardError, match=r"s.nc (is cut off|was changed)"):
            netcdf.read(path, _store.KIND)
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
    with pytest.raises(ValueError, match=r"the same sweep by other code \(numpy 1.0 there, .* here\).*another folder"):
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
        ({"dims": {"noise": "seed"}}, r"dims \{\} there, .*'noise': \('seed',\).* here"),
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


def test_nothing_is_unpickled(swept, monkeypatch):
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
    told = r"cannot be written \(No space left on device\).*free some space and start again"
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


def test_a_folder_never_decides_what_runs(wave, swept, tmp_path, threads, monkeypatch):
    """Whatever the declaration says of code, it is only compared with the function that the caller gave."""
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    told = json.loads((swept / "sweep.json").read_text())
    shards(swept)[0].unlink()
    for name in (str(evil), "evil.py", "evil", "evil.main", "../evil.py:main"):
        for more in ({}, {"file": str(evil), "experiment": str(evil)}, {"code": {**told["code"], str(evil): "0"}}):
            (swept / "sweep.json").write_text(json.dumps({**told, "function": name, **more}))
            for call in (
                lambda: fs.sweep(wave, GRID, 3, out=swept, executor=threads, retry=True),
                lambda: fs.sweep(wave, out=swept, executor=threads, retry=True),
            ):
                with pytest.raises(ValueError, match=r"holds another sweep|other code"):
                    call()
            assert sweep_status(swept).done == 0
            fs.open_sweep(swept)
    assert not (tmp_path / "executed").exists()


def test_a_sweep_goes_on_with_the_settings_of_its_folder(wave, swept, tmp_path, threads, same):
    whole = fs.open_sweep(swept)
    shards(swept)[0].unlink()
    assert fs.sweep(wave, out=swept, executor=threads).complete
    same(fs.open_sweep(swept), whole)
    with pytest.raises(ValueError, match="grid is None, so that seeds, block, fixed and dims come from the folder"):
        fs.sweep(wave, out=swept, executor=threads, seeds=4)
    with pytest.raises(ValueError, match="there is no sweep"):
        fs.sweep(wave, out=tmp_path / "nothing", executor=threads)


@pytest.mark.parametrize("path", [3, None, b"out", ["out"], "", "a\0b", 1.5])
@pytest.mark.usefixtures("untyped")
def test_what_is_no_path_is_refused_by_name(wave, path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for look in (fs.open_sweep, sweep_status):
        with pytest.raises(
            ValueError,
            match=r"path is .*; (a path is needed|the path of a file or folder is|file names cannot contain NUL)",
        ):
            look(path)
    with pytest.raises(
        ValueError, match=r"out is .*; (a path is needed|the path of a file or folder is|file names cannot contain NUL)"
    ):
        fs.sweep(wave, GRID, out=path)
    assert not list(tmp_path.iterdir())


def craft(folder, make):
    """Put a shard of somebody else's making in the place of the first one."""
    import h5py

    key = next(Store(folder).read_plan().tasks()).key
    told = {"metadata": {"key": key}, "variables": {"x": [["place"], {}]}, "coords": {}}
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        file.attrs["festina"] = json.dumps(told)
        make(file)
    Store(folder).shards.write(key, buffer.getvalue())


def test_crafted_shards_reach_no_other_file_and_no_memory(swept, tmp_path):
    import h5py

    secret = tmp_path / "secret"
    secret.write_bytes(b"x" * 80)
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["x"] = np.arange(10.0)
    layout = h5py.VirtualLayout((10,), float)
    layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "x", (10,))

    def compound(file):
        file.create_dataset("x", data=np.zeros(2, [("a", float)]))

    makers = {
        "external storage": lambda f: f.create_dataset("x", (10,), float, external=[(str(secret), 0, 80)]),
        "external link": lambda f: f.__setitem__("x", h5py.ExternalLink(str(tmp_path / "other.h5"), "x")),
        "soft link": lambda f: f.__setitem__("x", h5py.SoftLink("/y")),
        "virtual": lambda f: f.create_virtual_dataset("x", layout),
        "huge": lambda f: f.create_dataset("x", (10**13,), float, chunks=(10**6,)),
        "packed": lambda f: f.create_dataset("x", data=np.zeros(10**6), compression="gzip"),
        "group": lambda f: f.create_group("x"),
        "compound": compound,
        "missing": lambda f: None,
        "axes": lambda f: f.create_dataset("x", data=np.zeros((2, 2))),
    }
    for name, make in makers.items():
        craft(swept, make)
        with pytest.raises(ValueError, match=r"nc was not written by festina, or by another version of it"):
            pytest.fail(f"{name}: {fs.open_sweep(swept)}")


@pytest.mark.parametrize(
    ("attribute", "axes", "shape"),
    [
        (None, ("x",), (2,)),
        ("[]", ("x",), (2,)),
        ("[" * 100_000, ("x",), (2,)),
        ('{"coords": ["nope"], "metadata": {}}', ("x",), (2,)),
        ('{"coords": [], "metadata": 3}', ("x",), (2,)),
        ("right", ("x", "x"), (2, 2)),
        ("right", ("seed",), (9,)),
        ("right", ("x", "seed"), (2, 2)),
    ],
)
def test_shards_of_another_form_are_refused(swept, attribute, axes, shape):
    key = next(Store(swept).read_plan().tasks()).key
    if attribute == "right":
        attribute = json.dumps({"coords": [], "metadata": {"key": key}})
    attributes = {} if attribute is None else {"festina": attribute}
    content = netcdf.pack(netcdf.Dataset({"x": Variable(axes, np.zeros(shape))}, attributes))
    Store(swept).shards.write(key, content)
    with pytest.raises(ValueError, match=r"nc was changed: "):
        fs.open_sweep(swept)


@pytest.mark.parametrize(
    "content",
    [
        "", "null", "[]", "3", '{"host": 1}', '{"host": "a", "pid": -1, "since": 0}', "[" * 9000, "\xff", "x" * 20_000,
        '{"host": "a", "pid": 1e400, "since": 0}',
    ],
)  # fmt: skip
def test_files_of_others_in_the_folder_do_not_stop_a_look(wave, swept, threads, content):
    shards(swept)[0].unlink()
    key = next(t.key for t in Store(swept).read_plan().tasks() if not Store(swept).shard(t.key).exists())
    (swept / "failed").mkdir(exist_ok=True)
    for folder in ("leases", "failed"):
        (swept / folder / f"{key}.json").write_text(content, encoding="latin-1")
    assert sweep_status(swept).done == 11
    (swept / "leases" / f"{key}.json").unlink()
    assert fs.sweep(wave, GRID, 3, out=swept, executor=threads, retry=True).complete


def test_what_is_told_of_failures_cannot_change_the_terminal(swept):
    shards(swept)[0].unlink()
    key = next(t.key for t in Store(swept).read_plan().tasks() if not Store(swept).shard(t.key).exists())
    (swept / "failed").mkdir(exist_ok=True)
    Store(swept).failure(key).write_text(json.dumps({"reason": "\x1b[2J\rhello\nthere"}))
    told = str(sweep_status(swept))
    assert "\\x1b[2J\\x0dhello\\x0athere" in told
    assert len(told.splitlines()) == 3


def test_only_files_of_the_sweep_are_ever_removed(wave, swept, tmp_path, threads):
    precious = swept / "leases" / "thesis.json"
    precious.parent.mkdir(exist_ok=True)
    precious.write_text("{}")
    shards(swept)[0].unlink()
    assert fs.sweep(wave, GRID, 3, out=swept, executor=threads).complete
    assert precious.exists()
    elsewhere = tmp_path / "elsewhere"
    shutil.move(swept / "leases", elsewhere)
    (swept / "leases").symlink_to(elsewhere)
    shards(swept)[0].unlink()
    with pytest.raises(ValueError, match=r"leases is a link to another folder"):
        fs.sweep(wave, GRID, 3, out=swept, executor=threads)


def test_pipes_in_the_folder_are_not_waited_for(swept):
    path = shards(swept)[0]
    path.unlink()
    os.mkfifo(path)
    assert "is not a file" in sweep_status(swept).corrupt[0]


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_link_among_the_shards_is_not_followed(wave, swept, tmp_path, threads, same):
    whole = fs.open_sweep(swept)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(swept / "shards", elsewhere)
    before = everything(elsewhere)
    path = shards(swept)[0]
    path.unlink()
    path.symlink_to(elsewhere / path.parent.name / path.name)
    with pytest.raises(ValueError, match=r"is a link, which could lead out of"):
        fs.open_sweep(swept)
    assert "is a link" in sweep_status(swept).corrupt[0]
    with pytest.warns(UserWarning, match="is a link.*it is computed again"):
        assert fs.sweep(wave, GRID, 3, out=swept, executor=threads).complete
    same(fs.open_sweep(swept), whole)
    assert not path.is_symlink()
    assert everything(elsewhere) == before


def test_a_link_to_a_folder_of_shards_is_not_followed(wave, swept, tmp_path, threads):
    elsewhere = tmp_path / "elsewhere"
    shutil.move(swept / "shards", elsewhere)
    (swept / "shards").mkdir()
    for folder in elsewhere.iterdir():
        (swept / "shards" / folder.name).symlink_to(folder)
    # one of them is cut off, which would have it moved and written again
    cut = next(elsewhere.rglob("*.nc"))
    cut.write_bytes(cut.read_bytes()[:-1])
    before = everything(elsewhere)
    with pytest.raises(ValueError, match="is a link"):
        fs.open_sweep(swept)
    with pytest.raises(ValueError, match="is a link to another folder; a sweep writes and removes files in its own"):
        fs.sweep(wave, GRID, 3, out=swept, executor=threads)
    assert everything(elsewhere) == before


def test_a_link_among_the_failures_is_not_read(wave, swept, tmp_path):
    (tmp_path / "private.json").write_text('{"reason": "a secret"}')
    path = shards(swept)[0]
    failure = swept / "failed" / f"{path.stem}.json"
    failure.parent.mkdir(exist_ok=True)
    failure.symlink_to(tmp_path / "private.json")
    path.unlink()
    status = sweep_status(swept)
    assert "secret" not in str(status)
    assert "is not a file of this sweep" in status.failed[0].reason
