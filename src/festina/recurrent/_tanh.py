"""A recurrent network with tanh units, trained for comparison with the linear one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Network, Task, mean_loss
from festina.core.seed import generator
from festina.initial import Initial
from festina.recurrent._observe import eigenvalues, lag_maps, namespace
from festina.recurrent._theory import TemporalModes


@dataclass(frozen=True)
class TanhPredict:
    """h_t = tanh(W_h h_{t−1} + W_x x_t), ŷ = W_y h_T."""

    length: int

    def __call__(self, weights: Weights, x: Array) -> Array:
        """One row of outputs per sequence."""
        first, recurrent, last = weights
        xp, inputs = namespace(last), first.shape[1]
        state = xp.tanh(x[:, :inputs] @ first.T)
        for step in range(1, self.length):
            state = xp.tanh(state @ recurrent.T + x[:, step * inputs : (step + 1) * inputs] @ first.T)
        return state @ last.T


@dataclass(frozen=True)
class TanhObservables:
    """``loss``, ``outputs``, ``eigenvalues``, ``weights``; ``strengths``, ``map`` of the network linearised at rest."""

    predict: TanhPredict

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on this task."""
        length, left, right = self.predict.length, context["left"], context["right"]
        return {
            "loss": lambda weights: mean_loss(self.predict, weights, context["data"]),
            "strengths": lambda weights: ((left.T @ lag_maps(weights, length)) * right.T).sum(axis=-1),
            "map": lambda weights: lag_maps(weights, length),
            "eigenvalues": eigenvalues,
            "outputs": lambda weights: self.predict(weights, context["data"].x),
            "weights": tuple,
        }


@dataclass(frozen=True, repr=False)
class TanhRNN(Network):
    """A recurrent network with tanh units that answers at the end: h_t = tanh(W_h h_{t−1} + W_x x_t), ŷ = W_y h_T.

    For small inputs and weights it is ``fs.LinearRNN``. It has no theory here: ``fs.Train`` and ``fs.Flow``. On a task
    given by its statistics, the loss is measured on ``sequences`` fixed draws, which full-batch training also uses;
    ``fs.Train(batch=...)`` draws fresh sequences in each step.

    Args:
        width, length, initial: as in ``fs.LinearRNN``.
        sequences: number of fixed sequences.
        data_seed: draws them; networks of all seeds share them.

    Raises:
        ValueError: an argument that is not allowed, or inputs that ``length`` does not divide.

    Example:
        >>> import festina as fs
        >>> network = fs.recurrent.TanhRNN(8, length=3, initial=fs.initial.Gaussian(0.2), sequences=200)
        >>> task = fs.tasks.integration(length=3, strengths=0.3)
        >>> run = fs.evolve(network, task, [0.0, 60.0], method=fs.Train(rate=0.05))
        >>> bool(run.loss[-1] < 0.2 * run.loss[0])
        True

    Source: proca2025 (linear theory, to be compared with); the network is standard.
    """

    width: int
    length: int
    initial: Initial = field(kw_only=True)
    sequences: int = field(default=1000, kw_only=True)
    data_seed: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("width", "length", "sequences"):
            check.whole(name, getattr(self, name))
        check.whole("data_seed", self.data_seed, least=0)
        check.instance("initial", self.initial, Initial, "one of fs.initial, such as fs.initial.Gaussian(0.01),")

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial W_x, W_h and W_y, by the rule in ``initial``."""
        inputs, outputs = TemporalModes(task, self.length).inputs, task.y.shape[1]
        shapes = [(self.width, inputs), (self.width, self.width), (outputs, self.width)]
        return self.initial.of_seed(seed).draw(shapes, task, generator(seed))

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """The forward pass over a sequence."""
        return TanhPredict(self.length)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``outputs``, ``eigenvalues``, ``weights``; ``strengths`` and ``map`` as linearised at rest."""
        return TanhObservables(TanhPredict(self.length))

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of observables."""
        return {
            "loss": (), "strengths": ("lag", "mode"), "map": ("lag", "output", "input"),
            "eigenvalues": ("unit", "part"), "outputs": ("item", "output"),
        }  # fmt: skip

    def context(self, task: Task) -> Context:
        """Fixed sequences, or the data points of the task."""
        modes = TemporalModes(task, self.length)
        data = task.sampled(self.sequences, self.data_seed) if task.given == "statistics" else task
        return {"data": Data(data.x, data.y, float(len(data.x))), "left": modes.left, "right": modes.right}
