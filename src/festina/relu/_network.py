"""ReLU networks of any depth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from festina.checks.shapes import Weights
from festina.core import Layered, LayeredForward, Theory
from festina.core.network import Context, Observables, mean_loss
from festina.core.units import Leading
from festina.relu._fixed import FixedGates
from festina.relu._symmetric import SymmetricData
from festina.relu._units import UnitGrowth


@dataclass(frozen=True)
class ReLUObservables:
    """Everything that can be observed of a ReLU network's weights."""

    forward: LayeredForward

    def __call__(self, context: Context) -> Mapping[str, Callable[[Weights], Any]]:
        """The observables on these data."""
        x, forward = context["data"].x, self.forward
        return {
            "loss": lambda weights: mean_loss(forward, weights, context["data"]),
            "outputs": lambda weights: forward(weights, x),
            "weights": tuple,
            "hidden": lambda weights: forward.hidden(weights, x),
            "gates": lambda weights: tuple(1.0 * (h > 0) for h in forward.layers(weights, x)[:-1]),
        }


@dataclass(frozen=True, repr=False)
class ReLU(Layered):
    """A network of ReLU layers and a linear output: ŷ = W_D σ(… σ(W_1 x)).

    Args:
        hidden: widths of the hidden layers, from the input to the output, at least one.
        initial: where the weights start (``fs.initial``).
        bias: whether every layer has a bias; it is the last column of the layer's matrix, which is then (out, in + 1).

    Raises:
        ValueError: no hidden layer, or a width that is not a whole number ≥ 1.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.ReLU(hidden=(32,), initial=fs.initial.Gaussian(0.01))
        >>> run = fs.evolve(network, fs.tasks.extended_xor(0.0), np.array([0.0, 40.0]), method=fs.Train(rate=0.4))
        >>> bool(run.loss[-1] < 0.01)
        True

    Source: jarvis2025 section 3.
    """

    hidden: tuple[int, ...]
    initial: Any = field(kw_only=True)
    bias: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.hidden:
            raise ValueError("hidden is empty; a ReLU network needs at least one hidden layer (else fs.DeepLinear).")

    @property
    def forward(self) -> LayeredForward:
        """ŷ = W_D σ(… σ(W_1 x))."""
        return LayeredForward(rectifies=True, biased=self.bias)

    @property
    def observables(self) -> Observables:
        """``loss``, ``outputs``, ``weights``, ``hidden`` (rectified activity) and ``gates`` (1 where a unit is on)."""
        return ReLUObservables(self.forward)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """Fixed gates, symmetric data, then units that grow, part and learn (``fs.relu.UnitGrowth``)."""
        return FixedGates(), SymmetricData(), UnitGrowth()

    def units(self, weights: Weights) -> tuple[Any, Any] | None:
        """Rows of the first layer with columns of the second, without the column of biases; None for deep networks."""
        if len(self.hidden) != 1:
            return None
        return (0, Leading(1, self.hidden[0])) if self.bias else (0, 1)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the axes of every observable."""
        return {
            "loss": (), "outputs": ("item", "output"), "hidden": ("item", "unit"), "gates": ("item", "unit"),
            "active_units": (), "contributions": ("unit",),
        }  # fmt: skip
