"""What does a linear recurrent network learn first, and what does recurrence do to its solution?

Later inputs and larger singular values are learned first. A task in which early inputs count more has a solution that
is unstable on longer sequences; a task that sums its inputs has one that goes on. Inputs that do not count act against
the recurrence. Recurrence that is learned moves the tangent kernel further than recurrence that is fixed. Three
strengths per mode follow the loss from small random weights, not from large ones. tanh units keep the order.

Source: proca2025 abstract
"""

from typing import Any

import numpy as np

import festina as fs
from festina import papers
from festina.papers import setting
from festina.plot import COLOURS, dots, look

FLOW = fs.Flow(solver="LSODA", rtol=1e-8)
GROWTH = 1.2  # factor by which an input counts more with each step into the past
EACH = 2.5  # width in points of the pale line of one network where every network is drawn


class Settings(papers.Settings):
    length: int = setting(5, "time steps of a sequence", least=3)
    width: int = setting(16, "hidden units", least=2)
    scale: float = setting(0.01, "standard deviation of the first weights", above=0)
    scales: tuple[float, ...] = setting((0.01, 0.1, 0.3), "standard deviations at which the modes are tested", above=0)
    seeds: int = setting(5, "networks per task", least=1)
    rate: float = setting(0.02, "step of gradient descent for tanh units", above=0)
    sequences: int = setting(500, "fixed sequences for tanh units", least=1)


quick = Settings(length=4, width=8, seeds=2, scales=(0.01, 0.3), sequences=200)
caption = (
    "Recurrent networks learn late inputs and large modes first, and learned recurrence moves the tangent kernel. (a) "
    "If two modes have equal size, the mode of the last input is learned first (strength over its final value; pale "
    "lines are networks). (b) Two modes of different size. (c) Expected loss per step, on longer sequences, of "
    "networks that have learned to sum their inputs. (d) Recurrent strength while only the last input counts, "
    "predicted. (e) Distance of the tangent kernel from its start, recurrence learned or fixed, predicted. (f) Area "
    "between the loss by three numbers per mode and by all weights, against the size of the initial weights; one dot "
    "per network."
)


def compute(settings: Settings) -> papers.Results:
    """Flow, reduction and training of all networks."""
    c, s = papers.Results(settings), settings
    total = fs.tasks.integration(s.length)
    c.late = _random(s, _two_inputs(s, 1.0), 60, "strengths")
    c.large = _random(s, fs.tasks.integration(s.length, (2.0, 1.0)), 25, "strengths")
    c.integration = _random(s, total, 60, "extrapolation")
    growing = fs.tasks.sensory_integration(GROWTH ** np.arange(s.length)[::-1, None])
    c.radius = _radius(_random(s, growing, 60, "eigenvalues"))[:, -1]
    tanh = fs.recurrent.TanhRNN(s.width, length=s.length, initial=fs.initial.Gaussian(0.05), sequences=s.sequences)
    networks: Any = {"method": fs.Train(rate=s.rate * 10), "seed": s.seed, "seeds": s.seeds, "observe": ("strengths",)}
    c.tanh = fs.evolve(tanh, _two_inputs(s, 0.3), np.linspace(0, 150, 76), **networks)
    last_input = fs.tasks.delayed_response(s.length, delay=0)
    c.last_only = _aligned(s, last_input, np.linspace(0, 60, 121), "eigenvalues", (0.1, 0.8))
    kernels, times = {}, np.linspace(0, 15, 61)
    for name, learn in (("learned", True), ("fixed", False)):
        kernels[name] = _aligned(s, total, times, "kernel", (0.5, 0.3), learn_recurrent=learn)
    c.turned, c.times = {name: _turned(run) for name, run in kernels.items()}, times
    ends = {scale: 12 + 3 * np.log(1 / scale) for scale in s.scales}
    c.flow = {scale: _random(s, total, end, "loss", scale) for scale, end in ends.items()}
    modes = fs.Reduced("recurrent modes")
    race = {scale: _random(s, total, end, "loss", scale, method=modes) for scale, end in ends.items()}
    c.areas = {scale: np.array(fs.compare(race[scale], c.flow[scale]).areas) for scale in s.scales}
    c.early_over_late, c.tanh_early_over_late, c.small_over_large = _order(c.late), _order(c.tanh), _order(c.large, 0)
    c.longer_loss = c.integration["extrapolation"][:, -1, -1] / (0.5 * 3 * s.length)  # no answer costs ½ a step
    c.delay_times = [_delay_time(s, delay) for delay in range(1, 4)]
    return c


