"""Items in structures: the properties that a structure gives, or features that vary smoothly over a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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


def partition(
    groups: int = 4, size: int = 4, *, features: int | None = None, sigma: float = 4.0, seed: int = 0
) -> Task:
    """One-hot items in groups of equal size that have nothing in common with each other.

    The table (``features=None``): one property per group, held by its members.
    Random (``features=n``): Gaussian features; the members of a group hang on one latent node, see ``graph``.

    Args:
        groups: number of groups, ≥ 1.
        size: members of a group, ≥ 1.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.partition(groups=2, size=2).y
        array([[1., 0.],
               [1., 0.],
               [0., 1.],
               [0., 1.]])

    Source: saxe2019 (partition).
    """
    groups, size = check.whole("groups", groups), check.whole("size", size)
    check.size("groups and size", groups, size, groups, size)
    items = [f"group {g + 1} item {i + 1}" for g in range(groups) for i in range(size)]
    if features is not None:
        import networkx as nx

        drawn = nx.Graph((item, f"group {i // size + 1}") for i, item in enumerate(items))
        return graph(drawn, features, sigma, seed, items=items, name="partition")
    outputs = [f"group {g + 1}" for g in range(groups)]
    return one_hot(
        np.kron(np.eye(groups), np.ones((size, 1))), inputs=items, items=items, outputs=outputs, name="partition"
    )


def partition_strengths(
    groups: int = 4, size: int = 4, *, features: int | None = None, sigma: float = 4.0
) -> np.ndarray:
    """Singular values of Σyx of ``partition``, one per item, largest first: groups, then differences within groups.

    - table: √size/P for each group, 0 within groups
    - random, many features: s = √N3/(P√ζ), ζ = 1 + 1/σ² − m/(m + 1/σ²) for each group (m = ``size``),
      1 + 1/σ² within groups

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("partition", groups=2, size=2).round(4)
        array([0.3536, 0.3536, 0.    , 0.    ])

    Source: saxe2019 (partition).
    """
    groups, size = check.whole("groups", groups), check.whole("size", size)
    check.size("groups and size", groups, size, groups, size)
    items = groups * size
    among = np.arange(items) < groups
    if features is None:
        return np.where(among, size**0.5 / items, 0.0)
    own = 1 / check.scale("sigma", sigma) ** 2
    return field_strengths(1 + own - np.where(among, size / (size + own), 0.0), items, features)


def ordering(count: int = 8, *, features: int | None = None, sigma: float = 4.0, seed: int = 0) -> Task:
    """One-hot items in an order, such as size: neighbours are similar, the ends are not.

    The table (``features=None``): a staircase, property k is held by item k and all after it.
    Random (``features=n``): Gaussian features that vary smoothly along the order, see ``graph``.

    Args:
        count: number of items, ≥ 1.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.ordering(3).y
        array([[1., 0., 0.],
               [1., 1., 0.],
               [1., 1., 1.]])

    Source: saxe2019 (ordering).
    """
    count = check.whole("count", count)
    check.size("count", count, count)
    if features is not None:
        import networkx as nx

        path = nx.path_graph([f"item {i + 1}" for i in range(count)])
        return graph(path, features, sigma, seed, name="ordering")
    outputs = [f"at least {k + 1}" for k in range(count)]
    return one_hot(np.tril(np.ones((count, count))), outputs=outputs, name="ordering")


def ordering_strengths(count: int = 8, *, features: int | None = None, sigma: float = 4.0) -> np.ndarray:
    """Singular values of Σyx of ``ordering``, one per item, largest first.

    - table: s_k = 1/(2P sin((2k−1)π/(4P+2))), k = 1, …, P
    - random, many features: s_k = √N3/(P√ζ_k), ζ_k = 2 − 2cos(πk/P) + 1/σ²

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("ordering", 4).round(4)
        array([0.7198, 0.25  , 0.1632, 0.133 ])

    Source: saxe2019 (ordering).
    """
    count = check.whole("count", count)
    check.size("count", count, count)
    if features is not None:
        waves = 2 - 2 * np.cos(np.pi * np.arange(count) / count)
        return field_strengths(waves + 1 / check.scale("sigma", sigma) ** 2, count, features)
    return 1 / (2 * count * np.sin((2 * np.arange(1, count + 1) - 1) * np.pi / (4 * count + 2)))


def _profile(count: int, profile: Sequence[float] | np.ndarray | None) -> np.ndarray:
    """A bump over the ring; the default rises from 0 to 1 in equal steps, cut to two decimals as in the table."""
    if profile is not None:
        array = check.numbers("profile", profile)
        if array.shape != (count,):
            raise ValueError(f"profile has shape {array.shape} for {count} items; give one value per item.")
        return array
    height = np.minimum(np.arange(count), np.arange(count)[::-1])
    return (100 * height // height.max()) / 100


def ring(
    count: int = 8,
    *,
    features: int | None = None,
    sigma: float = 4.0,
    seed: int = 0,
    shifts: int | None = None,
    profile: Sequence[float] | np.ndarray | None = None,
) -> Task:
    """One-hot items on a ring: neighbours are similar, and there is no first and no last item.

    The table (``features=None``): one property that all have, then ``shifts`` copies of a bump, each one item further
    on. For 8 items and 14 shifts it has the 15 properties that the context task uses.
    Random (``features=n``): Gaussian features that vary smoothly along the ring, see ``graph``.

    Args:
        count: number of items, ≥ 3.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.
        shifts: copies of the bump in the table; None: 2·count − 2, as many properties as a hierarchy has.
        profile: the bump, one value per item; None: up in equal steps from 0 to 1 and down again.

    Raises:
        ValueError: fewer than three items, or a profile of another length.

    Example:
        >>> import festina as fs
        >>> fs.tasks.ring().y[:, 1]
        array([0.  , 0.33, 0.66, 1.  , 1.  , 0.66, 0.33, 0.  ])

    Source: saxe2019 (ring); jarvis2025 App. F (the table of 8 items).
    """
    count = check.whole("count", count, least=3)
    check.size("count", count, 2 * count)
    if features is not None:
        import networkx as nx

        around = nx.cycle_graph([f"item {i + 1}" for i in range(count)])
        return graph(around, features, sigma, seed, name="ring")
    bump = _profile(count, profile)
    shifts = 2 * count - 2 if shifts is None else check.whole("shifts", shifts)
    check.size("shifts", shifts, count)
    rows = [np.ones(count), *(np.roll(bump, k) for k in range(shifts))]
    outputs = ["common", *(f"bump {k + 1}" for k in range(shifts))]
    return one_hot(np.column_stack(rows), outputs=outputs, name="ring")


def ring_strengths(
    count: int = 8,
    *,
    features: int | None = None,
    sigma: float = 4.0,
    shifts: int | None = None,
    profile: Sequence[float] | np.ndarray | None = None,
) -> np.ndarray:
    """Singular values of Σyx of ``ring``, one per item, largest first: Fourier modes k, in pairs ±k.

    - random, many features: s_k = √N3/(P√ζ_k), ζ_k = 2 − 2cos(2πk/P) + 1/σ²
    - table in which every shift occurs m times: s_k = √(m|p̂_k|² + P δ_k0)/P, p̂ the Fourier transform of the bump

    Raises:
        ValueError: a table in which shifts do not occur equally often: it is not invariant under rotation, so its modes
            are no Fourier modes; take ``task.statistics.strengths``.

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("ring", 5, features=2500, sigma=2.0).round(3)
        array([20.   ,  7.828,  7.828,  5.085,  5.085])

    Source: saxe2019 (ring).
    """
    count = check.whole("count", count, least=3)
    check.size("count", count, 2 * count)
    if features is not None:
        waves = 2 - 2 * np.cos(2 * np.pi * np.arange(count) / count)
        return field_strengths(waves + 1 / check.scale("sigma", sigma) ** 2, count, features)
    shifts = 2 * count - 2 if shifts is None else check.whole("shifts", shifts)
    check.size("shifts", shifts, count)
    if shifts % count:
        raise ValueError(
            f"shifts is {shifts} for {count} items: shifts occur unequally often, so modes are no Fourier modes; give "
            f"a multiple of {count}, or take fs.tasks.ring(...).statistics.strengths."
        )
    powers = shifts // count * np.abs(np.fft.fft(_profile(count, profile))) ** 2
    powers[0] += count
    return np.sort(np.sqrt(powers) / count)[::-1]


def grid(
    rows: int = 4, columns: int = 4, features: int = 1000, sigma: float = 4.0, seed: int = 0, *, periodic: bool = False
) -> Task:
    """One-hot items on a two-dimensional grid; Gaussian features vary smoothly along both directions.

    Args:
        rows, columns: size of the grid, ≥ 1 each (≥ 3 where periodic).
        features: number of independent features.
        sigma, seed: see ``graph``.
        periodic: close both directions into rings (a torus).

    Example:
        >>> import festina as fs
        >>> fs.tasks.grid(3, 4, features=500)
        Task('grid': 12 items, 12 inputs, 500 outputs)

    Source: saxe2019 (grid).
    """
    import networkx as nx

    rows, columns = _sides(rows, columns, periodic)
    lattice = nx.grid_2d_graph(rows, columns, periodic=periodic)
    names = {at: f"row {at[0] + 1} column {at[1] + 1}" for at in lattice}
    return graph(nx.relabel_nodes(lattice, names), features, sigma, seed, name="grid")


def grid_strengths(rows: int, columns: int, features: int, sigma: float = 4.0, *, periodic: bool = False) -> np.ndarray:
    """Singular values of Σyx of ``grid`` for many features, largest first: products of waves along both directions.

    s = √N3/(P√ζ),  ζ = ω_k(rows) + ω_l(columns) + 1/σ²,

    where ω_k(n) = 2 − 2cos(πk/n) between open ends (cosine waves) and 2 − 2cos(2πk/n) on a torus (Fourier waves).

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("grid", 2, 2, features=1600, sigma=2.0).round(3)
        array([20.   ,  6.667,  6.667,  4.851])

    Source: saxe2019 (grid).
    """
    rows, columns = _sides(rows, columns, periodic)
    turn = 2 * np.pi if periodic else np.pi
    first, second = (2 - 2 * np.cos(turn * np.arange(n) / n) for n in (rows, columns))
    precisions = np.add.outer(first, second).ravel() + 1 / check.scale("sigma", sigma) ** 2
    return field_strengths(precisions, rows * columns, features)


def _sides(rows: int, columns: int, periodic: bool) -> tuple[int, int]:
    # a ring of two items would tie them twice, a ring of one to itself
    least = 3 if check.flag("periodic", periodic) else 1
    rows, columns = check.whole("rows", rows, least), check.whole("columns", columns, least)
    check.size("rows and columns", rows, columns, rows, columns)
    return rows, columns


def dimensions(
    sizes: Sequence[int] = (2, 2, 2), *, features: int | None = None, sigma: float = 4.0, seed: int = 0
) -> Task:
    """One-hot items, one for every combination of values on several dimensions: each dimension cuts across the others.

    The table (``features=None``): one property per value of each dimension.
    Random (``features=n``): Gaussian features; items of the same value hang on one latent node, see ``graph``.

    Args:
        sizes: number of values of each dimension, ≥ 1 each.
        features: number of random features; None gives the table.
        sigma, seed: of the random features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.dimensions((2, 3))
        Task('dimensions': 6 items, 6 inputs, 5 outputs)

    Source: saxe2019 (cross-cutting structure).
    """
    sizes = _sizes(sizes)
    points = list(np.ndindex(*sizes))
    items = [".".join(str(i + 1) for i in point) for point in points]
    outputs = [f"dimension {d + 1} value {v + 1}" for d, n in enumerate(sizes) for v in range(n)]
    table = np.hstack([np.eye(n)[[point[d] for point in points]] for d, n in enumerate(sizes)])
    if features is not None:
        import networkx as nx

        drawn = nx.Graph()
        drawn.add_nodes_from(items)
        drawn.add_edges_from((items[i], outputs[k]) for i, k in np.argwhere(table))
        return graph(drawn, features, sigma, seed, items=items, name="dimensions")
    return one_hot(table, inputs=items, items=items, outputs=outputs, name="dimensions")


def dimensions_strengths(
    sizes: Sequence[int] = (2, 2, 2), *, features: int | None = None, sigma: float = 4.0
) -> np.ndarray:
    """Singular values of Σyx of ``dimensions``, one per item, largest first.

    With m_d = P/n_d items per value of dimension d (n_d values):
    - table: √(Σ_d m_d)/P once, √m_d/P for the n_d − 1 contrasts of dimension d, 0 for combinations
    - random, many features: s = √N3/(P√ζ), ζ = K + 1/σ² − Σ m_d/(m_d + 1/σ²). The sum is over all K dimensions for the
    mean of all items, over one dimension for its contrasts, and empty for combinations

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("dimensions", (2, 2)).round(4)
        array([0.5   , 0.3536, 0.3536, 0.    ])

    Source: saxe2019 (cross-cutting structure).
    """
    sizes = _sizes(sizes)
    items = int(np.prod(sizes))
    members = items / np.array(sizes)
    contrasts = [k for k, n in enumerate(sizes) for _ in range(n - 1)]
    rest = items - 1 - len(contrasts)
    if features is None:
        powers = np.concatenate([[members.sum()], members[contrasts], np.zeros(rest)])
        return np.sort(np.sqrt(powers) / items)[::-1]
    own = 1 / check.scale("sigma", sigma) ** 2
    tied = members / (members + own)
    shared = np.concatenate([[tied.sum()], tied[contrasts], np.zeros(rest)])
    return field_strengths(len(sizes) + own - shared, items, features)


def _sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    found = tuple(check.whole("sizes", n) for n in check.listing("sizes", sizes, "whole numbers"))
    if not found:
        raise ValueError("sizes is empty; give the number of values of at least one dimension.")
    check.size("sizes", *found, *found)
    return found


def check_tree(branching: int, depth: int, flip: float) -> tuple[int, int, float]:
    """Branching, depth and chance of a flip, checked."""
    branching, depth = check.whole("branching", branching, least=2), check.whole("depth", depth)
    leaves = min(branching, 2**64) ** min(depth, 64)
    check.size("branching and depth", leaves, leaves)
    return branching, depth, check.share("flip", flip)


def tree_levels(branching: int, depth: int) -> np.ndarray:
    """The level of the tree that each mode of ``tree`` resolves, in the order of ``tree_strengths``.

    Level 0 once (what all items share), level l ≥ 1 with M_{l−1}(B−1) modes, which tell children of a node at level
    l−1 apart.

    Example:
        >>> tree_levels(branching=2, depth=3)
        array([0, 1, 2, 2, 3, 3, 3, 3])

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, _ = check_tree(branching, depth, 0.0)
    counts = [1] + [branching ** (level - 1) * (branching - 1) for level in range(1, depth + 1)]
    return np.repeat(np.arange(depth + 1), counts)


