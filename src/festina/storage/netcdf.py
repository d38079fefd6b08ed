"""Labelled arrays in one NetCDF file that is read back without trusting it.

The file is ordinary NetCDF (HDF5), so that xarray, ncdump or MATLAB open it. After the NetCDF data come an index of its
arrays in JSON and the last line of ``storage.store`` with the SHA-256 of all before. festina reads the arrays by the
index, as plain numbers at checked places of the file, once the SHA-256 is known to be right. The HDF5 library is never
run on a file from outside. Links, external storage, virtual data sets and filters in a crafted file are never followed,
and damaged structures cannot make it hang.
"""

import io
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from festina.storage import store

KINDS = ("<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "|u1", "<u2", "<u4", "<u8")
"""Types of the arrays in a file, as NumPy writes them."""

FLAG, TEXT = "flag", "text"
"""Further types of an array: truth values, stored as 0 and 1, and text, stored as rows of UTF-8 bytes."""

LENGTH = 20
"""Digits behind the index that say how many bytes it has."""

SMALL = 2**16
"""Bytes up to which a file is made by filling in one of the same form, in a hundredth of the time."""

MARK = 32
"""Least characters of a text that is found again in a file."""

MAX_DIMENSIONS = 32
"""Axes of an array, as HDF5 and NumPy allow them."""

DAMAGED = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError, OverflowError, MemoryError)
"""Errors that reading a crafted index may raise."""


@dataclass(frozen=True)
class Variable:
    """An array with the names of its axes, and what is said about it (such as ``units``)."""

    axes: tuple[str, ...]
    values: np.ndarray
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Dataset:
    """Labelled arrays, and what is said about all of them."""

    variables: Mapping[str, Variable]
    attributes: Mapping[str, str] = field(default_factory=dict)


def write(path: Path, dataset: Dataset, kind: str) -> None:
    """Write a data set as one NetCDF file, atomically and with a checksum."""
    store.write(path, pack(dataset), kind)


def pack(dataset: Dataset) -> bytes:
    """A data set as the content of a file: NetCDF, then the index."""
    arrays = {name: _stored(name, variable) for name, variable in dataset.variables.items()}
    body, places = _netcdf(dataset, arrays)
    listed = {
        name: {
            "axes": list(axes), "shape": list(stored.shape), "kind": stored.dtype.newbyteorder("<").str,
            "meaning": meaning, "offset": places[name] or 0, "attributes": dict(dataset.variables[name].attributes),
        }
        for name, (stored, axes, meaning) in arrays.items()
    }  # fmt: skip
    index = json.dumps({"attributes": dict(dataset.attributes), "variables": listed}, allow_nan=False).encode()
    return body + index + f"{len(index):0{LENGTH}d}".encode()


def read(path: Path, kind: str) -> Dataset:
    """Read a data set that ``write`` wrote; only the bytes of the file itself are read, and nothing is executed.

    Raises:
        ValueError: the file is not as it was written, or is of another kind; the message says why.
        OSError: the file cannot be read.
    """
    return unpack(path, store.read(path, kind)[1])


def unpack(path: Path, content: bytes) -> Dataset:
    """The data set in the content of a file, which ``pack`` made; ``path`` is named in errors.

    Raises:
        CorruptError: it is not as ``pack`` makes it; the message says why.
    """
    try:
        end = len(content) - LENGTH
        size = int(content[end:].decode("ascii")) if content[end:].isdigit() else -1
        if not 0 <= size <= end:
            raise ValueError("its index is missing")
        index = json.loads(content[end - size : end])
        entries = [(str(name), dict(entry)) for name, entry in dict(index["variables"]).items()]
        places = sorted((int(e["offset"]), int(e["offset"]) + _size(e)) for _, e in entries if _size(e))
        if places and (places[0][0] < 0 or places[-1][1] > end - size):
            raise ValueError("its index names places outside of the file")
        if any(second[0] < first[1] for first, second in pairwise(places)):
            raise ValueError("its index names a place twice")
        # an empty array takes no bytes, and its other axes could claim any amount of memory later
        if max((length for _, entry in entries for length in entry["shape"]), default=0) > len(content):
            raise ValueError("its index names an axis that is longer than the file")
        variables = {name: _variable(entry, content) for name, entry in entries}
        _lengths((name, variable.axes, variable.values.shape) for name, variable in variables.items())
        return Dataset(variables, _attributes(index["attributes"]))
    except DAMAGED as error:
        raise store.CorruptError(f"{path} was not written by festina, or by another version of it: {error}") from None


def _lengths(arrays: Iterable[tuple[str, tuple[str, ...], tuple[int, ...]]]) -> dict[str, int]:
    """Length of each axis of arrays, which are given by name, axes and shape; one name has one length."""
    found: dict[str, int] = {}
    for name, axes, shape in arrays:
        for axis, length in zip(axes, shape, strict=True):
            if found.setdefault(axis, length) != length:
                raise ValueError(f"axis {axis!r} has {found[axis]} entries, but {length} in {name}.")
    return found


def _attributes(found: object) -> dict[str, str]:
    if isinstance(found, Mapping):
        text = {k: v for k, v in found.items() if isinstance(k, str) and isinstance(v, str)}
        if len(text) == len(found):
            return text
    raise ValueError("its attributes are not text")


def _size(entry: Mapping[str, Any]) -> int:
    """Bytes of an array, from its type and shape; checked without making it."""
    shape, kind = entry["shape"], entry["kind"]
    if kind not in KINDS:
        raise ValueError(f"it holds an array of kind {kind!r}")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS or len(shape) != len(entry["axes"]):
        raise ValueError("it holds an array whose axes are not named")
    total = np.dtype(kind).itemsize
    for length in shape:
        if isinstance(length, bool) or not isinstance(length, int) or length < 0:
            raise ValueError(f"it holds an array of length {length!r}")
        total *= length
    return total


