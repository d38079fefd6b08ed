import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Closed forms against an SVD or eigenvalues of an inverse."""


@given(st.integers(1, 30))
def test_table_strengths_are_its_singular_values(count):
    task = fs.tasks.ordering(count)
    assert np.allclose(fs.tasks.mode_strengths("ordering", count), task.statistics.strengths, rtol=ROUNDING)


@given(st.integers(1, 12), st.floats(0.2, 10))
def test_random_strengths_are_those_of_the_path(count, sigma):
    found = fs.tasks.mode_strengths("ordering", count, features=40, sigma=sigma)
    assert np.allclose(found, fs.tasks.mode_strengths("graph", nx.path_graph(count), 40, sigma), rtol=ROUNDING)


@given(st.permutations(range(7)))
def test_order_of_rows_plays_no_part(order):
    task = fs.tasks.ordering(7)
    moved = fs.Task(task.x, task.y[list(order)])
    assert np.allclose(moved.statistics.strengths, task.statistics.strengths, rtol=ROUNDING)


def test_draw_has_ends_least_alike():
    similarity = np.corrcoef(fs.tasks.ordering(8, features=3000).y)
    assert similarity[0].argmin() == 7
    assert similarity[0, 1] > similarity[0, 3] > similarity[0, 7]


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="count is 0"):
        fs.tasks.ordering(0)
    with pytest.raises(ValueError, match="count is 0"):
        fs.tasks.mode_strengths("ordering", 0)
    with pytest.raises(ValueError, match="features is 0"):
        fs.tasks.ordering(3, features=0)
