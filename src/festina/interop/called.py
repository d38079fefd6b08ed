"""The forward pass of a PyTorch module that JAX calls, for modules whose operations are not known in JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import Array

if TYPE_CHECKING:
    import torch
    from torch import nn

Shape = tuple[int, ...]

_one_at_a_time = Lock()
"""A module holds the weights that it is called with."""


@dataclass(frozen=True, eq=False)
class CalledModule:
    """A module that PyTorch runs and differentiates, on the processor and in double precision.

    Args:
        module: in double precision. It is called with weights and keeps its own.
        shape: of one data point; rows of a task are given this shape.
        outputs: numbers in an output.
        whole: whether inputs are whole numbers, such as the tokens of an embedding.
    """

    module: nn.Module
    shape: Shape
    outputs: int
    whole: bool

    def __call__(self, weights: Mapping[str, Array], x: Array) -> Any:
        """The outputs, one row per data point."""
        import jax
        import jax.numpy as jnp

        names = tuple(weights)

        def outputs(x: np.ndarray, *values: np.ndarray) -> list[torch.Tensor]:
            import torch

            with torch.no_grad():
                return [self._forward(x, dict(zip(names, map(torch.from_numpy, values), strict=True)))]

        def gradients(pull: np.ndarray, x: np.ndarray, *values: np.ndarray) -> Sequence[torch.Tensor]:
            import torch

            leaves = {name: torch.from_numpy(w).requires_grad_() for name, w in zip(names, values, strict=True)}
            total = (self._forward(x, leaves) * torch.from_numpy(pull)).sum()
            return torch.autograd.grad(total, list(leaves.values()), allow_unused=True, materialize_grads=True)

        def forward(x: Array, *values: Array) -> Any:
            return _outside(outputs, [(len(x), self.outputs)], x, *values)[0]

        def backward(given: tuple[Array, ...], pull: Array) -> Any:
            return None, *_outside(gradients, [w.shape for w in given[1:]], pull, *given)

        call = jax.custom_vjp(forward)
        call.defvjp(lambda *given: (forward(*given), given), backward)
        return call(jnp.asarray(x), *map(jnp.asarray, weights.values()))

    def _forward(self, x: np.ndarray, weights: Mapping[str, torch.Tensor]) -> torch.Tensor:
        import torch
        from torch.func import functional_call

        points = torch.from_numpy(x).reshape(len(x), *self.shape)
        with _one_at_a_time:
            found = functional_call(self.module, dict(weights), (points.long() if self.whole else points,))
        return found.reshape(len(points), -1)


def _outside(function: Callable[..., Sequence[torch.Tensor]], shapes: Sequence[Shape], *arrays: Array) -> Any:
    """Results, of these shapes, of a function of NumPy arrays in double precision.

    Numbers pass as bits, since JAX rounds them to single precision wherever a thread of its own runs the function.
    """
    import jax
    import jax.numpy as jnp

    kind, given = arrays[0].dtype, [a.shape for a in arrays]

    def run(*words: Array) -> tuple[np.ndarray, ...]:
        values = (np.array(w).view(kind).reshape(shape).astype(float) for w, shape in zip(words, given, strict=True))
        found = (tensor.numpy().astype(kind) for tensor in function(*values))
        return tuple(np.frombuffer(f.tobytes(), np.uint8).reshape(*f.shape, kind.itemsize) for f in found)

    like = [jax.ShapeDtypeStruct((*shape, kind.itemsize), np.uint8) for shape in shapes]
    words = [jax.lax.bitcast_convert_type(a, jnp.uint8) for a in arrays]
    found = jax.pure_callback(run, like, *words, vmap_method="sequential")
    return [jax.lax.bitcast_convert_type(f, kind) for f in found]
