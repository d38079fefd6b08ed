"""Heads that start on principal components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.attention._map import regression
from festina.core.initial import one_or_each
from festina.core.task import Task
from festina.initial import Initial


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
        object.__setattr__(
            self, "strength", one_or_each("strength", self.strength, "one number >= 0, or one per component", 0.0)
        )

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
