"""What ``contexts`` measures: predictions, in how many contexts units are on, which subsets of contexts win a race."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina.analysis import first_passage
from festina.papers._seeds import area, between, resampled, two_networks
from festina.papers.experiments._context import reln
from festina.runtime import track

if TYPE_CHECKING:
    from festina.papers.experiments.contexts import Curves, Settings

DRAWN = 2
"""Networks whose units stand for a start that is not known."""

SCALED = 3
"""Networks at each initial scale."""

ITEMS = 8


def expected_unit(contexts: int) -> float:
    """In what the area of the expected prediction is measured: its bound, by number of contexts."""
    return 0.015 if contexts <= 6 else 0.02


def gate_share(run: fs.Trajectory, contexts: int, thresholds: tuple[float, ...]) -> np.ndarray:
    """Share of a trained ReLU layer's activity by the number of contexts its units are on in.

    Returns (seeds, thresholds, contexts). A unit counts with ‖activity‖·‖output weights‖, what it adds to the map.
    """
    activity, out = run["hidden"][0][:, -1], run.weights[1][:, -1]
    size = np.linalg.norm(activity, axis=1) * np.linalg.norm(out, axis=1)
    mean = activity.reshape(len(activity), contexts, ITEMS, -1).mean(axis=2)
    level = mean / np.maximum(mean.max(axis=1, keepdims=True), np.finfo(float).tiny)
    found = np.zeros((len(activity), len(thresholds), contexts))
    for i, threshold in enumerate(thresholds):
        on = (level > threshold).sum(axis=1)
        for k in range(contexts):
            found[:, i, k] = np.where(on == k + 1, size, 0.0).sum(axis=1)
    return found / found.sum(axis=2, keepdims=True)


def race_subsets(
    task: fs.Task, contexts: int, hidden: int, std: float, rate: float, times: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All subsets of contexts race jointly from equal starts: sizes of the subsets, and the strength each ends with."""
    subsets = list(chain.from_iterable(combinations(range(contexts), k) for k in range(contexts, 0, -1)))
    network = reln(contexts, subsets, task, hidden, std, rate)
    run = fs.evolve(network.expected_start(), task, times[[0, -1]], method=fs.Reduced(), observe=("strengths",))
    statistics = task.statistics(network)
    parts = np.split(run.strengths[-1], np.cumsum([e.rank for e in statistics.effective])[:-1])
    named = dict(zip((label.split(" → ")[1] for label in statistics.labels), parts, strict=True))
    strengths = [float(np.sum(named[f"pathway {i + 1}"] ** 2)) for i in range(len(subsets))]
    return np.array([len(s) for s in subsets]), np.array(strengths)


def predict(
    kinds: dict[str, dict[int, Any]], count: int, relu: fs.ReLU, task: fs.Task, times: np.ndarray, settings: Settings
) -> None:
    """The first networks from their own weights; the very first by flow and merged; and one whose seed is not known."""
    rate, first = settings.step * len(task.x), min(settings.predicted, settings.seeds)
    stepwise = fs.Reduced(fs.relu.UnitGrowth(rate=rate))
    observe = ("loss", "hidden", "weights")
    own = fs.evolve(relu, task, times, method=stepwise, seed=settings.seed, seeds=first, observe=observe)
    kinds["own"][count] = loss_alone(own)
    kinds["own_gates"][count] = gate_share(own, count, settings.thresholds)
    flow = fs.Reduced()
    kinds["flow"][count] = loss_alone(fs.evolve(relu, task, times, method=flow, seed=settings.seed))
    drawn = fs.Reduced(fs.relu.UnitGrowth(draws=DRAWN, rate=rate))
    kinds["expected"][count] = loss_alone(fs.evolve(relu, task, times, method=drawn, seed=settings.seed))
    kinds["reduced"][count] = {}
    for units in settings.units:
        merged, seeds = fs.Reduced(fs.relu.UnitGrowth(units=units)), settings.merged if units == settings.plain else 1
        run = fs.evolve(relu, task, times, method=merged, seed=settings.seed, seeds=min(seeds, first))
        kinds["reduced"][count][units] = loss_alone(run)


def loss_alone(run: fs.Trajectory) -> fs.Trajectory:
    """The loss alone."""
    return fs.Trajectory(run.times, {"loss": run.loss}, seeds=run.seeds)


def largest_area(
    first: dict[int, fs.Trajectory], second: dict[int, fs.Trajectory], worst: Callable[..., float] = max,
    unit: Callable[[int], float] = lambda _: 1.0,
) -> tuple[float, float]:  # fmt: skip
    """The largest area between mean losses over numbers of contexts, each over its unit, and its error over networks.

    Predictions that know no seed, and closed forms, are one curve: the error is then that of the networks.
    """
    pairs = [np.atleast_2d(path[c].loss) for path in (first, second) for c in first]
    drawn = [k for k, loss in enumerate(pairs) if len(loss) > 1]

    def found(*losses: np.ndarray) -> float:
        every = dict(enumerate(pairs)) | dict(zip(drawn, losses, strict=True))
        return worst(area(first[c].times, every[k], every[k + len(first)]) / unit(c) for k, c in enumerate(first))

    return resampled(found, *(pairs[k] for k in drawn)) if drawn else (found(), 0.0)