def tree_wavelets(branching: int, depth: int) -> np.ndarray:
    """Eigenvectors of the items' similarity, one per column, in the order of ``tree_strengths``.

    A wavelet of level l is supported on the leaves below one node at level l−1, constant below each of its children
    and zero on average. Within a level any rotation is as good: compare subspaces.

    Returns:
        An orthogonal matrix (items, modes).

    Example:
        >>> tree_wavelets(branching=2, depth=2).shape
        (4, 4)
        >>> (tree_wavelets(2, 2)[:, 1] > 0).tolist()
        [False, False, True, True]

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, _ = check_tree(branching, depth, 0.0)
    items = branching**depth
    # contrasts between the children of one node: an orthonormal basis of the complement of the constant
    frame = np.linalg.qr(np.column_stack([np.ones(branching), np.eye(branching)[:, 1:]]))[0]
    columns = [np.full((items, 1), items**-0.5)]
    for level in range(1, depth + 1):
        leaves = items // branching**level
        block = np.kron(frame[:, 1:], np.full((leaves, 1), leaves**-0.5))
        columns.append(np.kron(np.eye(branching ** (level - 1)), block))
    return np.hstack(columns)


def tree(branching: int = 2, depth: int = 3, flip: float = 0.1, features: int = 1000, seed: int = 0) -> Task:
    """branching^depth one-hot items at the leaves of a tree; each feature is ±1 and may flip on every branch.

    A feature is drawn once at the root (+1 or −1, equally likely) and handed down: along each branch it changes sign
    with probability ``flip``. Items share as much as their common ancestry is long, E[y_i y_j] = (1−2ε)^{2(D−k)} for
    items whose last common ancestor is at level k. The singular values that this gives are ``tree_strengths``.

    Args:
        branching: children per node B, ≥ 2.
        depth: number of branchings D, ≥ 1.
        flip: probability ε of a change of sign along one branch, between 0 and 1.
        features: number of independent features; singular values fluctuate like 1/√features.
        seed: draws the features.

    Example:
        >>> import festina as fs
        >>> fs.tasks.tree(branching=2, depth=2, flip=0.1, features=500)
        Task('tree': 4 items, 4 inputs, 500 outputs)

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, flip = check_tree(branching, depth, flip)
    features, rng = check.whole("features", features), np.random.default_rng(check.seed("seed", seed))
    check.size("features", branching**depth, features)
    values = rng.choice((-1.0, 1.0), (1, features))
    for _ in range(depth):
        values = np.repeat(values, branching, axis=0)
        values = np.where(rng.random(values.shape) < flip, -values, values)
    items = [".".join(str(i + 1) for i in leaf) for leaf in np.ndindex(*(branching,) * depth)]
    outputs = [f"feature {i + 1}" for i in range(features)]
    return one_hot(values, inputs=items, items=items, outputs=outputs, name="tree")


