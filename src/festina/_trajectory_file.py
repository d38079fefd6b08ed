"""Trajectories in files: one NetCDF file with all values, and the objects that were run as a JSON description."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from festina import _check, _netcdf
from festina._atomic import CorruptError
from festina._description import describe, restore
from festina._labelled import label
from festina._trajectory import Trajectory

KIND = "trajectory"

FORMAT = 2
"""Version of the file format; 1 held the text of what was run, not the objects."""

DESCRIBED = ("network", "task", "method", "seeds", "unit", "static", "assumptions", "sources", "notes")
"""Fields of a trajectory that are described in JSON."""


def save(trajectory: Trajectory, path: str | os.PathLike[str]) -> Path:
    """Write a trajectory to one file; see ``Trajectory.save``."""
    where = _check.path("path", path)
    if where.is_dir():
        raise ValueError(f"path is {str(where)!r}, which is a folder; give a file in it, such as trajectory.nc.")
    if not where.parent.is_dir():
        raise ValueError(f"path is {str(where)!r}, but the folder {str(where.parent)!r} does not exist; make it first.")
    found, error = label(trajectory), trajectory.__getstate__()["estimate"]
    if error is not None:  # with its sign, which says to which side of the truth the prediction lies
        found.arrays["error"] = (found.arrays["error"][0], error)
    described, stored = describe({name: getattr(trajectory, name) for name in DESCRIBED}, "run")
    variables = {
        name: _netcdf.Variable(axes, np.asarray(array), {"units": trajectory.unit} if name == "time" else {})
        for name, (axes, array) in {**found.coordinates, **found.arrays}.items()
    }
    for name, array in stored.items():
        axes = tuple(f"{name}_{k}" for k in range(array.ndim))
        variables[_unused(name, variables)] = _netcdf.Variable(axes, array)
    content = {
        "format": FORMAT,
        "run": described,
        "values": {name: list(parts) for name, parts in found.parts.items()},
        "layered": [name for name, value in trajectory.values.items() if isinstance(value, tuple)],
        "error": error is not None,
        "segment": str(np.asarray(trajectory.segment).dtype),
    }
    attributes = {"festina": json.dumps(content, allow_nan=False), "method": trajectory.label}
    try:
        _netcdf.write(where, _netcdf.Dataset(variables, attributes), KIND)
    except OSError as error:
        raise ValueError(f"path is {str(where)!r}, which cannot be written ({error.strerror}).") from None
    return where


def _unused(name: str, taken: Mapping[str, object]) -> str:
    if name in taken:
        raise ValueError(f"an observable is called {name!r}, which the file needs for itself; rename it.")
    return name


def load(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory that ``Trajectory.save`` wrote, with the network, task and method that were run.

    The file's SHA-256 is checked before anything in it is read. Nothing in it is executed, imported or unpickled:
    networks, tasks and methods of festina are made anew from their descriptions, and objects of other classes (such as
    a network of one's own) come back as ``Described``, which says what they were.

    Args:
        path: the file.

    Raises:
        ValueError: the file does not exist, was changed or damaged, or is not a festina trajectory.

    Example:
        >>> import tempfile, numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> theory = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 50, 6))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = fs.load(theory.save(f"{folder}/theory.nc"))
        >>> again
        Trajectory(Exact(): loss at 6 times to 50 (flow time))
        >>> again.network
        DeepLinear(hidden=(8,), initial=Aligned(strength=0.001))
    """
    where = _check.path("path", path)
    if not where.is_file():
        raise ValueError(f"path is {str(where)!r}: there is no such file; give one that Trajectory.save wrote.")
    try:
        return _restore(_netcdf.read(where, KIND))
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


def _restore(data: _netcdf.Dataset) -> Trajectory:
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
    return Trajectory(
        times=times, values=values, segment=segment, estimate=arrays["error"] if content["error"] else None, **fields
    )
