"""Gates: one value per data point for nodes and edges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, ArrayLike, Weights
from festina.core.network import Context, mean_loss
from festina.gated._graph import Edge, Graph, Node


@dataclass(frozen=True, eq=False)
class Gates:
    """Validated gates of a graph: ``keys`` are nodes and edges, ``values`` has a row per data point.

    Example:
        >>> import festina as fs
        >>> network = fs.gated.pathways({"up": [1, 1, 0], "down": [0, 0, 1]}, 4, initial=fs.initial.Gaussian(0.1))
        >>> network.gates.keys, network.gates.values.tolist()
        (('up', 'down'), [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    """

    keys: tuple[str | Edge, ...]
    values: np.ndarray

    @classmethod
    def read(cls, graph: Graph, gates: ArrayLike) -> "Gates":
        """Check and collect.

        Raises:
            ValueError: an unknown node or edge, a hidden node without gates, gates of different lengths.
        """
        if not isinstance(gates, Mapping):
            raise ValueError(
                f"gates is {type(gates).__name__}; a mapping from nodes and edges to values per data point is needed."
            )
        known = {*graph.places, *graph.edges}
        arrays: dict[Any, np.ndarray] = {}
        for given, value in gates.items():
            key = tuple(str(part) for part in given) if isinstance(given, tuple) else str(given)
            if key not in known:
                raise ValueError(
                    f"gates name {given!r}, an unknown node or edge; nodes are {', '.join(graph.places)}, edges are "
                    f"{', '.join(map(str, graph.edges))}."
                )
            arrays[key] = np.atleast_1d(check.numbers(f"gates[{given!r}]", value))
            if arrays[key].ndim != 1:
                raise ValueError(
                    f"gates[{given!r}] has shape {arrays[key].shape}; one value per data point, or a number, is needed."
                )
        missing = [node.name for node in graph.hidden if node.name not in arrays]
        if missing:
            raise ValueError(f"gates are missing for hidden node(s) {missing}; give one value per data point, or 1.")
        lengths = {key: len(a) for key, a in arrays.items() if len(a) != 1}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"gates have different lengths: {lengths}; all need one value per data point.")
        count = next(iter(lengths.values()), 1)
        keys = tuple(key for key, a in arrays.items() if not (len(a) == 1 and a[0] == 1.0))
        values = np.stack([np.broadcast_to(arrays[k], count) for k in keys], 1) if keys else np.ones((count, 0))
        values.setflags(write=False)
        return cls(keys, values)

    def on(self, count: int) -> np.ndarray:
        """The gates of ``count`` data points, (count, keys)."""
        if len(self.values) == 1:
            return np.repeat(self.values, count, axis=0)
        if len(self.values) != count:
            raise ValueError(
                f"gates have length {len(self.values)} and the task has {count} data points; give one value per point."
            )
        return self.values

    def of(self, path: tuple[int, ...], graph: Graph, count: int) -> np.ndarray:
        """g_p: the product of all gates along a path, per data point."""
        values = self.on(count)
        passed = {*graph.nodes_of(path), *(graph.edges[i] for i in path)}
        return np.prod(values[:, [k in passed for k in self.keys]], axis=1)


def picked(array: Array, node: Node) -> Array:
    """The columns an input or output node uses."""
    if node.columns is None:
        return array
    first, last = node.columns[0], node.columns[-1]
    if node.columns == tuple(range(first, last + 1)):
        return array[:, first : last + 1]
    return array[:, np.array(node.columns)]


@dataclass(frozen=True)
class Forward:
    """The forward pass h_v = g_v Σ_q g_q W_q h_{s(q)} of data points x = (inputs, gates).

    Hashable and equal for equal networks; NumPy and JAX alike.

    Source: jarvis2025 eq. (1).
    """

    graph: Graph
    keys: tuple[str | Edge, ...]

    def __call__(self, weights: Weights, x: tuple[Array, Array]) -> Array:
        """Outputs, in the order of the columns of y."""
        activity = self.activity(weights, x)
        outputs = self.graph.outputs
        if len(outputs) == 1:
            return activity[outputs[0].name]
        # gluing along columns, not stacking: nodes may differ in width
        parts = [activity[n.name] for n in outputs]
        joined = parts[0].__array_namespace__().concatenate(parts, 1)
        return joined[:, np.argsort([c for n in outputs for c in n.columns or ()])]

    def activity(self, weights: Weights, x: tuple[Array, Array]) -> dict[str, Array]:
        """Activity of every node, one row per data point."""
        data, gates = x[0], {key: x[1][:, i : i + 1] for i, key in enumerate(self.keys)}
        found: dict[str, Array] = {}
        for node in self.graph.nodes:
            if node.kind == "input":
                total = picked(data, node)
            else:
                total = 0.0
                for i in self.graph.arriving[node.name]:
                    edge = self.graph.edges[i]
                    part = found[edge[0]] @ weights[i].T
                    total = total + (gates[edge] * part if edge in gates else part)
            found[node.name] = gates[node.name] * total if node.name in gates else total  # type: ignore[assignment]
        return found


@dataclass(frozen=True)
class Watch:
    """Observables of a gated network: hashable, equal for equal networks."""

    forward: Forward

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """``loss``, ``outputs``, ``weights``, ``hidden`` and ``strengths`` of weights."""
        forward, graph = self.forward, self.forward.graph

        def hidden(weights: Weights) -> tuple[Array, ...]:
            activity = forward.activity(weights, context["x"])
            return tuple(activity[node.name] for node in graph.hidden)

        def strengths(weights: Weights) -> Array:
            parts = []
            for path, left, right in zip(graph.paths, context["left"], context["right"], strict=True):
                image = right
                for edge in path:
                    image = weights[edge] @ image
                parts.append((left * image).sum(0))
            return parts[0].__array_namespace__().concatenate(parts)

        return {
            "loss": lambda weights: mean_loss(forward, weights, context["data"]),
            "outputs": lambda weights: forward(weights, context["x"]),
            "weights": tuple,
            "hidden": hidden,
            "strengths": strengths,
        }
