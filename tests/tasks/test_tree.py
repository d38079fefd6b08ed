from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs
from festina.tasks import tree_levels, tree_wavelets

ROUNDING = 1e-12
"""Closed forms against the same numbers by another way, in double precision."""

SAMPLING = 5.0
"""Standard errors that a fixed draw may be away from its expectation."""

branchings, depths, flips = st.integers(2, 4), st.integers(1, 3), st.floats(0, 1)


def similarity(branching: int, depth: int, flip: float) -> np.ndarray:
    """E[y yᵀ] handed down level by level: children agree with their parent up to independent flips."""
    found = np.ones((1, 1))
    for _ in range(depth):
        found = (1 - 2 * flip) ** 2 * np.kron(found, np.ones((branching, branching)))
        np.fill_diagonal(found, 1.0)
    return found


def test_similarity_is_that_of_all_outcomes():
    flip, total = 0.2, np.zeros((4, 4))
    for root, *flipped in product((0, 1), repeat=7):
        sign = np.array([1 - 2 * f for f in flipped])
        inner = (1 - 2 * root) * sign[:2]
        leaves = np.repeat(inner, 2) * sign[2:]
        total += np.outer(leaves, leaves) * 0.5 * np.prod([flip if f else 1 - flip for f in flipped])
    assert np.abs(total - similarity(2, 2, flip)).max() < ROUNDING


@given(branchings, depths, flips, st.integers(1, 10**5))
def test_strengths_are_the_eigenvalues_of_the_similarity(branching, depth, flip, features):
    eigenvalues = np.maximum(np.linalg.eigvalsh(similarity(branching, depth, flip))[::-1], 0)
    squares = (fs.tasks.mode_strengths("tree", branching, depth, flip, features) * branching**depth) ** 2 / features
    assert np.abs(squares - eigenvalues).max() < ROUNDING * branching**depth


@given(branchings, depths, flips)
def test_wavelets_diagonalise_the_similarity(branching, depth, flip):
    wavelets = tree_wavelets(branching, depth)
    squares = (fs.tasks.mode_strengths("tree", branching, depth, flip, 1) * branching**depth) ** 2
    size = branching**depth
    assert np.abs(wavelets.T @ wavelets - np.eye(size)).max() < ROUNDING
    assert np.abs(wavelets * squares @ wavelets.T - similarity(branching, depth, flip)).max() < ROUNDING * size


@given(branchings, depths)
def test_levels_count_the_modes(branching, depth):
    levels = tree_levels(branching, depth)
    assert len(levels) == branching**depth
    for level in range(1, depth + 1):
        assert np.sum(levels <= level) == branching**level


def test_error_of_a_draw_falls_with_the_root_of_features():
    sizes, errors = np.array([500, 2000, 8000]), []
    for features in sizes:
        analytic = fs.tasks.mode_strengths("tree", 2, 3, 0.15, int(features))
        draws = [fs.tasks.tree(2, 3, 0.15, int(features), seed) for seed in range(20)]
        errors.append(np.mean([np.abs(t.statistics.strengths / analytic - 1).max() for t in draws]))
    assert -0.6 < np.polyfit(np.log(sizes), np.log(errors), 1)[0] < -0.4


@given(st.permutations(range(8)))
def test_order_of_items_plays_no_part(order):
    task = fs.tasks.tree(2, 3, 0.1, 200)
    moved = fs.Task(task.x, task.y[list(order)])
    assert np.abs(moved.statistics.strengths - task.statistics.strengths).max() < ROUNDING * 100


def test_draws_follow_the_seed():
    task = fs.tasks.tree(3, 2, 0.1, 50, seed=1)
    assert np.array_equal(task.y, fs.tasks.tree(3, 2, 0.1, 50, seed=1).y)
    assert not np.array_equal(task.y, fs.tasks.tree(3, 2, 0.1, 50, seed=2).y)
    assert set(np.unique(task.y)) == {-1.0, 1.0}
    assert task.items[:4] == ("1.1", "1.2", "1.3", "2.1")


@pytest.mark.parametrize("flip", [0.0, 0.3, 1.0])
def test_features_agree_as_often_as_they_should(flip):
    features = 4000
    y = fs.tasks.tree(2, 2, flip, features).y
    assert np.abs(y @ y.T / features - similarity(2, 2, flip)).max() < SAMPLING / features**0.5
    assert np.abs(y.mean(axis=1)).max() < SAMPLING / features**0.5


def test_without_flips_only_the_common_mode_is_left():
    assert fs.tasks.tree(2, 3, 0.0, 30).statistics.rank == 1
    assert np.allclose(fs.tasks.mode_strengths("tree", 2, 3, 0.0, 30)[1:], 0, atol=ROUNDING)


def test_bad_arguments_are_named():
    for call in (fs.tasks.tree, lambda *a: fs.tasks.mode_strengths("tree", *a, features=3)):
        with pytest.raises(ValueError, match="branching is 1; a whole number >= 2"):
            call(1, 2, 0.1)
        with pytest.raises(ValueError, match="depth is 0; a whole number >= 1"):
            call(2, 0, 0.1)
        with pytest.raises(ValueError, match=r"flip is 1\.5; a probability between 0 and 1"):
            call(2, 2, 1.5)
        with pytest.raises(ValueError, match=r"flip is -0\.1; a probability between 0 and 1"):
            call(2, 2, -0.1)
    with pytest.raises(ValueError, match="features is 0"):
        fs.tasks.tree(features=0)
    with pytest.raises(ValueError, match="seed is -1"):
        fs.tasks.tree(seed=-1)
