"""Descriptions: what is refused and what is understood."""

import networkx as nx
import numpy as np
import pytest

import festina as fs

START = fs.initial.Gaussian(0.1)
TASK = fs.tasks.extended_xor(1.0)


def diamond() -> nx.DiGraph:
    graph = nx.DiGraph([("x", "a"), ("x", "b"), ("a", "y"), ("b", "y")])
    for node in graph:
        graph.nodes[node]["width"] = 3
    return graph


def test_paths_and_order():
    network = fs.Gated(diamond(), {"a": 1, "b": [1, 0, 0, 1]}, initial=START)
    assert network.graph.edges == (("x", "a"), ("x", "b"), ("a", "y"), ("b", "y"))
    assert [network.graph.label(p) for p in network.graph.paths] == ["x → a → y", "x → b → y"]
    assert network.shapes(TASK) == [(3, 3), (3, 3), (1, 3), (1, 3)]
    assert hash(network.predict) == hash(fs.Gated(diamond(), {"a": 1, "b": [1, 0, 0, 1]}, initial=START).predict)


def test_cycles_are_refused():
    graph = diamond()
    graph.add_edge("y", "a")
    with pytest.raises(ValueError, match="cycle a -> y"):
        fs.Gated(graph, {"a": 1, "b": 1}, initial=START)


def test_missing_gates_are_named():
    with pytest.raises(ValueError, match=r"gates are missing for hidden node\(s\) \['b'\]"):
        fs.Gated(diamond(), {"a": 1}, initial=START)


def test_unknown_nodes_and_edges_are_named():
    with pytest.raises(ValueError, match="gates name 'c', an unknown node"):
        fs.Gated(diamond(), {"a": 1, "b": 1, "c": 1}, initial=START)
    with pytest.raises(ValueError, match=r"gates name \('a', 'b'\), an unknown node or edge"):
        fs.Gated(diamond(), {"a": 1, "b": 1, ("a", "b"): 1}, initial=START)


@pytest.mark.parametrize(
    ("gates", "message"),
    [
        ({"a": [1, 0], "b": [1, 0, 1]}, "different lengths"),
        ({"a": [[1, 0]], "b": 1}, "has shape"),
        ({"a": [np.nan], "b": 1}, "not finite"),
        ([1, 2], "a mapping from nodes"),
    ],
)
def test_wrong_gates(gates, message):
    with pytest.raises(ValueError, match=message):
        fs.Gated(diamond(), gates, initial=START)


def test_gates_must_fit_the_task():
    network = fs.Gated(diamond(), {"a": 1, "b": [1, 0]}, initial=START)
    with pytest.raises(ValueError, match="length 2 and the task has 4 data points"):
        fs.evolve(network, TASK, [0.0, 1.0], method=fs.Flow())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: g.nodes["a"].pop("width"), "has no width"),
        (lambda g: g.nodes["a"].update(width=0), "width of node 'a'"),
        (lambda g: g.add_node("alone"), "has no edges"),
        (lambda g: g.nodes["x"].update(columns=[0, 0]), "names a column twice"),
        (lambda g: g.nodes["x"].update(columns=[]), "a mask or a list"),
        (lambda g: g.add_edge("a", "z"), "each column of y must belong to exactly one"),
    ],
)
def test_wrong_graphs(change, message):
    graph = diamond()
    change(graph)
    with pytest.raises(ValueError, match=message):
        fs.Gated(graph, {"a": 1, "b": 1}, initial=START)


def test_columns_must_exist():
    graph = diamond()
    graph.nodes["x"]["columns"] = [0, 7]
    network = fs.Gated(graph, {"a": 1, "b": 1}, initial=START)
    with pytest.raises(ValueError, match="uses column 7 of x, which has 3"):
        fs.evolve(network, TASK, [0.0], method=fs.Flow())


def test_outputs_must_be_covered():
    graph = nx.DiGraph([("x", "h"), ("h", "y")])
    graph.nodes["h"]["width"] = 2
    graph.nodes["y"]["columns"] = [0]
    network = fs.Gated(graph, {"h": 1}, initial=START)
    with pytest.raises(ValueError, match="make 1 columns of y, which has 2"):
        network.shapes(fs.Task(np.eye(2), np.eye(2)))


def test_other_arguments():
    with pytest.raises(ValueError, match=r"networkx\.DiGraph is needed"):
        fs.Gated({"a": 1}, {}, initial=START)
    with pytest.raises(ValueError, match="initial is 3"):
        fs.Gated(diamond(), {"a": 1, "b": 1}, initial=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"only a gated network, fs\.Gated, has paths"):
        TASK.statistics(fs.DeepLinear((2,), initial=START))


def test_a_mask_picks_columns():
    graph = diamond()
    graph.nodes["x"]["columns"] = np.array([True, False, True])
    network = fs.Gated(graph, {"a": 1, "b": 1}, initial=START)
    assert network.graph.inputs[0].columns == (0, 2)
    outputs = network.predict(network.start(TASK, 0), (TASK.x, np.ones((4, 0))))
    moved = TASK.x + np.array([0.0, 5.0, 0.0])
    np.testing.assert_allclose(network.predict(network.start(TASK, 0), (moved, np.ones((4, 0)))), outputs)


def test_pathways_check_their_numbers():
    rows = [[1, 1, 0, 0], [0, 0, 1, 1]]
    with pytest.raises(ValueError, match="hidden has 3 values for 2 pathways"):
        fs.gated.pathways(rows, [1, 2, 3], initial=START)
    with pytest.raises(ValueError, match="inputs has 1 values for 2 pathways"):
        fs.gated.pathways(rows, 2, inputs=[None], initial=START)
    with pytest.raises(ValueError, match="one row per pathway"):
        fs.gated.pathways([1, 0], 2, initial=START)
    with pytest.raises(ValueError, match="contexts are numbered 0 to 2"):
        fs.gated.contextual(3, [(3,)], 4, initial=START)
    with pytest.raises(ValueError, match="names a subset twice"):
        fs.gated.contextual(3, [(0,), (0,)], 4, initial=START)
