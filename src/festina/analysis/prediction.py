"""Outputs of a network at new inputs, at each time of a trajectory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from festina.analysis.observed import lead, learned_task, weights_over_time
from festina.checks import check
from festina.core.network import Network, exactly
from festina.core.observations import Observations


def outputs_at(trajectory: Observations, x: ArrayLike) -> np.ndarray:
    """Predictions at new inputs at each time, from the observed ``weights``, or from the ``map`` of a linear network.

    Args:
        trajectory: one that observed ``weights``, or ``map`` where the network is linear without biases.
        x: new inputs, (points, inputs), with the columns of the task's own; biases need no column of ones.

    Returns:
        ([seeds,] times, points, outputs).

    Raises:
        ValueError: neither was observed, other columns than the task's, or a network whose gates belong to its data
            points.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task([[0.0], [1.0], [2.0]], [[1.0], [3.0], [5.0]])
        >>> network = fs.ReLU((8,), initial=fs.initial.Gaussian(0.5), bias=True)
        >>> run = fs.evolve(network, task, [0.0, 200.0], method=fs.Train(rate=0.05), observe=("loss", "weights"))
        >>> run.outputs_at([[0.5], [1.5]])[-1].round(1).tolist()
        [[2.0], [4.0]]
    """
    task, network = learned_task(trajectory), trajectory.network
    check.instance("trajectory.network", network, Network, "a network that festina can evaluate")
    points = check.matrix("x", x)
    if points.shape[1] != task.x.shape[1]:
        raise ValueError(
            f"x has {points.shape[1]} columns; the task's {task.x.shape[1]} inputs ({', '.join(task.inputs[:5])}"
            f"{', …' if len(task.inputs) > 5 else ''}) are needed."
        )
    if "weights" in trajectory.values:
        given = network.inputs_at(points)
        with exactly(network, task):
            found = [np.asarray(network.predict(w, given)) for _, w in weights_over_time(trajectory, task)]
        return np.array(found).reshape(*lead(trajectory), *found[0].shape)
    if "map" in trajectory.values and "offset" not in trajectory.values and not getattr(network, "bias", False):
        return points @ np.swapaxes(trajectory["map"], -1, -2)
    raise ValueError(
        f"trajectory observed {', '.join(trajectory.values)}; predictions at new inputs need the weights: "
        "fs.evolve(..., observe=('loss', 'weights'))."
    )
