"""Agents: the same as a plain loop, reproducible, independent of one another."""

import math

import numpy as np
import pytest

from festina import load
from festina.behaviour import Shallow, TutorExecutor, decision_task, simulate
from festina.behaviour import _simulate as module

TASK = decision_task()
ROUNDING = 1e-12
"""Some hundred updates in another order of operations."""


def one_agent(network, trials, seed, agent):
    """The rule for one trial, in plain Python, with the agent's own random numbers."""
    rng = np.random.default_rng([seed, agent])
    w, W = network.start(rng)
    deep = isinstance(network, TutorExecutor)
    for _ in range(trials):
        first, second = rng.random(2)
        j = int(np.searchsorted(np.cumsum(TASK.weight)[:-1], first, side="right"))
        x = TASK.x[j]
        Q = [sum(W[a, i] * w[i] * x[i] for i in range(3)) for a in (0, 1)]
        ch = int(second < 1 / (1 + math.exp(-network.beta * (Q[1] - Q[0]))))
        reward = float(ch == TASK.correct[j])
        stim = sum(W[ch, i] * w[i] * x[i] for i in (0, 1))
        total = reward - Q[ch]
        taught = [reward - stim, reward - stim, reward - W[ch, 2] * w[2]]
        if network.rule == "gradient":
            taught = [total] * 3
        before = w.copy()
        for i in range(3):
            if deep:
                w[i] = max(w[i] + network.rate * total * W[ch, i] * x[i], 0)
            W[ch, i] = max(W[ch, i] + network.rate * taught[i] * before[i] * x[i], 0)
    return w, W


@pytest.mark.parametrize("kind", [TutorExecutor, Shallow])
@pytest.mark.parametrize("rule", ["partial", "gradient"])
def test_agents_are_the_plain_loop(kind, rule):
    network = kind(rule=rule, rate=0.3, spread=0.2, noise=0.05)  # a large rate, so that clipping occurs
    run = simulate(network, TASK, sessions=2, trials=60, agents=3, seed=5)
    for agent in range(3):
        w, W = one_agent(network, 120, 5, agent)
        np.testing.assert_allclose(run.weights[0][agent, -1], w, atol=ROUNDING)
        np.testing.assert_allclose(run.weights[1][agent, -1], W, atol=ROUNDING)
    assert np.min(run.weights[1]) == 0, "no weight was clipped: the test must reach the clipping"


def test_an_agent_depends_neither_on_the_others_nor_on_the_sessions(monkeypatch):
    network = TutorExecutor(spread=0.1)
    many = simulate(network, TASK, sessions=2, trials=30, agents=7, seed=3)
    few = simulate(network, TASK, sessions=6, trials=10, agents=2, seed=3)
    np.testing.assert_array_equal(many.weights[1][:2, -1], few.weights[1][:, -1])
    monkeypatch.setattr(module, "BLOCK", 3)
    blocks = simulate(network, TASK, sessions=2, trials=30, agents=7, seed=3)
    for name in ("map", "chosen_right", "rewarded"):
        np.testing.assert_array_equal(many[name], blocks[name])
    assert np.max(np.abs(simulate(network, TASK, sessions=2, trials=30, agents=7, seed=4)["map"] - many["map"])) > 0


def test_choices_follow_the_curve():
    """With hardly any learning the shares of choices are those of the initial curve, within binomial error."""
    network = TutorExecutor(rate=1e-12, offset=0.1, tutor=(0.5, 0.3, 1.0), noise=0, executor=(0.2, 0.9, 0.1))
    run = simulate(network, TASK, sessions=1, trials=2000, agents=20, seed=0)
    p = run["curve"][0, 0]
    shown = 40000 * np.array(TASK.probabilities)
    z = (run["chosen_right"][:, 1].mean(axis=0) - p) / np.sqrt(p * (1 - p) / shown)
    assert np.max(np.abs(z)) < 4
    z = (run["rewarded"][:, 1].mean() - run["accuracy"][0, 0]) / np.sqrt(0.25 / 40000)
    assert abs(z) < 4


def test_what_comes_back(tmp_path):
    run = simulate(TutorExecutor(), TASK, sessions=3, trials=20, agents=4)
    assert run.unit == "trials"
    assert run.times.tolist() == [0, 20, 40, 60]
    assert run["curve"].shape == (4, 4, 5)
    assert run.loss.shape == (4, 4)
    assert np.isnan(run["rewarded"][:, 0]).all()
    assert np.isfinite(run["rewarded"][:, 1:]).all()
    again = load(run.save(tmp_path / "agents.nc"))
    np.testing.assert_array_equal(again["map"], run["map"])
    assert again.unit == "trials"


def test_a_contrast_not_shown_is_not_a_number():
    run = simulate(TutorExecutor(), TASK, sessions=1, trials=1, agents=5)
    assert np.isnan(run["chosen_right"][:, 1]).sum(axis=-1).tolist() == [4] * 5


@pytest.mark.parametrize("name", ["sessions", "trials", "agents"])
def test_counts_are_checked(name):
    with pytest.raises(ValueError, match=f"{name} is 0; a whole number >= 1"):
        simulate(TutorExecutor(), TASK, **{name: 0})
