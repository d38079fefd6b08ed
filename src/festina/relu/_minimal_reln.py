"""The minimal ReLN: as few modules as imitate a ReLU network."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.checks.shapes import Array, Weights
from festina.core.network import Context, Data, Network
from festina.core.task import Task
from festina.gated import Gated, pathways
from festina.initial import Gaussian
from festina.initial import Weights as GivenWeights
from festina.methods import Train, evolve
from festina.relu._modules import FINDERS, MAX_SEED, Layer, Modules, group, read_runs, share_off
from festina.relu._replay import Replay, joined
from festina.runtime.progress import shown, track

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


MOST = 8
"""Largest number of modules that is tried, unless said otherwise: that of the paper's figure."""

THRESHOLDS = (1e-3, 1e-2, 1e-1)
"""Shares of its largest activity up to which a unit may count as off; imitation decides which does best."""


@dataclass(frozen=True, eq=False)
class FoundGates:
    """Result of ``find_gates``.

    Attributes:
        modules: gating patterns with their units, contribution and time.
        network: the modules as an ``fs.Gated``, starting as the first imitated run did: ready to evolve.
        imitation: by number of modules asked for, Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² between ReLU and gated network over training, mean
            over the runs imitated.
        spread: the same between two of the ReLU networks; 0 if there is one.
        chosen: the number of modules asked for that was chosen.
        threshold: share of its largest activity up to which a unit was taken for off.
        tried: by number asked for, the modules found.
        imitated: positions of the runs that were imitated; by ``"contribution"`` they had no part in finding the gates.
    """

    modules: Modules
    network: Gated
    imitation: Mapping[int, float]
    spread: float
    chosen: int
    threshold: float
    tried: Mapping[int, Modules]
    imitated: tuple[int, ...]

    @property
    def gates(self) -> np.ndarray:
        """Gating patterns, one row of booleans per module."""
        return self.modules.gates

    def __str__(self) -> str:
        errors = ", ".join(f"{k}: {error:.3g}" for k, error in self.imitation.items())
        return f"{self.modules}\nimitation error by number of modules: {errors}"


