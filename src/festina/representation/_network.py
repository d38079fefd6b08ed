"""Feed-forward networks of any activation, and their theories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from festina.checks.shapes import Array
from festina.core import Context, Data, Theory
from festina.relu import SymmetricData
from festina.representation._architecture import Architecture, Layers
from festina.representation._effective import Effective


@dataclass(frozen=True, repr=False)
class FeedForward(Architecture):
    """A feed-forward network with any activation: ŷ = W_D φ(… φ(W_1 x + b_1) …) + b_D.

    Besides ``loss``, ``outputs`` and ``weights``, there are three observables. ``"hidden"`` holds the representations
    of the observed items, one array (times, items, units) per observed layer. ``"distances"`` holds their squared
    distances (times, layers, pairs), with pairs in the order of ``numpy.triu_indices``. ``"item_outputs"`` holds their
    outputs, which take less memory than those of a large data set.

    Args:
        hidden: widths of the hidden layers, from the input to the output; the paper's networks are ``(500,) * 20``.
        activation: ``"leaky relu"``, ``"relu"``, ``"elu"``, ``"gelu"``, ``"sigmoid"``, ``"swish"``, ``"tanh"`` or
            ``"linear"``.
        gain: scale of the initial weights, std = gain·√(2/(fan in + fan out)) (Xavier normal); biases start at zero.
        negative_slope: slope of the leaky ReLU for negative inputs, at least 0.
        initial: a rule of ``fs.initial`` that draws the weights instead; ``gain`` is then ignored.
        bias: whether layers have biases.
        connection: ``"dense"``, or ``"convolution"``: the first layer's units are the pixels of one channel, then come
            as many convolutions without padding as ``hidden`` has entries, one more to a single channel, and a dense
            layer to the output.
        skip: add to each hidden layer but the first two what the layer two before it gave.
        dropout: share of the inputs of every layer that are dropped in training; nothing is dropped in observing.
            Theories leave it out and say so; ``fs.Flow()`` refuses it.
        channels, kernel: of the convolutions.
        observed_layers: indices of the hidden layers that are observed, or ``"all"``; by default the middle one.
        observed_items: rows of the task that are observed; by default all.

    Raises:
        ValueError: a name that is not known, a width that is not a whole number, a skip between unequal widths, or a
            convolution that leaves no pixel.

    Example:
        >>> import numpy as np, festina as fs
        >>> network = fs.FeedForward(hidden=(30, 20), activation="gelu")
        >>> task = fs.Task(x=[[-1.0], [-0.5]], y=[[0.6], [1.6]])
        >>> train, times = fs.Train(rate=0.1), np.linspace(0, 10, 5)
        >>> run = fs.evolve(network, task, times, method=train, observe=("loss", "distances"))
        >>> run["distances"].shape, bool(run.loss[-1] < run.loss[0])
        ((5, 1, 1), True)

    Source: vanrossem2024 App. B.1 and Table 1.
    """

    @property
    def predict(self) -> Callable[[Any, Any], Array]:
        """The forward pass, nothing dropped."""
        from festina.representation._forward import Forward

        return Forward(self.bare)

    @property
    def loss(self) -> Callable[[Any, Data, Any], Array]:
        """L = 1/(2N) Σ ‖y − ŷ‖²; with a key, units are dropped."""
        from festina.representation._forward import Loss

        return Loss(self.bare)

    @property
    def observables(self) -> Callable[[Context], Mapping[str, Callable[[Any], Any]]]:
        """``loss``, ``outputs``, ``weights``, and of the observed items ``hidden``, ``distances``, ``item_outputs``."""
        from festina.representation._forward import Observed

        return Observed(self.bare)

    @property
    def theories(self) -> tuple[Theory, ...]:
        """Symmetric data, for one (leaky) ReLU layer; then the effective theory with rates from tangent kernels."""
        slope = {"relu": 0.0, "leaky relu": self.negative_slope}.get(self.activation)
        if slope is None or len(self.hidden) > 1 or self.connection != "dense" or self.dropout:
            return (Effective(),)
        return SymmetricData(slope), Effective()

    def units(self, weights: Layers) -> Any:
        """Rows of the first layer with columns of the second; None with more layers, convolutions or dropout."""
        if len(self.hidden) > 1 or self.connection != "dense" or self.dropout:
            return None
        return (0, 1), (0, None) if self.bias else ()
