"""What does the size of the initial weights do to the way two points are learned?

Small weights give a plateau and then a sudden parting, which the theory follows. From high weights the loss decays
without a plateau; the error of the output difference alone still waits longer than an exponential would. From very high
weights the points start too far apart for a linear map between them, and the theory breaks down. Weights so large that
the outputs start ten times as far apart as the targets do not make a network of 20 layers lazy, and one exponential
could not be seen if they did. Their first output has to be unlearned, and it grows with the weights: the loss is as far
from that of a fixed tangent kernel when outputs start 1000 times as far apart as when they start 100 times (areas of
0.1 to 1.1 in four networks of 100 units). Along the direction that the last bias alone learns the tangent kernel is 1,
along the other 10⁴ to 10⁵, and where more than 1 % of the first error lies along the former, the loss would stay above
1 % for long.

How a plateau is measured was changed after first numbers; the first form of the claim on high weights, which failed,
stays as "immediate".

Source: vanrossem2024 Fig. 3, section 3.2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, SupportsFloat

import numpy as np

from festina import Train, Trajectory, evolve, tasks
from festina.papers import Claim, setting
from festina.papers._published import published
from festina.papers._seeds import resampled
from festina.papers.experiments import _pairs
from festina.runtime import track

EXPONENTIAL = np.log(100) / np.log(2)
"""Time to 1 % over time to 50 % of an exponential."""

NAMES = ("low", "intermediate", "high", "very high")


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    width: int = setting(500, "units per layer, as in the paper", least=1)
    epochs: int = setting(6000, "epochs; the rates are those that go through the paper's flow time in so many", least=1)
    seeds: int = setting(100, "networks per gain", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    lazy_width: int = setting(500, "units per layer of the networks of largest weights", least=1)
    lazy_seeds: int = setting(100, "networks of largest weights", least=1)
    lazy_epochs: int = setting(6000, "epochs of the networks of largest weights", least=1)
    lazy: float = setting(
        10.0, "distance of the outputs over that of the targets at the start of lazy networks", above=0
    )


quick = Settings(width=50, epochs=1500, seeds=24, lazy_width=80, lazy_seeds=80, lazy_epochs=500)
layout = (2, 4)
main = (0, 2, 3, 4, 6, 7)
caption = (
    "Small initial weights give a plateau that ends suddenly; with larger ones the plateau shortens until "
    "the theory of two points fails. (a–c) Squared distances of two points from small, large and very large "
    "initial weights (thick, pale) with the theory (thin, dark) and the error of the fit. (d–f) Loss of the same "
    "trials."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Trials by gain."""

    settings: Settings
    trials: dict[str, _pairs.Trials]
    equal: _pairs.Trials
    lazy: Trajectory

    def final(self, name: str) -> np.ndarray:
        """Final distance, per trial."""
        return np.array([f.pair.h[-1] for f in self.trials[name].shown])

    def decay(self, name: str) -> np.ndarray:
        """Time at which the loss is down to 1 % over that at which it is down to 50 %, per trial."""
        loss = self.lazy.loss if name == "lazy" else self.trials[name].run.loss
        late, early = (np.argmax(loss <= part * loss[:, :1], axis=1) for part in (0.01, 0.5))
        return np.where(late > 0, late, loss.shape[1]) / np.maximum(early, 1)

    def plateau(self, name: str) -> np.ndarray:
        """When a tenth of the error of the output difference is gone, over when nine tenths are, per trial.

        0.05 for an exponential, near 1 for a plateau with a sudden end. The squared error is 2w − y + dy.
        """
        shares = []
        for found in self.trials[name].fits:
            error = 2 * found.pair.w - found.pair.y + found.pair.dy
            most, tenth = (int(np.argmax(error <= part * error[0])) for part in (0.9, 0.1))
            shares.append(most / max(tenth, 1))
        return np.array(shares)


def spread(final: np.ndarray) -> float:
    """Standard deviation over trials, over the mean; NaN for one trial."""
    return float(final.std(ddof=1) / final.mean()) if len(final) > 1 else np.nan


def _ratio(measure: Callable[[np.ndarray], SupportsFloat], *trials: np.ndarray) -> tuple[float, float]:
    """A number of a group of trials, over that of a second, and its standard error: of the logarithm of the ratio."""

    def log(*drawn: np.ndarray) -> float:
        found = [float(measure(one)) for one in drawn]
        # of networks that were drawn twice the spread can be zero; such a draw is left out
        return math.log(found[0]) - sum(map(math.log, found[1:])) if min(found) > 0 else math.nan

    value, error = resampled(log, *trials)
    return float(np.exp(value)), float(np.exp(value) * error)


def compute(settings: Settings) -> Curves:
    """Train from every gain and fit every trial."""
    trials = {}
    for name in track(list(NAMES), "gains"):
        setting = published(name).resized(settings.width, settings.epochs)
        trials[name] = _pairs.run(setting, tasks.two_points("released"), settings.seeds, settings.seed)
    setting = published("default").resized(settings.width, settings.epochs)
    equal = _pairs.run(setting, tasks.two_points(1.0, 0.0), settings.seeds, settings.seed)
    return Curves(settings, trials, equal, _lazy(settings, trials["high"]))


def _lazy(settings: Settings, high: _pairs.Trials) -> Trajectory:
    """Networks whose first outputs are far apart: their gain and rate follow from those of the high gain.

    Squared distances of outputs grow as gain^(2 (hidden + 1)), tangent kernels as gain^(2 hidden).
    """
    setting, task = published("high").resized(settings.lazy_width, settings.lazy_epochs), tasks.two_points("released")
    layers = len(setting.network.hidden)
    first = float(np.median([f.pair.y[0] / f.pair.dy for f in high.fits]))
    factor = (settings.lazy**2 / first) ** (1 / (2 * (layers + 1)))
    rate = setting.rate / factor ** (2 * layers)
    network = replace(setting.network, gain=setting.network.gain * factor)
    return evolve(
        network, task, setting.times(601) * (rate / setting.rate),
        method=Train(rate, precision="single"), seed=settings.seed, seeds=settings.lazy_seeds,
    )  # fmt: skip


