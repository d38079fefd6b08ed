"""Independent Gaussian weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.core.initial import Initial, Shapes, one_or_each
from festina.core.task import Task


@dataclass(frozen=True)
class Gaussian(Initial):
    """Every weight independent and normal with standard deviation ``std``, in every layer.

    A mode of a two-layer network with H hidden units then starts to grow from strength H·std²/2 on average.

    Args:
        std: standard deviation of an entry, ≥ 0, or one per layer.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian((0.1, 0.2)))
        >>> [w.shape for w in network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)]
        [(3, 2), (2, 3)]

    Source: saxe2019 (small random weights).
    """

    std: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "std", one_or_each("std", self.std, "a number >= 0, or one per layer", 0.0))

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix of independent entries per shape."""
        stds = self.std if isinstance(self.std, tuple) else (self.std,) * len(shapes)
        if len(stds) != len(shapes):
            raise ValueError(f"std has {len(stds)} values for {len(shapes)} layers; give one number or one per layer.")
        return tuple(std * rng.standard_normal(shape) for std, shape in zip(stds, shapes, strict=True))
