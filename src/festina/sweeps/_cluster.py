"""Clusters as executors: workers of Dask, and jobs of SLURM that submitit sends as arrays."""

import getpass
import itertools
import math
import re
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from festina.checks import check
from festina.checks.optional import need


class ExecutorLostError(RuntimeError):
    """The executor accepts no tasks, or its cluster does not answer; finished results are kept."""


class WorkerLostError(RuntimeError):
    """The process that ran a task ended before the task did."""


ADDRESS = r"inproc://\S+|(\w+://)?[^\s/]+:\d+"
"""Addresses of schedulers: a host with a port, or a scheduler in this process."""

TOGETHER = 0.25
"""Seconds of a task of Dask. Short calls share one: what Dask does for a task costs more than they do."""

MOST = 64
"""Most calls of a task of Dask."""

LINGER = 0.02
"""Seconds that a call waits for others to go with."""

LOOK = 10.0
"""Seconds between two looks at how many threads the cluster has."""

_Call = tuple[Future[Any], Callable[[], object]]
"""A future that the scheduler waits for, and the function that a worker calls for it."""


class Dask(Executor):
    """A Dask cluster as an executor: ``fs.sweep(..., executor=fs.sweeps.Dask("tcp://scheduler:8786"))``.

    Its workers need the same version of festina and must see the folder of the sweep and the file of the function.

    Args:
        cluster: address of its scheduler, such as ``"tcp://scheduler:8786"``, or a ``distributed.Client``.

    Raises:
        ImportError: the extra ``dask`` is not installed.
        ValueError: no scheduler answers at the address.
    """

    def __init__(self, cluster: object) -> None:
        need("distributed", "dask")
        from distributed import Client

        self._own = not isinstance(cluster, Client)
        address: Any = getattr(cluster, "scheduler_address", cluster)
        if self._own and (not isinstance(address, str) or not re.fullmatch(ADDRESS, address)):
            # distributed would start a cluster of its own, or wait for one that cannot be
            raise ValueError(
                f"cluster is {cluster!r}; the address of a scheduler, such as tcp://scheduler:8786, or a "
                "distributed.Client is needed."
            )
        try:
            self.client: Any = Client(address, set_as_default=False) if self._own else cluster
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(
                f"cluster is {cluster!r}, where no scheduler answers ({error}); give an address such as "
                "tcp://scheduler:8786."
            ) from None
        # a task that was lost is to be run again, not looked up
        self._executor = self.client.get_executor(pure=False)
        self._lock, self._waiting, self._chunk = threading.Lock(), list[_Call](), 1
        self._threads, self._looked = 1, float("-inf")

    @property
    def capacity(self) -> int:
        """Calls that are worth having in flight: one task running and one waiting for each thread of the cluster."""
        if time.monotonic() - self._looked > LOOK:
            threads: Any = self.client.nthreads()
            self._threads, self._looked = max(1, sum(threads.values())), time.monotonic()
        return 2 * self._threads * self._chunk

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[Any]:
        """Run a function on one of the workers."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.append((future, partial(fn, *args, **kwargs)))
            count = len(self._waiting)
        if count >= self._chunk:
            self._send()
        elif count == 1:
            later = threading.Timer(LINGER, self._send)
            later.daemon = True
            later.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel what was submitted; the cluster and a given client keep running."""
        self._executor.shutdown(wait=False)
        if self._own:
            self.client.close()

    def _send(self) -> None:
        with self._lock:
            calls, self._waiting = self._waiting, []
        self._start([call for call in calls if not call[0].cancelled()])

    def _start(self, calls: Sequence[_Call]) -> None:
        if not calls:
            return
        try:
            task = self._executor.submit(_in_turn, [call for _, call in calls], TOGETHER)
        except Exception as error:
            _fail(calls, ExecutorLostError(f"Dask takes no tasks: {error}"))
            return
        for future, _ in calls:
            future.add_done_callback(lambda _: all(f.cancelled() for f, _ in calls) and task.cancel())
        task.add_done_callback(partial(self._answered, calls))

    def _answered(self, calls: Sequence[_Call], task: Future[Any]) -> None:
        """Hand on the answers of a task. Calls that it did not come to are sent again, and each alone if it failed."""
        try:
            answers, seconds = task.result()
        except Exception as error:
            if len(calls) == 1 or isinstance(error, CancelledError):
                _fail(calls, error)
                return
            answers, chunk = [], 1
        else:
            self._chunk = chunk = max(1, min(MOST, int(TOGETHER * len(answers) / max(seconds, 1e-9))))
        for (future, _), answer in zip(calls, answers, strict=False):
            if not future.cancelled():
                future.set_result(answer)
        left = calls[len(answers) :]
        for first in range(0, len(left), chunk):
            self._start(left[first : first + chunk])


