"""The one verb."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.curriculum import Curriculum
from festina.core.method import Method, Run
from festina.core.network import Network
from festina.core.task import Task
from festina.core.theory import Start
from festina.methods._continual import learn_in_turn
from festina.methods._exact import Exact
from festina.runtime.progress import shown

MAX_SEEDS = 10**5
"""Seeds of one call; more than that are a sweep, which can be stopped and continued."""

MAX_RECORDED = 2 * 10**6
"""Numbers of outputs that are recorded without being asked for: 16 MB."""


def evolve(
    network: Network,
    task: Task | Curriculum,
    times: object,
    *,
    method: Method | None = None,
    seed: int = 0,
    seeds: int | None = None,
    observe: str | Sequence[str] | None = None,
    progress: bool = False,
) -> Trajectory:
    """Bring a network from its start to the given times: predict it or train it, by the same call.

    Args:
        network: ``fs.DeepLinear(...)`` or another description.
        task: what it learns, or ``fs.sequence([...])``: tasks one after another, each for the given times.
        times: flow times (a step of gradient descent at rate η advances time by η), increasing, from 0; None means
            t → ∞.
        method: ``fs.Exact()`` (default), ``fs.Reduced()``, ``fs.Flow()`` or ``fs.Train(rate=...)``.
        seed: draws the initial weights; every method starts seed k from the same weights.
        seeds: run seeds ``seed, seed+1, …``; every array then has a leading seed axis.
        observe: names of what to record; the error for an unknown name lists the known ones, and a name that ends in
            ``?`` is left out where it is not known. None records the loss and what ``trajectory.stages()`` needs,
            ``("loss", "strengths?", "outputs?")``; of large tasks it leaves out the outputs.
        progress: show a progress bar on stderr.

    Returns:
        A ``Trajectory``.

    Raises:
        ValueError: an argument that is not allowed; a method that this network does not have.
        AssumptionError: ``fs.Exact()`` where no closed form applies.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-3))
        >>> fs.evolve(network, task, np.array([0.0, 50.0])).loss.round(3)
        array([1.498, 0.   ])
    """
    needed = "a network such as fs.DeepLinear(...), fs.ReLU(...) or fs.from_torch(module)"
    check.instance("network", network, Network, needed)
    check.instance("task", task, (Task, Curriculum), "fs.Task(x, y), fs.tasks.<name>(...) or fs.sequence([...])")
    method = Exact() if method is None else method
    check.instance("method", method, Method, "fs.Exact(), fs.Reduced(), fs.Flow() or fs.Train(rate=...)")
    times = None if times is None else check.times(times)
    seed = check.seed("seed", seed)
    numbers = range(seed, seed + (1 if seeds is None else check.whole("seeds", seeds, most=MAX_SEEDS)))
    check.seed("seed", numbers[-1])
    if observe is None:
        observe = _default(network, task, method, 1 if times is None else len(times), len(numbers))
    names = (observe,) if isinstance(observe, str) else check.listing("observe", observe, "names")
    for name in names:
        check.instance("observe", name, str, "names of observables, such as 'loss'")
    names = tuple(dict.fromkeys(names))
    if not names:
        raise ValueError("observe is empty; name at least one observable, such as 'loss'.")
    for each in task.tasks if isinstance(task, Curriculum) else (task,):
        if network.learns_otherwise:
            each.require_squared(type(network).__name__)
    with shown(check.flag("progress", progress)):
        if isinstance(task, Curriculum):
            run, segment = learn_in_turn(network, task, times, method, numbers, names)
        else:
            run = method.run(network, task, times, [Start(network, task, number) for number in numbers], names)
            segment = np.zeros(len(run.times), int)
    return _trajectory(run, segment, network, task, method, None if seeds is None else tuple(numbers))


def _default(network: Network, task: Task | Curriculum, method: Method, times: int, seeds: int) -> tuple[str, ...]:
    """The loss, and what is learned with it where the method can say so and it is not too much to keep."""
    if not method.optional or network.learns_otherwise:
        return ("loss",)
    tasks = task.tasks if isinstance(task, Curriculum) else (task,)
    numbers = seeds * times * max(each.y.size for each in tasks)
    return ("loss", "strengths?", "outputs?") if numbers <= MAX_RECORDED else ("loss", "strengths?")


def _trajectory(
    run: Run, segment: np.ndarray, network: Network, task: Task | Curriculum, method: Method,
    seeds: tuple[int, ...] | None,
) -> Trajectory:  # fmt: skip
    values = {**run.values, **run.static}
    estimate = run.error
    if seeds is None:
        values = {name: tuple(v[0] for v in a) if isinstance(a, tuple) else a[0] for name, a in values.items()}
        estimate = None if run.error is None else partial(_first, run.error)
    return Trajectory(
        times=run.times,
        values=values,
        network=network,
        task=task,
        method=method,
        seeds=seeds,
        unit=run.unit,
        segment=segment,
        static=tuple(run.static),
        assumptions=run.assumptions,
        estimate=estimate,
        sources=run.sources,
        notes=dict(run.notes),
    )


def _first(each: Callable[[], np.ndarray]) -> np.ndarray:
    return each()[0]
