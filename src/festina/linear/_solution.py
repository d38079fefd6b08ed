"""All that follows from known weights of a deep linear network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from festina.analysis.kernel import distance, parts, views
from festina.checks.shapes import Weights
from festina.core import Layered, Solution, Start, Task


def extend(found: Mapping[str, Callable[[], Any]], network: Layered, task: Task, start: Start, count: int) -> Solution:
    """A solution whose ``weights`` are known at ``count`` times, with all that follows from them."""
    context = network.context(task)
    x = context["data"].x

    def weights() -> Weights:
        return found["weights"]()

    def path() -> list[Weights]:
        layers = with_biases(network, start, weights())
        return [tuple(layer[t] for layer in layers) for t in range(count)]

    if network.bias:
        known = {"weights": lambda: with_biases(network, start, weights())} if "weights" in found else {}
        return Solution({**found, **known}, path=path)

    def moved() -> np.ndarray:
        own = network.without_bias(start.weights)
        return np.maximum(distance(parts(own, x), parts(weights(), x)), 0.0)

    more = {name: (lambda see=see: see(weights())) for name, see in views(context).items()}
    return Solution({**more, "kernel_distance": moved, **found}, path=path)


def with_biases(network: Layered, start: Start, layers: Weights) -> Weights:
    """Layers over time in the network's own shape: biases that a closed form leaves out stay where they start."""
    if not network.bias or layers[0].shape[-1] == start.weights[0].shape[-1]:
        return layers
    columns = [np.broadcast_to(w[:, -1:], (*a.shape[:-1], 1)) for w, a in zip(start.weights, layers, strict=True)]
    return tuple(np.concatenate(pair, axis=-1) for pair in zip(layers, columns, strict=True))
