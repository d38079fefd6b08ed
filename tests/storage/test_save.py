"""What is saved is the old file or the new one, whatever stops the writer; links are replaced and never followed."""

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest

import festina as fs
import own_experiment
from festina.papers import find
from festina.storage.store import replace, save

ROOT = Path(fs.__file__).parent


def savers(folder):
    """Everything that has a method to save itself, by the name of the file that is written."""
    line = np.linspace(0.1, 1, 5)[:, None, None] * np.array([[0.0], [1.0]])
    seen = fs.probe.Recording(np.arange(5.0), [[0.0], [1.0]], [[0.0], [1.0]], line, {"hidden": line})
    found = fs.explain([np.eye(2), np.ones((1, 2))], x=[[1, 0], [0, 1], [1, 1]], y=[[1.0], [1.5], [2]])
    rows = {"subject": ["a"] * 2, "session": [1] * 2, "contrast": [-0.5, 0.5], "choice": [0, 1], "reward": [1, 1]}
    table = fs.behaviour.read_table(rows)
    (folder / "own.py").write_text(own_experiment.FILE)
    own = find(str(folder / "own.py"))
    run = own.run(own.settings(quick=True))
    return {
        "run.nc": fs.Trajectory.from_arrays(np.arange(4.0), np.arange(4.0)[::-1]).save,
        "seen.npz": seen.save,
        "page.html": found.save_html,
        "page.json": found.save_json,
        "table.csv": table.write,
        "table.parquet": table.write,
        "own.json": lambda path: run.save(path.parent),
        "own.png": lambda path: run.save(path.parent),
    }


@pytest.fixture(scope="module")
def all_savers(tmp_path_factory):
    """They draw nothing, which takes long: a figure is a line of text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("matplotlib.figure.Figure.savefig", lambda self, file, **_: write_figure(file))
        yield savers(tmp_path_factory.mktemp("own"))


def write_figure(file):
    if isinstance(file, str | Path):
        Path(file).write_bytes(b"a figure, in place")
    else:
        file.write(b"a figure, elsewhere")


@contextlib.contextmanager
def full(most):
    """A disk on which a file can have only so many bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


NAMES = ("run.nc", "seen.npz", "page.html", "page.json", "table.csv", "table.parquet", "own.json",
         "own.png")  # fmt: skip


@pytest.mark.linux
@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_leaves_the_old_file(tmp_path, all_savers, name):
    path = tmp_path / name
    all_savers[name](path)
    old = {each: each.read_bytes() for each in tmp_path.iterdir()}
    with full(10), pytest.raises(ValueError, match=rf"{re.escape(str(tmp_path))}.*cannot be written \(File too large"):
        all_savers[name](path)
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == old


@pytest.mark.parametrize("name", NAMES)
def test_a_link_is_replaced_and_its_target_is_left_alone(tmp_path, all_savers, name):
    (tmp_path / "out").mkdir()
    path, target = tmp_path / "out" / name, tmp_path / "target"
    target.write_bytes(b"precious")
    path.symlink_to(target)
    all_savers[name](path)
    assert target.read_bytes() == b"precious"
    assert not path.is_symlink()
    assert path.stat().st_size > 10
    assert not list((tmp_path / "out").glob("*.part"))


@pytest.mark.linux  # in /proc nobody can make files
@pytest.mark.parametrize("name", NAMES)
def test_a_folder_that_cannot_be_written_is_named(all_savers, name):
    with pytest.raises(ValueError, match=r"is '/proc/.*', which cannot be written"):
        all_savers[name](Path("/proc") / name)


@pytest.mark.linux
def test_a_device_is_not_replaced(tmp_path):
    with pytest.raises(ValueError, match=r"out is '/dev/null', which cannot be written \(it is there already and not"):
        save("out", Path("/dev/null"), "text")
    (tmp_path / "null").symlink_to("/dev/null")
    with pytest.raises(OSError, match="not a file"):
        replace(tmp_path / "null", b"text")


def test_an_interrupt_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    def interrupted(file):
        raise KeyboardInterrupt

    path = tmp_path / "page.html"
    save("path", path, "old")
    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save("path", path, "new")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


WRITES = re.compile(r"""write_text\(|write_bytes\(|open\([^)]*["'][wax]b?["']|to_parquet\(\w*path|"""
                    r"to_csv\((?!index)\w|savefig\((?!stream|data|image|buffer)|"
                    r"np\.savez?(?:_compressed)?\((?!content|buffer)")  # fmt: skip
ALLOWED = {
    "storage/store.py": "the writer itself",
    "runtime/program.py": "writes into a temporary folder of its own",
    "sweeps/_store.py": "links the declaration into place, so that of two sweeps one declares; makes leases",
}


def test_every_file_is_written_by_the_one_writer():
    shown = (">>>", "...")
    written = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if any(WRITES.search(t) for t in path.read_text().splitlines() if not t.lstrip().startswith(shown))
    }
    assert written == set(ALLOWED)
