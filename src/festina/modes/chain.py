"""A network's weights as independent chains, one per mode."""

from dataclasses import dataclass

import numpy as np

EXACT_BOUND = 1e-10
"""Largest relative distance from an assumption that leaves a closed form exact to the nine digits it promises."""

CANCELLED = 1e-8
"""Share of two opposite contributions that is left where they cancel up to rounding."""

DECOUPLED = 0.1
"""Weights this near to decoupled ones are measured along the directions those would have."""

WEAK_SHARE = 1e-3
"""Share of a mode's strength from one end below which its direction is better taken from the other end."""

SETTLED = 1e-14
"""Movement of unit vectors at which the sweeps have converged."""

SWEEPS = 200
"""Alternating sweeps when directions of hidden layers are sought; each can only improve the fit."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Weights W_l = R_l diag(b_l) R_{l−1}ᵀ: mode α runs through the layers with strengths b_{lα}.

    Args:
        directions: R_0 (inputs × modes), …, R_D (outputs × modes).
        layers: b, shape (D, modes).
        alignment: relative distance of the weights this was measured on from the weights it describes, for all of
            them and for each mode by itself, whichever is larger.
    """

    directions: tuple[np.ndarray, ...]
    layers: np.ndarray
    alignment: float = 0.0

    @property
    def depth(self) -> int:
        """Number of weight layers."""
        return len(self.layers)

    @property
    def strengths(self) -> np.ndarray:
        """Product over layers: the end-to-end strength of each mode."""
        return np.prod(self.layers, axis=0)

    @property
    def active(self) -> np.ndarray:
        """Which modes have a strength above the rounding error of the strongest."""
        size = np.abs(self.layers).max(axis=0, initial=0.0)
        noise = np.finfo(float).eps * max(len(frame) for frame in self.directions)
        return size > noise * size.max(initial=0.0)

    @property
    def balance(self) -> float:
        """Largest difference of squared layer strengths within a mode, relative to that mode's largest square."""
        squares = self.layers[:, self.active] ** 2
        top = squares.max(axis=0, initial=0.0)
        return float(((top - squares.min(axis=0, initial=np.inf)) / top).max(initial=0.0))

    def weights(self, layers: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        """The matrices, for these layer strengths or for others of shape (..., D, modes)."""
        layers = self.layers if layers is None else layers
        return tuple(
            np.einsum("om,...m,im->...oi", self.directions[i + 1], layers[..., i, :], self.directions[i])
            for i in range(self.depth)
        )


def _normalise(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.linalg.norm(vectors, axis=0)
    return vectors / np.where(lengths > 0, lengths, 1.0), lengths


def _middle(from_below: np.ndarray, from_above: np.ndarray) -> np.ndarray:
    """Directions halfway between; where the two cancel (a mode of negative strength) the direction from below."""
    both, length = _normalise(from_below + from_above)
    one, size = _normalise(from_below)
    return np.where(length > CANCELLED * size, both, one)


def _directions(weights: tuple[np.ndarray, ...], left: np.ndarray, right: np.ndarray) -> list[np.ndarray]:
    """Hidden directions of decoupled weights: the inputs' modes carried up, the outputs' carried down.

    Each layer is reached from its nearer end, so that little of a strong mode's rounding error enters a weak one. If a
    layer in between hardly carries the mode, it is reached from the other end.
    """
    depth = len(weights)
    up, down = [_normalise(right)], [_normalise(left)]
    for i in range(depth - 1):
        up.append(_normalise(weights[i] @ up[-1][0]))
        down.append(_normalise(weights[depth - 1 - i].T @ down[-1][0]))
    frames = [right]
    for i in range(1, depth):
        near, far = (up[i], down[depth - i]) if 2 * i <= depth else (down[depth - i], up[i])
        frames.append(np.where(near[1] > WEAK_SHARE * far[1], near[0], far[0]))
    return [*frames, left]


def _sweep(weights: tuple[np.ndarray, ...], frames: list[np.ndarray]) -> list[np.ndarray]:
    frames = list(frames)
    for _ in range(SWEEPS):
        moved = 0.0
        for i in range(1, len(weights)):
            new = _middle(weights[i - 1] @ frames[i - 1], weights[i].T @ frames[i + 1])
            moved = max(moved, float(np.abs(new - frames[i]).max(initial=0.0)))
            frames[i] = new
        if moved < SETTLED:
            break
    return frames


def _measure(weights: tuple[np.ndarray, ...], frames: list[np.ndarray]) -> Chain:
    """Strengths along the directions, and how much of the weights they leave out."""
    depth = len(weights)
    layers = np.stack([np.sum(frames[i + 1] * (weights[i] @ frames[i]), axis=0) for i in range(depth)])
    # an absent mode has a direction of pure rounding error, which is discarded. A mode that is far below the strongest,
    # yet free of such error as in diagonal weights, is kept
    whole = Chain(tuple(frames), layers)
    active = whole.active
    if not active.all():
        own = np.abs(layers).max(axis=0, initial=0.0)
        off = [w - c for w, c in zip(weights, whole.weights(), strict=True)]
        active = active | (
            (own > 0) & (np.max([_touched(r, frames, i) for i, r in enumerate(off)], axis=0) <= EXACT_BOUND * own)
        )
    frames = [frames[0], *(np.where(active, frame, 0.0) for frame in frames[1:-1]), frames[-1]]
    layers = np.where(active, layers, 0.0)
    chain = Chain(tuple(frames), layers)
    rests = [w - c for w, c in zip(weights, chain.weights(), strict=True)]
    norms = [np.linalg.norm(w) for w in weights]
    residual = max((np.linalg.norm(rest) / n for rest, n in zip(rests, norms, strict=True) if n > 0), default=0.0)
    # a weak mode is lost in what is negligible compared with a strong one, so each is also measured against itself
    size = np.abs(layers).max(axis=0, initial=0.0)
    for i, rest in enumerate(rests):
        residual = max(residual, (_touched(rest, frames, i)[active] / size[active]).max(initial=0.0))
    for frame in frames[1:-1]:
        gram = frame[:, active].T @ frame[:, active]
        residual = max(residual, float(np.linalg.norm(gram - np.eye(len(gram)), 2)) if len(gram) else 0.0)
    return Chain(tuple(frames), layers, float(residual))


def _touched(rest: np.ndarray, frames: list[np.ndarray], layer: int) -> np.ndarray:
    """How much of what is left out of a layer meets each mode's directions before and after it."""
    before, after = rest @ frames[layer], rest.T @ frames[layer + 1]
    return np.sqrt(np.einsum("ij,ij->j", before, before) + np.einsum("ij,ij->j", after, after))


def decouple(weights: tuple[np.ndarray, ...], left: np.ndarray, right: np.ndarray) -> Chain:
    """The chains nearest to ``weights``: each mode alone, along the hidden directions that carry it best.

    Weights that are decoupled already are measured along their own directions. Otherwise the directions n_l of mode α
    maximise Σ_l n_lᵀ W_l n_{l−1} with n_0 = v_α and n_D = u_α fixed, found by alternating n_l ∝ W_l n_{l−1} + W_{l+1}ᵀ
    n_{l+1}. For two layers that is the direction of the growing component ½(W1 v + W2ᵀu) of saxe2019.
    """
    frames = _directions(weights, left, right)
    found = _measure(weights, frames)
    # the directions of decoupled weights are a fixed point of the sweeps that rounding error leaves
    return found if found.alignment < DECOUPLED else _measure(weights, _sweep(weights, frames))
