"""Converts the user's model to steps of NumPy operations, checked against the data and the model's own outputs."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Tree
from festina.interop.operation import NEEDED, Activation, Conv, Dense, Operation, Softmax, Step, compute
from festina.interop.torch_module import read_steps, torch_outputs
from festina.storage.array_file import read_npz, read_safetensors

ROUNDING = 1e-3
"""Largest relative difference between a module's own outputs and those of its operations that counts as rounding error
(single precision). A wrong activation function differs by far more."""

MAX_CHECKED = 512
"""Data points on which a module's own outputs are compared."""

UNDERFLOW = -30.0
"""Logarithm of a probability below which it says nothing."""

ROLES = {"weight", "weights", "kernel", "bias", "biases", "w", "b"}
"""Words in the name of an array that say what it is, not where it belongs."""

COUNTERS = ("num_batches_tracked",)
"""Entries of a state dict that are no weights."""

PICKLES = {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin", ".joblib"}
READERS = {".npz": read_npz, ".safetensors": read_safetensors}

MAX_ORDERED = 8
"""Layers up to which all orders are tried."""

CANDIDATES = (
    Activation(), Activation("leaky_relu", 0.01), Activation("gelu", tanh=True), Activation("gelu"), Activation("silu"),
)  # fmt: skip
"""Activation functions that are tried: equinox does not say which one a module applies, its outputs do."""

Layers = Sequence[tuple[np.ndarray, np.ndarray | None]]
"""Matrix (out, in) of each layer, and its biases, if it has some."""


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
    """
    torch, equinox = sys.modules.get("torch"), sys.modules.get("equinox")
    rows = x.reshape(len(x), -1)
    given, own = rows, None
    if torch is not None and isinstance(model, torch.nn.Module):
        first = next((m for m in model.modules() if isinstance(m, torch.nn.Linear | torch.nn.Conv2d)), None)
        if isinstance(first, torch.nn.Conv2d) and x.ndim == 2 and image_shape is not None:
            x = x.reshape(len(x), *((1, *image_shape) if len(image_shape) == 2 else image_shape))
        given, own, candidates = x, torch_outputs, [read_steps(name, model)]
        x = x if any(isinstance(step.operation, Conv) for step in candidates[0]) else rows
    elif equinox is not None and isinstance(model, equinox.Module):
        own, candidates, x = equinox_outputs, from_equinox(name, model), rows
    else:
        candidates, x = [_from_arrays(name, model, rows.shape[1], between)], rows
    found = [_known(name, steps, activations) for steps in candidates]
    _check_shapes(name, found[0], x)
    if own is None:
        return found[0], x
    true = own(name, model, given[:MAX_CHECKED])
    apart = [_apart(operations, x[:MAX_CHECKED], true) for operations in found]
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


def in_line(layers: Layers, between: Activation) -> tuple[Step, ...]:
    """Dense layers with one activation function between them."""
    steps: list[Step] = []
    for matrix, bias in layers:
        dense = Dense(matrix, np.zeros(len(matrix)) if bias is None else bias)
        steps += [Step(dense, "matrix"), Step(between, between.name)]
    return tuple(steps[:-1])


def from_list(name: str, parts: Sequence[object], between: Activation) -> tuple[Step, ...]:
    """Matrices (out, in), or pairs (matrix, bias)."""
    found: list[tuple[np.ndarray, np.ndarray | None]] = []
    for i, part in enumerate(parts):
        pair = part if isinstance(part, list | tuple) and len(part) == 2 else (part, None)
        matrix = check.numbers(f"{name}[{i}]", pair[0])
        if matrix.ndim != 2:
            raise ValueError(f"{name}[{i}] has shape {matrix.shape}; a matrix (out, in) is needed.")
        bias = None if pair[1] is None else check.numbers(f"{name}[{i}][1]", pair[1])
        if bias is not None and bias.shape != (len(matrix),):
            raise ValueError(f"{name}[{i}] has a bias of shape {bias.shape} for {len(matrix)} units.")
        found.append((matrix, bias))
    return in_line(found, between)


def from_file(name: str, path: Path, inputs: int, between: Activation) -> tuple[Step, ...]:
    """A .npz or .safetensors file of arrays by name."""
    suffix = path.suffix.lower()
    if suffix in PICKLES:
        raise ValueError(
            f"{name} is {str(path)!r}, a kind of file that can run code when it is read (pickle), so it is not read. "
            "Save the weights as safetensors: safetensors.torch.save_file(model.state_dict(), 'weights.safetensors'), "
            "or as npz: numpy.savez('weights.npz', **{k: v.numpy() for k, v in model.state_dict().items()})."
        )
    if suffix not in READERS:
        raise ValueError(f"{name} is {str(path)!r}; a file of weights ends in {' or '.join(sorted(READERS))}.")
    if not path.is_file():
        raise ValueError(f"{name} is {str(path)!r}: there is no such file.")
    arrays = READERS[suffix](path)
    if not arrays:
        raise ValueError(f"{name} is {str(path)!r}, which holds no arrays; {NEEDED}.")
    return from_names(f"{name} {str(path)!r}", arrays, inputs, between)


def from_names(name: str, values: Mapping[str, object], inputs: int, between: Activation) -> tuple[Step, ...]:
    """Arrays by name, in the order in which they follow one another.

    The order of the names, numbers counting as numbers, is taken where shapes allow it, and otherwise the only order
    that shapes allow. Flax's ``kernel`` is (in, out) and is turned.
    """
    arrays = {
        str(k): check.numbers(f"{name}[{str(k)!r}]", v) for k, v in values.items() if not str(k).endswith(COUNTERS)
    }
    norms = {key.rpartition(".")[0] for key in arrays if key.endswith(("running_mean", "running_var"))}
    if norms:
        raise ValueError(
            f"{name} holds the normalisation {', '.join(sorted(norms))}: arrays alone do not say where it is applied, "
            "nor its epsilon. Give the module itself instead of its weights."
        )
    matrices: dict[tuple[str, ...], np.ndarray] = {}
    biases: dict[tuple[str, ...], tuple[str, np.ndarray]] = {}
    for key in sorted(arrays, key=_natural):
        value, words = arrays[key], _words(key)
        place = tuple(word for word in words if word not in ROLES)
        if value.ndim == 1:
            biases[place] = key, value
        elif value.ndim == 2:
            if place in matrices:
                raise ValueError(f"{name} holds two matrices for layer {' '.join(place)!r} (one is {key!r}); {NEEDED}.")
            matrices[place] = value.T if "kernel" in words else value
        else:
            raise ValueError(
                f"{name} holds {key!r} of shape {value.shape}: arrays alone do not say the stride and padding of a "
                "convolution. Give the module itself instead of its weights."
            )
    for place, (key, bias) in biases.items():
        if place not in matrices or bias.shape != (len(matrices[place]),):
            shapes = ", ".join(f"{' '.join(p)} {m.shape}" for p, m in matrices.items()) or "it has none"
            raise ValueError(
                f"{name} holds {key!r} of shape {bias.shape}, which is the bias of none of its matrices ({shapes}); "
                f"{NEEDED}."
            )
    places = _follow(name, matrices, inputs)
    return in_line([(matrices[p], biases[p][1] if p in biases else None) for p in places], between)


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+|\d+", name)]


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Numbers in a name count as numbers: layer 2 comes before layer 10."""
    return [(0, int(word)) if word.isdigit() else (1, word) for word in _words(name)]


def _follow(name: str, matrices: Mapping[tuple[str, ...], np.ndarray], inputs: int) -> list[tuple[str, ...]]:
    def follows(places: Sequence[tuple[str, ...]]) -> bool:
        shapes = [matrices[p].shape for p in places]
        return shapes[0][1] == inputs and all(a[0] == b[1] for a, b in pairwise(shapes))

    named = list(matrices)
    if not named or follows(named) or len(named) > MAX_ORDERED:
        return named
    possible = [list(order) for order in permutations(named) if follows(order)]
    if len(possible) == 1:
        return possible[0]
    if possible:
        shapes = {" ".join(place): matrix.shape for place, matrix in matrices.items()}
        raise ValueError(
            f"{name} holds matrices whose order is given neither by their names nor by their shapes: {shapes}; number "
            "the names from the input to the output."
        )
    # the check of shapes against the data says what does not fit
    return named


def from_equinox(name: str, model: Tree) -> list[tuple[Step, ...]]:
    """The Linear layers in the order in which the module holds them, with each activation that may be between them."""
    import equinox as eqx
    import jax

    def whole(part: object) -> bool:
        return isinstance(part, eqx.nn.Linear)

    def single(part: object) -> bool:
        """Whether something is a layer of equinox's own library that holds no other modules."""
        inner = jax.tree.leaves(part, is_leaf=lambda p: p is not part and isinstance(p, eqx.Module))
        return type(part).__module__.startswith("equinox.nn") and not any(isinstance(p, eqx.Module) for p in inner)

    others = [part for part in jax.tree.leaves(model, is_leaf=single) if single(part) and not whole(part)]
    named = sorted({type(part).__name__ for part in others if any(map(eqx.is_array, jax.tree.leaves(part)))})
    if named:
        raise ValueError(f"{name} holds {', '.join(named)} of equinox, where only Linear layers are read; {NEEDED}.")
    parts = jax.tree.leaves(model, is_leaf=whole)
    if any(eqx.is_array(part) for part in parts if not whole(part)):
        raise ValueError(f"{name} has weights outside its Linear layers; {NEEDED}.")
    layers = [tuple(None if a is None else np.asarray(a, float) for a in (p.weight, p.bias)) for p in parts if whole(p)]
    if not layers:
        raise ValueError(f"{name} is {type(model).__name__} without Linear layers; {NEEDED}.")
    return [in_line(layers, each) for each in CANDIDATES]  # pyright: ignore[reportArgumentType]


def equinox_outputs(name: str, model: Tree, x: np.ndarray) -> np.ndarray:
    """An equinox module's own outputs in inference mode."""
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    # the same weights, with outputs that are not rounded to two or three digits
    model = jax.tree.map(lambda a: jnp.asarray(a, float) if eqx.is_inexact_array(a) and a.itemsize < 4 else a, model)
    kind = next(a.dtype for a in jax.tree.leaves(model) if eqx.is_inexact_array(a))
    try:
        whole: Any = eqx.nn.inference_mode(model)
        return np.asarray(jax.vmap(whole)(jnp.asarray(x, kind)), dtype=float)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(
            f"{name} cannot be called with x of shape {x.shape} ({str(error).splitlines()[0]}); {NEEDED}."
        ) from None
