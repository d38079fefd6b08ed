"""Several experiments at a time, each in a process of its own."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from festina._processor import cores

Result = TypeVar("Result")
Given = TypeVar("Given")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")
"""Environment variables by which linear algebra and XLA use the cores that are there for each process."""


def in_processes(
    function: Callable[[Given], Result], given: Sequence[Given], jobs: int
) -> Iterator[tuple[Given, Result]]:
    """What a function of a module gives for each argument, as they end, so many ``jobs`` at a time."""
    for variable in THREADS:
        os.environ.setdefault(variable, str(max(cores() // jobs, 1)))
    # each experiment has a process of its own, so that none pays for what another left in memory
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, max_tasks_per_child=1) as pool:
        running = {pool.submit(function, each): each for each in given}
        try:
            for ended in as_completed(running):
                yield running[ended], ended.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """A process ends with the one that started it, and at Ctrl-C without a word: that one tells."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    starter = parent_process()
    if starter is not None:
        threading.Thread(target=_end_with, args=(starter.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
