"""What ``contexts`` measures: areas between means, times, and shares of units."""

import numpy as np
import pytest

import festina as fs
from festina.papers import Results, largest_between
from festina.papers.experiments import contexts
from festina.papers.setups import context

TRAINED = {3: np.array([[4.0] * 3, [2.0] * 3, [9.0] * 3])}


def curves(**loss):
    return Results(None, times={3: np.arange(3.0)}, loss=loss)


def test_predictions_are_compared_by_their_mean():
    c = curves(same={3: TRAINED[3][:2]}, own={3: np.full((2, 3), 3.0)})
    assert contexts._largest(c, "own", "same")[0] == 0.0


def test_the_worst_area_varies_with_the_networks_and_not_with_what_has_no_seed():
    c = curves(relu=TRAINED, known={3: np.full((1, 3), 6.0)})
    value, error = contexts._largest(c, "known")
    assert value == pytest.approx(0.2)
    # of |6 − m|/m with the mean m of three networks: about 6/m² times the standard error of m
    assert error == pytest.approx(6 / 25 * np.std([4, 2, 9], ddof=1) / np.sqrt(3), rel=0.4)
    assert contexts._largest(c, "known", "known") == (0.0, 0.0)


def test_two_networks_are_as_far_apart_as_their_losses_times_and_shares():
    c = curves(relu={3: TRAINED[3][:2]}, own={3: None})
    assert contexts._between(c) == pytest.approx((1 + 0.5) / 2)
    assert contexts._between(c, apart=contexts._in_units) == pytest.approx(0.75 / 0.015)
    shares = {3: np.array([[[0, 0], [0.2, 0.8]], [[1, 0], [0.5, 0.5]]])}  # the first threshold does not count
    assert largest_between(contexts._share_error, shares) == pytest.approx(0.3)


def test_times_to_learn_contexts_are_read_from_the_mean_of_networks():
    times = np.linspace(0, 10, 101)
    slow, fast = np.maximum(1 - times / 10, 0.0)[None], np.maximum(1 - times / 5, 0.0)[None]
    both = {"relu": {1.0: slow.repeat(2, axis=0)}, "own": {1.0: slow.repeat(2, axis=0)}, "race": {1.0: fast}}
    c = Results(None, times={1.0: times}, left=1.0, loss=both)
    assert contexts._delay(c, 1.0, slow) == pytest.approx(4.5)
    assert contexts._largest(c, "own", apart=contexts._late) == pytest.approx((0.0, 0.0))
    assert contexts._largest(c, "race", apart=contexts._late) == pytest.approx((0.5, 0.0))
    c.loss["relu"] = {1.0: np.vstack([slow, fast])}
    assert contexts._between(c, apart=contexts._late) == pytest.approx((1 + 0.5) / 2)


def test_a_pathway_has_as_many_units_as_start_with_its_strength():
    task, _ = fs.tasks.context(3).spanned()
    hidden, std, rate = 700, 0.005 / 700, 0.024
    network = context.reln(3, [(0, 1, 2), (0, 1)], task, hidden, std, rate)
    strengths = fs.relu.initial_strengths(
        task, [[1] * 24, [1] * 16 + [0] * 8], hidden=hidden, std=std, rate=rate, draws=4096
    )
    start = network.expected_start().initial
    assert isinstance(start, fs.gated.Decoupled)
    expected = start.layer
    assert isinstance(expected, dict)
    assert [expected[f"pathway {i}"] ** 2 for i in (1, 2)] == pytest.approx(strengths, rel=2e-3)
    assert strengths / (hidden * std**2 / 2) == pytest.approx(np.full(2, 0.5), abs=0.05)
