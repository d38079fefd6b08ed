"""The expected dynamics of agents: the mean update over trials, choices and rewards, exactly, and its integral."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.behaviour import _psychometric
from festina.behaviour._agents import OF_TRIALS, SOURCES, UNIT, check_names
from festina.behaviour._decider import Decider, Pair
from festina.behaviour._task import DecisionTask
from festina.checks.shapes import Times
from festina.core import Context, Run, Start
from festina.methods import Flow
from festina.runtime.progress import track
from festina.solvers.ode import solve

RTOL, ATOL = 1e-9, 1e-12
"""Tolerance of the ODE solver: far below the spread of agents, so that comparisons see the agents alone."""

TINY = 1e-100
"""Complex step of derivatives: no difference is taken, so that nothing is lost for any size."""

SHARES = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])
"""Which contributions (columns) the error that teaches a pathway of the executor (rows) takes off the reward."""


@dataclass(frozen=True, eq=False)
class Trials:
    """Per kind of trial, for maps q of shape (…, 2, 3): the choice, the reward and the three errors of each action."""

    chosen: np.ndarray
    """P(action), softmax with β of Q_tot: (…, kinds, 2)."""
    reward: np.ndarray
    """(kinds, 2)."""
    total: np.ndarray
    """δ_tot: (…, kinds, 2)."""
    taught: np.ndarray
    """The error that teaches the executor: (…, kinds, 2, 3)."""


def trials(network: Decider, task: DecisionTask, q: np.ndarray) -> Trials:
    """Choices, rewards and errors under the map ``q`` = W diag(w)."""
    parts = np.einsum("...ai,ji->...jai", q, task.x)
    value = parts.sum(axis=-1)
    # tanh form of the softmax of two: no overflow at any β
    lean = np.tanh(0.5 * network.beta * (value[..., 1] - value[..., 0]))
    chosen = 0.5 * np.stack([1 - lean, 1 + lean], axis=-1)
    reward = (task.correct[:, None] == np.arange(2)).astype(float)
    total = reward - value
    taught = reward[..., None] - parts @ shares(network).T
    return Trials(chosen, reward, total, taught)


def shares(network: Decider) -> np.ndarray:
    """Which contributions each pathway's error takes off the reward: its own kind, or with the gradient all."""
    return SHARES if network.rule == "partial" else np.ones((3, 3))


def drives(network: Decider, task: DecisionTask, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Expected error × input per action and pathway, (…, 2, 3): what teaches the tutor, and what the executor.

    c[a, i] = ⟨P(a|x) δ_tot x_i⟩,  e[a, i] = ⟨P(a|x) δ_i x_i⟩ with δ_i the executor's error; ⟨⟩ over kinds of trial.
    Per unit of time (trials × rate) the expected update is Σ_a c[a, i] W[a, i] for w_i and e[a, i] w_i for W[a, i].
    """
    found = trials(network, task, q)
    tutor = np.einsum("j,...ja,...ja,ji->...ai", task.weight, found.chosen, found.total, task.x)
    executor = np.einsum("j,...ja,...jai,ji->...ai", task.weight, found.chosen, found.taught, task.x)
    return tutor, executor


def exposure(network: Decider, task: DecisionTask, q: np.ndarray) -> np.ndarray:
    """⟨P(a|x) x_i⟩, the input that each action and pathway sees while it is chosen, (…, 2, 3)."""
    return np.einsum("j,...ja,ji->...ai", task.weight, trials(network, task, q).chosen, task.x)


def velocity(network: Decider, task: DecisionTask, w: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Expected update per unit of trials × rate of tutor (…, 3) and executor (…, 2, 3), before clipping at zero."""
    c, e = drives(network, task, W * w[..., None, :])
    moved = np.sum(c * W, axis=-2) if network.learns_tutor else np.zeros_like(w)
    return moved, e * w[..., None, :]


def jacobian(network: Decider, task: DecisionTask, w: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Derivative of the expected update (before clipping) by the weights that learn, per unit of time.

    Rows and columns: the tutor's three weights (where it learns), then the executor's six, left action first.
    """
    whole = differentiate(lambda state: _flat(network, task, state), np.concatenate([w, W.ravel()]))
    first = 0 if network.learns_tutor else 3
    return whole[first:, first:]


def differentiate(function: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Derivatives (outputs, inputs) of an analytic function, exact to rounding: f(x + ih) = f(x) + ih f'(x) + O(h²)."""
    return np.stack([np.imag(function(at + TINY * 1j * unit)) for unit in np.eye(len(at))], axis=-1) / TINY


def loss(network: Decider, task: DecisionTask, q: np.ndarray) -> np.ndarray:
    """½⟨δ_tot²⟩ over trials and choices, of maps (…, 2, 3)."""
    found = trials(network, task, q)
    return np.asarray(0.5 * np.einsum("j,...ja,...ja->...", task.weight, found.chosen, found.total**2))


def accuracy(network: Decider, task: DecisionTask, q: np.ndarray) -> np.ndarray:
    """Expected reward per trial, of maps (…, 2, 3)."""
    found = trials(network, task, q)
    return np.asarray(np.einsum("j,...ja,ja->...", task.weight, found.chosen, found.reward))


@dataclass(frozen=True)
class Observed:
    """Observables of the weights of a network that decides (``observe=``)."""

    network: Decider

    def __call__(self, context: Context) -> Mapping[str, Callable[[Pair], Any]]:
        """The observables on a task, by name, of a tutor (…, 3) and an executor (…, 2, 3)."""
        task, beta = context["task"], self.network.beta

        def of_map(function: Callable[[np.ndarray], Any]) -> Callable[[Pair], Any]:
            return lambda weights: function(weights[1] * weights[0][..., None, :])

        def part(k: int) -> Callable[[np.ndarray], Any]:
            return lambda q: _psychometric.shape(_psychometric.logits(q, beta), task.span)[..., k]

        return {
            "loss": of_map(lambda q: loss(self.network, task, q)),
            "accuracy": of_map(lambda q: accuracy(self.network, task, q)),
            "curve": of_map(lambda q: _psychometric.curve(q, np.array(task.contrasts), beta)),
            "bias": of_map(part(0)),
            "left_slope": of_map(part(1)),
            "right_slope": of_map(part(2)),
            "map": of_map(lambda q: q),
            "weights": lambda weights: weights,
        }


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
    check_names(observe, tuple(known), network, "Flow()")
    tolerances = method.rtol or RTOL, method.atol or ATOL
    found = []
    for start in track(list(starts), "Flow()"):
        w, W = start.weights
        found.append(follow(network, task, np.concatenate([w, np.ravel(W)]), times, tolerances))
    w, W = np.stack(found)[..., :3], np.stack(found)[..., 3:].reshape(len(starts), len(times), 2, 3)
    paths = [[(w[n, t], W[n, t]) for t in range(len(times))] for n in range(len(starts))]
    values = {name: known[name]((w, W)) for name in observe}
    return Run(
        values, times, unit=UNIT, sources=SOURCES, paths=lambda: paths, ends=lambda: [path[-1] for path in paths]
    )


def _flat(network: Decider, task: DecisionTask, state: np.ndarray) -> np.ndarray:
    moved, taught = velocity(network, task, state[:3], state[3:].reshape(2, 3))
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
