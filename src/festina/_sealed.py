"""Files that prove themselves whole: written under another name, renamed when complete, sealed by their last line.

The last line, ``festina KIND 1 KEY SHA-256``, stands behind the data (which end where they say). Whatever stopped the
writer, a reader finds the whole file, none, or one that is known to be broken.
"""

import hashlib
import os
import secrets
import socket
from pathlib import Path


class CorruptError(ValueError):
    """A sealed file is not what was written: cut off, overwritten or changed."""


def write(path: Path, partial: Path, kind: str, key: str, image: bytes, *, durable: bool = True) -> None:
    """Write ``image`` at once: under a temporary name in the folder ``partial``, then renamed to ``path``.

    ``durable`` waits for the disk, which only a power failure makes worth its time.
    """
    partial.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = partial / f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(8)}.part"
    try:
        with open(temporary, "xb") as file:
            file.write(image)
            file.write(_seal(kind, key, image))
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def read(path: Path, kind: str) -> tuple[str, bytes]:
    """Key and image of a whole file.

    Raises:
        CorruptError: it is not whole; the message says why.
    """
    content = path.read_bytes()
    size = len(_seal(kind, "0" * 64, b""))
    image, seal = content[:-size], content[-size:]
    if not seal.startswith(_mark(kind)):
        raise CorruptError(f"{path} is cut off or not a {kind}: its last line is missing")
    key = seal[len(_mark(kind)) :].split(b" ")[0].decode(errors="replace")
    if seal != _seal(kind, key, image):
        raise CorruptError(f"{path} was changed: its contents do not have the SHA-256 they were written with")
    return key, image


def _mark(kind: str) -> bytes:
    return f"\nfestina {kind} 1 ".encode()


def _seal(kind: str, key: str, image: bytes) -> bytes:
    digest = hashlib.sha256(image)
    digest.update(key.encode())
    return _mark(kind) + f"{key} {digest.hexdigest()}\n".encode()
