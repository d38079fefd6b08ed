"""What came of it: values over time, with what was run, units, assumptions, error and sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import _check, _embedding, _kernel, _passage, _semantic
from festina._assumption import Assumption
from festina._curriculum import Curriculum
from festina._description import Described
from festina._estimate import mean_error, relative_error
from festina._html import ends_in_words, render, shape_in_words
from festina._task import Task
from festina._types import ArrayLike

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """Observed values over time: ``trajectory.loss`` or ``trajectory["loss"]``.

    Arrays have shape (times, …), with a leading seed axis where ``seeds`` was given. Layer-wise observables
    (``weights``, ``hidden``) are tuples, one array per layer.

    Attributes:
        times: the times of the values, in ``unit``.
        values: observed arrays by name; those named in ``static`` have no time axis.
        network, task, method: what was run: the objects themselves (None for curves from elsewhere).
        seeds: the seeds of the leading axis, or None.
        segment: for each time, the number of the task that is being learned (all 0 unless the task is a sequence).
        assumptions: what the result rests on, each with its measured value and bound.
        estimate: of the loss error, predicted minus true: an array, or a function that is called when it is needed.
        sources: keys of the sources, see ``festina cite``.
        notes: further facts of the run (theory, steps, seconds compiling and running, ...).

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
    network: Any = None
    task: Task | Curriculum | Described | None = None
    method: Any = None
    seeds: tuple[int, ...] | None = None
    unit: str = "flow time"
    segment: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    static: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    estimate: np.ndarray | Callable[[], np.ndarray] | None = None
    sources: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        times, segment = _check.plain("times", self.times), _check.plain("segment", self.segment)
        if times.ndim != 1 or times.size == 0 or times.dtype.kind not in "iuf":
            raise ValueError(
                f"times has shape {times.shape} of {times.dtype}; a list of at least one number is needed."
            )
        if segment.ndim != 1 or (segment.size and segment.dtype.kind not in "iu"):
            raise ValueError(
                f"segment has shape {segment.shape} of {segment.dtype}; one whole number per time is needed."
            )
        _check.instance("values", self.values, Mapping, "a dictionary of arrays by name")
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "segment", segment if len(segment) == len(times) else np.zeros(len(times), int))

    @classmethod
    def from_arrays(
        cls,
        times: Sequence[float] | np.ndarray,
        loss: Sequence[float] | np.ndarray,
        *,
        seeds: Sequence[int] | None = None,
        unit: str = "flow time",
        label: str = "logged",
        **values: ArrayLike,
    ) -> Trajectory:
        """Curves that were logged elsewhere, to be compared and drawn beside theory.

        Args:
            times: when they were logged; for gradient descent with rate η on our mean loss, flow time is η × step.
            loss: mean loss 1/(2N) Σ ‖y − ŷ‖², ([seeds,] times).
            seeds: numbers of the seeds where loss has a leading seed axis; None counts them from 0.
            unit: unit of the times.
            label: what to call the run in comparisons and figures.
            values: further arrays ([seeds,] times, …) by name.

        Raises:
            ValueError: arrays whose lengths do not fit.

        Example:
            >>> import festina as fs
            >>> fs.Trajectory.from_arrays([0.0, 1.0, 2.0], [1.0, 0.5, 0.25], label="my network")
            Trajectory(my network: loss at 3 times to 2 (flow time))
        """
        at = _check.times(times)
        arrays = {name: _curves(name, value) for name, value in {"loss": loss, **values}.items()}
        lead = arrays["loss"].ndim - 1
        if lead not in (0, 1):
            raise ValueError(f"loss has shape {arrays['loss'].shape}; (times,) or (seeds, times) is needed.")
        for name, array in arrays.items():
            if array.shape[: lead + 1] != (*arrays["loss"].shape[:lead], len(at)):
                needed = "(seeds, times, …)" if lead else "(times, …)"
                raise ValueError(f"{name} has shape {array.shape} with {len(at)} times; {needed} is needed.")
        given = None if seeds is None else _check.listing("seeds", seeds, "seeds")
        if given is not None and not lead:
            raise ValueError(f"seeds is {_check.shown(seeds)}, but loss has no seed axis; give loss as (seeds, times).")
        numbers = None
        if lead:
            numbers = tuple(_check.seed("seeds", k) for k in (range(len(arrays["loss"])) if given is None else given))
        if numbers is not None and len(numbers) != len(arrays["loss"]):
            raise ValueError(f"seeds has {len(numbers)} numbers for {len(arrays['loss'])} curves; give one each.")
        return cls(at, arrays, method=_check.text("label", label), seeds=numbers, unit=_check.text("unit", unit))

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

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

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return self._get(name) if "values" in self.__dict__ and name[0] != "_" else self.__getattribute__(name)

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

    @property
    def label(self) -> str:
        """The method, as it was written; ``"no method"`` for values from elsewhere without a name."""
        method = "no method" if self.method is None else self.method
        return method if isinstance(method, str) else repr(method)

    @cached_property
    def error(self) -> np.ndarray | None:
        """Estimated |loss error|, ([seeds,] times); None where the method has no estimate.

        It is computed when it is first asked for, printed or drawn: for most theories it is the distance from the
        gradient flow at low accuracy, which costs more than the prediction.
        """
        return None if self._signed_error is None else np.abs(self._signed_error)

    @cached_property
    def _signed_error(self) -> np.ndarray | None:
        return self.estimate() if callable(self.estimate) else self.estimate

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the error itself in place of the function that computes it."""
        return {**self.__dict__, "estimate": self._signed_error}

    def _estimated(self, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[], np.ndarray] | None:
        """The estimate of a changed trajectory, computed when it is asked for as well."""

        def changed() -> np.ndarray:
            assert self._signed_error is not None
            return change(self._signed_error)

        return None if self.estimate is None else changed

    def mean(self) -> Trajectory:
        """The mean over seeds, as a trajectory without a seed axis."""
        if self.seeds is None:
            return self
        values, estimate = self._each(lambda a, _: a.mean(axis=0)), self._estimated(mean_error)
        return replace(self, values=values, seeds=None, estimate=estimate)

    def part(self, segment: int) -> Trajectory:
        """One task of a sequence, with times from its own beginning."""
        tasks = self.task.tasks if isinstance(self.task, Curriculum) else (self.task,)
        chosen = np.flatnonzero(self.segment == _check.whole("segment", segment, least=0))
        if not len(chosen):
            raise ValueError(f"segment is {segment}; this trajectory has the segments 0 to {int(self.segment.max())}.")
        lead = 0 if self.seeds is None else 1
        values = self._each(lambda a, name: a if name in self.static else np.take(a, chosen, axis=lead))
        begin = self.notes.get("segment_starts", [0.0])[segment]
        return replace(
            self, times=self.times[chosen] - begin, values=values, task=tasks[segment],
            segment=np.zeros(len(chosen), int),
            estimate=self._estimated(lambda error: np.take(error, chosen, axis=lead)),
        )  # fmt: skip

    def _each(self, change: Callable[[np.ndarray, str], np.ndarray]) -> dict[str, Any]:
        return {
            name: tuple(change(a, name) for a in value) if isinstance(value, tuple) else change(value, name)
            for name, value in self.values.items()
        }

    def axes(self, name: str, layer: int = 0) -> tuple[str, ...]:
        """Names of all axes of an observable; of one that has an array per layer, of that layer."""
        if not isinstance(name, str) or name not in self.values:
            raise ValueError(f"name is {_check.shown(name)}; this trajectory has: {', '.join(self.values)}.")
        value = self[name]
        if isinstance(value, tuple) and not value:
            return ()
        most = len(value) - 1 if isinstance(value, tuple) else None
        layer = _check.whole("layer", layer, least=0, most=most)
        array = value[layer] if isinstance(value, tuple) else value
        lead = (() if self.seeds is None else ("seed",)) + (() if name in self.static else ("time",))
        known = {**_AXES, **(getattr(self.network, "axes", None) or {})}.get(name)
        rest = array.ndim - len(lead)
        fits = known if known is not None and len(known) == rest else None
        return (*lead, *(fits or [f"{name}_axis{k}" for k in range(rest)]))

    def to_xarray(self) -> xarray.Dataset:
        """All values as one labelled dataset; layers of a tuple become ``name_0``, ``name_1``, …"""
        from festina._labelled import to_xarray

        return to_xarray(self)

    def to_pandas(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """One row per time (and seed), one column per observed number, called by the names that the task has.

        Args:
            names: which observables; None takes all that change in time.

        Raises:
            ValueError: an observable that this trajectory does not have, or that has no time axis.

        Example:
            >>> import festina as fs
            >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
            >>> run = fs.evolve(network, fs.tasks.items(4), [0.0, 50.0], observe=("loss", "strengths"))
            >>> run.to_pandas().columns.tolist()
            ['loss', 'strengths mode 1', 'strengths mode 2', 'strengths mode 3', 'strengths mode 4']
        """
        from festina._labelled import to_pandas

        return to_pandas(self, names)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to one NetCDF file, atomically and with a checksum; ``fs.load`` reads it back whole.

        Other programs read the values as NetCDF. The network, task and method are described in JSON; the folder of
        checkpoints of ``fs.Train`` is not kept.

        Args:
            path: the file, such as ``"run.nc"``; an older one is replaced.

        Returns:
            The path.

        Raises:
            ValueError: a folder, a file that cannot be written, or values that NetCDF does not keep exactly.
        """
        from festina._trajectory_file import save

        return save(self, path)

    def plot(self, ax: Axes | None = None, **line: Any) -> Axes:
        """Draw the loss over time: training as a thick pale band, a prediction as a thin dark line.

        With seeds the mean is drawn, with the middle 90 %; around a prediction that has one, its error estimate.

        Args:
            ax: axes to draw into; None makes a new figure.
            line: passed on to matplotlib's ``plot``.

        Example:
            >>> import festina as fs
            >>> fs.Trajectory.from_arrays([0.0, 1.0], [1.0, 0.5]).plot().get_xlabel()
            'time (flow time)'
        """
        from festina._style import draw_loss

        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        _check.axes(ax)
        return draw_loss(self, ax, **{"label": self.label, **line})

    def _repr_html_(self) -> str:
        """What notebooks show."""
        rows = [("network", self.network), ("task", self.task)] if self.network is not None else []
        shapes = [f"{name} {shape_in_words(value)}" for name, value in self.values.items()]
        rows += [("times", f"{len(self.times)}, {self.times[0]:g} to {self.times[-1]:g} ({self.unit})")]
        rows += [("values", ", ".join(shapes))]
        rows += [] if self.seeds is None else [("seeds", f"{len(self.seeds)}, {self.seeds[0]} to {self.seeds[-1]}")]
        rows += [] if "loss" not in self.values else [("loss", ends_in_words(self.loss))]
        rows += [] if self.error is None else [("estimated error", f"{self.relative_error:.2g} of the loss")]
        rows += [("sources", ", ".join(self.sources))] if self.sources else []
        return render(f"Trajectory: {self.label}", rows, self.assumptions)

    def __repr__(self) -> str:
        seeds = "" if self.seeds is None else f", {len(self.seeds)} seeds"
        tasks = "" if len(np.unique(self.segment)) < 2 else f" of {self.segment[-1] + 1} tasks"
        span = f"{len(self.times)} times{tasks} to {self.times[-1]:g} ({self.unit})"
        error = "" if self.error is None else f", estimated error {self.relative_error:.2g} of the loss"
        return f"Trajectory({self.label}: {', '.join(self.values)} at {span}{seeds}{error})"

    @property
    def relative_error(self) -> float:
        """The estimated error as one number: ∫ error dt / ∫ true loss dt as in ``fs.compare``, the mean over seeds.

        At a single time it is the ratio there. NaN without an estimate, or where the loss was not observed.
        """
        if self._signed_error is None or "loss" not in self.values:
            return float("nan")
        return float(np.mean(relative_error(self.loss, self._signed_error, self.times)))

    # what a trajectory shows: each is documented, with its example, where it is computed

    rise_times = _semantic.rise_times
    differentiation = _semantic.differentiation
    illusions = _semantic.illusions
    typicality = _semantic.typicality
    prototypes = _semantic.prototypes
    projection = _semantic.projection
    embed = _embedding.embed
    kernel_distance = _kernel.kernel_distance

    first_passage = _passage.first_passage_of
    saddle_passages = _passage.saddle_passages
    distances = _passage.distances

    @property
    def after(self) -> np.ndarray:
        """Loss of each task (columns) at the start and after each task (rows): ([seeds,] tasks+1, tasks)."""
        if not isinstance(self.task, Curriculum):
            raise ValueError("this trajectory is of one task; what is forgotten needs fs.sequence([...]) as task.")
        ends = np.flatnonzero(np.diff(self.segment, append=self.segment[-1] + 1))
        losses = np.take(self["losses"], ends, axis=-2)
        return np.concatenate([self["first_losses"][..., None, :], losses], axis=-2)

    @property
    def forgetting(self) -> np.ndarray:
        """How much the loss of each task (columns) rose while each task (rows) was learned; it falls where negative."""
        return np.diff(self.after, axis=-2)

    @property
    def transfer(self) -> np.ndarray:
        """How much the loss of each task had already fallen, from the start, when its own turn came."""
        after = self.after
        return np.stack([after[..., 0, k] - after[..., k, k] for k in range(after.shape[-1])], axis=-1)


def _curves(name: str, value: object) -> np.ndarray:
    """Logged numbers, which need not be finite: a run may have diverged."""
    array = _check.plain(name, value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds {array.dtype}, not real numbers; give an array of floats.")
    return np.array(array, dtype=float)


_AXES = {
    "loss": (), "losses": ("task",), "first_losses": ("task",), "outputs": ("item", "output"), "strengths": ("mode",),
    "map": ("output", "input"), "kernel_distance": (), "alignment": (),
}  # fmt: skip
"""Axes of observables that several networks have."""
