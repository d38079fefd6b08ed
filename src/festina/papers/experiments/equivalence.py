"""Is a ReLU network in contexts equal to its gated network in more than its loss?

In part. The closed forms give the singular values of the common pathway, and of contextual pathways that learn what it
leaves. If all learn together, contextual pathways take over part of what is common. The loss is still that of the
closed form, but its division between pathways is not; the race of all pathways predicts it. Distances between hidden
representations of a ReLU network and of its gated network agree while the common part is learned. They part while
contexts are learned, where two ReLU networks still agree. Hardly any unit is on in a single context, and with a second
hidden layer units are on in more of them. The number of units in a module of the gated network matters, because it sets
how strongly the module starts.

Source: jarvis2025 abstract, section 4, Figs. 4 and 5, Table 1.
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.context import published_subsets, reln
from festina.papers.setups.selectivity import contexts_on, shares_on, similarity
from festina.plot import COLOURS, dots, look, loss
from festina.runtime import track

CONTEXTS = 3
BEGUN = 0.01
"""Share of the loss that is gone once learning has begun; before, representations are those of random weights."""

LATE = 0.02  # share of the loss that is left when representations begin to differ


class Settings(papers.Settings):
    contexts: tuple[int, ...] = setting((3, 4, 5), "numbers of contexts of the same structure", least=3)
    hidden: tuple[int, ...] = setting((700, 500, 600), "units of the ReLU network for each of them", least=1)
    seeds: int = setting(20, "ReLU networks, and as many gated ones", least=2)
    units: int = setting(100, "units of a module of the gated network in Table 1 of the paper", least=1, published=100)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    step: float = setting(
        0.001, "step size on the summed loss; the mean loss takes N times as much", above=0, published=0.001
    )
    steps: int = setting(8000, "steps of training", least=1, published=8000)
    points: int = setting(81, "observations", least=2)
    layers: int = setting(128, "units of each layer of the networks of one and of two hidden layers", least=1)
    std: float = setting(0.0016, "standard deviation of an initial weight of these", above=0)
    layer_step: float = setting(0.004, "step size of these on the summed loss", above=0)
    layer_steps: int = setting(5000, "steps of these", least=1)


quick = Settings(contexts=(3,), hidden=(700,), seeds=5, step=0.004, steps=2000, points=41, layer_steps=3000)
caption = (
    "A ReLU network in contexts and its gated network agree early and differ where contexts are learned. (a) Singular "
    "values of contextual pathways that learn what the common one leaves: trained (thick, pale) and closed form "
    "(thin), three contexts. (b) The same where all pathways learn together, with the race of all pathways (dashed). "
    "(c) Correlation of the distances between hidden representations of a ReLU network with those of its gated network "
    "and of another ReLU network. (d) Share of activity and share of units, by the number of contexts in which a unit "
    "is on. (e) Loss of trained ReLU networks and of gated networks with two sizes of modules. (f) Share of contexts "
    "in which a unit is on, by layer."
)


def compute(settings: Settings) -> papers.Results:
    """Gated networks and their closed form; ReLU networks for comparison; networks of one and of two hidden layers."""
    c = papers.Results(settings)
    sizes = list(zip(settings.contexts, settings.hidden, strict=True))
    c.singular = {count: _singular_values(settings, count, hidden) for count, hidden in track(sizes, "singular values")}
    task, _ = fs.tasks.context(CONTEXTS, "different").spanned()
    hidden, times = settings.hidden[0], _times(settings, task)
    train, std = fs.Train(rate=settings.step * len(task.x), precision="single"), settings.scale / hidden
    networks = {
        "relu": fs.ReLU((hidden,), initial=fs.initial.Gaussian(std)),
        "half": reln(CONTEXTS, published_subsets(CONTEXTS), task, hidden, std, units=hidden // 2),
        "table": reln(CONTEXTS, published_subsets(CONTEXTS), task, hidden, std, units=settings.units),
    }
    observe = {"relu": ("loss", "hidden", "weights"), "half": ("loss", "hidden"), "table": ("loss",)}
    runs = papers.run_all(networks, task, times, method=train, observe=observe, **papers.seeds(settings))
    c.relu, c.half, c.table = runs.values()
    activity = c.relu["hidden"][0]
    gated = np.concatenate([part[0] for part in c.half["hidden"]], axis=-1)
    c.similar = {
        "gated": np.array([similarity(one, gated) for one in activity]),
        "relu": np.array([similarity(activity[k], activity[k - 1]) for k in range(settings.seeds)]),
    }
    # shares of the activity that is sent on, and of units, by the number of contexts a unit is on in: 0, 1, … C
    on = contexts_on(activity[:, -1], CONTEXTS)
    sent = shares_on(activity[:, -1], c.relu.weights[1][:, -1], CONTEXTS)
    units = np.stack([np.mean(on == k, axis=1) for k in range(CONTEXTS + 1)], axis=1)
    c.on, c.reuse = {"activity": np.insert(sent, 0, 0.0, axis=1), "units": units}, _reuse(settings)
    return c


def _times(settings: Settings, task: fs.Task) -> np.ndarray:
    return np.linspace(0, settings.steps, settings.points).round() * settings.step * len(task.x)


def _singular_values(settings: Settings, contexts: int, hidden: int) -> papers.Results:
    """Common and contextual pathways of gated networks: learning alone, together, by closed forms, by the race.

    Alone, as the paper derives it, the common pathway learns the task and the contextual ones what a linear map leaves.
    Trained they are (seeds, times, modes), predicted (times, modes); contextual pathways are averaged.
    """
    task, _ = fs.tasks.context(contexts).spanned()
    left = fs.Task(task.x, task.y - task.x @ (np.linalg.pinv(task.x) @ task.y))
    subsets, std, found = published_subsets(contexts), settings.scale / hidden, papers.Results(settings)
    found.times, train = _times(settings, task), fs.Train(rate=settings.step * len(task.x), precision="single")

    def solve(network: fs.Gated, data: fs.Task, method: fs.Train | fs.Reduced | fs.Exact) -> list[np.ndarray]:
        """Strengths of every pathway."""
        trained = isinstance(method, fs.Train)
        start, seeds = (network, papers.seeds(settings)) if trained else (network.expected_start(), {})
        run = fs.evolve(start, data, found.times, method=method, observe=("strengths",), **seeds)
        ends = np.cumsum([effective.rank for effective in data.statistics(network).effective])
        return np.split(run.strengths, ends[:-1], axis=-1)

    whole = reln(contexts, subsets, task, hidden, std, units=hidden // 2)
    priming = fs.Reduced(fs.gated.Priming(common="pathway 1"))
    found.together, found.alone = {}, {}
    for name, method in (("trained", train), ("closed", priming), ("race", fs.Reduced())):
        common, *contextual = solve(whole, task, method)
        found.together[name] = {"common": common, "contextual": np.mean(contextual, axis=0)}
    common = reln(contexts, subsets[:1], task, hidden, std, units=hidden // 2)
    contextual = reln(contexts, subsets[1:], left, hidden, std, units=hidden // 2)
    for name, method in (("trained", train), ("closed", fs.Exact())):
        parts = {"common": solve(common, task, method), "contextual": solve(contextual, left, method)}
        found.alone[name] = {part: np.mean(strengths, axis=0) for part, strengths in parts.items()}
    return found


def _reuse(settings: Settings) -> dict[str, np.ndarray]:
    """Mean share of contexts a unit is on in, weighted by the activity it sends on: one layer, and each of two."""
    task, _ = fs.tasks.context(CONTEXTS).spanned()
    rate, found = settings.layer_step * len(task.x), {}
    train, times = fs.Train(rate=rate, precision="single"), [0.0, settings.layer_steps * rate]
    for names in (("one layer",), ("first of two", "second of two")):
        network = fs.ReLU((settings.layers,) * len(names), initial=fs.initial.Gaussian(settings.std))
        run = fs.evolve(network, task, times, method=train, observe=("hidden", "weights"), **papers.seeds(settings))
        for k, name in enumerate(names):
            shares = shares_on(run["hidden"][k][:, -1], run.weights[k + 1][:, -1], CONTEXTS)
            found[name] = shares @ np.arange(1, CONTEXTS + 1) / CONTEXTS
    return found


LINES = {"trained": ("trained", "-"), "closed": ("closed form", "-"), "race": ("race of all pathways", "--")}
TITLES = {"alone": "what is left", "together": "all learn together"}
LOWER = {"loc": "lower left", "bbox_to_anchor": (0.08, 0.0)}


@papers.panel(lambda c, way: f"Contextual: {TITLES[way]}", "time (flow time)", "singular value", legend="upper left")
def _singular(c, ax, way):
    found = c.singular[c.settings.contexts[0]]
    for name, parts in found.get(way).items():
        values = parts["contextual"].mean(axis=0) if name == "trained" else parts["contextual"]
        seen = values[-1] > 0.01 * values[-1].max()
        label, dashes = LINES[name]
        line = look("trained" if name == "trained" else "predicted", COLOURS[0], linestyle=dashes)
        ax.plot(found.times, values[:, seen], label=[label] + [None] * (seen.sum() - 1), **line)
    ax.set_ylim(top=1.45 * ax.get_ylim()[1])


@papers.panel("Hidden representations", "time (flow time)", "correlation of distances", legend=LOWER)
def _similarities(c, ax):
    for name, label, colour in (("relu", "two ReLU networks", COLOURS[6]), ("gated", "ReLU and gated", COLOURS[0])):
        ax.plot(c.relu.times, c.similar[name].mean(axis=0), label=label, **look("trained", colour))
    ax.set_ylim(top=1.02)


@papers.panel("Gates of ReLU units", "contexts that a unit is on in", "share", legend="upper left")
def _gates(c, ax):
    at = np.arange(CONTEXTS + 1)
    for k, (name, found) in enumerate(c.on.items()):
        ax.bar(at + 0.38 * (k - 0.5), found.mean(axis=0), 0.36, color=COLOURS[k], label=f"share of {name}")
    ax.set_xticks(at)


@papers.panel("Size of modules, all trained", legend="upper right")
def _modules(c, ax):
    loss(c.relu, ax, label="ReLU networks", linewidth=7)
    loss(c.table.mean(), ax, label=f"modules of {c.settings.units} units", color=COLOURS[1])
    half = f"modules of {c.settings.hidden[0] // 2} units"
    loss(c.half.mean(), ax, label=half, color=COLOURS[0], linewidth=2.5)


@papers.panel("Reuse of units", "", "share of contexts a unit is on in", xlim=(-0.5, 2.5), ylim=(0, 1.05))
def _reuse_by_layer(c, ax):
    for k, found in enumerate(c.reuse.values()):
        ax.plot(np.full(len(found), k), found, **dots(COLOURS[min(k, 1)]))
    ax.set_xticks(range(len(c.reuse)), [name.replace(" ", "\n", 1) for name in c.reuse])


panels = (_singular.of("alone"), _singular.of("together"), _similarities, _gates, _modules, _reuse_by_layer)
PARTS = ("common", "contextual")


def _apart(_, first, second):
    """Area between the mean singular values of networks, relative to the area below the second."""
    first, second = first.mean(axis=0), second.mean(axis=0)
    return float(np.abs(first - second).sum() / np.abs(second).sum())


def _values(c, way, name, parts=PARTS):
    """Singular values by number of contexts and part, networks first."""
    found = {(n, part): case.get(way)[name][part] for n, case in c.singular.items() for part in parts}
    return found if name == "trained" else {case: values[None] for case, values in found.items()}


def _off(c, way, name, parts=PARTS):
    """Largest area between singular values in theory and in training, over numbers of contexts and parts."""
    return papers.largest(_apart, _values(c, way, name, parts), _values(c, way, "trained", parts))


def _claim(source, way, parts=PARTS, **given):
    """A claim on the closed form's singular values of these pathways, beside the difference of two networks."""
    beside = "two networks", lambda c: papers.largest_between(_apart, _values(c, way, "trained", parts))
    return papers.claim(source, floor=beside, measure=lambda c: _off(c, way, "closed", parts), **given)


