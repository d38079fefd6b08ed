import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs
from festina.papers.setups.winners import among_seeds, assigned_share, own_score, pairs, removals, score


def planted(patterns, delays):
    """A run of one network whose units have these patterns on one-hot points and these learning times."""
    times = np.arange(11.0)
    rise = 1.0 * (times[:, None] >= np.array(delays)[None])
    first = rise[:, :, None] * np.array(patterns, float)[None]
    second = np.repeat(rise[:, None], 2, axis=1)
    return fs.Trajectory(times, {"weights": (first[None], second[None])}, seeds=(0,))


def test_scores_know_what_was_planted():
    patterns = np.array([[1, 1, 0, 0], [0, 0, 1, 0]], bool)
    run, x = planted(patterns, [3, 6]), np.eye(4)
    right = score(patterns, np.array([1.0, 2.0]), run, x, [0])
    assert (right.precision, right.recall, right.agreeing, right.disagreeing) == (1.0, 1.0, 1, 0)
    assert right.learned.tolist() == [3.0, 6.0]
    wrong = score(patterns[[0]] ^ True, np.array([1.0]), run, x, [0])
    assert (wrong.precision, wrong.recall) == (0.0, 0.0)
    half = score(np.vstack([patterns[0], [1, 0, 0, 1]]).astype(bool), np.array([1.0, 1.0]), run, x, [0])
    assert half.precision == 0.5
    # contributions ‖a‖‖activity‖ of 2 and √2
    assert half.recall == pytest.approx(2 / (2 + np.sqrt(2)))
    assert pairs(np.array([1.0, 2.0, 2.001]), np.array([5.0, 4.0, 9.0])) == (1, 1)


def test_seeds_predict_each_other_when_they_are_alike():
    one = planted(np.array([[1, 1, 0, 0], [0, 0, 1, 0]], bool), [3, 6])
    both = fs.Trajectory(one.times, {"weights": tuple(np.concatenate([w, w]) for w in one.weights)}, seeds=(0, 1))
    found = among_seeds(both, np.eye(4))
    assert (found.precision, found.recall, found.disagreeing) == (1.0, 1.0, 0)


@settings(max_examples=20)
@given(st.integers(0, 2**31))
def test_interlacing(seed):
    rng = np.random.default_rng(seed)
    task = fs.Task(rng.standard_normal((6, 3)), rng.standard_normal((6, 2)))
    assert removals(task).max() <= 1 + 1e-12
    assert len(removals(task)) == 5


def test_a_network_is_its_own_best_prediction():
    task, network = fs.tasks.extended_xor(2.0), fs.ReLU((24,), initial=fs.initial.Gaussian(1e-3))
    run = fs.evolve(network, task, np.linspace(0, 20, 41), method=fs.Reduced(), seeds=2, observe=("loss", "weights"))
    found = own_score(run, run, task.x)
    assert (found.precision, found.recall, found.disagreeing) == (1.0, 1.0, 0)
    np.testing.assert_allclose(found.each[:, [0, 1, 3]], 1.0, rtol=1e-14)


def test_units_in_another_pattern_than_predicted_do_not_count_as_assigned():
    x, a = np.eye(4), np.ones((2, 3))
    trained = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1e-6]], float)
    assert assigned_share((trained, a), (trained, a), x) == 1.0
    # contributions √2·√2 and √2·1; the third unit is idle
    assert assigned_share((trained[[0, 0, 2]], a), (trained, a), x) == pytest.approx(2 / (2 + np.sqrt(2)))
    assert assigned_share((trained[[1, 0, 2]], a), (trained, a), x) == 0.0
