"""Converts the user's model to steps of NumPy operations, checked against the data and the model's own outputs."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from festina.interop._arrays import from_file, from_list, from_names
from festina.interop.operation import NEEDED, Activation, Conv, Dense, Operation, Softmax, Step, compute
from festina.interop.torch_module import outputs, read_steps

ROUNDING = 1e-3
"""Largest relative difference between a module's own outputs and those of its operations that counts as rounding error
(single precision). A wrong activation function differs by far more."""

MAX_CHECKED = 512
"""Data points on which a module's own outputs are compared."""

UNDERFLOW = -30.0
"""Logarithm of a probability below which it says nothing."""


def read(
    name: str,
    model: Any,
    x: np.ndarray,
    between: Activation,
    activations: Collection[str],
    image_shape: tuple[int, ...] | None = None,
) -> tuple[tuple[Operation, ...], np.ndarray]:
    """The operations of a model, and x in the shape in which it takes it.

    Args:
        name: the name of the argument, for errors.
        model: a module, arrays or a file.
        x: (points, …).
        between: activation function of models that do not say theirs (arrays and files).
        activations: names of the activation functions that are allowed between layers; a last softmax or sigmoid is
            always allowed.
        image_shape: (height, width) or (channels, height, width) of flat x, for modules that begin with a convolution.

    Raises:
        ValueError: not a network that can be read, or not one for these data; a file of another kind.
    """
    torch, equinox = sys.modules.get("torch"), sys.modules.get("equinox")
    rows = x.reshape(len(x), -1)
    own = None
    if torch is not None and isinstance(model, torch.nn.Module):
        first = next((m for m in model.modules() if isinstance(m, torch.nn.Linear | torch.nn.Conv2d)), None)
        if isinstance(first, torch.nn.Conv2d) and x.ndim == 2 and image_shape is not None:
            x = x.reshape(len(x), *((1, *image_shape) if len(image_shape) == 2 else image_shape))
        own = outputs(name, model, x[:MAX_CHECKED])
        candidates = [read_steps(name, model)]
        x = x if any(isinstance(step.operation, Conv) for step in candidates[0]) else rows
    elif equinox is not None and isinstance(model, equinox.Module):
        from festina.interop._equinox import from_equinox

        candidates, own = from_equinox(name, model, rows[:MAX_CHECKED])
        x = rows
    else:
        candidates, x = [_from_arrays(name, model, rows.shape[1], between)], rows
    found = [_known(name, steps, activations) for steps in candidates]
    _check_shapes(name, found[0], x)
    if own is None:
        return found[0], x
    apart = [_apart(operations, x[:MAX_CHECKED], own) for operations in found]
    if not min(apart) <= ROUNDING:
        raise ValueError(
            f"{name} cannot be explained: its outputs differ by up to {min(apart):.3g} of the largest from those of "
            "the layers that were read from it. An activation function that is not known, a skip connection or a "
            f"scaling would do that; {NEEDED}."
        )
    return found[int(np.argmin(apart))], x


def difference(ours: np.ndarray, own: np.ndarray) -> float:
    """Largest difference between what was read and a model's own outputs, relative to the largest of these."""
    if own.shape != ours.shape:
        return np.inf
    return float(np.abs(ours - own).max() / max(float(np.abs(own).max()), np.finfo(float).tiny))


def _from_arrays(name: str, model: object, inputs: int, between: Activation) -> tuple[Step, ...]:
    if isinstance(model, str | Path):
        return from_file(name, Path(model), inputs, between)
    if isinstance(model, Mapping):
        return from_names(name, model, inputs, between)
    if isinstance(model, list | tuple):
        return from_list(name, model, between)
    raise ValueError(
        f"{name} is {type(model).__name__}; a torch.nn.Module, an equinox module, a list of matrices (out, in), or "
        "a .npz or .safetensors file of weights is needed."
    )


def _known(name: str, steps: Sequence[Step], activations: Collection[str]) -> tuple[Operation, ...]:
    """The operations of steps that are all known and allowed."""
    found = []
    for i, step in enumerate(steps):
        operation, is_last = step.operation, i == len(steps) - 1
        is_allowed = not isinstance(operation, Softmax) or is_last
        if isinstance(operation, Activation):
            is_allowed = operation.name in activations or (operation.name == "sigmoid" and is_last)
        if operation is None or not is_allowed:
            place = f" ({step.name!r})" if step.name else ""
            raise ValueError(f"{name} holds {step.kind}{place}, which is not among what can be explained; {NEEDED}.")
        found.append(operation)
    return tuple(found)


def _check_shapes(name: str, operations: Sequence[Operation], x: np.ndarray) -> None:
    """Raise where weights are not finite, or do not fit each other or the data."""
    dense = [step for step in operations if isinstance(step, Dense)]
    convolutions = [step for step in operations if isinstance(step, Conv)]
    arrays = [*(a for step in dense for a in (step.matrix, step.bias)), *(step.kernel for step in convolutions)]
    if not all(np.isfinite(a).all() for a in arrays):
        raise ValueError(f"{name} holds weights that are not finite: its training diverged; use a smaller rate.")
    if convolutions or not dense:
        return
    shapes = [step.matrix.shape for step in dense]
    if any(a[0] != b[1] for a, b in pairwise(shapes)):
        raise ValueError(f"{name} has layers of shapes {shapes}, which do not follow one another; {NEEDED}.")
    if shapes[0][1] != x.shape[1]:
        raise ValueError(
            f"{name} has {shapes[0][1]} inputs and x has {x.shape[1]} columns; give the data that the network was "
            "made for, one row per data point."
        )


def _apart(operations: Sequence[Operation], x: np.ndarray, own: np.ndarray) -> float:
    """The difference of operations from a model's own outputs; for probabilities, that of their logarithms."""
    ours, own = (each.reshape(len(each), -1) for each in (compute(operations, x), own))
    last = operations[-1]
    if isinstance(last, Softmax):
        tiny = np.finfo(float).tiny
        logs = (each if last.log else np.log(np.maximum(each, tiny)) for each in (ours, own))
        ours, own = (np.maximum(each, UNDERFLOW) for each in logs)
    return difference(ours, own)
