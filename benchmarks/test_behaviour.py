"""A thousand agents over twelve thousand trials, beside a loop over trials in plain Python."""

import math
import random

import numpy as np
import pytest

import festina as fs

AGENTS, SESSIONS, TRIALS = 1000, 50, 240
ALL = AGENTS * SESSIONS * TRIALS
GROUP = f"{AGENTS} agents, {SESSIONS * TRIALS} trials"


def one_agent(trials, seed, rate=0.0026, beta=9.0):
    """The same rule as one would first write it: floats, one agent, one trial after another."""
    rng = random.Random(seed)
    w, W = [0.05, 0.05, 1.0], [[0.2, 0.2, 0.0], [0.2, 0.2, 0.0]]
    for _ in range(trials):
        (c,) = rng.choices((-0.5, -0.25, 0.0, 0.25, 0.5), (0.3, 0.15, 0.1, 0.15, 0.3))
        x = (max(-c, 0.0), max(c, 0.0), 1.0)
        q = [sum(W[a][i] * w[i] * x[i] for i in range(3)) for a in (0, 1)]
        ch = int(rng.random() < 1 / (1 + math.exp(-beta * (q[1] - q[0]))))
        reward = float(ch == (c > 0 if c else rng.random() < 0.5))
        V = W[ch]
        stim, total = reward - V[0] * w[0] * x[0] - V[1] * w[1] * x[1], reward - q[ch]
        errors = (stim, stim, reward - V[2] * w[2])
        old = list(w)
        for i in range(3):
            w[i] = max(w[i] + rate * total * V[i] * x[i], 0.0)
            V[i] = max(V[i] + rate * errors[i] * old[i] * x[i], 0.0)
    return w, W


@pytest.mark.parametrize("kind", ["TutorExecutor", "Shallow"])
def test_agents(measure, benchmark, kind):
    network, task = getattr(fs.behaviour, kind)(), fs.behaviour.decision_task()
    job = lambda: fs.behaviour.simulate(network, task, sessions=SESSIONS, trials=TRIALS, agents=AGENTS)  # noqa: E731
    run = measure(f"{GROUP}, {kind}", "festina: simulate", job, warmup=0)
    seconds = benchmark.stats.stats.median
    benchmark.extra_info.update({"seconds": seconds, "nanoseconds per agent-trial": 1e9 * seconds / ALL})
    assert run["accuracy"][:, -1].mean() > 0.55


def test_plain_loop(measure, benchmark):
    agents = 5
    job = lambda: [one_agent(SESSIONS * TRIALS, seed) for seed in range(agents)]  # noqa: E731
    measure(f"{GROUP}, TutorExecutor", "plain Python, 5 agents, scaled", job, warmup=0, per=agents / AGENTS)
    seconds = benchmark.stats.stats.median
    each = 1e9 * seconds / (agents * SESSIONS * TRIALS)
    benchmark.extra_info.update(
        {"seconds for all agents": seconds * AGENTS / agents, "nanoseconds per agent-trial": each}
    )


def test_average(measure):
    network, task = fs.behaviour.TutorExecutor(offset=0.1), fs.behaviour.decision_task()
    times = np.linspace(0, SESSIONS * TRIALS, SESSIONS + 1)
    measure(
        f"one average network, {SESSIONS * TRIALS} trials",
        "average: the expected dynamics as ODE",
        lambda: fs.behaviour.average(network, task, times),
    )