def _random(s: Settings, task: fs.Task, end: float, observe: str, scale: float = 0.0, method: fs.core.Method = FLOW):
    """Networks from random weights, of the usual size unless another is given."""
    network = fs.LinearRNN(s.width, length=s.length, initial=fs.initial.Gaussian(scale or s.scale))
    times = np.linspace(0, end, 81)
    return fs.evolve(network, task, times, method=method, seed=s.seed, seeds=s.seeds, observe=(observe,))


def _aligned(s: Settings, task, times: np.ndarray, observe: str, start: tuple, **options: bool):
    """Reduced dynamics from aligned weights with this strength, and this recurrent strength."""
    initial = fs.recurrent.AlignedRecurrence(start[0], recurrent=start[1])
    network = fs.LinearRNN(s.width, length=task.length, initial=initial, **options)
    return fs.evolve(network, task, times, method=fs.Reduced(), observe=(observe,))


def _two_inputs(s: Settings, size: float) -> fs.Task:
    """Two modes of equal size: the first comes with the last input, the second two steps earlier."""
    strengths = np.zeros((s.length, 2))
    strengths[-1, 0] = strengths[-3, 1] = size
    strengths[-2, 1] = size / 2  # a little of the second comes between, so that some gradient reaches the recurrence
    return fs.tasks.sensory_integration(strengths)


def _delay_time(s: Settings, delay: int) -> float:
    """When the loss of a delayed response falls to half, from a recurrent strength of 0.3."""
    task, times = fs.tasks.delayed_response(delay + 1), np.concatenate([[0.0], np.geomspace(0.1, 400, 80)])
    loss = _aligned(s, task, times, "loss", (0.1, 0.3)).loss
    return float(times[np.argmax(loss < loss[0] / 2)]) if np.any(loss < loss[0] / 2) else np.inf


def _modes(run: fs.Trajectory) -> tuple[int, int]:
    """The mode of which the last input carries more in the end, and the other one."""
    first = int(np.argmax(np.abs(run.strengths[:, -1]).mean(axis=0)[0]))
    return first, 1 - first


def _order(run: fs.Trajectory, lag: int = 2) -> np.ndarray:
    """Time to half of its last strength of the other mode, carried at a lag, over that of the first one, per seed."""
    first, second = (np.abs(run.strengths[:, :, at, m]) for at, m in zip((0, lag), _modes(run), strict=True))
    half = [run.times[np.argmax(strength > strength[:, -1:] / 2, axis=1)] for strength in (first, second)]
    return half[1] / half[0]


def _radius(run: fs.Trajectory) -> np.ndarray:
    """Largest modulus of an eigenvalue of W_h over time."""
    return np.linalg.norm(run["eigenvalues"][..., 0, :], axis=-1)


def _turned(run: fs.Trajectory) -> np.ndarray:
    """1 − cos of the angle between the tangent kernel and its start, over time."""
    kernels = run["kernel"].reshape(len(run.times), -1)
    cosines = kernels @ kernels[0] / np.linalg.norm(kernels, axis=1) / np.linalg.norm(kernels[0])
    return np.maximum(1 - cosines, 0.0)


@papers.panel(lambda c, name, title, *_: title, "flow time", "strength over its end", legend="center")
def _strengths(c, ax, name, title, lags, labels):
    run = c.get(name)
    for colour, lag, mode, label in zip(COLOURS, lags, _modes(run), labels, strict=False):
        strengths = np.abs(run.strengths[:, :, lag, mode])
        names = [label] + [None] * (len(strengths) - 1)
        ax.plot(run.times, (strengths / strengths[:, -1:]).T, label=names, **look("trained", colour, linewidth=EACH))


@papers.panel("A sum goes on", "length of the sequence", "loss per step", yscale="log")
def _longer(c, ax):
    lengths = np.arange(c.settings.length, 3 * c.settings.length + 1)
    ax.plot(lengths, (c.integration["extrapolation"][:, -1] / lengths).T, **look("trained", linewidth=EACH))


