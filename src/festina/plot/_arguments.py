"""Checks of the arguments of plots."""

from festina.analysis.trajectory import Trajectory
from festina.checks import check


def observed(name: str, trajectory: Trajectory, *names: str) -> None:
    """Raise where the argument ``name`` is not a trajectory that observed all of these."""
    check.instance(name, trajectory, Trajectory, "a trajectory, as fs.evolve(...) gives it,")
    missing = [each for each in names if each not in trajectory.values]
    if missing:
        raise ValueError(
            f"{name} did not observe {', '.join(missing)}, which is drawn; it has {', '.join(trajectory.values)}. "
            f"Use fs.evolve(..., observe=({', '.join(map(repr, names))},))."
        )


def legend(label: object) -> str | None:
    """A label of the legend, or None."""
    return None if label is None else check.text("label", label)
