"""The forward pass of any module as a list of calls, which runs in JAX and is saved as text and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Tree
from festina.core.network import Data, MeanLoss, mean_loss
from festina.storage.description import Storable

Call = tuple[str, tuple[Any, ...], tuple[tuple[str, Any], ...]]
"""The name of an operation, its arguments, and its named arguments. ``("value", k)`` is the result of call k,
``("input", "")`` the inputs, ``("weight", name)`` and ``("constant", name)`` an array of that name, ``("points", k)`` k
times the number of data points."""

KINDS = ("value", "input", "weight", "constant", "points")
"""Objects that an argument may refer to."""


@dataclass(frozen=True, eq=False)
class Graph(Storable):
    """Calls one after another, of which the last gives the outputs.

    Args:
        calls: in the order of computation.
        shape: the shape of one data point; rows of a task are given this shape.
        constants: arrays that do not learn, by name.
        whole: whether inputs are whole numbers, such as the tokens of an embedding.
    """

    calls: tuple[Call, ...]
    shape: tuple[int, ...]
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)
    whole: bool = False

    @property
    def noisy(self) -> bool:
        """Whether random numbers are drawn in training."""
        # a recurrent layer drops between its layers, in training mode
        recurrent = (given for name, given, _ in self.calls if name in ("lstm", "gru", "rnn_tanh", "rnn_relu"))
        drawn = any(name in ("native_dropout", "bernoulli") for name, _, _ in self.calls)
        return drawn or any(given[4] > 1 and given[5] and given[6] for given in recurrent)

    def __call__(self, weights: Mapping[str, Array], x: Array, key: Array | None = None) -> Any:
        """The outputs, one row per data point; without a key nothing is drawn."""
        import jax
        import jax.numpy as jnp

        from festina.interop.aten import DRAWN, OPERATIONS

        x = jnp.asarray(x).reshape(len(x), *self.shape)
        found: list[Any] = []
        sources = {"input": {"": x.astype(int) if self.whole else x}, "weight": weights, "constant": self.constants}

        def value(argument: object) -> Any:
            if not isinstance(argument, tuple):
                return argument
            if len(argument) == 2 and argument[0] in KINDS:
                kind, place = argument
                if kind in sources:
                    return jnp.asarray(sources[kind][place])
                return found[place] if kind == "value" else place * len(x)
            return tuple(map(value, argument))

        for k, (name, arguments, named) in enumerate(self.calls):
            given, options = value(arguments), {key: value(each) for key, each in named}
            if name in DRAWN:
                found.append(DRAWN[name](*given, **options, key=None if key is None else jax.random.fold_in(key, k)))
            else:
                found.append(OPERATIONS[name](*given, **options))
        return found[-1].reshape(len(x), -1)


@dataclass(frozen=True)
class NoisyLoss(MeanLoss):
    """The mean loss of a graph that draws random numbers in training."""

    predict: Graph

    def __call__(self, weights: Tree, data: Data, key: Array | None = None) -> Array:
        """With what the key draws; without one, nothing is drawn."""
        return mean_loss(lambda w, x: self.predict(w, x, key), weights, data)
