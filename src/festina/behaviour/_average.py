"""The average agent: the expected update as an ordinary differential equation in trials."""

from typing import Any

import numpy as np
import scipy

from festina import _check
from festina._trajectory import Trajectory
from festina.behaviour import _expected
from festina.behaviour._network import Decider
from festina.behaviour._psychometric import observe
from festina.behaviour._simulate import CITATIONS
from festina.behaviour._task import DecisionTask

RTOL, ATOL = 1e-9, 1e-12
"""Of the ODE solver: far below the spread of agents, so that comparisons see the agents alone."""


def average(network: Decider, task: DecisionTask, times: np.ndarray) -> Trajectory:
    """The expected dynamics of the weights, dW/dt = ⟨ΔW⟩, kept non-negative.

    The expectation is exact: over the kinds of trial with their probabilities, over the choice with its softmax
    probability under the current weights, and over the reward. A weight at zero with a negative expected update
    stays there until the update turns positive. It is the mean of many agents as η → 0 at fixed η·trials; at finite
    η the means differ by order η, and agents at zero feel their fluctuations.

    Args:
        network: ``TutorExecutor`` or ``Shallow``; it starts without noise and spread, at the bias ``offset``.
        task: from ``decision_task``.
        times: in trials, increasing.

    Returns:
        A trajectory with the observables of ``simulate`` that belong to the weights. Should the solver give up, what
        follows is not a number and ``notes["solver"]`` says why.

    Raises:
        ValueError: times that do not increase.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.behaviour.decision_task()
        >>> run = fs.behaviour.average(fs.behaviour.TutorExecutor(offset=0.1), task, np.array([0.0, 6000.0, 12000.0]))
        >>> run["accuracy"].round(2)
        array([0.5 , 0.61, 0.74])

    Source: liebana2025; saxe_lecture "Dynamics pass near a hierarchy of saddle points".
    """
    times = _check.times(times)
    w, W = network.start()
    state = np.concatenate([w, W.ravel()])
    found, message = _integrate(network, task, state, times)
    return Trajectory(
        times=times,
        values=observe(network, task, found[:, :3], found[:, 3:].reshape(-1, 2, 3)),
        method="expected dynamics",
        network=str(network),
        task="decision",
        unit="trials",
        citations=CITATIONS,
        notes={"contrasts": list(task.contrasts), "solver": message},
    )


def _flat(network: Decider, task: DecisionTask, state: np.ndarray) -> np.ndarray:
    moved, taught = _expected.velocity(network, task, state[:3], state[3:].reshape(2, 3))
    return np.concatenate([moved, taught.ravel()])


def _integrate(network: Decider, task: DecisionTask, state: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, str]:
    """Weights (times, 9) and the solver's word on how it ended.

    Free weights follow the expected update; weights held at zero wait for it to be positive.
    """
    found = np.full((len(times), 9), np.nan)
    found[times == 0] = state
    now, end = 0.0, times[-1]
    held = (state <= 0) & (_flat(network, task, state) <= 0)
    while now < end:

        def move(_: float, y: np.ndarray, held: np.ndarray = held) -> np.ndarray:
            return np.where(held, 0.0, _flat(network, task, y))

        events = [_event(network, task, i, held) for i in range(9)]
        ahead = times[times > now]
        solved: Any = scipy.integrate.solve_ivp(
            move, (now, end), state, method="LSODA", t_eval=ahead, events=events, rtol=RTOL, atol=ATOL
        )
        if len(solved.t):
            found[np.searchsorted(times, solved.t)] = np.maximum(solved.y.T, 0)
        if solved.status != 1:
            return found, solved.message
        hit = next(i for i, t in enumerate(solved.t_events) if len(t))
        now, state = solved.t_events[hit][0], np.maximum(solved.y_events[hit][0], 0)
        held = held.copy()
        held[hit] = not held[hit]
        state[held] = 0.0
    return found, "reached the end"


def _event(network: Decider, task: DecisionTask, i: int, held: np.ndarray) -> Any:
    """A free weight that reaches zero is to be held; a held one whose update turns positive is to be freed."""

    def event(_: float, y: np.ndarray) -> float:
        # the smallest number keeps an update that is and stays zero from counting as a crossing
        return float(_flat(network, task, y)[i] - np.finfo(float).tiny if held[i] else y[i])

    event.terminal = True  # pyright: ignore[reportFunctionMemberAccess]
    event.direction = 1.0 if held[i] else -1.0  # pyright: ignore[reportFunctionMemberAccess]
    return event
