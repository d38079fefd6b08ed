"""Do the weights of a linear network align with the modes of its task before anything is learned?

Yes, and the strength s of the strongest mode alone decides when. While weights are small, its hidden vectors, W₁v and
W₂ᵀu, grow along their sum and shrink along their difference at the rate s. Their cosine is therefore tanh(2st) on
average, whatever the width and the size of the weights. By then hardly any of the loss is gone. Closed forms that
assume alignment from the start are early by ln 2/(2s), because only half of the strength of random weights lies along
the sum.

The other assumptions of the derivation hold too. Small stochastic steps follow the same path. The singular values of
Σyx set the time course on white inputs, and nearly so on inputs whose variances differ fourfold. A hidden layer that is
too narrow learns the strongest modes. Where inputs are correlated in other directions than the modes, the equations of
all modes together replace those of each alone.

Source: jarvis2025 Assumption 2.1, App. A.1, Proposition 4.2; saxe2014; saxe2019.
"""

import warnings

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look, loss
from festina.runtime import track

ALIGNED = 0.9  # cosine from which on the two hidden vectors of a mode count as aligned
INPUTS, OUTPUTS, POINTS = 8, 6, 40


class Settings(papers.Settings):
    strengths: tuple[float, ...] = setting((4.0, 2.0, 1.0), "singular values of the task, in falling order", above=0)
    widths: tuple[int, ...] = setting((16, 32, 64, 128, 256, 512), "widths of the hidden layer", least=8)
    std: float = setting(1e-4, "standard deviation of the initial weights", above=0)
    rate: float = setting(0.001, "step of gradient descent, full and stochastic", "flow time per step", above=0)
    seeds: int = setting(20, "networks of each width", least=2)
    sets: int = setting(5, "data sets with the same singular values", least=2)


quick = Settings(widths=(16, 128), seeds=12, rate=0.002, sets=3)
caption = (
    "The weights of a linear network align with the strongest mode before anything is learned, at a time that depends"
    " only on its strength. (a) Cosine of the two hidden vectors of the strongest mode, trained (thick) and tanh(2st)"
    " (thin), and the share of the loss that is gone (dotted). (b) Time of alignment against the width; line: theory."
    " (c) Loss of trained networks, and of the closed form that assumes alignment from the start, as it is and moved "
    "by ln 2/(2s). (d) Full-batch and stochastic gradient descent. (e) Loss on data sets with the same singular "
    "values, inputs white or not. (f) Strengths learned by hidden layers that are too narrow; rings: the strongest "
    "modes."
)


def data(strengths: tuple[float, ...], seed: int, curvatures: tuple[float, float] = (1.0, 1.0)) -> fs.Task:
    """Random data with these singular values of Σyx; inputs are white, or have variances between two curvatures."""
    rng, count = np.random.default_rng(seed), len(strengths)
    x = np.sqrt(POINTS) * np.linalg.qr(rng.standard_normal((POINTS, INPUTS)))[0]
    left, right = (np.linalg.qr(rng.standard_normal((n, n)))[0] for n in (OUTPUTS, INPUTS))
    variances = np.linspace(*curvatures, INPUTS)
    # Σx = V diag(d) Vᵀ and Σyx = U S Vᵀ: targets Σyx Σx⁻¹ x
    mapping = left[:, :count] * (np.array(strengths) / variances[:count]) @ right[:, :count].T
    x = x @ (right * np.sqrt(variances)) @ right.T
    return fs.Task(x, x @ mapping.T, name=f"data set {seed}")


