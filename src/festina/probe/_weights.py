"""Weights of a user's ReLU network: from a PyTorch or equinox module, arrays, or a file; nothing is ever unpickled."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np

from festina import _check
from festina._layered import rectify
from festina.probe._safe import read_npz, read_safetensors

ROUNDING = 1e-3
"""Largest difference between a module's own outputs and those of its weights that is rounding error (single precision),
relative to its largest output: a wrong activation function differs by far more."""

ROLES = {"weight", "weights", "kernel", "bias", "biases", "w", "b"}
"""Words in the name of an array that say what it is, not where it belongs."""

PICKLES = {".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin", ".joblib"}
READERS = {".npz": read_npz, ".safetensors": read_safetensors}

NEEDED = "a ReLU network is needed: Linear layers one after another, ReLU between them, a linear output"


@dataclass(frozen=True, eq=False)
class Chain:
    """Layers ŷ = W_D σ(… σ(W_1 x + b_1) …) + b_D.

    Attributes:
        matrices: one (out, in) per layer.
        biases: one (out,) per layer; zeros where there is none.
    """

    matrices: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units of every hidden layer."""
        return tuple(len(matrix) for matrix in self.matrices[:-1])

    @property
    def biased(self) -> bool:
        """Whether any bias is not zero."""
        return any(bias.any() for bias in self.biases)

    def layers(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        """Pre-activations of every hidden layer, (points, units)."""
        found, h = [], x
        for matrix, bias in zip(self.matrices[:-1], self.biases, strict=False):
            found.append(h @ matrix.T + bias)
            h = rectify(found[-1])
        return tuple(found)

    def outputs(self, x: np.ndarray, gates: Mapping[int, np.ndarray] | None = None) -> np.ndarray:
        """Outputs; hidden layers with ``gates`` (points, units) are linear and multiplied by them instead of σ."""
        h = x
        for number, (matrix, bias) in enumerate(zip(self.matrices[:-1], self.biases, strict=False)):
            h = h @ matrix.T + bias
            h = h * gates[number] if gates is not None and number in gates else rectify(h)
        return h @ self.matrices[-1].T + self.biases[-1]


def read(name: str, model: Any, x: np.ndarray, outputs: int) -> Chain:
    """The layers of whatever the user has, checked against the data and, for a module, against its own outputs.

    Raises:
        ValueError: not a ReLU network, or not one for these data; a file of another kind.
    """
    torch, equinox = sys.modules.get("torch"), sys.modules.get("equinox")
    if torch is not None and isinstance(model, torch.nn.Module):
        from festina.probe._modules import from_torch

        chain, own = from_torch(name, model, x)
    elif equinox is not None and isinstance(model, equinox.Module):
        from festina.probe._modules import from_equinox

        chain, own = from_equinox(name, model, x)
    elif isinstance(model, str | Path):
        chain, own = _order(f"{name} {str(model)!r}", _file(name, Path(model)), x.shape[1]), None
    elif isinstance(model, Mapping):
        chain, own = _order(name, {str(k): _array(f"{name}[{k!r}]", v) for k, v in model.items()}, x.shape[1]), None
    elif isinstance(model, list | tuple):
        chain, own = _listed(name, model), None
    else:
        raise ValueError(
            f"{name} is {type(model).__name__}; a torch.nn.Module, an equinox module, a list of matrices (out, in), or "
            "a .npz or .safetensors file of weights is needed."
        )
    _fits(name, chain, x, outputs)
    if own is not None:
        _same(name, chain.outputs(x), own)
    return chain


def _fits(name: str, chain: Chain, x: np.ndarray, outputs: int) -> None:
    shapes = [matrix.shape for matrix in chain.matrices]
    if len(shapes) < 2:
        raise ValueError(f"{name} has {len(shapes)} layer(s) of weights; {NEEDED}, so at least two.")
    if any(a[0] != b[1] for a, b in pairwise(shapes)):
        raise ValueError(f"{name} has layers of shapes {shapes}, which do not follow one another; {NEEDED}.")
    for what, own, given in (("inputs", shapes[0][1], x.shape[1]), ("outputs", shapes[-1][0], outputs)):
        if own != given:
            letter = what[0].replace("i", "x").replace("o", "y")
            raise ValueError(
                f"{name} has {own} {what} and {letter} has {given} columns; give the data that the network was made "
                "for, one row per data point."
            )


def _same(name: str, ours: np.ndarray, own: np.ndarray) -> None:
    own = own.reshape(len(own), -1)
    if own.shape != ours.shape:
        raise ValueError(f"{name} gives outputs of shape {own.shape}, its layers {ours.shape}; {NEEDED}.")
    apart = float(np.abs(ours - own).max())
    if not apart <= ROUNDING * max(float(np.abs(own).max()), np.finfo(float).tiny):
        raise ValueError(
            f"{name} is no ReLU network: its outputs differ by up to {apart:.3g} from those of its Linear layers with "
            "ReLU between them. Another activation function, a skip connection or a scaling would do that; "
            f"{NEEDED}."
        )


def _array(name: str, value: Any) -> np.ndarray:
    if hasattr(value, "detach"):
        value = value.detach().cpu().double().numpy()
    return _check.numbers(name, value)


def _listed(name: str, layers: Sequence[Any]) -> Chain:
    """Matrices, or pairs (matrix, bias)."""
    matrices, biases = [], []
    for i, layer in enumerate(layers):
        parts = layer if isinstance(layer, list | tuple) and len(layer) == 2 else (layer, None)
        matrix = _array(f"{name}[{i}]", parts[0])
        if matrix.ndim != 2:
            raise ValueError(f"{name}[{i}] has shape {matrix.shape}; a matrix (out, in) is needed.")
        bias = np.zeros(len(matrix)) if parts[1] is None else _array(f"{name}[{i}][1]", parts[1])
        if bias.shape != (len(matrix),):
            raise ValueError(f"{name}[{i}] has a bias of shape {bias.shape} for {len(matrix)} units.")
        matrices.append(matrix)
        biases.append(bias)
    return Chain(tuple(matrices), tuple(biases))


def _file(name: str, path: Path) -> dict[str, np.ndarray]:
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
    return {key: _check.numbers(f"{key!r} in {path.name}", array) for key, array in arrays.items()}


def _words(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+|\d+", name)]


def _natural(name: str) -> list[tuple[int, int | str]]:
    """Numbers in a name count as numbers: layer 2 comes before layer 10."""
    return [(0, int(word)) if word.isdigit() else (1, word) for word in _words(name)]


def _order(name: str, arrays: Mapping[str, np.ndarray], inputs: int) -> Chain:
    """Matrices and biases in the order in which they follow one another.

    The order of the names, numbers counting as numbers, is taken where shapes allow it, and otherwise the only order
    that shapes allow. Flax's ``kernel`` is (in, out) and is turned.
    """
    matrices: dict[tuple[str, ...], np.ndarray] = {}
    biases: dict[tuple[str, ...], tuple[str, np.ndarray]] = {}
    for key in sorted(arrays, key=_natural):
        array, words = arrays[key], _words(key)
        place = tuple(word for word in words if word not in ROLES)
        if array.ndim == 1:
            biases[place] = key, array
        elif array.ndim == 2:
            if place in matrices:
                raise ValueError(f"{name} holds two matrices for layer {' '.join(place)!r} (one is {key!r}); {NEEDED}.")
            matrices[place] = array.T if "kernel" in words else array
        else:
            raise ValueError(f"{name} holds {key!r} of shape {array.shape}, which is no layer of a ReLU network.")
    for place, (key, bias) in biases.items():
        if place not in matrices or bias.shape != (len(matrices[place]),):
            shapes = ", ".join(f"{' '.join(p)} {m.shape}" for p, m in matrices.items()) or "it has none"
            raise ValueError(
                f"{name} holds {key!r} of shape {bias.shape}, which is the bias of none of its matrices ({shapes}); "
                f"{NEEDED}."
            )
    places = _follow(name, matrices, inputs)
    zero = {place: np.zeros(len(matrix)) for place, matrix in matrices.items()}
    return Chain(tuple(matrices[p] for p in places), tuple(biases[p][1] if p in biases else zero[p] for p in places))


MANY = 8
"""Layers up to which all orders are tried."""


def _follow(name: str, matrices: Mapping[tuple[str, ...], np.ndarray], inputs: int) -> list[tuple[str, ...]]:
    def chained(places: Sequence[tuple[str, ...]]) -> bool:
        shapes = [matrices[p].shape for p in places]
        return shapes[0][1] == inputs and all(a[0] == b[1] for a, b in pairwise(shapes))

    named = list(matrices)
    if not named or chained(named) or len(named) > MANY:
        return named
    possible = [list(order) for order in permutations(named) if chained(order)]
    if len(possible) == 1:
        return possible[0]
    if possible:
        shapes = {" ".join(place): matrix.shape for place, matrix in matrices.items()}
        raise ValueError(
            f"{name} holds matrices whose order neither their names nor their shapes tell: {shapes}; number the names "
            "from the input to the output."
        )
    # the check of shapes against the data says what does not fit
    return named
