"""What came of it: values over time, with units, assumptions and sources."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina._assumption import Assumption
from festina._task import Task

if TYPE_CHECKING:
    import xarray

FORMAT = "festina trajectory 1"
"""Mark of the file format, checked on loading."""

AXES = {"loss": (), "strengths": ("mode",), "outputs": ("item", "output"), "map": ("output", "input")}
"""Names of the axes after time; other observables get numbered axes."""


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """Observed values over time: ``trajectory.loss`` or ``trajectory["loss"]``.

    Arrays have shape (times, …), with a leading seed axis where ``seeds`` was given. Layer-wise observables
    (``weights``, ``hidden``) are tuples, one array per layer.

    Attributes:
        times: flow times of the values, in ``unit``.
        values: observed arrays by name.
        seeds: the seeds of the leading axis, or None.
        assumptions: what the result rests on, each with its measured value and bound.
        citations: keys of the sources, see ``festina cite``.
        method, network, task: what was run, in words.
        notes: further facts of the run (steps, seconds compiling and running, ...).
        data: the task itself; None in a trajectory that was read from a file, which does not hold it.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> path = fs.evolve(network, task, np.linspace(0, 50, 6), observe=("loss", "strengths"))
        >>> path
        Trajectory(Exact(): loss, strengths at 6 times to 50 (flow time))
        >>> path.strengths.shape, path.unit
        ((6, 4), 'flow time')
    """

    times: np.ndarray
    values: Mapping[str, Any]
    seeds: tuple[int, ...] | None = None
    method: str = ""
    network: str = ""
    task: str = ""
    unit: str = "flow time"
    assumptions: tuple[Assumption, ...] = ()
    citations: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    data: Task | None = None

    def __getitem__(self, name: str) -> Any:
        if name not in self.values:
            raise KeyError(
                f"{name!r} was not observed; this trajectory has: {', '.join(self.values)}. "
                f"Call fs.evolve(..., observe=({name!r}, ...))."
            )
        return self.values[name]

    def _get(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    @property
    def loss(self) -> np.ndarray:
        """Mean loss 1/(2N) Σ ‖y − ŷ‖², shape ([seeds,] times)."""
        return self._get("loss")

    @property
    def strengths(self) -> np.ndarray:
        """Strength of each mode of the task, shape ([seeds,] times, modes)."""
        return self._get("strengths")

    @property
    def outputs(self) -> np.ndarray:
        """Predictions, shape ([seeds,] times, items, outputs)."""
        return self._get("outputs")

    @property
    def weights(self) -> tuple[np.ndarray, ...]:
        """One array ([seeds,] times, out, in) per layer."""
        return self._get("weights")

    def mean(self) -> "Trajectory":
        """The mean over seeds, as a trajectory without a seed axis."""
        if self.seeds is None:
            return self
        values = {
            k: tuple(a.mean(axis=0) for a in v) if isinstance(v, tuple) else v.mean(axis=0)
            for k, v in self.values.items()
        }
        return self._replace(values=values, seeds=None)

    def _replace(self, **changes: Any) -> "Trajectory":
        return Trajectory(**{**{name: getattr(self, name) for name in self.__dataclass_fields__}, **changes})

    def to_xarray(self) -> "xarray.Dataset":
        """All values as one labelled dataset; layers of a tuple become ``name_0``, ``name_1``, …"""
        import xarray

        lead = ("time",) if self.seeds is None else ("seed", "time")
        variables = {}
        for name, value in self.values.items():
            layered = isinstance(value, tuple)
            for i, array in enumerate(value if layered else (value,)):
                label = f"{name}_{i}" if layered else name
                rest = AXES.get(name) or tuple(f"{label}_axis{k}" for k in range(array.ndim - len(lead)))
                variables[label] = ((*lead, *rest), array)
        coords: dict[str, Any] = {"time": ("time", self.times, {"units": self.unit})}
        if self.seeds is not None:
            coords["seed"] = list(self.seeds)
        described = {
            "format": FORMAT,
            "method": self.method,
            "network": self.network,
            "task": self.task,
            "assumptions": json.dumps([asdict(a) for a in self.assumptions]),
            "citations": json.dumps(self.citations),
            "notes": json.dumps(dict(self.notes)),
            "layers": json.dumps({k: len(v) for k, v in self.values.items() if isinstance(v, tuple)}),
        }
        return xarray.Dataset(variables, coords, described)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a NetCDF file (by way of a temporary one, so that no half-written file is left); returns its path."""
        path = Path(path)
        if path.is_dir():
            raise ValueError(f"path is {str(path)!r}, which is a folder; give a file in it, such as trajectory.nc.")
        if not path.parent.is_dir():
            raise ValueError(
                f"path is {str(path)!r}, but the folder {str(path.parent)!r} does not exist; make it first."
            )
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            self.to_xarray().to_netcdf(partial, engine="h5netcdf")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
        return path

    def __repr__(self) -> str:
        seeds = "" if self.seeds is None else f", {len(self.seeds)} seeds"
        span = f"{len(self.times)} times to {self.times[-1]:g} ({self.unit})"
        return f"Trajectory({self.method}: {', '.join(self.values)} at {span}{seeds})"


