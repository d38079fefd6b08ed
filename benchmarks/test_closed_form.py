"""The closed form beside integrating the same network, and what it costs."""

import numpy as np
import pytest

import festina as fs

TIMES = np.linspace(0, 80, 401)


def network(depth):
    return fs.DeepLinear(hidden=(32,) * (depth - 1), initial=fs.initial.Aligned(0.05))


@pytest.mark.parametrize("depth", [2, 3, 5])
@pytest.mark.parametrize("method", ["festina: Exact", "Flow (SciPy, statistics space)", "Train, rate 0.01"])
def test_one_curve(measure, depth, method):
    task = fs.tasks.hierarchy(levels=4)
    how = {"festina: Exact": fs.Exact(), "Train, rate 0.01": fs.Train(rate=0.01)}.get(method, fs.Flow())
    group = f"one loss curve of 401 times, depth {depth}, 16 items"
    found = measure(group, method, lambda: fs.evolve(network(depth), task, TIMES, method=how))
    assert found.loss[0] > found.loss[-1]


@pytest.mark.parametrize("items", [100, 1000, 10_000, 100_000])
def test_flow_against_data_points(measure, items):
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((items, 8)), rng.standard_normal((items, 5)))
    assert task.statistics.rank == 5
    net = fs.DeepLinear(hidden=(16,), initial=fs.initial.Gaussian(0.01))
    measure("Flow against N (8-16-5)", f"N={items}", lambda: fs.evolve(net, task, TIMES, method=fs.Flow()))
