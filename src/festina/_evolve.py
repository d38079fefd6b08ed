"""The one verb."""

from collections.abc import Sequence
from typing import Any, overload

from festina import _check
from festina._network import Network
from festina._progress import shown
from festina._task import Task
from festina._trajectory import Trajectory
from festina.linear import Course
from festina.linear import Sequence as TaskSequence
from festina.methods import Exact, Method


@overload
def evolve(
    network: Network, task: Task, times: Any, *, method: Method | None = ..., seed: int = ..., seeds: int | None = ...,
    observe: Sequence[str] = ..., progress: bool = ...,
) -> Trajectory: ...  # fmt: skip
@overload
def evolve(
    network: Network, task: TaskSequence, times: Any, *, method: Method | None = ..., seed: int = ...,
    seeds: int | None = ..., observe: Sequence[str] = ..., progress: bool = ...,
) -> Course: ...  # fmt: skip
def evolve(
    network: Network,
    task: Task | TaskSequence,
    times: Any,
    *,
    method: Method | None = None,
    seed: int = 0,
    seeds: int | None = None,
    observe: Sequence[str] = ("loss",),
    progress: bool = False,
) -> Trajectory:
    """Bring a network from its start to the given times: predict it or train it, by the same call.

    Args:
        network: ``fs.DeepLinear(...)`` or another description.
        task: what it learns, or ``fs.sequence([...])``: tasks one after another, each for the given times.
        times: flow times (a step of gradient descent at rate η advances time by η), increasing, from 0; None means
            t → ∞.
        method: ``fs.Exact()`` (default), ``fs.Race()``, ``fs.Flow()`` or ``fs.Train(rate=...)``.
        seed: draws the initial weights; every method starts seed k from the same weights.
        seeds: run seeds ``seed, seed+1, …``; every array then has a leading seed axis.
        observe: names of what to record; the error for an unknown name lists the known ones.
        progress: show a progress bar on stderr.

    Returns:
        A ``Trajectory``; through a sequence of tasks, a ``Course``.

    Raises:
        ValueError: an argument that is not allowed.
        AssumptionError: ``fs.Exact()`` outside its assumptions.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> fs.evolve(network, task, np.array([0.0, 50.0])).loss.round(3)
        array([1.498, 0.   ])
    """
    if not isinstance(network, Network):
        raise ValueError(
            f"network is {type(network).__name__}; one of fs.DeepLinear(...), fs.Gated(...), fs.ReLU(...) is needed."
        )
    observe = (observe,) if isinstance(observe, str) else _check.listing("observe", observe, "names")
    if isinstance(task, TaskSequence):
        if seeds is not None:
            raise ValueError(f"seeds is {seeds!r} with a sequence of tasks; call fs.evolve once per seed=....")
        return task.follow(
            network, seed, observe, lambda network, task, names: evolve(
                network, task, times, method=method, seed=seed, observe=names, progress=progress
            ),
        )  # fmt: skip
    if not isinstance(task, Task):
        raise ValueError(f"task is {type(task).__name__}; make one with fs.Task(x, y) or fs.tasks.<name>(...).")
    method = Exact() if method is None else method
    if not isinstance(method, Method):
        raise ValueError(
            f"method is {method!r}; one of fs.Exact(), fs.Race(), fs.Flow(), fs.Train(rate=...) is needed."
        )
    times = None if times is None else _check.times(times)
    seed = _check.whole("seed", seed, least=0)
    count = 1 if seeds is None else _check.whole("seeds", seeds)
    observe = tuple(dict.fromkeys(observe))
    if not observe:
        raise ValueError("observe is empty; name at least one observable, such as 'loss'.")
    with shown(progress):
        run = method.run(network, task, times, range(seed, seed + count), observe)
    values = run.values if seeds is not None else {k: _first(v) for k, v in run.values.items()}
    return Trajectory(
        times=run.times,
        values=values,
        seeds=None if seeds is None else tuple(range(seed, seed + count)),
        method=repr(method),
        network=repr(network),
        task=repr(task),
        unit=run.unit,
        assumptions=run.assumptions,
        citations=run.citations,
        notes=dict(run.notes),
        data=task,
    )


def _first(value: Any) -> Any:
    return tuple(v[0] for v in value) if isinstance(value, tuple) else value[0]
