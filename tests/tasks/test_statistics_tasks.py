"""Tasks given by their statistics: the points stand for the correlations, and drawn data have them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

SIGMAS = 5.0
"""Standard errors by which a mean of drawn data may be off: less than one in a million draws is further."""


@given(inputs=st.integers(1, 5), outputs=st.integers(1, 4), seed=st.integers(0, 50), flat=st.integers(0, 2))
def test_points_have_the_given_statistics(inputs, outputs, seed, flat):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((9, inputs))
    x[:, : min(flat, inputs)] = 0.0  # inputs that do not vary
    y = rng.standard_normal((9, outputs))
    data = fs.Task(x, y).statistics
    task = fs.Task.from_statistics(data.input_correlation, data.cross_correlation, power=data.power)
    found = task.statistics
    np.testing.assert_allclose(found.input_correlation, data.input_correlation, atol=1e-12)
    np.testing.assert_allclose(found.cross_correlation, data.cross_correlation, atol=1e-12)
    assert found.power == pytest.approx(data.power, rel=1e-12)
    assert found.floor == pytest.approx(data.floor, abs=1e-12)


def test_a_linear_network_cannot_tell_statistics_from_data():
    data = fs.tasks.teacher(inputs=4, outputs=3, whitened=False, noise=0.1)
    given_ = fs.Task.from_statistics(
        data.statistics.input_correlation, data.statistics.cross_correlation, power=data.statistics.power
    )
    network = fs.DeepLinear(hidden=(5,), initial=fs.initial.Gaussian(0.1))
    times = np.linspace(0, 5, 6)
    runs = [fs.evolve(network, task, times, method=fs.Flow()).loss for task in (data, given_)]
    np.testing.assert_allclose(runs[0], runs[1], rtol=1e-9)


def test_the_least_power_lets_a_linear_map_reach_zero():
    task = fs.Task.from_statistics(np.diag([2.0, 1.0]), [[1.0, 0.5]])
    assert task.statistics.power == pytest.approx(0.75)
    assert task.statistics.floor < 1e-15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0, 2.0]], [[1.0, 1.0]]), "input_correlation has shape"),
        (([[1.0, 0.5], [0.0, 1.0]], [[1.0, 1.0]]), "not symmetric"),
        (([[1.0, 0.0], [0.0, -1.0]], [[1.0, 1.0]]), "eigenvalue -1"),
        (([[1.0]], [[1.0, 1.0]]), "cross_correlation has shape"),
        (([[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0]]), "input of no variance"),
        (([[1.0]], [[1.0]], 0.5), "power is 0.5"),
        (([[math.nan]], [[1.0]]), "not finite"),
    ],
)
def test_correlations_that_no_data_have_are_refused(arguments, message):
    sigma_x, sigma_yx, *power = arguments
    with pytest.raises(ValueError, match=message):
        fs.Task.from_statistics(sigma_x, sigma_yx, power=power[0] if power else None)


def test_networks_that_are_not_linear_refuse_points_that_only_stand_for_correlations():
    task = fs.tasks.integration(length=2)
    network = fs.ReLU(hidden=(4,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match=r"task.sampled\(count\)"):
        fs.evolve(network, task, [0.0, 1.0], method=fs.Train(rate=0.1))
    fs.evolve(network, task.sampled(20), [0.0, 1.0], method=fs.Train(rate=0.1))


def test_drawing_needs_a_generator():
    with pytest.raises(ValueError, match="without a generator"):
        fs.tasks.living_things(4).sampled(5)


def agree(sampled: np.ndarray, expected: np.ndarray) -> bool:
    """Whether the mean of samples is the expected one within its standard error."""
    error = sampled.std(axis=0) / np.sqrt(len(sampled))
    return bool(np.all(np.abs(sampled.mean(axis=0) - expected) <= SIGMAS * error + 1e-12))


@pytest.mark.parametrize("length", [1, 4])
def test_drawn_regressions_have_the_statistics_of_the_task(length):
    rng = np.random.default_rng(3)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    task = fs.tasks.in_context_regression(turn * [1.6, 1.0, 0.0] @ turn.T, length)
    data = task.sampled(40_000, seed=1)
    assert agree(
        (data.x[:, :, None] * data.x[:, None, :]).reshape(len(data.x), -1), task.statistics.input_correlation.ravel()
    )
    assert agree(data.x * data.y, task.statistics.cross_correlation[0])
    assert agree(data.y**2, np.array([task.statistics.power]))


def test_drawn_sequences_have_the_statistics_of_the_task():
    task = fs.tasks.sensory_integration([[0.5, -1.0], [1.0, 0.0], [2.0, 0.3]], noise=0.5)
    data = task.sampled(40_000, seed=1)
    assert agree((data.x[:, :, None] * data.x[:, None, :]).reshape(len(data.x), -1), np.eye(6).ravel())
    assert agree(
        (data.y[:, :, None] * data.x[:, None, :]).reshape(len(data.x), -1), task.statistics.cross_correlation.ravel()
    )
    assert agree((data.y**2).sum(axis=1, keepdims=True), np.array([task.statistics.power]))


def test_batches_are_fresh_in_every_step_and_equal_for_equal_seeds():
    task = fs.tasks.integration(length=2, noise=1.0)
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(0.3))
    runs = [
        fs.evolve(network, task, [0.0, 0.05, 0.1], method=fs.Train(rate=0.05, batch=4), seeds=2, observe=("weights",))
        for _ in range(2)
    ]
    np.testing.assert_array_equal(runs[0].weights[0], runs[1].weights[0])
    steps = np.diff(runs[0].weights[0], axis=1)
    assert np.abs(steps[:, 1] - steps[:, 0]).max() > 1e-3  # the same batch again would move on by nearly the same step


def test_large_batches_approach_the_expected_loss():
    task = fs.tasks.integration(length=2, noise=1.0)
    network = fs.DeepLinear(hidden=(3,), initial=fs.initial.Gaussian(0.3))

    def train(batch: int | None) -> np.ndarray:
        return fs.evolve(network, task, [1.0], method=fs.Train(rate=0.05, batch=batch), seeds=32, observe="map")["map"]

    full = train(None)
    gaps = [np.sqrt(np.mean((train(batch) - full) ** 2)) for batch in (16, 1600)]
    # the noise of a step falls like 1/√batch, tenfold; 32 seeds tell it to about a fifth
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fs.tasks.in_context_regression([[1.0, 2.0]], 5), "covariance has shape"),
        (lambda: fs.tasks.in_context_regression([[1.0, 2.0], [2.0, 1.0]], 5), "not symmetric with eigenvalues"),
        (lambda: fs.tasks.in_context_regression([0.0, 0.0], 5), "covariance is zero"),
        (lambda: fs.tasks.in_context_regression([1.0], 0), "length is 0"),
        (lambda: fs.tasks.in_context_regression([1.0], 2.5), "length is 2.5"),
        (lambda: fs.tasks.in_context_regression(["a"], 5), "covariance is list"),
        (lambda: fs.tasks.in_context_regression([1.0], math.inf).sampled(3), "length is infinite"),
        (lambda: fs.tasks.integration(length=0), "length is 0"),
        (lambda: fs.tasks.integration(strengths=(1.0, -1.0)), "strengths is"),
        (lambda: fs.tasks.integration(strengths=(2.0, 1.0), inputs=1), "inputs is 1"),
        (lambda: fs.tasks.integration(noise=-1.0), "noise is -1.0"),
        (lambda: fs.tasks.delayed_response(length=3, delay=3), "delay is 3"),
        (lambda: fs.tasks.sensory_integration([1.0, 2.0]), "maps has shape"),
        (lambda: fs.tasks.sensory_integration([[1.0]]).extended(3), "does not say how it goes on"),
    ],
)
def test_bad_arguments_get_an_error_that_says_what_to_do(call, message, untyped):
    with pytest.raises(ValueError, match=message):
        call()


def test_longer_sequences_follow_the_rule_of_the_task():
    assert np.all(fs.tasks.integration(length=2).extended(5).maps == fs.tasks.integration(length=5).maps)
    assert np.all(fs.tasks.delayed_response(length=2).extended(5).maps == fs.tasks.delayed_response(length=5).maps)
