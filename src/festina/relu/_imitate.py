"""Gated networks of modules, trained like the ReLU network they were found in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.checks.shapes import Array, Weights
from festina.core import Context, Data, Network, Task
from festina.gated import Gated, pathways
from festina.initial import Gaussian
from festina.initial import Weights as GivenWeights
from festina.methods import Train, evolve
from festina.relu._replay import Replay

Layers = tuple[np.ndarray, np.ndarray]
"""Weights into and out of a module."""


@dataclass(frozen=True, eq=False, repr=False)
class Inherited(GivenWeights):
    """The first weights of a ReLU network, handed down to its modules; too many to print."""

    def __repr__(self) -> str:
        return f"Inherited({len(self.matrices) // 2} modules)"


def inherited(replay: Replay, gates: np.ndarray, run: int) -> list[Layers]:
    """First weights of each module, from the first weights of the ReLU network.

    Every unit goes to the module whose gates it shares most, data points counted by the square of its response w·x.
    Units of a module are linear among themselves: their coordinates in the span of [W_in, W_outᵀ] learn as they do.
    """
    first, second = (w[run, 0].astype(float) for w in replay.weights)
    response = replay.task.x @ first.T
    shared = np.where((response > 0) == gates[:, :, None], response**2, 0.0).sum(axis=1)
    home = np.argmax(shared, axis=0)
    found = []
    for i in range(len(gates)):
        joined = np.hstack([first[home == i], second[:, home == i].T])
        if not len(joined):
            joined = np.zeros((1, joined.shape[1]))  # a module that no unit begins in never learns
        if len(joined) > joined.shape[1]:
            joined = np.linalg.qr(joined)[1]
        found.append((joined[:, : first.shape[1]], joined[:, first.shape[1] :].T))
    return found


def gated(replay: Replay, gates: np.ndarray, run: int = 0) -> Gated:
    """The modules as pathways of a gated network that starts as the ReLU network of that run did."""
    layers = inherited(replay, gates, run)
    names = [f"module {i + 1}" for i in range(len(gates))]
    widths = [len(first) for first, _ in layers]
    own = dict(zip(names, layers, strict=True))
    network = pathways(dict(zip(names, gates.astype(float), strict=True)), widths, initial=Gaussian(1.0))
    edges = [own[target][0] if target in own else own[source][1] for source, target in network.graph.edges]
    return network.starting(Inherited(edges))


def stacked_predict(weights: Weights, x: tuple[Array, Array]) -> Array:
    """ŷ = Σ_m g_m W_m2 W_m1 x of modules whose weights stand side by side, equally wide."""
    inputs, gates = x
    h = (inputs @ weights[0].T).reshape(len(inputs), gates.shape[1], -1) * gates[:, :, None]
    return h.reshape(len(inputs), -1) @ weights[1].T


@dataclass(frozen=True, eq=False)
class Stacked(Network):
    """Modules as one wide layer, filled up with closed ones: networks of few and of many modules compile once.

    Args:
        gates: one row per module.
        starts: for each seed, weights of each module.
        most: modules to fill up to.
    """

    gates: np.ndarray
    starts: tuple[list[Layers], ...]
    most: int

    def start(self, task: Task, seed: int) -> Weights:
        """The inherited weights of run ``seed``."""
        layers = self.starts[seed]
        width = max(len(first) for first, _ in layers)
        first = np.zeros((self.most, width, task.x.shape[1]))
        second = np.zeros((task.y.shape[1], self.most, width))
        for i, (into, out) in enumerate(layers):
            first[i, : len(into)], second[:, i, : len(into)] = into, out
        return first.reshape(-1, task.x.shape[1]), second.reshape(task.y.shape[1], -1)

    @property
    def predict(self) -> Callable[[Any, Any], Array]:
        """The forward pass of x = (inputs, gates)."""
        return stacked_predict

    def context(self, task: Task) -> Context:
        """Inputs with the gates of every module."""
        gates = np.zeros((len(task.x), self.most))
        gates[:, : len(self.gates)] = self.gates.T
        return {"data": Data((task.x, gates), task.y, float(len(task.x)), loss=task.loss.carried)}


def imitate(replay: Replay, gates: np.ndarray, runs: list[int], most: int) -> np.ndarray:
    """How badly modules imitate each of the runs: Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² over all times, items and outputs.

    Source: jarvis2025 App. B, Fig. 9.
    """
    if not len(gates):
        return np.ones(len(runs))  # no module, no output
    network = Stacked(gates, tuple(inherited(replay, gates, run) for run in runs), most)
    method = Train(rate=replay.rate, precision="double" if replay.dtype == np.float64 else "single")
    times = replay.steps * replay.rate
    outputs = evolve(network, replay.task, times, method=method, seeds=len(runs), observe=("outputs",)).outputs
    theirs = replay.outputs[runs].astype(float)
    return ((theirs - outputs) ** 2).sum(axis=(1, 2, 3)) / (theirs**2).sum(axis=(1, 2, 3))
