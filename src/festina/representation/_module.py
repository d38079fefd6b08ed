"""The architectures as equinox modules."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax

if TYPE_CHECKING:
    from festina.representation._architecture import Architecture

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    # at zero the slope is that of the left side, as in PyTorch: with zero biases an input of zero is always there
    "leaky relu": lambda x: jnp.where(x > 0, x, 0.01 * x),
    "relu": jax.nn.relu,
    "elu": jax.nn.elu,
    "tanh": jnp.tanh,
    "swish": jax.nn.swish,
    "linear": lambda x: x,
}


class Module(eqx.Module):
    """A network with weights: ``module(x)`` gives the outputs and the representation in every layer.

    ``x`` has shape (points, inputs); with a ``key`` units are dropped as the architecture says.
    """

    weights: tuple[Any, ...]
    biases: tuple[Any, ...]
    architecture: "Architecture" = eqx.field(static=True)

    def __call__(self, x: Any, key: Any = None) -> tuple[Any, tuple[Any, ...]]:
        act = FUNCTIONS[self.architecture.activation]
        last = len(self.weights) - 1
        a, hidden = x, []
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if key is not None and self.architecture.dropout > 0:
                a = eqx.nn.Dropout(self.architecture.dropout)(a, key=jax.random.fold_in(key, i))
            if weight.ndim == 3:
                a = _convolve(a.reshape(len(x), weight.shape[1], -1), weight) + bias[:, None]
            else:
                a = a.reshape(len(x), -1) @ weight.T + bias
            if i < last:
                a = act(a)
                if self.architecture.skip and i > 1:
                    a = a + hidden[-2]
                hidden.append(a)
        return a, tuple(h.reshape(len(x), -1) for h in hidden)


def _convolve(a: Any, weight: Any) -> Any:
    return lax.conv_general_dilated(a, weight, (1,), "VALID", dimension_numbers=("NCH", "OIH", "NCH"))


def build(architecture: "Architecture", inputs: int, outputs: int, seed: int, dtype: Any) -> Module:
    """Weights of the seed and zero biases."""
    weights, biases = architecture.start(inputs, outputs, seed)
    arrays = [tuple(jnp.asarray(a, dtype) for a in part) for part in (weights, biases)]
    return Module(arrays[0], arrays[1], architecture)
