"""The expected update of a decision network, exactly: over the kinds of trial, the choices and the rewards."""

from dataclasses import dataclass

import numpy as np

from festina.behaviour._network import Decider
from festina.behaviour._task import DecisionTask

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
    q = W * w
    found = trials(network, task, q)
    x, same = task.x, np.eye(2)
    # dP(a)/dq[b, k] = β P(left) P(right) x_k, with a minus for the other action
    turn = network.beta * np.prod(found.chosen, axis=-1)[:, None, None] * (2 * same - 1)
    turn = turn[..., None] * x[:, None, None, :]  # (kinds, a, b, k)

    def slope(error: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """d⟨P(a) δ_i x_i⟩/dq[b, k] for errors (kinds, a, i) that take off the contributions ``taken`` (i, k)."""
        choice = np.einsum("j,jabk,jai,ji->aibk", task.weight, turn, error, x)
        return choice - np.einsum("j,ja,ab,ik,jk,ji->aibk", task.weight, found.chosen, same, taken, x, x)

    c, e = drives(network, task, q)
    dc = slope(np.repeat(found.total[..., None], 3, axis=-1), np.ones((3, 3)))
    de = slope(found.taught, shares(network))
    axes = np.eye(3)
    by_w = np.einsum("bk,km->bkm", W, axes)  # dq[b, k]/dw_m
    executor_by_w = np.einsum("i,aibk,bkm->aim", w, de, by_w) + np.einsum("ai,im->aim", e, axes)
    executor_by_executor = np.einsum("i,aibk,k->aibk", w, de, w).reshape(6, 6)
    if not network.learns_tutor:
        return executor_by_executor
    tutor_by_w = np.einsum("ai,aibk,bkm->im", W, dc, by_w)
    tutor_by_executor = np.einsum("ai,aibk,k->ibk", W, dc, w) + np.einsum("bi,ik->ibk", c, axes)
    return np.block(
        [[tutor_by_w, tutor_by_executor.reshape(3, 6)], [executor_by_w.reshape(6, 3), executor_by_executor]]
    )


def loss(network: Decider, task: DecisionTask, q: np.ndarray) -> np.ndarray:
    """½⟨δ_tot²⟩ over trials and choices, of maps (…, 2, 3)."""
    found = trials(network, task, q)
    return np.asarray(0.5 * np.einsum("j,...ja,...ja->...", task.weight, found.chosen, found.total**2))


def accuracy(network: Decider, task: DecisionTask, q: np.ndarray) -> np.ndarray:
    """Expected reward per trial, of maps (…, 2, 3)."""
    found = trials(network, task, q)
    return np.asarray(np.einsum("j,...ja,ja->...", task.weight, found.chosen, found.reward))
