"""Can networks of two hidden layers be predicted?

Yes, from their own initial weights. ReLU networks of two hidden layers first learn the mean that all contexts share,
with every unit on at every data point; only then do they gate, in both layers and by items as well as contexts. When
they begin differs from network to network. Following all units of a seed's own weights (``fs.Reduced()``) predicts each
network's plateaus and the onset of gating; nothing is read from trained networks. The onset also follows from the
plateau alone: what is small there grows as a linear network of three layers and diverges after a finite time.

A gated network with an open first layer and contextual pathways goes through the same plateaus with the same outputs,
but its constants do not follow from theory. The released code has seven modules of 60 units in each layer; four of the
second layer are the common pathway, the other three are open in two contexts each. It begins to train at epoch 500,
opens the contextual modules at epoch 12000 with output weights 7.3 times as large, and lets the common pathway learn as
if it were alone. This network and one without these constants are both shown: the latter opens at the predicted onset,
has output weights like all others, and all its pathways descend one loss.

Source: jarvis2025 section 6, Fig. 6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import festina as fs
from festina.checks.shapes import Weights
from festina.core import Start
from festina.papers import Claim, setting
from festina.papers._seeds import resampled
from festina.papers.experiments._deep import (
    CONTEXTS,
    FACTS,
    SIZES,
    Shared,
    Watched,
    in_subsets,
    joined,
    linearised,
    medoid,
    named,
    one,
    spread,
    spread_factor,
    spread_ratio,
)
from festina.papers.experiments._deep_draw import draw_panels
from festina.papers.experiments._deep_onset import (
    onsets,
    opening,
    plateaus,
    predict,
    same_level,
)
from festina.runtime import track

PATHS = [(0, 1, 2), (0, 1), (0, 2), (1, 2)]
MODULES, COMMON = 7, 4
"""Modules of each layer of the released gated network, and those of the second layer that are the common pathway."""

RELEASED = (5.75 / 6, 5.5 / 6, 5.5 / 6)
"""Standard deviation of each layer's initial weights in the released gated network, relative to the ReLU networks'."""

TYPICAL = 0.95
"""Share of the ReLU networks' own distances from their medoid that another's must be below, to be one of them."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    seeds: int = setting(20, "ReLU networks, and as many gated ones; the paper has 100", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    others: int = setting(20, "ReLU networks of one hidden layer", least=1)
    predicted: int = setting(5, "ReLU networks that are predicted, each from its own initial weights", least=1)
    accuracy: float = setting(0.01, "relative error of a step of the prediction", above=0, most=0.1)
    onset: int = setting(12000, "epoch at which the released code opens contextual pathways", least=1)
    begin: int = setting(500, "epoch at which the released code begins to train", least=0)
    boost: float = setting(8 / 1.1, "factor of the released code on their initial output weights", above=0)
    wide: int = setting(700, "units of the ReLU networks of one hidden layer", least=1)
    scale: float = setting(
        0.005, "standard deviation of their initial weights, times the number of their units", above=0
    )
    hidden: int = setting(420, "hidden units in each layer", least=1)
    std: float = setting(0.0006, "standard deviation of an initial weight", above=0)
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes 24 times as much", above=0)
    steps: int = setting(30000, "steps of training", least=1)
    points: int = setting(301, "observations", least=1)
    alone: float = setting(
        0.95,
        "share of the second layer's power below which units on in all contexts are not alone any more",
        above=0,
        most=1,
    )
    block: int = setting(20, "networks trained at a time", least=1)


