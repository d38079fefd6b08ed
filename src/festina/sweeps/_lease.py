"""A lease: the file that says who runs a task; it is removed, or grows stale, when its worker ends."""

import json
import os
import re
import socket
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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


def running(folder: Path) -> list[Lease]:
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
