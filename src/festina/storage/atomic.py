"""Atomic files: written under a temporary name, renamed when complete, and checked by a SHA-256 when they are read.

``replace`` writes any file atomically: whatever stops the writer, the old file or the new one is there, never a part of
one. ``write`` adds a last line, ``festina KIND 1 KEY SHA-256``, by which ``read`` notices every later change; formats
that know where they end (NetCDF, zip) can still be read by other programs.
"""

import hashlib
import os
import secrets
import socket
from pathlib import Path

MAX_LINE = 512
"""Bytes within which the last line begins: its mark, a key of up to 128 characters and the SHA-256 are shorter."""


class CorruptError(ValueError):
    """A file is not what was written: cut off, overwritten or changed."""


def replace(path: Path, content: bytes, *, temporary: Path | None = None, durable: bool = True) -> None:
    """Write ``content`` to ``path`` atomically; an older file is replaced, and links are replaced, not followed.

    Args:
        path: the file; its folder is made where it does not exist.
        content: what to write.
        temporary: the folder of the temporary file, on the same disk; by default that of ``path``.
        durable: wait until the data are on the disk, so that even a power failure leaves the old or the new file.

    Raises:
        OSError: the file cannot be written.
    """
    folder = path.parent if temporary is None else temporary
    for needed in (folder, path.parent):
        needed.mkdir(parents=True, exist_ok=True)
    partial = folder / f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(8)}.part"
    try:
        with open(partial, "xb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def write(path: Path, temporary: Path, kind: str, key: str, content: bytes, *, durable: bool = True) -> None:
    """Write ``content`` atomically, with a last line that holds its kind, its key and its SHA-256."""
    replace(path, content + _last_line(kind, key, content), temporary=temporary, durable=durable)


def read(path: Path, kind: str) -> tuple[str, bytes]:
    """Key and content of a file that ``write`` wrote.

    Raises:
        CorruptError: the file is not as it was written; the message says why.
        OSError: the file cannot be read.
    """
    if path.is_dir():
        raise CorruptError(f"{path} is a folder, not a {kind}")
    content, mark = path.read_bytes(), _mark(kind)
    end = content.rfind(mark, max(0, len(content) - MAX_LINE))
    if end < 0:
        raise CorruptError(f"{path} is cut off or not a {kind}: its last line is missing")
    body, line = content[:end], content[end:]
    key = line[len(mark) :].split(b" ")[0].decode(errors="replace")
    if line != _last_line(kind, key, body):
        raise CorruptError(f"{path} was changed: its contents do not have the SHA-256 they were written with")
    return key, body


def _mark(kind: str) -> bytes:
    return f"\nfestina {kind} 1 ".encode()


def _last_line(kind: str, key: str, content: bytes) -> bytes:
    digest = hashlib.sha256(content)
    digest.update(key.encode())
    return _mark(kind) + f"{key} {digest.hexdigest()}\n".encode()
