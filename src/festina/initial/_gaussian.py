"""Independent Gaussian weights."""

from dataclasses import dataclass

import numpy as np

from festina import _check
from festina._task import Task
from festina.initial._base import Initial, Shapes


@dataclass(frozen=True)
class Gaussian(Initial):
    """Every weight independent and normal with standard deviation ``std``, in every layer.

    A mode of a two-layer network with H hidden units then starts to grow from strength H·std²/2 on average.

    Args:
        std: standard deviation of an entry, > 0, or one per layer.

    Source: saxe2019 (small random weights).
    """

    std: float | tuple[float, ...]

    def __post_init__(self) -> None:
        for std in np.atleast_1d(np.asarray(self.std, dtype=object)):
            _check.positive("std", std, zero=True)
        if not isinstance(self.std, int | float):
            object.__setattr__(self, "std", tuple(float(s) for s in np.atleast_1d(self.std)))

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix of independent entries per shape."""
        stds = (self.std,) * len(shapes) if isinstance(self.std, int | float) else self.std
        if len(stds) != len(shapes):
            raise ValueError(f"std has {len(stds)} values for {len(shapes)} layers; give one number or one per layer.")
        return tuple(std * rng.standard_normal(shape) for std, shape in zip(stds, shapes, strict=True))
