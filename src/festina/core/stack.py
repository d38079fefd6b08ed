"""Observations joined along an axis; those that are an array per layer stay tuples."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from festina.checks.shapes import Array, ArrayLike


def stack(parts: Sequence[ArrayLike] | Sequence[tuple[ArrayLike, ...]], join: Callable[[Any], Array] = np.stack) -> Any:
    """``join`` of all parts, by default along a new leading axis; of tuples, layer by layer."""
    if isinstance(parts[0], tuple):
        return tuple(join(layer) for layer in zip(*parts, strict=True))
    return join(parts)
