"""The same sweep on a real Dask cluster and on a real SLURM, with workers that are killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from typing import Any

import pytest
import study

import festina as fs
from festina.sweeps import Dask, Slurm, _cluster, _store, sweep_status
from festina.sweeps._cluster import check_option, read_minutes

pytestmark = [pytest.mark.slow, pytest.mark.linux]

GRID = {"height": list(range(1, 7)), "waves": [1, 2]}


@pytest.fixture
def told(wave, tmp_path, threads):
    """Arguments of a sweep, and what it gives where nothing happens to it."""
    traces = tmp_path / "traces"
    traces.mkdir()
    arguments = {"function": wave, "grid": GRID, "seeds": 4, "fixed": {"seconds": 0.1, "traces": str(traces)}}
    fs.sweep(**arguments, out=tmp_path / "whole", executor=threads)
    return arguments, fs.open_sweep(tmp_path / "whole")


@pytest.fixture
def dask_cluster():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


class Beside(threading.Thread):
    """A sweep that runs beside the test."""

    def __init__(self, **arguments):
        super().__init__()
        self.arguments: dict[str, Any] = arguments
        self.status: Any = None
        self.error: Exception | None = None
        self.start()

    def run(self):
        try:
            self.status = fs.sweep(**self.arguments)
        except Exception as error:
            self.error = error

    def await_work(self, most=60):
        """Process ids of workers at a task."""
        until = time.monotonic() + most
        # a lease made this moment does not say yet whose it is
        while not (found := [held.pid for held in _store.leases(self.arguments["out"] / "leases") if held.pid]):
            assert self.is_alive(), self.error
            assert time.monotonic() < until
            time.sleep(0.01)
        return found


def test_dask_with_two_workers_one_of_which_dies(dask_cluster, told, tmp_path, same):
    arguments, whole = told
    workers = set(dask_cluster.run(os.getpid).values())
    assert len(workers) == 2
    executor = Dask(dask_cluster)
    assert executor.capacity == 4
    beside = Beside(**arguments, out=tmp_path / "out", executor=executor)
    victim = beside.await_work()[0]
    # a cluster on a busy machine may have replaced a worker since
    assert victim in workers | set(dask_cluster.run(os.getpid).values())
    os.kill(victim, signal.SIGKILL)
    beside.join()
    assert beside.error is None
    assert beside.status.complete
    same(fs.open_sweep(tmp_path / "out"), whole)
    executor.shutdown()
    assert dask_cluster.status == "running", "the client was given, so it stays"


def test_dask_whose_scheduler_is_lost(told, tmp_path, threads, same):
    from distributed import LocalCluster

    arguments, whole = told
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1")
    executor = Dask(cluster.scheduler_address)
    beside = Beside(**arguments, out=tmp_path / "out", executor=executor)
    beside.await_work()
    cluster.close()
    beside.join()
    assert isinstance(beside.error, RuntimeError)
    assert "the executor is lost" in str(beside.error)
    executor.shutdown()
    assert not sweep_status(tmp_path / "out").complete
    assert fs.sweep(**arguments, out=tmp_path / "out", executor=threads).complete
    same(fs.open_sweep(tmp_path / "out"), whole)


def task_of(number):
    """The number, and the task of Dask in which it is asked for."""
    from distributed import get_worker

    if number < 0:
        raise ArithmeticError(f"{number} is below zero")
    return number, get_worker().get_current_task()


def test_short_calls_share_a_task_of_dask_and_one_that_fails_fails_alone(dask_cluster):
    with Dask(dask_cluster) as executor:
        for _ in range(3):  # how long calls take has to be learned
            answers = [future.result() for future in [executor.submit(task_of, k) for k in range(200)]]
        assert [number for number, _ in answers] == list(range(200))
        assert len({task for _, task in answers}) < 20
        assert executor.capacity > 4
        futures = [executor.submit(task_of, number) for number in (1, 2, -3, 4)]
        assert [future.result()[0] for future in futures if future is not futures[2]] == [1, 2, 4]
        with pytest.raises(ArithmeticError, match="-3 is below zero"):
            futures[2].result()
        last = executor.submit(time.sleep, 60)
        assert last.cancel()


def test_a_task_of_dask_hands_back_calls_that_it_does_not_come_to(dask_cluster, monkeypatch):
    answers, seconds = _cluster._in_turn([partial(time.sleep, 0.06)] * 9, 0.1)
    assert (len(answers), seconds > 0.12) == (2, True)
    monkeypatch.setattr(_cluster, "TOGETHER", 0.1)
    with Dask(dask_cluster) as executor:
        executor._chunk = 8
        futures = [executor.submit(pow, 2, k) for k in range(4)]
        futures += [executor.submit(time.sleep, 0.2) for _ in range(4)]
        assert [future.result() for future in futures] == [1, 2, 4, 8, None, None, None, None]
        assert executor._chunk < 8


def test_dask_that_nobody_answers():
    with pytest.raises(ValueError, match=r"cluster is 'nowhere'; the address .* tcp://scheduler:8786"):
        Dask("nowhere")


def test_slurm_by_the_command_line(slurm, told, tmp_path, same):
    arguments, whole = told
    words = [f"--fix={k}={v}" for k, v in arguments["fixed"].items()]
    words += [f"--set={k}={','.join(map(str, v))}" for k, v in arguments["grid"].items()]
    words += ["--seeds=4", f"--out={tmp_path / 'out'}", "--slurm=partition=here,time=0:10:00,jobs=2,chunk=12"]
    run = subprocess.run(
        [sys.executable, "-m", "festina", "sweep", f"{study.__file__}:wave", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "24 of 24 done" in run.stdout
    same(fs.open_sweep(tmp_path / "out"), whole)
    sent = sorted(p.name for p in (tmp_path / "out.slurm").iterdir() if p.is_dir())
    assert len({name.split("_")[0] for name in sent}) == 1, "the jobs went as one array"
    assert not [p for p in (tmp_path / "out").rglob("*") if p.suffix == ".pkl"], "no pickle in the store"


def test_slurm_with_a_job_that_is_killed(slurm, told, tmp_path, same, monkeypatch):
    monkeypatch.setattr(_cluster, "GRACE", 1.0)
    arguments, whole = told
    with Slurm(tmp_path / "slurm", jobs=4, chunk=3, partition="here", time="10") as executor:
        assert executor.capacity == 12
        beside = Beside(**arguments, out=tmp_path / "out", executor=executor)
        os.kill(beside.await_work()[0], signal.SIGKILL)
        beside.join()
    assert beside.error is None
    assert beside.status.complete
    same(fs.open_sweep(tmp_path / "out"), whole)
    queue = subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout
    assert queue == "", "nothing is left in the queue"


def test_slurm_that_takes_no_jobs(slurm, wave, tmp_path):
    with (
        Slurm(tmp_path / "slurm", partition="nowhere") as executor,
        pytest.raises(RuntimeError, match=r"the executor is lost .*SLURM takes no jobs.*[Ii]nvalid partition"),
    ):
        fs.sweep(wave, {"height": [1]}, out=tmp_path / "out", executor=executor)


def test_slurm_that_is_not_here(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="SLURM is not on this machine: no command sbatch"):
        Slurm(tmp_path)


def test_extras_that_are_not_installed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'festina\[dask\]'"):
        Dask("tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "submitit", None)
    with pytest.raises(ImportError, match=r"pip install 'festina\[slurm\]'"):
        Slurm(tmp_path)


def test_times_as_slurm_writes_them():
    told = {"5": 5, "5:30": 6, "2:00:00": 120, "1-0": 1440, "1-2:30": 1590, "0-0:0:1": 1, 7: 7}
    assert {text: read_minutes(text) for text in told} == told
    for wrong in ("", "soon", "1:2:3:4", "-5"):
        with pytest.raises(ValueError, match=r"time is .*; minutes, h:m:s"):
            read_minutes(wrong)


@pytest.mark.parametrize("wrong", ["gpu\ntouch /tmp/x", "a\rb", "a\x00b", "a\u2028b", "\x1b[31m", "", None, ["a"]])
def test_options_that_would_be_lines_of_the_batch_script_are_refused(wrong):
    with pytest.raises(ValueError, match=r"partition is .*; a number or a text without line breaks"):
        check_option("partition", wrong)
    with pytest.raises(ValueError, match=r"option of slurm is 'a\\nb'"):
        check_option("a\nb", "gpu")
    assert check_option("gres", "gpu:1") == "gpu:1"


def test_no_option_adds_a_line_to_the_batch_script(slurm, tmp_path):
    wrong: list[Any] = [{"partition": "here\ntouch x"}, {"comment": "a\nb"}, {"time": "10\ntouch x"}]
    for named in wrong:
        with pytest.raises(ValueError, match=r"line breaks|time is"):
            Slurm(tmp_path, **named)
    with pytest.raises(ValueError, match="folder is"):
        Slurm(f"{tmp_path}/a\ntouch x")
