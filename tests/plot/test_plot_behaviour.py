"""What the plots of behaviour draw."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import festina as fs
from festina import plot

TASK = fs.behaviour.DecisionTask()
NETWORK = fs.behaviour.TutorExecutor()
SHAPE = ("curve", "bias", "left_slope", "right_slope")


def simulate(sessions, agents, names=SHAPE):
    times = 0.0026 * 20 * np.arange(sessions + 1)
    return fs.evolve(NETWORK, TASK, times, method=fs.Train(0.0026), seeds=agents, observe=names)


@pytest.fixture
def ax():
    return plot.panels(1, 1)[1][0]


def test_curves_of_agents_have_their_mean_and_a_band(ax):
    run = simulate(1, 5)
    assert plot.psychometric(run, ax, at=1, label="agents") is ax
    np.testing.assert_allclose(ax.lines[0].get_ydata(), run["curve"][:, 1].mean(axis=0))
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), TASK.contrasts)
    assert len(ax.collections) == 1
    assert "contrast" in ax.get_xlabel()


def test_curve_of_the_average_has_no_band(ax):
    run = fs.evolve(NETWORK, TASK, [0.0, 0.1], method=fs.Flow(), observe=SHAPE)
    plot.psychometric(run, ax)
    assert len(ax.lines) == 1
    assert not ax.collections


def test_curve_of_a_fit_has_its_uncertainty(ax):
    fit = fs.behaviour.fit_psychometric(np.repeat([-0.5, 0.0, 0.5], 10), np.tile([True, False], 15))
    plot.psychometric(fit, ax)
    assert len(ax.collections) == 1


def test_paths_and_points(ax):
    run = simulate(2, 3)
    points = NETWORK.stationary_points(TASK, moving_weights=True)
    assert plot.decision(run, ax, points=points, plane=("bias", "right_slope"), label="agents") is ax
    assert len(ax.lines) == 2 * 3 + len(points)
    np.testing.assert_allclose(ax.lines[0].get_xdata(), run["bias"][0])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), run["right_slope"][0])
    words = {text.get_text() for text in ax.texts}
    assert "∅, c, L, Lc" in words
    assert "Rc′" in words
    assert "bias" in ax.get_xlabel()


def test_subjects_have_error_bars(ax):
    table = fs.behaviour.read_table(simulate(3, 2, ("contrasts", "choices", "rewards")))
    found = fs.behaviour.locate_sessions(table, TASK, NETWORK.stationary_points(TASK))
    plot.decision(found, ax)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), found[0].shape[:, 2])
    assert len(ax.containers) == 2
    # the first and the last session of each, where they are
    ends = [(text.get_text(), text.xy) for text in ax.texts if text.get_text()]
    assert [name for name, _ in ends] == ["1", f"{len(found[0].shape)}"] * 2
    np.testing.assert_allclose([at for _, at in ends[:2]], found[0].shape[[0, -1], 1:])
    plot.decision(found[1], ax)
    assert len(ax.containers) == 3


def test_an_unknown_plane_is_refused(ax):
    run = fs.evolve(NETWORK, TASK, [0.0], method=fs.Flow(), observe=SHAPE)
    with pytest.raises(ValueError, match=r"plane 'slope' is unknown. .*Known: bias, left_slope, right_slope"):
        plot.decision(run, ax, plane=("bias", "slope"))


def test_models_that_are_rejected_are_open_and_counted(ax):
    import pandas as pd

    rows = [("a", "deep", True, 0.0), ("b", "deep", False, 4.0), ("a", "flat", False, 9.0), ("b", "flat", False, 0.0)]
    plot.models(pd.DataFrame(rows, columns=["subject", "model", "describes", "delta_bic"]), ax)
    told = [label.get_text() for label in ax.get_yticklabels()]
    assert told == ["deep\ndescribes 1 of 2", "flat\ndescribes 0 of 2"]
    full, empty = [], []
    for line in ax.lines:
        (empty if to_rgb(line.get_markerfacecolor()) == (1, 1, 1) else full).extend(line.get_xdata())
    assert (full, empty) == ([0.0], [4.0, 9.0, 0.0])
