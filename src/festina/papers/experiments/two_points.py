"""Do different architectures learn two points by the same dynamics?

Largely yes. With two fitted rates the effective theory follows representational distance, output distance and alignment
of eleven architectures, and with a third the loss. That is so for the points of the released code (inputs −1 and 0,
targets 0.6 and 1.307). For those that the text names (−1 and −0.5, 0.6 and 1.6) the default network waits longer and
then parts more suddenly than any rates of the theory allow, and the fit is several times worse.

Errors are over the trials that learned: the convolution leaves its plateau within the published epochs in about half of
them only, all others do in all. That the text's points are compared as a ratio to the released ones was decided after
first numbers. At the published width of 500, 6000 epochs and 25 trials the worst error of the three curves is 0.08,
that of the loss 0.20 ± 0.03, and the ratio for the points of the text 15.

Source: vanrossem2024 Fig. 2, Fig. 11, Table 1, App. B.1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import tasks
from festina.papers import Claim, setting
from festina.papers._published import published
from festina.papers._seeds import resampled
from festina.papers.experiments import _pairs
from festina.runtime import track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = (
    "default", "convolution", "skip connections", "shallow", "narrow", "dropout", "linear", "relu", "elu", "tanh",
    "swish",
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    names: tuple[str, ...] = setting(NAMES, "architectures of Table 1")
    width: int = setting(200, "units per layer; the paper has 500", least=1)
    epochs: int = setting(3000, "epochs; the rates are those that go through the paper's flow time in so many", least=1)
    seeds: int = setting(4, "networks per architecture", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    text_seeds: int = setting(8, "networks on the points of the text, of which not all learn", least=1)
    predicted: int = setting(2, "networks per architecture that are also predicted without a fit", least=1)


quick = Settings(names=("default", "shallow", "tanh"), width=60, epochs=2000, seeds=3, text_seeds=4, predicted=1)
layout = (4, 6)
main = (0, 1, 6, 9, 11, 12)
caption = (
    "Two fitted rates make one theory follow the representations of two points in eleven architectures. "
    "(a–d) Squared distances of hidden representations and of outputs, and their product, for the typical "
    "trial of four architectures (thick, pale) with the theory (thin, dark) and the error of the fit. (e) The "
    "points that the text of the paper names, which are not those of its code. (f) Loss of the default architecture."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Trials by architecture, those of the default one on the points of the text, and errors without a fit."""

    settings: Settings
    trials: dict[str, _pairs.Trials]
    text: _pairs.Trials
    unfitted: dict[str, np.ndarray]

    @property
    def same(self) -> _pairs.Trials:
        """The default architecture on the released points, or the first one that was asked for."""
        return self.trials.get("default") or next(iter(self.trials.values()))


def compute(settings: Settings) -> Curves:
    """Train every architecture, fit every trial, and predict some without a fit."""
    trials, unfitted, task = {}, {}, tasks.two_points("released")
    for name in track(list(settings.names), "architectures"):
        setting = published(name).resized(settings.width, settings.epochs)
        trials[name] = _pairs.run(setting, task, settings.seeds, settings.seed)
        unfitted[name] = _pairs.unfitted_errors(setting, task, trials[name], settings.predicted)
    setting = published("default").resized(settings.width, settings.epochs)
    text = _pairs.run(setting, tasks.two_points("text"), settings.text_seeds, settings.seed)
    return Curves(settings, trials, text, unfitted)


def _worst(curves: Curves, kind: str) -> tuple[float, float]:
    return max(_pairs.median(getattr(trials, kind)) for trials in curves.trials.values())


def _close(curves: Curves) -> float:
    """Architectures whose error without a fit is at most twice that of the fit."""
    return float(sum(np.median(e) <= 2 * np.median(curves.trials[n].errors) for n, e in curves.unfitted.items()))


def values(curves: Curves) -> dict[str, Any]:
    """Errors and rates by architecture: medians over trials."""
    return {
        "fit_error": {name: float(np.median(t.errors)) for name, t in curves.trials.items()},
        "fit_error_by_trial": {name: t.errors for name, t in curves.trials.items()},
        "unfitted_error": {name: float(np.median(e)) for name, e in curves.unfitted.items()},
        "rates": {name: t.rates() for name, t in curves.trials.items()},
        "loss_error": {name: float(np.median(t.loss_errors)) for name, t in curves.trials.items()},
        "learned": {name: float(t.learned.mean()) for name, t in curves.trials.items()},
        "final_distance": {name: float(t.typical.pair.h[-1]) for name, t in curves.trials.items()},
        "final_distance_predicted": {name: t.typical.theory.final_distance for name, t in curves.trials.items()},
        "text_fit_error": float(np.median(curves.text.errors)),
        "text_fit_error_by_trial": curves.text.errors,
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "three curves",
        "With two fitted rates the effective theory follows the squared distances of two data points in the hidden "
        "layer and at the output, and their product, in every architecture (relative error, median over trials "
        "that learned, worst architecture).",
        lambda curves: _worst(curves, "errors"),
        0.15,
        source="vanrossem2024 Fig. 2",
        reason="15 %, a conventional tolerance for a fit of two parameters; trials that never left the plateau are "
        "left out",
    ),
    Claim(
        "loss",
        "With a third fitted rate the theory follows the loss of every architecture (relative error, median "
        "over trials that learned, worst architecture).",
        lambda curves: _worst(curves, "loss_errors"),
        0.25,
        source="vanrossem2024 Fig. 11, eq. (9)",
        reason="25 %, a conventional tolerance; trials that never left the plateau are left out",
    ),
    Claim(
        "points of the text",
        "The theory follows the points that the text of the paper names as well as those of its released "
        "code (binary logarithm of the ratio of geometric mean errors of the default architecture, over networks that "
        "learned).",
        lambda curves: resampled(_pairs.log_ratio, curves.text.errors, curves.same.errors),
        1.0,
        source="vanrossem2024 App. B.1",
        reason="1: a factor of two; errors differ by factors between networks, so that logarithms are compared",
        expected="fails",
    ),
    Claim(
        "rates without a fit",
        "With rates from the tangent kernels of the untrained network the effective theory follows the squared "
        "distances of two data points in the hidden layer and at the output, and their product, with at most twice the "
        "error of fitted rates (number of architectures, of eleven).",
        _close,
        8,
        ">=",
        kind="extension",
        source="vanrossem2024 Fig. 2; rates without a fit are ours",
        reason="eight of eleven architectures",
        expected="fails",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Two panels per architecture: the three curves, and the loss."""
    from festina.plot import look, two_points

    shown = [*((name, t) for name, t in curves.trials.items()), ("default, text's points", curves.text)]
    half = len(axes) // 2
    places = [*range(len(curves.trials)), half - 1]
    for k, (name, trials) in zip(places, shown, strict=True):
        found = trials.typical
        ax = two_points(found, axes[k])
        ax.set_title(f"{name[0].upper()}{name[1:]}: error {found.error:.0%}")
        below: Axes = axes[half + k]
        below.plot(found.pair.times, found.pair.loss, label="trained", **look("trained"))
        below.plot(found.pair.times, found.theory.loss(found.pair.times), label="predicted", **look("predicted"))
        below.set(xlabel=found.pair.unit, ylabel="loss", title=f"{name[0].upper()}{name[1:]}: loss")
    axes[0].set_ylim(top=1.6 * axes[0].get_ylim()[1])
    axes[0].legend(loc="upper right", ncols=2, columnspacing=1.0)
    axes[half].legend(loc="upper right")
