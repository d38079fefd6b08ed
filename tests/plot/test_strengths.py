"""What would be drawn: a line per mode and seed, with the trajectory's own numbers."""

import numpy as np
import pytest

import festina as fs
from festina import plot

TIMES = np.linspace(0, 5, 11)


def path(seeds: int | None = None) -> fs.Trajectory:
    rng = np.random.default_rng(0)
    shape = (11, 3) if seeds is None else (seeds, 11, 3)
    numbers = None if seeds is None else tuple(range(seeds))
    return fs.Trajectory(TIMES, {"strengths": rng.random(shape)}, seeds=numbers)


def test_one_line_per_mode():
    trajectory = path()
    _, (ax,) = plot.panels(1, 1)
    assert plot.strengths(trajectory, ax) is ax
    assert sorted(text.get_text() for text in ax.texts) == ["mode 1", "mode 2", "mode 3"]
    for mode, line in enumerate(ax.lines):
        np.testing.assert_array_equal(line.get_xdata(), TIMES)
        np.testing.assert_array_equal(line.get_ydata(), trajectory.strengths[:, mode])
    assert len({line.get_color() for line in ax.lines}) == 3
    assert ax.get_xlabel() == "time (flow time)"
    assert ax.get_ylabel() == "strength of each mode"


def test_seeds_are_a_mean_in_a_band_and_theory_lies_over_them():
    training, theory = path(seeds=4), path()
    _, (ax,) = plot.panels(1, 1)
    plot.strengths(training, ax, modes=(0, 2))
    plot.strengths(theory, ax, modes=(0, 2), label="theory", kind="predicted")
    assert len(ax.lines) == 2 + 2
    assert len(ax.collections) == 2
    assert sorted(text.get_text() for text in ax.texts) == ["mode 1", "mode 3"]
    assert ax.get_legend_handles_labels()[1] == ["theory"]
    np.testing.assert_allclose(ax.lines[1].get_ydata(), training.strengths[:, :, 2].mean(axis=0))
    assert ax.lines[0].get_linewidth() > ax.lines[-1].get_linewidth()


def test_not_observed():
    with pytest.raises(ValueError, match="trajectory did not observe strengths"):
        plot.strengths(fs.Trajectory(TIMES, {"loss": TIMES}), plot.panels(1, 1)[1][0])


def test_current_axes_of_pyplot_where_none_are_given():
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    try:
        assert plot.strengths(path()) is pyplot.gca()
    finally:
        pyplot.close("all")
