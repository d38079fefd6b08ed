"""Loss and accuracy of the data that are learned and of test data: of all points, by class and by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Times, Tree
from festina.core import Context, Loss, Method, Network, Run, Start, Task
from festina.core.network import Observables, exactly, stack, task_context


def _own(name: str) -> Any:
    return property(lambda self: getattr(self.network, name))


@dataclass(frozen=True, eq=False)
class Watched(Network):
    """A network that learns as ``network`` does; subclasses add to its context and observables."""

    network: Network

    noisy, predict, loss = map(_own, ("noisy", "predict", "loss"))
    start, points, velocity, rotate, sample = map(_own, ("start", "points", "velocity", "rotate", "sample"))

    def context(self, task: Task) -> Context:
        return task_context(self.network, task)


PARTS = {"": "all", "class_": "classes", "group_": "groups"}
"""Over what a loss or an accuracy is averaged: all data points, those of each class, those of each context."""

NAMES = (
    "accuracy", "class_loss", "class_accuracy", "group_loss", "group_accuracy", "test_loss", "test_accuracy",
    "test_class_loss", "test_class_accuracy", "test_group_loss", "test_group_accuracy", "test_outputs",
)  # fmt: skip
"""Observables of every network, besides its own."""


def measured_run(
    network: Network, task: Task, times: Times | None, method: Method, starts: Sequence[Start], names: tuple[str, ...]
) -> Run:
    """The method's run with these names observed, those of ``NAMES`` among them."""
    wanted = [name for name in names if name in NAMES and name not in network.axes]  # its own accuracy comes first
    if not wanted:
        return method.run(network, task, times, starts, names)
    measuring = Measuring(network, task.loss)
    with exactly(network, task):
        context = measuring.context(task)
        known = measuring.observables(context)
    for name in wanted:
        if name not in known:
            raise ValueError(f"observe holds {name!r}, {_missing(name, task)}")
    if method.observes_weights and not network.learns_otherwise:
        return method.run(measuring, task, times, starts, names)
    run = method.run(network, task, times, starts, tuple(n for n in names if n not in wanted) or ("loss",))
    if run.paths is None:
        raise ValueError(
            f"observe holds {wanted[0]!r}, which needs weights at each time, and {method!r} does not give those of "
            f"{type(network).__name__}; use method=fs.Flow() or fs.Train(rate=...)."
        )
    with exactly(network, task):
        if run.predicts:  # outputs that do not follow from weights
            seen = [MeasuredObservables(lambda _: {}, one, task.loss)(context) for one in run.predicts]
            found = {n: np.stack([stack([each[n](i) for i in range(len(run.times))]) for each in seen]) for n in wanted}
        else:
            paths = run.paths()
            found = {name: np.stack([stack([known[name](w) for w in path]) for path in paths]) for name in wanted}
    kept = {name: value for name, value in run.values.items() if name in {n.removesuffix("?") for n in names}}
    return replace(run, values={**kept, **found})


@dataclass(frozen=True)
class MeasuredObservables:
    """A network's observables and those of ``NAMES``, on the data of ``context["measured"]``."""

    own: Observables
    predict: Callable[[Any, Any], Any]
    loss: Loss

    def __call__(self, context: Context) -> Mapping[str, Any]:
        found = {**self.own(context)}
        for of, data in context["measured"].items():
            found |= self._of(of, data)
        return found

    def _of(self, of: str, data: Mapping[str, Any]) -> dict[str, Callable[[Any], Any]]:
        def outputs(weights: Tree) -> Any:
            return self.predict(weights, data["x"])

        def mean(part: str) -> Callable[[Any], Any]:
            return lambda weights: _mean(data[part], self.loss.each(outputs(weights), data["y"]))

        def right(part: str) -> Callable[[Any], Any]:
            return lambda weights: _mean(data[part], _class(outputs(weights), data, 0) == _class(data["y"], data, 1))

        found: dict[str, Callable[[Any], Any]] = {"test_outputs": outputs} if of else {}
        for by, part in PARTS.items():
            found |= {f"{of}{by}loss": mean(part)} if part in data and (of or by) else {}
            found |= {f"{of}{by}accuracy": right(part)} if part in data and "levels" in data else {}
        return found


@dataclass(frozen=True, eq=False)
class Measuring(Watched):
    """A network that is also measured on test data, by class and by group."""

    measure: Loss

    @property
    def observables(self) -> Observables:
        return MeasuredObservables(self.network.observables, self.network.predict, self.measure)

    def context(self, task: Task) -> Context:
        measured = {"": _data(task, task, self.network.points(task).x)}
        if task.test is not None:
            measured["test_"] = _data(task.test, task, self.network.inputs_at(task.test.x))
        return {**super().context(task), "measured": measured}


def _class(outputs: Array, data: Mapping[str, Any], which: int) -> Array:
    """The class of each row: its largest entry, or the side of a level on which its only entry lies."""
    return outputs.argmax(-1) if outputs.shape[1] > 1 else 1 * (outputs[:, 0] > data["levels"][which])


def _data(points: Task, task: Task, x: Array) -> dict[str, Any]:
    """Inputs, targets, and 1 for the points in every mean: (points,), (classes, points), (groups, points)."""
    found: dict[str, Any] = {"x": x, "y": points.y, "all": np.ones(len(points.y))}
    levels = _levels(task)
    if levels is not None:
        found["levels"] = np.array(levels)
        classes = _class(points.y, found, 1)
        found["classes"] = np.array([classes == k for k in range(max(task.y.shape[1], 2))], float)
    if points.contexts and task.contexts:
        found["groups"] = np.array([np.array(points.contexts) == group for group in task.groups], float)
    return found


def _mean(chosen: Array, values: Array) -> Array:
    """The mean over chosen points, a whole number over a whole number for shares; of no point it is not a number."""
    with np.errstate(invalid="ignore"):
        return (chosen @ (1.0 * values)) / chosen.sum(-1)


def _levels(task: Task) -> tuple[float, float] | None:
    """Values above which an output and a target belong to the second of two classes; None without classes."""
    y = task.y
    if y.shape[1] > 1:
        largest = np.sort(y, axis=1)
        coded = task.loss.name == "cross_entropy" or len(np.unique(y)) == 2  # other numbers are no classes
        return (0.0, 0.0) if coded and np.all(largest[:, -1] > largest[:, -2]) else None
    values = np.unique(y)
    if len(values) != 2:
        return None
    middle = float(values.mean())
    return (0.0 if task.loss.name == "binary" else middle), middle


def _missing(name: str, task: Task) -> str:
    if name.startswith("test_") and task.test is None:
        return f"and task {task.name!r} has no test set; give fs.Task(..., test=(x, y))."
    if "group" in name:
        return f"and task {task.name!r} has no groups; give fs.Task(..., contexts=...), one name per data point."
    return (
        f"and task {task.name!r} has no classes: its targets are neither one of two values in a single output, nor "
        "the larger of two values in one output of each row; give fs.Task(x, labels=...)."
    )
