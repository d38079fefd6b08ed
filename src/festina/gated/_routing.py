"""Short description of the routing network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from festina.checks import check
from festina.initial import Initial
from festina.tasks import routing_pairs

if TYPE_CHECKING:
    from festina.gated._network import Gated


def routing(
    domains: int = 7,
    trained: int = 4,
    hidden: int = 64,
    *,
    items: int = 4,
    features: int = 7,
    initial: Initial,
) -> Gated:
    """Encoders of M domains, one shared hidden edge, decoders of M domains; only trained pairs are opened.

    Its data points are those of ``fs.tasks.routing(domains, trained)``; with ``trained=domains`` the same weights are
    tested on every pair.

    Args:
        domains: M.
        trained: K, output domains trained for each input domain.
        hidden: width of both hidden nodes.
        items: items of a domain.
        features: features of a domain.
        initial: where the weights start.

    Example:
        >>> import festina as fs
        >>> network = fs.gated.routing(3, 2, 8, initial=fs.initial.Orthogonal(0.2))
        >>> task = fs.tasks.routing(3, 2)
        >>> len(task.statistics(network).paths)
        6

    Source: saxe2022; saxe_lecture "Example: Routing network".
    """
    import networkx as nx

    from festina.gated._network import Gated

    given = {"domains": domains, "trained": trained, "items": items, "features": features, "hidden": hidden}
    for name, value in given.items():
        check.whole(name, value)
    check.size("domains, trained, items and features", domains, trained, items, domains, max(items, features))
    pairs = np.repeat(routing_pairs(domains, trained), items, axis=0)
    graph = nx.DiGraph()
    graph.add_node("encoded", width=hidden)
    graph.add_node("decoded", width=hidden)
    graph.add_edge("encoded", "decoded")
    gates: dict = {"encoded": 1, "decoded": 1}
    for i in range(domains):
        graph.add_node(f"x {i + 1}", columns=range(i * items, (i + 1) * items))
        graph.add_node(f"y {i + 1}", columns=range(i * features, (i + 1) * features))
        graph.add_edges_from([(f"x {i + 1}", "encoded"), ("decoded", f"y {i + 1}")])
        gates[f"x {i + 1}"] = (pairs[:, 0] == i).astype(float)
        gates[f"y {i + 1}"] = (pairs[:, 1] == i).astype(float)
    return Gated(graph, gates, initial=initial)
