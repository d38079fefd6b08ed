"""``festina sweep``, as a process: start, look, try again; the code that runs is named on the command line."""

import json
import os
import re
import subprocess
import sys
from typing import Literal

import pytest

import festina as fs
from festina.cli._main import main
from festina.cli._run import _parser, _typed
from festina.cli._sweep import _fixed, read_values, read_word
from festina.papers import find, names
from festina.papers.settings import kinds

pytestmark = pytest.mark.slow

EXPERIMENT = '''"""Does a wave do what it is told?

It does.

Source: saxe2014.
"""

from dataclasses import dataclass

import numpy as np

import breaking
from festina.papers import Claim, Results, panel, setting


@dataclass(frozen=True)
class Settings:
    """The settings."""

    height: float = setting(1.0, "height of the wave")
    deltas: tuple[float, ...] = setting((0.0, 0.5), "places at which it is looked at")
    seed: int = setting(0, "first seed", least=0)
    seeds: int = setting(2, "number of seeds", least=1)

    def __post_init__(self) -> None:
        if self.height < 0:
            raise ValueError(f"height is {self.height}; a number >= 0 is needed.")


quick = Settings(height=0.5)
caption = "It does. (a) A wave."


def compute(settings):
    if settings.height > breaking.HEIGHT:
        raise ArithmeticError(f"a wave of height {settings.height} breaks")
    return Results(settings, wave=settings.height * np.sin(settings.deltas))


@panel("Wave")
def wave(c, ax):
    ax.plot(c.wave)


claims = (
    Claim("small", "the wave is small", lambda c: c.wave.max(), 1.0, source="saxe2014"),
    Claim("rises", "it rises", lambda c: np.diff(c.wave).min(), 0.0, ">=", source="saxe2014"),
)
'''
FUNCTION = """
import breaking

def wave(height: float, kind: str = "sine", seed: int = 0):
    return {"crest": breaking.HEIGHT - height + seed}
"""


@pytest.fixture
def mine(tmp_path):
    """A folder of the user's: an experiment, a function, and a module that both import."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "surf.py").write_text(EXPERIMENT)
    (folder / "functions.py").write_text(FUNCTION)
    (folder / "breaking.py").write_text("HEIGHT = 1.5\n")
    return folder


def called(capsys, *words):
    """The command line in this process: exit code, what was printed, what was said."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["sweep", *map(str, words)])
    return ended.value.code, *capsys.readouterr()


