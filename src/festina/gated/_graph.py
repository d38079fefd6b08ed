"""The description of a gated network: nodes, edges, paths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check

if TYPE_CHECKING:
    import networkx

Edge = tuple[str, str]
"""Source and target of a weight matrix."""


@dataclass(frozen=True)
class Node:
    """A layer of a gated network.

    Args:
        name: how gates and plots call it.
        kind: ``"input"`` (only outgoing edges), ``"hidden"`` or ``"output"`` (only incoming edges).
        width: number of units of a hidden node.
        columns: the columns of x an input node sees, or of y an output node makes; None is all of them.
    """

    name: str
    kind: str
    width: int | None = None
    columns: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Graph:
    """A directed acyclic graph of layers: validated, hashable, equal for equal networks.

    Nodes stand in topological order; edges in the order of their targets, so that weights are listed from the input
    to the output.

    Example:
        >>> import festina as fs
        >>> network = fs.gated.pathways({"up": [1, 1, 0], "down": [0, 0, 1]}, 4, initial=fs.initial.Gaussian(0.1))
        >>> [network.graph.label(path) for path in network.graph.paths]
        ['x of down → down → y', 'x of up → up → y']

    Source: jarvis2025 section 2; saxe2022.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @classmethod
    def read(cls, graph: object) -> Graph:
        """From a networkx DiGraph: hidden nodes have ``width``, input and output nodes may have ``columns``.

        Raises:
            ValueError: a cycle, a node without edges, a hidden node without width, a path that reaches no output,
                output nodes that share columns or leave one out.
        """
        import networkx as nx

        if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
            raise ValueError(f"graph is {type(graph).__name__}; a networkx.DiGraph is needed.")
        if not nx.is_directed_acyclic_graph(graph):
            loop = " -> ".join(str(edge[0]) for edge in nx.find_cycle(graph))
            raise ValueError(f"graph has the cycle {loop} -> ...; activity must flow one way: remove one of its edges.")
        order = list(nx.lexicographical_topological_sort(graph, key=str))
        if len({str(name) for name in order}) != len(order):
            raise ValueError("graph has two nodes whose names read the same; names must differ as text.")
        nodes = tuple(_node(graph, name) for name in order)
        rank = {str(name): i for i, name in enumerate(order)}
        edges = sorted(((str(a), str(b)) for a, b in graph.edges), key=lambda e: (rank[e[1]], rank[e[0]]))
        found = cls(nodes, tuple(edges))
        found._check_outputs()
        return found

    def _check_outputs(self) -> None:
        outputs = self.outputs
        if not outputs:
            raise ValueError("graph has no edges; at least one input node, one output node and an edge are needed.")
        if len(outputs) == 1 and outputs[0].columns is None:
            return
        columns = [c for node in outputs for c in node.columns or ()]
        if any(node.columns is None for node in outputs) or sorted(columns) != list(range(len(columns))):
            raise ValueError(
                f"output nodes {[n.name for n in outputs]} have columns {[n.columns for n in outputs]}; with several "
                "output nodes each column of y must belong to exactly one: give columns=range(...) to each."
            )

    @cached_property
    def inputs(self) -> tuple[Node, ...]:
        """Nodes with only outgoing edges."""
        return tuple(n for n in self.nodes if n.kind == "input")

    @cached_property
    def outputs(self) -> tuple[Node, ...]:
        """Nodes with only incoming edges."""
        return tuple(n for n in self.nodes if n.kind == "output")

    @cached_property
    def hidden(self) -> tuple[Node, ...]:
        """Nodes between."""
        return tuple(n for n in self.nodes if n.kind == "hidden")

    @cached_property
    def places(self) -> dict[str, Node]:
        """Nodes by name."""
        return {n.name: n for n in self.nodes}

    @cached_property
    def index(self) -> dict[Edge, int]:
        """Position of each edge in the list of weights."""
        return {edge: i for i, edge in enumerate(self.edges)}

    @cached_property
    def arriving(self) -> dict[str, tuple[int, ...]]:
        """Edges into each node."""
        return {n.name: tuple(i for i, e in enumerate(self.edges) if e[1] == n.name) for n in self.nodes}

    @cached_property
    def leaving(self) -> dict[str, tuple[int, ...]]:
        """Edges out of each node."""
        return {n.name: tuple(i for i, e in enumerate(self.edges) if e[0] == n.name) for n in self.nodes}

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """Every path from an input node to an output node, as edges in order."""
        import networkx as nx

        graph = nx.DiGraph(list(self.edges))
        found = []
        for source in self.inputs:
            for target in self.outputs:
                for path in nx.all_simple_edge_paths(graph, source.name, target.name):
                    found.append(tuple(self.index[str(a), str(b)] for a, b in path))
        return tuple(found)

    def ends(self, path: Iterable[int]) -> tuple[Node, Node]:
        """Input and output node of a path."""
        edges = [self.edges[i] for i in path]
        return self.places[edges[0][0]], self.places[edges[-1][1]]

    def nodes_of(self, path: Iterable[int]) -> tuple[str, ...]:
        """Names of the nodes a path goes through."""
        edges = [self.edges[i] for i in path]
        return (edges[0][0], *(edge[1] for edge in edges))

    def label(self, path: Iterable[int]) -> str:
        """A path in words."""
        return " → ".join(self.nodes_of(path))

    def widths(self, inputs: int, outputs: int) -> dict[str, int]:
        """Width of each node on a task with that many columns of x and y."""
        total = {"input": inputs, "output": outputs}
        found = {}
        for node in self.nodes:
            if node.kind == "hidden":
                found[node.name] = node.width
                continue
            name = "x" if node.kind == "input" else "y"
            if node.columns is not None and max(node.columns) >= total[node.kind]:
                raise ValueError(
                    f"node {node.name!r} uses column {max(node.columns)} of {name}, which has {total[node.kind]}; "
                    "give columns that the task has."
                )
            found[node.name] = total[node.kind] if node.columns is None else len(node.columns)
        if sum(found[n.name] for n in self.outputs) != outputs:
            raise ValueError(
                f"the output nodes make {sum(found[n.name] for n in self.outputs)} columns of y, which has {outputs}; "
                "every column must be made by one node."
            )
        return found

    def shapes(self, inputs: int, outputs: int) -> list[tuple[int, int]]:
        """``(out, in)`` of each edge."""
        widths = self.widths(inputs, outputs)
        return [(widths[target], widths[source]) for source, target in self.edges]


def _node(graph: networkx.DiGraph, name: object) -> Node:
    before, after = graph.in_degree[name], graph.out_degree[name]
    if not before and not after:
        raise ValueError(f"node {name!r} has no edges; connect it or leave it out.")
    kind = "input" if not before else "output" if not after else "hidden"
    attributes = graph.nodes[name]
    if kind == "hidden":
        if "width" not in attributes:
            raise ValueError(f"node {name!r} has no width; hidden nodes need graph.add_node({name!r}, width=...).")
        return Node(str(name), kind, check.whole(f"width of node {name!r}", attributes["width"]))
    columns = attributes.get("columns")
    if columns is None:
        return Node(str(name), kind)
    array = np.asarray(list(columns))
    if array.dtype == bool:
        array = np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or not np.issubdtype(array.dtype, np.integer) or array.min() < 0:
        raise ValueError(f"columns of node {name!r} is {columns!r}; a mask or a list of column numbers is needed.")
    if len(np.unique(array)) != len(array):
        raise ValueError(f"columns of node {name!r} names a column twice: {array.tolist()}.")
    return Node(str(name), kind, columns=tuple(int(c) for c in array))
