"""The lazy limit: a network whose tangent kernels do not change."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Network, Solution, Start, Task, Theory
from festina.representation._architecture import Architecture
from festina.representation._effective import represented
from festina.representation._kernel import Kernels, measure_kernels, nothing_dropped


@dataclass(frozen=True, repr=False)
class Lazy(Theory):
    """Outputs and representations if the tangent kernels stay as they are at the start.

        ŷ(t) = y + e^{−Θt/N}(ŷ(0) − y),    h(t) = h(0) − k [∫₀ᵗ (ŷ − y) ds] J/N

    with the kernel Θ of the whole network (mean over outputs), and the encoder's k along the decoder's Jacobian J. It
    is the limit of large initial weights, and the baseline that a theory of changing representations has to beat.

    Example:
        >>> import numpy as np, festina as fs
        >>> network, task = fs.FeedForward((100, 100), gain=2.0), fs.tasks.two_points(1.0, 0.7)
        >>> lazy = fs.evolve(network, task, np.linspace(0, 20, 5), method=fs.Reduced(fs.representation.Lazy()))
        >>> bool(lazy.loss[-1] < 1e-3 * lazy.loss[0])
        True

    Source: vanrossem2024 App. A.5 (the limit); the tangent kernel is measured.
    """

    name: ClassVar[str] = "lazy limit (fixed tangent kernel)"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("vanrossem2024",)

    def suits(self, network: Network) -> bool:
        """Feed-forward networks."""
        return isinstance(network, Architecture)

    def assumptions(self, network: Architecture, task: Task, start: Start) -> tuple[Assumption, ...]:
        """How far representations move in this limit, relative to where they start."""
        found = _kernels(network, task, start, network.layers[0])
        last = _hidden(found, task, np.array([np.inf]))[0]
        centred = found.hidden - found.hidden.mean(axis=0)
        moved = last - found.hidden
        change = float(np.linalg.norm(moved - moved.mean(axis=0)) / max(np.linalg.norm(centred), 1e-300))
        return (
            *nothing_dropped(network),
            Assumption(
                "fixed features",
                "representations hardly move",
                change,
                0.1,
                quantity="change over their spread at the start",
            ),
        )

    def solve(self, network: Architecture, task: Task, start: Start, times: Times) -> Solution:
        """The closed form for each observed layer."""
        rows = list(network.items(task))

        def outputs() -> np.ndarray:
            return _outputs(_kernels(network, task, start, network.layers[0]), task, times)

        def hidden() -> tuple[np.ndarray, ...]:
            return tuple(_hidden(_kernels(network, task, start, k), task, times)[:, rows] for k in network.layers)

        return represented(network, task, start, times, outputs, hidden)


def _kernels(network: Architecture, task: Task, start: Start, layer: int) -> Kernels:
    return start.recall(
        f"kernels of layer {layer} for the lazy limit", lambda: measure_kernels(network, start.weights, task.x, layer)
    )


def _modes(kernels: Kernels, task: Task) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rates and modes of the whole kernel, and the first residuals in them."""
    values, vectors = np.linalg.eigh(kernels.whole / len(task.x))
    return np.maximum(values, 0.0), vectors, vectors.T @ (kernels.outputs - task.y)


def _outputs(kernels: Kernels, task: Task, times: np.ndarray) -> np.ndarray:
    rates, vectors, first = _modes(kernels, task)
    with np.errstate(invalid="ignore"):
        left = np.where(rates > 0, np.exp(-np.outer(times, rates)), 1.0)
    return task.y + vectors @ (left[:, :, None] * first)


def _hidden(kernels: Kernels, task: Task, times: np.ndarray) -> np.ndarray:
    rates, vectors, first = _modes(kernels, task)
    # modes that the kernel hardly reaches are never learned: rounding would be divided by their rate
    reached = rates > rates.max(initial=0.0) * len(rates) * np.finfo(float).eps
    with np.errstate(invalid="ignore", divide="ignore"):
        spent = np.where(reached, -np.expm1(-np.outer(times, rates)) / np.where(reached, rates, 1.0), 0.0)
    total = vectors @ (spent[:, :, None] * first)
    return kernels.hidden - kernels.encoder @ total @ kernels.jacobian / len(task.x)
