"""The race reduction against the flow of all weights."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import festina as fs

REDUCED = 1e-6
"""Tolerance of the issue: both sides are integrated to 1e-9 or better."""


def close(network, task, times):
    race = fs.evolve(network, task, times, method=fs.Reduced(), observe=("loss", "strengths"))
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-10), observe=("loss", "strengths"))
    np.testing.assert_allclose(race.loss, flow.loss, rtol=REDUCED, atol=REDUCED)
    np.testing.assert_allclose(race.strengths, flow.strengths, atol=REDUCED)
    return race


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_race_is_the_flow_on_commuting_data(seed, inputs, outputs, rank):
    """Shared hidden chain of three layers between several inputs and outputs, one structure behind all of them."""
    import networkx as nx

    rng = np.random.default_rng(seed)
    size = 4
    strengths = np.sort(rng.uniform(0.5, 3.0, rank))[::-1]
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_node("a", width=6)
    graph.add_node("b", width=6)
    graph.add_edge("a", "b")
    gates: dict = {"a": 1, "b": 1}
    u = [np.linalg.qr(rng.standard_normal((5, rank)))[0] for _ in range(outputs)]
    pairs = np.array([(i, j) for i in range(inputs) for j in range(outputs)])
    which = np.repeat(pairs, size, axis=0)
    x, y = np.zeros((len(which), inputs * size)), np.zeros((len(which), outputs * 5))
    right = [np.linalg.qr(rng.standard_normal((size, rank)))[0] for _ in range(inputs)]
    for k, (i, j) in enumerate(pairs):
        rows = slice(k * size, (k + 1) * size)
        x[rows, i * size : (i + 1) * size] = np.eye(size)
        y[rows, j * 5 : (j + 1) * 5] = right[i] * strengths @ u[j].T
    for i in range(inputs):
        graph.add_node(f"x{i}", columns=range(i * size, (i + 1) * size))
        graph.add_edge(f"x{i}", "a")
        gates[f"x{i}"] = which[:, 0] == i
    for j in range(outputs):
        graph.add_node(f"y{j}", columns=range(j * 5, (j + 1) * 5))
        graph.add_edge("b", f"y{j}")
        gates[f"y{j}"] = which[:, 1] == j
    task = fs.Task(x, y)
    network = fs.Gated(graph, gates, initial=fs.gated.Decoupled(0.4))
    race = close(network, task, np.linspace(0, 20, 5))
    assert all(a.holds for a in race.assumptions)


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_disjoint_pathways(seed, count):
    rng = np.random.default_rng(seed)
    which = np.repeat(np.arange(count), 3)
    task = fs.Task(np.tile(np.eye(3), (count, 1)), rng.standard_normal((3 * count, 4)))
    gates = [which == k for k in range(count)]
    network = fs.gated.pathways(gates, 6, initial=fs.gated.Decoupled(0.2))
    close(network, task, np.linspace(0, 30, 4))
    exact = fs.evolve(network, task, np.linspace(0, 30, 4))
    race = fs.evolve(network, task, np.linspace(0, 30, 4), method=fs.Reduced())
    np.testing.assert_allclose(exact.loss, race.loss, atol=REDUCED)


def test_digits_hold_between_steps():
    """Many times asked for: interpolation must not cost the digits of the steps."""
    start = {"encoded": 0.08, "decoded": 0.08, ("encoded", "decoded"): 0.08 * np.sqrt(7)}
    network = fs.gated.routing(7, 4, 6, initial=fs.gated.Decoupled(start))
    task, times = fs.tasks.routing(7, 4), np.linspace(0, 240, 121)
    race = fs.evolve(network, task, times, method=fs.Reduced(), observe=("strengths",)).strengths
    exact = fs.evolve(network, task, times, observe=("strengths",)).strengths
    np.testing.assert_allclose(race, exact, atol=REDUCED)
    subsets = [(0, 1, 2), *combinations(range(3), 2)]
    overlapping = fs.gated.contextual(3, subsets, [11, 8, 8, 8], initial=fs.gated.Decoupled(0.01))
    few, many = np.array([0.0, 45.0]), np.linspace(0, 90, 91)
    runs = [fs.evolve(overlapping, fs.tasks.context(3), t, method=fs.Reduced()).loss for t in (few, many)]
    np.testing.assert_allclose(runs[0][1], runs[1][45], rtol=REDUCED)


def test_overlapping_pathways_keep_the_extra_matrix():
    """Common and contextual pathways do not share output vectors: matrices, and still the flow to 1e-6."""
    task = fs.tasks.context(3, "different")
    subsets = [(0, 1, 2), *combinations(range(3), 2)]
    network = fs.gated.contextual(3, subsets, [11, 8, 8, 8], initial=fs.gated.Decoupled(0.01))
    race = close(network, task, np.linspace(0, 60, 4))
    named = {a.name: a for a in race.assumptions}
    assert not named["decoupled modes"].holds
    assert named["alignment"].holds


def test_random_wide_pathways_are_predicted():
    """From small random weights: measured misalignment is reported, and the loss is still close to the flow."""
    task = fs.tasks.context(3, "same")
    subsets = [(0, 1, 2), *combinations(range(3), 2)]
    network = fs.gated.contextual(3, subsets, 80, initial=fs.initial.Gaussian(1e-4))
    times = np.linspace(0, 120, 61)
    race = fs.evolve(network, task, times, method=fs.Reduced())
    flow = fs.evolve(network, task, times, method=fs.Flow(rtol=1e-6))
    # 80 units leave directions that are not quite orthogonal: overlaps of order 1/√80 shift onsets by a few percent
    assert fs.compare(race, flow).area < 0.03
    assert not {a.name: a for a in race.assumptions}["alignment"].holds


def test_a_decoupled_start_needs_width():
    task = fs.tasks.context(3)
    network = fs.gated.contextual(3, [(0, 1)], 4, initial=fs.gated.Decoupled(0.1))
    with pytest.raises(ValueError, match="width 4, below the rank 8"):
        network.start(task, 0)


def test_infinity_is_refused():
    task = fs.tasks.extended_xor(1.0)
    network = fs.gated.pathways(np.eye(4), 3, initial=fs.gated.Decoupled(0.1))
    with pytest.raises(ValueError, match="give finite times"):
        fs.evolve(network, task, None, method=fs.Reduced())
    # the closed form goes there
    assert fs.evolve(network, task, None).loss[0] < 1e-12
