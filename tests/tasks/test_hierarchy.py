import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-12
"""Closed form against an SVD."""


def test_table_of_four_items():
    rows = [[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1], *np.eye(4)]
    assert np.array_equal(fs.tasks.hierarchy(2).y.T, rows)


@given(st.integers(1, 6))
def test_strengths_are_those_of_the_docstring(levels):
    items = 2**levels
    squares = [2 * items - 1, *(2 ** (levels - k + 1) - 1 for k in range(1, levels + 1) for _ in range(2 ** (k - 1)))]
    found = fs.tasks.hierarchy(levels).statistics
    assert np.allclose(found.strengths, np.sqrt(squares) / items, rtol=ROUNDING)
    assert np.allclose(found.targets, np.sqrt(squares), rtol=ROUNDING)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="levels is 0"):
        fs.tasks.hierarchy(0)
