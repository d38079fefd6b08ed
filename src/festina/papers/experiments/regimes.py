"""When is learning rich, when lazy, and when delayed rich?

It depends on λ, its sign and the architecture. A square network is rich around λ = 0 and lazy for large |λ| of either
sign. A funnel (more inputs than outputs) is lazy for λ ≫ 0, but for λ ≪ 0 its kernel turns after all: late, after a
time that grows in proportion to |λ|. An inverted funnel does the same with the signs exchanged.

Source: saxe_lecture "Rich and lazy learning", "Architecture and learning regime", "Delayed rich regime"; domine2025
"""

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.runtime import track

NAMES = ("funnel", "square", "inverted funnel")

Shape = tuple[int, int, int]  # inputs, hidden units and outputs of a network


class Settings(papers.Settings):
    shapes: tuple[Shape, Shape, Shape] = setting(
        ((10, 4, 4), (4, 4, 4), (4, 4, 10)),
        "inputs, hidden units and outputs of the funnel, the square network and the inverted funnel",
        least=1,
    )
    sizes: tuple[float, ...] = setting(
        (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0), "sizes of λ; each is taken with both signs, and 0 is added", above=0
    )
    weakest: float = setting(0.5, "singular values of the task lie between 1 and this", above=0)
    scale: float = setting(0.01, "root-mean-square strength of the initial map", above=0)
    seeds: int = setting(20, "starts per architecture and λ", least=1)


quick = Settings(sizes=(0.1, 1.0, 10.0, 30.0, 100.0), seeds=4)
caption = (
    "The sign of the balance λ and the shape of a linear network together decide whether it learns richly, "
    "lazily or richly with a delay. (a) Farthest distance of the tangent kernel from its start against λ, "
    "for three architectures (median and middle 90 % over starts). (b) Predicted loss (solid) and kernel "
    "distance (dashed) of a funnel over time at three λ. (c) Delay of the kernel against |λ| for λ < 0."
)


def compute(settings: Settings) -> papers.Results:
    """The regime of every start, from its exact solution."""
    c, s = papers.Results(settings), settings
    c.lambdas, largest = np.array([*(-v for v in reversed(s.sizes)), 0.0, *s.sizes]), max(s.sizes)

    def setup(shape: Shape, lambda_: float) -> tuple[fs.DeepLinear, fs.Task]:
        inputs, hidden, outputs = shape
        strengths = np.linspace(1.0, s.weakest, min(inputs, outputs))
        network = fs.DeepLinear((hidden,), initial=fs.initial.Balanced(s.scale, lambda_=lambda_))
        return network, fs.tasks.teacher(inputs, outputs, strengths=strengths)

    distance, delay = np.zeros((2, len(NAMES), len(c.lambdas), s.seeds))
    for i, j, k in track([*np.ndindex(distance.shape)], "architectures and λ"):
        network, task = setup(s.shapes[i], float(c.lambdas[j]))
        regime = network.regime(task, seed=s.seed + k)
        distance[i, j, k], delay[i, j, k] = regime.kernel_distance, regime.delay
    c.distance = dict(zip(NAMES, distance, strict=True))
    # the funnel, where λ is negative and stronger than the task
    c.delayed, c.delay = -c.lambdas[c.lambdas <= -3], delay[0, c.lambdas <= -3]
    times = np.concatenate([[0.0], np.geomspace(1e-4, 20 * largest / s.weakest**2, 400)])
    seen, three = ("loss", "kernel_distance"), (-largest, 0.0, largest)
    c.paths = {lambda_: fs.evolve(*setup(s.shapes[0], lambda_), times, observe=seen) for lambda_ in three}
    return c


TWO = {"loc": "upper right", "ncols": 2, "columnspacing": 1.0, "fontsize": 7}
WIDE = {"loc": "upper center", "ncols": 3, "columnspacing": 1.0, "handlelength": 1.4}


