"""Heads of any rank along the eigenvectors of Λ: chains of three that share the value of their head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from festina.checks.shapes import Times, Weights
from festina.modes.mode import strength
from festina.solvers.ode import integrate
from festina.tasks import InContextRegression

TOLERANCE = 1e-11
"""Relative tolerance of the reduced equations."""


@dataclass(frozen=True, eq=False)
class Chains:
    """Keys and queries measured along one eigenvector of Λ each.

    Attributes:
        component: the eigenvector that each row of keys and queries reads, (heads, rank).
        value: (heads,).
        key, query: strength along it, (heads, rank).
        alignment: relative distance of keys and queries from rows that read this eigenvector alone.

    ``layers``, ``balance`` and ``shared`` are for heads of rank one.
    """

    component: np.ndarray
    value: np.ndarray
    key: np.ndarray
    query: np.ndarray
    alignment: float

    @property
    def layers(self) -> np.ndarray:
        """Value, key and query strength of each head, (3, heads)."""
        return np.stack([self.value, self.key[:, 0], self.query[:, 0]])

    @property
    def _active(self) -> np.ndarray:
        squares = self.layers**2
        return squares.max(axis=0) > np.finfo(float).eps ** 2 * squares.max(initial=0.0)

    @property
    def balance(self) -> float:
        """Largest difference of squared layer strengths within a head, relative to its largest square."""
        squares = self.layers[:, self._active] ** 2
        top = squares.max(axis=0)
        return float(((top - squares.min(axis=0)) / top).max(initial=0.0))

    @property
    def shared(self) -> int:
        """Heads, beyond one per component, that read an eigenvector which another one reads."""
        return int(self._active.sum() - len(np.unique(self.component[self._active])))


def measure_chains(weights: Weights, task: InContextRegression, rank: int) -> Chains:
    """Eigenvector that each row of keys and queries follows; within a head, rows go to different ones."""
    query, key = ((np.asarray(w) @ task.basis).reshape(-1, rank, task.dimension) for w in weights[:2])
    component = np.zeros(key.shape[:2], int)
    for head, sizes in enumerate(np.abs(key) + np.abs(query)):
        if rank <= task.dimension:
            rows, columns = scipy.optimize.linear_sum_assignment(-sizes)
            component[head, rows] = columns
        else:
            component[head] = np.argmax(sizes, axis=1)
    picked = np.eye(task.dimension, dtype=bool)[component]
    total = np.hypot(np.linalg.norm(key), np.linalg.norm(query))
    rest = np.hypot(np.linalg.norm(np.where(picked, 0.0, key)), np.linalg.norm(np.where(picked, 0.0, query)))
    return Chains(
        component,
        np.asarray(weights[2])[0],
        np.where(picked, key, 0.0).sum(axis=-1),
        np.where(picked, query, 0.0).sum(axis=-1),
        float(rest / total) if total > 0 else 0.0,
    )


def solve_heads(heads: Chains, task: InContextRegression, times: Times) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Strength of each component over time, (times, D), and the weights: du/dt = 3 u^{4/3} (s − c u) per component.

    Source: zhang2025 (separate key and query: scalar equations), solved by ``fs.linear.strength`` at depth 3.
    """
    s, c = task.chain_rates
    component = heads.component[:, 0]
    active = task.final_strengths[component] > 0
    d = np.where(active, component, 0)
    start = np.prod(heads.layers, axis=0)
    u = np.where(active, strength(times[:, None], s[d], c[d], np.abs(start), 3), np.abs(start))
    strengths = np.zeros((len(times), len(s)))
    np.add.at(strengths.T, component, (np.sign(start) * u).T)
    value, key, query = np.sign(heads.layers)[:, None] * np.cbrt(u)
    rows = task.basis.T[component]
    return strengths, (query[..., None] * rows, key[..., None] * rows, value[:, None])


def follow_chains(chains: Chains, task: InContextRegression, times: Times) -> np.ndarray:
    """Strengths u_d(t) = Σ v k q over all rows that read d, (times, D)."""
    s, c = task.chain_rates
    heads, rank = chains.component.shape
    flat = chains.component.ravel()

    def strengths(value: np.ndarray, key: np.ndarray, query: np.ndarray) -> np.ndarray:
        return np.bincount(flat, (value[:, None] * key * query).ravel(), minlength=len(s))

    def unpack(state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        value, key, query = np.split(state, [heads, heads * (1 + rank)])
        return value, key.reshape(heads, rank), query.reshape(heads, rank)

    def field(_: float, state: np.ndarray) -> np.ndarray:
        value, key, query = unpack(state)
        left = (s - c * strengths(value, key, query))[chains.component]
        gain = value[:, None] * left
        return np.concatenate([(left * key * query).sum(axis=1), (gain * query).ravel(), (gain * key).ravel()])

    begin = np.concatenate([chains.value, chains.key.ravel(), chains.query.ravel()])
    found = integrate(field, begin, times, TOLERANCE, TOLERANCE * float(np.abs(begin).max(initial=0.0)) * 1e-2)
    return np.stack([strengths(*unpack(state)) for state in found])
