"""Stores: folders of files that are written atomically, found by a hash, and checked when they are read.

``replace`` writes every file that festina saves. It writes under a temporary name and renames the file when it is
complete. The path always holds the complete old or the complete new file, even if the writer is interrupted. ``write``
adds a last line, ``festina KIND 1 KEY SHA-256``, by which ``read`` notices every later change; formats that know where
they end (NetCDF, zip) can still be read by other programs. A ``Store`` is a folder of such files: compiled programs,
checkpoints, results of a report, shards of a sweep. With a secret, the last line holds an HMAC in place of the SHA-256,
so that only whoever knows the secret can write a file that is read.
"""

import errno
import hashlib
import hmac
import os
import secrets
import socket
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

MAX_LINE = 512
"""Bytes within which the last line begins: its mark, a key of up to 128 characters and the SHA-256 are shorter."""

KEPT = 0.8
"""Share of its size to which a folder shrinks when it is full, so that not every file written later shrinks it."""

ABANDONED = 3600.0
"""Seconds after which the temporary file of a process that was killed is removed."""


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
        OSError: the file cannot be written, or is something else than a file, such as a folder or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is there already and not a file", str(path))
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


def save(name: str, path: Path, content: bytes | str) -> Path:
    """Write what the user asked to save, and return its path; text becomes UTF-8.

    Args:
        name: the name of the argument that is the path, for errors.
        path: the file.
        content: what to write; characters that UTF-8 does not have become question marks.

    Raises:
        ValueError: the file cannot be written; the message says why.
    """
    try:
        replace(path, content.encode(errors="replace") if isinstance(content, str) else content)
    except OSError as error:
        raise ValueError(f"{name} is {str(path)!r}, which cannot be written ({error.strerror}).") from None
    return path


def write(
    path: Path,
    content: bytes,
    kind: str,
    key: str = "-",
    *,
    temporary: Path | None = None,
    durable: bool = True,
    secret: bytes = b"",
) -> None:
    """Write ``content`` atomically, with a last line that holds its kind, its key and its SHA-256, or its HMAC."""
    replace(path, content + _last_line(kind, key, content, secret), temporary=temporary, durable=durable)


def read(path: Path, kind: str, secret: bytes = b"") -> tuple[str, bytes]:
    """Key and content of a file that ``write`` wrote.

    Raises:
        CorruptError: the file is not as it was written; the message says why.
        OSError: the file cannot be read.
    """
    # opening something that is no file, such as a pipe, would wait
    if not stat.S_ISREG(path.stat().st_mode):
        raise CorruptError(f"{path} is a folder, not a {kind}" if path.is_dir() else f"{path} is not a file")
    content, mark = path.read_bytes(), _mark(kind)
    end = content.rfind(mark, max(0, len(content) - MAX_LINE))
    if end < 0:
        raise CorruptError(f"{path} is cut off or not a {kind}: its last line is missing")
    body, line = content[:end], content[end:]
    key = line[len(mark) :].split(b" ")[0].decode(errors="replace")
    if not hmac.compare_digest(line, _last_line(kind, key, body, secret)):
        digest = "HMAC that the user's key gives" if secret else "SHA-256 they were written with"
        raise CorruptError(f"{path} was changed: its contents do not have the {digest}")
    return key, body


@dataclass(frozen=True)
class Store:
    """A folder of such files, found by name; what a file was made from is its key.

    Any number of processes share a folder: a file is complete or absent. Links inside the folder are neither read nor
    written through, so that nothing leads out of it.

    Attributes:
        folder: where they are.
        kind: what they are, in one word.
        suffix: end of their names.
        split: how many first characters of a name are the name of a folder in between; for very many files.
        temporary: the folder of files that are being written; by default that of the file.
        durable: wait until data are on the disk.
        most: bytes of all files together, where ``shrink`` keeps to a size.
        secret: the key of the HMAC that files end with; a SHA-256 where it is empty.

    Example:
        >>> import tempfile
        >>> store = Store(Path(tempfile.mkdtemp()), "trial")
        >>> store.write("first", b"numbers", key="settings")
        >>> store.load("first", "settings"), store.load("first", "others")
        (b'numbers', None)
    """

    folder: Path
    kind: str
    suffix: str = ""
    split: int = 0
    temporary: Path | None = None
    durable: bool = True
    most: float | None = None
    secret: bytes = field(default=b"", repr=False)

    def path(self, name: str) -> Path:
        """Path of a present or future file."""
        # one join: with 10⁵ files each further one takes a second
        return self.folder / f"{name[: self.split] + '/' if self.split else ''}{name}{self.suffix}"

    def write(self, name: str, content: bytes, key: str | None = None) -> None:
        """Write a file; its key is its name where none is given."""
        path = self.path(name)
        for folder in filter(None, (path.parent if self.split else None, self.temporary)):
            if folder.is_symlink():
                raise OSError(errno.ELOOP, "it is a link to another folder", str(folder))
        write(
            path,
            content,
            self.kind,
            name if key is None else key,
            temporary=self.temporary,
            durable=self.durable,
            secret=self.secret,
        )

    def read(self, name: str) -> tuple[str, bytes]:
        """Key and content of a file; raises as ``read`` does."""
        path = self.path(name)
        if path.is_symlink() or (self.split and path.parent.is_symlink()):
            raise CorruptError(f"{path} is a link, which could lead out of {self.folder}")
        return read(path, self.kind, self.secret)

    def load(self, name: str, key: str | None = None) -> bytes | None:
        """The content of a file; None if there is none, or it was made from something else.

        Raises:
            CorruptError: it is not as it was written.
        """
        try:
            found, content = self.read(name)
        except FileNotFoundError:
            return None
        return content if found == (name if key is None else key) else None

    def remove(self, name: str) -> None:
        """Remove a file, where it is there."""
        self.path(name).unlink(missing_ok=True)

    def touch(self, name: str) -> None:
        """Mark a file as used now, so that it is the last to go."""
        os.utime(self.path(name))

    def shrink(self) -> None:
        """Remove the files that were not used for longest, where all together are larger than ``most``."""
        files, total, most = [], 0, float("inf") if self.most is None else self.most
        with os.scandir(self.folder) as entries:
            for entry in entries:
                try:
                    found = entry.stat()
                except FileNotFoundError:  # another process removed it
                    continue
                if entry.name.endswith(".part"):
                    if time.time() - found.st_mtime > ABANDONED:
                        Path(entry.path).unlink(missing_ok=True)
                    continue
                files.append((found.st_mtime, found.st_size, entry.path))
                total += found.st_size
        if total <= most:
            return
        for _, size, path in sorted(files):
            Path(path).unlink(missing_ok=True)
            total -= size
            if total <= KEPT * most:
                return


def _mark(kind: str) -> bytes:
    return f"\nfestina {kind} 1 ".encode()


def _last_line(kind: str, key: str, content: bytes, secret: bytes) -> bytes:
    digest = hmac.new(secret, content, "sha256") if secret else hashlib.sha256(content)
    digest.update(key.encode())
    return _mark(kind) + f"{key} {digest.hexdigest()}\n".encode()
