"""How often planted modules are found, by ``fs.explain`` and by three rivals that are told how many there are.

python benchmarks/explain_planted.py --networks 50

Rivals are written with scikit-learn alone: k-means on gates, k-means on weights, non-negative factors of activity.
A network counts as found if the gating patterns of the groups are exactly those planted, in every hidden layer. The
second number is the adjusted Rand index of the units that work, mean over networks and layers.
"""

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF
from sklearn.metrics import adjusted_rand_score

import festina as fs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "explanation"))
from planted import found_patterns, outputs, random_network, teacher  # pyright: ignore[reportMissingImports]

RESTARTS = 10


def k_means(rows: np.ndarray, count: int) -> np.ndarray:
    """The best of several starts."""
    return KMeans(count, n_init=cast(Any, RESTARTS), random_state=0).fit_predict(rows)


def by_gates(h: np.ndarray, incoming: np.ndarray, outgoing: np.ndarray, count: int) -> np.ndarray:
    """k-means on when units are on."""
    return k_means((h > 0).T.astype(float), count)


def by_weights(h: np.ndarray, incoming: np.ndarray, outgoing: np.ndarray, count: int) -> np.ndarray:
    """k-means on directions of incoming and outgoing weights."""
    parts = [w / np.linalg.norm(w, axis=1, keepdims=True).clip(1e-12) for w in (incoming, outgoing.T)]
    return k_means(np.hstack(parts), count)


def by_factors(h: np.ndarray, incoming: np.ndarray, outgoing: np.ndarray, count: int) -> np.ndarray:
    """Non-negative factors of activity; a unit belongs to the factor on which it loads most."""
    found = NMF(cast(Any, count), init="nndsvda", max_iter=2000, random_state=0).fit(h).components_
    return (found / np.linalg.norm(found, axis=1, keepdims=True).clip(1e-12)).argmax(axis=0)


RIVALS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]] = {
    "clusters of gates": by_gates,
    "clusters of weights": by_weights,
    "factors of activity": by_factors,
}


def rival(name: str, weights: list[np.ndarray], x: np.ndarray, patterns: list[set]) -> tuple[bool, list[float]]:
    """Whether all layers have the planted patterns, and the agreement of units in each."""
    right, scores, h = True, [], x
    for layer, planted in enumerate(patterns):
        h = np.maximum(h @ weights[layer].T, 0)
        # units that are off everywhere belong to no group, for any method
        alive = np.flatnonzero(h.any(axis=0))
        labels = RIVALS[name](h[:, alive], weights[layer][alive], weights[layer + 1][:, alive], len(planted))
        strength = np.sqrt((h[:, alive] ** 2).mean(axis=0)) * np.linalg.norm(weights[layer + 1][:, alive], axis=0)
        gates = set()
        for group in range(len(planted)):
            own = labels == group
            share = (h[:, alive][:, own] > 0) @ strength[own] / max(strength[own].sum(), 1e-300)
            gates.add(tuple((share > 0.5).tolist()))
        right &= gates == planted
        scores.append(agreement(h[:, alive], labels, planted))
    return right, scores


def agreement(h: np.ndarray, labels: np.ndarray, planted: set) -> float:
    """Adjusted Rand index over the units that have a planted gate."""
    names = {pattern: i for i, pattern in enumerate(sorted(planted))}
    truth = np.array([names.get(tuple(row), -1) for row in (h > 0).T.tolist()])
    return float(adjusted_rand_score(truth[truth >= 0], labels[truth >= 0]))


def ours(weights: list[np.ndarray], x: np.ndarray, patterns: list[set]) -> tuple[bool, list[float]]:
    """The same for ``fs.explain``, which chooses the number."""
    found = fs.explain(weights, x, outputs(weights, x))
    right, scores, h = True, [], x
    for matrix, layer, planted in zip(weights, found.layers, patterns, strict=False):
        h = np.maximum(h @ matrix.T, 0)
        right &= layer.verdict == "shared" and found_patterns(layer) == planted and len(layer.modules) == len(planted)
        labels = np.full(h.shape[1], -1)
        for module in layer.modules:
            labels[module.units] = module.number
        scores.append(agreement(h, labels, planted))
    return right, scores


def main() -> None:
    """Print a table of networks found and agreement of units, and the verdicts on random networks."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--networks", type=int, default=50)
    count = parser.parse_args().networks
    for layers in (1, 2):
        drawn = [teacher(seed, layers) for seed in range(count)]
        print(f"{layers} hidden layer(s) of planted modules:")
        for name in ("fs.explain", *RIVALS):
            found = [ours(*one) if name == "fs.explain" else rival(name, *one) for one in drawn]
            score = np.mean([value for _, values in found for value in values])
            print(f"  {name}: {sum(right for right, _ in found)} of {count} networks, agreement of units {score:.3f}")
    none = 0
    for seed in range(10):
        weights, x = random_network(seed)
        none += fs.explain(weights, x, outputs(weights, x)).layers[0].verdict == "none"
    print(f"random networks that are said not to divide into a few modules: {none} of 10")


if __name__ == "__main__":
    main()
