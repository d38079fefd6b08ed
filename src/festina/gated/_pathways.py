"""Short descriptions of networks of parallel pathways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike
from festina.initial import Initial

if TYPE_CHECKING:
    from festina.gated._network import Gated


def pathways(
    gates: ArrayLike | Mapping[str, ArrayLike],
    hidden: int | Sequence[int],
    *,
    inputs: Sequence[object] | None = None,
    initial: Initial,
) -> Gated:
    """Parallel pathways of one hidden layer each, every one with its own gates and its own inputs.

    Args:
        gates: one row per pathway, one value per data point; or a mapping from names to such rows.
        hidden: width of each pathway: one number or one per pathway.
        inputs: for each pathway the columns of x it sees (a mask or numbers); None is all, for one or for every one.
        initial: where the weights start.

    Raises:
        ValueError: numbers of gates, widths and masks that differ.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.extended_xor(0.5)
        >>> fs.gated.pathways({"one": task.y[:, 0] > 0, "two": task.y[:, 0] < 0}, 8, initial=fs.initial.Gaussian(0.1))
        Gated(4 edges, 2 paths, hidden={'one': 8, 'two': 8}, Gaussian(std=0.1))

    Source: jarvis2025 section 3, Fig. 2.
    """
    import networkx as nx

    from festina.gated._network import Gated

    if isinstance(gates, Mapping):
        named = {str(name): row for name, row in gates.items()}
    else:
        rows = check.numbers("gates", gates)
        if rows.ndim != 2:
            raise ValueError(f"gates has shape {rows.shape}; one row per pathway is needed: (pathways, data points).")
        named = {f"pathway {i + 1}": row for i, row in enumerate(rows)}
    names = list(named)
    single = isinstance(hidden, int | np.integer)
    given = [hidden] * len(names) if single else check.listing("hidden", hidden, "widths")
    widths = [check.whole("hidden", width) for width in given]
    masks = [None] * len(names) if inputs is None else list(check.listing("inputs", inputs, "masks"))
    for name, given in (("hidden", widths), ("inputs", masks)):
        if len(given) != len(names):
            raise ValueError(f"{name} has {len(given)} values for {len(names)} pathways; give one each.")
    if not names:
        raise ValueError("gates is empty; give the gates of at least one pathway.")
    masks = [None if mask is None else _mask(mask) for mask in masks]
    graph = nx.DiGraph()
    for name, width, mask in zip(names, widths, masks, strict=True):
        graph.add_node(f"x of {name}", columns=mask)
        graph.add_node(name, width=width)
        graph.add_edges_from([(f"x of {name}", name), (name, "y")])
    return Gated(graph, named, initial=initial)


def _mask(mask: object) -> np.ndarray:
    """Columns of x as a mask or as numbers, at least one."""
    array = check.plain("inputs", mask)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "biu":
        raise ValueError(f"inputs holds {check.shown(mask)}; a mask or a list of column numbers is needed.")
    return array


def contextual(
    contexts: int,
    subsets: Sequence[tuple[int, ...]],
    hidden: int | Sequence[int],
    *,
    items: int = 8,
    initial: Initial,
) -> Gated:
    """Pathways for ``fs.tasks.context``: each open in a subset of contexts.

    The pathway that is open in all contexts ("common") sees items and contexts; the others see items only, because the
    context inputs of a unit determine its gate.

    Args:
        contexts: number of contexts C.
        subsets: for each pathway the contexts it is open in.
        hidden: width of each pathway.
        items: number of items.
        initial: where the weights start.

    Example:
        >>> import festina as fs
        >>> subsets = [(0, 1, 2), (0, 1), (0, 2), (1, 2)]
        >>> network = fs.gated.contextual(3, subsets, hidden=16, initial=fs.initial.Gaussian(1e-3))
        >>> [node.name for node in network.graph.hidden]
        ['common', 'on in 1, 2', 'on in 1, 3', 'on in 2, 3']

    Source: jarvis2025 section 4, Fig. 3.
    """
    contexts, items = check.whole("contexts", contexts), check.whole("items", items)
    check.size("contexts and items", contexts, items, contexts + items)
    subsets = [
        tuple(check.listing("subsets", subset, "contexts")) for subset in check.listing("subsets", subsets, "subsets")
    ]
    if not subsets:
        raise ValueError("subsets is empty; give the contexts of at least one pathway.")
    gates, masks = {}, []
    which = np.repeat(np.arange(contexts), items)
    for subset in subsets:
        if not subset or not all(isinstance(c, int | np.integer) and 0 <= c < contexts for c in subset):
            raise ValueError(f"subsets holds {subset!r}; contexts are numbered 0 to {contexts - 1}, at least one each.")
        everywhere = len(subset) == contexts
        name = "common" if everywhere else "on in " + ", ".join(str(c + 1) for c in sorted(subset))
        gates[name] = np.isin(which, subset).astype(float)
        masks.append(None if everywhere else range(items))
    if len(gates) != len(subsets):
        raise ValueError("subsets names a subset twice; give each once.")
    return pathways(gates, hidden, inputs=masks, initial=initial)
