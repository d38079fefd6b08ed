"""ReLU networks of any depth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from festina._network import Context, mean_loss
from festina._types import Array, Weights
from festina.linear._layered import Layered, rectify, relu_layers, relu_predict


def relu_observables(context: Context) -> Mapping[str, Callable[[Weights], Any]]:
    """Everything that can be observed of a ReLU network's weights."""
    x = context["data"].x
    return {
        "loss": lambda weights: mean_loss(relu_predict, weights, context["data"]),
        "outputs": lambda weights: relu_predict(weights, x),
        "weights": tuple,
        "hidden": lambda weights: tuple(rectify(h) for h in relu_layers(weights, x)),
        "gates": lambda weights: tuple(1.0 * (h > 0) for h in relu_layers(weights, x)),
    }


@dataclass(frozen=True, repr=False)
class ReLU(Layered):
    """A network of rectified layers without biases and a linear output: ŷ = W_D σ(… σ(W_1 x)).

    It learns by ``fs.Train``; what it learns is predicted by the gated networks that share its gates (``fs.Gated``).

    Args:
        hidden: widths of the hidden layers, from the input to the output, at least one.
        initial: where the weights start (``fs.initial``).

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

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.hidden:
            raise ValueError("hidden is empty; a ReLU network needs at least one hidden layer (else fs.DeepLinear).")

    @property
    def predict(self) -> Callable[[Weights, Array], Array]:
        """ŷ = W_D σ(… σ(W_1 x))."""
        return relu_predict

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Weights], Any]]]:
        """``loss``, ``outputs``, ``weights``, ``hidden`` (rectified activity) and ``gates`` (1 where a unit is on)."""
        return relu_observables
