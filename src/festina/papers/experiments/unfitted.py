"""Can deep networks from random weights be predicted without a fit?

Linear ones can. The flow of a deep linear network stays near few directions. The data reach them from the input and the
error from the output, and the random weights reflect these into further ones. Projected on such directions in every
layer, the network's own initial weights make a network of as few units, whose training is that of the whole. With 32
directions it follows twenty layers of 200 units with an error of a few percent. A fit of two rates has an error of a
tenth, and rates of the untrained network nearly one. With all directions it is exact.

Other units do not commute with a projection. They can be replaced by linear ones with their slope at zero, or, for
ReLU, by the units that are on. Two layers are then followed about as well, and twenty layers of tanh nearly. Twenty
layers of other units are not. Their slopes change while they learn, and units whose slopes differ between the two
points drive the outputs apart many times as fast as one slope per unit would (``benchmarks/plateau.py``).

Source: vanrossem2024 Fig. 2, Table 1.
"""

from functools import partial

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups import pairs
from festina.plot import COLOURS, dots, look
from festina.representation import Pair
from festina.runtime import track

REFLECTED = 0.5
"""Weight of a reflection at each layer it crosses: half of what a layer passes on, so that their sum converges."""

SWEEPS = 40  # times that directions are passed on between neighbouring layers: twice the depth
SLOPES = {"linear": 1.0, "tanh": 1.0, "elu": 1.0, "swish": 0.5}  # slopes at zero; of ReLU, the units that are on


class Settings(papers.Settings):
    width: int = setting(200, "units per layer", least=1, published=500)
    epochs: int = setting(1500, "epochs; the rates follow from the paper's flow time", least=1)
    units: tuple[int, ...] = setting((4, 8, 16, 32), "directions kept in every layer", least=2)
    shown: int = setting(32, "of these, how many decide", least=2)
    names: tuple[str, ...] = setting(
        ("shallow", "tanh", "elu", "swish", "relu", "default"), "architectures whose units are replaced by linear ones"
    )
    other_width: int = setting(100, "units per layer of these", least=1)
    seeds: int = setting(4, "networks of each architecture", least=1)


quick = Settings(width=60, epochs=800, units=(8, 16), shown=16, names=("shallow", "relu"), other_width=40, seeds=2)
caption = (
    "A few directions in every layer predict how twenty random linear layers learn two points, with nothing fitted. "
    "(a) Squared distances of hidden representations and of outputs, trained (thick) and by a network of a few "
    "projected units (thin). (b) Error of the three curves against the number of directions, and with two fitted "
    "rates (line). (c) The same error where units of other architectures are replaced by linear ones."
)


def compute(settings: Settings) -> papers.Results:
    """Train linear networks and the few units they are projected on; then other networks and linear stand-ins."""
    c, s, task = papers.Results(settings, errors={}, other={}), settings, fs.tasks.two_points("released")
    plan = papers.published("linear", s.width, s.epochs)
    trials = pairs.train(plan, task, s.seeds, s.seed)
    c.fitted, c.run, c.few = trials.errors, trials.run, {}
    c.kernels = pairs.unfitted_errors(plan, task, trials, s.seeds)
    starts = [_linear(plan.network, task, s.seed + k) for k in range(s.seeds)]
    for units in track(s.units, "directions"):
        c.few[units] = [_train(project(start, units), plan, task) for start in starts]
        c.errors[units] = _errors(c.run, c.few[units])
    for name in track(s.names, "architectures"):
        plan = papers.published(name, s.other_width, s.epochs)
        run = _observed(plan.network, plan, task, seed=s.seed, seeds=s.seeds)
        guess = [_train(_linear(plan.network, task, s.seed + k), plan, task) for k in range(s.seeds)]
        c.other[name] = _errors(run, guess)
    return c


def project(weights: list[np.ndarray], units: int) -> list[np.ndarray]:
    """Weights of a deep linear network on the directions that matter most in every layer, that many at most.

    Directions that data and error reach, [W_l … W_1, W_{l+1}ᵀ … W_Dᵀ], are passed on to both neighbouring layers
    repeatedly, each time with half their size. Each layer keeps the largest principal directions of all that it
    receives.
    """
    forward, backward = [np.eye(weights[0].shape[1])], [np.eye(len(weights[-1]))]
    for w in weights:
        forward.append(_unit(w @ forward[-1]))
    for w in reversed(weights):
        backward.append(_unit(w.T @ backward[-1]))
    ends = [np.hstack(both) for both in zip(forward, reversed(backward), strict=True)]
    parts = ends
    for _ in range(SWEEPS):
        after = [REFLECTED * w @ part for w, part in zip(weights, parts, strict=False)]
        before = [REFLECTED * w.T @ part for w, part in zip(weights, parts[1:], strict=True)]
        after, before = [np.zeros((ends[0].shape[0], 0)), *after], [*before, np.zeros((ends[-1].shape[0], 0))]
        parts = [_principal(np.hstack(three), units) for three in zip(ends, after, before, strict=True)]
    bases = [np.linalg.qr(part)[0] for part in parts]
    return [left.T @ w @ right for left, w, right in zip(bases[1:], weights, bases, strict=False)]


