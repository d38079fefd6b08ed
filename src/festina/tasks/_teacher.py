"""A linear teacher."""

from collections.abc import Sequence

import numpy as np

from festina.checks import check
from festina.core.task import Task


def teacher(
    inputs: int = 10,
    outputs: int = 10,
    rank: int | None = None,
    items: int | None = None,
    seed: int = 0,
    *,
    strengths: Sequence[float] | np.ndarray | None = None,
    whitened: bool = True,
    noise: float = 0.0,
) -> Task:
    """Gaussian inputs, and their images under a random linear map with chosen singular values.

    y = W x + noise, W = Σ_α strength_α u_α v_αᵀ with random orthonormal u, v. Whitened inputs have Σx = 1 exactly, and
    noise is then made orthogonal to them, so that Σyx = W exactly: the task's modes are the teacher's.

    Args:
        inputs, outputs: dimensions.
        rank: number of modes; None: as many as ``strengths``, or else as the dimensions allow.
        items: number of data points; None: four per input, enough for noise to be seen as such.
        seed: draws map, inputs and noise.
        strengths: singular values of the map, > 0; None: equally spaced, 1 down to 1/rank, so that modes differ.
        whitened: make Σx = 1; needs at least as many items as inputs.
        noise: standard deviation of what no linear map explains, ≥ 0.

    Raises:
        ValueError: a rank above the dimensions, a wrong number of strengths, too few items for whitened inputs.

    Example:
        >>> import festina as fs
        >>> fs.tasks.teacher(inputs=6, outputs=4, strengths=(3.0, 2.0, 0.5)).statistics.strengths.round(6)
        array([3. , 2. , 0.5])

    Source: saxe2014 section 1 (whitened inputs).
    """
    inputs, outputs = check.whole("inputs", inputs), check.whole("outputs", outputs)
    items = 4 * inputs if items is None else check.whole("items", items)
    check.flag("whitened", whitened)
    check.size("inputs, outputs and items", max(items, inputs, outputs), max(inputs, outputs))
    values = _strengths(strengths, rank, min(inputs, outputs))
    noise, rng = check.scale("noise", noise, zero=True), np.random.default_rng(check.seed("seed", seed))
    left = np.linalg.qr(rng.standard_normal((outputs, len(values))))[0]
    right = np.linalg.qr(rng.standard_normal((inputs, len(values))))[0]
    x, unexplained = rng.standard_normal((items, inputs)), noise * rng.standard_normal((items, outputs))
    if whitened:
        if items < inputs:
            raise ValueError(
                f"items is {items} for {inputs} inputs; whitened inputs need at least {inputs} items: give more, or "
                "whitened=False."
            )
        frame = np.linalg.qr(x)[0]
        x = items**0.5 * frame
        unexplained = unexplained - frame @ (frame.T @ unexplained)
    return Task(x, x @ (right * values @ left.T) + unexplained, name="teacher")


def _strengths(strengths: Sequence[float] | np.ndarray | None, rank: int | None, most: int) -> np.ndarray:
    given = None if strengths is None else np.atleast_1d(check.numbers("strengths", strengths))
    if given is not None and (given.size == 0 or np.any(given <= 0) or given.ndim != 1):
        raise ValueError(f"strengths is {check.shown(strengths)}; a list of numbers > 0, at least one, is needed.")
    if given is not None:
        check.scale("strengths", float(given.max()))
    if rank is None:
        rank = most if given is None else given.size
    if check.whole("rank", rank) > most:
        raise ValueError(f"rank is {rank}; with these inputs and outputs at most {most} is possible.")
    if given is None:
        return np.arange(rank, 0, -1) / rank
    if given.shape != (rank,):
        raise ValueError(f"strengths is {check.shown(strengths)} for rank {rank}; give that many numbers > 0.")
    return np.sort(given)[::-1]
