"""Heads that start on principal components, and their closed form: one chain of three layers per component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.attention._saddle import regression
from festina.checks import check
from festina.checks.shapes import Times, Weights
from festina.core.task import Task
from festina.initial import Initial
from festina.modes.mode import strength
from festina.tasks import InContextRegression


@dataclass(frozen=True)
class AlignedHeads(Initial):
    """Separate key and query, each head on eigenvectors of Λ: the start from which linear attention is solved exactly.

    Head 1 takes the first R eigenvectors, head 2 the next R, and so on; heads that are left over start at zero. Value,
    key and query are balanced, v_h² = Σ_r ‖k_hr‖² and ‖k_hr‖ = ‖q_hr‖, so that e_dᵀ M e_d = ``strength``.

    Args:
        strength: initial strength of every component (one number), or of each (one per eigenvector of Λ), ≥ 0.

    Raises:
        ValueError: a negative strength; on use, a wrong number of strengths, or merged key and query.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.in_context_regression([2.0, 1.0], length=10)
        >>> network = fs.LinearAttention(heads=2, initial=fs.attention.AlignedHeads(1e-3))
        >>> query, key, value = network.start(task, seed=0)
        >>> key.round(6).tolist(), value.round(6).tolist()
        ([[0.1, 0.0], [0.0, 0.1]], [[0.1, 0.1]])

    Source: zhang2025 (separate key and query: aligned heads).
    """

    strength: Any

    def __post_init__(self) -> None:
        strength = check.numbers("strength", self.strength)
        if strength.ndim > 1 or np.any(strength < 0):
            raise ValueError(f"strength is {self.strength!r}; one number >= 0, or one per component, is needed.")
        object.__setattr__(self, "strength", float(strength) if strength.ndim == 0 else tuple(strength.tolist()))

    def draw(self, shapes: Sequence[tuple[int, int]], task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Query, key and value; nothing is random."""
        known = regression(task)
        if len(shapes) != 3:
            raise ValueError(
                "initial is AlignedHeads with merged key and query; use fs.initial.Aligned(strength) for merged heads."
            )
        size = known.dimension
        given = np.asarray(self.strength)
        if given.ndim == 1 and len(given) != size:
            raise ValueError(f"strength has {len(given)} values for {size} components; give one number or one each.")
        heads, rank = shapes[2][1], shapes[0][0] // shapes[2][1]
        start = np.zeros(heads * rank)
        filled = min(len(start), size)
        start[:filled] = np.broadcast_to(given, (size,))[:filled]
        value = np.cbrt(start.reshape(heads, rank).sum(axis=1))
        gain = value.repeat(rank)
        length = np.sqrt(start / np.where(gain > 0, gain, 1.0))
        rows = np.zeros((heads * rank, size))
        rows[:filled] = length[:filled, None] * known.basis.T[:filled]
        return rows, rows.copy(), value[None]


@dataclass(frozen=True, eq=False)
class Heads:
    """Rank-one heads measured along the eigenvectors of Λ.

    Attributes:
        component: the eigenvector that each head reads most.
        layers: value, key and query strength along it, (3, heads).
        alignment: relative distance of the weights from heads that read this eigenvector alone.
        balance: largest difference of squared layer strengths within a head, relative to its largest square.
        shared: heads, beyond one per component, that read an eigenvector which another one reads.
    """

    component: np.ndarray
    layers: np.ndarray
    alignment: float
    balance: float
    shared: int


def measure_heads(weights: Weights, task: InContextRegression) -> Heads:
    """Eigenvector that each rank-one head follows, and how exactly."""
    query, key = (np.asarray(w) @ task.basis for w in weights[:2])
    value = np.asarray(weights[2])[0]
    component = np.argmax(np.abs(key) + np.abs(query), axis=1)
    heads = np.arange(len(component))
    layers = np.stack([value, key[heads, component], query[heads, component]])
    total = np.linalg.norm(key) ** 2 + np.linalg.norm(query) ** 2
    inside = np.sum(layers[1:] ** 2)
    squares = layers**2
    active = squares.max(axis=0) > np.finfo(float).eps ** 2 * squares.max(initial=0.0)
    top = squares.max(axis=0)[active]
    balance = float(((top - squares.min(axis=0)[active]) / top).max(initial=0.0))
    rows = np.concatenate([key, query])
    rest = rows.copy()
    rest[heads, component] = 0.0
    rest[heads + len(heads), component] = 0.0
    # ‖rest‖ directly: the difference of squares has half the digits
    alignment = float(np.linalg.norm(rest) / np.sqrt(total)) if total > 0 and inside > 0 else 0.0
    shared = int(active.sum() - len(np.unique(component[active])))
    return Heads(component, layers, alignment, balance, shared)


def solve_heads(heads: Heads, task: InContextRegression, times: Times) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Strength of each component over time, (times, D), and the weights: du/dt = 3 u^{4/3} (s − c u) per component.

    Source: zhang2025 (separate key and query: scalar equations), solved by ``fs.linear.strength`` at depth 3.
    """
    s, c = task.chain_rates
    active = task.final_strengths[heads.component] > 0
    d = np.where(active, heads.component, 0)
    start = np.prod(heads.layers, axis=0)
    grown = strength(times[:, None], s[d], c[d], np.abs(start), 3)
    u = np.where(active, grown, np.abs(start))
    strengths = np.zeros((len(times), len(s)))
    for head, component in enumerate(heads.component):
        strengths[:, component] += np.sign(start[head]) * u[:, head]
    signs = np.sign(heads.layers)
    layer = signs[:, None] * np.cbrt(u)
    rows = task.basis.T[heads.component]
    return strengths, (layer[2][..., None] * rows, layer[1][..., None] * rows, layer[0][:, None])
