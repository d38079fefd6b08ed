"""The one verb."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core import Curriculum, Method, Network, Start, Task
from festina.methods._continual import learn_in_turn
from festina.methods._exact import Exact
from festina.methods._finite_step import with_step
from festina.methods._measure import measured_run
from festina.runtime import few_threads, shown

MAX_SEEDS = 10**5
"""Seeds of one call; more than that are a sweep, which can be stopped and continued."""

LOOKS = 200
"""Looks at a run for which only the number of its steps is given: enough for a smooth curve."""

MAX_RECORDED = 10**7
"""Numbers of outputs that are recorded without being asked for: 80 MB."""


def evolve(
    network: Network,
    task: Task | Curriculum,
    times: object = ...,
    *,
    steps: object = None,
    rate: float | None = None,
    lr: float | None = None,
    method: Method | None = None,
    seed: int = 0,
    seeds: int | None = None,
    observe: str | Sequence[str] | None = None,
    progress: bool = False,
) -> Trajectory:
    """Evolve a network from its initial weights to the given times: predict how it learns, or train it.

    Args:
        network: ``fs.DeepLinear(...)`` or another description.
        task: what it learns, or ``fs.sequence([...])``: tasks one after another, each for the given times.
        times: flow times (a step of gradient descent at rate η advances time by η), increasing, from 0; None means
            t → ∞.
        steps: instead of times, numbers of steps of gradient descent, increasing, from 0; a single number n stands for
            about 200 steps from 0 to n. Predictions are made for these steps, and plots show them.
        rate: the step size η that steps are counted with; by default that of the method, if it has one, as ``fs.Train``
            does. Given with times, it only says what ``trajectory.steps`` are.
        lr: instead of rate, the learning rate of PyTorch's loss of the same name, which may also divide by the number
            of outputs: η = 2 lr/outputs for ``MSELoss``, lr for ``CrossEntropyLoss``.
        method: ``fs.Exact()`` (default), ``fs.Reduced()``, ``fs.Flow()`` or ``fs.Train(rate=...)``.
        seed: draws the initial weights; every method starts seed k from the same weights.
        seeds: run seeds ``seed, seed+1, …``; every array then has a leading seed axis.
        observe: names of what to record; the error for an unknown name lists the known ones, and a name that ends in
            ``?`` is left out where it is not known. None records the loss and what ``trajectory.stages()`` needs,
            ``("loss", "strengths?", "outputs?")``; for large tasks it leaves out the outputs. On a task with classes or
            contexts any network also has ``accuracy``, ``class_loss``, ``class_accuracy``, ``group_loss`` and
            ``group_accuracy``. With a test set, these and ``loss`` and ``outputs`` also exist with ``test_`` before
            them.
        progress: show a progress bar on stderr.

    Returns:
        A ``Trajectory``.

    Raises:
        ValueError: an argument that is not allowed; a method that this network does not have.
        AssumptionError: ``fs.Exact()`` if no closed form applies.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> fs.evolve(network, task, np.array([0.0, 50.0])).loss.round(3)
        array([1.498, 0.   ])
        >>> trained = fs.evolve(network, task, steps=[0, 500], method=fs.Train(rate=0.1))
        >>> predicted = fs.evolve(network, task, steps=[0, 500], rate=0.1)
        >>> trained.steps.tolist(), predicted.steps.tolist()
        ([0, 500], [0, 500])
    """
    needed = "a network such as fs.DeepLinear(...), fs.ReLU(...) or fs.from_torch(module)"
    check.instance("network", network, Network, needed)
    check.instance("task", task, (Task, Curriculum), "fs.Task(x, y), fs.tasks.<name>(...) or fs.sequence([...])")
    method = Exact() if method is None else method
    check.instance("method", method, Method, "fs.Exact(), fs.Reduced(), fs.Flow() or fs.Train(rate=...)")
    tasks = task.tasks if isinstance(task, Curriculum) else (task,)
    rate = step_size(tasks[0], method, rate, lr)
    times = times_of(times, steps, rate)
    method = method.settled(rate, times)
    seed = check.seed("seed", seed)
    numbers = range(seed, seed + (1 if seeds is None else check.whole("seeds", seeds, most=MAX_SEEDS)))
    check.seed("seed", numbers[-1])
    if observe is None:
        observe = _default(network, tasks, method, 1 if times is None else len(times), len(numbers))
    names = (observe,) if isinstance(observe, str) else check.listing("observe", observe, "names")
    for name in names:
        check.instance("observe", name, str, "names of observables, such as 'loss'")
    names = tuple(dict.fromkeys(names))
    if not names:
        raise ValueError("observe is empty; name at least one observable, such as 'loss'.")
    for each in tasks if network.learns_otherwise else ():
        each.require_squared(type(network).__name__)
    between = None
    with shown(check.flag("progress", progress)), few_threads(_product(network, tasks)):
        if isinstance(task, Curriculum):
            run, segment = learn_in_turn(network, task, times, method, numbers, names)
        else:
            starts = [Start(network, task, number) for number in numbers]
            run = measured_run(network, task, times, method, starts, names)
            # descent in small steps follows gradient flow
            follows = run.unit == "flow time" and not network.learns_otherwise and np.all(np.isfinite(run.times))
            if rate is not None and _own_rate(task, method) is None and follows:
                run = with_step(network, task, starts, run, rate)
            segment = np.zeros(len(run.times), int)
            if method.kind == "trained" and run.ends is not None:
                between = partial(_between, starts[0], run.ends)
    clock = {} if rate is None else {"rate": rate, "axis": "times" if steps is None else "steps"}
    values, estimate = {**run.values, **run.static}, run.error
    if seeds is None:
        values = {name: tuple(v[0] for v in a) if isinstance(a, tuple) else a[0] for name, a in values.items()}
        estimate = None if run.error is None else partial(_first, run.error)
    return Trajectory(
        run.times, values, network, task, method, None if seeds is None else tuple(numbers), run.unit, segment,
        static=tuple(run.static), assumptions=run.assumptions, estimate=estimate, sources=run.sources,
        notes={**run.notes, **clock}, between=between,
    )  # fmt: skip


def step_size(task: Task, method: Method, rate: float | None, lr: float | None) -> float | None:
    """The step size that steps are counted with; None if none is known."""
    own = _own_rate(task, method)
    if lr is not None:
        if rate is not None:
            raise ValueError(f"rate is {rate!r} and lr is {lr!r}; give one of them.")
        rate = task.loss.rate_of(check.positive("lr", lr), task.y.shape[1])
        if not rate:
            raise ValueError(f"lr is {lr!r}, too small for a step to be a number above 0; give a larger one.")
    if rate is None:
        return own
    if own is not None and not math.isclose(own, check.positive("rate", rate)):
        raise ValueError(f"rate is {rate:g} and method is {method!r}, with a rate of {own:g}; leave one of them out.")
    return check.positive("rate", rate)


def _own_rate(task: Task, method: Method) -> float | None:
    """The rate that a method is for: that of training, or of a theory of finite steps."""
    return method.rate_on(task) or getattr(getattr(method, "theory", None), "rate", None)


def times_of(times: object, steps: object, rate: float | None) -> np.ndarray | None:
    """The times that are asked for, by times or by steps."""
    if steps is None:
        if times is ...:
            raise ValueError("times is missing; give times (None means t → ∞), or steps=... and rate=....")
        return None if times is None else check.times(times)
    if times is not ...:
        raise ValueError("times and steps are both given; give one of them.")
    if rate is None:
        raise ValueError("steps is given without a step size; give rate=... (or lr=...), or method=fs.Train(rate=...).")
    counted = check.times(steps, "steps")
    if np.any(counted != np.rint(counted)):
        raise ValueError(f"steps is {check.shown(steps)}; whole numbers are needed.")
    if np.ndim(np.asarray(steps)) == 0:
        counted = np.unique(np.rint(np.linspace(0.0, counted[0], LOOKS + 1)))
    return counted * rate


def _product(network: Network, tasks: Sequence[Task]) -> int:
    """Multiplications in the largest product of a run: data points by inputs by the widest layer."""
    hidden = getattr(network, "hidden", ())
    hidden = hidden if isinstance(hidden, tuple) else ()
    return max(each.x.size * max(each.x.shape[-1], each.y.shape[-1], *hidden) for each in tasks)


def _default(network: Network, tasks: Sequence[Task], method: Method, times: int, seeds: int) -> tuple[str, ...]:
    """The loss, and what is learned, if the method can observe it and it is not too large to keep."""
    if not method.optional or network.learns_otherwise:
        return ("loss",)
    numbers = seeds * times * max(each.y.size for each in tasks)
    return ("loss", "strengths?", "outputs?") if numbers <= MAX_RECORDED else ("loss", "strengths?")


def _between(start: Start, ends: Callable[[], Sequence[Any]]) -> dict[str, Any]:
    return {"start": start.weights, "end": ends()[0]}


def _first(each: Callable[[], np.ndarray]) -> np.ndarray:
    return each()[0]
