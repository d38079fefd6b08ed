"""Failures do not stop the others, workers may die, two may work at once, and many tasks take no memory."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest
import study

import festina as fs
from festina.sweeps import _scheduler, _store, sweep_status
from festina.sweeps._scheduler import Answer, run_task
from festina.sweeps._store import Store

pytestmark = [pytest.mark.slow, pytest.mark.linux]

MANY = 20_000
"""Tasks of the sweep whose memory is measured."""

KEY = "ab" * 32

SLACK = 8e6
"""Bytes by which a process may grow for other reasons (allocator, caches); one object per task would be far more."""


class Instant(Executor):
    """Answers at once, without doing anything; remembers how often it was asked."""

    def __init__(self, answer=lambda job: Answer(job.key, "done")):
        self.answer, self.asked = answer, 0

    def submit(self, fn, /, job):
        self.asked += 1
        future = Future()
        future.set_result(self.answer(job))
        return future


def runs(folder):
    return {p.name: len(p.read_text().split()) for p in folder.iterdir()}


def test_failed_settings_do_not_stop_the_others_and_can_be_retried(wave, tmp_path, threads):
    mine, out = wave, tmp_path / "out"
    grid = {"height": [1, 2, 3], "waves": [1, 2]}
    status = fs.sweep(mine, grid, out=out, fixed={"mood": "raise"}, executor=threads)
    assert (status.done, status.total, len(status.failed)) == (2, 6, 4)
    assert status.failed[0].settings == "height=2.0 waves=1"
    assert status.failed[0].reason == "ArithmeticError: a wave of height 2.0 breaks"
    assert "in wave" in status.failed[0].path.read_text()
    assert str(status).splitlines()[1] == (
        "failed   4 × ArithmeticError: a wave of height 2.0 breaks (height=2.0 waves=1; height=2.0 waves=2; "
        f"height=3.0 waves=1; and 1 more), see {status.failed[0].path}"
    )
    assert "correct the cause and start the sweep again with retry" in str(status)
    data = fs.open_sweep(out)
    assert data["done"].sum() == 2
    assert np.isnan(data["wave"].sel(height=2.0)).all()
    # started again, failures are kept; retried, they fail again; and each retry is one run
    counted = Instant()
    fs.sweep(mine, grid, out=out, fixed={"mood": "raise"}, executor=counted)
    assert counted.asked == 0
    fs.sweep(mine, grid, out=out, fixed={"mood": "raise"}, executor=counted, retry=True)
    assert counted.asked == 4
    again = fs.sweep(mine, grid, out=out, fixed={"mood": "raise"}, executor=threads, retry=True)
    assert len(again.failed) == 4


def test_a_retry_that_succeeds_clears_the_failure(wave, tmp_path, threads, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda seed: 1 / 0)
        status = fs.sweep(wave, {"height": [1, 2]}, out=tmp_path / "out", executor=threads)
        assert [f.reason for f in status.failed] == ["ZeroDivisionError: division by zero"] * 2
    assert fs.sweep(wave, {"height": [1, 2]}, out=tmp_path / "out", executor=threads, retry=True).complete
    assert not list((tmp_path / "out" / "failed").iterdir())


def test_settings_that_a_function_does_not_allow_are_failures(wave, tmp_path, threads):
    status = fs.sweep(wave, {"waves": [2, -1]}, out=tmp_path / "out", executor=threads)
    assert status.done == 1
    assert status.failed[0].reason == "ValueError: waves is -1; a whole number >= 0 is needed."


def test_two_sweeps_at_once_share_the_work(wave, tmp_path, same):
    traces = tmp_path / "traces"
    traces.mkdir()
    arguments = {"grid": {"height": range(1, 25)}, "seeds": 4, "fixed": {"seconds": 0.05, "traces": str(traces)}}
    found = []

    def work():
        with ThreadPoolExecutor(4) as pool:
            found.append(fs.sweep(wave, out=tmp_path / "both", executor=pool, **arguments))

    both = [threading.Thread(target=work) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert [status.complete for status in found] == [True, True]
    assert set(runs(traces).values()) == {1}, "no task was run twice"
    with ThreadPoolExecutor(8) as pool:
        fs.sweep(wave, out=tmp_path / "one", executor=pool, **arguments)
    same(fs.open_sweep(tmp_path / "both"), fs.open_sweep(tmp_path / "one"))


def test_status_tells_what_runs(wave, tmp_path):
    with ThreadPoolExecutor(2) as pool, ThreadPoolExecutor(1) as beside:
        begun = beside.submit(
            fs.sweep, wave, {"height": [1, 2, 3]}, out=tmp_path / "out", fixed={"seconds": 0.4}, executor=pool
        )
        while not (tmp_path / "out" / "leases").is_dir() or len(sweep_status(tmp_path / "out").running) < 2:
            time.sleep(0.02)
            assert not begun.done(), begun.result()
        status = sweep_status(tmp_path / "out")
        assert f"by process {os.getpid()} on" in status.running[0]
        assert "0 of 3 done, 2 running, 1 waiting" in str(status)
        assert begun.result().complete
    assert not list((tmp_path / "out" / "leases").iterdir())


def test_leases_of_the_dead_are_taken_over(tmp_path, monkeypatch):
    with _store.lease(tmp_path, KEY) as ours, _store.lease(tmp_path, KEY) as theirs:
        assert (ours, theirs) == (True, False)
        [held] = _store.leases(tmp_path)
        assert (held.key, held.pid) == (KEY, os.getpid())
        # the same sign of a process that is gone, or of another machine that has been quiet for long
        path = tmp_path / f"{KEY}.json"
        path.write_text(path.read_text().replace(str(os.getpid()), str(2**22 - 1)))
        assert _store.leases(tmp_path) == []
        path.write_text('{"host": "elsewhere", "pid": 1, "since": 0}')
        assert len(_store.leases(tmp_path)) == 1
        os.utime(path, (0, 0))
        assert _store.leases(tmp_path) == []
        with _store.lease(tmp_path, KEY) as again:
            assert again
    monkeypatch.setattr(_store, "BEAT", 0.01)
    with _store.lease(tmp_path, KEY):
        os.utime(tmp_path / f"{KEY}.json", (0, 0))
        while (tmp_path / f"{KEY}.json").stat().st_mtime == 0:
            time.sleep(0.01)


def test_a_task_that_kills_its_worker_fails_alone(wave, tmp_path):
    import json

    traces = tmp_path / "traces"
    traces.mkdir()
    grid = {"mood": ["die", "", "die once"]}
    status = fs.sweep(wave, grid, out=tmp_path / "out", fixed={"traces": str(traces)}, workers=2)
    assert [f.settings for f in status.failed] == ["mood=die"]
    assert status.done == 2, "the one that ran beside it, and the one that was unlucky once, are done"
    assert (
        "its worker was lost 3 times (killed, or out of memory or time): BrokenProcessPool" in status.failed[0].reason
    )
    assert json.loads(status.failed[0].path.read_text())["settings"]["mood"] == "die"


def test_workers_that_can_run_nothing_end_the_sweep(wave, tmp_path):
    class Hopeless(Instant):
        def submit(self, fn, /, job):
            future = Future()
            future.set_exception(ModuleNotFoundError("no festina here"))
            return future

    with pytest.raises(RuntimeError, match=r"no worker can run any task.*ModuleNotFoundError: no festina here"):
        fs.sweep(wave, {"height": range(9)}, out=tmp_path / "out", executor=Hopeless())


def test_executors_that_are_lost_end_the_sweep(wave, tmp_path, monkeypatch):
    class Cancels(Instant):
        def submit(self, fn, /, job):
            future = Future()
            future.cancel()
            return future

    monkeypatch.setattr(_scheduler, "LOOK", 0.1)
    with pytest.raises(RuntimeError, match=r"the executor is lost \(CancelledError.*start again"):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=Cancels())
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(RuntimeError, match=r"the executor is lost \(RuntimeError: cannot schedule"):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=closed)

    class Broken(Instant):
        def submit(self, fn, /, job):
            raise BrokenProcessPool("a process has died")

    with pytest.raises(RuntimeError, match=r"the executor is lost \(BrokenProcessPool: a process has died"):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=Broken())


def test_workers_with_other_code_are_refused(wave, tmp_path):
    def other(job):
        return Answer(job.key, "refused", "a worker has other code: numpy 2 there, 1 here")

    with pytest.raises(ValueError, match=r"numpy 2 there, 1 here; give every worker the code"):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=Instant(other))


def test_a_worker_compares_its_code(wave, tmp_path, threads):
    jobs = []

    def keep(job):
        jobs.append(job)
        return Answer(job.key, "done")

    fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=Instant(keep))
    from dataclasses import replace

    changed = replace(jobs[0], code={**jobs[0].code, "scipy": "9"})
    assert run_task(changed).kind == "refused"
    assert "scipy 9 there" in run_task(changed).reason
    assert run_task(jobs[0]).kind == run_task(jobs[0]).kind == "done"


def test_tasks_in_flight_are_bounded(wave, tmp_path):
    class Watched(ThreadPoolExecutor):
        waiting = most = 0

        def submit(self, fn, /, *args):
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            future = super().submit(fn, *args)
            future.add_done_callback(self.less)
            return future

        def less(self, _):
            self.waiting -= 1

    for bound in (1, 5):
        with Watched(8) as pool:
            fs.sweep(wave, {"height": range(20)}, out=tmp_path / str(bound), executor=pool, in_flight=bound)
            assert pool.most == bound


COUNT = """
import gc, sys
from concurrent.futures import Executor, Future
import psutil
import festina as fs
from festina.sweeps import _sweep
from festina.sweeps._scheduler import Answer
sys.path.insert(0, sys.argv[1])
from study import wave

