"""ReLU networks of known modules, copied from gated teachers, beside idle and noisy units."""

from itertools import combinations, pairwise

import numpy as np

NOISE = 0.02
"""Outgoing weights of noisy units, relative to those of units that work: they blur every output a little."""


def teacher(seed, layers=1):
    """Weights, inputs, and for every hidden layer the set of its gating patterns.

    Inputs are positive features and a context, one of several. The units of a module read random features and are shut
    in the contexts in which the teacher's gate is. In the second layer units read the modules of the first, which are
    on in one context each.
    """
    rng = np.random.default_rng(seed)
    contexts, features = int(rng.integers(3, 5)), int(rng.integers(5, 9))
    each = int(rng.integers(10, 16))
    context = np.repeat(np.arange(contexts), each)
    x = np.hstack([rng.uniform(0.2, 1, (len(context), features)), np.eye(contexts)[context]])
    weights, patterns = [], []
    h, inside = x, np.vstack([np.zeros((features, contexts)), np.eye(contexts)])
    for layer in range(layers):
        last = layer == layers - 1
        sets = _subsets(rng, contexts) if last else [(c,) for c in range(contexts)]
        rows = []
        for subset in sets:
            shut = np.ones(contexts)
            shut[list(subset)] = 0
            for _ in range(int(rng.integers(3, 7))):
                rows.append(rng.uniform(0.2, 1, h.shape[1]) - 10 * h.shape[1] * (inside @ shut))
        working = len(rows)
        # noisy units have gates of their own, idle ones are never on
        rows += [rng.standard_normal(h.shape[1]) for _ in range(2)]
        rows += [-rng.uniform(0.1, 1, h.shape[1]) for _ in range(3)]
        matrix = np.array(rows)
        largest = (matrix @ h.T).max(axis=1, keepdims=True)
        matrix /= np.where(largest > 0, largest / 2, 1.0)
        activity = np.maximum(h @ matrix.T, 0)
        # what noisy units add is small for every reader
        activity[:, working : working + 2] *= NOISE
        matrix[working : working + 2] *= NOISE
        order = rng.permutation(len(matrix))
        weights.append(matrix[order])
        patterns.append({tuple(np.isin(context, subset).tolist()) for subset in sets})
        means = np.array([activity[context == c].mean(axis=0) for c in range(contexts)]).T
        inside = (means / np.maximum(means.max(axis=1, keepdims=True), 1e-12))[order]
        inside[np.argsort(order)[working:]] = 0
        h = activity[:, order]
    weights.append(rng.standard_normal((4, h.shape[1])))
    return weights, x, patterns


def _subsets(rng, contexts):
    """Two to four different sets of contexts; each context is in one, or what serves it alone would have no effect."""
    known = [s for size in range(1, contexts + 1) for s in combinations(range(contexts), size)]
    while True:
        found = [known[i] for i in rng.permutation(len(known))[: rng.integers(2, 5)]]
        if len(set().union(*found)) == contexts:
            return found


def outputs(weights, x):
    for matrix in weights[:-1]:
        x = np.maximum(x @ matrix.T, 0)
    return x @ weights[-1].T


def found_patterns(layer):
    return {tuple((gate > 0.5).tolist()) for gate in layer.gates}


def random_network(seed):
    """Gaussian weights and inputs: nothing is shared."""
    rng = np.random.default_rng(seed)
    sizes = (int(rng.integers(8, 20)), int(rng.integers(40, 80)), 4)
    weights = [rng.standard_normal((b, a)) / np.sqrt(a) for a, b in pairwise(sizes)]
    return weights, rng.standard_normal((300, sizes[0]))
