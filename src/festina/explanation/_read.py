"""Whatever the user has as a chain of operations, checked against the data and against the model's own outputs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from festina.explanation._arrays import NEEDED, from_file, from_list, from_names
from festina.explanation._network import Chain
from festina.explanation._operation import Activation, Conv, Dense

ROUNDING = 1e-3
"""Largest difference between a module's own outputs and those of its operations that is rounding error (single
precision), relative to its largest output: a wrong activation function differs by far more."""

MAX_CHECKED = 512
"""Data points on which a module's own outputs are compared."""


def read(
    name: str, model: Any, x: np.ndarray, outputs: int | None, between: Activation,
    image_shape: tuple[int, ...] | None = None,
) -> tuple[Chain, np.ndarray]:  # fmt: skip
    """The chain of a model, and x in the shape in which it takes it.

    Args:
        name: of the argument, for errors.
        model: a module, arrays or a file.
        x: (points, …).
        outputs: number of outputs that the targets need; None if any will do.
        between: activation function of models that do not say theirs (arrays and files).
        image_shape: (height, width) or (channels, height, width) of flat x, for modules that begin with a convolution.

    Raises:
        ValueError: not a network that can be explained, or not one for these data; a file of another kind.
    """
    torch, equinox = sys.modules.get("torch"), sys.modules.get("equinox")
    rows = x.reshape(len(x), -1)
    if torch is not None and isinstance(model, torch.nn.Module):
        from festina.explanation._torch import from_torch

        layers = (torch.nn.Linear, torch.nn.Conv2d)
        first = next((m for m in model.modules() if isinstance(m, layers)), None)
        if isinstance(first, torch.nn.Conv2d) and x.ndim == 2 and image_shape is not None:
            x = x.reshape(len(x), *((1, *image_shape) if len(image_shape) == 2 else image_shape))
        chain, own = from_torch(name, model, x[:MAX_CHECKED])
        if not any(isinstance(step, Conv) for step in chain.operations):
            x = rows
        _fits(name, chain, x, outputs)
        _same(name, chain, x[:MAX_CHECKED], own)
        return chain, x
    if equinox is not None and isinstance(model, equinox.Module):
        from festina.explanation._equinox import from_equinox

        chains, own = from_equinox(name, model, rows[:MAX_CHECKED])
        for each in chains:
            _fits(name, each, rows, outputs)
        apart = [_apart(each, rows[:MAX_CHECKED], own) for each in chains]
        chain = chains[int(np.argmin(apart))]
        _same(name, chain, rows[:MAX_CHECKED], own)
        return chain, rows
    if isinstance(model, str | Path):
        chain = from_file(name, Path(model), rows.shape[1], between)
    elif isinstance(model, Mapping):
        chain = from_names(name, model, rows.shape[1], between)
    elif isinstance(model, list | tuple):
        chain = from_list(name, model, between)
    else:
        raise ValueError(
            f"{name} is {type(model).__name__}; a torch.nn.Module, an equinox module, a list of matrices (out, in), or "
            "a .npz or .safetensors file of weights is needed."
        )
    _fits(name, chain, rows, outputs)
    return chain, rows


def _fits(name: str, chain: Chain, x: np.ndarray, outputs: int | None) -> None:
    dense = [step for step in chain.operations if isinstance(step, Dense)]
    convolutions = [step for step in chain.operations if isinstance(step, Conv)]
    arrays = [*(a for step in dense for a in (step.matrix, step.bias)), *(step.kernel for step in convolutions)]
    if not all(np.isfinite(a).all() for a in arrays):
        raise ValueError(f"{name} holds weights that are not finite: its training diverged; use a smaller rate.")
    count = len(dense) + len(convolutions)
    if not chain.activations or count < 2:
        raise ValueError(
            f"{name} has {count} layer(s) of weights and {len(chain.activations)} of activation functions; {NEEDED}, "
            "so at least two layers of weights with an activation function between them."
        )
    if not isinstance(chain.operations[-1], Dense):
        raise ValueError(f"{name} ends with {type(chain.operations[-1]).__name__}, not with a linear layer; {NEEDED}.")
    if not convolutions:
        shapes = [step.matrix.shape for step in dense]
        if any(a[0] != b[1] for a, b in pairwise(shapes)):
            raise ValueError(f"{name} has layers of shapes {shapes}, which do not follow one another; {NEEDED}.")
        if shapes[0][1] != x.shape[1]:
            raise ValueError(
                f"{name} has {shapes[0][1]} inputs and x has {x.shape[1]} columns; give the data that the network was "
                "made for, one row per data point."
            )
    if outputs is not None and len(dense[-1].matrix) != outputs:
        raise ValueError(
            f"{name} has {len(dense[-1].matrix)} outputs and y has {outputs} columns; give the data that the network "
            "was made for, one row per data point."
        )


def _apart(chain: Chain, x: np.ndarray, own: np.ndarray) -> float:
    """Largest difference between a chain's outputs and the model's own, relative to the largest output."""
    ours, own = chain.outputs(x), own.reshape(len(own), -1)
    if chain.outermost == "softmax":
        from scipy.special import log_softmax

        ours = log_softmax(ours, axis=1)
        own = own if (own < 0).any() else np.log(np.maximum(own, np.finfo(float).tiny))
        # a probability that underflows says nothing
        ours, own = np.maximum(ours, -30.0), np.maximum(own, -30.0)
    elif chain.outermost == "sigmoid":
        from scipy.special import expit

        ours = expit(ours)
    if own.shape != ours.shape:
        return np.inf
    return float(np.abs(ours - own).max() / max(float(np.abs(own).max()), np.finfo(float).tiny))


def _same(name: str, chain: Chain, x: np.ndarray, own: np.ndarray) -> None:
    apart = _apart(chain, x, own)
    if not apart <= ROUNDING:
        raise ValueError(
            f"{name} cannot be explained: its outputs differ by up to {apart:.3g} of the largest from those of the "
            "layers that were read from it. An activation function that is not known, a skip connection or a scaling "
            f"would do that; {NEEDED}."
        )
