"""What ``contexts`` measures: areas between means, and between each network and its own prediction."""

import numpy as np
import pytest

import festina as fs
from festina.papers.experiments import _context, _contexts, contexts


def runs(*losses):
    loss = np.array(losses, float)
    return {3: fs.Trajectory(np.arange(loss.shape[1], dtype=float), {"loss": loss}, seeds=tuple(range(len(loss))))}


def test_predictions_are_compared_by_their_mean_and_one_by_one():
    settings = contexts.Settings(predicted=2, seeds=3)
    given = ("settings", "relu", "own", "flow", "scaled")
    empty = {name: {} for name in contexts.Curves.__dataclass_fields__ if name not in given}
    scaled = _contexts.Scaled(np.arange(3.0), 1.0, {})
    trained = runs([4, 4, 4], [2, 2, 2], [9, 9, 9])
    flow = {3: fs.Trajectory(np.arange(3.0), {"loss": np.array([3.0, 3.0, 3.0])})}
    curves = contexts.Curves(settings, relu=trained, own=runs([3, 3, 3], [3, 3, 3]), flow=flow, scaled=scaled, **empty)
    assert curves.own_area() == {3: 0.0}
    assert curves.worst_area("own", "relu")[0] == 0.0
    assert curves.each_area() == {3: (0.25, 0.5)}
    assert curves.flow_area() == {3: 0.25}


def test_the_worst_area_varies_with_the_networks_and_not_with_what_has_no_seed():
    trained = runs([4, 4, 4], [2, 2, 2], [9, 9, 9])
    known = {3: fs.Trajectory(np.arange(3.0), {"loss": np.array([6.0, 6.0, 6.0])})}
    value, error = _contexts.largest_area(known, trained)
    assert value == pytest.approx(0.2)
    # of |6 − m|/m with the mean m of three networks: about 6/m² times the standard error of m
    assert error == pytest.approx(6 / 25 * np.std([4, 2, 9], ddof=1) / np.sqrt(3), rel=0.4)
    assert _contexts.largest_area(known, known) == (0.0, 0.0)


def test_two_networks_are_as_far_apart_as_their_losses_times_and_shares():
    trained = runs([4, 4, 4], [2, 2, 2])
    assert _contexts.networks_apart(trained, (3,)) == pytest.approx((1 + 0.5) / 2)
    assert _contexts.networks_apart(trained, (3,), _contexts.expected_unit) == pytest.approx(0.75 / 0.015)
    assert _contexts.shares_apart([np.array([[0.2, 0.8], [0.5, 0.5]])]) == pytest.approx(0.3)
    times = np.linspace(0, 10, 101)
    losses = np.stack([np.maximum(1 - times / 10, 0.0), np.maximum(1 - times / 5, 0.0)])
    scaled = _contexts.Scaled(times, 1.0, {"relu": [losses[:1].repeat(2, axis=0), losses]})
    assert scaled.networks_apart() == pytest.approx((1 + 0.5) / 2, rel=1e-2)
    assert scaled.networks_late() == pytest.approx((1 + 0.5) / 2)


def test_times_to_learn_contexts_are_read_from_the_mean_of_networks():
    times = np.linspace(0, 10, 101)
    fall = np.maximum(1 - times / 10, 0.0)
    scaled = _contexts.Scaled(times, 1.0, {"relu": [np.stack([fall, fall])], "own": [np.stack([fall, fall])],
                                           "race": [fall[None] * 0 + np.maximum(1 - times / 5, 0.0)]})  # fmt: skip
    assert scaled.delays("relu") == pytest.approx([4.5])
    assert scaled.late("own") == pytest.approx((0.0, 0.0))
    assert scaled.late("race") == pytest.approx((0.5, 0.0))


def test_a_pathway_has_as_many_units_as_start_with_its_strength():
    task, _ = _context.fs.tasks.context(3).spanned()
    hidden, std, rate = 700, 0.005 / 700, 0.024
    network = _context.reln(3, [(0, 1, 2), (0, 1)], task, hidden, std, rate)
    strengths = fs.relu.initial_strengths(
        task, [[1] * 24, [1] * 16 + [0] * 8], hidden=hidden, std=std, rate=rate, draws=_context.DRAWS
    )
    start = network.expected_start().initial
    assert isinstance(start, fs.gated.Decoupled)
    expected = start.layer
    assert isinstance(expected, dict)
    assert [expected[f"pathway {i}"] ** 2 for i in (1, 2)] == pytest.approx(strengths, rel=2e-3)
    assert strengths / (hidden * std**2 / 2) == pytest.approx(np.full(2, 0.5), abs=0.05)