def tree_strengths(branching: int, depth: int, flip: float, features: int) -> np.ndarray:
    """Singular values of Σyx of ``tree`` for many features, one per mode, largest first.

    s_l = √(N3 λ_l)/P,  λ_l = P Σ_{k≥l} Δ_k/M_k,  Δ_0 = q_0,  Δ_k = q_k − q_{k−1},  q_k = (1−2ε)^{2(D−k)},

    where P = B^D items, M_k = B^k nodes at level k, N3 = ``features`` and λ_l is the eigenvalue of the items'
    similarity E[YYᵀ]/N3 at level l. ``tree_levels`` says which level a mode belongs to.

    Args:
        branching, depth, flip, features: as in ``tree``.

    Returns:
        P singular values; zeros stay (flip=0 leaves only what all items share).

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("tree", branching=2, depth=2, flip=0.1, features=1000).round(2)
        array([12.4 ,  7.16,  4.74,  4.74])

    Source: saxe2019 (hierarchically structured data).
    """
    branching, depth, flip = check_tree(branching, depth, flip)
    features = check.whole("features", features)
    level = np.arange(depth + 1)
    similarity = (1 - 2 * flip) ** (2.0 * (depth - level))
    gained = np.diff(similarity, prepend=0.0) / float(branching) ** level
    items = branching**depth
    eigenvalues = items * np.cumsum(gained[::-1])[::-1]
    return np.sqrt(features * eigenvalues[tree_levels(branching, depth)]) / items


