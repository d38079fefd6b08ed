"""Networks of equinox and flax.nnx as networks of festina."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Tree
from festina.interop.traced import TracedModule
from festina.runtime.device import in_double

NEEDED = (
    "an equinox module, a flax.nnx module, or a function that makes one of a seed's key (equinox) or Rngs (flax.nnx) "
    "is needed"
)


@dataclass(frozen=True, eq=False)
class JaxForward:
    """The forward pass of a JAX module: ``build`` makes it of the weights, in the order of ``names``."""

    build: Callable[[Sequence[Array]], Callable[[Array], Any]]
    names: tuple[str, ...]
    shape: tuple[int, ...]
    whole: bool

    def __call__(self, weights: Mapping[str, Array], x: Array) -> Any:
        import jax.numpy as jnp

        x = jnp.asarray(x).reshape(len(x), *self.shape)
        found = self.build([weights[name] for name in self.names])(x.astype(int) if self.whole else x)
        return found.reshape(len(x), -1)


def from_jax(module: object, example: object) -> TracedModule:
    """The network of an equinox or flax.nnx module, which starts from the module's weights as they are now.

    Args:
        module: an equinox module, which takes one data point, or a flax.nnx module, which takes a batch; or a function
            that makes one: of ``jax.random.PRNGKey(seed)`` for equinox, of ``nnx.Rngs(seed)`` for flax.nnx. Only with
            such a function can other seeds than 0 be drawn.
        example: a batch of inputs: their shape, and whether they are whole numbers (tokens).

    Raises:
        ValueError: something else, a module that cannot be called without a key or state (put it into inference mode),
            or dropout in training mode.

    Example:
        >>> import equinox as eqx, jax, numpy as np, festina as fs
        >>> def make(key):
        ...     return eqx.nn.MLP(in_size=3, out_size=1, width_size=8, depth=2, activation=jax.nn.gelu, key=key)
        >>> network = fs.from_jax(make, example=np.zeros((1, 3)))
        >>> network
        TracedModule(MLP: 3 -> 1, 113 weights)
        >>> task = fs.Task(np.eye(3), [[1.0], [0.0], [2.0]])
        >>> fs.evolve(network, task, [0.0, 1.0], method=fs.Train(rate=0.1), seeds=2).loss.shape
        (2, 2)
    """
    inputs = check.plain("example", example)
    check.numbers("example", inputs)
    if inputs.ndim < 2 or not inputs.size or inputs.dtype.kind not in "biuf":
        raise ValueError(f"example has shape {inputs.shape}; data points with at least one axis each are needed.")
    drawn = not _is_module(module)
    found = _made(module, 0) if drawn else module
    weights, build = _parts(found)
    whole = inputs.dtype.kind != "f"
    forward = JaxForward(build, tuple(weights), inputs.shape[1:], whole)
    try:
        with in_double():
            outputs = forward(weights, inputs.astype(float).reshape(len(inputs), -1))
    except Exception as error:  # whatever the module raises
        raise ValueError(
            f"module cannot be called with inputs of shape {inputs.shape} ({(str(error).splitlines() or [''])[0]}); "
            "give example in the shape that it takes. A module with dropout or state is taken in inference mode: "
            "eqx.nn.inference_mode(module), or module.eval() of flax.nnx."
        ) from None
    redraw = (lambda seed: _parts(_made(module, seed))[0]) if drawn else None
    return TracedModule(
        forward, weights, int(np.prod(inputs.shape[1:])), outputs.shape[1], type(found).__name__, redraw=redraw
    )


def _is_module(module: object) -> bool:
    equinox, nnx = sys.modules.get("equinox"), sys.modules.get("flax.nnx")
    return (equinox is not None and isinstance(module, equinox.Module)) or (
        nnx is not None and isinstance(module, nnx.Module)
    )


def _made(make: object, seed: int) -> Any:
    import jax

    nnx, errors = sys.modules.get("flax.nnx"), []
    if callable(make):
        for source in (jax.random.PRNGKey, *(() if nnx is None else (nnx.Rngs,))):
            try:
                found = make(source(seed))
            except Exception as error:  # the function is for the other library
                errors.append(str(error))
                continue
            if _is_module(found):
                return found
    raise ValueError(f"module is {check.shown(make)}; {NEEDED}{': ' + errors[-1][:200] if errors else ''}.")


def _parts(module: object) -> tuple[dict[str, np.ndarray], Callable[[Sequence[Array]], Callable[[Array], Any]]]:
    """The weights by name, and what makes the forward pass of them."""
    import jax

    nnx = sys.modules.get("flax.nnx")
    if nnx is not None and isinstance(module, nnx.Module):
        for path, part in nnx.iter_modules(module):
            if isinstance(part, nnx.Dropout) and part.rate > 0 and not part.deterministic:
                raise ValueError(
                    f"module has dropout in training mode ({'.'.join(map(str, path))}): call module.eval()."
                )
        definition, weights, rest = nnx.split(module, nnx.Param, ...)

        def join(tree: Tree) -> Any:
            return nnx.merge(definition, tree, rest)
    else:
        import equinox as eqx

        weights, rest = eqx.partition(module, eqx.is_inexact_array)

        def join(tree: Tree) -> Any:
            whole: Any = eqx.combine(tree, rest)
            return jax.vmap(whole)

    pairs, tree = jax.tree_util.tree_flatten_with_path(weights)
    named = {jax.tree_util.keystr(path, simple=True, separator="."): np.asarray(leaf, float) for path, leaf in pairs}
    if not named:
        raise ValueError("module has no weights; nothing can be learned.")
    return named, lambda leaves: join(jax.tree.unflatten(tree, leaves))