@papers.panel("Only the last input counts", "flow time", "recurrent strength", ylim=(0, None))
def _recurrent_strength(c, ax):
    ax.plot(c.last_only.times, _radius(c.last_only), **look("predicted"))


@papers.panel("Recurrence moves the kernel", "flow time", "distance of the kernel")
def _distance(c, ax):
    for (name, turned), style in zip(c.turned.items(), ("-", "--"), strict=True):
        ax.plot(c.times, turned, label=f"recurrence {name}", **look("predicted", linestyle=style))


@papers.panel("Where modes fail", "standard deviation of first weights", "area between losses")
def _areas(c, ax):
    for scale, areas in c.areas.items():
        ax.loglog([scale] * len(areas), areas, **dots())
    papers.ticks(ax, c.settings.scales)


panels = (
    _strengths.of("late", "When an input comes", (0, 2), ("last input", "two steps earlier")),
    _strengths.of("large", "How large a mode is", (0, 0), ("larger", "smaller")),
    *(_longer, _recurrent_strength, _distance, _areas),
)


@papers.claim("proca2025 abstract, property (1)", at_least=1.0, because="equal times")
def _later_first(c):
    """A linear recurrent network learns a mode of the last input before a mode of equal size of an earlier input (time
    of the early one over that of the late one, from small random weights)."""
    return papers.mean(c.early_over_late)


@papers.claim("proca2025 abstract, property (1)", at_least=1.0, because="equal times")
def _larger_first(c):
    """A linear recurrent network learns a larger singular value before a smaller one (time of the smaller one over that
    of the larger one, from small random weights)."""
    return papers.mean(c.small_over_large)


@papers.claim("proca2025 abstract, property (2)", at_most=0.01, because="1 % of the loss without an answer")
def _stable_sum(c):
    """A linear recurrent network that has learned to sum its inputs generalises to sequences three times as long (loss
    over that of no answer)."""
    return papers.mean(c.longer_loss)


@papers.claim("proca2025 abstract, property (2)", at_least=1.0, because="1, where activity neither grows nor fades")
def _unstable_memory(c):
    """A task in which early inputs count more leads to a recurrence that is unstable on longer sequences (largest
    modulus of an eigenvalue of the recurrent matrix)."""
    return papers.mean(c.radius)


@papers.claim("proca2025 abstract, property (3)", at_most=0.1, because="a tenth of its start")
def _small_recurrence(c):
    """Irrelevant inputs weaken the recurrence: if only the last input counts, its strength falls (last over first)."""
    return float(_radius(c.last_only)[-1] / 0.8)


@papers.claim("proca2025 abstract, property (4)", at_least=1.0, because="equal distances")
def _kernel(c):
    """Learned recurrence moves the tangent kernel further from its start than fixed recurrence (ratio of the
    distances)."""
    return float(c.turned["learned"][-1] / c.turned["fixed"][-1])


@papers.extension(
    "proca2025, for aligned weights",
    at_most=0.05,
    because="5 % of the area under the curve",
    floor=("two networks", lambda c: papers.two_networks((run := c.flow[c.settings.scales[0]]).times, run.loss)),
)
def _modes_from_random_weights(c):
    """Three numbers per mode, the strengths of its input, recurrent and output weights, predict the loss of a linear
    recurrent network from small random weights (area between loss curves)."""
    return papers.mean(c.areas[c.settings.scales[0]])


@papers.extension(
    "proca2025, for aligned weights", at_least=0.1, because="a tenth of the area under the curve: visibly another curve"
)
def _modes_from_large_weights(c):
    """Three numbers per mode, the strengths of its input, recurrent and output weights, fail to predict the loss of any
    linear recurrent network from large random weights (smallest area between loss curves)."""
    return papers.Worst(float(c.areas[c.settings.scales[-1]].min()), c.settings.seeds)


@papers.extension("proca2025, for linear units", at_least=1.0, because="equal times")
def _tanh(c):
    """A recurrent network with tanh units learns a mode of the last input before one of equal size of an earlier input
    (time of the early one over that of the late one)."""
    return papers.mean(c.tanh_early_over_late)


@papers.extension("proca2025 abstract, property (1)", at_least=1.0, because="equal times")
def _longer_delays(c):
    """A delayed response takes longer to learn with every step of delay (smallest ratio of times between delays of one
    step more and less)."""
    return float(np.min(np.divide(c.delay_times[1:], c.delay_times[:-1])))
