import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Closed forms against eigenvalues of an inverse."""


@given(st.integers(1, 5), st.integers(1, 5), st.floats(0.2, 10), st.booleans())
def test_strengths_are_those_of_the_lattice(rows, columns, sigma, periodic):
    if periodic:
        rows, columns = rows + 2, columns + 2
    lattice = nx.grid_2d_graph(rows, columns, periodic=periodic)
    found = fs.tasks.mode_strengths("grid", rows, columns, 50, sigma, periodic=periodic)
    assert np.allclose(found, fs.tasks.mode_strengths("graph", lattice, 50, sigma), rtol=ROUNDING)


@given(st.integers(1, 5), st.integers(1, 5))
def test_rows_and_columns_may_be_exchanged(rows, columns):
    first, second = fs.tasks.mode_strengths("grid", rows, columns, 7), fs.tasks.mode_strengths("grid", columns, rows, 7)
    assert np.allclose(first, second, rtol=ROUNDING)


def test_one_row_is_an_ordering():
    assert np.allclose(
        fs.tasks.mode_strengths("grid", 1, 6, 9), fs.tasks.mode_strengths("ordering", 6, features=9), rtol=ROUNDING
    )


def test_draw_is_near_its_strengths_and_named():
    features = 4000
    task = fs.tasks.grid(2, 3, features)
    analytic = fs.tasks.mode_strengths("grid", 2, 3, features)
    # singular values of P items in n features stray by (√P + 3)/√n in fewer than 2 % of draws; the seed is fixed
    assert np.abs(task.statistics.strengths / analytic - 1).max() < (6**0.5 + 3) / features**0.5
    assert task.items == tuple(f"row {r} column {c}" for r in (1, 2) for c in (1, 2, 3))


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="rows is 0; a whole number >= 1"):
        fs.tasks.grid(0, 2)
    with pytest.raises(ValueError, match="columns is 2; a whole number >= 3"):
        fs.tasks.grid(3, 2, periodic=True)
    with pytest.raises(ValueError, match="features is 0"):
        fs.tasks.mode_strengths("grid", 2, 2, 0)