def compute(settings: Settings) -> papers.Results:
    """Follow the alignment at every width; then steps, data sets and narrow layers at one of them."""
    c, s = papers.Results(settings, cosines={}, gone={}, aligned={}), settings
    task, top = data(s.strengths, 0), s.strengths[0]
    c.theory = float(np.arctanh(ALIGNED) / (2 * top))
    c.early, random = np.linspace(0, 4 * c.theory, 161), fs.initial.Gaussian(s.std)
    seeds, left, right = papers.seeds(s), task.statistics.left[:, 0], task.statistics.right[:, 0]
    for width in track(s.widths, "widths"):
        network = fs.DeepLinear((width,), initial=random)
        run = fs.evolve(network, task, c.early, method=fs.Flow(), observe=("loss", "weights"), **seeds)
        first, second = run.weights[0] @ right, np.einsum("stoh,o->sth", run.weights[1], left)
        sizes = np.linalg.norm(first, axis=2) * np.linalg.norm(second, axis=2)
        c.cosines[width] = (first * second).sum(axis=2) / sizes
        c.aligned[width] = np.array([fs.analysis.first_passage(c.early, -each, -ALIGNED) for each in c.cosines[width]])
        c.gone[width] = 1 - run.loss / run.loss[:, :1]
    _assume(c, task)
    _descend(c, task)
    _vary(c)
    _narrow(c, task)
    _correlate(c)
    return c


