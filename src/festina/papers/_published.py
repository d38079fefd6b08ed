"""The fifteen settings of the two-point experiments, as published."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from festina.checks import check
from festina.representation import FeedForward

EPOCHS = 6000
"""Epochs of every published run."""


@dataclass(frozen=True)
class Published:
    """A network with the step size and the number of epochs that belong to it.

    ``rate`` is on our loss, ½ of PyTorch's ``MSELoss``: twice the printed learning rate.

    Example:
        >>> import festina as fs
        >>> small = published("default").resized(width=50, epochs=600)
        >>> small.network.hidden[0], round(small.rate, 3), round(small.duration)
        (50, 0.1, 60)
    """

    network: FeedForward
    rate: float
    epochs: int = EPOCHS

    @property
    def duration(self) -> float:
        """Flow time of the run: epochs × rate."""
        return self.rate * self.epochs

    def times(self, count: int) -> np.ndarray:
        """Times of so many whole epochs, evenly spaced over the run, first and last included."""
        return self.rate * np.unique(np.rint(np.linspace(0, self.epochs, min(count, self.epochs + 1))))

    def resized(self, width: int, epochs: int) -> "Published":
        """At most so wide, and with the rate that goes through the same flow time in other epochs."""
        narrow = min(width, self.network.hidden[0])
        if self.network.connection == "convolution":
            narrow = max(narrow, (len(self.network.hidden) + 1) * (self.network.kernel - 1) + 10)
        network = replace(self.network, hidden=(narrow,) * len(self.network.hidden))
        return Published(network, self.duration / epochs, epochs)


def _setting(rate: float, *, hidden: int = 20, width: int = 500, **settings: Any) -> Published:
    return Published(FeedForward((width,) * hidden, **settings), 2 * rate)


PUBLISHED = {
    "default": _setting(0.005),
    "convolution": _setting(0.002, connection="convolution", hidden=10, gain=0.95),
    "skip connections": _setting(0.01, skip=True, gain=0.1),
    "shallow": _setting(0.01, hidden=2, gain=0.35),
    "narrow": _setting(0.005, width=50, gain=1.05),
    "dropout": _setting(0.005, hidden=10, dropout=0.1),
    "linear": _setting(0.00125, activation="linear", gain=0.85),
    "relu": _setting(0.005, activation="relu"),
    "elu": _setting(0.00045, activation="elu", gain=0.95),
    "tanh": _setting(0.00125, activation="tanh", gain=0.85),
    "swish": _setting(0.0025, activation="swish", gain=1.7),
    "low": _setting(0.015, gain=0.9),
    "intermediate": _setting(0.0025, gain=1.1),
    "high": _setting(0.00075, gain=1.3),
    "very high": _setting(0.00025, gain=1.4),
}
"""vanrossem2024 Table 1: eleven architectures, then four gains of the default one."""


def published(name: str) -> Published:
    """A setting of vanrossem2024 Table 1 by name; an unknown name lists the known ones.

    The names are ``"default"``, ``"convolution"``, ``"skip connections"``, ``"shallow"``, ``"narrow"``, ``"dropout"``,
    ``"linear"``, ``"relu"``, ``"elu"``, ``"tanh"``, ``"swish"``, and the gains ``"low"``, ``"intermediate"``,
    ``"high"`` and ``"very high"`` of the default network.

    Example:
        >>> published("shallow").network.hidden
        (500, 500)
    """
    return PUBLISHED[check.known("name", name, PUBLISHED)]
