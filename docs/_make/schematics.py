"""Drawings of the networks for the pages on theory, made by ``fs.plot.schematic``."""

from pathlib import Path

import numpy as np

import festina as fs
from festina import plot

START = fs.initial.Gaussian(0.01)


def cases() -> dict[str, tuple[fs.Network, fs.Task | None]]:
    """Page to the network and the task that it shows."""
    xor = fs.tasks.extended_xor(1.0)
    up = xor.y[:, 0] > 0
    return {
        "linear": (fs.DeepLinear((16,), initial=START), fs.tasks.living_things(8)),
        "balanced": (fs.DeepLinear((6,), initial=fs.initial.Balanced(0.1, lambda_=1.0)), fs.tasks.living_things(4)),
        "gated": (fs.gated.pathways({"positive": up, "negative": ~up}, 64, initial=START), xor),
        "relu": (fs.ReLU((128,), initial=START), xor),
        "representation": (fs.FeedForward((500,) * 20), fs.Task([[-1.0], [-0.5]], [[0.6], [1.6]])),
        "decision": (fs.behaviour.TutorExecutor(), fs.behaviour.DecisionTask()),
        "attention": (fs.LinearAttention(heads=3, initial=START), None),
        "recurrence": (fs.LinearRNN(32, length=8, initial=START), None),
    }


def write(folder: Path) -> None:
    """One PNG each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (network, task) in cases().items():
        with plot.style():
            figure, axes = plot.panels(1, 1, width=6.2, height=2.3)
            ax = np.asarray(axes)[0]
            plot.schematic(network, task, ax)
            figure.savefig(folder / f"{name}.png")
