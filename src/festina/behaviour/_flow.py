"""The expected dynamics of agents: the mean update as an ordinary differential equation in trials × rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.behaviour import _expected
from festina.behaviour._agents import OF_TRIALS, SOURCES, UNIT, _check_names
from festina.behaviour._psychometric import observe as observe_weights
from festina.behaviour._task import DecisionTask
from festina.core.method import Run
from festina.methods import Flow
from festina.runtime.progress import track
from festina.solvers.ode import solve

if TYPE_CHECKING:
    from festina.behaviour._network import Decider
    from festina.checks.shapes import Times
    from festina.core.theory import Start

RTOL, ATOL = 1e-9, 1e-12
"""Of the ODE solver: far below the spread of agents, so that comparisons see the agents alone."""


def integrate(
    network: Decider, task: DecisionTask, times: Times, starts: Sequence[Start], observe: Sequence[str], method: Flow
) -> Run:
    """The expected dynamics of the weights from each start, dW/dt = ⟨ΔW⟩/η, kept non-negative.

    The expectation is exact: over the kinds of trial with their probabilities, over the choice with its softmax
    probability under the current weights, and over the reward. A weight at zero with a negative expected update
    stays there until the update turns positive. It is the mean of many agents as η → 0 at fixed η·trials; at finite
    η the means differ by order η, and agents at zero feel their fluctuations. The solver is LSODA, which finds the
    times at which weights reach zero; of the method, ``rtol`` and ``atol`` are used.
    """
    known = network.observables(network.context(task))
    if any(name in OF_TRIALS for name in observe):
        raise ValueError(
            f"observe holds {', '.join(name for name in observe if name in OF_TRIALS)}, which belongs to single "
            "trials: expected dynamics have none; use method=fs.Train(rate=...)."
        )
    _check_names(observe, tuple(known), network, "Flow()")
    tolerances = method.rtol or RTOL, method.atol or ATOL
    found = []
    for start in track(list(starts), "Flow()"):
        w, W = start.weights
        found.append(follow(network, task, np.concatenate([w, np.ravel(W)]), times, tolerances))
    w, W = np.stack(found)[..., :3], np.stack(found)[..., 3:].reshape(len(starts), len(times), 2, 3)
    values = observe_weights(network, task, (w, W), observe)
    paths = [[(w[n, t], W[n, t]) for t in range(len(times))] for n in range(len(starts))]
    return Run(
        values, times, unit=UNIT, sources=SOURCES, paths=lambda: paths, ends=lambda: [path[-1] for path in paths]
    )


def _flat(network: Decider, task: DecisionTask, state: np.ndarray) -> np.ndarray:
    moved, taught = _expected.velocity(network, task, state[:3], state[3:].reshape(2, 3))
    return np.concatenate([moved, taught.ravel()])


def follow(
    network: Decider, task: DecisionTask, state: np.ndarray, times: np.ndarray,
    tolerances: tuple[float, float] = (RTOL, ATOL),
) -> np.ndarray:  # fmt: skip
    """Weights (times, 9), tutor first, from an initial ``state``.

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
        solved = solve(
            move, (now, end), state, "LSODA", ahead, advice="Try a larger rtol, such as fs.Flow(rtol=1e-6).",
            events=events, rtol=tolerances[0], atol=tolerances[1],
        )  # fmt: skip
        if len(solved.t):
            found[np.searchsorted(times, solved.t)] = np.maximum(solved.y.T, 0)
        if solved.status == 0:
            return found
        hit = next(i for i, t in enumerate(solved.t_events) if len(t))
        now, state = solved.t_events[hit][0], np.maximum(solved.y_events[hit][0], 0)
        held = held.copy()
        held[hit] = not held[hit]
        state[held] = 0.0
    return found


def _event(network: Decider, task: DecisionTask, i: int, held: np.ndarray) -> Any:
    """A free weight that reaches zero is to be held; a held one whose update turns positive is to be freed."""

    def event(_: float, y: np.ndarray) -> float:
        # the smallest number keeps an update that is and stays zero from counting as a crossing
        return float(_flat(network, task, y)[i] - np.finfo(float).tiny if held[i] else y[i])

    event.terminal = True  # pyright: ignore[reportFunctionMemberAccess]
    event.direction = 1.0 if held[i] else -1.0  # pyright: ignore[reportFunctionMemberAccess]
    return event
