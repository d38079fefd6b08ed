"""Arrays in files, read as numbers and never as code: NumPy's npz and safetensors."""

import json
import zipfile
from pathlib import Path

import numpy as np

LENGTH = 8
"""Bytes at the start of a safetensors file that tell the length of its header, a little-endian whole number."""

KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1", "U8": "<u1",
    "BOOL": "<?",
}  # fmt: skip
BRAIN = "BF16"
"""The upper half of a float32."""


def read_npz(path: Path) -> dict[str, np.ndarray]:
    """Every array of an npz file.

    Raises:
        ValueError: not an npz file, damaged, or with objects that only unpickling could read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise ValueError(f"{str(path)!r} is a single array; save arrays by name with numpy.savez.")
            found = {}
            for key in file.files:
                try:
                    found[key] = file[key]
                except ValueError:
                    raise ValueError(
                        f"{str(path)!r} holds {key!r}, which is no array of numbers and could only be unpickled, which "
                        "is not done; save arrays of numbers with numpy.savez."
                    ) from None
                if not isinstance(found[key], np.ndarray):
                    raise ValueError(f"{str(path)!r} holds {key!r}, which is no array; save it with numpy.savez.")
            return found
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise ValueError(f"{str(path)!r} is not an npz file that can be read: {error}") from None
    except ValueError as error:
        if str(path) in str(error):
            raise
        raise ValueError(f"{str(path)!r} is not an npz file; save it with numpy.savez.") from None


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Every array of a safetensors file: the length of a header, the header in JSON, the numbers.

    Raises:
        ValueError: not a safetensors file, damaged, or with numbers of a kind that is not known.
    """
    content = path.read_bytes()
    start = LENGTH + int.from_bytes(content[:LENGTH], "little")
    try:
        if len(content) < LENGTH or start > len(content):
            raise ValueError
        header = json.loads(content[LENGTH:start])
        entries = {k: v for k, v in header.items() if k != "__metadata__"}
        return {key: _tensor(path, key, entry, content[start:]) for key, entry in entries.items()}
    except (UnicodeDecodeError, AttributeError, KeyError, TypeError, ValueError) as error:
        if str(path) in str(error):
            raise
        raise ValueError(f"{str(path)!r} is not a safetensors file, or is damaged.") from None


def _tensor(path: Path, key: str, entry: dict, numbers: bytes) -> np.ndarray:
    kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    if kind not in KINDS and kind != BRAIN:
        raise ValueError(
            f"{str(path)!r} holds {key!r} of kind {kind}; known are: {', '.join([*KINDS, BRAIN])}. Save it as F32."
        )
    part = numbers[begin:end]
    if len(part) != end - begin:
        raise ValueError
    if kind == BRAIN:
        return (np.frombuffer(part, "<u2").astype(np.uint32) << 16).view(np.float32).reshape(shape)
    return np.frombuffer(part, KINDS[kind]).reshape(shape)