FIGURE = "jarvis2025 Fig. 5, App. F and G"
EXACT = "5 %, a conventional tolerance; the paper says that they match exactly"
COUNTED = "1 %: units that hardly contribute are not counted; a unit is on above 0, the paper's threshold"
WEIGHTED = "1 %, as for units weighted by their contribution"


@_claim(FIGURE, "alone", PARTS[:1], name="singular values, common", at_most=0.05, because=EXACT)
def _common(c):
    """The closed form gives the singular values of the common pathway of a gated network, for every number of contexts
    of the same structure (area between the curves of theory and trained gated networks over the area below, largest
    over numbers of contexts)."""


@_claim(FIGURE, "alone", PARTS[1:], name="singular values, contextual", at_most=0.05, because=EXACT)
def _contextual(c):
    """The closed form gives the singular values of contextual pathways that learn what the common pathway leaves, for
    every number of contexts of the same structure (area between the curves of theory and trained gated networks over
    the area below, largest over numbers of contexts)."""


@_claim(
    "jarvis2025 Fig. 5, App. F, which derives one after the other",
    "together",
    kind="extension",
    name="singular values, together",
    at_most=0.05,
    expected="fails",
    because="5 %, as for pathways that learn alone",
    baseline=("the race of all pathways", lambda c: _off(c, "together", "race")[0]),
)
def _together(c):
    """The closed forms give the singular values of all pathways of a gated network also where common and contextual
    pathways learn together (area between the curves of theory and training over the area below, largest over pathways
    and numbers of contexts)."""


