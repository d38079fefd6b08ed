"""Is a ReLU network in contexts equal to its gated network in more than its loss?

In part. The closed forms give the singular values of the common pathway, and of contextual pathways that learn what it
leaves. Where all learn together, contextual pathways take over part of what is common: the loss is that of the closed
form, but how it is divided is not; the race of all pathways has it right. Distances between hidden representations of a
ReLU network and of its gated network agree while the common part is learned and drift apart while contexts are, where
two ReLU networks still agree. Hardly any unit is on in a single context, and a second hidden layer makes units be on in
more of them. How many units a module of the gated network has matters, because it sets how large the module starts.

Source: jarvis2025 abstract, section 4, Figs. 4 and 5, Table 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

import festina as fs
from festina.papers import Claim, setting
from festina.papers._claim import Baseline
from festina.papers._seeds import between, mean, resampled, two_networks
from festina.papers.experiments._equivalence_draw import draw_panels
from festina.runtime import track

CONTEXTS = 3
ITEMS = 8
PARTS = ("common", "contextual")

BEGUN = 0.01
"""Share of the loss that is gone once learning has begun; before, representations are those of random weights."""


@dataclass(frozen=True)
class Settings:
    """How networks are trained."""

    contexts: tuple[int, ...] = setting((3, 4, 5), "numbers of contexts of the same structure", least=3)
    hidden: tuple[int, ...] = setting((700, 500, 600), "units of the ReLU network for each of them", least=1)
    seeds: int = setting(20, "ReLU networks, and as many gated ones", least=2)
    seed: int = setting(0, "first of the seeds", least=0)
    units: int = setting(100, "units of a module of the gated network in Table 1 of the paper", least=1)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    step: float = setting(0.001, "step size on the summed loss; the mean loss takes N times as much", above=0)
    steps: int = setting(8000, "steps of training", least=1)
    points: int = setting(81, "observations", least=2)
    layers: int = setting(128, "units of each layer of the networks of one and of two hidden layers", least=1)
    std: float = setting(0.0016, "standard deviation of an initial weight of these", above=0)
    layer_step: float = setting(0.004, "step size of these on the summed loss", above=0)
    layer_steps: int = setting(5000, "steps of these", least=1)


quick = Settings(contexts=(3,), hidden=(700,), seeds=5, step=0.004, steps=2000, points=41, layer_steps=3000)
layout = (2, 3)
caption = (
    "A ReLU network in contexts and its gated network agree early and differ where contexts are learned. (a) Singular "
    "values of contextual pathways that learn what the common one leaves: trained (thick, pale) and closed form "
    "(thin), three contexts. (b) The same where all pathways learn together, with the race of all pathways (dashed). "
    "(c) Correlation of the distances between hidden representations of a ReLU network with those of its gated network "
    "and of another ReLU network. (d) Share of activity and share of units by "
    "the number of contexts that a unit is on in. (e) Loss of trained ReLU networks and of gated networks with two "
    "sizes of modules. (f) Share of contexts that a unit is on in, by layer."
)


@dataclass(frozen=True, eq=False)
class Curves:
    """Singular values, similarities of representations, gates, and losses.

    ``singular`` holds for each number of contexts singular values as ``_singular_values`` gives them, (seeds, times,
    modes) where trained; ``similar`` correlations (seeds, times); ``on`` shares (seeds, contexts); ``reuse`` by seed.
    """

    settings: Settings
    singular: dict[int, dict[str, dict[str, np.ndarray]]]
    similar: dict[str, np.ndarray]
    on: dict[str, np.ndarray]
    relu: fs.Trajectory
    gated: dict[str, fs.Trajectory]
    reuse: dict[str, np.ndarray]

    def apart(self, trained: str, theory: str, *parts: str) -> tuple[float, float]:
        """Area between singular values in training and in theory over the area below; largest over contexts, parts."""
        pairs = [(found[trained][part], found[theory][part]) for found in self.singular.values() for part in parts]

        def off(*runs: np.ndarray) -> float:
            means = [run.mean(axis=0) for run in runs]
            return max(float(np.abs(m - t).sum() / np.abs(m).sum()) for m, (_, t) in zip(means, pairs, strict=True))

        return resampled(off, *(run for run, _ in pairs))

    def networks_apart(self, trained: str, *parts: str) -> float:
        """The same area between the singular values of two trained networks, mean over pairs; largest over the same."""
        runs = [found[trained][part] for found in self.singular.values() for part in parts]
        return max(float(between(lambda a, b: np.abs(a - b).sum() / np.abs(b).sum(), run)) for run in runs)

    def area(self, name: str) -> tuple[float, float]:
        """Area between the mean losses of gated and of ReLU networks."""
        times = self.relu.times

        def off(gated: np.ndarray, relu: np.ndarray) -> float:
            first, second = (fs.Trajectory(times, {"loss": loss.mean(axis=0)}) for loss in (gated, relu))
            return fs.compare(first, second).area

        return resampled(off, self.gated[name].loss, self.relu.loss)


def compute(settings: Settings) -> Curves:
    """Gated networks and their closed form; ReLU networks beside them; networks of one and of two hidden layers."""
    singular = {}
    for count, hidden in track(list(zip(settings.contexts, settings.hidden, strict=True)), "singular values"):
        singular[count] = _singular_values(settings, count, hidden)
    task, _ = fs.tasks.context(CONTEXTS, "different").spanned()
    rate, hidden = settings.step * len(task.x), settings.hidden[0]
    moments, std = _moments(settings, len(task.x)), settings.scale / hidden
    method, seeds = fs.Train(rate=rate, precision="single"), settings.seeds
    network = fs.ReLU((hidden,), initial=fs.initial.Gaussian(std))
    subsets = _subsets(CONTEXTS)
    gated = {}
    for name, units in (("half", hidden // 2), ("table", settings.units)):
        gated[name] = fs.evolve(
            _network(CONTEXTS, subsets, task, units, std), task, moments, method=method, seed=settings.seed,
            seeds=seeds, observe=("loss", "hidden") if name == "half" else ("loss",),
        )  # fmt: skip
    relu = fs.evolve(
        network, task, moments, method=method, seed=settings.seed, seeds=seeds, observe=("loss", "hidden", "weights")
    )
    activity = relu["hidden"][0]
    other = np.concatenate([part[0] for part in gated["half"]["hidden"]], axis=-1)
    return Curves(
        settings,
        singular,
        {
            "gated": np.array([_similarity(one, other) for one in activity]),
            "relu": np.array([_similarity(activity[k], activity[k - 1]) for k in range(seeds)]),
        },
        _on(activity[:, -1], relu.weights[1][:, -1]),
        _loss(relu), {name: _loss(run) for name, run in gated.items()}, _reuse(settings),
    )  # fmt: skip


def _loss(run: fs.Trajectory) -> fs.Trajectory:
    """The loss alone."""
    return fs.Trajectory(run.times, {"loss": run.loss}, seeds=run.seeds)


def _moments(settings: Settings, count: int) -> np.ndarray:
    return np.linspace(0, settings.steps, settings.points).round() * settings.step * count


def _subsets(contexts: int) -> list[tuple[int, ...]]:
    """The paper's pathways: on in all contexts, and in all but one."""
    return [tuple(range(contexts)), *combinations(range(contexts), contexts - 1)]


