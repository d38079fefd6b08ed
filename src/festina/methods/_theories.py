"""Which theories apply to a network on a task, and how far each can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from festina.checks import check
from festina.core.assumption import Assumption
from festina.core.network import Network
from festina.core.observations import relative_error
from festina.core.task import Task, check_task
from festina.core.theory import Start, Theory
from festina.methods._early import early_phase

SAMPLES = 200
"""Times over which the error to expect is estimated."""

SETTLED = 0.01
"""The horizon ends where the predicted loss has come within this share of the first loss to its end."""

DOUBLINGS, AT_ONCE = 16, 4
"""How often the horizon is doubled at most, and how many of these a theory is solved for at once."""


@dataclass(frozen=True, eq=False)
class TheoryRow:
    """One theory on one network and task: its assumptions as measured, and the error to expect of its loss."""

    theory: Theory
    assumptions: tuple[Assumption, ...]
    error: float

    @property
    def applies(self) -> bool:
        """Whether it can be run: an exact theory where all assumptions hold, an approximation for its losses."""
        needed = [a for a in self.assumptions if self.theory.exact or a.name == "loss"]
        return all(a.holds for a in needed)

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
        return "not estimated" if np.isnan(self.error) else f"{self.error:.2g} of the loss"


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

    @property
    def always(self) -> tuple[str, ...]:
        """Methods that assume nothing of this network."""
        return ("fs.Train(rate=...)",) if self.network.noisy else ("fs.Flow()", "fs.Train(rate=...)")

    def __str__(self) -> str:
        lines = [f"{self.network!r} on {self.task!r}"]
        for row in self.rows:
            sources = f" [{', '.join(row.theory.sources)}]" if row.theory.sources else ""
            lines.append(f"{'✓' if row.applies else '✗'} {row.theory.name} by {row.method}: {row.expected}{sources}")
            for a in row.assumptions:
                verdict = "holds" if a.holds else "fails"
                lines.append(f"    {verdict:<6}{a.name:<16}{a.measured:>10.3g}  (bound {a.bound:.3g})  {a.statement}")
        if not self.rows:
            lines.append("This network has no theory of its own.")
        lines.append(f"✓ without any assumption: {' and '.join(self.always)}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from festina.core.display import render

        rows = [
            (
                f"{'✓' if row.applies else '✗'} {row.theory.name}", row.method, row.expected,
                "; ".join(f"{a.name} {a.measured:.3g} {'≤' if a.holds else '>'} {a.bound:.3g}" for a in row.assumptions)
                or "none",
                ", ".join(row.theory.sources),
            )
            for row in self.rows
        ]  # fmt: skip
        header = ("theory", "run by", "error to expect", "assumptions, measured and bound", "source")
        notes = [f"Without any assumption: {' and '.join(self.always)}."]
        return render(f"Theories of {self.network!r}", rows, notes, header=header)


def theories(network: Network, task: Task, *, seed: int = 0) -> TheoryTable:
    """Every theory that could apply to a network on a task: its assumptions, measured, and the error to expect.

    Args:
        network: what will learn.
        task: what it will learn.
        seed: draws the initial weights on which assumptions are measured.

    Returns:
        A table, one row per theory: which method runs it, each assumption with its measured value and bound, whether
        it applies, the error to expect (∫|error|dt/∫loss dt until the loss has settled) and its sources.

    Raises:
        ValueError: not a network, or not a task.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear((32,), initial=fs.initial.Gaussian(1e-2))
        >>> [(row.theory.name, row.applies) for row in fs.theories(network, fs.tasks.hierarchy(levels=2)).rows]
        [('decoupled modes', False), ('λ-balanced layers', False), ('independent modes', True)]
    """
    check.instance("network", network, Network, "a network such as fs.ReLU(...) or fs.from_torch(module)")
    check_task(task)
    start = Start(network, task, check.whole("seed", seed, least=0))
    rows = []
    listed = list(network.theories)
    if not any(theory.losses is None or task.loss.name in theory.losses for theory in listed):
        early = early_phase(network, task, start)
        listed += [] if early is None else [early]
    for theory in listed:
        assumptions = theory.measured(network, task, start)
        able = theory.losses is None or task.loss.name in theory.losses
        error = _expected_error(theory, network, task, start) if able and not theory.exact else float("nan")
        rows.append(TheoryRow(theory, assumptions, error))
    return TheoryTable(network, task, tuple(rows))


def _expected_error(theory: Theory, network: Network, task: Task, start: Start) -> float:
    """The relative error over times in which the theory's own loss settles."""
    span = _horizon(theory, network, task, start)
    times = np.linspace(0.0, span, SAMPLES)
    found = theory.solve(network, task, start, times)
    if found.notes.get("holds_until", np.inf) < span:  # a theory of an early phase is judged in that phase
        times = np.linspace(0.0, found.notes["holds_until"], SAMPLES)
        found = theory.solve(network, task, start, times)
    if found.error is None or "loss" not in found.observables:
        return float("nan")
    return float(relative_error(found.observables["loss"](), found.error(), times))


def _horizon(theory: Theory, network: Network, task: Task, start: Start) -> float:
    """A time by which the predicted loss hardly falls any more, found by doubling."""
    rate = float(task.statistics.strengths.max(initial=0.0)) or 1.0
    ends = 2.0 ** np.arange(-1, DOUBLINGS) / rate
    for k in range(0, DOUBLINGS, AT_ONCE):
        times = np.concatenate([[0.0], ends[k : k + AT_ONCE + 1]])
        loss = theory.solve(network, task, start, times).observables["loss"]()
        settled = (loss[0] > loss[2:]) & (loss[1:-1] - loss[2:] < SETTLED * (loss[0] - loss[2:]))
        if k == 0:
            settled[0] = False  # a plateau may come first
        if settled.any():
            return float(times[2 + np.argmax(settled)])
    return float(ends[-1])
