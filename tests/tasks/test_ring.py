import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Closed forms against eigenvalues of an inverse or an SVD."""


def test_table_of_eight_items():
    task = fs.tasks.ring()
    profile = [0, 0.33, 0.66, 1, 1, 0.66, 0.33, 0]
    assert task.y.shape == (8, 15)
    assert np.array_equal(task.y[:, 0], np.ones(8))
    for k in range(14):
        assert np.array_equal(task.y[:, k + 1], np.roll(profile, k))


@given(st.integers(3, 12), st.floats(0.2, 10), st.integers(1, 1000))
def test_random_strengths_are_those_of_the_cycle(count, sigma, features):
    found = fs.tasks.mode_strengths("ring", count, features=features, sigma=sigma)
    assert np.allclose(found, fs.tasks.mode_strengths("graph", nx.cycle_graph(count), features, sigma), rtol=ROUNDING)


@given(st.integers(3, 9), st.integers(1, 3), st.integers(0, 1000))
def test_table_strengths_are_its_singular_values(count, times, seed):
    profile = np.random.default_rng(seed).standard_normal(count)
    task = fs.tasks.ring(count, shifts=times * count, profile=profile)
    found = fs.tasks.mode_strengths("ring", count, shifts=times * count, profile=profile)
    assert np.abs(found - np.linalg.svd(task.y, compute_uv=False)[:count] / count).max() < ROUNDING


@given(st.integers(3, 15))
def test_default_bump_is_symmetric_and_goes_from_nothing_to_all(count):
    bump = fs.tasks.ring(count).y[:, 1]
    assert bump.min() == 0
    assert bump.max() == 1
    assert np.array_equal(bump, bump[::-1])


def test_modes_come_in_pairs():
    found = fs.tasks.mode_strengths("ring", 9, features=100)
    assert np.allclose(found[1::2], found[2::2], rtol=ROUNDING)


def test_draw_has_neighbours_alike():
    y = fs.tasks.ring(10, features=3000).y
    similarity = np.corrcoef(y)
    assert similarity[0, 1] > similarity[0, 2] > similarity[0, 5]
    assert similarity[0, 9] > similarity[0, 8]
    assert np.array_equal(y, fs.tasks.ring(10, features=3000).y)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="count is 2; a whole number >= 3"):
        fs.tasks.ring(2)
    with pytest.raises(ValueError, match=r"profile has shape \(3,\) for 8 items"):
        fs.tasks.ring(profile=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="shifts is 0"):
        fs.tasks.ring(shifts=0)
    with pytest.raises(ValueError, match="shifts is 14 for 8 items: shifts occur unequally often"):
        fs.tasks.mode_strengths("ring")
    with pytest.raises(ValueError, match=r"sigma is -1\.0"):
        fs.tasks.mode_strengths("ring", 5, features=3, sigma=-1.0)
