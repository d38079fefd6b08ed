"""Observables of recurrent weights, for NumPy and JAX alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Weights
from festina.core.network import Context, Data, mean_loss


@dataclass(frozen=True)
class Step:
    """One step: h_t = (1 − leak) h_{t−1} + leak (W_h h_{t−1} + W_x (x_t + input_noise ζ_t) + private_noise ξ_t).

    ζ_t and ξ_t are standard normal, one number per input and per unit, drawn anew at each step. With the matrices
    X = leak W_x, M = (1 − leak)·1 + leak W_h, W_y it is the step of a network without leak.

    Attributes:
        length: T.
        window: the last steps at which answers count.
        leak, input_noise, private_noise: as above.
    """

    length: int
    window: int = 1
    leak: float = 1.0
    input_noise: float = 0.0
    private_noise: float = 0.0

    def matrices(self, weights: Weights) -> Weights:
        """X, M and W_y."""
        first, recurrent, last = weights
        if self.leak == 1:
            return first, recurrent, last
        kept = (1 - self.leak) * recurrent.__array_namespace__().eye(recurrent.shape[-1])
        return self.leak * first, kept + self.leak * recurrent, last

    @property
    def answers(self) -> range:
        """The steps, from 0, whose answers count."""
        return range(self.length - self.window, self.length)

    def counts(self, length: int | None = None) -> np.ndarray:
        """How many of the answers depend on each lag: min(window, T − l)."""
        length = self.length if length is None else length
        return np.minimum(self.window, length - np.arange(length)).astype(float)

    def noise(self, weights: Weights, counts: np.ndarray) -> Array | float:
        """Contribution of the network's own noise to the expected loss: half the variance of the answers."""
        if not self.input_noise and not self.private_noise:
            return 0.0
        first, recurrent, last = self.matrices(weights)
        total: Any = 0.0
        for count in counts:
            total = total + count * self.input_noise**2 * ((last @ first) ** 2).sum()
            total = total + count * (self.leak * self.private_noise) ** 2 * (last**2).sum()
            last = last @ recurrent
        return 0.5 * total


def lag_maps(weights: Weights, lags: int) -> Array:
    """A_l = W_y M^l X, l = 0 … lags − 1, shape (lags, outputs, inputs), from the matrices of a step."""
    state, last = weights[0], weights[2]
    found = []
    for lag in range(lags):
        state = state if lag == 0 else weights[1] @ state
        found.append(last @ state)
    return last.__array_namespace__().stack(found)


def eigenvalues(weights: Weights) -> Array:
    """Eigenvalues of M (W_h without leak), largest modulus first: real and imaginary parts, (width, 2)."""
    xp = weights[1].__array_namespace__()
    found = xp.linalg.eigvals(weights[1])
    found = found[xp.argsort(-xp.abs(found))]
    return xp.stack([found.real, found.imag], axis=-1)


def tangent_kernel(weights: Weights, lags: int, leak: float = 1.0) -> Array:
    """Neural tangent kernel of the maps A_l: ⟨∂A_l[o, i], ∂A_m[p, j]⟩ over all weights, as a square matrix.

    Rows are (lag, output, input). Let F_l = M^l X and G_l = W_y M^l, from the matrices of a step. Output weights give
    (F_lᵀ F_m) ⊗ 1, and input weights leak²·1 ⊗ (G_l G_mᵀ). The recurrent matrix gives leak²·Σ (G_j G_kᵀ) ⊗ (F_{l−1−j}ᵀ
    F_{m−1−k}).

    Source: proca2025 (tangent kernel of finite width); here from the derivatives of A_l.
    """
    first, recurrent, last = weights
    xp = last.__array_namespace__()
    forward, backward = [first], [last]
    for _ in range(lags - 1):
        forward.append(recurrent @ forward[-1])
        backward.append(backward[-1] @ recurrent)
    f, g = xp.stack(forward), leak * xp.stack(backward)
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
class RecurrentLoss:
    """The mean loss over sequences, expected over the network's own noise."""

    predict: Any
    step: Step

    def __call__(self, weights: Weights, data: Data, key: object = None) -> Array:
        """L = floor + (1/N) Σ ½ ‖ŷ − y‖² + ½ the variance of the answers."""
        return mean_loss(self.predict, weights, data) + self.step.noise(weights, self.step.counts())


@dataclass(frozen=True)
class RecurrentObservables:
    """Observables of a linear recurrent network; see ``LinearRNN.observables``."""

    predict: Any
    step: Step

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on this task."""
        left, right, step = context["left"], context["right"], self.step

        def maps(weights: Weights, lags: int = step.length) -> Array:
            return lag_maps(step.matrices(weights), lags)

        def extrapolation(weights: Weights) -> Array:
            longer = context["longer"]
            away = longer["maps"] - maps(weights, longer["maps"].shape[1])
            missed = ((away**2).sum(axis=(-2, -1)) * longer["counts"]).sum(axis=-1)
            noise = [step.noise(weights, counts) for counts in longer["counts"]] if longer["noisy"] else 0.0
            return longer["floor"] + 0.5 * missed + weights[2].__array_namespace__().asarray(noise)

        found = {
            "loss": lambda weights: RecurrentLoss(self.predict, step)(weights, context["data"]),
            "strengths": lambda weights: ((left.T @ maps(weights)) * right.T).sum(axis=-1),
            "map": maps,
            "eigenvalues": lambda weights: eigenvalues(step.matrices(weights)),
            "outputs": lambda weights: self.predict(weights, context["x"]),
            "weights": tuple,
        }
        if not self.predict.saturates:
            found["kernel"] = lambda weights: tangent_kernel(step.matrices(weights), step.length, step.leak)
        return {**found, "extrapolation": extrapolation} if "longer" in context else found
