"""A population of agents set to what was measured of animals, and its predictions of what was not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.behaviour._network import DecisionNetwork, TutorExecutor
from festina.behaviour._task import DecisionTask, check_task
from festina.checks import check
from festina.methods import Train, evolve

if TYPE_CHECKING:
    import pandas as pd

RATES, SPREADS = (1e-4, 0.1), (0.0, 1.5)
"""Ranges in which rate and spread are searched."""

TOLERANCE = 0.002
"""How closely accuracy and deviation are reached: a quarter of the standard error of the accuracy of 300 agents."""

STEPS = 0.5, 0.1
"""First steps of the logarithm of the rate and of the spread."""

ROUNDS = 6
"""Most alternations of the two searches: each target depends mainly on its own parameter."""

LOOKS = 12
"""Most evaluations within a bracket; sampling noise can make a target fall between two of them."""

MISSED = 0.02
"""A target that is missed by more is out of reach: several standard errors of the accuracy of 300 agents."""


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """A population of agents that has the accuracy and the early bias of animals; made by ``calibrate``.

    Attributes:
        network: with the spread of initial biases that was found.
        rate: learning rate per trial.
        task: what is learned.
        sessions, trials, window: sessions per agent, trials per session, sessions that count as early and as late.
        accuracy: late share of rewarded trials that the population reaches.
        deviation: standard deviation over agents of the early bias.

    Example:
        >>> import festina as fs
        >>> found = fs.behaviour.calibrate(0.6, 0.3, network=fs.behaviour.Shallow(), sessions=4, window=2, agents=30)
        >>> sorted(found.simulate(agents=20, seed=100))[:3]
        ['early_accuracy', 'early_bias', 'late_accuracy']
    """

    network: DecisionNetwork
    rate: float
    task: DecisionTask
    sessions: int
    trials: int
    window: int
    accuracy: float
    deviation: float

    def simulate(self, agents: int, seed: int) -> dict[str, np.ndarray]:
        """Early bias, late bias, late difference of slopes and accuracies of agents, measured from their choices."""
        times = self.rate * self.trials * np.arange(self.sessions + 1)
        names = ("chosen_right", "rewarded")
        run = evolve(self.network, self.task, times, method=Train(self.rate), seed=seed, seeds=agents, observe=names)
        return measure_agents(run, self.window)

    def predict(
        self, count: int = 30, *, groups: int = 1000, agents: int = 1000, level: float = 0.9, seed: int = 1_000_000
    ) -> pd.DataFrame:
        """Expected results of a study of ``count`` animals, with the uncertainty of so small a group.

        Args:
            count: animals per study.
            groups: studies, each with animals drawn without replacement.
            agents: that are simulated, with seeds that the calibration has not used.
            level: the level of the intervals over studies.
            seed: the seed of the first agent.

        Returns:
            One row per quantity: the correlation and the regression slope of the late slope difference (right − left)
            and of the late bias on the early bias, and the accuracies; mean over studies, ``low`` and ``high``.
        """
        import pandas as pd

        count, agents = check.whole("count", count, least=3), check.whole("agents", agents)
        groups, level = check.whole("groups", groups), check.level(level)
        if count > agents:
            raise ValueError(f"count is {count} with {agents} agents; at most that many can be in a study.")
        found = self.simulate(agents, seed)
        rng = np.random.default_rng(seed)
        studies = np.stack([rng.permutation(agents)[:count] for _ in range(groups)])
        early = found["early_bias"][studies]
        away = early - early.mean(axis=1, keepdims=True)
        values = {}
        for name in ("slope difference", "bias"):
            late = found[f"late_{name.replace(' ', '_')}"][studies]
            slope = np.sum(away * late, axis=1) / np.sum(away**2, axis=1)
            values[f"correlation, early bias and late {name}"] = slope * early.std(axis=1) / late.std(axis=1)
            values[f"regression, late {name} on early bias"] = slope
        for name in ("early accuracy", "late accuracy"):
            values[name] = found[name.replace(" ", "_")][studies].mean(axis=1)
        values["deviation of the early bias"] = early.std(axis=1, ddof=1)
        low, high = np.quantile(list(values.values()), [(1 - level) / 2, (1 + level) / 2], axis=1)
        columns = {"quantity": list(values), "mean": [of.mean() for of in values.values()], "low": low, "high": high}
        return pd.DataFrame({**columns, "animals": count})

    def __repr__(self) -> str:
        return (
            f"Calibration(rate={self.rate:.3g}, spread={self.network.spread:.3g}: late accuracy {self.accuracy:.3f}, "
            f"deviation of early bias {self.deviation:.3f})"
        )


def calibrate(
    accuracy: float,
    deviation: float,
    *,
    network: DecisionNetwork | None = None,
    task: DecisionTask | None = None,
    sessions: int = 50,
    trials: int = 240,
    window: int = 5,
    agents: int = 300,
    seed: int = 0,
) -> Calibration:
    """Find the learning rate and the spread of initial biases with which agents are like animals.

    Only two measurements are used: the accuracy at the end and how much the early bias differs between animals. All
    other behaviour of the population (``Calibration.predict``) is then a prediction. Rate and spread are found in turn,
    by false position on agents with common random numbers.

    Args:
        accuracy: late share of rewarded trials of the animals.
        deviation: standard deviation over animals of the early bias, P(right | contrast 0) − ½ in the first
            ``window`` sessions, as measured from choices (it includes their sampling noise).
        network: the kind of network; its ``spread`` is replaced. None is ``TutorExecutor()``.
        task: None is ``DecisionTask()``; contrast 0 has to be shown.
        sessions, trials, window: as for the animals.
        agents: per evaluation.
        seed: the seed of the first agent.

    Raises:
        ValueError: an accuracy or a deviation that no rate or spread gives, with what can be reached.

    Example:
        >>> import festina as fs
        >>> found = fs.behaviour.calibrate(0.6, 0.3, network=fs.behaviour.Shallow(), sessions=4, window=2, agents=30)
        >>> len(found.predict(10, groups=20, agents=40))
        7

    Source: liebana2025.
    """
    base = TutorExecutor() if network is None else network
    check.instance("network", base, DecisionNetwork, "fs.behaviour.TutorExecutor(...) or fs.behaviour.Shallow(...)")
    task = DecisionTask() if task is None else check_task(task)
    if 0.0 not in task.contrasts:
        raise ValueError(f"task shows contrasts {task.contrasts}; contrast 0 is needed to measure a bias.")
    accuracy, deviation = check.share("accuracy", accuracy), check.positive("deviation", deviation)
    first = Calibration(
        base, 0.005, task, check.whole("sessions", sessions), check.whole("trials", trials),
        check.whole("window", window), np.nan, np.nan,
    )  # fmt: skip
    agents, seed = check.whole("agents", agents, least=2), check.whole("seed", seed, least=0)

    def look(rate: float, spread: float) -> tuple[float, float]:
        found = replace(first, network=replace(base, spread=spread), rate=rate).simulate(agents, seed)
        return float(found["late_accuracy"].mean()), float(found["early_bias"].std(ddof=1))

    ends = float(np.log(RATES[0])), float(np.log(RATES[1]))
    log_rate, spread = float(np.log(first.rate)), 0.1
    reached = look(first.rate, spread)
    for _ in range(ROUNDS):
        # each target in turn, with the parameter of the other held
        accuracy_at = lambda x, held=spread: look(float(np.exp(x)), held)[0]  # noqa: E731
        before = log_rate, spread
        log_rate = _solve(accuracy_at, accuracy, log_rate, STEPS[0], ends)
        rate = float(np.exp(log_rate))
        spread = _solve(lambda x, rate=rate: look(rate, x)[1], deviation, spread, STEPS[1], SPREADS)
        reached = look(rate, spread)
        close = abs(reached[0] - accuracy) <= TOLERANCE and abs(reached[1] - deviation) <= TOLERANCE
        if close or before == (log_rate, spread):
            break
    for name, target, found in zip(("accuracy", "deviation"), (accuracy, deviation), reached, strict=True):
        if abs(found - target) > MISSED:
            reach = "at most" if found < target else "at least"
            raise ValueError(
                f"{name} is {target:g}; agents reach {reach} {found:.3f} in these sessions: change the target, "
                "or give more sessions."
            )
    rate = float(np.exp(log_rate))
    return replace(first, network=replace(base, spread=spread), rate=rate, accuracy=reached[0], deviation=reached[1])


def _solve(
    measure: Callable[[float], float], target: float, near: float, step: float, ends: tuple[float, float]
) -> float:
    """Point at which a rising measure reaches its target, or the nearest end.

    A bracket grows from ``near``; false position (Illinois) goes on within it.
    """
    x, value = near, measure(near) - target
    while abs(value) > TOLERANCE:
        other = float(np.clip(x - np.sign(value) * step, *ends))
        if other == x:
            break
        there = measure(other) - target
        if np.sign(there) != np.sign(value):
            return _false_position(measure, target, (x, value), (other, there))
        x, value, step = other, there, 2 * step
    return x


def _false_position(
    measure: Callable[[float], float], target: float, kept: tuple[float, float], newest: tuple[float, float]
) -> float:
    """Within a bracket; an end that stays has its value halved, so that both ends close in."""
    (a, at_a), (b, at_b) = kept, newest
    for _ in range(LOOKS):
        if abs(at_b) <= TOLERANCE:
            break
        x = b - at_b * (b - a) / (at_b - at_a)
        value = measure(x) - target
        if np.sign(value) != np.sign(at_b):
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = x, value
    return b


def measure_agents(run: Trajectory, window: int) -> dict[str, np.ndarray]:
    """Early and late bias, late slope difference and accuracies per agent, from choices as of an animal.

    Args:
        run: agents observed with ``"chosen_right"`` and ``"rewarded"``, one time per session.
        window: sessions at either end.
    """
    task: DecisionTask = check_task(run.task)  # pyright: ignore[reportArgumentType]
    if np.isnan(run["chosen_right"][:, 1:]).all(axis=1).any():
        raise ValueError("trials are so few that some agent never saw some contrast; give more trials or sessions.")
    ends = slice(1, window + 1), slice(-window, None)  # time 0 has no session
    early, late = (_mean(run["chosen_right"][:, rows]) for rows in ends)
    rewarded = [run["rewarded"][:, rows].mean(axis=1) for rows in ends]
    middle, (left, right) = task.contrasts.index(0.0), task.span  # pyright: ignore[reportAttributeAccessIssue]
    rise = (late[:, -1] - late[:, middle]) / right, (late[:, middle] - late[:, 0]) / left
    return {
        "early_bias": early[:, middle] - 0.5,
        "late_bias": late[:, middle] - 0.5,
        "late_slope_difference": rise[0] - rise[1],
        "early_accuracy": rewarded[0],
        "late_accuracy": rewarded[1],
    }


def _mean(shares: np.ndarray) -> np.ndarray:
    """Mean over sessions, without those in which a contrast was not shown; 0.5 where it never was."""
    shown = np.isfinite(shares).sum(axis=1)
    return np.where(shown > 0, np.nansum(shares, axis=1) / np.maximum(shown, 1), 0.5)
