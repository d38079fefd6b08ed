"""A shard: the result of one task, a NetCDF file that ends with its own SHA-256.

Shards may come from others. Nothing in one is executed, and one that refers to other files, or whose data are larger
than what is stored, is refused.
"""

import io
import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from festina import _atomic
from festina.sweeps._result import Result, Variable

KIND = "shard"

CorruptShardError = _atomic.CorruptError
"""A shard is not what was written: cut off, overwritten or changed."""


@dataclass(frozen=True, eq=False)
class Shard:
    """What a shard holds: the labelled arrays, and what they are the result of."""

    result: Result
    metadata: Mapping[str, Any]


def write(path: Path, partial: Path, key: str, image: bytes) -> None:
    """Write a shard at once: under a temporary name in the folder ``partial``, to the disk, then renamed."""
    _atomic.write(path, partial, KIND, key, image)


def check(path: Path) -> str:
    """The key of a whole shard, without opening its data.

    Raises:
        FileNotFoundError: there is none.
        CorruptShardError: it is not whole; the message says why.
    """
    return _atomic_parts(path)[0]


def read(path: Path) -> Shard:
    """Read a whole shard.

    Raises:
        FileNotFoundError: there is none.
        CorruptShardError: it is not whole, or not what this library writes; the message says why.
    """
    import h5py

    _, image = _atomic_parts(path)
    try:
        # h5py reads a shard five times faster than xarray, which matters with 10⁵ of them
        with h5py.File(io.BytesIO(image), "r") as file:
            told = json.loads(str(file.attrs["festina"]))
            variables = {name: _variable(file, name, told["variables"][name]) for name in told["variables"]}
            coords = {name: _variable(file, name, told["coords"][name]) for name in told["coords"]}
            return Shard(Result(variables, coords), dict(told["metadata"]))
    except CorruptShardError as error:
        raise CorruptShardError(f"{path} {error}") from None
    except Exception as error:  # whatever HDF5 and JSON meet in a crafted file: their kinds are not documented
        raise CorruptShardError(f"{path} was changed: {type(error).__name__}: {error}") from None


def image(result: Result, metadata: Mapping[str, Any]) -> bytes:
    """The contents of a shard: the same for equal results."""
    import h5netcdf
    import h5py

    told = {
        "metadata": dict(metadata),
        "variables": {name: [list(v.dims), dict(v.attrs)] for name, v in result.variables.items()},
        "coords": {name: [list(v.dims), dict(v.attrs)] for name, v in result.coords.items()},
    }
    buffer = io.BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        file.attrs["festina"] = json.dumps(told, sort_keys=True)
        for name, variable in {**result.coords, **result.variables}.items():
            for axis, size in zip(variable.dims, variable.values.shape, strict=True):
                if axis not in file.dimensions:
                    file.dimensions[axis] = size
            dtype = h5py.string_dtype() if variable.values.dtype == object else variable.values.dtype
            stored = file.create_variable(name, variable.dims, dtype, data=variable.values)
            for attribute, value in variable.attrs.items():
                stored.attrs[attribute] = value
    return buffer.getvalue()


def _variable(file: Any, name: str, told: Any) -> Variable:
    import h5py

    dims, attrs = told
    link = file.get(name, getlink=True)
    if not isinstance(link, h5py.HardLink):
        raise CorruptShardError(f"was changed: {name!r} refers to another place")
    stored: Any = file[name]
    if not isinstance(stored, h5py.Dataset) or stored.external or stored.is_virtual:
        raise CorruptShardError(f"was changed: {name!r} refers to another file")
    words = h5py.check_string_dtype(stored.dtype) is not None
    if not words and stored.dtype not in (np.dtype(float), np.dtype(np.int64)):
        raise CorruptShardError(f"was changed: {name!r} is of {stored.dtype}")
    # data that were never written, or are packed, can be far larger in memory than in the file
    if stored.id.get_storage_size() != stored.size * stored.dtype.itemsize and not (words and stored.size == 0):
        size = stored.id.get_storage_size()
        if not words or stored.chunks or size < stored.size:
            raise CorruptShardError(f"was changed: {name!r} is larger than what is stored")
    values = np.array(stored.asstr()[()], object) if words else np.asarray(stored[()])
    if len(dims) != values.ndim:
        raise CorruptShardError(f"was changed: the axes of {name!r} do not fit")
    return Variable(tuple(map(str, dims)), values, {str(k): v for k, v in attrs.items()})


def _atomic_parts(path: Path) -> tuple[str, bytes]:
    # what is neither a file nor a link to one, such as a pipe, would be waited for
    if not stat.S_ISREG(path.stat().st_mode):
        raise CorruptShardError(f"{path} is not a file")
    return _atomic.read(path, KIND)
