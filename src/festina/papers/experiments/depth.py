"""How long does a deep linear network take to learn as layers are added, and with which step?

It depends on the start. With the same small strength b0 < 1 in every layer the time grows exponentially with depth,
like b0^{−(D−2)}/(D−2). Layers that are pretrained one after another as autoencoders and then trained together need a
time linear in depth. From orthogonal layers the number of steps hardly depends on depth. Steps are counted at the best
step size, 1/(d D (s/d)^{2−2/D}), which a search confirms for the end of learning. Over a whole run somewhat larger
steps are faster, by the same factor at every depth. One printed scaling is an upper bound that is far from tight: the
time with pretraining grows like ln(1/b0), where O(1/b0²) is printed.

Source: saxe_lecture "Training speed", "Effect of initialization"; saxe2014
"""

import math

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.papers.setups import depth as depth_setup
from festina.plot import COLOURS, dots, look
from festina.runtime import track


class Settings(papers.Settings):
    strength: float = setting(2.0, "singular value of every mode of the task; inputs are white", above=0)
    layer: float = setting(0.1, "initial strength b0 of every layer, small start", above=0)
    layers: tuple[float, ...] = setting(
        (0.001, 0.003, 0.01, 0.03, 0.1), "weaker and stronger b0, to see how the times depend on it", above=0
    )
    reach: float = setting(0.99, "share of its final strength at which a mode counts as learned", above=0, most=1)
    depths: tuple[int, ...] = setting((1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 50, 100), "depths of the chains", least=1)
    small_depths: tuple[int, ...] = setting((2, 3, 4, 5), "depths of the trained networks, small start", least=1)
    pretrained_depths: tuple[int, ...] = setting(
        (2, 3, 4, 6, 8, 12), "depths of the trained networks, pretrained start", least=1
    )
    orthogonal_depths: tuple[int, ...] = setting(
        (2, 4, 8, 16, 32, 64),
        "depths of the trained networks, orthogonal start; those from 8 on decide whether depth matters",
        least=1,
    )
    searched_depths: tuple[int, ...] = setting(
        (2, 4, 8, 16), "depths of the networks whose fastest step is searched for", least=1
    )
    width: int = setting(8, "inputs and hidden units of the networks", least=1)
    modes: int = setting(4, "modes, and outputs, of the networks' task", least=1)
    seeds: int = setting(40, "networks per depth", least=1)


quick = Settings(
    layers=(0.001, 0.01, 0.1),
    small_depths=(2, 3, 4),
    pretrained_depths=(2, 4, 6),
    orthogonal_depths=(2, 8, 16),
    searched_depths=(2, 8),
    seeds=8,
)
caption = (
    "How the learning time grows with depth is decided by the start: exponentially from small layers, linearly after "
    "greedy pretraining, and least from orthogonal layers. (a) Strength of one chain over time for several depths. (b)"
    " Steps to learn from small weights, predicted by a chain (line) and trained networks (dots: median, bars: middle "
    "90 %). (c) The same for pretrained and orthogonal layers. (d) Orthogonal layers up to depth 64. (e) Steps to "
    "pretrain one layer against 1/b0, with a logarithm and the printed 1/b0². (f) Best step size by depth: formula and"
    " searches."
)


def compute(settings: Settings) -> papers.Results:
    """Closed forms for chains; training, flow and searches for networks."""
    c, s, depths = papers.Results(settings), settings, np.array(settings.depths)
    c.rates = {depth: depth_setup.best(s, depth) for depth in s.depths}
    rates = np.array([*c.rates.values()])
    c.flow = np.array([depth_setup.chain_time(s, s.layer**depth, depth) for depth in s.depths])
    unit = np.array([depth_setup.chain_time(s, 1.0, depth) for depth in s.depths]) / rates
    # steps at the best step size: of chains by depth, of networks (networks, depths)
    c.chain = {
        "small": c.flow / rates,
        "pretrained": (depths - 1) * depth_setup.autoencoder(s, s.layer) + unit,
        "orthogonal": unit,
    }
    c.network, c.pretraining_network = depth_setup.networks(s)
    c.depths = {"small": s.small_depths, "pretrained": s.pretrained_depths, "orthogonal": s.orthogonal_depths}
    c.pretraining = np.array([depth_setup.autoencoder(s, layer) for layer in s.layers])
    c.agreement = {depth: depth_setup.agreement(s, depth) for depth in (1, 2, 3, 10)}
    c.searched = {depth: depth_setup.search(s, depth) for depth in s.depths}
    looked = [depth for depth in s.depths if depth <= max(s.pretrained_depths)]
    c.stable = {depth: depth_setup.stable(s, depth) for depth in track(looked, "largest stable step")}
    c.tried = {depth: depth_setup.steps_of_sizes(s, depth) for depth in track(s.searched_depths, "fastest step")}
    c.fastest = {depth: depth_setup.best(s, depth) * _fewest(steps) for depth, steps in c.tried.items()}
    return c


