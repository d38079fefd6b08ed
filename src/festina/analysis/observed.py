"""Checks of the trajectory that an analysis function receives."""

from __future__ import annotations

from festina.checks import check
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
