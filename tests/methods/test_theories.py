"""The table of theories: nothing is ticked over a failed assumption, and nothing is integrated unless asked for."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import festina as fs
from festina.methods import _flow
from festina.solvers import ode

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3)) @ RNG.standard_normal((3, 3))
TASK = fs.Task(X, X[:, :1] + np.sin(X[:, 1:2]))
SMALL = fs.initial.Gaussian(0.05)
NETWORKS = {
    "linear": fs.DeepLinear((6,), initial=SMALL),
    "deep linear": fs.DeepLinear((6, 6), initial=SMALL),
    "biased": fs.DeepLinear((6,), initial=SMALL, bias=True),
    "relu": fs.ReLU((6,), initial=SMALL, bias=True),
    "tanh": fs.FeedForward((8, 8), "tanh"),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_no_tick_stands_above_a_failed_assumption(name):
    table = fs.theories(NETWORKS[name], TASK)
    ticked = [row for row in table.rows if row.mark == "✓"]
    assert all(a.holds for row in ticked for a in row.assumptions)
    lines = str(table).splitlines()
    for above, below in pairwise(lines):
        assert not (above.startswith("✓") and below.lstrip().startswith("fails"))


def test_an_approximation_of_which_an_assumption_fails_is_marked_as_such():
    table = fs.theories(NETWORKS["linear"], fs.tasks.hierarchy(levels=2))
    row = {row.theory.name: row for row in table.rows}["independent modes"]
    assert (row.mark, row.expected) == ("≈", "approximation")
    assert replace(row, assumptions=(), error=0.09).mark == "✓"
    assert replace(row, assumptions=(), error=0.11).mark == "≈"
    assert "≈ can be run, but an assumption does not hold, the error is above 10%, or it ends early." in str(table)


@pytest.mark.parametrize("name", NETWORKS)
def test_assumptions_are_measured_without_integrating_anything(name, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was integrated")

    for place, what in ((_flow.Flow, "run"), (ode, "integrate"), (ode, "solve")):
        monkeypatch.setattr(place, what, refuse)
    table = fs.theories(NETWORKS[name], TASK)
    assert all(np.isnan(row.error) for row in table.rows)
    assert "errors=True" in str(table)


def test_errors_are_areas_against_the_flow_at_the_given_times():
    network, task, times = NETWORKS["linear"], fs.tasks.hierarchy(levels=2), np.linspace(0, 40, 81)
    table = fs.theories(network, task, errors=True, times=times, rate=0.002)
    flow = fs.evolve(network, task, times, method=fs.Flow())
    for row in table.rows[2:4]:
        area = fs.compare(fs.evolve(network, task, times, method=fs.Reduced(row.theory)), flow).area
        assert row.error == pytest.approx(area, rel=0.02, abs=table.known)
        assert f"{row.error:.2%}" in row.expected
    assert table.known < 1e-3
    assert table.steps == 20_000
    assert "area between the loss curves over the area below the true one, from time 0 to 40" in str(table)


def test_without_times_the_horizon_comes_from_the_curvature_at_the_start():
    slow = fs.theories(NETWORKS["relu"], fs.Task(TASK.x / 2, TASK.y / 2), errors=True)
    fast = fs.theories(NETWORKS["relu"], TASK, errors=True)
    assert fast.until < slow.until
    assert min(slow.steps, fast.steps) >= 1000
    assert {row.theory.name: row.error for row in fast.rows}["stages of units"] < 0.1


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("steps", [5, 300])
def test_nothing_costs_more_than_training_once(name, steps):
    """What is spent is counted by the integrators themselves, and what would exceed it is cut."""
    table = fs.theories(NETWORKS[name], TASK, errors=True, steps=steps, rate=0.05)
    assert table.steps == steps
    assert max([table.gradients, *(row.gradients for row in table.rows)]) <= steps
    cut = [row for row in table.rows if row.costly]
    assert all("costs more than training" in row.expected and row.gradients == steps for row in cut)
    if np.isnan(table.until):
        assert "No error is known: the gradient flow alone costs more than these 5 steps." in str(table)
        assert steps == 5
    else:
        assert any(np.isfinite(row.error) for row in table.rows)
        assert f"of which training once takes {steps}: gradient flow {table.gradients}" in str(table)


def test_steps_are_those_of_the_training_run():
    by_steps = fs.theories(NETWORKS["relu"], TASK, errors=True, steps=2000, lr=0.01)
    by_times = fs.theories(NETWORKS["relu"], TASK, errors=True, times=np.linspace(0, 40, 201), rate=0.02)
    assert (by_steps.until, by_steps.steps) == (by_times.until, by_times.steps) == (40, 2000)
    assert [row.error for row in by_steps.rows] == pytest.approx([row.error for row in by_times.rows], nan_ok=True)
    with pytest.raises(ValueError, match="steps is given without a step size"):
        fs.theories(NETWORKS["relu"], TASK, steps=100)
    with pytest.raises(ValueError, match="times and steps are both given"):
        fs.theories(NETWORKS["relu"], TASK, times=[0, 1], steps=100, rate=0.1)


def test_an_early_phase_that_ends_says_when_and_is_not_ticked():
    """Its error is that of its own phase; beyond, outputs are too large for squared error to stand for the loss."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((40, 3))
    task = fs.Task(x, labels=(x[:, 0] > 0).astype(int), loss="cross_entropy")
    network = fs.ReLU((6, 6), initial=fs.initial.Gaussian(0.3))
    table = fs.theories(network, task, errors=True, times=np.linspace(0, 60, 61))
    row = next(row for row in table.rows if row.theory.name.startswith("early phase"))
    assert row.holds_until < 60
    assert row.mark == "≈"
    assert np.isfinite(row.error)
    assert f"until t = {row.holds_until:.3g}, where it ends" in row.expected
