"""Networks to follow: fully connected or convolutional, with skips or dropout, of any depth, width and gain."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import _check

if TYPE_CHECKING:
    from festina.representation._module import Module

ACTIVATIONS = ("elu", "leaky relu", "linear", "relu", "swish", "tanh")
CONNECTIONS = ("convolution", "dense")


@dataclass(frozen=True)
class Architecture:
    """A deep network, described; its weights are drawn by ``build``.

    Weights are Xavier normal with a gain, std = gain·√(2/(fan in + fan out)); biases start at zero.

    Args:
        hidden: number of hidden layers, ≥ 1.
        width: units per hidden layer; of a convolution, units of its first, dense, layer.
        activation: ``"leaky relu"`` (slope 0.01), ``"relu"``, ``"elu"``, ``"tanh"``, ``"swish"`` or ``"linear"``.
        gain: scale of the initial weights.
        connection: ``"dense"``, or ``"convolution"``: the first layer's units are the pixels of one channel, then come
            ``hidden`` convolutions without padding, one more to a single channel, and a dense layer to the output.
        skip: add to each hidden layer but the first two what the layer two before it gave.
        dropout: share of the inputs of every layer that are dropped in training; nothing is dropped in observing.
        channels, kernel: of the convolutions.

    Raises:
        ValueError: a name that is not known, or a convolution that leaves no pixel.

    Example:
        >>> import festina as fs
        >>> fs.representation.Architecture(hidden=4, width=50, activation="tanh", gain=0.5).middle
        2

    Source: vanrossem2024 App. B.1 and Table 1.
    """

    hidden: int = 20
    width: int = 500
    activation: str = "leaky relu"
    gain: float = 1.0
    connection: str = "dense"
    skip: bool = False
    dropout: float = 0.0
    channels: int = 20
    kernel: int = 11

    def __post_init__(self) -> None:
        for name in ("hidden", "width", "channels", "kernel"):
            _check.whole(name, getattr(self, name))
        _check.known("activation", self.activation, ACTIVATIONS)
        _check.known("connection", self.connection, CONNECTIONS)
        _check.positive("gain", self.gain)
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout!r}; a share >= 0 and < 1 is needed.")
        if self.connection == "convolution":
            if self.skip:
                raise ValueError("skip is True with a convolution, whose layers shrink; use connection='dense'.")
            if self.pixels[-1] < 1:
                raise ValueError(
                    f"width is {self.width}, but {self.hidden + 1} convolutions with kernel {self.kernel} use up "
                    f"{(self.hidden + 1) * (self.kernel - 1)} pixels; give a larger width or a smaller kernel."
                )

    @property
    def middle(self) -> int:
        """Index of the layer halfway through the network, which is the one observed by default."""
        return self.hidden // 2

    @property
    def pixels(self) -> tuple[int, ...]:
        """Pixels left after the first layer and after each convolution."""
        return tuple(self.width - k * (self.kernel - 1) for k in range(self.hidden + 2))

    @property
    def layers(self) -> int:
        """Number of layers whose representation can be observed: all but the output."""
        return self.hidden if self.connection == "dense" else self.hidden + 2

    @property
    def bare(self) -> "Architecture":
        """The same without its gain: what compiled code depends on."""
        return replace(self, gain=1.0)

    def shapes(self, inputs: int, outputs: int) -> tuple[tuple[int, ...], ...]:
        """Shapes of the weights: (out, in) of dense layers, (out, in, kernel) of convolutions."""
        if self.connection == "dense":
            sizes = (inputs, *(self.width,) * self.hidden, outputs)
            return tuple((b, a) for a, b in pairwise(sizes))
        channels = (1, *(self.channels,) * self.hidden, 1)
        convolutions = tuple((b, a, self.kernel) for a, b in pairwise(channels))
        return (self.width, inputs), *convolutions, (outputs, self.pixels[-1])

    def draw(self, inputs: int, outputs: int, seed: int) -> list[np.ndarray]:
        """Initial weights of the seed, Xavier normal with the gain."""
        rng = np.random.default_rng(seed)
        weights = []
        for out, into, *field in self.shapes(inputs, outputs):
            fans = (out + into) * int(np.prod(field))
            weights.append(self.gain * np.sqrt(2 / fans) * rng.standard_normal((out, into, *field)))
        return weights

    def start(self, inputs: int, outputs: int, seed: int) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
        """Initial weights of the seed, and zero biases."""
        weights = tuple(self.draw(inputs, outputs, seed))
        return weights, tuple(np.zeros(len(w)) for w in weights)

    def build(self, inputs: int, outputs: int, seed: int = 0, dtype: Any = np.float32) -> "Module":
        """The network with its initial weights, an ``equinox.Module``: ``module(x) -> (outputs, hidden layers)``."""
        from festina.representation._module import build

        return build(self, _check.whole("inputs", inputs), _check.whole("outputs", outputs), seed, dtype)
