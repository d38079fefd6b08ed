"""A run that is stopped, by whatever and wherever, goes on to the same numbers; what is not whole is never used."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import optax
import pytest

import festina as fs
from festina.cli import main
from festina.methods import _checkpoint, _engine, _step

pytestmark = [pytest.mark.slow, pytest.mark.linux]

RATE, TIMES = 0.05, np.linspace(0, 3, 9)
OBSERVE = ("loss", "weights")

KINDS = {
    "gd": {},
    "momentum": {"optimiser": "momentum"},
    "one of optax": {"optimiser": optax.lion},
    "batches and adam": {"batch": 7, "optimiser": "adam", "precision": "single", "batching": "map"},
}

SCRIPT = """
import os, signal, sys
from pathlib import Path
import numpy as np
import festina as fs
from festina.methods import _checkpoint, _engine

folder, kills, when = sys.argv[1], int(sys.argv[2]), sys.argv[3]
_engine.CALL, _checkpoint.SHARE = 0.02, 1e9
rename, done = os.replace, 0

def replace(source, target):
    global done
    done += 1
    if done == kills and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    rename(source, target)
    if done == kills:
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = replace
rng = np.random.default_rng(3)
task = fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))
network = fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.1))
print("begins", flush=True)
with fs.checkpoints(folder, every=0):
    fs.evolve(network, task, np.linspace(0, 3000, 40), method=fs.Train(rate=0.05, batch=7), seeds=3,
              observe=("loss", "weights"))
