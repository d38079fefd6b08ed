"""When do units of a ReLU network turn, and how few numbers predict it?

Contexts of the same structure can be exchanged, and so can the branches of the tree of items. For very many random
units the residual is therefore a combination of eight fixed functions of the data points. The four levels of the tree
(mean, halves, pairs, single items) give two each: one common to contexts, one not. Its eight amplitudes fall from 1 to
0 one after the other. Nothing else of the network acts on a unit. So its gates follow from its own initial weights and
these eight numbers, and of units that are images of each other only one has to be followed.

Sixteen units, each of which stands for all its images, give the loss within 0.05 for every number of contexts. On three
contexts they give it within 0.06 from every initial scale from 0.5 to 0.00005, and learn the contexts up to 15 % too
early. They are followed by gradient descent, from a start for which no network is needed. They miss an effect of finite
networks: with more contexts, 600 units are less symmetric.

The bounds of ``units`` and ``gates`` were set after a first look, at 16 units and at the first networks; those of
``shares`` and ``time`` before. Those of ``scales`` and ``scale_time`` are the same.

Source: theory of units; jarvis2025 section 5, Fig. 5 for the networks.
"""

from dataclasses import replace
from functools import partial

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.selectivity import shares_on
from festina.papers.setups.turning import GROWN, Symmetry, closed_gates, follow, representatives
from festina.plot import COLOURS, dots, look, shade
from festina.runtime import track

LEVELS = ("mean", "halves", "pairs", "single items")
DRAWN = 2  # networks whose units stand for a start that is not known
EARLY = 5  # steps between observations before representatives are chosen
ON = 0.1
"""A unit is on in a context when its mean activity there is above this share of its largest, as in ``contexts``."""

LEARNED = 0.05  # contexts are learned when the loss is this share of what a linear network leaves


class Settings(papers.Settings):
    contexts: tuple[int, ...] = setting((3, 4, 5, 6, 7, 8), "numbers of contexts", least=2)
    hidden: tuple[int, ...] = setting(
        (700, 500, 600, 600, 600, 600), "hidden units of the ReLU network for each number of contexts", least=1
    )
    turned: tuple[int, ...] = setting((3, 5), "of these, those for which units are followed one by one", least=2)
    units: int = setting(16, "representative units", least=1)
    others: tuple[int, ...] = setting((4, 8, 32, 64), "other numbers of them, for comparison", least=1)
    seeds: int = setting(5, "ReLU networks for each number of contexts", least=1)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    scales: tuple[float, ...] = setting(
        (0.5, 0.05, 5e-4, 5e-5), "other initial scales, for the first number of contexts", above=0
    )
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes 8 C times as much", above=0)
    steps: int = setting(8000, "steps of training", least=1)
    scale_steps: int = setting(12000, "steps from the other initial scales: smaller weights take longer", least=1)
    every: int = setting(100, "steps between observations", least=1)

    @property
    def fewest(self) -> int:
        """Units of the smallest network."""
        return min(self.hidden)

    @property
    def widest(self) -> int:
        """Units of the largest network."""
        return max(self.hidden)


quick = Settings(
    contexts=(3, 7), hidden=(700, 500), turned=(3,), others=(8,), scales=(0.5,), seeds=2, step=0.004, steps=2000,
    scale_steps=3000, every=25,
)  # fmt: skip
caption = (
    "On context tasks eight numbers say when units turn, and sixteen representative units predict the loss. (a) The "
    "eight amplitudes of the residual: a trained network (thick) and predicted (thin; dashed: what contexts differ "
    "in). (b) Loss of trained networks (thick) and predicted by representative units, each of which stands for its "
    "images under the symmetry of the task (thin). (c) Area between loss curves against the number of contexts. (d) "
    "Area against the number of units that stand for all. (e) Step from which on a gate of a unit is closed for good, "
    "predicted from its initial weights and the eight numbers, and trained; one dot per gate. (f) Share of what units "
    "contribute, by the number of contexts in which they are on."
)


def compute(settings: Settings) -> papers.Results:
    """Predict, then train, one number of contexts after the other; then from one initial scale after the other."""
    c, sizes = papers.Results(settings), list(zip(settings.contexts, settings.hidden, strict=True))
    c.cases = {count: _case(settings, count, hidden) for count, hidden in track(sizes, "contexts")}
    plain, first = replace(settings, turned=(), others=(), steps=settings.scale_steps), sizes[0]
    scaled = {s: _case(replace(plain, scale=s), *first) for s in track(settings.scales, "initial scales")}
    c.scaled = dict(sorted({**scaled, settings.scale: c.cases[first[0]]}.items()))
    c.shown = next((n for n in reversed(c.cases) if c.cases[n].closed), first[0])
    return c


