"""Random weights whose size follows the widths of the layers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.core.initial import Initial, Shapes
from festina.core.task import Task


@dataclass(frozen=True)
class _Fan(Initial):
    """Independent weights with a variance that depends on the widths before and after a layer; biases are zero."""

    gain: float = 1.0
    uniform: bool = False

    def __post_init__(self) -> None:
        check.positive("gain", self.gain)
        check.flag("uniform", self.uniform)

    @abstractmethod
    def variance(self, out: int, into: int) -> float:
        """Variance of an entry at gain 1."""

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix of independent entries per shape."""
        found: list[np.ndarray] = []
        for out, into in shapes:
            std = self.gain * self.variance(out, into) ** 0.5
            # a uniform distribution over ±a has standard deviation a/√3
            drawn = rng.uniform(-(3**0.5), 3**0.5, (out, into)) if self.uniform else rng.standard_normal((out, into))
            found.append(std * drawn)
        return tuple(found)


@dataclass(frozen=True)
class LeCun(_Fan):
    """Every weight independent with variance gain²/n_in: a linear layer keeps the size of its input on average.

    Args:
        gain: factor on the standard deviation, > 0.
        uniform: draw from a uniform distribution of that variance, ±gain·√(3/n_in), instead of a normal one.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(1000,), initial=fs.initial.LeCun())
        >>> float(network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)[1].std().round(3))
        0.032
    """

    def variance(self, out: int, into: int) -> float:
        """1/n_in."""
        return 1 / into


@dataclass(frozen=True)
class He(_Fan):
    """Every weight independent with variance gain²·2/n_in: a ReLU layer keeps the size of its input on average.

    Args:
        gain: factor on the standard deviation, > 0.
        uniform: draw from a uniform distribution of that variance, ±gain·√(6/n_in), instead of a normal one.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.ReLU(hidden=(1000,), initial=fs.initial.He())
        >>> float(network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)[1].std().round(3))
        0.045
    """

    def variance(self, out: int, into: int) -> float:
        """2/n_in."""
        return 2 / into


@dataclass(frozen=True)
class Glorot(_Fan):
    """Every weight independent with variance gain²·2/(n_in + n_out), between what both directions of a layer ask for.

    Args:
        gain: factor on the standard deviation, > 0.
        uniform: draw from a uniform distribution of that variance, ±gain·√(6/(n_in + n_out)), instead of a normal one.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(998,), initial=fs.initial.Glorot(uniform=True))
        >>> float(np.abs(network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)[1]).max().round(3))
        0.077
    """

    def variance(self, out: int, into: int) -> float:
        """2/(n_in + n_out)."""
        return 2 / (into + out)
