"""Weights with a prescribed imbalance between layers."""

from dataclasses import dataclass

import numpy as np

from festina import _check
from festina._task import Task
from festina.initial._base import Initial, Shapes, orthonormal


@dataclass(frozen=True)
class Balanced(Initial):
    """Random weights whose layers are λ-balanced: W_{l+1}ᵀW_{l+1} − W_l W_lᵀ = λ·1.

    The end-to-end map is random, of the largest rank the shape allows, with independent singular directions and
    root-mean-square singular value ``scale``. λ ≠ 0 is defined for two layers.

    Args:
        scale: root-mean-square singular value of the end-to-end map, ≥ 0.
        lambda_: the imbalance λ; large positive: the output layer is the stronger.

    Raises:
        ValueError: λ > 0 with more hidden units than outputs, or λ < 0 with more hidden units than inputs (the
            stronger layer cannot have full rank on the hidden space); λ ≠ 0 with other than two layers.

    Source: braun2022 section 2; domine2025 eq. (4).
    """

    scale: float
    lambda_: float = 0.0

    def __post_init__(self) -> None:
        _check.positive("scale", self.scale, zero=True)
        _check.numbers("lambda_", self.lambda_)

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Layers R_l diag(b_l) R_{l−1}ᵀ, plus √|λ| on the directions the map does not use."""
        depth, inputs, outputs = len(shapes), shapes[0][1], shapes[-1][0]
        hidden = [out for out, _ in shapes[:-1]]
        rank = min(inputs, outputs, *hidden)
        strengths = np.abs(rng.standard_normal(rank))
        strengths *= self.scale / np.sqrt(np.mean(strengths**2))
        if self.lambda_ == 0 or depth == 1:
            frames = [orthonormal(width, rank, rng) for width in (inputs, *hidden, outputs)]
            layer = strengths ** (1 / depth)
            return tuple(frames[i + 1] * layer @ frames[i].T for i in range(depth))
        return self._unbalanced(shapes, strengths, rng)

    def _unbalanced(self, shapes: Shapes, strengths: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        if len(shapes) != 2:
            raise ValueError(
                f"lambda_ is {self.lambda_:g} with {len(shapes)} layers; it must be 0 unless there are two."
            )
        (hidden, inputs), (outputs, _) = shapes
        stronger, width = ("outputs", outputs) if self.lambda_ > 0 else ("inputs", inputs)
        if hidden > width:
            raise ValueError(
                f"lambda_ is {self.lambda_:g} with {hidden} hidden units and {width} {stronger}: the stronger layer "
                f"would need rank {hidden} but has {width} {stronger}. Use at most {width} hidden units, lambda_=0, "
                "or the other sign."
            )
        padded = np.zeros(hidden)
        padded[: len(strengths)] = strengths
        # singular values of the two layers: product s, difference of squares λ; no cancellation for either sign
        strong = np.sqrt((np.hypot(self.lambda_, 2 * padded) + abs(self.lambda_)) / 2)
        weak = padded / strong
        second, first = (strong, weak) if self.lambda_ > 0 else (weak, strong)
        middle = orthonormal(hidden, hidden, rng)
        right = orthonormal(inputs, min(hidden, inputs), rng)
        left = orthonormal(outputs, min(hidden, outputs), rng)
        w1 = middle[:, : right.shape[1]] * first[: right.shape[1]] @ right.T
        w2 = left * second[: left.shape[1]] @ middle[:, : left.shape[1]].T
        return w1, w2
