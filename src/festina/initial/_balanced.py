"""Weights with a prescribed imbalance between layers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.core.initial import Initial, Shapes, orthonormal
from festina.core.statistics import RANK_TOLERANCE
from festina.core.task import Task


@dataclass(frozen=True)
class Balanced(Initial):
    """Random weights whose layers are λ-balanced: W_{l+1}ᵀW_{l+1} − W_l W_lᵀ = λ·1.

    The end-to-end map is random, of the largest rank the shape allows, with independent singular directions and
    root-mean-square singular value ``scale``, or it is given. λ ≠ 0 is defined for two layers. A singular value s of
    the map is then carried by singular values √((√(λ²+4s²) ± λ)/2) of the layers. Hidden directions that the map does
    not use have √|λ| in the stronger layer. Hidden directions are random.

    Args:
        scale: root-mean-square singular value of the end-to-end map, ≥ 0; of a given ``map``, a factor on it.
        lambda_: the imbalance λ; large positive: the output layer is the stronger.
        map: the end-to-end map, (outputs, inputs), where it is to be prescribed.

    Raises:
        ValueError: λ > 0 with more hidden units than outputs, or λ < 0 with more hidden units than inputs (the
            stronger layer cannot have full rank on the hidden space); λ ≠ 0 with other than two layers; a map of
            another shape, or of higher rank than a hidden layer is wide.

    Example:
        >>> import numpy as np, festina as fs
        >>> initial = fs.initial.Balanced(1.0, lambda_=0.5, map=[[2.0, 0.0], [0.0, 1.0]])
        >>> w1, w2 = fs.DeepLinear(hidden=(2,), initial=initial).start(fs.Task(np.eye(2), np.eye(2)), seed=0)
        >>> bool(np.allclose(w2 @ w1, [[2, 0], [0, 1]])), bool(np.allclose(w2.T @ w2 - w1 @ w1.T, 0.5 * np.eye(2)))
        (True, True)

    Source: braun2022; domine2025 (λ-balanced weights).
    """

    scale: float
    lambda_: float = 0.0
    map: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check.positive("scale", self.scale, zero=True)
        check.number("lambda_", self.lambda_)
        if self.map is not None:
            # as tuples, so that equal rules are equal and networks stay hashable
            object.__setattr__(self, "map", tuple(map(tuple, check.matrix("map", self.map).tolist())))

    def draw(self, shapes: Shapes, task: Task, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Layers R_l diag(b_l) R_{l−1}ᵀ, plus √|λ| on the directions the map does not use."""
        depth, inputs, outputs = len(shapes), shapes[0][1], shapes[-1][0]
        hidden = [out for out, _ in shapes[:-1]]
        rank = min(inputs, outputs, *hidden)
        left = right = None
        if self.map is None:
            strengths = np.abs(rng.standard_normal(rank))
            strengths *= self.scale / np.sqrt(np.mean(strengths**2))
        else:
            left, strengths, right = self._modes((outputs, inputs), rank)
        if self.lambda_ == 0:
            frames = [orthonormal(width, rank, rng) for width in (inputs, *hidden, outputs)]
            if left is not None and right is not None:
                frames[0], frames[-1] = right[:, :rank], left[:, :rank]
            layer = strengths ** (1 / depth)
            return tuple(frames[i + 1] * layer @ frames[i].T for i in range(depth))
        return self._unbalanced(shapes, strengths, left, right, rng)

    def _modes(self, shape: tuple[int, int], rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All singular vectors and ``rank`` singular values of the prescribed map."""
        target = self.scale * np.array(self.map)
        if target.shape != shape:
            raise ValueError(f"map has shape {target.shape}; (outputs, inputs) = {shape} is needed.")
        left, strengths, right = np.linalg.svd(target)
        excess = strengths[rank:].max(initial=0.0)
        if excess > RANK_TOLERANCE * strengths[0]:
            raise ValueError(
                f"map has rank above {rank}, the narrowest layer (singular value {rank + 1} is {excess:.3g}); widen "
                "the hidden layers, or give a map of lower rank."
            )
        return left, strengths[:rank], right.T

    def _unbalanced(
        self,
        shapes: Shapes,
        strengths: np.ndarray,
        left: np.ndarray | None,
        right: np.ndarray | None,
        rng: np.random.Generator,
    ) -> tuple[np.ndarray, ...]:
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
        right = orthonormal(inputs, min(hidden, inputs), rng) if right is None else right[:, :hidden]
        left = orthonormal(outputs, min(hidden, outputs), rng) if left is None else left[:, :hidden]
        w1 = middle[:, : right.shape[1]] * first[: right.shape[1]] @ right.T
        w2 = left * second[: left.shape[1]] @ middle[:, : left.shape[1]].T
        return w1, w2
