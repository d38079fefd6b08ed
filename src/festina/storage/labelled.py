"""Arrays with the names of their axes: as xarray, as pandas, and for files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check

if TYPE_CHECKING:
    import pandas
    import xarray


@dataclass(frozen=True, eq=False)
class Labelled:
    """Arrays with named axes; those that change in time have the axis ``time``, those of several seeds ``seed``.

    Attributes:
        arrays: axes and array, by a name that no other array and no axis has.
        parts: the names of the arrays of each observable: one, or one per layer.
        coordinates: axes and labels, by name; the labels of an axis are called like the axis.
        unit: the unit of the times.
    """

    arrays: dict[str, tuple[tuple[str, ...], np.ndarray]]
    parts: dict[str, tuple[str, ...]]
    coordinates: dict[str, tuple[tuple[str, ...], Any]]
    unit: str

    @property
    def lead(self) -> tuple[str, ...]:
        """Axes that all observables share."""
        return ("seed", "time") if "seed" in self.coordinates else ("time",)

    def to_xarray(self, attributes: Mapping[str, str]) -> xarray.Dataset:
        """Every array with named axes."""
        import xarray

        coordinates: dict[str, Any] = {
            name: (axes, values.tolist() if values.dtype == object else values)
            for name, (axes, values) in self.coordinates.items()
        }
        coordinates["time"] = (*coordinates["time"], {"units": self.unit})
        return xarray.Dataset(self.arrays, coordinates, attributes)

    def to_pandas(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """One row per time (and seed), one column per number that was observed."""
        import pandas

        chosen = check.listing("names", list(self.parts) if names is None else names, "observables")
        columns = {}
        for name in chosen:
            check.known("names", name, self.parts)
            if any("time" not in self.arrays[part][0] for part in self.parts[name]):
                if names is not None:
                    raise ValueError(f"names has {name!r}, which does not change in time; take trajectory[{name!r}].")
                continue
            for part in self.parts[name]:
                axes, array = self.arrays[part]
                lead = len(self.lead)
                rows = array.reshape(int(np.prod(array.shape[:lead])), -1)
                for k, place in enumerate(np.ndindex(array.shape[lead:])):
                    labels = [self._entry(axis, at) for axis, at in zip(axes[lead:], place, strict=True)]
                    columns[f"{part} {', '.join(labels)}" if labels else part] = rows[:, k]
        times = self.coordinates["time"][1]
        index = pandas.Index(times, name="time")
        if "seed" in self.coordinates:
            index = pandas.MultiIndex.from_product([self.coordinates["seed"][1], times], names=["seed", "time"])
        return pandas.DataFrame(columns, index=index)

    def _entry(self, axis: str, at: int) -> str:
        """The label of one place of an axis: its name, or the axis and a number from 1."""
        known = self.coordinates.get(axis)
        return f"{axis} {at + 1}" if known is None else str(known[1][at])


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken, and that a file may hold."""
    name = name.replace("/", " per ").replace("\0", " ") or "unnamed"
    while name in taken:
        name += "_values"
    return name
