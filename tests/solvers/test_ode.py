"""The integrator against solutions in closed form, and what it says where there is none."""

import numpy as np
import pytest

from festina.solvers.ode import EXPLICIT, LONG, SOLVERS, integrate, solve


def turn(_, y):
    """A rotation: cos t, −sin t from (1, 0)."""
    return np.array([y[1], -y[0]])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("times", [[0.0], [0.0, 0.7], [0.3, 2.0, 9.0], np.linspace(0, 6, 50)])
def test_states_are_those_of_the_closed_form(solver, times):
    times = np.array(times)
    found = integrate(turn, np.array([1.0, 0.0]), times, 1e-9, solver=solver)
    np.testing.assert_allclose(found, np.column_stack([np.cos(times), -np.sin(times)]), atol=2e-5)


def test_the_start_sets_the_scale_of_the_error():
    found = integrate(lambda _, y: y, np.array([1e-9]), np.array([20.0]), 1e-9)
    np.testing.assert_allclose(found[0, 0], 1e-9 * np.exp(20.0), rtol=1e-6)


def test_nothing_to_integrate_and_nothing_that_moves():
    assert integrate(turn, np.zeros(0), np.array([0.0, 1.0]), 1e-9).shape == (2, 0)
    assert not integrate(turn, np.zeros(2), np.array([0.0, 1.0]), 1e-9).any()


def test_progress_is_told_for_every_time():
    told = []
    integrate(turn, np.array([1.0, 0.0]), np.array([1.0, 2.0, 3.0]), 1e-6, solver="RK45", progress=told.append)
    assert told == [1, 1, 1]


@pytest.mark.parametrize("count", [4, 40])
@pytest.mark.parametrize("solver", EXPLICIT)
def test_where_explicit_steps_stay_short_another_solver_goes_on(solver, count):
    """One number that has come to rest a million times as fast as the other, seen at few times or at many."""
    rates, times, slopes = np.array([1e6, 1.0]), np.linspace(0, 2, count), []

    def field(t, y):
        slopes.append(t)
        return -rates * (y - 1)

    found = integrate(field, np.zeros(2), times, 1e-8, solver=solver)
    np.testing.assert_allclose(found[1:], 1 - np.exp(-times[1:, None] * rates), rtol=1e-6)
    assert len(slopes) < 2 * LONG


def test_an_infinite_time_is_refused():
    with pytest.raises(ValueError, match="give finite times"):
        integrate(turn, np.array([1.0, 0.0]), np.array([np.inf]), 1e-9)


# LSODA steps over a pole and goes on behind it; a descent has none
@pytest.mark.parametrize("solver", [solver for solver in SOLVERS if solver != "LSODA"])
def test_where_a_solution_ends_so_does_the_integration(solver):
    with pytest.raises(RuntimeError, match=r"stopped (between|at) t=.* Take less\."):
        integrate(lambda _, y: y**2, np.array([1.0]), np.array([0.0, 2.0]), 1e-8, solver=solver, advice="Take less.")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.filterwarnings("ignore:lsoda")
def test_numbers_that_are_not_finite_are_never_returned_and_end_the_integration(solver):
    with pytest.raises(RuntimeError, match=r"stopped (between|at)"):
        solve(lambda t, y: y * (np.nan if t > 0.5 else 1.0), (0.0, 1.0), np.array([1.0]), solver, rtol=1e-6, atol=1e-9)
