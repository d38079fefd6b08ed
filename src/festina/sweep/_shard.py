"""A shard: the result of one task, a NetCDF file that proves itself whole."""

import hashlib
import io
import json
import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MARK = b"\nfestina shard 1 "
"""Begins the last line of a shard, behind the NetCDF data (which end where they say): its key and a SHA-256."""

SEAL = len(MARK) + 2 * 64 + 2


class CorruptShardError(ValueError):
    """A shard is not what was written: cut off, overwritten or changed."""


@dataclass(frozen=True, eq=False)
class Shard:
    """What a shard holds: arrays by name, and the facts of the run."""

    values: Mapping[str, np.ndarray]
    facts: Mapping[str, Any]


def write(path: Path, partial: Path, key: str, values: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
    """Write a shard at once: under a temporary name in the folder ``partial``, to the disk, then renamed."""
    image = _image(values, facts)
    partial.mkdir(parents=True, exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = partial / f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(8)}.part"
    try:
        with open(temporary, "xb") as file:
            file.write(image + _seal(image, key))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def check(path: Path) -> str:
    """The key of a whole shard, without opening its data.

    Raises:
        CorruptShardError: it is not whole; the message says why.
    """
    return _unseal(path)[0]


def read(path: Path) -> Shard:
    """Read a whole shard; nothing in it is executed.

    Raises:
        CorruptShardError: it is not whole; the message says why.
    """
    import h5py

    _, image = _unseal(path)
    # h5py reads a shard five times faster than xarray, which matters with 10⁵ of them
    with h5py.File(io.BytesIO(image), "r") as file:
        names = json.loads(str(file.attrs["names"]))
        facts = json.loads(str(file.attrs["facts"]))
        values = {}
        for name in names:
            stored: Any = file[name]
            words = h5py.check_string_dtype(stored.dtype) is not None
            values[name] = np.array(stored.asstr()[()], object) if words else np.asarray(stored[()])
    return Shard(values, facts)


def _image(values: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> bytes:
    import h5netcdf
    import h5py

    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        file.attrs["facts"] = json.dumps(facts, sort_keys=True)
        file.attrs["names"] = json.dumps(list(values))
        for name, array in values.items():
            axes = tuple(f"{name}_axis{k}" for k in range(array.ndim))
            for label, size in zip(axes, array.shape, strict=True):
                file.dimensions[label] = size
            dtype = h5py.string_dtype() if array.dtype == object else array.dtype
            file.create_variable(name, axes, dtype, data=array)
    return buffer.getvalue()


def _seal(image: bytes, key: str) -> bytes:
    return MARK + f"{key} {hashlib.sha256(image + key.encode()).hexdigest()}\n".encode()


def _unseal(path: Path) -> tuple[str, bytes]:
    content = path.read_bytes()
    image, seal = content[:-SEAL], content[-SEAL:]
    if not seal.startswith(MARK):
        raise CorruptShardError(f"{path} is cut off or not a shard: its last line is missing")
    key = seal[len(MARK) :].split(b" ")[0].decode(errors="replace")
    if seal != _seal(image, key):
        raise CorruptShardError(f"{path} was changed: its contents do not have the SHA-256 they were written with")
    return key, image
