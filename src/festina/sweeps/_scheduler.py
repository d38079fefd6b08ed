"""The scheduler of a sweep, and the work on one task: workers may die, and failures do not stop the rest."""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from festina.runtime import progress
from festina.runtime.pool import Pool
from festina.sweeps._cluster import ExecutorLostError, WorkerLostError
from festina.sweeps._code import Function, Reference, difference, loaded
from festina.sweeps._plan import Dims, Plain, Plan, Task, restore
from festina.sweeps._result import read_result
from festina.sweeps._store import CorruptShardError, Store, lease, pack, unwritable


@dataclass(frozen=True)
class Job:
    """A task as it travels to a worker: plain data, and where the function is found."""

    function: Reference | Callable[..., Any]
    name: str
    settings: Mapping[str, Plain]
    seeds: range | None
    dims: Dims
    code: Mapping[str, str]
    key: str
    out: str


@dataclass(frozen=True)
class Answer:
    """Outcome of a task.

    done: its shard is written; failed: the function raised, the reason is recorded; busy: another worker runs it;
    full: the store cannot be written; refused: the worker has other code.
    """

    key: str
    kind: Literal["done", "failed", "busy", "full", "refused"]
    reason: str = ""
    number: int = 0


def run_task(job: Job) -> Answer:
    """Run a task and write its shard, unless that is done or being done."""
    store = Store(Path(job.out))
    function = loaded(job.function)
    differs = difference(job.code, function.code)
    if differs:
        return Answer(job.key, "refused", f"a worker has other code: {differs}")
    try:
        if _is_done(store, job.key):
            return Answer(job.key, "done")
        with lease(store.leases, job.key) as ours:
            # whoever had the lease before may have finished in between
            if not ours or _is_done(store, job.key):
                return Answer(job.key, "done" if ours else "busy")
            return _compute(job, function, store)
    except OSError as error:
        told = unwritable(store.path, error)
        return Answer(job.key, "full", str(told.strerror), told.errno or 0)


def _compute(job: Job, function: Function, store: Store) -> Answer:
    metadata = {"key": job.key, "function": job.name, "settings": dict(job.settings), "code": dict(job.code)}
    try:
        settings = {name: restore(value, function.hints.get(name, Any)) for name, value in job.settings.items()}
        content = pack(read_result(function.call(**settings), job.dims, job.seeds), metadata)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() and a cancelled asyncio task end this call, not the sweep
        store.record(job.key, dict(job.settings), error)
        return Answer(job.key, "failed")
    store.shards.write(job.key, content)
    store.failure(job.key).unlink(missing_ok=True)
    return Answer(job.key, "done")


def _is_done(store: Store, key: str) -> bool:
    try:
        return store.shards.load(key) is not None
    except CorruptShardError:
        return False


ATTEMPTS = 3
"""Times a task may lose its worker before it counts as the cause; the first may be chance."""

MAX_LOST = 3
"""Tasks that lost their workers for good before any task came back: then none will."""

PAUSE = 0.5
"""Seconds before tasks that another sweep runs are looked at again."""

TELL_EVERY = 30.0
"""Seconds between two lines of progress."""

LOOK = 10.0
"""Seconds between two looks at whether the executor has cancelled its tasks."""


