"""Merged key and query: one matrix that grows along Λ² and then relaxes, reduced to D + 1 numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.checks.shapes import Times, Weights
from festina.solvers.ode import integrate
from festina.tasks import InContextRegression

TOLERANCE = 1e-11
"""Relative tolerance of the reduced equations."""


@dataclass(frozen=True, eq=False)
class Mode:
    """The part of merged heads that grows: U_h = n_h m, v_h = n_h a with ‖n‖ = 1.

    Attributes:
        value: a at the start.
        matrix: m at the start along the eigenvectors of Λ, (D,).
        alignment: relative distance of the weights from heads that have this part alone.
    """

    value: float
    matrix: np.ndarray
    alignment: float


def measure_mode(weights: Weights, task: InContextRegression) -> Mode:
    """The growing part ½(U v̂ + v) over heads, v̂ = Λ²/‖Λ²‖, as for a mode of two layers."""
    key_query, value = (np.asarray(w) for w in weights)
    square = np.asarray(task.covariance) @ np.asarray(task.covariance)
    unit = (square / np.linalg.norm(square)).ravel()
    growing = (key_query @ unit + value[0]) / 2
    size = float(np.linalg.norm(growing))
    eigenvalues = task.eigenvalues**2
    matrix = size * eigenvalues / np.linalg.norm(eigenvalues)
    inside = np.outer(growing, unit)
    total = np.hypot(np.linalg.norm(key_query), np.linalg.norm(value))
    rest = np.hypot(np.linalg.norm(key_query - inside), np.linalg.norm(value[0] - growing))
    return Mode(size, matrix, float(rest / total) if total > 0 else 0.0)


def solve_mode(mode: Mode, task: InContextRegression, times: Times) -> np.ndarray:
    """Strength of each component over time, (times, D): da/dt = m·g, dm/dt = a g, g_d = λ_d² − b_d λ_d a m_d.

    Source: zhang2025 (merged key and query: one abrupt drop); exact for heads that have this part alone.
    """
    eigenvalues = task.eigenvalues
    s = eigenvalues**2
    c = s * ((1 + 1 / task.length) * eigenvalues + eigenvalues.sum() / task.length)
    if mode.value == 0:
        return np.zeros((len(times), len(s)))
    if np.all(np.isinf(times)):
        return np.repeat(task.final_strengths[None], len(times), axis=0)

    def field(_: float, state: np.ndarray) -> np.ndarray:
        a, m = state[0], state[1:]
        gradient = s - c * a * m
        return np.concatenate([[m @ gradient], a * gradient])

    start = np.concatenate([[mode.value], mode.matrix])
    found = integrate(field, start, times, TOLERANCE, TOLERANCE * mode.value)
    return found[:, :1] * found[:, 1:]
