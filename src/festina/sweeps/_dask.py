"""Workers of a Dask cluster."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future
from functools import partial
from typing import Any

from festina.checks.optional import need
from festina.sweeps._errors import ExecutorLostError

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
        """Send calls as one task."""
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


def _fail(calls: Sequence[_Call], error: Exception) -> None:
    for future, _ in calls:
        if not future.done():
            future.set_exception(error)


def _in_turn(calls: Sequence[Callable[[], object]], seconds: float) -> tuple[list[object], float]:
    """Answers of the calls that begin within so many seconds, at least of one, and how long they took."""
    begun, answers = time.perf_counter(), list[object]()
    for call in calls:
        answers.append(call())
        if time.perf_counter() - begun > seconds:
            break
    return answers, time.perf_counter() - begun
