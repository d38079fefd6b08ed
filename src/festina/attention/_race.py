"""The race of heads: which head learns which principal component, and when, from the weights it starts with.

A small head of rank one does not feel the others. With G the part of Λ² that no head has learned yet, dv/dt = kᵀ G q,
    dk/dt = v G q, dq/dt = v G k. The solution turns towards the first eigenvector of G and diverges at a finite time
    t*. A balanced chain of three with rate s diverges at t* = u0^{−1/3}/s, so this head learns its component like a
    chain that starts at u0 = (s t*)^{−3}. The head that diverges first learns, and what it has learned by time t is
    taken out of G for the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from festina.checks.shapes import Times, Weights
from festina.modes.mode import strength, time_to_strength
from festina.solvers.ode import solve
from festina.tasks import InContextRegression

TOLERANCE = 1e-7
"""Relative tolerance of the early phase; ends far below the error of the reduction itself."""

SHARES = np.concatenate(
    [np.geomspace(1e-4, 0.02, 16)[:-1], np.linspace(0.02, 0.98, 97), 1 - np.geomspace(0.02, 1e-6, 16)[1:]]
)
"""Shares of a component at which the time is tabulated while the other heads are followed."""

ALIGNING = 400.0
"""Longest path on which a head is followed, in units of 1/s₁ at unit size: one that grows does so by e^230 on it."""


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
class _Left:
    """G over time along the eigenvectors of Λ: Λ² less what each win has learned, as a share between 0 and 1."""

    whole: np.ndarray
    learned: list[tuple[np.ndarray, np.ndarray, np.ndarray]]

    @property
    def end(self) -> np.ndarray:
        """The part of Λ² that no head has learned at the end."""
        rest = self.whole - sum((part for part, _, _ in self.learned), np.zeros_like(self.whole))
        return np.where(np.abs(rest) < 1e-12 * np.abs(self.whole).max(), 0.0, rest)

    def at(self, time: float) -> np.ndarray:
        """G(t)."""
        found = self.whole
        for part, times, shares in self.learned:
            found = found - np.interp(time, times, shares) * part
        return found

    def after(self, win: Win, direction: np.ndarray) -> _Left:
        """With one more win; ``direction`` is along the eigenvectors of Λ."""
        shares = SHARES * win.s / win.c
        # a share that the chain has at its start is there from the beginning, not at t = ∞
        times = np.where(shares <= win.start, 0.0, time_to_strength(shares, win.s, win.c, win.start, 3))
        return _Left(self.whole, [*self.learned, (win.s * np.outer(direction, direction), times, SHARES)])


def _follow(weights: np.ndarray, left: _Left, final: float) -> tuple[float, np.ndarray]:
    """When a small head diverges (inf: never) and what it reads then, from w/‖w‖, ln ‖w‖ and time along dℓ = ‖w‖ dt.

    On this path a diverging head has no singularity. It is followed to the size ``final`` at which it would saturate;
    what is left of the time then is that of a head that grows straight.
    """
    size, count, last = float(np.linalg.norm(weights)), len(left.whole), left.end
    rate = float(np.linalg.norm(last, 2))
    if size == 0 or rate == 0:
        return np.inf, weights

    def field(_: float, state: np.ndarray) -> np.ndarray:
        v, k, q = state[0], state[1 : 1 + count], state[1 + count : -2]
        gradient = left.at(state[-1] / size)
        towards_q = gradient @ q
        growth = k @ towards_q
        outward = 3 * v * growth  # v, k and q have an equal part in it
        found = np.empty_like(state)
        found[0] = growth
        found[1 : 1 + count] = v * towards_q
        found[1 + count : -2] = v * (gradient @ k)
        found[:-2] -= outward * state[:-2]
        found[-2], found[-1] = outward, math.exp(-state[-2])
        return found

    def grown(_: float, state: np.ndarray) -> float:
        return state[-2] - np.log(final / size)

    grown.terminal = True  # type: ignore[attr-defined]
    found = solve(
        field, (0.0, ALIGNING / rate), np.concatenate([weights / size, [0.0, 0.0]]), "LSODA", events=grown,
        rtol=TOLERANCE, atol=TOLERANCE * 1e-3,
    )  # fmt: skip
    end = found.y[:, -1]
    outward = float(3 * end[0] * (end[1 : 1 + count] @ last @ end[1 + count : -2]))
    # a head on the stable manifold of zero never grows
    if outward <= 1e-6 * rate:
        return np.inf, end[:-2]
    return float((end[-1] + np.exp(-end[-2]) / outward) / size), end[:-2]


def race(weights: Weights, task: InContextRegression) -> list[Win]:
    """The learning events in order of time: which head learns which component."""
    query, key = (np.asarray(w) @ task.basis for w in weights[:2])
    heads = {h: np.concatenate([[v], key[h], query[h]]) for h, v in enumerate(np.asarray(weights[2])[0])}
    s, c = task.chain_rates
    left = _Left(np.diag(np.where(task.final_strengths > 0, s, 0.0)), [])
    # value, key and query end at (s/c)^{1/3} each
    final = float(np.sqrt(3) * np.cbrt(task.final_strengths.max()))
    wins: list[Win] = []
    while heads and np.any(left.end):
        followed = {h: _follow(w, left, final) for h, w in heads.items()}
        first = min(followed, key=lambda h: followed[h][0])
        time, unit = followed[first]
        if not np.isfinite(time):
            break
        direction = _principal(unit[1 : 1 + len(s)], left.end)
        rate, curvature = float(direction**2 @ s), float(direction**2 @ c)
        wins.append(Win(first, task.basis @ direction, rate, curvature, time))
        left = left.after(wins[-1], direction)
        del heads[first]
    return sorted(wins, key=lambda win: win.time)


def _principal(reads: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """The eigenvector of G that the head has turned to; within a degenerate eigenspace, the head's own direction."""
    eigenvalues, basis = np.linalg.eigh(gradient)
    # a head may still read what another one has learned meanwhile; that it cannot learn
    shares = np.where(eigenvalues > 1e-9 * eigenvalues[-1], np.abs(basis.T @ reads), 0.0)
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
    waits = [after.reach(0.5) - before.reach(0.5) for before, after in pairwise(wins)]
    lasts = [win.reach(0.9) - win.reach(0.1) for win in wins]
    return max((last / max(wait, 1e-300) for last, wait in zip(lasts, waits, strict=False)), default=0.0)
