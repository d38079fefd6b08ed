"""Items on a grid."""

import numpy as np

from festina.checks import check
from festina.core.task import Task
from festina.tasks._graph import field_strengths, graph


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
