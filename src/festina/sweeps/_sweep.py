"""The sweep itself: arguments, plan, store, a scheduler that goes through them, and where it stands."""

import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from festina.checks import check
from festina.runtime.pool import Pool
from festina.runtime.progress import shown
from festina.sweeps._code import Function, describe
from festina.sweeps._plan import Plan, plan_sweep
from festina.sweeps._scheduler import Scheduler
from festina.sweeps._store import CorruptShardError, Store, leases, printable

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
        >>> from festina.sweeps._sweep import Status
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
    store = Store(check.path("path", path).absolute())
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


def sweep(
    function: Callable[..., object],
    grid: Mapping[str, object] | None = None,
    seeds: int | None = None,
    *,
    out: str | os.PathLike[str],
    block: int | None = None,
    fixed: Mapping[str, object] | None = None,
    dims: Mapping[str, object] | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    in_flight: int | None = None,
    retry: bool = False,
    progress: bool | Callable[[str], object] = False,
) -> Status:
    """Call a function for every combination of settings, and save each result in a folder as soon as it is computed.

    You can stop it at any point and call it again with the same arguments. Finished results are neither lost nor
    computed again, and all results are identical to those of an uninterrupted run. Several sweeps may work on one
    folder at once; they share the work. Read the results with ``fs.open_sweep(out)``.

    Args:
        function: takes settings by name and returns a trajectory, a dictionary of arrays and numbers, an xarray
            dataset, or a number. It is identified by its name, its file, and the files that this imports: a folder
            holds the results of one version of the code. Workers in other processes import it, so that it must be at
            the top level of a ``.py`` file; lambdas and local functions run in this process only, with
            ``executor=ThreadPoolExecutor()``.
        grid: values by setting; all combinations are run. Values are numbers, words, None, or tuples of these. For a
            setting that is a tuple, a number stands for a tuple of one, and then the singular may stand for the name
            (``delta`` for ``deltas``). None: continue the sweep in ``out``, with its grid, seeds and settings.
        seeds: how many seeds. A function with a parameter ``seed`` is called once per seed; one with ``seed`` and
            ``seeds`` once per block, with the first seed of the block and its number of seeds, as ``fs.evolve`` takes
            them. The first seed of all is ``fixed["seed"]``, or the default of the parameter, or 0.
        out: the folder; a new or an empty one, or that of the same sweep.
        block: seeds in a block; by default the default of the parameter ``seeds``, or else all seeds.
        fixed: settings that are the same in all calls.
        dims: names of the axes of arrays in a dictionary: ``{"loss": ("seed", "time"), "time": "time"}``. An axis
            without a name is called ``NAME_dim_0``. A one-dimensional array called like its axis is the coordinate
            along it; the blocks are joined along the axis ``seed``. Trajectories and datasets bring their own names.
        executor: any ``concurrent.futures.Executor`` whose workers see ``out``; ``fs.sweeps.Dask(address)`` or
            ``fs.sweeps.Slurm(folder, ...)`` for clusters. Default: one process per core of this machine; call it under
            ``if __name__ == "__main__":`` in a script.
        workers: number of processes, if there is no ``executor``.
        in_flight: most tasks handed to the executor at a time; default: twice its workers.
        retry: run again what failed before.
        progress: True for a progress bar on stderr; or a function that is given a line of text at the beginning and
            every half minute, such as ``print``.

    Returns:
        Counts, and failures with their reasons; a failed setting does not stop the others.

    Raises:
        ValueError: an argument that is not allowed; a function that workers cannot import; the folder holds another
            sweep, or one by other code (the message names the files that changed).
        OSError: the folder cannot be written, or the disk is full; all that is finished is kept.
        RuntimeError: the executor is lost, or no worker can run any task; all that is finished is kept.

    Example:
        >>> import tempfile, festina as fs
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> def learn(depth: int, seed: int):
        ...     network = fs.DeepLinear(hidden=(4,) * (depth - 1), initial=fs.initial.Gaussian(0.2))
        ...     return fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 10.0], method=fs.Flow(), seed=seed)
        >>> with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor() as pool:
        ...     status = fs.sweep(learn, {"depth": [2, 3]}, seeds=5, out=out, executor=pool)
        ...     data = fs.open_sweep(out)
        >>> status.done, dict(data["loss"].sizes)
        (10, {'depth': 2, 'seed': 5, 'time': 2})
    """
    known = describe(function)
    check.flag("retry", retry)
    if not isinstance(progress, bool) and (isinstance(progress, type) or not callable(progress)):
        raise ValueError(f"progress is {check.shown(progress)}; True, False or a function of a line of text is needed.")
    store = Store(check.path("out", out).absolute())
    if grid is None:
        plan = _continued(known, store.read_plan(), seeds, block, fixed, dims)
    else:
        plan = plan_sweep(known, grid, seeds, block, fixed, dims)
    if executor is not None and workers is not None:
        raise ValueError(f"workers is {workers} and an executor is given, which has its own number; leave workers out.")
    if executor is not None:
        check.instance("executor", executor, Executor, "a concurrent.futures.Executor, such as fs.sweeps.Dask(...),")
    if workers is not None:
        check.whole("workers", workers)
    ahead = None if in_flight is None else check.whole("in_flight", in_flight)
    if not isinstance(executor, ThreadPoolExecutor):
        known.check_importable("a pool of processes" if executor is None else type(executor).__name__)
    store.declare(plan)
    make = (lambda: Pool(workers)) if executor is None else (lambda: executor)
    carried = known.call if isinstance(executor, ThreadPoolExecutor) else known.reference
    scheduler = Scheduler(store, plan, carried, make, ahead, retry, None if isinstance(progress, bool) else progress)
    with shown(progress is True):
        try:
            scheduler.run()
        finally:
            scheduler.stop(own=executor is None)
    return sweep_status(store.path)


def _continued(function: Function, there: Plan, *given: object) -> Plan:
    """The plan in a folder, checked as if it had just been asked for; the folder never says by which code."""
    if any(part is not None for part in given):
        raise ValueError("grid is None, so that seeds, block, fixed and dims come from the folder; leave them out.")
    grid = {axis.name: axis.values for axis in there.axes}
    seeds = there.seeds
    kept = {name: value for name, value in there.base.items() if name not in {axis.field for axis in there.axes}}
    return plan_sweep(
        function, grid, None if seeds is None else seeds.count, None if seeds is None else seeds.block, kept, there.dims
    )