def _least(c, name, until=0.0):
    """Correlation of distances where it is least once learning has begun, until so much of the loss is left."""
    mean = c.relu.mean().loss
    during = (mean < (1 - BEGUN) * mean[0]) & (mean >= until * mean[0])
    return papers.resampled(lambda found: found.mean(axis=0)[during].min(), c.similar[name])


@papers.claim(
    "jarvis2025 Fig. 4c",
    at_least=0.95,
    expected="fails",
    because="0.95, nine tenths of the variance of distances; after first numbers times before 1 % of the loss is "
    "gone were left out, since two ReLU networks differ there as well",
    baseline=(f"until {100 * LATE:.0f} % of the loss is left", lambda c: _least(c, "gated", LATE)[0]),
    floor=("two networks", lambda c: _least(c, "relu")[0]),
)
def _representations(c):
    """The hidden representations of a ReLU network in three contexts and of its gated network are equivalent at all
    times of learning (correlation over pairs of data points of their distances, mean over networks, least over
    times)."""
    return _least(c, "gated")


@papers.claim("jarvis2025 section 4", at_most=0.01, because=COUNTED)
def _no_specific_activity(c):
    """No neuron of a trained ReLU network is specific to one of three contexts (share of the output from units that are
    on in one context only, mean over networks)."""
    return papers.mean(c.on["activity"][:, 1])


