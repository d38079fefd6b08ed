"""When a trajectory passes what: a loss, and the stationary points of its network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Losses, Times
from festina.core import Network, Observations


def crossing(times: np.ndarray, progress: np.ndarray, level: float) -> np.ndarray:
    """When a curve first reaches a level, by linear interpolation, ([seeds]); ``inf`` where it never does.

    Example:
        >>> import numpy as np
        >>> crossing(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.4, 0.6]), 0.5)
        array(1.5)
    """
    reached = progress >= level
    after = np.argmax(reached, axis=-1)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(progress, i[..., None], -1)[..., 0] for i in (before, after))
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(after > before, (level - low) / (high - low), 0.0)
        found = times[before] + part * (times[after] - times[before])
    return np.where(reached.any(axis=-1), found, np.inf)


def first_passage(times: Times, loss: Losses, criterion: float) -> float:
    """The time at which a loss first falls to the criterion, between samples by interpolation.

    Example:
        >>> first_passage(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.3, 0.1]), criterion=0.2)
        1.5
    """
    times, loss = check.times(times), check.numbers("loss", loss)
    if loss.shape != times.shape:
        raise ValueError(f"loss has shape {loss.shape} for {len(times)} times; one loss per time is needed.")
    return float(crossing(times, -loss, -check.number("criterion", criterion)))


def first_passage_of(trajectory: Observations, criterion: float) -> np.ndarray:
    """The time at which the loss first falls to the criterion, ([seeds]); ``inf`` where it never does.

    Example:
        >>> import festina as fs
        >>> fs.Trajectory.from_arrays([0.0, 1.0, 2.0], [0.5, 0.3, 0.1]).first_passage(0.2)
        array(1.5)
    """
    return crossing(trajectory.times, -check.numbers("loss", trajectory.loss), -check.number("criterion", criterion))


def saddle_passages(trajectory: Observations, **settings: object) -> list[Any]:
    """The stationary points that the trajectory passes, in order, as its network knows them.

    Requirements, results and errors are documented at the network: ``fs.DeepLinear.saddle_passages``,
    ``fs.LinearAttention.saddle_passages``.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task([[1.0, 1.0], [1.0, -1.0]], [[3.0, 1.0], [3.0, -1.0]])
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Aligned(1e-4))
        >>> path = fs.evolve(network, task, np.linspace(0, 10, 201), observe=("loss", "strengths"))
        >>> [passage.name for passage in path.saddle_passages()]
        ['∅', '{1}', '{1,2}']
    """
    passages: Callable[..., list[Any]] = _network_of(trajectory).saddle_passages
    return passages(trajectory, **settings)


def saddle_distances(trajectory: Observations, points: Sequence[object] | None = None) -> np.ndarray:
    """Distance to each stationary point over time, ([seeds,] times, points), as the network measures it.

    Args:
        points: from ``network.stationary_points(task)``; None takes all of them.

    Raises:
        ValueError: points that are not of this network, or a trajectory without the map that is measured.

    Example:
        >>> import festina as fs
        >>> task, network = fs.tasks.living_things(4), fs.DeepLinear(hidden=(8,), initial=fs.initial.Aligned(1e-6))
        >>> path = fs.evolve(network, task, [0.0, 100.0], observe=("map",))
        >>> path.saddle_distances(network.stationary_points(task, top=2)).round(2)
        array([[1.73, 1.66],
               [0.  , 0.5 ]])
    """
    return _network_of(trajectory).saddle_distances(trajectory, points)


def _network_of(trajectory: Observations) -> Network:
    """The network of a trajectory, or an error where it holds none."""
    if not isinstance(trajectory.network, Network):
        raise ValueError(f"trajectory is of {trajectory.network!r}; a trajectory that fs.evolve(...) gave is needed.")
    return trajectory.network
