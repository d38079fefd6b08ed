import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Closed forms against an SVD or eigenvalues of an inverse."""

sizes = st.lists(st.integers(1, 4), min_size=1, max_size=3)


def test_table_of_eight_items():
    y, tree = fs.tasks.hierarchy(3, crossed=True).y, fs.tasks.hierarchy(3).y
    assert np.array_equal(np.delete(y, range(3, 7), axis=1), np.delete(tree, range(3, 7), axis=1))
    assert [set(np.flatnonzero(y[:, k]) + 1) for k in range(3, 7)] == [{1, 3}, {2, 4}, {5, 7}, {6, 8}]


@given(st.integers(2, 5))
def test_alone_it_is_the_hierarchy_with_middle_items_exchanged(levels):
    order = np.arange(2**levels).reshape(-1, 2, 2).swapaxes(1, 2).ravel()
    assert sorted(map(tuple, fs.tasks.hierarchy(levels, crossed=True).y[order].T)) == sorted(
        map(tuple, fs.tasks.hierarchy(levels).y.T)
    )


def test_beside_the_hierarchy_it_cuts_across():
    y, tree = fs.tasks.hierarchy(3, crossed=True).y[:, 3:7], fs.tasks.hierarchy(3).y[:, 3:7]
    assert (y.T @ tree).max() == 1


@given(sizes)
def test_table_strengths_are_its_singular_values(sizes):
    task = fs.tasks.dimensions(sizes)
    values = np.zeros(len(task.y))
    found = np.linalg.svd(task.y, compute_uv=False)[: len(values)] / len(values)
    values[: len(found)] = found
    assert np.abs(fs.tasks.mode_strengths("dimensions", sizes) - values).max() < ROUNDING


@given(sizes, st.floats(0.2, 10))
def test_random_strengths_are_those_of_the_field(sizes, sigma):
    points = list(np.ndindex(*sizes))
    graph = nx.Graph()
    graph.add_nodes_from(points)
    graph.add_edges_from((point, (d, "value", point[d])) for point in points for d in range(len(sizes)))
    expected = fs.tasks.mode_strengths("graph", graph, 40, sigma, items=points)
    assert np.allclose(fs.tasks.mode_strengths("dimensions", sizes, features=40, sigma=sigma), expected, rtol=ROUNDING)


@given(st.permutations([2, 3, 4]))
def test_order_of_dimensions_plays_no_part(sizes):
    assert np.allclose(
        fs.tasks.mode_strengths("dimensions", sizes), fs.tasks.mode_strengths("dimensions", (2, 3, 4)), atol=ROUNDING
    )


def test_draw_is_near_its_strengths_and_named():
    features = 4000
    task = fs.tasks.dimensions((2, 3), features=features)
    analytic = fs.tasks.mode_strengths("dimensions", (2, 3), features=features)
    # singular values of P items in n features stray by (√P + 3)/√n in fewer than 2 % of draws; the seed is fixed
    assert np.abs(task.statistics.strengths / analytic - 1).max() < (6**0.5 + 3) / features**0.5
    assert task.items == ("1.1", "1.2", "1.3", "2.1", "2.2", "2.3")
    assert fs.tasks.dimensions((2, 3)).outputs[2] == "dimension 2 value 1"


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="levels is 1; a whole number >= 2"):
        fs.tasks.hierarchy(1, crossed=True)
    with pytest.raises(ValueError, match="sizes is empty"):
        fs.tasks.dimensions(())
    with pytest.raises(ValueError, match="sizes is 0"):
        fs.tasks.mode_strengths("dimensions", (2, 0))
