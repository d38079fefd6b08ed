"""Weights that start on the task's modes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.core.initial import Initial, Shapes, one_or_each, orthonormal
from festina.core.task import Task


@dataclass(frozen=True)
class Aligned(Initial):
    """Weights decoupled into the modes of the task, equally strong in every layer: a closed form's start.

    W_l = R_l diag(b) R_{l−1}ᵀ with R_0 = V, R_D = U, random orthonormal R_l between, b = strength^{1/D}, so that
    the end-to-end map is U diag(strength) Vᵀ.

    Args:
        strength: initial strength of every mode (one number) or of each mode (one per mode), ≥ 0.

    Raises:
        ValueError: a negative strength; a hidden layer narrower than the number of modes.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Aligned(0.25))
        >>> first, second = network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)
        >>> bool(np.allclose(second @ first, 0.25 * np.eye(2)))
        True

    Source: saxe2014 eq. (6); jarvis2025 App. A.1.
    """

    strength: Any

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "strength", one_or_each("strength", self.strength, "one number >= 0, or one per mode", 0.0)
        )

    def strengths(self, task: Task) -> np.ndarray:
        """One initial strength per mode of the task."""
        rank = task.statistics.rank
        strength = np.asarray(self.strength)
        if strength.ndim == 1 and len(strength) != rank:
            raise ValueError(f"strength has {len(strength)} values for {rank} modes; give one number or one per mode.")
        return np.broadcast_to(strength, (rank,)).astype(float)

    def directions(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """R_0 = V, one random orthonormal frame per hidden layer, R_D = U."""
        statistics = task.statistics
        hidden = [out for out, _ in shapes[:-1]]
        if hidden and min(hidden) < statistics.rank:
            raise ValueError(
                f"hidden has a layer of width {min(hidden)} below the task's rank {statistics.rank}; an aligned start "
                "needs one unit per mode: widen the layer, or start from fs.initial.Gaussian or fs.initial.Balanced."
            )
        frames = [orthonormal(width, statistics.rank, rng) for width in hidden]
        return (statistics.right, *frames, statistics.left)

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Layers that carry each mode with the same strength."""
        frames = self.directions(shapes, task, rng)
        layer = self.strengths(task) ** (1 / len(shapes))
        return tuple(frames[i + 1] * layer @ frames[i].T for i in range(len(shapes)))
