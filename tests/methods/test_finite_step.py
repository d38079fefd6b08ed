"""What a finite step adds to a prediction of the flow, and runs whose step is too large for the flow to describe."""

import numpy as np
import pytest

import festina as fs
from festina.methods._finite_step import step_error

TASK = fs.tasks.hierarchy(levels=2)
NETWORK = fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.05))
RAW = fs.Task(
    np.random.default_rng(0).uniform(0, 30, size=(40, 5)), np.random.default_rng(1).uniform(0, 100, size=(40, 1))
)


def test_one_direction_differs_by_the_first_order_of_the_recursion():
    """One weight w → w − η d (w − 1): the loss falls by (1 − ηd)² a step, the flow's by e^{−2ηd}."""
    d, errors = 0.7, []
    for rate in (0.02, 0.01):
        times = rate * np.arange(0, int(6 / rate))
        flow, descent = 0.5 * d * np.exp(-2 * d * times), 0.5 * d * (1 - rate * d) ** (2 * np.arange(len(times)))
        errors.append(np.abs(descent - flow - step_error(flow, times, rate))[1:-1].max())
        assert errors[-1] < 0.05 * np.abs(descent - flow).max()
    assert errors[1] < 0.3 * errors[0]  # what is left is of second order


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_the_estimate_has_the_effect_of_the_step_and_its_size(rate):
    times = rate * np.arange(0, int(40 / rate), max(1, int(0.2 / rate)))
    flow = fs.evolve(NETWORK, TASK, times, method=fs.Flow(), rate=rate)
    area = fs.compare(flow, fs.evolve(NETWORK, TASK, times, method=fs.Train(rate=rate))).area
    assert area / 3 < flow.relative_error < 3 * area
    assert 0 < flow.notes["rate_times_sharpness"]["start"] < 2
    reduced = fs.evolve(NETWORK, TASK, times, method=fs.Reduced("joint modes"), rate=rate)
    assert reduced.relative_error == pytest.approx(flow.relative_error, rel=1e-2)


def test_a_step_that_overshoots_warns_before_training():
    with pytest.warns(UserWarning, match=r"rate × sharpness is .* at the (start|end) with rate 4.*Use a rate below"):
        run = fs.evolve(NETWORK, TASK, [0.0, 40.0], method=fs.Flow(), rate=4.0)
    assert np.isnan(run.relative_error)


def test_sharpness_between_the_start_and_the_end_is_measured():
    """Cross-entropy is sharpest on the way: p(1 − p) vanishes as margins grow."""
    x = np.array([[2.0, 0.3], [1.8, -0.2], [-2.0, 0.1], [-1.9, -0.4]])
    task = fs.Task(x, labels=[0, 0, 1, 1], loss="cross_entropy")
    network, times = fs.DeepLinear((6, 6, 6), initial=fs.initial.Gaussian(0.2)), np.linspace(0, 60, 241)
    run = fs.evolve(network, task, times, method=fs.Flow(), rate=0.1)
    products = run.notes["rate_times_sharpness"]
    (first, *inner, last), where = products.values(), max(products, key=products.__getitem__)
    assert max(inner) > 1.3 * max(first, last)
    with pytest.warns(UserWarning, match=f"rate × sharpness is .* at {where} with rate"):
        fs.evolve(network, task, times, method=fs.Flow(), rate=0.22 / products[where])


def test_a_loss_that_rises_in_plain_descent_warns_with_rate_times_sharpness():
    network = fs.ReLU((16,), initial=fs.initial.Gaussian(0.1), bias=True)
    with pytest.warns(UserWarning, match=r"which gradient flow never does.*Rate × sharpness is .* at the start"):
        run = fs.evolve(network, RAW, 1e-3 * np.arange(100), method=fs.Train(rate=1e-3), observe=("loss",))
    assert run.loss[-1] < run.loss[0]
    assert "Rate × sharpness" in run.notes["diverged"]


def test_a_blow_up_that_recovers_warns():
    network = fs.ReLU((16,), initial=fs.initial.Gaussian(0.3), bias=True)
    with pytest.warns(UserWarning, match=r"training diverged: at step \d+ .* and came back to .* by the end"):
        run = fs.evolve(network, RAW, 3e-3 * np.arange(100), method=fs.Train(rate=3e-3), observe=("loss",))
    assert run.loss.max() > 10 * run.loss[0] > run.loss[-1]


@pytest.mark.parametrize("batching", ["vmap", "map"])
def test_a_blow_up_between_two_looks_warns_and_changes_nothing(batching):
    network = fs.ReLU((16,), initial=fs.initial.Gaussian(0.3), bias=True)
    method = fs.Train(rate=3e-3, batching=batching)
    names = ("loss", "weights", "outputs")
    with pytest.warns(UserWarning, match=r"training diverged: at step \d+ .* and came back to .* by the end"):
        run = fs.evolve(network, RAW, steps=[0, 90, 100], method=method, observe=names, seeds=2)
    with pytest.warns(UserWarning, match="training diverged"):
        every = fs.evolve(network, RAW, steps=np.arange(101), method=method, observe=names, seeds=2)
    assert run.loss.max() < 10 * run.loss[0].min()
    np.testing.assert_array_equal(run.loss, every.loss[:, [0, 90, 100]])
    np.testing.assert_array_equal(run.weights[0], every.weights[0][:, [0, 90, 100]])
    np.testing.assert_array_equal(run.outputs, every.outputs[:, [0, 90, 100]])


def test_a_comparison_that_fails_measures_the_sharpness_and_warns_above_2():
    """Two weights of product w: L = ½(1 − w)², whose sharpness at the minimum is the sum of their squares, 2."""
    network, task = (
        fs.DeepLinear((1,), initial=fs.initial.Weights([np.full((1, 1), 0.1)] * 2)),
        fs.Task([[1.0]], [[1.0]]),
    )
    for rate, largest in ((0.05, 0.1), (0.4, 0.8)):
        flow, train = (fs.evolve(network, task, [0, 1, 2, 20], method=m) for m in (fs.Flow(), fs.Train(rate=rate)))
        products = fs.compare(flow, train).rate_times_sharpness
        assert products["start"] == pytest.approx(rate * 0.99, rel=1e-3)  # 0.01 on the diagonal, −0.98 beside it
        assert products["end"] == pytest.approx(largest, rel=0.05)
    steps = np.arange(0, 61)
    with pytest.warns(UserWarning, match="rose from"):
        train = fs.evolve(network, task, steps=steps, method=fs.Train(rate=1.1), observe="loss")
    with pytest.warns(UserWarning, match=r"rate × sharpness is \d\.\d+ at end: above 2"):
        agreement = fs.compare(fs.evolve(network, task, train.times, method=fs.Flow(), observe="loss"), train)
    assert "Rate × sharpness: 1.1 at start, " in str(agreement)


def test_a_loss_that_goes_up_and_down_between_two_looks_warns():
    """Steps beyond 2/sharpness end in a cycle of two steps: every second look sees the same loss."""
    network, task = (
        fs.DeepLinear((1,), initial=fs.initial.Weights([np.full((1, 1), 0.1)] * 2)),
        fs.Task([[1.0]], [[1.0]]),
    )
    with pytest.warns(UserWarning, match=r"the loss rose .*Rate × sharpness is .* at the start"):
        run = fs.evolve(network, task, steps=[0, 100, 200], method=fs.Train(rate=1.1), observe="loss")
    assert np.all(np.diff(run.loss) <= 1e-9)