# epochs are in proportion to 1/(σ √H · step), as plateaus are
quick = Settings(
    seeds=9, others=9, predicted=3, onset=2050, begin=100, hidden=140, std=0.00153, step=0.004, steps=5100, points=103,
)  # fmt: skip
layout = (2, 3)
caption = (
    "Networks of two hidden layers are predicted from their own initial weights. (a) Loss of ReLU networks (band: "
    "middle 90 %; thick: medoid), of the medoid of the predictions (thin), and of gated networks with released "
    "constants (dashed) and with the predicted onset (dotted). (b) Single networks, trained (thick) and predicted "
    "(thin). (c) Standard deviation of the loss between runs. (d) Share of second-layer units by contexts they are on "
    "in, trained (thick) and predicted (thin). (e, f) Gates of both layers of the typical ReLU network at the end."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Loss of every network over time; what the typical ones compute and how they gate.

    ``linear`` is the last loss of every ReLU network as it is, with a first layer that is not rectified, and with a
    second that is not, (networks, 3).
    """

    settings: Settings
    relu: fs.Trajectory
    predicted: fs.Trajectory
    released: fs.Trajectory
    gated: fs.Trajectory
    shallow: fs.Trajectory
    opened: float
    outputs: dict[str, np.ndarray]
    gates: tuple[np.ndarray, ...]
    linear: np.ndarray
    evaluations: float
    escapes: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """Area between each predicted network and its own training."""
        return np.array(
            [fs.compare(one(self.predicted, k), one(self.relu, k)).area for k in range(len(self.predicted.loss))]
        )

    def onsets(self, of: fs.Trajectory) -> np.ndarray:
        """Epoch at which each run begins to gate."""
        return of.times[onsets(of["modules"][:, :, -1], self.settings.alone)] / _rate(self.settings)

    def medoid(self, of: fs.Trajectory) -> int:
        """Position of the run with the smallest sum of distances to all others."""
        return medoid(of.loss)

    def area(self, of: fs.Trajectory) -> float:
        """Area between the medoids of some networks and of the ReLU networks."""
        return fs.compare(one(of, self.medoid(of)), one(self.relu, self.medoid(self.relu))).area

    def typical(self) -> float:
        """Area from the ReLU networks' medoid below which most of them are."""
        areas = fs.compare(self.relu, one(self.relu, self.medoid(self.relu))).areas
        return float(np.quantile(areas, TYPICAL))

    def near(self, of: fs.Trajectory) -> tuple[float, float]:
        """Area between the medoids, and the error over networks of its distance from ``typical``, which varies, too."""
        apart = np.array([fs.compare(of, one(self.relu, k)).areas for k in range(len(self.relu.loss))]).T
        noise = np.array([fs.compare(self.relu, one(self.relu, k)).areas for k in range(len(self.relu.loss))]).T

        def margin(some: np.ndarray, relu: np.ndarray) -> float:
            first, second = some[medoid(of.loss[some])], relu[medoid(self.relu.loss[relu])]
            return apart[first, second] - np.quantile(noise[relu, second], TYPICAL)

        return self.area(of), resampled(margin, *(np.arange(len(run.loss)) for run in (of, self.relu)))[1]

    def late(self, onsets: np.ndarray) -> tuple[float, float]:
        """Median over networks of the relative error of predicted onsets, in epochs."""
        return resampled(np.median, np.abs(onsets / self.onsets(self.relu)[: len(onsets)] - 1))

    def linearised(self) -> tuple[float, float]:
        """Rise of the typical network's loss without rectified first layer over that without rectified second."""

        def ratio(loss: np.ndarray, linear: np.ndarray) -> float:
            whole, first, second = linear[medoid(loss)]
            return (first - whole) / (second - whole)

        return resampled(ratio, self.relu.loss, self.linear)

    def doubled(self) -> tuple[float, float]:
        """Share of units of the second layer on in two contexts, among those on in two and in one."""

        def share(modules: np.ndarray) -> float:
            found = named(modules.mean(axis=0))
            return found["on in 2"] / (found["on in 2"] + found["on in 1"])

        return resampled(share, self.relu["modules"][:, -1])


def compute(settings: Settings) -> Curves:
    """Train ReLU networks, see when they begin to gate by context, and train gated networks that do so then."""
    task, _ = fs.tasks.context(CONTEXTS, "same").spanned()
    rate = settings.step * len(task.x)
    steps = np.unique(np.linspace(0, settings.steps, settings.points).round())
    times = steps * rate
    method = fs.Train(rate=rate, precision="single")
    initial = fs.initial.Gaussian(settings.std)

    def train(
        label: str, network: fs.Network, times: np.ndarray, seeds: int, observe: tuple[str, ...]
    ) -> tuple[fs.Trajectory, list[Weights]]:
        """What was observed, and the weights at the end: at all times they would not fit into memory."""
        blocks, ends = [], []
        for begin in track(range(0, seeds, settings.block), label):
            numbers = range(settings.seed + begin, settings.seed + min(begin + settings.block, seeds))
            run = method.run(network, task, times, [Start(network, task, seed) for seed in numbers], observe)
            blocks.append(fs.Trajectory(run.times, dict(run.values), seeds=tuple(numbers)))
            ends += run.ends() if run.ends else []
        return joined(blocks), ends

    deep = Watched((settings.hidden, settings.hidden), initial=initial)
    relu, ends = train("ReLU networks", deep, times, settings.seeds, ("loss", "outputs", "modules"))
    predicted, evaluations, escapes = predict(deep, task, times, settings)
    at = opening(predicted["modules"][:, :, -1], settings.alone)
    module = max(settings.hidden // MODULES, 1)
    seen, stds = ("loss", "outputs"), fs.initial.Gaussian(tuple(settings.std * share for share in RELEASED))
    everything = Shared(in_subsets(task, PATHS), MODULES * module, (COMMON * module, module, module, module), stds)
    common = replace(everything, gates=everything.gates[:1], second=everything.second[:1])

    def open_at(at: int, begin: int, **rule: float) -> fs.Trajectory:
        """Gated networks: the common pathway alone, from observation ``begin``, and all of them from ``at`` on."""
        alone = times[: at - begin + 1]
        grown, last = train("common pathway", common, alone, settings.seeds, seen)
        weights = tuple(np.stack(part) for part in zip(*last, strict=True))
        opened = replace(everything, grown=weights, seed=settings.seed, **rule)
        after, _ = train("all pathways", opened, times[at:] - times[at], settings.seeds, seen)
        values = {name: np.hstack([grown[name][:, :1]] * begin + [grown[name][:, :-1], after[name]]) for name in seen}
        return replace(after, times=times, values=values)

    gated = open_at(at, 0)
    begin, onset = (int(np.argmin(np.abs(steps - epoch))) for epoch in (settings.begin, settings.onset))
    released = open_at(onset, begin, boost=settings.boost, separate=True)
    flat = fs.ReLU((settings.wide,), initial=fs.initial.Gaussian(settings.scale / settings.wide))
    shallow, _ = train("one hidden layer", flat, times, settings.others, ("loss",))
    first, second = medoid(relu.loss), medoid(released.loss)
    look = plateaus(relu.loss[first])
    own = [same_level(released.loss[second], float(level)) for level in relu.loss[first, look]]
    outputs = {"ReLU": relu.outputs[first, look], "gated": released.outputs[second, own]}
    last = [tuple(np.asarray(layer, float) for layer in weights) for weights in ends]
    below = np.maximum(task.x @ last[first][0].T, 0.0)
    hidden = below.T, np.maximum(below @ last[first][1].T, 0.0).T
    linear = np.array([[linearised(weights, task, layer) for layer in (-1, 0, 1)] for weights in last])
    lean = {name: replace(run, values={k: v for k, v in run.values.items() if k != "outputs"})
            for name, run in (("relu", relu), ("gated", gated), ("released", released))}  # fmt: skip
    return Curves(settings, **lean, predicted=predicted, shallow=shallow, opened=float(times[at]), outputs=outputs,
                  gates=hidden, linear=linear, evaluations=evaluations, escapes=escapes)  # fmt: skip


def values(curves: Curves) -> dict[str, Any]:
    """Areas between medoids, spreads, onsets of gating, and the gates of both layers at the end."""
    typical = curves.linear[medoid(curves.relu.loss)]
    runs = {"relu": curves.relu, "predicted": curves.predicted, "released": curves.released, "gated": curves.gated}
    return {
        "medoid_area": {name: curves.area(run) for name, run in runs.items() if name != "relu"},
        "typical_area": curves.typical(),
        "own_area": curves.errors,
        "onset_predicted": curves.onsets(curves.predicted),
        "onset_of_instability": curves.escapes / _rate(curves.settings),
        "onset_trained": curves.onsets(curves.relu),
        "evaluations": curves.evaluations,
        "spread": {name: spread(run) for name, run in (*runs.items(), ("shallow", curves.shallow))},
        "medoid": {name: curves.medoid(run) for name, run in runs.items()},
        "final_loss": {name: np.quantile(run.loss[:, -1], [0.05, 0.5, 0.95]) for name, run in runs.items()},
        "linearised_loss": dict(zip(("no layer", "first layer", "second layer"), typical, strict=True)),
        "output_distance": _distance(curves),
        "relu_modules": named(curves.relu["modules"][:, -1].mean(axis=0)),
        "relu_modules_when_opened": named(curves.relu["modules"][:, _opened(curves)].mean(axis=0)),
    }


def _rate(settings: Settings) -> float:
    return settings.step * len(fs.tasks.context(CONTEXTS).x)


def _opened(curves: Curves) -> int:
    return int(np.argmin(np.abs(curves.relu.times - curves.opened)))


def _distance(curves: Curves) -> np.ndarray:
    first, second = curves.outputs["ReLU"], curves.outputs["gated"]
    return np.linalg.norm(first - second, axis=(1, 2)) / np.linalg.norm(first, axis=(1, 2))


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Typical runs; single networks; the spread; modules over time; gates of both layers."""
    by_size = {size: np.flatnonzero(size == SIZES) + len(FACTS) for size in (3, 2, 1)}
    draw_panels(curves, axes, curves.relu.times / _rate(curves.settings) / 1000, medoid, by_size)


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "units",
        "Predicted from their own initial weights, the typical network of two hidden layers is as near to the typical "
        "trained one as 95 of 100 trained networks are (area between medoids).",
        lambda c: c.near(c.predicted),
        lambda c: c.typical(),
        kind="extension",
        source="theory of units; jarvis2025 section 6 for the networks",
        reason="the noise floor: the 95 % quantile of the areas of ReLU networks; its own error is in the ±",
        expected="open",
    ),
    Claim(
        "onset",
        "The epoch at which networks of two hidden layers begin to gate is predicted from their initial weights "
        "(median over networks of the relative error of each).",
        lambda c: c.late(c.onsets(c.predicted)),
        0.1,
        kind="extension",
        source="jarvis2025 section 6, where the onset is set to epoch 12000",
        reason="a tenth",
    ),
    Claim(
        "instability",
        "Networks of two hidden layers begin to gate when their first plateau becomes unstable: the epoch follows from "
        "the weights on reaching the plateau, whose small part grows as a linear network until it diverges (median "
        "over networks of the relative error of each).",
        lambda c: c.late(c.escapes / _rate(c.settings)),
        0.1,
        kind="extension",
        source="theory of units; jarvis2025 section 6, where the onset is set to epoch 12000",
        reason="a tenth",
    ),
    Claim(
        "released",
        "With the constants of the released code (contextual pathways open at epoch 12000 with output weights 7.3 "
        "times as large as the others) the typical gated network of two hidden layers is as near to the typical ReLU "
        "network as 95 of 100 ReLU networks are (area between medoids).",
        lambda c: c.near(c.released),
        lambda c: c.typical(),
        source="jarvis2025 section 6, Fig. 6b",
        reason="the noise floor: the 95 % quantile of the areas of ReLU networks; its own error is in the ±",
        expected="open",
    ),
    Claim(
        "medoid",
        "With contextual pathways that open at the predicted onset, the typical gated network "
        "of two hidden layers is as near to the typical ReLU network as 95 of 100 ReLU networks are (area "
        "between medoids).",
        lambda c: c.near(c.gated),
        lambda c: c.typical(),
        kind="extension",
        source="jarvis2025 section 6, Fig. 6b; the onset is predicted, where the paper sets it",
        reason="the noise floor: the 95 % quantile of the areas of ReLU networks; its own error is in the ±",
        expected="open",
    ),
    Claim(
        "spread",
        "Gated and ReLU networks of two hidden layers vary alike between runs (larger over smaller spread of "
        "the loss).",
        lambda c: spread_factor(c.released, c.relu),
        2.0,
        source="jarvis2025 section 6, Fig. 6b",
        reason="a factor of two; the peaks of the two spreads are at different times",
    ),
    Claim(
        "varies",
        "Runs of ReLU networks with two hidden layers differ more than runs with one, each at its published "
        "settings (ratio of spreads).",
        lambda c: spread_ratio(c.relu, c.shallow),
        2.0,
        ">=",
        source="jarvis2025 section 6",
        reason="a factor of two",
    ),
    Claim(
        "first_layer",
        "The first of two hidden layers is used as a linear layer: what the loss of the typical network rises by when "
        "it is not rectified, over the rise when the second is not.",
        lambda c: c.linearised(),
        0.1,
        source="jarvis2025 section 6",
        reason="a tenth",
    ),
    Claim(
        "second_layer",
        "Contextual units of the second hidden layer are on in two of three contexts (share of two among two and one).",
        lambda c: c.doubled(),
        0.5,
        ">=",
        source="jarvis2025 section 6",
        reason="one half: most",
    ),
    Claim(
        "outputs",
        "At the plateaus of the loss typical ReLU and gated networks of two hidden layers have the same "
        "outputs (relative distance, at times matched by loss).",
        lambda c: float(_distance(c).max()),
        0.1,
        kind="identity",
        source="jarvis2025 section 6",
        reason="10 %; states are matched by their loss, which nearly fixes the outputs",
    ),
)
