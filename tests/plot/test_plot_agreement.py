"""What would be drawn of a comparison."""

import numpy as np

import festina as fs
from festina import plot


def test_both_curves_and_the_numbers():
    times = np.linspace(0, 3, 20)
    theory = fs.Trajectory(times, {"loss": np.exp(-times)})
    training = fs.Trajectory(times, {"loss": np.exp(-1.1 * times)})
    measured = fs.compare(theory, training)
    _, (ax,) = plot.panels(1, 1)
    assert plot.agreement(theory, training, measured, ax) is ax
    assert ax.get_legend_handles_labels()[1] == ["training", "theory"]
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), theory.loss)
    assert f"area {measured.area:.2g}" in ax.get_title(loc="left") + ax.get_title()
