"""Work on one task; the store stays whole whatever happens to the worker."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from festina.sweeps import _shard
from festina.sweeps._axis import Plain, restore
from festina.sweeps._code import difference
from festina.sweeps._function import Function, Reference, loaded
from festina.sweeps._lease import lease
from festina.sweeps._plan import Dims
from festina.sweeps._result import read_result
from festina.sweeps._store import Store, unwritable


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
        content = _shard.pack(read_result(function.call(**settings), job.dims, job.seeds), metadata)
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
    except _shard.CorruptShardError:
        return False
