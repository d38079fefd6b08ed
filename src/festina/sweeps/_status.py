"""Where a sweep stands: what is done, running, failed and why, corrupt, or waiting."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from festina.sweeps._store import CorruptShardError, Store, leases, printable, read_folder

SHOWN = 3
"""Settings that are named for each group of equal failures."""


@dataclass(frozen=True)
class Failure:
    """A task that failed: its settings in words, the reason, and the file with the full error."""

    settings: str
    reason: str
    path: Path


@dataclass(frozen=True)
class Status:
    """Counts of a sweep's tasks, those that failed, and those that are running.

    Attributes:
        path: the folder.
        function: what is swept.
        total: number of tasks.
        done: those whose result is there, whole.
        failed: those that raised, with reasons, in the order of the grid.
        running: those that are running now, with host, process and seconds, in words.
        corrupt: shards that are not whole; starting the sweep again computes them again.

    Example:
        >>> from pathlib import Path
        >>> from festina.sweeps._status import Status
        >>> print(Status(Path("results"), "study.measure", total=61, done=60, failed=()))
        study.measure in results: 60 of 61 done, 1 waiting
        next     start the sweep again: what is finished is kept
    """

    path: Path
    function: str
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
        lines = [f"{self.function} in {self.path}: {', '.join(counts)}"]
        lines += [f"running  {line}" for line in self.running]
        lines += _grouped(self.failed)
        lines += [f"corrupt  {reason}" for reason in self.corrupt]
        return "\n".join(map(printable, [*lines, f"next     {self._next(waiting)}"]))

    def _next(self, waiting: int) -> str:
        if self.complete:
            return f"data = fs.open_sweep({str(self.path)!r})"
        if self.running:
            return "wait, or ask again: festina sweep status"
        if waiting > 0 or self.corrupt:
            return "start the sweep again: what is finished is kept"
        some = f"; the others: fs.open_sweep({str(self.path)!r})" if self.done else ""
        return f"correct the cause and start the sweep again with retry (--retry){some}"


def sweep_status(path: str | os.PathLike[str]) -> Status:
    """Progress of the sweep in a folder; it only reads, and can be called while the sweep runs.

    Args:
        path: the folder, ``out`` of ``fs.sweep``. It may come from somebody else: nothing in it is executed.

    Raises:
        ValueError: there is no sweep.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> def square(x: float) -> float:
        ...     return x**2
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     done = fs.sweep(square, {"x": [1, 2, 3]}, out=out, executor=pool)
        ...     status = fs.sweeps.sweep_status(out)
        >>> status.done, status.complete
        (3, True)
    """
    store = Store(read_folder("path", path))
    plan = store.read_plan()
    held = {lease.key: lease for lease in leases(store.leases)}
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
            lease = held[task.key]
            running.append(f"{plan.label(task)}: for {lease.seconds:.0f} s by process {lease.pid} on {lease.host}")
            continue
        reason = store.reason(task.key)
        if reason is not None:
            failed.append(Failure(plan.label(task), reason, store.failure(task.key)))
    return Status(store.path, plan.function, plan.total, done, tuple(failed), tuple(running), tuple(corrupt))


def _grouped(failures: tuple[Failure, ...]) -> list[str]:
    """A line per kind of failure: reasons that differ in their numbers only are of one kind."""
    groups: dict[str, list[Failure]] = {}
    for failure in failures:
        groups.setdefault(re.sub(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", "#", failure.reason), []).append(failure)
    lines = []
    for group in groups.values():
        settings = "; ".join(failure.settings for failure in group[:SHOWN])
        more = f"; and {len(group) - SHOWN} more" if len(group) > SHOWN else ""
        count = "" if len(group) == 1 else f"{len(group)} × "
        lines.append(f"failed   {count}{group[0].reason} ({settings}{more}), see {group[0].path}")
    return lines
