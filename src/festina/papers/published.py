"""The fifteen settings of the two-point experiments, as published."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs
from festina.checks import check

EPOCHS = 6000  # epochs of every published run
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {"rate": 0.005},
    "convolution": {"rate": 0.002, "connection": "convolution", "layers": 10, "gain": 0.95},
    "skip connections": {"rate": 0.01, "skip": True, "gain": 0.1},
    "shallow": {"rate": 0.01, "layers": 2, "gain": 0.35},
    "narrow": {"rate": 0.005, "width": 50, "gain": 1.05},
    "dropout": {"rate": 0.005, "layers": 10, "dropout": 0.1},
    "linear": {"rate": 0.00125, "activation": "linear", "gain": 0.85},
    "relu": {"rate": 0.005, "activation": "relu"},
    "elu": {"rate": 0.00045, "activation": "elu", "gain": 0.95},
    "tanh": {"rate": 0.00125, "activation": "tanh", "gain": 0.85},
    "swish": {"rate": 0.0025, "activation": "swish", "gain": 1.7},
    "low": {"rate": 0.015, "gain": 0.9},
    "intermediate": {"rate": 0.0025, "gain": 1.1},
    "high": {"rate": 0.00075, "gain": 1.3},
    "very high": {"rate": 0.00025, "gain": 1.4},
}
"""vanrossem2024 Table 1: eleven architectures, then four gains of the default one, which has 20 layers of 500 units."""


@dataclass(frozen=True)
class Published:
    """A network with the step size and the number of epochs that belong to it.

    ``rate`` is on our loss, which is that of the paper's eq. (1) and of its released code, ``0.5 * mse_loss``.
    """

    network: "fs.FeedForward"
    rate: float
    epochs: int

    @property
    def duration(self) -> float:
        """Flow time of the run: epochs × rate."""
        return self.rate * self.epochs

    def times(self, count: int) -> np.ndarray:
        """Times of at most ``count`` whole epochs, evenly spaced over the run, first and last included."""
        return self.rate * np.unique(np.rint(np.linspace(0, self.epochs, min(count, self.epochs + 1))))


def published(name: str, width: int = 500, epochs: int = EPOCHS, lasting: float = 1.0) -> Published:
    """A setting of vanrossem2024 Table 1 by name; an unknown name lists the known ones.

    Args:
        name: ``"default"``, ``"convolution"``, ``"skip connections"``, ``"shallow"``, ``"narrow"``, ``"dropout"``,
            ``"linear"``, ``"relu"``, ``"elu"``, ``"tanh"``, ``"swish"``, or a gain of the default network: ``"low"``,
            ``"intermediate"``, ``"high"`` or ``"very high"``.
        width: most units per layer; a convolution keeps as many as it needs.
        epochs: the rate is the one that goes through the flow time in this number of epochs.
        lasting: the flow time, in multiples of the published one.

    Example:
        >>> from festina.papers import published
        >>> small = published("default", width=50, epochs=600)
        >>> small.network.hidden[0], round(small.rate, 3), round(small.duration)
        (50, 0.05, 30)
    """
    given = {"layers": 20, "width": 500, **SETTINGS[check.known("name", name, SETTINGS)]}
    rate, layers, units = given.pop("rate"), given.pop("layers"), min(width, given.pop("width"))
    if given.get("connection") == "convolution":
        units = max(units, (layers + 1) * (fs.FeedForward.kernel - 1) + 10)
    return Published(fs.FeedForward((units,) * layers, **given), lasting * rate * EPOCHS / epochs, epochs)
