"""Cost of a training step: its products and their floating-point operations, counted in the traced loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import jax
import numpy as np

from festina.checks.shapes import Tree
from festina.core.network import Context, Loss
from festina.methods._step import Shapes, TrainSpec, shapes
from festina.runtime.device import in_double

if TYPE_CHECKING:
    from jax.extend.core import Jaxpr, Literal, Var

GRADIENT = 3
"""A loss and its gradient take three times as many products as the loss: each product has two derivatives."""


class Work(NamedTuple):
    """Products and convolutions, one after another, and the floating-point operations of all of them together."""

    products: float
    operations: float

    def times(self, count: float) -> Work:
        """The same work, repeated."""
        return Work(count * self.products, count * self.operations)


def step_work(spec: TrainSpec, context: Context, start: Tree) -> Work:
    """The work of a seed's step, forward and back.

    Weights that act at many places, as in convolutions and recurrent networks, count at each of them.
    """
    if spec.sample is not None and spec.batch is not None:
        batch, sample = spec.batch, spec.sample
        data, share = jax.eval_shape(lambda: sample(jax.random.PRNGKey(0), batch, context)), 1.0
    elif spec.batch is not None:
        data = context["points"]
        share = spec.batch / len(data.y)
    else:
        data, share = context["data"], 1.0
    found = gradient_work(spec.loss, start, data)
    return found._replace(operations=share * found.operations)


def gradient_work(loss: Loss, weights: Tree, data: Tree) -> Work:
    """The work of a loss and its gradient."""
    given = jax.tree.map(lambda a: a if hasattr(a, "dtype") else np.asarray(a), (weights, data))
    return _counted(loss, shapes(*given)).times(GRADIENT)


@lru_cache(maxsize=128)
def _counted(loss: Loss, arguments: Shapes) -> Work:
    """The work of a loss on weights and data of these shapes."""
    weights, data = jax.tree.unflatten(arguments.tree, arguments.leaves)
    # shapes of any precision are counted; units that are dropped are computed all the same, so nothing is drawn here
    with in_double():
        return _products(jax.make_jaxpr(lambda weights, data: loss(weights, data, None))(weights, data).jaxpr)


def _products(jaxpr: Jaxpr) -> Work:
    """The work of a traced function and of all functions that it calls."""
    found: list[Work] = []
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name == "dot_general":
            contracted, left = equation.params["dimension_numbers"][0][0], _shape(equation.invars[0])
            found.append(Work(1, 2.0 * math.prod(_shape(equation.outvars[0])) * math.prod(left[i] for i in contracted)))
        elif name == "conv_general_dilated":
            # each output pixel is a sum over the kernel of one output channel
            kernel, channels = _shape(equation.invars[1]), equation.params["dimension_numbers"].rhs_spec[0]
            found.append(Work(1, 2.0 * math.prod(_shape(equation.outvars[0])) * math.prod(kernel) / kernel[channels]))
        inside = [_products(inner) for inner in _called(equation.params)]
        if inside and name == "cond":
            found.append(max(inside, key=lambda work: work.operations))
        else:
            turns = equation.params.get("length", 1) if name == "scan" else 1
            found += [work.times(turns) for work in inside]
    return Work(sum(work.products for work in found), sum(work.operations for work in found))


def _shape(value: Var | Literal) -> tuple[int, ...]:
    return getattr(value.aval, "shape", ())


def _called(params: Mapping[str, object]) -> Iterator[Jaxpr]:
    """The traced functions among an equation's parameters: the body of a loop, the branches of a choice."""
    for value in params.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            inner: Jaxpr | None = getattr(each, "jaxpr", each)  # type: ignore[assignment]
            if hasattr(inner, "eqns"):
                yield inner  # type: ignore[misc]
