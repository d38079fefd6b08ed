"""The map that linear attention computes: one matrix M, and the expected loss as a function of it.

With b = (1/N) Σ y_n x_n the answer to a query is ŷ = bᵀ M x_q. Merged key and query: M = Σ_h v_h U_h. Separate ones of
rank R: M = Σ_h v_h Σ_r k_hr q_hrᵀ. Everything here is for NumPy and JAX alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from festina.checks.shapes import Array, Weights
from festina.core.network import Context, mean_loss


@dataclass(frozen=True)
class AttentionMap:
    """M as a function of the weights.

    Args:
        rank: rank R of key and query in a head; None: merged.
    """

    rank: int | None

    def __call__(self, weights: Weights) -> Array:
        """M, shape (…, D, D): rows for b, columns for the query; weights may have leading axes."""
        if self.rank is None:
            merged, value = weights
            flat = value @ merged
            size = round(flat.shape[-1] ** 0.5)
            return flat.reshape(*flat.shape[:-2], size, size)
        query, key, value = weights
        return (key.swapaxes(-1, -2) * value.repeat(self.rank, axis=-1)) @ query


@dataclass(frozen=True)
class Predict:
    """The forward pass on cubic features z = vec(b x_qᵀ): ŷ = z · vec(M)."""

    map: Callable[[Any], Array]

    def __call__(self, weights: Weights, features: Array) -> Array:
        """One answer per row of features."""
        return features @ self.map(weights).reshape(-1, 1)


@dataclass(frozen=True)
class AttentionObservables:
    """Observables of linear attention; see ``LinearAttention.observables``."""

    predict: Predict

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on this task."""
        basis, covariance = context["basis"], context["covariance"]

        def strengths(weights: Weights) -> Array:
            return (basis * (self.predict.map(weights) @ basis)).sum(axis=0)

        def risk(weights: Weights) -> Array:
            return in_context_risk(self.predict.map(weights), covariance, context["examples"])

        def component_distance(weights: Weights) -> Array:
            away = self.predict.map(weights) - context["components"]
            squared = (away * (context["correlation_of_examples"] @ away @ covariance)).sum(axis=(-2, -1))
            return squared / covariance.trace()

        return {
            "loss": lambda weights: mean_loss(self.predict, weights, context["data"]),
            "strengths": strengths,
            "map": self.predict.map,
            "risk": risk,
            "component_distance": component_distance,
            "outputs": lambda weights: self.predict(weights, context["data"].x),
            "weights": tuple,
        }


def in_context_risk(matrix: Array, covariance: Array, examples: Array) -> Array:
    """½⟨(y_q − ŷ_q)²⟩ with n examples in the context, for each n of ``examples``.

    L_n(M) = ½ [Tr Λ − 2 Tr(Mᵀ Λ²) + Tr(Mᵀ B_n M Λ)], B_n = (1 + 1/n) Λ² + (Tr Λ/n) Λ, b the mean over n examples.

    Example:
        >>> import numpy as np
        >>> in_context_risk(np.eye(2), np.eye(2), np.array([1.0, 4.0]))
        array([3.  , 0.75])

    Source: zhang2025 (expected loss), with the number of examples left free.
    """
    square = covariance @ covariance
    right = matrix @ covariance
    long = (matrix * (square @ right)).sum()
    short = (matrix * (covariance @ right)).sum() * covariance.trace()
    return 0.5 * (covariance.trace() - 2 * (matrix * square).sum() + long + (long + short) / examples)
