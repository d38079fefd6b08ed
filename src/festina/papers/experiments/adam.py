"""Does the theory survive Adam?

Not its time course, which was derived for gradient descent: two points trained by Adam are followed much worse. Of its
final structure a good part does: XOR's pairs merge from small weights, irrelevant features collapse, and digits of a
class come together.

Source: vanrossem2024 Fig. 13, Fig. 14, Fig. 15, Fig. 16, App. C.3
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from festina import FeedForward, representation
from festina.papers._claim import Claim
from festina.papers.experiments import _pairs, blobs, digits, xor_structure


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    # units per layer of the deep networks; the paper has 500
    width: int = 200
    # hidden layers of the deep networks
    hidden: int = 20
    # Adam's step on two points
    rate: float = 1e-5
    # epochs on two points
    epochs: int = 3000
    # gains on XOR: low, high
    xor_gains: tuple[float, float] = (0.85, 2.0)
    # Adam's step on XOR
    xor_rate: float = 1e-4
    # epochs on XOR
    xor_epochs: int = 2000
    # positions per axis of the blobs
    grid: int = 15
    # gains on blobs: low, high
    blob_gains: tuple[float, float] = (0.5, 2.0)
    # epochs on blobs
    blob_epochs: int = 1500
    # digits to train on
    items: int = 1000
    # epochs on digits
    digit_epochs: int = 150
    # Adam's step on blobs
    blob_rate: float = 1e-3
    # Adam's step on digits
    digit_rate: float = 1e-4
    # networks of each kind
    seeds: int = 4


quick = Settings(
    width=60, hidden=10, rate=2e-5, xor_rate=3e-4, xor_epochs=1000, grid=8, blob_epochs=2000, items=400,
    digit_epochs=200, seeds=3,
)  # fmt: skip
layout = (2, 4)


@dataclass(frozen=True, eq=False)
class Curves:
    """Two points by Adam and by descent, XOR, blobs and digits by Adam."""

    settings: Settings
    adam: _pairs.Trials
    descent: _pairs.Trials
    xor: dict[str, xor_structure.Kind]
    blobs: dict[str, blobs.Kind]
    digits: digits.Curves


def compute(settings: Settings) -> Curves:
    """Train everything."""
    setting = representation.published("default").resized(settings.width, 3000)
    setting = replace(setting, network=replace(setting.network, hidden=(settings.width,) * settings.hidden))
    points = representation.two_points("released")
    descent = _pairs.run(setting, points, settings.seeds)
    by_adam = replace(setting, epochs=settings.epochs)
    adam = _pairs.run(by_adam, points, settings.seeds, optimiser="adam", rate=settings.rate)
    ratio = descent.rates()["h"] / descent.rates()["y"]
    xor, collapse = {}, {}
    for name, gain, blob_gain in zip(("low", "high"), settings.xor_gains, settings.blob_gains, strict=True):
        deep = FeedForward((settings.width,) * settings.hidden, gain=gain)
        xor[name] = xor_structure.train(deep, settings.xor_epochs, settings.xor_rate, settings.seeds, ratio, "adam")
        tanh = FeedForward((min(settings.width, 100),) * 4, "tanh", blob_gain)
        collapse[name] = blobs.train(
            tanh, blobs.task(settings.grid), settings.blob_epochs, settings.blob_rate, settings.seeds, 32, "adam"
        )
    plan = digits.Settings(
        items=settings.items, epochs=settings.digit_epochs, rate=settings.digit_rate, seeds=settings.seeds,
        optimiser="adam", width=min(settings.width, 100),
    )  # fmt: skip
    return Curves(settings, adam, descent, xor, collapse, digits.compute(plan))


def values(curves: Curves) -> dict[str, Any]:
    """Medians over trials."""
    return {
        "fit_error": float(np.median(curves.adam.errors)),
        "fit_error_by_trial": curves.adam.errors,
        "fit_error_descent": float(np.median(curves.descent.errors)),
        "learned": float(curves.adam.learned.mean()),
        "correlation": _pairs.correlation(curves.digits.weighed, curves.digits.trained),
        "digits_within_over_between": digits.values(curves.digits)["within_over_between"],
        "same_target_distance": {n: float(np.median(k.pairs.mean(axis=1))) for n, k in curves.xor.items()},
        "collapse_ratio": {n: float(np.median(k.collapse)) for n, k in curves.blobs.items()},
    }


claims = (
    Claim(
        "time course",
        "with Adam the theory does not fit well: its error is at least twice that with gradient descent (medians)",
        lambda curves: float(np.median(curves.adam.errors) / np.median(curves.descent.errors)),
        2.0,
        ">=",
        source="vanrossem2024 Fig. 13",
    ),
    Claim(
        "xor",
        "XOR's pairs with equal targets merge from small weights (distance over that of other pairs, median)",
        lambda curves: _pairs.median(curves.xor["low"].pairs.mean(axis=1)),
        0.2,
        source="vanrossem2024 Fig. 14",
    ),
    Claim(
        "xor, lazy",
        "and not from large ones (the same)",
        lambda curves: _pairs.median(curves.xor["high"].pairs.mean(axis=1)),
        1.0,
        ">=",
        source="vanrossem2024 Fig. 14",
    ),
    Claim(
        "blobs",
        "irrelevant features collapse from small weights (spread ratio over that from large weights, medians)",
        lambda curves: float(np.median(curves.blobs["low"].collapse) / np.median(curves.blobs["high"].collapse)),
        0.5,
        source="vanrossem2024 Fig. 15",
    ),
    Claim(
        "digits",
        "distances of digits resemble the theory's after weighing (correlation)",
        lambda curves: _pairs.correlation(curves.digits.weighed, curves.digits.trained),
        0.5,
        ">=",
        source="vanrossem2024 Fig. 16",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Two points by both optimisers, XOR, blobs and digits."""
    from festina.plot import COLOURS, distances, two_points

    for ax, name, trials in ((axes[0], "Descent", curves.descent), (axes[1], "Adam", curves.adam)):
        two_points(trials.typical, ax).set_title(f"{name}: two points ({trials.typical.error:.2f})")
    axes[0].legend(loc=(0.55, 0.42))
    labels = ["00", "10", "01", "11"]
    for ax, (name, kind) in zip(axes[2:4], curves.xor.items(), strict=True):
        distances(np.median(kind.distances, axis=0), ax, groups=np.arange(4)).set_title(f"XOR, {name} weights")
        ax.set_xticks(range(4), labels)
        ax.set_yticks(range(4), labels)
    axes[4].bar([*curves.blobs], [float(np.median(k.collapse)) for k in curves.blobs.values()], color=COLOURS[0])
    axes[4].set(title="Blobs: collapse", ylabel="irrelevant / relevant spread", xlabel="initial weights")
    for ax, matrix, title in (
        (axes[5], curves.digits.trained, "Digits, trained"),
        (axes[6], curves.digits.weighed, "Theory"),
    ):
        distances(matrix, ax, groups=curves.digits.labels).set(title=title, xlabel="digit", ylabel="digit")
    above = np.triu_indices(len(curves.digits.trained), 1)
    axes[7].plot(curves.digits.weighed[above], curves.digits.trained[above], ".", markersize=2, color=COLOURS[0])
    axes[7].set(title="Digits", xlabel="predicted distance", ylabel="distance")
