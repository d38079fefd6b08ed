"""What ``deep`` trains and measures: the gated network with a shared layer is the one it stands for."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import festina as fs
from festina.papers.experiments import deep
from festina.papers.setups import deep as deep_setup
from festina.papers.setups import deep_onset

ROUNDING = 1e-12
"""The same sums in another order, through some dozen steps in double precision."""

TASK, _ = fs.tasks.context(3).spanned()
GATES = deep_setup.in_subsets(TASK, deep.PATHS)


def graph(first, second):
    """The same network as ``deep_setup.Shared`` with all its nodes: x → first → pathways → y."""
    names = [f"p{i}" for i in range(4)]
    found = nx.DiGraph([("x", "first"), *(("first", name) for name in names), *((name, "y") for name in names)])
    for name in ("first", *names):
        found.nodes[name]["width"] = first if name == "first" else second
    return found, {"first": 1, **{f"p{i}": gate for i, gate in enumerate(GATES)}}


def test_shared_learns_as_the_gated_network_it_stands_for():
    shared = deep_setup.Shared(GATES, 5, (3,) * 4, fs.initial.Gaussian(0.3))
    w1, w2, w3 = shared.start(TASK, 0)
    parts = {f"p{i}": (w2[3 * i : 3 * i + 3], w3[:, 3 * i : 3 * i + 3]) for i in range(4)}
    network = fs.Gated(*graph(5, 3), initial=fs.initial.Gaussian(0.1))
    edges = [w1 if s == "x" else parts[t][0] if s == "first" else parts[s][1] for s, t in network.graph.edges]
    network = network.starting(fs.initial.Weights(edges))
    times, method = np.arange(0, 41, 10) * 0.05, fs.Train(rate=0.05)
    first, second = (fs.evolve(n, TASK, times, method=method, observe=("loss", "outputs")) for n in (shared, network))
    np.testing.assert_allclose(first.loss, second.loss, rtol=ROUNDING)
    np.testing.assert_allclose(first.outputs, second.outputs, atol=ROUNDING)
    assert first.loss[-1] < 0.9 * first.loss[0]


def test_grown_weights_take_the_place_of_the_first_pathway():
    shared = deep_setup.Shared(GATES, 5, (3,) * 4, fs.initial.Gaussian(0.3))
    common = deep_setup.Shared(GATES[:1], 5, (3,), fs.initial.Gaussian(0.3))
    grown = tuple(np.stack([part, 2 * part]) for part in common.start(TASK, 7))
    opened = deep_setup.Shared(GATES, 5, (3,) * 4, fs.initial.Gaussian(0.3), grown)
    drawn, begun = shared.start(TASK, 1), opened.start(TASK, 1)
    np.testing.assert_array_equal(begun[0], grown[0][1])
    np.testing.assert_array_equal(begun[1], np.vstack([grown[1][1], drawn[1][3:]]))
    np.testing.assert_array_equal(begun[2], np.hstack([grown[2][1], drawn[2][:, 3:]]))


def test_modules_are_counted_by_hand():
    # first layer: a unit that is on for all points, one that is on in the first context only
    first = np.array([[1.0] * 8 + [0.0] * 3, [0.0] * 8 + [1.0, -1.0, -1.0]])
    # second layer: on everywhere; on where the first context is not
    second = np.array([[1.0, 0.0], [1.0, -2.0]])
    last = np.array([[1.0, 2.0]])
    shares = deep_setup.modules((first, second, last), TASK.x)
    # power: squared outgoing weights times mean squared activity
    all_three, last_two = 1.0, 4 * 16 / 24
    expected = np.zeros(8)
    expected[[7, 6]] = np.array([all_three, last_two]) / (all_three + last_two)
    np.testing.assert_allclose(shares, expected)
    assert deep.by_size(shares, 2) == pytest.approx(expected[6])


def test_a_medoid_is_a_run_that_lies_in_the_middle():
    losses = np.array([[0.0, 0.0], [1.0, 1.0], [1.5, 1.0], [9.0, 9.0]])
    assert deep.medoid(losses) == 1


def test_pathways_open_when_common_units_are_not_alone_any_more():
    rising = [0.3, 0.99, 1.0, 1.0, 0.9, 0.5, 0.4]
    late = [0.3, 0.99, 1.0, 1.0, 1.0, 1.0, 0.4]
    assert deep_onset.opening(np.array([rising, rising, late]), 0.95) == 4
    # the last but one: something is left to train
    assert deep_onset.opening(np.array([late, late, rising]), 0.95) == 5
    assert deep_onset.opening(np.array([[1.0] * 7]), 0.95) == 5


def test_plateaus_are_where_the_loss_stands_still():
    loss = np.concatenate([np.full(9, 4.0), np.full(11, 3.0), np.full(5, 2.0), np.full(3, 1.5), np.full(8, 1.0)])
    assert loss[deep_onset.plateaus(loss)].tolist() == [3.0, 2.0, 1.0]
    assert loss[deep_onset.same_level(loss, 2.01)] == 2.0
    assert loss[deep_onset.same_level(loss, 0.2)] == 1.0


def test_the_first_plateau_is_reached_once_the_loss_has_fallen_and_stopped():
    loss = np.concatenate([np.full(5, 4.0), [3.5, 3.01], np.full(6, 3.0), [2.0, 1.0]])
    assert loss[deep_onset.first_plateau(loss)] == 3.0
    assert deep_onset.first_plateau(loss) == 8
    assert deep_onset.first_plateau(np.linspace(4, 3, 3)) == 2


def test_a_plateau_is_left_when_its_small_part_diverges():
    """Against all weights of a network, integrated from the plateau on."""
    times, method = np.linspace(0, 300, 301), fs.Reduced(fs.relu.UnitGrowth(0.003))
    network = fs.ReLU((40, 40), initial=fs.initial.Gaussian(0.004))
    run = fs.evolve(network, TASK, times, method=method, observe=("loss", "weights"))
    at = deep_onset.first_plateau(run.loss)
    after = deep_onset.escape_time(tuple(w[at] for w in run.weights), TASK)
    fallen = run.loss[at] - run.loss > 0.05 * run.loss[0]
    assert times[at] < 0.7 * times[np.argmax(fallen)]
    assert times[at] + after == pytest.approx(times[np.argmax(fallen)], rel=0.05)
    # whenever on the plateau it is asked, the answer is the same time
    later = deep_onset.escape_time(tuple(w[at + 5] for w in run.weights), TASK)
    assert later == pytest.approx(after - (times[at + 5] - times[at]), rel=0.1)


def test_a_balanced_mode_escapes_in_closed_form():
    """All three layers of a mode with strength b: db/dt = s b², so that it is learned to u after (1/b − u^{−1/3})/s."""
    task = fs.Task([[1.0, 1.0], [1.0, -1.0]], [[2.0, 0.3], [2.0, -0.3]])
    turned = np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2)  # both units are on at both points
    small = 0.01
    middle = np.diag([2.0 ** (1 / 3), small])
    weights = turned @ middle, turned @ middle @ turned.T, middle @ turned.T
    half = (deep_onset.LEARNED * 0.3) ** (1 / 3)
    assert deep_onset.escape_time(weights, task) == pytest.approx((1 / small - 1 / half) / 0.3, rel=1e-3)


def test_a_ratio_of_spreads_has_the_error_of_its_logarithm():
    times = np.linspace(0, 1, 3)
    losses = np.array([[1.0], [3.0], [2.0], [2.0], [1.5], [2.5]]) * np.ones(3)
    wide = fs.Trajectory(times, {"loss": losses}, seeds=tuple(range(6)))
    narrow = fs.Trajectory(times, {"loss": 2 + (losses - 2) / 4}, seeds=tuple(range(6)))
    # drawn together, the ratio of the deviations is 4 in every sample
    assert deep.spread_ratio(wide, narrow)[0] == pytest.approx(4)
    assert deep.spread_ratio(narrow, wide)[0] == pytest.approx(1 / 4)
    few = fs.Trajectory(times, {"loss": losses[:3]}, seeds=(0, 1, 2))
    assert np.isfinite(deep.spread_ratio(wide, few)).all()


def test_an_area_between_medoids_has_an_error_where_networks_differ():
    times = np.linspace(0, 1, 5)
    rng = np.random.default_rng(0)
    relu = fs.Trajectory(times, {"loss": 1 + 0.1 * rng.random((12, 1)) * np.ones(5)}, seeds=tuple(range(12)))
    same = fs.Trajectory(times, {"loss": np.ones((4, 5))}, seeds=tuple(range(4)))
    area, error = deep.near(same, relu)
    middle = replace(relu, values={"loss": relu.loss[deep.medoid(relu.loss)]}, seeds=None)
    assert area == pytest.approx(fs.compare(same.mean(), middle).area)
    assert 0 < error < 0.1
