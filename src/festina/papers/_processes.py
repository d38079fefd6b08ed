"""Several experiments at a time, each in a process of its own."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from multiprocessing import connection, get_context
from typing import TypeVar

from festina._processor import cores

Result = TypeVar("Result")
Given = TypeVar("Given")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")
"""Environment variables by which linear algebra and XLA use the cores that are there for each process."""


def in_processes(
    function: Callable[[Given], Result], given: Sequence[Given], jobs: int
) -> Iterator[tuple[Given, Result]]:
    """What a function of a module gives for each argument, as they end, so many ``jobs`` at a time.

    Raises:
        RuntimeError: a process was killed.
    """
    before = dict(os.environ)
    for variable in THREADS:
        os.environ.setdefault(variable, str(max(cores() // jobs, 1)))
    context = get_context("spawn")
    ends, held = context.Pipe(duplex=False)
    # each experiment has a process of its own, so that none pays for what another left in memory
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(ends,), max_tasks_per_child=1) as pool:
        try:
            running = {pool.submit(function, each): each for each in given}
            for ended in as_completed(running):
                yield running[ended], ended.result()
        except BrokenExecutor:
            raise RuntimeError(
                f"a process that ran one of {jobs} experiments at a time was killed, most often for lack of memory; "
                "use fewer, as --jobs 1. What was finished is kept."
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            held.close()
            for variable in THREADS:
                if variable not in before:
                    del os.environ[variable]


def _begin(ends: connection.Connection) -> None:
    """A process ends with what started it, however that ends, and at Ctrl-C without a word: the starter tells."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(ends,), daemon=True).start()


def _end_with(ends: connection.Connection) -> None:
    connection.wait([ends])
    os._exit(1)
