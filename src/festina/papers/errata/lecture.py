"""Errata of the lecture notes."""

import numpy as np
import scipy

import festina as fs
from festina.papers.errata.erratum import Erratum, flow, off

S, D, START = 0.9, 1.6, 0.02
TIMES = np.linspace(0, 12, 40)


def one_layer() -> tuple[float, float]:
    """u' = s − d u."""
    reference = flow(lambda _, u: S - D * u, START, TIMES)[0]
    printed = S / D * (1 - np.exp(-TIMES)) + START * np.exp(-TIMES)
    return off(printed, reference), off(fs.linear.strength(TIMES, S, D, START, 1), reference)


def infinite_depth() -> tuple[float, float]:
    """u' = u²(s − d u) in time D·t."""
    times = np.linspace(0, 150, 60)
    reference = flow(lambda _, u: u**2 * (S - D * u), START, times)[0]

    def form(exponent: np.ndarray) -> np.ndarray:
        z = S / (D * START) - 1
        return S / D / (1 + scipy.special.lambertw(z * np.exp(z - exponent)).real)

    return off(form(times), reference), off(form(S**2 / D * times), reference)


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


def reduction() -> tuple[float, float]:
    """Speed of an edge of one pathway from a decoupled start."""
    task = fs.tasks.extended_xor(1.0)
    network = fs.gated.pathways(np.eye(4), 2, initial=fs.gated.Decoupled(0.3))
    own, b = task.statistics(network).effective[0], 0.3
    reference = np.linalg.norm(network.velocity(task)(network.start(task, 0))[0])
    s, d = own.strengths[0], own.curvatures[0]
    return off(abs(b**2 * s - b**2 * d), reference), off(b * (s - b**2 * d), reference)


def pretraining() -> tuple[float, float]:
    """How the time to pretrain a layer grows as the start shrinks from 1e-3 to 1e-4."""

    def time(layer: float) -> float:
        def reached(_: float, w: np.ndarray) -> float:
            return w[0] * w[1] - 0.99

        reached.terminal = True  # type: ignore[attr-defined]
        found = scipy.integrate.solve_ivp(
            lambda _, w: w[::-1] * (1 - w[0] * w[1]), (0, 1e4), np.full(2, layer), "LSODA", events=reached, rtol=1e-9,
            atol=1e-12,
        )  # fmt: skip
        return float(found.t_events[0][0])

    one, two = time(1e-3), time(1e-4)
    return abs(100 - two / one) / (two / one), abs((two - one) - np.log(10)) / (two - one)


def training_speed() -> tuple[float, float]:
    """Flow time of a chain of six layers, b' = b⁵(s − b⁶), from b0 = 0.01 to 99 % of its end."""
    depth, start = 6, 0.01

    def reached(_: float, b: np.ndarray) -> float:
        return b[0] ** depth - 0.99 * S

    reached.terminal = True  # type: ignore[attr-defined]
    found = scipy.integrate.solve_ivp(
        lambda _, b: b ** (depth - 1) * (S - b**depth), (0, 1e9), np.array([start]), "LSODA", events=reached,
        rtol=1e-10, atol=1e-13,
    )  # fmt: skip
    reference = float(found.t_events[0][0])
    printed = 1 / (S * start**depth)
    return off(printed, reference), off(printed * start**2 / (depth - 2), reference)


ERRATA = (
    Erratum("saxe_lecture, depth 1", "e^{−t/τ}", "e^{−d t/τ}", "ODE solve of u' = s − d u", one_layer),
    Erratum(
        "saxe_lecture, “D ≥ 3”",
        "exponent −t/τ at every D ≥ 3",
        "D → ∞ only, exponent −(s²/d) D t/τ",
        "ODE solve of the mode at infinite depth",
        infinite_depth,
    ),
    Erratum(
        "saxe_lecture eq. (15)",
        "D (e^{λ⊥t} − 1)/λ⊥ Dᵀ",
        "D (e^{2λ⊥t} − 1)/(2λ⊥) Dᵀ",
        "ODE solve of the weights, 2–2–5 network, λ = 0.7",
        directions_without_data,
    ),
    Erratum(
        "saxe_lecture, reduction slide",
        "Σ B_p S(p) − Σ B_j D(j,p)",
        "B_{p∖e}[S(p) − Σ_j B_j D(j,p)]",
        "velocity of the weights of a gated network",
        reduction,
        1e-10,
    ),
    Erratum(
        "saxe_lecture, pretraining",
        "time O(D/b0²)",
        "O(D ln 1/b0) under gradient flow",
        "ODE solve from b0 = 1e-3 and 1e-4: growth of the time",
        pretraining,
        0.02,
    ),
    Erratum(
        "saxe_lecture, training speed",
        "time 1/(s b0^D)",
        "1/(s (D−2) b0^{D−2})",
        "ODE solve of a chain of six layers from b0 = 0.01",
        training_speed,
        1e-3,
    ),
)