def values(curves: Curves) -> dict[str, Any]:
    """Errors, plateaus and starting distances by gain."""
    trials = curves.trials
    return {
        "fit_error": {name: float(np.median(t.errors)) for name, t in trials.items()},
        "fit_error_by_trial": {name: t.errors for name, t in trials.items()},
        "loss_error": {name: float(np.median(t.loss_errors)) for name, t in trials.items()},
        "plateau": {name: float(np.median(curves.plateau(name))) for name in trials},
        "decay": {name: float(np.median(curves.decay(name))) for name in trials},
        "start_distance": {name: float(np.median([f.pair.h[0] for f in t.fits])) for name, t in trials.items()},
        "gain": {name: t.run.network.gain for name, t in trials.items()},
        "rates": {name: t.rates() for name, t in trials.items()},
        "equal_targets_error": float(np.median(curves.equal.errors)),
        "final_distance_spread": {name: spread(curves.final(name)) for name in trials},
        "lazy": {"gain": curves.lazy.network.gain, "decay": curves.decay("lazy")},
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "plateau",
        "From small weights most of the learning time of two points is a plateau (time to lose a tenth of "
        "the error over time to lose nine tenths, median over trials).",
        lambda curves: _pairs.median(curves.plateau("low")),
        0.5,
        ">=",
        source="vanrossem2024 section 3.2",
        reason="one half: most; how a plateau is measured was changed after first numbers",
    ),
    Claim(
        "shorter",
        "The plateau of two points is shorter from larger weights (its share of the learning time at high "
        "gain over that at low gain, medians).",
        lambda curves: _ratio(np.median, curves.plateau("high"), curves.plateau("low")),
        0.5,
        source="vanrossem2024 Fig. 3",
        reason="a factor of two; how a plateau is measured was changed after first numbers",
    ),
    Claim(
        "exponential",
        "From high weights the loss on two points decays exponentially (time to 1 % over time to 50 %, "
        "median over trials).",
        lambda curves: _pairs.median(curves.decay("high")),
        2 * EXPONENTIAL,
        source="vanrossem2024 App. A.5",
        reason="twice the ratio of an exponential",
    ),
    Claim(
        "immediate",
        "From high weights the error of the output difference of two points decays exponentially (time to "
        "lose a tenth over time to lose nine tenths, median over trials).",
        lambda curves: _pairs.median(curves.plateau("high")),
        2 * np.log(0.9) / np.log(0.1),
        source="vanrossem2024 section 3.2, App. A.5",
        reason="twice the ratio of an exponential",
        expected="fails",
    ),
    Claim(
        "lazy",
        "From weights so large that outputs start ten times as far apart as the targets, the loss on two points decays "
        "exponentially (time to 1 % over time to 50 %, median over trials).",
        lambda curves: _ratio(np.median, curves.decay("lazy")),
        2 * EXPONENTIAL,
        source="vanrossem2024 App. A.5",
        reason="twice the ratio of an exponential",
        expected="fails",
    ),
    Claim(
        "equal targets",
        "Two points with equal targets come together as the theory says (relative error with two fitted rates, median "
        "over trials).",
        lambda curves: _pairs.median(curves.equal.errors),
        0.15,
        source="vanrossem2024 App. A.4",
        reason="15 %, as in the experiment two_points",
    ),
    Claim(
        "less random",
        "The final distance of two points varies less between networks from low weights than from high ones (ratio of "
        "the coefficients of variation).",
        lambda curves: _ratio(spread, curves.final("low"), curves.final("high")),
        0.5,
        source="vanrossem2024 App. A.6",
        reason="a factor of two",
    ),
    Claim(
        "theory",
        "The effective theory with two fitted rates follows two data points from low and intermediate initial "
        "weights (relative error, median over trials, worse of the two).",
        lambda curves: max(_pairs.median(curves.trials[name].errors) for name in ("low", "intermediate")),
        0.15,
        source="vanrossem2024 Fig. 3",
        reason="15 %, as in the experiment two_points",
    ),
    Claim(
        "breakdown",
        "From very high initial weights the effective theory of two data points breaks down (relative error over "
        "that at intermediate weights, medians).",
        lambda curves: _ratio(np.median, curves.trials["very high"].errors, curves.trials["intermediate"].errors),
        3.0,
        ">=",
        source="vanrossem2024 Fig. 3",
        reason="a factor of three",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """The three curves above, the loss below, for the typical trial of each gain."""
    from festina.plot import look, two_points

    for k, (name, trials) in enumerate(curves.trials.items()):
        found = trials.typical
        ax = two_points(found, axes[k])
        ax.set_title(f"{name.capitalize()} weights: error {found.error:.0%}")
        below = axes[len(NAMES) + k]
        below.plot(found.pair.times, found.pair.loss, label="trained", **look("trained"))
        below.plot(found.pair.times, found.theory.loss(found.pair.times), label="predicted", **look("predicted"))
        below.set(
            xlabel="flow time", ylabel="loss", title=f"{name.capitalize()} weights, gain {trials.run.network.gain:g}"
        )
    axes[0].set_ylim(top=1.6 * axes[0].get_ylim()[1])
    axes[0].legend(loc="upper right", ncols=2, columnspacing=1.0)
    axes[len(NAMES)].legend(loc="upper right")
