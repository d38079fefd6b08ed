"""Where a sweep stands: what is done, running, failed and why, corrupt, or waiting."""

import os
from dataclasses import dataclass
from pathlib import Path

from festina.sweep import _lease
from festina.sweep._lease import Lease
from festina.sweep._shard import CorruptShardError
from festina.sweep._store import Store


@dataclass(frozen=True)
class Failure:
    """A task that failed: its settings in words, the reason, and the file that has the whole of it.

    Example:
        >>> from pathlib import Path
        >>> from festina.sweep import Failure
        >>> Failure("delta = 0.5, seed 3", "ValueError: rate is 0", Path("results/failed/3.txt")).reason
        'ValueError: rate is 0'
    """

    settings: str
    reason: str
    path: Path


@dataclass(frozen=True)
class Status:
    """Counts of a sweep's tasks, those that fail, and those at work.

    Attributes:
        path: the folder.
        experiment: what is swept.
        total: number of tasks.
        done: those whose result is there, whole.
        failed: those that raised, with reasons, in the order of the grid.
        running: those at work now, with host, process and seconds, in words.
        corrupt: shards that are not whole; starting the sweep again does them again.

    Example:
        >>> from pathlib import Path
        >>> from festina.sweep import Status
        >>> print(Status(Path("results"), "transition", total=61, done=60, failed=()))
        transition in results: 60 of 61 done, 1 waiting
    """

    path: Path
    experiment: str
    total: int
    done: int
    failed: tuple[Failure, ...]
    running: tuple[str, ...] = ()
    corrupt: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every result is there."""
        return self.done == self.total

    def __str__(self) -> str:
        waiting = self.total - self.done - len(self.failed) - len(self.running) - len(self.corrupt)
        counts = [f"{self.done} of {self.total} done"]
        counts += [f"{len(part)} {name}" for name, part in
                   (("running", self.running), ("failed", self.failed), ("corrupt", self.corrupt)) if part]  # fmt: skip
        counts += [f"{waiting} waiting"] if waiting > 0 else []
        lines = [f"{self.experiment} in {self.path}: {', '.join(counts)}"]
        lines += [f"running  {words}" for words in self.running]
        lines += [f"failed   {f.settings}: {f.reason}" for f in self.failed]
        lines += [f"corrupt  {reason}" for reason in self.corrupt]
        return "\n".join(lines)


def sweep_status(path: str | os.PathLike[str]) -> Status:
    """Where the sweep in a folder stands; reads only, and may be asked while it runs.

    Args:
        path: the folder, ``out`` of ``fs.sweep``.

    Raises:
        ValueError: there is no sweep.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> from festina.sweep import sweep_status
        >>> few = {"features": (50,), "draws": 1, "trained": 20, "hidden": 4, "depth": 2}
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     done = fs.sweep("structures", {"flip": [0.1]}, 1, out=out, fixed=few, quick=True, executor=pool)
        ...     complete = sweep_status(out).complete
        >>> complete
        True
    """
    store = Store(Path(path))
    plan = store.read_plan()
    held = {lease.key: lease for lease in _lease.running(store.leases)}
    done, failed, running, corrupt = 0, [], [], []
    for task in plan.tasks():
        try:
            if store.done(task):
                done += 1
                continue
        except CorruptShardError as error:
            corrupt.append(str(error))
            continue
        if task.key in held:
            running.append(f"{plan.words(task)}: {_words(held[task.key])}")
            continue
        reason = store.reason(task.key)
        if reason is not None:
            failed.append(Failure(plan.words(task), reason, store.failure(task.key)))
    return Status(store.path, plan.experiment, plan.total, done, tuple(failed), tuple(running), tuple(corrupt))


def _words(lease: Lease) -> str:
    return f"for {lease.seconds:.0f} s by process {lease.pid} on {lease.host}"
