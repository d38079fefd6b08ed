"""Tasks over time: what came earlier is to be remembered, summed or weighted at the end of a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.core.task import Task


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
    long input. With a ``window`` there are targets at each of the last steps, by the same rule: an input counts by how
    many steps ago it came.

    Attributes:
        maps: S_t, shape (T, outputs, inputs); S_T belongs to the last input.
        noise: standard deviation of the targets' noise.
        longer: how the task continues in longer sequences: ``"repeat"`` (every input counts alike), ``"first"`` (the
            first input is to be remembered for longer), or None if that is not defined.
        window: number of last steps with a target; the columns of ``y``, one step after another.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.integration(length=3)
        >>> task.length, task.maps.shape
        (3, (3, 1, 1))
        >>> fs.tasks.integration(length=3, window=2)
        Task('integration': given by statistics, 3 inputs, 2 outputs)
    """

    maps: Any = field(kw_only=True)
    noise: float = field(default=0.0, kw_only=True)
    longer: Literal["repeat", "first"] | None = field(default=None, kw_only=True)
    draw: DrawSequences | None = field(default=None, kw_only=True)
    window: int = field(default=1, kw_only=True)

    @property
    def length(self) -> int:
        """T, the number of time steps."""
        return len(self.maps)

    def extended(self, length: int) -> Sequences:
        """The same task over sequences of another length.

        Raises:
            ValueError: the task does not say how it continues.

        Example:
            >>> import festina as fs
            >>> fs.tasks.integration(length=4).extended(8).length
            8
        """
        length = check.whole("length", length)
        if self.longer is None:
            raise ValueError(f"task is {self!r}, which does not say how it goes on in longer sequences.")
        check.size("length", length * self.maps.shape[2], length * self.maps.shape[2])
        return describe_sequences(
            extend(self.maps, length, self.longer), self.name, self.noise, self.longer, self.window
        )


def extend(maps: np.ndarray, length: int, longer: Literal["repeat", "first"]) -> np.ndarray:
    """S_t of the same rule over ``length`` steps."""
    if longer == "repeat":
        return np.repeat(maps[:1], length, axis=0)
    return np.concatenate([maps[:1], np.zeros((length - 1, *maps.shape[1:]))])


def describe_sequences(
    maps: np.ndarray, name: str, noise: float, longer: Literal["repeat", "first"] | None, window: int = 1
) -> Sequences:
    """The task whose targets at the end are Σ_t S_t x_t, with ``maps`` S_t of shape (T, outputs, inputs)."""
    steps, outputs, inputs = maps.shape
    noise, window = check.scale("noise", noise, zero=True), check.whole("window", window, most=steps)
    nothing = np.zeros((outputs, inputs))
    # an answer some steps before the end is the same sum without that number of inputs
    matrix = np.concatenate(
        [np.concatenate([*maps[ago:], *[nothing] * ago], axis=1) for ago in reversed(range(window))], axis=0
    )
    maps = np.array(maps)
    maps.setflags(write=False)
    return Sequences.from_statistics(
        np.eye(steps * inputs), matrix, power=float(np.sum(matrix**2) + len(matrix) * noise**2), maps=maps, noise=noise,
        window=window, inputs=[f"x{i + 1} at {t + 1}" for t in range(steps) for i in range(inputs)], longer=longer,
        name=name, draw=DrawSequences(tuple(map(tuple, matrix.tolist())), noise),
    )  # fmt: skip


def _map(length: int, strengths: object, inputs: int | None, outputs: int | None, seed: int) -> np.ndarray:
    """S = U diag(strengths) Vᵀ with random orthonormal U and V, for sequences of a length that memory allows."""
    values = np.atleast_1d(check.numbers("strengths", strengths))
    if values.ndim != 1 or values.size == 0 or np.any(values <= 0):
        raise ValueError(f"strengths is {check.shown(strengths)}; give one number > 0 per mode.")
    for extreme in (values.max(), values.min()):
        check.scale("strengths", float(extreme))
    widths = {
        name: len(values) if given is None else check.whole(name, given)
        for name, given in (("inputs", inputs), ("outputs", outputs))
    }
    for name, width in widths.items():
        if width < len(values):
            raise ValueError(f"{name} is {width} for {len(values)} strengths; at least one per mode is needed.")
    # the input correlation of the whole sequence is the largest array of such a task
    check.size(
        "length, inputs and outputs", length * widths["inputs"], max(length * widths["inputs"], widths["outputs"])
    )
    rng = np.random.default_rng(check.seed("seed", seed))
    right, left = (np.linalg.qr(rng.standard_normal((width, len(values))))[0] for width in widths.values())
    return left * values @ right.T


