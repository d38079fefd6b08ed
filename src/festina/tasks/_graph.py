"""Features that vary smoothly over a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.core.task import Task, one_hot

if TYPE_CHECKING:
    import networkx as nx


SINGULAR = 1e-13
"""Smallest over largest eigenvalue of the precision at which its inverse still has digits that count."""


def covariance(
    graph: nx.Graph, sigma: float, items: Iterable[Hashable] | None = None
) -> tuple[np.ndarray, list[Hashable]]:
    """Covariance of a feature over the items, (Laplacian + 1/σ²)⁻¹ restricted to them, and the items."""
    import networkx as nx

    if not isinstance(graph, nx.Graph) or graph.is_directed():
        raise ValueError(f"graph is {type(graph).__name__}; an undirected networkx graph is needed: nx.Graph(...).")
    nodes = list(graph)
    if not nodes:
        raise ValueError("graph has no nodes; give at least one.")
    chosen = nodes if items is None else list(check.listing("items", items, "nodes of the graph"))
    known = [isinstance(node, Hashable) and node in graph for node in chosen]
    if not all(known) or not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"items is {check.shown(chosen)}; distinct nodes of the graph, at least one, are needed.")
    check.size("graph", len(nodes), len(nodes))
    weights = [w for *_, w in graph.edges(data="weight", default=1.0)]
    if any(not w >= 0 for w in weights):
        raise ValueError(f"graph has an edge of weight {min(weights):g}; weights >= 0 are needed.")
    precision = nx.laplacian_matrix(graph).toarray() + np.eye(len(nodes)) / check.scale("sigma", sigma) ** 2
    at = [nodes.index(node) for node in chosen]
    if np.linalg.cond(precision) > 1 / SINGULAR:
        raise ValueError(
            f"sigma is {check.shown(sigma)}, so large that features are not determined to rounding error: what all "
            "nodes share would vary without bound; give a smaller one."
        )
    return np.linalg.inv(precision)[np.ix_(at, at)], chosen


def graph(
    graph: nx.Graph[Any],
    features: int = 1000,
    sigma: float = 4.0,
    seed: int = 0,
    *,
    items: Iterable[Hashable] | None = None,
    name: str = "graph",
) -> Task:
    """One-hot items on the nodes of a graph; each feature is Gaussian and varies little along edges.

    Features ~ N(0, (Lap + 1/σ²)⁻¹), restricted to the items: a Gaussian Markov random field. Nodes that are not items
    are latent: they tie items together and are not seen.

    Args:
        graph: an undirected networkx graph; the edge attribute ``weight`` (default 1) says how strongly an edge ties.
        features: number of independent features; singular values fluctuate like 1/√features.
        sigma: spread of a feature without edges, > 0; large σ leaves the graph alone to shape the features.
        seed: draws the features.
        items: the nodes that are items; None: all.
        name: what to call the task.

    Raises:
        ValueError: a directed or empty graph, a negative weight, items that are not nodes.

    Example:
        >>> import festina as fs, networkx as nx
        >>> fs.tasks.graph(nx.star_graph(5), features=200, items=range(1, 6))
        Task('graph': 5 items, 5 inputs, 200 outputs)

    Source: saxe2019 (structural forms as Gaussian Markov random fields).
    """
    features, seed, name = check.whole("features", features), check.seed("seed", seed), check.text("name", name)
    spread, nodes = covariance(graph, sigma, items)
    check.size("features", len(nodes), features)
    draws = np.random.default_rng(seed).standard_normal((len(nodes), features))
    names, outputs = [str(node) for node in nodes], [f"feature {i + 1}" for i in range(features)]
    return one_hot(np.linalg.cholesky(spread) @ draws, inputs=names, items=names, outputs=outputs, name=name)


def grouped(
    table: np.ndarray, items: list[str], outputs: list[str], features: int | None, sigma: float, seed: int, name: str
) -> Task:
    """The table, or features of items that hang on a latent node for each of its outputs that they have."""
    if features is None:
        return one_hot(table, inputs=items, items=items, outputs=outputs, name=name)
    import networkx as nx

    drawn = nx.Graph((items[i], outputs[k]) for i, k in np.argwhere(table))
    return graph(drawn, features, sigma, seed, items=items, name=name)


def graph_strengths(
    graph: nx.Graph, features: int, sigma: float = 4.0, *, items: Iterable[Hashable] | None = None
) -> np.ndarray:
    """Singular values of Σyx of ``graph`` for many features, one per item, largest first.

    s_α = √N3 / (P √ζ_α),

    where ζ_α are the eigenvalues of the items' precision (the inverse of their covariance), P the number of items and
    N3 = ``features``. Where all nodes are items ζ = Laplacian eigenvalue + 1/σ².

    Example:
        >>> import festina as fs, networkx as nx
        >>> fs.tasks.mode_strengths("graph", nx.path_graph(3), features=900, sigma=2.0).round(3)
        array([20.   ,  8.944,  5.547])

    Source: saxe2019 (structural forms as Gaussian Markov random fields).
    """
    spread, nodes = covariance(graph, sigma, items)
    return field_strengths(1 / np.linalg.eigvalsh(spread), len(nodes), features)


def field_strengths(precisions: np.ndarray, items: int, features: int) -> np.ndarray:
    """s = √N3/(P√ζ) for eigenvalues ζ of the items' precision, largest first."""
    return np.sort(np.sqrt(check.whole("features", features) / precisions) / items)[::-1]