def festina(*words):
    command = [sys.executable, "-m", "festina", *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in run.stderr
    return run


def test_sweep_status_and_retry_of_a_file(mine, tmp_path, capsys):
    out, file = tmp_path / "results", mine / "surf.py"
    words = ("--set", "delta=0:3:4", "--set", "height=1,2", "--seeds", 3, "--out", out, "--workers", 1)
    run = festina("sweep", file, *words)
    assert run.returncode == 1
    assert f"festina: surf into {out}: 0 of 16 tasks" in run.stderr, "something is said from the beginning"
    assert f"surf in {out}: 8 of 16 done, 8 failed" in run.stdout
    assert "failed   8 × ArithmeticError: a wave of height 2.0 breaks (delta=0.0 height=2.0 seeds=0…1; " in run.stdout
    assert "next     correct the cause" in run.stdout
    assert called(capsys, "status", out) == (1, run.stdout, "")
    data = fs.open_sweep(out)
    assert data["delta"].values.tolist() == [0, 1, 2, 3]
    assert data["claim.small.status"].sel(delta=0, height=1).values.tolist() == ["holds", "holds"]
    assert data["claim.rises.status"].sel(delta=0, height=1).values.tolist() == ["open", "open"]
    # a folder does not name code, so that the code is named again
    code, _, told = called(capsys, "retry", out)
    assert code == 2
    assert "Missing argument" in told
    assert festina("sweep", "retry", file, out, "--workers", 1).stdout == run.stdout
    (mine / "breaking.py").write_text("HEIGHT = 2.5\n")
    code, _, told = called(capsys, "retry", file, out)
    assert code == 64
    assert "holds the same sweep by other code (breaking.py has changed)" in told
    sys.modules.pop("breaking")


def test_a_function_in_a_file_is_swept(mine, tmp_path, capsys):
    words = ("--set", "height=1,2", "--fix", "kind=a:b", "--seeds", 2, "--out", tmp_path / "out", "--workers", 1)
    run = festina("sweep", f"{mine / 'functions.py'}:wave", *words)
    assert run.returncode == 0, run.stderr
    assert f"next     data = fs.open_sweep('{tmp_path / 'out'}')" in run.stdout
    data = fs.open_sweep(tmp_path / "out")
    assert data["crest"].values.tolist() == [[0.5, 1.5], [-0.5, 0.5]]
    assert json.loads(data.attrs["settings"])["kind"] == "a:b"
    code, _, told = called(capsys, f"{mine / 'functions.py'}:nope", *words)
    assert code == 64
    assert re.search(r"the functions in .*functions.py are: wave", told)
    for name in ("functions", "breaking"):
        sys.modules.pop(name)


def test_library_experiments_are_swept_by_name(tmp_path, capsys):
    small, out = ("--fix=lambdas=0.0,0.1", "--fix=strengths=1.0"), tmp_path / "out"
    run = festina("sweep", "reversal", "--quick", "--set=span=0.5,1.0", *small, f"--out={out}", "--workers=1")
    assert "reversal in" in run.stdout, run.stderr
    data = fs.open_sweep(out)
    assert data["span"].values.tolist() == [0.5, 1.0]
    assert data["done"].all()
    assert [name for name in data if str(name).startswith("claim.") and str(name).endswith(".status")]
    code = json.loads(data.attrs["code"])
    assert "festina/papers/experiments/reversal.py" in code or "reversal.py" in code
    assert "structures.py" not in str(code), "only the files of the experiment count"
    assert called(capsys, "retry", "reversal", out)[:2] == (run.returncode, run.stdout)
    # another experiment of the library is not what is in the folder
    code, _, told = called(capsys, "retry", "regimes", out)
    assert code == 64
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["evil.py", "s/evil.py", "../evil.py", "evil", "__main__"])
def test_a_folder_never_decides_what_runs(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "s"
    folder.mkdir()
    for place in (tmp_path / "evil.py", folder / "evil.py"):
        place.write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n" + EXPERIMENT)
    told = {"format": "festina sweep 2", "function": name, "experiment": name, "file": False, "quick": False,
            "base": {}, "axes": [{"name": "height", "field": "height", "values": [1.0]}], "seeds": None, "dims": {},
            "code": {}}  # fmt: skip
    (folder / "sweep.json").write_text(json.dumps(told))
    for words in (("retry", folder), ("retry", "structures", folder), ("status", folder)):
        assert called(capsys, *words)[0] in (1, 2, 64)
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope", "--out", "x"], r"experiment 'nope'.*Known"),
        (["nope.py:f", "--out", "x"], r"there is no file 'nope.py'"),
        (["structures", "--set", "nope=1", "--out", "x"], r"setting of structures 'nope'.*Known"),
        (["structures", "--set", "flip", "--out", "x"], r"option is 'flip'; NAME=VALUE is needed"),
        (["structures", "--set", "flip=0:1", "--out", "x"], r"flip is '0:1'; values are a,b,c or start:stop:count"),
        (["structures", "--set", "flip=1:2:999999999999", "--out", "x"], "which is 999999999999 values; at most"),
        (["structures", "--slurm", "partition=a\nb", "--out", "x"], "partition is 'a.*without line breaks"),
        (["structures", "--dask", "a", "--slurm", "b=1", "--out", "x"], "dask and slurm are both given"),
        (["status", "x"], r"path is '.*x', where there is no sweep"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, _, told = called(capsys, *words)
    assert code == 64
    assert re.search(message, told), told
    assert len(told.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_values_as_typed():
    assert read_values("a", "0:3:4", float) == [0, 1, 2, 3]
    assert read_values("a", "1e-4:1:5:log", float) == pytest.approx([1e-4, 1e-3, 1e-2, 1e-1, 1])
    assert read_values("a", "1,2.5", float) == [1, 2.5]
    assert read_values("a", "true,false", bool) == [True, False]
    assert read_values("a", "deep,1:2", str) == ["deep", "1:2"]
    assert read_values("a", "sgd", Literal["sgd", "adam"]) == ["sgd"]
    assert read_values("a", "3,none", int | None) == [3, None]
    wrong = ("0:1", "0:1:0", "0:1:2:cubic", "a:1:3", "0:1:2:log:3", "-1:1:3:log", "0:1:3:log", "0:inf:3", "0:nan:3",
             "0:1:-3", "0:1:2.5", "0:1_0:3")  # fmt: skip
    for text in wrong:
        with pytest.raises(ValueError, match=r"a is .*start:stop:count"):
            read_values("a", text, float)
    for text in ("1:2:1000001", "1:2:999999999999", "1:2:" + "9" * 4000):
        with pytest.raises(ValueError, match=r"at most 1000000 are allowed"):
            read_values("a", text, float)
    for text in ("x", "1_0"):
        with pytest.raises(ValueError, match=rf"a is '{text}'; a number is needed"):
            read_word("a", text, float)


def test_importing_festina_does_not_import_what_sweeps_need():
    heavy = ("typer", "distributed", "submitit", "h5py", "h5netcdf", "xarray")
    code = f"import sys, festina; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_retry_on_the_folder_of_a_stranger_stays_inside_it(mine, tmp_path, capsys):
    """The stranger declared the same sweep, and left links, a pipe, an endless number of seeds and hostile words."""
    folder, outside = tmp_path / "results", tmp_path / "outside"
    function = f"{mine / 'functions.py'}:wave"
    assert called(capsys, function, "--set", "height=1,2", "--out", folder)[0] == 0
    outside.mkdir()
    (outside / "thesis").write_text("precious")
    shard = next(folder.glob("shards/*/*.nc"))
    shard.unlink()
    os.mkfifo(shard)
    (folder / "failed").mkdir(exist_ok=True)
    (folder / "failed" / f"{shard.stem}.json").symlink_to(outside / "thesis")
    (folder / "partial" / "host.1.x.part").symlink_to(outside / "thesis")
    code, told, _ = called(capsys, "status", folder)
    assert (code, "precious" in told) == (1, False)
    with pytest.warns(UserWarning, match="is not a file"):
        assert called(capsys, "retry", function, folder, "--workers", 1)[0] == 0
    for name in ("leases", "partial", "corrupt", "failed", "shards"):
        kept = tmp_path / "kept"
        (folder / name).rename(kept)
        (folder / name).symlink_to(outside)
        code, _, said = called(capsys, "retry", function, folder)
        assert code == 64
        assert f"{name} is a link to another folder" in said
        (folder / name).unlink()
        kept.rename(folder / name)
    told = json.loads((folder / "sweep.json").read_text())
    for change in ({"base": {"kind": "\x1b[31m"}}, {"function": "os.system"}, {"code": {}}, {"base": {"seed": "x"}}):
        (folder / "sweep.json").write_text(json.dumps(told | change))
        code, _, said = called(capsys, "retry", function, folder)
        assert code == 64
        assert "\x1b" not in said
    assert [path.read_text() for path in outside.iterdir()] == ["precious"]


def test_groups_of_every_experiment_are_read_as_they_are_shown():
    read = 0
    for name in names():
        settings = find(name).settings()
        for key, kind in kinds(settings).items():
            given = getattr(settings, key)
            if isinstance(given, tuple) and isinstance(given[0], tuple):
                assert _parser(kind)(_typed(given)) == _fixed(key, _typed(given), kind) == given
                read += 1
    assert read >= 5
