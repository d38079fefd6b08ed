"""A key of this user, by which festina recognises the compiled programs that it wrote itself.

The key is a file of random bytes in the user's state folder, apart from the cache folder and readable by the user only.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from pathlib import Path
from typing import Literal

BYTES = 32
"""Size of a key: as many bits as the digest that is made with it."""


def user_folder(kind: Literal["cache", "state"]) -> Path | None:
    """The user's folder for files that can be made again, or for others; None for a user without a home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library" / {"cache": "Caches", "state": "Application Support"}[kind] / "festina"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "festina" / kind.capitalize()
    base = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    return (
        Path(base) if os.path.isabs(base) else home / {"cache": ".cache", "state": ".local/state"}[kind]
    ) / "festina"


def place() -> Path | None:
    """The file of the key; None for a user without a home folder."""
    folder = user_folder("state")
    return None if folder is None else folder / "key"


def own(path: Path, others: int = stat.S_IWGRP | stat.S_IWOTH) -> bool:
    """Whether a file or folder is the user's, and gives no other user the rights ``others`` (by default, to write)."""
    try:
        found = path.stat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & others)


def key() -> bytes | None:
    """The key, which is made if there is none; None if it cannot be kept from others."""
    file = place()
    if file is None:
        return None
    try:
        if not file.exists():
            _make(file)
        if file.is_symlink() or not own(file.parent) or not own(file, stat.S_IRWXG | stat.S_IRWXO):
            return None
        found = file.read_bytes()
    except OSError:
        return None
    return found if len(found) == BYTES else None


def _make(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = file.with_name(f"{secrets.token_hex(8)}.part")
    try:
        with open(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as stream:
            stream.write(secrets.token_bytes(BYTES))
        # if two processes make a key at once, that of the first counts
        try:
            os.link(made, file)
        except FileExistsError:
            pass
        except OSError:
            # file systems without links
            os.replace(made, file)
    finally:
        made.unlink(missing_ok=True)
