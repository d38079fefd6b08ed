"""The fifteen settings of the two-point experiments, as published."""

from dataclasses import dataclass, replace

import numpy as np

from festina import _check
from festina._task import Task
from festina.representation._architecture import Architecture

EPOCHS = 6000
"""Epochs of every published run."""

POINTS = {"released": (1.0, np.sqrt(0.5)), "text": (0.5, 1.0)}
"""Distances of the inputs and of the targets: in the released code, and in the text."""


@dataclass(frozen=True)
class Published:
    """An architecture with the step that belongs to it.

    ``rate`` is for ``EPOCHS`` epochs on our loss, ½ of PyTorch's ``MSELoss``: twice the printed learning rate.

    Example:
        >>> import festina as fs
        >>> small = fs.representation.published("default").resized(width=50, epochs=600)
        >>> small.architecture.width, round(small.rate, 3)
        (50, 0.1)
    """

    architecture: Architecture
    rate: float

    def resized(self, width: int, epochs: int) -> "Published":
        """At most so wide, and with the rate that goes through the same flow time in other epochs."""
        narrow = min(width, self.architecture.width)
        if self.architecture.connection == "convolution":
            narrow = max(narrow, (self.architecture.hidden + 1) * (self.architecture.kernel - 1) + 10)
        return Published(replace(self.architecture, width=narrow), self.rate * EPOCHS / epochs)


def _published(rate: float, **settings: object) -> Published:
    return Published(Architecture(**settings), 2 * rate)  # type: ignore[arg-type]


PUBLISHED = {
    "default": _published(0.005),
    "convolution": _published(0.002, connection="convolution", hidden=10, gain=0.95),
    "skip connections": _published(0.01, skip=True, gain=0.1),
    "shallow": _published(0.01, hidden=2, gain=0.35),
    "narrow": _published(0.005, width=50, gain=1.05),
    "dropout": _published(0.005, hidden=10, dropout=0.1),
    "linear": _published(0.00125, activation="linear", gain=0.85),
    "relu": _published(0.005, activation="relu"),
    "elu": _published(0.00045, activation="elu", gain=0.95),
    "tanh": _published(0.00125, activation="tanh", gain=0.85),
    "swish": _published(0.0025, activation="swish", gain=1.7),
    "low": _published(0.015, gain=0.9),
    "intermediate": _published(0.0025, gain=1.1),
    "high": _published(0.00075, gain=1.3),
    "very high": _published(0.00025, gain=1.4),
}
"""vanrossem2024 Table 1: eleven architectures, then four gains of the default one."""


def published(name: str) -> Published:
    """A setting of vanrossem2024 Table 1 by name; an unknown name lists the known ones.

    Example:
        >>> import festina as fs
        >>> fs.representation.published("shallow").architecture.hidden
        2
    """
    return PUBLISHED[_check.known("name", name, PUBLISHED)]


def two_points(dx: float, dy: float) -> Task:
    """Inputs −1 and −1 + dx with targets 0.6 and 0.6 + dy.

    Example:
        >>> import festina as fs
        >>> fs.representation.two_points(dx=0.5, dy=1.0).x.tolist()
        [[-1.0], [-0.5]]

    Source: vanrossem2024 App. B.1.
    """
    return Task([[-1.0], [-1.0 + dx]], [[0.6], [0.6 + dy]], name="two points")
