"""A shard: the result of one task, a NetCDF file that ends with its own SHA-256.

Shards may come from somebody else. They are read by ``storage.netcdf``, which opens no other file and runs nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from festina.storage import netcdf, store
from festina.sweeps._result import Result

KIND = "shard"

CorruptShardError = store.CorruptError
"""A shard is not what was written: cut off, overwritten or changed."""


@dataclass(frozen=True, eq=False)
class Shard:
    """Content of a shard: the labelled arrays, and the inputs that they result from."""

    result: Result
    metadata: Mapping[str, Any]


def pack(result: Result, metadata: Mapping[str, object]) -> bytes:
    """The contents of a shard: the same for equal results."""
    told = {"coords": list(result.coords), "metadata": dict(metadata)}
    text = json.dumps(told, sort_keys=True)
    # few different lengths, for files are filled in that have the same form
    attributes = {"festina": text.ljust(-(-len(text) // 64) * 64)}
    return netcdf.pack(netcdf.Dataset({**result.coords, **result.variables}, attributes))


def unpack(path: Path, content: bytes) -> Shard:
    """The shard in the content of a file; ``path`` is named in errors.

    Raises:
        CorruptShardError: it is not what this library writes; the message says why.
    """
    data = netcdf.unpack(path, content)
    try:
        told = json.loads(data.attributes["festina"])
        coords = {name: data.variables[name] for name in told["coords"]}
        variables = {name: variable for name, variable in data.variables.items() if name not in coords}
        return Shard(Result(variables, coords), dict(told["metadata"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CorruptShardError(f"{path} was changed: {type(error).__name__}: {error}") from None
