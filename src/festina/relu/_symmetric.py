"""(Leaky) ReLU networks without biases on symmetric data: linear networks in slower time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from festina.checks import check
from festina.checks.shapes import Times
from festina.core import Assumption, Solution, Start, Task, Theory
from festina.core.network import Network, exactly, leaves, mean_loss, read_off
from festina.initial import Weights
from festina.linear import DeepLinear
from festina.relu._fixed import closed_form, plain

EXACT = 1e-9
"""Relative distance up to which points and units have their mirror images."""


@dataclass(frozen=True, repr=False)
class SymmetricData(Theory):
    """A linear network in slower time: a (leaky) ReLU layer without biases on symmetric data.

    Every point (x, y) has its mirror image (−x, −y). With the slope α for negative inputs, σ(h) = p h + (1 − p) |h|,
    where p = (1 + α)/2 is ½ for a ReLU. While the even part Σ a |w·x| of the outputs is zero, outputs and residual r
    are odd in x. Then ⟨σ(w·x) r⟩ = p ⟨(w·x) r⟩ and ⟨σ'(w·x) x r⟩ = p ⟨x r⟩: every unit moves as a linear one at the
    pace p. The even part stays zero where units come in pairs (w, a) and (−w, −a). So with W' = √p W

        ŷ(t) = W'₂ W'₁ x   of the linear network that starts at √p W(0), at the time p t.

    Gates do not change the map, whatever they do. One case is excluded: a unit with w·x = 0 has σ' = α, as its mirror
    image has, and a ReLU unit may stay there for good. From weights without pairs the even part is not zero but small
    where many units are; ``fs.Reduced("stages of units")`` follows them.

    Args:
        slope: the slope of the activation for negative inputs, α; that of the network, which lists its own.

    Example:
        >>> import numpy as np, festina as fs
        >>> x, y = np.eye(2), np.diag([2.0, 1.0])
        >>> task = fs.Task(np.vstack([x, -x]), np.vstack([y, -y]))
        >>> layers = np.diag([0.1, 0.05]) / np.sqrt(2)
        >>> paired = fs.initial.Weights([np.vstack([layers, -layers]), np.hstack([layers, -layers])])
        >>> network = fs.FeedForward((4,), "leaky relu", negative_slope=0.2, bias=False, initial=paired)
        >>> times = np.array([0.0, 10.0, 30.0])
        >>> run = fs.evolve(network, task, times, method=fs.Exact("symmetric data"))
        >>> bool(fs.compare(run, fs.evolve(network, task, times, method=fs.Flow())).area < 1e-4)
        True

    Source: zhang2024.
    """

    slope: float = 0.0

    name: ClassVar[str] = "symmetric data"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("zhang2024",)

    def __post_init__(self) -> None:
        check.positive("slope", self.slope, zero=True)

    def suits(self, network: Network) -> bool:
        """Networks whose activation has this slope."""
        return self in network.theories

    def assumptions(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """One hidden layer without biases, mirror images of points and units, and what the linear network needs."""
        found = [w for w in leaves(start.weights) if np.ndim(w) == 2]
        biased = len(found) < len(leaves(start.weights)) or found[0].shape[1] > task.x.shape[1]
        layers, bias = plain(len(found) - 1, biased)
        if not (layers.holds and bias.holds) or task.given == "statistics":
            return layers, bias
        first, second = _layers(start)
        points, units = _mirrored(np.hstack([task.x, task.y])), _mirrored(np.hstack([first, second.T]))
        measured = (
            layers, bias,
            Assumption("symmetry", "every point (x, y) has a mirror image (−x, −y)", points, EXACT,
                       quantity="largest distance"),
            Assumption("pairs", "every unit (w, a) has its mirror image (−w, −a)", units, EXACT,
                       quantity="largest distance"),
            Assumption("open or closed", "no unit stays at w·x = 0, between open and closed, at a point it would learn",
                       _stuck(task, first, second, self.slope), EXACT, quantity="share of the gradient"),
        )  # fmt: skip
        linear = _linear(start, self.slope)
        _, failing = closed_form(linear, task, Start(linear, task))
        return (*measured, *(replace(excluded, needed=True) for excluded in failing[-1:]))

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """The linear network's solution in slower time."""
        import jax

        linear, pace = _linear(start, self.slope), _pace(self.slope)
        begin = Start(linear, task)
        theory, _ = closed_form(linear, task, begin)
        assert theory is not None
        path = theory.solve(linear, task, begin, pace * np.asarray(times, float)).path
        assert path is not None
        tree = jax.tree.structure(start.weights)
        weights = [tree.unflatten([w / np.sqrt(pace) for w in layers]) for layers in path()]
        with exactly(network, task):
            loss = np.array([mean_loss(network.predict, w, network.points(task)) for w in weights])
        return Solution(read_off(network, task, lambda: weights) | {"loss": lambda: loss}, path=lambda: weights)


def _pace(slope: float) -> float:
    """Mean of σ'(h) over h and −h."""
    return (1 + slope) / 2


def _layers(start: Start) -> tuple[np.ndarray, np.ndarray]:
    first, second = (np.asarray(w, float) for w in leaves(start.weights))
    return first, second


def _linear(start: Start, slope: float) -> DeepLinear:
    layers = [np.sqrt(_pace(slope)) * w for w in _layers(start)]
    return DeepLinear((len(layers[0]),), initial=Weights(layers))


def _stuck(task: Task, first: np.ndarray, second: np.ndarray, slope: float) -> float:
    """Largest |a·r| ‖x‖ of units whose w·x is zero and stays zero, as a share of the largest of all; 0 if linear."""
    inputs = task.x @ first.T
    gates = np.where(inputs > 0, 1.0, slope)
    felt = (task.y - gates * inputs @ second.T) @ second
    leaving = np.abs(task.x @ task.x.T @ (gates * felt))
    drive = np.abs(felt) * np.linalg.norm(task.x, axis=1)[:, None]
    stuck = drive[(inputs == 0) & (leaving <= EXACT * leaving.max(initial=0.0))].max(initial=0.0)
    return float(abs(1 - slope) * stuck / drive.max()) if stuck else 0.0


def _mirrored(rows: np.ndarray) -> float:
    """Largest distance of a row to the mirror image of another, each taken once, relative to the longest row.

    Rows are paired by their order along one direction, in which mirror images are opposite.
    """
    order = np.argsort(rows @ np.random.default_rng(0).standard_normal(rows.shape[1]))
    apart = np.linalg.norm(rows[order] + rows[order[::-1]], axis=1)
    size = np.linalg.norm(rows, axis=1).max(initial=0.0)
    return float(apart.max(initial=0.0) / size) if size else 0.0
