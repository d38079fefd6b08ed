"""A linear recurrent network mode by mode: three numbers for each singular vector that all time steps share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times, Weights
from festina.core.statistics import RANK_TOLERANCE
from festina.core.task import Task, check_task
from festina.modes.mode import grow
from festina.recurrent._observe import Step
from festina.solvers.ode import integrate

TOLERANCE = 1e-13
"""Relative tolerance of the reduced equations."""

LEAVES = 0.1
"""Strength of images outside of the kept directions up to which the reduced loss is close to that of the network."""

CANCELLED = 1e-8
"""Share of two opposite vectors that is left where they cancel up to rounding."""


@dataclass(frozen=True, eq=False)
class TemporalModes:
    """Correlations of targets with the input of each time step, in singular vectors that all steps share.

    Args:
        task: inputs of ``length`` steps side by side.
        length: T.
        window: the last steps that have targets; these stand side by side.

    Example:
        >>> import festina as fs
        >>> modes = TemporalModes(fs.tasks.delayed_response(length=3, strengths=2.0), 3)
        >>> abs(modes.strengths[:, 0]).round(6).tolist()
        [0.0, 0.0, 2.0]

    Source: proca2025 (data singular values over time).
    """

    task: Task
    length: int
    window: int = 1

    def __post_init__(self) -> None:
        check_task(self.task)
        length, width = check.whole("length", self.length), self.task.x.shape[1]
        if self.task.y.shape[1] % check.whole("window", self.window, most=length):
            raise ValueError(
                f"window is {self.window} for a task with {self.task.y.shape[1]} outputs; targets of all steps that "
                "count stand side by side, so that window must divide their number: fs.tasks.integration(window=...)."
            )
        if width % length:
            raise ValueError(
                f"length is {length} for a task with {width} inputs; inputs of all time steps stand side by side, so "
                "that length must divide their number: see fs.tasks.integration."
            )

    @property
    def inputs(self) -> int:
        """Inputs per time step."""
        return self.task.x.shape[1] // self.length

    @property
    def outputs(self) -> int:
        """Outputs per answer."""
        return self.task.y.shape[1] // self.window

    @cached_property
    def maps(self) -> np.ndarray:
        """Σyx of each lag, lag 0 (the last input) first, shape (T, outputs, inputs): the mean over answers."""
        sigma = self.task.statistics.cross_correlation.reshape(self.window, self.outputs, self.length, self.inputs)
        answers = range(self.length - self.window, self.length)
        return np.stack([
            np.mean([sigma[k, :, t - lag] for k, t in enumerate(answers) if t >= lag], axis=0)
            for lag in range(self.length)
        ])  # fmt: skip

    @cached_property
    def _vectors(self) -> tuple[np.ndarray, np.ndarray]:
        # a sum with unequal weights: modes are confused only where they are equal at every lag
        mixed = np.tensordot(1 / (np.arange(self.length) + np.sqrt(2)), self.maps, axes=1)
        u, s, vt = np.linalg.svd(mixed, full_matrices=False)
        keep = s > RANK_TOLERANCE * max(float(np.linalg.norm(self.maps)), 1e-300)
        return u[:, keep], vt[keep].T

    @property
    def left(self) -> np.ndarray:
        """U, one output vector per mode."""
        return self._vectors[0]

    @property
    def right(self) -> np.ndarray:
        """V, one input vector per mode, the same at every time step."""
        return self._vectors[1]

    @cached_property
    def strengths(self) -> np.ndarray:
        """s of each lag and mode, (T, modes), lag 0 first; the sign is relative to that of U and V."""
        return np.einsum("om,loi,im->lm", self.left, self.maps, self.right)

    @cached_property
    def unshared(self) -> float:
        """Relative distance of the correlations from shared singular vectors; 0 where all time steps share them."""
        size = float(np.linalg.norm(self.maps))
        shared = np.einsum("om,lm,im->loi", self.left, self.strengths, self.right)
        return float(np.linalg.norm(self.maps - shared) / size) if size else 0.0

    @property
    def curvature(self) -> float:
        """d, the variance of an input: Σx = d·1."""
        sigma = self.task.statistics.input_correlation
        return float(np.trace(sigma) / len(sigma))


@dataclass(frozen=True, eq=False)
class Recurrence:
    """Weights measured mode by mode: W_x v = a n, nᵀ W_h n = b, W_yᵀ u = c n.

    Attributes:
        a, b, c: input, recurrent and output strength of each mode.
        directions: n, one hidden vector per column.
        alignment: relative distance of the weights from those that a, b, c describe.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    directions: np.ndarray
    alignment: float

    def weights(self, a: np.ndarray, b: np.ndarray, c: np.ndarray, modes: TemporalModes) -> Weights:
        """W_x, W_h, W_y for strengths of shape (..., modes)."""
        n = self.directions
        return (
            np.einsum("hm,...m,im->...hi", n, a, modes.right),
            np.einsum("hm,...m,km->...hk", n, b, n),
            np.einsum("om,...m,hm->...oh", modes.left, c, n),
        )


