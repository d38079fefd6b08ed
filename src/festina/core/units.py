"""How the weights of a network divide into units whose contributions add up to its outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Tree

ADDITIVE = 1e-6
"""Relative difference up to which outputs count as the sum of what units contribute."""


@dataclass(frozen=True)
class Leading:
    """The first entries along an axis, one for each unit; all units share the rest, such as a column of biases."""

    axis: int
    count: int


@dataclass(frozen=True)
class Layout:
    """How weights divide into units: for each array its axis of units, None if all units share it."""

    tree: Any
    axes: tuple[int | Leading | None, ...]
    shapes: tuple[tuple[int, ...], ...]

    def split(self, weights: Tree) -> tuple[Any, tuple[Any, ...]]:
        """The weights of each unit (units, numbers), and the shared arrays."""
        parts, shared = [], []
        for leaf, axis in zip(self.tree.flatten_up_to(weights), self.axes, strict=True):
            array = np.asarray(leaf, float)
            if axis is None:
                shared.append(array)
                continue
            if isinstance(axis, Leading):
                array, rest = np.split(array, [axis.count], axis.axis)
                shared.append(rest)
            parts.append(np.moveaxis(array, _place(axis), 0).reshape(array.shape[_place(axis)], -1))
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
                continue
            part = library.moveaxis(units[:, next(parts)].reshape(len(units), *shape), 0, _place(axis))
            leaves.append(library.concatenate([part, next(rest)], axis.axis) if isinstance(axis, Leading) else part)
        return jax.tree.unflatten(self.tree, leaves)

    @property
    def spans(self) -> list[slice]:
        """Which numbers of a unit belong to each array that divides."""
        sizes = [int(np.prod(shape)) for axis, shape in zip(self.axes, self.shapes, strict=True) if axis is not None]
        ends = np.cumsum([0, *sizes]).tolist()
        return [slice(a, b) for a, b in pairwise(ends)]


def lay_out(weights: Tree, axes: Tree) -> Layout:
    """The layout of weights whose axes of units are given."""
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
        place = None if axis is None else _place(axis)
        if place is not None and not (isinstance(place, int) and -len(shape) <= place < len(shape)):
            raise ValueError(
                f"units(weights) has the axis {axis!r} for an array of shape {shape}; use one of its axes."
            )
        counts |= set() if place is None else {axis.count if isinstance(axis, Leading) else shape[place]}
        shapes.append(shape if place is None else tuple(np.delete(shape, place).tolist()))
    if len(counts) > 1:
        raise ValueError(f"units(weights) names axes of lengths {sorted(counts)}; all must be the number of units.")
    return Layout(tree, tuple(given), tuple(shapes))


def find_axes(outputs: Callable[[Tree], Any], weights: Tree) -> Any:
    """Along which axes weights divide into units, found by trial with random weights; None if they do not.

    Every matrix has to divide, since what all units share may only add to the outputs; vectors may be biases.
    """
    import jax

    leaves, tree = jax.tree.flatten(weights)
    shapes = [np.shape(leaf) for leaf in leaves]
    wide = [shape for shape in shapes if len(shape) > 1] or shapes
    draw = np.random.default_rng(0).standard_normal

    def adds(axes: Sequence[int | None], *, shared: bool) -> bool:
        """Whether outputs are a sum over units and, if asked for, what they share adds to it."""
        layout = lay_out(weights, tree.unflatten(axes))
        (units, some), (_, other) = (layout.split(tree.unflatten([draw(s) for s in shapes])) for _ in range(2))
        half = (np.arange(len(units)) % 2)[:, None]

        def added(units: np.ndarray, rest: tuple[np.ndarray, ...]) -> np.ndarray:
            return np.asarray(outputs(layout.join(units, rest))) - np.asarray(outputs(layout.join(0 * units, rest)))

        whole = added(units, some)
        away = [added(half * units, some) + added((1 - half) * units, some), *([added(units, other)] if shared else [])]
        return all(np.linalg.norm(a - whole) <= ADDITIVE * np.linalg.norm(whole) for a in away)

    for count in sorted(set.intersection(*map(set, wide)) if len(wide) > 1 else (), reverse=True):
        choices: list[list[int | None]] = []
        for k, shape in enumerate(shapes):
            before, after = [None] * k, [None] * (len(shapes) - k - 1)
            alone = [a for a, n in enumerate(shape) if n == count and adds([*before, a, *after], shared=False)]
            choices.append([*alone, *([] if shape in wide else [None])])
            if not choices[-1]:
                break
        else:
            found = next(
                (axes for axes in product(*choices) if any(a is not None for a in axes) and adds(axes, shared=True)),
                None,
            )
            if found is not None:
                return tree.unflatten(found)
    return None


def _place(axis: int | Leading) -> int:
    return axis.axis if isinstance(axis, Leading) else axis
