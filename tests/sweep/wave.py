"""Does a sum of waves do what it is told?

An experiment for the tests of sweeps: as quick or slow, and as well or ill behaved, as its settings say.

Source: saxe2014.
"""

import os
import signal
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.papers import Claim


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    # height of the wave
    height: float = 1.0
    # its number of maxima
    waves: int = 3
    # places at which it is looked at
    deltas: tuple[float, ...] = (0.0, 0.5)
    # seconds that it takes
    seconds: float = 0.0
    # what happens: "", "raise", "die", "die once" or "large"
    mood: str = ""
    # a folder in which runs leave their traces
    traces: str = ""
    # first seed
    seed: int = 0
    # number of seeds
    seeds: int = 2

    def __post_init__(self) -> None:
        if self.waves < 0:
            raise ValueError(f"waves is {self.waves}; a whole number >= 0 is needed.")


quick = Settings(waves=2)
layout = (1, 1)


def compute(settings: Settings) -> dict[str, Any]:
    if settings.traces:
        name = f"{settings.height}-{settings.waves}-{settings.seed}"
        with open(os.path.join(settings.traces, name), "a") as file:
            file.write(f"{os.getpid()}\n")
            runs = file.tell()
        if settings.mood == "die" or (settings.mood == "die once" and runs < 12):
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(settings.seconds)
    if settings.mood == "raise" and settings.height > 1:
        raise ArithmeticError(f"a wave of height {settings.height} breaks")
    noise = [np.random.default_rng(settings.seed + k).standard_normal() for k in range(settings.seeds)]
    x = np.array(settings.deltas)
    return {
        "values": {
            "wave": settings.height * np.sin(settings.waves * x) + np.mean(noise),
            "noise": noise,
            "maxima": np.arange(settings.waves),
            "parts": {"first": float(noise[0]), "kind/of": "sine", "none": None},
            "height": settings.height / 3,
            "large": np.zeros(200_000) if settings.mood == "large" else 0.0,
        }
    }


def values(curves: dict[str, Any]) -> dict[str, Any]:
    return curves["values"]


def draw(curves: dict[str, Any], axes: Any) -> None:
    axes[0].plot(curves["values"]["wave"])


claims = (
    Claim("small", "the wave is small", lambda curves: curves["values"]["height"], 1.0, source="saxe2014"),
    Claim("rises", "it rises", lambda curves: np.diff(curves["values"]["wave"]).min(), 0.0, ">=", source="saxe2014"),
)
