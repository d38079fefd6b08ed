"""Agents, trial by trial: thousands side by side, each with its own stream of random numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from festina import _check
from festina._progress import track
from festina._trajectory import Trajectory
from festina.behaviour._network import Decider
from festina.behaviour._psychometric import observe
from festina.behaviour._task import DecisionTask

BLOCK = 1024
"""Agents per array: large against NumPy's call overhead, small against the processor's cache."""

CITATIONS = ("liebana2025", "saxe_lecture")


@dataclass(frozen=True, eq=False)
class Session:
    """One session of a block of agents: arrays (trials, agents)."""

    kind: np.ndarray
    right: np.ndarray
    reward: np.ndarray


def simulate(
    network: Decider,
    task: DecisionTask,
    *,
    sessions: int = 50,
    trials: int = 240,
    agents: int = 1000,
    seed: int = 0,
) -> Trajectory:
    """Agents that learn the task trial by trial.

    Each trial draws a stimulus, a choice from the softmax of the current values and a reward, and updates the chosen
    action (``TutorExecutor`` gives the equations). Agent k of seed s is always the same agent: it depends neither on
    how many there are nor on how trials are cut into sessions.

    Args:
        network: ``TutorExecutor`` or ``Shallow``.
        task: from ``decision_task``.
        sessions: number of sessions.
        trials: trials per session.
        agents: number of agents.
        seed: of all randomness.

    Returns:
        A trajectory in trials, one time before learning and one after each session, with an axis of agents in place
        of seeds. Of the weights, exactly: ``loss``, ``accuracy``, ``curve``, ``bias``, ``left_slope``,
        ``right_slope``, ``map``, ``weights``. Of the session's own trials (not a number before the first and where
        a contrast was not shown): ``chosen_right`` per contrast and ``rewarded``.

    Raises:
        ValueError: a count that is not a whole number above 0.

    Example:
        >>> import festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> run = fs.behaviour.simulate(fs.behaviour.TutorExecutor(), task, sessions=2, trials=50, agents=3)
        >>> run.times, run["curve"].shape
        (array([  0.,  50., 100.]), (3, 3, 5))

    Source: liebana2025; saxe_lecture "A Deep RL Neural Network".
    """
    sessions, trials = _check.whole("sessions", sessions), _check.whole("trials", trials)
    agents, seed = _check.whole("agents", agents), _check.whole("seed", seed, least=0)
    levels = len(task.contrasts)
    w, W = np.empty((agents, sessions + 1, 3)), np.empty((agents, sessions + 1, 2, 3))
    chosen_right, rewarded = np.full((agents, sessions + 1, levels), np.nan), np.full((agents, sessions + 1), np.nan)
    for begin in track(range(0, agents, BLOCK), "agents"):
        block = slice(begin, min(begin + BLOCK, agents))
        for s, (now, session) in enumerate(play(network, task, sessions, trials, range(*block.indices(agents)), seed)):
            w[block, s], W[block, s] = now[0].T, np.moveaxis(now[1], -1, 0)
            if session is not None:
                chosen_right[block, s] = _shares(task, session)
                rewarded[block, s] = session.reward.mean(axis=0)
    return Trajectory(
        times=trials * np.arange(sessions + 1.0),
        values={**observe(network, task, w, W), "chosen_right": chosen_right, "rewarded": rewarded},
        seeds=tuple(range(agents)),
        method="agents",
        network=str(network),
        task="decision",
        unit="trials",
        citations=CITATIONS,
        notes={"seed": seed, "trials per session": trials, "contrasts": list(task.contrasts)},
    )


def _shares(task: DecisionTask, session: Session) -> np.ndarray:
    """Share of right choices per agent and contrast."""
    levels, agents = len(task.contrasts), session.kind.shape[1]
    index = (np.arange(agents) * levels + task.kinds[session.kind]).ravel()
    shown = np.bincount(index, minlength=agents * levels)
    right = np.bincount(index, weights=session.right.ravel(), minlength=agents * levels)
    return np.divide(right, shown, out=np.full(agents * levels, np.nan), where=shown > 0).reshape(agents, levels)


def play(
    network: Decider, task: DecisionTask, sessions: int, trials: int, agents: range, seed: int
) -> Iterator[tuple[tuple[np.ndarray, np.ndarray], Session | None]]:
    """The weights (3, agents) and (2, 3, agents) before learning and after each session, with the session."""
    streams = [np.random.default_rng([seed, agent]) for agent in agents]
    starts = [network.start(rng) for rng in streams]
    w = np.stack([tutor for tutor, _ in starts], axis=-1)
    W = np.stack([executor for _, executor in starts], axis=-1)
    yield (w, W), None
    edges = np.cumsum(task.weight)[:-1]
    for _ in range(sessions):
        uniform = np.stack([rng.random((trials, 2)) for rng in streams], axis=-1)
        kind = np.searchsorted(edges, uniform[:, 0], side="right")
        # u < σ(β d) is d > logit(u)/β: no exponential is needed in the loop over trials
        threshold = scipy.special.logit(uniform[:, 1]) / network.beta
        yield (w, W), _session(network, task, w, W, kind, threshold)


def _session(
    network: Decider, task: DecisionTask, w: np.ndarray, W: np.ndarray, kind: np.ndarray, threshold: np.ndarray
) -> Session:
    """Play one session; ``w`` and ``W`` are changed in place."""
    inputs = np.ascontiguousarray(np.moveaxis(task.x[kind], -1, 1))
    correct = task.correct[kind] == 1
    right, reward = np.empty(kind.shape, dtype=bool), np.empty(kind.shape)
    partial, rate = network.rule == "partial", network.rate
    hidden, parts, row = np.empty_like(w), np.empty_like(W), np.empty_like(w)
    for t, x in enumerate(inputs):
        np.multiply(w, x, out=hidden)
        np.multiply(W, hidden, out=parts)
        np.subtract(parts[1], parts[0], out=row)
        np.greater(row[0] + row[1] + row[2], threshold[t], out=right[t])
        np.equal(right[t], correct[t], out=reward[t])
        chosen = np.where(right[t], W[1], W[0])
        part = np.where(right[t], parts[1], parts[0])
        stimulus_error = reward[t] - part[0] - part[1]
        total_error = stimulus_error - part[2]
        errors = [stimulus_error, stimulus_error, reward[t] - part[2]] if partial else [total_error] * 3
        if network.learns_tutor:
            np.multiply(chosen, x, out=row)
            row *= rate * total_error
            w += row
            np.maximum(w, 0, out=w)
        for i, error in enumerate(errors):
            hidden[i] *= error
        hidden *= rate
        chosen += hidden
        np.maximum(chosen, 0, out=chosen)
        np.copyto(W[1], chosen, where=right[t])
        np.copyto(W[0], chosen, where=~right[t])
    return Session(kind, right, reward)
