"""Kill -9 of workers and of the parent, again and again, at random moments: nothing is lost, repeated or half-read."""

import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import study

import festina as fs
from festina.sweeps import _store, sweep_status

pytestmark = [pytest.mark.slow, pytest.mark.linux]

KILLS = 6
WORKERS = 2
LATEST = 0.08
"""Seconds after the first sign of work within which a kill comes: the length of some tasks and of their writing."""

SCRIPT = """
import json, signal, sys
import festina as fs
sys.path.insert(0, sys.argv[2])
from study import wave
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
    print(fs.sweep(wave, workers=2, **json.loads(sys.argv[1])))
"""


class Parent:
    """A process that sweeps, and can be killed and started again."""

    def __init__(self, folder, **told):
        self.script = folder / "script.py"
        self.script.write_text(SCRIPT)
        self.told = json.dumps(told)
        self.told_path = folder / f"{secrets.token_hex(4)}.txt"
        self.leases = Path(told["out"]) / "leases"
        self.start()

    def start(self):
        command = [sys.executable, str(self.script), self.told, str(Path(study.__file__).parent)]
        # not a pipe: workers that outlive their parent would keep it open
        with open(self.told_path, "w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)

    def end(self, most=None):
        """Wait for its end; what it told."""
        self.process.wait(most)
        return self.told_path.read_text()

    def workers(self):
        """Its workers that are at a task."""
        return [held.pid for held in _store.leases(self.leases) if _parent(held.pid) == self.process.pid]

    def await_work(self):
        while not (found := self.workers()):
            assert self.process.poll() is None, self.end()
            time.sleep(0.01)
        return found

    def kill(self):
        """Kill the parent; its workers end by themselves."""
        children = psutil.Process(self.process.pid).children()
        self.process.kill()
        self.process.wait()
        _, alive = psutil.wait_procs(children, timeout=30)
        assert not alive, "workers outlive their parent"


def _parent(pid):
    try:
        return psutil.Process(pid).ppid()
    except psutil.NoSuchProcess:
        return None


@pytest.fixture
def begin(tmp_path):
    """Start a parent; whatever a test does, it is ended."""
    parents = []

    def start(**told):
        parents.append(Parent(tmp_path, **told))
        return parents[-1]

    yield start
    for parent in parents:
        parent.process.kill()
        parent.process.wait()


@pytest.fixture
def told(tmp_path):
    traces = tmp_path / "traces"
    traces.mkdir()
    return {
        "grid": {"height": list(range(1, 11)), "waves": list(range(1, 8))},
        "seeds": 4,
        "fixed": {"seconds": 0.02, "traces": str(traces)},
        "out": str(tmp_path / "out"),
    }


def uninterrupted(told, folder, threads):
    assert fs.sweep(study.wave, executor=threads, **{**told, "out": str(folder)}).complete
    return fs.open_sweep(folder)


def test_kills_change_nothing(begin, told, tmp_path, threads, same):
    rng = random.Random(9)
    parent = begin(**told)
    hit = {"worker": 0, "parent": 0}
    done = 0
    while sum(hit.values()) < KILLS:
        victims = parent.await_work()
        time.sleep(rng.uniform(0, LATEST))
        # a parent now and then, workers otherwise
        if sum(hit.values()) % 3 == 2:
            parent.kill()
            hit["parent"] += 1
            status = sweep_status(told["out"])
            assert not status.corrupt
            assert status.done >= done, "what was finished is there"
            done = status.done
            # a task has several seeds, each of which is told to be done
            assert int(fs.open_sweep(told["out"])["done"].sum()) >= done, "what is there can be read"
            parent.start()
            continue
        try:
            os.kill(rng.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            # of a pool that was being replaced after the last kill
            continue
        hit["worker"] += 1
        while set(victims) & set(parent.workers()) and parent.process.poll() is None:
            time.sleep(0.005)
    output = parent.end()
    assert hit == {"worker": 4, "parent": 2}
    assert "140 of 140 done" in output, output
    traces = [len(p.read_text().split()) for p in (tmp_path / "traces").iterdir()]
    assert len(traces) == 140
    assert 0 < sum(traces) - 140 <= KILLS * WORKERS, "only what was running when somebody was killed ran again"
    assert not list((tmp_path / "out" / "leases").iterdir())
    same(fs.open_sweep(told["out"]), uninterrupted(told, tmp_path / "whole", threads))
    shards = {p.name: p.read_bytes() for p in (tmp_path / "out" / "shards").rglob("*.nc")}
    assert shards == {p.name: p.read_bytes() for p in (tmp_path / "whole" / "shards").rglob("*.nc")}


def test_ctrl_c_stops_at_once_and_keeps_what_is_finished(begin, told, tmp_path):
    told["fixed"]["seconds"] = 0.2
    parent = begin(**told)
    while sweep_status(told["out"]).done < 2 if os.path.exists(told["out"] + "/sweep.json") else True:
        time.sleep(0.01)
        assert parent.process.poll() is None, parent.end()
    children = psutil.Process(parent.process.pid).children()
    parent.process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in parent.end(60)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive
    status = sweep_status(told["out"])
    assert 2 <= status.done < 140
    assert (len(status.running), len(status.failed), len(status.corrupt)) == (0, 0, 0)


def test_two_processes_share_one_folder(begin, told, tmp_path, threads, same):
    told["grid"] = {"height": [1, 2, 3], "waves": [1, 2, 3, 4]}
    told["fixed"]["seconds"] = 0.1
    both = [begin(**told), begin(**told)]
    for parent in both:
        output = parent.end()
        assert "24 of 24 done" in output, output
    assert {len(p.read_text().split()) for p in (tmp_path / "traces").iterdir()} == {1}, "no task was run twice"
    same(fs.open_sweep(told["out"]), uninterrupted(told, tmp_path / "whole", threads))
