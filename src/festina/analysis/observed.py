"""Checks of the trajectory that an analysis function receives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from festina.checks import check
from festina.checks.shapes import Tree
from festina.core import Observations, Task


def check_observed(trajectory: Observations, *observed: str) -> None:
    """Raise where something is not a trajectory, or one that did not observe these names."""
    check.instance("trajectory", trajectory, Observations, "a trajectory, as fs.evolve(...) gives it,")
    for name in observed:
        if name not in trajectory.values:
            if getattr(trajectory.network, "learns_otherwise", False):
                raise ValueError(
                    f"{type(trajectory.network).__name__} makes choices and has no {name!r}; use its accuracy or curve."
                )
            raise ValueError(
                f"trajectory observed {', '.join(trajectory.values)}; this analysis needs "
                f"fs.evolve(..., observe=({name!r},))."
            )


def learned_task(trajectory: Observations, *observed: str) -> Task:
    """The task of a trajectory that observed these names; an error that says what is missing otherwise."""
    check_observed(trajectory, *observed)
    if not isinstance(trajectory.task, Task):
        raise ValueError(
            f"trajectory is of {trajectory.task!r}; one task is needed: of a sequence, give trajectory.part(k)."
        )
    return trajectory.task


def lead(trajectory: Observations) -> tuple[int, ...]:
    """Lengths of the first axes of what was observed, ([seeds,] times)."""
    times = (len(trajectory.times),)
    return times if trajectory.seeds is None else (len(trajectory.seeds), *times)


def weights_over_time(trajectory: Observations, task: Task) -> Iterator[tuple[tuple[int, ...], Tree]]:
    """Place among ([seeds,] times), and the weights there, as the network takes them; one after another.

    Raises:
        ValueError: weights that are not all there.
    """
    import jax

    network, given = trajectory.network, trajectory.weights
    leaves = given if isinstance(given, tuple) else (given,)
    structure = jax.tree.structure(network.start(task, 0))
    if structure.num_leaves != len(leaves):
        raise ValueError(
            f"trajectory has {len(leaves)} arrays of weights where {network!r} has {structure.num_leaves}; use a "
            "method that observes all weights, such as fs.Train(rate=...) or fs.Flow()."
        )
    for at in np.ndindex(lead(trajectory)):
        yield at, jax.tree.unflatten(structure, [leaf[at] for leaf in leaves])
