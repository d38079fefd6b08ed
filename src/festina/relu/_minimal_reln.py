"""The minimal ReLN: as few modules as imitate a ReLU network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from festina.analysis.trajectory import Trajectory
from festina.checks import check
from festina.core.task import Task
from festina.gated import Gated
from festina.relu._imitate import gated, imitate
from festina.relu._modules import FINDERS, MAX_SEED, Layer, Modules, group, read_runs, share_off
from festina.relu._replay import Replay, joined
from festina.runtime.progress import shown, track

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
