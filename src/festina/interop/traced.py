"""Networks made of modules of other libraries: their forward pass, and the weights that they have now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks.shapes import Array
from festina.core.network import Data, Forward, MeanLoss, Network
from festina.core.task import Task
from festina.core.units import find_axes
from festina.initial import Weights
from festina.interop.graph import NoisyLoss
from festina.runtime.device import in_double

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


Redraw = Callable[[int], Any]
"""Weights of another seed, drawn as the module itself draws them."""

CHECKED = 16
"""Random inputs on which it is tried whether outputs are a sum over units."""

GONE = (
    "seed is {seed}, but only seed 0, the weights that the module had, is known; use seed=0. Files do not keep what "
    "draws other seeds, so read the module again; JAX modules are drawn by a function of a key: fs.from_jax(make, x)."
)


@dataclass(frozen=True, eq=False, repr=False)
class TracedModule(Network):
    """A module of another library, which starts from its own weights.

    ``fs.from_torch`` and ``fs.from_jax`` make it. Other seeds are drawn by the module's own initialisation.

    Args:
        forward: the forward pass: a ``Graph``, which can be saved, a ``CalledModule``, which PyTorch runs, or another
            function of weights and inputs.
        weights: what learns, by name.
        inputs: numbers in a data point, of whatever shape.
        outputs: numbers in an output.
        kind: what the module is called.

    Raises:
        ValueError: a task with other inputs or outputs; a seed that cannot be drawn.
    """

    forward: Any
    weights: Mapping[str, Any]
    inputs: int
    outputs: int
    kind: str = "module"
    redraw: Redraw | None = field(default=None, kw_only=True, metadata={"saved": False})

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training draws random numbers (dropout in training mode)."""
        return getattr(self.forward, "noisy", False)

    @property
    def _whole(self) -> bool:
        return getattr(self.forward, "whole", False)

    @property
    def predict(self) -> Forward:
        """The forward pass; dropout draws nothing here."""
        return self.forward

    @property
    def loss(self) -> Callable[[Any, Data, Any], Any]:
        """The mean loss; with dropout where the module has it in training mode."""
        return NoisyLoss(self.forward) if self.noisy else MeanLoss(self.forward)

    def start(self, task: Task, seed: int) -> dict[str, Any]:
        """The module's weights for seed 0, and freshly drawn ones for the others."""
        given = (task.x.shape[1], task.y.shape[1])
        if given != (self.inputs, self.outputs):
            wrong_inputs = given[0] != self.inputs
            advice = (
                "flatten what belongs to a data point into its row: x.reshape(len(x), -1)"
                if wrong_inputs
                else ("give the task one output, or one class, for each output of the module")
            )
            raise ValueError(
                f"{self.kind} takes {self.inputs} numbers and gives {self.outputs}, and the task has {given[0]} inputs "
                f"and {given[1]} outputs; {advice}."
            )
        if self._whole and np.any(task.x != np.rint(task.x)):
            raise ValueError(f"{self.kind} takes whole numbers, such as tokens, and x has others.")
        if seed == 0:
            return dict(self.weights)
        if self.redraw is None:
            raise ValueError(GONE.format(seed=seed))
        return self.redraw(seed)

    @cached_property
    def _axes(self) -> Any:
        drawn = np.random.default_rng(0).standard_normal((CHECKED, self.inputs))
        x = np.asarray(drawn > 0, float) if self._whole else drawn
        with in_double():
            return None if self.noisy else find_axes(lambda weights: self.forward(weights, x), dict(self.weights))

    def units(self, weights: Mapping[str, Any]) -> Any:
        """The axes along which the weights divide into units, found by trial; None if they do not."""
        return self._axes

    def __repr__(self) -> str:
        count = sum(np.size(w) for w in self.weights.values())
        where = ", run by PyTorch" if isinstance(self.forward, CalledModule) else ""
        return f"TracedModule({self.kind}: {self.inputs} -> {self.outputs}, {count} weights{where})"


@dataclass(frozen=True, eq=False, repr=False)
class ModuleWeights(Weights):
    """The matrices of a module for seed 0, and freshly drawn ones for the others."""

    redraw: Redraw | None = field(default=None, kw_only=True, metadata={"saved": False})

    def of_seed(self, seed: int) -> Weights:
        """Weights of one seed."""
        if seed == 0:
            return self
        if self.redraw is None:
            raise ValueError(GONE.format(seed=seed))
        return Weights(self.redraw(seed))
