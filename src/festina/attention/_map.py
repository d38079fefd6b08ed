"""Shared parts of both attention networks; the map M that linear attention computes, and its expected loss.

With b = (1/N) Σ y_n x_n the answer to a query is ŷ = bᵀ M x_q. Merged key and query: M = Σ_h v_h U_h. Separate ones of
rank R: M = Σ_h v_h Σ_r k_hr q_hrᵀ. Everything here is for NumPy and JAX alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core.network import Context, Network, mean_loss
from festina.core.seed import generator
from festina.core.task import Task
from festina.initial import Initial
from festina.tasks import InContextRegression


def regression(task: object) -> InContextRegression:
    """The task as in-context regression, or an error that says which task is needed."""
    if not isinstance(task, InContextRegression):
        raise ValueError(
            f"task is {task!r}; attention regresses in context: use fs.tasks.in_context_regression(covariance, length)."
        )
    return task


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


class Attention(Network):
    """Base of attention networks: heads with separate or merged key and query, and where their weights start."""

    heads: int
    rank: int
    merged: bool
    initial: Initial

    def __post_init__(self) -> None:
        check.whole("heads", self.heads)
        check.whole("rank", self.rank)
        check.flag("merged", self.merged)
        if self.merged and self.rank != 1:
            raise ValueError(f"rank is {self.rank} with merged key and query, which have full rank; leave rank out.")
        check.instance("initial", self.initial, Initial, "one of fs.initial or fs.attention.AlignedHeads(strength)")

    def shapes(self, task: Task) -> list[tuple[int, int]]:
        """``(out, in)`` of each matrix of weights on this task."""
        size, rows = regression(task).dimension, self.heads * self.rank
        return [*([(rows, size**2)] if self.merged else [(rows, size)] * 2), (1, self.heads)]

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial weights, by the rule in ``initial``."""
        return self.initial.of_seed(seed).draw(self.shapes(task), task, generator(seed))

    @property
    def map(self) -> AttentionMap:
        """M as a function of the weights."""
        return AttentionMap(None if self.merged else self.rank)


@dataclass(frozen=True)
class Predict:
    """The forward pass on cubic features z = vec(b x_qᵀ): ŷ = z · vec(M)."""

    map: Callable[[Any], Array]

    def __call__(self, weights: Weights, features: Array) -> Array:
        """One answer per row of features."""
        return features @ self.map(weights).reshape(-1, 1)


@dataclass(frozen=True)
class AttentionObservables:
    """Observables of attention; see ``LinearAttention.observables``. With softmax there is no expected loss."""

    predict: Callable[[Any, Any], Array]
    map: Callable[[Any], Array]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on this task."""
        basis, covariance = context["basis"], context.get("covariance")
        found = {
            "loss": lambda weights: mean_loss(self.predict, weights, context["data"]),
            "strengths": lambda weights: (basis * (self.map(weights) @ basis)).sum(axis=0),
            "map": self.map,
            "outputs": lambda weights: self.predict(weights, context["data"].x),
            "weights": tuple,
        }
        if covariance is None:
            return found

        def component_distance(weights: Weights) -> Array:
            away = self.map(weights) - context["components"]
            squared = (away * (context["correlation_of_examples"] @ away @ covariance)).sum(axis=(-2, -1))
            return squared / covariance.trace()

        risk = lambda weights: in_context_risk(self.map(weights), covariance, context["examples"])  # noqa: E731
        return {**found, "risk": risk, "component_distance": component_distance}


def in_context_risk(matrix: Array, covariance: Array, examples: Array) -> Array:
    """½⟨(y_q − ŷ_q)²⟩ with n examples in the context, for each n of ``examples``.

    L_n(M) = ½ [Tr Λ − 2 Tr(Mᵀ Λ²) + Tr(Mᵀ B_n M Λ)], B_n = (1 + 1/n) Λ² + (Tr Λ/n) Λ, b the mean over n examples.

    Source: zhang2025 (expected loss), with the number of examples left free.
    """
    square = covariance @ covariance
    right = matrix @ covariance
    long = (matrix * (square @ right)).sum()
    short = (matrix * (covariance @ right)).sum() * covariance.trace()
    return 0.5 * (covariance.trace() - 2 * (matrix * square).sum() + long + (long + short) / examples)
