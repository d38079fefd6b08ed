"""How the weights of a network divide into units whose contributions add up to its outputs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Tree


@dataclass(frozen=True)
class Layout:
    """How weights divide into units: for each array its axis of units, None where all units share it."""

    tree: Any
    axes: tuple[int | None, ...]
    shapes: tuple[tuple[int, ...], ...]

    def split(self, weights: Tree) -> tuple[Any, tuple[Any, ...]]:
        """The weights of each unit (units, numbers), and the shared arrays."""
        parts, shared = [], []
        for leaf, axis in zip(self.tree.flatten_up_to(weights), self.axes, strict=True):
            array = np.asarray(leaf, float)
            if axis is None:
                shared.append(array)
            else:
                parts.append(np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1))
        return np.concatenate(parts, axis=1), tuple(shared)

    def join(self, units: Array, shared: Tree) -> Any:
        """The weights of a network with these units; for NumPy and JAX alike."""
        import jax
        import jax.numpy as jnp

        library: Any = np if isinstance(units, np.ndarray) else jnp
        leaves, rest = [], iter(jax.tree.leaves(shared))
        parts = iter(self.spans)
        for axis, shape in zip(self.axes, self.shapes, strict=True):
            if axis is None:
                leaves.append(next(rest))
            else:
                leaves.append(library.moveaxis(units[:, next(parts)].reshape(len(units), *shape), 0, axis))
        return jax.tree.unflatten(self.tree, leaves)

    @property
    def spans(self) -> list[slice]:
        """Which numbers of a unit belong to each array that divides."""
        sizes = [int(np.prod(shape)) for axis, shape in zip(self.axes, self.shapes, strict=True) if axis is not None]
        ends = np.cumsum([0, *sizes]).tolist()
        return [slice(a, b) for a, b in pairwise(ends)]


def lay_out(weights: Tree, axes: Tree) -> Layout:
    """The layout of weights whose axes of units are given.

    Raises:
        ValueError: axes that do not fit the weights, or numbers of units that differ.
    """
    import jax

    leaves, tree = jax.tree.flatten(weights)
    given = jax.tree.leaves(axes, is_leaf=lambda axis: axis is None)
    if len(given) != len(leaves) or all(axis is None for axis in given):
        raise ValueError(
            f"units(weights) is {axes!r}, and the weights are {len(leaves)} arrays; give for each array the axis that "
            "runs over the units, in the same nesting, and None for an array that all units share."
        )
    shapes, counts = [], set()
    for leaf, axis in zip(leaves, given, strict=True):
        shape = np.shape(leaf)
        if axis is not None and not (isinstance(axis, int) and -len(shape) <= axis < len(shape)):
            raise ValueError(
                f"units(weights) has the axis {axis!r} for an array of shape {shape}; use one of its axes."
            )
        counts |= set() if axis is None else {shape[axis]}
        shapes.append(shape if axis is None else tuple(np.delete(shape, axis).tolist()))
    if len(counts) > 1:
        raise ValueError(f"units(weights) names axes of lengths {sorted(counts)}; all must be the number of units.")
    return Layout(tree, tuple(given), tuple(shapes))