"""


class StoppedError(RuntimeError):
    """What the tests stop a run with."""


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(3)
    return fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))


@pytest.fixture
def stop(monkeypatch):
    """``stop(n)``: cut runs into single steps, keep each, and stop at the n-th; ``stop(None)``: never again."""
    save = _checkpoint.Checkpoint.save
    monkeypatch.setattr(_checkpoint, "SHARE", math.inf)

    def set_stop(count, call=0.0):
        left = [count]
        monkeypatch.setattr(_engine, "CALL", call)

        def stopping(self, *arguments):
            kept = save(self, *arguments)
            if left[0] is not None:
                left[0] -= 1
                if left[0] == 0:
                    raise StoppedError
            return kept

        monkeypatch.setattr(_checkpoint.Checkpoint, "save", stopping)

    return set_stop


def network(**settings):
    return fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.1), **settings)


def train(task, times=TIMES, net=None, **settings):
    method = fs.Train(**{"rate": RATE, **settings})
    return fs.evolve(net or network(), task, times, method=method, seeds=3, observe=OBSERVE)


def same(a, b):
    np.testing.assert_array_equal(a.loss, b.loss)
    for ours, theirs in zip(a.weights, b.weights, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(a.times, b.times)
    assert a.loss.dtype == b.loss.dtype


@pytest.mark.parametrize("kind", KINDS)
def test_a_stopped_run_goes_on_to_the_same_numbers(task, tmp_path, stop, kind):
    whole = train(task, **KINDS[kind])
    with fs.checkpoints(tmp_path, every=0):
        for count in (3, 20):
            stop(count)
            with pytest.raises(StoppedError):
                train(task, **KINDS[kind])
        stop(None)
        run = train(task, **KINDS[kind])
    # steps 3 and 23 were the last kept: an epoch of two steps is broken off in both
    assert run.notes["continued_from"] == 23
    same(run, whole)


def test_dropout_with_adam_goes_on_to_the_same_numbers(task, tmp_path, stop):
    def run():
        train = fs.Train(0.05, optimiser="adam", batch=6)
        network = fs.FeedForward((5, 5), dropout=0.2)
        return fs.evolve(network, task, np.linspace(0, 3, 5), method=train, seeds=2, observe=("loss", "hidden"))

    whole = run()
    with fs.checkpoints(tmp_path, every=0):
        stop(13)
        with pytest.raises(StoppedError):
            run()
        stop(None)
        again, finished = run(), run()
    assert (again.notes["continued_from"], finished.notes["continued_from"]) == (13, 60)
    for other in (again, finished):
        np.testing.assert_array_equal(other.loss, whole.loss)
        np.testing.assert_array_equal(other["hidden"][0], whole["hidden"][0])


def killed(folder, count=0, when="after", *, wait=None):
    """Run the script until it kills itself at a rename, or is killed after some seconds; whether it was."""
    words = [sys.executable, "-c", SCRIPT, str(folder), str(count), when]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, "JAX_PLATFORMS": "cpu"}) as process:
        if wait is not None:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(wait)
            process.kill()
        return process.wait() == -signal.SIGKILL


def test_kill_9_loses_nothing_and_changes_nothing(task, tmp_path):
    # a run renames parts and states in turn; before and after a rename are the moments that matter
    for count, when in ((3, "after"), (6, "before")):
        assert killed(tmp_path, count, when)
    assert killed(tmp_path, wait=random.Random(0).uniform(1.0, 3.0)) or list(tmp_path.glob("*/state"))
    settings = {"times": np.linspace(0, 3000, 40), "batch": 7}
    whole = train(task, **settings)
    with fs.checkpoints(tmp_path):
        run = train(task, **settings)
    assert run.notes["continued_from"] > 0
    assert len(list(tmp_path.iterdir())) == 1
    same(run, whole)


def test_a_finished_run_is_read_and_not_compiled(task, tmp_path, monkeypatch):
    first = train(task, checkpoint=tmp_path)
    assert first.notes["continued_from"] == 0
    monkeypatch.setattr(_engine, "compiled", None)
    again = train(task, checkpoint=tmp_path)
    assert again.notes["continued_from"] == 60
    same(first, again)
    assert "checkpoint" not in repr(fs.Train(rate=RATE, checkpoint=tmp_path))


def test_whatever_matters_makes_another_run(task, tmp_path):
    rng = np.random.default_rng(4)
    other = fs.Task(rng.standard_normal((20, 4)), rng.standard_normal((20, 3)))
    runs = [
        lambda: train(task),
        lambda: train(other),
        lambda: train(task, rate=0.06, times=0.06 * np.rint(TIMES / RATE)),  # the same steps
        lambda: train(task, times=TIMES[:-1]),
        lambda: train(task, optimiser="momentum"),
        lambda: train(task, optimiser="momentum", momentum=0.8),
        lambda: train(task, optimiser=optax.sgd(0.1)),
        lambda: train(task, optimiser=optax.sgd(0.2)),
        lambda: train(task, net=fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.2))),
        lambda: train(task, net=fs.ReLU(hidden=(5,), initial=fs.initial.Gaussian(0.1))),
        lambda: fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE), seed=1, seeds=3, observe=OBSERVE),
        lambda: fs.evolve(network(), task, TIMES, method=fs.Train(rate=RATE), seeds=3),
    ]
    with fs.checkpoints(tmp_path):
        for count, run in enumerate(runs, 1):
            assert run().notes["continued_from"] == 0
            assert len(list(tmp_path.iterdir())) == count
        assert train(task, optimiser=optax.sgd(0.1)).notes["continued_from"] == 60  # by what it does, not by its name


def test_other_versions_make_another_run(task, tmp_path, monkeypatch):
    train(task, checkpoint=tmp_path)
    monkeypatch.setattr(_engine, "_versions", lambda: {"engine": "another"})
    assert train(task, checkpoint=tmp_path).notes["continued_from"] == 0


@pytest.mark.parametrize("victim", ["state", "part"])
@pytest.mark.parametrize("harm", ["cut", "flip", "swap", "lose"])
def test_what_is_not_whole_is_named_and_done_again(task, tmp_path, victim, harm):
    whole = train(task, checkpoint=tmp_path)
    (path,) = tmp_path.glob(f"*/{victim}*")
    image = path.read_bytes()
    if harm == "cut":
        path.write_bytes(image[:-200])
    elif harm == "flip":
        path.write_bytes(image[:300] + bytes([image[300] ^ 1]) + image[301:])
    elif harm == "swap":
        train(task, rate=0.04, checkpoint=tmp_path / "other")
        (other,) = (tmp_path / "other").glob(f"*/{victim}*")
        path.write_bytes(other.read_bytes())
    else:
        path.unlink()
    if (victim, harm) == ("state", "lose"):
        again = train(task, checkpoint=tmp_path)
    else:
        with pytest.warns(UserWarning, match=rf"{path.name}.* starts again"):
            again = train(task, checkpoint=tmp_path)
    assert again.notes["continued_from"] == 0
    same(again, whole)
    assert train(task, checkpoint=tmp_path).notes["continued_from"] == 60


def test_a_full_disk_is_told_and_does_not_stop_the_run(task, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    whole = train(task)
    monkeypatch.setattr(os, "replace", full)
    with fs.checkpoints(tmp_path, every=0), pytest.warns(UserWarning, match=r"no checkpoint in .*No space left"):
        same(train(task), whole)
    assert not list(tmp_path.glob("*/*"))


def test_what_could_not_be_kept_is_kept_the_next_time(task, tmp_path, stop, monkeypatch):
    rename, calls = os.replace, []

    def now_and_then(source, target):
        calls.append(target)
        if len(calls) % 3 == 0:
            raise OSError(28, "No space left on device")
        rename(source, target)

    whole = train(task)
    monkeypatch.setattr(os, "replace", now_and_then)
    stop(31)
    with (
        pytest.raises(StoppedError),
        fs.checkpoints(tmp_path, every=0),
        pytest.warns(UserWarning, match=r"no checkpoint"),
    ):
        train(task)
    monkeypatch.setattr(os, "replace", rename)
    stop(None)
    with fs.checkpoints(tmp_path, every=0):
        run = train(task)
    assert run.notes["continued_from"] > 20
    same(run, whole)


def test_slow_checkpoints_become_rarer(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    kept = _checkpoint.Checkpoint(tmp_path, "0" * 64, 30.0)

    def slow(*_):
        clock[0] += 10.0

    monkeypatch.setattr(kept, "_write", slow)
    assert not kept.passed
    clock[0] = 30.0
    assert kept.passed
    kept.save([], [], {})
    assert kept.due == pytest.approx(40 + 10 / _checkpoint.SHARE)


def test_only_what_was_used_is_removed(task, tmp_path):
    folder = tmp_path / "kept"
    with fs.checkpoints(folder):
        train(task, rate=0.04)
    with fs.checkpoints(folder) as kept:
        train(task)
        assert len(list(folder.iterdir())) == 2
        kept.remove()
        assert len(list(folder.iterdir())) == 1
        train(task, rate=0.04)
        kept.remove()
    assert not folder.exists()
    assert "continued_from" not in train(task).notes


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(ValueError, match=r"folder is .*file', which cannot be made a folder \(File exists\)"),
        fs.checkpoints(tmp_path / "file"),
    ):
        pass
    with pytest.raises(ValueError, match=r"every is -1; a number >= 0"), fs.checkpoints(tmp_path, every=-1):
        pass


def test_an_experiment_goes_on_from_the_command_line(tmp_path, stop, capsys):
    words = ["run", "transition", "--deltas", "0.5,2", "--seeds", "2", "--json"]

    def run(folder, *more):
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([*words, "--out", str(folder), *more])
        return end.value.code, capsys.readouterr()

    verdict, whole = run(tmp_path / "whole")
    assert verdict != 64
    assert not list((tmp_path / "whole").glob("*.checkpoints"))
    stop(1, _engine.CALL)
    assert run(tmp_path)[0] == 64
    assert list((tmp_path / "transition.checkpoints").glob("*/state"))
    stop(None, _engine.CALL)
    code, again = run(tmp_path)
    assert code == verdict
    assert "continuing the run that was stopped" in again.err
    assert json.loads(again.out) == json.loads(whole.out)
    assert not (tmp_path / "transition.checkpoints").exists()
    stop(1, _engine.CALL)
    assert run(tmp_path)[0] == 64
    stop(None, _engine.CALL)
    code, fresh = run(tmp_path, "--fresh")
    assert code == verdict
    assert "left off" not in fresh.err


def test_nothing_is_compiled_twice_for_a_checkpoint(task, tmp_path):
    train(task)
    before = _step.compiled.cache_info().misses
    with fs.checkpoints(tmp_path / "a"):
        train(task)
    assert _step.compiled.cache_info().misses == before
    assert Path(tmp_path / "a").is_dir()
