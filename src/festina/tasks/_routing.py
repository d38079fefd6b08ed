"""Translation between domains that share a structure."""

import numpy as np

from festina.checks import check
from festina.core.task import Task

ITEMS = 4
FEATURES = np.vstack([6 * np.ones((1, 4)), [[4, 4, 0, 0], [0, 0, 4, 4]], 3 * np.eye(4)])
"""Features of the four items of a domain: one that all share, one per pair, one per item."""


def routing_pairs(domains: int, trained: int) -> np.ndarray:
    """Trained pairs (input domain i, output domain i + j mod M) for j = −⌊(K−1)/2⌋ … ⌊K/2⌋, one per row.

    Example:
        >>> routing_pairs(domains=3, trained=2).tolist()
        [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 0]]
    """
    domains = check.whole("domains", domains)
    trained = check.whole("trained", trained)
    if trained > domains:
        raise ValueError(
            f"trained is {check.shown(trained)} with {domains} domains; at most one output domain each can be trained."
        )
    check.size("domains and trained", domains, trained, ITEMS, domains, len(FEATURES))
    shifts = range(-((trained - 1) // 2), trained // 2 + 1)
    return np.array([(i, (i + j) % domains) for i in range(domains) for j in shifts])


def routing(domains: int = 7, trained: int = 4) -> Task:
    """M domains with four items each; K of the M output domains are trained for each input domain.

    A data point is an item of a trained pair: its one-hot among the inputs of its domain, its seven features among the
    outputs of the other. Entries of other domains are 0, and gated off in ``fs.gated.routing``.

    Args:
        domains: M ≥ 1.
        trained: K ≤ M; with ``trained=domains`` every pair is trained.

    Example:
        >>> import festina as fs
        >>> fs.tasks.routing(7, 4)
        Task('routing, 4 of 7 domains': 112 items, 28 inputs, 49 outputs)

    Source: saxe2022; saxe_lecture "Dataset".
    """
    pairs = routing_pairs(domains, trained)
    features = len(FEATURES)
    x = np.zeros((len(pairs) * ITEMS, domains * ITEMS))
    y = np.zeros((len(pairs) * ITEMS, domains * features))
    for k, (i, j) in enumerate(pairs):
        rows = slice(k * ITEMS, (k + 1) * ITEMS)
        x[rows, i * ITEMS : (i + 1) * ITEMS] = np.eye(ITEMS)
        y[rows, j * features : (j + 1) * features] = FEATURES.T
    items = [f"item {n + 1}, domain {i + 1} to {j + 1}" for i, j in pairs for n in range(ITEMS)]
    return Task(x, y, items=items, name=f"routing, {trained} of {domains} domains")
