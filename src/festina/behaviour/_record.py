"""Agents as tables of behaviour: the form in which animals come."""

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.behaviour._agents import EACH_TRIAL
from festina.behaviour._table import Table
from festina.checks import check


def record(trajectory: Trajectory) -> Table:
    """Every trial of agents as a table, one session between any two times of the trajectory.

    Args:
        trajectory: of ``fs.evolve`` with ``fs.Train(rate=...)`` and ``observe=("contrasts", "choices", "rewards")``.

    Raises:
        ValueError: a trajectory that does not hold the trials.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, rate = fs.behaviour.DecisionTask(), 0.0026
        >>> agents = fs.evolve(fs.behaviour.TutorExecutor(), task, rate * 50 * np.arange(3), method=fs.Train(rate),
        ...                    seeds=3, observe=("contrasts", "choices", "rewards"))
        >>> fs.behaviour.read_table(agents)
        Table(300 trials of 3 subjects)
    """
    check.instance("trajectory", trajectory, Trajectory, "a trajectory of fs.evolve")
    lacking = [name for name in EACH_TRIAL if name not in trajectory.values]
    if lacking:
        raise ValueError(
            f"trajectory does not hold {', '.join(lacking)}; use fs.evolve(..., method=fs.Train(rate=...), "
            f"observe={EACH_TRIAL})."
        )
    contrast, right, reward = (np.asarray(trajectory[name]) for name in EACH_TRIAL)
    if trajectory.seeds is None:
        contrast, right, reward = contrast[None], right[None], reward[None]
    seeds = trajectory.seeds or (0,)
    shown = ~np.isnan(contrast)
    if not shown.any():
        raise ValueError("trajectory holds no trial; give times that are at least one step of the rate apart.")
    session = np.cumsum(shown.any(axis=(0, 2)))
    who, when, _ = np.nonzero(shown)
    return Table(
        subject=np.array([f"agent {seed}" for seed in seeds])[who],
        session=session[when].astype(str),
        contrast=contrast[shown],
        right=right[shown] > 0,
        reward=reward[shown],
        played=np.ones(len(who), dtype=bool),
    )
