"""Starts of gated networks: decoupled into modes, or random with a share of units for each pathway."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.core.initial import orthonormal
from festina.core.task import Task
from festina.gated._graph import Graph
from festina.gated._statistics import find_modes
from festina.initial import Initial

if TYPE_CHECKING:
    from festina.gated._network import Gated


class GraphInitial(Initial):
    """A rule that needs the graph, not only the shapes."""

    @abstractmethod
    def draw_on(self, network: Gated, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """One matrix per edge of the network."""

    def draw(self, shapes: object, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Only on a graph."""
        raise ValueError(f"initial is {self!r}, which starts gated networks only; use one of fs.initial.")


@dataclass(frozen=True, eq=False)
class Decoupled(GraphInitial):
    """W_e = R_{t(e)} diag(b) R_{s(e)}ᵀ, aligned with the modes of each path: then the race is exact.

    Input and output bases are those of the paths, hidden ones are random orthonormal.

    Args:
        layer: b, the strength of an edge: one number ≥ 0 for all, or a mapping from hidden nodes (all their edges)
            and edges to numbers.

    Raises:
        ValueError: a negative strength, an unknown node or edge, a hidden node narrower than the number of modes.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> network = fs.gated.pathways([task.y[:, 0] > 0, task.y[:, 0] < 0], 4, initial=fs.gated.Decoupled(0.1))
        >>> fs.evolve(network, task, [0.0, 1.0], method=fs.Reduced()).assumptions[0].holds
        True

    Source: jarvis2025 eq. (5).
    """

    layer: float | Mapping[Any, float]

    def __post_init__(self) -> None:
        for value in self.layer.values() if isinstance(self.layer, Mapping) else (self.layer,):
            check.positive("layer", value, zero=True)

    @classmethod
    def expected(cls, std: float, units: Mapping[str, int]) -> Decoupled:
        """The start that random weights have on average: each mode of a two-layer pathway of n units grows from nσ²/2.

        Args:
            std: standard deviation σ of the random weights.
            units: numbers n of units by pathway.

        Example:
            >>> import festina as fs
            >>> fs.gated.Decoupled.expected(0.1, {"up": 8, "down": 32})
            Decoupled(layer={'up': 0.2, 'down': 0.4})

        Source: saxe2019 (initial strength); theory of the growing component ½(W1 v + W2ᵀu).
        """
        std = check.scale("std", std, zero=True)
        check.instance("units", units, Mapping, "a dictionary from pathways to numbers of units")
        counts = {name: check.whole("units", count, least=0) for name, count in units.items()}
        return cls({name: float(np.sqrt(count * std**2 / 2)) for name, count in counts.items()})

    def strength(self, graph: Graph, edge: tuple[str, str]) -> float:
        """b of one edge."""
        if not isinstance(self.layer, Mapping):
            return float(self.layer)
        for key in self.layer:
            if key not in graph.places and key not in graph.edges:
                raise ValueError(f"layer names {key!r}, an unknown node or edge; nodes are {', '.join(graph.places)}.")
        for key in (edge, edge[1], edge[0]):
            if key in self.layer:
                return float(self.layer[key])
        raise ValueError(f"layer says nothing about edge {edge}; name it or one of its hidden nodes.")

    def draw_on(self, network: Gated, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Edges that carry the modes of every open path; edges on no open path are 0."""
        statistics, graph = task.statistics(network), network.graph
        modes = find_modes(statistics)
        weights = [np.zeros(shape) for shape in network.shapes(task)]
        for group in dict.fromkeys(modes.component):
            members = [path for path, c in zip(statistics.paths, modes.component, strict=True) if c == group]
            count = modes.right[members[0][0]].shape[1]
            frames: dict[str, np.ndarray] = {}
            for edge in dict.fromkeys(e for path in members for e in path):
                source, target = graph.edges[edge]
                ends = []
                for name, basis in ((source, modes.right.get(edge)), (target, modes.left.get(edge))):
                    node = graph.places[name]
                    if node.kind == "hidden":
                        if name not in frames:
                            frames[name] = _frame(node.name, node.width or 0, count, rng)
                        ends.append(frames[name])
                    else:
                        ends.append(basis)
                weights[edge] += self.strength(graph, (source, target)) * ends[1] @ ends[0].T
        return tuple(weights)


def _frame(name: str, width: int, count: int, rng: np.random.Generator) -> np.ndarray:
    if width < count:
        raise ValueError(
            f"node {name!r} has width {width}, below the rank {count} of its paths; a decoupled start needs one unit "
            "per mode: widen it, or start from fs.initial.Gaussian."
        )
    return orthonormal(width, count, rng)


@dataclass(frozen=True, eq=False)
class RandomPathways(GraphInitial):
    """Independent Gaussian weights of ``units`` hidden units per node, however narrow the node is described.

    The units of a gated node are linear among themselves, so n of them learn exactly like their coordinates in the span
    of [W_in, W_outᵀ]. A node of width in + out therefore represents any number of units without error.

    Args:
        std: standard deviation of a weight.
        units: number of units of each hidden node: one number, or a mapping by name.

    Raises:
        ValueError: hidden nodes next to each other, or one narrower than in + out and than its units.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(1.0)
        >>> wide = fs.gated.RandomPathways(1e-3, units=10_000)
        >>> [w.shape for w in fs.gated.pathways([[1, 0, 0, 1]], 4, initial=wide).start(task, seed=0)]
        [(4, 3), (1, 4)]

    Source: jarvis2025 section 4 (pathways as shares of a ReLU network's units).
    """

    std: float
    units: int | Mapping[str, int]

    def __post_init__(self) -> None:
        check.positive("std", self.std)
        for value in self.units.values() if isinstance(self.units, Mapping) else (self.units,):
            check.whole("units", value)

    def of(self, name: str) -> int:
        """Number of units of a node."""
        if not isinstance(self.units, Mapping):
            return self.units
        return self.units[check.known("hidden node", name, self.units)]

    def draw_on(self, network: Gated, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Draw all units of a node and rotate them into its width."""
        graph, shapes = network.graph, network.shapes(task)
        weights = [np.zeros(shape) for shape in shapes]
        for node in graph.hidden:
            arriving, leaving = graph.arriving[node.name], graph.leaving[node.name]
            neighbours = {graph.edges[i][0] for i in arriving} | {graph.edges[i][1] for i in leaving}
            if any(graph.places[name].kind == "hidden" for name in neighbours):
                raise ValueError(
                    f"node {node.name!r} is next to a hidden node; fs.gated.RandomPathways is for one hidden layer."
                )
            count, width = self.of(node.name), node.width or 0
            sizes = [shapes[i][1] for i in arriving] + [shapes[i][0] for i in leaving]
            drawn = self.std * rng.standard_normal((count, sum(sizes)))
            if count > width:
                drawn = np.linalg.qr(drawn)[1]
            if len(drawn) > width:
                raise ValueError(
                    f"node {node.name!r} has width {width}; {count} units span {len(drawn)} dimensions of its weights: "
                    f"give it that width."
                )
            parts = np.split(
                np.vstack([drawn, np.zeros((width - len(drawn), drawn.shape[1]))]), np.cumsum(sizes)[:-1], 1
            )
            for i, part in zip(arriving, parts, strict=False):
                weights[i] = part
            for i, part in zip(leaving, parts[len(arriving) :], strict=True):
                weights[i] = part.T
        return tuple(weights)
