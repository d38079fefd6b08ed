"""What the context experiments share: the networks, their shares of units, and the task without idle outputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import festina as fs

IDLE = 1e-10
"""Output directions whose targets are below this share of the largest singular value carry no target at all."""


DRAWS = 4096
"""Random units from which initial strengths are found: 2 % of sampling error."""


def without_idle(task: fs.Task) -> tuple[fs.Task, np.ndarray]:
    """The task in the span of its targets, and the rotation that leads back: y = y' rotationᵀ.

    Small random weights into output directions that have no target stay where they are and change the loss by their
    square, 1e-10 here; Gaussian weights look the same in any rotated basis. So nothing is lost but time.
    """
    _, s, vt = np.linalg.svd(task.y, full_matrices=False)
    rotation = vt[s > IDLE * s[0]].T
    return fs.Task(task.x, task.y @ rotation, items=task.items, inputs=task.inputs, name=task.name), rotation


def share(task: fs.Task, gates: np.ndarray, hidden: int, std: float, rate: float) -> list[int]:
    """Units of each pathway: as many random linear units as start with the strength that the ReLU network gives it.

    n linear units with weights of variance σ² start a mode with nσ²/2; ``fs.relu.initial_strengths`` is what the random
    units of the ReLU layer amount to once their gates have settled. About half of them count for every pathway here:
    they grow with gates that are open everywhere, and pathways on overlapping points share them.
    """
    strengths = fs.relu.initial_strengths(task, gates, hidden=hidden, std=std, rate=rate, draws=DRAWS)
    return [max(round(2 * float(strength) / std**2), 1) for strength in strengths]


def reln(
    contexts: int, subsets: Sequence[tuple[int, ...]], task: fs.Task, hidden: int, std: float, rate: float
) -> fs.Gated:
    """Pathways open in the given subsets of contexts, each with its share of random units.

    They are numbered, not named by contexts: networks that differ in gates only are then compiled once.
    """
    outputs, items = task.y.shape[1], task.x.shape[1] - contexts
    context = np.argmax(task.x[:, items:], axis=1)
    everywhere = [len(subset) == contexts for subset in subsets]
    gates = np.array([np.isin(context, subset) for subset in subsets])
    counts = share(task, gates, hidden, std, rate)
    widths = [min(n, outputs + items + contexts * always) for n, always in zip(counts, everywhere, strict=True)]
    inputs = [None if always else range(items) for always in everywhere]
    units = fs.gated.RandomPathways(std, {f"pathway {i + 1}": n for i, n in enumerate(counts)})
    return fs.gated.pathways(gates, widths, inputs=inputs, initial=units)


def closed(network: fs.Gated, task: fs.Task, times: np.ndarray) -> fs.Trajectory:
    """The closed form with priming, from the expected strengths nσ²/2 of the network's random units."""
    method = fs.Reduced(fs.gated.Priming(common="pathway 1"))
    return fs.evolve(network.expected_start(), task, times, method=method)
