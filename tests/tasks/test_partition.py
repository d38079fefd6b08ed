import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Closed forms against an SVD or eigenvalues of an inverse."""


@given(st.integers(1, 4), st.integers(1, 5))
def test_table_strengths_are_its_singular_values(groups, size):
    task = fs.tasks.partition(groups, size)
    found = fs.tasks.mode_strengths("partition", groups, size)
    assert np.abs(found[:groups] - task.statistics.strengths).max() < ROUNDING
    assert np.all(found[groups:] == 0)


@given(st.integers(1, 4), st.integers(1, 5), st.floats(0.2, 10))
def test_random_strengths_are_those_of_stars(groups, size, sigma):
    stars = nx.disjoint_union_all([nx.star_graph(size)] * groups)
    leaves = [node for node in stars if node % (size + 1)]
    expected = fs.tasks.mode_strengths("graph", stars, 40, sigma, items=leaves)
    assert np.allclose(
        fs.tasks.mode_strengths("partition", groups, size, features=40, sigma=sigma), expected, rtol=ROUNDING
    )


def test_draw_is_near_its_strengths_and_named():
    features = 4000
    task = fs.tasks.partition(3, 2, features=features)
    analytic = fs.tasks.mode_strengths("partition", 3, 2, features=features)
    # singular values of P items in n features stray by (√P + 3)/√n in fewer than 2 % of draws; the seed is fixed
    assert np.abs(task.statistics.strengths / analytic - 1).max() < (6**0.5 + 3) / features**0.5
    assert task.items == tuple(f"group {g} item {i}" for g in (1, 2, 3) for i in (1, 2))
    assert task.items == fs.tasks.partition(3, 2).items
    assert np.corrcoef(task.y)[0, 1] > 0.5 > abs(np.corrcoef(task.y)[0, 2])


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="groups is 0"):
        fs.tasks.partition(0, 2)
    with pytest.raises(ValueError, match="size is 0"):
        fs.tasks.mode_strengths("partition", 2, 0)
    with pytest.raises(ValueError, match=r"sigma is 0\.0"):
        fs.tasks.partition(2, 2, features=3, sigma=0.0)
