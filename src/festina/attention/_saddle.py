"""Stationary points of linear attention: one for every set of principal components, and which of them are passed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.tasks import InContextRegression

MOST_COMPONENTS = 16
"""Components up to which all sets are listed: there are 2^D of them."""

PASSED = 0.1
"""Share of the distance between neighbouring saddles within which a saddle counts as passed."""


def component_maps(task: InContextRegression) -> np.ndarray:
    """M with the first m components learned, m = 0 … D, shape (D + 1, D, D)."""
    parts = np.einsum("id,d,jd->dij", task.basis, task.final_strengths, task.basis)
    return np.concatenate([np.zeros((1, *parts.shape[1:])), np.cumsum(parts, axis=0)])


@dataclass(frozen=True)
class Saddle:
    """A stationary point: the components it has learned, and its loss.

    Attributes:
        components: numbers of the learned eigenvectors of Λ, 0 for the largest eigenvalue.
        loss: ½ [Tr Λ − Σ_{d learned} s_d²/c_d].

    Example:
        >>> import festina as fs
        >>> network = fs.LinearAttention(1, initial=fs.initial.Gaussian(0.01))
        >>> network.stationary_points(fs.tasks.in_context_regression([1.0], length=1))[0]
        Saddle(components=(), loss=0.5)
    """

    components: tuple[int, ...]
    loss: float


@dataclass(frozen=True)
class Passage:
    """A saddle that a trajectory passes: when it comes closest, and how close.

    Attributes:
        components: the learned components of the saddle.
        time: when the strengths are nearest to it.
        distance: the distance of the strengths from it then, over the largest final strength it lacks or has.
        loss: the loss of the network then.

    Example:
        >>> Passage((0,), time=40.0, distance=1e-4, loss=0.82).components
        (0,)
    """

    components: tuple[int, ...]
    time: float
    distance: float
    loss: float
