"""Is a ReLU network a gated linear network, step by step?

Yes. Linear layers that are multiplied by the ReLU network's own gates, taken from it at every step, and that are
trained on their own by gradient descent have the same weights, outputs and loss as the ReLU network over the whole of
training, with one, two and three hidden layers. The gates change on the way. So the exact ReLN always exists and
explains nothing by itself; the question is how few patterns do.

Source: jarvis2025 section 3, Definition 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._seeds import resampled
from festina.runtime import track

DEPTHS = (1, 2, 3)
FLOOR = 1e-17
"""Where a difference of 0 is drawn."""

WORDS = {1: "one hidden layer", 2: "two hidden layers", 3: "three hidden layers"}


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    contexts: int = setting(3, "contexts of the task", least=1)
    hidden: int = setting(100, "units of each hidden layer", least=1)
    seeds: int = setting(3, "networks of each depth", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    gain: float = setting(
        0.7,
        "standard deviation of an initial weight in units of 1/√hidden; near 1 every depth learns in the given steps",
        above=0,
    )
    rate: float = setting(0.05, "step size on the mean loss", above=0)
    steps: int = setting(4000, "steps of training", least=1)
    points: int = setting(81, "observations; gates between them come from training the ReLU network again", least=1)


quick = Settings(hidden=30, seeds=1, steps=300, points=16)
layout = (1, 3)
caption = (
    "A gated network with the gates of a ReLU network is that network, up to rounding, at any depth. (a) "
    "Loss of ReLU networks (thick, pale) and of their exact gated networks (thin, dark) with one, two and three hidden "
    "layers. (b) Largest difference between their outputs over time, and the bound (dashed). (c) Share of "
    "gates that differ from those at the start."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """By depth: loss of ReLU networks and of their ReLNs, distance of outputs, changed gates (seeds, times)."""

    settings: Settings
    relu: dict[int, fs.Trajectory]
    reln: dict[int, fs.Trajectory]
    difference: dict[str, dict[int, float]]
    apart: dict[int, np.ndarray]
    changed: dict[int, np.ndarray]
    scale: float


def compute(settings: Settings) -> Curves:
    """Train ReLU networks of three depths, and the gated networks with their gates."""
    task = fs.tasks.context(settings.contexts).spanned()[0]
    times = np.linspace(0, settings.steps, settings.points).round() * settings.rate
    initial = fs.initial.Gaussian(settings.gain / np.sqrt(settings.hidden))
    relu, reln, apart, changed = {}, {}, {}, {}
    difference: dict[str, dict[int, float]] = {"output": {}, "weight": {}, "loss": {}}
    for depth in track(DEPTHS, "imitation"):
        network = fs.ReLU((settings.hidden,) * depth, initial=initial)
        relu[depth] = fs.evolve(
            network, task, times, method=fs.Train(rate=settings.rate), seed=settings.seed, seeds=settings.seeds,
            observe=("loss", "outputs", "weights"),
        )  # fmt: skip
        exact = fs.relu.reln(relu[depth], task)
        reln[depth] = exact.trajectory
        difference["output"][depth] = exact.max_output_difference
        difference["weight"][depth] = exact.max_weight_difference
        difference["loss"][depth] = exact.max_loss_difference
        apart[depth] = np.abs(exact.trajectory.outputs - relu[depth].outputs).max(axis=(0, 2, 3))
        gates = [g.reshape(*g.shape[:2], -1) for g in exact.gates]
        changed[depth] = np.mean([np.mean(g != g[:, :1], axis=2) for g in gates], axis=0)
    return Curves(settings, relu, reln, difference, apart, changed, float(np.abs(task.y).max()))


def values(curves: Curves) -> dict[str, Any]:
    """Largest differences, and how many gates changed."""
    return {
        **{f"max_{name}_difference": by_depth for name, by_depth in curves.difference.items()},
        "gates_changed": {d: curves.changed[d][:, -1].mean() for d in DEPTHS},
        "final_loss": {d: curves.relu[d].loss[:, -1].mean() for d in DEPTHS},
    }


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Loss of both networks; distance of their outputs; gates that have changed since the start."""
    from festina.plot import COLOURS, look, name_kinds

    for colour, depth in zip(COLOURS, DEPTHS, strict=False):
        relu, reln = curves.relu[depth].mean(), curves.reln[depth].mean()
        axes[0].plot(relu.times, relu.loss, label=WORDS[depth], **look("trained", colour))
        axes[0].plot(reln.times, reln.loss, **look("predicted", colour))
        # a difference of exactly 0 has no place on a logarithmic axis
        apart = np.maximum(curves.apart[depth], FLOOR)
        axes[1].semilogy(relu.times, apart, color=colour, marker=".", markersize=3, linewidth=0.8)
        axes[2].plot(relu.times, 100 * curves.changed[depth].mean(axis=0), color=colour)
    axes[0].set_ylabel("loss")
    axes[0].set_title("A network and its exact imitation")
    name_kinds(axes[0], "ReLU network", "its gated network")
    axes[0].legend()
    axes[1].axhline(BOUND, color=COLOURS[6], linewidth=0.8, linestyle="--")
    axes[1].annotate("bound", (0.98, BOUND), (0, -3), ("axes fraction", "data"), "offset points", ha="right",
                     va="top", fontsize=8)  # fmt: skip
    axes[1].set_ylabel("largest |Δ output|")
    axes[1].set_title("Apart by rounding only")
    axes[2].set_ylabel("gates changed (%)")
    axes[2].set_title("Gates that are not those of the start")
    for ax in axes:
        ax.set_xlabel("time (flow time)")


BOUND = 1e-11
"""Rounding of one step is 1e-16 of outputs of order 1: ten thousand may add up, and learning amplify them."""

claims: tuple[Claim[Curves], ...] = (
    *(
        Claim(
            f"depth_{depth}",
            f"A gated network with the gates of a ReLU network of {WORDS[depth]} has the same outputs at every time "
            "(largest difference).",
            lambda c, depth=depth: c.difference["output"][depth],
            BOUND,
            kind="identity",
            source="jarvis2025 section 3, Definition 3.1",
            reason="rounding of ten thousand steps, amplified by learning",
        )
        for depth in DEPTHS
    ),
    Claim(
        "weights",
        "A gated network with the gates of a ReLU network has the same weights at every time (largest "
        "difference over all depths).",
        lambda c: max(c.difference["weight"].values()),
        BOUND,
        kind="identity",
        source="jarvis2025 section 3",
        reason="rounding of ten thousand steps, amplified by learning",
    ),
    Claim(
        "changing",
        "The gates of a trained ReLU network change during training (share that differs from the start at "
        "the end, mean over networks, smallest over depths).",
        lambda c: resampled(lambda ends: ends.mean(axis=0).min(), np.stack([c.changed[d][:, -1] for d in DEPTHS], 1)),
        0.01,
        ">=",
        source="jarvis2025 section 3",
        reason="1 % of the gates",
    ),
)
