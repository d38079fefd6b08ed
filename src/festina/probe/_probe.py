"""Follow data points through a user's network, and compare them with the theory."""

import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from festina import _check
from festina.representation import Fit, Pair, fit, measure, squared_distances


class Probe(ABC):
    """Data points followed through a network; made by ``watch``.

    Attributes:
        times: when was recorded, one number per ``record``.
        layers: names of the followed layers.
        diverged: the first time at which something was not finite, or None.
    """

    def __init__(self, x: Any, y: Any, unit: str):
        self._x, self._y = points("x", x), points("y", y)
        if len(self._x) != len(self._y):
            raise ValueError(f"x has {len(self._x)} points and y has {len(self._y)}; both need one row per point.")
        self._unit = unit
        self._times: list[float] = []
        self._outputs: list[np.ndarray] = []
        self._hidden: dict[str, list[np.ndarray]] = {}
        self.diverged: float | None = None

    @abstractmethod
    def look(self, *state: Any) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Outputs and the representation in every followed layer, now."""

    def record(self, time: float, *state: Any) -> None:
        """Look at the points now, and keep what is seen.

        Args:
            time: epoch, step or flow time; increasing.
            state: nothing for a PyTorch module; the parameters for a JAX function.
        """
        time = float(time)
        if self._times and time <= self._times[-1]:
            raise ValueError(f"time is {time:g} after {self._times[-1]:g}; record at increasing times.")
        outputs, hidden = self.look(*state)
        outputs = outputs.reshape(len(outputs), -1)
        if outputs.shape != self._y.shape:
            raise ValueError(
                f"the network's outputs have shape {outputs.shape} and y has {self._y.shape}; give y as the targets of "
                "the outputs, one row per point (class labels as one-hot rows)."
            )
        bad = [name for name, a in {"output": outputs, **hidden}.items() if not np.isfinite(a).all()]
        if bad and self.diverged is None:
            self.diverged = time
            warnings.warn(
                f"{', '.join(bad)}: not finite at time {time:g}; what was recorded before is kept, and fits use that. "
                "Use a smaller learning rate.",
                RuntimeWarning,
                stacklevel=2,
            )
        self._times.append(time)
        self._outputs.append(outputs)
        for name, activity in hidden.items():
            self._hidden.setdefault(name, []).append(activity.reshape(len(activity), -1))

    @property
    def times(self) -> np.ndarray:
        """When was recorded."""
        return np.array(self._times)

    @property
    def layers(self) -> tuple[str, ...]:
        """Followed layers, in the order in which the network computes them."""
        return tuple(self._hidden)

    @property
    def outputs(self) -> np.ndarray:
        """Outputs, (times, points, outputs)."""
        return np.array(self._outputs)

    def hidden(self, layer: str | None = None) -> np.ndarray:
        """Representations in a layer, (times, points, units); the only or middle layer unless named."""
        if not self._times:
            raise ValueError("nothing has been recorded; call probe.record(epoch) in the training loop.")
        name = self.layers[len(self.layers) // 2] if layer is None else _check.known("layer", layer, self.layers)
        return np.stack(self._hidden[name])

    def pair(self, first: int = 0, second: int = 1, *, layer: str | None = None) -> Pair:
        """Two of the points in a layer: h, y and w over time, ready for ``fs.representation.fit``.

        Raises:
            ValueError: points with equal inputs, a layer that was not followed, or too few finite records.
        """
        for name, index in (("first", first), ("second", second)):
            if not 0 <= index < len(self._x):
                raise ValueError(f"{name} is {index}; the points are 0 to {len(self._x) - 1}.")
        rows = [first, second]
        hidden = self.hidden(layer)[:, rows]
        return measure(self.times, self._x[rows], self._y[rows], hidden, self.outputs[:, rows], unit=self._unit)

    def fit(self, first: int = 0, second: int = 1, *, layer: str | None = None) -> Fit:
        """The effective theory fitted to two points in a layer; ``.error`` says how well it fits."""
        return fit(self.pair(first, second, layer=layer))

    def fits(self, first: int = 0, second: int = 1) -> dict[str, Fit]:
        """The fit in every layer."""
        return {layer: self.fit(first, second, layer=layer) for layer in self.layers}

    def distances(self, layer: str | None = None, at: int = -1) -> np.ndarray:
        """Squared distances between all points in a layer, (points, points), at one of the records."""
        return squared_distances(self.hidden(layer)[at])

    def mds(self, layer: str | None = None, at: int = -1, dimensions: int = 2) -> np.ndarray:
        """The points in a few dimensions that keep their distances best, (points, dimensions).

        Classical scaling; of Euclidean distances that is principal component analysis, which is what is computed.
        """
        from sklearn.decomposition import PCA

        activity = self.hidden(layer)[at].astype(float)
        most = min(activity.shape)
        if _check.whole("dimensions", dimensions) > most:
            raise ValueError(f"dimensions is {dimensions}; {len(activity)} points in this layer span at most {most}.")
        return PCA(dimensions, svd_solver="full").fit_transform(activity)

    def __repr__(self) -> str:
        lost = f", not finite from {self.diverged:g}" if self.diverged is not None else ""
        return f"Probe({len(self._x)} points, {len(self._times)} records, layers: {', '.join(self.layers)}{lost})"


def watch(model: Any, x: Any, y: Any, layers: str | Sequence[str] | None = None, *, unit: str = "epochs") -> Probe:
    """Follow data points through your own network while you train it; your model and loop stay as they are.

    Args:
        model: a ``torch.nn.Module``, or a JAX function ``(parameters, x) -> (outputs, hidden)`` in which hidden is a
            dict of arrays by name, a sequence of arrays, or one array.
        x: the inputs of the points to follow, (points, …): two, or many.
        y: their targets, (points, outputs).
        layers: names of the layers to follow, or patterns such as ``"blocks.*"``. For PyTorch they are names from
            ``model.named_modules()``, by default every module without children of its own.
        unit: of the times you record at, in words.

    Returns:
        A ``Probe``: call ``probe.record(epoch)`` (PyTorch) or ``probe.record(epoch, parameters)`` (JAX) in the loop. It
        looks in evaluation mode, without gradients; hooks are there only while it looks, also when something fails.

    Raises:
        ValueError: a layer that is not there, a module that was compiled, points that do not fit.

    Example:
        >>> import jax.numpy as jnp, festina as fs
        >>> def network(parameters, x):
        ...     hidden = jnp.tanh(x @ parameters["in"])
        ...     return hidden @ parameters["out"], {"hidden": hidden}
        >>> probe = fs.probe.watch(network, x=[[0.0], [1.0]], y=[[0.0], [1.0]])
        >>> for epoch in range(4):
        ...     probe.record(epoch, {"in": jnp.full((1, 3), 0.1 * (epoch + 1)), "out": jnp.ones((3, 1))})
        >>> probe
        Probe(2 points, 4 records, layers: hidden)
        >>> probe.pair().h.round(2)
        array([0.03, 0.12, 0.25, 0.43])
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.nn.Module):
        from festina.probe._torch import TorchProbe

        return TorchProbe(model, x, y, layers, unit)
    if not callable(model):
        raise ValueError(
            f"model is {type(model).__name__}; a torch.nn.Module or a JAX function (parameters, x) -> (outputs, "
            "hidden) is needed."
        )
    from festina.probe._jax import JaxProbe

    return JaxProbe(model, x, y, layers, unit)


def points(name: str, value: Any) -> np.ndarray:
    """The rows of ``value`` as float64, flattened; tensors are taken from where they are."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    array = _check.numbers(name, value)
    if array.ndim == 0 or len(array) < 2:
        raise ValueError(f"{name} has shape {array.shape}; at least two points, one row each, are needed.")
    return array.reshape(len(array), -1)
