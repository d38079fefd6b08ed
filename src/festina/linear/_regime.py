"""Rich, lazy or delayed rich: decided by two numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from festina.analysis.kernel import Parts, distance, parts
from festina.checks import check
from festina.core import Assumption, Layered, Start
from festina.core.display import render
from festina.core.task import Task, check_task
from festina.linear._balanced import LambdaBalanced
from festina.linear._riccati import measure
from festina.methods import Flow

TOLERANCE = 1e-8
"""Relative tolerance of the flow where it has to be integrated: far finer than any line between regimes."""

GRID = 400
"""Times, evenly spaced in their logarithm, at which the solution is looked at."""


@dataclass(frozen=True)
class Regime:
    """How a two-layer network will learn, and the numbers that decide it.

    Attributes:
        name: ``"lazy"``: the kernel turns by less than ``bound``. ``"rich"``: it turns, and λ is weaker than the
            task. ``"delayed rich"``: it turns although λ is stronger than the task, which takes of order |λ|/s².
        kernel_distance: the farthest the neural tangent kernel gets from where it starts.
        imbalance: c|λ|/(2s), s the largest singular value of Σyx: above 1 the eigenvalues of the dynamics are λ's.
        lambda_: λ, the mean eigenvalue of W2ᵀW2 − W1W1ᵀ; with biases of W2ᵀW2 − W1W1ᵀ − b1b1ᵀ, which the flow keeps.
        delay: flow time at which the kernel has gone half the way to ``kernel_distance``.
        lazy_share: share of the loss that is gone when the kernel has gone a tenth of that way.
        bound: the kernel distance from which a network counts as rich.
        assumptions: isotropy of the inputs and balance of the weights, measured; where both hold, all is exact.
        standard: λ of the standard initialisations at this shape, see ``standard_lambda``.

    Example:
        >>> import festina as fs
        >>> network = fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(1e-2))
        >>> found = network.regime(fs.tasks.hierarchy(levels=2))
        >>> found.name, found.kernel_distance > found.bound
        ('rich', True)
    """

    name: str
    kernel_distance: float
    imbalance: float
    lambda_: float
    delay: float
    lazy_share: float
    bound: float
    standard: Mapping[str, float] = field(default_factory=dict, repr=False)
    assumptions: tuple[Assumption, ...] = field(default=(), repr=False)

    def _rows(self) -> list[tuple[str, float, str]]:
        return [
            ("kernel distance", self.kernel_distance, f"farthest; below {self.bound:g} is lazy"),
            ("imbalance", self.imbalance, "c|λ|/2s; above 1 a kernel that turns is delayed"),
            ("λ", self.lambda_, "W2ᵀW2 − W1W1ᵀ = λ·1"),
            ("delay", self.delay, "flow time at which the kernel is half-turned"),
            ("lazy share", self.lazy_share, "of the loss gone while the kernel went a tenth"),
            *((f"λ of {name}", value, "expected at this shape") for name, value in self.standard.items()),
        ]

    def __str__(self) -> str:
        lines = [f"{name:<16}{value:>12.4g}   {meaning}" for name, value, meaning in self._rows()]
        return "\n".join([self.name, *lines])

    def _repr_html_(self) -> str:
        """HTML for notebooks."""
        return render(f"Regime: {self.name}", self._rows(), self.assumptions)


def regime(network: Layered, task: Task, *, seed: int = 0, bound: float = 0.1) -> Regime:
    """Whether a two-layer network will learn in the rich, lazy or delayed rich regime, by the change of its kernel.

    The kernel is followed by the exact solution where inputs are isotropic and weights λ-balanced, and otherwise by
    integrating the gradient flow. ``assumptions`` says how far the start is from that, and so what λ means for it.

    Networks with equal widths are lazy for large |λ| of either sign. With more inputs than outputs large λ > 0 is lazy,
    and large λ < 0 is delayed rich. The strong first layer then holds directions the task does not need, and turns at
    rate s²/|λ|. With more outputs than inputs it is the other way round.

    With biases the kernel is that of all weights and biases, and is followed by integrating the flow. Where inputs or
    targets have a mean, or biases do not start at zero, ``assumptions`` says so.

    Args:
        network: two layers.
        task: what it will learn.
        seed: draws the weights.
        bound: kernel distance below which learning counts as lazy; the change is gradual, and the default is a
            convention.

    Raises:
        ValueError: another network or number of layers, or a task without modes.

    Example:
        >>> import festina as fs
        >>> task = fs.tasks.hierarchy(levels=2)
        >>> fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(1e-2, lambda_=40.0)).regime(task).name
        'delayed rich'
        >>> fs.DeepLinear(hidden=(4,), initial=fs.initial.Balanced(1e-2, lambda_=-40.0)).regime(task).name
        'lazy'

    Source: domine2025 (rich and lazy).
    """
    check_task(task)
    task.require_squared("regime()")
    if network.layers != 2:
        raise ValueError(f"network has {network.layers} layers; the regimes are defined for two.")
    bound, seed = check.positive("bound", bound), check.seed("seed", seed)
    statistics = task.statistics
    if statistics.rank == 0:
        raise ValueError("task has no modes (Σyx = 0): there is nothing to learn, richly or lazily.")
    start = network.start(task, seed)
    # the bias of a hidden unit is one more of its inputs
    lambda_ = measure(start[0], network.without_bias(start)[1])[0]
    c = float(np.trace(statistics.input_correlation) / len(statistics.input_correlation))
    s = statistics.strengths
    # from well before the fastest eigenvalue acts to well after the slowest one
    fast, slow = np.hypot(s[0], c * lambda_ / 2), s[-1] ** 2 / np.hypot(s[-1], c * lambda_ / 2)
    if network.bias:
        fast, slow = max(fast, 1.0), min(slow, 1.0)  # the output bias learns at rate 1
    times = np.geomspace(1e-3 / fast, 1e3 / slow, GRID)
    times = np.concatenate([[0.0], times])
    theory, begin = LambdaBalanced(), Start(network, task, seed)
    needed = theory.assumptions(network, task, begin)
    if not network.bias and all(assumption.holds for assumption in needed):
        found = theory.solve(network, task, begin, times).observables
        loss, moved = found["loss"](), found["kernel_distance"]()
    else:
        loss, moved = _integrate(network, task, begin, times)
    top = float(moved.max())
    imbalance = c * abs(lambda_) / (2 * float(s[0]))
    gone = (loss[0] - loss) / (loss[0] - loss[-1]) if loss[0] > loss[-1] else np.zeros_like(loss)
    half, tenth = int(np.argmax(moved >= top / 2)), int(np.argmax(moved >= top / 10))
    return Regime(
        "lazy" if top < bound else "rich" if imbalance <= 1 else "delayed rich",
        top,
        imbalance,
        lambda_,
        float(times[half]),
        float(gone[tenth]),
        bound,
        standard_lambda(task.x.shape[1], network.hidden[0], task.y.shape[1]),
        needed,
    )


def _integrate(network: Layered, task: Task, start: Start, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Loss and kernel distance along the gradient flow, for starts that no closed form covers."""
    flow = Flow(solver="LSODA", rtol=TOLERANCE).run(network, task, times, [start], ("loss", "weights")).values
    x, path = network.context(task)["data"].x, zip(*(layer[0] for layer in flow["weights"]), strict=True)
    first = _factors(network, start.weights, x)
    return flow["loss"][0], np.maximum([distance(first, _factors(network, weights, x)) for weights in path], 0.0)


def _factors(network: Layered, weights: tuple[np.ndarray, ...], x: np.ndarray) -> Parts:
    """Factors of the kernel; with biases each layer's activity has one more column, the constant that x ends with."""
    if not network.bias:
        return parts(weights, x)
    hidden = np.column_stack([x @ weights[0].T, x[:, -1]])
    backward, _ = parts(network.without_bias(weights), x[:, :-1])
    return backward, [x @ x.T, hidden @ hidden.T]


def standard_lambda(inputs: int, hidden: int, outputs: int) -> dict[str, float]:
    """Expected λ of the standard initialisations of two layers: E[W2ᵀW2 − W1W1ᵀ] = (outputs σ2² − inputs σ1²)·1.

    σ² is 1/fan_in (LeCun), 2/fan_in (He), 2/(fan_in + fan_out) (Glorot). Below 0 the first layer is the stronger.

    Source: domine2025 (standard initialisations).
    """
    return {
        "LeCun": outputs / hidden - 1.0,
        "He": 2.0 * outputs / hidden - 2.0,
        "Glorot": 2.0 * outputs / (hidden + outputs) - 2.0 * inputs / (inputs + hidden),
    }
