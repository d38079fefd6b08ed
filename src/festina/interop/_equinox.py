"""Layers of equinox modules, checked against the outputs of the module itself."""

from __future__ import annotations

import numpy as np

from festina.checks.shapes import Tree
from festina.interop._arrays import layers as in_line
from festina.interop.operation import NEEDED, Activation, Step

CANDIDATES = (
    Activation(), Activation("leaky_relu", 0.01), Activation("gelu", tanh=True), Activation("gelu"), Activation("silu"),
)  # fmt: skip
"""Activation functions that are tried: equinox does not say which one a module applies, its outputs do."""


def from_equinox(name: str, model: Tree, x: np.ndarray) -> tuple[list[tuple[Step, ...]], np.ndarray]:
    """The Linear layers in the order in which the module holds them, with each activation function that may be between
    them, and the module's own outputs."""
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    def whole(part: object) -> bool:
        return isinstance(part, eqx.nn.Linear)

    def single(part: object) -> bool:
        """Whether something is a layer of equinox's own library that holds no other modules."""
        inner = jax.tree.leaves(part, is_leaf=lambda p: p is not part and isinstance(p, eqx.Module))
        return type(part).__module__.startswith("equinox.nn") and not any(isinstance(p, eqx.Module) for p in inner)

    layers = [part for part in jax.tree.leaves(model, is_leaf=single) if single(part) and not whole(part)]
    named = sorted({type(part).__name__ for part in layers if any(map(eqx.is_array, jax.tree.leaves(part)))})
    if named:
        raise ValueError(f"{name} holds {', '.join(named)} of equinox, where only Linear layers are read; {NEEDED}.")
    # the same weights, with outputs that are not rounded to two or three digits
    model = jax.tree.map(lambda a: jnp.asarray(a, float) if eqx.is_inexact_array(a) and a.itemsize < 4 else a, model)
    parts = jax.tree.leaves(model, is_leaf=whole)
    layers = [part for part in parts if whole(part)]
    if any(eqx.is_array(part) for part in parts if not whole(part)):
        raise ValueError(f"{name} has weights outside its Linear layers; {NEEDED}.")
    if not layers:
        raise ValueError(f"{name} is {type(model).__name__} without Linear layers; {NEEDED}.")
    try:
        outputs = jax.vmap(eqx.nn.inference_mode(model))(jnp.asarray(x, layers[0].weight.dtype))
    except (TypeError, ValueError, RuntimeError) as error:
        inputs = layers[0].weight.shape[1]
        if inputs != x.shape[1]:
            raise ValueError(
                f"{name} has {inputs} inputs and x has {x.shape[1]} columns; give the data that the network was "
                "made for."
            ) from None
        raise ValueError(
            f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); {NEEDED}."
        ) from None
    matrices = [np.asarray(m.weight, dtype=float) for m in layers]
    biases = [np.zeros(len(w)) if m.bias is None else np.asarray(m.bias, dtype=float)
              for m, w in zip(layers, matrices, strict=True)]  # fmt: skip
    return [in_line(matrices, biases, each) for each in CANDIDATES], np.asarray(outputs, dtype=float)
