"""Which theories apply to a network on a task, and how far each can be trusted."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from festina.analysis.compare import UNSTABLE
from festina.checks import check
from festina.checks.shapes import ArrayLike, Losses, Times, Tree
from festina.core import Assumption, Start, Theory
from festina.core.network import Network, task_context
from festina.core.observations import AREA, relative_error
from festina.core.task import Task, check_task
from festina.methods._evolve import step_size, times_of
from festina.methods._exact import LARGEST_ERROR, theories_for
from festina.methods._flow import STABILISED, Flow
from festina.methods._lazy import Lazy
from festina.runtime.progress import shown
from festina.solvers.budget import OverBudgetError, gradients_at_most

SAMPLES = 200
"""Times over which errors are estimated."""

ACCURACIES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Relative tolerances of the flow. The last one is taken that costs no more than training, all together."""

STEPS = 1000
"""Steps of training once, where they are not given: then the rate is 1/curvature, or less where the curvature grows."""


@dataclass(frozen=True, eq=False)
class TheoryRow:
    """One theory on one network and task: its assumptions as measured, and its error where that was asked for."""

    theory: Theory
    assumptions: tuple[Assumption, ...]
    error: float = float("nan")
    gradients: int = 0
    costly: bool = False
    holds_until: float = float("inf")

    @property
    def applies(self) -> bool:
        """Whether it can be run: an exact theory if all assumptions hold, an approximation if the needed ones do."""
        return all(a.holds for a in self.assumptions if self.theory.exact or a.needed)

    @property
    def mark(self) -> str:
        """✓ where all assumptions hold, ≈ where one does not or the error is above 10 %, ✗ where it does not apply."""
        fine = all(a.holds for a in self.assumptions) and not self.error > LARGEST_ERROR and np.isinf(self.holds_until)
        return "✗" if not self.applies else "✓" if fine else "≈"

    @property
    def shown(self) -> tuple[Assumption, ...]:
        """The assumptions that are printed: of a theory that does not apply only those that are not met, each once."""
        worst = {a.statement: a for a in sorted(self.assumptions, key=lambda a: a.measured) if not a.holds}
        return self.assumptions if self.applies else tuple(worst.values())

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
        until = "" if np.isinf(self.holds_until) else f" until t = {self.holds_until:.3g}, where it ends"
        known = [] if np.isnan(self.error) else [f"error {self.error:.2%}{until}{' at low accuracy' * self.costly}"]
        return ", ".join(["approximation", *known, *["costs more than training"] * self.costly])


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
    steps: int = 0
    known: float = float("nan")

    @property
    def answer(self) -> str:
        """The method to use, in one sentence."""
        fine = [row for row in self.rows if row.mark == "✓"]
        if fine:
            row = min(fine, key=lambda row: not row.theory.exact)
            return f"Predict with {row.method}: {row.theory.name} ({row.expected}; all assumptions are met)."
        known = [row for row in self.rows if row.error <= LARGEST_ERROR and np.isinf(row.holds_until)]
        if known:
            row = min(known, key=lambda row: row.error)
            return f"Predict with {row.method}: {row.theory.name} ({row.expected}; not all assumptions are met)."
        return f"No theory has all of its assumptions met; {self.always[0]} assumes nothing."

    @property
    def always(self) -> tuple[str, ...]:
        """Methods that assume nothing of this network."""
        return ("fs.Train(rate=...)",) if self.network.noisy else ("fs.Flow()", "fs.Train(rate=...)")

    def __str__(self) -> str:
        lines = [f"{self.network!r} on {self.task!r}", self.answer]
        for row in self.rows:
            sources = f" [{', '.join(row.theory.sources)}]" if row.theory.sources else ""
            lines.append(f"{row.mark} {row.theory.name} by {row.method}: {row.expected}{sources}")
            lines.extend(f"    {a}" for a in row.shown)
        if not self.rows:
            lines.append("This network has no theory of its own.")
        return "\n".join([*lines, *self._notes()])

    def _notes(self) -> list[str]:
        """Notes on all rows: the meaning of marks and errors, and the methods without assumptions."""
        found = [f"✓ without any assumption: {' and '.join(self.always)}"]
        found += [f"Start: {row.theory.regime(row.assumptions)}" for row in self.rows if isinstance(row.theory, Lazy)]
        if any(row.mark == "≈" for row in self.rows):
            found.append(
                "≈ can be run, but an assumption does not hold, the error is above "
                f"{LARGEST_ERROR:.0%}, or it ends early."
            )
        if np.isfinite(self.until):
            found.append(f"error: {AREA}, from time 0 to {self.until:.3g}.")
            spent = "".join(f", {row.theory.name} {row.gradients:,}" for row in self.rows if row.gradients)
            found.append(
                f"Cost in gradients, of which training once takes {self.steps:,}: gradient flow "
                f"{self.gradients:,}{spent}."
            )
            if np.isfinite(self.known):
                found.append(f"The flow itself is known to within an area of {self.known:.1g}.")
            if any(row.costly for row in self.rows):
                found.append(
                    "What would cost more than training once was not finished. Training for more steps= allows more."
                )
        elif self.steps:
            found.append(f"No error is known: the gradient flow alone costs more than these {self.steps:,} steps.")
        elif any(row.applies and not row.theory.exact for row in self.rows):
            found.append(
                "fs.theories(..., errors=True) estimates errors; the flow and each approximation take at most as many "
                "gradients as training once."
            )
        return found

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from festina.core.display import render

        rows = [
            (
                f"{row.mark} {row.theory.name}", row.method, row.expected,
                "; ".join(map(str, row.shown)) or "none",
                ", ".join(row.theory.sources),
            )
            for row in self.rows
        ]  # fmt: skip
        header = ("theory", "run by", "error to expect", "assumptions", "source")
        return render(f"Theories of {self.network!r}", rows, self._notes(), header=header)


