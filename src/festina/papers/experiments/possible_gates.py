"""Which gates can a ReLU unit have on items in contexts, and which does a trained network use?

Far more than those of Lemma 4.1, gates that depend on the context alone or are on at a single point. A pattern is
possible exactly when no two items cross in two contexts (one on in the first only, the other in the second only). This
gives 14 of 16 for two items in two contexts, 230 of 512 for three in three, and 354,106 of 16,777,216 for eight in
three. Such patterns are known as lonesum matrices, and these numbers are poly-Bernoulli numbers.

Trained networks use many of them: gates that treat all items of a context alike carry a small part of what units
contribute. Yet the networks are near the lemma in what they do: with every unit forced to the nearest of its gates they
still solve most of the task.

Source: jarvis2025 Lemma 4.1, App. D; zaslavsky1975; brewbaker2008.
"""

from itertools import combinations, product

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS
from festina.runtime import track

KINDS = ("all points", "contexts", "one point", "items", "mixed")
"""Variables that gates depend on; Lemma 4.1 allows the first three."""

SHOWN = 24  # patterns drawn
NEAR = 4  # data points at which gates may differ from one that the lemma allows and still be near it


class Settings(papers.Settings):
    sizes: tuple[tuple[int, int], ...] = setting(((2, 2), (3, 3), (8, 3)), "items and contexts of each task", least=1)
    certificates: int = setting(300, "impossible patterns whose certificates are checked, at most, per task", least=1)
    seeds: int = setting(5, "networks for each task", least=1)
    hidden: int = setting(700, "hidden units", least=1)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    rate: float = setting(0.05, "step size on the mean loss", "flow time per step", above=0)
    steps: int = setting(6000, "steps of training", least=1)
    points: int = setting(61, "observations", least=1)


quick = Settings(sizes=((2, 2), (8, 3)), certificates=2, seeds=1, hidden=300, steps=2500, rate=0.1, points=26)
caption = (
    "A ReLU unit can have far more gating patterns on items in contexts than Lemma 4.1 allows, and trained "
    "networks use them. (a) Number of patterns: all, possible, used by trained units, and allowed by the "
    "lemma. (b) All patterns of the smallest task, possible in blue and impossible in orange. (c) Share of "
    "the contribution of units by what their gates depend on, over training. (d) The patterns that "
    "contribute most in the largest task; together they carry a tenth."
)


def compute(settings: Settings) -> papers.Results:
    """Count, list and prove patterns of every task; train networks and look at theirs."""
    cases = [_case(settings, *size) for size in track(settings.sizes, "possible_gates")]
    c = papers.Results(settings, cases={case.name: case for case in cases}, first=cases[0], last=cases[-1])
    return c


def _case(settings: Settings, items: int, contexts: int) -> papers.Results:
    """One task: numbers of patterns, how the rule of crossings does, what trained units contribute by their gates."""
    case, task = papers.Results(settings, items=items, contexts=contexts), _task(items, contexts)
    case.name, case.total = f"{items}×{contexts}", 2 ** (items * contexts)
    case.possible, case.by_lemma = fs.relu.count_gates(task.x), 2**contexts + items * contexts
    case.mistaken, case.imbalance = _check_crossings(task, contexts, settings) if case.total < 1000 else (0, 0.0)
    network = fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(settings.scale / settings.hidden))
    case.times = np.linspace(0, settings.steps, settings.points).round() * settings.rate
    method, observe = fs.Train(rate=settings.rate, precision="single"), ("weights", "hidden", "gates")
    run = fs.evolve(network, task, case.times, method=method, observe=observe, **papers.seeds(settings))
    gates = run["gates"][0].swapaxes(-1, -2) > 0
    contribution = np.linalg.norm(run.weights[1], axis=2) * np.linalg.norm(run["hidden"][0], axis=2)
    kinds, final = _kind(gates, contexts), contribution[:, -1]
    shares = np.stack([np.where(kinds == i, contribution, 0).sum(axis=(0, 2)) for i in range(len(KINDS))], axis=1)
    case.shares = shares / shares.sum(axis=1, keepdims=True)
    # shares of the final contribution, by seed
    case.allowed = np.where(kinds[:, -1] < 3, final, 0).sum(axis=1) / final.sum(axis=1)
    case.imposed = _imposed(task, run, gates[:, -1], contexts)
    case.linear = 2 * task.statistics.floor / task.statistics.power  # loss of the best linear map over that of no map
    case.near = np.where(_distance(gates[:, -1], contexts) <= NEAR, final, 0).sum(axis=1) / final.sum(axis=1)
    patterns, which = np.unique(gates[:, -1][final > 0], axis=0, return_inverse=True)
    case.patterns = patterns[np.argsort(-np.bincount(which.ravel(), final[final > 0]))]
    case.used, case.stray = len(patterns), int(_crossed(patterns, contexts).sum())
    return case


