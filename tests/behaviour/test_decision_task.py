"""The decision task."""

import numpy as np
import pytest

from festina.behaviour import DecisionTask, TutorExecutor


def test_the_task_of_the_mice():
    task = DecisionTask()
    np.testing.assert_allclose(task.weight, [0.3, 0.15, 0.05, 0.05, 0.15, 0.3])
    assert task.correct.tolist() == [0, 0, 0, 1, 1, 1]
    np.testing.assert_array_equal(task.x[[0, 2, 5]], [[0.5, 0, 1], [0, 0, 1], [0, 0.5, 1]])
    assert task.span == (0.5, 0.5)


def test_without_contrast_zero():
    task = DecisionTask(contrasts=(-1, 0.5), probabilities=(0.4, 0.6))
    assert task.correct.tolist() == [0, 1]
    assert task.weight.sum() == 1
    assert task.span == (1.0, 0.5)


@pytest.mark.parametrize(("contrasts", "probabilities", "words"), [
    ((0.5, -0.5), (0.5, 0.5), "give them in increasing order"),
    ((-50, 50), (0.5, 0.5), "divide percentages by 100"),
    ((0.0, 0.5), (0.5, 0.5), "at least one on the left"),
    ((-0.5, 0.5), (0.5, 0.6), r"must add up to 1 \(these: 1.1\)"),
    ((-0.5, 0.5), (1.0,), "one > 0 for each of the 2 contrasts"),
    ((-0.5, 0.5), (0.0, 1.0), "one > 0 for each of the 2 contrasts"),
    ((-0.5, float("nan")), (0.5, 0.5), "contrasts holds 1 value"),
])  # fmt: skip
def test_what_is_refused(contrasts, probabilities, words):
    with pytest.raises(ValueError, match=words):
        DecisionTask(contrasts, probabilities)


def test_the_reversed_task_rewards_the_other_side():
    task = DecisionTask().reversed()
    assert task.correct.tolist() == [1, 1, 0, 1, 0, 0]
    assert task.reversed().correct.tolist() == DecisionTask().correct.tolist()
    np.testing.assert_array_equal(task.y, task.correct[:, None] == np.arange(2))
    network = TutorExecutor()
    points, mirrored = network.stationary_points(DecisionTask()), network.stationary_points(task)
    assert [point.name for point in mirrored] == [point.name for point in points]
    for point, other in zip(points, mirrored, strict=True):
        # what was worth going left for is now worth going right for
        np.testing.assert_allclose(other.map[::-1], point.map, atol=1e-9)