def _fewest(steps):
    """The step size, relative to the formula's, with which networks (seeds, sizes) learn in the fewest steps."""
    return float(depth_setup.TRIED[np.argmin(np.median(steps, axis=0))])


@papers.panel("A chain, equal initial strength", "steps at the best step size", "strength / final", legend="upper left")
def _traces(c, ax):
    s, last = c.settings, []
    for colour, depth in zip(COLOURS, (1, 2, 3, 10, math.inf), strict=False):
        times = np.geomspace(1e-4, 1.3, 400) * depth_setup.chain_time(s, s.layer**2, depth)
        # at infinite depth time is T = D·t, and D times the best step is 1/(d (s/d)²)
        steps = times / (s.strength**-2.0 if depth == math.inf else depth_setup.best(s, depth))
        found = fs.linear.strength(times, s.strength, 1.0, s.layer**2, depth) / s.strength
        label = f"D = {'∞' if depth == math.inf else depth}"
        ax.semilogx(steps, found, label=label, **look("predicted", colour))
        last.append(steps[-1])
    ax.set_xlim(0.003, 1.1 * max(last))


def _bars(c, ax, start, largest):
    """Steps of a chain as a line, of networks as dots, up to a depth."""
    colour, depths, trained = COLOURS[[*c.depths].index(start)], np.array(c.settings.depths), np.array(c.depths[start])
    shown, at = depths <= largest, trained <= largest
    ax.plot(depths[shown], c.chain[start][shown], **look("predicted", colour))
    papers.median_bars(ax, trained[at], c.network[start][:, at], f"{start}, trained", colour)


@papers.panel("Small start", "depth (layers)", "steps to learn", legend="upper left", yscale="log")
def _small(c, ax):
    _bars(c, ax, "small", max(c.depths["small"]))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.plot([], [], label="predicted: a chain", **look("predicted"))


@papers.panel("Pretrained and orthogonal starts", "depth (layers)", "steps to learn", legend="upper left")
def _larger(c, ax):
    for start in ("pretrained", "orthogonal"):
        _bars(c, ax, start, max(c.depths["pretrained"]))
    ax.plot([], [], label="predicted: a chain", **look("predicted"))


@papers.panel("Orthogonal start, deeper", "depth (layers)", "steps to learn", legend="upper left", xscale="log")
def _deeper(c, ax):
    _bars(c, ax, "orthogonal", math.inf)
    ax.plot([], [], label="predicted: a chain", **look("predicted", COLOURS[2]))
    ax.set_ylim(0, 1.5 * np.quantile(c.network["orthogonal"], 0.95, axis=0).max())


@papers.panel("Pretraining against initial strength", "1/b₀", "steps to pretrain a layer")
def _pretraining(c, ax):
    inverse = 1 / np.array(c.settings.layers)
    ax.loglog(inverse, c.pretraining, label="predicted: 2 ln(1/b₀) + const", **look("predicted", COLOURS[1]))
    papers.median_bars(ax, inverse, c.pretraining_network, "pretraining, trained", COLOURS[1])
    printed = c.pretraining[np.argmin(inverse)] * (inverse / inverse.min()) ** 2
    ax.loglog(inverse, printed, color="0.5", linestyle="--", label="printed: 1/b₀²")


@papers.panel("Best step size", "depth (layers)", "step size", legend="lower left")
def _rates(c, ax):
    ax.loglog([*c.rates], [*c.rates.values()], label="predicted: formula", **look("predicted"))
    for found, label, style in (
        (c.searched, "a chain, at the end", dots()),
        (c.stable, "networks, half largest stable", {"linestyle": "", "marker": "x", "ms": 5, "color": COLOURS[0]}),
        (c.fastest, "networks, fastest", dots(COLOURS[2], marker="^")),
    ):
        zorder = 2.0 if found is c.searched else 4.0
        ax.loglog([*found], [*found.values()], label=label, **{**style, "zorder": zorder})


SPEED = 'saxe_lecture "Effect of initialization"'


@papers.claim(
    'saxe2014; saxe_lecture "Analytic learning trajectory"',
    at_most=0.01,
    because="1 %, twice the first-order error of the step",
)
def closed_form(c):
    """A decoupled network of one, two, three or ten layers follows the closed form of a chain in training (largest area
    between loss curves)."""
    return max(c.agreement.values())


@papers.claim(f"{SPEED}: O(1/b0^D)", at_most=0.05, because="5 % of the slope; the algebraic factor D−2 is divided out")
def small_start(c):
    """From small equal layers of strength b0 the learning time of a chain grows by a factor 1/b0 with every layer
    (distance from 1 of the slope of ln[t·(D−2)] over ln(1/b0))."""
    depths = np.array(c.settings.depths)
    deep = depths >= 4
    slope = np.polyfit(depths[deep], np.log(c.flow[deep] * (depths[deep] - 2)), 1)[0]
    return abs(slope / np.log(1 / c.settings.layer) - 1)


def _chain_factor(c):
    """Factor by which one more layer lengthens the flow time of a chain, at the deepest pair of networks."""
    before, after = c.settings.small_depths[-2:]
    times = [depth_setup.chain_time(c.settings, c.settings.layer**depth, depth) for depth in (before, after)]
    return (times[1] / times[0]) ** (1 / (after - before))


