"""What would be drawn of the two-weight surface."""

import numpy as np
import pytest

import festina as fs
from festina import plot


def test_contours_minima_saddle_and_paths():
    surface = fs.linear.surface(2.0, 0.5)
    task = fs.Task([[1.0], [0.0]], [[4.0], [0.0]])
    network = fs.DeepLinear(hidden=(1,), initial=fs.initial.Gaussian(0.5))
    path = fs.evolve(network, task, np.linspace(0, 5, 30), method=fs.Flow(), seeds=3, observe=("weights",))
    _, (ax,) = plot.panels(1, 1)
    assert plot.error_surface(surface, ax, paths=[path]) is ax
    assert ax.get_legend_handles_labels()[1] == ["minima", "saddle", "trajectory"]
    assert len(ax.collections) >= 1
    assert len(ax.lines) == 2 + 1 + 3 * 2
    np.testing.assert_array_equal(ax.lines[2].get_xydata(), [[0.0, 0.0]])
    first, second = path.weights
    np.testing.assert_array_equal(ax.lines[5].get_xydata(), np.column_stack([first[1, :, 0, 0], second[1, :, 0, 0]]))
    assert ax.get_xlim() == (-4, 4)


def test_one_network_without_seeds():
    network = fs.DeepLinear(hidden=(1,), initial=fs.initial.Gaussian(0.5))
    path = fs.evolve(network, fs.Task([[1.0]], [[1.0]]), np.arange(4.0), method=fs.Flow(), observe=("weights",))
    _, (ax,) = plot.panels(1, 1)
    plot.error_surface(fs.linear.surface(1.0), ax, paths=[path])
    assert ax.lines[3].get_xydata().shape == (4, 2)


def test_wider_network_is_refused():
    network = fs.DeepLinear(hidden=(2,), initial=fs.initial.Gaussian(0.5))
    path = fs.evolve(network, fs.Task([[1.0]], [[1.0]]), np.arange(4.0), method=fs.Flow(), observe=("weights",))
    with pytest.raises(ValueError, match=r"weights \[\(2, 1\), \(1, 2\)\]; two weights"):
        plot.error_surface(fs.linear.surface(1.0), plot.panels(1, 1)[1][0], paths=[path])