def _case(settings: Settings, contexts: int, hidden: int) -> papers.Results:
    """One number of contexts: what representative units predict, and what trained networks do."""
    task, _ = fs.tasks.context(contexts).spanned()
    symmetry, rate = Symmetry.of(task, contexts), settings.step * len(task.x)
    steps, floor = np.arange(0, settings.steps + 1, settings.every), task.statistics.floor
    case = papers.Results(settings, steps=steps, times=steps * rate, floor=floor, predicted={}, closed=[])
    network = fs.ReLU((hidden,), initial=fs.initial.Gaussian(settings.scale / hidden))
    for count, start, begun in _representatives(settings, network, task, symmetry):
        before = steps <= begun
        left, w, a = follow(symmetry, start[0], start[1], rate, np.append(0, steps[~before] - begun))
        case.amplitudes = np.vstack([np.ones((before.sum(), left.shape[1])), left[1:]])
        case.predicted[count] = symmetry.loss(case.amplitudes)
        share = shares_on(np.maximum(task.x @ w.T, 0.0), a.T, contexts, ON)
    train, seeds = fs.Train(rate=rate, precision="single"), papers.seeds(settings)
    run = fs.evolve(network, task, case.times, method=train, observe=("loss", "weights"), **seeds)
    small = fs.initial.Gaussian(settings.scale / hidden * np.sqrt(hidden / settings.units))
    case.plain = fs.evolve(fs.ReLU((settings.units,), initial=small), task, case.times, method=train, **seeds).loss
    trained, outside, shares = [], [], []
    for first, second in zip(*(layer.astype(float) for layer in run.weights), strict=True):
        activity = np.maximum(first @ task.x.T, 0.0)
        residual = task.y - np.swapaxes(activity, 1, 2) @ np.swapaxes(second, 1, 2)
        trained.append(symmetry.amplitudes(residual))
        rest = ((residual - symmetry.residual(trained[-1])) ** 2).sum(axis=(1, 2))
        outside.append(rest / (residual**2).sum(axis=(1, 2)))
        shares.append(shares_on(activity[-1].T, second[-1], contexts, ON))
        if contexts in settings.turned:
            case.closed.append(closed_gates(symmetry, [first, second], rate, steps, case.amplitudes))
    case.trained = trained[0]
    # largest share of the squared residual outside the eight functions while the loss is above a twentieth
    case.outside = float(np.array(outside)[run.loss > LEARNED * run.loss[:, :1]].max())
    case.known = {"loss": case.predicted[settings.units][None], "shares": share[None]}
    case.networks = {"loss": run.loss, "shares": np.array(shares)}
    case.areas = {units: _area(case, loss, run.loss) for units, loss in sorted(case.predicted.items())}
    case.plain_area = _area(case, case.plain, run.loss)
    case.noise = float(np.mean([_area(case, loss, run.loss) for loss in run.loss]))
    return case