def load(path: str | os.PathLike[str]) -> Trajectory:
    """Read a trajectory that ``Trajectory.save`` wrote; a NetCDF file, nothing in it is executed.

    Raises:
        ValueError: the file is not there, is damaged, or is not a festina trajectory.

    Example:
        >>> import tempfile, numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> theory = fs.evolve(network, fs.tasks.hierarchy(levels=2), np.linspace(0, 50, 6))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     fs.load(theory.save(f"{folder}/theory.nc"))
        Trajectory(Exact(): loss at 6 times to 50 (flow time))
    """
    import xarray

    path = Path(path)
    if not path.is_file():
        raise ValueError(f"path is {str(path)!r}: there is no such file; give one that Trajectory.save wrote.")
    try:
        # times stay numbers, whatever their unit is called
        with xarray.open_dataset(path, engine="h5netcdf", decode_times=False, phony_dims="access") as opened:
            data = opened.load()
    except Exception as error:  # whatever the reader meets in a damaged file: its kinds are not documented
        raise ValueError(f"path is {str(path)!r}, which is not a NetCDF file that can be read: {error}") from None
    if data.attrs.get("format") != FORMAT:
        raise ValueError(f"path is {str(path)!r}, whose format is {data.attrs.get('format')!r}; {FORMAT!r} is needed.")
    missing = {"method", "network", "task", "assumptions", "citations", "notes", "layers"} - set(data.attrs)
    if missing or "time" not in data.coords:
        raise ValueError(f"path is {str(path)!r}, which lacks {', '.join(sorted(missing)) or 'times'}; save it again.")
    try:
        return _restore(data)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"path is {str(path)!r}, whose contents are damaged ({error}); save it again.") from None


def _restore(data: "xarray.Dataset") -> Trajectory:
    """The trajectory that ``Trajectory.to_xarray`` labelled."""
    layers = json.loads(data.attrs["layers"])
    layered = {f"{name}_{i}" for name, count in layers.items() for i in range(count)}
    values: dict[str, Any] = {str(k): array.values for k, array in data.data_vars.items() if k not in layered}
    for name, count in layers.items():
        values[name] = tuple(data[f"{name}_{i}"].values for i in range(count))
    return Trajectory(
        times=data["time"].values,
        values=values,
        seeds=tuple(int(s) for s in data["seed"].values) if "seed" in data.coords else None,
        method=data.attrs["method"],
        network=data.attrs["network"],
        task=data.attrs["task"],
        unit=data["time"].attrs["units"],
        assumptions=tuple(Assumption(**a) for a in json.loads(data.attrs["assumptions"])),
        citations=tuple(json.loads(data.attrs["citations"])),
        notes=json.loads(data.attrs["notes"]),
    )
