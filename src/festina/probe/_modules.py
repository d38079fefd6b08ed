"""Layers of PyTorch and equinox modules, with what the modules themselves put out."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np

from festina.probe._torch import evaluating, refuse_compiled
from festina.probe._weights import NEEDED, Chain

SILENT = ("ReLU", "Identity", "Dropout", "Flatten")
"""Modules of PyTorch that carry no weights and that a ReLU network may hold."""


def from_torch(name: str, model: Any, x: np.ndarray) -> tuple[Chain, np.ndarray]:
    """Linear layers in the order in which the forward pass calls them, and the outputs.

    Activation functions may be modules or functions in ``forward``: that they are ReLU is told by the outputs.
    """
    import torch

    refuse_compiled(model)
    called: list[Any] = []
    first = next(model.parameters(), None)
    if first is None:
        raise ValueError(f"{name} has no weights; {NEEDED}.")
    with ExitStack() as stack:
        for module in model.modules():
            if not any(True for _ in module.children()):
                stack.callback(module.register_forward_hook(lambda own, *_: called.append(own)).remove)
        stack.enter_context(evaluating(model))
        stack.enter_context(torch.no_grad())
        given = torch.as_tensor(x).to(first.device, first.dtype)
        try:
            outputs = model(given)
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise ValueError(_failed(name, x, error, _linear(model))) from None
    strange = sorted({type(m).__name__ for m in called if not isinstance(m, torch.nn.Linear)} - set(SILENT))
    if strange:
        raise ValueError(f"{name} holds {', '.join(strange)}; {NEEDED}.")
    layers = [m for m in called if isinstance(m, torch.nn.Linear)]
    held = {id(p) for m in layers for p in m.parameters()}
    rest = [key for key, p in model.named_parameters() if id(p) not in held]
    if rest:
        raise ValueError(f"{name} has weights {', '.join(rest)} outside the Linear layers that it calls; {NEEDED}.")
    matrices = tuple(_double(m.weight) for m in layers)
    biases = tuple(np.zeros(len(w)) if m.bias is None else _double(m.bias)
                   for m, w in zip(layers, matrices, strict=True))  # fmt: skip
    _finite(name, (*matrices, *biases))
    return Chain(matrices, biases), _double(outputs)


def _double(tensor: Any) -> np.ndarray:
    return tensor.detach().cpu().double().numpy()


def _linear(model: Any) -> int | None:
    """Inputs of the first Linear layer."""
    return next((m.in_features for m in model.modules() if hasattr(m, "in_features")), None)


def _failed(name: str, x: np.ndarray, error: Exception, inputs: int | None) -> str:
    if inputs is not None and inputs != x.shape[1]:
        return (
            f"{name} has {inputs} inputs and x has {x.shape[1]} columns; give the data that the network was made for."
        )
    return f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); {NEEDED}."


def _finite(name: str, arrays: tuple[np.ndarray, ...]) -> None:
    if not all(np.isfinite(a).all() for a in arrays):
        raise ValueError(f"{name} holds weights that are not finite: its training diverged; use a smaller rate.")


def from_equinox(name: str, model: Any, x: np.ndarray) -> tuple[Chain, np.ndarray]:
    """Linear layers in the order in which the module holds them, and the outputs of all points."""
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    def whole(part: Any) -> bool:
        return isinstance(part, eqx.nn.Linear)

    parts = jax.tree.leaves(model, is_leaf=whole)
    layers = [part for part in parts if whole(part)]
    if any(eqx.is_array(part) for part in parts if not whole(part)):
        raise ValueError(f"{name} has weights outside its Linear layers; {NEEDED}.")
    if not layers:
        raise ValueError(f"{name} is {type(model).__name__} without Linear layers; {NEEDED}.")
    try:
        outputs = jax.vmap(eqx.nn.inference_mode(model))(jnp.asarray(x, layers[0].weight.dtype))
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(_failed(name, x, error, layers[0].weight.shape[1])) from None
    matrices = tuple(np.asarray(m.weight, dtype=float) for m in layers)
    biases = tuple(np.zeros(len(w)) if m.bias is None else np.asarray(m.bias, dtype=float)
                   for m, w in zip(layers, matrices, strict=True))  # fmt: skip
    _finite(name, (*matrices, *biases))
    return Chain(matrices, biases), np.asarray(outputs, dtype=float)
