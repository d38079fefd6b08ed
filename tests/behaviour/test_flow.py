"""The expected dynamics: mean of many agents, residual, clipping, restart."""

import numpy as np
import pytest

import festina as fs
from festina.behaviour import DecisionTask, Shallow, TutorExecutor
from festina.behaviour import _expected as expected

TASK = DecisionTask()
SURPRISE = 4.0
"""Standard errors: passed by chance once in 16000 for one number; here some sixty are compared, strongly correlated."""
SOLVED = 1e-6
"""Of central differences of the solution (solver tolerance 1e-9) with step 2.6e-3."""

EULER = 5e-3
"""Steps of 0.01 of a flow whose weights change by about one: first order, errors of some thousandths."""

UNEVEN = {"tutor": (0.5, 0.8, 1.0), "executor": (0.3, 0.6, 0.1), "offset": 0.05}
"""A start away from the symmetric ridge, where all pathways learn within few units of flow time."""


def flow(network, times, names=("map", "bias", "accuracy", "weights")):
    return fs.evolve(network, TASK, times, method=fs.Flow(), observe=names)


@pytest.mark.parametrize("network", [
    TutorExecutor(noise=0, **UNEVEN),
    TutorExecutor(noise=0, rule="gradient", **UNEVEN),
    Shallow(noise=0, executor=(0.1, 0.4, 0.2), offset=0.05),
])  # fmt: skip
def test_is_the_mean_of_many_agents(network):
    names = ("map", "bias", "accuracy")
    agents = fs.evolve(network, TASK, 0.4 * np.arange(6), method=fs.Train(2e-4), seeds=400, observe=names)
    theory = flow(network, agents.times)
    assert agents.unit == theory.unit == "trials × rate"
    for name in names:
        mean, spread = agents[name].mean(axis=0)[1:], agents[name].std(axis=0, ddof=1)[1:]
        z = (mean - theory[name][1:]) / (spread / np.sqrt(400))
        assert np.max(np.abs(z)) < SURPRISE, (name, z)
    moved = np.abs(theory["map"][-1] - theory["map"][0])
    assert np.max(moved) > 20 * np.max(agents["map"].std(axis=0)[-1] / np.sqrt(400)), "the run must go somewhere"


@pytest.mark.parametrize(
    "network", [TutorExecutor(offset=0.1), TutorExecutor(rule="gradient", noise=0), Shallow(offset=-0.1)]
)
def test_its_derivative_is_the_expected_update(network):
    at, step = np.array([1.3, 7.8, 23.4]), 2.6e-3
    run = flow(network, np.sort(np.concatenate([at - step, at, at + step])))
    w, W = run.weights
    for i in range(1, 9, 3):
        moved, taught = expected.velocity(network, TASK, w[i], W[i])
        moved = np.where((w[i] <= 0) & (moved < 0), 0, moved)
        np.testing.assert_allclose((w[i + 1] - w[i - 1]) / (2 * step), moved, atol=SOLVED)
        taught = np.where((W[i] <= 0) & (taught < 0), 0, taught)
        np.testing.assert_allclose((W[i + 1] - W[i - 1]) / (2 * step), taught, atol=SOLVED)


def test_a_weight_at_zero_is_held_and_freed_again():
    """Against small clipped Euler steps, on a run where the left tutor falls to zero and rises again."""
    network = TutorExecutor(rule="gradient", offset=0.1, noise=0)
    times, steps = np.arange(0, 33.0, 2), 100
    run = flow(network, times)
    w, W = network.start(TASK, 0)
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
    run = flow(TutorExecutor(tutor=(0, 0, 1.0), executor=(0, 0, 0), noise=0), [0.0, 26.0])
    np.testing.assert_allclose(run["map"][-1], [[0, 0, 0.5], [0, 0, 0.5]], atol=1e-6)
    assert np.all(run["map"][..., :2] == 0)


@pytest.mark.parametrize("offset", [0.0, 0.1])
def test_restart_in_the_middle(offset):
    """The state at one time, given as a start, leads to the same end, also with a weight held at zero."""
    network = TutorExecutor(offset=offset, noise=0)
    w, W = flow(network, [7.8, 23.4]).weights
    assert (w[0].min() == 0) == (offset > 0)
    state = np.concatenate([w[0], W[0].ravel()])
    again = expected.follow(network, TASK, state, np.array([15.6]))
    np.testing.assert_allclose(again[0, :3], w[1], atol=1e-6)
    np.testing.assert_allclose(again[0, 3:].reshape(2, 3), W[1], atol=1e-6)


def test_time_zero_is_the_start_and_seeds_are_starts():
    run = flow(TutorExecutor(offset=0.2, noise=0), [0.0, 0.01])
    np.testing.assert_allclose(run["map"][0], [[0.01, 0.01, 0], [0.01, 0.01, 0.2]], rtol=1e-15)
    network = TutorExecutor(spread=0.3)
    many = fs.evolve(network, TASK, [0.0, 1.0], method=fs.Flow(), seeds=3, observe="weights")
    for seed in range(3):
        np.testing.assert_array_equal(many.weights[0][seed, 0], network.start(TASK, seed)[0])
    agents = fs.evolve(network, TASK, [0.0], method=fs.Train(0.1), seeds=3, observe="weights")
    np.testing.assert_array_equal(agents.weights[1][:, 0], many.weights[1][:, 0])


def test_single_trials_have_no_expected_dynamics():
    with pytest.raises(ValueError, match=r"observe holds choices, .* use method=fs.Train"):
        flow(TutorExecutor(), [0.0, 1.0], ("choices",))
    with pytest.raises(ValueError, match=r"observe holds 'outputs'; with Flow\(\) TutorExecutor gives: accuracy, bias"):
        flow(TutorExecutor(), [0.0, 1.0], ("outputs",))


def test_a_sequence_goes_on_from_the_weights_of_the_last_task():
    other = DecisionTask((-1.0, 1.0), (0.5, 0.5))
    network = TutorExecutor(offset=0.1)
    for method in (fs.Flow(), fs.Train(0.01)):
        run = fs.evolve(network, fs.sequence([TASK, other]), [0.0, 3.0], method=method, seeds=2, observe="weights")
        assert run.segment.tolist() == [0, 0, 1, 1]
        np.testing.assert_array_equal(run.weights[1][:, 1], run.weights[1][:, 2])
        assert run["losses"].shape == (2, 4, 2)
