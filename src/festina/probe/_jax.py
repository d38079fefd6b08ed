"""A JAX function that gives its hidden layers along with its outputs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from festina.checks.shapes import Array, ArrayLike, Tree
from festina.probe._probe import Probe, kernel_rates, select

WIDEST = 1024
"""Most units of a layer for which the decoder's Jacobian is found, one derivative per unit."""


class JaxProbe(Probe):
    """A probe of a function ``(parameters, x) -> (outputs, hidden)``."""

    def __init__(
        self,
        function: Callable[..., object],
        x: ArrayLike,
        y: ArrayLike | None,
        layers: str | Sequence[str] | None,
        labels: ArrayLike | None,
        unit: str,
        kernel: bool = False,
    ):
        super().__init__(x, y, labels, unit, kernel)
        self.function, self.inputs, self.wanted = function, x, layers

    def call(self, parameters: Tree) -> tuple[Any, dict[str, Any]]:
        """Outputs and the watched layers by name, as JAX arrays."""
        import jax.numpy as jnp

        x = jnp.asarray(self.inputs)
        try:
            found = self.function(parameters, x)
        except (TypeError, IndexError, KeyError) as error:
            raise ValueError(
                f"model cannot be called with these parameters and x of shape {x.shape} ({error}); it is called as "
                "model(parameters, x), with x as given."
            ) from error
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise ValueError(f"the function gave {type(found).__name__}; a pair (outputs, hidden) is needed.")
        outputs, hidden = found
        if not isinstance(hidden, Mapping):
            parts = hidden if isinstance(hidden, tuple | list) else (hidden,)
            hidden = {f"layer {i}": part for i, part in enumerate(parts)}
        return outputs, {name: hidden[name] for name in select(list(hidden), self.wanted, list(hidden))}

    def look(self, *state: Tree) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Call the function on the points."""
        if len(state) != 1:
            raise ValueError(
                f"record got {len(state)} argument(s) after the time; give the parameters: record(time, p)."
            )
        outputs, hidden = self.call(state[0])
        arrays = {name: np.asarray(part, dtype=float) for name, part in hidden.items()}
        for name, array in arrays.items():
            if array.ndim == 0 or len(array) != len(self._x):
                raise ValueError(
                    f"layer {name!r} has shape {array.shape}; one row per point, {len(self._x)}, is needed."
                )
        return np.asarray(outputs, dtype=float), arrays

    def kernel(self, *state: Tree) -> np.ndarray:
        """The tangent kernel from the Jacobian of all outputs by the parameters."""
        import jax
        import jax.numpy as jnp

        parameters = jax.tree.map(jnp.asarray, state[0])
        slopes = jax.jacrev(lambda p: self.call(p)[0].reshape(len(self._x), -1))(parameters)
        flat = np.concatenate([np.reshape(a, (*np.shape(a)[:2], -1)) for a in jax.tree.leaves(slopes)], -1).astype(
            float
        )
        return np.einsum("iop,jop->ij", flat, flat) / flat.shape[1]

    def rates(self, rows: Sequence[int], layer: str, *state: Tree) -> tuple[float, float, float]:
        """From derivatives by the parameters; those that do not move the layer are the decoder's.

        The function cannot be cut, so the decoder's Jacobian is found from how hidden units and outputs move together
        when the encoder's parameters are changed in random directions.
        """
        import jax
        import jax.numpy as jnp

        if len(state) != 1:
            raise ValueError("parameters is missing; give those of the JAX function: predict(parameters=...).")
        parameters, chosen = jax.tree.map(jnp.asarray, state[0]), np.asarray(rows)

        def hidden(p: Tree) -> Any:
            return self.call(p)[1][layer].reshape(len(self._x), -1)[chosen]

        def outputs(p: Tree) -> Any:
            return self.call(p)[0].reshape(len(self._x), -1)[chosen]

        leaves, tree = jax.tree.flatten(parameters)
        moves = jax.tree.leaves(jax.grad(lambda p: jnp.sum(hidden(p) ** 2) + jnp.sum(hidden(p)))(parameters))
        encoder = [bool(np.any(np.asarray(m))) for m in moves]
        units = hidden(parameters).shape[1]
        if units > WIDEST:
            raise ValueError(f"layer {layer!r} has {units} units; a prediction needs at most {WIDEST}, or PyTorch.")
        keys = jax.random.split(jax.random.PRNGKey(0), units + 8)

        def move(key: Array) -> tuple[Any, Any]:
            parts = jax.random.split(key, len(leaves))
            step = [jax.random.normal(k, a.shape, a.dtype) * e for k, a, e in zip(parts, leaves, encoder, strict=True)]
            return tuple(jax.jvp(f, (parameters,), (tree.unflatten(step),))[1] for f in (hidden, outputs))  # type: ignore[return-value]

        dh, dy = (np.asarray(part, dtype=float) for part in jax.vmap(move)(keys))
        jacobian = np.mean(
            [np.linalg.lstsq(dh[:, i], dy[:, i], rcond=None)[0].T for i in range(2)], axis=0
        )  # (outputs, units)

        def gradients(scalar: Callable[..., object], kept: bool) -> np.ndarray:
            found = jax.tree.leaves(jax.grad(scalar)(parameters))
            return np.concatenate(
                [np.ravel(g).astype(float) for g, e in zip(found, encoder, strict=True) if e == kept] or [np.zeros(1)]
            )

        power = float(np.sum(jacobian**2))
        k = np.zeros((2, 2))
        for row in jacobian:
            g = np.stack([gradients(lambda p, i=i, r=row: hidden(p)[i] @ jnp.asarray(r, hidden(p).dtype), True)
                          for i in range(2)])  # fmt: skip
            k += g @ g.T / power
        d, e = np.zeros((2, 2)), np.zeros((2, 2))
        for o in range(len(jacobian)):
            for kept, total in ((False, d), (True, e)):
                g = np.stack([gradients(lambda p, i=i, o=o: outputs(p)[i, o], kept) for i in range(2)])
                np.add(total, g @ g.T / len(jacobian), out=total)
        return kernel_rates(k, d, d + e, np.asarray(hidden(parameters), dtype=float))
