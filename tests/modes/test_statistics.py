"""Correlations and their modes: the definitions, the degenerate cases, and what must not matter."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import festina as fs

shapes = st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(1, 5))
NEAR = 1e-12


def random_task(shape, seed, rank=None):
    items, inputs, outputs = shape
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((items, inputs)), rng.standard_normal((items, outputs))
    if rank is not None:
        y = y @ np.diag(np.arange(outputs) < rank).astype(float)
    return fs.Task(x, y)


@given(shape=shapes, seed=st.integers(0, 50), rank=st.sampled_from([None, 0, 1]))
@example(shape=(1, 1, 1), seed=0, rank=0)
@example(shape=(1, 5, 5), seed=0, rank=None)
def test_modes_are_the_svd_of_the_correlations(shape, seed, rank):
    task = random_task(shape, seed, rank)
    found, n = task.statistics, len(task.x)
    assert found.count == n
    np.testing.assert_allclose(found.input_correlation, sum(np.outer(x, x) for x in task.x) / n, atol=NEAR)
    yx = sum(np.outer(y, x) for x, y in zip(task.x, task.y, strict=True)) / n
    np.testing.assert_allclose(found.cross_correlation, yx, atol=NEAR)
    np.testing.assert_allclose(found.left * found.strengths @ found.right.T, yx, atol=NEAR)
    np.testing.assert_allclose(found.left.T @ found.left, np.eye(found.rank), atol=NEAR)
    np.testing.assert_allclose(found.right.T @ found.right, np.eye(found.rank), atol=NEAR)
    assert np.all(np.diff(found.strengths) <= NEAR)
    assert found.rank == np.linalg.matrix_rank(yx, tol=1e-10)
    np.testing.assert_allclose(
        found.curvatures, np.diag(found.right.T @ found.input_correlation @ found.right), atol=NEAR
    )
    np.testing.assert_allclose(found.targets * found.curvatures, found.strengths, atol=NEAR)
    assert found.power == pytest.approx(np.mean(np.sum(task.y**2, axis=1)))


@given(shape=shapes, seed=st.integers(0, 50))
def test_few_points_stand_for_many(shape, seed):
    task = random_task(shape, seed)
    twice = fs.Task(np.vstack([task.x, task.x]), np.vstack([task.y, task.y]))
    for one in (task, twice):
        x, y = one.statistics.compressed
        n = one.statistics.count
        assert len(x) <= min(task.x.shape)
        np.testing.assert_allclose(x.T @ x / n, one.statistics.input_correlation, atol=NEAR)
        np.testing.assert_allclose(y.T @ x / n, one.statistics.cross_correlation, atol=NEAR)
        best = np.linalg.lstsq(one.x, one.y, rcond=None)[0]
        assert one.statistics.floor == pytest.approx(0.5 * np.sum((one.y - one.x @ best) ** 2) / n, abs=NEAR)
    assert len(twice.statistics.compressed[0]) == len(task.statistics.compressed[0])


def test_inputs_that_are_all_zero_have_no_modes():
    found = fs.Task(np.zeros((3, 2)), np.ones((3, 2))).statistics
    assert found.rank == 0
    assert len(found.compressed[0]) == 0
    assert found.floor == pytest.approx(1.0)
    assert found.noncommuting == 0
    assert found.isotropy == 0


def test_rounding_error_is_not_a_mode():
    rng = np.random.default_rng(0)
    x = np.linalg.qr(rng.standard_normal((30, 4)))[0]
    y = rng.standard_normal((30, 2))
    y -= x @ (x.T @ y)  # uncorrelated with the inputs, up to 1e-17
    assert fs.Task(x, y).statistics.rank == 0
    assert fs.Task(1e-8 * x, 1e8 * y).statistics.rank == 0
    assert fs.Task(x, y + 1e-9 * x[:, :2]).statistics.rank == 2


def test_a_degenerate_basis_is_chosen_so_that_correlations_commute():
    rng = np.random.default_rng(3)
    turn, items = np.linalg.qr(rng.standard_normal((3, 3)))[0], np.linalg.qr(rng.standard_normal((5, 3)))[0]
    d = np.array([0.5, 1.0, 2.0])
    x = items * np.sqrt(5 * d) @ turn.T
    y = np.sqrt(5) * items / np.sqrt(d) @ np.linalg.qr(rng.standard_normal((4, 3)))[0].T  # all singular values are 1
    found = fs.Task(x, y).statistics
    np.testing.assert_allclose(found.strengths, 1, atol=NEAR)
    np.testing.assert_allclose(np.sort(found.curvatures), d, atol=NEAR)
    assert found.noncommuting < NEAR
    np.testing.assert_allclose(np.abs(found.overlap).max(axis=1), 1, atol=1e-9)


def test_noncommuting_is_the_largest_correlation_coefficient_between_modes():
    x = np.sqrt(2) * np.array([[1.0, 0.3], [0.3, 1.0]])
    y = x @ np.linalg.inv(x.T @ x / 2) @ np.diag([2.0, 1.0])  # Σyx = diag(2, 1), so V = 1
    found = fs.Task(x, y).statistics
    sigma = x.T @ x / 2
    off = sigma[0, 1] / np.sqrt(sigma[0, 0] * sigma[1, 1])
    assert found.noncommuting == pytest.approx(off)
    assert off > 0.1


def test_isotropy_is_the_distance_from_white_inputs():
    assert fs.tasks.hierarchy(levels=2).statistics.isotropy < NEAR
    assert fs.Task(np.diag([1.0, 2.0]), np.eye(2)).statistics.isotropy == pytest.approx(1.5 * np.sqrt(2 / 17))


@given(shape=shapes, seed=st.integers(0, 50))
def test_rotations_permutations_and_signs_do_not_change_the_modes(shape, seed):
    task = random_task(shape, seed)
    rng = np.random.default_rng(seed + 1)
    turn = np.linalg.qr(rng.standard_normal((shape[1], shape[1])))[0]
    flip = np.linalg.qr(rng.standard_normal((shape[2], shape[2])))[0]
    order = rng.permutation(shape[0])
    plain = task.statistics
    turned = fs.Task(task.x[order] @ turn.T, task.y[order] @ flip.T).statistics
    np.testing.assert_allclose(turned.strengths, plain.strengths, atol=1e-10)
    np.testing.assert_allclose(turned.noncommuting, plain.noncommuting, atol=1e-8)
    assert turned.floor == pytest.approx(plain.floor, abs=1e-10)
    mirrored = fs.Task(-task.x, -task.y).statistics
    np.testing.assert_allclose(mirrored.right, plain.right, atol=1e-12)  # signs are fixed, not left to the SVD
