"""Results of the function as labelled arrays: every axis has a name, and numbers along it where they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.storage.netcdf import Variable

if TYPE_CHECKING:
    import xarray as xr


ALONE = "result"
"""Name of a number or array that is returned without one."""


@dataclass(frozen=True, eq=False)
class Result:
    """Arrays by name, and the coordinates along their axes."""

    variables: Mapping[str, Variable]
    coords: Mapping[str, Variable] = field(default_factory=dict)


def read_result(returned: object, dims: Mapping[str, tuple[str, ...]], seeds: range | None = None) -> Result:
    """Label what a function returned.

    A trajectory (or whatever else has ``to_xarray()``) and an xarray dataset bring the names of their axes. Arrays of a
    dictionary get them from ``dims``, or are called ``NAME_dim_0``, ``NAME_dim_1``, …; a one-dimensional array that is
    called like its axis is the coordinate along it. Nested dictionaries get names with dots (``errors.tree``), and
    shorter rows of a nested list are filled up with nan. A number or array alone is called ``result``.

    Raises:
        ValueError: something that cannot be stored, axes that do not fit their names, or other seeds than asked for.
    """
    found: Any = returned
    if hasattr(found, "to_xarray"):
        found = found.to_xarray()
    if hasattr(found, "to_dataset") and hasattr(found, "dims"):
        found = found.to_dataset(name=found.name or ALONE)
    if hasattr(found, "data_vars"):
        result = _from_dataset(found)
    elif isinstance(found, Mapping):
        result = _from_mapping(found, dims)
    elif found is None:
        raise ValueError("the function returned None; return a trajectory, a dict of arrays or numbers, or a dataset.")
    else:
        result = _from_mapping({ALONE: found}, dims)
    return result if seeds is None else _with_seeds(result, seeds)


def _from_dataset(data: xr.Dataset) -> Result:
    def variable(name: str, array: xr.DataArray) -> Variable:
        attrs = {str(k): v for k, v in array.attrs.items() if isinstance(v, str)}
        return Variable(tuple(_escape(str(axis)) for axis in array.dims), _stored(name, array.values), attrs)

    coords = {_escape(str(name)): variable(str(name), array) for name, array in data.coords.items()}
    return Result({_escape(str(name)): variable(str(name), array) for name, array in data.data_vars.items()}, coords)


def _from_mapping(values: Mapping[object, object], dims: Mapping[str, tuple[str, ...]]) -> Result:
    found: dict[str, Variable] = {}
    for path, array in _leaves("", values):
        name = path or ALONE
        if name in found:
            raise ValueError(f"two values are called {name!r}; rename one of them.")
        axes = dims.get(name, tuple(f"{name}_dim_{k}" for k in range(array.ndim)))
        if len(axes) != array.ndim:
            raise ValueError(f"dims[{name!r}] is {axes}, but the value has shape {array.shape}; name each axis once.")
        found[name] = Variable(tuple(map(_escape, axes)), array)
    for name in dims:
        if name not in found:
            raise ValueError(f"dims names {name!r}, which the function did not return; it returned {', '.join(found)}.")
    coords = {name: variable for name, variable in found.items() if variable.axes == (name,)}
    for name, variable in found.items():
        if name in variable.axes and name not in coords:
            raise ValueError(f"{name!r} has more than one axis, and one of them is called {name!r} too; rename one.")
    return Result({name: variable for name, variable in found.items() if name not in coords}, coords)


def _with_seeds(result: Result, seeds: range) -> Result:
    """The seed axis first, and its coordinate gone: a sweep knows the seeds; it must be those that were asked for."""
    named = result.coords.get("seed")
    if named is not None and named.axes in (("seed",), ()):
        given = np.atleast_1d(named.values).tolist()
        if given != list(seeds):
            raise ValueError(
                f"the result is of the seeds {_span(given)}, but {_span(list(seeds))} were asked for; pass seed= (the "
                "first one) and seeds= (how many) on to what draws."
            )
    variables = {}
    for name, variable in result.variables.items():
        if "seed" not in variable.axes:
            variables[name] = variable
            continue
        at = variable.axes.index("seed")
        if variable.values.shape[at] != len(seeds):
            raise ValueError(
                f"{name!r} has {variable.values.shape[at]} seeds, but {len(seeds)} were asked for; pass seeds= on."
            )
        rest = (*variable.axes[:at], *variable.axes[at + 1 :])
        variables[name] = Variable(("seed", *rest), np.moveaxis(variable.values, at, 0), variable.attributes)
    return Result(variables, {name: variable for name, variable in result.coords.items() if name != "seed"})


def _span(seeds: Sequence[object]) -> str:
    return str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}…{seeds[-1]}"


def _stored(name: str, array: np.ndarray) -> np.ndarray:
    """An array as it is stored."""
    kind = array.dtype.kind
    if kind in "biu" and array.size and array.max() >= 2**63:
        kind = "f"
    if kind in "biuf":
        return array.astype(float if kind == "f" else np.int64)
    if kind in "UO" and all(isinstance(word, str) for word in array.flat):
        return array.astype(object)
    raise ValueError(
        f"value {name!r} is an array of {array.dtype}; real numbers or words are needed (a complex array as its "
        "real and imaginary parts)."
    )


def _leaves(name: str, value: object) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(_join(name, str(key)), part)
        return
    if hasattr(value, "__array__") and not isinstance(value, np.generic):
        yield name, _stored(name, np.asarray(value))
        return
    value = _lists(value)
    array = _array(value)
    if array is not None:
        yield name, array
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _leaves(_join(name, str(i)), part)
    else:
        raise ValueError(
            f"value {name!r} is {type(value).__name__}; numbers, words, arrays, and lists or dictionaries of these "
            "can be stored."
        )


def _lists(value: object) -> Any:
    """Arrays, tuples and numbers of NumPy as plain lists and numbers, however deep; the rest as it is."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_lists(part) for part in value] if isinstance(value, list | tuple) else value


