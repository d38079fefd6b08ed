"""Record of each finished experiment for a report: its metadata and its figure, whole or not at all.

``parts/NAME.result`` is written atomically with a key of its settings, sources and versions. A result that can be read
is a finished one, even if the report was interrupted.
"""

import base64
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from festina.storage.store import CorruptError, Store


@dataclass(frozen=True, eq=False)
class CachedResult:
    """A finished experiment (or the errata): metadata as plain data, and its figure as PNG, empty if it has none."""

    metadata: Mapping[str, Any]
    figure: bytes = b""


@dataclass(frozen=True)
class Cache:
    """The folder of the results."""

    folder: Path

    def make(self) -> None:
        """Make the folder and write to it once, before anything is computed for it.

        Raises:
            ValueError: it cannot be made or written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                pass
        except OSError as error:
            raise ValueError(
                f"out is {str(self.folder.parent)!r}, which cannot be written to ({error.strerror}); "
                "give another, as --out DIR."
            ) from None

    def checkpoints(self, name: str) -> Path:
        """Folder for training runs of an unfinished experiment."""
        return self.folder / f"{name}.checkpoints"

    def load(self, name: str, key: str) -> tuple[CachedResult | None, str]:
        """The result made with that key, or None; and what is wrong with it, where it cannot be read."""
        try:
            content = self._store.load(name, key)
        except CorruptError as error:
            return None, str(error)
        return None if content is None else _decode(content), ""

    def save(self, name: str, key: str, result: CachedResult) -> None:
        """Keep a result; its checkpoints are not needed any more."""
        stored = {"metadata": result.metadata, "figure": base64.b64encode(result.figure).decode()}
        content = json.dumps(stored, ensure_ascii=False).encode()
        self._store.write(name, content, key)
        shutil.rmtree(self.checkpoints(name), ignore_errors=True)

    def remove(self, name: str) -> None:
        """Forget a result and its checkpoints."""
        self._store.remove(name)
        shutil.rmtree(self.checkpoints(name), ignore_errors=True)

    def seconds(self, name: str, quick: bool) -> float | None:
        """How long it took the last time, with whatever sources; None if that is not known."""
        try:
            metadata = _decode(self._store.read(name)[1]).metadata
        except (OSError, CorruptError):
            return None
        return float(metadata["seconds"]) if metadata.get("quick", quick) == quick else None

    @property
    def _store(self) -> Store:
        return Store(self.folder, "report", ".result")


def _decode(content: bytes) -> CachedResult:
    stored = json.loads(content)
    return CachedResult(stored["metadata"], base64.b64decode(stored["figure"]))
