"""Plots of pairs and of pairwise distances: what is drawn is what was given."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from festina import plot
from festina.representation import Pair, TwoPoint, fit

TIMES = np.linspace(0, 60, 40)


def axes() -> Any:
    return Figure().subplots()


def test_two_points_draws_measured_and_theory():
    theory = TwoPoint(0.25, 1.0, (0.4, 0.2), (0.01, 0.01, 0.01 - 0.1))
    found = fit(Pair(TIMES, *theory.solve(TIMES), dx=0.25, dy=1.0, unit="steps"))
    ax = plot.two_points(found, axes())
    assert len(ax.lines) == 6
    measured, predicted = np.asarray(ax.lines[0].get_ydata()), np.asarray(ax.lines[3].get_ydata())
    np.testing.assert_array_equal(measured, found.pair.h)
    np.testing.assert_allclose(predicted, found.pair.h, rtol=1e-6)
    assert ax.get_xlabel() == "steps"
    assert len(plot.two_points(found, axes(), curves="h").lines) == 2


def test_distances_draws_the_matrix_and_parts_the_groups():
    matrix = np.arange(16.0).reshape(4, 4)
    ax = plot.distances(matrix, axes(), groups=np.array([0, 0, 1, 1]))
    drawn: Any = ax.images[0].get_array()
    np.testing.assert_array_equal(drawn, matrix)
    assert len(ax.lines) == 2
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "1"]
    assert plot.distances(matrix, axes()).get_xticks().size == 0
