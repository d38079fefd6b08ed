"""Errata of the lecture notes."""

import numpy as np
import scipy

import festina as fs
from festina.papers.errata.erratum import erratum, flow, off

S, D, START = 0.9, 1.6, 0.02
TIMES = np.linspace(0, 12, 40)


@erratum("saxe_lecture, depth 1", "e^{−t/τ}", "e^{−d t/τ}", "ODE solve of u' = s − d u")
def one_layer() -> tuple[float, float]:
    """u' = s − d u."""
    reference = flow(lambda _, u: S - D * u, START, TIMES)[0]
    printed = S / D * (1 - np.exp(-TIMES)) + START * np.exp(-TIMES)
    return off(printed, reference), off(fs.linear.strength(TIMES, S, D, START, 1), reference)


@erratum(
    "saxe_lecture, “D ≥ 3”",
    "exponent −t/τ at every D ≥ 3",
    "D → ∞ only, exponent −(s²/d) D t/τ",
    "ODE solve of the mode at infinite depth",
)
def infinite_depth() -> tuple[float, float]:
    """u' = u²(s − d u) in time D·t."""
    times = np.linspace(0, 150, 60)
    reference = flow(lambda _, u: u**2 * (S - D * u), START, times)[0]

    def form(exponent: np.ndarray) -> np.ndarray:
        z = S / (D * START) - 1
        return S / D / (1 + scipy.special.lambertw(z * np.exp(z - exponent)).real)

    return off(form(times), reference), off(form(S**2 / D * times), reference)


@erratum(
    "saxe_lecture eq. (15)",
    "D (e^{λ⊥t} − 1)/λ⊥ Dᵀ",
    "D (e^{2λ⊥t} − 1)/(2λ⊥) Dᵀ",
    "ODE solve of the weights, 2–2–5 network, λ = 0.7",
)
def directions_without_data() -> tuple[float, float]:
    """The term of eq. (15) for output directions in which the target has nothing."""
    rng = np.random.default_rng(3)
    first, second = fs.initial.Balanced(0.3, 0.7).draw([(2, 2), (5, 2)], fs.tasks.hierarchy(levels=1), rng)
    cross, lambda_, t = rng.standard_normal((5, 2)), 0.7, 0.8
    u, s, v = np.linalg.svd(cross)
    v = v.T
    start = np.vstack([first.T, second])

    def field(_: float, flat: np.ndarray) -> np.ndarray:
        w1, w2 = flat[:4].reshape(2, 2), flat[4:].reshape(5, 2)
        miss = cross - w2 @ w1
        return np.concatenate([(w2.T @ miss).ravel(), (miss @ w1.T).ravel()])

    end = flow(field, np.concatenate([first.ravel(), second.ravel()]), np.array([0.0, t]))[:, -1]
    q = np.vstack([end[:4].reshape(2, 2).T, end[4:].reshape(5, 2)])
    phi = np.concatenate([np.hypot(s, lambda_ / 2), -np.hypot(s, lambda_ / 2), np.full(3, lambda_ / 2)])
    angle = 0.5 * np.arctan2(lambda_, 2 * s)
    up = np.vstack([v * (np.cos(angle) - np.sin(angle)), u[:, :2] * (np.cos(angle) + np.sin(angle))]) / np.sqrt(2)
    down = np.vstack([v * (np.cos(angle) + np.sin(angle)), -u[:, :2] * (np.cos(angle) - np.sin(angle))]) / np.sqrt(2)
    p = np.hstack([up, down, np.vstack([np.zeros((2, 3)), u[:, 2:]])])
    found = []
    for rest in ((np.exp(lambda_ / 2 * t) - 1) / (lambda_ / 2), (np.exp(lambda_ * t) - 1) / lambda_):
        area = np.expm1(2 * phi * t) / (2 * phi)
        area[4:] = rest
        m = p.T @ start
        top = p @ (np.exp(phi * t)[:, None] * m)
        found.append(off(top @ np.linalg.solve(np.eye(2) + m.T @ (area[:, None] * m), top.T), q @ q.T))
    return found[0], found[1]
