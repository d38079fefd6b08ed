"""What does a network that adds modulo p learn first?

Frequency by frequency, the strongest in the template first. Each frequency that is learned lowers the loss by half of
its power, so that the levels of all plateaus are known from the template alone. From the weights of a seed the stages
of units predict when each frequency comes, before training.

The order stays the same with Adam, with minibatches and from ten times larger weights, and nearly so with cross-entropy
on the sums as classes. Times are predicted for the gradient flow of squared error.

Source: kunin2025, abstract and section on modular addition.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.architectures import Architecture
from festina.plot import COLOURS, loss, name_kinds

RATIO = 0.8  # amplitude of a frequency over that of the one learned before it
DOUBLINGS, MORE = 12, 1.2
"""How often the horizon is doubled at most, and the share of time after the last frequency that is shown."""

VARIANTS = ("training", "cross-entropy", "Adam", "minibatches", "larger weights")


class Settings(papers.Settings):
    moduli: tuple[int, ...] = setting((11, 20), "moduli p; 11 is our own choice")
    learned: int = setting(4, "frequencies after which training ends", least=1)
    units: int = setting(60, "hidden units", least=1)
    scale: float = setting(1e-2, "standard deviation of initial weights", above=0)
    larger: float = setting(0.1, "that of the larger ones", above=0)
    rate: float = setting(
        0.5, "step on the mean loss; inputs and targets have length one", "flow time per step", above=0
    )
    adam: float = setting(1e-3, "step of Adam", above=0)
    batch: int = setting(32, "pairs in a minibatch", least=1)
    seeds: int = setting(3, "networks of each modulus", least=1)
    seed: int = setting(0, "first of the seeds, and that of the template", least=0)


quick = Settings(moduli=(7,), learned=2, units=20, scale=3e-2, larger=0.1, rate=1.0, seeds=2)
caption = (
    "A network of quadratic units learns to add modulo p one frequency after the other. (a, b) Loss of networks "
    "(thick, pale), the prediction from their initial weights (thin, dark), and the levels that follow from the "
    "template (dotted). (c) How far each frequency of the outputs has come, for the larger modulus: trained (pale) and "
    "predicted (dark). (d) Input weights of the units that contribute most, by frequency, at the end: each unit has "
    "one. (e) Times at which frequencies are half learned. (f) Share of pairs of frequencies that come in the order of "
    "the template."
)


def template(p: int, seed: int) -> np.ndarray:
    """A template with zero mean and length 1 whose frequencies have amplitudes in the ratio 0.8, in a random order."""
    rng = np.random.default_rng(seed)
    frequencies = (p - 1) // 2
    coefficients = np.zeros(p // 2 + 1, complex)
    amplitudes = RATIO ** rng.permutation(frequencies)
    coefficients[1 : frequencies + 1] = amplitudes * np.exp(2j * np.pi * rng.random(frequencies))
    x = np.fft.irfft(coefficients, p)
    return x / np.linalg.norm(x)


def addition(x: np.ndarray) -> fs.Task:
    """All pairs (a, b): the template shifted by a and by b, and the target shifted by a + b modulo p."""
    p = len(x)
    shifted = np.array([np.roll(x, k) for k in range(p)])
    a, b = (part.ravel() for part in np.meshgrid(np.arange(p), np.arange(p), indexing="ij"))
    return fs.Task(np.hstack([shifted[a], shifted[b]]), shifted[(a + b) % p], name=f"addition modulo {p}")


def powers(x: np.ndarray) -> np.ndarray:
    """Share of each frequency 1 … (p−1)/2 in ‖x‖²; their order is that in which they are learned."""
    found = np.abs(np.fft.rfft(x)[1 : (len(x) - 1) // 2 + 1]) ** 2
    return found / found.sum()


def spectra(outputs: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far each frequency of the outputs has come, (times, frequencies): 1 where it is that of the targets."""
    wanted, got = (np.fft.rfft(part, axis=-1)[..., 1 : (y.shape[1] - 1) // 2 + 1] for part in (y, outputs))
    return np.real((got * wanted.conj()).sum(axis=-2)) / np.maximum((np.abs(wanted) ** 2).sum(axis=-2), 1e-300)


def halves(times, spectra):
    """When each frequency is half learned for good, ``inf`` where it is not."""
    found = []
    for one in spectra.T:
        below = np.flatnonzero(one < 0.5)
        k = below[-1] if len(below) else 0
        found.append(np.inf if k == len(one) - 1 else float(np.interp(0.5, one[k : k + 2], times[k : k + 2])))
    return np.array(found)


def horizon(network, task, learned, seed):
    """A time slightly after the predicted learning of this many frequencies; it grows as 1/scale."""
    end, when = 8 / network.scale, np.inf
    for _ in range(DOUBLINGS):
        run = fs.evolve(network, task, np.linspace(0, end, 101), method=fs.Reduced(), seed=seed)
        when = np.sort(halves(run.times, spectra(run.outputs, task.y)))[learned - 1]
        if np.isfinite(when):
            break
        end *= 2
    return MORE * min(when, end)


def in_order(powers, half):
    """Share of pairs of frequencies, at least one of them learned, that are learned in the order of their powers."""
    k, j = np.nonzero(powers[:, None] > powers[None, :])
    known = np.isfinite(half[k]) | np.isfinite(half[j])
    return float(np.mean((half[k] < half[j])[known])) if known.any() else 0.0


def compute(settings: Settings) -> papers.Results:
    """Predict and train networks of each modulus, and train variants of the first."""
    c = papers.Results(settings, predicted={}, trained={}, powers={}, levels={}, halves={}, spectra={}, variants={})
    seeds, see = range(settings.seed, settings.seed + settings.seeds), ("loss", "outputs")
    methods = {"predicted": (fs.Reduced(), see), "trained": (fs.Train(rate=settings.rate), (*see, "weights"))}
    for p in settings.moduli:
        x = template(p, settings.seed)
        task, network = addition(x), Architecture("quadratic", settings.units, settings.scale)
        times = np.linspace(0, max(horizon(network, task, settings.learned, seed) for seed in seeds), 801)
        both = {
            name: fs.evolve(network, task, times, method=method, observe=seen, **papers.seeds(settings))
            for name, (method, seen) in methods.items()
        }
        c.predicted[p], c.trained[p] = both.values()
        c.powers[p] = powers(x)
        c.levels[p] = 0.5 * (1 - np.concatenate([[0.0], np.cumsum(np.sort(c.powers[p])[::-1])]))
        c.spectra[p] = {name: np.array([spectra(o, task.y) for o in run.outputs]) for name, run in both.items()}
        c.halves[p] = {n: np.array([halves(run.times, one) for one in c.spectra[p][n]]) for n, run in both.items()}
    first = settings.moduli[0]
    x = template(first, settings.seed)
    task, end = addition(x), float(c.trained[first].times[-1])
    sums = np.add.outer(np.arange(first), np.arange(first)).ravel() % first
    classes = fs.Task(task.x, labels=sums, loss="cross_entropy")
    network = Architecture("quadratic", settings.units, settings.scale)
    larger = Architecture("quadratic", settings.units, settings.larger)
    ways = {
        "training": (network, task, fs.Train(rate=settings.rate), end),
        "cross-entropy": (network, classes, fs.Train(rate=settings.rate), 2 * end),
        "Adam": (network, task, fs.Train(rate=settings.adam, optimiser="adam"), 4.0),
        "minibatches": (network, task, fs.Train(rate=settings.rate, batch=settings.batch), end),
        "larger weights": (larger, task, fs.Train(rate=settings.rate), end),
    }
    for name, (which, what, method, until) in ways.items():
        run = fs.evolve(which, what, np.linspace(0, until, 401), method=method, observe=see, **papers.seeds(settings))
        # outputs of a softmax have no target at which they end: a frequency counts as learned at this amplitude
        share = 0.2 if name == "cross-entropy" else 1.0
        targets = np.eye(first)[np.argmax(what.y, axis=1)] if name == "cross-entropy" else what.y
        found = [halves(run.times, spectra(o, targets) / share) for o in run.outputs]
        c.variants[name] = np.array([in_order(c.powers[first], one) for one in found])
    return c


def _learned(c, p):
    """Which frequencies are learned in the trained and in the predicted run of each seed."""
    return np.isfinite(c.halves[p]["trained"]) & np.isfinite(c.halves[p]["predicted"])


@papers.panel(lambda c, at: f"Addition modulo {c.settings.moduli[at]}")
def _loss(c, ax, at):
    p = c.settings.moduli[at]
    loss(c.trained[p], ax, color=COLOURS[0])
    loss(c.predicted[p], ax, color=COLOURS[0])
    for level in c.levels[p]:
        ax.axhline(level, color="0.6", linewidth=0.6, linestyle=":")
    name_kinds(ax, "trained", "predicted")


@papers.panel("Frequencies of the outputs", "time (flow time)", "share learned", legend=None)
def _frequencies(c, ax):
    p = c.settings.moduli[-1]
    for place, k in enumerate(np.argsort(-c.powers[p])[: c.settings.learned + 1]):
        colour = COLOURS[place % len(COLOURS)]
        ax.plot(c.trained[p].times, c.spectra[p]["trained"][0][:, k], color=colour, linewidth=4, alpha=0.3)
        ax.plot(c.predicted[p].times, c.spectra[p]["predicted"][0][:, k], color=colour, linewidth=1)
        when = c.halves[p]["trained"][0][k]
        if np.isfinite(when):
            ax.text(when, 1.06, f"{k + 1}", color=colour, ha="center", fontsize=8)
    ax.set_ylim(-0.1, 1.2)


def _features(c):
    """Power of the input weights of the most active units by frequency, (units, frequencies), one seed, at the end."""
    p = c.settings.moduli[-1]
    first, second = (np.asarray(part)[0, -1] for part in c.trained[p]["weights"])
    size = np.linalg.norm(first, axis=0) ** 2 * np.linalg.norm(second, axis=1)
    power = np.abs(np.fft.rfft(first[:p], axis=0)[1 : (p - 1) // 2 + 1]) ** 2
    chosen = [k for k in np.argsort(-size) if size[k] > 0.05 * size.max()]
    chosen.sort(key=lambda k: int(np.argmax(power[:, k])))
    return power[:, chosen] / power[:, chosen].sum(axis=0)


@papers.panel("Units at the end", "unit", "frequency", legend=None)
def _units(c, ax):
    power = _features(c)
    extent = (0.5, power.shape[1] + 0.5, 0.5, len(power) + 0.5)
    ax.imshow(power, aspect="auto", origin="lower", cmap=fs.plot.SIZES, vmin=0, vmax=1, extent=extent)
    ax.set_yticks(range(1, len(power) + 1))
    ax.set_xticks(range(1, power.shape[1] + 1, 4))


@papers.panel("Time of each frequency", "predicted (flow time)", "trained (flow time)")
def _times(c, ax):
    for place, p in enumerate(c.settings.moduli):
        kept = _learned(c, p)
        predicted, trained = c.halves[p]["predicted"][kept], c.halves[p]["trained"][kept]
        ax.plot(predicted, trained, "o", color=COLOURS[place], markersize=4, label=f"p = {p}")
        if len(predicted):
            ends = [0.8 * predicted.min(), 1.2 * predicted.max()]
            ax.plot(ends, ends, color="0.6", linewidth=0.8, zorder=0)


@papers.panel("What is left of the order", "", "pairs in order", legend=None, ylim=(0, 1.05))
def _variants(c, ax):
    for k, name in enumerate(VARIANTS):
        ax.plot(np.full(len(c.variants[name]), k), c.variants[name], "o", color=COLOURS[k % len(COLOURS)], markersize=5)
    ax.axhline(0.5, color="0.6", linewidth=0.8, linestyle="--")
    ax.set_xticks(range(len(VARIANTS)), [name.replace(" ", "\n").replace("-", "-\n") for name in VARIANTS], fontsize=7)


_last_loss = replace(_loss.of(-1), when=lambda c: len(c.settings.moduli) > 1)
panels = (_loss.of(0), _last_loss, _frequencies, _units, _times, _variants)


@papers.claim("kunin2025 abstract", at_least=0.95, because="19 of 20 pairs: a conventional level")
def _order(c):
    """Quadratic networks that learn to add modulo p learn frequencies in decreasing order of their amplitude in the
    template (share of pairs of frequencies in that order, mean over networks and moduli)."""
    return papers.mean([in_order(c.powers[p], half) for p in c.settings.moduli for half in c.halves[p]["trained"]])


@papers.claim("kunin2025 abstract", at_most=0.05, because="5 %, the tolerance for times of stages")
def _time_of_each(c):
    """From the initial weights of a network the stages of units predict when each frequency is half learned (relative
    error, median over frequencies, networks and moduli)."""
    errors = []
    for p in c.settings.moduli:
        predicted, trained = (c.halves[p][name][_learned(c, p)] for name in ("predicted", "trained"))
        errors.append(np.abs(predicted / trained - 1))
    return papers.median(np.concatenate(errors))


@papers.claim("kunin2025, section on modular addition", at_most=0.05, because="5 % of the first loss")
def _level(c):
    """Between two frequencies the loss rests at half of the power of the frequencies not yet learned (difference where
    the loss falls most slowly between two frequencies, relative to the first loss, median over plateaus)."""
    away = []
    for p in c.settings.moduli:
        times = c.trained[p].times
        for run, half in zip(c.trained[p].loss, c.halves[p]["trained"], strict=True):
            for k, (a, b) in enumerate(pairwise(np.sort(half[np.isfinite(half)]))):
                inside = np.flatnonzero((times >= a) & (times <= b))
                if len(inside) > 2:
                    rest = inside[np.argmin(-np.gradient(run, times)[inside])]
                    away.append(abs(run[rest] - c.levels[p][k + 1]) / c.levels[p][0])
    return papers.median(away)


@papers.claim(
    "kunin2025, section on modular addition", at_least=0.8, because="four fifths of the power in one frequency"
)
def _one_frequency_per_unit(c):
    """Each unit that contributes has one frequency (share of the power of its input weights, mean over the units of one
    network)."""
    return papers.mean(_features(c).max(axis=0))


def _variant(name, statement):
    return papers.Claim[papers.Results](
        f"order with {name}", statement + " (share of pairs in order, mean over networks).",
        lambda c: papers.mean(c.variants[name]), 0.8, ">=", kind="extension",
        source="kunin2025 abstract; the variant is ours", reason="four of five pairs; half would be chance",
    )  # fmt: skip


claims = (
    _order,
    _time_of_each,
    _level,
    _one_frequency_per_unit,
    _variant("cross-entropy", "With cross-entropy on the p sums as classes frequencies are learned in the same order"),
    _variant("Adam", "With Adam frequencies are learned in the order of their amplitude"),
    _variant("minibatches", "With minibatches frequencies are learned in the order of their amplitude"),
    _variant("larger weights", "From ten times larger weights frequencies are learned in the order of their amplitude"),
)
