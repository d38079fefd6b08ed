"""Does the theory survive Adam?

Not its time course, which was derived for gradient descent: two points trained by Adam are followed much worse. Much of
the final structure is predicted: XOR's pairs merge from small weights, irrelevant features collapse, and digits of a
class come together. The distances between digits are nearer to those of a linear network than to those of the theory of
pairs.

Source: vanrossem2024 Fig. 13, Fig. 14, Fig. 15, Fig. 16, App. C.3
"""

from dataclasses import replace

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.experiments import blobs, digits, xor_structure
from festina.papers.experiments.xor_structure import BOTH, FARTHER, SHALLOW
from festina.papers.setups import pairs, structure
from festina.papers.setups.structure import INPUTS, LINEAR, TRAINED
from festina.plot import COLOURS


class Settings(papers.Settings):
    width: int = setting(200, "units per layer of the deep networks; the paper has 500", least=1, published=500)
    hidden: int = setting(20, "hidden layers of the deep networks", least=1)
    rate: float = setting(1e-5, "Adam's step on two points", above=0)
    epochs: int = setting(3000, "epochs on two points", least=1)
    xor_gains: tuple[float, float] = setting((0.85, 2.0), "gains on XOR: low, high", above=0)
    xor_rate: float = setting(1e-4, "Adam's step on XOR", above=0)
    shallow_gain: float = setting(0.0015, "gain of the network with one hidden layer on XOR", above=0)
    shallow_rate: float = setting(1e-3, "Adam's step of the network with one hidden layer on XOR", above=0)
    xor_epochs: int = setting(2000, "epochs on XOR", least=1)
    grid: int = setting(15, "positions per axis of the blobs", least=1, published=30)
    blob_gains: tuple[float, float] = setting((0.5, 2.0), "gains on blobs: low, high", above=0)
    blob_epochs: int = setting(1500, "epochs on blobs", least=1)
    items: int = setting(1000, "digits to train on", least=1)
    digit_epochs: int = setting(150, "epochs on digits", least=1)
    blob_rate: float = setting(1e-3, "Adam's step on blobs", above=0)
    digit_rate: float = setting(1e-4, "Adam's step on digits", above=0)
    trials: int = setting(8, "networks on two points", least=1)
    seeds: int = setting(4, "networks of each other kind", least=1)


quick = Settings(
    width=60, hidden=10, rate=4e-5, epochs=750, xor_rate=3e-4, xor_epochs=600, grid=8, blob_epochs=2000, items=300,
    digit_epochs=60, trials=4, seeds=3,
)  # fmt: skip
caption = (
    "With Adam the time course of the theory is lost, while much of the final structure remains. (a, d) Two points "
    "trained by gradient descent and by Adam (thick, pale), with the theory (thin, dark). (b, e) Final distances "
    "between the points of XOR from low and high weights, by Adam. (c, f) Distances between digits, trained by Adam "
    "and by the theory. Each matrix is shown in units of its largest distance."
)


def compute(settings: Settings) -> papers.Results:
    """Two points by Adam and by gradient descent; XOR, blobs and digits by Adam, also in linear networks."""
    c, points = papers.Results(settings, distances={}, collapse={}), fs.tasks.two_points("released")
    deep, narrow = fs.FeedForward((settings.width,) * settings.hidden), min(settings.width, 100)
    plan = replace(papers.published("default", settings.width, 3000, 2.0), network=deep)
    c.descent = pairs.train(plan, points, settings.trials, settings.seed)
    by_adam = replace(plan, epochs=settings.epochs)
    c.adam = pairs.train(by_adam, points, settings.trials, settings.seed, optimiser="adam", rate=settings.rate)
    c.errors = {"adam": c.adam.errors, "descent": c.descent.errors}
    which = settings.seeds, settings.seed

    def xor(network: fs.FeedForward, rate: float) -> dict[str, np.ndarray]:
        plan = settings.xor_epochs, rate, *which, c.descent.ratio, "adam"
        linear = xor_structure.train(replace(network, activation="linear"), *plan)[TRAINED]
        return {**xor_structure.given(), LINEAR: linear, **xor_structure.train(network, *plan)}

    for name, gain, blob_gain in zip(("low", "high"), settings.xor_gains, settings.blob_gains, strict=True):
        c.distances[name] = xor(replace(deep, gain=gain), settings.xor_rate)
        plan = blobs.task(settings.grid), settings.blob_epochs, settings.blob_rate, *which, 32, "adam"
        kinds = {n: fs.FeedForward((narrow,) * 4, n, blob_gain) for n in ("tanh", "linear")}
        trained, linear = (blobs.collapse(blobs.train(network, *plan)) for network in kinds.values())
        c.collapse[name] = {TRAINED: trained, LINEAR: linear}
    shallow = fs.FeedForward((settings.width,), gain=settings.shallow_gain)
    c.distances[SHALLOW] = xor(shallow, settings.shallow_rate)
    own = digits.Settings(items=settings.items, epochs=settings.digit_epochs, rate=settings.digit_rate)
    own = replace(own, optimiser="adam", width=narrow, seeds=settings.seeds, seed=settings.seed)
    c.digits = digits.compute(own)
    c.correlations = c.digits.correlations
    return c


