"""Trajectories in files: one NetCDF file with all values, and the objects that were run as a JSON description."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from festina.checks import check
from festina.storage import netcdf
from festina.storage.description import describe, restore
from festina.storage.labelled import Labelled
from festina.storage.store import CorruptError

KIND = "trajectory"

FORMAT = 3
"""Version of the file format."""

SUFFIXES = ("", ".nc", ".nc4", ".h5", ".hdf5", ".netcdf")
"""How the name of a NetCDF file, which is an HDF5 file, may end."""

DESCRIBED = ("network", "task", "method", "seeds", "unit", "static", "assumptions", "sources", "notes")
"""Fields of a trajectory that are described in JSON."""


def save(path: str | os.PathLike[str], labelled: Labelled, run: Mapping[str, Any], error: np.ndarray | None) -> Path:
    """Write a trajectory to one file; see ``fs.Trajectory.save``.

    Args:
        path: the file.
        labelled: all values, with the names of their axes.
        run: what was run: the fields in ``DESCRIBED``.
        error: the estimated error of the loss with its sign, which says to which side of the truth the prediction lies.
    """
    where = check.path("path", path)
    if where.is_dir():
        raise ValueError(f"path is {str(where)!r}, which is a folder; give a file in it, such as trajectory.nc.")
    if not where.parent.is_dir():
        raise ValueError(f"path is {str(where)!r}, but the folder {str(where.parent)!r} does not exist; make it first.")
    if where.suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"path is {str(where)!r}, but a trajectory is saved as NetCDF: call it {where.with_suffix('.nc').name!r}. "
            "For a table use trajectory.to_pandas().to_csv(...)."
        )
    described, stored = describe({name: run[name] for name in DESCRIBED}, "run")
    arrays = dict(labelled.arrays)
    if error is not None:
        arrays["error"] = (labelled.lead, error)
    variables = {
        name: netcdf.Variable(axes, np.asarray(array), {"units": labelled.unit} if name == "time" else {})
        for name, (axes, array) in {**labelled.coordinates, **arrays}.items()
    }
    for name, array in stored.items():
        if name in variables:
            raise ValueError(f"an observable is called {name!r}, which the file needs for itself; rename it.")
        variables[name] = netcdf.Variable(tuple(f"{name}_{k}" for k in range(array.ndim)), array)
    content = {
        "format": FORMAT,
        "run": described,
        "values": {name: list(parts) for name, parts in labelled.parts.items()},
        "layered": [name for name, value in run["values"].items() if isinstance(value, tuple)],
        "error": error is not None,
        "segment": str(np.asarray(run["segment"]).dtype),
    }
    method = run["method"]
    attributes = {
        "festina": json.dumps(content, allow_nan=False),
        "method": method if isinstance(method, str) else repr(method),
    }
    try:
        netcdf.write(where, netcdf.Dataset(variables, attributes), KIND)
    except OSError as failure:
        raise ValueError(f"path is {str(where)!r}, which cannot be written ({failure.strerror}).") from None
    return where


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of a trajectory that ``save`` wrote, by name; see ``fs.load``."""
    where = check.path("path", path)
    if not where.is_file():
        raise ValueError(f"path is {str(where)!r}: there is no such file; give one that Trajectory.save wrote.")
    try:
        return _restore(netcdf.read(where, KIND))
    except CorruptError as error:
        raise ValueError(
            f"path is {str(where)!r}, which cannot be read as a trajectory that Trajectory.save wrote: {error}."
        ) from None
    except OSError as error:
        raise ValueError(f"path is {str(where)!r}, which cannot be read ({error.strerror}).") from None
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"path is {str(where)!r}, whose contents do not make a trajectory ({error}); save it again."
        ) from None


def _restore(data: netcdf.Dataset) -> dict[str, Any]:
    content = json.loads(data.attributes["festina"])
    if content["format"] != FORMAT:
        raise ValueError(f"its format is {content['format']!r}, {FORMAT} is needed")
    arrays = {name: variable.values for name, variable in data.variables.items()}
    fields = restore(content["run"], arrays)
    if not isinstance(fields, dict) or set(fields) != set(DESCRIBED):
        raise ValueError("what was run is not described")
    times = arrays["time"]
    values: dict[str, Any] = {}
    for name, parts in content["values"].items():
        found = tuple(arrays[part] for part in parts)
        values[name] = found if name in content["layered"] else found[0]
    segment = arrays["segment"].astype(np.dtype(content["segment"])) if content["segment"][:3] == "int" else None
    if times.ndim != 1 or segment is None or segment.shape != times.shape:
        raise ValueError("its times and segments do not fit")
    estimate = arrays["error"] if content["error"] else None
    return {"times": times, "values": values, "segment": segment, "estimate": estimate, **fields}
