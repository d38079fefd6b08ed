"""``festina sweep``, as a process: start, look, try again."""

import re
import subprocess
import sys

import pytest

import festina as fs


def festina(*words):
    command = [sys.executable, "-m", "festina", *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in run.stderr
    return run


def test_sweep_status_and_retry(wave, tmp_path):
    out = tmp_path / "results"
    words = (wave, "--set", "delta=0:3:4", "--set", "height=1,2", "--fix", "mood=raise", "--seeds", 3, "--out", out)
    run = festina("sweep", *words, "--workers", 1)
    assert run.returncode == 1
    assert f"wave in {out}: 8 of 16 done, 8 failed" in run.stdout
    assert "failed   delta=0.0 height=2.0 seeds=0…1: ArithmeticError: a wave of height 2.0 breaks" in run.stdout
    assert festina("sweep", "status", out).stdout == run.stdout
    data = fs.open_sweep(out)
    assert data["delta"].values.tolist() == [0, 1, 2, 3]
    assert data["seed"].values.tolist() == [0, 2]
    # what a folder says never chooses the code that is run
    again = festina("sweep", "retry", out)
    assert again.returncode == 64
    assert "a sweep of a file of your own; name it" in again.stderr


def test_library_experiments_are_swept_by_name(tmp_path):
    small = ("--fix=features=50,100", "--fix=draws=1", "--fix=trained=20", "--fix=hidden=4", "--fix=depth=2")
    run = festina("sweep", "structures", "--quick", "--set=flip=0.1,0.2", *small, f"--out={tmp_path / 'out'}")
    assert "structures in" in run.stdout, run.stderr
    data = fs.open_sweep(tmp_path / "out")
    assert data["flip"].values.tolist() == [0.1, 0.2]
    assert data["done"].all()
    assert data["errors.tree"].notnull().all()
    assert festina("sweep", "retry", tmp_path / "out").stdout == run.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope", "--out", "x"], r"experiment is 'nope'.*known are"),
        (["structures", "--set", "nope=1", "--out", "x"], r"setting of structures is 'nope'.*known are"),
        (["structures", "--set", "flip", "--out", "x"], r"option is 'flip'; NAME=VALUE is needed"),
        (["structures", "--set", "flip=0:1", "--out", "x"], r"flip is '0:1'; values are a,b,c or start:stop:count"),
        (["structures", "--dask", "a", "--slurm", "b=1", "--out", "x"], "dask and slurm are both given"),
        (["status", "x"], r"path is 'x', where there is no sweep"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = festina("sweep", *words)
    assert run.returncode == 64
    assert re.search(message, run.stderr), run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_importing_festina_does_not_import_what_sweeps_need():
    heavy = ("typer", "distributed", "submitit", "h5py", "h5netcdf", "xarray")
    code = f"import sys, festina; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
