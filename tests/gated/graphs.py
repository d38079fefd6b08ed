"""Random gated networks and tasks for hypothesis."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

import festina as fs

SIZES = st.tuples(*(st.integers(*span) for span in ((0, 2**31), (1, 3), (1, 3), (1, 3))), st.sampled_from((1, 7)))
"""Seed, numbers of inputs, outputs, hidden layers and data points."""

WIDTH = 2
"""Units of every hidden node: few shapes, so that JAX compiles each operation once."""


def build(sizes):  # noqa: PLR0912
    """A random graph of depth ≤ 4 with several inputs and outputs, shared edges, node and edge gates; and a task."""
    seed, inputs, outputs, layers, points = sizes
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph()
    x_columns, y_columns = 5, 0
    ranks = [[f"x{i}" for i in range(inputs)]]
    for name in ranks[0]:
        graph.add_node(name, columns=rng.choice(x_columns, 3, replace=False))
    for depth in range(layers):
        ranks.append([f"h{depth}{i}" for i in range(int(rng.integers(1, 4)))])
        for name in ranks[-1]:
            graph.add_node(name, width=WIDTH)
    ranks.append([f"y{i}" for i in range(outputs)])
    for name in ranks[-1]:
        graph.add_node(name, columns=range(y_columns, y_columns + 2))
        y_columns += 2
    for depth, names in enumerate(ranks[1:], start=1):
        for name in names:
            # one edge from the layer before, others from any earlier layer (skips)
            graph.add_edge(str(rng.choice(ranks[depth - 1])), name)
            for earlier in ranks[:depth]:
                for source in earlier:
                    if rng.random() < 0.4:
                        graph.add_edge(source, name)
        for source in ranks[depth - 1]:
            if not graph.out_degree[source]:
                graph.add_edge(source, str(rng.choice(names)))
    gates = {}
    for name in graph.nodes:
        if "width" in graph.nodes[name] or rng.random() < 0.5:
            gates[name] = rng.choice([0.0, 1.0, 0.5], points)
    for edge in graph.edges:
        if rng.random() < 0.4:
            gates[edge] = rng.choice([0.0, 1.0], points)
    network = fs.Gated(graph, gates, initial=fs.initial.Gaussian(0.7))
    task = fs.Task(rng.standard_normal((points, x_columns)), rng.standard_normal((points, y_columns)))
    return network, task, seed
