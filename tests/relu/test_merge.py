import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festina.relu._reduce import cluster, match, merge


def units(seed, count=60, size=5, points=4, patterns=3):
    rng = np.random.default_rng(seed)
    on = rng.random((patterns, points)) < 0.5
    on[:, 0] = True
    on[np.arange(patterns), np.arange(1, patterns + 1)] ^= True
    return rng.standard_normal((count, size)), on[rng.integers(patterns, size=count)]


@pytest.mark.parametrize("kept", [20, 30, 45])
def test_second_moments_of_every_pattern_are_kept(kept):
    u, on = units(0)
    merged, into = merge(u, on, kept)
    assert len(merged) == pytest.approx(kept, abs=2)
    patterns, group = np.unique(on, axis=0, return_inverse=True)
    for k in range(len(patterns)):
        rows = np.unique(into[group.ravel() == k])
        assert merged[rows].T @ merged[rows] == pytest.approx(u[group.ravel() == k].T @ u[group.ravel() == k])
    assert sorted(np.unique(into)) == list(range(len(merged)))


def test_all_units_are_kept_where_there_is_room():
    u, on = units(1)
    merged, into = merge(u, on, len(u))
    assert (merged[into] == u).all()


def test_few_units_of_a_pattern_join_the_nearest():
    u, on = units(2, patterns=1)
    on = on.copy()
    on[0, -1] ^= True
    merged, _ = merge(u, on, 10)
    assert len(merged) == 10
    assert merged.T @ merged == pytest.approx(u.T @ u)


@settings(max_examples=20)
@given(st.integers(0, 2**31))
def test_the_order_of_units_changes_nothing(seed):
    u, on = units(seed % 1000)
    order = np.random.default_rng(seed).permutation(len(u))
    merged, into = merge(u, on, 20)
    again, into_again = merge(u[order], on[order], 20)
    assert again[into_again] == pytest.approx(merged[into][order])


def test_equal_directions_are_one_cluster():
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((4, 6))
    u = rng.uniform(0.5, 2.0, (40, 1)) * directions[np.arange(40) % 4]
    into = cluster(u, 4)
    assert len(np.unique(into)) == 4
    assert all(len(np.unique(into[k::4])) == 1 for k in range(4))
    # parallel units are merged without any loss
    merged, which = merge(u, np.ones((40, 1), bool), 4)
    assert np.linalg.norm(merged, axis=1)[which[:4]] == pytest.approx([np.linalg.norm(u[k::4]) for k in range(4)])


def test_match_moves_nothing_that_matches_already():
    z = np.random.default_rng(0).standard_normal((9, 4))
    assert match(z, z) == pytest.approx(z)
    turned = np.linalg.qr(np.random.default_rng(1).standard_normal((9, 9)))[0] @ z
    assert match(z, turned) == pytest.approx(z)
