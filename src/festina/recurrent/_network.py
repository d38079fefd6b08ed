"""Linear recurrent networks, and what they share with those of tanh units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Network, Task, Theory
from festina.core.seed import generator
from festina.initial import Initial
from festina.recurrent._observe import RecurrentLoss, RecurrentObservables, Step
from festina.recurrent._theory import FixedRecurrence, HiddenSubspace, RecurrentModes, TemporalModes
from festina.tasks import Sequences

LONGER = 3
"""Sequences up to this many times the trained length are looked at for extrapolation."""


@dataclass(frozen=True)
class RecurrentPredict:
    """h_t = M h_{t−1} + X x_t, ŷ_t = W_y h_t, on inputs of all time steps side by side; noise is left out.

    Args:
        step: how one step goes.
        learn_recurrent: whether gradients reach W_h.
        saturates: whether units are tanh of their input.
    """

    step: Step
    learn_recurrent: bool = True
    saturates: bool = False

    def __call__(self, weights: Weights, x: Array) -> Array:
        """One row of outputs per sequence, those of the last ``window`` steps side by side."""
        first, recurrent, last = weights
        if not self.learn_recurrent and not isinstance(recurrent, np.ndarray):
            from jax import lax

            recurrent = lax.stop_gradient(recurrent)
        first, recurrent, last = self.step.matrices((first, recurrent, last))
        inputs, length, library = first.shape[1], self.step.length, last.__array_namespace__()
        state, answers = first, []
        for t in range(length):
            driven = x[:, t * inputs : (t + 1) * inputs] @ first.T
            state = state @ recurrent.T + driven if t else driven
            state = library.tanh(state) if self.saturates else state
            if t >= length - self.step.window:
                answers.append(state @ last.T)
        return answers[0] if len(answers) == 1 else library.concatenate(answers, axis=1)


class Recurrent(Network):
    """Base of recurrent networks with the weights W_x, W_h and W_y."""

    width: int
    length: int
    initial: Initial

    def __post_init__(self) -> None:
        check.whole("width", self.width)
        check.whole("length", self.length)
        check.instance("initial", self.initial, Initial, "one of fs.initial, such as fs.initial.Gaussian(0.01),")

    @property
    def step(self) -> Step:
        """Computation of one step."""
        return Step(self.length)

    def modes(self, task: Task) -> TemporalModes:
        """Singular vectors that the time steps of the task share, and strengths over lags."""
        return TemporalModes(task, self.length, self.step.window)

    def start(self, task: Task, seed: int) -> tuple[np.ndarray, ...]:
        """Initial W_x, W_h and W_y, by the rule in ``initial``."""
        inputs, outputs = self.modes(task).inputs, self.modes(task).outputs
        shapes = [(self.width, inputs), (self.width, self.width), (outputs, self.width)]
        return self.initial.of_seed(seed).draw(shapes, task, generator(seed))

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``strengths``, ``map``, ``eigenvalues``, ``extrapolation``, ``kernel``, ``outputs``, ``weights``.

        ``strengths`` (lags, modes) are u_αᵀ A_l v_α, lag 0 (the last input) first. ``map`` (lags, outputs, inputs) is
        A_l. ``eigenvalues`` (width, 2) are real and imaginary parts of those of W_h, or of (1 − 1/τ)·1 + W_h/τ with
        leak, largest modulus first.
        ``extrapolation`` is the expected loss on sequences of T, T + 1, …, 3T steps if the task defines how it goes on.
        ``kernel`` is the tangent kernel of all A_l. With tanh units, which have no kernel here, ``strengths`` and
        ``map`` are those of the network linearised at rest.
        """
        return RecurrentObservables(self.predict, self.step)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of observables."""
        return {
            "loss": (), "strengths": ("lag", "mode"), "map": ("lag", "output", "input"),
            "eigenvalues": ("unit", "part"), "extrapolation": ("length",), "outputs": ("item", "output"),
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class LinearRNN(Recurrent):
    """A linear recurrent network that answers at the end of a sequence: h_t = W_h h_{t−1} + W_x x_t, ŷ = W_y h_T.

    Its weights are ``(W_x, W_h, W_y)``; it acts on the input of lag l = T − t as A_l = W_y W_h^l W_x. The task has the
    inputs of all time steps side by side, as ``fs.tasks.integration``, ``delayed_response`` and ``sensory_integration``
    give it. With a time constant τ and noise a step is

        h_t = (1 − 1/τ) h_{t−1} + (1/τ) (W_h h_{t−1} + W_x (x_t + σ_in ζ_t) + σ_h ξ_t),

    with standard normal ζ_t and ξ_t. The loss is the expected one: half the variance of the answers is added to it.

    Args:
        width: number of hidden units.
        length: T ≥ 1, time steps of a sequence.
        initial: where the weights start: ``fs.recurrent.AlignedRecurrence``, ``fs.initial.Gaussian`` (one standard
            deviation, or one each for W_x, W_h, W_y), ``fs.initial.Weights``.
        learn_recurrent: False keeps W_h as it starts; each mode then has a closed form.
        time_constant: τ ≥ 1 of the units, in steps; 1 is no leak.
        input_noise, private_noise: σ_in ≥ 0 and σ_h ≥ 0.
        window: the answers of the last ``window`` steps count, 1 … T; the task then has their targets side by side
            (``fs.tasks.integration(..., window=...)``).

    Raises:
        ValueError: numbers that are not whole or below 1; on use, inputs that ``length`` does not divide, or targets
            that ``window`` does not divide.

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
    time_constant: float = field(default=1.0, kw_only=True)
    input_noise: float = field(default=0.0, kw_only=True)
    private_noise: float = field(default=0.0, kw_only=True)
    window: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check.whole("window", self.window, most=self.length)
        check.scale("input_noise", self.input_noise, zero=True)
        check.scale("private_noise", self.private_noise, zero=True)
        if not check.number("time_constant", self.time_constant) >= 1:
            raise ValueError(
                f"time_constant is {self.time_constant!r}; a number of steps >= 1 is needed, where 1 is no leak."
            )

    @property
    def step(self) -> Step:
        """Computation of one step."""
        return Step(self.length, self.window, 1 / self.time_constant, self.input_noise, self.private_noise)

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ = W_y Σ_t W_h^{T−t} W_x x_t."""
        return RecurrentPredict(self.step, self.learn_recurrent)

    @property
    def loss(self) -> RecurrentLoss:
        """The mean loss, expected over the noise of the network."""
        return RecurrentLoss(self.predict, self.step)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """The closed form of a fixed recurrence, modes with three strengths, then fewer units."""
        return (FixedRecurrence(), RecurrentModes(), HiddenSubspace())

    def context(self, task: Task) -> Context:
        """At most T × inputs points with the task's correlations, and longer sequences where the task defines them."""
        modes, statistics = self.modes(task), task.statistics
        data = Data(*statistics.compressed, float(statistics.count), statistics.floor)
        found: Context = {"data": data, "x": task.x, "left": modes.left, "right": modes.right}
        if isinstance(task, Sequences) and task.longer is not None and task.length == self.length:
            found["longer"] = _longer(task, self.step)
        return found

    def velocity(self, task: Task) -> Callable[[Weights], Weights]:
        """dW_y = Σ E_l F_lᵀ, dX = P_0, dM = Σ P_{l+1} F_lᵀ, with E = Σyx − A Σx at lag l and F_l = M^l X.

        P_l = W_yᵀ E_l + Mᵀ P_{l+1} is the error that has come back to lag l from all inputs before. Errors of several
        answers add up at each lag. Private noise is one more input to each unit, whose target is zero.
        """
        modes, lags, step = self.modes(task), self.length, self.step
        inputs, outputs, counts = modes.inputs, modes.outputs, step.counts()
        sigma_yx, sigma_x = task.statistics.cross_correlation, task.statistics.input_correlation
        # the answer at step t depends on the input of lag l at step t − l
        places = [
            [(slice(k * outputs, (k + 1) * outputs), t - lag) for k, t in enumerate(step.answers) if t >= lag]
            for lag in range(lags)
        ]
        columns = [slice(t * inputs, (t + 1) * inputs) for t in range(lags)]

        def field(weights: Weights) -> Weights:
            first, recurrent, last = step.matrices(weights)
            if step.private_noise:
                lead = first.shape[:-2]
                private = step.leak * step.private_noise * np.eye(self.width)
                first = np.concatenate([first, np.broadcast_to(private, (*lead, *private.shape))], axis=-1)
            forward = [first]
            for _ in range(lags - 1):
                forward.append(recurrent @ forward[-1])
            maps = [last @ f for f in forward]
            whole = np.zeros((*last.shape[:-2], *sigma_yx.shape))
            for lag, at in enumerate(places):
                for rows, t in at:
                    whole[..., rows, columns[t]] = maps[lag][..., :inputs]
            missed, error = sigma_yx - whole @ sigma_x, []
            for lag, at in enumerate(places):
                total = np.sum([missed[..., rows, columns[t]] for rows, t in at], axis=0)
                total = total - counts[lag] * step.input_noise**2 * maps[lag][..., :inputs]
                error.append(np.concatenate([total, -counts[lag] * maps[lag][..., inputs:]], axis=-1))
            output = np.sum([e @ f.swapaxes(-1, -2) for e, f in zip(error, forward, strict=True)], axis=0)
            below, behind = last.swapaxes(-1, -2), recurrent.swapaxes(-1, -2)
            into, across = below @ error[-1], np.zeros_like(recurrent)
            for lag in range(lags - 2, -1, -1):
                if self.learn_recurrent:
                    across = across + into @ forward[lag].swapaxes(-1, -2)
                into = below @ error[lag] + behind @ into
            return step.leak * into[..., :inputs], step.leak * across, output

        return field


def _longer(task: Sequences, step: Step) -> dict[str, Any]:
    """Targets by lag for sequences of T … 3T steps, how many answers see each lag, and the loss that noise leaves."""
    lengths = range(task.length, LONGER * task.length + 1)
    maps = np.zeros((len(lengths), lengths[-1], *task.maps.shape[1:]))
    counts = np.zeros((len(lengths), lengths[-1]))
    longest = task.extended(lengths[-1]).maps  # a shorter sequence is its beginning
    for i, length in enumerate(lengths):
        maps[i, :length] = longest[:length][::-1]
        counts[i, :length] = step.counts(length)
    floor = np.array(0.5 * step.window * task.maps.shape[1] * task.noise**2)
    return {"maps": maps, "counts": counts, "floor": floor, "noisy": bool(step.input_noise or step.private_noise)}
