"""The early phase of learning by another loss than squared error: squared error in slower time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from festina.checks.shapes import Times
from festina.core import Assumption, Network, Solution, Start, Task, Theory
from festina.core.network import exactly, read_off, task_context
from festina.methods._estimate import loss_error

SMALL = 0.1
"""Share of the first residual up to which what is left out of it counts as small."""


@dataclass(frozen=True, repr=False)
class EarlyPhase(Theory):
    """A theory of squared error for the early phase of learning by cross-entropy, while outputs are small.

    With C classes the residual of cross-entropy is p − softmax f = (y' − f)/C + O(f²) with y' = C p − 1, for outputs f
    whose mean over classes is zero. Classes may have any frequencies. So a network whose outputs are small learns y' by
    squared error in time t/C. For binary cross-entropy y' = 4 y − 2 and time is t/4, to O(f³).

    The weights are those of the theory on y' at t/C, and everything observed is read off them; the loss is the task's
    own. ``notes["holds_until"]`` is the first time at which the term that is left out exceeds a tenth of the first
    residual (root mean square over data points and outputs). ``fs.evolve`` warns where times go beyond. The error
    is estimated against the gradient flow of the task's own loss.

    Args:
        theory: a theory of squared error, one of ``network.theories``; ``fs.Reduced()`` takes the first exact one that
            applies, or else the first approximate one whose needed assumptions hold.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.Task(np.eye(3), labels=["cat", "dog", "fox"], loss="cross_entropy")
        >>> network = fs.DeepLinear((16,), initial=fs.initial.Gaussian(1e-3))
        >>> run = fs.evolve(network, task, np.linspace(0, 20, 41), method=fs.Reduced())
        >>> run.notes["theory"], run.notes["holds_until"] > 20, run.relative_error < 0.01
        ('early phase of independent modes', True, True)

    Source: section on cross-entropy in docs/theory/loss.md.
    """

    theory: Theory

    exact: ClassVar[bool] = False
    losses: ClassVar[tuple[str, ...] | None] = ("cross_entropy", "binary")

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"early phase of {self.theory.name}"

    @property
    def sources(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.theory.sources

    def coarse(self) -> EarlyPhase:
        return EarlyPhase(self.theory.coarse())

    def assumptions(self, network: Network, task: Task, start: Start) -> tuple[Assumption, ...]:
        """Small outputs at the start, and those of the theory."""
        with exactly(network, task):
            outputs = np.asarray(network.observables(task_context(network, task))["outputs"](start.weights))
        statement = "the residual is linear in the outputs at the start"
        small = Assumption(
            "small outputs", statement, float(_left_out(task, outputs)), SMALL, quantity="share that is not"
        )
        return (small, *self.theory.assumptions(network, *_squared(task, start)))

    def solve(self, network: Network, task: Task, start: Start, times: Times) -> Solution:
        """The theory's weights in slower time."""
        if not np.all(np.isfinite(times)):
            raise ValueError(
                f"times is None (t → ∞), and the loss is {task.loss.name!r}, of which only the early phase is known; "
                "give times."
            )
        slower, begin = _squared(task, start)
        found = self.theory.solve(network, slower, begin, times / _near_zero(task)[1])
        path = found.path
        if path is None:
            raise ValueError(f"theory is {self.theory.name!r}, which gives no weights; use another, or fs.Flow().")
        observables = read_off(network, task, path)
        outputs, loss = observables["outputs"](), observables["loss"]()
        left = _left_out(task, outputs)
        late = np.flatnonzero(left > SMALL)
        until = float("inf")
        if len(late):
            two = slice(max(late[0] - 1, 0), late[0] + 1)
            until = float(np.interp(SMALL, left[two], times[two]))

        return Solution(
            {**observables, "loss": lambda: loss, "outputs": lambda: outputs},
            notes={**found.notes, "holds_until": until},
            error=lambda: loss_error(network, task, start, times, loss),
            path=path,
        )


def early_phase(network: Network, task: Task, start: Start) -> EarlyPhase | None:
    """The theory for a task of another loss: of the first exact theory that applies, or the first usable one."""
    if task.loss.name not in (EarlyPhase.losses or ()) or not network.theories:
        return None
    slower, begin = _squared(task, start)
    for exact in (True, False):
        for theory in (t for t in network.theories if t.exact == exact):
            if all(a.holds for a in theory.measured(network, slower, begin) if exact or a.needed):
                return EarlyPhase(theory)
    return None


def _near_zero(task: Task) -> tuple[np.ndarray, float]:
    found = task.loss.near_zero(task.y)
    assert found is not None
    return found


def _squared(task: Task, start: Start) -> tuple[Task, Start]:
    """The task of squared error that is learned early on, and the start on it: the same weights."""
    slower = replace(task, y=_near_zero(task)[0], loss="squared", test=None)
    return slower, Start(start.network, slower, start.seed, start.weights, start.measured)


def _left_out(task: Task, outputs: np.ndarray) -> np.ndarray:
    """Part of the residual beyond first order, relative to the residual at zero outputs; over leading axes."""
    targets, slowing = _near_zero(task)
    # the mean over classes has no part in a softmax, and squared error keeps it small
    centred = outputs - outputs.mean(axis=-1, keepdims=True) if task.loss.name == "cross_entropy" else outputs
    away = task.loss.residual(outputs, task.y) - (targets - centred) / slowing
    return np.asarray(np.sqrt((away**2).mean(axis=(-2, -1)) / ((targets / slowing) ** 2).mean()))
