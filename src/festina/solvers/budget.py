"""A limit to what integrations cost together, counted in gradients of a network's loss."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


class OverBudgetError(RuntimeError):
    """More gradients are needed than are allowed."""


@dataclass
class Budget:
    """Gradients that may be spent, and those that were; each has some floating-point operations."""

    most: float
    operations: float = 1.0
    spent: float = 0.0

    @property
    def whole(self) -> int:
        """The gradients that were spent, of those that were allowed."""
        return round(min(self.spent, self.most))


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def gradients_at_most(most: float, operations: float = 1.0) -> Iterator[Budget]:
    """A limit to all integrations inside; each adds what it costs to what is spent.

    Args:
        most: gradients that may be spent.
        operations: floating-point operations of one.

    Example:
        >>> with gradients_at_most(100, operations=1e6) as budget:
        ...     spend(60)
        ...     spend(operations=2e6)
        >>> budget.spent
        62.0
        >>> with gradients_at_most(100):
        ...     spend(160)
        Traceback (most recent call last):
        ...
        festina.solvers.budget.OverBudgetError: 160 gradients are needed, and 100 are allowed.
    """
    budget = Budget(most, max(operations, 1.0))
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)


def left(operations: float = 0.0) -> float:
    """Gradients that are left when these operations are spent; without a limit, infinitely many."""
    budget = _budget.get()
    return float("inf") if budget is None else budget.most - budget.spent - operations / budget.operations


def spend(gradients: float = 0.0, operations: float = 0.0) -> None:
    """Count gradients, or floating-point operations."""
    budget = _budget.get()
    if budget is None:
        return
    budget.spent += gradients + operations / budget.operations
    if budget.spent > budget.most:
        raise OverBudgetError(f"{budget.spent:,.0f} gradients are needed, and {budget.most:,.0f} are allowed.")
