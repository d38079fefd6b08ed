"""Observables of a solution that is known mode by mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from festina.analysis.kernel import distance, parts, views
from festina.checks.shapes import Losses, Maps, Strengths, Weights
from festina.core import Assumption, Layered, Solution, Start, Statistics, Task
from festina.core.statistics import RANK_TOLERANCE
from festina.modes.chain import EXACT_BOUND, Chain

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


def centred_data(task: Task) -> Assumption:
    """Inputs and targets of mean zero, measured."""
    size = max(float(np.sqrt(np.mean(task.x**2))), np.finfo(float).tiny)
    spread = max(float(np.sqrt(np.mean(task.y**2))), np.finfo(float).tiny)
    off = max(float(np.abs(task.x.mean(axis=0)).max()) / size, float(np.abs(task.y.mean(axis=0)).max()) / spread)
    return Assumption(
        "centred", "inputs and targets have mean zero, so that biases stay where they are", off, EXACT_BOUND,
        quantity="largest mean over root mean square", needed=True,
    )  # fmt: skip


def centred(network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
    """Biases that start at zero stay there where inputs and targets are centred; nothing without biases."""
    if not network.bias:
        return ()
    return (
        centred_data(task),
        Assumption(
            "no bias", "biases start at zero", size_of_biases(task, start.weights), EXACT_BOUND,
            quantity="largest bias relative to its layer and to the outputs", needed=True,
        ),
    )  # fmt: skip


def size_of_biases(task: Task, weights: Sequence[np.ndarray]) -> float:
    """The initial biases in units of the data: 0 where all of them are zero.

    A balanced network of D layers ends with activity of the size |x|^{1−l/D}|y|^{l/D} after layer l, so that a bias is
    compared with that. In other networks later layers may enlarge it: then what it adds to the outputs counts.
    """
    biases = [np.abs(w[:, -1]).max(initial=0.0) for w in weights]
    if not any(biases):
        return 0.0
    x, y = (max(float(np.sqrt(np.mean(part**2))), np.finfo(float).tiny) for part in (task.x, task.y))
    own = max(b / (x ** (1 - k / len(weights)) * y ** (k / len(weights))) for k, b in enumerate(biases, 1))
    added = np.zeros(weights[0].shape[1] - 1)
    for w in weights:
        added = np.abs(w[:, :-1]) @ added + np.abs(w[:, -1])
    return float(max(own, added.max(initial=0.0) / y))


def extend(found: Mapping[str, Callable[[], Any]], network: Layered, task: Task, start: Start, count: int) -> Solution:
    """A solution whose ``weights`` are known at ``count`` times, with all that follows from them."""
    context = network.context(task)
    x = context["data"].x

    def weights() -> Weights:
        return found["weights"]()

    def path() -> list[Weights]:
        layers = with_biases(network, start, weights())
        return [tuple(layer[t] for layer in layers) for t in range(count)]

    if network.bias:
        known = {"weights": lambda: with_biases(network, start, weights())} if "weights" in found else {}
        return Solution({**found, **known}, path=path)

    def moved() -> np.ndarray:
        own = network.without_bias(start.weights)
        return np.maximum(distance(parts(own, x), parts(weights(), x)), 0.0)

    more = {name: (lambda see=see: see(weights())) for name, see in views(context).items()}
    return Solution({**more, "kernel_distance": moved, **found}, path=path)


def with_biases(network: Layered, start: Start, layers: Weights) -> Weights:
    """Layers over time in the network's own shape: biases that a closed form leaves out stay where they start."""
    if not network.bias or layers[0].shape[-1] == start.weights[0].shape[-1]:
        return layers
    columns = [np.broadcast_to(w[:, -1:], (*a.shape[:-1], 1)) for w, a in zip(start.weights, layers, strict=True)]
    return tuple(np.concatenate(pair, axis=-1) for pair in zip(layers, columns, strict=True))
