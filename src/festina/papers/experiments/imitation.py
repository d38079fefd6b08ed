"""Is a ReLU network a gated linear network, step by step?

Yes. Take linear layers that are multiplied by the ReLU network's own gates at every step, and train them by gradient
descent. They have the same weights, outputs and loss as the ReLU network throughout training, with one, two and three
hidden layers. The gates change on the way. So the exact ReLN always exists and explains nothing by itself; the question
is how few patterns do.

Source: jarvis2025 section 3, Definition 3.1.
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, loss, name_kinds
from festina.runtime import track

DEPTHS = {1: "one hidden layer", 2: "two hidden layers", 3: "three hidden layers"}
BOUND = 1e-11  # rounding of one step is 1e-16 of outputs of order 1: ten thousand may add up, and learning amplify them


class Settings(papers.Settings):
    contexts: int = setting(3, "contexts of the task", least=1)
    hidden: int = setting(100, "units of each hidden layer", least=1)
    seeds: int = setting(3, "networks of each depth", least=1)
    gain: float = setting(
        0.7,
        "standard deviation of an initial weight in units of 1/√hidden; near 1 every depth learns in the given steps",
        above=0,
    )
    rate: float = setting(0.05, "step size on the mean loss", "flow time per step", above=0)
    steps: int = setting(4000, "steps of training", least=1)
    points: int = setting(81, "observations; gates between them come from training the ReLU network again", least=1)


quick = Settings(hidden=30, seeds=1, steps=300, points=16)
caption = (
    "A gated network with the gates of a ReLU network is that network, up to rounding, at any depth. (a) "
    "Loss of ReLU networks (thick, pale) and of their exact gated networks (thin, dark) with one, two and three hidden "
    "layers. (b) Largest difference between their outputs over time, and the bound (dashed). (c) Share of "
    "gates that differ from those at the start."
)


def compute(settings: Settings) -> papers.Results:
    """Train ReLU networks of three depths, and the gated networks with their gates."""
    task = fs.tasks.context(settings.contexts).spanned()[0]
    c = papers.Results(settings, times=np.linspace(0, settings.steps, settings.points).round() * settings.rate)
    initial, method = fs.initial.Gaussian(settings.gain / np.sqrt(settings.hidden)), fs.Train(rate=settings.rate)
    observe = ("loss", "outputs", "weights")
    c.relu, c.reln, c.outputs, c.weights, c.apart, c.changed = {}, {}, {}, {}, {}, {}
    for depth in track(list(DEPTHS), "imitation"):
        network = fs.ReLU((settings.hidden,) * depth, initial=initial)
        relu = fs.evolve(network, task, c.times, method=method, observe=observe, **papers.seeds(settings))
        exact = fs.relu.reln(relu, task)
        c.relu[depth], c.reln[depth] = relu, exact.trajectory
        c.outputs[depth], c.weights[depth] = exact.max_output_difference, exact.max_weight_difference
        c.apart[depth] = np.abs(exact.trajectory.outputs - relu.outputs).max(axis=(0, 2, 3))
        gates = [g.reshape(*g.shape[:2], -1) for g in exact.gates]
        c.changed[depth] = np.mean([np.mean(g != g[:, :1], axis=2) for g in gates], axis=0)
    return c


@papers.panel("A network and its exact imitation")
def _loss(c, ax):
    for colour, (depth, label) in zip(COLOURS, DEPTHS.items(), strict=False):
        loss(c.relu[depth].mean(), ax, label=label, color=colour)
        loss(c.reln[depth].mean(), ax, kind="predicted", color=colour)
    name_kinds(ax, "ReLU network", "its gated network")


@papers.panel("Apart by rounding only", "time (flow time)", "largest |Δ output|", yscale="log")
def _apart(c, ax):
    for colour, apart in zip(COLOURS, c.apart.values(), strict=False):
        # a difference of exactly 0 has no place on a logarithmic axis
        ax.plot(c.times, np.maximum(apart, 1e-17), color=colour, marker=".", markersize=3, linewidth=0.8)
    ax.axhline(BOUND, color=COLOURS[6], linewidth=0.8, linestyle="--")
    ax.text(0.98, BOUND / 1.5, "bound", transform=ax.get_yaxis_transform(), ha="right", va="top", fontsize=8)


@papers.panel("Gates that are not those of the start", "time (flow time)", "gates changed (%)")
def _changed(c, ax):
    for colour, changed in zip(COLOURS, c.changed.values(), strict=False):
        ax.plot(c.times, 100 * changed.mean(axis=0), color=colour)


ROUNDING = "rounding of ten thousand steps, amplified by learning"
OUTPUTS = (
    "A gated network with the gates of a ReLU network of {} has the same outputs at every time (largest difference)."
)


@papers.claim("jarvis2025 section 3", kind="identity", at_most=BOUND, because=ROUNDING)
def _weights(c):
    """A gated network with the gates of a ReLU network has the same weights at every time (largest difference over all
    depths)."""
    return max(c.weights.values())


@papers.extension("jarvis2025 section 3, which assumes constant gates", at_least=0.01, because="1 % of the gates")
def _changing(c):
    """The gates of a trained ReLU network change during training (share that differs from the start at the end, mean
    over networks, smallest over depths)."""
    ends = np.stack([changed[:, -1] for changed in c.changed.values()], axis=1)
    return papers.resampled(lambda drawn: drawn.mean(axis=0).min(), ends)


def _depth(depth):
    """The claim that networks of this depth have the same outputs."""
    statement, source = OUTPUTS.format(DEPTHS[depth]), "jarvis2025 section 3, Definition 3.1"
    about = f"depth_{depth}", statement, lambda c: c.outputs[depth]
    return papers.Claim[papers.Results](*about, BOUND, kind="identity", source=source, reason=ROUNDING)


claims = (*map(_depth, DEPTHS), _weights, _changing)