@papers.extension(SPEED, name="small start, networks", at_least=_chain_factor, because="the factor of the chain")
def _factor(c):
    """An additional layer delays networks with small random weights at least as much as chains (factor in learning time
    of the last layer added)."""
    before, after = c.settings.small_depths[-2:]
    step = depth_setup.best(c.settings, after) / depth_setup.best(c.settings, before)

    def factor(steps: np.ndarray) -> float:
        first, second = np.median(steps, axis=0)
        return float(second / first * step) ** (1 / (after - before))

    return papers.resampled(factor, c.network["small"][:, -2:])


@papers.claim(SPEED, at_most=0.05, because="5 % of the span, a conventional tolerance")
def pretraining(c):
    """With greedy layerwise pretraining the learning time of a network is linear in its depth (largest distance of the
    steps from a line, relative to their span)."""
    depths = c.depths["pretrained"]

    def off(networks: np.ndarray) -> float:
        steps = np.median(networks, axis=0)
        return float(np.abs(steps - np.polyval(np.polyfit(depths, steps, 1), depths)).max() / np.ptp(steps))

    return papers.resampled(off, c.network["pretrained"])


def _power(c):
    """Exponent of pretraining steps against 1/b0, network by network: mean and standard error."""
    return papers.mean(papers.exponent(1 / np.array(c.settings.layers), c.pretraining_network.T))


@papers.claim(
    f"{SPEED}: O(D/b0²)",
    name="pretraining, printed",
    at_most=2.0,
    because="the printed order O(D/b0²) is an upper bound with exponent 2",
)
def _printed(c):
    """With greedy pretraining the learning time grows no faster than 1/b0² in the initial strength b0 of a layer
    (exponent of the steps against 1/b0, networks)."""
    return _power(c)


@papers.extension(
    f"{SPEED}: O(D/b0²)",
    name="pretraining, tight",
    at_least=1.0,
    because="half of the printed exponent",
    expected="fails",
)
def _tight(c):
    """The published order 1/b0² of the pretraining time is tight (exponent of the steps against 1/b0, networks)."""
    return _power(c)


@papers.extension(
    "gradient flow of the autoencoder's chain, after saxe_lecture",
    name="pretraining, corrected",
    at_most=0.1,
    because="10 %: networks have a spectrum of initial strengths where a chain has one",
)
def _corrected(c):
    """The time of greedy pretraining grows like ln(1/b0), as the equation of a chain gives (relative distance of the
    slope of the steps against ln(1/b0) from that of the chain, networks)."""
    logs = np.log(1 / np.array(c.settings.layers))
    chain, found = np.polyfit(logs, c.pretraining, 1)[0], c.pretraining_network
    return papers.resampled(lambda steps: abs(np.polyfit(logs, np.median(steps, axis=0), 1)[0] / chain - 1), found)


@papers.claim(f"{SPEED}: O(1)", at_most=1.1, because="10 %; the printed order is O(1)")
def orthogonal(c):
    """From layers of unit strength the number of steps of a chain does not depend on its depth (steps at depth 100 over
    steps at depth 10)."""
    return float(c.chain["orthogonal"][-1] / c.chain["orthogonal"][c.settings.depths.index(10)])


@papers.claim(
    f"{SPEED}: O(1)", name="orthogonal, networks", at_most=0.25, because="a quarter of the exponent 1 of linear growth"
)
def _orthogonal_networks(c):
    """From orthogonal layers the number of steps of a network does not depend on its depth (exponent of the steps
    against depth from eight layers on)."""
    depths = np.array(c.depths["orthogonal"])
    return papers.mean(papers.exponent(depths[depths >= 8], c.network["orthogonal"][:, depths >= 8].T))


def _off(c, found):
    return max(abs(rate / c.rates[depth] - 1) for depth, rate in found.items())


@papers.claim("saxe2014 section 2", at_most=0.05, because="5 %, where neighbouring steps of the search differ by 0.6 %")
def best_step(c):
    """At the end of learning the fastest step of a chain is 1/(d D (s/d)^{2−2/D}) (largest relative distance of a
    searched step from it, over depths)."""
    return _off(c, c.searched)


@papers.extension(
    "saxe2014 section 2",
    name="best step, networks",
    at_most=1.25,
    because="one spacing of the searched steps, a factor 2^{1/4}, rounded up",
)
def _best_step_networks(c):
    """The step at which networks with orthogonal layers learn fastest falls with depth like the formula for chains
    (largest over smallest ratio of searched and predicted steps)."""
    return papers.resampled(lambda *each: max(map(_fewest, each)) / min(map(_fewest, each)), *c.tried.values())


@papers.claim("saxe2014 section 2", at_most=0.05, because="5 %, where the bisection is exact to 1 %")
def stable_step(c):
    """The largest stable step of a network at its balanced minimum is twice the best step (largest relative distance
    over depths)."""
    return _off(c, c.stable)
