"""What a worker does with one task; whatever happens to the worker, the store stays whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from festina.papers import Claim, Experiment, Outcome, Verdict, find
from festina.sweep import _shard
from festina.sweep._code import code_version, difference
from festina.sweep._experiment import build
from festina.sweep._lease import lease
from festina.sweep._store import Store, unwritable
from festina.sweep._values import arrays


@dataclass(frozen=True)
class Job:
    """A task as it travels to a worker: plain data."""

    experiment: str
    file: str | None
    settings: Mapping[str, Any]
    code: Mapping[str, str]
    key: str
    out: str

    @property
    def source(self) -> Experiment:
        """The experiment, on the worker's side."""
        return find(self.experiment) if self.file is None else Experiment(self.experiment, self.file)


@dataclass(frozen=True)
class Answer:
    """What became of a task.

    done: its shard is written; failed: the experiment raised, the reason is recorded; busy: somebody else runs it;
    full: the store cannot be written; refused: the worker has other code.
    """

    key: str
    kind: Literal["done", "failed", "busy", "full", "refused"]
    reason: str = ""
    number: int = 0


def perform(job: Job) -> Answer:
    """Run a task and write its shard, unless that is done or being done."""
    store = Store(Path(job.out))
    path = store.shard(job.key)
    differs = difference(job.code, code_version(job.source))
    if differs:
        return Answer(job.key, "refused", f"a worker has other code: {differs}")
    try:
        if _whole(path, job.key):
            return Answer(job.key, "done")
        with lease(store.leases, job.key) as ours:
            # whoever had the lease before may have finished in between
            if not ours or _whole(path, job.key):
                return Answer(job.key, "done" if ours else "busy")
            return _compute(job, store)
    except OSError as error:
        told = unwritable(store.path, error)
        return Answer(job.key, "full", str(told.strerror), told.errno or 0)


def _compute(job: Job, store: Store) -> Answer:
    try:
        values = arrays(_measure(job.source, build(job.source, job.settings)))
    except Exception as error:
        store.record(job.key, dict(job.settings), error)
        return Answer(job.key, "failed", f"{type(error).__name__}: {error}")
    facts = {
        "format": "festina sweep shard 1",
        "key": job.key,
        "experiment": job.experiment,
        "settings": dict(job.settings),
        "code": dict(job.code),
    }
    _shard.write(store.shard(job.key), store.path / "partial", job.key, values, facts)
    store.failure(job.key).unlink(missing_ok=True)
    return Answer(job.key, "done")


def _measure(experiment: Experiment, settings: Any) -> Outcome:
    """A run whose claims are judged each on its own: one that spans several settings is open where there is one."""
    module = experiment.module
    curves = module.compute(settings)
    verdicts = tuple(_judge(claim, curves) for claim in experiment.claims)
    return Outcome(experiment, settings, curves, verdicts, module.values(curves), 0.0)


def _judge(claim: Claim, curves: Any) -> Verdict:
    try:
        return claim.decide(curves)
    except Exception:
        return claim.undecided()


def _whole(path: Path, key: str) -> bool:
    try:
        return _shard.check(path) == key
    except (FileNotFoundError, _shard.CorruptShardError):
        return False
