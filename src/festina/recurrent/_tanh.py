"""A recurrent network with tanh units, trained for comparison with the linear one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Task
from festina.initial import Initial
from festina.recurrent._network import Recurrent, RecurrentPredict


@dataclass(frozen=True, repr=False)
class TanhRNN(Recurrent):
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
        super().__post_init__()
        check.whole("sequences", self.sequences)
        check.whole("data_seed", self.data_seed, least=0)

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """The forward pass over a sequence."""
        return RecurrentPredict(self.step, saturates=True)

    def context(self, task: Task) -> Context:
        """Fixed sequences, or the data points of the task."""
        modes = self.modes(task)
        data = task.sampled(self.sequences, self.data_seed) if task.given == "statistics" else task
        points = Data(data.x, data.y, float(len(data.x)))
        return {"data": points, "x": data.x, "left": modes.left, "right": modes.right}
