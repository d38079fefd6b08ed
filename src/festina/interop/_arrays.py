"""A network from arrays: a list of matrices, arrays by name (a state dict), or a file of them; nothing is unpickled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np

from festina.checks import check
from festina.interop.operation import NEEDED, Activation, Dense, Step
from festina.storage.array_file import read_npz, read_safetensors

ROLES = {"weight", "weights", "kernel", "bias", "biases", "w", "b"}
"""Words in the name of an array that say what it is, not where it belongs."""

COUNTERS = ("num_batches_tracked",)
"""Entries of a state dict that are no weights."""

PICKLES = {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin", ".joblib"}
READERS = {".npz": read_npz, ".safetensors": read_safetensors}

MAX_ORDERED = 8
"""Layers up to which all orders are tried."""


def layers(matrices: Sequence[np.ndarray], biases: Sequence[np.ndarray], between: Activation) -> tuple[Step, ...]:
    """Dense layers with one activation function between them."""
    steps: list[Step] = []
    for matrix, bias in zip(matrices, biases, strict=True):
        steps += [Step(Dense(matrix, bias), "matrix"), Step(between, between.name)]
    return tuple(steps[:-1])


def from_list(name: str, parts: Sequence[object], between: Activation) -> tuple[Step, ...]:
    """Matrices (out, in), or pairs (matrix, bias)."""
    matrices, biases = [], []
    for i, part in enumerate(parts):
        pair = part if isinstance(part, list | tuple) and len(part) == 2 else (part, None)
        matrix = check.numbers(f"{name}[{i}]", pair[0])
        if matrix.ndim != 2:
            raise ValueError(f"{name}[{i}] has shape {matrix.shape}; a matrix (out, in) is needed.")
        bias = np.zeros(len(matrix)) if pair[1] is None else check.numbers(f"{name}[{i}][1]", pair[1])
        if bias.shape != (len(matrix),):
            raise ValueError(f"{name}[{i}] has a bias of shape {bias.shape} for {len(matrix)} units.")
        matrices.append(matrix)
        biases.append(bias)
    return layers(matrices, biases, between)


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
    zero = {place: np.zeros(len(matrix)) for place, matrix in matrices.items()}
    ordered = [matrices[p] for p in places]
    return layers(ordered, [biases[p][1] if p in biases else zero[p] for p in places], between)


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