def integration(
    length: int = 5,
    strengths: Sequence[float] | np.ndarray | float = 1.0,
    *,
    inputs: int | None = None,
    outputs: int | None = None,
    noise: float = 0.0,
    window: int = 1,
    seed: int = 0,
) -> Sequences:
    """Sum over time: y = S Σ_t x_t, every input counts alike; S_t = S = U diag(strengths) Vᵀ.

    Args:
        length: T ≥ 1, the number of time steps.
        strengths: singular values of S, > 0, one per mode.
        inputs, outputs: dimensions; None: one per mode.
        noise: standard deviation of the targets' noise, ≥ 0.
        window: number of last steps with a target, 1 … T.
        seed: draws U and V.

    Raises:
        ValueError: an argument that is not allowed.

    Example:
        >>> import festina as fs
        >>> fs.tasks.integration(length=4, strengths=(2.0, 1.0))
        Task('integration': given by statistics, 8 inputs, 2 outputs)

    Source: proca2025 (tasks whose singular values are constant over time).
    """
    length = check.whole("length", length)
    maps = np.repeat(_map(length, strengths, inputs, outputs, seed)[None], length, axis=0)
    return describe_sequences(maps, "integration", noise, "repeat", window)


def delayed_response(
    length: int = 5,
    strengths: Sequence[float] | np.ndarray | float = 1.0,
    *,
    delay: int | None = None,
    inputs: int | None = None,
    outputs: int | None = None,
    noise: float = 0.0,
    window: int = 1,
    seed: int = 0,
) -> Sequences:
    """Remember one input over a delay: y = S x_{T − delay}, all other inputs are to be ignored.

    Args:
        length: T ≥ 1, the number of time steps.
        strengths: singular values of S, > 0, one per mode.
        delay: steps between the input that counts and the end, 0 … T − 1; None: T − 1, the first input counts.
        inputs, outputs: dimensions; None: one per mode.
        noise: standard deviation of the targets' noise, ≥ 0.
        window: number of last steps with a target, 1 … T.
        seed: draws U and V.

    Raises:
        ValueError: an argument that is not allowed.

    Example:
        >>> import festina as fs
        >>> fs.tasks.delayed_response(length=4, delay=2).maps[:, 0, 0].round(6).tolist()
        [0.0, 1.0, 0.0, 0.0]

    Source: proca2025 (tasks with singular values at single time steps).
    """
    length = check.whole("length", length)
    delay = length - 1 if delay is None else check.whole("delay", delay, least=0)
    if delay >= length:
        raise ValueError(f"delay is {delay} in sequences of length {length}; at most {length - 1} is possible.")
    maps = np.zeros((length, *(one := _map(length, strengths, inputs, outputs, seed)).shape))
    maps[length - 1 - delay] = one
    return describe_sequences(maps, "delayed response", noise, "first" if delay == length - 1 else None, window)


def sensory_integration(maps: object, *, noise: float = 0.0, window: int = 1) -> Sequences:
    """Weigh inputs by when they came: y = Σ_t S_t x_t with the S_t given.

    Args:
        maps: S_t, shape (T, outputs, inputs); or the strengths s_t of each mode over time, shape (T, modes), which
            stand on the diagonal of S_t.
        noise: standard deviation of the targets' noise, ≥ 0.
        window: number of last steps with a target, 1 … T.

    Raises:
        ValueError: an array of another shape.

    Example:
        >>> import festina as fs
        >>> fs.tasks.sensory_integration([[0.25, 0.0], [0.5, 0.0], [1.0, 2.0]]).length
        3

    Source: proca2025 (sensory integration).
    """
    given = check.numbers("maps", maps)
    if given.ndim not in (2, 3) or given.size == 0:
        raise ValueError(
            f"maps has shape {given.shape}; give S_t as (T, outputs, inputs), or strengths over time as (T, modes)."
        )
    if given.ndim == 2:
        check.size("maps", given.shape[0] * given.shape[1], given.shape[0] * given.shape[1])
        given = np.stack([np.diag(row) for row in given])
    return describe_sequences(given, "sensory integration", noise, None, window)