def _unit(columns: np.ndarray) -> np.ndarray:
    return columns / np.linalg.norm(columns, axis=0)


def _principal(columns: np.ndarray, count: int) -> np.ndarray:
    """The largest principal directions of columns, with their sizes."""
    u, size, _ = np.linalg.svd(columns, full_matrices=False)
    kept = min(count, int(np.sum(size > 1e-9 * size[0])))
    return u[:, :kept] * size[:kept]


def _linear(network: fs.FeedForward, task: fs.Task, seed: int) -> list[np.ndarray]:
    """Initial weights of a network with its units replaced by linear ones."""
    weights, slope = [np.asarray(w, float) for w in network.start(task, seed)[0]], SLOPES.get(network.activation)
    if slope is not None:
        return [*(slope * w for w in weights[:-1]), weights[-1]]
    hidden, kept, on = task.x[:1].T, [], np.ones(task.x.shape[1], dtype=bool)
    for w in weights[:-1]:
        hidden = w @ hidden
        passed = hidden[:, 0] > 0
        kept.append(w[np.ix_(passed, on)])
        hidden, on = np.maximum(hidden, 0), passed
    return [*kept, weights[-1][:, on]]


def _observed(
    network: fs.FeedForward, plan: papers.Published, task: fs.Task, seed: int = 0, seeds: int | None = None
) -> fs.Trajectory:
    method, observe = fs.Train(plan.rate, precision="single"), ("loss", "distances", "outputs")
    return fs.evolve(network, task, plan.times(401), method=method, observe=observe, seed=seed, seeds=seeds)


def _train(weights: list[np.ndarray], plan: papers.Published, task: fs.Task) -> Pair:
    """Two points by a linear network of these weights."""
    widths = tuple(len(w) for w in weights[:-1])
    network = fs.FeedForward(widths, "linear", initial=fs.initial.Weights(weights))
    return Pair.from_trajectory(_observed(network, plan, task))


def _errors(run: fs.Trajectory, guesses: list[Pair]) -> np.ndarray:
    """Relative error of h, y and w of each network."""
    trained = (Pair.from_trajectory(run, seed=seed) for seed in run.seeds or ())
    return np.array([pairs.off(*both) for both in zip(guesses, trained, strict=True)])


@papers.panel("Twenty linear layers", "flow time", "squared distance", legend="lower right")
def _curves(c, ax):
    true, guess = Pair.from_trajectory(c.run, seed=(c.run.seeds or (0,))[0]), c.few[c.settings.shown][0]
    for name, label, colour in (("h", "hidden", COLOURS[0]), ("y", "outputs", COLOURS[1])):
        ax.plot(true.times, getattr(true, name), label=f"{label}, trained", **look("trained", colour))
        ax.plot(guess.times, getattr(guess, name), label=f"{c.settings.shown} directions", **look("predicted", colour))


@papers.panel("Error without a fit", "directions per layer", "relative error", legend="upper right", yscale="log")
def _by_units(c, ax):
    units = list(c.errors)
    for errors in np.transpose(list(c.errors.values())):
        ax.plot(units, errors, **dots(COLOURS[0]))
    ax.axhline(np.median(c.fitted), color=COLOURS[1], linewidth=1.3, label="two fitted rates")
    ax.axhline(np.median(c.kernels), color="0.5", linestyle="--", linewidth=1.3, label="rates at the start")
    ax.set_xscale("log", base=2)
    ax.set_ylim(top=5)
    papers.ticks(ax, units, "{}")


@papers.panel("Linear units in place of others", "", "relative error", yscale="log")
def _others(c, ax):
    for k, errors in enumerate(c.other.values()):
        ax.plot(np.full(len(errors), k), errors, **dots(COLOURS[0]))
    ax.axhline(0.1, color="0.5", linestyle=":", linewidth=1)
    ax.set_xticks(range(len(c.other)), list(c.other), rotation=30)


_ours = partial(papers.extension, "vanrossem2024 Fig. 2; the prediction without a fit is ours")


@_ours(
    at_most=0.1,
    because="a tenth: about what two fitted rates leave; with all directions the prediction is exact",
    baseline=("half as many directions", lambda c: float(c.errors[c.settings.shown // 2].mean())),
)
def _linear_layers(c):
    """Projected on {s.shown} directions in every layer, the initial weights of twenty random linear layers predict the
    distances of two data points and their product, with nothing fitted (relative error, mean over networks)."""
    return papers.mean(c.errors[c.settings.shown])


@_ours(at_most=0.1, expected="fails", because="a tenth, as for the projection")
def _rates_at_the_start(c):
    """The effective theory with rates from the tangent kernels of the untrained network predicts twenty random linear
    layers (relative error of the three curves, mean over networks)."""
    return papers.mean(c.kernels)


@_ours(at_least=lambda c: float(len(c.other)), expected="fails", because="all of them")
def _other_units(c):
    """Replacing units by linear ones predicts networks of other architectures with an error of at most 0.15, mean over
    networks (number of architectures)."""
    return float(sum(errors.mean() <= 0.15 for errors in c.other.values()))
