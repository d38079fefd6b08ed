"""At which layer of a deep network does the effective theory hold?

In the later half. There the fit is good. Every later layer has a faster encoder and a slower decoder, as the numbers of
weights before and after it suggest.

Source: vanrossem2024 Fig. 10, section 5
"""

from dataclasses import replace
from typing import Any

import numpy as np
import scipy

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS


class Settings(papers.Settings):
    width: int = setting(500, "units per layer", least=1, published=500)
    epochs: int = setting(6000, "epochs; the rate follows from the flow time", least=1)
    lasting: float = setting(2.0, "flow time, in multiples of the paper's", above=0, published=1.0)
    seeds: int = setting(25, "networks", least=1)


quick = Settings(width=60, epochs=1500, seeds=4)
caption = (
    "The theory of two points holds in the later half of a deep network, where the encoder gets faster and the decoder "
    "slower with every layer. (a) Error of the fit by layer (median and middle half of trials). (b) Fitted rates of "
    "encoder and decoder by layer. (c) Distance between the two representations at the start."
)


def compute(settings: Settings) -> papers.Results:
    """Train the default architecture and fit the theory at every layer: (trials, layers)."""
    plan = papers.published("default", settings.width, settings.epochs, settings.lasting)
    network, task = replace(plan.network, observed_layers="all"), fs.tasks.two_points("released")
    given: Any = {"method": fs.Train(plan.rate, precision="single"), "observe": ("distances", "outputs")}
    run = fs.evolve(network, task, plan.times(301), **given, **papers.seeds(settings))

    def fit(seed: int, layer: int) -> tuple[float, float, float, float]:
        pair = fs.representation.Pair.from_trajectory(run, layer=layer, seed=seed)
        found = fs.representation.fit(pair)
        return found.error, found.rates.h, found.rates.y, pair.h[0]

    found = np.array([[fit(seed, layer) for layer in network.layers] for seed in run.seeds or ()])
    names = ("errors", "encoder", "decoder", "start")
    return papers.Results(settings, **{name: found[:, :, k] for k, name in enumerate(names)})


def _band(ax, data, colour, label=None):
    """Median and middle half of trials, by layer."""
    layers = np.arange(1, data.shape[1] + 1)
    low, middle, high = np.quantile(data, [0.25, 0.5, 0.75], axis=0)
    ax.semilogy(layers, middle, color=colour, marker="o", markersize=3, label=label)
    ax.fill_between(layers, low, high, color=colour, alpha=0.2, linewidth=0)
    ax.set_xticks(layers[:: max(1, len(layers) // 5)])


@papers.panel("How well the theory fits", "hidden layer", "relative error")
def _error(c, ax):
    _band(ax, c.errors, COLOURS[1])


@papers.panel("Effective learning rates", "hidden layer", "rate (1/epoch)")
def _rates(c, ax):
    _band(ax, c.encoder, COLOURS[0], r"encoder $1/\tau_h$")
    _band(ax, c.decoder, COLOURS[2], r"decoder $1/\tau_y$")


@papers.panel("Distance at the start", "hidden layer", "squared distance")
def _start(c, ax):
    _band(ax, c.start, COLOURS[3])


def _later(rates):
    """Rank correlation of a rate with the layer over the later half, per trial."""
    half = rates[:, rates.shape[1] // 2 :]
    return [scipy.stats.spearmanr(np.arange(half.shape[1]), row).statistic for row in half]


@papers.claim("vanrossem2024 section 5.1", at_most=1.0, because="equal errors")
def _later_layers(c):
    """The theory of two points is more accurate in the later half of a deep network than in the first half (ratio of
    median errors, median over trials)."""
    half = c.errors.shape[1] // 2
    return papers.median(np.median(c.errors[:, half:], axis=1) / np.median(c.errors[:, :half], axis=1))


@papers.claim("vanrossem2024 section 5.2", at_least=0.8, because="0.8, a conventional threshold for a strong trend")
def _encoder(c):
    """In the later half of a deep network the fitted rate of the encoder grows with the layer (rank correlation, median
    over trials)."""
    return papers.median(_later(c.encoder))


@papers.claim("vanrossem2024 section 5.2", at_most=-0.8, because="−0.8, a conventional threshold for a strong trend")
def _decoder(c):
    """In the later half of a deep network the fitted rate of the decoder falls with the layer (rank correlation, median
    over trials)."""
    return papers.median(_later(c.decoder))
