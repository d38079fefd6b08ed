"""Several experiments at a time, each in a process of its own."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from typing import TypeVar

from festina.runtime import cores

Result = TypeVar("Result")
Given = TypeVar("Given")

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NPROC")
"""Environment variables by which linear algebra and XLA use the cores that are there for each process."""


def in_processes(
    function: Callable[[Given], Result], given: Sequence[Given], jobs: int
) -> Iterator[tuple[Given, Result]]:
    """What a function of a module gives for each argument, as they end, so many ``jobs`` at a time.

    None pays for what another left in memory. The starter has neither threads nor locks that an interruption or the end
    of a process could leave held.

    Raises:
        RuntimeError: a process was killed.
    """
    before = dict(os.environ)
    for variable in THREADS:
        os.environ.setdefault(variable, str(max(cores() // jobs, 1)))
    context = get_context("spawn")
    ends, held = context.Pipe(duplex=False)
    waiting: list[Given] = list(given)
    running: dict[connection.Connection, tuple[Given, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                each = waiting.pop(0)
                answer, sends = context.Pipe(duplex=False)
                process = context.Process(target=_run, args=(function, each, sends, ends))
                process.start()
                running[answer] = each, process
                sends.close()
            ready = connection.wait(list(running))
            for answer in [each for each in running if each in ready]:
                try:
                    result, error = answer.recv()
                except EOFError:
                    raise RuntimeError(
                        f"a process that ran one of {jobs} experiments at a time was killed, most often for lack of "
                        "memory; use fewer, as --jobs 1. What was finished is kept."
                    ) from None
                each, process = running.pop(answer)
                answer.close()
                process.join()
                process.close()
                if error is not None:
                    raise error
                yield each, result
    finally:
        for answer, (_, process) in running.items():
            process.kill()
            process.join()
            answer.close()
        ends.close()
        held.close()
        for variable in THREADS:
            if variable not in before:
                del os.environ[variable]


def _run(
    function: Callable[[Given], Result], each: Given, sends: connection.Connection, ends: connection.Connection
) -> None:
    """A process ends with what started it, however that ends, and at Ctrl-C without a word: the starter tells."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with, args=(ends,), daemon=True).start()
    try:
        sends.send((function(each), None))
    except Exception as error:
        sends.send((None, error))


def _end_with(ends: connection.Connection) -> None:
    connection.wait([ends])
    os._exit(1)
