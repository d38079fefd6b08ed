"""Agents: the same as a plain loop, reproducible, independent of one another."""

import math

import numpy as np
import pytest

import festina as fs
from festina.behaviour import DecisionTask, Shallow, TutorExecutor, read_table
from festina.behaviour import _agents as module

TASK = DecisionTask()
TRIALS = ("contrasts", "choices", "rewards")
ROUNDING = 1e-12
"""Some hundred updates in another order of operations."""


def simulate(network, *, sessions, trials, agents, seed=0, rate=0.0026, names=("weights", "map")):
    times = rate * trials * np.arange(sessions + 1)
    return fs.evolve(network, TASK, times, method=fs.Train(rate), seed=seed, seeds=agents, observe=names)


def one_agent(network, trials, seed, rate):
    """The rule for one trial, in plain Python, with the agent's own random numbers."""
    rng = np.random.default_rng([seed, 1])
    w, W = network.start(TASK, seed)
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
                w[i] = max(w[i] + rate * total * W[ch, i] * x[i], 0)
            W[ch, i] = max(W[ch, i] + rate * taught[i] * before[i] * x[i], 0)
    return w, W


@pytest.mark.parametrize("kind", [TutorExecutor, Shallow])
@pytest.mark.parametrize("rule", ["partial", "gradient"])
def test_agents_are_the_plain_loop(kind, rule):
    network = kind(rule=rule, spread=0.2, noise=0.05)  # a large rate, so that clipping occurs
    run = simulate(network, sessions=2, trials=60, agents=3, seed=5, rate=0.3)
    for agent in range(3):
        w, W = one_agent(network, 120, 5 + agent, 0.3)
        np.testing.assert_allclose(run.weights[0][agent, -1], w, atol=ROUNDING)
        np.testing.assert_allclose(run.weights[1][agent, -1], W, atol=ROUNDING)
    assert np.min(run.weights[1]) == 0, "no weight was clipped: the test must reach the clipping"


def test_an_agent_depends_neither_on_the_others_nor_on_the_sessions(monkeypatch):
    network = TutorExecutor(spread=0.1)
    many = simulate(network, sessions=2, trials=30, agents=7, seed=3)
    few = simulate(network, sessions=6, trials=10, agents=2, seed=3)
    np.testing.assert_array_equal(many.weights[1][:2, -1], few.weights[1][:, -1])
    monkeypatch.setattr(module, "BLOCK", 3)
    blocks = simulate(network, sessions=2, trials=30, agents=7, seed=3)
    np.testing.assert_array_equal(many["map"], blocks["map"])
    later = simulate(network, sessions=2, trials=30, agents=6, seed=4)
    np.testing.assert_array_equal(later["map"], many["map"][1:])
    assert np.min(np.abs(np.diff(many["map"][:, -1, 1, 2]))) > 0


def test_choices_follow_the_curve():
    """With hardly any learning the shares of choices are those of the initial curve, within binomial error."""
    network = TutorExecutor(offset=0.1, tutor=(0.5, 0.3, 1.0), noise=0, executor=(0.2, 0.9, 0.1))
    names = ("curve", "chosen_right", "rewarded", "accuracy")
    run = simulate(network, sessions=1, trials=2000, agents=20, rate=1e-12, names=names)
    p = run["curve"][0, 0]
    shown = 40000 * np.array(TASK.probabilities)
    z = (run["chosen_right"][:, 1].mean(axis=0) - p) / np.sqrt(p * (1 - p) / shown)
    assert np.max(np.abs(z)) < 4
    z = (run["rewarded"][:, 1].mean() - run["accuracy"][0, 0]) / np.sqrt(0.25 / 40000)
    assert abs(z) < 4


def test_what_comes_back(tmp_path):
    names = ("loss", "curve", "map", "rewarded", "chosen_right", *TRIALS)
    run = simulate(TutorExecutor(), sessions=3, trials=20, agents=4, names=names)
    assert run.unit == "trials × rate"
    np.testing.assert_allclose(run.times, 0.0026 * np.array([0, 20, 40, 60]))
    assert run.notes["steps"] == [0, 20, 40, 60]
    assert run["curve"].shape == (4, 4, 5)
    assert run.loss.shape == (4, 4)
    assert np.isnan(run["rewarded"][:, 0]).all()
    assert np.isfinite(run["rewarded"][:, 1:]).all()
    again = fs.load(run.save(tmp_path / "agents.nc"))
    np.testing.assert_array_equal(again["map"], run["map"])
    np.testing.assert_array_equal(again["choices"], run["choices"])
    assert again.unit == "trials × rate"
    assert again.network == run.network
    assert isinstance(again.task, fs.behaviour.DecisionTask)
    assert again.task.contrasts == TASK.contrasts


def test_recorded_trials_are_those_of_the_agents():
    names = ("rewarded", "chosen_right", *TRIALS)
    run = simulate(TutorExecutor(spread=0.2), sessions=3, trials=40, agents=2, seed=9, names=names)
    made = read_table(run)
    assert made.subjects == ("agent 9", "agent 10")
    for n, subject in enumerate(made.subjects):
        for session in range(1, 4):
            rows = (made.subject == subject) & (made.session == str(session))
            assert rows.sum() == 40
            assert made.reward[rows].mean() == pytest.approx(run["rewarded"][n, session])
            shown = made.contrast[rows] == 0.5
            assert made.right[rows][shown].mean() == pytest.approx(run["chosen_right"][n, session, -1])
    with pytest.raises(ValueError, match="source does not hold contrasts, choices, rewards"):
        read_table(simulate(TutorExecutor(), sessions=1, trials=2, agents=1))


def test_a_contrast_not_shown_is_not_a_number():
    run = simulate(TutorExecutor(), sessions=1, trials=1, agents=5, names=("chosen_right",))
    assert np.isnan(run["chosen_right"][:, 1]).sum(axis=-1).tolist() == [4] * 5


def test_what_agents_do_not_have_is_refused():
    with pytest.raises(ValueError, match="method sets batch, which agents do not have"):
        fs.evolve(TutorExecutor(), TASK, [0.0, 1.0], method=fs.Train(0.1, batch=2))
    with pytest.raises(ValueError, match=r"has no closed form; use method=fs.Flow\(\) or fs.Train"):
        fs.evolve(TutorExecutor(), TASK, [0.0, 1.0])
    with pytest.raises(ValueError, match=r"task is Task; networks of fs.behaviour learn"):
        fs.evolve(TutorExecutor(), fs.Task([[1.0]], [[1.0]]), [0.0, 1.0], method=fs.Flow())
    with pytest.raises(ValueError, match=r"observe holds 'hidden'; with Train\(\) Shallow gives: accuracy"):
        fs.evolve(Shallow(), TASK, [0.0, 1.0], method=fs.Train(0.1), observe="hidden")