def _variable(entry: Mapping[str, Any], content: bytes) -> Variable:
    size, shape, kind = _size(entry), tuple(entry["shape"]), np.dtype(entry["kind"])
    if size:
        count = size // kind.itemsize
        # a copy, so that arrays are aligned, can be changed, and do not keep the whole file in memory
        array = np.frombuffer(content, kind, count, int(entry["offset"])).reshape(shape).copy()
    else:
        array = np.zeros(shape, kind)
    axes = tuple(str(axis) for axis in entry["axes"])
    if entry["meaning"] == FLAG:
        array = array.astype(bool)
    elif entry["meaning"] == TEXT:
        *outer, width = shape
        texts = [bytes(row).rstrip(b"\0").decode() for row in array.reshape(-1, width)]
        array, axes = np.array(texts, dtype=object).reshape(outer), axes[:-1]
    return Variable(axes, array.astype(array.dtype.newbyteorder("=")), _attributes(entry["attributes"]))


_Stored = tuple[np.ndarray, tuple[str, ...], str]


def _stored(name: str, variable: Variable) -> _Stored:
    """The array as it stands in the file, its axes, and what its numbers mean."""
    array, axes = np.asarray(variable.values), variable.axes
    if not name or any("/" in part or "\0" in part or part == "." for part in (name, *axes)):
        raise ValueError(f"{name!r} cannot be the name of an array or an axis in a NetCDF file; leave out '/'.")
    if len(axes) != array.ndim:
        raise ValueError(f"{name} has {array.ndim} axes and {len(axes)} names for them; give one name each.")
    if array.dtype == bool:
        return array.astype(np.int8), axes, FLAG
    if array.dtype.kind in "UO":
        texts = [str(entry).encode() for entry in array.flat]
        if any(text.endswith(b"\0") for text in texts):
            raise ValueError(f"{name} holds text that ends with a null character, which NetCDF does not keep.")
        width = max([1, *map(len, texts)])
        rows = np.frombuffer(b"".join(text.ljust(width, b"\0") for text in texts), np.uint8)
        return rows.reshape(*array.shape, width), (*axes, f"{name}_characters"), TEXT
    if array.dtype.newbyteorder("<").str not in KINDS:
        raise ValueError(f"{name} holds {array.dtype}; numbers of 8 to 64 bits, truth values or text can be saved.")
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).reshape(array.shape), axes, "numbers"


def _netcdf(dataset: Dataset, arrays: Mapping[str, _Stored]) -> tuple[bytes, dict[str, int | None]]:
    """The NetCDF file, and where in it the numbers of each array begin."""
    texts = {name: value.encode() for name, value in dataset.attributes.items()}
    size = sum(map(len, texts.values())) + sum(stored.nbytes for stored, _, _ in arrays.values())
    if size > SMALL or any(len(text) < MARK or b"\0" in text for text in texts.values()):
        return _written(dataset, arrays)
    form = (
        (name, axes, stored.shape, stored.dtype.str, meaning, tuple(dataset.variables[name].attributes.items()))
        for name, (stored, axes, meaning) in arrays.items()
    )
    content, places, begins = _form(tuple(form), tuple((name, len(text)) for name, text in texts.items()))
    filled = bytearray(content)
    parts = [(places[name], stored.tobytes()) for name, (stored, _, _) in arrays.items()]
    for begin, part in [*parts, *((begins[name], text) for name, text in texts.items())]:
        if begin is not None:
            filled[begin : begin + len(part)] = part
    return bytes(filled), places


@lru_cache(maxsize=64)
def _form(form: tuple[Any, ...], texts: tuple[tuple[str, int], ...]) -> tuple[bytes, dict[str, int | None], Any]:
    """The file of a data set of zeros, and where in it numbers and texts begin."""
    arrays = {name: (np.zeros(shape, kind), axes, meaning) for name, axes, shape, kind, meaning, _ in form}
    variables = {name: Variable(axes, arrays[name][0], dict(said)) for name, axes, _, _, _, said in form}
    marks = {name: secrets.token_hex(size)[:size] for name, size in texts}
    content, places = _written(Dataset(variables, marks), arrays)
    return content, places, {name: content.index(mark.encode()) for name, mark in marks.items()}


def _written(dataset: Dataset, arrays: Mapping[str, _Stored]) -> tuple[bytes, dict[str, int | None]]:
    """The same, written by the libraries."""
    import h5netcdf

    buffer = io.BytesIO()
    lengths = _lengths((name, axes, stored.shape) for name, (stored, axes, _) in arrays.items())
    with h5netcdf.File(buffer, "w") as file:
        for name, value in dataset.attributes.items():
            file.attrs[name] = value
        for axis, length in lengths.items():
            file.dimensions[axis] = length
        for name, (stored, axes, meaning) in arrays.items():
            data = stored.view("S1") if meaning == TEXT else stored
            made = file.create_variable(name, axes, data.dtype, data=data)
            for key, value in dataset.variables[name].attributes.items():
                made.attrs[key] = value
            if meaning == TEXT:
                made.attrs["_Encoding"] = "utf-8"
            elif meaning == FLAG:
                made.attrs["dtype"] = "bool"
    import h5py

    content = buffer.getvalue()
    with h5py.File(io.BytesIO(content), "r") as file:
        places = {name: file[name].id.get_offset() for name in dataset.variables}  # type: ignore[union-attr]
    return content, places