class Instant(Executor):
    asked = 0
    def submit(self, fn, /, job):
        self.asked += 1
        future = Future()
        future.set_result(Answer(job.key, "done"))
        return future

def grown(count):
    executor = Instant()
    gc.collect()
    before = psutil.Process().memory_info().rss
    grid = {"height": range(100), "waves": range(count // 100)}
    fs.sweep(wave, grid, out=f"{sys.argv[2]}/{count}", executor=executor)
    assert executor.asked == count
    return psutil.Process().memory_info().rss - before

# where they stand is not asked in the end: that takes as long again
_sweep.sweep_status = lambda path: None
grown(1000)
print(grown(int(sys.argv[3])))
"""
"""In a process of its own, where functions do not check their arguments' types and memory is nobody else's."""


def test_memory_does_not_grow_with_the_number_of_tasks(tmp_path):
    command = [sys.executable, "-c", COUNT, os.path.dirname(study.__file__), str(tmp_path), str(MANY)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < SLACK


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"workers": 0}, "workers is 0; a whole number >= 1"),
        ({"in_flight": 0}, "in_flight is 0; a whole number >= 1"),
        ({"workers": 2, "executor": Instant()}, "workers is 2 and an executor is given"),
    ],
)
def test_arguments_are_checked(wave, tmp_path, named, message):
    with pytest.raises(ValueError, match=message):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", **named)


def test_a_lease_that_a_killed_worker_left_beside_its_shard_is_removed(wave, tmp_path):
    fs.sweep(wave, {"waves": [1]}, out=tmp_path / "out", workers=1)
    left = tmp_path / "out" / "leases" / f"{'a' * 64}.json"
    left.write_text(f'{{"host": "{socket.gethostname()}", "pid": {2**22 - 1}, "since": 0}}')
    held = left.with_name(f"{'b' * 64}.json")
    held.write_text(f'{{"host": "{socket.gethostname()}", "pid": {os.getpid()}, "since": 0}}')
    Store(tmp_path / "out").tidy()
    assert (left.exists(), held.exists()) == (False, True)


def test_a_function_that_calls_exit_fails_alone(wave, tmp_path, threads):
    for name, executor in (("threads", threads), ("processes", None)):
        status = fs.sweep(wave, {"mood": ["leave", ""]}, out=tmp_path / name, executor=executor)
        assert status.done == 1
        assert [(f.settings, f.reason) for f in status.failed] == [("mood=leave", "SystemExit: a wave leaves")]


# a shell that runs the tests in the background has its children ignore Ctrl-C
HANGING = """
import signal
import sys
import festina as fs
sys.path.insert(0, sys.argv[1])
from study import wave
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fs.sweep(wave, {"mood": ["hang", ""]}, out=sys.argv[2], workers=2)
"""


class SilentError(Exception):
    def __str__(self):
        raise RuntimeError("it does not say")


def raises(kind: str):
    if kind == "long":
        raise ValueError("x" * 10**7)
    raise {"cancelled": asyncio.CancelledError("cut"), "silent": SilentError()}[kind]


def test_unusual_errors_are_failures_of_their_settings_alone(tmp_path, threads):
    status = fs.sweep(raises, {"kind": ["cancelled", "silent", "long"]}, out=tmp_path / "out", executor=threads)
    cancelled, silent, long = (failure.reason for failure in status.failed)
    assert cancelled == "CancelledError: cut"
    assert silent == "SilentError"
    assert long.startswith("ValueError: xxx")
    assert len(long) < 10_000


def test_ctrl_c_ends_a_sweep_whose_function_hangs(tmp_path):
    """The function never gives Python's lock back, so that its process cannot end by itself."""
    script, out = tmp_path / "script.py", tmp_path / "out"
    script.write_text(HANGING)
    command = [sys.executable, str(script), str(Path(__file__).parent), str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while not list(out.glob("shards/*/*.nc")) or not list(out.glob("leases/*")):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=120)[1]
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert said.strip().endswith("KeyboardInterrupt")
    assert said.count("Traceback") == 1, "workers say nothing"
    assert not [path for path in out.rglob("*") if path.suffix in (".part", ".json") and path.name != "sweep.json"]
    assert fs.open_sweep(out)["done"].values.tolist() == [False, True]
