"""What can be observed of recurrent weights, for NumPy and JAX alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Weights
from festina.core.network import Context, mean_loss


def namespace(array: Array) -> Any:
    """NumPy for its arrays, ``jax.numpy`` for others."""
    if isinstance(array, np.ndarray):
        return np
    import jax.numpy as jnp

    return jnp


def lag_maps(weights: Weights, lags: int) -> Array:
    """A_l = W_y W_h^l W_x, l = 0 … lags − 1, shape (lags, outputs, inputs)."""
    state, last = weights[0], weights[2]
    found = []
    for lag in range(lags):
        state = state if lag == 0 else weights[1] @ state
        found.append(last @ state)
    return namespace(last).stack(found)


def eigenvalues(weights: Weights) -> Array:
    """Eigenvalues of W_h, largest modulus first: real and imaginary parts, (width, 2)."""
    xp = namespace(weights[1])
    found = xp.linalg.eigvals(weights[1])
    found = found[xp.argsort(-xp.abs(found))]
    return xp.stack([found.real, found.imag], axis=-1)


def tangent_kernel(weights: Weights, lags: int) -> Array:
    """Neural tangent kernel of the maps A_l: ⟨∂A_l[o, i], ∂A_m[p, j]⟩ over all weights, as a square matrix.

    Rows are (lag, output, input). Output weights give (F_lᵀ F_m) ⊗ 1, input weights 1 ⊗ (G_l G_mᵀ), the recurrent
    matrix Σ (G_j G_kᵀ) ⊗ (F_{l−1−j}ᵀ F_{m−1−k}), with F_l = W_h^l W_x and G_l = W_y W_h^l.

    Example:
        >>> import numpy as np
        >>> tangent_kernel((np.array([[2.0]]), np.array([[0.5]]), np.array([[1.0]])), lags=2)
        array([[5.  , 2.5 ],
               [2.5 , 5.25]])

    Source: proca2025 (tangent kernel of finite width); here from the derivatives of A_l.
    """
    first, recurrent, last = weights
    xp = namespace(last)
    forward, backward = [first], [last]
    for _ in range(lags - 1):
        forward.append(recurrent @ forward[-1])
        backward.append(backward[-1] @ recurrent)
    f, g = xp.stack(forward), xp.stack(backward)
    ff, gg = xp.einsum("lhi,mhj->limj", f, f), xp.einsum("loh,mph->lomp", g, g)
    outputs, inputs = last.shape[0], first.shape[1]
    one_o, one_i = xp.eye(outputs), xp.eye(inputs)
    total = xp.einsum("limj,op->loimpj", ff, one_o) + xp.einsum("lomp,ij->loimpj", gg, one_i)
    if lags > 1:
        # which[l, j, n] = 1 where j + n = l − 1: the places of W_h in W_h^l
        which = np.array([[[j + n == lag - 1 for n in range(lags)] for j in range(lags)] for lag in range(lags)], float)
        total = total + xp.einsum("ljn,mkq,jokp,niqa->loimpa", which, which, gg, ff, optimize=True)
    size = lags * outputs * inputs
    return total.reshape(size, size)


@dataclass(frozen=True)
class RecurrentObservables:
    """What can be observed of a linear recurrent network; see ``LinearRNN.observables``."""

    predict: Callable[[Weights, Array], Array]
    length: int

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on this task."""
        left, right = context["left"], context["right"]

        def strengths(weights: Weights) -> Array:
            maps = lag_maps(weights, self.length)
            return ((left.T @ maps) * right.T).sum(axis=-1)

        def extrapolation(weights: Weights) -> Array:
            longer = context["longer"]
            away = longer["maps"] - lag_maps(weights, longer["maps"].shape[1])
            missed = (away**2).sum(axis=(-2, -1)) * longer["within"]
            return longer["floor"] + 0.5 * missed.sum(axis=-1)

        found = {
            "loss": lambda weights: mean_loss(self.predict, weights, context["data"]),
            "strengths": strengths,
            "map": lambda weights: lag_maps(weights, self.length),
            "eigenvalues": eigenvalues,
            "kernel": lambda weights: tangent_kernel(weights, self.length),
            "outputs": lambda weights: self.predict(weights, context["x"]),
            "weights": tuple,
        }
        return {**found, "extrapolation": extrapolation} if "longer" in context else found
