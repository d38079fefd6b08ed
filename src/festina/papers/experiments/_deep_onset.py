"""When networks of two hidden layers leave a plateau: read from a run, or predicted from the plateau's instability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import festina as fs
from festina.checks.shapes import Weights
from festina.papers.experiments._deep import rectify
from festina.runtime import track
from festina.solvers.ode import solve

if TYPE_CHECKING:
    from festina.papers.experiments.deep import Settings

FLAT = 0.01
"""Share of the initial loss by which the loss changes on a plateau."""

LEARNED = 0.5
"""Share of a mode at which it counts as learned. Growth ends in a divergence, so that hardly any time hangs on it."""

FAINT = 1e-6
"""Modes of the residual below this share of the largest are none."""

TOLERANCE = 1e-4
"""Relative error of the growth on a plateau, far below the spread between networks."""


def onsets(shares: np.ndarray, alone: float) -> np.ndarray:
    """When units on in all contexts stop being alone in the second layer of each run, as observations.

    Random units are on in any subset of contexts, so each run is followed from the time at which that share is largest.
    """
    found = []
    for run in shares:
        top = int(np.argmax(run))
        fallen = np.flatnonzero(run[top:] < alone)
        found.append(top + int(fallen[0]) if len(fallen) else len(run) - 1)
    return np.array(found)


def opening(shares: np.ndarray, alone: float) -> int:
    """The median over runs of the observation at which gating begins, neither the first nor the last."""
    return min(max(int(np.median(onsets(shares, alone))), 1), shares.shape[1] - 2)


def plateaus(loss: np.ndarray, most: int = 3) -> np.ndarray:
    """Middles of the longest stretches in which the loss hardly changes, without the first at the initial loss."""
    flat = np.abs(np.diff(loss)) < FLAT * loss[0] / 10
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flat, [0]])))
    stretches = [(b - a, (a + b) // 2) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    away = [(length, middle) for length, middle in stretches if loss[middle] < (1 - FLAT) * loss[0]]
    return np.sort([middle for _, middle in sorted(away)[-most:]])


def same_level(loss: np.ndarray, level: float) -> int:
    """The middle of the time that a run spends at a level of the loss."""
    near = np.flatnonzero(np.abs(loss - level) < FLAT * loss[0])
    return int(near[len(near) // 2]) if len(near) else int(np.argmin(np.abs(loss - level)))


def first_plateau(loss: np.ndarray) -> int:
    """The first observation on a plateau: the loss has fallen, and has stopped falling."""
    flat = (loss[1:] < (1 - FLAT) * loss[0]) & (np.abs(np.diff(loss)) < FLAT * loss[0] / 10)
    return int(np.argmax(flat)) + 1 if flat.any() else len(loss) - 1


def escape_time(weights: Weights, task: fs.Task) -> float:
    """How long after this a network of two hidden layers leaves the plateau it is on, in flow time.

    On a plateau the units that matter are on at all points, so that they are a linear network of three layers. What it
    has learned cannot use the residual r. The rest of its weights is small and grows in the modes u s vᵀ of ⟨r xᵀ⟩:
    with P = W1 v, Q = W3ᵀu and what is left of W2 as M, all at right angles to what has been learned,

        dP/dt = Mᵀ Q s,   dQ/dt = M P s,   dM/dt = Q s Pᵀ .

    This growth is of second order in small weights. It diverges after a finite time, in inverse proportion to their
    size, where that of one hidden layer is exponential: hence the long plateaus of deep networks.
    """
    first, second, last = (np.asarray(layer, float) for layer in weights)
    x, y = task.x, task.y
    below = rectify(x @ first.T)
    above = rectify(below @ second.T)
    residual = y - above @ last.T
    lower, upper = (below > 0).all(axis=0), (above > 0).all(axis=0)
    left, s, right = np.linalg.svd(residual.T @ x / len(x), full_matrices=False)
    left, s, right = left[:, s > FAINT * s[0]], s[s > FAINT * s[0]], right[s > FAINT * s[0]]
    used = below[:, lower].mean(axis=0), above[:, upper].mean(axis=0)
    inner, outer = (np.eye(len(v)) - np.outer(v, v) / (v @ v) for v in used)
    p, q = inner @ first[lower] @ right.T, outer @ last[:, upper].T @ left
    m = outer @ second[np.ix_(upper, lower)] @ inner
    cuts = np.cumsum([p.size, q.size])
    asked = s / np.einsum("ki,ij,kj->k", right, x.T @ x / len(x), right)

    def split(z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts = np.split(z, cuts)
        return parts[0].reshape(p.shape), parts[1].reshape(q.shape), parts[2].reshape(m.shape)

    def grow(_: float, z: np.ndarray) -> np.ndarray:
        p, q, m = split(z)
        return np.concatenate([(m.T @ q * s).ravel(), (m @ p * s).ravel(), ((q * s) @ p.T).ravel()])

    def left_over(_: float, z: np.ndarray) -> float:
        p, q, m = split(z)
        return float((LEARNED - np.einsum("bk,ba,ak->k", q, m, p) / asked).min())

    left_over.terminal = True
    start = np.concatenate([p.ravel(), q.ravel(), m.ravel()])
    longest = 100 / (s[0] * np.linalg.norm(m, 2))
    atol = TOLERANCE**2 * np.abs(start).max()
    run = solve(grow, (0.0, float(longest)), start, "RK45", rtol=TOLERANCE, atol=atol, events=left_over)
    return float(run.t[-1]) if len(run.t_events[0]) else np.inf


def predict(
    network: fs.ReLU, task: fs.Task, times: np.ndarray, settings: Settings
) -> tuple[fs.Trajectory, float, np.ndarray]:
    """The first networks from their own initial weights: loss and modules, passes that this took on average.

    And the times at which they leave the first plateau, from their weights when they reach it.
    """
    method = fs.Reduced(fs.relu.UnitGrowth(settings.accuracy))
    loss, modules, passes, escapes = [], [], [], []
    for k in track(range(min(settings.predicted, settings.seeds)), "predicted"):
        run = fs.evolve(network, task, times, method=method, seed=settings.seed + k, observe=("loss", "modules"))
        loss.append(run.loss)
        modules.append(run["modules"])
        passes.append(run.notes["evaluations"])
        reached = times[[first_plateau(run.loss)]]
        there = fs.evolve(network, task, reached, method=method, seed=settings.seed + k, observe=("weights",))
        escapes.append(float(reached[0]) + escape_time(tuple(layer[0] for layer in there.weights), task))
    numbers = tuple(range(settings.seed, settings.seed + len(loss)))
    found = fs.Trajectory(times, {"loss": np.array(loss), "modules": np.array(modules)}, seeds=numbers)
    return found, float(np.mean(passes)), np.array(escapes)
