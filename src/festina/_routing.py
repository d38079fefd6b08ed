"""Which pairs of domains are trained when items are translated between domains, and what the items are."""

import numpy as np

from festina import _check

ITEMS = 4
FEATURES = np.vstack([6 * np.ones((1, 4)), [[4, 4, 0, 0], [0, 0, 4, 4]], 3 * np.eye(4)])
"""Features of the four items of a domain: one that all share, one per pair, one per item."""


def routing_pairs(domains: int, trained: int) -> np.ndarray:
    """Trained pairs (input domain i, output domain i + j mod M) for j = −⌊(K−1)/2⌋ … ⌊K/2⌋, one per row.

    Example:
        >>> routing_pairs(domains=3, trained=2).tolist()
        [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 0]]
    """
    domains = _check.whole("domains", domains)
    trained = _check.whole("trained", trained)
    if trained > domains:
        raise ValueError(
            f"trained is {_check.shown(trained)} with {domains} domains; at most one output domain each can be trained."
        )
    _check.size("domains and trained", domains, trained, ITEMS, domains, len(FEATURES))
    shifts = range(-((trained - 1) // 2), trained // 2 + 1)
    return np.array([(i, (i + j) % domains) for i in range(domains) for j in shifts])
