"""Checkpoints: an interrupted training run continues with identical results to the last bit.

A run has a folder, named by a hash of everything that determines its result. That is the computation itself, initial
weights, data, rate, steps, random keys and the versions of the libraries. The computation is taken as it is handed to
the compiler, so that network, optimiser and observables count by what they do. In it are parts (what was observed since
the checkpoint before) and ``state`` (weights, the optimiser's memory, random keys, and the names of the parts).
``state`` is replaced last, so that it never names a missing part. All are NumPy's npz, never a pickle.
"""

import errno
import io
import json
import os
import re
import secrets
import shutil
import time
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.storage.store import CorruptError, Store

PART = re.compile(r"part-[0-9a-f]{16}")
"""Names of the parts: files in the run's own folder and nowhere else."""

EVERY = 30.0
"""Seconds between checkpoints: what a stop costs at most, and far longer than one takes."""

SHARE = 0.05
"""Largest share of the time that checkpoints may take; where one is slow to write, they become rarer."""


@dataclass(frozen=True, eq=False)
class Checkpoints:
    """The folder and the training runs of a block ``with fs.checkpoints(...)``."""

    folder: Path
    every: float = EVERY
    used: set[str] = field(default_factory=set)

    def remove(self) -> None:
        """Delete what the runs so far have saved; files of other runs in the folder stay."""
        for key in self.used:
            shutil.rmtree(self.folder / key, ignore_errors=True)
        self.used.clear()
        # another run's checkpoints keep the folder
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _of(self, key: str) -> "Checkpoint":
        self.used.add(key)
        return Checkpoint(self.folder / key, key, self.every)


_current: ContextVar[Checkpoints | None] = ContextVar("festina_checkpoints", default=None)


@contextmanager
def checkpoints(folder: str | os.PathLike[str], *, every: float = EVERY) -> Iterator[Checkpoints]:
    """Make every training run inside resumable: those of ``fs.Train``, and of everything that uses it.

    An interrupted run continues from its last checkpoint and gives the same numbers to the last bit; a run that is
    finished is read back. A run that differs in anything that matters is another run.

    Args:
        folder: where to keep them; created if it does not exist.
        every: seconds between checkpoints.

    Yields:
        A ``Checkpoints``, whose ``remove()`` deletes what the runs inside have saved.

    Raises:
        ValueError: ``folder`` cannot be made, or ``every`` is negative.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Gaussian(0.1))
        >>> with fs.checkpoints("runs") as kept:
        ...     first = fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 5.0], method=fs.Train(rate=0.1))
        ...     again = fs.evolve(network, fs.tasks.hierarchy(levels=2), [0.0, 5.0], method=fs.Train(rate=0.1))
        ...     kept.remove()
        >>> bool((first.loss == again.loss).all()), again.notes["continued_from"]
        (True, 50)
    """
    found = keep(folder, every)
    token = _current.set(found)
    try:
        yield found
    finally:
        _current.reset(token)


def keep(folder: str | os.PathLike[str], every: float = EVERY) -> Checkpoints:
    return Checkpoints(check.folder("folder", folder), check.positive("every", every, zero=True))


def current() -> Checkpoints | None:
    return _current.get()


@dataclass(frozen=True, eq=False)
class Saved:
    """A run so far: its state, its observations, part by part, and their metadata."""

    state: list[np.ndarray]
    parts: list[list[np.ndarray]]
    metadata: Mapping[str, Any]


class Checkpoint:
    """One run's folder: read once, then written now and then."""

    def __init__(self, folder: Path, key: str, every: float) -> None:
        self.folder, self.key, self.every = folder, key, every
        self.store = Store(folder, "checkpoint", durable=False)
        self.names: list[str] = []
        self.due = time.monotonic() + every

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self.due

    def load(self) -> Saved | None:
        """Checkpoint of the run; None if there is nothing. A corrupt file is named, and the run starts again."""
        path = self.folder / "state"
        try:
            state, metadata = self._read("state")
            names = metadata.get("parts")
            if not isinstance(names, list) or not all(isinstance(n, str) and PART.fullmatch(n) for n in names):
                raise CorruptError(f"{path} does not list its parts, so it is not the state of a run")
            found = [self._read(name) for name in names]
            for name, (_, other) in zip(names, found, strict=True):
                if "parts" in other:
                    raise CorruptError(f"{self.folder / name} holds the state of a run, not a part of it")
        except FileNotFoundError as error:
            if not path.exists():
                return None
            problem = f"{error.filename} is missing"
        except OSError as error:
            problem = f"{error.filename} cannot be read ({error.strerror})"
        except CorruptError as error:
            problem = f"corrupt checkpoint: {error}"
        else:
            self.names = names
            return Saved(state, [arrays for arrays, _ in found], metadata)
        warnings.warn(f"{problem}; the run starts again.", stacklevel=2)
        return None

    def save(self, state: Sequence[Array], part: Sequence[Array], metadata: Mapping[str, object]) -> bool:
        """Keep the state and what was observed since the last time; whether it could be written.

        A full disk does not stop the run: a warning says so, and the next checkpoint is tried again.
        """
        begun = time.monotonic()
        try:
            names = self.names
            if part:
                names = [*names, f"part-{secrets.token_hex(8)}"]
                self._write(names[-1], part, {})
            self._write("state", state, {**metadata, "parts": names})
            self.names = names
        except OSError as error:
            reason = os.strerror(error.errno or errno.EIO)
            warnings.warn(f"no checkpoint in {self.folder} ({reason}); the run goes on without.", stacklevel=2)
            return False
        finally:
            now = time.monotonic()
            self.due = now + max(self.every, (now - begun) / SHARE)
        return True

    def _write(self, name: str, arrays: Sequence[Array], metadata: Mapping[str, object]) -> None:
        buffer = io.BytesIO()
        named = {f"a{i}": np.asarray(array) for i, array in enumerate(arrays)}
        np.savez(buffer, **named, metadata=np.array(json.dumps(metadata)))  # type: ignore[arg-type]
        self.store.write(name, buffer.getvalue(), self.key)

    def _read(self, name: str) -> tuple[list[np.ndarray], dict[str, Any]]:
        (key, image), path = self.store.read(name), self.store.path(name)
        if key != self.key:
            raise CorruptError(f"{path} is of another run: its key is {key}")
        try:
            with np.load(io.BytesIO(image), allow_pickle=False) as file:
                return [file[f"a{i}"] for i in range(len(file.files) - 1)], dict(json.loads(str(file["metadata"])))
        except (KeyError, TypeError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
            raise CorruptError(f"{path} does not hold a checkpoint ({error})") from None