def _collapse(c, name):
    """Spread along the irrelevant over that along the relevant feature, from small over large weights."""
    # the inputs and the targets are the same from all weights; the targets have no irrelevant feature at all
    if name not in (TRAINED, LINEAR):
        return 1.0 if name == INPUTS else np.nan
    return structure.median_ratio(*(c.collapse[weights][name] for weights in ("low", "high")))


def _xor(name):
    """A panel of the distances between the points of XOR."""
    of, groups = lambda c: np.median(c.distances[name][TRAINED], axis=0), lambda c: xor_structure.LABELS
    return structure.matrix(of, f"XOR, {name} weights", groups, 1.0)


@papers.panel("Blobs: collapse", "initial weights", "irrelevant / relevant spread", detail=True)
def _blob_panel(c, ax):
    ax.bar([*c.collapse], [float(np.median(found[TRAINED])) for found in c.collapse.values()], color=COLOURS[0])


@papers.panel("Digits: what predicts the distances", "correlation with trained distances", legend=None, detail=True)
def _correlations(c, ax):
    digits.correlations.draw(c, ax)


def _digits(name, title):
    """A panel of the distances between digits."""
    of, groups = lambda c: digits.distances(c.digits, name), lambda c: c.digits.labels
    return structure.matrix(of, title, groups, x="digit", y="digit")


SMALL = {"columnspacing": 0.8, "handlelength": 1.2, "fontsize": 7}
panels = (
    pairs.curves(lambda c: c.descent.typical, "Gradient descent", legend=SMALL),
    _xor("low"),
    _digits(TRAINED, "Digits, trained by Adam"),
    pairs.curves(lambda c: c.adam.typical, "Adam"),
    _xor("high"),
    _digits(digits.WEIGHTED, "Digits, theory"),
    _blob_panel,
    _correlations,
)


@xor_structure.claim(
    "vanrossem2024 Fig. 14 (right)", SHALLOW, FARTHER, at_least=0.5, because="one half; the inputs have 2"
)
def _one_hidden_layer(c):
    """With Adam one pair of XOR points with equal targets stays apart in a network of one hidden layer (distance of the
    farther pair over that of other pairs, median over trials)."""


@papers.claim(
    "vanrossem2024 Fig. 13",
    at_least=1.0,
    because="1: a factor of two; errors differ by factors between networks, so that logarithms are compared",
)
def _time_course(c):
    """With Adam the theory of two points fits worse than with gradient descent (binary logarithm of the ratio of
    geometric mean errors)."""
    return papers.resampled(pairs.log_ratio, c.errors["adam"], c.errors["descent"])


@xor_structure.claim(
    "vanrossem2024 Fig. 14", "low", BOTH, name="xor", at_most=0.2, because="a fifth; the inputs have 2"
)
def _xor_merges(c):
    """With Adam the points of XOR with equal targets merge in a deep network from small weights (their distance over
    that of other pairs, median over trials)."""


@xor_structure.claim(
    "vanrossem2024 Fig. 14",
    "high",
    BOTH,
    name="xor, lazy",
    at_least=1.0,
    because="1, the value of unrelated points; the inputs have 2",
)
def _xor_lazy(c):
    """With Adam the points of XOR with equal targets stay apart in a deep network from large weights (their distance
    over that of other pairs, median over trials)."""


@papers.claim("vanrossem2024 Fig. 15", at_most=0.5, because="a factor of two", baseline=structure.nearest(_collapse))
def _blobs(c):
    """With Adam the irrelevant feature of blobs collapses from small weights (spread along it over that along the
    relevant feature, median from small over median from large weights)."""
    return papers.resampled(structure.median_ratio, *(c.collapse[weights][TRAINED] for weights in ("low", "high")))


@papers.extension(
    "vanrossem2024 Fig. 16, on MNIST",
    name="digits",
    at_least=0.5,
    because="0.5, a conventional threshold",
    baseline=structure.best(digits.score),
)
def _digits_resemble(c):
    """With Adam the distances between digits in a trained network resemble those of the theory of pairs with
    exponential weighting (correlation over pairs)."""
    return c.correlations[digits.WEIGHTED]
