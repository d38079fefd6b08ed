"""Arrays in files, read as numbers and never as code: NumPy's npz, safetensors, and labels in CSV."""

from __future__ import annotations

import csv
import io
import lzma
import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np

from festina.checks import check
from festina.checks.optional import need

MAX_BYTES = 8 * 2**30
"""Uncompressed size up to which an npz file is read."""

MAX_RATIO = 64
"""Largest ratio of the arrays' size to the file's, above ``FREE`` bytes. Zeros can be compressed a thousandfold, so a
few megabytes could claim any amount of memory."""

FREE = 8 * check.MAX_ENTRIES
"""Uncompressed bytes that a file of any size may hold: the largest array that a task is made with."""

DAMAGED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, struct.error,
    UnicodeDecodeError, MemoryError, OverflowError,
)  # fmt: skip
"""Errors that reading a damaged zip archive may raise."""


def most_bytes(size: int, free: int = FREE) -> int:
    """Uncompressed bytes of all arrays that are read from an npz file of ``size`` bytes."""
    return min(MAX_BYTES, max(free, MAX_RATIO * size))


def read_npz(path: Path, content: bytes | None = None, free: int = FREE) -> dict[str, np.ndarray]:
    """Every array of an npz file.

    The size that each array claims is compared with the size of its entry before any memory is taken.

    Args:
        path: the file.
        content: the content of the file, where it was read before.
        free: uncompressed bytes that are read whatever the size of the file.
    """
    shown = repr(str(path))
    try:
        most = most_bytes(path.stat().st_size if content is None else len(content), free)
        with zipfile.ZipFile(path if content is None else io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
            total = sum(entry.file_size for entry in entries)
            if total > most:
                raise ValueError(
                    f"{shown} holds arrays of {total / 2**30:.1f} GiB; at most {most / 2**30:.2g} GiB are read from a "
                    "file of its size. Save fewer data points, or save them without compression."
                )
            found = {}
            for entry in entries:
                with archive.open(entry) as stream:
                    key = entry.filename.removesuffix(".npy")
                    found[key] = _array(f"{shown} holds {key!r}", stream, entry.file_size)
            return found
    except DAMAGED as error:
        text = str(error) or type(error).__name__
        raise ValueError(
            f"{shown} is not an npz file, or is damaged ({text}); save it again with numpy.savez."
        ) from None


def _array(what: str, stream: IO[bytes] | zipfile.ZipExtFile, size: int) -> np.ndarray:
    """One array of an archive whose entry has ``size`` bytes."""
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, fortran, dtype = read(stream)
    except Exception as error:  # NumPy parses the header as Python text, which can fail in any way
        raise ValueError(
            f"{what}, whose header cannot be read ({type(error).__name__}): the file is damaged; save it again with "
            "numpy.savez."
        ) from None
    if dtype.hasobject:
        raise ValueError(
            f"{what}, which is not an array of numbers and could only be unpickled, which festina never does; save "
            "arrays of numbers with numpy.savez."
        )
    count = int(np.prod(shape, dtype=object)) if shape else 1
    if min(shape, default=0) < 0 or count * dtype.itemsize != size - stream.tell():
        raise ValueError(
            f"{what}, whose header claims the shape {shape}, which is not the size of its data: the file is damaged; "
            "save it again with numpy.savez."
        )
    flat = np.frombuffer(stream.read(), dtype=dtype, count=count)
    return flat.reshape(shape[::-1]).T if fortran else flat.reshape(shape)


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Every array of a safetensors file, by the safetensors library, which checks offsets, shapes and sizes."""
    need("safetensors", "explain")
    import ml_dtypes  # noqa: F401 (gives NumPy the type bfloat16)
    from safetensors import SafetensorError, safe_open

    shown, key = repr(str(path)), None
    try:
        with safe_open(str(path), framework="np") as file:
            found = {}
            for key in file.keys():  # noqa: SIM118 (the file is no mapping)
                value = np.asarray(file.get_tensor(key))
                # the short floats of ml_dtypes are of kind V
                found[key] = value.astype(np.float32) if value.dtype.kind == "V" else value
            return found
    except (SafetensorError, OSError, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise ValueError(f"{shown} is not a safetensors file, or is damaged ({error}).") from None
    except (AttributeError, TypeError, KeyError, ValueError) as error:
        raise ValueError(
            f"{shown} holds {key!r}, whose numbers are of a kind that NumPy does not have ({error}); save it as "
            "float32."
        ) from None


def read_labels(path: Path, points: int | None = None, name: str = "labels") -> np.ndarray:
    """One label per data point: a CSV file of one column, or an npz file of one array.

    A first line that is a name, where all further lines are numbers, is a header. So is a unique first line where there
    is one line more than data points.
    """
    if not path.is_file():
        raise ValueError(f"{name} is {str(path)!r}: there is no such file; give a CSV file with one label per line.")
    if path.suffix.lower() == ".npz":
        arrays = read_npz(path)
        if len(arrays) != 1:
            raise ValueError(f"{name} is {str(path)!r}, which holds {len(arrays)} arrays; one is needed.")
        return next(iter(arrays.values()))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{name} is {str(path)!r}, which is not a CSV file in UTF-8 ({error}).") from None
    wide = next((i for i, row in enumerate(rows) if len(row) != 1), None)
    if wide is not None:
        raise ValueError(
            f"{name} is {str(path)!r}, whose line {wide + 1} has {len(rows[wide])} columns; one label per line is "
            "needed."
        )
    values = [row[0].strip() for row in rows]
    whole = [value.lstrip("-").isascii() and value.removeprefix("-").isdigit() for value in values]
    is_named = len(values) > 1 and not whole[0] and all(whole[1:])
    is_named = is_named or (points is not None and len(values) == points + 1 and not all(whole))
    if is_named and values[0] not in values[1:]:
        values, whole = values[1:], whole[1:]
    return np.array([int(value) for value in values]) if values and all(whole) else np.array(values)


def read_data(data: str | Path, labels: str | Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets of data points from files.

    Args:
        data: a ``.npz`` file with x and y, or with x alone if there are labels.
        labels: the class of every data point, a number or a word: a CSV file with one per line, or a ``.npz`` file of
            one array; the first line may be their name.

    Returns:
        x and y.

    Raises:
        ValueError: no such file, a damaged one, one without x or y, or targets in both files.

    Example:
        >>> import numpy as np, festina as fs, tempfile
        >>> path = tempfile.mkdtemp() + "/data.npz"
        >>> np.savez(path, x=np.eye(3), y=[0, 1, 0])
        >>> read_data(path)[1]
        array([0, 1, 0])
    """
    path = check.path("data", data)
    if not path.is_file():
        raise ValueError(f"data is {str(path)!r}: there is no such file; give a .npz file with x and y.")
    arrays = read_npz(path)
    missing = [name for name in ("x", "y") if name not in arrays and not (name == "y" and labels is not None)]
    if missing:
        raise ValueError(
            f"data is {str(path)!r}, which holds {', '.join(arrays) or 'nothing'} and no {' and no '.join(missing)}; "
            "save it with numpy.savez(path, x=inputs, y=targets), or give the targets as labels."
        )
    if labels is None:
        return arrays["x"], arrays["y"]
    if "y" in arrays:
        raise ValueError(
            f"labels is {str(labels)!r}, and data is {str(path)!r}, which holds y; both are targets: leave labels "
            "out, or save the data without y."
        )
    return arrays["x"], read_labels(check.path("labels", labels), len(arrays["x"]))
