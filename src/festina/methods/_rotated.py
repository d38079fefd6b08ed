"""Wide hidden layers of linear units, trained and integrated in the few dimensions that their weights span.

Descent by the gradient, with momentum or by mini-batches, and gradient flow stay in the span of the weights that lead
into a hidden layer and out of it. In a basis of that span, found once, a layer has no more dimensions than its
neighbours together. Observables of single hidden units are turned back into the units' own basis; all others are the
same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Tree
from festina.core.network import Context, Network, Observables, stack

NARROW = "weights in the basis of their span"
"""Name under which the weights themselves are observed while a rotated network is trained."""

LINEAR_OPTIMISERS = ("gd", "momentum")
"""Optimisers whose steps are sums of gradients; others, such as Adam, treat each weight by itself."""


@dataclass(frozen=True)
class AndWeights:
    """A network's observables, and the weights themselves."""

    own: Observables

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        """The observables on these data."""
        return {**self.own(context), NARROW: lambda weights: weights}


@dataclass(frozen=True)
class Rotated:
    """Starts in the basis of their span, what turns them back, and which observables are per hidden unit."""

    starts: list[Any]
    restore: list[Callable[[Any], Any]]
    per_unit: tuple[str, ...]

    def whole(self, paths: Sequence[Sequence[Tree]]) -> list[list[Any]]:
        """Weights of each seed at each time in the hidden units' own basis."""
        return [[back(weights) for weights in path] for back, path in zip(self.restore, paths, strict=True)]


def rotate(network: Network, context: Context, starts: Sequence[Tree], observe: Sequence[str]) -> Rotated | None:
    """All starts in the basis of their span; None if no layer is wider than that."""
    turns = []
    for start in starts:
        turn = network.rotate(start)
        if turn is None:
            return None
        turns.append(turn)
    known = network.observables(context)
    small = turns[0][0]
    per_unit = tuple(name for name in observe if _shapes(known[name](starts[0])) != _shapes(known[name](small)))
    return Rotated([narrow for narrow, _ in turns], [restore for _, restore in turns], per_unit)


def _shapes(value: Array | tuple[Array, ...]) -> tuple[Any, ...]:
    return tuple(np.shape(part) for part in value) if isinstance(value, tuple) else np.shape(value)


def observed(observable: Callable[[Any], Any], paths: Sequence[Sequence[Tree]]) -> Any:
    """(seeds, times, …)."""

    def plain(value: object) -> Any:
        return tuple(np.asarray(part) for part in value) if isinstance(value, tuple) else np.asarray(value)

    return stack([stack([plain(observable(weights)) for weights in path]) for path in paths])