def measure(weights: Weights, modes: TemporalModes) -> Recurrence:
    """Along the hidden direction W_x v + W_yᵀ u of each mode, which is the one that grows."""
    first, recurrent, last = (np.asarray(w) for w in weights)
    below, above = first @ modes.right, last.T @ modes.left
    both = below + above
    size = np.linalg.norm(both, axis=0)
    opposed = size <= CANCELLED * (np.linalg.norm(below, axis=0) + np.linalg.norm(above, axis=0))
    both = np.where(opposed, below, both)
    size = np.linalg.norm(both, axis=0)
    n = both / np.where(size > 0, size, 1.0)
    a, b, c = (n * below).sum(axis=0), (n * (recurrent @ n)).sum(axis=0), (n * above).sum(axis=0)
    found = Recurrence(a, b, c, n, 0.0)
    told = found.weights(a, b, c, modes)
    total = np.sqrt(sum(float(np.sum(w**2)) for w in (first, recurrent, last)))
    rest = np.sqrt(sum(float(np.sum((w - t) ** 2)) for w, t in zip((first, recurrent, last), told, strict=True)))
    gram = n[:, size > 0].T @ n[:, size > 0]
    crossed = float(np.linalg.norm(gram - np.eye(len(gram)), 2)) if len(gram) else 0.0
    return Recurrence(a, b, c, n, max(float(rest / total) if total > 0 else 0.0, crossed))


def powers(b: np.ndarray, length: int) -> np.ndarray:
    """b⁰, b¹, …, b^{T−1} along a new axis before the last."""
    return np.stack([b**lag for lag in range(length)], axis=-2)