def find_gates(
    runs: Trajectory | Sequence[Trajectory],
    task: Task | None = None,
    modules: int | str = "auto",
    *,
    finder: str = "contribution",
    threshold: float | str = "auto",
    most: int = MOST,
    seed: int = 0,
    progress: bool = False,
) -> FoundGates:
    """The modules of trained ReLU networks of one hidden layer, and the gated network of them that learns alike.

    For each number of modules, units are grouped (``cluster_gates``), and a gated network with these patterns is
    trained from the ReLU network's own initial weights, at its rate. The distance of its outputs from those of the ReLU
    network, over all of training, is the imitation error. The number is then chosen:

    - ``"contribution"``: gates are found in two thirds of the runs and judged on the others. It takes the smallest
      number whose error exceeds the least by no more than two ReLU networks differ from each other (``spread``). With
      one run, as for ``"kmeans"``. If several thresholds are given, the one that imitates best is taken.
    - ``"kmeans"`` (Algorithm 1): the elbow of the error. In its logarithm, this is the number farthest below the line
      from the first to the last. The gates are found in all runs.

    Args:
        runs: training of ``fs.ReLU`` networks that observed ``weights``: one trajectory (with seeds), or several.
        task: what they learned; trajectories that were read from files do not hold it.
        modules: a number, or ``"auto"``.
        finder: ``"contribution"`` or ``"kmeans"``.
        threshold: share of its largest activity up to which ``"contribution"`` takes a unit for off, ≥ 0; ``"auto"``
            tries 0.001, 0.01 and 0.1 and takes what imitates best.
        most: largest number tried by ``"auto"``, ≥ 3.
        seed: the seed of the random starts of k-means.
        progress: show a progress bar on stderr.

    Returns:
        The modules, the imitation errors, and the gated network ready to evolve.

    Raises:
        ValueError: an argument that is not allowed; more than one hidden layer; networks that never learned.

    Example:
        >>> import numpy as np, festina as fs
        >>> task, network = fs.tasks.extended_xor(0.0), fs.ReLU((64,), initial=fs.initial.Gaussian(1e-5))
        >>> times = np.linspace(0, 60, 16)
        >>> run = fs.evolve(network, task, times, method=fs.Train(rate=0.4), seeds=3, observe=("weights",))
        >>> found = fs.relu.find_gates(run)
        >>> found.gates.astype(int).tolist(), found.imitation[4] < 0.01
        ([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], True)

    Source: jarvis2025 Algorithm 1, App. B, Figs. 8 and 9.
    """
    check.known("finder", finder, FINDERS)
    if not (isinstance(modules, str) and modules == "auto"):
        modules = check.whole("modules", modules)
    most, seed = check.whole("most", most, least=3), check.whole("seed", seed, 0, MAX_SEED)
    read = read_runs(runs, task)
    if len(read[0].weights) != 2:
        raise ValueError(
            f"runs have {len(read[0].weights) - 1} hidden layers; modules are imitated for one. "
            "fs.relu.cluster_gates(..., layer=...) finds the patterns of any layer, and fs.relu.reln(run) is "
            "exact at any depth."
        )
    if finder == "kmeans":
        thresholds: tuple[float, ...] = (0.0,)
    else:
        is_auto = isinstance(threshold, str) and threshold == "auto"
        thresholds = THRESHOLDS if is_auto else (share_off(threshold),)
    replay = joined(read)
    replay.require_training("runs")
    count = len(replay.weights[0])
    judged = list(range(count - max(1, count // 3), count))
    held_out = finder == "contribution" and count > 1
    source = replay.only([i for i in range(count) if i not in judged]) if held_out else replay
    layers = {least: Layer.read([source], 0, least, finder) for least in thresholds}
    numbers = list(range(1, most + 1)) if modules == "auto" else [modules]
    errors: dict[int, float] = {}
    tried: dict[int, Modules] = {}
    best: dict[int, float] = {}
    known: dict[bytes, float] = {}
    with shown(progress):
        for k in track(numbers, "find_gates()"):
            for least, layer in layers.items():
                found = group(layer, k, 0, seed)
                key = found.gates.tobytes()
                if key not in known:
                    known[key] = float(imitate(replay, found.gates, judged, max(most, numbers[-1])).mean())
                if known[key] < errors.get(k, np.inf):
                    errors[k], tried[k], best[k] = known[key], found, least
    spread = _spread(replay)
    if len(errors) == 1:
        chosen = numbers[0]
    elif held_out:
        chosen = min(k for k, error in errors.items() if error <= min(errors.values()) + spread)
    else:
        chosen = _elbow(errors)
    tried[chosen].require_some()
    network = gated(replay, tried[chosen].gates, judged[0])
    return FoundGates(tried[chosen], network, errors, spread, chosen, best[chosen], tried, tuple(judged))


def _elbow(errors: Mapping[int, float]) -> int:
    """The number farthest below the line from the first to the last, in log error."""
    numbers = np.array(list(errors), float)
    height = np.log(np.maximum(list(errors.values()), np.finfo(float).tiny))
    line = np.interp(numbers, numbers[[0, -1]], height[[0, -1]])
    return int(numbers[np.argmax(line - height)])


def _spread(replay: Replay) -> float:
    """Σ‖ŷ − ŷ'‖²/Σ‖ŷ‖² between two different runs, mean over all pairs."""
    outputs = replay.outputs.astype(float)
    if len(outputs) < 2:
        return 0.0
    variance = ((outputs - outputs.mean(axis=0)) ** 2).sum() / (len(outputs) - 1)
    return float(2 * variance / ((outputs**2).sum() / len(outputs)))
