"""Heads of any rank along the eigenvectors of Λ: chains of three that share the value of their head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from festina.checks.shapes import Times, Weights
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
    """

    component: np.ndarray
    value: np.ndarray
    key: np.ndarray
    query: np.ndarray
    alignment: float


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
