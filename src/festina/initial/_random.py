"""Random weights that know nothing of the task: independent ones, and orthogonal layers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks import check
from festina.core.initial import Initial, Shapes, one_or_each, orthonormal
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


@dataclass(frozen=True)
class Orthogonal(Initial):
    """Each layer ``gain`` times a random matrix with orthonormal rows or columns, whichever are fewer.

    All singular values of a layer are equal to ``gain``; at gain 1 depth does not slow learning down.

    Args:
        gain: the singular value of every layer, > 0.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Orthogonal(0.5))
        >>> first, second = network.start(fs.Task(np.eye(2), np.eye(2)), seed=0)
        >>> bool(np.allclose(first.T @ first, 0.25 * np.eye(2)))
        True

    Source: saxe2014 section 3.
    """

    gain: float = 1.0

    def __post_init__(self) -> None:
        check.positive("gain", self.gain)

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One scaled orthogonal matrix per shape."""
        return tuple(
            self.gain * (orthonormal(out, into, rng) if out >= into else orthonormal(into, out, rng).T)
            for out, into in shapes
        )


@dataclass(frozen=True)
class Torch(Initial):
    """The default of ``torch.nn.Linear``: weights and biases uniform between −1/√n_in and 1/√n_in.

    The distribution is PyTorch's, the random numbers are NumPy's; ``fs.from_torch`` takes over the weights of a module.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Torch())
        >>> first, second = network.start(fs.Task(np.eye(4), np.eye(4)), seed=0)
        >>> bool(np.abs(first).max() <= 1 / 2), bool(np.abs(second).max() <= 3**-0.5)
        (True, True)
    """

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix of independent entries per shape."""
        return tuple(rng.uniform(-(into**-0.5), into**-0.5, (out, into)) for out, into in shapes)

    def biases(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One vector of independent entries per layer."""
        return tuple(rng.uniform(-(into**-0.5), into**-0.5, out) for out, into in shapes)
