"""A recorded training run of a ReLU network, read back: weights of every seed, step size, activity."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.core.layered import rectify
from festina.core.task import Task
from festina.methods import Train


@dataclass(frozen=True, eq=False)
class Replay:
    """The weights of a run, with a leading seed axis always, and what follows from them on the task.

    Attributes:
        run: the trajectory.
        task: what was learned.
        weights: one array (seeds, times, out, in) per layer.
        steps: the step of each observation; empty if that is not known.
        rate: the step size; not a number where steps are not known.
        biased: whether the last column of every layer is its bias.
    """

    run: Trajectory
    task: Task
    weights: tuple[np.ndarray, ...]
    steps: np.ndarray
    rate: float
    biased: bool = False

    @classmethod
    def read(cls, run: object, task: object = None, name: str = "run") -> "Replay":
        """Check that a run has weights that fit the task.

        Raises:
            ValueError: not a trajectory, weights that were not observed, diverged or do not fit the task.
        """
        if not isinstance(run, Trajectory):
            raise ValueError(f"{name} is {type(run).__name__}; a trajectory, as fs.evolve(...) gives it, is needed.")
        task = run.task if task is None else task
        if task is None:
            raise ValueError(f"{name} was read from a file or made by hand and does not hold its task; give task=....")
        if not isinstance(task, Task):
            raise ValueError(f"task is {type(task).__name__}; give the fs.Task that the network was trained on.")
        if "weights" not in run.values:
            raise ValueError(
                f"{name} observed {', '.join(run.values)}; its weights are needed: fs.evolve(..., observe=('weights', "
                "...))."
            )
        weights = tuple(w if run.seeds is not None else w[None] for w in run.weights)
        shapes = [w.shape[-2:] for w in weights]
        biased = bool(getattr(run.network, "bias", False))
        chained = all(a[0] + biased == b[1] for a, b in pairwise(shapes))
        if len(shapes) < 2 or not chained or any(w.ndim != 4 for w in weights):
            raise ValueError(
                f"{name} has weights of shapes {shapes}; layers of an fs.ReLU, (out, in) each, are needed."
            )
        task.require_squared("reading gates off a run")
        ends = (shapes[0][1] - biased, shapes[-1][0])
        if ends != (task.x.shape[1], task.y.shape[1]):
            raise ValueError(
                f"{name} has {ends[0]} inputs and {ends[1]} outputs, the task has {task.x.shape[1]} and "
                f"{task.y.shape[1]}; give the task that the network was trained on."
            )
        if not all(np.isfinite(w).all() for w in weights):
            raise ValueError(f"{name} holds weights that are not finite: it diverged; train with a smaller rate.")
        steps = np.asarray(run.notes.get("steps", ()), int)
        return cls(run, task, weights, steps, float(run.times[-1] / steps[-1]) if steps.any() else np.nan, biased)

    def require_training(self, name: str = "run") -> None:
        """Refuse what is not full-batch gradient descent with its steps: it cannot be trained again."""
        method = self.run.method
        is_descent = isinstance(method, Train) and method.is_descent
        if not len(self.steps) or not is_descent:
            raise ValueError(
                f"{name} was made by {self.run.label if method else 'hand'}; a run of full-batch gradient descent, "
                "fs.Train(rate=...), is needed."
            )
        if self.biased:
            raise ValueError(
                f"{name} is of a network with biases; its gated networks have none. Append a column of ones to the "
                "inputs of the task instead of bias=True."
            )
        if len(self.steps) < 2:
            raise ValueError(f"{name} has one observation; at least two, at different steps, are needed.")

    def only(self, runs: Sequence[int]) -> "Replay":
        """Some of the runs."""
        kept = tuple(w[list(runs)] for w in self.weights)
        values = {"outputs": self.outputs[list(runs)]}
        run = Trajectory(self.run.times, values, method=self.run.method, seeds=tuple(runs))
        return Replay(run, self.task, kept, self.steps, self.rate)

    @property
    def dtype(self) -> np.dtype:
        """Precision of the run."""
        return self.weights[0].dtype

    def shaped(self, value: np.ndarray | tuple[np.ndarray, ...]) -> Any:
        """A value with a seed axis, as the run has it: with one, or without."""
        if self.run.seeds is not None:
            return value
        return tuple(v[0] for v in value) if isinstance(value, tuple) else value[0]

    @cached_property
    def _summed(self) -> tuple[np.ndarray, ...]:
        h, found = self.task.x.astype(self.dtype), []
        for matrix in self.weights:
            turned = matrix.swapaxes(-1, -2)
            found.append(h @ turned[..., :-1, :] + turned[..., -1:, :] if self.biased else h @ turned)
            h = rectify(found[-1])
        return tuple(found)

    @property
    def layers(self) -> tuple[np.ndarray, ...]:
        """Pre-activations of every hidden layer, (seeds, times, items, units)."""
        return self._summed[:-1]

    @cached_property
    def outputs(self) -> np.ndarray:
        """Outputs of the ReLU network, (seeds, times, items, outputs): those observed, or from the weights."""
        if "outputs" in self.run.values:
            return self.run.outputs if self.run.seeds is not None else self.run.outputs[None]
        return self._summed[-1]

    @cached_property
    def loss(self) -> np.ndarray:
        """Mean loss, (seeds, times): that observed, or from the weights."""
        if "loss" in self.run.values:
            return np.atleast_2d(self.run.loss)
        return 0.5 * ((self.task.y - self.outputs) ** 2).sum(axis=(2, 3)) / len(self.task.x)

    def require_descent(self, drift: np.ndarray, size: np.ndarray) -> None:
        """Refuse a run whose steps are not those of gradient descent on this task.

        ``drift`` is how far the weights are from those of gradient descent from the observation before, and ``size``
        the largest weight. Rounding leaves a drift of some units in the last place; half of the digits are allowed.
        """
        allowed = np.sqrt(np.finfo(self.dtype).eps)
        worst = float((drift / np.maximum(size, np.finfo(self.dtype).tiny)).max())
        if worst > allowed:
            raise ValueError(
                f"run ({self.run.label}) is not full-batch gradient descent at rate {self.rate:g} on this task: "
                f"between two observations its weights leave that course by {worst:.3g} of their size (rounding "
                f"explains {allowed:.1g}). Give the task it was trained on, and a run of fs.Train(rate=...) alone."
            )


def joined(replays: Sequence[Replay]) -> Replay:
    """Several runs as one with seeds."""
    first = replays[0]
    if len(replays) == 1:
        return first
    weights = tuple(np.concatenate(parts) for parts in zip(*(r.weights for r in replays), strict=True))
    outputs = np.concatenate([r.outputs for r in replays])
    numbers = tuple(range(len(outputs)))
    run = Trajectory(first.run.times, {"outputs": outputs}, method=first.run.method, seeds=numbers)
    return Replay(run, first.task, weights, first.steps, first.rate)
