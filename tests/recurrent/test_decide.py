"""Choices of recurrent networks: kernels in closed form, the race to a bound, and what is refused."""

from typing import Any

import numpy as np
import pytest
import scipy

import festina as fs

BAD: Any = None


def fixed(weights, **options):
    """A network that does not learn, on a task that it does or does not solve."""
    length = options.pop("length")
    task = fs.tasks.integration(length)
    sign = task.maps[0, 0, 0]
    first, recurrent, last = weights
    network = fs.LinearRNN(
        len(recurrent), length=length, initial=fs.initial.Weights([first, recurrent, sign * last]), **options
    )
    return fs.evolve(network, task, [0.0], method=fs.Flow(), observe=("weights",))


@pytest.mark.parametrize("delay", [0, 3])
def test_the_kernel_of_a_deadline_is_that_of_normal_variables(delay):
    """z = Σ A_l (c + ε) + noise is normal: E[ε | right] − E[ε | left] = A φ(m)/(S Φ(m) Φ(−m)) with m = mean/S."""
    length, tau, sigma_in, sigma_h = 6, 2.0, 0.5, 0.3
    rng = np.random.default_rng(1)
    first, recurrent, last = rng.normal(size=(3, 1)), 0.4 * rng.normal(size=(3, 3)), rng.normal(size=(1, 3))
    run = fixed((first, recurrent, last), length=length, time_constant=tau, input_noise=sigma_in, private_noise=sigma_h)
    found = fs.recurrent.decide(run, fs.recurrent.Deadline(delay), coherences=0.3, trials=200_000)
    m = (1 - 1 / tau) * np.eye(3) + recurrent / tau
    through = [last @ np.linalg.matrix_power(m, lag) / tau for lag in range(length + delay)]
    gain = np.array([(row @ first).item() for row in through])
    seen = gain[delay:][::-1]  # by step of the evidence
    private = sigma_h**2 * sum(float(np.sum(row**2)) for row in through)
    deviation = np.sqrt(np.sum(seen**2) + sigma_in**2 * np.sum(gain**2) + private)
    z = 0.3 * seen.sum() / deviation
    normal = scipy.stats.norm
    expected = seen / deviation * normal.pdf(z) / (normal.cdf(z) * normal.cdf(-z))
    assert found.right.mean() == pytest.approx(normal.cdf(z), abs=0.005)
    assert np.all(np.abs(found.kernel - expected) < 4.5 * found.kernel_error)
    assert set(found.steps.tolist()) == {length + delay}


def test_a_bound_is_reached_as_by_a_random_walk_and_weighs_early_evidence():
    """A perfect integrator between bounds ±B: errors 1/(1 + exp(2cB)) where steps are small (Wald)."""
    run = fixed((np.ones((1, 1)), np.ones((1, 1)), np.ones((1, 1))), length=300)
    found = fs.recurrent.decide(run, fs.recurrent.Bound(8.0), coherences=[-0.1, 0.1], trials=20_000)
    wrong = np.mean(found.right != (found.coherence > 0))
    # the walk jumps over the bound by 0.583 in the mean (Siegmund), which acts as a higher bound
    assert wrong == pytest.approx(1 / (1 + np.exp(2 * 0.1 * (8 + 0.583))), abs=0.01)
    assert found.kernel[:20].mean() > 5 * abs(found.kernel[-20:].mean())
    frame = found.to_pandas()
    assert frame["coherence"].tolist() == [-0.1, 0.1]
    assert np.all(frame["steps"].to_numpy() < 300)


def test_predicted_and_trained_networks_have_one_kernel():
    """It is late evidence that counts first; once the sum is learned, all of it counts alike."""
    task, times = fs.tasks.integration(length=5), np.array([0.0, 12.0, 40.0])
    network = fs.LinearRNN(32, length=5, initial=fs.initial.Gaussian(0.01), private_noise=0.05)
    kernels = {}
    for method in (fs.Reduced(), fs.Train(rate=0.02)):
        run = fs.evolve(network, task, times, method=method, observe=("weights",), seeds=2)
        found = [fs.recurrent.decide(run, trials=20_000, time=t).kernel for t in (12.0, None)]
        kernels[type(method)] = found
    predicted, trained = kernels.values()
    np.testing.assert_allclose(predicted, trained, atol=0.05)
    assert np.ptp(predicted[1]) < 0.1


def test_decisions_are_drawn(tmp_path):
    run = fixed((np.ones((1, 1)), np.zeros((1, 1)), np.ones((1, 1))), length=2)
    found = fs.recurrent.decide(run, trials=50)
    ax = found.plot()
    assert "kernel" in ax.get_ylabel()
    assert repr(found).startswith("Decisions(50 trials of 2 steps")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda run: fs.recurrent.decide(BAD), "trajectory is None"),
        (lambda run: fs.recurrent.decide(run, BAD), "readout is None"),
        (lambda run: fs.recurrent.decide(run, mode=1), "mode is 1"),
        (lambda run: fs.recurrent.decide(run, trials=0), "trials is 0"),
        (lambda run: fs.recurrent.decide(run, time=-1.0), "time is -1; the trajectory begins at 0"),
        (lambda run: fs.recurrent.Bound(0.0), "height is 0"),
        (lambda run: fs.recurrent.Deadline(-1), "delay is -1"),
    ],
)
def test_what_does_not_fit_is_named(call, message, untyped):
    run = fixed((np.ones((1, 1)), np.zeros((1, 1)), np.ones((1, 1))), length=2)
    with pytest.raises(ValueError, match=message):
        call(run)


def test_other_networks_and_weights_that_were_not_observed_are_refused():
    task = fs.tasks.integration(2)
    wide = fs.DeepLinear((3,), initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="trajectory is of DeepLinear"):
        fs.recurrent.decide(fs.evolve(wide, task, [0.0], method=fs.Flow()))
    network = fs.LinearRNN(2, length=2, initial=fs.initial.Gaussian(0.1))
    with pytest.raises(ValueError, match="did not observe 'weights'"):
        fs.recurrent.decide(fs.evolve(network, task, [0.0], method=fs.Flow()))