def _task(items: int, contexts: int) -> fs.Task:
    """The context task; for few items each context has one property of all items and one of each."""
    if (items, contexts) == (8, 3):
        return fs.tasks.context(3, "different").spanned()[0]
    block, eye = np.hstack([np.ones((items, 1)), np.eye(items)]), np.eye(contexts)
    x = np.vstack([np.hstack([np.eye(items), np.tile(row, (items, 1))]) for row in eye])
    y = np.vstack([np.hstack([block, *(block * on for on in row)]) for row in eye])
    return fs.Task(x, y, name=f"{items} items in {contexts} contexts").spanned()[0]


def _every(points: int) -> np.ndarray:
    """All patterns on this number of data points."""
    return np.array(list(product([False, True], repeat=points)))


def _check_crossings(task: fs.Task, contexts: int, settings: Settings) -> tuple[int, float]:
    """Patterns for which the rule of crossings is wrong, and the largest imbalance of a proof of impossibility."""
    every, listed = _every(len(task.x)), fs.relu.realisable_gates(task.x)
    possible, imbalance = np.array([pattern in listed for pattern in every]), [0.0]
    for pattern in every[~possible][: settings.certificates]:
        multipliers = fs.relu.is_realisable(task.x, pattern).multipliers
        assert multipliers is not None
        imbalance.append(float(np.abs(np.where(pattern, multipliers, -multipliers) @ task.x).max()))
    return int(np.sum(possible == _crossed(every, contexts))), max(imbalance)


