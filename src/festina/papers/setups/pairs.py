"""Trials of two points and their fits, which several experiments share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import festina as fs
from festina import papers
from festina.plot import look
from festina.representation import Pair, fit
from festina.tasks import two_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ARCHITECTURES = (
    "default", "convolution", "skip connections", "shallow", "narrow", "dropout", "linear", "relu", "elu", "tanh",
    "swish",
)  # fmt: skip


class Trials:
    """Networks of one kind on two points, and the theory fitted to each.

    Attributes:
        run: the trajectory of all networks.
        fits: the theory that comes nearest to each network that did not diverge within four observed times.
        learned: which of them left the plateau: their loss fell below a fiftieth of where it started.
        shown: the fits of those that learned, or all where none did. A curve that never moves is no test of a theory.
        errors, loss_errors: of each fit that is shown, over the three curves and over the loss.
    """

    def __init__(self, run: fs.Trajectory) -> None:
        whole = [seed for k, seed in enumerate(run.seeds or ()) if np.isfinite(run["distances"][k, :4]).all()]
        self.run, self.fits = run, [fit(Pair.from_trajectory(run, seed=seed)) for seed in whole]
        self.learned = np.array([f.pair.loss[-1] < f.pair.loss[0] / 50 for f in self.fits])
        self.shown = [f for f, learned in zip(self.fits, self.learned, strict=True) if learned] or self.fits
        self.errors, self.loss_errors = np.array([(f.error, f.errors["loss"]) for f in self.shown]).reshape(-1, 2).T

    @property
    def typical(self) -> Any:
        """The fit that is shown."""
        return typical(self.shown)

    @property
    def ratio(self) -> float:
        """τy/τh of the median rates."""
        return float(np.median([f.rates.h for f in self.shown]) / np.median([f.rates.y for f in self.shown]))


def typical(fits: Sequence[Any]) -> Any:
    """The fit whose error is the median (the lower of the middle two)."""
    return sorted(fits, key=lambda found: found.error)[(len(fits) - 1) // 2]


def off(guess: Pair, found: Pair) -> float:
    """Relative error of h, y and w up to where the shorter of two curves ends."""
    count = min(len(found.h), len(guess.h))
    gap = sum(np.sum((getattr(guess, c)[:count] - getattr(found, c)[:count]) ** 2) for c in "hyw")
    return float(np.sqrt(gap / sum(np.sum(getattr(found, c) ** 2) for c in "hyw")))


def train(
    plan: papers.Published, task: fs.Task, seeds: int, seed: int = 0, *, optimiser: str = "gd", rate: float = 0.0
) -> Trials:
    """Train a published setting on two points and fit each trial; ``rate`` is the step of another optimiser."""
    step = rate or plan.rate
    method = fs.Train(step, precision="single", optimiser=optimiser)
    times, observe = plan.times(401) * (step / plan.rate), ("loss", "distances", "outputs")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the loss rose")  # as it does at some published rates
        run = fs.evolve(plan.network, task, times, seed=seed, seeds=seeds, method=method, observe=observe)
    return Trials(run)


def unfitted_errors(plan: papers.Published, task: fs.Task, trials: Trials, count: int) -> np.ndarray:
    """Relative error of h, y and w by the effective theory with rates from tangent kernels, of the first trials."""
    run, seeds = trials.run, (trials.run.seeds or (0,))[:count]
    given: Any = {"method": fs.Reduced(), "observe": ("distances", "outputs")}
    theory = fs.evolve(plan.network, task, run.times, seed=seeds[0], seeds=len(seeds), **given)
    return np.array([off(*(Pair.from_trajectory(path, seed=seed) for path in (theory, run))) for seed in seeds])


def log_ratio(first: np.ndarray, second: np.ndarray) -> float:
    """Binary logarithm of the ratio of geometric means: of errors that differ by factors between networks."""
    return float(np.log2(first).mean() - np.log2(second).mean())


def curves(
    of: Callable[[Any], Any], title: str, *, legend: dict[str, Any] | None = None, **options: Any
) -> papers.Panel:
    """A panel of two points, trained and by the fitted theory with its error; ``of`` gives the fit of the results."""

    def draw(c, ax: Axes) -> None:
        fs.plot.two_points(of(c), ax)
        if legend is not None:
            ax.set_ylim(top=1.6 * ax.get_ylim()[1])

    legend = None if legend is None else {"loc": "upper right", "ncols": 2, "columnspacing": 1.0, **legend}
    return papers.panel(lambda c: f"{title}: error {of(c).error:.0%}", legend=legend, **options)(draw)


def panels(
    names: Sequence[str], main: Sequence[str], losses: Sequence[str], title: str, loss_title: Callable[[Any, str], str]
) -> tuple[papers.Panel, ...]:
    """The curves of the typical one of ``results.trials[name]`` for each name, then its loss.

    Pages show the curves of ``main`` and the loss of ``losses``; the panels of the first name have a legend.
    """

    def draw(c, ax: Axes, name: str) -> None:
        found = c.trials[name].typical
        ax.plot(found.pair.times, found.pair.loss, label="trained", **look("trained"))
        ax.plot(found.pair.times, found.theory.loss(found.pair.times), label="predicted", **look("predicted"))

    above, below = [], []
    for name in names:
        shown: dict[str, Any] = {"when": lambda c, name=name: name in c.trials}
        first, words = name == names[0], title.format(name[0].upper() + name[1:])
        legend, detail = {} if first else None, name not in main
        above.append(curves(lambda c, n=name: c.trials[n].typical, words, legend=legend, detail=detail, **shown))
        legend = "upper right" if first else None
        loss = papers.panel(loss_title, "flow time", "loss", legend=legend, **shown)(draw)
        below.append(loss.of(name, detail=name not in losses))
    return *above, *below


def train_grid(plan: papers.Published, spans: Sequence[tuple[float, float]], seed: int) -> list[Pair | None]:
    """Train a published setting once for each pair of distances; None if a trial diverged before its fourth time."""
    many, task = OwnPoints(plan.network, tuple(spans), seed), two_points(*spans[0])
    given: Any = {"method": fs.Train(plan.rate, precision="single"), "observe": ("loss", "distances", "outputs")}
    run = fs.evolve(many, task, plan.times(21), seed=seed, seeds=len(spans), **given)

    def pair(k: int) -> Pair:
        own, distances = two_points(*spans[k]), run["distances"][k, :, 0, 0]
        return Pair.from_outputs(run.times, own.x, own.y, distances, run["outputs"][k], unit=run.unit)

    return [pair(k) if np.isfinite(run["distances"][k, :4]).all() else None for k in range(len(spans))]


@dataclass(frozen=True)
class OwnPoints(fs.Network):
    """A network that learns two other points in each seed, so that a grid of trials is trained as one batch.

    The points are among the weights of the seed. ``spans`` are the distances (dx, dy) of inputs and of targets, one
    pair per seed, from the seed ``first`` on.
    """

    network: fs.FeedForward
    spans: tuple[tuple[float, float], ...]
    first: int = 0

    noisy = property(lambda self: self.network.noisy)  # pyright: ignore[reportAssignmentType]
    axes = property(lambda self: self.network.axes)
    predict = property(lambda self: lambda weights, x: self.network.predict(weights["layers"], x))
    loss = property(lambda self: _OwnLoss(self.network.loss))
    observables = property(lambda self: _OwnObservables(self.network.observables))

    def start(self, task: fs.Task, seed: int) -> Any:
        """The network's own start, and the seed's two points."""
        own = two_points(*self.spans[seed - self.first])
        return {"layers": self.network.start(own, seed), "x": own.x, "y": own.y}


@dataclass(frozen=True)
class _OwnLoss:
    """The loss on the seed's own two points, which are not trained."""

    inner: Callable[..., Any]

    def __call__(self, weights: dict[str, Any], data, key=None) -> Any:
        import jax

        x, y = (jax.lax.stop_gradient(weights[name]) for name in ("x", "y"))
        return self.inner(weights["layers"], data._replace(x=x, y=y), key)


@dataclass(frozen=True)
class _OwnObservables:
    inner: Callable[..., Any]

    def __call__(self, context: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
        def of(name: str) -> Callable[[Any], Any]:
            def observe(weights: dict[str, Any]) -> Any:
                own = {"data": context["data"]._replace(x=weights["x"], y=weights["y"]), "observed": weights["x"]}
                return self.inner(own)[name](weights["layers"])

            return observe

        return {name: of(name) for name in ("loss", "outputs", "distances")}
