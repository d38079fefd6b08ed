"""The context experiment beside the released scripts; units beside training; flow against the number of points."""

import numpy as np
import pytest

import festina as fs
from festina.papers import find

RELEASED = 81.0
"""Seconds of the paper's released scripts on two cores of this kind: measured once, quoted here, not run."""


def test_whole_experiment(measure, rows):
    experiment = find("context")
    # no warm-up: compiling is part of what a user waits for
    outcome = measure("context experiment, whole", "festina: 10 ReLU seeds, all curves", experiment.run, warmup=0)
    rows["context experiment, whole"]["released scripts (quoted)"] = [RELEASED]
    assert not outcome.unexpected


@pytest.mark.parametrize("method", ["festina: units, with the step", "festina: units, flow", "training, released step"])
def test_units_beside_training(measure, method):
    """One network of 700 units on three contexts, 8000 steps of the released size: predicted, or trained."""
    task = fs.tasks.context(3)
    rate = 0.001 * len(task.x)
    network = fs.ReLU((700,), initial=fs.initial.Gaussian(0.005 / 700))
    times = np.linspace(0, 8000, 81).round() * rate
    how = {
        "festina: units, with the step": fs.Reduced(fs.relu.UnitGrowth(rate=rate)),
        "festina: units, flow": fs.Reduced(),
        "training, released step": fs.Train(rate=rate, precision="single"),
    }[method]
    run = measure(
        "one network of 700 units, three contexts", method, lambda: fs.evolve(network, task, times, method=how)
    )
    assert run.loss[-1] < 0.01 * run.loss[0]


@pytest.mark.parametrize("items", [100, 1000, 10_000, 100_000])
def test_gated_flow_against_data_points(measure, items):
    rng = np.random.default_rng(0)
    task = fs.Task(rng.standard_normal((items, 8)), rng.standard_normal((items, 5)))
    gates = rng.integers(0, 2, (3, items))
    network = fs.gated.pathways(gates, 8, initial=fs.initial.Gaussian(0.01))
    field, weights = network.velocity(task), network.start(task, 0)
    group = "path-wise flow against N, 1000 evaluations (3 pathways 8-8-5)"
    velocity = measure(group, f"N={items}", lambda: [field(weights) for _ in range(1000)])[-1]
    # along the flow the loss falls by the square of the velocity: dL/dt = −‖dW/dt‖²
    data, step = network.points(task), 1e-4
    ahead, behind = (
        float(network.loss(tuple(w + s * v for w, v in zip(weights, velocity, strict=True)), data, None))
        for s in (step, -step)
    )
    assert (behind - ahead) / (2 * step) == pytest.approx(sum(float(np.sum(v**2)) for v in velocity), rel=1e-4)
