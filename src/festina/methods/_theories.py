"""Which theories apply to a network on a task, and how far each can be trusted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike, Losses, Times
from festina.core.assumption import Assumption
from festina.core.network import Network, task_context
from festina.core.observations import AREA, relative_error
from festina.core.task import Task, check_task
from festina.core.theory import Start, Theory
from festina.methods._estimate import ACCURACY
from festina.methods._flow import Flow
from festina.methods._lazy import Lazy
from festina.methods._run_theory import LARGEST_ERROR, theories_for
from festina.runtime.progress import shown
from festina.solvers.stepper import DORMAND_PRINCE

SAMPLES = 200
"""Times over which errors are estimated."""

STEPS = 1000
"""Without ``times`` errors are estimated over this many steps of gradient descent at rate 1/curvature."""


@dataclass(frozen=True, eq=False)
class TheoryRow:
    """One theory on one network and task: its assumptions as measured, and its error where that was asked for."""

    theory: Theory
    assumptions: tuple[Assumption, ...]
    error: float = float("nan")

    @property
    def applies(self) -> bool:
        """Whether it can be run: an exact theory if all assumptions hold, an approximation if the needed ones do."""
        return all(a.holds for a in self.assumptions if self.theory.exact or a.needed)

    @property
    def mark(self) -> str:
        """✓ where all assumptions hold, ≈ where one does not or the error is above 10 %, ✗ where it does not apply."""
        fine = all(a.holds for a in self.assumptions) and not self.error > LARGEST_ERROR
        return "✗" if not self.applies else "✓" if fine else "≈"

    @property
    def method(self) -> str:
        """The call that runs it."""
        return "fs.Exact()" if self.theory.exact else "fs.Reduced()"

    @property
    def expected(self) -> str:
        """The error to expect, in words."""
        if not self.applies:
            return "does not apply"
        if self.theory.exact:
            return "exact"
        return "approximation" if np.isnan(self.error) else f"approximation, error {self.error:.2%}"


@dataclass(frozen=True, eq=False, repr=False)
class TheoryTable:
    """Every theory of a network, in the order in which they are tried; prints as a table.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-3))
        >>> fs.theories(network, fs.tasks.hierarchy(levels=2)).rows[0].expected
        'exact'
    """

    network: Network
    task: Task
    rows: tuple[TheoryRow, ...]
    until: float = float("nan")
    gradients: int = 0

    @property
    def always(self) -> tuple[str, ...]:
        """Methods that assume nothing of this network."""
        return ("fs.Train(rate=...)",) if self.network.noisy else ("fs.Flow()", "fs.Train(rate=...)")

    def __str__(self) -> str:
        lines = [f"{self.network!r} on {self.task!r}"]
        for row in self.rows:
            sources = f" [{', '.join(row.theory.sources)}]" if row.theory.sources else ""
            lines.append(f"{row.mark} {row.theory.name} by {row.method}: {row.expected}{sources}")
            for a in row.assumptions:
                verdict = "holds" if a.holds else "fails"
                lines.append(f"    {verdict:<6}{a.name:<16}{a.measured:>10.3g}  (bound {a.bound:.3g})  {a.statement}")
        if not self.rows:
            lines.append("This network has no theory of its own.")
        return "\n".join([*lines, *self._notes()])

    def _notes(self) -> list[str]:
        """Notes on all rows: the meaning of marks and errors, and the methods without assumptions."""
        found = [f"✓ without any assumption: {' and '.join(self.always)}"]
        found += [f"Start: {row.theory.regime(row.assumptions)}" for row in self.rows if isinstance(row.theory, Lazy)]
        if any(row.mark == "≈" for row in self.rows):
            found.append(f"≈ can be run, but an assumption does not hold, or the error is above {LARGEST_ERROR:.0%}.")
        if np.isfinite(self.until):
            found.append(f"error: {AREA}, from time 0 to {self.until:.3g}.")
            if self.gradients:
                found.append(
                    f"The flow took {self.gradients:,} gradients, as many as {self.gradients:,} training steps."
                )
        elif any(row.applies and not row.theory.exact for row in self.rows):
            found.append(
                f"fs.theories(..., errors=True) estimates errors; the flow takes 3 to 60 times {STEPS} steps of "
                "training, and each approximation up to 20 times."
            )
        return found

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from festina.core.display import render

        rows = [
            (
                f"{row.mark} {row.theory.name}", row.method, row.expected,
                "; ".join(f"{a.name} {a.measured:.3g} {'≤' if a.holds else '>'} {a.bound:.3g}" for a in row.assumptions)
                or "none",
                ", ".join(row.theory.sources),
            )
            for row in self.rows
        ]  # fmt: skip
        header = ("theory", "run by", "error to expect", "assumptions, measured and bound", "source")
        return render(f"Theories of {self.network!r}", rows, self._notes(), header=header)


def theories(
    network: Network, task: Task, *, seed: int = 0, errors: bool = False, times: ArrayLike | None = None,
    progress: bool = False,
) -> TheoryTable:  # fmt: skip
    """Every theory that could apply to a network on a task: its assumptions, measured, and its error if asked for.

    Args:
        network: what will learn.
        task: what it will learn.
        seed: draws the initial weights on which assumptions are measured.
        errors: also estimate the error of every approximation, by integrating the gradient flow once, to an accuracy of
            1e-5, and solving each. The flow takes 3 to 60 times 1000 steps of training, and each approximation up to
            20 times; the table says how many gradients the flow took. Without ``errors`` nothing is integrated. It
            also measures what only a solution tells: whether starts nearby learn the same.
        times: flow times over which errors are estimated, from 0; None is the time of 1000 steps of gradient descent at
            the rate 1/curvature, with the largest curvature of the loss at the start.
        progress: show a progress bar on stderr while errors are estimated.

    Returns:
        A table, one row per theory: which method runs it, each assumption with its measured value and bound, whether
        it applies, its sources and, with ``errors``, its error: the area between the loss curves of theory and gradient
        flow over the area below the latter.

    Raises:
        ValueError: not a network, or not a task; times that do not increase.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-2))
        >>> [row.theory.name for row in fs.theories(network, fs.tasks.hierarchy(levels=2)).rows if row.applies]
        ['independent modes', 'joint modes', 'lazy limit']
    """
    check.instance("network", network, Network, "a network such as fs.ReLU(...) or fs.from_torch(module)")
    check_task(task)
    start = Start(network, task, check.whole("seed", seed, least=0))
    at = None if times is None else check.times(times)
    rows = tuple(TheoryRow(each, each.measured(network, task, start)) for each in theories_for(network, task, start))
    wanted = [row for row in rows if row.applies and not row.theory.exact]
    if not check.flag("errors", errors) or network.noisy or not wanted:
        return TheoryTable(network, task, rows)
    with shown(check.flag("progress", progress)):
        at = np.linspace(0.0, _horizon(network, task, start), SAMPLES) if at is None else at
        run = Flow(rtol=ACCURACY).run(network, task, at, [start], ("loss",))
        flow = run.values["loss"][0]
        rows = tuple(_solved(row, network, task, start, at, flow) if row in wanted else row for row in rows)
    gradients = (len(DORMAND_PRINCE.stages) - 1) * sum(run.notes.get("steps", ()))
    return TheoryTable(network, task, rows, float(at[-1]), gradients)


def _solved(row: TheoryRow, network: Network, task: Task, start: Start, times: Times, flow: Losses) -> TheoryRow:
    """With the error against the flow (an early phase is compared in this phase), and what only a solution tells."""
    found = row.theory.solve(network, task, start, times)
    loss = np.asarray(found.observables["loss"]())
    early = times <= max(found.notes.get("holds_until", np.inf), times[min(1, len(times) - 1)])
    error = float(relative_error(loss[early], (loss - flow)[early], times[early]))
    told = () if found.conditions is None else found.conditions()
    return replace(row, assumptions=(*row.assumptions, *told), error=error)


def _horizon(network: Network, task: Task, start: Start) -> float:
    """The time of ``STEPS`` steps at the rate 1/curvature."""
    from festina.analysis.curvature import largest_curvature

    curvature = largest_curvature(network.loss, start.weights, task_context(network, task)["data"])
    # from tiny weights of three layers and more the loss is flat at first
    driven = float(task.statistics.strengths.max(initial=0.0)) if task.loss.squared else 0.0
    return STEPS / (max(curvature, driven) or 1.0)
