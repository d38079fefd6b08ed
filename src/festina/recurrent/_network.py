"""Linear recurrent networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core.display import brief
from festina.core.network import Context, Data, Network
from festina.core.task import Task
from festina.core.theory import Theory
from festina.initial import Initial
from festina.recurrent._modes import TemporalModes
from festina.recurrent._observe import RecurrentObservables
from festina.recurrent._theory import FixedRecurrence, RecurrentModes
from festina.tasks import Sequences

LONGER = 3
"""Sequences up to this many times the trained length are looked at for extrapolation."""


@dataclass(frozen=True)
class RecurrentPredict:
    """h_t = W_h h_{t−1} + W_x x_t, ŷ = W_y h_T, on inputs of all time steps side by side.

    Args:
        length: T.
        learn_recurrent: whether gradients reach W_h.
    """

    length: int
    learn_recurrent: bool = True

    def __call__(self, weights: Weights, x: Array) -> Array:
        """One row of outputs per sequence."""
        first, recurrent, last = weights
        if not self.learn_recurrent and not isinstance(recurrent, np.ndarray):
            from jax import lax

            recurrent = lax.stop_gradient(recurrent)
        inputs = first.shape[1]
        state = x[:, :inputs] @ first.T
        for step in range(1, self.length):
            state = state @ recurrent.T + x[:, step * inputs : (step + 1) * inputs] @ first.T
        return state @ last.T


@dataclass(frozen=True, repr=False)
class LinearRNN(Network):
    """A linear recurrent network that answers at the end of a sequence: h_t = W_h h_{t−1} + W_x x_t, ŷ = W_y h_T.

    Its weights are ``(W_x, W_h, W_y)``; it acts on the input of lag l = T − t as A_l = W_y W_h^l W_x. The task has the
    inputs of all time steps side by side, as ``fs.tasks.integration``, ``delayed_response`` and ``sensory_integration``
    give it.

    Args:
        width: number of hidden units.
        length: T ≥ 1, time steps of a sequence.
        initial: where the weights start: ``fs.recurrent.AlignedRecurrence``, ``fs.initial.Gaussian`` (one standard
            deviation, or one each for W_x, W_h, W_y), ``fs.initial.Weights``.
        learn_recurrent: False keeps W_h as it starts; each mode then has a closed form.

    Raises:
        ValueError: numbers that are not whole or below 1; on use, inputs that ``length`` does not divide.

    Example:
        >>> import numpy as np, festina as fs
        >>> task = fs.tasks.integration(length=4)
        >>> network = fs.LinearRNN(8, length=4, initial=fs.recurrent.AlignedRecurrence(0.01, recurrent=0.1))
        >>> race = fs.evolve(network, task, [0.0, 40.0], method=fs.Reduced(), observe=("loss", "strengths"))
        >>> race.loss.round(3), race.strengths[-1, :, 0].round(2)
        (array([1.989, 0.   ]), array([1., 1., 1., 1.]))

    Source: proca2025 (linear recurrent network).
    """

    width: int
    length: int
    initial: Initial = field(kw_only=True)
    learn_recurrent: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        check.whole("width", self.width)
        check.whole("length", self.length)
        if not isinstance(self.initial, Initial):
            raise ValueError(
                f"initial is {self.initial!r}; one such as fs.initial.Gaussian(0.01) or "
                "fs.recurrent.AlignedRecurrence(0.01) is needed."
            )

    def __repr__(self) -> str:
        return brief(self)

    def modes(self, task: Task) -> TemporalModes:
        """Singular vectors that the time steps of the task share, and strengths over lags."""
        return TemporalModes(task, self.length)

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial W_x, W_h and W_y, by the rule in ``initial``."""
        inputs, outputs = self.modes(task).inputs, task.y.shape[1]
        shapes = [(self.width, inputs), (self.width, self.width), (outputs, self.width)]
        return self.initial.of_seed(seed).draw(shapes, task, np.random.default_rng(seed))

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ = W_y Σ_t W_h^{T−t} W_x x_t."""
        return RecurrentPredict(self.length, self.learn_recurrent)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``strengths``, ``map``, ``eigenvalues``, ``extrapolation``, ``kernel``, ``outputs``, ``weights``.

        ``strengths`` (lags, modes) are u_αᵀ A_l v_α, lag 0 (the last input) first. ``map`` (lags, outputs, inputs) is
        A_l. ``eigenvalues`` (width, 2) are real and imaginary parts of those of W_h, largest modulus first.
        ``extrapolation`` is the expected loss on sequences of T, T + 1, …, 3T steps if the task defines how it goes on.
        ``kernel`` is the tangent kernel of all A_l.
        """
        return RecurrentObservables(self.predict, self.length)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """The closed form of a fixed recurrence, then modes with three strengths."""
        return (FixedRecurrence(), RecurrentModes())

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of observables."""
        return {
            "loss": (), "strengths": ("lag", "mode"), "map": ("lag", "output", "input"),
            "eigenvalues": ("unit", "part"), "extrapolation": ("length",), "outputs": ("item", "output"),
        }  # fmt: skip

    def context(self, task: Task) -> Context:
        """At most T × inputs points with the task's correlations, and longer sequences where the task defines them."""
        modes, statistics = self.modes(task), task.statistics
        data = Data(*statistics.compressed, float(statistics.count), statistics.floor)
        found: Context = {"data": data, "x": task.x, "left": modes.left, "right": modes.right}
        if isinstance(task, Sequences) and task.longer is not None and task.length == self.length:
            found["longer"] = _longer(task)
        return found

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """dW_y = Σ E_l F_lᵀ, dW_x = P_0, dW_h = Σ P_{l+1} F_lᵀ, with E = Σyx − A Σx at lag l and F_l = W_h^l W_x.

        P_l = W_yᵀ E_l + W_hᵀ P_{l+1} is the error that has come back to lag l from all inputs before.
        """
        modes, lags = self.modes(task), self.length
        sigma_yx = modes.maps
        inputs = modes.inputs
        # time steps in the order of lags
        order = np.concatenate([np.arange(t * inputs, (t + 1) * inputs) for t in range(lags)][::-1])
        sigma_x = task.statistics.input_correlation[np.ix_(order, order)]

        def field(weights: Weights) -> Weights:
            first, recurrent, last = weights
            forward = [first]
            for _ in range(lags - 1):
                forward.append(recurrent @ forward[-1])
            now = np.concatenate([last @ f for f in forward], axis=-1)
            parts = np.split(now @ sigma_x, lags, axis=-1)
            error = [target - part for target, part in zip(sigma_yx, parts, strict=True)]
            output = np.sum([e @ f.swapaxes(-1, -2) for e, f in zip(error, forward, strict=True)], axis=0)
            below, behind = last.swapaxes(-1, -2), recurrent.swapaxes(-1, -2)
            into, across = below @ error[-1], np.zeros_like(recurrent)
            for lag in range(lags - 2, -1, -1):
                if self.learn_recurrent:
                    across = across + into @ forward[lag].swapaxes(-1, -2)
                into = below @ error[lag] + behind @ into
            return into, across, output

        return field


def _longer(task: Sequences) -> dict[str, np.ndarray]:
    """Targets by lag for sequences of T … 3T steps, which lags are within each, and the loss that noise leaves."""
    lengths = np.arange(task.length, LONGER * task.length + 1)
    maps = np.zeros((len(lengths), lengths[-1], *task.maps.shape[1:]))
    for i, length in enumerate(lengths):
        maps[i, :length] = task.extended(int(length)).maps[::-1]
    within = (np.arange(lengths[-1]) < lengths[:, None]).astype(float)
    return {"maps": maps, "within": within, "floor": np.array(0.5 * task.maps.shape[1] * task.noise**2)}