POLL = 1.0
"""Seconds between two looks at results and queue; what was asked for in between travels in one array."""

GRACE = 5.0
"""Seconds that a result may take to appear after its job has left the queue (shared folders lag behind)."""

PATIENCE = 300.0
"""Seconds without an answer of the queue after which the cluster counts as lost."""

LEAVING = 60.0
"""Seconds that jobs may take to leave the queue at the end: they close down after their result, or are cancelled."""

LONGEST = 1000
"""Jobs of one array: SLURM's own default allows indices below 1001."""


@dataclass(eq=False)
class _Sent:
    """A job at work, the calls that it makes, and since when the queue does not know it."""

    job: Any
    calls: list[_Call]
    gone: float | None = None


class Slurm(Executor):
    """A SLURM cluster as an executor: ``fs.sweep(..., executor=fs.sweeps.Slurm("logs", partition="gpu"))``.

    Its nodes need the same version of festina and must see the folder of the sweep and the file of the function.

    Args:
        folder: where submitit keeps its files (logs among them); the nodes must see it. Not in the sweep's own folder:
            submitit keeps pickles.
        jobs: most jobs at a time.
        chunk: tasks that one job runs in turn; a job should last minutes.
        options: options of ``sbatch``, such as ``partition="gpu"``, ``time="2:00:00"``, ``gres="gpu:1"``,
            ``account="x"``.

    Raises:
        ValueError: the ``slurm`` extra is not installed, SLURM's commands are not here, ``time`` is not a time, or an
            option has characters that a line of a batch script cannot hold.
    """

    def __init__(
        self, folder: str | Path, *, jobs: int = 100, chunk: int = 1, **options: str | int | float | bool
    ) -> None:
        self.jobs, self.chunk = check.whole("jobs", jobs), check.whole("chunk", chunk)
        minutes = read_minutes(options.pop("time", "1:00:00"))
        options = {name: check_option(name, value) for name, value in options.items()}
        logs = check.path("folder", folder).absolute()
        check_option("folder", str(logs))
        need("submitit", "slurm")
        import submitit

        missing = [name for name in ("sbatch", "srun", "squeue", "scancel") if shutil.which(name) is None]
        if missing:
            raise ValueError(
                f"SLURM is not on this machine: no command {', '.join(missing)}; run this on a login node."
            )
        self._submitit = submitit.AutoExecutor(folder=str(logs / "%j"), cluster="slurm")
        self._submitit.update_parameters(
            timeout_min=minutes, name="festina", slurm_array_parallelism=self.jobs,
            slurm_additional_parameters={name.replace("_", "-"): value for name, value in options.items()},
        )  # fmt: skip
        self._queue: deque[_Call] = deque()
        self._alone: deque[_Call] = deque()
        self._sent: list[_Sent] = []
        self._ids: set[str] = set()
        self._over = threading.Event()
        self._answered = time.monotonic()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    @property
    def capacity(self) -> int:
        """Tasks that are worth having in flight."""
        return self.jobs * self.chunk

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[Any]:
        """Run a function in a job."""
        if self._over.is_set():
            raise RuntimeError("this executor was shut down")
        future: Future[Any] = Future()
        self._queue.append((future, partial(fn, *args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel all jobs that are still waiting or running, and wait until they have ended; their results are kept."""
        self._over.set()
        self._thread.join()
        for sent in self._sent:
            sent.job.cancel(check=False)
        self._sent.clear()
        until = time.monotonic() + LEAVING * wait
        while self._ids and time.monotonic() < until:
            try:
                known = self._known()
            except ExecutorLostError:
                return
            self._ids &= self._ids if known is None else known
            time.sleep(0.2 * bool(self._ids))

    def _work(self) -> None:
        while not self._over.wait(POLL):
            try:
                self._send()
                self._collect()
            except ExecutorLostError as error:
                _fail([*self._queue, *self._alone, *(call for sent in self._sent for call in sent.calls)], error)
                self._queue.clear()
                self._alone.clear()
                self._sent.clear()

    def _send(self) -> None:
        asked = [self._queue.popleft() for _ in range(min(len(self._queue), LONGEST * self.chunk))]
        asked = [call for call in asked if call[0].set_running_or_notify_cancel()]
        parts = [asked[i : i + self.chunk] for i in range(0, len(asked), self.chunk)]
        parts += [[self._alone.popleft()] for _ in range(min(len(self._alone), LONGEST - len(parts)))]
        if not parts:
            return
        try:
            jobs = self._submitit.map_array(_in_turn, [[call for _, call in part] for part in parts])
        except Exception as error:
            _fail(itertools.chain(*parts), ExecutorLostError(f"SLURM takes no jobs: {error}"))
            return
        self._sent += [_Sent(job, part) for job, part in zip(jobs, parts, strict=True)]
        self._ids |= {job.job_id for job in jobs}

    def _collect(self) -> None:
        known = self._known() if self._sent else set()
        left = []
        for sent in self._sent:
            if sent.job.paths.result_pickle.exists():
                self._deliver(sent)
                continue
            if known is None or sent.job.job_id in known:
                sent.gone = None
            elif sent.gone is None:
                sent.gone = time.monotonic()
            elif time.monotonic() - sent.gone > GRACE:
                self._on_job_lost(sent)
                continue
            left.append(sent)
        self._sent = left

    def _on_job_lost(self, sent: _Sent) -> None:
        """A job ended without a result: its calls are made again, each in a job of its own, or are lost."""
        if len(sent.calls) > 1:
            self._alone.extend(sent.calls)
            return
        _fail(sent.calls, RuntimeError(f"SLURM job {sent.job.job_id} gave no result, see {sent.job.paths.stderr}"))

    def _deliver(self, sent: _Sent) -> None:
        try:
            for (future, _), answer in zip(sent.calls, sent.job.result()[0], strict=True):
                future.set_result(answer)
        except Exception as error:
            _fail(sent.calls, error)

    def _known(self) -> set[str] | None:
        """Jobs that the queue knows; None if it does not answer just now."""
        command = ["squeue", "--noheader", "--array", "--format=%i", f"--user={getpass.getuser()}"]
        try:
            told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        except (subprocess.SubprocessError, OSError) as error:
            if time.monotonic() - self._answered > PATIENCE:
                raise ExecutorLostError(f"SLURM's queue has not answered for {PATIENCE:g} s: {error}") from None
            return None
        self._answered = time.monotonic()
        return set(told.split())


def _fail(calls: Iterable[_Call], error: Exception) -> None:
    for future, _ in calls:
        if not future.done():
            future.set_exception(error)


def _in_turn(calls: Sequence[Callable[[], object]], seconds: float = math.inf) -> tuple[list[object], float]:
    """Answers of the calls that begin within so many seconds, at least of one, and how long they took."""
    begun, answers = time.perf_counter(), list[object]()
    for call in calls:
        answers.append(call())
        if time.perf_counter() - begun > seconds:
            break
    return answers, time.perf_counter() - begun


def check_option(name: str, value: object) -> str | int | float | bool:
    """An option of sbatch that is one line of the batch script, or an error: each is written into it as it is."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        raise ValueError(f"option of slurm is {name!r}; the name of an option of sbatch is needed, such as partition.")
    if not isinstance(value, str | int | float) or not str(value) or not str(value).isprintable():
        raise ValueError(
            f"{name} is {value!r}; a number or a text without line breaks and control characters is needed: it becomes "
            "a line of the batch script."
        )
    return value


def read_minutes(text: object) -> int:
    """Minutes of a time limit as SLURM writes it: minutes, m:s, h:m:s, d-h, d-h:m or d-h:m:s; rounded up.

    Example:
        >>> read_minutes("2:00:00"), read_minutes("1-12"), read_minutes("90"), read_minutes("0:30")
        (120, 2160, 90, 1)
    """
    found = re.fullmatch(r"(?:([0-9]{1,9})-)?([0-9]{1,9})(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?", str(text))
    if found is None:
        raise ValueError(f"time is {text!r}; minutes, h:m:s or d-h:m:s is needed, such as 2:00:00.")
    days, *parts = found.groups()
    a, b, c = (int(part or 0) for part in parts)
    if days is not None:
        seconds = int(days) * 86400 + a * 3600 + b * 60 + c
    elif parts[2] is not None:
        seconds = a * 3600 + b * 60 + c
    else:
        seconds = a * 60 + b
    return max(1, math.ceil(seconds / 60))
