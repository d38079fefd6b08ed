"""Modes that are learned jointly: a deep linear network on inputs that are correlated in any way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike, Times
from festina.core import Assumption, Layered, Solution, Start, Task, Theory
from festina.core.network import read_off
from festina.core.statistics import RANK_TOLERANCE
from festina.methods import Flow

COARSER, COARSE = 100, 1e-3
"""How much larger the tolerance is of the solution from which the error is estimated, and the tolerance where only the
area between loss curves is asked for."""


@dataclass(frozen=True, repr=False)
class JointModes(Theory):
    """The modes of a linear network on correlated inputs: one system of equations whose size does not grow with width.

    The data enter through Σx and Σyx only, and the weights W_l into a hidden layer and W_{l+1} out of it through their
    products. So a hidden layer of any width learns as one of at most as many units as its neighbours have together:

        dW_l/dt = (W_D…W_{l+1})ᵀ (Σyx − W_D…W_1 Σx) (W_{l−1}…W_1)ᵀ   in a basis of the span of [W_l, W_{l+1}ᵀ].

    Nothing is assumed of start, width or inputs. Where modes do not couple, ``IndependentModes`` has closed forms.
    At t → ∞ it is the best map of the rank that the narrowest layer allows (reduced-rank regression), which the flow
    reaches from almost every start.

    Args:
        accuracy: relative tolerance of a step; from 0.001 on, steps are stabilised.

    Example:
        >>> import numpy as np, festina as fs
        >>> x, y = np.array([[0.5, 1], [0.5, 1], [0.5, -1], [-0.5, -1]]), np.array([[1.0], [1], [1], [-1]])
        >>> network = fs.DeepLinear((8,), initial=fs.initial.Gaussian(1e-3))
        >>> run = fs.evolve(network, fs.Task(x, y), [0.0, 400.0], method=fs.Reduced(), observe=("map",))
        >>> run.notes["theory"], (run["map"][-1].round(2) + 0).tolist()
        ('joint modes', [[2.0, 0.0]])

    Source: saxe2014 eq. (2); the span of the weights as in braun2022 (QQᵀ).
    """

    accuracy: float = 1e-8

    name: ClassVar[str] = "joint modes"
    exact: ClassVar[bool] = False
    sources: ClassVar[tuple[str, ...]] = ("saxe2014", "braun2022")

    def __post_init__(self) -> None:
        check.positive("accuracy", self.accuracy)

    def coarse(self) -> JointModes:
        """With a larger tolerance."""
        return replace(self, accuracy=max(self.accuracy, COARSE))

    def assumptions(self, network: Layered, task: Task, start: Start) -> tuple[Assumption, ...]:
        """None."""
        return ()

    def solve(self, network: Layered, task: Task, start: Start, times: Times) -> Solution:
        """The network's observables along the joint flow."""
        if np.any(np.isinf(times)):
            return _end(network, task, len(times))
        turn = network.rotate(start.weights)
        narrow, restore = (start.weights, lambda weights: weights) if turn is None else turn
        begin = Start(network, task, start.seed, narrow)
        paths: dict[float, list[Any]] = {}

        def path(rtol: float = self.accuracy) -> list[Any]:
            if rtol not in paths:
                flow = Flow(rtol=rtol, solver="DOP853" if rtol < COARSE else "Chebyshev")
                run = flow.run(network, task, times, [begin], ())
                assert run.paths is not None
                paths[rtol] = list(run.paths()[0])
            return paths[rtol]

        def whole() -> list[Any]:
            return [restore(weights) for weights in path()]

        # all observables but these are the same in every basis of a hidden layer
        found, per_unit = read_off(network, task, path), read_off(network, task, whole)
        found |= {name: per_unit[name] for name in ("weights", "hidden") if name in per_unit}

        def error() -> np.ndarray:
            coarse = read_off(network, task, lambda: path(COARSER * self.accuracy))["loss"]()
            return np.asarray(found["loss"]() - coarse)

        return Solution(found, error=error, path=whole)


def _end(network: Layered, task: Task, count: int) -> Solution:
    """The best linear map of the network's rank, at each of ``count`` times."""
    x, width = network.inputs(task), min(network.hidden, default=task.y.shape[1])
    if network.bias:  # the output's own bias is free: it fits the means, whatever the rank
        x, y = task.x - task.x.mean(axis=0), task.y - task.y.mean(axis=0)
    else:
        y = task.y
    a, sigma, bt = np.linalg.svd(x, full_matrices=False)
    kept = sigma > RANK_TOLERANCE * sigma.max(initial=0.0)
    along = a[:, kept].T @ y
    p, s, qt = np.linalg.svd(along, full_matrices=False)
    best = (bt[kept].T / sigma[kept]) @ (p[:, :width] * s[:width]) @ qt[:width]
    outputs = x @ best + (task.y - y)
    loss = 0.5 * float(np.sum((task.y - outputs) ** 2)) / len(x)
    statistics = task.statistics
    strengths = np.sum((statistics.left.T @ best.T) * statistics.right.T, axis=-1)

    def always(value: ArrayLike) -> Callable[[], np.ndarray]:
        return lambda: np.repeat(np.asarray(value)[None], count, axis=0)

    found = {"loss": loss, "outputs": outputs, "map": best.T, "strengths": strengths}
    return Solution({name: always(value) for name, value in found.items()}, error=always(0.0))
