import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import festina as fs

ROUNDING = 1e-9
"""Eigenvalues of an inverse against an inverse of eigenvalues; conditions here are below 1e4."""

sigmas = st.floats(0.2, 10)


def schur(graph: nx.Graph, items: list, sigma: float) -> np.ndarray:
    """Precision of the items when the other nodes are integrated out: A − B D⁻¹ Bᵀ, the brute way."""
    others = [n for n in graph if n not in items]
    full = nx.laplacian_matrix(graph, [*items, *others]).toarray() + np.eye(len(graph)) / sigma**2
    k = len(items)
    return full[:k, :k] - full[:k, k:] @ np.linalg.solve(full[k:, k:], full[k:, :k]) if others else full


@given(st.integers(0, 10**6), st.integers(2, 9), sigmas)
def test_strengths_are_those_of_the_items_precision(seed, nodes, sigma):
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(nodes, 0.5, seed=seed)
    nx.set_edge_attributes(graph, {edge: float(rng.uniform(0.1, 2)) for edge in graph.edges}, "weight")
    items = list(range(int(rng.integers(1, nodes + 1))))
    zeta = np.linalg.eigvalsh(schur(graph, items, sigma))
    expected = np.sqrt(700 / zeta) / len(items)
    found = fs.tasks.mode_strengths("graph", graph, 700, sigma, items=items)
    assert np.abs(found / expected - 1).max() < ROUNDING


@given(st.permutations(range(6)))
def test_names_and_order_of_nodes_play_no_part(order):
    graph = nx.lollipop_graph(4, 2)
    moved = nx.relabel_nodes(graph, dict(enumerate(order)))
    assert np.allclose(
        fs.tasks.mode_strengths("graph", graph, 10), fs.tasks.mode_strengths("graph", moved, 10), rtol=ROUNDING
    )
    assert np.allclose(
        fs.tasks.mode_strengths("graph", graph, 10),
        fs.tasks.mode_strengths("graph", graph, 10, items=order),
        rtol=ROUNDING,
    )


def test_draws_have_the_covariance_of_the_field():
    graph, features = nx.path_graph(4), 20000
    y = fs.tasks.graph(graph, features, 2.0, items=[3, 1]).y
    expected = np.linalg.inv(nx.laplacian_matrix(graph).toarray() + np.eye(4) / 4)[np.ix_([3, 1], [3, 1])]
    # an entry of a sample covariance has standard error at most √2·largest variance/√features
    assert np.abs(y @ y.T / features - expected).max() < 5 * 2**0.5 * expected.max() / features**0.5


def test_error_of_a_draw_falls_with_the_root_of_features():
    graph, sizes, errors = nx.petersen_graph(), np.array([300, 1200, 4800]), []
    for features in sizes:
        analytic = fs.tasks.mode_strengths("graph", graph, int(features))
        draws = [fs.tasks.graph(graph, int(features), seed=seed) for seed in range(20)]
        errors.append(np.mean([np.abs(t.statistics.strengths / analytic - 1).max() for t in draws]))
    assert -0.6 < np.polyfit(np.log(sizes), np.log(errors), 1)[0] < -0.4


def test_names_and_seed():
    task = fs.tasks.graph(nx.Graph([("a", "b"), ("b", "c")]), 5, items=["c", "a"], name="three")
    assert task.items == ("c", "a")
    assert task.inputs == ("c", "a")
    assert task.outputs[-1] == "feature 5"
    assert repr(task) == "Task('three': 2 items, 2 inputs, 5 outputs)"
    assert not np.array_equal(task.y, fs.tasks.graph(nx.path_graph(3), 5, items=[0, 2], seed=1).y)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="graph is DiGraph; an undirected networkx graph"):
        fs.tasks.graph(nx.DiGraph([(0, 1)]))
    with pytest.raises(ValueError, match="graph has no nodes"):
        fs.tasks.graph(nx.Graph())
    for items in ([0, 7], [], [0, 0]):
        with pytest.raises(ValueError, match="distinct nodes of the graph"):
            fs.tasks.graph(nx.path_graph(3), items=items)
    with pytest.raises(ValueError, match="weight -1; weights >= 0"):
        fs.tasks.mode_strengths("graph", nx.Graph([(0, 1, {"weight": -1.0})]), 10)
    with pytest.raises(ValueError, match=r"sigma is 0\.0; a number > 0"):
        fs.tasks.graph(nx.path_graph(3), sigma=0.0)
    with pytest.raises(ValueError, match="features is 0"):
        fs.tasks.graph(nx.path_graph(3), features=0)
    with pytest.raises(ValueError, match="features is 0"):
        fs.tasks.mode_strengths("graph", nx.path_graph(3), 0)
