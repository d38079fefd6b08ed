"""Gated deep linear networks on any directed acyclic graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Network, Statistics, Task, Theory
from festina.core.seed import generator
from festina.gated._exact import EqualPathways, SharedEdge
from festina.gated._gates import Forward, Gates, Watch
from festina.gated._graph import Graph
from festina.gated._initial import Decoupled, GraphInitial, RandomPathways
from festina.gated._race import PathwayRace
from festina.gated._statistics import PathStatistics
from festina.initial import Gaussian, Initial


@dataclass(frozen=True, eq=False, repr=False)
class Gated(Network):
    """A network of linear layers whose nodes and edges are switched per data point.

        h_v = g_v Σ_{q: t(q)=v} g_q W_q h_{s(q)}

    Args:
        graph: a networkx DiGraph; hidden nodes have ``width``, input nodes may have ``columns`` (which columns of x
            they see), output nodes ``columns`` (which columns of y they make; all, if there is one).
        gates: from nodes and from edges ``(source, target)`` to one value per data point, or to one number. Every
            hidden node needs one; 1 is always open. Nodes and edges that are not named are open.
        initial: where the weights start: one of ``fs.initial``, or ``fs.gated.Decoupled``, ``fs.gated.RandomPathways``.

    Raises:
        ValueError: cycles, missing gates, unknown nodes, wrong lengths or columns.

    Example:
        >>> import networkx as nx, festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> graph = nx.DiGraph([("x", "up"), ("x", "down"), ("up", "y"), ("down", "y")])
        >>> nx.set_node_attributes(graph, 8, "width")
        >>> up = task.y[:, 0] > 0
        >>> network = fs.Gated(graph, {"up": up, "down": ~up}, initial=fs.initial.Gaussian(0.01))
        >>> task.statistics(network).labels
        ('x → down → y', 'x → up → y')

    Source: saxe2022; jarvis2025 eqs. (1)-(2).
    """

    graph: Graph | Any
    gates: Gates | Any
    initial: Initial | Any = field(kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.graph, Graph):
            object.__setattr__(self, "graph", Graph.read(self.graph))
        if not isinstance(self.gates, Gates):
            object.__setattr__(self, "gates", Gates.read(self.graph, self.gates))
        check.instance("initial", self.initial, Initial, "one of fs.initial, such as fs.initial.Gaussian(0.01),")

    def __repr__(self) -> str:
        widths = {n.name: n.width for n in self.graph.hidden}
        return f"Gated({len(self.graph.edges)} edges, {len(self.graph.paths)} paths, hidden={widths}, {self.initial!r})"

    def starting(self, initial: Initial) -> Gated:
        """The same network from another start."""
        return Gated(self.graph, self.gates, initial=initial)

    def expected_start(self) -> Gated:
        """The network from the strengths its random start has on average; another start is taken as it is.

        Example:
            >>> import festina as fs
            >>> network = fs.gated.pathways([[1, 1, 0, 0], [0, 0, 1, 1]], 8, initial=fs.initial.Gaussian(0.1))
            >>> network.expected_start().initial
            Decoupled(layer={'pathway 1': 0.2, 'pathway 2': 0.2})
        """
        rule = self.initial
        if isinstance(rule, Gaussian) and isinstance(rule.std, float | int):
            return self.starting(Decoupled.expected(rule.std, {n.name: n.width or 0 for n in self.graph.hidden}))
        if isinstance(rule, RandomPathways):
            return self.starting(Decoupled.expected(rule.std, {n.name: rule.of(n.name) for n in self.graph.hidden}))
        return self

    def shapes(self, task: Task) -> list[tuple[int, int]]:
        """``(out, in)`` of each edge on this task."""
        return self.graph.shapes(task.x.shape[1], task.y.shape[1])

    def statistics_of(self, statistics: Statistics) -> PathStatistics:
        """Every path's effective data set; what ``task.statistics(network)`` gives."""
        self.graph.widths(statistics.x.shape[1], statistics.y.shape[1])
        self.gates.on(statistics.count)
        return PathStatistics(self.graph, self.gates, statistics.x, statistics.y)

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial weights, one matrix per edge, by the rule in ``initial``."""
        rng, rule = generator(seed), self.initial.of_seed(seed)
        if isinstance(rule, GraphInitial):
            return rule.draw_on(self, task, rng)
        return rule.layers(self.shapes(task), task, rng)

    @property
    def predict(self) -> Callable[[Weights, Any], Array]:
        """The forward pass of x = (inputs, gates)."""
        return Forward(self.graph, self.gates.keys)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``outputs``, ``weights`` (one per edge), ``hidden`` (one per hidden node), ``strengths``.

        ``strengths`` are u_αᵀ W_p v_α for the modes α of every path p that is open somewhere, path after path.
        """
        return Watch(Forward(self.graph, self.gates.keys))

    def context(self, task: Task) -> Context:
        """Data for loss and outputs, and the modes of every path."""
        self.require_data(task)
        statistics = task.statistics(self)
        modes = dict(zip(statistics.paths, statistics.effective, strict=True))
        left, right = [], []
        for path in self.graph.paths:
            shapes = self.shapes(task)
            own = modes.get(path)
            left.append(np.zeros((shapes[path[-1]][0], 0)) if own is None else own.left)
            right.append(np.zeros((shapes[path[0]][1], 0)) if own is None else own.right)
        x = (task.x, self.gates.on(len(task.x)))
        return {"data": self.data(task), "x": x, "left": tuple(left), "right": tuple(right)}

    def sample(self, task: Task) -> None:
        """Gates belong to data points, so that no fresh ones are drawn."""
        return None

    def inputs_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """New inputs; the gates must be the same for all data points, because they are not known at new ones."""
        if len(self.gates.values) > 1:
            raise ValueError(
                f"the gates of {self!r} belong to the data points of its task, so that they are not known at new "
                "inputs; fs.ReLU and fs.DeepLinear predict new points."
            )
        return x, self.gates.on(len(x))

    def points(self, task: Task) -> Data:
        """The data points with their gates, from which mini-batches are drawn."""
        return Data((task.x, self.gates.on(len(task.x))), task.y, float(len(task.x)), loss=task.loss.carried)

    def data(self, task: Task) -> Data:
        """At most ``inputs`` points per gating pattern, with the same correlations: no cost grows with N.

        Correlations are enough for squared error only; for any other loss the data points are taken as they are.
        """
        gates, inputs = self.gates.on(len(task.x)), task.x.shape[1]
        patterns, which = np.unique(gates, axis=0, return_inverse=True)
        if len(task.x) <= inputs * len(patterns) or not task.loss.squared:
            return self.points(task)
        xs, ys, floor = [], [], 0.0
        for i in range(len(patterns)):
            part = Statistics(task.x[which.ravel() == i], task.y[which.ravel() == i])
            x, y = part.compressed
            xs.append(x)
            ys.append(y)
            floor += part.floor * part.count / len(task.x)
        rows = np.repeat(patterns, [len(x) for x in xs], axis=0)
        return Data((np.vstack(xs), rows), np.vstack(ys), float(len(task.x)), floor)

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """The path-wise flow, in statistics space: jarvis2025 eq. (3)."""
        return task.statistics(self).velocity()

    def rotate(self, weights: Weights) -> tuple[Weights, Callable[[Weights], Weights]] | None:
        """Hidden nodes with at most as many dimensions as all their neighbours together.

        The units of a node have common gates, so that their weights stay in the span of those that lead into the node
        and out of it.
        """
        small, turns = list(weights), {}
        for name in (node.name for node in self.graph.hidden):
            arriving, leaving = self.graph.arriving[name], self.graph.leaving[name]
            sides = [*(small[i] for i in arriving), *(small[i].T for i in leaving)]
            whole = np.hstack(sides)
            if len(whole) > whole.shape[1]:
                turns[name], r = np.linalg.qr(whole)
                parts = np.split(r, np.cumsum([side.shape[1] for side in sides])[:-1], axis=1)
                for k, i in enumerate([*arriving, *leaving]):
                    small[i] = parts[k] if k < len(arriving) else parts[k].T
        if not turns:
            return None

        def restore(narrow: Weights) -> Weights:
            found = []
            for (source, target), matrix in zip(self.graph.edges, narrow, strict=True):
                turned = turns[target] @ matrix if target in turns else matrix
                found.append(turned @ turns[source].T if source in turns else turned)
            return tuple(found)

        return tuple(small), restore

    @property
    def theories(self) -> tuple[Theory, ...]:
        """Closed forms of equal pathways and of routing, then the race of all pathways."""
        return (EqualPathways(), SharedEdge(), PathwayRace())
