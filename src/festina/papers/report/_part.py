"""What a report keeps of each finished experiment: its facts and its figure, whole or not at all.

``parts/NAME.json`` holds the facts, the key of what made them (settings, sources, versions), and the SHA-256 of the
facts and of ``parts/NAME.png``. It is written last, so that whatever stops the report, a part that can be read is a
part that was finished.
"""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, eq=False)
class Part:
    """A finished experiment (or the errata): facts as plain data, and its figure as PNG, empty where it has none."""

    facts: Mapping[str, Any]
    figure: bytes = b""


@dataclass(frozen=True)
class Parts:
    """The folder of the parts."""

    folder: Path

    def make(self) -> None:
        """Make the folder and write to it once, before anything is computed for it.

        Raises:
            ValueError: it cannot be made or written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            probe = self.folder / "probe"
            put(probe, b"")
            probe.unlink()
        except OSError as error:
            raise ValueError(
                f"out is {str(self.folder.parent)!r}, which cannot be written to ({error.strerror}); "
                "give another, as --out DIR."
            ) from None

    def checkpoints(self, name: str) -> Path:
        """Where training runs of an experiment that is not finished are kept."""
        return self.folder / f"{name}.part"

    def load(self, name: str, key: str) -> tuple[Part | None, str]:
        """The part made with that key, or None; and what is wrong with it, where it cannot be read."""
        path = self.folder / f"{name}.json"
        try:
            stored = json.loads(path.read_bytes())
            if stored["key"] != key:
                return None, ""
            if stored["sha256"] != _digest(stored["facts"]):
                raise ValueError
            figure = b""
            if stored["figure"]:
                path = path.with_suffix(".png")
                figure = path.read_bytes()
                if hashlib.sha256(figure).hexdigest() != stored["figure"]:
                    raise ValueError
            return Part(stored["facts"], figure), ""
        except FileNotFoundError:
            return None, "" if path.suffix == ".json" else f"{path} is missing"
        except (ValueError, TypeError, KeyError, RecursionError):
            return None, f"{path} is corrupt: it is not what was written"

    def save(self, name: str, key: str, part: Part) -> None:
        """Keep a part; the figure first, for the facts vouch for it."""
        digest = ""
        if part.figure:
            put(self.folder / f"{name}.png", part.figure)
            digest = hashlib.sha256(part.figure).hexdigest()
        stored = {"key": key, "sha256": _digest(part.facts), "figure": digest, "facts": part.facts}
        put(self.folder / f"{name}.json", json.dumps(stored, indent=1, ensure_ascii=False).encode())
        shutil.rmtree(self.checkpoints(name), ignore_errors=True)

    def remove(self, name: str) -> None:
        """Forget a part and its checkpoints."""
        for suffix in (".json", ".png"):
            (self.folder / f"{name}{suffix}").unlink(missing_ok=True)
        shutil.rmtree(self.checkpoints(name), ignore_errors=True)

    def seconds(self, name: str, quick: bool) -> float | None:
        """How long it took the last time, with whatever sources; None where that is not known."""
        try:
            facts = json.loads((self.folder / f"{name}.json").read_bytes())["facts"]
            return float(facts["seconds"]) if facts.get("quick", quick) == quick else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


def put(path: Path, content: bytes) -> None:
    """Write under a temporary name, then rename: a reader finds the whole file or the one before."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _digest(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