def _representatives(
    settings: Settings, network: fs.ReLU, task: fs.Task, symmetry: Symmetry
) -> list[tuple[int, tuple[np.ndarray, np.ndarray], int]]:
    """Few representative units, by their number, and the step at which they begin.

    No seed is known: random units grow until the loss begins to fall.
    """
    rate, early = settings.step * len(task.x), np.arange(0, settings.steps // 20 + 1, EARLY)
    drawn = fs.Reduced(fs.relu.UnitGrowth(draws=DRAWN, rate=rate))
    grown = fs.evolve(network, task, early * rate, method=drawn, observe=("loss", "weights"))
    at = max(int(np.argmax(grown.loss < (1 - GROWN) * grown.loss[0])) - 1, 0)
    counts = *settings.others, settings.units
    few = representatives(symmetry, grown.weights[0][at], grown.weights[1][at].T, counts)
    return [(count, start, int(early[at])) for count, start in zip(counts, few, strict=True)]


def _learned(case, losses) -> float:
    """The time at which the mean of networks has learned contexts."""
    return fs.analysis.first_passage(case.times, np.atleast_2d(losses).mean(axis=0), LEARNED * case.floor)


def _area(case, first, second) -> float:
    """Area between mean losses."""
    return papers.area(case.times, first, second)


def _delay(case, first, second) -> float:
    """Relative error of the time at which contexts are learned."""
    return abs(_learned(case, first) / _learned(case, second) - 1)


def _difference(case, first, second) -> float:
    """Largest difference between mean shares of units."""
    return float(np.abs(first.mean(axis=0) - second.mean(axis=0)).max())


AREA, SCALE, SMALL = "area between loss curves", "initial std × hidden units", {"loc": "upper left", "fontsize": 7}
LOG = {"yscale": "log", "ylim": (1e-3, 8), "legend": SMALL}
UNITS = {"loc": "upper right", "ncols": 2, "fontsize": 7}
DARK = {"marker": "o", "markersize": 4}


@papers.panel(lambda c: f"Eight numbers, {c.shown} contexts", "step", "amplitude in the residual", legend="upper right")
def _amplitudes(c, ax):
    case = c.cases[c.shown]
    for k in range(2 * len(LEVELS)):
        colour, common = COLOURS[k % len(LEVELS)], k < len(LEVELS)
        ax.plot(case.steps, case.trained[:, k], **look("trained", colour))
        line = look("predicted", colour, linestyle="-" if common else "--", label=LEVELS[k] if common else None)
        ax.plot(case.steps, case.amplitudes[:, k], **line)


@papers.panel(lambda c: f"{c.settings.units} representative units", "step", "loss", legend="upper right")
def _losses(c, ax):
    for colour, count in zip(COLOURS, sorted({min(c.cases), max(c.cases)}), strict=False):
        case = c.cases[count]
        ax.plot(case.steps, case.networks["loss"].mean(axis=0), **look("trained", colour))
        ax.plot(case.steps, case.known["loss"][0], label=f"{count} contexts", **look("predicted", colour))


def _errors(c, ax, which):
    units, cases = c.settings.units, c.get(which)
    ax.plot(list(cases), [case.noise for case in cases.values()], label="one network and the mean", **look("trained"))
    small = dots(linestyle=":", marker="^", linewidth=1.3)
    ax.plot(list(cases), [case.plain_area for case in cases.values()], label=f"{units} units, trained", **small)
    areas = [case.areas[units] for case in cases.values()]
    ax.plot(list(cases), areas, label=f"{units} units for all", **look("predicted", **DARK))


@papers.panel("Error by number of contexts", "contexts", AREA, xticks=lambda c: list(c.cases), **LOG)
def _errors_by_contexts(c, ax):
    _errors(c, ax, "cases")


@papers.panel(
    lambda c: f"Error by initial scale, {c.settings.contexts[0]} contexts",
    SCALE,
    AREA,
    xscale="log",
    detail=True,
    **LOG,
)
def _errors_by_scale(c, ax):
    _errors(c, ax, "scaled")


@papers.panel("How few units are enough", "representative units", AREA, legend=UNITS, ylim=(0.005, 0.5))
def _errors_by_units(c, ax):
    for colour, (count, case) in zip(COLOURS * 2, c.cases.items(), strict=False):
        line = look("predicted", colour, marker="o", markersize=3, label=f"{count} contexts")
        ax.loglog(list(case.areas), list(case.areas.values()), **line)
    ticks = sorted({*c.settings.others, c.settings.units})
    ax.set_xticks(ticks, [str(k) for k in ticks])
    ax.minorticks_off()


@papers.panel(lambda c: f"When gates close, {c.shown} contexts", "step, trained", "step, predicted")
def _closings(c, ax):
    case = c.cases[c.shown]
    if case.closed:
        predicted, trained, _ = case.closed[0]
        both, every = (predicted >= 0) & (trained >= 0), case.steps[1] - case.steps[0]
        # dots are moved apart by up to two fifths of an observation
        shift = np.random.default_rng(0).uniform(-0.4, 0.4, (2, both.sum()))
        place = [(at[both] + moved) * every for at, moved in zip((trained, predicted), shift, strict=True)]
        ax.plot(*place, ".", color=shade("trained", "black"), markersize=1.5, alpha=0.4)
        ax.plot([0, case.steps[-1]], [0, case.steps[-1]], **look("predicted"))


@papers.panel(
    lambda c: f"Gates, {c.shown} contexts", "contexts a unit is on in", "share of contributions", legend="upper left"
)
def _shares(c, ax):
    case, place = c.cases[c.shown], np.arange(1, c.shown + 1)
    ax.bar(place, case.networks["shares"].mean(axis=0), color=shade("trained", "black"), label="trained")
    ax.plot(place, case.known["shares"][0], label="predicted", **look("predicted", **DARK))
    ax.set_xticks(place)


@papers.panel(
    lambda c: f"Time by initial scale, {c.settings.contexts[0]} contexts",
    SCALE,
    "time to learn the contexts",
    xscale="log",
    detail=True,
    legend="lower left",
)
def _times_by_scale(c, ax):
    for kind, name, line in (
        ("trained", "networks", look("trained")),
        ("predicted", "known", look("predicted", **DARK)),
    ):
        times = [_learned(case, case.get(name)["loss"]) for case in c.scaled.values()]
        ax.plot(list(c.scaled), times, label=kind, **line)
    ax.set_ylim(bottom=0)


_claim = partial(papers.extension, "theory of units; jarvis2025 Fig. 5 for the networks")
AS_GATED = "5 %, as for the paper's gated network"


def _few(which, apart, of="loss", **given):
    """A claim on the largest distance between what representative units give and networks, beside that of two."""

    def arrays(c, kind):
        return {k: case.get(kind)[of] for k, case in c.get(which).items()}

    def between(c):
        return lambda k, first, second: apart(c.get(which)[k], first, second)

    beside = "two networks", lambda c: papers.largest_between(between(c), arrays(c, "networks"))
    measure = lambda c: papers.largest(between(c), arrays(c, "known"), arrays(c, "networks"))  # noqa: E731
    return _claim(floor=beside, measure=measure, **given)


def _plain(which):
    return "plainly trained networks of as few units", lambda c: max(case.plain_area for case in c.get(which).values())


def _gates(c, which):
    """Precision (0), recall (1), or share of gates that close (2): mean over networks, smallest over contexts."""
    scores = [np.array([_scores(*one)[which] for one in case.closed]) for case in c.cases.values() if case.closed]
    return papers.resampled(lambda *each: min(one.mean() for one in each), *scores)


def _scores(predicted: np.ndarray, trained: np.ndarray, size: np.ndarray) -> tuple[float, float, float]:
    both = size[(predicted >= 0) & (trained >= 0)].sum()
    return both / size[predicted >= 0].sum(), both / size[trained >= 0].sum(), size[trained >= 0].sum() / size.sum()


@_claim(at_most=0.05, because="one twentieth")
def _eight(c):
    """On context tasks the residual of a ReLU network is a combination of eight functions given by the symmetry of the
    task (largest share of its square outside them, over networks and until the loss is a twentieth of the first)."""
    every = c.cases.values()
    return papers.Worst(max(case.outside for case in every), sum(len(case.networks["loss"]) for case in every))


@_few("cases", _area, at_most=0.05, because=AS_GATED, baseline=_plain("cases"))
def _units(c):
    """As few as {s.units} representative units predict the loss of ReLU networks of {s.fewest} to
    {s.widest} units for every number of contexts (largest area between loss curves over C)."""


@_few("scaled", _area, at_most=0.05, expected="fails", because=AS_GATED, baseline=_plain("scaled"))
def _scales(c):
    """As few as {s.units} representative units predict the loss of ReLU networks from every initial
    scale between {s.scales[0]} and {s.scales[-1]} (largest area between loss curves over scales)."""


@_few("scaled", _delay, name="scale_time", at_most=0.05, expected="fails", because="5 %")
def _scale_time(c):
    """As few as {s.units} representative units predict the time at which ReLU networks have learned
    contexts from every initial scale between {s.scales[0]} and {s.scales[-1]} (largest relative error over
    scales)."""


@_few("cases", _difference, "shares", name="shares", at_most=0.05, expected="fails", because="one twentieth")
def _shares_on(c):
    """As few as {s.units} representative units predict the distribution of units over the number of
    contexts in which they are active (largest difference over C)."""


@_few("cases", _delay, at_most=0.05, expected="fails", because="5 %")
def _time(c):
    """As few as {s.units} representative units predict the time at which ReLU networks have learned
    contexts (largest relative error over C)."""


@_claim(at_least=0.8, because="four in five", baseline=("any gate, taken at random", lambda c: _gates(c, 2)[0]))
def _precision(c):
    """Gates that are predicted to close permanently, from a unit's initial weights and the eight numbers alone, do so
    in the trained network (fraction, weighted by contribution, mean over networks)."""
    return _gates(c, 0)


@_claim(at_least=0.8, because="four in five")
def _recall(c):
    """Gates that close permanently in a trained network are predicted to, from a unit's initial weights and the eight
    numbers alone (fraction, weighted by contribution, mean over networks)."""
    return _gates(c, 1)
