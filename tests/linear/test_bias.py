"""Biases count as zero in the units of the data."""

import numpy as np
import pytest

import festina as fs

X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
TIMES = np.array([0.0, 1.0, 4.0])


def network(task: fs.Task, bias: float, *, balance: float = 1.0) -> fs.DeepLinear:
    """Two layers on the modes; the first layer's biases are ``bias``."""
    start = fs.DeepLinear((2,), initial=fs.initial.Aligned(float(task.statistics.targets[0]) / 2)).start(task, 0)
    first = np.column_stack([start[0] * balance, np.full(2, bias)])
    weights = [first, np.column_stack([start[1] / balance, np.zeros(2)])]
    return fs.DeepLinear((2,), initial=fs.initial.Weights(weights), bias=True)


@pytest.mark.parametrize("units", [1e-12, 1.0, 1e12])
def test_a_bias_is_measured_in_the_units_of_the_targets(units):
    task = fs.Task(X, units * X * [2.0, 1.0])
    times = TIMES / units
    size = np.sqrt(units)  # of the activity of a balanced hidden layer
    run = fs.evolve(network(task, 1e-11 * size), task, times, observe=("outputs",))
    flow = fs.evolve(network(task, 1e-11 * size), task, times, method=fs.Flow(), observe=("outputs",))
    assert np.abs(run.outputs - flow.outputs).max() < 1e-8 * units
    with pytest.raises(fs.AssumptionError, match="biases start at zero") as error:
        fs.evolve(network(task, 1e-6 * size), task, times)
    assert error.value.assumption.name == "no bias"


def test_a_bias_that_a_later_layer_enlarges_is_seen():
    task = fs.Task(X, X * [2.0, 1.0])
    with pytest.raises(fs.AssumptionError, match="biases start at zero"):
        fs.evolve(network(task, 1e-11, balance=1e-6), task, TIMES)
