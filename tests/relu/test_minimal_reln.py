"""Modules of ReLU networks: known ones are found, and the gated network of them learns alike."""

import dataclasses

import numpy as np
import pytest

import festina as fs
from festina.papers.setups.planted import planted, same
from festina.relu._minimal_reln import _elbow
from festina.relu._modules import Layer, cluster_gates

pytestmark = pytest.mark.slow

SEEDS = 10
NEEDED = 9
"""Seeds in which known gates must be found."""

SAME = 1e-12
"""Two descriptions of one network in double precision; outputs are of order 1."""

WELL = 1e-3
"""Imitation error of gates that are the network's own but for the few that changed in training."""


@pytest.fixture(name="plants", scope="module")
def networks_with_known_gates():
    return [planted(seed, idle=60) for seed in range(SEEDS)]


@pytest.fixture(name="xor", scope="module")
def runs_on_xor():
    task, network = fs.tasks.extended_xor(0.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-5))
    times = np.linspace(0, 60, 16)
    return task, fs.evolve(network, task, times, method=fs.Train(rate=0.4), seeds=3, observe=("loss", "weights"))


def test_contribution_finds_planted_gates_among_idle_units(plants):
    found = [cluster_gates(run, task, 4) for task, run, _ in plants]
    assert sum(same(f.gates, patterns) for f, (_, _, patterns) in zip(found, plants, strict=True)) >= NEEDED
    for one in found:
        assert sum(m.share for m in one) == pytest.approx(1.0)
        assert all(10 <= m.units <= 70 for m in one), "idle units are nearest to one or the other"


def test_the_number_of_planted_gates_is_found(plants):
    for task, run, patterns in plants[1:3]:
        found = fs.relu.find_gates(run, task, most=5)
        assert same(found.gates, patterns)
        assert found.imitation[4] < WELL < found.imitation[3]


def test_kmeans_finds_planted_gates_only_where_no_idle_units_are(plants):
    task, run, patterns = planted(0, idle=0)
    assert same(cluster_gates(run, task, 4, finder="kmeans").gates, patterns)
    assert fs.relu.find_gates(run, task, finder="kmeans", most=5).chosen == 4
    found = [same(cluster_gates(r, t, 4, finder="kmeans").gates, p) for t, r, p in plants]
    assert sum(found) < NEEDED, "idle units are most of the rows that Algorithm 1 clusters"


def test_the_gated_network_is_the_one_that_was_judged(plants):
    """``network`` is an fs.Gated; the imitation error comes from a faster form of it."""
    task, run, _ = plants[0]
    found = fs.relu.find_gates(run, task, 4)
    ours = fs.evolve(found.network, task, run.times, method=fs.Train(rate=0.05), observe=("outputs", "loss"))
    error = ((ours.outputs - run.outputs) ** 2).sum() / (run.outputs**2).sum()
    assert found.imitation == pytest.approx({4: error}, abs=SAME)
    assert error < WELL
    assert list(found.tried) == [4]
    assert repr(found.network).endswith("Inherited(4 modules))")


def test_modules_of_xor_are_single_points_learned_together(xor):
    task, run = xor
    found = fs.relu.find_gates(run, task)
    np.testing.assert_array_equal(found.gates, np.eye(4, dtype=bool))
    assert found.imitation[4] < 0.01 < found.imitation[3]
    assert found.imitated == (2,)
    # seeds differ by one observation, and half of the contribution is later than half of the loss
    half = run.times[np.argmax(run.loss.mean(axis=0) < 0.25)]
    assert all(half <= module.active_at <= half + 2 * np.diff(run.times)[0] for module in found.modules)
    assert sum(m.units for m in found.modules) == pytest.approx(64, abs=1), "hardly a unit dies"
    assert "imitation error by number of modules: 1: " in str(found)
    assert "4 modules of hidden layer 1, by contribution" in str(found)


def test_several_runs_are_as_good_as_seeds_and_order_does_not_matter(xor):
    task, run = xor
    parts = [
        dataclasses.replace(run, values={k: _of(v, i) for k, v in run.values.items()}, seeds=None) for i in (2, 0, 1)
    ]
    mine, theirs = (cluster_gates(runs, task, 4, threshold=0.1) for runs in (parts, run))
    np.testing.assert_array_equal(mine.gates, theirs.gates)
    assert [m.units for m in mine] == [m.units for m in theirs]
    assert fs.relu.find_gates(parts, task, 4).imitation[4] < 0.01


def _of(value, seed):
    return tuple(v[seed] for v in value) if isinstance(value, tuple) else value[seed]


