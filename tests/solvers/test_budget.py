"""What integrations may cost together."""

import numpy as np
import pytest

from festina.solvers import ode
from festina.solvers.budget import OverBudgetError, gradients_at_most, left, spend
from festina.solvers.stepper import BOGACKI_SHAMPINE, Stepper


def test_without_a_limit_nothing_is_counted():
    spend(1e9)
    assert left() == float("inf")


def test_limits_are_nested_and_end_with_their_block():
    with gradients_at_most(10) as outer:
        with gradients_at_most(5, operations=100.0) as inner:
            spend(1, operations=200.0)
            assert left(operations=100.0) == 1
        spend(4)
    assert (outer.spent, inner.spent, left()) == (4, 3, float("inf"))


@pytest.mark.parametrize("size", [1, 16])
def test_solvers_count_every_slope(size):
    counted = 0

    def slope(y):
        nonlocal counted
        counted += 1
        return -y

    with gradients_at_most(1e9, operations=ode.SLOPE) as budget:
        ode.integrate(lambda _, y: slope(y), np.ones(size), np.array([0.0, 1.0, 2.0]), 1e-6)
    assert budget.spent == pytest.approx(counted * size**1.5)
    counted = 0
    with gradients_at_most(1e9) as budget:
        list(Stepper(BOGACKI_SHAMPINE, slope, lambda w, y, a: abs(w).max() / 1e-6).run(np.ones(size), np.array([1.0])))
    assert budget.spent == counted
    with gradients_at_most(7) as budget, pytest.raises(OverBudgetError, match="8 gradients are needed, and 7"):
        list(Stepper(BOGACKI_SHAMPINE, slope, lambda w, y, a: abs(w).max() / 1e-6).run(np.ones(size), np.array([1.0])))
    assert budget.whole == 7
