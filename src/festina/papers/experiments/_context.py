"""What the context experiments share: the networks, their shares of units, and the task without idle outputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import festina as fs

IDLE = 1e-10
"""Output directions whose targets are below this share of the largest singular value carry no target at all."""


def without_idle(task: fs.Task) -> tuple[fs.Task, np.ndarray]:
    """The task in the span of its targets, and the rotation that leads back: y = y' rotationᵀ.

    Small random weights into output directions that have no target stay where they are and change the loss by their
    square, 1e-10 here; Gaussian weights look the same in any rotated basis. So nothing is lost but time.
    """
    _, s, vt = np.linalg.svd(task.y, full_matrices=False)
    rotation = vt[s > IDLE * s[0]].T
    return fs.Task(task.x, task.y @ rotation, items=task.items, inputs=task.inputs, name=task.name), rotation


def share(hidden: int) -> int:
    """Units of a pathway: half of the ReLU network's.

    A unit with random weights is on at a data point with probability ½, whichever point it is. So a random ReLU layer
    of H units responds to any data point as strongly as H/2 units that are always on: Σ_j σ(w_j·x)² = Hσ²‖x‖²/2.
    Pathways on overlapping points share these units, as modes of a linear layer do; only disjoint ones divide them.
    """
    return hidden // 2


def reln(contexts: int, subsets: Sequence[tuple[int, ...]], task: fs.Task, hidden: int, std: float) -> fs.Gated:
    """Pathways open in the given subsets of contexts, each with its share of random units.

    They are numbered, not named by contexts: networks that differ in gates only are then compiled once.
    """
    outputs, items = task.y.shape[1], task.x.shape[1] - contexts
    context = np.argmax(task.x[:, items:], axis=1)
    everywhere = [len(subset) == contexts for subset in subsets]
    gates = np.array([np.isin(context, subset) for subset in subsets])
    widths = [min(share(hidden), outputs + items + contexts * always) for always in everywhere]
    inputs = [None if always else range(items) for always in everywhere]
    units = fs.gated.Units(std, share(hidden))
    return fs.Gated.pathways(gates, widths, inputs=inputs, initial=units)


def closed(network: fs.Gated, task: fs.Task, times: np.ndarray) -> fs.Trajectory:
    """The closed form with priming, from the expected strengths nσ²/2 of the network's random units."""
    method = fs.Race(fs.gated.Priming(common="pathway 1"))
    return fs.evolve(network.expected_start(), task, times, method=method)
