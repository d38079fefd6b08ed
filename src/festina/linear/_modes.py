"""Observables of a solution that is known mode by mode."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from festina.checks.shapes import Losses, Maps, Strengths
from festina.core import Assumption, Task
from festina.core.statistics import RANK_TOLERANCE, Statistics
from festina.modes.chain import Chain

AGREES = 1e-6
"""Largest difference between two ways to compute one loss, relative to the largest loss: what is promised where the
smallest features lose digits to rounding."""


def loss_of(strengths: Strengths, statistics: Statistics) -> Losses:
    """L = ½ Tr Σy − Σ s a + ½ Σ d a² of the map Σ_α a_α u_α v_αᵀ, without its cancellation.

    The sum is completed to ½ Σ_α d_α (a_α − s_α/d_α)² above the least loss that modes can reach. It is the ``floor`` of
    all linear maps if correlations commute, and larger otherwise.
    """
    least = 0.5 * (statistics.power - statistics.strengths @ statistics.targets)
    if least - statistics.floor < RANK_TOLERANCE * statistics.power:
        least = statistics.floor
    return least + 0.5 * ((strengths - statistics.targets) ** 2 @ statistics.curvatures)


def summed(left: np.ndarray, strengths: Strengths, right: np.ndarray) -> np.ndarray:
    """Σ_α a_α(t) u_α v_αᵀ at each time, as one product of matrices: (times, rows of left, rows of right)."""
    return (left * strengths[:, None]) @ right.T


def observe(
    strengths: Strengths, task: Task, chain: Chain | None = None, layers: np.ndarray | None = None
) -> Mapping[str, Callable[[], Any]]:
    """``loss``, ``strengths``, ``map``, ``outputs`` of known strengths; ``weights``, ``hidden`` where a chain is known.

    ``layers`` (times, D, modes) are the strengths of the chain's layers.
    """
    statistics = task.statistics

    def maps() -> Maps:
        return summed(statistics.left, strengths, statistics.right)

    found: dict[str, Callable[[], Any]] = {
        "loss": lambda: loss_of(strengths, statistics),
        "strengths": lambda: strengths,
        "map": maps,
        "outputs": lambda: summed(task.x @ statistics.right, strengths, statistics.left),
    }
    if chain is not None and layers is not None:

        def hidden() -> tuple[np.ndarray, ...]:
            products = np.cumprod(layers, axis=1)
            inputs = task.x @ statistics.right
            return tuple(summed(inputs, products[:, i], chain.directions[i + 1]) for i in range(chain.depth - 1))

        found["weights"] = lambda: chain.weights(layers)
        found["hidden"] = hidden
    return found


def commuting(statistics: Statistics, bound: float) -> Assumption:
    """Mutually diagonalisable correlations, measured."""
    return Assumption(
        "commuting",
        "inputs are uncorrelated in the directions that matter: the projections of x on the right singular vectors of "
        "Σyx, and the rest of x, have no correlation",
        statistics.noncommuting,
        bound,
        quantity="largest correlation coefficient",
        needed=True,
    )


def agreeing(task: Task) -> Assumption:
    """Loss, outputs and strengths of a solution by modes say one thing, measured where all modes are learned.

    Modes that commute then leave the least loss of a linear map; where they do not, one of them was taken for rounding.
    """
    statistics = task.statistics
    reached = statistics.targets[None]
    found = observe(reached, task)
    directly = 0.5 * float(np.sum((task.y - found["outputs"]()[0]) ** 2)) / statistics.count
    others = [float(loss_of(reached, statistics)[0])]
    if statistics.noncommuting <= AGREES:
        others.append(statistics.floor)
    off = max(abs(directly - other) for other in others) / (statistics.power or 1.0)
    return Assumption(
        "agreement", "loss and outputs of the learned modes agree and reach the least loss of a linear map", off,
        AGREES, quantity="difference of the losses over the targets' mean square",
    )  # fmt: skip


def decoupled(chain: Chain, bound: float, *, balanced: bool) -> tuple[Assumption, ...]:
    """Alignment with the modes and, where the theory needs it, balance, measured."""
    statement = "weights are decoupled into the task's modes"
    found = [Assumption("alignment", statement, chain.alignment, bound, quantity="relative distance")]
    if balanced:
        equal = "all layers carry a mode equally strongly"
        found.append(Assumption("balance", equal, chain.balance, bound, quantity="relative difference"))
    return tuple(found)