def _network(contexts: int, subsets: Sequence[tuple[int, ...]], task: fs.Task, units: int, std: float) -> fs.Gated:
    """Pathways open in the given subsets of contexts, each of as many random units; contextual ones see items alone."""
    outputs, items = task.y.shape[1], task.x.shape[1] - contexts
    context = np.argmax(task.x[:, items:], axis=1)
    everywhere = [len(subset) == contexts for subset in subsets]
    gates = np.array([np.isin(context, subset) for subset in subsets])
    widths = [min(units, outputs + items + contexts * always) for always in everywhere]
    inputs = [None if always else range(items) for always in everywhere]
    return fs.gated.pathways(gates, widths, inputs=inputs, initial=fs.gated.RandomPathways(std, units))


def _singular_values(settings: Settings, contexts: int, hidden: int) -> dict[str, dict[str, np.ndarray]]:
    """Of gated networks, common and contextual pathways: learning alone, together, by closed forms, by the race.

    Alone, as the paper derives it, the common pathway learns the task and the contextual ones what a linear map leaves.
    """
    task, _ = fs.tasks.context(contexts).spanned()
    left = fs.Task(task.x, task.y - task.x @ (np.linalg.pinv(task.x) @ task.y))
    subsets, std = _subsets(contexts), settings.scale / hidden
    times = _moments(settings, len(task.x))
    train = fs.Train(rate=settings.step * len(task.x), precision="single")

    def solve(
        network: fs.Gated, data: fs.Task, method: fs.Train | fs.Reduced | fs.Exact, seeds: int | None
    ) -> np.ndarray:
        run = fs.evolve(network, data, times, method=method, seed=settings.seed, seeds=seeds, observe=("strengths",))
        return run.strengths

    whole = _network(contexts, subsets, task, hidden // 2, std)
    sizes = [effective.rank for effective in task.statistics(whole).effective]
    priming, race = fs.Reduced(fs.gated.Priming(common="pathway 1")), fs.Reduced()
    found = {
        "together": _split(solve(whole, task, train, settings.seeds), sizes),
        "together, closed": _split(solve(whole.expected_start(), task, priming, None), sizes),
        "together, race": _split(solve(whole.expected_start(), task, race, None), sizes),
        "alone": {},
        "alone, closed": {},
    }
    for part, kind, data in (("common", subsets[:1], task), ("contextual", subsets[1:], left)):
        network = _network(contexts, kind, data, hidden // 2, std)
        found["alone"][part] = _mean_pathway(solve(network, data, train, settings.seeds), len(kind))
        found["alone, closed"][part] = _mean_pathway(solve(network.expected_start(), data, fs.Exact(), None), len(kind))
    return found


def _split(strengths: np.ndarray, sizes: list[int]) -> dict[str, np.ndarray]:
    """Strengths of the first pathway, and the mean of the others', mode by mode."""
    parts = np.split(strengths, np.cumsum(sizes)[:-1], axis=-1)
    return {"common": parts[0], "contextual": np.mean(parts[1:], axis=0)}


def _mean_pathway(strengths: np.ndarray, pathways: int) -> np.ndarray:
    """Mean over pathways of the same structure, mode by mode."""
    return strengths.reshape(*strengths.shape[:-1], pathways, -1).mean(axis=-2)


def _similarity(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Correlation over pairs of data points of distances in two networks (times, points, units), by time."""
    above = np.triu_indices(first.shape[1], 1)
    apart = [_distances(h)[:, *above] for h in (first, second)]
    return np.array([np.corrcoef(a, b)[0, 1] for a, b in zip(*apart, strict=True)])


def _distances(activity: np.ndarray) -> np.ndarray:
    """Euclidean distances between all data points, (times, points, points)."""
    activity = activity.astype(float)
    products = activity @ activity.swapaxes(-1, -2)
    power = np.diagonal(products, axis1=-2, axis2=-1)
    return np.sqrt(np.maximum(power[..., :, None] + power[..., None, :] - 2 * products, 0.0))


def _on(activity: np.ndarray, out: np.ndarray) -> dict[str, np.ndarray]:
    """Share of the activity sent on, and share of units, by the number of contexts a unit is on in: 0, 1, … C.

    A unit is on in a context where its mean activity there is above 0, the paper's threshold.
    """
    sent = np.linalg.norm(activity, axis=1) * np.linalg.norm(out, axis=1)
    number = _contexts_on(activity)
    count = [number == k for k in range(CONTEXTS + 1)]
    power = np.stack([np.where(c, sent, 0.0).sum(axis=1) for c in count], axis=1)
    return {
        "activity": power / power.sum(axis=1, keepdims=True),
        "units": np.stack([c.mean(axis=1) for c in count], axis=1),
    }


def _contexts_on(activity: np.ndarray) -> np.ndarray:
    """Number of contexts in which each unit is on, (seeds, units)."""
    by_context = activity.reshape(len(activity), CONTEXTS, -1, activity.shape[-1]).mean(axis=2)
    return (by_context > 0).sum(axis=1)


def _reuse(settings: Settings) -> dict[str, np.ndarray]:
    """Mean share of contexts a unit is on in, weighted by the activity it sends on: one layer, and each of two."""
    task, _ = fs.tasks.context(CONTEXTS).spanned()
    rate = settings.layer_step * len(task.x)
    found = {}
    for names in (("one layer",), ("first of two", "second of two")):
        network = fs.ReLU((settings.layers,) * len(names), initial=fs.initial.Gaussian(settings.std))
        run = fs.evolve(
            network, task, [0.0, settings.layer_steps * rate], method=fs.Train(rate=rate, precision="single"),
            seed=settings.seed, seeds=settings.seeds, observe=("hidden", "weights"),
        )  # fmt: skip
        for k, name in enumerate(names):
            activity = run["hidden"][k][:, -1]
            sent = np.linalg.norm(activity, axis=1) * np.linalg.norm(run.weights[k + 1][:, -1], axis=1)
            found[name] = (sent * _contexts_on(activity)).sum(axis=1) / sent.sum(axis=1) / CONTEXTS
    return found


def values(curves: Curves) -> dict[str, Any]:
    """The numbers behind the claims."""
    return {
        "singular_values_apart": {
            "alone": {part: curves.apart("alone", "alone, closed", part) for part in PARTS},
            "together": {part: curves.apart("together", "together, closed", part) for part in PARTS},
            "together, race": {part: curves.apart("together", "together, race", part) for part in PARTS},
        },
        "similarity": {name: found.mean(axis=0) for name, found in curves.similar.items()},
        "on": {name: found.mean(axis=0) for name, found in curves.on.items()},
        "area": {name: curves.area(name) for name in curves.gated},
        "reuse": {name: mean(found) for name, found in curves.reuse.items()},
        "units_of_a_module": {"half": curves.settings.hidden[0] // 2, "table": curves.settings.units},
    }


def _least(curves: Curves, name: str) -> tuple[float, float]:
    """Correlation of distances at the time at which it is least once learning has begun, mean over networks."""
    loss = curves.relu.loss.mean(axis=0)
    begun = loss < (1 - BEGUN) * loss[0]
    return resampled(lambda found: found.mean(axis=0)[begun].min(), curves.similar[name])


def draw(curves: Curves, axes: np.ndarray) -> None:
    """Singular values; similarity; gates; losses; reuse by layer."""
    draw_panels(curves, axes, _moments(curves.settings, ITEMS * curves.settings.contexts[0]))


def _singular(part: str, which: str) -> Claim[Curves]:
    return Claim(
        f"singular values, {part}",
        f"The closed form gives the singular values of {which}, for three, four and five contexts of the same "
        "structure (area between the curves of theory and trained gated networks over the area below, largest of the "
        "three).",
        lambda c: c.apart("alone", "alone, closed", part),
        0.05,
        source="jarvis2025 Fig. 5, App. F and G",
        reason="5 %, a conventional tolerance; the paper says that they match exactly",
        floor=("two networks", lambda c: c.networks_apart("alone", part)),
    )


claims: tuple[Claim[Curves], ...] = (
    _singular("common", "the common pathway of a gated network"),
    _singular("contextual", "contextual pathways that learn what the common pathway leaves"),
    Claim(
        "singular values, together",
        "The closed forms give the singular values of all pathways of a gated network also where common and contextual "
        "pathways learn together (area between the curves of theory and training over the area below, largest over "
        "pathways and three to five contexts).",
        lambda c: c.apart("together", "together, closed", *PARTS),
        0.05,
        kind="extension",
        source="jarvis2025 Fig. 5, App. F, which derives one after the other",
        reason="5 %, as for pathways that learn alone",
        expected="fails",
        baseline=Baseline("the race of all pathways", lambda c: c.apart("together", "together, race", *PARTS)[0]),
        floor=("two networks", lambda c: c.networks_apart("together", *PARTS)),
    ),
    Claim(
        "representations",
        "The hidden representations of a ReLU network in three contexts and of its gated network are equivalent at all "
        "times of learning (correlation over pairs of data points of their distances, mean over networks, least over "
        "times).",
        lambda c: _least(c, "gated"),
        0.95,
        ">=",
        source="jarvis2025 Fig. 4c",
        reason="0.95, nine tenths of the variance of distances; after first numbers times before 1 % of the loss is "
        "gone were left out, since two ReLU networks differ there as well",
        expected="fails",
        floor=("two networks", lambda c: _least(c, "relu")[0]),
    ),
    Claim(
        "no specific activity",
        "No neuron of a trained ReLU network is specific to one of three contexts (share of the activity sent on by "
        "units that are on in one context only, mean over networks).",
        lambda c: mean(c.on["activity"][:, 1]),
        0.01,
        source="jarvis2025 section 4",
        reason="1 %: units that hardly contribute are not counted; a unit is on above 0, the paper's threshold",
    ),
    Claim(
        "no specific units",
        "Hardly any unit of a trained ReLU network, however little it contributes, is on in a single one of three "
        "contexts (share of all units, mean over networks).",
        lambda c: mean(c.on["units"][:, 1]),
        0.01,
        kind="extension",
        source="jarvis2025 section 4, counted without weights",
        reason="1 %, as for units weighted by their contribution",
    ),
    Claim(
        "modules of Table 1",
        "A gated network whose modules have 100 units each, as in the paper's table of settings, learns like ReLU "
        "networks of 700 units that start from weights of the same size, in three contexts (area between mean loss "
        "curves).",
        lambda c: c.area("table"),
        0.04,
        source="jarvis2025 Table 1",
        reason="4 %, as in the experiment context for modules of half the units",
        expected="fails",
        baseline=Baseline("modules of 350 units", lambda c: c.area("half")[0]),
        floor=("two networks", lambda c: two_networks(c.relu.times, c.relu.loss)),
    ),
    Claim(
        "amplified by depth",
        "A second hidden layer makes ReLU networks use units in more contexts (mean share of contexts that units are "
        "on in, weighted by what they send on: both layers of two less the layer of one).",
        lambda c: resampled(lambda one, first, second: (first + second).mean() / 2 - one.mean(), *c.reuse.values()),
        0.0,
        ">=",
        source="jarvis2025 abstract, section 6",
        reason="0: the paper states the direction",
    ),
)
