"""When networks of two hidden layers leave a plateau: read from a run, or predicted from the plateau's instability."""

import numpy as np
import scipy

import festina as fs
from festina.papers.setups.deep import rectify

FLAT = 0.01  # share of the initial loss by which the loss changes on a plateau
LEARNED = 0.5
"""Share of a mode at which it counts as learned. Growth ends in a divergence, so that hardly any time hangs on it."""

FAINT = 1e-6  # modes of the residual below this share of the largest are ignored
TOLERANCE = 1e-4  # relative error of the growth on a plateau, far below the spread between networks


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


def escape_time(weights, task: fs.Task) -> float:
    """How long after this a network of two hidden layers leaves the plateau it is on, in flow time.

    On a plateau the units that matter are on at all points, so that they are a linear network of three layers. The
    learned mode cannot use the residual r. The rest of its weights is small and grows in the modes u s vᵀ of ⟨r xᵀ⟩.
    Let P = W1 v, Q = W3ᵀu and M the rest of W2, all orthogonal to the learned mode. Then

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
    asked = s / np.einsum("ki,ij,kj->k", right, x.T @ x / len(x), right)
    shapes, cuts = (p.shape, q.shape, m.shape), np.cumsum([p.size, q.size])

    def split(z: np.ndarray) -> list[np.ndarray]:
        return [part.reshape(shape) for part, shape in zip(np.split(z, cuts), shapes, strict=True)]

    def grow(_: float, z: np.ndarray) -> np.ndarray:
        p, q, m = split(z)
        return np.concatenate([(m.T @ q * s).ravel(), (m @ p * s).ravel(), ((q * s) @ p.T).ravel()])

    def left_over(_: float, z: np.ndarray) -> float:
        p, q, m = split(z)
        return float((LEARNED - np.einsum("bk,ba,ak->k", q, m, p) / asked).min())

    left_over.terminal = True  # pyright: ignore[reportFunctionMemberAccess]
    start = np.concatenate([p.ravel(), q.ravel(), m.ravel()])
    longest = float(100 / (s[0] * np.linalg.norm(m, 2)))
    tolerances = {"rtol": TOLERANCE, "atol": TOLERANCE**2 * np.abs(start).max()}
    with np.errstate(over="ignore", invalid="ignore"):  # a step beyond the divergence is tried again, shorter
        run = scipy.integrate.solve_ivp(grow, (0.0, longest), start, events=left_over, **tolerances)
    if run.status < 0:
        raise RuntimeError(f"the growth on a plateau stopped at t={run.t[-1]:g}: {run.message}")
    return float(run.t[-1]) if len(run.t_events[0]) else np.inf
