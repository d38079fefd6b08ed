"""When does a ReLU network switch from linear to XOR gating, and how fast does it learn?

Four points form XOR in two inputs and are linearly separable, with margin 2Δ, in a third. Two gatings compete: two
pathways by the sign of the target, or one pathway per data point. Both are solved in closed form. Each starts with the
strength of random ReLU units once their gates have settled (``fs.relu.initial_strengths``, the same rule as in the
context tasks). The finite step is included, so nothing is left to choose. A ReLU network learns like the faster of the
two, which changes at Δ = √(2/3): networks learn XOR gating well before they need it. Another theory chooses no gating.
It follows the units of each network from its own initial weights, with the step size of training
(``fs.Reduced(fs.relu.UnitGrowth(rate=…))`` on the ReLU network).

Source: jarvis2025 section 3, Fig. 2, App. C; saxe_lecture "Example: transition to nonlinearity".
"""

import numpy as np
import scipy

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look
from festina.runtime import track

GATINGS = {"linear": "linear gating", "xor": "XOR gating"}
DRAWS = 4096  # random units from which initial strengths are found: 2 % of sampling error, a tenth of a step


class Settings(papers.Settings):
    deltas: tuple[float, ...] = setting(
        tuple(np.arange(0.0, 3.01, 0.25).tolist()), "margins of the separable input", least=0
    )
    seeds: int = setting(20, "ReLU networks trained at each margin", least=1)
    seed: int = setting(0, "the first of their seeds", least=0)
    followed: int = setting(5, "of them, how many are followed from their own initial weights", least=1)
    hidden: int = setting(128, "hidden units", least=1)
    variance: float = setting(4e-8, "variance of an initial weight, times the number of hidden units", above=0)
    rate: float = setting(0.4, "step size on the mean loss", "flow time per step", above=0)
    criterion: float = setting(0.2, "loss that counts as learned", above=0)
    steps: int = setting(160, "longest training, in steps", least=1)


quick = Settings(deltas=(0.0, 0.5, 1.0, 2.0, 3.0), seeds=20)
caption = (
    "The faster of two gatings predicts when ReLU networks learn an extended XOR task, on both sides of the "
    "crossover. (a) Steps to learn against the margin Δ. Dots are ReLU networks (± two standard deviations), bars "
    "closed forms of both gatings, crosses the theory of units from the networks' own initial weights; the crossover "
    "is dotted. Near Δ = 1.5 few units end in single points, which makes XOR gating late. (b, c) Loss below and above "
    "the crossover: ReLU networks (thick, pale, with the middle 90 %) and both gatings (thin)."
)


def compute(settings: Settings) -> papers.Results:
    """Solve both gatings and train the networks, margin by margin."""
    c = papers.Results(settings, steps=np.arange(settings.steps + 1.0))
    rate, std = settings.rate, float(np.sqrt(settings.variance / settings.hidden))
    relu = fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(std))
    closed, units = fs.Reduced(fs.gated.FiniteStepPathways(rate)), fs.Reduced(fs.relu.UnitGrowth(rate=rate))
    own = min(settings.followed, settings.seeds)
    runs = {name: [] for name in (*GATINGS, "relu", "own")}
    for delta in track(settings.deltas, "margins"):
        task = fs.tasks.extended_xor(delta)
        for name, gates in _gatings(task).items():
            strengths = fs.relu.initial_strengths(task, gates, hidden=settings.hidden, std=std, rate=rate, draws=DRAWS)
            start = {f"pathway {i + 1}": float(np.sqrt(strength)) for i, strength in enumerate(strengths)}
            network = fs.gated.pathways(gates, 1, initial=fs.gated.Decoupled(start))
            runs[name].append(fs.evolve(network, task, rate * c.steps, method=closed))
        for name, method, seeds in (("relu", fs.Train(rate=rate), settings.seeds), ("own", units, own)):
            runs[name].append(fs.evolve(relu, task, rate * c.steps, method=method, seed=settings.seed, seeds=seeds))
    c.loss = {name: np.array([run.loss for run in found]) for name, found in runs.items()}
    reached = {name: [run.first_passage(settings.criterion) for run in found] for name, found in runs.items()}
    c.learned = {name: np.array(found) / rate for name, found in reached.items()}  # in steps, by margin
    c.own_errors = c.learned["own"] - c.learned["relu"][:, :own]
    c.fastest = np.minimum(c.learned["linear"], c.learned["xor"])
    c.best = np.where(c.learned["linear"] < c.learned["xor"], c.loss["linear"].T, c.loss["xor"].T).T
    # the two gatings are equally fast where their singular values are equal, which follows from the data alone
    c.crossover = scipy.optimize.brentq(lambda d: _largest(d, "linear") - _largest(d, "xor"), 1e-3, 3.0, xtol=1e-12)
    c.below = np.array(settings.deltas) < c.crossover
    return c


def _gatings(task: fs.Task) -> dict[str, np.ndarray]:
    """Points at which the pathways of both gatings are open, (pathways, points)."""
    sign = task.y[:, 0]
    return {"linear": np.array([sign > 0, sign < 0]), "xor": np.eye(len(sign), dtype=bool)}


