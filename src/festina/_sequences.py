"""What a task over time is: a map from the inputs of every time step to the target at the end of a sequence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from festina import _check
from festina._task import Task
from festina._types import Array


@dataclass(frozen=True)
class DrawSequences:
    """Draws sequences: white inputs x_t ~ N(0, 1) and targets y = Σ_t S_t x_t + noise.

    Args:
        matrix: (S_1 … S_T) side by side, as nested tuples.
        noise: standard deviation of the noise of each target.
    """

    matrix: tuple[tuple[float, ...], ...]
    noise: float = 0.0

    def __call__(self, key: Array, count: int) -> tuple[Array, Array]:
        """Inputs (count, T × inputs), one time step after another, and targets (count, outputs)."""
        import jax
        import jax.numpy as jnp

        matrix = jnp.asarray(self.matrix)
        inputs, rest = jax.random.split(key)
        x = jax.random.normal(inputs, (count, matrix.shape[1]))
        return x, x @ matrix.T + self.noise * jax.random.normal(rest, (count, len(matrix)))


@dataclass(frozen=True, eq=False, repr=False)
class Sequences(Task):
    """A task over time, given by its statistics: white inputs x_t, targets Σ_t S_t x_t at the end of the sequence.

    ``x`` has T × inputs columns, one time step after another, so that a feed-forward network sees a sequence as one
    long input.

    Attributes:
        maps: S_t, shape (T, outputs, inputs); S_T belongs to the last input.
        noise: standard deviation of the targets' noise.
        longer: how the task goes on in longer sequences: ``"repeat"`` (every input counts alike), ``"first"`` (the
            first input is to be remembered for longer), or None where that is not defined.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.integration(length=3)
        >>> task.length, task.maps.shape
        (3, (3, 1, 1))
    """

    maps: Any = field(kw_only=True)
    noise: float = field(default=0.0, kw_only=True)
    longer: Literal["repeat", "first"] | None = field(default=None, kw_only=True)
    draw: DrawSequences | None = field(default=None, kw_only=True)

    @property
    def length(self) -> int:
        """T, the number of time steps."""
        return len(self.maps)

    def extended(self, length: int) -> Sequences:
        """The same task over sequences of another length.

        Raises:
            ValueError: the task does not say how it goes on.

        Example:
            >>> import festina as fs
            >>> fs.tasks.integration(length=4).extended(8).length
            8
        """
        length = _check.whole("length", length)
        if self.longer is None:
            raise ValueError(f"task is {self!r}, which does not say how it goes on in longer sequences.")
        _check.size("length", length * self.maps.shape[2], length * self.maps.shape[2])
        return describe_sequences(extend(self.maps, length, self.longer), self.name, self.noise, self.longer)


def extend(maps: np.ndarray, length: int, longer: Literal["repeat", "first"]) -> np.ndarray:
    """S_t of the same rule over ``length`` steps."""
    if longer == "repeat":
        return np.repeat(maps[:1], length, axis=0)
    return np.concatenate([maps[:1], np.zeros((length - 1, *maps.shape[1:]))])


def describe_sequences(
    maps: np.ndarray, name: str, noise: float, longer: Literal["repeat", "first"] | None
) -> Sequences:
    """The task whose targets at the end are Σ_t S_t x_t, with ``maps`` S_t of shape (T, outputs, inputs)."""
    steps, outputs, inputs = maps.shape
    noise = _check.scale("noise", noise, zero=True)
    matrix = np.concatenate(list(maps), axis=1)
    maps = np.array(maps)
    maps.setflags(write=False)
    return Sequences.from_statistics(
        np.eye(steps * inputs), matrix, power=float(np.sum(matrix**2) + outputs * noise**2), maps=maps, noise=noise,
        inputs=[f"x{i + 1} at {t + 1}" for t in range(steps) for i in range(inputs)], longer=longer, name=name,
        draw=DrawSequences(tuple(map(tuple, matrix.tolist())), noise),
    )  # fmt: skip
