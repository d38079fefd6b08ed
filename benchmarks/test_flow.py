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
    benchmark(lambda: fs.evolve(network, task, TIMES, method=fs.Flow(), seeds=SEEDS))


def test_a_loop_over_seeds(benchmark, case):
    network, task = case
    benchmark(lambda: [fs.evolve(network, task, TIMES, method=fs.Flow(), seed=seed) for seed in range(SEEDS)])
