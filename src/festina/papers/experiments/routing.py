"""Why does a network that routes between domains learn what it was not trained on?

M domains share a structure; each of them is translated into K domains, through one hidden edge that all pairs use. That
edge is in K·M paths and an encoder in K only. The shared edge therefore learns fastest and ends M^{1/2} times as strong
as an encoder: b2 = (M s)^{1/3}, b1 = s^{1/3} M^{−1/6}. From small weights (rich) pairs that were never trained are then
as good as trained ones; from large weights (lazy) they are not.

Source: saxe2022; saxe_lecture "Example: Routing network", "Race dynamics favor shared structure".
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, SIGNS, look, name_kinds
from festina.runtime import track

EDGES = {"shared": ("encoded", "decoded"), "encoder": ("x 1", "encoded")}
PAIRS = ("trained pairs", "untrained pairs")
MODES = 4


class Settings(papers.Settings):
    domains: int = setting(7, "domains M", least=1)
    trained: int = setting(4, "trained output domains K of each input domain", least=1)
    hidden: int = setting(64, "width of both hidden layers", least=1)
    layer: float = setting(0.08, "strength of an encoder in the decoupled start", above=0)
    gains: tuple[float, ...] = setting(
        (0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5),
        "gains of orthogonal starts, the first of which is shown in detail",
        above=0,
    )
    seeds: int = setting(5, "networks for each gain", least=1)
    rate: float = setting(0.05, "step size on the mean loss", "flow time per step", above=0)
    time: float = setting(240.0, "length of training", "flow time", above=0)
    points: int = setting(121, "observations", least=1)


quick = Settings(gains=(0.2, 2.5), seeds=2, hidden=48, time=120.0, points=61)
caption = (
    "The edge that all pairs of domains share learns fastest, and from small weights pairs that were never "
    "trained are then learned too. (a, b) Strength of the shared edge and of an encoder, mode by mode: "
    "training (thick, pale), closed form (thin, dark) and race (dotted). (c, d) Error on trained and untrained pairs "
    "over time from the smallest and the largest weights. (e) Final errors against the size of the initial "
    "weights. (f) Similarity between the codes of all items from small and from large weights."
)


def compute(settings: Settings) -> papers.Results:
    """Closed form, race and training from a decoupled start; training from orthogonal starts of all gains."""
    many, hidden, layer = settings.domains, settings.hidden, settings.layer
    task, every = fs.tasks.routing(many, settings.trained), fs.tasks.routing(many, many)
    c = papers.Results(settings, times=np.linspace(0, settings.time, settings.points), gains=settings.gains)
    start = fs.gated.Decoupled({"encoded": layer, "decoded": layer, EDGES["shared"]: layer * np.sqrt(many)})
    network = fs.gated.routing(many, settings.trained, hidden, initial=start)
    asked = fs.gated.routing(many, many, hidden, initial=start)
    methods = {"exact": fs.Exact(), "race": fs.Reduced(), "trained": fs.Train(rate=settings.rate)}
    runs = {k: fs.evolve(network, task, c.times, method=m, observe=("weights",)) for k, m in methods.items()}
    c.strengths = {name: _strengths(network, run.weights) for name, run in runs.items()}
    errors, c.similarity, c.first, trained = [], [], {}, {"method": methods["trained"], "observe": ("weights",)}
    for gain in track(settings.gains, "gains"):
        random = network.starting(fs.initial.Orthogonal(gain))
        run = fs.evolve(random, task, c.times, **trained, **papers.seeds(settings))
        errors.append([_errors(asked, every, task, [w[k] for w in run.weights]) for k in range(settings.seeds)])
        c.similarity.append(_similarity(asked, every, tuple(w[0, -1] for w in run.weights)))
        c.first = c.first or {name: found[:, -1] for name, found in _strengths(network, run.weights).items()}
    c.errors = np.array(errors)
    # relative to the error of the zero map, (gains, seeds, trained or not)
    c.final_errors = c.errors[:, :, -1] / (0.5 * float(np.sum(fs.tasks.routing(1, 1).y ** 2)) / MODES)
    targets = np.linalg.svd(fs.tasks.routing(1, 1).y, compute_uv=False)
    # strengths where a balanced start leads, mode by mode
    c.final = {"shared": (many * targets) ** (1 / 3), "encoder": targets ** (1 / 3) * many ** (-1 / 6)}
    return c


def _strengths(network: fs.Gated, weights: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """Singular values of the shared edge and of an encoder, (…, times, modes)."""
    found = {name: weights[network.graph.index[edge]] for name, edge in EDGES.items()}
    return {name: np.linalg.svd(w, compute_uv=False)[..., :MODES] for name, w in found.items()}


def _errors(asked: fs.Gated, every: fs.Task, task: fs.Task, weights: list[np.ndarray]) -> np.ndarray:
    """Mean error ½‖y − ŷ‖² of trained and of untrained pairs at each time, (times, 2)."""
    known, x = np.isin(every.items, task.items), asked.context(every)["x"]
    outputs = [asked.predict(tuple(w[i] for w in weights), x) for i in range(len(weights[0]))]
    miss = 0.5 * np.sum((every.y - np.array(outputs)) ** 2, axis=-1)
    return np.stack([miss[:, known].mean(axis=1), miss[:, ~known].mean(axis=1)], axis=1)


def _similarity(asked: fs.Gated, every: fs.Task, weights: tuple[np.ndarray, ...]) -> np.ndarray:
    """Correlation between the codes of all items of all domains, in the layer after the shared edge."""
    activity = asked.predict.activity(weights, asked.context(every)["x"])["decoded"]  # type: ignore[attr-defined]
    _, rows = np.unique(np.argmax(every.x, axis=1), return_index=True)
    return np.corrcoef(activity[rows])


@papers.panel(lambda c, edge: "Shared edge" if edge == "shared" else "Encoder", "time (flow time)", "strength")
def _edge(c, ax, edge):
    exact, race, trained = (c.strengths[way][edge] for way in ("exact", "race", "trained"))
    for i in range(MODES - 1):
        ax.plot(c.times, trained[:, i], label=f"mode {i + 1}", **look("trained", COLOURS[i]))
        ax.plot(c.times, exact[:, i], **look("predicted", COLOURS[i]))
        ax.plot(c.times, race[:, i], ":", color="white", linewidth=1.3, zorder=4)
    slow = exact[:, MODES - 1]
    ax.set_xlim(0, 1.5 * c.times[int(np.argmax(slow > 0.99 * slow[-1]))])
    ax.set_ylim(0, 1.1 * c.final["shared"].max())
    if edge == "encoder":
        name_kinds(ax, predicted="closed form (white dots: race)")


@papers.panel(lambda c, at: f"{'Large' if at else 'Small'} weights, gain {c.gains[at]:g}", "time (flow time)", "error")
def _errors_over_time(c, ax, at):
    for i, name in enumerate(PAIRS):
        runs = c.errors[at, :, :, i]
        ax.plot(c.times, runs.mean(axis=0), label=name, **look("trained", COLOURS[i]))
        ax.fill_between(c.times, runs.min(axis=0), runs.max(axis=0), color=COLOURS[i], alpha=0.2, linewidth=0)
    ax.set_yscale("symlog", linthresh=1e-3)


@papers.panel(
    "Rich to lazy", "gain of the orthogonal start", "final error / error of the zero map", legend="upper left"
)
def _errors_by_gain(c, ax):
    final = np.maximum(c.final_errors.mean(axis=1), 1e-8)
    for i, (name, style) in enumerate(zip(PAIRS, ("o-", "s--"), strict=True)):
        ax.semilogy(c.gains, final[:, i], style, color=COLOURS[i], markersize=4, label=name)
    ax.set_ylim(top=1e3)


@papers.panel("Similarity of codes", "item of a domain", "item of a domain")
def _codes(c, ax):
    both = np.hstack([c.similarity[0], c.similarity[-1]])
    papers.image(ax, both, "correlation", cmap=SIGNS, vmin=-1, vmax=1)
    ax.axvline(len(both) - 0.5, color="white", linewidth=2)
    ax.set_xticks([len(both) / 2, 1.5 * len(both)], [f"gain {c.gains[0]:g}", f"gain {c.gains[-1]:g}"])


EDGE_PANELS, ERROR_PANELS = map(_edge.of, EDGES), map(_errors_over_time.of, (0, -1))
panels = (*EDGE_PANELS, *ERROR_PANELS, _errors_by_gain, _codes)


def _distance(c, of):
    """Largest difference of strengths to those of the closed form, relative to the largest."""
    pairs = [(c.strengths[of][edge], c.strengths["exact"][edge]) for edge in EDGES]
    return max(float(np.abs(found - exact).max() / exact.max()) for found, exact in pairs)


@papers.claim(
    "saxe2022; saxe_lecture reduction slide", kind="identity", at_most=1e-6, because="the tolerance of the ODE solver"
)
def _exact(c):
    """The reduction of the routing network to one number per edge and mode is its closed form (largest relative
    difference of strengths)."""
    return _distance(c, "race")


@papers.claim("saxe2022", at_most=0.05, because="5 %, a conventional tolerance")
def _trained(c):
    """Trained routing networks from a decoupled start follow the closed form (largest difference of strengths relative
    to the largest)."""
    return _distance(c, "trained")


@papers.claim(
    'saxe_lecture "Race dynamics favor shared structure"',
    at_most=0.05,
    because="5 %: random weights are not exactly balanced",
)
def _shared(c):
    """From small random weights the shared edge of a routing network ends at (M s)^{1/3} and an encoder at s^{1/3}
    M^{−1/6} (relative error of the mean over networks, largest over modes)."""
    ends = [c.first[edge] / c.final[edge] for edge in EDGES]
    return papers.resampled(lambda *both: max(np.abs(e.mean(axis=0) - 1).max() for e in both), *ends)


@papers.claim('saxe_lecture "Systematic generalization"', at_most=0.01, because="1 %, a conventional threshold")
def _rich(c):
    """From small weights a routing network learns pairs of domains that were never trained (their error relative to
    that of the zero map, mean over seeds)."""
    return papers.mean(c.final_errors[0, :, 1])


@papers.claim('saxe_lecture "Initialization dependence"', at_least=0.1, because="ten times the bound for small weights")
def _lazy(c):
    """From large weights a routing network does not learn pairs of domains that were never trained (their error
    relative to that of the zero map, mean over seeds)."""
    return papers.mean(c.final_errors[-1, :, 1])
