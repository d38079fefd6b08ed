"""Trials of two points and their fits, which several experiments share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from festina import FeedForward, Network, Reduced, Task, Train, Trajectory, evolve
from festina.checks.shapes import Array
from festina.core import Context, Data
from festina.representation import Pair, fit
from festina.tasks import two_points

if TYPE_CHECKING:
    from festina.papers._published import Published


@dataclass(frozen=True, eq=False)
class Trials:
    """Networks of one kind on two points, and the theory fitted to each."""

    run: Trajectory
    pairs: list[Pair]

    @cached_property
    def fits(self):
        """The theory that comes nearest to each pair."""
        return [fit(pair) for pair in self.pairs]

    @property
    def learned(self) -> np.ndarray:
        """Which trials left the plateau: their loss fell below a fiftieth of where it started."""
        return np.array([f.pair.loss[-1] < f.pair.loss[0] / 50 for f in self.fits])

    @property
    def shown(self):
        """The trials that learned; all of them where none did. A curve that never moves is no test of a theory."""
        return [f for f, kept in zip(self.fits, self.learned, strict=True) if kept] or self.fits

    @property
    def errors(self) -> np.ndarray:
        """Fit error of each trial that learned."""
        return np.array([found.error for found in self.shown])

    @property
    def loss_errors(self) -> np.ndarray:
        """Error of the predicted loss of each trial that learned."""
        return np.array([found.errors["loss"] for found in self.shown])

    @property
    def typical(self):
        """The trial whose error is the median (the lower of the middle two)."""
        return self.shown[int(np.argsort(self.errors)[(len(self.shown) - 1) // 2])]

    def rates(self) -> dict[str, float]:
        """Median effective rates over trials."""
        return {
            name: float(np.median([getattr(f.rates, name) or np.nan for f in self.shown]))
            for name in ("h", "y", "mean")
        }


def run(
    setting: Published, task: Task, seeds: int, seed: int = 0, *, optimiser: str = "gd", rate: float | None = None
) -> Trials:
    """Train a published setting on two points and fit each trial that lasts at least four observed times.

    ``rate`` is the step of another optimiser; the number of epochs stays that of the setting.
    """
    step = setting.rate if rate is None else rate
    found = evolve(
        setting.network, task, setting.times(401) * (step / setting.rate), seed=seed, seeds=seeds,
        method=Train(step, precision="single", optimiser=optimiser), observe=("loss", "distances", "outputs"),
    )  # fmt: skip
    whole = [k for k in range(seeds) if np.isfinite(found["distances"][k, :4]).all()]
    return Trials(found, [Pair.from_trajectory(found, seed=seed + k) for k in whole])


OwnWeights = dict[str, Any]
"""Weights of a network (``layers``) and the two points (``x``, ``y``) that a seed learns."""


@dataclass(frozen=True)
class _Own:
    """A function of a network's weights and data, on the data that a seed carries among its weights."""

    inner: Callable[..., Any]

    def __call__(self, weights: OwnWeights, data: Data, key: Array | None = None) -> Any:
        """The loss on the seed's own two points, which are not trained."""
        import jax

        x, y = (jax.lax.stop_gradient(weights[name]) for name in ("x", "y"))
        return self.inner(weights["layers"], data._replace(x=x, y=y), key)


@dataclass(frozen=True)
class _OwnObservables:
    inner: Callable[..., Any]

    def __call__(self, context: Context) -> Mapping[str, Callable[[Any], Any]]:
        def of(name: str) -> Callable[[Any], Any]:
            def observe(weights: OwnWeights) -> Any:
                own = {"data": context["data"]._replace(x=weights["x"], y=weights["y"]), "observed": weights["x"]}
                return self.inner(own)[name](weights["layers"])

            return observe

        return {name: of(name) for name in ("loss", "outputs", "distances")}


