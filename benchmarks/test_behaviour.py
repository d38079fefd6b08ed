"""Agents over twelve thousand trials beside a loop in plain Python; fits beside SciPy on the same likelihood."""

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


RATE = 0.0026
TIMES = RATE * TRIALS * np.arange(SESSIONS + 1)
EACH = ("contrasts", "choices", "rewards")


def agents(network, count, names):
    task = fs.behaviour.DecisionTask()
    return fs.evolve(network, task, TIMES, method=fs.Train(RATE), seeds=count, observe=names)


@pytest.mark.parametrize("kind", ["TutorExecutor", "Shallow"])
def test_agents(measure, benchmark, kind):
    network = getattr(fs.behaviour, kind)()
    job = lambda: agents(network, AGENTS, ("accuracy", "curve"))  # noqa: E731
    run = measure(f"{GROUP}, {kind}", "festina: fs.Train", job, warmup=0)
    seconds = benchmark.stats.stats.median
    benchmark.extra_info.update({"seconds": seconds, "nanoseconds per agent-trial": 1e9 * seconds / ALL})
    assert run["accuracy"][:, -1].mean() > 0.55


def test_plain_loop(measure, benchmark):
    agents = 5
    job = lambda: [one_agent(SESSIONS * TRIALS, seed) for seed in range(agents)]  # noqa: E731
    found = measure(f"{GROUP}, TutorExecutor", "plain Python, 5 agents, scaled", job, warmup=0, per=agents / AGENTS)
    seconds = benchmark.stats.stats.median
    each = 1e9 * seconds / (agents * SESSIONS * TRIALS)
    benchmark.extra_info.update(
        {"seconds for all agents": seconds * AGENTS / agents, "nanoseconds per agent-trial": each}
    )
    # from 0.05 · 0.2 on, what a stimulus on the right says for the right choice has grown
    assert np.mean([w[1] * W[1][1] for w, W in found]) > 0.03


def test_average(measure):
    network, task = fs.behaviour.TutorExecutor(offset=0.1), fs.behaviour.DecisionTask()
    run = measure(
        f"one average network, {SESSIONS * TRIALS} trials",
        "festina: fs.Flow, the expected dynamics",
        lambda: fs.evolve(network, task, TIMES, method=fs.Flow(), observe="accuracy"),
    )
    assert run["accuracy"][-1] > max(run["accuracy"][0], 0.55)


@pytest.fixture(scope="module")
def population():
    """Thirty agents whose initial biases differ."""
    return fs.behaviour.read_table(agents(fs.behaviour.TutorExecutor(spread=0.1), 30, EACH))


FIT = f"fit of one animal, {SESSIONS * TRIALS} trials, 5 parameters"


def test_fit_one_animal(measure, population):
    """With compilation: what a user waits for the first time."""
    table = population.select("agent 0")
    (found,) = measure(FIT, "festina: Fisher scoring, 8 starts", lambda: fs.behaviour.fit(table), warmup=0)
    assert abs(np.log(found.rate / RATE)) < 4 * found.standard_errors["rate"]


def test_fit_one_animal_by_scipy(measure, population):
    """One start of SciPy's L-BFGS-B on the likelihood of a plain loop, without its gradient."""
    from scipy.optimize import minimize

    own = population.select("agent 0")
    trials = list(zip(own.contrast.tolist(), own.right.tolist(), own.reward.tolist(), strict=True))

    def negative(at):
        rate, beta, bias, tutor, executor = math.exp(at[0]), math.exp(at[1]), *at[2:]
        w, W = [tutor, tutor, 1.0], [[executor, executor, max(-bias, 0.0)], [executor, executor, max(bias, 0.0)]]
        total = 0.0
        for c, ch, reward in trials:
            x = (max(-c, 0.0), max(c, 0.0), 1.0)
            q = [sum(W[a][i] * w[i] * x[i] for i in range(3)) for a in (0, 1)]
            total += math.log1p(math.exp(-beta * (q[ch] - q[1 - ch])))
            V, old = W[ch], list(w)
            stim, error = reward - V[0] * w[0] * x[0] - V[1] * w[1] * x[1], reward - q[ch]
            for i, taught in enumerate((stim, stim, reward - V[2] * w[2])):
                w[i] = max(w[i] + rate * error * V[i] * x[i], 0.0)
                V[i] = max(V[i] + rate * taught * old[i] * x[i], 0.0)
        return total

    start = [math.log(0.004), math.log(7.0), 0.05, 0.1, 0.2]
    bounds = [(-11, 0), (-2, 5), (-2, 2), (0, 5), (0, 5)]
    found = measure(
        FIT, "SciPy L-BFGS-B on a plain loop, 1 start",
        lambda: minimize(negative, start, method="L-BFGS-B", bounds=bounds), warmup=0,
    )  # fmt: skip
    assert found.fun < negative(start)


def test_fit_population(measure, population):
    found = measure(
        f"population of 30 animals, {SESSIONS * TRIALS} trials each", "festina: partial pooling",
        lambda: fs.behaviour.fit_population(population), warmup=0,
    )  # fmt: skip
    rate = found.to_pandas(level=0.999).set_index("parameter").loc["rate"]
    assert rate["low"] < RATE < rate["high"]