def _crossed(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Whether two items cross in two contexts: on in the first and off in the second, and the other way round."""
    table = np.moveaxis(patterns.reshape(len(patterns), contexts, -1), 1, 0)
    pairs = [(a & ~b, b & ~a) for a, b in combinations(table, 2)]
    return np.any([more.any(axis=1) & less.any(axis=1) for more, less in pairs], axis=0)


def _kind(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Index into ``KINDS`` of each pattern, the first that applies."""
    table = patterns.reshape(*patterns.shape[:-1], contexts, -1)
    by_context = np.all(table == table[..., :1], axis=(-1, -2))
    by_item = np.all(table == table[..., :1, :], axis=(-1, -2))
    single = patterns.sum(axis=-1) == 1
    return np.select([patterns.all(axis=-1), by_context, single, by_item], [0, 1, 2, 3], 4)


def _allowed(count: int, contexts: int) -> np.ndarray:
    """All gates of the lemma."""
    return np.vstack([np.repeat(_every(contexts), count // contexts, axis=1), np.eye(count, dtype=bool)])


def _distance(patterns: np.ndarray, contexts: int) -> np.ndarray:
    """Number of data points at which a pattern differs from the nearest that the lemma allows."""
    return (patterns[..., None, :] != _allowed(patterns.shape[-1], contexts)).sum(axis=-1).min(axis=-1)


def _imposed(task: fs.Task, run: fs.Trajectory, gates: np.ndarray, contexts: int) -> np.ndarray:
    """Loss of each trained network with the gates of every unit replaced by the nearest of the lemma's, over its first.

    The nearest gate is the one that differs least, data points counted by the square of the unit's response.
    """
    first, second = (np.asarray(w[:, -1], dtype=float) for w in run.weights)
    response = np.einsum("sji,ni->sjn", first, task.x)
    allowed = _allowed(len(task.x), contexts)
    apart = np.einsum("sjn,sjgn->sjg", response**2, gates[:, :, None] != allowed, optimize=True)
    forced = allowed[apart.argmin(axis=-1)] * response
    outputs = np.einsum("soj,sjn->sno", second, forced)
    return np.sum((task.y - outputs) ** 2, axis=(1, 2)) / np.sum(task.y**2)


OPAQUE = {"loc": "center right", "frameon": True, "framealpha": 1.0, "fontsize": 8}
BARS = {
    "all patterns": ("total", 6),
    "possible for a ReLU unit": ("possible", 0),
    "used by trained units": ("used", 2),
    "allowed by the lemma": ("by_lemma", 1),
}


@papers.panel("How many gates", "", "gating patterns", legend={"loc": "upper left", "fontsize": 7}, yscale="log")
def _counts(c, ax):
    at = np.arange(len(c.cases))
    for i, (label, (name, colour)) in enumerate(BARS.items()):
        counts = [case.get(name) for case in c.cases.values()]
        bars = ax.bar(at + 0.2 * (i - 1.5), counts, 0.19, color=COLOURS[colour], label=label)
        # upright, so that numbers of neighbours do not touch
        ax.bar_label(bars, [_short(n) for n in counts], fontsize=7, padding=2, rotation=90)
    ax.set_xticks(at, [f"{case.items} items ×\n{case.contexts} contexts" for case in c.cases.values()])
    ax.set_ylim(1, 1e6 * max(case.total for case in c.cases.values()))


def _short(count):
    return str(count) if count < 10_000 else f"{count / 1000:.0f}k" if count < 1e6 else f"{count / 1e6:.1f}M"


def _patterns(ax, shown):
    """Patterns as an image: off grey, on blue, and orange where 2 says that they are impossible."""
    from matplotlib.colors import ListedColormap

    shades = ListedColormap(["#eeeeee", COLOURS[0], COLOURS[1]])
    ax.imshow(shown, aspect="auto", cmap=shades, vmin=0, vmax=2, interpolation="nearest")


@papers.panel(
    lambda c: f"{c.first.possible} of {c.first.total} are possible, {c.first.name}",
    "possible (blue), impossible (orange)",
    xticks=[],
)
def _all_patterns(c, ax):
    items, contexts = c.first.items, c.first.contexts
    every = _every(items * contexts)
    every = every[np.lexsort((every.sum(axis=1), _crossed(every, contexts)))][:SHOWN]
    _patterns(ax, np.where(_crossed(every, contexts), 2 * every.T, every.T))
    ax.set_xticks(np.arange(-0.5, len(every)), minor=True)
    ax.set_yticks(np.arange(-0.5, items * contexts), minor=True)
    ax.grid(which="minor", color="white", linewidth=1.5)
    ax.tick_params(which="minor", length=0)
    names = [f"item {i + 1}, context {k + 1}" for k in range(contexts) for i in range(items)]
    ax.set_yticks(range(len(names)), names)


@papers.panel("", "time (flow time)", "share of contribution (%)", legend=OPAQUE)
def _kinds(c, ax):
    colours = [COLOURS[i] for i in (0, 2, 4, 3, 1)]
    ax.stackplot(c.last.times, 100 * c.last.shares.T, colors=colours, labels=KINDS, linewidth=0)
    ax.set(xlim=(0, c.last.times[-1]), ylim=(0, 100), title=f"What gates depend on, {c.last.name}")


@papers.panel(
    lambda c: f"The {min(SHOWN, c.last.used)} most used of {c.last.used}, {c.last.name}", "", "patterns by contribution"
)
def _most_used(c, ax):
    top, items, contexts = c.last.patterns[:SHOWN], c.last.items, range(c.last.contexts)
    _patterns(ax, top)
    for k in contexts[1:]:
        ax.axvline(k * items - 0.5, color="white", linewidth=3)
    ax.set_xticks([(k + 0.5) * items - 0.5 for k in contexts], [f"context {k + 1}" for k in contexts])
    ax.set_yticks([0, len(top) - 1], ["1", str(len(top))])


EXACT = {"at_least": 1.0, "expected": "fails", "because": "the lemma states it without exception"}


@papers.claim("jarvis2025 Lemma 4.1", name="lemma_small", **EXACT)
def _lemma_small(c):
    """For {s.sizes[0][0]:word} items in {s.sizes[0][1]:word} contexts every possible gate of a ReLU unit depends on the
    context alone or is on at a single point (share of the possible gates)."""
    return c.first.by_lemma / c.first.possible


@papers.claim("jarvis2025 Lemma 4.1", **EXACT)
def _lemma(c):
    """For {s.sizes[-1][0]:word} items in {s.sizes[-1][1]:word} contexts every possible gate of a ReLU unit depends on
    the context alone or is on at a single point (share of the possible gates)."""
    return c.last.by_lemma / c.last.possible


@papers.extension(
    "brewbaker2008 for the count of such patterns (lonesum matrices), on jarvis2025 App. D",
    at_most=0.0,
    because="a count must agree exactly",
)
def _crossing(c):
    """A gating pattern is impossible for a ReLU unit exactly if one item is on in only the first of two contexts, and
    another item in only the second (patterns for which this is wrong, of all)."""
    return float(sum(case.mistaken for case in c.cases.values()))


@papers.claim("jarvis2025 App. D", kind="identity", at_most=1e-9, because="rounding")
def _proof(c):
    """Every impossible gating pattern has multipliers that prove it impossible (largest imbalance of a certificate)."""
    return max(case.imbalance for case in c.cases.values())


@papers.claim(
    "jarvis2025 Lemma 4.1, section 4", at_least=0.99, expected="fails", because="99 %: the paper names no others"
)
def _used(c):
    """Trained ReLU networks gate by context alone or by single points (share of the contribution of units, mean over
    networks, {s.sizes[-1][0]:word} items in {s.sizes[-1][1]:word} contexts)."""
    return papers.mean(c.last.allowed)


@papers.claim(
    "jarvis2025 Lemma 4.1, section 4",
    name="used, by function",
    at_most=0.1,
    because="a tenth of what the best linear map leaves, which needs no gates",
)
def _used_by_function(c):
    """Trained ReLU networks work as if they gated by context alone or by single points: with every unit forced to the
    nearest such gate they still solve the task (loss over that of the best linear map, mean over networks)."""
    return papers.mean(c.last.imposed / c.last.linear)


@papers.extension("our question, on jarvis2025 Lemma 4.1", at_least=0.5, because="one half: most")
def _near(c):
    """Most of what trained ReLU units contribute comes from gates that differ, at most at four data points, from one by
    context alone or on at a single point (share of the contribution, mean over networks)."""
    return papers.mean(c.last.near)


@papers.claim("jarvis2025 App. D", kind="identity", at_most=0.0, because="true of every ReLU unit")
def _within(c):
    """No trained ReLU unit has a gating pattern that the linear programme rules out (number of such patterns)."""
    return float(sum(case.stray for case in c.cases.values()))
