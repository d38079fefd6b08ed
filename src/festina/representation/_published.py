"""The fifteen settings of the two-point experiments, as published."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from festina import _check
from festina._task import Task
from festina.representation._network import FeedForward

EPOCHS = 6000
"""Epochs of every published run."""

DISTANCES = {"released": (1.0, float(np.sqrt(0.5))), "text": (0.5, 1.0)}
"""Distances of the inputs and of the targets: in the released code, and in the text."""


@dataclass(frozen=True)
class Published:
    """A network with the step size and the number of epochs that belong to it.

    ``rate`` is on our loss, ½ of PyTorch's ``MSELoss``: twice the printed learning rate.

    Example:
        >>> import festina as fs
        >>> small = fs.representation.published("default").resized(width=50, epochs=600)
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
        >>> import festina as fs
        >>> fs.representation.published("shallow").network.hidden
        (500, 500)
    """
    return PUBLISHED[_check.known("name", name, PUBLISHED)]


def two_points(dx: float | str = "released", dy: float | None = None) -> Task:
    """Inputs −1 and −1 + dx with targets 0.6 and 0.6 + dy.

    Args:
        dx: distance of the inputs; or ``"released"`` (1 and √½, the released code) or ``"text"`` (0.5 and 1).
        dy: distance of the targets.

    Example:
        >>> import festina as fs
        >>> fs.representation.two_points("text").x.tolist()
        [[-1.0], [-0.5]]

    Source: vanrossem2024 App. B.1.
    """
    if isinstance(dx, str):
        dx, dy = DISTANCES[_check.known("dx", dx, DISTANCES)]
    if dy is None:
        raise ValueError("dy is missing; give the distance of the targets, or dx='released' or 'text'.")
    return Task([[-1.0], [-1.0 + dx]], [[0.6], [0.6 + dy]], name="two points")
