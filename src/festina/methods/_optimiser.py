"""How a gradient becomes a step."""

import warnings
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from festina.checks.shapes import Array, Tree

NAMES = ("adam", "adamw", "gd", "momentum", "rmsprop")

CLIPPED = 1e-6
"""Constant that PyTorch adds to the norm of a gradient before it divides by it."""

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


class Rule(NamedTuple):
    """An optimiser with more settings than its name; hashable.

    ``scale`` multiplies the gradient before anything else and divides the rate: it is another library's loss over ours.
    """

    kind: str
    momentum: float = 0.0
    nesterov: bool = False
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0
    clip: float | None = None
    scale: float = 1.0


def transformation(kind: object) -> bool:
    """Whether this is one of optax's gradient transformations: a pair of functions."""
    return callable(getattr(kind, "init", None)) and callable(getattr(kind, "update", None))


@lru_cache(maxsize=64)
def prepare(kind: Kind, rate: float) -> Any:
    """Key of compiled code: a name, or the transformation that a user's function makes of the rate.

    Kept, so that equal settings compile once.
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


def optimiser(
    kind: Transformation | Rule, rate: Array | float, momentum: float, factors: Array | None = None
) -> Optimiser:
    """The optimiser of that name, with these settings, or a user's; step k has the rate times its factor, if any."""
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
    rule: Any = kind
    if isinstance(kind, str | Rule):
        rule = _chain(kind if isinstance(kind, Rule) else Rule(kind), rate, factors)

    def apply(gradient: Tree, memory: Tree, weights: Tree) -> tuple[Any, Any]:
        change, memory = rule.update(gradient, memory, weights)
        return library.apply_updates(weights, change), memory

    return Optimiser(rule.init, apply)


def _chain(rule: Rule, rate: Array | float, factors: Array | None) -> Any:
    """The optimiser as a chain of optax's transformations, in the order of PyTorch."""
    import jax.numpy as jnp
    import optax

    library: Any = optax
    cores = {
        "gd": library.identity,
        "momentum": lambda: library.trace(rule.momentum, rule.nesterov),
        "adam": lambda: library.scale_by_adam(*rule.betas, rule.eps),
        "adamw": lambda: library.scale_by_adam(*rule.betas, rule.eps),
        "rmsprop": lambda: library.scale_by_rms(rule.betas[1], rule.eps, eps_in_sqrt=False),
    }
    decay, late = library.add_decayed_weights(rule.weight_decay), rule.kind == "adamw"
    step = -rate / rule.scale
    last = library.scale(step)
    if factors is not None:
        last = library.scale_by_schedule(lambda k: step * factors[jnp.minimum(k, len(factors) - 1)])
    parts = [
        library.scale(rule.scale) if rule.scale != 1 else None,
        None if rule.clip is None else library.stateless(partial(_clipped, rule.clip)),
        decay if rule.weight_decay and not late else None,
        cores[rule.kind](),
        decay if rule.weight_decay and late else None,
        last,
    ]
    return library.chain(*[part for part in parts if part is not None])


def _clipped(largest: float, gradient: Tree, weights: Tree) -> Any:
    """The gradient, shortened to a norm of ``largest`` where it is longer, as ``clip_grad_norm_`` does."""
    import jax
    import jax.numpy as jnp

    norm = jnp.sqrt(sum((g**2).sum() for g in jax.tree.leaves(gradient)))
    share = jnp.minimum(1.0, largest / (norm + CLIPPED))
    return jax.tree.map(lambda g: g * share, gradient)


def tabulated(schedule: Callable[[Any], Any], steps: np.ndarray) -> tuple[float, ...]:
    """The factors of a schedule at these numbers of steps."""
    try:
        found = np.asarray(schedule(steps), float)
        if found.shape != steps.shape:
            found = np.array([float(schedule(int(k))) for k in steps])
    except (TypeError, ValueError):  # a function of one number at a time
        found = np.array([float(schedule(int(k))) for k in steps])
    if not np.all(found >= 0):
        raise ValueError("schedule gives factors of the rate that are not numbers >= 0.")
    return tuple(map(float, found))


class Followed:
    """The factors of a PyTorch scheduler, found by letting a copy of it take the steps."""

    def __init__(self, scheduler: object, base: float) -> None:
        self.scheduler, self.base, self.name = scheduler, base, type(scheduler).__name__

    def __call__(self, steps: np.ndarray) -> np.ndarray:
        """The factors at these numbers of steps."""
        copied: Any = deepcopy(self.scheduler)
        rates = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(int(steps[-1]) + 1):
                rates.append(float(copied.optimizer.param_groups[0]["lr"]))
                copied.optimizer.step()
                copied.step()
        return np.array(rates)[steps] / self.base


LIKE: Mapping[str, Mapping[str, str]] = {
    "SGD": {"momentum": "momentum", "nesterov": "nesterov", "weight_decay": "weight_decay"},
    "Adam": {"betas": "betas", "eps": "eps", "weight_decay": "weight_decay"},
    "AdamW": {"betas": "betas", "eps": "eps", "weight_decay": "weight_decay"},
    "RMSprop": {"alpha": "alpha", "eps": "eps", "weight_decay": "weight_decay"},
}
"""Optimisers of PyTorch, and those of their settings that are taken over."""

UNKNOWN = ("dampening", "amsgrad", "maximize", "centered")
"""Settings of PyTorch that change steps in ways that are not known here."""


def settings_of(optimizer: object, scheduler: object) -> dict[str, Any]:
    """The settings of ``fs.Train`` that take the steps of a PyTorch optimiser."""
    kind, groups = type(optimizer).__name__, getattr(optimizer, "param_groups", None)
    if kind not in LIKE or not groups:
        raise ValueError(
            f"optimizer is {kind}; {', '.join(LIKE)} of torch.optim are known. Give fs.Train(optimiser=...) an optax "
            "optimiser instead."
        )
    if getattr(optimizer, "state", None):
        raise ValueError("optimizer has taken steps, and its memory is not taken over; give a new one.")
    settings = [
        {key: value for key, value in group.items() if key not in ("params", "param_names")} for group in groups
    ]
    if any(each != settings[0] for each in settings):
        raise ValueError("optimizer has groups of parameters with different settings; equal ones are needed.")
    first = settings[0]
    odd = [key for key in UNKNOWN if first.get(key)]
    if kind == "RMSprop" and first.get("momentum"):
        odd.append("momentum")
    if odd:
        raise ValueError(f"optimizer has {', '.join(f'{key}={first[key]!r}' for key in odd)}, which is not known here.")
    base = float(first.get("initial_lr", first["lr"]))
    found: dict[str, Any] = {"lr": base, "optimiser": {"SGD": "gd"}.get(kind, kind.lower())}
    given = {name: first[key] for key, name in LIKE[kind].items() if first[key]}
    if "alpha" in given:
        given["betas"] = (0.9, float(given.pop("alpha")))
    found |= {
        name: value for name, value in given.items() if (name, value) not in (("betas", (0.9, 0.999)), ("eps", 1e-8))
    }
    if scheduler is None:
        return found
    if not hasattr(scheduler, "get_last_lr") or type(scheduler).__name__ == "ReduceLROnPlateau":
        raise ValueError(
            f"scheduler is {type(scheduler).__name__}; one of torch.optim.lr_scheduler that depends on the number of "
            "steps alone is needed."
        )
    if getattr(scheduler, "optimizer", None) is not optimizer:
        raise ValueError("scheduler belongs to another optimizer; give the one that it was made for.")
    return {**found, "schedule": Followed(scheduler, base)}
