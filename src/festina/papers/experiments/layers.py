"""At which layer of a deep network does the effective theory hold?

In the later half: there the fit is good, and every later layer has a faster encoder and a slower decoder, as the number
of weights before and after it says.

Source: vanrossem2024 Fig. 10, section 5
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from festina import Train, evolve, representation, tasks
from festina.papers import Claim, setting
from festina.papers._published import published
from festina.papers.experiments import _pairs


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    width: int = setting(500, "units per layer", least=1)
    epochs: int = setting(
        6000, "epochs; the rate is the one that goes through the paper's flow time in so many", least=1
    )
    seeds: int = setting(25, "networks", least=1)
    seed: int = setting(0, "first of the seeds", least=0)


quick = Settings(width=60, epochs=1500, seeds=4)
layout = (1, 3)
caption = (
    "The theory of two points holds in the later half of a deep network, where the encoder gets faster and "
    "the decoder slower with every layer. (a) Error of the fit by layer (median and middle half of trials). "
    "(b) Fitted rates of encoder and decoder by layer. (c) Distance between the two representations at the "
    "start."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Fits of every layer of every trial, (trials, layers)."""

    settings: Settings
    errors: np.ndarray
    rates_h: np.ndarray
    rates_y: np.ndarray
    start: np.ndarray

    @property
    def half(self) -> int:
        """First layer of the later half."""
        return self.errors.shape[1] // 2

    def trend(self, rates: np.ndarray) -> np.ndarray:
        """Rank correlation of a rate with the layer over the later half, per trial."""
        layers = np.arange(self.half, rates.shape[1])
        return np.array([scipy.stats.spearmanr(layers, row[self.half :]).statistic for row in rates])


def compute(settings: Settings) -> Curves:
    """Train the default architecture and fit the theory at every layer."""
    setting = published("default").resized(settings.width, settings.epochs)
    network = replace(setting.network, observed_layers="all")
    run = evolve(
        network, tasks.two_points("released"), setting.times(301), seed=settings.seed,
        seeds=settings.seeds,
        method=Train(setting.rate, precision="single"), observe=("distances", "outputs"),
    )  # fmt: skip
    fits = [
        [
            representation.fit(representation.Pair.from_trajectory(run, layer=layer, seed=seed))
            for layer in network.layers
        ]
        for seed in run.seeds or ()
    ]
    return Curves(
        settings,
        np.array([[f.error for f in row] for row in fits]),
        np.array([[f.rates.h for f in row] for row in fits]),
        np.array([[f.rates.y for f in row] for row in fits]),
        np.array([[f.pair.h[0] for f in row] for row in fits]),
    )


def _gain(curves: Curves) -> float:
    """Factor by which distances shrink per layer at the start, (mean over trials)."""
    return float(np.exp(np.polyfit(np.arange(curves.start.shape[1]), np.log(curves.start).mean(axis=0), 1)[0]))


def values(curves: Curves) -> dict[str, Any]:
    """Medians over trials, by layer."""
    return {
        "fit_error_by_layer": np.median(curves.errors, axis=0),
        "rates_by_layer": {"h": np.median(curves.rates_h, axis=0), "y": np.median(curves.rates_y, axis=0)},
        "trend_h": float(np.median(curves.trend(curves.rates_h))),
        "trend_y": float(np.median(curves.trend(curves.rates_y))),
        "start_distance_by_layer": np.median(curves.start, axis=0),
        "shrink_per_layer": _gain(curves),
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "later layers",
        "The theory of two points is more accurate in the later half of a deep network than in the first "
        "half (ratio of median errors, median over trials).",
        lambda curves: _pairs.median(
            np.median(curves.errors[:, curves.half :], axis=1) / np.median(curves.errors[:, : curves.half], axis=1)
        ),
        1.0,
        source="vanrossem2024 section 5.1",
        reason="equal errors",
    ),
    Claim(
        "encoder",
        "In the later half of a deep network the fitted rate of the encoder grows with the layer (rank "
        "correlation, median over trials).",
        lambda curves: _pairs.median(curves.trend(curves.rates_h)),
        0.8,
        ">=",
        source="vanrossem2024 section 5.2",
        reason="0.8, a conventional threshold for a strong trend",
    ),
    Claim(
        "decoder",
        "In the later half of a deep network the fitted rate of the decoder falls with the layer (rank "
        "correlation, median over trials).",
        lambda curves: _pairs.median(curves.trend(curves.rates_y)),
        -0.8,
        source="vanrossem2024 section 5.2",
        reason="−0.8, a conventional threshold for a strong trend",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Error, rates and starting distance by layer, with the middle half of trials."""
    from festina.plot import COLOURS

    layers = np.arange(1, curves.errors.shape[1] + 1)
    rows = (
        (axes[0], curves.errors, COLOURS[1], "fit error"),
        (axes[1], curves.rates_h, COLOURS[0], r"encoder $1/\tau_h$"),
        (axes[1], curves.rates_y, COLOURS[2], r"decoder $1/\tau_y$"),
        (axes[2], curves.start, COLOURS[3], r"$\|dh(0)\|^2$"),
    )
    for ax, data, colour, label in rows:
        low, middle, high = np.quantile(data, [0.25, 0.5, 0.75], axis=0)
        ax.semilogy(layers, middle, color=colour, marker="o", markersize=3, label=label)
        ax.fill_between(layers, low, high, color=colour, alpha=0.2, linewidth=0)
        ax.set(xlabel="hidden layer", xticks=layers[:: max(1, len(layers) // 5)])
    axes[0].set(title="How well the theory fits", ylabel="relative error")
    axes[1].set(title="Effective learning rates", ylabel="rate (1/epoch)")
    axes[2].set(title="Distance at the start", ylabel="squared distance")
    axes[1].legend()
