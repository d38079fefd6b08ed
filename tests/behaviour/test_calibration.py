"""Populations set to what was measured of animals."""

from typing import Any

import pytest

from festina.behaviour import Shallow, TutorExecutor, calibrate
from festina.behaviour._calibration import TOLERANCE, _solve

FEW: dict[str, Any] = {"sessions": 6, "trials": 100, "window": 2, "agents": 60}


@pytest.mark.parametrize(("network", "accuracy"), [(Shallow(), 0.7), (TutorExecutor(tutor=(0.3, 0.3, 1.0)), 0.6)])
def test_accuracy_and_deviation_are_reached_together(network, accuracy):
    found = calibrate(accuracy, 0.4, network=network, **FEW)
    assert found.accuracy == pytest.approx(accuracy, abs=TOLERANCE)
    assert found.deviation == pytest.approx(0.4, abs=TOLERANCE)
    again = found.simulate(60, 0)
    assert again["late_accuracy"].mean() == pytest.approx(found.accuracy)
    assert again["early_bias"].std(ddof=1) == pytest.approx(found.deviation)


def test_what_no_agents_reach_is_refused_with_what_they_reach():
    with pytest.raises(ValueError, match=r"accuracy is 0.99; agents reach at most 0\.\d+"):
        calibrate(0.99, 0.3, network=Shallow(), **FEW)
    with pytest.raises(ValueError, match=r"deviation is 0.02; agents reach at least 0\.\d+"):
        calibrate(0.7, 0.02, network=Shallow(), **FEW)


def test_a_rising_function_is_solved_from_either_side():
    for near in (0.1, 2.9):
        found = _solve(lambda x: x**3, 2.0, near, 0.2, (0.0, 3.0))
        assert found**3 == pytest.approx(2.0, abs=TOLERANCE)


def test_a_target_out_of_reach_ends_at_the_nearest_value():
    assert _solve(lambda x: x, 5.0, 1.0, 0.2, (0.0, 3.0)) == 3.0
