"""What the plots of behaviour draw."""

import numpy as np
import pytest

import festina as fs
from festina import plot

TASK = fs.behaviour.decision_task()
NETWORK = fs.behaviour.TutorExecutor()


@pytest.fixture
def ax():
    return plot.panels(1, 1)[1][0]


def test_curves_of_agents_have_their_mean_and_a_band(ax):
    run = fs.behaviour.simulate(NETWORK, TASK, sessions=1, trials=20, agents=5)
    assert plot.psychometric(run, ax, at=1, label="agents") is ax
    np.testing.assert_allclose(ax.lines[0].get_ydata(), run["curve"][:, 1].mean(axis=0))
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), TASK.contrasts)
    assert len(ax.collections) == 1
    assert "contrast" in ax.get_xlabel()


def test_curve_of_the_average_has_no_band(ax):
    run = fs.behaviour.average(NETWORK, TASK, np.array([0.0, 10.0]))
    plot.psychometric(run, ax)
    assert len(ax.lines) == 1
    assert not ax.collections


def test_curve_of_a_fit_has_its_uncertainty(ax):
    fit = fs.behaviour.fit_psychometric(np.repeat([-0.5, 0.0, 0.5], 10), np.tile([True, False], 15))
    plot.psychometric(fit, ax)
    assert len(ax.collections) == 1


def test_paths_and_points(ax):
    run = fs.behaviour.simulate(NETWORK, TASK, sessions=2, trials=20, agents=3)
    points = fs.behaviour.stationary_points(NETWORK, TASK, drifting=True)
    assert plot.decision(run, ax, points=points, plane=("bias", "right_slope"), label="agents") is ax
    assert len(ax.lines) == 2 * 3 + len(points)
    np.testing.assert_allclose(ax.lines[0].get_xdata(), run["bias"][0])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), run["right_slope"][0])
    words = {text.get_text() for text in ax.texts}
    assert "∅, c, L, Lc" in words
    assert "Rc′" in words
    assert "bias" in ax.get_xlabel()


def test_a_subject_has_error_bars(ax):
    table = fs.behaviour.record(NETWORK, TASK, sessions=3, agents=1)
    (subject,) = fs.behaviour.place(table, TASK, fs.behaviour.stationary_points(NETWORK, TASK))
    plot.decision(subject, ax)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), subject.shape[:, 2])


def test_an_unknown_plane_is_refused(ax):
    run = fs.behaviour.average(NETWORK, TASK, np.array([0.0]))
    with pytest.raises(
        ValueError, match="plane is 'slope', which is not known; known are: bias, left_slope, right_slope"
    ):
        plot.decision(run, ax, plane=("bias", "slope"))
