"""In-context linear regression: a regression that is new in every sequence."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array
from festina.core.task import Task

EXAMPLES = 64
"""Most numbers of examples at which the in-context risk is observed; longer sequences are sampled geometrically."""


@dataclass(frozen=True)
class DrawRegressions:
    """Draws regressions: x ~ N(0, Λ), w ~ N(0, 1) anew in each sequence, y = w·x.

    Args:
        covariance: Λ as nested tuples.
        length: number N of examples before the query.
    """

    covariance: tuple[tuple[float, ...], ...]
    length: float

    def sequences(self, key: Array, count: int) -> tuple[tuple[Array, Array, Array], Array]:
        """Examples x (count, N, D) and y (count, N), queries (count, D), and the answers (count, 1)."""
        import jax
        import jax.numpy as jnp

        if math.isinf(self.length):
            raise ValueError("length is infinite, so no sequence can be drawn; give a finite length, or no batch.")
        eigenvalues, basis = np.linalg.eigh(np.array(self.covariance))
        root = jnp.asarray(basis * np.sqrt(np.maximum(eigenvalues, 0.0)) @ basis.T)
        inputs, weights = jax.random.split(key)
        x = jax.random.normal(inputs, (count, int(self.length) + 1, len(root))) @ root
        w = jax.random.normal(weights, (count, len(root)))
        y = jnp.einsum("snd,sd->sn", x, w)
        return (x[:, :-1], y[:, :-1], x[:, -1]), y[:, -1:]

    def __call__(self, key: Array, count: int) -> tuple[Array, Array]:
        """Cubic features vec(b x_qᵀ), b = (1/N) Σ y_n x_n, and the answers."""
        (x, y, query), answer = self.sequences(key, count)
        beta = (x * y[:, :, None]).mean(axis=1)
        return (beta[:, :, None] * query[:, None, :]).reshape(count, -1), answer


@dataclass(frozen=True, eq=False, repr=False)
class InContextRegression(Task):
    """Result of ``in_context_regression``: a task of D² cubic features, with the covariance and the length.

    Attributes:
        covariance: Λ, shape (D, D).
        length: number N of examples in a sequence, or ``math.inf``.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.in_context_regression([2.0, 1.0], length=4)
        >>> task.dimension, task.eigenvalues
        (2, array([2., 1.]))
    """

    covariance: Any = field(kw_only=True)
    length: float = field(kw_only=True)
    draw: DrawRegressions | None = field(default=None, kw_only=True)

    @property
    def dimension(self) -> int:
        """D, the dimension of an example."""
        return len(self.covariance)

    @property
    def eigenvalues(self) -> np.ndarray:
        """λ_d, largest first."""
        return np.maximum(np.linalg.eigvalsh(self.covariance)[::-1], 0.0)

    @property
    def basis(self) -> np.ndarray:
        """Eigenvectors of Λ as columns, in the order of ``eigenvalues``; the largest entry of each is positive."""
        found = np.linalg.eigh(self.covariance)[1][:, ::-1]
        return found * np.sign(found[np.argmax(np.abs(found).round(9), axis=0), np.arange(len(found))])

    @property
    def chain_rates(self) -> tuple[np.ndarray, np.ndarray]:
        """s_d = λ_d² and c_d = λ_d² ((1 + 1/N) λ_d + Tr Λ/N) of every component."""
        s = self.eigenvalues**2
        return s, s * ((1 + 1 / self.length) * self.eigenvalues + self.eigenvalues.sum() / self.length)

    @property
    def final_strengths(self) -> np.ndarray:
        """s_d/c_d, the final strength of each component; 0 for directions in which inputs do not vary.

        Example:
            >>> import festina as fs
            >>> fs.tasks.in_context_regression([1.0, 0.0], length=10).final_strengths.round(4)
            array([0.8333, 0.    ])

        Source: zhang2025 (solution of in-context regression).
        """
        s, c = self.chain_rates
        active = self.eigenvalues > np.finfo(float).eps * len(s) * self.eigenvalues[0]
        return np.where(active, s / np.where(active, c, 1.0), 0.0)

    @property
    def plateaus(self) -> np.ndarray:
        """L_m = ½ [Tr Λ − Σ_{d ≤ m} s_d²/c_d], m = 0 … D: the loss on each step of the staircase, largest λ first.

        Example:
            >>> import festina as fs
            >>> fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31).plateaus.round(4)
            array([1.55  , 0.8192, 0.3776, 0.1748])

        Source: zhang2025 (separate key and query: loss at the saddles that are passed).
        """
        drops = self.chain_rates[0] * self.final_strengths
        return 0.5 * (np.trace(self.covariance) - np.concatenate([[0.0], np.cumsum(drops)]))

    @property
    def correlation_of_examples(self) -> np.ndarray:
        """B = ⟨b bᵀ⟩ = (1 + 1/N) Λ² + (Tr Λ/N) Λ."""
        return correlation_of_examples(self.covariance, self.length)

    @property
    def examples(self) -> np.ndarray:
        """Numbers of examples at which the in-context risk is observed: all up to N, or spread geometrically."""
        if self.length <= EXAMPLES:
            return np.arange(1, int(self.length) + 1)
        last = self.length if math.isfinite(self.length) else 1024
        return np.unique(np.rint(np.geomspace(1, last, EXAMPLES)).astype(int))


def correlation_of_examples(covariance: np.ndarray, length: float) -> np.ndarray:
    """B = (1 + 1/N) Λ² + (Tr Λ/N) Λ, the correlation of b = (1/N) Σ y_n x_n."""
    return (1 + 1 / length) * covariance @ covariance + np.trace(covariance) / length * covariance


def in_context_regression(covariance: object, length: float) -> InContextRegression:
    """Sequences (x_1, y_1) … (x_N, y_N), x_q with y = w·x, x ~ N(0, Λ), and w ~ N(0, 1) drawn anew in each sequence.

    The task is given by its statistics. Linear attention sees a sequence through the D² features z = vec(b x_qᵀ) with b
    = (1/N) Σ y_n x_n. Their correlations are Σx = B ⊗ Λ, Σyx = vec(Λ²)ᵀ and ⟨y²⟩ = Tr Λ, where B = (1 + 1/N) Λ² + (Tr
    Λ/N) Λ. The least loss is ½ [Tr Λ − Σ_d s_d²/c_d], s_d = λ_d² and c_d = λ_d² ((1 + 1/N) λ_d + Tr Λ/N). ``draw``
    draws fresh sequences.

    Args:
        covariance: Λ, symmetric without negative eigenvalues, (D, D); or its eigenvalues, one-dimensional.
        length: N ≥ 1, a whole number, or ``math.inf``.

    Raises:
        ValueError: not a covariance matrix, or not a length.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.in_context_regression([1.6, 1.0, 0.5], length=31)
        >>> task
        Task('in-context regression': given by statistics, 9 inputs, 1 outputs)
        >>> round(task.statistics.floor, 4)
        0.1748

    Source: zhang2025 (task and cubic features).
    """
    given = check.numbers("covariance", covariance)
    matrix = np.diag(given) if given.ndim == 1 else given
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ValueError(
            f"covariance has shape {given.shape}; a square matrix (D, D), or its D eigenvalues, is needed."
        )
    size = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > 1e-9 * size or np.linalg.eigvalsh(matrix)[0] < -1e-9 * size:
        raise ValueError(
            "covariance is not symmetric with eigenvalues >= 0; give a covariance matrix, such as x.T @ x / len(x)."
        )
    if size == 0:
        raise ValueError("covariance is zero: inputs do not vary; give at least one eigenvalue > 0.")
    if not (isinstance(length, float) and length == math.inf):
        length = check.whole("length", length)
    matrix = (matrix + matrix.T) / 2
    matrix.setflags(write=False)
    b = correlation_of_examples(matrix, length)
    names = [f"b{i + 1} x{j + 1}" for i in range(len(matrix)) for j in range(len(matrix))]
    return InContextRegression.from_statistics(
        np.kron(b, matrix), (matrix @ matrix).reshape(1, -1), power=float(np.trace(matrix)), inputs=names,
        name="in-context regression", covariance=matrix, length=length,
        draw=DrawRegressions(tuple(map(tuple, matrix.tolist())), length),
    )  # fmt: skip
