"""What ``contexts`` measures: areas between means, and between each network and its own prediction."""

import numpy as np
import pytest

import festina as fs
from festina.papers.experiments import _context, contexts


def runs(*losses):
    loss = np.array(losses, float)
    return {3: fs.Trajectory(np.arange(loss.shape[1], dtype=float), {"loss": loss}, seeds=tuple(range(len(loss))))}


def test_predictions_are_compared_by_their_mean_and_one_by_one():
    settings = contexts.Settings(predicted=2, seeds=3)
    empty = {
        name: {} for name in contexts.Curves.__dataclass_fields__ if name not in ("settings", "relu", "own", "flow")
    }
    trained = runs([4, 4, 4], [2, 2, 2], [9, 9, 9])
    flow = {3: fs.Trajectory(np.arange(3.0), {"loss": np.array([3.0, 3.0, 3.0])})}
    curves = contexts.Curves(settings, relu=trained, own=runs([3, 3, 3], [3, 3, 3]), flow=flow, **empty)
    assert curves.own_area() == {3: 0.0}
    assert curves.each_area() == {3: (0.25, 0.5)}
    assert curves.flow_area() == {3: 0.25}


def test_a_pathway_has_as_many_units_as_start_with_its_strength():
    task, _ = _context.without_idle(fs.tasks.context(3))
    hidden, std, rate = 700, 0.005 / 700, 0.024
    network = _context.reln(3, [(0, 1, 2), (0, 1)], task, hidden, std, rate)
    strengths = fs.ReLU.initial_strengths(
        task, [[1] * 24, [1] * 16 + [0] * 8], hidden=hidden, std=std, rate=rate, draws=_context.DRAWS
    )
    start = network.expected_start().initial
    assert isinstance(start, fs.gated.Decoupled)
    expected = start.layer
    assert isinstance(expected, dict)
    assert [expected[f"pathway {i}"] ** 2 for i in (1, 2)] == pytest.approx(strengths, rel=2e-3)
    assert strengths / (hidden * std**2 / 2) == pytest.approx(np.full(2, 0.5), abs=0.05)