def test_patterns_that_no_unit_can_have_are_replaced():
    """Two kinds of units whose mean is on at two crossed points: the plain finder says so, the other does not."""
    x = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]])
    crossed, kinds = [1, 0, 0, 1], [[1, 1, 0, 1], [1, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1]]
    assert not fs.relu.is_realisable(x, crossed)
    first = np.array([fs.relu.is_realisable(x, kind).weights for kind in kinds])[None]
    run = fs.Trajectory(np.array([0.0]), {"weights": (first, np.ones((1, 1, 4)))})
    task = fs.Task(x, np.ones((4, 1)))
    assert cluster_gates(run, task, 1, finder="kmeans").gates.astype(int).tolist() == [crossed]
    (found,) = cluster_gates(run, task, 1).gates
    assert fs.relu.is_realisable(x, found)
    assert found.astype(int).tolist() in kinds


@pytest.mark.parametrize("points", [3, 24, 64, 70])
def test_patterns_are_counted_as_rows_whatever_their_length(points):
    rng = np.random.default_rng(points)
    gates = rng.random((2, 3, 50, points)) < rng.random((2, 3, 50, 1)).round(1)
    weight = rng.integers(0, 3, (2, 3, 50)).astype(float)
    patterns, weights = Layer("contribution", np.arange(3.0), gates, weight, None).distinct
    rows = gates.reshape(-1, points)[weight.ravel() > 0]
    expected, which = np.unique(rows, axis=0, return_inverse=True)
    np.testing.assert_array_equal(patterns, expected)
    np.testing.assert_array_equal(weights, np.bincount(which.ravel(), weight[weight > 0]))


def test_the_elbow_is_where_the_error_stops_falling():
    assert _elbow({1: 0.1, 2: 0.05, 3: 0.01, 4: 0.007, 5: 0.0069, 6: 0.0069}) == 3
    assert _elbow({1: 1.0, 2: 0.1, 3: 0.01, 4: 1e-3, 5: 1e-3, 6: 1e-3}) == 4
    assert _elbow({1: 0.0, 2: 0.0, 3: 0.0}) == 1


def test_every_hidden_layer_can_be_clustered_and_one_is_imitated():
    task, network = fs.tasks.extended_xor(1.0), fs.ReLU((7, 6), initial=fs.initial.Gaussian(0.6))
    run = fs.evolve(network, task, [0.0, 20.0], method=fs.Train(rate=0.2), observe=("weights",))
    for layer, width in enumerate((7, 6)):
        found = cluster_gates(run, task, 2, layer=layer)
        assert sum(m.units for m in found) <= width
        assert found.layer == layer
    with pytest.raises(ValueError, match="layer is 2; the network has 2 hidden"):
        cluster_gates(run, task, 2, layer=2)
    with pytest.raises(ValueError, match="runs have 2 hidden layers; modules are imitated for one"):
        fs.relu.find_gates(run, task)


def test_wrong_arguments(xor, untyped):
    task, run = xor
    with pytest.raises(ValueError, match=r"finder 'nope'.*Known: contribution, kmeans"):
        fs.relu.find_gates(run, task, finder="nope")
    with pytest.raises(ValueError, match="modules is 0"):
        fs.relu.find_gates(run, task, 0)
    with pytest.raises(ValueError, match="most is 2"):
        fs.relu.find_gates(run, task, most=2)
    with pytest.raises(ValueError, match="threshold is -1"):
        cluster_gates(run, task, 2, threshold=-1)
    with pytest.raises(ValueError, match="runs is empty"):
        cluster_gates([], task, 2)
    with pytest.raises(ValueError, match=r"runs\[1\] is int"):
        cluster_gates([run, 3], task, 2)  # type: ignore[list-item]
    short = dataclasses.replace(run, times=run.times[:2], values={"weights": tuple(w[:, :2] for w in run.weights)})
    with pytest.raises(ValueError, match=r"runs\[1\] has layers .* all runs need the same network and the same times"):
        cluster_gates([run, short], task, 2)
    dead = dataclasses.replace(run, values={"weights": tuple(0 * w for w in run.weights)})
    with pytest.raises(ValueError, match="nothing was learned"):
        fs.relu.find_gates(dead, task)
    with pytest.raises(ValueError, match="no cluster is on at any data point"):
        cluster_gates(run, task, 1, threshold=0.1)
    with pytest.raises(ValueError, match="runs was made by hand"):
        fs.relu.find_gates(dataclasses.replace(run, notes={}, method=""), task)
