"""Starts of gated networks and what can be learned from them before training."""

import numpy as np
import pytest

import festina as fs
from festina.analysis.passage import first_passage

TASK = fs.tasks.context(3)
SUBSETS = [(0, 1, 2), (0, 1)]


def test_units_learn_like_the_wide_network():
    """200 units per pathway, rotated into the 71 and 68 dimensions they span, against all 200 of them."""
    outputs = TASK.y.shape[1]
    narrow = fs.gated.contextual(3, SUBSETS, [11 + outputs, 8 + outputs], initial=fs.gated.RandomPathways(0.01, 200))
    weights = narrow.start(TASK, 0)
    wide = fs.gated.contextual(3, SUBSETS, 200, initial=fs.initial.Gaussian(0.01))
    rng = np.random.default_rng(0)
    # the same draws, not rotated: one block of 200 rows per node, in the order of nodes
    drawn = [0.01 * rng.standard_normal((200, 11 + outputs)), 0.01 * rng.standard_normal((200, 8 + outputs))]
    full = [drawn[0][:, :11], drawn[1][:, :8], drawn[0][:, 11:].T, drawn[1][:, 8:].T]
    for name, other in (("loss", 1e-12), ("outputs", 1e-12), ("strengths", 1e-12)):
        first = narrow.observables(narrow.context(TASK))[name](weights)
        second = wide.observables(wide.context(TASK))[name](tuple(full))
        np.testing.assert_allclose(first, second, atol=other)
    times = [0.0, 30.0]
    small = fs.evolve(narrow, TASK, times, method=fs.Train(rate=0.1))
    large = fs.evolve(wide.starting(fs.initial.Weights(full)), TASK, times, method=fs.Train(rate=0.1))
    np.testing.assert_allclose(small.loss, large.loss, rtol=1e-9)


def test_units_need_room_and_one_layer():
    network = fs.gated.contextual(3, [(0, 1)], 10, initial=fs.gated.RandomPathways(0.1, 300))
    with pytest.raises(ValueError, match="300 units span 68 dimensions"):
        network.start(TASK, 0)
    deep = fs.gated.routing(2, 1, 4, initial=fs.gated.RandomPathways(0.1, 8))
    with pytest.raises(ValueError, match="next to a hidden node"):
        deep.start(fs.tasks.routing(2, 1), 0)
    with pytest.raises(ValueError, match="gated networks only"):
        fs.evolve(fs.DeepLinear((4,), initial=fs.gated.RandomPathways(0.1, 8)), TASK, [0.0], method=fs.Flow())


def test_decoupled_layers_are_checked():
    with pytest.raises(ValueError, match="layer is -1"):
        fs.gated.Decoupled(-1)
    network = fs.gated.contextual(3, SUBSETS, 20, initial=fs.gated.Decoupled({"common": 0.1}))
    with pytest.raises(ValueError, match="layer says nothing about edge"):
        network.start(TASK, 0)
    network = network.starting(fs.gated.Decoupled({"nobody": 0.1}))
    with pytest.raises(ValueError, match="'nobody', an unknown node"):
        network.start(TASK, 0)


def test_expected_strength_is_the_mean_of_random_ones():
    """nσ²/2, measured by the growing component of each pathway's top mode over seeds."""
    std, units, names = 0.01, 64, ["common", "on in 1, 2"]
    network = fs.gated.contextual(3, SUBSETS, units, initial=fs.initial.Gaussian(std))
    statistics = TASK.statistics(network)
    found = []
    for seed in range(200):
        weights = network.start(TASK, seed)
        for path, own in zip(statistics.paths, statistics.effective, strict=True):
            growing = 0.5 * (weights[path[0]] @ own.right[:, 0] + weights[path[1]].T @ own.left[:, 0])
            found.append(growing @ growing)
    start = fs.gated.Decoupled.expected(std, dict.fromkeys(names, units))
    expected = start.strength(network.graph, ("common", "y")) ** 2
    # 400 draws of a χ² with 64 degrees of freedom: relative standard error √(2/64/400) = 0.9 %
    assert abs(np.mean(found) / expected - 1) < 0.03


def test_statistics_report_distances():
    statistics = TASK.statistics(fs.gated.contextual(3, SUBSETS, 20, initial=fs.initial.Gaussian(0.1)))
    named = {a.name: a for a in statistics.assumptions}
    assert named["commuting"].holds
    assert not named["shared outputs"].holds
    assert statistics.labels == ("x of common → common → y", "x of on in 1, 2 → on in 1, 2 → y")
    np.testing.assert_allclose(statistics.between(1, 1), 16 / 24 * np.eye(8) / 8, atol=1e-15)


def test_candidates_are_ranked():
    start = fs.initial.Gaussian(1e-3)
    sign = fs.tasks.extended_xor(1.0).y[:, 0]
    candidates = {
        "linear": fs.gated.pathways([sign > 0, sign < 0], 64, initial=start),
        "xor": fs.gated.pathways(np.eye(4), 32, initial=start),
    }
    winners = {d: fs.gated.rank_gatings(fs.tasks.extended_xor(d), candidates) for d in (0.4, 2.0)}
    assert [winners[d].winner for d in (0.4, 2.0)] == ["xor", "linear"]
    assert "1. linear" in str(winners[2.0])
    actual = fs.gated.rank_gatings(fs.tasks.extended_xor(2.0), candidates, seed=3)
    assert actual.winner == "linear"
    # the expected strengths and those of a seed are within their spread of each other
    assert actual.runners[0].time == pytest.approx(winners[2.0].runners[0].time, rel=0.05)
    slow = fs.gated.rank_gatings(fs.tasks.extended_xor(2.0), candidates, times=np.linspace(0, 0.1, 3))
    assert slow.runners[0].time == np.inf


@pytest.mark.usefixtures("untyped")
def test_candidates_are_checked():
    task = fs.tasks.extended_xor(1.0)
    with pytest.raises(ValueError, match="candidates is list; give gated networks by name"):
        fs.gated.rank_gatings(task, [])  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="candidates is empty"):
        fs.gated.rank_gatings(task, {})
    with pytest.raises(ValueError, match=r"candidates\['a'\] is DeepLinear"):
        fs.gated.rank_gatings(task, {"a": fs.DeepLinear((2,), initial=fs.initial.Gaussian(0.1))})  # pyright: ignore[reportArgumentType]


def test_crossing_interpolates():
    times, loss = np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.5, 0.1])
    assert first_passage(times, loss, 0.3) == pytest.approx(1.5)
    assert first_passage(times, loss, 2.0) == 0.0
    assert first_passage(times, loss, 0.01) == np.inf


def test_schematic_of_pathways():
    from matplotlib.figure import Figure

    from festina.plot import schematic

    network = fs.gated.contextual(3, SUBSETS, 20, initial=fs.initial.Gaussian(0.1))
    ax = schematic(network, ax=Figure().subplots())
    assert [t.get_text().split("\n")[0] for t in ax.texts] == [n.name for n in network.graph.nodes]
    assert len(ax.lines) == 4
    many = schematic(fs.gated.routing(5, 3, 4, initial=fs.initial.Gaussian(0.1)), ax=Figure().subplots())
    widths = [line.get_linewidth() for line in many.lines]
    assert max(widths) == widths[5]
