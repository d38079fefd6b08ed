"""Recurrent initial weights that are aligned with the modes of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.core.initial import one_or_each, orthonormal
from festina.core.task import Task
from festina.initial import Initial
from festina.recurrent._theory import TemporalModes


@dataclass(frozen=True)
class AlignedRecurrence(Initial):
    """W_x = R diag(a) Vᵀ, W_h = R diag(b) Rᵀ, W_y = U diag(c) Rᵀ with random orthonormal R: modes that stay decoupled.

    U and V are the singular vectors that all time steps of the task share. a and c have equal squares: a = √strength,
    c = √strength, so that the strength at lag l is strength·b^l.

    Args:
        strength: c·a at the start, of every mode (one number) or of each, ≥ 0.
        recurrent: b at the start, of every mode or of each.

    Raises:
        ValueError: a negative strength; on use, a wrong number of values, or fewer units than modes.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.integration(length=3)
        >>> network = fs.LinearRNN(4, length=3, initial=fs.recurrent.AlignedRecurrence(0.01, recurrent=0.5))
        >>> first, recurrent, last = network.start(task, seed=0)
        >>> abs(last @ recurrent @ first).round(6).tolist()
        [[0.005]]

    Source: proca2025 (aligned start).
    """

    strength: Any
    recurrent: Any = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "strength", one_or_each("strength", self.strength, "one number >= 0, or one per mode", 0.0)
        )
        object.__setattr__(self, "recurrent", one_or_each("recurrent", self.recurrent, "one number, or one per mode"))

    def draw(self, shapes: Sequence[tuple[int, int]], task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Input, recurrent and output weights."""
        if len(shapes) != 3 or shapes[1][0] != shapes[1][1] or task.x.shape[1] % shapes[0][1]:
            raise ValueError("initial is AlignedRecurrence, which is a start of recurrent networks; use fs.LinearRNN.")
        modes = TemporalModes(task, task.x.shape[1] // shapes[0][1], task.y.shape[1] // shapes[2][0])
        count, width = modes.strengths.shape[1], shapes[1][0]
        if width < count:
            raise ValueError(f"width is {width} for {count} modes; an aligned start needs at least one unit per mode.")
        values = []
        for name in ("strength", "recurrent"):
            given = np.asarray(getattr(self, name))
            if given.ndim == 1 and len(given) != count:
                raise ValueError(f"{name} has {len(given)} values for {count} modes; give one number or one per mode.")
            values.append(np.broadcast_to(given, (count,)))
        frame, layer = orthonormal(width, count, rng), np.sqrt(values[0])
        return frame * layer @ modes.right.T, frame * values[1] @ frame.T, modes.left * layer @ frame.T
