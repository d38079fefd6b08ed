"""Subjects on the model's axes."""

import numpy as np
import pytest

from festina.behaviour import TutorExecutor, average, decision_task, place, record, stationary_points

TASK = decision_task()
POINTS = stationary_points(TutorExecutor(), TASK)


def test_subjects_are_placed_where_they_are():
    """An agent that stands still at chance, and one without a constant that has learned both sides for long."""
    (naive,) = place(record(TutorExecutor(rate=1e-12), TASK, sessions=3, trials=2000, agents=1), TASK, POINTS)
    assert naive.nearest == ("none or constant",) * 3
    network = TutorExecutor(noise=0, tutor=(0.5, 0.5, 0.0), executor=(0.5, 0.5, 0.0))
    (expert,) = place(record(network, TASK, sessions=30, agents=1), TASK, POINTS)
    assert expert.nearest[-1] == "left + right"
    assert expert.clear[-1]
    assert naive.clear.all()


def test_fits_are_the_network_within_their_errors():
    network = TutorExecutor(rate=1e-12, offset=0.05, noise=0, tutor=(0.8, 0.8, 1.0), executor=(0.3, 0.5, 0.2))
    (subject,) = place(record(network, TASK, sessions=40, trials=240, agents=1), TASK, POINTS)
    truth = average(network, TASK, np.array([0.0]))
    shape = [truth["bias"][0], truth["left_slope"][0], truth["right_slope"][0]]
    z = (subject.shape - shape) / subject.error
    assert np.max(np.abs(z.mean(axis=0))) < 4 / np.sqrt(40)
    np.testing.assert_allclose(z.std(axis=0), 1, atol=0.4)
    assert subject.trials[-1] == 9600
    assert subject.rewarded.mean() == pytest.approx(truth["accuracy"][0], abs=0.02)


def test_points_with_the_same_behaviour_are_joined():
    (subject,) = place(record(TutorExecutor(), TASK, sessions=1, agents=1), TASK, POINTS)
    assert subject.points == ("none or constant", "left", "right", "left + right")
    assert subject.distances.shape == (1, 4)
    assert "Placement(agent 0: 1 sessions, last near" in repr(subject)


def test_a_session_without_a_side_is_not_placed():
    made = record(TutorExecutor(), TASK, sessions=1, trials=1, agents=1)
    (subject,) = place(made, TASK, POINTS)
    assert subject.nearest == ("?",)
    assert not subject.clear[0]


def test_no_points():
    with pytest.raises(ValueError, match="points is empty"):
        place(record(TutorExecutor(), TASK, sessions=1, trials=1, agents=1), TASK, [])
