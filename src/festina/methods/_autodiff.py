"""The velocity of any network: minus the gradient of its loss, by JAX, for all seeds at once."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from festina._network import Network
from festina._task import Task


@partial(jax.jit, static_argnums=0)
def _velocity(loss: Any, weights: Any, data: Any) -> Any:
    return jax.tree.map(lambda g: -g, jax.vmap(jax.grad(loss), (0, None, None))(weights, data, None))


class Differentiated:
    """Weights in any nesting; equal losses and shapes compile once."""

    def __init__(self, network: Network, task: Task) -> None:
        self.loss = network.loss
        with self.precision():
            self.data = jax.tree.map(jnp.asarray, network.context(task)["data"])

    def precision(self) -> Any:
        """Double precision, as theory is."""
        return jax.enable_x64(True)

    def begin(self, starts: list[Any]) -> None:
        """Take over the weights of each seed."""
        leaves, self.tree = jax.tree.flatten(starts[0])
        self.shapes = [np.shape(leaf) for leaf in leaves]
        self.cuts = np.cumsum([int(np.prod(shape)) for shape in self.shapes])[:-1]
        self.state = np.stack([
            np.concatenate([np.ravel(np.asarray(leaf, float)) for leaf in jax.tree.leaves(start)]) for start in starts
        ])  # fmt: skip

    def _split(self, state: np.ndarray) -> Any:
        parts = np.split(state, self.cuts, axis=-1)
        leaves = [p.reshape(*p.shape[:-1], *shape) for p, shape in zip(parts, self.shapes, strict=True)]
        return jax.tree.unflatten(self.tree, leaves)

    def field(self, state: np.ndarray) -> np.ndarray:
        """−∂L/∂W of every seed."""
        changes = _velocity(self.loss, self._split(state), self.data)
        return np.concatenate([np.asarray(c).reshape(len(state), -1) for c in jax.tree.leaves(changes)], axis=-1)

    def unpack(self, state: np.ndarray) -> list[Any]:
        """The weights of each seed in their nesting."""
        return [self._split(seed) for seed in state]
