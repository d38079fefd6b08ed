"""A JAX function that gives its hidden layers along with its outputs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from festina.probe._probe import Probe
from festina.probe._torch import select


class JaxProbe(Probe):
    """A probe of a function ``(parameters, x) -> (outputs, hidden)``."""

    def __init__(self, function: Callable[..., Any], x: Any, y: Any, layers: str | Sequence[str] | None, unit: str):
        super().__init__(x, y, unit)
        self.function, self.inputs, self.wanted = function, x, layers

    def look(self, *state: Any) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Call the function on the points."""
        import jax.numpy as jnp

        if len(state) != 1:
            raise ValueError(
                f"record got {len(state)} argument(s) after the time; give the parameters: record(time, p)."
            )
        found = self.function(state[0], jnp.asarray(self.inputs))
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise ValueError(f"the function gave {type(found).__name__}; a pair (outputs, hidden) is needed.")
        outputs, hidden = found
        if not isinstance(hidden, Mapping):
            parts = hidden if isinstance(hidden, tuple | list) else (hidden,)
            hidden = {f"layer {i}": part for i, part in enumerate(parts)}
        names = select(list(hidden), self.wanted, list(hidden))
        arrays = {name: np.asarray(hidden[name], dtype=float) for name in names}
        for name, array in arrays.items():
            if array.ndim == 0 or len(array) != len(self._x):
                raise ValueError(
                    f"layer {name!r} has shape {array.shape}; one row per point, {len(self._x)}, is needed."
                )
        return np.asarray(outputs, dtype=float), arrays
