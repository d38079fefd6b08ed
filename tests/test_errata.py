"""Equations that are printed wrongly: the printed form fails the check, the corrected form passes it."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import lambertw

import festina as fs
from festina.linear import strength

S, D, START = 0.9, 1.6, 0.02
TIMES = np.linspace(0, 12, 40)
PASSES, FAILS = 1e-8, 0.05
"""An ODE solve to 1e-12 judges: the corrected form agrees to rounding, the printed one is off by percents."""


def flow(field, start=START, times=TIMES):
    return solve_ivp(field, (0, times[-1]), np.atleast_1d(start), "DOP853", times, rtol=1e-12, atol=1e-14).y


def off(found, judge):
    return np.abs(found - judge).max() / np.abs(judge).max()


def test_saxe_lecture_deep_form_is_that_of_infinite_depth():
    def form(exponent):
        z0 = S / (D * START) - 1
        return S / D / (1 + lambertw(z0 * np.exp(z0 - exponent)).real)

    times = np.linspace(0, 150, 60)
    endless = flow(lambda _, u: u**2 * (S - D * u), times=times)[0]
    assert off(form(times), endless) > FAILS  # printed exponent
    assert off(form(S**2 / D * times), endless) < PASSES
    assert off(strength(times, S, D, START, math.inf), endless) < PASSES
    for depth in (3, 5):  # printed for D ≥ 3, but no finite depth follows it, with either exponent
        deep = flow(lambda _, u, depth=depth: depth * u ** (2 - 2 / depth) * (S - D * u), times=times)[0]
        assert off(form(times), deep) > FAILS
        assert off(form(S**2 / D * depth * times), deep) > FAILS
        assert off(strength(times, S, D, START, depth), deep) < PASSES


def gradient(weights, task):
    """dL/dW of the mean loss of two layers, by hand."""
    first, second = weights
    miss = (second @ first @ task.x.T - task.y.T) / len(task.x)
    return second.T @ miss @ task.x, miss @ task.x.T.T @ first.T


def test_jarvis2025_app_a_descends_the_gradient():
    task = fs.tasks.hierarchy(levels=2)
    network = fs.DeepLinear((5,), initial=fs.initial.Gaussian(0.3))
    weights, rate = network.start(task, 0), 0.01
    slopes = gradient(weights, task)
    loss = network.observables(network.context(task))["loss"]
    printed, corrected = (tuple(w + sign * rate * g for w, g in zip(weights, slopes, strict=True)) for sign in (1, -1))
    assert loss(printed) > loss(weights) > loss(corrected)
    trained = fs.evolve(network, task, [rate], method=fs.Train(rate=rate), observe="weights").weights
    for a, b in zip(trained, corrected, strict=True):
        np.testing.assert_allclose(a[0], b, atol=1e-14)


@pytest.mark.parametrize("summed", [False, True])
def test_jarvis2025_eqs_2_and_3_have_the_time_constant_of_their_loss(summed):
    task, steps, step = fs.tasks.hierarchy(levels=2), 3000, 0.002
    network = fs.DeepLinear((5,), initial=fs.initial.Aligned(0.05))
    items, weights = len(task.x), network.start(task, 0)
    for _ in range(steps):  # the loss of the paper is the mean, or the sum, over its N data points
        slopes = gradient(weights, task)
        weights = tuple(w - step * (items if summed else 1) * g for w, g in zip(weights, slopes, strict=True))
    reached = task.statistics.left.T @ weights[1] @ weights[0] @ task.statistics.right

    def theory(tau):
        return fs.evolve(network, task, [steps / tau], observe="strengths").strengths[0]

    mean, total = theory(1 / step), theory(1 / (items * step))
    right, wrong = (total, mean) if summed else (mean, total)
    assert off(right, np.diag(reached)) < 0.01  # first order in the step
    assert off(wrong, np.diag(reached)) > FAILS


def pretraining_time(layers, layer, close=0.99):
    """Time to train a chain of scalars layer by layer, each as one half of an autoencoder of two weights.

    Each layer learns to reproduce its input: a' = b(1 − ab), b' = a(1 − ab) from a = b = ``layer``.
    """

    def reached(_, state):
        return state[0] * state[1] - close

    reached.terminal = True
    found = solve_ivp(lambda _, w: w[::-1] * (1 - w[0] * w[1]), (0, 1e4), [layer, layer], "LSODA", events=reached,
                      rtol=1e-9, atol=1e-12)  # fmt: skip
    return layers * found.t_events[0][0]


def test_saxe_lecture_pretraining_takes_a_time_logarithmic_in_the_start():
    starts = np.array([1e-1, 1e-2, 1e-3, 1e-4])
    times = np.array([pretraining_time(10, b) for b in starts])
    logarithmic, printed = 10 * np.log(1 / starts), 10 / starts**2
    assert np.ptp(times / logarithmic) < 0.7 * (times / logarithmic)[-1]
    assert (times / logarithmic)[-1] == pytest.approx(1, abs=0.3)
    assert np.diff(times) == pytest.approx(np.diff(logarithmic), rel=0.02)
    assert (times / printed)[0] / (times / printed)[-1] > 1e4  # would be constant if the printed order held
    np.testing.assert_allclose(pretraining_time(20, 1e-2), 2 * times[1])
