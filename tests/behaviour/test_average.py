"""The average dynamics: mean of many agents, residual, clipping, restart."""

import numpy as np
import pytest

from festina.behaviour import Shallow, TutorExecutor, average, decision_task, simulate
from festina.behaviour import _average as module
from festina.behaviour import _expected as expected

TASK = decision_task()
SURPRISE = 4.0
"""Standard errors: passed by chance once in 16000 for one number; here some sixty are compared, strongly correlated."""
SOLVED = 1e-6
"""Of differences of the solution (solver tolerance 1e-9) with step 1 trial, relative to the rate."""

EULER = 5e-3
"""Steps of 0.01 of a flow whose weights change by about one: first order, errors of some thousandths."""

UNEVEN = {"tutor": (0.5, 0.8, 1.0), "executor": (0.3, 0.6, 0.1), "offset": 0.05}
"""A start away from the symmetric ridge, where all pathways learn within few units of flow time."""


@pytest.mark.parametrize("network", [
    TutorExecutor(rate=2e-4, noise=0, **UNEVEN),
    TutorExecutor(rate=2e-4, noise=0, rule="gradient", **UNEVEN),
    Shallow(rate=2e-4, noise=0, executor=(0.1, 0.4, 0.2), offset=0.05),
])  # fmt: skip
def test_is_the_mean_of_many_agents(network):
    agents = simulate(network, TASK, sessions=5, trials=2000, agents=400, seed=0)
    theory = average(network, TASK, agents.times)
    for name in ("map", "bias", "accuracy"):
        mean, spread = agents[name].mean(axis=0)[1:], agents[name].std(axis=0, ddof=1)[1:]
        z = (mean - theory[name][1:]) / (spread / np.sqrt(400))
        assert np.max(np.abs(z)) < SURPRISE, (name, z)
    moved = np.abs(theory["map"][-1] - theory["map"][0])
    assert np.max(moved) > 20 * np.max(agents["map"].std(axis=0)[-1] / np.sqrt(400)), "the run must go somewhere"


@pytest.mark.parametrize("network", [TutorExecutor(offset=0.1), TutorExecutor(rule="gradient"), Shallow(offset=-0.1)])
def test_its_derivative_is_the_expected_update(network):
    at = np.array([500.0, 3000.0, 9000.0])
    run = average(network, TASK, np.sort(np.concatenate([at - 1, at, at + 1])))
    w, W = run.weights
    for i in range(1, 9, 3):
        moved, taught = expected.velocity(network, TASK, w[i], W[i])
        moved = np.where((w[i] <= 0) & (moved < 0), 0, moved)
        np.testing.assert_allclose((w[i + 1] - w[i - 1]) / 2, moved, atol=SOLVED * network.rate)
        taught = np.where((W[i] <= 0) & (taught < 0), 0, taught)
        np.testing.assert_allclose((W[i + 1] - W[i - 1]) / 2, taught, atol=SOLVED * network.rate)


def test_a_weight_at_zero_is_held_and_freed_again():
    """Against small clipped Euler steps, on a run where the left tutor falls to zero and rises again.

    At rate 1 a trial is one unit of flow time.
    """
    network = TutorExecutor(rule="gradient", offset=0.1, rate=1.0)
    times, steps = np.arange(0, 33.0, 2), 100
    run = average(network, TASK, times)
    w, W = network.start()
    visited = [np.vstack([w, W])]
    for step in range(1, int(times[-1]) * steps + 1):
        moved, taught = expected.velocity(network, TASK, w, W)
        w, W = np.maximum(w + moved / steps, 0), np.maximum(W + taught / steps, 0)
        if step % (2 * steps) == 0:
            visited.append(np.vstack([w, W]))
    found = np.concatenate([run.weights[0][:, None], run.weights[1]], axis=1)
    np.testing.assert_allclose(found, visited, atol=EULER)
    left = run.weights[0][:, 0]
    assert left[0] > 0
    assert left.min() == 0
    assert left[-1] > 0.03


def test_a_dead_pathway_stays_dead():
    run = average(TutorExecutor(tutor=(0, 0, 1.0), executor=(0, 0, 0)), TASK, np.array([0.0, 1e4]))
    np.testing.assert_allclose(run["map"][-1], [[0, 0, 0.5], [0, 0, 0.5]], atol=1e-6)
    assert np.all(run["map"][..., :2] == 0)


@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_restart_in_the_middle(offset):
    """The state at one time, given as a start, leads to the same end, also with a weight held at zero."""
    network = TutorExecutor(offset=offset)
    w, W = average(network, TASK, np.array([3000.0, 9000.0])).weights
    assert (w[0].min() == 0) == (offset > 0)
    state = np.concatenate([w[0], W[0].ravel()])
    again, _ = module._integrate(network, TASK, state, np.array([6000.0]))
    np.testing.assert_allclose(again[0, :3], w[1], atol=1e-6)
    np.testing.assert_allclose(again[0, 3:].reshape(2, 3), W[1], atol=1e-6)


def test_time_zero_is_the_start():
    run = average(TutorExecutor(offset=0.2), TASK, np.array([0.0, 1.0]))
    np.testing.assert_allclose(run["map"][0], [[0.01, 0.01, 0], [0.01, 0.01, 0.2]], rtol=1e-15)
    assert run.notes["solver"]


def test_times_are_checked():
    with pytest.raises(ValueError, match="times must increase"):
        average(TutorExecutor(), TASK, np.array([1.0, 0.0]))
