"""From XOR to a linearly separable task."""

import numpy as np

from festina.checks import check
from festina.core.task import Task


def extended_xor(delta: float) -> Task:
    """Four points, XOR in two inputs and linearly separable with margin 2Δ in the third.

    Rows (−1,−1,−Δ), (1,−1,Δ), (−1,1,Δ), (1,1,−Δ) with targets −1, 1, 1, −1.

    Args:
        delta: Δ ≥ 0; at 0 the task is XOR, above √(2/3) linear gating is learned faster.

    Example:
        >>> import festina as fs
        >>> fs.tasks.extended_xor(0.5).x.tolist()[1]
        [1.0, -1.0, 0.5]

    Source: jarvis2025 eqs. (11)-(12).
    """
    delta = check.scale("delta", delta, zero=True)
    signs = np.array([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]])
    y = -signs.prod(axis=1, keepdims=True)
    return Task(
        np.hstack([signs, delta * y]), y, inputs=["first", "second", "third"], outputs=["xor"],
        name=f"extended XOR, Δ = {delta:g}",
    )  # fmt: skip
