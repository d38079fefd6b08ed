"""A probe into one's own network: points in chosen layers, recorded while it trains."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np

from festina.checks import check
from festina.checks.shapes import ArrayLike, Tree
from festina.probe._recording import Recording
from festina.representation import Pair, TwoPoint

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
        self, x: ArrayLike, y: ArrayLike | None, labels: ArrayLike | None, unit: str, kernel: bool = False
    ) -> None:
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
        rows = self._recording_of_now(outputs, hidden).rows(first, second)
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

    def _recording_of_now(self, outputs: np.ndarray, hidden: Mapping[str, np.ndarray]) -> Recording:
        now = {name: a.reshape(1, len(a), -1) for name, a in hidden.items()}
        return Recording(np.zeros(1), self._x, self._y, outputs[None], now, self._unit)

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
