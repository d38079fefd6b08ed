"""Modules at the end of learning: which units share their gates, when they were born and learned, what they carry."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.relu._replay import Replay

ACTIVE = 0.05
"""Activity, as a share of a unit's largest, above which it counts as on in a pattern."""

IDLE = 0.01
"""Units that contribute less than this share of what the largest does belong to no module."""

BORN, LEARNED = 0.1, 0.5
"""Shares of what a module contributes in the end at which it is born and learned."""


@dataclass(frozen=True, eq=False)
class FinalModule:
    """Units with one gating pattern at the end of a run.

    Attributes:
        pattern: True where the module is on: at the data points, or in the groups of data points.
        units: numbers of its units.
        born: the first time at which they contribute a tenth of what they do in the end.
        time: the first time at which they contribute half of it: when the module is learned.
        share: their part of the summed contributions ‖a‖‖activity‖ in the end.
    """

    pattern: np.ndarray
    units: np.ndarray
    born: float
    time: float
    share: float

    def __str__(self) -> str:
        shown = "".join("#" if on else "·" for on in self.pattern)
        return (
            f"{shown}  {len(self.units):4d} units, born {self.born:8.4g}, learned {self.time:8.4g}, {self.share:4.0%}"
        )


@dataclass(frozen=True, eq=False)
class FinalModules(Sequence[FinalModule]):
    """The modules of one network, the largest share first; ``len``, ``[i]`` and ``for`` work.

    ``of_unit`` is the number of each unit's module, −1 for units that carry next to nothing.
    """

    members: tuple[FinalModule, ...]
    of_unit: np.ndarray

    @property
    def patterns(self) -> np.ndarray:
        """One row of booleans per module."""
        return np.array([module.pattern for module in self.members])

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, i: SupportsIndex) -> FinalModule:
        return self.members[i]

    def __str__(self) -> str:
        return "\n".join([f"{len(self)} modules", *map(str, self.members)])


def final_modules(
    run: Trajectory, *, groups: object = None, threshold: float = ACTIVE
) -> FinalModules | list[FinalModules]:
    """The modules that a ReLU layer has at the end of a run, predicted or trained.

    Units whose gates agree at the end are a module. On tasks with many data points, few units agree at all of them.
    With ``groups`` (contexts, classes) a unit is on in a group when its mean activity there is above ``threshold`` of
    its largest. Units that agree in the groups are a module.

    Args:
        run: a trajectory of a ReLU network of one hidden layer that observed ``weights``.
        groups: the number of each data point's group; None takes every point for itself.
        threshold: activity, as a share of the unit's largest, above which it is on.

    Returns:
        The modules; a list with one entry per seed where the run has seeds.

    Raises:
        ValueError: a run without weights or with more hidden layers; groups that do not fit the task.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(2.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-4))
        >>> run = fs.evolve(network, task, np.linspace(0, 30, 61), method=fs.Reduced(), observe=("loss", "weights"))
        >>> found = fs.relu.final_modules(run, threshold=0.2)
        >>> sorted(module.pattern.astype(int).tolist() for module in found if module.share > 0.1)
        [[0, 1, 1, 0], [1, 0, 0, 1]]

    Source: jarvis2025 section 4.
    """
    replay, threshold = Replay.read(run), check.positive("threshold", threshold, zero=True)
    if len(replay.weights) != 2:
        raise ValueError(f"run has {len(replay.weights) - 1} hidden layers; modules are read from one hidden layer.")
    labels = np.arange(len(replay.task.x)) if groups is None else check.plain("groups", groups)
    if labels.shape != (len(replay.task.x),):
        raise ValueError(
            f"groups has shape {labels.shape}; one number for each of {len(replay.task.x)} points is needed."
        )
    kinds, which = np.unique(labels, return_inverse=True)
    mean = np.zeros((len(kinds), len(labels)))
    mean[which.ravel(), np.arange(len(labels))] = 1.0
    mean /= mean.sum(axis=1, keepdims=True)
    found = []
    for activity, second in zip(np.maximum(replay.layers[0], 0.0), replay.weights[1], strict=True):
        over = np.linalg.norm(activity, axis=1) * np.linalg.norm(second[:, :, : activity.shape[2]], axis=1)
        found.append(_modules(mean @ activity[-1], over, run.times, threshold))
    return found if run.seeds is not None else found[0]


def _modules(level: np.ndarray, over: np.ndarray, times: np.ndarray, threshold: float) -> FinalModules:
    """Final modules from the final activity (groups, units) and the contributions (times, units)."""
    end = over[-1]
    alive = (end > IDLE * end.max()) & (end > 0)
    on = (level > threshold * level.max(axis=0)).T
    patterns, which = np.unique(on[alive], axis=0, return_inverse=True)
    numbers, members = np.flatnonzero(alive), []
    for k, pattern in enumerate(patterns):
        units = numbers[which.ravel() == k]
        total = over[:, units].sum(axis=1)
        born, learned = (float(times[np.argmax(total >= share * total[-1])]) for share in (BORN, LEARNED))
        members.append(FinalModule(pattern, units, born, learned, float(total[-1] / end[alive].sum())))
    members.sort(key=lambda module: -module.share)
    of_unit = np.full(len(end), -1)
    for k, module in enumerate(members):
        of_unit[module.units] = k
    return FinalModules(tuple(members), of_unit)
