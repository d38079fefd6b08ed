"""What training needs of an architecture, and what is followed in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from festina._network import Context, Data, mean_loss
from festina._types import Array
from festina.representation._architecture import Architecture
from festina.representation._module import Module


@dataclass(frozen=True)
class Loss:
    """The mean loss of an architecture; with a key, units are dropped as it says."""

    architecture: Architecture

    def __call__(self, weights: Any, data: Data, key: Any) -> Array:
        """L = 1/(2N) Σ ‖y − ŷ‖²."""
        return mean_loss(lambda net, x: Module(net[0], net[1], self.architecture)(x, key)[0], weights, data)


@dataclass(frozen=True)
class Watch:
    """``distances`` in the layers, ``outputs`` of the followed points, ``loss``; ``ends``: outputs and layers."""

    architecture: Architecture
    layers: tuple[int, ...]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables; ``shown`` and ``kept`` are the inputs of the points followed and kept at the ends."""
        i, j = np.triu_indices(len(context["shown"]), 1)

        def look(net: Any, x: Array) -> tuple[Array, ...]:
            outputs, hidden = Module(net[0], net[1], self.architecture)(x)
            return outputs, *(hidden[layer] for layer in self.layers)

        def distances(net: Any) -> Array:
            _, *hidden = look(net, context["shown"])
            return jnp.stack([jnp.sum((h[i] - h[j]) ** 2, axis=-1) for h in hidden])

        return {
            "distances": distances,
            "outputs": lambda net: look(net, context["shown"])[0],
            "loss": lambda net: Loss(self.architecture)(net, context["data"], None),
            "ends": lambda net: look(net, context["kept"]),
        }