def follow(
    start: Recurrence, modes: TemporalModes, times: Times, step: Step
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """a(t), b(t), c(t), each (times, modes): gradient flow of L = ½ Σ_l n_l (s_l − d c M^l X)²/d per mode.

    X = leak·a and M = 1 − leak + leak·b; n_l answers see lag l. da = leak Σ n e c M^l, dc = Σ n e X M^l,
    db = leak Σ n e c X l M^{l−1} with e_l = s_l − d c M^l X. Input noise adds its variance to d; private noise adds
    ½ (leak·σ_h)² Σ n_l c² M^{2l} to L. Without it a² − c² is conserved.

    Source: proca2025 (dynamics of a mode), checked against all weights.
    """
    s, d, length = modes.strengths, modes.curvature + step.input_noise**2, modes.length
    count, leak = s.shape[1], step.leak
    lags, n = np.arange(length)[:, None], step.counts()[:, None]
    private = (leak * step.private_noise) ** 2
    begin = np.concatenate([start.a, start.b, start.c])
    if not np.all(np.isfinite(times)):
        raise ValueError(
            "times is None (t → ∞), for which recurrent modes have no closed form; give times, or fix the recurrence: "
            "fs.LinearRNN(..., learn_recurrent=False)."
        )

    def field(_: float, state: np.ndarray) -> np.ndarray:
        a, b, c = state.reshape(3, count)
        x, m = leak * a, 1 - leak + leak * b
        high = powers(m, length)
        error = n * (s - d * c * x * high)
        slope = np.concatenate([np.zeros((1, count)), lags[1:] * high[:-1]])
        reach = (error * high).sum(axis=0)
        noise, moved = (private * c * (n * high * part).sum(axis=0) for part in (high, slope))
        return np.concatenate(
            [leak * c * reach, leak * c * (x * (error * slope).sum(axis=0) - moved), x * reach - noise]
        )

    # stiff once a mode is learned: an explicit solver would go on in steps of the time in which it was
    sizes = np.maximum(np.abs(start.a), np.abs(start.c))
    # a large b must not hide modes that begin small; what is smaller yet is rounding
    known = sizes[sizes > np.finfo(float).eps * np.abs(begin).max(initial=0.0)]
    atol = TOLERANCE * float(known.min(initial=1.0))
    a, b, c = np.moveaxis(integrate(field, begin, times, TOLERANCE, atol).reshape(len(times), 3, count), 1, 0)
    return a, b, c


def fixed(start: Recurrence, modes: TemporalModes, times: Times, step: Step) -> tuple[np.ndarray, np.ndarray]:
    """a(t) and c(t) while b stays as it is, in closed form: a mode of two layers with s = leak Σ n_l s_l M^l and
    d leak² Σ n_l M^{2l}.
    """
    high, n = powers(1 - step.leak + step.leak * start.b, modes.length), step.counts()[:, None]
    s = step.leak * (n * modes.strengths * high).sum(axis=0)
    d = (modes.curvature + step.input_noise**2) * step.leak**2 * (n * high**2).sum(axis=0)
    # a mode with s < 0 is one with s > 0 and c turned round
    turn = np.where(s < 0, -1.0, 1.0)
    up, down = (start.a + turn * start.c) / 2, (start.a - turn * start.c) / 2
    rho, kappa = grow(times[:, None], np.abs(s), d, up**2, down**2)
    half, rest = np.sign(up) * np.sqrt(rho), np.sign(down) * np.sqrt(kappa)
    return half + rest, turn * (half - rest)


def closed_basis(weights: Weights, left: float) -> tuple[np.ndarray, float]:
    """Hidden directions (units, k) that W_x and W_yᵀ span with their images under W_h and W_hᵀ, and what they lack.

    Images are added, one application after another, until the product of the largest strengths with which each leaves
    the directions before is at most ``left``. Where that would take all directions, fewer are taken if what leaves
    them is at most ``LEAVES``.
    """
    first, recurrent, last = (np.asarray(w) for w in weights)
    width = len(recurrent)
    basis = np.zeros((width, 0))
    new, lacks = np.concatenate([first, last.T], axis=1), 1.0
    while True:
        for _ in range(2):  # once more, since rounding errors leave a part of what is subtracted
            new = new - basis @ (basis.T @ new)
        u, s, _ = np.linalg.svd(new, full_matrices=False)
        size = s.max(initial=0.0)
        # images are of unit vectors: their strength is that of the recurrence itself
        lacks = lacks if not basis.size else lacks * float(size)
        fresh = u[:, s > RANK_TOLERANCE * max(float(np.linalg.norm(recurrent)) if basis.size else size, 1e-300)]
        full = basis.shape[1] + fresh.shape[1] >= width
        if basis.size and (lacks <= left or (full and lacks <= LEAVES)):
            return basis, lacks
        basis = np.concatenate([basis, fresh], axis=1)
        if not fresh.size or full:
            return basis, 0.0
        new = np.concatenate([recurrent @ fresh, recurrent.T @ fresh], axis=1)
