"""Functions for the tests of sweeps: as quick or slow, and as well or ill behaved, as their settings say."""

import itertools
import os
import signal
import sys
import time
from typing import Any

import numpy as np


def wave(
    height: float = 1.0,
    waves: int = 3,
    deltas: tuple[float, ...] = (0.0, 0.5),
    seconds: float = 0.0,
    mood: str = "",
    traces: str = "",
    seed: int = 0,
    seeds: int = 2,
) -> dict[str, Any]:
    """A wave with noise; ``mood`` is what happens: "", "raise", "die", "die once", "leave", "hang" or "large"."""
    if waves < 0:
        raise ValueError(f"waves is {waves}; a whole number >= 0 is needed.")
    if traces:
        with open(os.path.join(traces, f"{height}-{waves}-{seed}"), "a") as file:
            file.write(f"{os.getpid()}\n")
            runs = file.tell()
        if mood == "die" or (mood == "die once" and runs < 12):
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(seconds)
    if mood == "leave":
        sys.exit("a wave leaves")
    if mood == "hang":
        sum(itertools.repeat(0))  # C code that never gives back Python's lock
    if mood == "raise" and height > 1:
        raise ArithmeticError(f"a wave of height {height} breaks")
    noise = [np.random.default_rng(seed + k).standard_normal() for k in range(seeds)]
    return {
        "wave": height * np.sin(waves * np.array(deltas)) + np.mean(noise),
        "noise": noise,
        "maxima": np.arange(waves),
        "parts": {"first": float(noise[0]), "kind/of": "sine", "none": None},
        "height": height / 3,
        "large": np.zeros(200_000) if mood == "large" else 0.0,
    }


def draw(scale: float, seed: int) -> float:
    """One number from one seed."""
    return scale * np.random.default_rng(seed).standard_normal()


def line(slope: float, points: int = 3) -> dict[str, Any]:
    """A line with its places."""
    x = np.linspace(0, 1, points)
    return {"x": x, "y": slope * x}