@dataclass(eq=False)
class Scheduler:
    """Hands tasks to an executor, a bounded number at a time, until each is done or has failed."""

    store: Store
    plan: Plan
    function: Reference | Callable[..., Any]
    make: Callable[[], Executor]
    ahead: int | None
    retry: bool
    tell: Callable[[str], object] | None = None
    executor: Executor | None = None
    flight: dict[Future[Answer], Task] = field(default_factory=dict)
    suspects: deque[Task] = field(default_factory=deque)
    tries: dict[str, int] = field(default_factory=dict)
    came_back: int = 0
    lost: int = 0
    busy: int = 0
    limit: int = 1
    bar: Callable[[int], None] = field(default=lambda parts: None)
    settled: int = 0
    told: float = float("-inf")

    def run(self) -> None:
        """Go through the plan until nothing is left; tasks that others run are looked at again in the next round."""
        first = True
        while first or self.busy:
            if self.busy:
                time.sleep(PAUSE)
            self.busy = 0
            with progress.bar(self.plan.total, self.plan.function) as self.bar:
                self.settled = 0
                self._round(self.retry and first)
            first = False
        if self.executor is not None:
            self.store.tidy()

    def _round(self, retry: bool) -> None:
        self._report()
        for task in self.plan.tasks():
            if self._settled(task, retry):
                self._advance()
                continue
            self._begin()
            while self.suspects or len(self.flight) >= self.limit:
                self._collect()
            self._submit(task)
        while self.suspects or self.flight:
            self._collect()

    def _advance(self) -> None:
        self.bar(1)
        self.settled += 1
        self._report()

    def _report(self) -> None:
        """A line of progress now and then, for those who asked for lines."""
        if self.tell is not None and time.monotonic() - self.told > TELL_EVERY:
            self.told = time.monotonic()
            self.tell(f"{self.plan.function} into {self.store.path}: {self.settled} of {self.plan.total} tasks")

    def stop(self, own: bool) -> None:
        if own:
            if self.executor is not None:
                self.executor.shutdown(wait=True, cancel_futures=True)
                # workers that ended in the middle of a task left their leases and files that are not complete
                with contextlib.suppress(OSError):
                    self.store.tidy()
            return
        for future in self.flight:
            future.cancel()

    def _settled(self, task: Task, retry: bool) -> bool:
        """Whether nothing is to be done for a task; a corrupt shard is set aside."""
        try:
            if self.store.done(task):
                return True
        except CorruptShardError as error:
            try:
                self.store.set_aside(task, str(error))
            except OSError as cause:
                raise unwritable(self.store.path, cause) from None
        return not retry and self.store.failure(task.key).exists()

    def _begin(self) -> None:
        """Start the executor when there is something to do, and look at its size."""
        if self.executor is None:
            self.store.prepare()
            self.executor = self.make()
        self.limit = self.ahead or getattr(self.executor, "capacity", 4 * (os.cpu_count() or 1))

    def _submit(self, task: Task) -> None:
        assert self.executor is not None
        plan, out = self.plan, str(self.store.path)
        job = Job(self.function, plan.function, task.settings, task.seeds, plan.dims, plan.code, task.key, out)
        try:
            self.flight[self.executor.submit(run_task, job)] = task
        except BrokenExecutor as error:
            self._broken(task, error)
        except RuntimeError as error:
            raise self._gone(error) from error

    def _collect(self) -> None:
        """Wait for an answer, or, where a pool has broken, run one of the suspects alone."""
        if not self.flight:
            self._submit(self.suspects.popleft())
        ready = wait(self.flight, LOOK, FIRST_COMPLETED).done
        # an executor that ends may cancel without a word
        for future in ready or {future for future in self.flight if future.cancelled()}:
            task = self.flight.pop(future, None)
            if task is None:
                # the pool broke, and this one is a suspect by now
                continue
            try:
                answer = future.result()
            except (CancelledError, ExecutorLostError) as error:
                raise self._gone(error) from error
            except BrokenExecutor as error:
                self._broken(task, error)
            except Exception as error:
                self._missing(task, error)
            else:
                if answer.kind == "full":
                    raise OSError(answer.number, answer.reason)
                if answer.kind == "refused":
                    raise ValueError(f"{answer.reason}; give every worker the code that the sweep was begun with.")
                self.came_back += 1
                self.busy += answer.kind == "busy"
                self.tries.pop(task.key, None)
                self._advance()

    def _broken(self, task: Task, error: BrokenExecutor) -> None:
        """A process of the pool has died and all in flight are lost: each of them runs alone, to see which it was."""
        if not isinstance(self.executor, Pool):
            raise self._gone(error) from error
        # a task that ran beside others is only suspected; one that ran alone is the cause, or unlucky
        alone = not self.flight
        suspects = [task, *self.flight.values()]
        self.flight.clear()
        self.executor.renew()
        if alone:
            self._missing(task, error)
        else:
            self.suspects.extend(suspects)

    def _missing(self, task: Task, error: Exception) -> None:
        """A task came back without an answer: again, or, if that happens again and again, failed."""
        self.tries[task.key] = self.tries.get(task.key, 0) + 1
        if self.tries[task.key] < ATTEMPTS:
            # in a pool one task can bring down others; elsewhere it is known whose worker was lost
            (self.suspects.append if isinstance(self.executor, Pool) else self._submit)(task)
            return
        del self.tries[task.key]
        cause = WorkerLostError(
            f"its worker was lost {ATTEMPTS} times (killed, or out of memory or time): {type(error).__name__}: {error}"
        )
        self.lost += 1
        if self.lost >= MAX_LOST and not self.came_back:
            raise RuntimeError(
                f"no worker can run any task: {cause}; in a script, call fs.sweep under if __name__ == '__main__':."
            ) from error
        try:
            self.store.record(task.key, dict(task.settings), cause)
        except OSError as full:
            raise unwritable(self.store.path, full) from None

    def _gone(self, error: BaseException) -> ExecutorLostError:
        return ExecutorLostError(
            f"the executor is lost ({type(error).__name__}: {error}); all that is finished is kept: start again."
        )
