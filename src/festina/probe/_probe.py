"""A probe into one's own network: points in chosen layers, recorded while it trains."""

from __future__ import annotations

import sys
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, ArrayLike, Tree
from festina.interop.torch_module import double, evaluating, layer_names, refuse_compiled
from festina.probe._recording import Recording
from festina.representation import Pair, TwoPoint

if TYPE_CHECKING:
    import torch

FROZEN = 1e-12
"""Rate, relative to the largest, of what cannot move: a half whose weights are frozen, a mean without biases."""


class Probe(ABC):
    """Records outputs and representations of chosen points; made by ``watch``.

    Call ``probe.record(time)`` in the training loop. ``probe.recording`` holds everything recorded so far, with
    ``pair``, ``fit``, ``distances``, ``save``, ``plot`` and more; ``pair`` and ``fit`` are offered here too.
    ``probe.predict()`` gives the theory from the network as it is now, without a fit.

    Attributes:
        diverged: the first time at which something was not finite, or None.

    Example:
        >>> import numpy as np, festina as fs
        >>> probe = fs.probe.watch(lambda w, x: (x * w, [x * w]), x=[[0.0], [1.0]], y=[[0.0], [1.0]])
        >>> probe.record(0, np.ones(1))
        >>> probe
        Probe(2 points, 1 records, layers: layer 0)
    """

    def __init__(
        self, model: object, x: ArrayLike, y: ArrayLike | None, layers: str | Sequence[str] | None,
        labels: ArrayLike | None, unit: str, kernel: bool,
    ) -> None:  # fmt: skip
        self.inputs, self.wanted = x, layers
        self.model: Any = model
        self._x = points("x", x)
        self._labels = None if labels is None else class_labels(labels, len(self._x))
        if (y is None) == (labels is None):
            raise ValueError("give either y, the targets of the outputs, or labels, one class number per point.")
        self._y = np.zeros((len(self._x), 0)) if y is None else targets(y)
        if len(self._x) != len(self._y):
            raise ValueError(f"x has {len(self._x)} points and y has {len(self._y)}; both need one row per point.")
        self._unit = unit
        self._times: list[float] = []
        self._outputs: list[np.ndarray] = []
        self._hidden: dict[str, list[np.ndarray]] = {}
        self._kernels: list[np.ndarray] | None = [] if check.flag("kernel", kernel) else None
        self.diverged: float | None = None

    @abstractmethod
    def look(self, *state: Tree) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Outputs and the representation in every watched layer, now."""

    @abstractmethod
    def rates(self, rows: Sequence[int], layer: str, *state: Tree) -> tuple[float, float, float]:
        """Rates 1/τh·dx, 1/τy and 1/τȳ of two points from tangent kernels of the network as it is now."""

    @abstractmethod
    def kernel(self, *state: Tree) -> np.ndarray:
        """The tangent kernel of the points, (points, points), the mean over outputs: Σ_o ∇f_o(x)·∇f_o(x')/outputs."""

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that are watched, in the order of the network; of a JAX function known at the first record."""
        return tuple(self._hidden)

    def check_outputs(self, outputs: np.ndarray) -> np.ndarray:
        """The outputs as rows, once they fit the targets; labels become one-hot targets of as many outputs."""
        flat = outputs.reshape(len(outputs), -1)
        if self._labels is not None and not self._y.size:
            if self._labels.max() >= flat.shape[1]:
                raise ValueError(f"labels go up to {self._labels.max()} and the network has {flat.shape[1]} outputs.")
            self._y = np.eye(flat.shape[1])[self._labels]
        if flat.shape != self._y.shape:
            raise ValueError(
                f"the network's outputs have shape {flat.shape} and y has {self._y.shape}; give y as the targets of "
                "the outputs, one row per point, or class numbers as labels=..."
            )
        return flat

    def record(self, time: float, *state: Tree) -> None:
        """Look at the points now, and keep what is seen.

        Args:
            time: epoch, step or flow time; increasing.
            state: nothing for a PyTorch module; the parameters for a JAX function.

        Raises:
            ValueError: a time that is not after the last one; outputs that do not fit the targets.
        """
        time = check.number("time", time)
        if self._times and time <= self._times[-1]:
            raise ValueError(f"time is {time:g} after {self._times[-1]:g}; record at increasing times.")
        outputs, hidden = self.look(*state)
        outputs = self.check_outputs(outputs)
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
        if self._kernels is not None:
            self._kernels.append(self.kernel(*state))

    @property
    def recording(self) -> Recording:
        """Everything recorded so far."""
        hidden = {name: np.stack(parts) for name, parts in self._hidden.items()}
        kernels = None if self._kernels is None else np.array(self._kernels)
        return Recording(np.array(self._times), self._x, self._y, np.array(self._outputs), hidden, self._unit, kernels)

    def pair(self, first: int | None = None, second: int | None = None, *, layer: str | None = None) -> Pair:
        """Two of the points in a layer: h, y and w over time; by default the first two with different targets."""
        return self.recording.pair(first, second, layer=layer)

    def fit(self, first: int | None = None, second: int | None = None, *, layer: str | None = None):
        """The effective theory fitted to two points in a layer."""
        return self.recording.fit(first, second, layer=layer)

    def predict(
        self,
        first: int | None = None,
        second: int | None = None,
        *,
        layer: str | None = None,
        per_time: float = 1.0,
        parameters: Tree | None = None,
    ) -> TwoPoint:
        """The theory of two points from the network as it is now, nothing fitted: rates from its tangent kernels.

        It predicts training on the two points alone, by gradient descent on half the mean squared error. If n points
        are trained, the rates are too large by about n/2.

        Args:
            first, second: the two points; by default the first two with different targets.
            layer: where the network is cut into encoder and decoder; by default the middle one.
            per_time: flow time per unit of time: ``fs.methods.convert_rate(lr, outputs)`` times the steps per unit,
                which is 2·lr for one step of ``mse_loss`` on one output.
            parameters: the parameters of a JAX function; not for PyTorch.

        Returns:
            A ``TwoPoint``; ``.solve(times)`` gives h, y and w from now on.
        """
        state = () if parameters is None else (parameters,)
        outputs, hidden = self.look(*state)
        outputs = self.check_outputs(outputs)
        names = list(hidden)
        chosen = names[len(names) // 2] if layer is None else check.known("layer", layer, names)
        rows = Recording(np.zeros(1), self._x, self._y, outputs[None], {}, self._unit).rows(first, second)
        dx = float(np.sum((self._x[rows[1]] - self._x[rows[0]]) ** 2))
        if dx == 0:
            raise ValueError("the two points have equal inputs, so no network can distinguish them; choose two others.")
        h_dx, y_rate, mean = self.rates(rows, chosen, *state)
        target, moved = self._y[rows[1]] - self._y[rows[0]], outputs[rows[1]] - outputs[rows[0]]
        activity = hidden[chosen].reshape(len(self._x), -1)
        h, y = float(np.sum((activity[rows[1]] - activity[rows[0]]) ** 2)), float(moved @ moved)
        offset = float(np.sum((outputs[rows].mean(axis=0) - self._y[rows].mean(axis=0)) ** 2))
        scale = check.positive("per_time", per_time)
        rates = (h_dx / dx * scale, y_rate * scale, mean * scale)
        return TwoPoint(dx, float(target @ target), rates, (h, y, y - float(moved @ target), offset))

    def __repr__(self) -> str:
        lost = f", not finite from {self.diverged:g}" if self.diverged is not None else ""
        layers = ", ".join(self.layers) if len(self.layers) < 6 else f"{len(self.layers)} layers"
        return f"Probe({len(self._x)} points, {len(self._times)} records, layers: {layers}{lost})"


def select(known: Sequence[str], wanted: str | Sequence[str] | None, otherwise: Sequence[str]) -> list[str]:
    """The known names that the wanted names or patterns mean, in the order of the known."""
    if wanted is None:
        return list(otherwise)
    patterns = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise ValueError(f"layers holds {pattern!r}, which no layer is called; the layers are: {', '.join(known)}.")
    return [name for name in known if any(fnmatchcase(name, pattern) for pattern in patterns)]


def kernel_rates(k: np.ndarray, d: np.ndarray, whole: np.ndarray, hidden: np.ndarray) -> tuple[float, float, float]:
    """1/τh·dx, 1/τy and 1/τȳ of two points from the kernels of encoder, decoder and network."""
    apart = float(np.sum((hidden[1] - hidden[0]) ** 2))
    if apart == 0:
        raise ValueError("both points have the same representation here; choose another layer or other points.")
    difference = np.array([-1.0, 1.0])
    rates = (float(difference @ k @ difference) / 2, float(difference @ d @ difference) / (2 * apart), whole.mean())
    h, y, mean = (max(float(rate), FROZEN * max(rates)) for rate in rates)
    return h, y, mean


def points(name: str, value: ArrayLike) -> np.ndarray:
    """The rows of ``value`` as float64, flattened; tensors are taken from where they are."""
    array = check.numbers(name, value)
    if array.ndim == 0 or len(array) < 2:
        raise ValueError(f"{name} has shape {array.shape}; at least two points, one row each, are needed.")
    return array.reshape(len(array), -1)


def targets(y: ArrayLike) -> np.ndarray:
    """Targets as rows; three or more different whole numbers are refused, because they are most likely classes."""
    array = points("y", y)
    whole = check.plain("y", y)
    if whole.ndim == 1 and whole.dtype.kind in "iu" and len(np.unique(whole)) > 2:
        raise ValueError("y is a list of whole numbers, as class numbers are; give them as labels=..., or y as floats.")
    return array


def class_labels(labels: ArrayLike, count: int) -> np.ndarray:
    """Class numbers, one per point."""
    array = check.plain("labels", labels)
    if array.shape != (count,) or array.dtype.kind not in "iu" or array.min() < 0:
        raise ValueError(
            f"labels has shape {array.shape} and type {array.dtype}; {count} whole numbers >= 0 are needed, "
            "one per point."
        )
    return array


WIDEST = 1024
"""Most units of a layer for which the decoder's Jacobian is found, one derivative per unit."""


class JaxProbe(Probe):
    """A probe of a function ``(parameters, x) -> (outputs, hidden)``."""

    def call(self, parameters: Tree) -> tuple[Any, dict[str, Any]]:
        """Outputs and the watched layers by name, as JAX arrays."""
        import jax.numpy as jnp

        x = jnp.asarray(self.inputs)
        try:
            found = self.model(parameters, x)
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


class TorchProbe(Probe):
    """A probe of a ``torch.nn.Module``."""

    def begin(self) -> None:
        """Find the layers, and look once."""
        refuse_compiled("model", self.model)
        self.names = select(layer_names(self.model), self.wanted, layer_names(self.model, leaves=True))
        try:
            outputs = self.look()[0]
        except (RuntimeError, TypeError, IndexError) as error:
            raise ValueError(
                f"model cannot be called with x of shape {tuple(self._tensor().shape)} ({str(error).splitlines()[0]}); "
                "give x in the shape that it takes, one row per point."
            ) from error
        self.check_outputs(outputs)

    def look(self, *state: object) -> tuple[np.ndarray, Mapping[str, np.ndarray]]:
        """Run the points through the module in evaluation mode, without gradients."""
        import torch

        if state:
            raise ValueError(f"record got {len(state)} more argument(s) than the time; a PyTorch module needs none.")
        refuse_compiled("model", self.model)
        seen: dict[str, np.ndarray] = {}

        def keep(name: str) -> Any:
            def hook(_: object, __: object, output: object) -> None:
                seen[name] = _array(f"layer {name!r}", output)

            return hook

        with evaluating(self.model, {name: keep(name) for name in self.names}), torch.no_grad():
            outputs = _array("the network's output", self.model(self._tensor()))
        missing = [name for name in self.names if name not in seen]
        if missing:
            raise ValueError(
                f"layers {', '.join(missing)}: the forward pass did not run their hooks. Either it does not call them, "
                "or a part of the model was compiled by torch.compile before; watch other layers, or the model before "
                "it was compiled."
            )
        return outputs, seen

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that are watched, also before the first record."""
        return tuple(self.names)

    def kernel(self, *state: object) -> np.ndarray:
        """One backward pass for each point and output, in evaluation mode."""
        import torch

        parameters = self._learned()
        with evaluating(self.model), torch.enable_grad():
            outputs = self.model(self._tensor()).reshape(len(self._x), -1)
            found = np.zeros((len(outputs), len(outputs)))
            for column in outputs.T:
                slopes = np.stack([_slope(scalar, parameters) for scalar in column])
                found += slopes @ slopes.T
        return found / outputs.shape[1]

    def _learned(self) -> list[Any]:
        parameters = [p for p in self.model.parameters() if p.requires_grad]
        if not parameters:
            raise ValueError("model has no weights with requires_grad=True: it will not learn; unfreeze a part of it.")
        return parameters

    def rates(self, rows: Sequence[int], layer: str, *state: object) -> tuple[float, float, float]:
        """From derivatives by the parameters; cut at the layer by a hook that detaches what it gives."""
        import torch

        x = self._tensor()[list(rows)]
        parameters = self._learned()
        seen: dict[str, Any] = {}

        def cut(_: object, __: object, output: object) -> Any:
            if not isinstance(output, torch.Tensor):
                raise ValueError(f"layer {layer!r} gives {type(output).__name__}; a prediction needs one tensor.")
            seen["whole"] = output
            seen["cut"] = output.detach().requires_grad_(True)
            return seen["cut"]

        with evaluating(self.model), torch.enable_grad():
            whole = self.model(x).reshape(2, -1)
        with evaluating(self.model, {layer: cut}), torch.enable_grad():
            outputs = self.model(x).reshape(2, -1)
            hidden, count = seen["whole"].reshape(2, -1), outputs.shape[1]
            rows_of_j = []
            for o in range(count):
                (slope,) = torch.autograd.grad(outputs[:, o].sum(), seen["cut"], retain_graph=True)
                rows_of_j.append(slope.reshape(2, -1).mean(dim=0))
            k, d, total = np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))
            power = float(sum(float(row.double().pow(2).sum()) for row in rows_of_j))
            for o, row in enumerate(rows_of_j):
                for scalars, into, size in (
                    ([hidden[i] @ row for i in range(2)], k, power),
                    ([outputs[i, o] for i in range(2)], d, count),
                    ([whole[i, o] for i in range(2)], total, count),
                ):
                    g = np.stack([_slope(scalar, parameters) for scalar in scalars])
                    np.add(into, g @ g.T / size, out=into)
        return kernel_rates(k, d, total, hidden.detach().double().numpy(force=True))

    def _tensor(self) -> Any:
        import torch

        first = next(self.model.parameters(), None)
        given = self.inputs if isinstance(self.inputs, torch.Tensor) else torch.tensor(np.asarray(self.inputs))
        if first is None:
            return given
        return given.to(first.device, first.dtype if given.is_floating_point() else None)


def _slope(scalar: torch.Tensor, parameters: Sequence[torch.Tensor]) -> np.ndarray:
    """The gradient of a number by all parameters, as one vector."""
    import torch

    if not scalar.requires_grad:
        # every parameter that it depends on is frozen
        return np.zeros(sum(p.numel() for p in parameters))
    found = torch.autograd.grad(scalar, list(parameters), retain_graph=True, allow_unused=True)
    flat = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, found, strict=True)]
    return torch.cat([g.reshape(-1) for g in flat]).double().numpy(force=True)


def _array(what: str, value: object) -> np.ndarray:
    tensor: Any = value[0] if isinstance(value, tuple | list) and value else value
    if not hasattr(tensor, "detach"):
        raise ValueError(f"{what} is {type(value).__name__}; a tensor with one row per point is needed.")
    return double(tensor)


def watch(
    model: object,
    x: ArrayLike,
    y: ArrayLike | None = None,
    layers: str | Sequence[str] | None = None,
    *,
    labels: ArrayLike | None = None,
    unit: str = "epochs",
    kernel: bool = False,
) -> Probe:
    """Watch data points in your own network while you train it; your model and training loop need no change.

    Args:
        model: a ``torch.nn.Module``, or a JAX function ``(parameters, x) -> (outputs, hidden)`` in which hidden is a
            dict of arrays by name, a sequence of arrays, or one array.
        x: the inputs of the points to watch, (points, …): two, or many.
        y: their targets, (points, outputs), or (points,) for one output.
        layers: names of the layers to watch, or patterns such as ``"blocks.*"``. For PyTorch they are names from
            ``model.named_modules()``, by default every module without children of its own.
        labels: class numbers instead of ``y``; the targets are then one-hot.
        unit: the unit of the times you record at, in words.
        kernel: record the tangent kernel of the points, too, for ``recording.alignment()``: one backward pass per point
            and output at each record.

    Returns:
        A ``Probe``: call ``probe.record(epoch)`` (PyTorch) or ``probe.record(epoch, parameters)`` (JAX) in the loop. It
        looks in evaluation mode, without gradients; hooks are there only while it looks, also when something fails.

    Raises:
        ValueError: a layer that is not there, a module that was compiled, points or targets that do not fit. A PyTorch
            module is run once to find out, now and not at the first record.

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
    if "torch" in sys.modules:
        from torch import nn

        if isinstance(model, nn.Module):
            probe = TorchProbe(model, x, y, layers, labels, unit, kernel)
            probe.begin()
            return probe
    if not callable(model):
        raise ValueError(
            f"model is {type(model).__name__}; a torch.nn.Module or a JAX function (parameters, x) -> (outputs, "
            "hidden) is needed."
        )
    return JaxProbe(model, x, y, layers, labels, unit, kernel)
