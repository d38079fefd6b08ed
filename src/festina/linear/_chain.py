"""A network's weights as independent chains, one per mode."""

from dataclasses import dataclass

import numpy as np

from festina._assumption import Assumption
from festina._statistics import Statistics

EXACT_BOUND = 1e-10
"""Largest relative distance from an assumption that leaves a closed form exact to the nine digits it promises."""

SWEEPS = 200
"""Alternating sweeps when directions of hidden layers are sought; each can only improve the fit."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Weights W_l = R_l diag(b_l) R_{l−1}ᵀ: mode α runs through the layers with strengths b_{lα}.

    Args:
        directions: R_0 (inputs × modes), …, R_D (outputs × modes).
        layers: b, shape (D, modes).
        alignment: relative distance of the weights this was measured on from the weights it describes.
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
    def balance(self) -> float:
        """Largest difference of squared layer strengths within a mode, relative to the largest square."""
        squares = self.layers**2
        top = squares.max(initial=0.0)
        return float((squares.max(axis=0) - squares.min(axis=0)).max(initial=0.0) / top) if top else 0.0

    def weights(self, layers: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        """The matrices, for these layer strengths or for others of shape (..., D, modes)."""
        layers = self.layers if layers is None else layers
        return tuple(
            np.einsum("om,...m,im->...oi", self.directions[i + 1], layers[..., i, :], self.directions[i])
            for i in range(self.depth)
        )

    def assumptions(self, bound: float, *, balanced: bool) -> tuple[Assumption, ...]:
        """Alignment and, where the theory needs it, balance."""
        found = [
            Assumption(
                "alignment",
                "weights are decoupled into the task's modes (relative distance from such weights)",
                self.alignment,
                bound,
            )
        ]
        if balanced:
            found.append(Assumption("balance", "all layers carry a mode equally strongly", self.balance, bound))
        return tuple(found)


def _normalise(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.linalg.norm(vectors, axis=0)
    return vectors / np.where(lengths > 0, lengths, 1.0), lengths


def decouple(weights: tuple[np.ndarray, ...], statistics: Statistics) -> Chain:
    """The chains nearest to ``weights``: each mode alone, along the hidden directions that carry it best.

    Directions n_l of mode α maximise Σ_l n_lᵀ W_l n_{l−1} with n_0 = v_α and n_D = u_α fixed, by alternating
    n_l ∝ W_l n_{l−1} + W_{l+1}ᵀ n_{l+1}. For two layers that is the direction of the growing component
    ½(W1 v + W2ᵀu) of saxe2019; for weights that are decoupled already it finds them exactly.
    """
    depth = len(weights)
    frames = [statistics.right]
    for matrix in weights[:-1]:
        frames.append(_normalise(matrix @ frames[-1])[0])
    frames.append(statistics.left)
    for _ in range(SWEEPS if depth > 1 else 0):
        moved = 0.0
        for i in range(1, depth):
            new = _normalise(weights[i - 1] @ frames[i - 1] + weights[i].T @ frames[i + 1])[0]
            moved = max(moved, float(np.abs(new - frames[i]).max(initial=0.0)))
            frames[i] = new
        if moved < 1e-14:
            break
    layers = np.stack([np.sum(frames[i + 1] * (weights[i] @ frames[i]), axis=0) for i in range(depth)])
    chain = Chain(tuple(frames), layers)
    norms = [np.linalg.norm(w) for w in weights]
    residual = max(
        (np.linalg.norm(w - c) / n for w, c, n in zip(weights, chain.weights(), norms, strict=True) if n > 0),
        default=0.0,
    )
    for i in range(1, depth):
        active = np.linalg.norm(frames[i], axis=0) > 0
        gram = frames[i][:, active].T @ frames[i][:, active]
        residual = max(residual, float(np.linalg.norm(gram - np.eye(len(gram)), 2)) if len(gram) else 0.0)
    return Chain(tuple(frames), layers, float(residual))
