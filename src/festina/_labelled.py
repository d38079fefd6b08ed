"""The values of a trajectory with the names of their axes: as xarray, as pandas, and for files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import _check

if TYPE_CHECKING:
    import pandas
    import xarray

    from festina._trajectory import Trajectory

NAMES = {"item": "items", "output": "outputs", "input": "inputs"}
"""Axes whose coordinates are names that the task has."""

LEAD = ("seed", "time")
"""Axes that all observables share."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """Arrays with named axes.

    Attributes:
        arrays: axes and array, by a name that no other array and no axis has.
        parts: the names of the arrays of each observable: one, or one per layer.
        coordinates: axes and labels, by name; the labels of an axis are called like the axis.
    """

    arrays: dict[str, tuple[tuple[str, ...], np.ndarray]]
    parts: dict[str, tuple[str, ...]]
    coordinates: dict[str, tuple[tuple[str, ...], Any]]


def label(trajectory: Trajectory) -> Labelled:
    """Names for every axis; the task's names, times, seeds and segments as coordinates."""
    arrays: dict[str, tuple[tuple[str, ...], np.ndarray]] = {}
    parts: dict[str, tuple[str, ...]] = {}
    sizes: dict[str, int] = {}
    lead = LEAD if trajectory.seeds is not None else LEAD[1:]
    taken = {
        *LEAD,
        "segment",
        "context",
        "error",
        *(axis for name in trajectory.values for axis in trajectory.axes(name)),
    }
    for name, value in trajectory.values.items():
        layered, found = isinstance(value, tuple), []
        for i, array in enumerate(value if layered else (value,)):
            called = _free(f"{name}_{i}" if layered else name, {*taken, *arrays, *(set(trajectory.values) - {name})})
            axes: list[str] = []
            for axis, size in zip(trajectory.axes(name, i), np.shape(array), strict=True):
                # layers have widths of their own, so that their axes need names of their own
                same = axis in lead or (sizes.get(axis, size) == size and axis not in axes)
                axes.append(axis if same else f"{called}_{axis}_{len(axes)}")
            sizes.update(zip(axes, np.shape(array), strict=True))
            arrays[called] = (tuple(axes), np.asarray(array))
            found.append(called)
        parts[name] = tuple(found)
    if trajectory.error is not None:
        arrays["error"] = (lead, trajectory.error)
    coordinates: dict[str, Any] = {"time": (("time",), trajectory.times), "segment": (("time",), trajectory.segment)}
    if trajectory.seeds is not None:
        coordinates["seed"] = (("seed",), np.array(trajectory.seeds, dtype=np.int64))
    for axis, of in NAMES.items():
        names = getattr(trajectory.task, of, None)
        if names and sizes.get(axis) == len(names):
            coordinates[axis] = ((axis,), np.array(names, dtype=object))
    contexts = getattr(trajectory.task, "contexts", None)
    if contexts and sizes.get("item") == len(contexts):
        coordinates["context"] = (("item",), np.array(contexts, dtype=object))
    return Labelled(arrays, parts, coordinates)


def _free(name: str, taken: set[str]) -> str:
    """A name that is not taken, and that a file may hold."""
    name = name.replace("/", " per ").replace("\0", " ") or "unnamed"
    while name in taken:
        name += "_values"
    return name


def to_xarray(trajectory: Trajectory) -> xarray.Dataset:
    """Every observable with named axes; layers of a tuple become ``name_0``, ``name_1``, …"""
    import xarray

    found = label(trajectory)
    coordinates: dict[str, Any] = {
        name: (axes, values.tolist() if values.dtype == object else values)
        for name, (axes, values) in found.coordinates.items()
    }
    coordinates["time"] = ("time", trajectory.times, {"units": trajectory.unit})
    described = {
        "method": trajectory.label,
        "network": repr(trajectory.network),
        "task": repr(trajectory.task),
        "assumptions": json.dumps([asdict(a) for a in trajectory.assumptions]),
        "sources": json.dumps(trajectory.sources),
    }
    return xarray.Dataset(found.arrays, coordinates, described)


def to_pandas(trajectory: Trajectory, names: Sequence[str] | None = None) -> pandas.DataFrame:
    """One row per time (and seed), one column per number that was observed."""
    import pandas

    chosen = _check.listing("names", list(trajectory.values) if names is None else names, "observables")
    found, columns = label(trajectory), {}
    for name in chosen:
        _check.known("names", name, trajectory.values)
        if name in trajectory.static:
            if names is not None:
                raise ValueError(f"names has {name!r}, which does not change in time; take trajectory[{name!r}].")
            continue
        for part in found.parts[name]:
            axes, array = found.arrays[part]
            lead = 1 if trajectory.seeds is None else 2
            rows = array.reshape(int(np.prod(array.shape[:lead])), -1)
            for k, place in enumerate(np.ndindex(array.shape[lead:])):
                labels = [_entry(found, axis, at) for axis, at in zip(axes[lead:], place, strict=True)]
                columns[f"{part} {', '.join(labels)}" if labels else part] = rows[:, k]
    index = pandas.Index(trajectory.times, name="time")
    if trajectory.seeds is not None:
        index = pandas.MultiIndex.from_product([trajectory.seeds, trajectory.times], names=["seed", "time"])
    return pandas.DataFrame(columns, index=index)


def _entry(found: Labelled, axis: str, at: int) -> str:
    """The label of one place of an axis: its name, or the axis and a number from 1."""
    known = found.coordinates.get(axis)
    return f"{axis} {at + 1}" if known is None else str(known[1][at])
