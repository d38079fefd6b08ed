"""What would be drawn of a comparison."""

import numpy as np

import festina as fs
from festina import plot


def test_both_curves_and_the_numbers():
    times = np.linspace(0, 3, 20)
    theory = fs.Trajectory.from_arrays(times, np.exp(-times), label="theory")
    training = fs.Trajectory.from_arrays(times, np.exp(-1.1 * times), label="training")
    measured = fs.compare(theory, training)
    _, (ax,) = plot.panels(1, 1)
    assert plot.agreement(theory, training, ax) is ax
    assert [len(line.get_xdata()) for line in ax.lines] == [20, 20]
    # trained is thick and pale, predicted thin and dark
    assert ax.lines[0].get_linewidth() > 3 * ax.lines[1].get_linewidth()
    assert np.mean(ax.lines[0].get_color()) > np.mean(ax.lines[1].get_color())
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), theory.loss)
    assert f"{measured.area:.2g} of the area" in ax.get_title(loc="left") + ax.get_title()