@papers.panel("Rich or lazy, by architecture", "λ", "farthest kernel distance", legend=WIDE)
def _distance(c, ax):
    for name, marker in zip(NAMES, "vs^", strict=True):
        papers.median_band(ax, c.lambdas, c.distance[name].T, name, marker=marker, ms=4)
    ax.set_xscale("symlog", linthresh=min(c.settings.sizes))
    edge = max(c.settings.sizes)
    ax.set_xticks([-edge, -1, 0, 1, edge], [f"{tick:g}" for tick in (-edge, -1, 0, 1, edge)])
    ax.set_ylim(0, 1.25 * ax.get_ylim()[1])


@papers.panel("A funnel over time", "time (flow time)", "loss or distance", legend=TWO, xscale="log", ylim=(-0.03, 1.6))
def _over_time(c, ax):
    for (lambda_, path), label in zip(c.paths.items(), ("delayed rich", "rich", "lazy"), strict=True):
        (line,) = ax.plot(path.times[1:], path.loss[1:] / path.loss[0], label=f"{label}, λ = {lambda_:g}")
        ax.plot(path.times[1:], path["kernel_distance"][1:], "--", color=line.get_color())
    ax.plot([], [], color="0.4", label="loss / start")
    ax.plot([], [], "--", color="0.4", label="kernel distance")
    ax.set_yticks(np.linspace(0, 1, 6))


@papers.panel("A funnel: delay of the kernel", "|λ|, λ < 0", "delay (flow time)")
def _delays(c, ax):
    delay = c.delay.mean(axis=1)
    ax.loglog(c.delayed, delay, "o", label="exact solution")
    ax.loglog(c.delayed, delay[0] * c.delayed / c.delayed[0], "-", color="0.5", label="in proportion to |λ|")


SOURCE = "domine2025 (rich and lazy)"
BORDER = "a kernel distance of 0.1, the border between rich and lazy that network.regime uses"


def _of_means(choose, *distances):
    """The larger or the smaller of two means over starts."""
    return papers.resampled(lambda first, second: choose(first.mean(), second.mean()), *distances)


@papers.claim(SOURCE, at_most=0.1, because=BORDER)
def square_is_lazy(c):
    """Linear networks with as many inputs as outputs are lazy where the imbalance λ between their two layers is far
    from zero, whatever its sign (distance of the tangent kernel from its start, larger of the two signs)."""
    return _of_means(max, c.distance["square"][0], c.distance["square"][-1])


@papers.claim(SOURCE, at_least=0.1, because=BORDER)
def square_is_rich(c):
    """Linear networks with as many inputs as outputs are rich where their two layers are balanced, λ = 0 (distance of
    the tangent kernel from its start, mean over starts)."""
    return papers.mean(c.distance["square"][len(c.settings.sizes)])


@papers.claim(SOURCE, at_most=0.1, because=BORDER)
def funnel_is_lazy(c):
    """Linear networks with more inputs than outputs (funnels) are lazy for an imbalance λ ≫ 0 between their layers, and
    those with more outputs (inverted funnels) for λ ≪ 0 (distance of the tangent kernel from its start, larger of the
    two)."""
    return _of_means(max, c.distance["funnel"][-1], c.distance["inverted funnel"][0])


@papers.claim(SOURCE, at_least=0.1, because=BORDER)
def funnel_is_delayed_rich(c):
    """Linear networks with more inputs than outputs (funnels) learn richly after a delay for an imbalance λ ≪ 0 between
    their layers, and those with more outputs (inverted funnels) for λ ≫ 0 (distance of the tangent kernel from its
    start, smaller of the two)."""
    return _of_means(min, c.distance["funnel"][0], c.distance["inverted funnel"][-1])


@papers.claim("saxe_lecture Delayed rich regime", at_most=0.05, because="5 %, a conventional tolerance")
def delay(c):
    """Where linear networks learn richly after a delay, the delay grows in proportion to the imbalance |λ| between
    their layers (deviation of the exponent from 1)."""
    return papers.resampled(lambda delay: abs(papers.exponent(c.delayed, delay.mean(axis=0)) - 1), c.delay.T)
