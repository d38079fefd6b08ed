"""Sessions among the stationary points."""

import numpy as np
import pytest

import festina as fs
from festina.behaviour import DecisionTask, TutorExecutor, locate_sessions, read_table

TASK = DecisionTask()
POINTS = TutorExecutor().stationary_points(TASK)


def locate(network, *, sessions, trials=240, rate=0.0026, points=POINTS):
    times = rate * trials * np.arange(sessions + 1)
    run = fs.evolve(network, TASK, times, method=fs.Train(rate), observe=("contrasts", "choices", "rewards"))
    return locate_sessions(read_table(run), TASK, points)


def test_subjects_are_located_where_they_are():
    """An agent that stands still at chance, and one without a constant that has learned both sides for long."""
    (naive,) = locate(TutorExecutor(), sessions=3, trials=2000, rate=1e-12)
    assert naive.nearest == ("none or constant",) * 3
    network = TutorExecutor(noise=0, tutor=(0.5, 0.5, 0.0), executor=(0.5, 0.5, 0.0))
    (expert,) = locate(network, sessions=8, trials=960)
    assert expert.nearest[-1] == "left + right"
    assert expert.clear[-1]
    assert naive.clear.all()


def test_fits_are_the_network_within_their_errors():
    network = TutorExecutor(offset=0.05, noise=0, tutor=(0.8, 0.8, 1.0), executor=(0.3, 0.5, 0.2))
    (subject,) = locate(network, sessions=40, rate=1e-12)
    names = ("bias", "left_slope", "right_slope", "accuracy")
    truth = fs.evolve(network, TASK, [0.0], method=fs.Flow(), observe=names)
    z = (subject.shape - [truth[name][0] for name in names[:3]]) / subject.error
    assert np.max(np.abs(z.mean(axis=0))) < 4 / np.sqrt(40)
    np.testing.assert_allclose(z.std(axis=0), 1, atol=0.4)
    assert subject.trials[-1] == 9600
    assert subject.rewarded.mean() == pytest.approx(truth["accuracy"][0], abs=0.02)


def test_points_with_the_same_behaviour_are_joined():
    found = locate(TutorExecutor(), sessions=2)
    (subject,) = found
    assert subject.points == ("none or constant", "left", "right", "left + right")
    assert subject.distances.shape == (2, 4)
    assert "Location(agent 0: 2 sessions, last near" in repr(subject)
    frame = found.to_pandas()
    assert frame["session"].tolist() == ["1", "2"]
    np.testing.assert_allclose(frame["distance to left"], subject.distances[:, 1])


def test_a_session_without_a_side_is_not_located():
    (subject,) = locate(TutorExecutor(), sessions=1, trials=1)
    assert subject.nearest == ("?",)
    assert not subject.clear[0]


def test_what_is_refused():
    with pytest.raises(ValueError, match="points is empty"):
        locate(TutorExecutor(), sessions=1, trials=1, points=[])
