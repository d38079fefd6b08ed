"""Which gated network learns like a ReLU network whose task depends on context?

Eight items have properties in three contexts of different structure. A common pathway and three that are open in two
contexts each reproduce the loss of ReLU networks. Every pathway starts as strongly as the random units of the ReLU
network that grow into its gates (``fs.relu.initial_strengths``, the same rule as on XOR). Contextual pathways grow
while the common one is still learning (priming), so all are integrated jointly from the start. Pathways open in single
contexts are too slow. The agreement belongs to this initial scale: the experiment ``contexts`` varies it. About twenty
shares were compared before the rule was derived; H/3 for the common pathway and H for the others are closer (0.020).

Source: jarvis2025 section 4, Figs. 3 and 4, App. F; saxe_lecture "Context-dependent processing".
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups.context import reln
from festina.papers.setups.selectivity import similarity
from festina.plot import COLOURS

CONTEXTS = 3
COMMON, DOUBLE, SINGLE = [(0, 1, 2)], [(0, 1), (0, 2), (1, 2)], [(0,), (1,), (2,)]
KINDS = {"double": COMMON + DOUBLE, "single": COMMON + SINGLE, "both": COMMON + DOUBLE + SINGLE}


class Settings(papers.Settings):
    seeds: int = setting(30, "ReLU networks", least=1)
    gated_seeds: int = setting(12, "trained gated networks; with pathways for single contexts alone one", least=1)
    hidden: int = setting(700, "hidden units of the ReLU network", least=1, published=700)
    scale: float = setting(0.005, "standard deviation of an initial weight, times the number of hidden units", above=0)
    step: float = setting(0.001, "step size on the summed loss (the mean: 24 times)", above=0, published=0.001)
    steps: int = setting(8000, "steps of training", least=1, published=8000)
    points: int = setting(81, "observations", least=1)
    units: int = setting(100, "units of every pathway, in the paper's Table 1", least=1, published=100)


quick = Settings(seeds=2, gated_seeds=2, step=0.002, steps=4000)
caption = (
    "A gated network with a common pathway and three pathways that are each open in two contexts learns like a ReLU "
    "network; one with pathways for single contexts does not. (a) Loss of ReLU networks (thick), of gated networks "
    "that differ in their pathways and of the race (thin). (b) Strength of the modes of each pathway in the race. (c) "
    "Deviation of each loss from the mean ReLU loss. (d, e) Outputs of the ReLU and of the gated network (ReLN) at "
    "three times. (f) Hidden activity in two dimensions (MDS) at the last of these times, ReLU filled and gated open."
)


def compute(settings: Settings) -> papers.Results:
    """Train ReLU and gated networks from the same random rule, and predict them."""
    c, (task, rotation) = papers.Results(settings), fs.tasks.context(CONTEXTS, "different").spanned()
    rate, std = settings.step * len(task.x), settings.scale / settings.hidden
    times = np.linspace(0, settings.steps, settings.points).round() * rate
    gated = {name: reln(CONTEXTS, kind, task, settings.hidden, std, rate) for name, kind in KINDS.items()}
    table = reln(CONTEXTS, KINDS["double"], task, settings.hidden, std, rate, units=settings.units)
    networks = {"relu": fs.ReLU((settings.hidden,), initial=fs.initial.Gaussian(std)), **gated, "table": table}
    seen, seeds = ("loss", "outputs", "hidden"), dict.fromkeys(networks, settings.gated_seeds)
    seeds |= {"relu": settings.seeds, "single": 1}
    observe = dict.fromkeys(networks, ("loss",)) | {"relu": seen, "double": seen, "both": ("loss", "hidden", "weights")}
    train = fs.Train(rate=rate, precision="single")
    c.trained = papers.run_all(networks, task, times, method=train, seed=settings.seed, seeds=seeds, observe=observe)
    c.relu, expected = c.trained["relu"], gated["double"].expected_start()
    c.race = fs.evolve(expected, task, times, method=fs.Reduced(), observe=("loss", "strengths"))
    c.closed = fs.evolve(expected, task, times, method=fs.Reduced(fs.gated.Priming(common="pathway 1")))
    effective = task.statistics(gated["double"]).effective
    c.paths = {node.name: e.rank for node, e in zip(gated["double"].graph.hidden, effective, strict=True)}
    at = papers.falls(c.relu.mean().loss, (0.6, 0.25, 0.01))
    c.when, c.outputs = times[at], {name: c.trained[name].outputs[:, at] @ rotation.T for name in ("relu", "double")}
    hidden = [np.concatenate([h[0, at] for h in c.trained[name]["hidden"]], axis=2) for name in c.outputs]
    c.places, c.hidden_correlation = _places(*hidden), similarity(*hidden)
    c.single_share = _single_share(c.trained["both"], gated["both"])
    return c


def _places(relu: np.ndarray, reln: np.ndarray) -> np.ndarray:
    """Hidden activity of both networks on a map at each time."""
    places = []
    for first, second in zip(relu, reln, strict=True):
        place = fs.analysis.scale(first / np.linalg.norm(first))[0]
        places.append([place, fs.analysis.scale(second / np.linalg.norm(second), start=place)[0]])
    return np.array(places)


def _single_share(run: fs.Trajectory, network: fs.Gated) -> np.ndarray:
    """Share of the final power of contextual outputs that comes from pathways for single contexts, for each network."""
    names, layers = [node.name for node in network.graph.hidden], zip(network.graph.edges, run.weights, strict=True)
    out = {source: weights[:, -1] for (source, target), weights in layers if target not in names}
    parts = [h[:, -1] @ out[name].swapaxes(1, 2) for name, h in zip(names, run["hidden"], strict=True)]
    power = np.array([np.sum(part**2, axis=(1, 2)) for part in parts[1:]])  # without the common pathway
    return power[len(DOUBLE) :].sum(axis=0) / power.sum(axis=0)


SMALL = {"loc": "upper right", "fontsize": 7}
LOSSES = {
    "relu": ("ReLU", {"linewidth": 7}),
    "trained.single": ("gated, one context each", {"color": COLOURS[3]}),
    "trained.double": ("gated, two contexts each", {"color": COLOURS[0], "linewidth": 3}),
    "race": ("predicted: race", {"color": COLOURS[0]}),
}
LEFT = {
    "trained.double": "two contexts each, trained",
    "trained.both": ("both kinds, trained", {"color": COLOURS[2]}),
    "race": "race",
    "closed": ("closed form", {"linestyle": "--"}),
}
loss = papers.losses(LOSSES, "Loss, trained and predicted", legend=SMALL)
strengths = papers.modes("race", "paths", "Modes of each pathway, predicted", legend={**SMALL, "ncols": 2})
left = papers.residual("relu", LEFT, legend={**SMALL, "loc": "upper left"}, ylim=(-0.2, 0.75))
shown = {"relu": "ReLU", "double": "ReLN"}.items()
images = [papers.outputs(f"outputs.{key}", f"Outputs, {name}", "24 items") for key, name in shown]
hidden = papers.maps("places", [f"context {k}" for k in (1, 2, 3)], "Hidden activity (MDS)", "filled: ReLU, open: ReLN")
panels = (loss, strengths, left, *images, hidden.of(2), hidden.of(0, detail=True), hidden.of(1, detail=True))
FLOOR = papers.apart("relu")


@papers.extension(
    "jarvis2025 Fig. 4a, whose pathways have 100 units; the initial strengths are ours",
    at_most=0.04,
    floor=FLOOR,
    baseline=("pathways of {s.units} units", lambda c: papers.area_of_means(c.trained["table"], c.relu)[0]),
    because="4 %; the closed form of the released code of the paper reaches 5.4 %, and about twenty ways to share the "
    "units were tried before the rule",
)
def _reln(c):
    """A gated network with a common pathway and one per pair of contexts learns like a ReLU network, if all start as
    strongly as random units that take their gates (area between loss curves)."""
    return papers.area_of_means(c.trained["double"], c.relu)


@papers.extension(
    "jarvis2025 Fig. 4a, App. F; the initial strengths are ours",
    at_most=0.04,
    floor=FLOOR,
    because="4 %, as for the trained gated network; about twenty ways to share the units were tried before the rule",
)
def _race(c):
    """The race of the pathways, each as strong at the start as the random units that grow into its gates, predicts the
    loss of ReLU networks in three contexts (area between loss curves)."""
    return papers.area_of_means(c.race, c.relu)


@papers.extension(
    "jarvis2025 App. F stops at the race",
    at_most=0.054,
    expected="fails",
    floor=FLOOR,
    because="5.4 %, the area of the paper's released code",
)
def _closed(c):
    """A closed form predicts the loss of ReLU networks in three contexts of different structure (area between loss
    curves); it assumes pathways that learn equally fast."""
    return papers.area_of_means(c.closed, c.relu)


@papers.claim(
    "jarvis2025 Fig. 4a, Proposition 4.2",
    at_least=3.0,
    because="a factor of three, clearly outside the spread between seeds",
)
def _single(c):
    """A gated network whose pathways are open in single contexts learns less like a ReLU network than one whose
    pathways are open in two (ratio of the areas between loss curves)."""
    return papers.area_of_means(c.trained["single"], c.relu, over=c.trained["double"])


@papers.claim("jarvis2025 App. E", at_most=0.05, because="5 %, a conventional threshold for inactive")
def _both(c):
    """When pathways for single and for double contexts are trained together, those for single contexts remain inactive
    (their share of the power of the outputs of contextual pathways, mean over networks)."""
    return papers.mean(c.single_share)


@papers.claim(
    "jarvis2025 Fig. 4a",
    at_most=0.1,
    because="10 %, a conventional threshold",
    floor=("two networks", lambda c: float(papers.between(papers.relative_distance, c.outputs["relu"]).max())),
)
def _outputs(c):
    """At the plateaus of the loss a ReLU network and its gated network have the same outputs (relative distance, mean
    over pairs of networks, largest of three times)."""
    pairs = [papers.relative_distance(*pair) for pair in zip(c.outputs["relu"], c.outputs["double"], strict=False)]
    return papers.resampled(lambda found: found.mean(axis=0).max(), np.array(pairs))
