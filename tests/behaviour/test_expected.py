"""The expected update and its Jacobian against enumeration in plain Python and finite differences."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from festina.behaviour import DecisionTask, Shallow, TutorExecutor
from festina.behaviour import _expected as expected

TASK = DecisionTask()
ENUMERATED = 1e-15
"""Two orders of the same sums of nine numbers of order one."""
DIFFERENCED = 1e-9
"""Central differences with step 1e-5 of a smooth function: 1e-10, with room for rounding."""

weights = st.lists(st.floats(0, 2), min_size=9, max_size=9).map(np.array)
networks = st.sampled_from(
    [TutorExecutor(), TutorExecutor(rule="gradient", beta=2.0), Shallow(), Shallow(rule="gradient", beta=0.5)]
)


def enumerate_update(network, w, W):
    """Sum over stimuli, rewarded sides and choices, straight from the rule for one trial."""
    dw, dW = np.zeros(3), np.zeros((2, 3))
    for c, p in zip(TASK.contrasts, TASK.probabilities, strict=True):
        x = [max(-c, 0), max(c, 0), 1.0]
        for side in (0, 1):
            share = p * (0.5 if c == 0 else float((c > 0) == side))
            Q = [sum(W[a, i] * w[i] * x[i] for i in range(3)) for a in (0, 1)]
            for a in (0, 1):
                chance = share / (1 + math.exp(-network.beta * (Q[a] - Q[1 - a])))
                reward = float(a == side)
                stim = W[a, 0] * w[0] * x[0] + W[a, 1] * w[1] * x[1]
                total = reward - Q[a]
                partial = network.rule == "partial"
                for i in range(3):
                    error = (reward - (stim if i < 2 else W[a, 2] * w[2])) if partial else total
                    dW[a, i] += chance * error * w[i] * x[i]
                    if isinstance(network, TutorExecutor):
                        dw[i] += chance * total * W[a, i] * x[i]
    return dw, dW


@given(networks, weights)
def test_velocity_is_the_sum_over_all_trials(network, flat):
    w, W = flat[:3], flat[3:].reshape(2, 3)
    w = w if network.learns_tutor else np.ones(3)
    for found, right in zip(expected.velocity(network, TASK, w, W), enumerate_update(network, w, W), strict=True):
        np.testing.assert_allclose(found, right, atol=ENUMERATED * 100, rtol=1e-12)


@given(networks, weights)
def test_jacobian_is_the_derivative_of_the_velocity(network, flat):
    flat = flat if network.learns_tutor else np.concatenate([np.ones(3), flat[3:]])
    first = 0 if network.learns_tutor else 3

    def move(y):
        moved, taught = expected.velocity(network, TASK, y[:3], y[3:].reshape(2, 3))
        return np.concatenate([moved, taught.ravel()])[first:]

    step = 1e-5
    rows = [(move(flat + step * e) - move(flat - step * e)) / (2 * step) for e in np.eye(9)[first:]]
    found = expected.jacobian(network, TASK, flat[:3], flat[3:].reshape(2, 3))
    scale = network.beta**3 * 10
    np.testing.assert_allclose(found, np.stack(rows, axis=1), atol=DIFFERENCED * scale)


def test_gradient_rule_descends_the_loss_at_fixed_choices():
    """With β → 0 choices do not depend on the weights, and the gradient rule is the gradient of the loss."""
    network = TutorExecutor(rule="gradient", beta=1e-9)
    rng = np.random.default_rng(0)
    w, W = rng.random(3), rng.random((2, 3))
    step = 1e-6
    for i in range(3):
        ahead, behind = w.copy(), w.copy()
        ahead[i] += step
        behind[i] -= step
        slope = (expected.loss(network, TASK, W * ahead) - expected.loss(network, TASK, W * behind)) / (2 * step)
        assert expected.velocity(network, TASK, w, W)[0][i] == pytest.approx(-slope, rel=1e-6)


def test_gradient_rule_conserves_the_imbalance_of_layers():
    network = TutorExecutor(rule="gradient")
    rng = np.random.default_rng(1)
    w, W = rng.random(3), rng.random((2, 3))
    moved, taught = expected.velocity(network, TASK, w, W)
    np.testing.assert_allclose(w * moved, np.sum(W * taught, axis=0), atol=1e-16)


def test_mirror_image():
    """Swapping left and right in weights and actions swaps them in the update."""
    network = TutorExecutor()
    rng = np.random.default_rng(2)
    w, W = rng.random(3), rng.random((2, 3))
    swap = [1, 0, 2]
    moved, taught = expected.velocity(network, TASK, w, W)
    other, others = expected.velocity(network, TASK, w[swap], W[::-1][:, swap])
    np.testing.assert_allclose(other, moved[swap], atol=1e-17)
    np.testing.assert_allclose(others, taught[::-1][:, swap], atol=1e-17)


def test_many_maps_are_a_loop_of_one():
    network = TutorExecutor()
    w, W = np.random.default_rng(3).random((4, 5, 3)), np.random.default_rng(4).random((4, 5, 2, 3))
    moved, taught = expected.velocity(network, TASK, w, W)
    for i in np.ndindex(4, 5):
        one = expected.velocity(network, TASK, w[i], W[i])
        np.testing.assert_allclose(moved[i], one[0], atol=1e-17)
        np.testing.assert_allclose(taught[i], one[1], atol=1e-17)


def test_accuracy_and_loss_of_chance_and_of_certainty():
    network, zero = TutorExecutor(beta=1e3), np.zeros((2, 3))
    assert expected.accuracy(network, TASK, zero) == pytest.approx(0.5)
    assert expected.loss(network, TASK, zero) == pytest.approx(0.25)
    sure = np.array([[10.0, 0, 0], [0, 10.0, 0]])
    assert expected.accuracy(network, TASK, sure) == pytest.approx(0.95)
