"""ReLU networks without biases on symmetric data: linear networks in slower time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core.assumption import Assumption
from festina.core.network import mean_loss
from festina.core.stack import stack
from festina.core.task import Task
from festina.core.theory import Solution, Start, Theory
from festina.initial import Weights
from festina.linear import DeepLinear

if TYPE_CHECKING:
    from festina.relu._network import ReLU

PACE = 0.5
"""Mean of σ'(h) over h and −h for σ = relu; (1 + α)/2 for a leaky one with slope α."""

EXACT = 1e-9
"""Relative distance up to which points and units have their mirror images."""


@dataclass(frozen=True, repr=False)
class SymmetricData(Theory):
    """A ReLU layer without biases on data in which every (x, y) has its mirror image (−x, −y): a linear network.

    relu(h) = (h + |h|)/2. While the even part Σ a |w·x| of the outputs is zero, outputs and residual are odd in x. Then
    ⟨relu(w·x) r⟩ = ½⟨(w·x) r⟩ and ⟨[w·x > 0] x r⟩ = ½⟨x r⟩: every unit moves as a linear one at half the speed. The
    even part stays zero where units come in pairs (w, a) and (−w, −a). So with W' = W/√2

        ŷ(t) = W'₂ W'₁ x   of the linear network that starts at W(0)/√2, at the time t/2.

    Gates do not change the map, whatever they do. From weights without pairs the even part is not zero but small where
    many units are; ``fs.Reduced()`` follows them.

    Example:
        >>> import numpy as np, festina as fs
        >>> x, y = np.eye(2), np.diag([2.0, 1.0])
        >>> task = fs.Task(np.vstack([x, -x]), np.vstack([y, -y]))
        >>> layers = np.diag([0.1, 0.05]) / np.sqrt(2)
        >>> paired = fs.initial.Weights([np.vstack([layers, -layers]), np.hstack([layers, -layers])])
        >>> network, times = fs.ReLU((4,), initial=paired), np.array([0.0, 10.0, 30.0])
        >>> run = fs.evolve(network, task, times, method=fs.Exact("symmetric data"))
        >>> bool(fs.compare(run, fs.evolve(network, task, times, method=fs.Flow())).area < 1e-4)
        True

    Source: zhang2024.
    """

    name: ClassVar[str] = "symmetric data"
    exact: ClassVar[bool] = True
    sources: ClassVar[tuple[str, ...]] = ("zhang2024",)

    def assumptions(self, network: ReLU, task: Task, start: Start) -> tuple[Assumption, ...]:
        """One hidden layer without biases, mirror images of points and units, and what the linear network needs."""
        layers = Assumption(
            "one hidden layer", "the network has one hidden layer (their number)", float(len(network.hidden)), 1.0,
            needed=True,
        )  # fmt: skip
        bias = Assumption("bias", "the network has no biases (1 where it has)", float(network.bias), 0.0, needed=True)
        if not (layers.holds and bias.holds) or task.given == "statistics":
            return layers, bias
        first, second = (np.asarray(w, float) for w in start.weights)
        points, units = _mirrored(np.hstack([task.x, task.y])), _mirrored(np.hstack([first, second.T]))
        found = (
            layers, bias,
            Assumption("symmetry", "every point (x, y) has a mirror image (−x, −y) (largest distance)", points, EXACT),
            Assumption("pairs", "every unit (w, a) has its mirror image (−w, −a) (largest distance)", units, EXACT),
        )  # fmt: skip
        theory, excluded = _closed_form(task, start)
        return found if theory is not None else (*found, replace(excluded, needed=True))

    def solve(self, network: ReLU, task: Task, start: Start, times: Times) -> Solution:
        """The linear network's solution in slower time."""
        theory, _ = _closed_form(task, start)
        assert theory is not None
        linear = _linear(start)
        path = theory.solve(linear, task, Start(linear, task), PACE * np.asarray(times, float)).path
        assert path is not None
        weights = [tuple(w / np.sqrt(PACE) for w in layers) for layers in path()]
        known = network.observables(network.context(task))
        observables = {name: (lambda see=see: stack([see(w) for w in weights])) for name, see in known.items()}
        loss = np.array([mean_loss(network.predict, w, network.points(task)) for w in weights])
        return Solution({**observables, "loss": lambda: loss}, path=lambda: weights)


def _linear(start: Start) -> DeepLinear:
    layers = [np.sqrt(PACE) * np.asarray(w, float) for w in start.weights]
    return DeepLinear((len(layers[0]),), initial=Weights(layers))


def _closed_form(task: Task, start: Start) -> tuple[Theory | None, Assumption]:
    """The first closed form of the linear network that applies, and the assumption that excluded the last one."""
    network, failing = _linear(start), Assumption("closed form", "the linear network has one", 1.0, 0.0)
    begin = Start(network, task)
    for theory in (t for t in network.theories if t.exact):
        failed = [a for a in theory.measured(network, task, begin) if not a.holds]
        if not failed:
            return theory, failing
        failing = failed[0]
    return None, failing


def _mirrored(rows: np.ndarray) -> float:
    """Largest distance of a row to the mirror image of another, each taken once, relative to the longest row."""
    from scipy.optimize import linear_sum_assignment

    apart = np.linalg.norm(rows[:, None] + rows[None], axis=2)
    one, other = linear_sum_assignment(apart)
    size = np.linalg.norm(rows, axis=1).max(initial=0.0)
    return float(apart[one, other].max(initial=0.0) / size) if size else 0.0