def networks_apart(
    trained: dict[int, fs.Trajectory], counts: Iterable[int], unit: Callable[[int], float] = lambda _: 1.0
) -> float:
    """The area between the losses of two networks, mean over pairs, each over its unit: largest over contexts."""
    return max(two_networks(trained[c].times, trained[c].loss) / unit(c) for c in counts)


def difference(predicted: np.ndarray, trained: np.ndarray) -> float:
    """Largest difference between mean shares of networks, (networks, …)."""
    return float(np.abs(predicted.mean(axis=0) - trained.mean(axis=0)).max())


def largest_difference(predicted: list[np.ndarray], trained: list[np.ndarray]) -> tuple[float, float]:
    """The largest of them over numbers of contexts, and its error over networks."""
    count = len(predicted)
    return resampled(
        lambda *both: max(difference(*pair) for pair in zip(both[:count], both[count:], strict=True)),
        *predicted, *trained,
    )  # fmt: skip


def shares_apart(trained: list[np.ndarray]) -> float:
    """Largest difference between the shares of two networks, mean over pairs: largest over numbers of contexts."""
    return max(float(between(lambda first, second: np.abs(first - second).max(), shares)) for shares in trained)


def won(curves: Curves, contexts: int) -> np.ndarray:
    """Share of the contextual strength by size of the subset, 1 to C − 1, in the race of all subsets."""
    sizes, strengths = curves.subsets[contexts], curves.winners[contexts]
    shares = np.array([strengths[sizes == k].sum() for k in range(1, contexts)])
    return shares / shares.sum()


@dataclass(frozen=True, eq=False)
class Scaled:
    """Three contexts of different structure, learned from several initial scales.

    Attributes:
        times: of the observations.
        left: the loss that contexts leave to the common pathway.
        loss: by kind (trained ``relu``, ``race`` of fixed gates, ``own``: predicted from the networks' own weights) and
            scale, (networks, times).
    """

    times: np.ndarray
    left: float
    loss: dict[str, list[np.ndarray]]

    def areas(self, kind: str) -> list[float]:
        """Area between predicted and trained loss, scale by scale."""
        return [area(self.times, *pair) for pair in zip(self.loss[kind], self.loss["relu"], strict=True)]

    def delay(self, losses: np.ndarray) -> float:
        """Flow time in which the mean of networks goes from half to a twentieth of what contexts leave."""
        mean = losses.mean(axis=0)
        half, learned = (first_passage(self.times, mean, share * self.left) for share in (0.5, 0.05))
        return learned - half

    def delays(self, kind: str) -> np.ndarray:
        """The same, scale by scale."""
        return np.array([self.delay(losses) for losses in self.loss[kind]])

    def worst_area(self, kind: str) -> tuple[float, float]:
        """The largest area over scales, and its error over networks."""
        return self._worst(kind, lambda first, second: area(self.times, first, second))

    def late(self, kind: str) -> tuple[float, float]:
        """The largest relative error of the time to learn contexts over scales, and its error over networks."""
        return self._worst(kind, lambda first, second: abs(self.delay(first) / self.delay(second) - 1))

    def networks_apart(self) -> float:
        """The area between the losses of two trained networks, mean over pairs: largest over scales."""
        return max(two_networks(self.times, losses) for losses in self.loss["relu"])

    def networks_late(self) -> float:
        """The relative difference of the times in which two trained networks learn contexts, in the same way."""

        def late(first: np.ndarray, second: np.ndarray) -> float:
            return abs(self.delay(first[None]) / self.delay(second[None]) - 1)

        return max(float(between(late, losses)) for losses in self.loss["relu"])

    def _worst(self, kind: str, off: Callable[[np.ndarray, np.ndarray], float]) -> tuple[float, float]:
        known, trained = self.loss[kind], self.loss["relu"]
        if len(known[0]) < len(trained[0]):  # of fixed gates, one curve for all networks
            return resampled(lambda *nets: max(off(*pair) for pair in zip(known, nets, strict=True)), *trained)
        count = len(known)
        return resampled(
            lambda *nets: max(off(*pair) for pair in zip(nets[:count], nets[count:], strict=True)), *known, *trained
        )


def vary_scale(settings: Settings) -> Scaled:
    """Train networks from several initial scales, and predict them by fixed gates and from their own weights."""
    task, _ = fs.tasks.context(3, "different").spanned()
    rate, hidden = settings.step * len(task.x), settings.hidden[0]
    times = np.linspace(0, 1.25 * settings.steps, settings.points).round() * rate
    method, stepwise = fs.Train(rate=rate, precision="single"), fs.Reduced(fs.relu.UnitGrowth(rate=rate))
    networks: Any = {"seed": settings.seed, "seeds": min(settings.predicted, SCALED)}
    found: dict[str, list[np.ndarray]] = {name: [] for name in ("relu", "race", "own")}
    for scale in track(settings.scales, "scales"):
        relu = fs.ReLU((hidden,), initial=fs.initial.Gaussian(scale / hidden))
        found["relu"].append(fs.evolve(relu, task, times, method=method, **networks).loss)
        network = reln(3, [(0, 1, 2), *combinations(range(3), 2)], task, hidden, scale / hidden, rate)
        found["race"].append(fs.evolve(network.expected_start(), task, times, method=fs.Reduced()).loss[None])
        found["own"].append(fs.evolve(relu, task, times, method=stepwise, **networks).loss)
    return Scaled(times, task.statistics.floor, found)
