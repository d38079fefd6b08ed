"""Tasks one after another: forgetting, transfer, reversal, revision."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from festina import _check
from festina._network import Network
from festina._task import Task
from festina._trajectory import Trajectory
from festina._types import Array
from festina.initial import Weights
from festina.linear._network import DeepLinear


@dataclass(frozen=True, eq=False, repr=False)
class Course(Trajectory):
    """A trajectory through several tasks; ``loss`` is that of the task being learned, ``losses`` those of all.

    ``losses`` has shape (times, tasks), ``boundaries`` the index in ``times`` at which each task begins, ``legs`` the
    trajectory of each task with its own times.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear((4,), initial=fs.initial.Balanced(0.1, lambda_=0.1))
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> course = fs.evolve(network, fs.sequence([task, fs.linear.reverse(task)]), np.linspace(0, 20, 21))
        >>> course["losses"].shape, course.boundaries
        ((42, 2), (0, 21))
    """

    legs: tuple[Trajectory, ...] = ()
    tasks: tuple[Task, ...] = field(default=())
    boundaries: tuple[int, ...] = ()
    start: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def after(self) -> np.ndarray:
        """Loss of each task (columns) at the start and after each task was learned (rows): (tasks + 1, tasks)."""
        ends = [*(np.array(self.boundaries[1:]) - 1), len(self.times) - 1]
        return np.vstack([self.start, self["losses"][ends]])

    @property
    def forgetting(self) -> np.ndarray:
        """How much the loss of each task (columns) rose while each task (rows) was learned; it falls where negative."""
        return np.diff(self.after, axis=0)

    @property
    def transfer(self) -> np.ndarray:
        """How much the loss of each task had already fallen, from the start, when its own turn came."""
        after = self.after
        return np.array([after[0, k] - after[k, k] for k in range(len(self.tasks))])


@dataclass(frozen=True, eq=False, repr=False)
class Sequence:
    """Tasks to be learned one after another; ``fs.evolve(network, fs.sequence([...]), times)``.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> len(fs.sequence([task, fs.linear.reverse(task)]).tasks)
        2
    """

    tasks: tuple[Task, ...]

    def __repr__(self) -> str:
        return f"Sequence({', '.join(repr(task.name) for task in self.tasks)})"

    def follow(
        self,
        network: Network,
        seed: int,
        observe: tuple[str, ...],
        run: Callable[[Network, Task, tuple[str, ...]], Trajectory],
    ) -> Course:
        """Run the tasks in turn, each from the weights where the last one ended, and join what was observed."""
        if not isinstance(network, DeepLinear):
            raise ValueError(
                f"network is {type(network).__name__} with a sequence of tasks; only fs.DeepLinear can go on from the "
                "weights where a task ended."
            )
        legs: list[Trajectory] = []
        described, task = repr(network), self.tasks[0]
        first = network.observables(network.context(task))["map"](network.start(task, seed))
        for task in self.tasks:
            legs.append(run(network, task, tuple(dict.fromkeys((*observe, "loss", "map", "weights")))))
            network = replace(network, initial=Weights([w[-1] for w in legs[-1].weights]))
        counts = [len(leg.times) for leg in legs]
        ends = np.concatenate([[0.0], np.cumsum([leg.times[-1] for leg in legs])])
        endless = not np.all(np.isfinite(ends))
        times = np.concatenate([k + (leg.times > 0) if endless else ends[k] + leg.times for k, leg in enumerate(legs)])
        values: dict[str, Any] = {
            name: _join([leg[name] for leg in legs]) for name in dict.fromkeys((*observe, "loss"))
        }
        maps = _join([leg["map"] for leg in legs])
        values["losses"] = np.stack([loss_of_map(task, maps) for task in self.tasks], axis=-1)
        return Course(
            times,
            values,
            method=legs[0].method,
            network=described,
            task=repr(self),
            unit="tasks learned" if endless else legs[0].unit,
            assumptions=tuple(a for leg in legs for a in leg.assumptions),
            citations=tuple(dict.fromkeys(key for leg in legs for key in leg.citations)),
            legs=tuple(legs),
            tasks=self.tasks,
            boundaries=tuple(int(i) for i in np.cumsum([0, *counts[:-1]])),
            start=np.array([loss_of_map(task, first) for task in self.tasks]),
        )


def sequence(tasks: Iterable[Any]) -> Sequence:
    """Tasks to be learned one after another, by theory or training alike.

    ``fs.evolve(network, fs.sequence([a, b, …]), times)`` learns each task for the given times (None: until it is
    learned, t → ∞), from the weights the last one left, and returns a ``Course``: a trajectory with ``losses`` of all
    tasks, ``forgetting`` and ``transfer``. With ``fs.Exact()`` on isotropic inputs and λ-balanced weights every task is
    solved exactly, whatever came before.

    Args:
        tasks: at least one, with equal numbers of inputs and of outputs.

    Raises:
        ValueError: no task, something that is not a task, or tasks of different shapes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(0.1, lambda_=0.1))
        >>> course = fs.evolve(network, fs.sequence([task, fs.linear.reverse(task)]), None)
        >>> course.forgetting[1].round(3)
        array([ 6., -6.])

    Source: braun2022 (continual learning); domine2025 (continual learning).
    """
    tasks = _check.listing("tasks", tasks, "tasks")
    if not tasks:
        raise ValueError("tasks is empty; give at least one task.")
    for i, task in enumerate(tasks):
        if not isinstance(task, Task):
            raise ValueError(
                f"tasks[{i}] is {type(task).__name__}; make one with fs.Task(x, y) or fs.tasks.<name>(...)."
            )
        shape, expected = (task.x.shape[1], task.y.shape[1]), (tasks[0].x.shape[1], tasks[0].y.shape[1])
        if shape != expected:
            raise ValueError(
                f"tasks[{i}] has {shape[0]} inputs and {shape[1]} outputs, tasks[0] has {expected[0]} and "
                f"{expected[1]}; one network learns them all, so they must be equal."
            )
    return Sequence(tasks)


def forget(tasks: Iterable[Task]) -> np.ndarray:
    """Forgetting that theory predicts for tasks learned completely, one after another, whatever λ: no simulation.

    From task j to task k the loss of task i rises by ½‖Σi − Σk‖² − ½‖Σi − Σj‖² (white inputs; in general the loss of
    task i at the end map Σyx Σx⁺ of task k, less that at task j's).

    Returns:
        (tasks − 1, tasks): row k is what learning task k+2 after task k+1 does to each task.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> fs.linear.forget([task, fs.linear.reverse(task)])
        array([[ 6., -6.]])

    Source: braun2022 (forgetting).
    """
    tasks = sequence(tasks).tasks
    ends = [t.statistics.cross_correlation @ np.linalg.pinv(t.statistics.input_correlation) for t in tasks]
    losses = np.array([[loss_of_map(task, end) for task in tasks] for end in ends])
    return np.diff(losses, axis=0)


def reverse(task: Task) -> Task:
    """The task with every target's sign turned: a network at λ = 0 that has learned it is then on a saddle.

    Example:
        >>> import festina as fs
        >>> fs.linear.reverse(fs.Task([[1.0]], [[2.0]])).y
        array([[-2.]])
    """
    return replace(task, y=-task.y, name=f"{task.name}, reversed")


def revise(task: Task, items: Mapping[str, Any]) -> Task:
    """The task with new targets for some items: what was learned about them turns out to be wrong.

    Args:
        task: what was learned.
        items: new target row, by the item's name.

    Raises:
        ValueError: an item that the task does not have, or a row that is not of its length.

    Example:
        >>> import festina as fs
        >>> task = fs.Task([[1.0, 0.0], [0.0, 1.0]], [[1.0], [1.0]], items=["robin", "whale"], outputs=["fish"])
        >>> fs.linear.revise(task, {"whale": [0.0]}).y.tolist()
        [[1.0], [0.0]]
    """
    y = task.y.copy()
    for name, given in items.items():
        at = list(task.items).index(_check.known("item", name, task.items))
        row = _check.numbers(f"items[{name!r}]", given)
        if row.shape != y[at].shape:
            raise ValueError(f"items[{name!r}] has shape {row.shape}; one value per output, {y[at].shape}, is needed.")
        y[at] = row
    return replace(task, y=y, name=f"{task.name}, revised")


def loss_of_map(task: Task, maps: Array) -> Array:
    """Loss of linear maps (…, outputs, inputs) on a task."""
    x, y = task.statistics.compressed
    miss = x @ maps.swapaxes(-1, -2) - y
    return task.statistics.floor + 0.5 * np.sum(miss**2, axis=(-1, -2)) / task.statistics.count


def _join(parts: list[Any]) -> Any:
    if isinstance(parts[0], tuple):
        return tuple(np.concatenate(layer) for layer in zip(*parts, strict=True))
    return np.concatenate(parts)
