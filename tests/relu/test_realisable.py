"""Which patterns a ReLU unit can have: every answer carries its own proof."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import festina as fs
from festina.relu._dichotomies import _directions, _enumerated

PROOF = 1e-9
"""Proofs are vertices of small linear programmes, solved to rounding error; entries are of order 1 to 100."""


def context_inputs(items, contexts):
    return np.array([[*np.eye(items)[i], *np.eye(contexts)[c]] for c in range(contexts) for i in range(items)])


def proves(found, x):
    """Whether a witness or a certificate stands up to a check that knows no linear programme."""
    on = found.pattern
    if found:
        activity = x @ found.weights
        return found.multipliers is None and np.all(activity[on] >= 1 - PROOF) and np.all(activity[~on] <= PROOF)
    m = found.multipliers
    balance = m[on] @ x[on] - m[~on] @ x[~on]
    return np.all(m >= 0) and abs(m[on].sum() - 1) <= PROOF and np.abs(balance).max(initial=0.0) <= PROOF


def count_of_cover(points, dimensions):
    """Patterns of points in general position: 2 Σ_k C(N−1, k), by its recursion."""
    if points == 0 or dimensions == 0:
        return 1
    if points == 1:
        return 2
    return count_of_cover(points - 1, dimensions) + (
        count_of_cover(points - 1, dimensions - 1) if dimensions > 1 else 0
    )


def poly_bernoulli(items, contexts):
    """Acyclic orientations of the complete bipartite graph, Σ_j (j!)² S(m+1, j+1) S(n+1, j+1)."""
    rows = {}
    for n in range(max(items, contexts) + 2):
        for k in range(n + 1):
            rows[n, k] = 1 if n == k else 0 if k == 0 else k * rows.get((n - 1, k), 0) + rows[n - 1, k - 1]
    total, factorial = 0, 1
    for j in range(min(items, contexts) + 1):
        factorial *= max(j, 1)
        total += factorial**2 * rows[items + 1, j + 1] * rows[contexts + 1, j + 1]
    return total


def test_two_items_in_two_contexts_allow_fourteen_of_sixteen():
    x = context_inputs(2, 2)
    answers = {p: fs.relu.is_realisable(x, p) for p in product([0, 1], repeat=4)}
    assert all(proves(found, x) for found in answers.values())
    assert [p for p, found in answers.items() if not found] == [(0, 1, 1, 0), (1, 0, 0, 1)]
    assert sum(bool(found) and sum(p) == 3 for p, found in answers.items()) == 4


def test_agrees_with_random_hyperplanes():
    """In general position random planes find every pattern that the programme allows, and no other."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6, 3))
    drawn = {tuple(p) for p in (x @ rng.standard_normal((3, 20_000)) > 0).T.tolist()}
    allowed = {p for p in product([False, True], repeat=6) if fs.relu.is_realisable(x, p)}
    assert len(drawn) == count_of_cover(6, 3) == 32
    # weights of 0 turn every unit off, which no plane in general position does unless the points are on one side
    assert allowed == drawn | {(False,) * 6}


@given(
    arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 4)), elements=st.integers(-2, 2).map(float)),
    st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_every_answer_proves_itself(x, bits):
    """Zero rows, repeated and opposite points, fewer points than inputs: a witness or a certificate, never neither."""
    found = fs.relu.is_realisable(x, bits[: len(x)])
    assert proves(found, x)
    assert ("impossible" in str(found)) is not bool(found)


def test_lengths_and_rotations_do_not_matter():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((7, 3))
    turned = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    for _ in range(20):
        pattern = rng.random(7) < 0.5
        answers = [
            fs.relu.is_realisable(points, pattern) for points in (x, 1e6 * x, x @ turned, x * rng.random((7, 1)))
        ]
        assert len({bool(a) for a in answers}) == 1


