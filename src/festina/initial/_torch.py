"""The default initialisation of PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.core.initial import Initial, Shapes
from festina.core.task import Task


@dataclass(frozen=True)
class Torch(Initial):
    """The default of ``torch.nn.Linear``: weights and biases uniform between −1/√n_in and 1/√n_in.

    The distribution is PyTorch's, the random numbers are NumPy's; ``fs.from_torch`` takes over the weights of a module.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Torch())
        >>> first, second = network.start(fs.Task(np.eye(4), np.eye(4)), seed=0)
        >>> bool(np.abs(first).max() <= 1 / 2), bool(np.abs(second).max() <= 3**-0.5)
        (True, True)
    """

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix of independent entries per shape."""
        return tuple(rng.uniform(-(into**-0.5), into**-0.5, (out, into)) for out, into in shapes)

    def biases(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One vector of independent entries per layer."""
        return tuple(rng.uniform(-(into**-0.5), into**-0.5, out) for out, into in shapes)