KNOWN = {
    "dimensions": dimensions_strengths, "graph": graph_strengths, "grid": grid_strengths,
    "ordering": ordering_strengths, "partition": partition_strengths, "ring": ring_strengths, "tree": tree_strengths,
}  # fmt: skip
"""Closed forms by the name of the task; each file of a task derives its own."""


def mode_strengths(structure: str, *arguments: Any, **settings: Any) -> np.ndarray:
    """Singular values of Σyx of a structured task in closed form, largest first, one per item.

    They say when each distinction will be learned before any data are drawn. For random features they hold in the limit
    of many features; for a table of properties they are exact.

    Args:
        structure: the name of the task: ``"dimensions"``, ``"graph"``, ``"grid"``, ``"ordering"``, ``"partition"``,
            ``"ring"`` or ``"tree"``.
        arguments: those of ``fs.tasks.<structure>``, by position.
        settings: those of ``fs.tasks.<structure>``, by name, without ``seed``.

    Returns:
        One singular value per item; zeros stay.

    Raises:
        ValueError: a structure whose modes are not known, or settings that the task does not have.

    Example:
        >>> import festina as fs
        >>> fs.tasks.mode_strengths("tree", branching=2, depth=2, flip=0.1, features=1000).round(2)
        array([12.4 ,  7.16,  4.74,  4.74])
        >>> fs.tasks.mode_strengths("dimensions", (2, 2)).round(4)
        array([0.5   , 0.3536, 0.3536, 0.    ])

    Source: saxe2019 (hierarchically structured data, cross-cutting structure, ring).
    """
    find = KNOWN[check.known("structure", structure, KNOWN)]
    try:
        return find(*arguments, **settings)
    except TypeError as error:
        raise ValueError(f"settings do not fit {structure!r}: {error}.") from None
