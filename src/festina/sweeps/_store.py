"""The folder of a sweep: its declaration, its shards, its failures, and who is at work.

- sweep.json          the plan: plain data, enough to name every shard
- shards/ab/abcd….nc  one NetCDF file per task, named by the hash of all that its result depends on
- failed/abcd….json   why a task failed
- leases/abcd….json   who runs a task now
- partial/            shards that are being written
- corrupt/            shards that were not whole and have been computed again

A shard ends with its own SHA-256. A folder may come from somebody else: it is data. Nothing in it names code, and
neither a name nor a link in it leads out of it.
"""

import errno
import json
import os
import re
import secrets
import socket
import stat
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from festina.storage import netcdf, store
from festina.sweeps import _code
from festina.sweeps._plan import Plan, Task, from_json
from festina.sweeps._result import Result

KIND = "shard"

CorruptShardError = store.CorruptError
"""A shard is not what was written: cut off, overwritten or changed."""


def pack(result: Result, metadata: Mapping[str, object]) -> bytes:
    """The contents of a shard: the same for equal results."""
    told = {"coords": list(result.coords), "metadata": dict(metadata)}
    text = json.dumps(told, sort_keys=True)
    # few different lengths, for files are filled in that have the same form
    attributes = {"festina": text.ljust(-(-len(text) // 64) * 64)}
    return netcdf.pack(netcdf.Dataset({**result.coords, **result.variables}, attributes))


def unpack(path: Path, content: bytes) -> tuple[Result, dict[str, Any]]:
    """The arrays in the content of a shard, and the inputs that they result from; ``path`` is named in errors.

    Raises:
        CorruptShardError: it is not what this library writes; the message says why.
    """
    data = netcdf.unpack(path, content)
    try:
        told = json.loads(data.attributes["festina"])
        coords = {name: data.variables[name] for name in told["coords"]}
        variables = {name: variable for name, variable in data.variables.items() if name not in coords}
        return Result(variables, coords), dict(told["metadata"])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CorruptShardError(f"{path} was changed: {type(error).__name__}: {error}") from None


BEAT = 5.0
"""Seconds between two signs of life; a lease is a file that its worker touches this often."""

STALE_AFTER = 12 * BEAT
"""Seconds without a sign after which a worker on another machine counts as dead; a short stall must not."""

MAX_BYTES = 10_000
"""Maximum size of a lease."""

MAX_PID = 2**31
"""Larger numbers are no process."""

NAME = re.compile(r"[0-9a-f]{64}\.json")
"""Only files with such names are leases, and only those are removed."""


@dataclass(frozen=True)
class Lease:
    """Who runs a task, and for how many seconds by now."""

    key: str
    host: str
    pid: int
    seconds: float


@contextmanager
def lease(folder: Path, key: str) -> Iterator[bool]:
    """Take the lease of a task; yields False where somebody alive has it.

    It saves work, it is no lock: should two run one task, both write the same shard.
    """
    path = folder / f"{key}.json"
    if not _take(path):
        yield False
        return
    over = threading.Event()
    beat = threading.Thread(target=_beat, args=(path, over), daemon=True)
    beat.start()
    try:
        yield True
    finally:
        over.set()
        beat.join()
        path.unlink(missing_ok=True)


def leases(folder: Path) -> list[Lease]:
    """The leases of those who are alive, oldest first."""
    found = [_read(path) for path in _leases(folder)]
    return sorted((held for held in found if held is not None), key=lambda held: -held.seconds)


def remove_stale(folder: Path) -> None:
    """Remove the leases of workers that are gone: one killed between writing its shard and ending leaves its own."""
    for path in _leases(folder):
        if _read(path) is None:
            path.unlink(missing_ok=True)


def is_dead(host: str, pid: int) -> bool:
    """Whether a process is known to be gone; of other machines nothing is known."""
    if host != socket.gethostname():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _take(path: Path) -> bool:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"host": socket.gethostname(), "pid": os.getpid(), "since": time.time()})
    for _ in range(2):
        try:
            with open(path, "x", encoding="utf-8") as file:
                try:
                    file.write(content)
                    file.flush()
                except OSError:
                    path.unlink(missing_ok=True)
                    raise
            return True
        except FileExistsError:
            if _read(path) is not None:
                return False
            path.unlink(missing_ok=True)
    return False


def _leases(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if NAME.fullmatch(path.name)] if folder.is_dir() else []


def _beat(path: Path, over: threading.Event) -> None:
    while not over.wait(BEAT):
        try:
            os.utime(path)
        except OSError:
            return


def _read(path: Path) -> Lease | None:
    """The lease, where its holder is alive."""
    try:
        state = path.lstat()
        quiet = time.time() - state.st_mtime
        if not stat.S_ISREG(state.st_mode) or state.st_size > MAX_BYTES or abs(quiet) > STALE_AFTER:
            return None
        told = json.loads(path.read_text(encoding="utf-8") or "null")
        if told is None:
            # made this moment, and not yet written
            return Lease(path.stem, "?", 0, quiet)
        host, pid, since = str(told["host"]), int(told["pid"]), float(told["since"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    if not 0 < pid < MAX_PID or is_dead(host, pid):
        return None
    return Lease(path.stem, host, pid, max(0.0, time.time() - since))


KEY = re.compile(r"[0-9a-f]{64}")

FOLDERS = ("shards", "failed", "leases", "partial", "corrupt")

MAX_DECLARATION = 500_000_000
"""Bytes of a declaration; ten million values of a setting take less."""

MAX_FAILURE = 10_000_000
"""Bytes of the file that tells why a task failed."""

MAX_REASON, MAX_TRACEBACK = 2_000, 1_000_000
"""Characters of the reason and of the traceback in it."""


@dataclass(frozen=True)
class Store:
    """A folder; everything in it is found by key, and a key is a hash, so that no name leads out of it."""

    path: Path

    @property
    def declaration(self) -> Path:
        return self.path / "sweep.json"

    @property
    def leases(self) -> Path:
        return self.path / "leases"

    @cached_property
    def shards(self) -> store.Store:
        return store.Store(self.path / "shards", KIND, ".nc", split=2, temporary=self.path / "partial")

    def shard(self, key: str) -> Path:
        return self.shards.path(_hash(key))

    def failure(self, key: str) -> Path:
        return self.path / f"failed/{_hash(key)}.json"

    def declare(self, plan: Plan) -> None:
        """Write down what is swept; where something is being swept already, it must be the same.

        Raises:
            ValueError: the folder holds another sweep, or one by other code, or links that lead out of it.
            OSError: it cannot be written.
        """
        self._check_links()
        if not self.declaration.exists():
            try:
                self._create(plan)
            except OSError as error:
                raise unwritable(self.path, error) from None
        there = self.read_plan()
        code = _code.difference(there.code, plan.code)
        differs = plan_difference(there, plan)
        if differs:
            differs = "; ".join(filter(None, [differs, code]))
            text = (
                f"out is {str(self.path)!r}, which holds another sweep ({differs}); choose another folder, or its grid."
            )
            raise ValueError(printable(text))
        if code:
            raise ValueError(
                f"out is {str(self.path)!r}, which holds the same sweep by other code ({printable(code)}); one folder "
                "holds results of one code: choose another folder, or bring the code back as it was."
            )

    def _create(self, plan: Plan) -> None:
        if self.path.is_dir() and any(self.path.iterdir()):
            others = {p.name for p in self.path.iterdir() if not p.name.endswith(".new")} - {"sweep.json", *FOLDERS}
            if others:
                raise ValueError(
                    f"out is {str(self.path)!r}, which holds other files ({', '.join(sorted(others)[:3])}); "
                    "choose a new or an empty folder."
                )
        self.path.mkdir(parents=True, exist_ok=True)
        temporary = self.path / f"{secrets.token_hex(8)}.new"
        try:
            temporary.write_text(plan.to_json(), encoding="utf-8")
            try:
                # if two sweeps begin at once, one writes the plan and the other compares with it
                os.link(temporary, self.declaration)
            except FileExistsError:
                pass
            except OSError:
                # file systems without links
                os.replace(temporary, self.declaration)
        finally:
            temporary.unlink(missing_ok=True)

    def read_plan(self) -> Plan:
        """Plan of this sweep.

        Raises:
            ValueError: the folder is not there, or is not a sweep's.
        """
        try:
            if not self.declaration.is_file():
                raise ValueError(
                    f"path is {str(self.path)!r}, where there is no sweep (no sweep.json); give the folder of one."
                )
            if self.declaration.stat().st_size > MAX_DECLARATION:
                raise ValueError(f"{self.declaration} is larger than the declaration of any sweep.")
            text = self.declaration.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{self.declaration} cannot be read: {error}") from None
        try:
            return from_json(text)
        except ValueError as error:
            raise ValueError(printable(f"{self.declaration} is {error}")) from None

    def done(self, task: Task) -> bool:
        """Whether a task's shard is there, whole and its own.

        Raises:
            CorruptShardError: it is there, but not whole.
            ValueError: it is whole, but of other settings or code.
        """
        path = self.shard(task.key)
        try:
            key = self.shards.read(task.key)[0]
        except FileNotFoundError:
            return False
        if key != task.key:
            raise ValueError(self._foreign(path, task))
        return True

    def set_aside(self, task: Task, reason: str) -> None:
        """Move a corrupt shard out of the way and say so; its task is then computed again."""
        path = self.shard(task.key)
        warnings.warn(f"corrupt shard: {reason}; it is computed again, the old file is in corrupt/.", stacklevel=3)
        aside = self.path / "corrupt" / path.name
        aside.parent.mkdir(exist_ok=True)
        os.replace(path, aside)

    def read(self, task: Task) -> Result | None:
        """A task's result; None if there is none yet."""
        try:
            found, metadata = self._shard(task)
        except FileNotFoundError:
            return None
        if metadata.get("key") != task.key:
            raise ValueError(self._foreign(self.shard(task.key), task))
        for name, variable in {**found.variables, **found.coords}.items():
            axes, first = variable.axes, variable.values.shape[:1]
            seeds = () if task.seeds is None else (len(task.seeds),)
            if len(set(axes)) < len(axes) or (seeds and "seed" in axes and (axes[0] != "seed" or first != seeds)):
                raise CorruptShardError(printable(f"{self.shard(task.key)} was changed: the axes of {name} are {axes}"))
        return found

    def _shard(self, task: Task) -> tuple[Result, dict[str, Any]]:
        return unpack(self.shard(task.key), self.shards.read(task.key)[1])

    def _foreign(self, path: Path, task: Task) -> str:
        metadata, plan = self._shard(task)[1], self.read_plan()
        settings, made = (metadata.get(name) for name in ("settings", "code"))
        here = {"function": plan.function, **task.settings}
        there = {"function": metadata.get("function"), **(settings if isinstance(settings, dict) else {})}
        differs = [f"{k} {there.get(k)} there, {v} here" for k, v in here.items() if there.get(k) != v]
        code = _code.difference(made if isinstance(made, dict) else {}, plan.code)
        reason = "; ".join([*differs, *([code] if code else [])]) or f"its key is {metadata.get('key')}"
        return printable(f"{path} is of other settings or code ({reason}); remove it, and its task is computed again.")

    def record(self, task_key: str, settings: Mapping[str, object], error: BaseException) -> None:
        """Keep the reason why a task failed."""
        try:
            reason = f"{type(error).__name__}: {error}"
        except Exception:  # an error of the user's may fail to say what it is
            reason = type(error).__name__
        told = {
            "reason": reason[:MAX_REASON],
            "settings": settings,
            "traceback": "".join(traceback.format_exception(error))[-MAX_TRACEBACK:],
        }
        text = json.dumps(told, indent=1) + "\n"
        store.replace(self.failure(task_key), text.encode(errors="replace"), temporary=self.path / "partial")

    def reason(self, key: str) -> str | None:
        path = self.failure(key)
        if not path.exists():
            return None
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_FAILURE:
                raise ValueError("it is not a file of this sweep")
            return str(json.loads(path.read_text(encoding="utf-8"))["reason"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            return f"unknown: {path} cannot be read ({error})"

    def prepare(self) -> None:
        """See that the folder can be written, and remove what killed workers left behind.

        Raises:
            OSError: it cannot be written.
        """
        try:
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise unwritable(self.path, error) from None
        self.tidy()

    def _check_links(self) -> None:
        """Raise ``ValueError`` where a folder inside is a link: files would be written or removed elsewhere."""
        folders = [self.path / name for name in FOLDERS]
        if folders[0].is_dir() and not folders[0].is_symlink():
            folders += folders[0].iterdir()
        for folder in folders:
            if folder.is_symlink():
                raise ValueError(
                    f"{folder} is a link to another folder; a sweep writes and removes files in its own folder only: "
                    "copy the folder here."
                )

    def tidy(self) -> None:
        """Remove what killed workers of this machine left half-written, and the leases of workers that are gone."""
        remove_stale(self.leases)
        for path in (self.path / "partial").glob("*.part"):
            host, _, rest = path.name.removesuffix(".part").rpartition(".")
            host, _, pid = host.rpartition(".")
            if rest and pid.isdigit() and int(pid) < MAX_PID and is_dead(host, int(pid)):
                path.unlink(missing_ok=True)


def printable(text: str) -> str:
    """Text without characters that would change the terminal: what a folder holds may come from somebody else."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def unwritable(path: Path, error: OSError) -> OSError:
    """An ``OSError`` that says what cannot be written, why, and what to do."""
    number = error.errno or errno.EIO
    full = number in (errno.ENOSPC, errno.EDQUOT)
    advice = "free some space" if full else "choose another folder, or make this one writable"
    told = f"{path} cannot be written ({os.strerror(number)}); all that is finished is kept: {advice} and start again"
    return OSError(number, told)


def plan_difference(there: Plan, here: Plan) -> str:
    """Differences between two plans besides the code, in words; empty if there are none."""
    told = []
    if there.function != here.function:
        told.append(f"function {there.function} there, {here.function} here")
    names = dict.fromkeys([*there.base, *here.base])
    told += [f"{k} {there.base.get(k)} there, {here.base.get(k)} here"
             for k in names if there.base.get(k) != here.base.get(k)]  # fmt: skip
    if there.axes != here.axes:
        told.append(f"swept {_swept(there)} there, {_swept(here)} here")
    if there.seeds != here.seeds:
        told.append(f"{_seeds(there)} there, {_seeds(here)} here")
    if there.dims != here.dims:
        told.append(f"dims {dict(there.dims)} there, {dict(here.dims)} here")
    return "; ".join(told)


def _hash(key: str) -> str:
    if not KEY.fullmatch(key):
        raise ValueError(f"key is {key!r}; a SHA-256 in 64 hexadecimal digits is needed.")
    return key


def _swept(plan: Plan) -> str:
    def shown(labels: Sequence[object]) -> str:
        return ",".join(map(str, labels)) if len(labels) <= 4 else f"{labels[0]}…{labels[-1]} ({len(labels)})"

    return " ".join(f"{a.name}={shown(a.labels)}" for a in plan.axes) or "nothing"


def _seeds(plan: Plan) -> str:
    s = plan.seeds
    return "no seeds" if s is None else f"seeds {s.first}…{s.first + s.count - 1} in blocks of {s.block}"