def _join(name: str, key: str) -> str:
    return ".".join(part for part in (name, _escape(key)) if part)


def _escape(key: str) -> str:
    """A name that NetCDF takes, which keeps the slash for groups."""
    key = key.replace("%", "%25").replace("/", "%2F")
    key = "".join(c if c.isprintable() else f"%{ord(c):02X}" for c in key)
    return key.replace(".", "%2E") if key.strip(".") == "" else key


def _array(value: object) -> np.ndarray | None:
    """A number, a word, or a list of one kind and depth as an array; None if it is none of these."""
    shape, leaves = _extent(value), list(_entries(value))
    held = [leaf for _, leaf in leaves]
    if shape is None:
        return None
    if held and all(isinstance(leaf, str) for leaf in held):
        array = np.full(shape, "", object)
    elif not all(leaf is None or isinstance(leaf, bool | int | float) for leaf in held):
        return None
    else:
        whole = bool(held) and all(isinstance(leaf, bool | int) and abs(leaf) < 2**63 for leaf in held)
        array = np.zeros(shape, np.int64) if whole and len(held) == np.prod(shape) else np.full(shape, np.nan)
    for place, leaf in leaves:
        array[place] = np.nan if leaf is None else leaf
    return array


def _extent(value: object) -> tuple[int, ...] | None:
    """Shape of the smallest array that holds nested lists; None if some are nested deeper than others."""
    if not isinstance(value, list):
        return ()
    parts = [_extent(part) for part in value]
    if any(part is None for part in parts) or len({len(part or ()) for part in parts}) > 1:
        return None
    return (len(value), *(max(sizes) for sizes in zip(*(part or () for part in parts), strict=True)))


def _entries(value: object, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Entries of nested lists, with their places."""
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from _entries(part, (*place, i))
    else:
        yield place, value
