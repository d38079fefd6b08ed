"""A shard: the result of one task, a NetCDF file that proves itself whole."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from festina import _atomic

KIND = "shard"

CorruptShardError = _atomic.CorruptError
"""A shard is not what was written: cut off, overwritten or changed."""


@dataclass(frozen=True, eq=False)
class Shard:
    """What a shard holds: arrays by name, and the facts of the run."""

    values: Mapping[str, np.ndarray]
    facts: Mapping[str, Any]


def write(path: Path, partial: Path, key: str, values: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
    """Write a shard at once: under a temporary name in the folder ``partial``, to the disk, then renamed."""
    _atomic.write(path, partial, KIND, key, _image(values, facts))


def check(path: Path) -> str:
    """The key of a whole shard, without opening its data.

    Raises:
        CorruptShardError: it is not whole; the message says why.
    """
    return _atomic.read(path, KIND)[0]


def read(path: Path) -> Shard:
    """Read a whole shard; nothing in it is executed.

    Raises:
        CorruptShardError: it is not whole; the message says why.
    """
    import h5py

    _, image = _atomic.read(path, KIND)
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
