"""In-context linear regression: a regression that is new in every sequence."""

import math

import numpy as np

from festina import _check
from festina._in_context import DrawRegressions, InContextRegression, beta_correlation


def in_context_regression(covariance: object, length: float) -> InContextRegression:
    """Sequences (x_1, y_1) … (x_N, y_N), x_q with y = w·x, x ~ N(0, Λ), and w ~ N(0, 1) drawn anew in each sequence.

    The task is given by its statistics. Linear attention sees a sequence through the D² features z = vec(β x_qᵀ) with
    β = (1/N) Σ y_n x_n, whose correlations are Σx = B ⊗ Λ, Σyx = vec(Λ²)ᵀ and ⟨y²⟩ = Tr Λ, where
    B = (1 + 1/N) Λ² + (Tr Λ/N) Λ. The least loss is ½ [Tr Λ − Σ_d s_d²/c_d], s_d = λ_d² and
    c_d = λ_d² ((1 + 1/N) λ_d + Tr Λ/N). ``draw`` draws fresh sequences.

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
    given = _check.numbers("covariance", covariance)
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
        length = _check.whole("length", length)
    matrix = (matrix + matrix.T) / 2
    matrix.setflags(write=False)
    b = beta_correlation(matrix, length)
    names = [f"β{i + 1} x{j + 1}" for i in range(len(matrix)) for j in range(len(matrix))]
    return InContextRegression.from_statistics(
        np.kron(b, matrix), (matrix @ matrix).reshape(1, -1), power=float(np.trace(matrix)), inputs=names,
        name="in-context regression", covariance=matrix, length=length,
        draw=DrawRegressions(tuple(map(tuple, matrix.tolist())), length),
    )  # fmt: skip
