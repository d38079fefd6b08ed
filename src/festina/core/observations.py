"""The result of a run: values over time, with what was run, units, assumptions, error and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike, Times
from festina.core.assumption import Assumption
from festina.core.curriculum import Curriculum
from festina.core.task import Task
from festina.storage.description import Described
from festina.storage.labelled import Labelled, free_name

Kind = TypeVar("Kind", bound="Observations")


@dataclass(frozen=True, eq=False, repr=False)
class Observations:
    """Observed values over time, with what was run: what every trajectory holds; ``fs.Trajectory`` adds what it shows.

    Arrays have shape (times, …), with a leading seed axis where ``seeds`` was given. Layer-wise observables
    (``weights``, ``hidden``) are tuples, one array per layer.

    Attributes:
        times: the times of the values, in ``unit``.
        values: observed arrays by name; those named in ``static`` have no time axis.
        network, task, method: what was run: the objects themselves (None for curves from elsewhere).
        seeds: the seeds of the leading axis, or None.
        segment: for each time, the number of the task that is being learned (all 0 unless the task is a sequence).
        assumptions: what the result rests on, each with its measured value and bound.
        estimate: the estimate of the loss error, predicted minus true: an array, or a function that is called when it
            is needed.
        sources: keys of the sources, see ``festina cite``.
        notes: further facts of the run (theory, steps, seconds compiling and running, ...).
        between: for training, a function that gives the first and last weights of the first seed; not kept in files.

    Example:
        >>> import numpy as np, festina as fs
        >>> path = fs.core.Observations(np.array([0.0, 1.0]), {"loss": np.array([1.0, 0.5])})
        >>> "loss" in path, path.label
        (True, 'no method')
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
    between: Callable[[], Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        times, segment = check.plain("times", self.times), check.plain("segment", self.segment)
        if times.ndim != 1 or times.size == 0 or times.dtype.kind not in "iuf":
            raise ValueError(
                f"times has shape {times.shape} of {times.dtype}; a list of at least one number is needed."
            )
        if segment.ndim != 1 or (segment.size and segment.dtype.kind not in "iu"):
            raise ValueError(
                f"segment has shape {segment.shape} of {segment.dtype}; one whole number per time is needed."
            )
        check.instance("values", self.values, Mapping, "a dictionary of arrays by name")
        if self.seeds is not None:
            seeds = check.listing("seeds", self.seeds, "seeds")
            object.__setattr__(self, "seeds", tuple(check.seed("seeds", number) for number in seeds))
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "segment", segment if len(segment) == len(times) else np.zeros(len(times), int))

    @classmethod
    def from_arrays(
        cls: type[Kind],
        times: Sequence[float] | np.ndarray,
        loss: Sequence[float] | np.ndarray,
        *,
        seeds: Sequence[int] | None = None,
        unit: str = "flow time",
        label: str = "logged",
        **values: ArrayLike,
    ) -> Kind:
        """Curves that were logged elsewhere, to be compared with theory.

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
        at = check.times(times)
        arrays = {name: _curves(name, value) for name, value in {"loss": loss, **values}.items()}
        lead = arrays["loss"].ndim - 1
        if lead not in (0, 1):
            raise ValueError(f"loss has shape {arrays['loss'].shape}; (times,) or (seeds, times) is needed.")
        for name, array in arrays.items():
            if array.shape[: lead + 1] != (*arrays["loss"].shape[:lead], len(at)):
                needed = "(seeds, times, …)" if lead else "(times, …)"
                raise ValueError(f"{name} has shape {array.shape} with {len(at)} times; {needed} is needed.")
        given = None if seeds is None else check.listing("seeds", seeds, "seeds")
        if given is not None and not lead:
            raise ValueError(f"seeds is {check.shown(seeds)}, but loss has no seed axis; give loss as (seeds, times).")
        numbers = None
        if lead:
            numbers = tuple(check.seed("seeds", k) for k in (range(len(arrays["loss"])) if given is None else given))
        if numbers is not None and len(numbers) != len(arrays["loss"]):
            raise ValueError(f"seeds has {len(numbers)} numbers for {len(arrays['loss'])} curves; give one each.")
        return cls(at, arrays, method=check.text("label", label), seeds=numbers, unit=check.text("unit", unit))

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
    def steps(self) -> np.ndarray:
        """Numbers of steps of gradient descent at the times: time/rate; fractions where no step falls on a time.

        Raises:
            ValueError: no rate is known; ``fs.evolve(..., rate=...)`` says it.
        """
        if "steps" in self.values:
            return self["steps"]
        rate = self.notes.get("rate")
        if rate is None:
            raise ValueError(
                f"steps are not known for {self.label}; say the step size: fs.evolve(..., rate=...), or lr=...."
            )
        exact = self.times / rate
        whole = np.rint(exact)
        return whole.astype(int) if np.allclose(exact, whole, rtol=1e-9, atol=1e-6) else exact

    @property
    def clock(self) -> tuple[np.ndarray, str]:
        """Values along the axis of time, and its label: steps where steps were asked for, else times."""
        return (self.steps, "step") if self.notes.get("axis") == "steps" else (self.times, f"time ({self.unit})")

    @property
    def on_clock(self: Kind) -> Kind:
        """The same run in the user's unit of time: in steps where steps were asked for."""
        if self.notes.get("axis") != "steps" or self.unit == "steps":
            return self
        rate = float(self.notes["rate"])
        begins = {name: [t / rate for t in self.notes[name]] for name in ("segment_starts",) if name in self.notes}
        return replace(
            self, times=np.asarray(self.steps, float), unit="steps", notes={**self.notes, **begins, "rate": 1.0},
            estimate=self._signed_error if self.estimated else self.estimate,
        )  # fmt: skip

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
        """Estimated |loss error|, ([seeds,] times); None if the method has no estimate.

        It is computed when it is first asked for and then kept; printing and drawing show it only then. For most
        theories it is the distance from the gradient flow at low accuracy, which costs more than the prediction.
        """
        return None if self._signed_error is None else np.abs(self._signed_error)

    @property
    def estimated(self) -> bool:
        """Whether the error estimate is there without further computation."""
        return isinstance(self.estimate, np.ndarray) or self.__dict__.get("_signed_error") is not None

    @cached_property
    def _signed_error(self) -> np.ndarray | None:
        return self.estimate() if callable(self.estimate) else self.estimate

    def __getstate__(self) -> dict[str, Any]:
        """The copy for another process: the error itself replaces the function that computes it."""
        return {**self.__dict__, "estimate": self._signed_error, "between": None}

    def _estimated(self, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[], np.ndarray] | None:
        """The estimate of a changed trajectory, computed when it is asked for as well."""

        def changed() -> np.ndarray:
            assert self._signed_error is not None
            return change(self._signed_error)

        return None if self.estimate is None else changed

    def mean(self: Kind) -> Kind:
        """The mean over seeds, as a trajectory without a seed axis."""
        if self.seeds is None:
            return self
        values, estimate = self._each(lambda a, _: a.mean(axis=0)), self._estimated(mean_error)
        return replace(self, values=values, seeds=None, estimate=estimate)

    def part(self: Kind, segment: int) -> Kind:
        """One task of a sequence, with times from its own beginning."""
        tasks = self.task.tasks if isinstance(self.task, Curriculum) else (self.task,)
        chosen = np.flatnonzero(self.segment == check.whole("segment", segment, least=0))
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
            raise ValueError(f"name is {check.shown(name)}; this trajectory has: {', '.join(self.values)}.")
        value = self[name]
        if isinstance(value, tuple) and not value:
            return ()
        most = len(value) - 1 if isinstance(value, tuple) else None
        layer = check.whole("layer", layer, least=0, most=most)
        array = value[layer] if isinstance(value, tuple) else value
        lead = (() if self.seeds is None else ("seed",)) + (() if name in self.static else ("time",))
        known = {**_AXES, **(getattr(self.network, "axes", None) or {})}.get(name)
        rest = array.ndim - len(lead)
        fits = known if known is not None and len(known) == rest else None
        return (*lead, *(fits or [f"{name}_axis{k}" for k in range(rest)]))

    def labelled(self) -> Labelled:
        """Names for every axis; the task's names, times, seeds and segments as coordinates."""
        arrays: dict[str, tuple[tuple[str, ...], np.ndarray]] = {}
        parts: dict[str, tuple[str, ...]] = {}
        sizes: dict[str, int] = {}
        lead = ("seed", "time") if self.seeds is not None else ("time",)
        own = {axis for name in self.values for axis in self.axes(name)}
        taken = {"seed", "time", "segment", "context", "error", *own}
        for name, value in self.values.items():
            layered, found = isinstance(value, tuple), []
            for i, array in enumerate(value if layered else (value,)):
                called = f"{name}_{i}" if layered else name
                called = free_name(called, {*taken, *arrays, *(set(self.values) - {name})})
                axes: list[str] = []
                for axis, size in zip(self.axes(name, i), np.shape(array), strict=True):
                    # layers have widths of their own, so that their axes need names of their own
                    same = axis in lead or (sizes.get(axis, size) == size and axis not in axes)
                    axes.append(axis if same else f"{called}_{axis}_{len(axes)}")
                sizes.update(zip(axes, np.shape(array), strict=True))
                arrays[called] = (tuple(axes), np.asarray(array))
                found.append(called)
            parts[name] = tuple(found)
        coordinates: dict[str, Any] = {"time": (("time",), self.times), "segment": (("time",), self.segment)}
        if self.seeds is not None:
            coordinates["seed"] = (("seed",), np.array(self.seeds, dtype=np.int64))
        for axis, of in _NAMED.items():
            names = getattr(self.task, of, None)
            if names and sizes.get(axis) == len(names):
                coordinates[axis] = ((axis,), np.array(names, dtype=object))
        contexts = getattr(self.task, "contexts", None)
        if contexts and sizes.get("item") == len(contexts):
            coordinates["context"] = (("item",), np.array(contexts, dtype=object))
        return Labelled(arrays, parts, coordinates, self.unit)

    @property
    def relative_error(self) -> float:
        """The estimated error as one number: ∫ error dt / ∫ true loss dt as in ``fs.compare``, the mean over seeds.

        At a single time it is the ratio there. NaN without an estimate, or where the loss was not observed.
        """
        if self._signed_error is None or "loss" not in self.values:
            return float("nan")
        return float(np.mean(relative_error(self.loss, self._signed_error, self.times)))

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
    array = check.plain(name, value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds {array.dtype}, not real numbers; give an array of floats.")
    return np.array(array, dtype=float)


_AXES = {
    "loss": (), "losses": ("task",), "first_losses": ("task",), "outputs": ("item", "output"), "strengths": ("mode",),
    "map": ("output", "input"), "kernel_distance": (), "alignment": (), "test_outputs": ("test_item", "output"),
    **{f"{of}{what}": () for of in ("", "test_") for what in ("loss", "accuracy")},
    **{f"{of}{by}_{w}": (by,) for of in ("", "test_") for by in ("class", "group") for w in ("loss", "accuracy")},
}  # fmt: skip
"""Axes of observables that several networks have."""

_NAMED = {"item": "items", "output": "outputs", "input": "inputs", "class": "outputs", "group": "groups"}
"""Axes whose labels are names that the task has."""


AREA = "area between the loss curves over the area below the true one"
"""Meaning of the error of a prediction, in words: the same for estimates, ``fs.theories`` and ``fs.compare``."""


def relative_error(loss: np.ndarray, error: np.ndarray, times: Times) -> np.ndarray:
    """∫|error| dt over ∫ true loss dt, the true loss being the predicted one without its ``error``, ([seeds,]).

    It is the area that ``fs.compare`` gives, with an estimate in place of a run; at a single time the ratio there.
    """
    wrong, right = np.abs(error), np.maximum(loss - error, 0.0)
    if len(times) > 1:
        wrong, right = (np.trapezoid(curve, times, axis=-1) for curve in (wrong, right))
    else:
        wrong, right = wrong[..., 0], right[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(wrong == 0, 0.0, wrong / right)


def mean_error(error: np.ndarray) -> np.ndarray:
    """The mean size over seeds, with the sign of the mean: seeds that err to either side do not cancel."""
    return np.copysign(np.abs(error).mean(axis=0), error.mean(axis=0))