@dataclass(frozen=True)
class OwnPoints(Network):
    """A network that learns two other points in each seed, so that a grid of trials is trained as one batch.

    Args:
        network: what is trained.
        spans: distances (dx, dy) of inputs and of targets, one pair per seed.
        first: the seed of the first pair.
    """

    network: FeedForward
    spans: tuple[tuple[float, float], ...]
    first: int = 0

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training drops units."""
        return self.network.noisy

    def start(self, task: Task, seed: int) -> Any:
        """The network's own start, and the seed's two points."""
        own = two_points(*self.spans[seed - self.first])
        return {"layers": self.network.start(own, seed), "x": own.x, "y": own.y}

    @property
    def predict(self) -> Callable[[Any, Any], Any]:
        """The forward pass on given inputs."""
        return lambda weights, x: self.network.predict(weights["layers"], x)

    @property
    def loss(self) -> Callable[[Any, Any, Any], Any]:
        """The mean loss on the seed's own points."""
        return _Own(self.network.loss)

    @property
    def observables(self) -> Callable[[Any], Mapping[str, Callable[[Any], Any]]]:
        """``loss``, ``outputs`` and ``distances`` of the seed's own points."""
        return _OwnObservables(self.network.observables)

    @property
    def axes(self) -> Mapping[str, tuple[str, ...]]:
        """Those of the network."""
        return self.network.axes


def unfitted_errors(setting: Published, task: Task, trials: Trials, count: int) -> np.ndarray:
    """Relative error of h, y and w by the effective theory with rates from tangent kernels, of the first trials."""
    seeds = trials.run.seeds or (0,)
    times = trials.run.times
    theory = evolve(
        setting.network, task, times, seed=seeds[0], seeds=min(count, len(seeds)), method=Reduced(),
        observe=("distances", "outputs"),
    )  # fmt: skip
    errors = []
    for seed in theory.seeds or ():
        found, guess = Pair.from_trajectory(trials.run, seed=seed), Pair.from_trajectory(theory, seed=seed)
        gap = sum(np.sum((getattr(guess, c)[: len(found.h)] - getattr(found, c)) ** 2) for c in "hyw")
        errors.append(np.sqrt(gap / sum(np.sum(getattr(found, c) ** 2) for c in "hyw")))
    return np.array(errors)


def run_grid(setting: Published, spans: Sequence[tuple[float, float]], count: int, seed: int = 0) -> list[Pair | None]:
    """Train a published setting once for each pair of distances; None where a trial diverged before its fourth time."""
    many = OwnPoints(setting.network, tuple((float(dx), float(dy)) for dx, dy in spans), seed)
    found = evolve(
        many, two_points(*spans[0]), setting.times(count), seed=seed, seeds=len(spans),
        method=Train(setting.rate, precision="single"), observe=("loss", "distances", "outputs"),
    )  # fmt: skip
    pairs: list[Pair | None] = []
    for k, span in enumerate(spans):
        own, whole = two_points(*span), np.isfinite(found["distances"][k, :4]).all()
        pairs.append(
            Pair.from_outputs(
                found.times, own.x, own.y, found["distances"][k, :, 0, 0], found["outputs"][k], unit=found.unit
            )
            if whole
            else None
        )
    return pairs


def median(values: np.ndarray) -> tuple[float, float]:
    """Median and its standard error, from the median deviation: a trial that failed does not count twice."""
    middle = np.median(values)
    # of a Gaussian sample the deviation is the median one times 1.48, and the median's error 1.25 times the mean's
    spread = 1.2533 * 1.4826 * np.median(np.abs(values - middle)) / np.sqrt(len(values))
    return float(middle), float(spread)


def median_ratio(first: np.ndarray, second: np.ndarray) -> float:
    """Ratio of medians."""
    return float(np.median(first) / np.median(second))


def log_ratio(first: np.ndarray, second: np.ndarray) -> float:
    """Binary logarithm of the ratio of geometric means: of errors that differ by factors between networks."""
    return float(np.log2(first).mean() - np.log2(second).mean())


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's, of the pairs above the diagonal where matrices are given."""
    if a.ndim == 2:
        above = np.triu_indices(len(a), 1)
        a, b = a[above], b[above]
    return float(np.corrcoef(a, b)[0, 1])
