"""Observables of a solution that is known mode by mode."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from festina._assumption import Assumption
from festina._statistics import Statistics
from festina._task import Task
from festina._types import Losses, Maps, Strengths
from festina.linear._chain import Chain


def loss_of(strengths: Strengths, statistics: Statistics) -> Losses:
    """L = floor + ½ Σ_α d_α (a_α − s_α/d_α)²: ½ Tr Σy − Σ s a + ½ Σ d a² without its cancellation.

    Exact when the map is Σ_α a_α u_α v_αᵀ and correlations commute.
    """
    return statistics.floor + 0.5 * ((strengths - statistics.targets) ** 2 @ statistics.curvatures)


def observe(
    strengths: Strengths, task: Task, chain: Chain | None = None, layers: np.ndarray | None = None
) -> Mapping[str, Callable[[], Any]]:
    """``loss``, ``strengths``, ``map``, ``outputs`` of known strengths; ``weights``, ``hidden`` where a chain is known.

    ``layers`` (times, D, modes) are the strengths of the chain's layers.
    """
    statistics = task.statistics

    def maps() -> Maps:
        return np.einsum("om,tm,im->toi", statistics.left, strengths, statistics.right)

    found: dict[str, Callable[[], Any]] = {
        "loss": lambda: loss_of(strengths, statistics),
        "strengths": lambda: strengths,
        "map": maps,
        "outputs": lambda: np.einsum("om,tm,nm->tno", statistics.left, strengths, task.x @ statistics.right),
    }
    if chain is not None and layers is not None:

        def hidden() -> tuple[np.ndarray, ...]:
            products = np.cumprod(layers, axis=1)
            inputs = task.x @ statistics.right
            return tuple(
                np.einsum("hm,tm,nm->tnh", chain.directions[i + 1], products[:, i], inputs)
                for i in range(chain.depth - 1)
            )

        found["weights"] = lambda: chain.weights(layers)
        found["hidden"] = hidden
    return found


def commuting(statistics: Statistics, bound: float) -> Assumption:
    """Mutually diagonalisable correlations, measured."""
    return Assumption(
        "commuting",
        "Σyx and Σx share their input singular vectors (‖ΣxV − VD‖/‖ΣxV‖)",
        statistics.noncommuting,
        bound,
    )
