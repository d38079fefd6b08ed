"""What would be drawn of a task's decomposition."""

import numpy as np
import pytest

import festina as fs
from festina import plot


def test_left_and_right_are_heat_maps_with_names():
    task = fs.tasks.hierarchy(levels=2)
    _, axes = plot.panels(1, 2)
    left = plot.singular_vectors(task, axes[0], part="left")
    right = plot.singular_vectors(task, axes[1])
    assert (left, right) == (axes[0], axes[1])
    np.testing.assert_allclose(np.asarray(left.images[0].get_array()), task.statistics.left)
    np.testing.assert_allclose(np.asarray(right.images[0].get_array()), task.statistics.right)
    assert [t.get_text() for t in left.get_yticklabels()] == list(task.outputs)
    assert [t.get_text() for t in right.get_yticklabels()] == list(task.items)
    assert [t.get_text() for t in right.get_xticklabels()] == ["1", "2", "3", "4"]
    assert left.images[0].get_clim() == right.images[0].get_clim() == (-1, 1)


def test_inputs_that_are_not_items_keep_their_own_names():
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((9, 2)), rng.standard_normal((9, 3)), inputs=("red", "blue"))
    _, (ax,) = plot.panels(1, 1)
    plot.singular_vectors(task, ax)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["red", "blue"]


def test_strengths_are_bars():
    task = fs.tasks.hierarchy(levels=2)
    _, (ax,) = plot.panels(1, 1)
    plot.singular_vectors(task, ax, part="strengths")
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_allclose(heights, task.statistics.strengths)


def test_errors():
    task, (_, (ax,)) = fs.tasks.hierarchy(levels=1), plot.panels(1, 1)
    with pytest.raises(ValueError, match="part 'middle'"):
        plot.singular_vectors(task, ax, part="middle")
    with pytest.raises(ValueError, match="names holds 1 names for 2 rows of right"):
        plot.singular_vectors(task, ax, names=("one",))
