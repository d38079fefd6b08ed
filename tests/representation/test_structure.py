"""Pairwise structure: against pairs computed one by one, and what must not change it."""

import numpy as np
import pytest

import festina as fs
from festina.analysis.distance import squared_distances
from festina.representation import TwoPoint, structure
from festina.representation._structure import weigh_pairs

pytestmark = pytest.mark.slow

XOR = fs.Task(x=[[0, 0], [1, 0], [0, 1], [1, 1]], y=[[0], [1], [1], [0]])


def test_points_with_equal_targets_merge_when_rich_and_not_when_lazy():
    found = structure(XOR, gain=2.0)
    assert found.rich[0, 3] == found.rich[1, 2] == 0
    np.testing.assert_allclose(found.lazy, 2 * squared_distances(XOR.x))
    np.testing.assert_allclose(found.predicted, found.rich)


def test_every_pair_is_the_two_point_theory():
    rng = np.random.default_rng(0)
    task = fs.Task(rng.normal(size=(5, 3)), rng.normal(size=(5, 2)))
    hidden, outputs = rng.normal(size=(5, 7)), rng.normal(size=(5, 2))
    found = structure(task, ratio=0.4, start=(hidden, outputs))
    for i, j in [(0, 1), (2, 4)]:
        h, moved, target = np.sum((hidden[i] - hidden[j]) ** 2), outputs[j] - outputs[i], task.y[j] - task.y[i]
        pair = TwoPoint(
            float(np.sum((task.x[i] - task.x[j]) ** 2)), float(target @ target), (0.4, 1.0),
            (h, moved @ moved, moved @ (moved - target)),
        )  # fmt: skip
        assert found.predicted[i, j] == pytest.approx(pair.final_distance, rel=1e-12)
        assert found.predicted[i, j] == pytest.approx(float(pair.solve(np.inf).h), rel=1e-9)
        assert found.lazy[i, j] == pytest.approx(max(pair.high, 0))


def test_weighing_is_the_double_sum():
    rng = np.random.default_rng(1)
    a = squared_distances(rng.normal(size=(4, 2)))
    found = weigh_pairs(a, 2.0)
    expected = np.zeros((4, 4))
    for i, j, k, l in np.ndindex(4, 4, 4, 4):  # noqa: E741
        expected[i, j] += np.exp(-a[i, k] / 2) * np.exp(-a[l, j] / 2) * a[k, l]
    np.testing.assert_allclose(found, expected)


def test_turning_inputs_and_targets_changes_nothing_and_permuting_permutes():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(6, 4)), rng.normal(size=(6, 3))
    turn_x, turn_y = np.linalg.qr(rng.normal(size=(4, 4)))[0], np.linalg.qr(rng.normal(size=(3, 3)))[0]
    base, order = structure(fs.Task(x, y)), rng.permutation(6)
    np.testing.assert_allclose(
        structure(fs.Task(x @ turn_x + 3, y @ turn_y)).weighted, base.weighted, rtol=1e-10, atol=1e-12
    )
    np.testing.assert_allclose(
        structure(fs.Task(x[order], y[order])).weighted, base.weighted[np.ix_(order, order)], atol=1e-12
    )


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="ratio is -1; a number > 0"):
        structure(XOR, ratio=-1)
    with pytest.raises(ValueError, match="start has 3 rows of hidden for 4 items"):
        structure(XOR, start=(np.ones((3, 2)), np.ones((4, 1))))
