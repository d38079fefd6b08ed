"""The race of heads: which head learns which principal component, and when, from the weights it starts with.

While a head of rank one is small it does not feel the others: with G the part of Λ² that nobody has learned yet,
    dv/dt = kᵀ G q,  dk/dt = v G q,  dq/dt = v G k,
whose solution turns towards the first eigenvector of G and diverges at a finite time t*. A balanced chain of three with
rate s diverges at t* = u0^{−1/3}/s, so this head learns its component like a chain that starts at u0 = (s t*)^{−3}. The
head that diverges first learns; what it learns is taken out of G for the others, which go on from where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from festina._types import Times, Weights
from festina.attention._saddle import chain_rates, targets
from festina.linear import strength, time_to_strength
from festina.tasks import InContextRegression

TOLERANCE = 1e-9
"""Relative tolerance of the early phase; ends far below the error of the reduction itself."""

ALIGNING = 400.0
"""Path length, in units of 1/s₁ at unit size, over which a head is followed: it grows by e^230 on the way."""


@dataclass(frozen=True, eq=False)
class Win:
    """A head that learns a component.

    Attributes:
        head: number of the head.
        direction: the unit vector it learns, in the basis of the inputs.
        s, c: rate and curvature of its chain of three.
        time: when it would diverge without saturation; it learns about then.
    """

    head: int
    direction: np.ndarray
    s: float
    c: float
    time: float

    @property
    def start(self) -> float:
        """Effective initial strength u0 = (s t*)^{−3}."""
        return float((self.s * self.time) ** -3)

    def at(self, times: Times) -> np.ndarray:
        """Strength u(t) of the chain."""
        return strength(times, self.s, self.c, self.start, 3)

    def reach(self, share: float) -> float:
        """When the strength is at this share of its end s/c."""
        return float(time_to_strength(share * self.s / self.c, self.s, self.c, self.start, 3))


@dataclass(frozen=True, eq=False)
class _Early:
    """One small head followed to its divergence: size and time along a path of normalised weights."""

    size: float
    diverges: float
    last: np.ndarray
    path: scipy.integrate.OdeSolution | None
    end: float

    def at(self, time: float) -> np.ndarray:
        """Weights (v, k, q) at a time before the divergence."""
        path = self.path
        if path is None:
            return self.last
        wanted = time * self.size
        length = scipy.optimize.brentq(lambda along: path(along)[-1] - wanted, 0.0, self.end, xtol=1e-12)
        state = path(length)
        return state[:-2] * np.exp(state[-2]) * self.size


def _follow(weights: np.ndarray, gradient: np.ndarray) -> _Early:
    """Unit vector w/‖w‖, ln ‖w‖ and time along the path dℓ = ‖w‖ dt, on which a diverging head has no singularity."""
    size, count = float(np.linalg.norm(weights)), len(gradient)
    rate = float(np.linalg.norm(gradient, 2))
    if size == 0 or rate == 0:
        return _Early(size, np.inf, weights, None, 0.0)

    def force(unit: np.ndarray) -> np.ndarray:
        v, k, q = unit[0], unit[1 : 1 + count], unit[1 + count :]
        return np.concatenate([[k @ gradient @ q], v * (gradient @ q), v * (gradient @ k)])

    def field(_: float, state: np.ndarray) -> np.ndarray:
        pull = force(state[:-2])
        outward = state[:-2] @ pull
        return np.concatenate([pull - outward * state[:-2], [outward, np.exp(-state[-2])]])

    end = ALIGNING / rate
    found = scipy.integrate.solve_ivp(
        field, (0.0, end), np.concatenate([weights / size, [0.0, 0.0]]), "LSODA", rtol=TOLERANCE, atol=TOLERANCE * 1e-3,
        dense_output=True,
    )  # fmt: skip
    last = found.y[:, -1]
    outward = float(last[:-2] @ force(last[:-2]))
    # a head on the stable manifold of zero never grows
    grows = found.success and outward > 1e-6 * rate
    diverges = (last[-1] + np.exp(-last[-2]) / outward) / size if grows else np.inf
    return _Early(size, diverges, last[:-2], found.sol, end)


def race(weights: Weights, task: InContextRegression) -> list[Win]:
    """Who learns what and when, in order of time."""
    query, key = (np.asarray(w) @ task.basis for w in weights[:2])
    heads = {h: np.concatenate([[v], key[h], query[h]]) for h, v in enumerate(np.asarray(weights[2])[0])}
    s, c = chain_rates(task)
    gradient = np.diag(np.where(targets(task) > 0, s, 0.0))
    curvature = np.diag(c)
    now, wins = 0.0, []
    while heads and np.any(gradient):
        early = {h: _follow(w, gradient) for h, w in heads.items()}
        first = min(early, key=lambda h: early[h].diverges)
        span = early[first].diverges
        if not np.isfinite(span):
            break
        reads = early[first].last[1 : 1 + len(s)]
        direction = _principal(reads, gradient)
        rate = float(direction @ gradient @ direction)
        wins.append(Win(first, task.basis @ direction, rate, float(direction @ curvature @ direction), now + span))
        heads = {h: early[h].at(span) for h in heads if h != first}
        gradient = gradient - rate * np.outer(direction, direction)
        gradient[np.abs(gradient) < 1e-12 * s[0]] = 0.0
        now += span
    return wins


def _principal(reads: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """The eigenvector of G that the head has turned to; within a degenerate eigenspace, the head's own direction."""
    eigenvalues, basis = np.linalg.eigh(gradient)
    shares = np.abs(basis.T @ reads)
    same = np.abs(eigenvalues - eigenvalues[np.argmax(shares)]) <= 1e-9 * eigenvalues[-1]
    inside = basis[:, same] @ (basis[:, same].T @ reads)
    return inside / np.linalg.norm(inside)


def map_of(wins: list[Win], size: int, times: Times) -> np.ndarray:
    """M(t) = Σ u_j(t) w_j w_jᵀ, shape (times, D, D)."""
    found = np.zeros((len(times), size, size))
    for win in wins:
        found += win.at(times)[:, None, None] * np.outer(win.direction, win.direction)
    return found


def drop_overlap(wins: list[Win]) -> float:
    """How long a drop lasts (10 to 90 % of the strength) over the time to the next one, largest over components."""
    waits = [after.reach(0.5) - before.reach(0.5) for before, after in zip(wins, wins[1:], strict=False)]
    lasts = [win.reach(0.9) - win.reach(0.1) for win in wins]
    return max((last / max(wait, 1e-300) for last, wait in zip(lasts, waits, strict=False)), default=0.0)
