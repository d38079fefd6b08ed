"""The pool of this machine: processes with their share of it, which end when their parent does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from festina.checks import check
from festina.runtime.processor import usable_cores

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized, SynchronizedArray

Given = TypeVar("Given")
Result = TypeVar("Result")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")
"""Environment variables by which linear algebra and XLA use no more than their share of the cores."""

GRACE = 2.0
"""Seconds in which a worker that was told to end does so; one that does not is killed."""

GPUS = Path("/proc/driver/nvidia/gpus")
"""Folder in which Linux lists NVIDIA's GPUs, whether or not a library for them is installed."""


class Pool(Executor):
    """Processes started afresh (never forked: JAX has threads), which can be replaced after one of them has died.

    Each has a fixed share of the cores, and of the GPUs if there are several. The number of threads, and with it the
    rounding of sums, then does not depend on what else runs.

    Args:
        workers: number of processes; by default one per core.
        slot, slots: where several pools share the machine: the place of this one's first process among all of theirs,
            and how many these are.

    Example:
        >>> with Pool(workers=2) as pool:
        ...     pool.capacity
        4
    """

    def __init__(self, workers: int | None = None, *, slot: int = 0, slots: int | None = None) -> None:
        self.cores = usable_cores()
        self.workers = len(self.cores) if workers is None else check.whole("workers", workers)
        self.slot, self.slots = slot, self.workers if slots is None else slots
        self._start()

    @property
    def capacity(self) -> int:
        """Tasks that are worth having in flight: one running and one waiting for each worker."""
        return 2 * self.workers

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[Any]:
        """Run a function in one of the processes."""
        # processes start with the first task; Ctrl-C reaches them too, and waits until they can ignore it
        with _uninterrupted():
            return self._pool.submit(fn, *args, **kwargs)

    def renew(self) -> None:
        """End all processes, at once, and start others."""
        self.shutdown()
        self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End all processes at once; unfinished work is repeated when it is needed."""
        # every worker watches the other end, and this is the one thing that reaches them in the middle of a task
        self._stop.close()
        # the thread that watches cannot run while a task is in C code that keeps Python's lock
        ours = set(self._pids[:])
        for process in multiprocessing.active_children():
            if process.pid in ours:
                process.join(GRACE)
                process.kill()
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        pipe, self._stop = context.Pipe(duplex=False)
        self._pids = context.Array("i", self.workers)
        places = context.Value("i", self.slot), self._pids, self.slot
        arguments = (pipe, *places, _shares(self.cores, self.slots), _gpus())
        self._pool = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=arguments)


def in_processes(
    function: Callable[[Given], Result], given: Sequence[Given], jobs: int, *, renew: bool = True
) -> Iterator[tuple[Given, Result]]:
    """Results of a module's function for each argument, as they end, ``jobs`` of them at a time.

    Each has a process of its own, so that none pays for what another left in memory. Without ``renew`` a process goes
    on with the next, which finds libraries imported and programs compiled.
    """
    waiting, running = list(given), {}
    idle = [Pool(1, slot=slot, slots=jobs) for slot in range(min(jobs, len(waiting)))]
    try:
        while waiting or running:
            while waiting and idle:
                each, pool = waiting.pop(0), idle.pop(0)
                running[pool.submit(function, each)] = each, pool
            for future in wait_for(running, return_when=FIRST_COMPLETED).done:
                each, pool = running[future]
                try:
                    result = future.result()
                except BrokenExecutor:
                    raise RuntimeError(
                        f"a process that ran one of {jobs} experiments at a time was killed, most often for lack of "
                        "memory; use fewer, as --jobs 1. What was finished is kept."
                    ) from None
                del running[future]
                if renew:
                    pool.renew()
                idle.append(pool)
                yield each, result
    finally:
        for pool in [*idle, *(pool for _, pool in running.values())]:
            pool.shutdown()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits; processes that are started meanwhile inherit that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(
    pipe: Connection,
    counter: Synchronized[int],
    pids: SynchronizedArray[int],
    slot: int,
    shares: list[list[int]],
    gpus: list[str],
) -> None:
    """First thing in a worker: its share of the machine, and a thread that notices when the parent ends."""
    # Ctrl-C reaches the whole group; the parent decides what becomes of it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_watch, args=(pipe,), daemon=True).start()
    with counter.get_lock():
        mine = counter.value
        counter.value += 1
    pids[(mine - slot) % len(pids)] = os.getpid()
    share = shares[mine % len(shares)]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, share)
    if gpus:
        os.environ["CUDA_VISIBLE_DEVICES"] = gpus[mine % len(gpus)]
        # several workers on one GPU share its memory as they need it
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    for variable in THREADS:
        os.environ.setdefault(variable, str(len(share)))
    import threadpoolctl

    threadpoolctl.threadpool_limits(len(share))


def _watch(pipe: Connection) -> None:
    # the parent holds the only other end; closed on purpose or by the parent's death, it wakes this thread
    wait([pipe])
    os._exit(1)


def _shares(cores: Sequence[int], workers: int) -> list[list[int]]:
    """Cores of each worker: equal parts, or one each if there are more workers than cores."""
    size = max(1, len(cores) // workers)
    return [list(cores[i : i + size]) for i in range(0, size * min(workers, len(cores)), size)]


def _gpus() -> list[str]:
    """GPUs that workers may use, by the names CUDA knows."""
    told = os.environ.get("CUDA_VISIBLE_DEVICES")
    if told is not None:
        return [name for name in told.split(",") if name.strip()]
    return [str(i) for i, _ in enumerate(GPUS.iterdir())] if GPUS.is_dir() else []
