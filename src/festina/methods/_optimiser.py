"""How a gradient becomes a step."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from festina.checks.shapes import Array, Tree

NAMES = ("adam", "gd", "momentum")

if TYPE_CHECKING:
    import optax

    Transformation = str | optax.GradientTransformation
    Kind = Transformation | Callable[[float], optax.GradientTransformation]
else:  # optax is loaded by what uses it
    Transformation = Kind = object
"""The name of an optimiser or one of optax's transformations; ``Kind`` may also be a function that makes one of the
rate."""


class Optimiser(NamedTuple):
    """``init(weights)`` gives its memory; ``update(gradient, memory, weights)`` the new weights and memory."""

    init: Callable[[Any], Any]
    update: Callable[[Any, Any, Any], tuple[Any, Any]]


def transformation(kind: object) -> bool:
    """Whether this is one of optax's gradient transformations: a pair of functions."""
    return callable(getattr(kind, "init", None)) and callable(getattr(kind, "update", None))


@lru_cache(maxsize=64)
def prepare(kind: Kind, rate: float) -> Any:
    """What compiled code is made for: a name, or the transformation that a user's function makes of the rate.

    Kept, so that equal settings compile once.

    Raises:
        ValueError: the user's function does not make a transformation.
    """
    if isinstance(kind, str) or transformation(kind):
        return kind
    try:
        made = kind(rate) if callable(kind) else kind
    except Exception as error:
        raise ValueError(
            f"optimiser is {kind!r}, which fails on the rate {rate:g} ({type(error).__name__}: {error}); a function "
            "that makes an optax transformation of it is needed, such as optax.adamw, or a name."
        ) from None
    if not transformation(made):
        raise ValueError(
            f"optimiser makes {type(made).__name__} of the rate; a function that makes an optax transformation of it "
            "is needed, such as optax.lion."
        )
    return made


def optimiser(kind: Transformation, rate: Array | float, momentum: float) -> Optimiser:
    """The optimiser of that name, or a user's."""
    import jax

    def descend(weights: Tree, directions: Tree) -> Any:
        return jax.tree.map(lambda w, d: w - rate * d, weights, directions)

    if kind == "gd":
        return Optimiser(lambda _: (), lambda gradient, memory, weights: (descend(weights, gradient), memory))
    if kind == "momentum":

        def update(gradient: Tree, memory: Tree, weights: Tree) -> tuple[Any, Any]:
            memory = jax.tree.map(lambda v, g: momentum * v + g, memory, gradient)
            return descend(weights, memory), memory

        return Optimiser(lambda weights: jax.tree.map(lambda w: 0 * w, weights), update)

    import optax

    library: Any = optax
    rule: Any = library.adam(rate) if isinstance(kind, str) else kind

    def apply(gradient: Tree, memory: Tree, weights: Tree) -> tuple[Any, Any]:
        change, memory = rule.update(gradient, memory, weights)
        return library.apply_updates(weights, change), memory

    return Optimiser(rule.init, apply)