@pytest.mark.parametrize(("points", "dimensions"), [(1, 1), (4, 1), (4, 2), (5, 3), (7, 3), (8, 4), (5, 6)])
def test_counts_are_those_of_cover_in_general_position(points, dimensions):
    # all on one side of a plane: the first coordinate is positive
    x = np.random.default_rng(2).standard_normal((points, dimensions))
    x[:, 0] = np.abs(x[:, 0]) + 0.1
    # in one dimension every point is on the same side of 0: on or off together
    assert fs.relu.count_gates(x) == (2 if dimensions == 1 else count_of_cover(points, dimensions))


@pytest.mark.parametrize(("items", "contexts"), [(2, 2), (2, 3), (3, 3)])
def test_counts_listing_and_programme_agree_on_contexts(items, contexts):
    x = context_inputs(items, contexts)
    listed = fs.relu.realisable_gates(x)
    assert listed.count == fs.relu.count_gates(x) == poly_bernoulli(items, contexts)
    by_programme = _enumerated(_directions(x), limit=1000)
    assert {p.tobytes() for p in listed} == {p.tobytes() for p in by_programme}
    assert len(listed) == len(by_programme)
    assert listed.total == 2 ** (items * contexts)
    assert np.ones(len(x)) in listed
    assert np.array_equal(listed.patterns[0], np.zeros(len(x), bool))


def test_many_patterns_are_counted_and_not_listed():
    assert poly_bernoulli(5, 3) == 4718
    with pytest.raises(ValueError, match=r"x allows 4718 gating patterns, above limit=4000; give limit=4718"):
        fs.relu.realisable_gates(context_inputs(5, 3), limit=4000)


@settings(max_examples=30)
@given(arrays(float, st.tuples(st.integers(1, 4), st.integers(1, 3)), elements=st.integers(0, 2).map(float)))
def test_counts_are_right_for_degenerate_data(x):
    """Repeated points, zero rows, points that depend on each other: as many as the programme allows one by one."""
    allowed = [p for p in product([0, 1], repeat=len(x)) if fs.relu.is_realisable(x, p)]
    assert fs.relu.count_gates(x) == len(allowed)
    assert {tuple(p) for p in fs.relu.realisable_gates(x).patterns.astype(int).tolist()} == set(allowed)


def test_units_that_are_exactly_zero_are_off():
    """Four points in opposite pairs: a unit along one of them is 0 on the pair across, and that counts as off."""
    x = fs.tasks.extended_xor(0.0).x[:, :2]
    listed = fs.relu.realisable_gates(x)
    singles = [p for p in listed if p.sum() == 1]
    assert (listed.count, len(singles)) == (9, 4)
    assert str(listed) == "9 of 16 gating patterns are possible"
    with pytest.raises(ValueError, match="no ReLU unit can all be on for"):
        fs.relu.count_gates(x)
    with pytest.raises(ValueError, match=r"limit=3 gating patterns \(that many at its first 2 points alone\)"):
        fs.relu.realisable_gates(x, limit=3)


def test_patterns_that_random_weights_miss_are_found_by_programme(monkeypatch):
    from festina.relu import _dichotomies

    monkeypatch.setattr(_dichotomies, "DRAWS", 2)
    assert fs.relu.realisable_gates(context_inputs(2, 2)).count == 14


def test_counting_gives_up_in_time(monkeypatch):
    from festina.relu import _dichotomies

    monkeypatch.setattr(_dichotomies, "LARGEST", 10)
    with pytest.raises(ValueError, match="too many data points that do not depend on each other"):
        fs.relu.count_gates(np.random.default_rng(0).random((9, 5)))


def test_wrong_arguments():
    x = np.eye(3)
    with pytest.raises(ValueError, match=r"pattern has shape \(2,\); one value for each of the 3 data points"):
        fs.relu.is_realisable(x, [1, 0])
    with pytest.raises(ValueError, match="x has shape"):
        fs.relu.is_realisable([1.0, 2.0], [1, 0])
    with pytest.raises(ValueError, match="limit is 0"):
        fs.relu.realisable_gates(x, limit=0)
    near = np.array([[1.0, 0.0], [1.0, 1e-9]])
    with pytest.raises(ValueError, match="too small to tell from impossible"):
        fs.relu.is_realisable(near, [1, 0])
