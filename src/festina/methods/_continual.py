"""Tasks learned in turn, each from the weights that the last one left."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Times, Tree
from festina.core import Curriculum, Method, Run, Start, Task
from festina.core.network import Context, Network, Observables, exactly, stack, task_context
from festina.methods._estimate import ACCURACY
from festina.methods._flow import Flow
from festina.methods._measure import Watched
from festina.methods._reduced import Reduced

AGREE = 0.01
"""Share of the largest loss up to which weights that are made from a reduction agree with its loss."""


def learn_in_turn(
    network: Network,
    curriculum: Curriculum,
    times: Times | None,
    method: Method,
    seeds: Sequence[int],
    observe: Sequence[str],
) -> tuple[Run, np.ndarray]:
    """One run through all tasks, and the number of the task at each of its times."""
    tasks, runs, carried = curriculum.tasks, [], [None] * len(seeds)
    remembering = AllLosses(network, tasks)
    wanted = tuple(dict.fromkeys((*observe, "loss")))
    first = None
    for task in tasks:
        starts = [Start(network, task, seed, weights) for seed, weights in zip(seeds, carried, strict=True)]
        run = _learn(remembering, task, times, method, starts, wanted)
        if first is None:
            first = np.stack([_losses(network, tasks, [start.weights])[0] for start in starts])
        if run.ends is None:
            raise ValueError(
                f"method is {method!r} with a sequence of tasks, but it does not say where the weights of "
                f"{type(network).__name__} end; use method=fs.Flow() or fs.Train(rate=...)."
            )
        carried = list(run.ends())
        runs.append(run)
    joined = _join(runs, first)
    if isinstance(method, Reduced) and joined.error is not None and times is not None and np.all(np.isfinite(times)):
        # an error at the end of a task is carried into the next, so one flow goes through all tasks
        def error() -> np.ndarray:
            flow, _ = learn_in_turn(network, curriculum, times, Flow(rtol=ACCURACY), seeds, ("loss",))
            return joined.values["loss"] - flow.values["loss"]

        joined = replace(joined, error=error)
    segment = np.repeat(np.arange(len(runs)), [len(run.times) for run in runs])
    if "losses" in joined.values:
        _compare_losses(joined.values["losses"], joined.values["loss"], segment, method)
    return joined, segment


def _compare_losses(losses: np.ndarray, predicted: np.ndarray, segment: np.ndarray, method: Method) -> None:
    """Warn where weights that are made from a reduction do not have its loss on the task that is being learned."""
    away = float(np.abs(losses[:, np.arange(len(segment)), segment] - predicted).max())
    if away > AGREE * float(np.abs(losses).max()):
        warnings.warn(
            f"method is {method!r}, and weights made from its prediction have another loss than the predicted one, by "
            f"up to {away:.2g}: their losses of all tasks, forgetting, transfer and where the next task begins are "
            "wrong by about as much; use method=fs.Flow() for these.",
            stacklevel=4,
        )


def _learn(
    remembering: "AllLosses", task: Task, times: Times | None, method: Method, starts: list[Start],
    observe: tuple[str, ...],
) -> Run:  # fmt: skip
    """One task; with the losses of all tasks where the weights are known at each time."""
    network, tasks = remembering.network, remembering.tasks
    if method.observes_weights and not network.learns_otherwise:
        return method.run(remembering, task, times, starts, (*observe, "losses"))
    run = method.run(network, task, times, starts, observe)
    if run.paths is None:
        return run
    losses = np.stack([_losses(network, tasks, path) for path in run.paths()])
    return replace(run, values={**run.values, "losses": losses})


def _losses(network: Network, tasks: Sequence[Task], path: Sequence[Tree]) -> np.ndarray:
    """Loss of each task (columns) at weights (rows)."""
    with exactly(network, tasks[0]):
        watches = [network.observables(task_context(network, task))["loss"] for task in tasks]
        return np.array([[float(watch(weights)) for watch in watches] for weights in path])


def _join(runs: list[Run], first: np.ndarray | None) -> Run:
    """The runs one after another in time."""
    names = [name for name in runs[0].values if all(name in run.values for run in runs)]
    lengths = [float(run.times[-1]) for run in runs]
    limit = not np.all(np.isfinite(lengths))
    starts = np.arange(len(runs)) * 1.0 if limit else np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    times = [start + (run.times > 0 if limit else run.times) for start, run in zip(starts, runs, strict=True)]
    errors = [run.error for run in runs if run.error is not None]
    static = {} if "losses" not in names or first is None else {"first_losses": first}
    return Run(
        {name: stack([run.values[name] for run in runs], partial(np.concatenate, axis=1)) for name in names},
        np.concatenate(times),
        static=static,
        assumptions=tuple(a for run in runs for a in run.assumptions),
        sources=tuple(dict.fromkeys(key for run in runs for key in run.sources)),
        unit="tasks learned" if limit else runs[0].unit,
        notes={"segment_starts": starts.tolist(), **runs[0].notes},
        error=(lambda: np.concatenate([e() for e in errors], axis=1)) if len(errors) == len(runs) else None,
        ends=runs[-1].ends,
    )


@dataclass(frozen=True)
class AllObservables:
    """A network's observables and ``losses``: the loss of every task."""

    own: Observables

    def __call__(self, context: Context) -> Mapping[str, Any]:
        def losses(weights: Tree) -> Array:
            found = [self.own(other)["loss"](weights) for other in context["all"]]
            if all(isinstance(loss, float | np.floating | np.ndarray) for loss in found):
                return np.array(found)
            import jax.numpy as jnp

            return jnp.stack(found)

        return {**self.own(context), "losses": losses}


@dataclass(frozen=True, eq=False)
class AllLosses(Watched):
    """A network that is observed on all tasks while it learns one of them."""

    tasks: tuple[Task, ...]

    @property
    def observables(self) -> Observables:
        return AllObservables(self.network.observables)

    def context(self, task: Task) -> Context:
        others = tuple(task_context(self.network, other) for other in self.tasks)
        return {**super().context(task), "all": others}
