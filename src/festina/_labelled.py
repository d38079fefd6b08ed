"""A trajectory as one labelled dataset."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray

    from festina._trajectory import Trajectory

NAMES = {"item": "items", "output": "outputs", "input": "inputs"}
"""Axes whose coordinates are names that the task has."""


def to_xarray(trajectory: Trajectory) -> xarray.Dataset:
    """Every observable with named axes; the task's names, times, seeds and segments are coordinates."""
    import xarray

    variables, sizes = {}, {}
    for name, value in trajectory.values.items():
        axes = trajectory.axes(name)
        for i, array in enumerate(value if isinstance(value, tuple) else (value,)):
            label = f"{name}_{i}" if isinstance(value, tuple) else name
            # layers have widths of their own, so that their axes need names of their own
            own = [
                a if a in ("seed", "time") or sizes.get(a, n) == n else f"{label}_{a}"
                for a, n in zip(axes, array.shape, strict=True)
            ]
            sizes.update(zip(own, array.shape, strict=True))
            variables[label] = (tuple(own), array)
    if trajectory.error is not None:
        variables["error"] = (("time",) if trajectory.seeds is None else ("seed", "time"), trajectory.error)
    coords: dict[str, Any] = {
        "time": ("time", trajectory.times, {"units": trajectory.unit}),
        "segment": ("time", trajectory.segment),
    }
    if trajectory.seeds is not None:
        coords["seed"] = list(trajectory.seeds)
    for axis, of in NAMES.items():
        names = getattr(trajectory.task, of, None)
        if names and sizes.get(axis) == len(names):
            coords[axis] = list(names)
    described = {
        "method": trajectory.label,
        "network": repr(trajectory.network),
        "task": repr(trajectory.task),
        "assumptions": json.dumps([asdict(a) for a in trajectory.assumptions]),
        "sources": json.dumps(trajectory.sources),
    }
    return xarray.Dataset(variables, coords, described)