@papers.extension("jarvis2025 section 4, counted without weights", at_most=0.01, because=WEIGHTED)
def _no_specific_units(c):
    """Hardly any unit of a trained ReLU network, however little it contributes, is on in a single one of three contexts
    (share of all units, mean over networks)."""
    return papers.mean(c.on["units"][:, 1])


@papers.claim(
    "jarvis2025 Table 1",
    name="modules of Table 1",
    at_most=0.04,
    expected="fails",
    because="4 %, as in the experiment context for modules of half the units",
    baseline=("modules of half as many units as the ReLU networks", lambda c: papers.area_of_means(c.half, c.relu)[0]),
    floor=papers.apart("relu"),
)
def _modules_of_table_1(c):
    """In three contexts a gated network with {s.units} units per module, as in the paper's table, learns like ReLU
    networks of {s.hidden[0]} units with initial weights of equal size (area between mean loss curves)."""
    return papers.area_of_means(c.table, c.relu)


@papers.claim("jarvis2025 abstract, section 6", at_least=0.0, because="0: the paper states the direction")
def _amplified_by_depth(c):
    """A second hidden layer makes ReLU networks use units in more contexts (mean share of contexts that units are on
    in, weighted by their output: both layers of two minus the layer of one)."""
    return papers.resampled(lambda one, first, second: (first + second).mean() / 2 - one.mean(), *c.reuse.values())
