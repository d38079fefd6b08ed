"""The time to a loss: from the closed form, or an error that says how to find it without one."""

import math

import numpy as np
import pytest

import festina as fs


def test_it_is_the_first_passage_of_the_flow():
    task, network = fs.tasks.hierarchy(levels=2), fs.DeepLinear((8,), initial=fs.initial.Aligned(1e-2))
    path = fs.evolve(network, task, np.linspace(0, 15, 601), method=fs.Flow())
    for loss in (1.0, 0.1):
        assert network.time_to_loss(task, loss) == pytest.approx(float(path.first_passage(loss)), abs=1e-3)


def test_without_a_closed_form_the_error_gives_a_call_that_works():
    task, network = fs.tasks.living_things(4), fs.DeepLinear((8,), initial=fs.initial.Gaussian(0.05))
    with pytest.raises(fs.AssumptionError, match=r"needs a closed form\. Use (.+?) instead.*\(alignment: ") as caught:
        network.time_to_loss(task, 0.1)
    assert "Use method=" not in str(caught.value)
    times = np.linspace(0, 60, 61)
    path = fs.evolve(network, task, times, method=fs.Flow())
    assert "fs.evolve(network, task, times, method=fs.Flow()).first_passage(0.1)" in str(caught.value)
    assert 0 < path.first_passage(0.1) < times[-1]
    rng = np.random.default_rng(0)
    crooked = fs.Task(rng.standard_normal((9, 3)), rng.standard_normal((9, 2)))
    endless = fs.DeepLinear(depth=math.inf, initial=fs.initial.Aligned(0.05))
    with pytest.raises(fs.AssumptionError, match=r"At infinite depth there is no other way: give task\.whitened\(\)"):
        endless.time_to_loss(crooked, 1.0)
    white = crooked.whitened()
    assert 0 < endless.time_to_loss(white, white.statistics.floor + 1e-3) < math.inf
