"""The forward pass of feed-forward networks, what training descends and what is observed (JAX)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from festina.checks.shapes import Array, Tree
from festina.core.network import Context, Data, leaves, mean_loss
from festina.representation._architecture import Architecture, Layers

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "relu": jax.nn.relu,
    "elu": jax.nn.elu,
    "gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "sigmoid": jax.nn.sigmoid,
    "swish": jax.nn.swish,
    "tanh": jnp.tanh,
    "linear": lambda x: x,
}


def activation_of(network: Architecture) -> Callable[[Any], Any]:
    """The activation between the layers of a network."""
    if network.activation != "leaky relu":
        return FUNCTIONS[network.activation]
    # at zero the slope is that of the left side, as in PyTorch: with zero biases an input of zero is always there
    return lambda x: jnp.where(x > 0, x, network.negative_slope * x)


class Pass(NamedTuple):
    """Outputs, the representation in every hidden layer, and what went into every layer."""

    outputs: Any
    hidden: tuple[Any, ...]
    inputs: tuple[Any, ...]


class Taps(NamedTuple):
    """Zeros added to pre-activations and to the representation in one layer, to differentiate by."""

    pre: Any
    post: Any
    layer: int


def convolve(a: Array, weight: Array) -> Array:
    """Channels (points, in, pixels) under kernels (out, in, pixels of a kernel), without padding, as one product.

    Kernels that differ from seed to seed are then a batch of products; a GPU's convolutions would be one per seed.
    """
    pixels = a.shape[2] - weight.shape[2] + 1
    windows = jnp.stack([a[:, :, k : k + pixels] for k in range(weight.shape[2])], axis=2)
    return jnp.einsum("ock,nckp->nop", weight, windows)


def forward(
    network: Architecture, layers: Layers, x: Array, key: Array | None = None, taps: Taps | None = None
) -> Pass:
    """Run points (points, inputs) through the network; with a key, units are dropped.

    ``taps`` are arrays added to the pre-activations of the layers and, last, to one hidden layer's representation:
    derivatives by them are what tangent kernels are made of.
    """
    weights, biases = layers
    act, last = activation_of(network), len(weights) - 1
    hidden, inputs = [], []
    a: Any = x
    for i, weight in enumerate(weights):
        if key is not None and network.dropout > 0:
            kept = jax.random.bernoulli(jax.random.fold_in(key, i), 1 - network.dropout, a.shape)
            a = jnp.where(kept, a / (1 - network.dropout), 0.0)
        if weight.ndim == 3:
            a = a.reshape(len(x), weight.shape[1], -1)
            inputs.append(a)
            a = convolve(a, jnp.asarray(weight))
            a = a + biases[i][:, None] if biases else a
        else:
            a = a.reshape(len(x), -1)
            inputs.append(a)
            a = a @ weight.T + biases[i] if biases else a @ weight.T
        if taps is not None:
            a = a + taps.pre[i]
        if i < last:
            a = act(a)
            if network.skip and i > 1:
                a = a + hidden[-2]
            if taps is not None and i == taps.layer:
                a = a + taps.post
            hidden.append(a)
    return Pass(a, tuple(h.reshape(len(x), -1) for h in hidden), tuple(inputs))


@dataclass(frozen=True)
class Forward:
    """The forward pass ``(weights, x) -> outputs``."""

    network: Architecture

    def __call__(self, weights: Tree, x: Array) -> Array:
        """Outputs, (points, outputs)."""
        return forward(self.network, jax.tree.map(jnp.asarray, weights), jnp.asarray(x)).outputs


@dataclass(frozen=True)
class Loss:
    """The mean loss; with a key, units are dropped."""

    network: Architecture

    def __call__(self, weights: Tree, data: Data, key: Array | None) -> Array:
        """L = 1/(2N) Σ ‖y − ŷ‖²."""
        return mean_loss(lambda layers, x: forward(self.network, layers, x, key).outputs, weights, data)


@dataclass(frozen=True)
class Observed:
    """Everything that can be observed of a feed-forward network's weights."""

    network: Architecture

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables on these data; ``observed`` are the inputs of the observed items."""
        i, j = np.triu_indices(len(context["observed"]), 1)

        def seen(weights: Tree) -> Pass:
            layers: Layers = jax.tree.map(jnp.asarray, weights)
            return forward(self.network, layers, jnp.asarray(context["observed"]))

        def hidden(weights: Tree) -> tuple[Array, ...]:
            found = seen(weights).hidden
            return tuple(found[layer] for layer in self.network.layers)

        return {
            "loss": lambda weights: Loss(self.network)(jax.tree.map(jnp.asarray, weights), context["data"], None),
            "outputs": lambda weights: Forward(self.network)(weights, context["data"].x),
            "weights": leaves,
            "item_outputs": lambda weights: seen(weights).outputs,
            "hidden": hidden,
            "distances": lambda weights: jnp.stack([jnp.sum((h[i] - h[j]) ** 2, axis=-1) for h in hidden(weights)]),
        }
