"""How a gradient becomes a step."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

NAMES = ("adam", "gd", "momentum")


class Optimiser(NamedTuple):
    """``init(weights)`` gives its memory; ``update(gradient, memory, weights)`` the new weights and memory."""

    init: Callable[[Any], Any]
    update: Callable[[Any, Any, Any], tuple[Any, Any]]


def transformation(kind: Any) -> bool:
    """Whether this is one of optax's gradient transformations: a pair of functions."""
    return callable(getattr(kind, "init", None)) and callable(getattr(kind, "update", None))


@lru_cache(maxsize=64)
def prepare(kind: Any, rate: float) -> Any:
    """What compiled code is made for: a name, or the transformation that a user's function makes of the rate.

    Kept, so that equal settings compile once.

    Raises:
        ValueError: the user's function does not make a transformation.
    """
    if isinstance(kind, str) or transformation(kind):
        return kind
    made = kind(rate)
    if not transformation(made):
        raise ValueError(
            f"optimiser makes {type(made).__name__} of the rate; a function that makes an optax transformation of it "
            "is needed, such as optax.lion."
        )
    return made


def optimiser(kind: Any, rate: Any, momentum: float) -> Optimiser:
    """The optimiser of that name, or a user's."""
    import jax

    def descend(weights: Any, directions: Any) -> Any:
        return jax.tree.map(lambda w, d: w - rate * d, weights, directions)

    if kind == "gd":
        return Optimiser(lambda _: (), lambda gradient, memory, weights: (descend(weights, gradient), memory))
    if kind == "momentum":

        def update(gradient: Any, memory: Any, weights: Any) -> tuple[Any, Any]:
            memory = jax.tree.map(lambda v, g: momentum * v + g, memory, gradient)
            return descend(weights, memory), memory

        return Optimiser(lambda weights: jax.tree.map(lambda w: 0 * w, weights), update)

    import optax

    rule = optax.adam(rate) if kind == "adam" else kind

    def apply(gradient: Any, memory: Any, weights: Any) -> tuple[Any, Any]:
        change, memory = rule.update(gradient, memory, weights)
        return optax.apply_updates(weights, change), memory

    return Optimiser(rule.init, apply)