def _network(s: Settings) -> fs.DeepLinear:
    """A network of the middle width."""
    return fs.DeepLinear((s.widths[len(s.widths) // 2],), initial=fs.initial.Gaussian(s.std))


def _times(c, factor=2.0) -> np.ndarray:
    """Until all modes are learned: a multiple of the half-time of the weakest mode from the expected start."""
    s = c.settings
    start = s.widths[len(s.widths) // 2] * s.std**2 / 2
    return np.linspace(0, factor * np.log(s.strengths[-1] / start) / (2 * s.strengths[-1]), 401)


def _assume(c, task: fs.Task) -> None:
    """Trained networks and the closed form from |W₁v||W₂ᵀu|, as if the two vectors were aligned from the start."""
    s, network = c.settings, _network(c.settings)
    c.times = _times(c, 1.6)
    c.flow = fs.evolve(network, task, c.times, method=fs.Flow(), observe=("loss", "strengths"), **papers.seeds(s))
    modes, halves, guessed, curves = task.statistics, [], [], []
    for k in range(s.seeds):
        first, second = network.start(task, s.seed + k)
        sizes = np.linalg.norm(first @ modes.right, axis=0) * np.linalg.norm(second.T @ modes.left, axis=0)
        start = sizes[: len(s.strengths)]
        goal = np.array(s.strengths)
        guessed.append(fs.linear.time_to_strength(goal / 2, goal, np.ones(len(goal)), start))
        grown = fs.linear.strength(c.times[:, None], goal, np.ones(len(goal)), start, 2)
        curves.append(0.5 * ((goal - grown) ** 2).sum(axis=1))
        path = c.flow.strengths[k]
        halves.append([fs.analysis.first_passage(c.times, -path[:, m], -g / 2) for m, g in enumerate(goal)])
    c.guess, c.late = np.mean(curves, axis=0), np.array(halves) - np.array(guessed)


def _descend(c, task: fs.Task) -> None:
    """Full-batch and stochastic gradient descent from the same weights, one data point a step."""
    s, network = c.settings, _network(c.settings)
    times, few = np.unique(np.round(c.times / s.rate)) * s.rate, papers.seeds(s, 5)
    c.full = fs.evolve(network, task, times, method=fs.Train(s.rate), **few)
    c.stochastic = fs.evolve(network, task, times, method=fs.Train(s.rate, batch=1), **few)


def _vary(c) -> None:
    """Mean losses on data sets with the same singular values of Σyx, with white inputs and with others."""
    s, network = c.settings, _network(c.settings)

    def losses(curvatures: tuple[float, float]) -> np.ndarray:
        tasks = (data(s.strengths, 10 + k, curvatures) for k in range(s.sets))
        runs = [fs.evolve(network, t, c.times, method=fs.Flow(), **papers.seeds(s)) for t in tasks]
        return np.array([run.loss for run in runs])

    c.white, c.coloured = losses((1.0, 1.0)), losses((2.0, 0.5))


def _narrow(c, task: fs.Task) -> None:
    """Singular values of the maps that narrow hidden layers end with, by width."""
    s, c.narrow, modes, ends = c.settings, {}, task.statistics, 4 * _times(c)[[0, -1]]
    for width in range(1, len(s.strengths) + 1):
        network = fs.DeepLinear((width,), initial=fs.initial.Gaussian(100 * s.std))
        run = fs.evolve(network, task, ends, method=fs.Flow(), observe=("weights",), **papers.seeds(s))
        maps = run.weights[1][:, -1] @ run.weights[0][:, -1]
        best = modes.left[:, :width] * np.array(s.strengths[:width]) @ modes.right[:, :width].T
        values = np.linalg.svd(maps, compute_uv=False)[:, : len(s.strengths)]
        c.narrow[width] = values, papers.relative_distance(maps, np.broadcast_to(best, maps.shape))


def _correlate(c) -> None:
    """Inputs whose correlations share no directions with the modes: trained, predicted jointly and mode by mode."""
    s, network, rng = c.settings, _network(c.settings), np.random.default_rng(3)
    task = data(s.strengths, 3)
    mixed = np.linalg.qr(rng.standard_normal((INPUTS, INPUTS)))[0] * np.linspace(0.6, 1.4, INPUTS)
    task = fs.Task(task.x @ mixed, task.y)
    times, few = np.unique(np.round(c.times / s.rate)) * s.rate, papers.seeds(s, 5)
    c.correlated = fs.evolve(network, task, times, method=fs.Train(s.rate), **few)
    alone = next(theory for theory in network.theories if theory.name == "independent modes")
    theories = {"joint": fs.Reduced(fs.linear.JointModes()), "alone": fs.Reduced(alone)}
    with warnings.catch_warnings():  # modes alone are not expected to hold here; how wrong they are is measured
        warnings.simplefilter("ignore", UserWarning)
        c.reduced = {name: fs.evolve(network, task, times, method=method, **few) for name, method in theories.items()}


@papers.panel("Alignment of the strongest mode", "time (flow time)", "cosine", legend="center right", ylim=(-0.3, 1.05))
def _cosines(c, ax):
    for colour, width in zip(COLOURS, (c.settings.widths[0], c.settings.widths[-1]), strict=False):
        ax.plot(c.early, c.cosines[width].mean(axis=0), label=f"{width} units", **look("trained", colour))
    ax.plot(c.early, np.tanh(2 * c.settings.strengths[0] * c.early), label="tanh(2st)", **look("predicted"))
    ax.plot(c.early, c.gone[c.settings.widths[-1]].mean(axis=0), color="0.4", linestyle=":", label="loss that is gone")


@papers.panel("When it is aligned", "hidden units", f"time of cosine {ALIGNED}")
def _aligned(c, ax):
    widths = list(c.aligned)
    means, errors = np.transpose([papers.mean(found) for found in c.aligned.values()])
    ax.errorbar(widths, means, errors, fmt="o", markersize=4, color=COLOURS[0])
    ax.axhline(c.theory, color="black", linewidth=1)
    ax.set_ylim(0, 1.5 * c.theory)
    ax.set_xscale("log", base=2)
    papers.ticks(ax, widths, "{}")


@papers.panel("What the assumption costs", legend="upper right")
def _cost(c, ax):
    loss(c.flow, ax, label="trained", kind="trained")
    ax.plot(c.times, c.guess, label="aligned from the start", **look("predicted", linestyle="--"))
    ax.plot(c.times + np.log(2) / (2 * c.settings.strengths[0]), c.guess, label="moved", **look("predicted"))


@papers.panel("Small steps", legend="upper right")
def _steps(c, ax):
    loss(c.full.mean(), ax, label="all points a step", kind="trained")
    loss(c.stochastic.mean(), ax, label="one point a step", kind="predicted")


@papers.panel("The same singular values", "time (flow time)", "loss over the first", legend="upper right")
def _sets(c, ax):
    for found, label, colour in ((c.white, "white inputs", COLOURS[0]), (c.coloured, "other inputs", COLOURS[1])):
        means = found.mean(axis=1)
        ax.plot(c.times, (means / means[:, :1]).T, color=colour, linewidth=1, label=[label] + [None] * (len(means) - 1))


@papers.panel("Narrow layers", "hidden units", "strength learned", ylim=(-0.3, None))
def _narrow_layers(c, ax):
    for width, (values, _) in c.narrow.items():
        for m, strength in enumerate(c.settings.strengths):
            ax.plot(width, values[:, m].mean(), **dots(COLOURS[m]))
            if m < width:
                ax.plot(width, strength, "o", markersize=9, markerfacecolor="none", color=COLOURS[m])
    ax.set_xticks(list(c.narrow))


APPENDIX = "jarvis2025 App. A.1"


@papers.extension("jarvis2025 Assumption 2.1, App. A.1; the time is ours", at_most=0.1, because="10 %, at every width")
def _time_of_alignment(c):
    """From small random weights, the two hidden vectors W₁v and W₂ᵀu of the strongest mode are aligned at the time
    artanh(0.9)/(2s), whatever the width (relative error of the mean time of a cosine of 0.9, largest over widths)."""
    return papers.resampled(lambda *found: max(abs(each.mean() / c.theory - 1) for each in found), *c.aligned.values())


@papers.claim("jarvis2025 Assumption 2.1, App. A.1", at_most=0.01, because="1 % of the loss: silent")
def _silent(c):
    """The weights of a linear network align with the strongest mode before anything is learned (share of the loss that
    has been learned when the cosine of its hidden vectors is 0.9, mean over networks, largest over widths)."""

    def gone(width: int) -> np.ndarray:
        return np.array([np.interp(t, c.early, g) for t, g in zip(c.aligned[width], c.gone[width], strict=True)])

    return max(papers.mean(gone(width)) for width in c.aligned)


@papers.extension(
    "jarvis2025 App. A.1, where alignment is assumed; the cost is ours",
    at_most=0.1,
    because="10 %, as for the time of alignment",
)
def _cost_of_the_assumption(c):
    """A closed form that assumes alignment from the start is early by ln 2/(2s) (relative error of the mean delay of
    the strongest mode)."""
    expected = np.log(2) / (2 * c.settings.strengths[0])
    return papers.resampled(lambda found: abs(found.mean() / expected - 1), c.late[:, 0])


@papers.claim(APPENDIX, at_most=0.02, because="2 %, twice the error that steps of this size have")
def _stochastic_steps(c):
    """With a small learning rate stochastic gradient descent follows full-batch gradient descent (area between loss
    curves from the same weights, one data point a step, mean over networks)."""
    return papers.areas(c.stochastic, c.full)


def _between(found: np.ndarray) -> tuple[float, float]:
    """Largest area between the mean losses on two data sets; its error over networks."""
    shares = found / found[:, :, :1]

    def worst(drawn: np.ndarray) -> float:
        means = drawn.mean(axis=0)
        return max(np.abs(a - b).sum() / b.sum() for a in means for b in means)

    return papers.resampled(worst, shares.swapaxes(0, 1))


@papers.claim("jarvis2025 Proposition 4.2, App. E", at_most=0.05, because="5 %, conventional")
def _singular_values(c):
    """The singular values of Σyx set the time course of a linear network on white inputs (largest area between the mean
    loss curves of two data sets that share nothing else)."""
    return _between(c.white)


@papers.extension(
    "jarvis2025 Proposition 4.2, App. E, for other inputs", at_most=0.05, because="5 %, as for white inputs"
)
def _singular_values_alone(c):
    """The singular values of Σyx set the time course of a linear network even if the variances of its inputs differ
    fourfold (area between the mean loss curves with white and with such inputs)."""
    return _between(np.stack([c.white[0], c.coloured[0]]))


@papers.claim("jarvis2025 App. A.1; saxe2014", at_most=0.01, because="1 %: flow time is finite")
def narrow_layers(c):
    """A hidden layer with fewer units n than the task has modes learns the n strongest modes (relative distance of the
    final map from that of the n strongest modes, mean over networks, largest over n)."""
    fewer = [distance for width, (_, distance) in c.narrow.items() if width < len(c.settings.strengths)]
    return max(papers.mean(distance) for distance in fewer)


@papers.claim(
    "jarvis2025 Assumption 2.1, App. A.1",
    at_most=0.02,
    because="2 %, as for stochastic steps",
    baseline=("modes that grow alone", lambda c: papers.areas(c.reduced["alone"], c.correlated)[0]),
)
def _correlated_inputs(c):
    """If inputs are correlated in other directions than the modes, the reduction that follows all modes together
    predicts the loss of a linear network (area between loss curves, mean over networks)."""
    return papers.areas(c.reduced["joint"], c.correlated)
