"""What would be drawn of an embedding."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.text import Text

from festina import plot
from festina.analysis.embedding import Embedding

POINTS = np.random.default_rng(0).standard_normal((7, 4, 2))


def test_a_path_with_start_end_and_name_per_item():
    _, (ax,) = plot.panels(1, 1)
    names = ["oak", "pine", "rose", "daisy"]
    assert plot.representations(Embedding(np.arange(7.0), POINTS, 0.0), ax, names=names) is ax
    assert len(ax.lines) == 3 * 4
    for item in range(4):
        way, start, end = ax.lines[3 * item : 3 * item + 3]
        np.testing.assert_array_equal(way.get_xydata(), POINTS[:, item])
        np.testing.assert_array_equal(start.get_xydata(), POINTS[:1, item])
        np.testing.assert_array_equal(end.get_xydata(), POINTS[-1:, item])
    assert [text.get_text() for text in ax.texts] == names
    assert ax.get_aspect() == 1


def test_of_many_names_none_is_written_over_another():
    points = np.tile(np.linspace(0, 1, 3)[:, None, None], (1, 20, 2)) * np.repeat(np.arange(10.0), 2)[:, None]
    figure, (ax,) = plot.panels(1, 1)
    plot.representations(Embedding(np.arange(3.0), points, 0.0), ax, names=[f"name {k}" for k in range(20)])
    assert [text.get_visible() for text in ax.texts] == [True, False] * 10
    figure.canvas.draw()
    places = [Text.get_window_extent(text) for text in ax.texts if text.get_visible()]
    assert not any(a.overlaps(b) for a, b in combinations(places, 2))


def test_without_names_nothing_is_written():
    _, (ax,) = plot.panels(1, 1)
    plot.representations(Embedding(np.arange(7.0), POINTS, 0.0), ax)
    assert not ax.texts


def test_errors():
    _, (ax,) = plot.panels(1, 1)
    with pytest.raises(ValueError, match="names holds 1 names for 4 items"):
        plot.representations(Embedding(np.arange(7.0), POINTS, 0.0), ax, names=["oak"])
    with pytest.raises(ValueError, match="embedding has 1 dimension"):
        plot.representations(Embedding(np.arange(7.0), POINTS[..., :1], 0.0), ax)