def theories(
    network: Network, task: Task, *, seed: int = 0, errors: bool = False, times: ArrayLike | None = None,
    steps: ArrayLike | None = None, rate: float | None = None, lr: float | None = None, progress: bool = False,
) -> TheoryTable:  # fmt: skip
    """Every theory that could apply to a network on a task: its assumptions, measured, and its error if asked for.

    Args:
        network: what will learn.
        task: what it will learn.
        seed: draws the initial weights on which assumptions are measured.
        errors: also estimate the error of every approximation, by integrating the gradient flow once, to about a
            thousandth of the loss, and solving each. The flow and each approximation may take as many gradients as
            training once takes steps. One that needs more is not finished, and the table says so, with all numbers.
            Without ``errors`` nothing is integrated. It also checks whether nearby starts learn the same, which only a
            solution shows.
        times: flow times over which errors are estimated, from 0; None is the time of 1000 steps of gradient descent at
            ``rate``, or else at 1/curvature, with the largest curvature of the loss at the start.
        steps: instead of times, numbers of steps of your training run, as in ``fs.evolve``.
        rate: the step size of your training run, which says how many steps training once takes. Without it these are
            1000, or more where the curvature at the end allows larger steps only.
        lr: instead of rate, the learning rate of PyTorch's loss of the same name.
        progress: show a progress bar on stderr while errors are estimated.

    Returns:
        A table, one row per theory: which method runs it, each assumption with its measured value and bound, whether it
        applies, its sources and, with ``errors``, its error: the area between the loss curves of theory and gradient
        flow, as a fraction of the area below that of the flow.

    Raises:
        ValueError: not a network, or not a task; times that do not increase; steps without a rate.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-2))
        >>> [row.theory.name for row in fs.theories(network, fs.tasks.hierarchy(levels=2)).rows if row.applies]
        ['independent modes', 'joint modes', 'lazy limit']
    """
    check.instance("network", network, Network, "a network such as fs.ReLU(...) or fs.from_torch(module)")
    check_task(task)
    start = Start(network, task, check.whole("seed", seed, least=0))
    rate = step_size(task, Flow(), rate, lr)
    at = None if times is None and steps is None else times_of(... if times is None else times, steps, rate)
    rows = tuple(TheoryRow(each, each.measured(network, task, start)) for each in theories_for(network, task, start))
    wanted = [row for row in rows if row.applies and not row.theory.exact]
    if not check.flag("errors", errors) or network.noisy or not wanted:
        return TheoryTable(network, task, rows)
    from festina.methods._device_choice import gradient_work

    with shown(check.flag("progress", progress)):
        if at is None:
            step = 1 / (_sharpness(network, task, start.weights) or 1.0) if rate is None else rate
            at = np.linspace(0.0, STEPS * step, SAMPLES)
        flows, most = [], math.inf if rate is None else max(round(float(at[-1]) / rate), 1)
        one = gradient_work(network.loss, start.weights, task_context(network, task)["data"]).operations
        with suppress(OverBudgetError), gradients_at_most(most) as budget:
            for rtol in ACCURACIES:
                run = Flow(solver=STABILISED, rtol=rtol).run(network, task, at, [start], ("loss",))
                flows.append(run.values["loss"][0])
                if math.isinf(most) and run.ends is not None:
                    sharpest = _sharpness(network, task, run.ends()[0])
                    budget.most = most = max(math.ceil(float(at[-1]) * sharpest / UNSTABLE), STEPS)
        if not flows:
            return TheoryTable(network, task, rows, steps=int(most))
        rows = tuple(_solved(row, start, at, flows[-1], most, one) if row in wanted else row for row in rows)
    known = np.nan if len(flows) < 2 else float(relative_error(flows[-1], flows[-1] - flows[-2], at))
    return TheoryTable(network, task, rows, float(at[-1]), budget.whole, int(most), known)


def _solved(row: TheoryRow, start: Start, times: Times, flow: Losses, most: float, operations: float) -> TheoryRow:
    """With the error against the flow (an early phase is compared in this phase), and what only a solution shows."""
    coarse, spent = row.theory.coarse(), 0
    for theory in (row.theory,) if coarse is row.theory else (coarse, row.theory):
        try:
            with gradients_at_most(most - spent, operations) as budget:
                found = theory.solve(start.network, start.task, start, times)
                loss = np.asarray(found.observables["loss"]())
        except OverBudgetError:
            return replace(row, gradients=spent + budget.whole, costly=True)
        spent += budget.whole
        until = float(found.notes.get("holds_until", np.inf))
        early = times <= max(until, times[min(1, len(times) - 1)])
        row = replace(
            row,
            error=float(relative_error(loss[early], (loss - flow)[early], times[early])),
            gradients=spent,
            holds_until=np.inf if early.all() else until,
        )
        if theory is coarse and found.conditions is not None:
            with suppress(OverBudgetError), gradients_at_most(most, operations):
                row = replace(row, assumptions=(*row.assumptions, *found.conditions()))
    return row


def _sharpness(network: Network, task: Task, weights: Tree) -> float:
    """The largest curvature of the loss, or at flat starts, as from tiny weights in depth, what drives it."""
    from festina.analysis.curvature import largest_curvature

    curvature = largest_curvature(network.loss, weights, task_context(network, task)["data"])
    return max(curvature, float(task.statistics.strengths.max(initial=0.0)) if task.loss.squared else 0.0)