def _largest(delta: float, gating: str) -> float:
    """The largest singular value that a pathway of a gating sees."""
    task = fs.tasks.extended_xor(delta)
    network = fs.gated.pathways(_gatings(task)[gating], 1, initial=fs.gated.Decoupled(1.0))
    return float(task.statistics(network).effective[0].strengths.max(initial=0.0))


@papers.panel("Learning time", "margin Δ", lambda c: f"steps to loss {c.settings.criterion:g}", legend="upper right")
def _time_by_margin(c, ax):
    deltas, relu = c.settings.deltas, c.learned["relu"]
    # each margin is computed for itself, so that nothing is drawn between them
    for (name, label), colour in zip(GATINGS.items(), COLOURS, strict=False):
        bar = {"marker": "_", "markersize": 13, "markeredgewidth": 2.0, "linestyle": ""}
        ax.plot(deltas, c.learned[name], label=f"{label}, closed form", **look("predicted", colour, **bar))
    mean, spread = relu.mean(axis=1), relu.std(axis=1)
    ax.errorbar(deltas, mean, 2 * spread, label=f"ReLU, {c.settings.seeds} networks", **dots())
    ax.plot(deltas, c.learned["own"].mean(axis=1), "k+", markersize=6, label="units, own weights", zorder=4)
    ax.axvline(c.crossover, color="0.5", linestyle=":", linewidth=1)
    ax.annotate("Δ = √(2/3)", (c.crossover, 0), (4, 4), textcoords="offset points", color="0.35", fontsize=8)
    ax.set_ylim(0, 1.7 * float(np.max(mean + 2 * spread)))


@papers.panel("", "steps", "loss", legend="lower left")
def _losses(c, ax, side):
    deltas = np.array(c.settings.deltas)
    i = np.flatnonzero(c.below)[-1] if side == "Below" else np.flatnonzero(deltas > 2 * c.crossover)[0]
    low, high = np.quantile(c.loss["relu"][i], [0.05, 0.95], axis=0)
    ax.fill_between(c.steps, low, high, color="0.8", linewidth=0)
    ax.plot(c.steps, c.loss["relu"][i].mean(axis=0), label="ReLU, trained", **look("trained"))
    papers.lines(ax, c.steps, {label: c.loss[name][i] for name, label in GATINGS.items()})
    ax.axhline(c.settings.criterion, color="0.7", linewidth=0.8)
    ax.set(xlim=(0, min(2 * c.fastest[i], c.settings.steps)), title=f"{side} the crossover, Δ = {deltas[i]:g}")


panels = (_time_by_margin, _losses.of("Below"), _losses.of("Above"))
APART = ("two networks", lambda c: papers.between(lambda a, b: np.abs(a - b), c.learned["relu"].T).max())
UNITS = "theory of units; jarvis2025 Fig. 2d for the networks"
CURVES_APART = ("two networks", lambda c: max(papers.two_networks(c.steps, losses) for losses in c.loss["relu"]))


@papers.claim("jarvis2025 Fig. 2d", at_most=2.0, floor=APART, because="two steps, a few per cent of the learning time")
def _time(c):
    """The closed form of the faster gating predicts the learning time of ReLU networks on extended XOR at every margin
    Δ, with no free parameter (largest error over Δ of the mean over networks, in steps)."""
    return papers.resampled(lambda steps: np.abs(steps.mean(axis=0) - c.fastest).max(), c.learned["relu"].T)


@papers.extension(UNITS, at_most=2.0, floor=APART, because="two steps, as for the closed form")
def _own(c):
    """Units followed from each network's own initial weights, without any choice of gating, predict its learning time
    on extended XOR (largest error over Δ of the mean over networks, in steps)."""
    return papers.resampled(lambda errors: np.abs(errors.mean(axis=0)).max(), c.own_errors.T)


@papers.claim("jarvis2025 eq. (26)", kind="identity", at_most=1e-9, because="rounding")
def _crossover(c):
    """On extended XOR linear gating and XOR gating are equally fast at the margin Δ = √(2/3) (distance)."""
    return abs(c.crossover - np.sqrt(2 / 3))


@papers.claim("jarvis2025 Fig. 2e", at_most=0.05, floor=CURVES_APART, because="5 %, a conventional tolerance")
def _trajectory(c):
    """The loss curve of ReLU networks on extended XOR equals that of the faster gating (largest area between them over
    Δ)."""

    def largest(losses):
        mean = losses.mean(axis=0)
        return (np.abs(c.best - mean).sum(axis=1) / mean.sum(axis=1)).max()

    return papers.resampled(largest, c.loss["relu"].swapaxes(0, 1))


@papers.claim(
    "jarvis2025 section 3", at_least=5.0, because="five steps, more than twice the error allowed to the prediction"
)
def _winner(c):
    """Below the crossover ReLU networks learn with XOR gating: linear gating would be later by at least five steps
    (smallest lead over Δ)."""
    lead = c.learned["linear"][c.below, None] - c.learned["relu"][c.below]
    return papers.resampled(lambda each: each.mean(axis=0).min(), lead.T)
