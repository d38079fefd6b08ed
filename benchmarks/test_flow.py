"""Gradient flow of many seeds at once beside a loop over seeds."""

import numpy as np
import pytest

import festina as fs

SEEDS = 20
TIMES = np.linspace(0, 10, 11)


@pytest.fixture(name="case")
def random_task():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((100, 20))
    task = fs.Task(x, x @ rng.standard_normal((20, 5)) / 5)
    return fs.DeepLinear((64,), initial=fs.initial.Gaussian(0.05)), task


def test_all_seeds_in_one_system(benchmark, case):
    network, task = case
    run = benchmark(lambda: fs.evolve(network, task, TIMES, method=fs.Flow(), seeds=SEEDS))
    assert run.loss.shape == (SEEDS, len(TIMES))
    assert np.all(np.diff(run.loss, axis=1) < 0)


def test_a_loop_over_seeds(benchmark, case):
    network, task = case
    alone = benchmark(lambda: [fs.evolve(network, task, TIMES, method=fs.Flow(), seed=seed) for seed in range(SEEDS)])
    together = fs.evolve(network, task, TIMES, method=fs.Flow(), seeds=SEEDS)
    np.testing.assert_allclose([run.loss for run in alone], together.loss, rtol=1e-6)
    assert len(alone) == SEEDS
